/** For the cases of accuracy: scenes as plain Spec, where contact is hard, and a run of the default solver that is watched after every step. */
import {
  type BodySpec,
  buildModel,
  createData,
  createSimulation,
  energy,
  type GeomSpec,
  type Simulation,
  type Spec,
  type Vec3,
} from 'limber'
import { expect } from 'vitest'

export const G = 9.81

/** Box of this edge, standing free. */
export function box(name: string, position: Vec3, mass: number, friction: number, edge: number | Vec3 = 0.2): BodySpec {
  const size: Vec3 = typeof edge === 'number' ? [edge, edge, edge] : edge
  return { name, position, joints: [{ name, type: 'free' }], geoms: [{ shape: 'box', size, mass, friction }] }
}

export function ball(name: string, position: Vec3, mass: number, friction: number, radius = 0.1): BodySpec {
  return { name, position, joints: [{ name, type: 'free' }], geoms: [{ shape: 'sphere', radius, mass, friction }] }
}

/** Turned about y by this angle. */
export const turnY = (angle: number) => [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0] as const

export function onFloor(bodies: readonly BodySpec[], friction: number, more: Partial<Spec> = {}): Spec {
  const floor: GeomSpec = { shape: 'plane', friction }
  return { gravity: [0, 0, -G], world: { geoms: [floor] }, bodies, ...more }
}

/** One box on another, from the ground up. */
export function stackOf(masses: readonly number[], friction = 0.5): Spec {
  return onFloor(
    masses.map((mass, k) => box(`box${k}`, [0, 0, 0.1 + 0.2 * k], mass, friction)),
    friction,
  )
}

export function start(spec: Spec, timestep: number): Simulation {
  return createSimulation(buildModel(spec), { solver: 'redmax', timestep })
}

/** n steps, each of which must succeed; `look` after each. */
export function run(simulation: Simulation, seconds: number, look?: () => void): void {
  const steps = Math.round(seconds / simulation.timestep)
  for (let k = 0; k < steps; k++) {
    const { status, message } = simulation.step()
    if (status !== 'ok') expect.fail(`t = ${simulation.state.t}: ${message || status}`)
    look?.()
  }
}

/** Largest change of a coordinate since `before`. */
export function moved({ state: { q } }: Simulation, before: Float64Array): number {
  return q.reduce((most, x, k) => Math.max(most, Math.abs(x - before[k])), 0)
}

/** Deepest overlap of shapes now; 0 without. */
export function overlapOf(simulation: Simulation): number {
  return simulation.contacts().reduce((most, { gap }) => Math.max(most, -gap), 0)
}

/** Kinetic and potential energy in one number. */
export function energyOf(simulation: Simulation): () => number {
  const { model, state } = simulation
  const data = createData(model)
  return () => {
    const { kinetic, potential } = energy(model, data, state)
    return kinetic + potential
  }
}

/** Runs, and gives the largest rise of the energy above the least it had been before. */
export function largestRise(simulation: Simulation, seconds: number): number {
  const total = energyOf(simulation)
  // the first step shortens what falls freely by a share of h, up or down
  run(simulation, simulation.timestep)
  let least = total()
  let rise = 0
  run(simulation, seconds - simulation.timestep, () => {
    const now = total()
    rise = Math.max(rise, now - least)
    least = Math.min(least, now)
  })
  return rise
}
