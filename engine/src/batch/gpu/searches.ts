/**
 * Position trajectories on a device: rounds of evaluations of all trajectories until every one has made its steps, each in its own number of
 * evaluations [Pan and Manocha 2018, section 5.2].
 */
import { BEGIN, FINISH, ITERATE, MOST_STEPS } from '../trajectories.js'
import type { Runs } from './runs.js'

/** evaluations between two looks at how many searches are open: about those of one step */
const ROUND = 8

/** Makes n steps of all. `setGoal` writes how many a trajectory has to make, `open` counts those that have not made them. */
export async function runSearches(runs: Runs, n: number, setGoal: (steps: number) => void, open: () => Promise<number>): Promise<void> {
  for (let left = n; left > 0; left -= MOST_STEPS) {
    setGoal(Math.min(left, MOST_STEPS))
    runs.run(BEGIN, 1)
    do runs.run(ITERATE, ROUND)
    while ((await open()) > 0)
    runs.run(FINISH, 1)
  }
}
