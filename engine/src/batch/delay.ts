/**
 * Delay of actions: a step n uses the control that was wanted at step n − d, with d of each environment its own.
 *
 * A ring holds the wanted controls of the last steps, a row for each step and environment. It grows when a longer delay is set; a step allocates
 * nothing.
 */
import { type EnvironmentVector, vectorAt } from './views.js'

export interface Delay {
  /** controls as they were written, a row for each environment */
  readonly wanted: Float64Array
  /** seconds of an environment */
  seconds(e: number): EnvironmentVector
  control(e: number): EnvironmentVector
  /** Forgets what is under way: control was the same all the time. */
  reset(e: number, control: ArrayLike<number> | undefined): void
  /** Before a step: keeps what is wanted, and hands over what acts. */
  pass(act: (e: number, ring: Float64Array, from: number) => void): void
  bytes(): Uint8Array
  restore(bytes: Uint8Array): void
}

export function createDelay(count: number, nu: number, timestep: number): Delay {
  const wanted = new Float64Array(count * nu)
  const seconds = new Float64Array(count)
  const steps = new Int32Array(count)
  /** rows of the ring for each environment, and the row of the next step */
  let rows = 1
  let next = 0
  let ring = new Float64Array(count * nu)

  const rowOf = (e: number, age: number): number => nu * (e * rows + ((next - age + rows) % rows))
  /** More rows; what is older than all that is known was as the oldest. */
  const grow = (to: number): void => {
    const larger = new Float64Array(count * to * nu)
    for (let e = 0; e < count; e++)
      for (let age = 1; age <= to; age++) {
        const from = rowOf(e, Math.min(age, rows))
        larger.set(ring.subarray(from, from + nu), nu * (e * to + (to - age)))
      }
    ring = larger
    rows = to
    next = 0
  }
  const setDelay = (e: number): void => {
    const value = seconds[e]
    if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) {
      seconds[e] = steps[e] * timestep
      throw new RangeError(`delay: expected seconds from 0, got ${value}`)
    }
    steps[e] = Math.round(value / timestep)
    if (steps[e] >= rows) grow(steps[e] + 1)
  }
  return {
    wanted,
    seconds: (e) => vectorAt(seconds, e, 1, 1, 'delay', () => setDelay(e)),
    control: (e) => vectorAt(wanted, e * nu, 1, nu, 'control'),
    reset(e, control) {
      for (let k = 0; k < nu; k++) {
        const x = control?.[k] ?? 0
        wanted[e * nu + k] = x
        for (let r = 0; r < rows; r++) ring[nu * (e * rows + r) + k] = x
      }
    },
    pass(act) {
      for (let e = 0; e < count; e++) {
        const row = rowOf(e, 0)
        for (let k = 0; k < nu; k++) ring[row + k] = wanted[e * nu + k]
        act(e, ring, rowOf(e, steps[e]))
      }
      next = (next + 1) % rows
    },
    bytes() {
      const all = new Float64Array(2 + seconds.length + wanted.length + ring.length)
      all.set([rows, next])
      all.set(seconds, 2)
      all.set(wanted, 2 + count)
      all.set(ring, 2 + count + wanted.length)
      return new Uint8Array(all.buffer)
    },
    restore(bytes) {
      const all = new Float64Array(bytes.buffer)
      rows = all[0]
      next = all[1]
      seconds.set(all.subarray(2, 2 + count))
      wanted.set(all.subarray(2 + count, 2 + count + wanted.length))
      ring = all.slice(2 + count + wanted.length)
      for (let e = 0; e < count; e++) steps[e] = Math.round(seconds[e] / timestep)
    },
  }
}
