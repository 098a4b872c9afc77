/**
 * Elements as points of integration: at each a weight w (volume) and the gradients g_b of the shape functions of the corners, so that the
 * gradient of a displacement is H = Σ_b u_b g_bᵀ [Barbic05].
 *
 * A tetrahedron needs one point. The energy of a St. Venant–Kirchhoff voxel has degree 4 in each coordinate, for which 3 × 3 × 3 points of
 * Gauss are exact; its terms of degree 2 and 3 in the displacements have degree 3 at most, for which 2 × 2 × 2 are. Voxels of equal edges share one table.
 */
import { pow } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { ModelError, type Problem } from '../model/model-error.js'
import type { Mesh } from './mesh.js'

export interface ElementTables {
  readonly corners: 4 | 8
  /** of integration, an element */
  readonly points: number
  /** of each element */
  readonly table: Int32Array
  /** w, `points` a table */
  readonly weights: Vec
  /** g_b, 3 × corners a point */
  readonly gradients: Vec
}

/** volumes below this part of the cube of the longest edge are called degenerate */
const FLAT = 1e-9
/** how far a voxel's corners may be from those of a box, in parts of its edges */
const SKEW = 1e-6

/** `along` points an axis of a voxel: 3, or 2 where terms of degree 4 are not needed. */
export function elementTables(mesh: Mesh, along: 2 | 3 = 3): ElementTables {
  return mesh.corners === 4 ? tetrahedra(mesh) : voxels(mesh, along)
}

function tetrahedra({ vertices: X, elements }: Mesh): ElementTables {
  const count = elements.length / 4
  const weights = new Float64Array(count)
  const gradients = new Float64Array(12 * count)
  const problems: Problem[] = []
  for (let e = 0; e < count; e++) {
    const o = 3 * elements[4 * e]
    const [a, b, c] = [1, 2, 3].map((k) => {
      const v = 3 * elements[4 * e + k]
      return [X[v] - X[o], X[v + 1] - X[o + 1], X[v + 2] - X[o + 2]]
    })
    const normals = [cross(b, c), cross(c, a), cross(a, b)]
    const six = dot(a, normals[0])
    const longest = Math.sqrt(Math.max(dot(a, a), dot(b, b), dot(c, c)))
    if (!(six > FLAT * pow(longest, 3))) problems.push(badTetrahedron(e, six, six < -FLAT * pow(longest, 3)))
    weights[e] = six / 6
    for (let k = 0; k < 3; k++) {
      for (let i = 0; i < 3; i++) {
        const g = normals[k][i] / six
        gradients[12 * e + 3 * k + 3 + i] = g
        gradients[12 * e + i] -= g
      }
    }
  }
  if (problems.length > 0) throw new ModelError(firstOf(problems))
  return { corners: 4, points: 1, table: Int32Array.from({ length: count }, (_, e) => e), weights, gradients }
}

function badTetrahedron(e: number, six: number, inverted: boolean): Problem {
  const message = inverted
    ? `expected a positive volume, got ${six / 6} m³ (inverted); swap two of its vertices, or mesh again`
    : `expected a volume, got ${six / 6} m³ (degenerate); remove it or mesh again without slivers`
  return { path: `element ${e}`, message }
}

function voxels(mesh: Mesh, along: 2 | 3): ElementTables {
  const { table, edges } = voxelEdges(mesh)
  const points = pow(along, 3)
  const weights = new Float64Array(points * edges.length)
  const gradients = new Float64Array(points * 24 * edges.length)
  edges.forEach((edge, t) => {
    writeVoxel(edge, [along, along, along], weights, points * t, gradients, points * 24 * t)
  })
  return { corners: 8, points, table, weights, gradients }
}

/** The edges of voxels that differ, and which of them each voxel has. */
export function voxelEdges({ vertices: X, elements }: Mesh): { table: Int32Array; edges: readonly number[][] } {
  const count = elements.length / 8
  const table = new Int32Array(count)
  const known = new Map<string, number>()
  const edges: number[][] = []
  const problems: Problem[] = []
  for (let e = 0; e < count; e++) {
    const o = 3 * elements[8 * e]
    const edge = [0, 1, 2].map((a) => X[3 * elements[8 * e + (1 << a)] + a] - X[o + a])
    if (!isBox(X, elements, e, edge)) {
      const message =
        'expected a box along the axes with corner c at the far end along x, y, z where bit 0, 1, 2 of c is set, got another shape'
      problems.push({ path: `element ${e}`, message: `${message}; put the corners in this order, or use tetrahedra` })
    }
    const key = edge.map((x) => x.toPrecision(9)).join()
    let t = known.get(key)
    if (t === undefined) {
      t = known.size
      known.set(key, t)
      edges.push(edge)
    }
    table[e] = t
  }
  if (problems.length > 0) throw new ModelError(firstOf(problems))
  return { table, edges }
}

function isBox(X: Vec, elements: Int32Array, e: number, edge: readonly number[]): boolean {
  if (!edge.every((x) => x > 0)) return false
  for (let c = 1; c < 8; c++) {
    for (let a = 0; a < 3; a++) {
      const expected = X[3 * elements[8 * e] + a] + ((c >> a) & 1) * edge[a]
      if (!(Math.abs(X[3 * elements[8 * e + c] + a] - expected) <= SKEW * edge[a])) return false
    }
  }
  return true
}

interface Quadrature {
  readonly nodes: readonly number[]
  readonly shares: readonly number[]
}

/** Gauss on (0, 1) with two and three points */
export const gauss: Readonly<Record<2 | 3, Quadrature>> = {
  2: { nodes: [0.5 - Math.sqrt(1 / 12), 0.5 + Math.sqrt(1 / 12)], shares: [1 / 2, 1 / 2] },
  3: { nodes: [0.5 - Math.sqrt(0.15), 0.5, 0.5 + Math.sqrt(0.15)], shares: [5 / 18, 4 / 9, 5 / 18] },
}

/**
 * Weights and gradients of a voxel, with as many points of Gauss along x, y, z as `along` says, x fastest. Shape function of corner c: product over the
 * axes of s or 1 − s.
 */
export function writeVoxel(edge: readonly number[], along: readonly (2 | 3)[], weights: Vec, w: number, gradients: Vec, o: number): void {
  const rules = along.map((n) => gauss[n])
  for (let p = 0; p < along[0] * along[1] * along[2]; p++) {
    const at = [p % along[0], Math.floor(p / along[0]) % along[1], Math.floor(p / (along[0] * along[1]))]
    weights[w + p] = at.reduce((product, k, a) => product * rules[a].shares[k] * edge[a], 1)
    for (let c = 0; c < 8; c++) {
      for (let d = 0; d < 3; d++) {
        let g = 1
        for (let a = 0; a < 3; a++) {
          const far = (c >> a) & 1
          const s = rules[a].nodes[at[a]]
          if (a === d) g *= (far ? 1 : -1) / edge[a]
          else g *= far ? s : 1 - s
        }
        gradients[o + 24 * p + 3 * c + d] = g
      }
    }
  }
}

/** Masses lumped to the vertices: every corner of an element takes an equal part. */
export function lumpedMasses({ vertices, corners, elements }: Mesh, t: ElementTables, density: number): Vec {
  const out = new Float64Array(vertices.length / 3)
  for (let e = 0; e < t.table.length; e++) {
    let volume = 0
    for (let p = 0; p < t.points; p++) volume += t.weights[t.points * t.table[e] + p]
    for (let c = 0; c < corners; c++) out[elements[corners * e + c]] += (density * volume) / corners
  }
  return out
}

/** Many bad elements have one cause: the first ones tell it. */
function firstOf(problems: readonly Problem[]): Problem[] {
  const shown = problems.slice(0, 10)
  const rest = problems.length - shown.length
  if (rest > 0) shown.push({ path: 'elements', message: `and ${rest} more like these` })
  return shown
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
