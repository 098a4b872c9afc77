/**
 * Rays against triangle meshes: a tree of boxes over the triangles, halved along their longest extent, made when a mesh is first looked at.
 */
import type { Vec } from '../../math/types.js'
import type { Geoms } from '../../model/shapes.js'
import { entersBox, hitTriangle } from './hit.js'

interface BoxTree {
  /** lower and upper corner of each node, 6 each */
  readonly bounds: Vec
  /** of an inner node: its second child, the first follows it; of a leaf −1 − its first triangle */
  readonly child: Int32Array
  /** triangles of a leaf */
  readonly count: Int32Array
  /** numbers of the triangles, leaf by leaf */
  readonly triangles: Int32Array
}

/** triangles of a leaf at most */
const LEAF = 4
/** nodes that wait at once: more levels than any tree of this kind has */
const DEEPEST = 64

const trees = new WeakMap<Geoms, (BoxTree | undefined)[]>()
const waiting = new Int32Array(DEEPEST)
const corner = new Float64Array(9)

/** Offers the nearest hit on mesh k, seen from both sides. */
export function hitMesh(ray: Vec, g: Geoms, k: number): void {
  let made = trees.get(g)
  if (made === undefined) {
    made = []
    trees.set(g, made)
  }
  made[k] ??= createTree(g, k)
  const tree = made[k]
  if (tree.triangles.length === 0) return
  const { bounds, child, count, triangles } = tree
  let left = 1
  waiting[0] = 0
  while (left > 0) {
    const n = waiting[--left]
    if (!entersBox(ray, bounds, 6 * n)) continue
    if (child[n] < 0) {
      const first = -1 - child[n]
      for (let e = first; e < first + count[n]; e++) {
        takeCorners(g, k, triangles[e])
        hitTriangle(ray, corner, 0, 3, 6)
      }
    } else {
      waiting[left++] = child[n]
      waiting[left++] = n + 1
    }
  }
}

/** corner ← those of triangle t of mesh k. */
function takeCorners({ vertexStart, vertices, faceStart, faces }: Geoms, k: number, t: number): void {
  for (let c = 0; c < 3; c++) {
    const o = vertexStart[k] + 3 * faces[faceStart[k] + 3 * t + c]
    for (let r = 0; r < 3; r++) corner[3 * c + r] = vertices[o + r]
  }
}

function createTree(g: Geoms, k: number): BoxTree {
  const total = (g.faceStart[k + 1] - g.faceStart[k]) / 3
  const triangles = Int32Array.from({ length: total }, (_, t) => t)
  const boxes = new Float64Array(6 * total)
  for (let t = 0; t < total; t++) {
    takeCorners(g, k, t)
    for (let r = 0; r < 3; r++) {
      boxes[6 * t + r] = Math.min(corner[r], corner[3 + r], corner[6 + r])
      boxes[6 * t + 3 + r] = Math.max(corner[r], corner[3 + r], corner[6 + r])
    }
  }
  const bounds: number[] = []
  const child: number[] = []
  const count: number[] = []
  const build = (from: number, to: number): void => {
    const n = child.length
    const low = [0, 1, 2].map((r) => triangles.subarray(from, to).reduce((x, t) => Math.min(x, boxes[6 * t + r]), Number.POSITIVE_INFINITY))
    const high = [3, 4, 5].map((r) =>
      triangles.subarray(from, to).reduce((x, t) => Math.max(x, boxes[6 * t + r]), Number.NEGATIVE_INFINITY),
    )
    bounds.push(...low, ...high)
    child.push(-1 - from)
    count.push(to - from)
    if (to - from <= LEAF) return
    const extents = low.map((x, r) => high[r] - x)
    const r = extents.indexOf(Math.max(...extents))
    triangles.subarray(from, to).sort((a, b) => boxes[6 * a + r] + boxes[6 * a + 3 + r] - boxes[6 * b + r] - boxes[6 * b + 3 + r])
    const middle = (from + to) >> 1
    build(from, middle)
    child[n] = child.length
    build(middle, to)
  }
  if (total > 0) build(0, total)
  return { bounds: Float64Array.from(bounds), child: Int32Array.from(child), count: Int32Array.from(count), triangles }
}
