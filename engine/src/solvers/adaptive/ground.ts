/**
 * Contact of shapes with the planes of the world, whether their bodies are held or not: points of the shapes are kept above the planes by springs and dampers
 * that act at the end of the step, so that no step is too long for them.
 *
 *   normal force  N = k d − (h k + c) v_n, at least 0, d the depth;   friction  −μ N v_t / max(|v_t|, slip)
 * k lets the weight of the whole tree sink in by a millimetre at one point; c is critical for its mass. Linearised in the acceleration of the point this
 * adds the matrix  h (c + h k) n nᵀ + h μ N / max(|v_t|, slip) (1 − n nᵀ)  there to the inertia of the group.
 */

import { findPair, mayTouch } from '../../contact/may-touch.js'
import { hypot, norm } from '../../math/own.js'
import type { Model } from '../../model/model.js'
import { BOX, CAPSULE, CYLINDER, MESH, PLANE, type Shapes, SPHERE } from '../../model/shapes.js'
import { findGroup, type Region } from './region.js'
import type { AdaptiveWork } from './work.js'

/** metres that a tree sinks in on one point; metres a second below which friction is viscous */
const SINK = 1e-3
const SLIP = 0.02

/** Numbers of a point: in its body, in its group, radius, stiffness, damping, friction. */
const [IN_BODY, IN_GROUP, RADIUS, STIFFNESS, DAMPING, FRICTION, POINT_SIZE] = [0, 3, 6, 7, 8, 9, 10]

export interface Ground {
  readonly count: number
  regroup(rowOf: Int32Array): void
  /** After a sweep: adds to pA of groups in contact, and to their inertia where the step h is given. */
  apply(h: number | undefined): void
  /** After the accelerations of the groups: the forces become those at the end of the step. */
  finish(): void
  /** Adds the forces of the last `apply` to f of the bodies in contact, and names each of them; f of those that nothing else pulls at is cleared before. */
  addForces(mark: (body: number) => void, pulled: Uint8Array): void
}

export function createGround(w: AdaptiveWork, region: Region): Ground {
  const { model: m, d, columns } = w
  const { body, numbers } = contactPoints(w)
  const count = body.length
  const planes = planesOf(w)
  const row = new Int32Array(count)
  /** of the body of each point in its group; where each point touched, in the world */
  const poses = new Float64Array(12 * count)
  const arms = new Float64Array(3 * count)
  /** points in contact in the last `apply`: number, force in the world */
  const touching = new Int32Array(count)
  const force = new Float64Array(3 * count)
  let touches = 0
  const p = new Float64Array(3)
  const r = new Float64Array(3)
  const v = new Float64Array(3)
  const K = new Float64Array(9 * count)
  const RK = new Float64Array(9)

  /** Point k against plane o; true where it pushes. Writes r, force of the touch at hand, K. */
  const touch = (k: number, o: number, h: number | undefined): boolean => {
    const [x, n6] = [12 * row[k], 6 * row[k]]
    const X = columns.X_WB
    const c = POINT_SIZE * k
    const [nx, ny, nz] = [planes[4 * o], planes[4 * o + 1], planes[4 * o + 2]]
    for (let i = 0; i < 3; i++) {
      const at = x + 3 * i
      p[i] = X[at] * numbers[c + IN_GROUP] + X[at + 1] * numbers[c + IN_GROUP + 1] + X[at + 2] * numbers[c + IN_GROUP + 2]
    }
    const depth = numbers[c + RADIUS] + planes[4 * o + 3] - (nx * (p[0] + X[x + 9]) + ny * (p[1] + X[x + 10]) + nz * (p[2] + X[x + 11]))
    if (!(depth > 0)) return false
    // where the shape touches
    r[0] = p[0] - numbers[c + RADIUS] * nx
    r[1] = p[1] - numbers[c + RADIUS] * ny
    r[2] = p[2] - numbers[c + RADIUS] * nz
    const V = columns.VW
    v[0] = V[n6 + 3] + V[n6 + 1] * r[2] - V[n6 + 2] * r[1]
    v[1] = V[n6 + 4] + V[n6 + 2] * r[0] - V[n6] * r[2]
    v[2] = V[n6 + 5] + V[n6] * r[1] - V[n6 + 1] * r[0]
    const along = v[0] * nx + v[1] * ny + v[2] * nz
    const [k1, c1] = [numbers[c + STIFFNESS], numbers[c + DAMPING]]
    const ahead = h === undefined ? c1 : c1 + h * k1
    const push = k1 * depth - ahead * along
    if (!(push > 0)) return false
    for (let i = 0; i < 3; i++) v[i] -= along * planes[4 * o + i]
    const drag = (numbers[c + FRICTION] * push) / Math.max(hypot(v[0], v[1], v[2]), SLIP)
    const f = 3 * touches
    for (let i = 0; i < 3; i++) force[f + i] = push * planes[4 * o + i] - drag * v[i]
    if (h === undefined) return true
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const nn = planes[4 * o + i] * planes[4 * o + j]
        K[9 * touches + 3 * i + j] = h * ahead * nn + h * drag * ((i === j ? 1 : 0) - nn)
      }
    }
    // the accelerations that K will be multiplied with are spatial and without gravity: what they lack
    for (let i = 0; i < 3; i++) v[i] += along * planes[4 * o + i]
    p[0] = m.gravity[0] + V[n6 + 1] * v[2] - V[n6 + 2] * v[1]
    p[1] = m.gravity[1] + V[n6 + 2] * v[0] - V[n6] * v[2]
    p[2] = m.gravity[2] + V[n6] * v[1] - V[n6 + 1] * v[0]
    subtractProduct(force, f, K, 9 * touches, p)
    return true
  }

  return {
    count,
    regroup(rowOf) {
      for (let k = 0; k < count; k++) {
        const [b, c] = [12 * k, POINT_SIZE * k]
        if (k > 0 && body[k] === body[k - 1]) {
          row[k] = row[k - 1]
          poses.copyWithin(b, b - 12, b)
        } else row[k] = findGroup(w, region, rowOf, body[k], poses, b)
        for (let i = 0; i < 3; i++) {
          let sum = poses[b + 9 + i]
          for (let j = 0; j < 3; j++) sum += poses[b + 3 * i + j] * numbers[c + IN_BODY + j]
          numbers[c + IN_GROUP + i] = sum
        }
      }
    },

    apply(h) {
      touches = 0
      const { pA, IA } = columns
      for (let k = 0; k < count; k++) {
        if (row[k] === 0) continue
        for (let o = 0; 4 * o < planes.length; o++) {
          if (touches === count || !touch(k, o, h)) continue
          const [f, n6, i21] = [3 * touches, 6 * row[k], 21 * row[k]]
          pA[n6] -= r[1] * force[f + 2] - r[2] * force[f + 1]
          pA[n6 + 1] -= r[2] * force[f] - r[0] * force[f + 2]
          pA[n6 + 2] -= r[0] * force[f + 1] - r[1] * force[f]
          for (let i = 0; i < 3; i++) pA[n6 + 3 + i] -= force[f + i]
          if (h !== undefined) addAtPoint(IA, i21, K, 9 * touches, r, RK)
          for (let i = 0; i < 3; i++) arms[3 * k + i] = columns.X_WB[12 * row[k] + 9 + i] + r[i]
          touching[touches++] = k
        }
      }
    },

    finish() {
      const { AW, X_WB } = columns
      for (let t = 0; t < touches; t++) {
        const k = touching[t]
        const [n6, x] = [6 * row[k], 12 * row[k]]
        for (let i = 0; i < 3; i++) r[i] = arms[3 * k + i] - X_WB[x + 9 + i]
        p[0] = AW[n6 + 3] + AW[n6 + 1] * r[2] - AW[n6 + 2] * r[1]
        p[1] = AW[n6 + 4] + AW[n6 + 2] * r[0] - AW[n6] * r[2]
        p[2] = AW[n6 + 5] + AW[n6] * r[1] - AW[n6 + 1] * r[0]
        subtractProduct(force, 3 * t, K, 9 * t, p)
      }
    },

    addForces(mark, pulled) {
      let last = -1
      for (let t = 0; t < touches; t++) {
        const k = touching[t]
        const i = body[k]
        // points of a body follow each other
        if (i !== last && pulled[i] === 0) d.f.fill(0, 6 * i, 6 * i + 6)
        if (i !== last) mark(i)
        last = i
        addBodyForce(6 * i, k, 3 * t)
      }
    },
  }

  /** f += the wrench of a force at point k, in the frame of its body. */
  function addBodyForce(o: number, k: number, f: number): void {
    const [x, b] = [12 * row[k], 12 * k]
    const X = columns.X_WB
    // the force in the group, then in the body; the arm in the body
    for (let i = 0; i < 3; i++) p[i] = X[x + i] * force[f] + X[x + 3 + i] * force[f + 1] + X[x + 6 + i] * force[f + 2]
    for (let i = 0; i < 3; i++) v[i] = poses[b + i] * p[0] + poses[b + 3 + i] * p[1] + poses[b + 6 + i] * p[2]
    for (let i = 0; i < 3; i++) p[i] = arms[3 * k + i] - X[x + 9 + i]
    for (let i = 0; i < 3; i++) r[i] = X[x + i] * p[0] + X[x + 3 + i] * p[1] + X[x + 6 + i] * p[2] - poses[b + 9 + i]
    for (let i = 0; i < 3; i++) p[i] = poses[b + i] * r[0] + poses[b + 3 + i] * r[1] + poses[b + 6 + i] * r[2]
    d.f[o] += p[1] * v[2] - p[2] * v[1]
    d.f[o + 1] += p[2] * v[0] - p[0] * v[2]
    d.f[o + 2] += p[0] * v[1] - p[1] * v[0]
    for (let i = 0; i < 3; i++) d.f[o + 3 + i] += v[i]
  }
}

/** The matrix K at the point r, seen from the origin, added to an inertia: C += K, B += [r] K, A += [r] K [r]ᵀ. */
function addAtPoint(I: Float64Array, o: number, K: Float64Array, k: number, r: Float64Array, RK: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    RK[c] = r[1] * K[k + 6 + c] - r[2] * K[k + 3 + c]
    RK[3 + c] = r[2] * K[k + c] - r[0] * K[k + 6 + c]
    RK[6 + c] = r[0] * K[k + 3 + c] - r[1] * K[k + c]
  }
  for (let e = 0; e < 9; e++) I[o + 6 + e] += RK[e]
  // rows of [r] K times [r]ᵀ: each row crossed with r from the left
  const A = (i: number, j: number): number => {
    const [u, w] = [(j + 1) % 3, (j + 2) % 3]
    return r[u] * RK[3 * i + w] - r[w] * RK[3 * i + u]
  }
  I[o] += A(0, 0)
  I[o + 1] += A(0, 1)
  I[o + 2] += A(0, 2)
  I[o + 3] += A(1, 1)
  I[o + 4] += A(1, 2)
  I[o + 5] += A(2, 2)
  I[o + 15] += K[k]
  I[o + 16] += K[k + 1]
  I[o + 17] += K[k + 2]
  I[o + 18] += K[k + 4]
  I[o + 19] += K[k + 5]
  I[o + 20] += K[k + 8]
}

/** f −= K x */
function subtractProduct(f: Float64Array, o: number, K: Float64Array, k: number, x: Float64Array): void {
  for (let i = 0; i < 3; i++) f[o + i] -= K[k + 3 * i] * x[0] + K[k + 3 * i + 1] * x[1] + K[k + 3 * i + 2] * x[2]
}

/** Normals and offsets of the planes that stand in the world, 4 each. */
function planesOf({ model: { shapes: g } }: AdaptiveWork): Float64Array {
  const planes: number[] = []
  for (const e of g.ground) {
    if (g.shape[e] !== PLANE || g.body[e] !== 0) continue
    const X = g.X_BG.subarray(12 * e, 12 * e + 12)
    planes.push(X[2], X[5], X[8], X[2] * X[9] + X[5] * X[10] + X[8] * X[11])
  }
  return Float64Array.from(planes)
}

/** Points by which shapes touch a plane, by body: centre of a sphere, ends of a capsule, corners of a box; a cylinder has those of a box about it. */
function contactPoints({ model: m }: AdaptiveWork): { readonly body: Int32Array; readonly numbers: Float64Array } {
  const { shapes: g } = m
  const planes = Array.from(g.ground).filter((e) => g.shape[e] === PLANE && g.body[e] === 0)
  const body: number[] = []
  const numbers: number[] = []
  const mass = treeMasses(m)
  const solids = planes.length === 0 ? [] : Array.from(g.solids).filter((e) => g.body[e] > 0)
  solids.sort((x, y) => g.body[x] - g.body[y])
  for (const e of solids) {
    const meets = planes.filter((q) => mayTouch(g, e, q))
    if (meets.length === 0) continue
    const i = g.body[e]
    const friction = Math.max(...meets.map((q) => slidingFriction(g, e, q)))
    const stiffness = (mass[i] * norm(m.gravity)) / SINK
    const damping = 2 * Math.sqrt(stiffness * mass[i])
    const X = g.X_BG.subarray(12 * e, 12 * e + 12)
    for (const [x, y, z, radius] of pointsOf(g, e)) {
      const at = [0, 1, 2].map((k) => X[9 + k] + X[3 * k] * x + X[3 * k + 1] * y + X[3 * k + 2] * z)
      body.push(i)
      numbers.push(...at, 0, 0, 0, radius, stiffness, damping, friction)
    }
  }
  return { body: Int32Array.from(body), numbers: Float64Array.from(numbers) }
}

/** Of the pair that the file makes of the two, else the larger one. */
function slidingFriction(g: Shapes, e: number, plane: number): number {
  const p = findPair(g, e, plane)
  return p >= 0 ? g.pairs.friction[5 * p] : Math.max(g.friction[3 * e], g.friction[3 * plane])
}

const SIGNS = [-1, 1]

/** x, y, z, radius */
function pointsOf(g: Shapes, e: number): number[][] {
  const shape = g.shape[e]
  const [a, b, c] = g.size.subarray(3 * e, 3 * e + 3)
  if (shape === MESH) return hullPoints(g, e)
  if (shape === SPHERE) return [[0, 0, 0, a]]
  if (shape === CAPSULE) return SIGNS.map((s) => [0, 0, s * b, a])
  const [x, y, z] = shape === CYLINDER ? [a, a, b] : [a, b, c]
  if (shape === CYLINDER || shape === BOX) return SIGNS.flatMap((i) => SIGNS.flatMap((j) => SIGNS.map((k) => [i * x, j * y, k * z, 0])))
  // an ellipsoid by the ends of its axes
  return [0, 1, 2].flatMap((k) => SIGNS.map((s) => [k === 0 ? s * x : 0, k === 1 ? s * y : 0, k === 2 ? s * z : 0, 0]))
}

/** A hull by its corners that are furthest along its axes and diagonals. */
function hullPoints({ hulls }: Shapes, e: number): number[][] {
  const first = hulls.vertexStart[hulls.of[e]]
  const count = hulls.vertexStart[hulls.of[e] + 1] - first
  const corners = Array.from({ length: count }, (_, k) => [...hulls.vertices.subarray(3 * (first + k), 3 * (first + k) + 3), 0])
  const ways = [-1, 0, 1].flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])))
  const along = (p: readonly number[], [x, y, z]: readonly number[]): number => p[0] * x + p[1] * y + p[2] * z
  return [...new Set(ways.map((way) => corners.reduce((best, p) => (along(p, way) > along(best, way) ? p : best))))]
}

/** Of each body: the mass of its tree. */
function treeMasses(m: Model): Float64Array {
  const root = new Int32Array(m.nbody)
  const sum = new Float64Array(m.nbody)
  for (let i = 1; i < m.nbody; i++) {
    root[i] = m.parent[i] === 0 ? i : root[m.parent[i]]
    sum[root[i]] += m.inertia[10 * i]
  }
  return sum.map((_, i) => sum[root[i]])
}
