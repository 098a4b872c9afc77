/** The seeded generator of all tests: the seed says all, on every machine. */
import type { Quat, Vec3 } from 'limber'

/** Draws from one seed. */
export interface Random {
  /** in [0, 1) */
  unit(): number
  /** in (−size, size) */
  spread(size: number): number
  between(low: number, high: number): number
  /** 0 … n − 1 */
  below(n: number): number
  pick<T>(list: readonly T[]): T
  vec3(size: number): Vec3
  axis(): Vec3
  quat(): Quat
  array(n: number, size: number): Float64Array
}

/** T. Ettinger's mulberry32: 32 bits of state. */
export function createRandom(seed: number): Random {
  let s = seed >>> 0
  const unit = (): number => {
    s = (s + 0x6d2b79f5) >>> 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const spread = (size: number): number => size * (2 * unit() - 1)
  const below = (n: number): number => Math.floor(n * unit())
  const ball = (n: number): number[] => {
    for (;;) {
      const x = Array.from({ length: n }, () => spread(1))
      const length = Math.hypot(...x)
      if (length < 1 && length > 0.1) return x.map((c) => c / length)
    }
  }
  return {
    unit,
    spread,
    between: (low, high) => low + (high - low) * unit(),
    below,
    pick: (list) => list[below(list.length)],
    vec3: (size) => [spread(size), spread(size), spread(size)],
    axis: () => ball(3) as unknown as Vec3,
    quat: () => ball(4) as unknown as Quat,
    array: (n, size) => Float64Array.from({ length: n }, () => spread(size)),
  }
}
