/**
 * Position trajectories on a device: rounds of evaluations of all trajectories until every one has made its steps, each in its own number of
 * evaluations [Pan and Manocha 2018, section 5.2].
 */
import { BEGIN, FINISH, ITERATE, MOST_STEPS } from '../trajectories.js'
import type { Runs } from './runs.js'

/** evaluations between two looks at how many searches are open: about those of one step */
const ROUND = 8

export interface Searches {
  /** Writes how many steps each trajectory has to make. */
  setGoal(steps: number): void
  /** how many have not made them */
  open(): Promise<number>
  /** the buffers are gone */
  isClosed(): boolean
}

/** Makes n steps of all. */
export async function runSearches(runs: Runs, n: number, { setGoal, open, isClosed }: Searches): Promise<void> {
  for (let left = n; left > 0; left -= MOST_STEPS) {
    setGoal(Math.min(left, MOST_STEPS))
    runs.run(BEGIN, 1)
    for (let opened = 1; opened > 0; ) {
      runs.run(ITERATE, ROUND)
      opened = await open()
      if (isClosed()) return
    }
    runs.run(FINISH, 1)
  }
}
