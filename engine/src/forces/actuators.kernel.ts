/** Actuators that drive a coordinate of a joint, or a sum of some, at once, most of them as a rule; `actuators` has the equations, and what all others do. */
import type { Int, Ints, Lanes, Shared, Varied } from '../math/values/columns.js'
import type { Vec3 } from '../math/values/spatial.js'
import type { Tree } from '../model/tables.js'

export type Range = readonly [number, number]

/** What makes a force of a control, a length and a rate. */
export interface MotorLaw {
  readonly controlRange: Shared<Range>
  readonly forceRange: Shared<Range>
  readonly gain: Varied<Vec3>
  readonly bias: Varied<Vec3>
}

/** `Actuators` of the model. */
export interface Motors extends MotorLaw {
  readonly directCount: Int
  readonly direct: Ints
  readonly drivenQ: Ints
  readonly drivenV: Ints
  readonly summedCount: Int
  readonly summed: Ints
  readonly target: Ints
  readonly gear: Shared<number>
  readonly ranged: Int
  readonly dofRange: Shared<Range>
}

/** Of the model's `Tendons`: what those without a path are. */
export interface TendonSums {
  readonly dofStart: Ints
  readonly dofQ: Ints
  readonly dofV: Ints
  readonly dofCoefficient: Shared<number>
}

export const clamp = (x: number, [low, high]: Range): number => Math.min(Math.max(x, low), high)

/** a₀, a₁, a₂ of actuator n under its control. */
export function controlledLine(g: MotorLaw, control: Lanes<number>, n: Int): Vec3 {
  const u = clamp(control[n], g.controlRange[n])
  const gain = g.gain[n]
  const bias = g.bias[n]
  return [gain[0] * u + bias[0], gain[1] * u + bias[1], gain[2] * u + bias[2]]
}

/** a₀ + a₁ l + a₂ l̇ */
export const forceOn = (a: Vec3, length: number, rate: number): number => a[0] + a[1] * length + a[2] * rate

/** Σ c x over the coordinates, or the velocities, of tendon j. */
function sumOf(t: TendonSums, place: Ints, x: Lanes<number>, j: Int): number {
  let sum = 0
  for (let i = t.dofStart[j]; i < t.dofStart[j + 1]; i++) sum = sum + t.dofCoefficient[i] * x[place[i]]
  return sum
}

/** Force of actuator n with the line a on a sum of coordinates. */
function forceOnSum(g: Motors, t: TendonSums, a: Vec3, q: Lanes<number>, v: Lanes<number>, n: Int): number {
  const j = g.target[n]
  const gear = g.gear[6 * n]
  return forceOn(a, gear * sumOf(t, t.dofQ, q, j), gear * sumOf(t, t.dofV, v, j))
}

/** own = joint forces of direct actuators and of those on sums. @kernel */
export function driveJoints(
  m: Tree,
  g: Motors,
  t: TendonSums,
  own: Lanes<number>,
  control: Lanes<number>,
  q: Lanes<number>,
  v: Lanes<number>,
): void {
  for (let k = 0; k < m.nv; k++) own[k] = 0
  for (let e = 0; e < g.directCount; e++) {
    const n = g.direct[e]
    const k = g.drivenV[e]
    const gear = g.gear[6 * n]
    const force = forceOn(controlledLine(g, control, n), gear * q[g.drivenQ[e]], gear * v[k])
    own[k] = own[k] + gear * clamp(force, g.forceRange[n])
  }
  for (let e = 0; e < g.summedCount; e++) {
    const n = g.summed[e]
    const j = g.target[n]
    const pull = g.gear[6 * n] * clamp(forceOnSum(g, t, controlledLine(g, control, n), q, v, n), g.forceRange[n])
    for (let i = t.dofStart[j]; i < t.dofStart[j + 1]; i++) {
      const k = t.dofV[i]
      own[k] = own[k] + t.dofCoefficient[i] * pull
    }
  }
}

/** Both, where there are no others: qf += what they do in the joints; own is room. @kernel */
export function applyDrives(
  m: Tree,
  g: Motors,
  t: TendonSums,
  qf: Lanes<number>,
  own: Lanes<number>,
  control: Lanes<number>,
  q: Lanes<number>,
  v: Lanes<number>,
  from: Int,
  to: Int,
): void {
  driveJoints(m, g, t, own, control, q, v)
  addDrives(m, g, qf, own, from, to)
}

/** qf += own of the velocities of the bodies from … to − 1, each inside its range. @kernel */
export function addDrives(m: Tree, g: Motors, qf: Lanes<number>, own: Lanes<number>, from: Int, to: Int): void {
  for (let k = 0; k < m.nv; k++) {
    const i = m.velocityBody[k]
    if (i >= from && i < to) qf[k] = qf[k] + (g.ranged === 1 ? clamp(own[k], g.dofRange[k]) : own[k])
  }
}

/**
 * Adds what holds back in direct actuators whose force is inside its range, to stiffness and damping of the joints. Of a joint whose own range cuts off what
 * all actuators do there, which is `own` where ranges are, none does.
 * @kernel
 */
export function stiffenJoints(
  g: Motors,
  own: Lanes<number>,
  control: Lanes<number>,
  q: Lanes<number>,
  v: Lanes<number>,
  stiffness: Lanes<number>,
  damping: Lanes<number>,
): void {
  for (let e = 0; e < g.directCount; e++) {
    const n = g.direct[e]
    const k = g.drivenV[e]
    const gear = g.gear[6 * n]
    const a = controlledLine(g, control, n)
    const force = forceOn(a, gear * q[g.drivenQ[e]], gear * v[k])
    const [low, high] = g.forceRange[n]
    const [least, most] = g.dofRange[k]
    const inside = force >= low && force <= high
    const holds = g.ranged === 1 ? inside && own[k] >= least && own[k] <= most : inside
    stiffness[k] = stiffness[k] + (holds ? gear * gear * Math.max(0, -a[1]) : 0)
    damping[k] = damping[k] + (holds ? gear * gear * Math.max(0, -a[2]) : 0)
  }
}

/** out = stiffness and damping along its tendon of each actuator on a sum that holds back, as many pairs. @kernel */
export function stiffenSums(g: Motors, t: TendonSums, control: Lanes<number>, q: Lanes<number>, v: Lanes<number>, out: Lanes<Range>): void {
  for (let e = 0; e < g.summedCount; e++) {
    const n = g.summed[e]
    const square = g.gear[6 * n] * g.gear[6 * n]
    const a = controlledLine(g, control, n)
    const force = forceOnSum(g, t, a, q, v, n)
    const [low, high] = g.forceRange[n]
    const holds = force >= low && force <= high
    out[e] = [holds ? square * Math.max(0, -a[1]) : 0, holds ? square * Math.max(0, -a[2]) : 0]
  }
}
