/**
 * Steps of a batch, with the bits of `solvers/ode/fixed-step`: semi-implicit Euler, and Runge–Kutta methods by tableau.
 *
 * An environment whose next state would not be finite stays where it is.
 */
import { integrateJoints, localRate } from '../joints/integrate.kernel.js'
import { placeJoints } from '../joints/place.kernel.js'
import { type Int, type Lanes, negate } from '../math/values/columns.js'
import { isFinite } from '../math/values/form.js'
import { ZERO } from '../math/values/spatial.js'
import type { Tree, Work } from '../model/tables.js'
import { articulatedBodies } from '../tree/aba.kernel.js'
import { jointForces } from './forces.kernel.js'
import type { Group, Step } from './tables.js'

/** Accelerations `out` at q and v, gravity as an upward acceleration of the world. @kernel */
export function accelerateGroup(m: Tree, d: Work, g: Group, s: Step, q: Lanes<number>, v: Lanes<number>, out: Lanes<number>): void {
  d.AW[0] = { w: ZERO, v: negate(g.gravity[0]) }
  placeJoints(m, d, q, 1, m.nbody)
  jointForces(m, d, g, s, q, v)
  articulatedBodies(m, d, v, s.qf, out, 0)
}

/** Forward dynamics of the states. @kernel */
export function groupDynamics(m: Tree, d: Work, g: Group, s: Step): void {
  accelerateGroup(m, d, g, s, g.q, g.v, g.a)
}

/** The next state becomes the state where it is finite. */
function commit(g: Group, s: Step): void {
  let good = true
  for (let k = 0; k < g.nv; k++) good = good && isFinite(s.vNext[k])
  for (let k = 0; k < g.nq; k++) good = good && isFinite(s.qNext[k])
  for (let k = 0; k < g.nv; k++) g.v[k] = good ? s.vNext[k] : g.v[k]
  for (let k = 0; k < g.nq; k++) g.q[k] = good ? s.qNext[k] : g.q[k]
  g.steps[0] = good ? g.steps[0] + 1 : g.steps[0]
  g.failed[0] = good ? 0 : 1
}

/** v⁺ = v + h a(q, v), q⁺ = q ⊕ h v⁺ @kernel */
export function stepSemiImplicit(m: Tree, d: Work, g: Group, s: Step): void {
  accelerateGroup(m, d, g, s, g.q, g.v, g.a)
  for (let k = 0; k < g.nv; k++) s.vNext[k] = g.v[k] + g.h[0] * g.a[k]
  for (let k = 0; k < g.nq; k++) s.qNext[k] = g.q[k]
  integrateJoints(m, s.qNext, s.vNext, g.h)
  commit(g, s)
}

/** qNext, vNext ← the state advanced by h Σ weights · rates of the stages before `row`. */
function combine(m: Tree, g: Group, s: Step, row: Int): void {
  for (let k = 0; k < g.nv; k++) {
    let xi = 0
    let v = g.v[k]
    for (let j = 0; j < row; j++) {
      const w = g.h[0] * g.weights[row * g.stages + j]
      xi = xi + w * s.xiRate[j * g.nv + k]
      v = v + w * s.vRate[j * g.nv + k]
    }
    s.xi[k] = xi
    s.vNext[k] = v
  }
  for (let k = 0; k < g.nq; k++) s.qNext[k] = g.q[k]
  integrateJoints(m, s.qNext, s.xi, g.one)
}

/** The stages of an explicit Runge–Kutta method on ξ̇ = local rate, v̇ = accelerations. @kernel */
export function stepRungeKutta(m: Tree, d: Work, g: Group, s: Step): void {
  for (let i = 0; i < g.stages; i++) {
    combine(m, g, s, i)
    accelerateGroup(m, d, g, s, s.qNext, s.vNext, g.a)
    for (let k = 0; k < g.nv; k++) s.vRate[i * g.nv + k] = g.a[k]
    localRate(m, s.xiRate, i * g.nv, s.xi, s.vNext)
  }
  combine(m, g, s, g.stages)
  commit(g, s)
}
