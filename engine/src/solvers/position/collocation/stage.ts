/**
 * One stage of a collocation step: its configuration, and the residual of the equations of motion there
 * ([Pan and Manocha 2018] equation 6)
 *   R = Jᵀ (T̈ Mt − weight − forces) + armature · q̈ − joint forces
 * with T̈ and the velocity from the polynomial through all stages. Velocities of joints come from Ṫ: the twist of each body relative to its
 * parent, along the joint's axes in the sense of least squares.
 */
import { applyForces } from '../../../forces/dynamics.js'
import { chartRate, difference } from '../../../joints/index.js'
import { kernelsIn } from '../../../kernels/instance.js'
import type { Fields } from '../../../kernels/tables.js'
import type { Vec } from '../../../math/types.js'
import { createData, type Data, dataSize } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { placeTable, roomFor, stateLengths, tableRoom, takeAll, takeState } from '../../../model/work-space.js'
import { type PositionKernels, positionModule } from '../../../printed/position.js'
import { updateVelocities } from '../../../tree/kinematics.js'
import { inertialPass } from '../../../tree/point-inertia.js'
import { gradientPass, type NewtonWork } from '../euler/newton-factor.js'
import { EARLIER, MOST_STAGES, RATE, type Scheme, STAGES, START } from './scheme.js'

export interface Stage {
  readonly d: Data
  readonly state: State
  readonly Tdd: Vec
  readonly W: Vec
  readonly joint: Vec
  readonly R: Vec
}

const stageLayout = ({ nbody, nv }: Model) => ({ Tdd: 12 * nbody, W: 12 * nbody, joint: nv, R: nv })

/** Numbers that `count` stages take. */
const stagesRoom = (m: Model, count: number): number => count * (roomFor(stageLayout(m)) + roomFor(stateLengths(m)) + dataSize(m) / 8)

/** Stages in one memory, in which the first leaves room for `more` numbers. */
export function createStages(m: Model, count: number, forces: readonly Force[], more: number): Stage[] {
  const stages: Stage[] = []
  for (let i = 0; i < count; i++) {
    const home = i === 0 ? { numbers: stagesRoom(m, count) + more } : { beside: stages[0].d }
    const d = createData(m, { forces, ...home })
    const memory = stages[0]?.d ?? d
    stages.push({ d, state: takeState(memory, m), ...takeAll(memory, stageLayout(m)) })
  }
  return stages
}

/** What the step starts from. */
export interface StepStart {
  /** transforms before and at the start, and their rate (12 a body each) */
  readonly X_: Vec
  readonly X0: Vec
  readonly V0: Vec
  /** the same in joint coordinates, for armature */
  readonly q_: Vec
  readonly q0: Vec
  readonly v0: Vec
}

const startLayout = ({ nbody, nq, nv }: Model) => ({ X_: 12 * nbody, X0: 12 * nbody, V0: 12 * nbody, q_: nq, q0: nq, v0: nv })

export const createStepStart = (m: Model, d: Data): StepStart => takeAll(d, startLayout(m))

/** out (12 a body) ← Σ weights · columns / h^power. */
export function combine(w: StageWork, out: Vec, weights: Vec, stages: readonly Stage[], size: Vec, power: 1 | 2): void {
  const h = size[0]
  const scale = power === 2 ? 1 / (h * h) : 1 / h
  for (let k = 0; k < weights.length; k++) w.weights[k] = scale * weights[k]
  w.weights[RATE] *= h
  const { tree } = stages[0].d
  w.kernels.startColumns(tree, w.columns, out.byteOffset)
  for (let j = 0; j < stages.length; j++) w.kernels.addStage(tree, w.columns, out.byteOffset, stages[j].d.X_WB.byteOffset, j)
}

export interface StageWork {
  readonly kernels: PositionKernels
  /** address of the table of columns before those of the stages, with the weights of all */
  readonly columns: number
  readonly weights: Vec
  readonly rates: Vec
  readonly phi: Vec
  readonly L: Vec
  readonly xi: Vec
  readonly rate: Vec
  readonly qdd: Vec
  readonly E: Vec
  /** 0 for every number of a transform; 1; 1 for every body */
  readonly nothing: Vec
  readonly unit: Vec
  readonly whole: Vec
  readonly armed: boolean
}

const workLayout = ({ nbody, nv }: Model) => ({
  ...{ rates: 12 * nbody, phi: 6 * nbody, L: 36, xi: nv, rate: nv, qdd: nv },
  ...{ E: 2, nothing: 12 * nbody, unit: 1, whole: nbody },
})

const columnsOf = (start: Fields) => ({ name: 'Columns', fields: start, own: { weights: STAGES + MOST_STAGES } }) as const

/** Numbers that the start of a step and the work space of its stages take. */
export const stageWorkRoom = (m: Model): number => roomFor(startLayout(m)) + roomFor(workLayout(m)) + tableRoom(columnsOf({}))

export function createStageWork(m: Model, d: Data, start: StepStart): StageWork {
  const { table: columns, weights } = placeTable(d, columnsOf({ ...start }))
  const kernels = kernelsIn<PositionKernels>(positionModule, d.block)
  const views = takeAll(d, workLayout(m))
  views.unit.fill(1)
  views.whole.fill(1)
  return { ...views, kernels, columns, weights, armed: m.armature.some((a) => a !== 0) }
}

/** out (nv) ← Σ weights · coordinates in the chart at stage i / h^power: what the polynomial is in joint coordinates. */
export function combineCoordinates(
  m: Model,
  w: StageWork,
  out: Vec,
  weights: Vec,
  start: StepStart,
  stages: readonly Stage[],
  i: number,
  size: Vec,
  power: number,
): void {
  const h = size[0]
  const scale = power === 2 ? 1 / (h * h) : 1 / h
  const q = stages[i].state.q
  const { nv } = m
  difference(m, w.xi, q, start.q0)
  for (let k = 0; k < nv; k++) out[k] = scale * weights[START] * w.xi[k]
  if (weights[RATE] !== 0) {
    chartRate(m, w.rate, w.xi, start.v0)
    for (let k = 0; k < nv; k++) out[k] += scale * h * weights[RATE] * w.rate[k]
  }
  if (weights[EARLIER] !== 0) {
    difference(m, w.xi, q, start.q_)
    for (let k = 0; k < nv; k++) out[k] += scale * weights[EARLIER] * w.xi[k]
  }
  for (let j = 0; j < stages.length; j++) {
    if (j === i) continue
    difference(m, w.xi, q, stages[j].state.q)
    for (let k = 0; k < nv; k++) out[k] += scale * weights[STAGES + j] * w.xi[k]
  }
}

/** Reads the poses of all stages. Writes W, joint and R of stage i; `forces` says whether there is more than weight. */
export function stageResidual(
  m: Model,
  w: StageWork,
  newton: NewtonWork,
  moments: Vec,
  scheme: Scheme,
  start: StepStart,
  stages: readonly Stage[],
  i: number,
  h: Vec,
  forces: boolean,
): void {
  const { d, state, Tdd, W, joint, R } = stages[i]
  combine(w, Tdd, scheme.second[i], stages, h, 2)
  inertialPass(m, moments, w.whole, d.X_WB, Tdd, w.nothing, w.unit, W, w.E)
  for (let k = 0; k < m.nv; k++) joint[k] = -state.tau[k]
  if (forces) {
    combine(w, w.rates, scheme.first[i], stages, h, 1)
    w.kernels.jointRates(d.tree, d.work, w.rates.byteOffset, w.phi.byteOffset, w.L.byteOffset, state.v.byteOffset)
    updateVelocities(m, d, state.v)
    applyForces(m, d, state)
    w.kernels.addWrenches(d.tree, W.byteOffset, d.f.byteOffset)
    for (let k = 0; k < m.nv; k++) joint[k] -= d.qf[k]
  }
  if (w.armed) {
    combineCoordinates(m, w, w.qdd, scheme.second[i], start, stages, i, h, 2)
    for (let k = 0; k < m.nv; k++) joint[k] += m.armature[k] * w.qdd[k]
  }
  gradientPass(m, d, newton, W, joint, R)
}
