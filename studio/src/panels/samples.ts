/**
 * Statistics of the frames that were shown, for the plots: one row a frame, oldest first.
 */
import { header, statistics, statisticsAt } from '../worker/protocol.js'

const most = 3600

export interface Samples {
  readonly times: readonly number[]
  /** statistics of all lanes, one row a time */
  readonly rows: readonly Float64Array[]
  /** counts changes */
  readonly version: number
  add(block: Float64Array, lanes: number): void
  clear(): void
}

export function createSamples(): Samples {
  let times: number[] = []
  let rows: Float64Array[] = []
  let version = 0
  return {
    get times() {
      return times
    },
    get rows() {
      return rows
    },
    get version() {
      return version
    },
    add(block, lanes) {
      const t = block[header.t]
      // scrubbing shows the past again and adds nothing
      if (!block[header.playing] && t <= (times[times.length - 1] ?? -Infinity)) return
      while (times.length > 0 && times[times.length - 1] >= t) {
        times.pop()
        rows.pop()
      }
      times.push(t)
      const start = statisticsAt(0)
      rows.push(block.slice(start, start + lanes * statistics.length))
      if (times.length > most) {
        times = times.slice(most / 4)
        rows = rows.slice(most / 4)
      }
      version++
    },
    clear() {
      times = []
      rows = []
      version++
    },
  }
}
