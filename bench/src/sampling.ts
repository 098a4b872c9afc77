/**
 * How one function is timed: warmed up, then in samples that are short against a time slice of a busy machine.
 */
import type { Model, State } from 'limber'

// milliseconds: above the grain of the clock, below the time slice
const SAMPLE = 0.5
const WARM_UP = 250

/** Warms f up until the compilers are done, and returns how many calls fill a sample. */
export function repeatsFor(f: () => void): number {
  const start = performance.now()
  let calls = 0
  while (performance.now() - start < WARM_UP) {
    f()
    calls++
  }
  const again = performance.now()
  const probe = Math.max(1, Math.floor(calls / 20))
  for (let k = 0; k < probe; k++) f()
  return Math.max(1, Math.round((SAMPLE * probe) / Math.max(performance.now() - again, 1e-3)))
}

/** Nanoseconds a call. */
export function sampleOnce(f: () => void, repeats: number): number {
  const start = performance.now()
  for (let r = 0; r < repeats; r++) f()
  return ((performance.now() - start) * 1e6) / repeats
}

export function minimumAndMedian(times: readonly number[]): { minimum: number; median: number } {
  const sorted = times.toSorted((x, y) => x - y)
  return { minimum: sorted[0], median: sorted[sorted.length >> 1] }
}

/** Microseconds of processor time, of all threads, that `work` takes. */
export async function processorTime(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** The state at which everybody is timed: bent joints, all in motion. */
export function startState(model: Model, state: State): void {
  for (let k = 0; k < model.nv; k++) state.v[k] = Math.cos(3.3 * k)
  for (const joint of model.joints) if (joint.nq === 1) state.q[joint.iq] = Math.sin(7.1 * joint.iq)
}
