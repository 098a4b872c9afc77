/**
 * The moments that were shown, kept so that one can go back to them with the same bits.
 *
 * A moment is the frame as it was drawn and a snapshot of every lane. Memory is bounded: when it is used up every second moment of the
 * older half goes, so that the recent past stays dense.
 */

export interface Moment<Setup> {
  /** what made it: a moment of an earlier model or solver brings these back */
  readonly setup: Setup
  readonly t: number
  readonly snapshots: readonly Uint8Array[]
  readonly block: Float64Array
  /** of the first lane, empty unless they were asked for when it was kept */
  readonly contacts: Float64Array
  readonly size: number
}

export interface History<Setup> {
  readonly moments: readonly Moment<Setup>[]
  add(moment: Moment<Setup>): void
  /** forgets what comes after moment k */
  cut(k: number): void
  clear(): void
}

const budget = 160e6

export function createHistory<Setup>(): History<Setup> {
  let moments: Moment<Setup>[] = []
  let used = 0
  const thin = () => {
    const half = moments.length >> 1
    moments = moments.filter((_, k) => k === 0 || k >= half || k % 2 === 0)
    used = moments.reduce((sum, { size }) => sum + size, 0)
  }
  return {
    get moments() {
      return moments
    },
    add(moment) {
      moments.push(moment)
      used += moment.size
      while (used > budget && moments.length > 8) thin()
    },
    cut(k) {
      for (const { size } of moments.slice(k + 1)) used -= size
      moments.length = Math.min(moments.length, k + 1)
    },
    clear() {
      moments = []
      used = 0
    },
  }
}
