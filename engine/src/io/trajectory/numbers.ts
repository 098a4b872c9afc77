/**
 * Numbers of a recording that is being read, whose count is not known before its end: in blocks, so that growing takes no second copy of all of them.
 */
import { grouped, LIMITS } from '../../model/limits.js'
import { badTrajectory } from './recording.js'

export interface Numbers {
  /** Throws `ModelError` where there are more than `limit`, by default `LIMITS.numbers`, or soon after. */
  add(x: number): void
  /** All since the last time, in one array. */
  take(): Float64Array
}

/** numbers of the first block and of the largest ones */
const LEAST = 256
const MOST = 1 << 16

export function createNumbers(limit: number = LIMITS.numbers): Numbers {
  let blocks: Float64Array[] = []
  let block = new Float64Array(LEAST)
  let used = 0
  let total = 0
  let taken = 0
  return {
    add(x) {
      if (used === block.length) {
        if (taken + total >= limit) {
          throw badTrajectory(
            `expected at most ${grouped(limit)} numbers, got more; record fewer frames, or as .npy, of which parts can be read`,
          )
        }
        blocks.push(block)
        block = new Float64Array(Math.min(MOST, 2 * block.length))
        used = 0
      }
      block[used++] = x
      total++
    },
    take() {
      const values = new Float64Array(total)
      let at = 0
      for (const [k, full] of blocks.entries()) {
        values.set(full, at)
        at += full.length
        // given back while the next are copied
        blocks[k] = new Float64Array()
      }
      values.set(block.subarray(0, used), at)
      taken += total
      blocks = []
      used = 0
      total = 0
      return values
    },
  }
}
