/**
 * The choice that `auto` makes. It names a family and loads none, so that small pages can choose too.
 */
import { createData } from '../model/data.js'
import type { Model } from '../model/model.js'
import { aba } from '../tree/aba.js'
import { forwardKinematics } from '../tree/kinematics.js'
import type { Options } from './solver.js'

export interface SolverChoice {
  readonly name: string
  readonly why: string
}

/** What `auto` takes for this model, and why. */
export function chooseSolver(model: Model): SolverChoice {
  if (model.modes.count > 0) return { name: 'ode', why: 'the model has bodies that deform, which only this solver takes' }
  const closed = model.constraints.active.some((x) => x !== 0)
  const limited = model.limits.some((x) => Number.isFinite(x))
  const touching = model.shapes.count > 1
  const reasons = [
    ...(closed ? ['loops, couplings or prescribed motion'] : []),
    ...(limited ? ['joint limits'] : []),
    ...(model.friction.some((x) => x > 0) ? ['dry friction in joints'] : []),
    ...(touching ? ['shapes that may touch'] : []),
    ...(isStiff(model) ? [`springs or dampers that are stiff for steps of ${model.timestep} s`] : []),
  ]
  if (reasons.length > 0) return { name: 'redmax', why: `the model has ${reasons.join(', ')}, which the explicit solver does not take up` }
  return {
    name: 'ode',
    why: 'nothing in the model needs an implicit step: explicit integration is accurate and its cost linear in the number of joints',
  }
}

/** The solver of a simulation by its name, and what the model suggests for it; `auto` and nothing ask the model first. */
export function namedSolver<T>(
  model: Model,
  wanted: string | undefined,
  table: Readonly<Record<string, T>>,
): { readonly solver: T; readonly suggested: Options } {
  let name = wanted ?? 'auto'
  if (name === 'auto') name = Object.hasOwn(table, model.solver) ? model.solver : chooseSolver(model).name
  if (!Object.hasOwn(table, name)) throw new RangeError(`solver: expected one of auto, ${Object.keys(table).join(', ')}, got '${name}'`)
  return { solver: table[name], suggested: name === model.solver ? model.solverOptions : {} }
}

/** A rate above 1/h: an explicit step of the model's own size would be at the edge of stability. */
function isStiff(m: Model): boolean {
  const d = createData(m)
  const zero = new Float64Array(m.nv)
  const a = new Float64Array(m.nv)
  forwardKinematics(m, d, m.q0, zero)
  aba(m, d, zero, zero, a)
  // D of the recursion is the inverse inertia that a joint feels with all others free
  for (let k = 0; k < m.nv; k++) {
    if (m.damping[k] * d.D[k] * m.timestep > 1 || m.stiffness[k] * d.D[k] * m.timestep * m.timestep > 1) return true
  }
  const { count, bodyA, bodyB, stiffness, damping } = m.springs
  for (let k = 0; k < count; k++) {
    const mass = lightest(m, bodyA[k], bodyB[k])
    if ((damping[k] * m.timestep + stiffness[k] * m.timestep * m.timestep) / mass > 1) return true
  }
  return false
}

/** The smaller of two bodies' masses; the ground weighs nothing down. */
function lightest(m: Model, a: number, b: number): number {
  const [x, y] = [a, b].map((i) => (i === 0 || m.inertia[10 * i] === 0 ? Number.POSITIVE_INFINITY : m.inertia[10 * i]))
  return Math.min(x, y)
}
