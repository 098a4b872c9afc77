/**
 * How long a simulation takes to start: `createSimulation` under `auto` against `new MjData`, each in fresh processes that take turns, because
 * the first simulation of a program is the one that people wait for. The models are read and built, or compiled, before the clock starts.
 *
 * Limber sets its solver up at the first step, so the first step stands beside it, and the sum of both.
 */
import { cartPole, humanoid, quadruped } from './contact/robots.js'
import { minimumAndMedian } from './sampling.js'
import { type StartEngine, type StartTimes, startOnce } from './start-process.js'

/** Milliseconds: medians over the processes. */
export interface StartRow {
  readonly name: string
  /** most milliseconds of the first simulation of a process; undefined: there is no bar */
  readonly bar?: number
  readonly limber: StartTimes
  /** undefined without MuJoCo */
  readonly mujoco?: StartTimes
  /** Limber / MuJoCo; `whole`: the first simulation and its first step */
  readonly ratio?: { readonly first: number; readonly whole: number; readonly again: number }
}

export interface StartOptions {
  readonly quick?: boolean
  readonly onProgress?: (done: number, total: number, name: string) => void
}

const cases: readonly { readonly name: string; readonly mjcf: string; readonly bar?: number }[] = [
  { name: 'cart-pole', mjcf: cartPole(), bar: 1 },
  { name: 'quadruped', mjcf: quadruped(), bar: 5 },
  { name: 'humanoid', mjcf: humanoid('standing') },
]

export async function timeStart({ quick = false, onProgress }: StartOptions = {}): Promise<StartRow[]> {
  const rounds = quick ? 3 : 15
  const times = cases.map(() => ({ limber: [] as StartTimes[], mujoco: [] as StartTimes[] }))
  for (let round = 0; round < rounds; round++) {
    for (const [k, { name, mjcf }] of cases.entries()) {
      onProgress?.(round * cases.length + k, rounds * cases.length, name)
      for (const engine of ['limber', 'mujoco'] satisfies StartEngine[]) {
        const one = await startOnce(engine, mjcf)
        if (one) times[k][engine].push(one)
      }
    }
  }
  onProgress?.(1, 1, 'done')
  return cases.map(({ name, bar }, k) => rowOf(name, bar, times[k].limber, times[k].mujoco))
}

function rowOf(name: string, bar: number | undefined, ours: readonly StartTimes[], theirs: readonly StartTimes[]): StartRow {
  const limber = medians(ours)
  const row = { name, ...(bar === undefined ? {} : { bar }), limber }
  if (theirs.length === 0) return row
  const mujoco = medians(theirs)
  const ratio = {
    first: limber.first / mujoco.first,
    whole: (limber.first + limber.step) / (mujoco.first + mujoco.step),
    again: limber.again / mujoco.again,
  }
  return { ...row, mujoco, ratio }
}

function medians(list: readonly StartTimes[]): StartTimes {
  const of = (get: (times: StartTimes) => number): number => minimumAndMedian(list.map(get)).median
  return { first: of(({ first }) => first), step: of(({ step }) => step), again: of(({ again }) => again) }
}

/** The claims of starts, each with what was measured, in milliseconds. */
export function judgeStart(rows: readonly StartRow[]): { claim: string; measured: number; limit: number; holds: boolean }[] {
  return rows.flatMap(({ name, bar, limber }) =>
    bar === undefined
      ? []
      : [
          {
            claim: `${name}: createSimulation under auto in a fresh process takes at most ${bar} ms`,
            measured: limber.first,
            limit: bar,
            holds: limber.first <= bar,
          },
        ],
  )
}
