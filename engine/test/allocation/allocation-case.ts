/** What a case of the allocation test is: a call that is to leave nothing on the heap once it is warm. */
import type { Simulation } from 'limber'

export interface AllocationCase {
  readonly name: string
  /** calls in a window */
  readonly times: number
  /** calls before the first window; default twice as many as in one, for windows go on while code is being compiled */
  readonly warmUp?: number
  /** Makes what is measured, just before. */
  prepare(): Call | Promise<Call>
}

export interface Call {
  readonly run: () => void
  /** Throws where the calls were not what the case means to measure. */
  readonly check?: () => void
}

/** What one small object a call looks like: it must be seen. */
export const CONTROL: AllocationCase = {
  name: 'control',
  times: 200,
  prepare() {
    let kept: unknown = null
    return {
      run: () => {
        kept = { at: kept === null }
      },
    }
  },
}

/** Steps of a simulation, none of which may fail. */
export function steps(simulation: Simulation): Call {
  return {
    run: () => void simulation.step(),
    check: () => {
      if (simulation.report.status !== 'ok') throw new Error(simulation.report.message)
    },
  }
}

/** Calls by name, with the same number of repetitions. */
export function callsByName(calls: Readonly<Record<string, () => void>>, times: number): AllocationCase[] {
  return Object.entries(calls).map(([name, run]) => ({ name, times, prepare: () => ({ run }) }))
}
