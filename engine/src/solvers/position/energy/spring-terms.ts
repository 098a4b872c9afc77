/**
 * Energies of lengths: springs and dampers between bodies, tendons, loads, motors.
 *
 * A damper of rate d on a length l has the incremental energy d/(2h) (l − l₀)². A motor's force is a function of its length alone once the
 * rate is (l − l₀)/h: clamp(a₀ + a₁ l) with limits, which integrates in closed form.
 */

import { motorLine } from '../../../forces/actuators.js'
import { addTendonForce, excess, tendonLength } from '../../../forces/tendons.js'
import { jointTypes } from '../../../joints/index.js'
import type { Fields } from '../../../kernels/tables.js'
import { squared } from '../../../math/own.js'
import { ACTUATOR_JOINT, ACTUATOR_SITE, ACTUATOR_TENDON, type Model } from '../../../model/model.js'
import { placeTable, roomFor, tableRoom, takeAll } from '../../../model/work-space.js'
import { POTENTIAL } from '../../../tree/point-inertia.js'
import type { StepProblem, Term } from './step-problem.js'

const a = new Float64Array(3)

const startLines = ({ springs }: Model) => ({ start: 4 * springs.count })
const loadTable = ({ loads }: Model) => ({ name: 'Loads', fields: loads as unknown as Fields, own: {} }) as const

/** Numbers that the terms of springs and loads take in the memory of a problem's data. */
export const springRoom = (m: Model): number => roomFor(startLines(m)) + tableRoom(loadTable(m))

/** Springs between points: exact where one end is the world, else the two bodies' own parts (positive semidefinite). */
export function springTerm({ m, d, kernels, sums }: StepProblem): Term {
  const { bodyA, bodyB } = m.springs
  const { start } = takeAll(d, startLines(m))
  const table = d.tables.springs.start
  const at = start.byteOffset
  return {
    name: 'springs',
    lag: 'wide',
    exact: Array.from(bodyA).every((body, k) => body === 0 || bodyB[k] === 0),
    conservative: true,
    moving: false,
    begin: () => d.kernels.measureSprings(table, d.X_WB.byteOffset, at),
    add: () => kernels.addSpringEnergy(table, at, sums),
    startGradient: (motion, d0, W0) => kernels.pullAtStart(table, at, sums, motion.byteOffset, d0.X_WB.byteOffset, W0.byteOffset),
  }
}

/** Tendons: their second derivative joins bodies across the tree; only the joints' diagonal is kept. */
export function tendonTerm({ m }: StepProblem): Term {
  const { count, stiffness, damping, dofStart, dofV, dofCoefficient } = m.tendons
  const l0 = new Float64Array(count)
  const x = new Float64Array(1)
  return {
    name: 'tendons',
    lag: damping.some((rate) => rate !== 0) ? 'wide' : 'never',
    exact: false,
    conservative: true,
    moving: false,
    begin({ d, q0 }) {
      for (let k = 0; k < count; k++) tendonLength(l0, k, m, d, q0, k)
    },
    add(p) {
      const { d, trial } = p
      d.f.fill(0)
      d.qf.fill(0)
      let sum = 0
      for (let k = 0; k < count; k++) {
        if (stiffness[k] === 0 && damping[k] === 0) continue
        tendonLength(x, 0, m, d, trial.q, k)
        const moved = x[0] - l0[k]
        excess(m, x, 0, k)
        const over = x[0]
        const rate = damping[k] / p.h[0]
        sum += 0.5 * (stiffness[k] * over * over + rate * moved * moved)
        const slope = (over === 0 ? 0 : stiffness[k]) + rate
        for (let i = dofStart[k]; i < dofStart[k + 1]; i++) p.joints[dofV[i]] += slope * squared(dofCoefficient[i])
        x[0] = -(stiffness[k] * over + rate * moved)
        addTendonForce(m, d, k, x, 0, d.f, d.qf)
      }
      p.kernels.addWrenches(d.tree, p.W.byteOffset, d.f.byteOffset)
      for (let k = 0; k < m.nv; k++) p.joint[k] -= d.qf[k]
      p.E[POTENTIAL] += sum
    },
  }
}

/** Forces fixed in the world pull along −F · x. Torques, and forces that turn with their body, are no gradients. */
export function loadTerm({ m, d, kernels, sums }: StepProblem): Term {
  const { body, wrench, follows } = m.loads
  const dead = (k: number): boolean => follows[k] === 0 && wrench[6 * k] === 0 && wrench[6 * k + 1] === 0 && wrench[6 * k + 2] === 0
  const all = Array.from(body.keys()).every(dead)
  const { table } = placeTable(d, loadTable(m))
  return {
    name: 'loads',
    lag: 'never',
    exact: all,
    conservative: all,
    moving: false,
    add: () => kernels.addLoadEnergy(table, sums),
  }
}

/** Whether a motor's force is a straight line in one length alone, with no limit on the joint's total. */
function hasLength(m: Model, k: number): boolean {
  const { kind, target, dofRange, pullsActive, pullsPassive } = m.actuators
  if (pullsActive[k] === 1 || pullsPassive[k] === 1) return false
  if (kind[k] === ACTUATOR_SITE) return false
  if (kind[k] === ACTUATOR_TENDON) return true
  const { nv, linear } = jointTypes[m.jointType[target[k]]]
  const v = m.jointV[target[k]]
  return nv === 1 && linear && dofRange[2 * v] === Number.NEGATIVE_INFINITY && dofRange[2 * v + 1] === Number.POSITIVE_INFINITY
}

/** All motors of the model are functions of lengths. */
export function motorsHaveLengths(m: Model): boolean {
  const { kind, dofRange } = m.actuators
  // the range of a joint also cuts off what a tendon brings there
  if (kind.includes(ACTUATOR_TENDON) && dofRange.some((x) => Number.isFinite(x))) return false
  for (let k = 0; k < m.nu; k++) if (!hasLength(m, k)) return false
  return true
}

export function motorTerm({ m }: StepProblem): Term {
  const { count, kind, target, gear, forceRange } = m.actuators
  const l0 = new Float64Array(count)
  const l = new Float64Array(count)
  const x = new Float64Array(1)
  const measure = (p: StepProblem, out: Float64Array, q: Float64Array): void => {
    for (let k = 0; k < count; k++) {
      if (kind[k] === ACTUATOR_JOINT) out[k] = q[m.jointQ[target[k]]]
      else tendonLength(out, k, m, p.d, q, target[k])
      out[k] *= gear[6 * k]
    }
  }
  return {
    name: 'motors',
    lag: kind.every((one) => one === ACTUATOR_JOINT) ? 'local' : 'wide',
    exact: Array.from(kind).every((one) => one === ACTUATOR_JOINT),
    conservative: true,
    moving: false,
    begin(p) {
      measure(p, l0, p.q0)
    },
    add(p) {
      const { d, trial } = p
      measure(p, l, trial.q)
      d.f.fill(0)
      d.qf.fill(0)
      const h = p.h[0]
      let sum = 0
      let wrenches = false
      for (let k = 0; k < count; k++) {
        motorLine(a, m, trial, k, l)
        const low = forceRange[2 * k]
        const high = forceRange[2 * k + 1]
        // a₀ + a₁ (l − l₀), clamped
        const a1 = a[1] + a[2] / h
        const a0 = a[0] + a[1] * l0[k]
        const moved = l[k] - l0[k]
        const y = a0 + a1 * moved
        const force = Math.min(Math.max(y, low), high)
        if (a1 === 0) sum -= force * moved
        else {
          // antiderivative of the clamp, from 0
          const zero = Math.min(Math.max(a0, low), high)
          sum -= (force * (y - 0.5 * force) - zero * (a0 - 0.5 * zero)) / a1
        }
        if (kind[k] === ACTUATOR_JOINT) {
          const v = m.jointV[target[k]]
          p.joint[v] -= gear[6 * k] * force
          if (force === y) p.joints[v] -= a1 * squared(gear[6 * k])
        } else {
          x[0] = gear[6 * k] * force
          addTendonForce(m, d, target[k], x, 0, d.f, d.qf)
          wrenches = true
        }
      }
      if (wrenches) {
        p.kernels.addWrenches(d.tree, p.W.byteOffset, d.f.byteOffset)
        for (let k = 0; k < m.nv; k++) p.joint[k] -= d.qf[k]
      }
      p.E[POTENTIAL] += sum
    },
  }
}
