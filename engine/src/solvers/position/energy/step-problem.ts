/**
 * What one position-based step works on: the configuration on trial, its poses, and the sums that terms add to.
 *
 * The energy of a step ([Pan and Manocha 2018] equation 5): E(q) = ½h² Σ tr(T̈ Mt T̈ᵀ) + Q(q). Q is made of terms; each adds its value to E, its
 * gradient to W (of body transforms, in body axes) and `joint` (of velocities), and its second derivative, or the part of it that fits
 * the tree, to `bodies` and `joints`.
 */
import { kernelsIn } from '../../../kernels/instance.js'
import type { Vec } from '../../../math/types.js'
import { createData, type Data } from '../../../model/data.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import type { State } from '../../../model/state.js'
import { placeTable, roomFor, stateLengths, tableRoom, takeAll, takeState } from '../../../model/work-space.js'
import { type PositionKernels, positionModule } from '../../../printed/position.js'

export interface StepProblem {
  readonly m: Model
  readonly d: Data
  /** the configuration on trial: q, v = (q ⊖ q₀)/h, time and control of the end of the step */
  readonly trial: State
  /** where the step began: coordinates, poses (12 a body), joint forces from outside */
  readonly q0: Vec
  readonly X0: Vec
  readonly h: Vec
  /** values: `INERTIAL`, `POTENTIAL` and what terms add */
  readonly E: Vec
  /** gradient: 12 a body; per velocity */
  readonly W: Vec
  readonly joint: Vec
  /** second derivatives of terms: 21 a body; diagonal per velocity */
  readonly bodies: Vec
  readonly joints: Vec
  /** kernels of terms, and the address of the table of all these sums */
  readonly kernels: PositionKernels
  readonly sums: number
}

export interface Term {
  readonly name: string
  /** `bodies` and `joints` hold all of its second derivative: then Newton needs no iteration for the linear system */
  readonly exact: boolean
  /** its force is the gradient of its value; otherwise the value says nothing and the step is a root to find */
  readonly conservative: boolean
  /** needs the velocities of bodies (V of d) at the trial */
  readonly moving: boolean
  /**
   * How it depends on where the step began. `never`; `local`: what it adds for a body or joint depends on the start of that body or joint
   * only; `wide`: otherwise. `startGradient` covers what is not local.
   */
  readonly lag: 'never' | 'local' | 'wide'
  /** Takes note of what is lagged: poses and velocities of d at the start. */
  begin?(p: StepProblem): void
  add(p: StepProblem): void
  /**
   * For `wide` terms that know it: adds to W0 (12 a body, body axes of the start d0) the gradient, with respect to where bodies began, of its
   * part of the residual along the twists `motion` (6 a body) of the trial. All of them lie in the memory of the problem.
   */
  startGradient?(motion: Vec, d0: Data, W0: Vec): void
}

const sumsOf = ({ nbody, nv }: Model, d?: Data) =>
  ({
    name: 'Sums',
    fields: { X_WB: d?.X_WB },
    own: { X0: 12 * nbody, h: 1, E: 2, W: 12 * nbody, joint: nv, bodies: 21 * nbody, joints: nv },
  }) as const

/** `more`: numbers that terms and minimisers will take in the memory of its data. */
export function createStepProblem(m: Model, forces: readonly Force[] = [], more = 0): StepProblem {
  const d = createData(m, { forces, numbers: roomFor({ ...stateLengths(m), q0: m.nq }) + tableRoom(sumsOf(m)) + more })
  const trial = takeState(d, m)
  const { q0 } = takeAll(d, { q0: m.nq })
  const { table, ...sums } = placeTable(d, sumsOf(m, d))
  const kernels = kernelsIn<PositionKernels>(positionModule, d.block)
  return { m, d, trial, q0, ...sums, sums: table, kernels }
}
