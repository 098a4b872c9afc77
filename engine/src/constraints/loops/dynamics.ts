/**
 * The equations of motion of a mechanism with loops: forward dynamics of its tree, then what holds its constraints (`loops`).
 */
import { forwardDynamics } from '../../forces/dynamics.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { createLoops, type LoopOptions } from './loops.js'

/** Accelerations at the state into data.a, under the forces of the model and state.tau. */
export type Dynamics = (state: State) => void

/** Holds the model's constraints; where there are none, or such as cannot be held so, it is `forwardDynamics`. */
export function createConstrainedDynamics(model: Model, data: Data, options?: LoopOptions): Dynamics {
  const loops = createLoops(model, data, options)
  if (!loops) return (state) => forwardDynamics(model, data, state, state.tau)
  const { nbody, parent } = model
  const { kernels, tree, work, a } = data
  return (state) => {
    forwardDynamics(model, data, state, state.tau)
    loops.clear(1, nbody)
    loops.begin(state)
    loops.carry(1, nbody)
    for (let i = nbody - 1; i > 0; i--) if (parent[i] === 0) loops.join(i)
    loops.solve()
    loops.load(1, nbody)
    kernels.accelerateTree(tree, work, a.byteOffset, 1, nbody)
  }
}
