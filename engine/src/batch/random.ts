/** Random numbers from a seed, with the same bits everywhere and for each environment its own. */

export interface Random {
  /** in [0, 1) */
  unit(): number
  /** in (−size, size) */
  spread(size: number): number
  between(low: number, high: number): number
  /** mean 0, standard deviation 1 */
  normal(): number
}

/** The final mix of MurmurHash3: neighbouring numbers become unrelated ones. */
function mix(x: number): number {
  let h = x >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Start of the numbers of an environment: it depends on the seed and its number alone. */
export const seedOf = (seed: number, e: number): number => mix(mix(seed) + Math.imul(e + 1, 0x9e3779b9))

/** mulberry32 (T. Ettinger): 32 bits of state, which `from` holds at place k. */
export function createRandom(from: Uint32Array, k = 0): Random {
  const unit = (): number => {
    from[k] += 0x6d2b79f5
    const s = from[k]
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return {
    unit,
    spread: (size) => size * (2 * unit() - 1),
    between: (low, high) => low + (high - low) * unit(),
    // sum of uniform numbers: exact bits in every engine, which logarithms and cosines do not promise
    normal() {
      let sum = -6
      for (let n = 0; n < 12; n++) sum += unit()
      return sum
    },
  }
}

/** Refuses what is no seed. */
export function checkSeed(place: string, seed: unknown): asserts seed is number {
  if (!(Number.isInteger(seed) && (seed as number) >= 0 && (seed as number) < 2 ** 32))
    throw new RangeError(`${place}: expected a whole number from 0 to 2^32 − 1 as seed, got ${String(seed)}`)
}
