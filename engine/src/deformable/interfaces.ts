/**
 * Choosing vertices of a mesh: by their numbers, by a box, or as those of the faces that it shares with another mesh.
 */
import { ModelError } from '../model/model-error.js'
import { faceKey, facesOf, type Mesh, type Triple } from './mesh.js'

export interface Box {
  readonly min: Triple
  readonly max: Triple
}

export type Selection = readonly number[] | Int32Array | Box | Mesh

/** positions are the same up to this part of the size of the mesh */
const SAME = 1e-6

/** Numbers of the chosen vertices, ascending. `path` names the choice in problems; none chosen is one. */
export function selectVertices(mesh: Mesh, selection: Selection, path: string): Int32Array {
  const chosen = choose(mesh, selection, path)
  if (chosen.length > 0) return chosen
  const [low, high] = extent(mesh)
  const range = `the mesh reaches from ${low.map(short).join(', ')} to ${high.map(short).join(', ')}`
  const found =
    'vertices' in selection ? 'expected a mesh that shares faces with this one, got none shared' : 'expected vertices of the mesh, got none'
  throw new ModelError([{ path, message: `${found}; ${range}` }])
}

function choose(mesh: Mesh, selection: Selection, path: string): Int32Array {
  const count = mesh.vertices.length / 3
  if ('min' in selection) return inBox(mesh, selection)
  if ('vertices' in selection) return onSharedFaces(mesh, selection)
  for (const v of selection) {
    if (Number.isInteger(v) && v >= 0 && v < count) continue
    throw new ModelError([{ path, message: `expected vertex numbers from 0 to ${count - 1}, got ${v}` }])
  }
  return Int32Array.from(new Set(selection)).sort()
}

function inBox(mesh: Mesh, { min, max }: Box): Int32Array {
  const margin = SAME * sizeOf(mesh)
  const inside = (v: number): boolean =>
    [0, 1, 2].every((a) => mesh.vertices[3 * v + a] >= min[a] - margin && mesh.vertices[3 * v + a] <= max[a] + margin)
  return Int32Array.from({ length: mesh.vertices.length / 3 }, (_, v) => v).filter(inside)
}

function onSharedFaces(mesh: Mesh, other: Mesh): Int32Array {
  const twin = twins(mesh, other)
  const faces = facesOf(other)
  const out = new Set<number>()
  for (const { vertices } of facesOf(mesh).values()) {
    const theirs = vertices.map((v) => twin[v])
    if (theirs.includes(-1) || !faces.has(faceKey(theirs))) continue
    for (const v of vertices) out.add(v)
  }
  return Int32Array.from(out).sort()
}

/** For each vertex the one of `other` at the same place, −1 where there is none. */
function twins(mesh: Mesh, other: Mesh): Int32Array {
  const cell = SAME * sizeOf(mesh)
  const places = new Map<string, number>()
  const key = (x: ArrayLike<number>, v: number, shift: readonly number[]): string =>
    shift.map((s, a) => Math.round(x[3 * v + a] / cell) + s).join()
  for (let v = 0; v < other.vertices.length / 3; v++) places.set(key(other.vertices, v, [0, 0, 0]), v)
  return Int32Array.from({ length: mesh.vertices.length / 3 }, (_, v) => {
    // rounding may put two that are the same into cells next to each other
    for (const x of [0, -1, 1]) {
      for (const y of [0, -1, 1]) {
        for (const z of [0, -1, 1]) {
          const found = places.get(key(mesh.vertices, v, [x, y, z]))
          if (found !== undefined) return found
        }
      }
    }
    return -1
  })
}

/** The longest side of the box around a mesh. */
export function sizeOf(mesh: Mesh): number {
  const [low, high] = extent(mesh)
  return Math.max(...high.map((x, a) => x - low[a]))
}

function extent({ vertices }: Mesh): [number[], number[]] {
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  vertices.forEach((x, k) => {
    low[k % 3] = Math.min(low[k % 3], x)
    high[k % 3] = Math.max(high[k % 3], x)
  })
  return [low, high]
}

function short(x: number): string {
  return String(Number(x.toPrecision(6)))
}
