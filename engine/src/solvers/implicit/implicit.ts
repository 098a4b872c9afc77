/**
 * The solver `implicit`: the ground step for one mechanism, with the bits of one lane of a batch.
 *
 * Its memory in a state is the accelerations of the last step, where the iterations of the next one start.
 */
import { compileWrappers, kernelsIn } from '../../kernels/instance.js'
import type { Field } from '../../kernels/lane-layout.js'
import { type Block, takeRoom } from '../../kernels/memory.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { type GroundKernels, groundModule } from '../../printed/ground.js'
import { type PairsKernels, pairsModule } from '../../printed/pairs.js'
import { firstBad } from '../first-bad.js'
import { createReport, type Options, resetReport, type Solver, type Stepper } from '../solver.js'
import { type GroundConstants, groundConstants } from './constants.js'
import { listGroundContacts } from './contacts.js'
import { implicitInfo } from './info.js'
import { planGround } from './layout.js'
import { planObservations } from './observe.js'
import { groundKernels, pairKernels } from './step-names.js'

const ALONE = { lanes: 1, bytes: 8 } as const

export const implicit: Solver = {
  ...implicitInfo,
  create: (model: Model, options: Options): Stepper => createGroundStepper(model, options),
}

function createGroundStepper(model: Model, options: Options): Stepper {
  const settings = { tolerance: Number(options.tolerance), iterations: Number(options.iterations), self: options.self !== false }
  const constantsAt = (timestep: number) => groundConstants(model, { ...settings, timestep })
  const nothing = planObservations(model, [])
  const plan = { form: ALONE, count: 1, threads: 1, vary: [] }
  let constants = constantsAt(model.timestep)
  const room = takeRoom(planGround(model, constants, nothing, plan).size)
  let layout = planGround(model, constants, nothing, { ...plan, start: room.start })
  const { block } = room
  layout.fill(block.buffer)
  const kernel = stepIn(block, constants)
  const watch = kernelsIn<GroundKernels>(groundModule, block)[constants.kind === 'full' ? 'watchSpinningRows' : 'watchRows']
  const view = (field: Field): Vec =>
    block.F.subarray((layout.states + field.offset) / 8, (layout.states + field.offset) / 8 + field.length)
  const { fields, tree, group, work, step: space } = layout
  const [q, v, a, act] = [fields.q, fields.v, fields.a, fields.act].map(view)
  const [tau, control, failed, iterations, taken] = [fields.tau, fields.control, fields.failed, fields.iterations, fields.taken].map(view)
  const report = createReport()
  let h = model.timestep
  // engines compile a kernel when it first runs, which takes as long as hundreds of steps: not within the first one
  q.set(model.q0)
  kernel(tree, work[0], group, space[0])
  watch(group, space[0])

  /** Constants of another step; the layout stays. */
  const setStep = (next: number): void => {
    h = next
    constants = constantsAt(h)
    layout = planGround(model, constants, nothing, { ...plan, start: room.start })
    layout.fill(block.buffer)
  }
  const load = (state: State): void => {
    q.set(state.q)
    v.set(state.v)
    a.set(state.s)
    act.set(state.act)
    tau.set(state.tau)
    control.set(state.control)
  }
  return {
    ns: model.nv,
    report,
    init(state) {
      state.s = new Float64Array(model.nv)
      resetReport(report)
      report.taken = 0
      taken[0] = 0
    },
    enter() {},
    contacts: () => (report.steps > 0 ? listGroundContacts(model, constants, layout, block.F) : []),
    step(state, dt) {
      report.h = dt
      if (!(dt > 0 && dt < Number.POSITIVE_INFINITY)) {
        report.status = 'bad-step'
        return report
      }
      if (dt !== h) setStep(dt)
      load(state)
      kernel(tree, work[0], group, space[0])
      watch(group, space[0])
      report.taken = taken[0]
      report.evaluations++
      report.iterations += iterations[0]
      report.joint = -1
      if (failed[0] !== 0) {
        report.status = 'diverged'
        report.joint = firstBad(model, state)
        report.rejected++
        return report
      }
      state.q.set(q)
      state.v.set(v)
      state.s.set(a)
      if (act.length > 0) {
        state.act.set(act)
        // the kernel has brought activations to the end of the step
        state.since[0] = Number.NaN
      }
      state.t += dt
      report.status = 'ok'
      report.steps++
      return report
    },
  }
}

/** The printed step that these constants ask for. */
function stepIn(block: Block, { pairs, kind }: GroundConstants): (tree: number, work: number, group: number, step: number) => void {
  const kernels = pairs > 0 ? kernelsIn<PairsKernels>(pairsModule, block) : kernelsIn<GroundKernels>(groundModule, block)
  compileWrappers(kernels)
  return 'stepFlat' in kernels ? kernels[groundKernels[kind][1]] : kernels[pairKernels[kind][1]]
}
