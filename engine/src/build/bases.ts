/**
 * Points, masses and shapes → the sums over them that bodies share (`Bases` of model/modes).
 */
import { pow } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { Bases } from '../model/modes.js'

/** A body's own deformation, or a domain of the Spec. */
export interface BasisSource {
  readonly name: string
  readonly modes: number
  /** 3 a point, a number a point, 3 a point mode after mode */
  readonly points: Vec
  readonly masses: Vec
  readonly shapes: Vec
  /** `hessianMatrix`, empty where there is no elastic energy */
  readonly hessian: Vec
}

export function sumBases(sources: readonly BasisSource[]): Bases {
  const start = runningSums(sources.map(({ modes }) => modes))
  const block = runningSums(sources.map(({ modes }) => modes * modes))
  const hessianStart = runningSums(sources.map(({ hessian }) => hessian.length))
  const count = sources.length
  const built = {
    ...{ count, start, block, hessianStart },
    names: sources.map(({ name }) => name),
    moment: new Float64Array(3 * start[count]),
    cross: new Float64Array(9 * start[count]),
    pairs: new Float64Array(9 * block[count]),
    mass: new Float64Array(block[count]),
    hessian: new Float64Array(hessianStart[count]),
    points: sources.map(({ points }) => points),
    shapes: sources.map(({ shapes }) => shapes),
  }
  sources.forEach((source, b) => {
    built.hessian.set(source.hessian, hessianStart[b])
    sumPoints(source, built, b)
  })
  return built
}

/** a, B, C and tr C of basis b. */
function sumPoints(
  { modes: r, points, masses, shapes }: BasisSource,
  { start, block, moment, cross, pairs, mass }: Bases,
  b: number,
): void {
  const from = start[b]
  const at = block[b]
  const size = points.length
  for (let l = 0; l < r; l++) {
    for (let k = 0; k < size; k++) {
      const weighted = masses[(k - (k % 3)) / 3] * shapes[l * size + k]
      const x = k - (k % 3)
      moment[3 * (from + l) + (k % 3)] += weighted
      for (let c = 0; c < 3; c++) {
        cross[9 * (from + l) + 3 * (k % 3) + c] += weighted * points[x + c]
        for (let p = 0; p < r; p++) pairs[9 * (at + l * r + p) + 3 * (k % 3) + c] += weighted * shapes[p * size + x + c]
      }
    }
    for (let p = 0; p < r; p++) {
      const c = 9 * (at + l * r + p)
      mass[at + l * r + p] = pairs[c] + pairs[c + 4] + pairs[c + 8]
    }
  }
}

/** Mass, first moment and inertia about the origin of the points at rest. */
export function restInertia({ points, masses }: BasisSource): Vec {
  const I = new Float64Array(10)
  for (let k = 0; k < masses.length; k++) {
    const mass = masses[k]
    const [x, y, z] = [points[3 * k], points[3 * k + 1], points[3 * k + 2]]
    const J = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y]
    for (const [e, c] of [1, x, y, z, ...J].entries()) I[e] += mass * c
  }
  return I
}

/** I[o …] += that of points s times as far out and s³ times as heavy. */
export function addScaledInertia(I: Vec, o: number, rest: Vec, s: number): void {
  for (let e = 0; e < 10; e++) I[o + e] += pow(s, e === 0 ? 3 : e < 4 ? 4 : 5) * rest[e]
}

/** 0, a, a + b, … */
export function runningSums(counts: readonly number[]): Int32Array {
  const out = new Int32Array(counts.length + 1)
  counts.forEach((x, k) => {
    out[k + 1] = out[k] + x
  })
  return out
}
