/**
 * A hand on a joint: a spring from its coordinate to where a slider stands, as soft as an explicit step of this length can follow (see grips).
 */
import { createState, forwardDynamics, type Model, type State } from 'limber'
import type { Lane } from './lane.js'

const swiftness = 20

export interface JointPull {
  readonly iq: number
  readonly iv: number
  readonly target: number
  readonly stiffness: number
  readonly damping: number
}

export function createJointPull(model: Model, { simulation, data }: Lane, iq: number, iv: number, target: number): JointPull {
  // the inertia that the joint shows to a torque: 1 over its entry of the inverse mass matrix
  const still = createState(model)
  still.q.set(simulation.state.q)
  forwardDynamics(model, data, still)
  const before = data.a[iv]
  const tau = new Float64Array(model.nv)
  tau[iv] = 1
  forwardDynamics(model, data, still, tau)
  const inertia = 1 / Math.max(1e-9, data.a[iv] - before)
  const h = simulation.timestep
  const stiffness = Math.min(4 * inertia * swiftness ** 2, (0.05 * inertia) / h ** 2)
  return { iq, iv, target, stiffness, damping: Math.min(2 * Math.sqrt(stiffness * inertia), (0.3 * inertia) / h) }
}

/** Adds to state.tau. */
export function pullJoint({ iq, iv, target, stiffness, damping }: JointPull, { q, v, tau }: State): void {
  tau[iv] += stiffness * (target - q[iq]) - damping * v[iv]
}
