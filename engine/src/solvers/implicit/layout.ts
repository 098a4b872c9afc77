/** Memory of the ground step for any number of environments (`kernels/lane-layout`). */
import { type Columns, type LaneForm, type LaneLayout, planLanes } from '../../kernels/lane-layout.js'
import type { Vec } from '../../math/types.js'
import { createData, type Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { tables } from '../../printed/ground-tables.js'
import type { GroundConstants } from './constants.js'
import type { Observations } from './observe.js'

/** Numbers that each environment may have for itself. */
export const groundParameters = [
  ...['gravity', 'inertia', 'armature', 'damping', 'stiffness', 'rest', 'gain', 'bias'],
  ...['friction', 'softness', 'terrainOffset', 'push'],
] as const
export type GroundParameter =
  | ('gravity' | 'inertia' | 'armature' | 'damping' | 'stiffness' | 'rest' | 'gain' | 'bias')
  | ('friction' | 'softness' | 'terrainOffset' | 'push')

export type GroundField =
  | 'q'
  | 'v'
  | 'a'
  | 'act'
  | 'tau'
  | 'control'
  | 'steps'
  | 'failed'
  | 'iterations'
  | 'taken'
  | 'contactForce'
  | 'observation'

export type GroundLayout = LaneLayout<GroundField, GroundParameter>

export interface GroundPlan {
  readonly form: LaneForm
  readonly count: number
  readonly threads: number
  readonly start?: number
  readonly vary: readonly GroundParameter[]
}

export function planGround(m: Model, constants: GroundConstants, observed: Observations, plan: GroundPlan): GroundLayout {
  const { form, count, threads, start = 0, vary } = plan
  const { nq, nv, nu, na, gravity, inertia, armature, damping, stiffness, rest, actuators } = m
  const { gain, bias } = actuators
  return planLanes({
    ...{ form, count, threads, start, vary },
    tables: { tree: 'Tree', group: 'Ground', work: 'Work', step: 'GroundStep' },
    apart: tables,
    constants: {
      ...(m as unknown as Columns),
      ...(m.steps as unknown as Columns),
      ...constants.columns,
      ...observed.columns,
      storesForces: observed.storesForces ? 1 : 0,
      pushed: vary.includes('push') ? 1 : 0,
    },
    parameters: { gravity, inertia, armature, damping, stiffness, rest, gain, bias, ...constants.parameters },
    state: {
      ...{ q: nq, v: nv, a: nv, act: na, tau: nv, control: nu, steps: 1, failed: 1, iterations: 1, taken: 1 },
      contactForce: observed.storesForces ? 3 * m.nbody : 0,
      observation: observed.size,
    },
    work: createData(m) as unknown as Readonly<Record<keyof Data, Vec>>,
    step: stepLengths(m, constants),
  })
}

/** columns of the workspace by the things that they have a record for; all others have one */
const BY = {
  coordinate: ['qNext'],
  velocity: ['vNext', 'qf', 'drive', 'servo', 'diag', 'rowG', 'rowPhi', 'aNew', 'loadForce', 'da'],
  body: ['E', 'I', 'bias', 'K', 'F', 'up', 'upForce', 'root', 'dirty', 'touch', 'path', 'load', 'loadRate'],
  round: ['center', 'halfAxis', 'meets'],
  row: ['row', 'rowRate', 'rowRateNew', 'rowLambda', 'rowLambdaNew', 'rowForce', 'rowTangent', 'rowBranch'],
  pair: [
    ...['pairArm', 'residual', 'direction', 'residualRate', 'directionRate', 'sum'],
    ...['residualMoment', 'directionMoment', 'residualSpin', 'directionSpin', 'sumMoment'],
  ],
  ball: ['ballAngle', 'ballNear', 'ballBasis'],
  one: ['coupled', 'slope0', 'slope1', 'alpha', 'trial', 'far', 'live'],
}

function stepLengths(m: Model, { slots, rows, pairs, rounds, balls }: GroundConstants): Record<string, number> {
  const records = (name: string): number => {
    if (BY.coordinate.includes(name)) return m.nq
    if (BY.velocity.includes(name)) return m.nv
    if (BY.body.includes(name)) return m.nbody
    if (BY.round.includes(name)) return rounds
    if (BY.row.includes(name)) return rows
    if (BY.pair.includes(name)) return pairs
    if (BY.ball.includes(name)) return balls
    return BY.one.includes(name) ? 1 : slots + 1
  }
  return Object.fromEntries(tables.GroundStep.map(([name, , stride]) => [name, stride * records(name)]))
}
