/**
 * A lane: one simulation of the model, its work space and what its steps cost.
 */
import { createData, type Data, type Model, type Simulation } from 'limber'
import type { LaneInfo, LaneSettings } from './protocol.js'
import { described, simulate } from './solvers.js'

export interface Lane {
  readonly simulation: Simulation
  readonly data: Data
  readonly info: LaneInfo
  /** milliseconds and simulated seconds since the start of this set-up */
  wall: number
  simulated: number
  /** since the last frame */
  recent: { wall: number; steps: number; iterations: number; evaluations: number; rejected: number }
  last: { iterations: number; evaluations: number; rejected: number }
}

/**
 * A solver that refuses the model does not stop the show: the lane runs the suggested one and says why. Starts at keyframe number `start`, or at the
 * initial position where it is -1; warnings are those of that pose.
 */
export function createLane(model: Model, settings: LaneSettings, start: number): Lane {
  const { simulation, refusal } = tryCreate(model, settings)
  if (start >= 0) simulation.reset(model.keyframes[start])
  const { solver, options, timestep } = simulation
  return {
    simulation,
    data: createData(model),
    info: {
      solver: solver.name,
      timestep,
      options,
      refusal,
      // notes of the model stand with what its file asks for
      warnings: simulation.warnings().filter((warning) => !model.notes.includes(warning)),
      trees: simulation.detail?.importance.length ?? 0,
    },
    wall: 0,
    simulated: 0,
    recent: { wall: 0, steps: 0, iterations: 0, evaluations: 0, rejected: 0 },
    last: { iterations: 0, evaluations: 0, rejected: 0 },
  }
}

function tryCreate(model: Model, { solver, timestep, options = {} }: LaneSettings): { simulation: Simulation; refusal: string } {
  // options of another solver are left behind when the solver is changed
  const table = solver ? described[solver]?.options : undefined
  const known = table ? Object.fromEntries(Object.entries(options).filter(([key]) => Object.hasOwn(table, key))) : options
  try {
    const suggested = solver === model.solver ? model.solverOptions : {}
    const wanted = { ...suggested, ...known, ...(solver ? { solver } : {}), ...(timestep ? { timestep } : {}) }
    return { simulation: simulate(model, wanted), refusal: '' }
  } catch (error) {
    return { simulation: simulate(model), refusal: error instanceof Error ? error.message : String(error) }
  }
}

/** One step; false when the solver gave up. */
export function stepLane(lane: Lane): boolean {
  const { simulation, recent, last } = lane
  const before = simulation.state.t
  const begin = performance.now()
  const { status, iterations, evaluations, rejected } = simulation.step()
  const spent = performance.now() - begin
  lane.wall += spent
  lane.simulated += simulation.state.t - before
  recent.wall += spent
  recent.steps++
  // totals start again at zero when the state was set from outside
  recent.iterations += Math.max(0, iterations - last.iterations)
  recent.evaluations += Math.max(0, evaluations - last.evaluations)
  recent.rejected += Math.max(0, rejected - last.rejected)
  Object.assign(last, { iterations, evaluations, rejected })
  return status === 'ok' || status === 'event'
}

export function clearRecent(lane: Lane): void {
  Object.assign(lane.recent, { wall: 0, steps: 0, iterations: 0, evaluations: 0, rejected: 0 })
}
