/**
 * The time that messages take, as the cost model of the partition needs it: the four messages that cross one cut edge in an evaluation.
 */
import type { Link } from './link.js'

/** numbers of each: out, back, out, back */
const [OUT, BACK, OUT_AGAIN, BACK_AGAIN] = [24, 27, 6, 5]
/** round trips in one reading of the clock, which may be as coarse as some of them */
const IN_ONE_READING = 16
/** readings before those that count */
const WARM_UP = 20

/** Seconds of the four messages between processors 0 and 1: the median of n readings of a clock in seconds. Processor 1 calls `serveRoundTrip`. */
export function measureRoundTrip(link: Link, clock: () => number, n: number): number {
  if (link.processors < 2) return 0
  const x = new Float64Array(OUT)
  const y = new Float64Array(BACK)
  const seconds = new Float64Array(n)
  for (let reading = -WARM_UP; reading < n; reading++) {
    const start = clock()
    for (let k = 0; k < IN_ONE_READING; k++) {
      link.send(1, x, 0, OUT)
      link.receive(1, y, 0, BACK)
      // the last message tells that no more follows
      x[0] = reading === n - 1 && k === IN_ONE_READING - 1 ? 1 : 0
      link.send(1, x, 0, OUT_AGAIN)
      link.receive(1, y, 0, BACK_AGAIN)
    }
    if (reading >= 0) seconds[reading] = (clock() - start) / IN_ONE_READING
  }
  return seconds.sort()[n >> 1]
}

/** The other side, on processor 1; returns when the measurement is over. */
export function serveRoundTrip(link: Link): void {
  const x = new Float64Array(OUT)
  const y = new Float64Array(BACK)
  do {
    link.receive(0, x, 0, OUT)
    link.send(0, y, 0, BACK)
    link.receive(0, x, 0, OUT_AGAIN)
    link.send(0, y, 0, BACK_AGAIN)
  } while (x[0] === 0)
}
