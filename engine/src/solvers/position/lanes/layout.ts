/** Memory of position trajectories (`kernels/lane-layout`). */
import { type Columns, type LaneForm, planLanes } from '../../../kernels/lane-layout.js'
import type { Vec } from '../../../math/types.js'
import { createData, type Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { tables } from '../../../printed/trajectories-tables.js'

/** Numbers that each trajectory may have for itself. */
export const trajectoryParameters = ['gravity', 'inertia', 'armature', 'damping', 'stiffness', 'rest', 'gain', 'bias'] as const
export type TrajectoryParameter = (typeof trajectoryParameters)[number]

/** A state beyond q, v, tau, control, steps and failed: what a search keeps between two calls, and between two steps. */
export type TrajectoryField = ('goal' | 'fresh' | 'qKept' | 'vKept' | 'X0' | 'sc0' | 'Y' | 'last' | 'from' | 'dq') | ('search' | 'counts')

/** fields of other batches, which have no numbers here */
const NONE = { a: 0, act: 0, iterations: 0, taken: 0, contactForce: 0, observation: 0 }

export interface TrajectoryPlan {
  readonly form: LaneForm
  readonly count: number
  readonly threads: number
  readonly vary: readonly TrajectoryParameter[]
}

export function planTrajectories(m: Model, columns: Columns, { form, count, threads, vary }: TrajectoryPlan) {
  const { nbody, nq, nv, nu, gravity, inertia, armature, damping, stiffness, rest, actuators } = m
  const turns = m.steps.stepKind.length
  const widths = new Map<string, number>(tables.Trajectories.map(([name, , width]) => [name, width]))
  const records = { search: widths.get('search') ?? 0, counts: widths.get('counts') ?? 0 }
  return planLanes({
    ...{ form, count, threads, vary },
    tables: { tree: 'Tree', group: 'Trajectories', work: 'Work', step: 'TrajectoryStep' },
    apart: tables,
    constants: { ...(m as unknown as Columns), ...(m.steps as unknown as Columns), ...columns },
    parameters: { gravity, inertia, armature, damping, stiffness, rest, gain: actuators.gain, bias: actuators.bias },
    state: {
      ...{ q: nq, v: nv, ...NONE, tau: nv, control: nu, steps: 1, failed: 1 },
      ...{ goal: 1, fresh: 1, qKept: nq, vKept: nv, X0: 12 * nbody, sc0: 2 * turns, Y: 12 * nbody },
      ...{ last: nq, from: nq, dq: nv, ...records },
    },
    work: createData(m) as unknown as Readonly<Record<keyof Data, Vec>>,
    step: stepLengths(m, columns),
  })
}

const BY = {
  coordinate: ['z', 'qNow'],
  velocity: ['joint', 'joints', 'x', 'xStart', 'gradient', 'direction'],
  body: ['dX', 'W', 'total', 'K', 'upGradient', 'up', 'upForce'],
}

function stepLengths(m: Model, { hasBlocks }: Columns): Record<string, number> {
  const block = m.nv === 0 ? 0 : Math.max(...m.id.map((first, i) => first + (m.ivEnd[i] - m.iv[i]) * (m.ivEnd[i] - m.iv[i])))
  const records = (name: string): number => {
    if (BY.coordinate.includes(name)) return m.nq
    if (BY.velocity.includes(name)) return m.nv
    if (BY.body.includes(name)) return m.nbody
    if (name === 'bodies') return hasBlocks === 1 ? m.nbody : 0
    if (name === 'dsc') return m.steps.stepKind.length
    return name === 'L' ? block : 1
  }
  return Object.fromEntries(tables.TrajectoryStep.map(([name, , stride]) => [name, stride * records(name)]))
}
