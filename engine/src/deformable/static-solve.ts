/**
 * Static response of a mesh at rest, x = K⁻¹ b over its free vertices.
 *
 * A mesh that is held nowhere has rigid motions, on which K vanishes. Loads then are freed of what would move the whole, b ← b − M R Rᵀ b with R the
 * rigid motions, Rᵀ M R = 1; K is made regular by springs on six coordinates of three vertices, which such loads do not strain, whatever their
 * stiffness; and x is freed of rigid motion, x ← x − R Rᵀ M x.
 */

import { type BlockLdl, createBlockLdl, factorBlocks, solveBlocks } from '../linalg/sparse/block-ldl.js'
import { blockAt } from '../linalg/sparse/block-matrix.js'
import { dissect } from '../linalg/sparse/dissect.js'
import type { Vec } from '../math/types.js'
import { ModelError } from '../model/model-error.js'
import { type Elasticity, stiffnessPattern, tangentStiffness } from './stvk.js'

export interface StaticSolve {
  /** the free vertices */
  readonly free: Int32Array
  /** their masses */
  readonly masses: Vec
  /** R, 3 numbers a free vertex, motion after motion; empty for a mesh that is held */
  readonly rigid: Vec
  /** b ← K⁻¹ b for `count` fields one after another, 3 numbers a free vertex each */
  solve(b: Vec, count: number): void
}

/** `place` numbers the free vertices; −1 stands for those that are held. */
export function createStaticSolve(elastic: Elasticity, masses: Vec, place: Int32Array): StaticSolve {
  const free = Int32Array.from(place.keys()).filter((v) => place[v] >= 0)
  const n = 3 * free.length
  const positions = new Float64Array(n)
  free.forEach((v, k) => {
    for (let a = 0; a < 3; a++) positions[3 * k + a] = elastic.mesh.vertices[3 * v + a]
  })
  const m = Float64Array.from(free, (v) => masses[v])
  const held = free.length < place.length
  const rigid = held ? new Float64Array(0) : rigidMotions(positions, m)

  const K = stiffnessPattern(elastic, place)
  tangentStiffness(elastic, K, place)
  if (!held) {
    for (const { node, direction, stiffness } of supports(positions, K.value[9 * blockAt(K, 0, 0)])) {
      const o = 9 * blockAt(K, node, node)
      for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) K.value[o + 3 * i + j] += stiffness * direction[i] * direction[j]
    }
  }
  const factor: BlockLdl = createBlockLdl(K, dissect(K, positions))
  if (!factorBlocks(factor, K)) {
    const message =
      'expected parts that hold together and are held, got one that can move without strain; join the parts, hold each, or reduce them apart'
    throw new ModelError([{ path: 'mesh', message }])
  }

  const solve = (b: Vec, count: number): void => {
    for (let o = 0; o < n * count; o += n) {
      for (let k = 0; k < rigid.length; k += n) {
        let s = 0
        for (let i = 0; i < n; i++) s += rigid[k + i] * b[o + i]
        for (let i = 0; i < n; i++) b[o + i] -= s * m[Math.floor(i / 3)] * rigid[k + i]
      }
    }
    solveBlocks(factor, b, 0, count)
    for (let o = 0; o < n * count; o += n) {
      for (let k = 0; k < rigid.length; k += n) {
        let s = 0
        for (let i = 0; i < n; i++) s += rigid[k + i] * m[Math.floor(i / 3)] * b[o + i]
        for (let i = 0; i < n; i++) b[o + i] -= s * rigid[k + i]
      }
    }
  }
  return { free, masses: m, rigid, solve }
}

/** Three translations and three rotations, made orthonormal in the masses. */
function rigidMotions(positions: Vec, m: Vec): Vec {
  const n = positions.length
  const out = new Float64Array(6 * n)
  const center = [0, 0, 0]
  let mass = 0
  for (let k = 0; k < m.length; k++) {
    mass += m[k]
    for (let a = 0; a < 3; a++) center[a] += m[k] * positions[3 * k + a]
  }
  for (let k = 0; k < m.length; k++) {
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3]
      out[n * a + 3 * k + a] = 1
      out[n * (3 + a) + 3 * k + c] = positions[3 * k + b] - center[b] / mass
      out[n * (3 + a) + 3 * k + b] = center[c] / mass - positions[3 * k + c]
    }
  }
  for (let l = 0; l < 6; l++) {
    // twice, for the first may leave rounding of what it takes away
    for (let round = 0; round < 2; round++) {
      for (let k = 0; k < l; k++) {
        const s = product(out, n * l, out, n * k, m)
        for (let i = 0; i < n; i++) out[n * l + i] -= s * out[n * k + i]
      }
    }
    const length = Math.sqrt(product(out, n * l, out, n * l, m))
    for (let i = 0; i < n; i++) out[n * l + i] /= length
  }
  return out
}

/** aᵀ M b */
function product(a: Vec, i: number, b: Vec, j: number, m: Vec): number {
  let s = 0
  for (let k = 0; k < m.length; k++) {
    s += m[k] * (a[i + 3 * k] * b[j + 3 * k] + a[i + 3 * k + 1] * b[j + 3 * k + 1] + a[i + 3 * k + 2] * b[j + 3 * k + 2])
  }
  return s
}

interface Support {
  readonly node: number
  readonly direction: readonly number[]
  readonly stiffness: number
}

/** A tripod: all of the first vertex, across the line to the farthest one there, out of the plane with the one farthest from that line there. */
function supports(positions: Vec, stiffness: number): Support[] {
  const { second, third, line, normal } = tripod(positions)
  const out: Support[] = [0, 1, 2].map((a) => ({ node: 0, direction: [0, 1, 2].map((b) => (a === b ? 1 : 0)), stiffness }))
  out.push({ node: second, direction: normal, stiffness }, { node: second, direction: cross(normal, line), stiffness })
  out.push({ node: third, direction: normal, stiffness })
  return out
}

interface Tripod {
  /** the farthest from the first, and the farthest from the line between them */
  readonly second: number
  readonly third: number
  /** unit vectors along the line, and across it and the third */
  readonly line: readonly number[]
  readonly normal: readonly number[]
  /** how far the third is from the line, in parts of its length; 0 where all are on one line */
  readonly width: number
}

export function tripod(positions: Vec): Tripod {
  const from = (node: number): number[] => [0, 1, 2].map((a) => positions[3 * node + a] - positions[a])
  const farthest = (distance: (node: number) => number): number => {
    let best = 0
    for (let node = 1; node < positions.length / 3; node++) if (distance(node) > distance(best)) best = node
    return best
  }
  const second = farthest((node) => length(from(node)))
  const long = length(from(second))
  const line = unit(from(second))
  const across = (node: number): number[] => cross(line, from(node))
  const third = farthest((node) => length(across(node)))
  return { second, third, line, normal: unit(across(third)), width: long > 0 ? length(across(third)) / long : 0 }
}

function cross([a, b, c]: readonly number[], [x, y, z]: readonly number[]): number[] {
  return [b * z - c * y, c * x - a * z, a * y - b * x]
}

function length([x, y, z]: readonly number[]): number {
  return Math.sqrt(x * x + y * y + z * z)
}

function unit(x: readonly number[]): number[] {
  const s = length(x)
  return x.map((c) => c / s)
}
