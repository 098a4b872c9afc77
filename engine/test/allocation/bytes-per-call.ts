/** How many bytes a call leaves on the heap, in a process that was started by `run-probe`. */

export interface Measured {
  readonly name: string
  readonly bytesPerCall: number
}

const WINDOWS = 5
/** The least of several windows of so many calls, after so many more to warm up, so that a compiler at work in one of them does not count. */
export function bytesPerCall(call: () => void, times: number, warmUp = 8 * times): number {
  for (let k = 0; k < warmUp; k++) call()
  let least = Number.POSITIVE_INFINITY
  for (let w = 0; w < WINDOWS; w++) {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    for (let k = 0; k < times; k++) call()
    least = Math.min(least, process.memoryUsage().heapUsed - before)
  }
  return least / times
}
