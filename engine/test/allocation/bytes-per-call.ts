/** How many bytes a call leaves on the heap, in a process that was started by `run-probe`. */

export interface Measured {
  readonly name: string
  readonly bytesPerCall: number
}

/** code that runs once or twice a call is compiled late: windows go on until one is empty, up to this many */
const MOST_WINDOWS = 40
/** a window with fewer bytes a call than this is empty */
const EMPTY = 0.5

/** What a reading of the heap leaves itself. */
let reading = 0
for (let k = 0; k < 100; k++) {
  const before = process.memoryUsage().heapUsed
  reading = process.memoryUsage().heapUsed - before
}

/**
 * The least of several windows of so many calls, after so many more to warm up, so that a compiler at work in one of them does not count. What
 * happens every so many calls only is seen where a window holds it.
 */
export function bytesPerCall(call: () => void, times: number, warmUp = 2 * times): number {
  for (let k = 0; k < warmUp; k++) call()
  let least = Number.POSITIVE_INFINITY
  for (let w = 0; w < MOST_WINDOWS && least > EMPTY * times; w++) {
    globalThis.gc?.()
    // a collection takes away memory that was set aside for later, up to a page: the first calls take it anew
    for (let k = 0; 4 * k < times; k++) call()
    const before = process.memoryUsage().heapUsed
    for (let k = 0; k < times; k++) call()
    least = Math.min(least, Math.max(0, process.memoryUsage().heapUsed - before - reading))
  }
  return least / times
}
