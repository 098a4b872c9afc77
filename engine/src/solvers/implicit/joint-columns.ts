/** Constants of joints: rows on velocities, arms of actuators and of fixed tendons. */
import { jointTypes } from '../../joints/index.js'
import type { Columns } from '../../kernels/lane-layout.js'
import { exp } from '../../math/own.js'
import {
  ACTUATOR_JOINT,
  ACTUATOR_TENDON,
  DYNAMICS_EXACT_FILTER,
  DYNAMICS_FILTER,
  DYNAMICS_INTEGRATOR,
  DYNAMICS_NONE,
  type Model,
} from '../../model/model.js'
import { BALL } from '../../model/tables.js'
import { inverseWeights } from '../../tree/inverse-weights.js'
import { ints, reals, starts } from './arrays.js'
import { POWER, softnessOf } from './softness.js'
import { DRY_FRICTION, LIMIT } from './tables.js'

/** Limits of coordinates and of the angles of balls, and dry friction. */
export function rowColumns(m: Model, h: number) {
  const { velocity } = inverseWeights(m)
  type Row = { kind: number; v: number; q: number; ball: number; sign: number; bound: number; margin: number; soft: number[] }
  const list: Row[] = []
  const balls: Row[] = []
  for (let k = 0; k < m.nv; k++) {
    const q = m.coordinate[k]
    const limit = {
      kind: LIMIT,
      v: k,
      margin: m.limitMargin[k],
      soft: softnessOf(m.limitSolref, 2 * k, m.limitSolimp, 5 * k, h, velocity[k]),
    }
    for (const [side, sign] of [1, -1].entries()) {
      const bound = m.limits[2 * k + side]
      if (Number.isFinite(bound) && q >= 0) list.push({ ...limit, q, ball: -1, sign, bound })
    }
    const ball = ballCoordinate(m, k)
    if (ball >= 0 && Number.isFinite(m.limits[2 * k + 1])) {
      const row = { ...limit, q: ball, ball: balls.length, sign: -1, bound: m.limits[2 * k + 1] }
      balls.push(row)
      list.push(row)
    }
    if (m.friction[k] > 0) {
      const soft = softnessOf(m.frictionSolref, 2 * k, m.frictionSolimp, 5 * k, h, velocity[k])
      list.push({ kind: DRY_FRICTION, v: k, q: Math.max(q, 0), ball: -1, sign: 1, bound: m.friction[k], margin: 0, soft })
    }
  }
  return {
    count: list.length,
    balls: balls.length,
    powers: list.filter(({ kind }) => kind === LIMIT).map(({ soft }) => soft[POWER]),
    columns: {
      ballCount: balls.length,
      ballQ: ints(balls.map(({ q }) => q)),
      ballV: ints(balls.map(({ v }) => v)),
      ballReach: reals(balls.map(({ bound, margin }) => bound - margin)),
      rowCount: list.length,
      rowKind: ints(list.map(({ kind }) => kind)),
      rowV: ints(list.map(({ v }) => v)),
      rowQ: ints(list.map(({ q }) => q)),
      rowBall: ints(list.map(({ ball }) => ball)),
      rowSign: reals(list.map(({ sign }) => sign)),
      rowBound: reals(list.map(({ bound }) => bound)),
      rowMargin: reals(list.map(({ margin }) => margin)),
      rowSoft: reals(list.flatMap(({ soft }) => soft)),
    },
  }
}

/** First coordinate of the ball whose first velocity is k, −1 for none. */
function ballCoordinate({ steps: { curved, stepKind, stepV, stepQ } }: Model, k: number): number {
  const step = curved.find((s) => stepKind[s] === BALL && stepV[s] === k)
  return step === undefined ? -1 : stepQ[step]
}

interface Arm {
  readonly v: number
  readonly q: number
  readonly gear: number
}

/** Velocities that actuator n drives, with their gears; those without a length have no coordinate. */
function armsOf(m: Model, n: number): Arm[] {
  const { kind, target, gear } = m.actuators
  if (kind[n] === ACTUATOR_JOINT) {
    const j = target[n]
    const { nv } = jointTypes[m.jointType[j]]
    return Array.from({ length: nv }, (_, r) => ({ v: m.jointV[j] + r, q: nv === 1 ? m.jointQ[j] : -1, gear: gear[6 * n + r] }))
  }
  if (kind[n] !== ACTUATOR_TENDON) return []
  return tendonArms(m, target[n]).map(({ v, q, gear: c }) => ({ v, q, gear: gear[6 * n] * c }))
}

/** Joints of fixed tendon j; none for tendons with a path. */
function tendonArms({ tendons: t }: Model, j: number): Arm[] {
  if (t.pathStart[j + 1] > t.pathStart[j]) return []
  return Array.from({ length: t.dofStart[j + 1] - t.dofStart[j] }, (_, e) => {
    const k = t.dofStart[j] + e
    return { v: t.dofV[k], q: t.dofQ[k], gear: t.dofCoefficient[k] }
  })
}

export function actuatorColumns(m: Model, h: number): Columns {
  const { count, kind, target, controlRange, forceRange, dofRange, ranged, activation, early, actRange } = m.actuators
  const each = Array.from({ length: count }, (_, n) => n)
  const arms = each.map((n) => armsOf(m, n))
  // a ball is as long as its rotation vector along the gears
  const turnOf = (n: number): number => {
    if (kind[n] !== ACTUATOR_JOINT) return -1
    const { nv, linear, absolute } = jointTypes[m.jointType[target[n]]]
    return nv > 1 && !linear && !absolute ? m.jointQ[target[n]] : -1
  }
  return {
    actuatorCount: count,
    armStart: starts(arms),
    armV: ints(arms.flat().map(({ v }) => v)),
    armQ: ints(arms.flat().map(({ q }) => q)),
    armGear: reals(arms.flat().map(({ gear }) => gear)),
    turnQ: ints(each.map(turnOf)),
    ...{ controlRange, forceRange, dofRange, ranged, activation, early, actRange },
    follow: reals(each.flatMap((n) => followOf(m, n, h))),
  }
}

const SMALLEST_TIME = 1e-15

/** keep, take: the activation after h is keep · activation + take · control. */
function followOf({ actuators: { dynamics, times } }: Model, n: number, h: number): [number, number] {
  const tau = Math.max(SMALLEST_TIME, times[3 * n])
  if (dynamics[n] === DYNAMICS_INTEGRATOR) return [1, h]
  if (dynamics[n] === DYNAMICS_FILTER) return [1 - h / tau, h / tau]
  if (dynamics[n] === DYNAMICS_EXACT_FILTER) return [exp(-h / tau), 1 - exp(-h / tau)]
  return dynamics[n] === DYNAMICS_NONE ? [0, 1] : [1, 0]
}

/** Fixed tendons with a spring or a damper. */
export function tendonColumns(m: Model): Columns {
  const t = m.tendons
  const acting = t.names.flatMap((_, j) => ((t.stiffness[j] !== 0 || t.damping[j] !== 0) && tendonArms(m, j).length > 0 ? [j] : []))
  const arms = acting.map((j) => tendonArms(m, j))
  return {
    tendonCount: acting.length,
    tendonStart: starts(arms),
    tendonV: ints(arms.flat().map(({ v }) => v)),
    tendonQ: ints(arms.flat().map(({ q }) => q)),
    tendonCoefficient: reals(arms.flat().map(({ gear }) => gear)),
    tendonLaw: reals(acting.flatMap((j) => [t.stiffness[j], t.damping[j]])),
    tendonSlack: reals(acting.flatMap((j) => [t.restLow[j], t.restHigh[j]])),
  }
}
