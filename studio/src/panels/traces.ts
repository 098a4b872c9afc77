/**
 * Numbers by name over time, for the plots: kept while they are plotted, with the past that the simulation remembers.
 */
import type { Link } from '../shell/link.js'

const most = 3600

export interface Traces {
  readonly times: readonly number[]
  /** counts changes */
  readonly version: number
  /** which numbers are wanted, by the names of their channels */
  want(channels: readonly string[]): void
  /** what was seen of a channel, one number a time */
  column(channel: string): Float64Array
}

export function createTraces(link: Link): Traces {
  let wanted: readonly string[] = []
  let asked = 0
  let version = 0
  let times: number[] = []
  let rows: (readonly number[])[] = []
  link.onReply((reply) => {
    if (reply.type !== 'watched' || reply.topic !== 'plots' || reply.version !== asked) return
    if (reply.whole) {
      times = [...reply.times]
      rows = [...reply.rows]
      version++
      return
    }
    const t = reply.times[0]
    // scrubbing shows the past again and adds nothing
    if (!reply.playing && t <= (times.at(-1) ?? -Infinity)) return
    while (times.length > 0 && times[times.length - 1] >= t) {
      times.pop()
      rows.pop()
    }
    times.push(t)
    rows.push(reply.rows[0])
    if (times.length > most) {
      times = times.slice(most / 4)
      rows = rows.slice(most / 4)
    }
    version++
  })
  return {
    get times() {
      return times
    },
    get version() {
      return version
    },
    want(channels) {
      wanted = channels
      times = []
      rows = []
      version++
      link.send({ type: 'watch', topic: 'plots', channels, version: ++asked })
    },
    column(channel) {
      const k = wanted.indexOf(channel)
      return Float64Array.from(rows, (row) => row[k] ?? Number.NaN)
    },
  }
}
