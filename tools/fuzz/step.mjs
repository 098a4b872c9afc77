/**
 * Steps what a reader and the builder took: a model that is built can be stepped. A step may say that it failed; it may not throw, take long, call a state good that
 * is not made of numbers, or leave one behind.
 */
import { createSimulation } from 'limber'

const STEPS = 20
/** degrees of freedom beyond which a model is not stepped: a hundred thousand inputs are to end within minutes */
const LARGEST = 300
/** seconds of processor time of one step; of all of them, after which the rest is left */
export const LONGEST_STEP = 2
const ENOUGH = 3

/** @returns {'stepped' | 'stopped' | 'not stepped'} */
export function stepModel(model, longest = LONGEST_STEP) {
  if (model.nv === 0 || model.nv > LARGEST) return 'not stepped'
  let simulation
  try {
    simulation = createSimulation(model)
  } catch (error) {
    // a solver that cannot run a model says so
    if (error instanceof RangeError && /^solver \S+ cannot run model/.test(error.message)) return 'not stepped'
    throw error
  }
  const { state } = simulation
  try {
    let total = 0
    for (let k = 1; k <= STEPS && total < ENOUGH; k++) {
      const start = process.cpuUsage()
      const { status, message } = simulation.step()
      const { user, system } = process.cpuUsage(start)
      const seconds = (user + system) / 1e6
      total += seconds
      if (seconds > longest)
        throw new Error(`step ${k} took ${seconds.toFixed(1)} s (${simulation.solver.name}, ${model.nv} degrees of freedom)`)
      const isNumber =
        Number.isFinite(state.t) && state.q.every(Number.isFinite) && state.v.every(Number.isFinite) && state.act.every(Number.isFinite)
      if (!isNumber) throw new Error(`step ${k} of ${simulation.solver.name}, status ${status}, left a state that is no number`)
      if (status !== 'ok') {
        if (!message) throw new Error(`step ${k} of ${simulation.solver.name}, status ${status}, does not say why`)
        return 'stopped'
      }
    }
  } finally {
    simulation.close()
  }
  return 'stepped'
}
