/**
 * What a batch of explicit steps keeps in its memory (`kernels/lane-layout`).
 */
import { jointTypes } from '../joints/index.js'
import { type Columns, type LaneForm, type LaneLayout, planLanes } from '../kernels/lane-layout.js'
import type { Vec } from '../math/types.js'
import { createData, type Data } from '../model/data.js'
import { ACTUATOR_JOINT, type Model } from '../model/model.js'
import { type GroundField, type GroundParameter, groundParameters } from '../solvers/implicit/layout.js'
import type { Tableau } from '../solvers/ode/tableaus.js'
import type { TrajectoryField } from '../solvers/position/lanes/layout.js'
import { COORDINATE, NO_LENGTH, ROTATION } from './tables.js'

/** Numbers of the model that each environment may have for itself: with any step, and with contact only. */
export const explicitParameters = ['gravity', 'inertia', 'armature', 'damping', 'stiffness', 'rest', 'gain', 'bias'] as const
/** and what acts outside the kernels: delay of actions */
export const batchParameters = [...groundParameters, 'delay'] as const
export type BatchParameter = GroundParameter | 'delay'
type ExplicitParameter = (typeof explicitParameters)[number]

export type BatchArray = Float64Array | Float32Array

/** `act` has no numbers, and `iterations` and `taken` stay 0, where steps are explicit */
export type StateField = GroundField

export type Layout = LaneLayout<StateField, GroundParameter> & {
  readonly fields: Partial<LaneLayout<TrajectoryField>['fields']>
}

export interface LayoutOptions {
  readonly form: LaneForm
  readonly count: number
  readonly threads: number
  readonly timestep: number
  readonly tableau: Tableau | undefined
  readonly vary: readonly GroundParameter[]
}

export function planLayout(m: Model, options: LayoutOptions): Layout {
  const { nq, nv, nu } = m
  const { form, count, threads, vary, tableau } = options
  const stages = tableau?.b.length ?? 0
  return planLanes({
    ...{ form, count, threads, vary: vary as readonly ExplicitParameter[], parameters: parameterColumns(m) },
    tables: { tree: 'Tree', group: 'Group', work: 'Work', step: 'Step' },
    constants: { ...(m as unknown as Columns), ...(m.steps as unknown as Columns), ...groupColumns(m, options) },
    state: {
      q: nq,
      v: nv,
      a: nv,
      act: 0,
      tau: nv,
      control: nu,
      steps: 1,
      failed: 1,
      iterations: 1,
      taken: 1,
      contactForce: 0,
      observation: 0,
    },
    // what never changes is in new data; the rest is written before it is read
    work: createData(m) as unknown as Readonly<Record<keyof Data, Vec>>,
    step: { qNext: nq, vNext: nv, qf: nv, drive: nv, xi: nv, xiRate: stages * nv, vRate: stages * nv },
  })
}

/** Model values of what may vary. */
export function parameterColumns({
  gravity,
  inertia,
  armature,
  damping,
  stiffness,
  rest,
  actuators,
}: Model): Record<ExplicitParameter, Vec> {
  return { gravity, inertia, armature, damping, stiffness, rest, gain: actuators.gain, bias: actuators.bias }
}

/** Constants of the table Group: what `forces/actuators` asks the model. */
function groupColumns(m: Model, { timestep, tableau }: LayoutOptions): Columns {
  const { count, kind, target, gear, controlRange, forceRange, dofRange, ranged } = m.actuators
  // an actuator elsewhere than on a joint moves nothing here
  const onJoint = (n: number): number => (kind[n] === ACTUATOR_JOINT ? target[n] : -1)
  const ofJoint = (f: (j: number) => number): Int32Array =>
    Int32Array.from({ length: count }, (_, n) => (onJoint(n) < 0 ? 0 : f(onJoint(n))))
  const lengthKind = (j: number): number => {
    const { nv, linear, absolute } = jointTypes[m.jointType[j]]
    return nv === 1 ? COORDINATE : linear || absolute ? NO_LENGTH : ROTATION
  }
  return {
    actuatorCount: count,
    lengthKind: ofJoint(lengthKind),
    actuatorQ: ofJoint((j) => m.jointQ[j]),
    actuatorV: ofJoint((j) => m.jointV[j]),
    actuatorNv: ofJoint((j) => jointTypes[m.jointType[j]].nv),
    ...{ gear, controlRange, forceRange, dofRange, ranged },
    h: Float64Array.of(timestep),
    one: Float64Array.of(1),
    ...weightsOf(tableau),
  }
}

/** The rows of a tableau, and that of the step, each filled up to the number of stages. */
function weightsOf(tableau: Tableau | undefined): Columns {
  if (tableau === undefined) return { stages: 0, weights: new Float64Array(0) }
  const stages = tableau.b.length
  const weights = new Float64Array(stages * (stages + 1))
  for (const [i, row] of [...tableau.a, tableau.b].entries()) weights.set(row, stages * i)
  return { stages, weights }
}
