/**
 * The solver `ode` with Gear's method on a crew of processors: the same options, reports and snapshots, and the same motion for any number of them.
 */
import type { Force } from '../model/force.js'
import { ACTUATOR_SITE, type Model } from '../model/model.js'
import { type AdaptiveOptions, createAdaptiveStepper, type OdeStepper } from '../solvers/ode/adaptive-stepper.js'
import { holdLoops } from '../solvers/ode/hold-loops.js'
import { ode } from '../solvers/ode/ode.js'
import type { Options, Solver } from '../solvers/solver.js'
import { type Crew, forcesOn, sendOptions } from './crew.js'
import { createDistributedAdams, type DistributedIntegrator } from './distributed-adams.js'
import { isLinkError } from './link.js'
import { createAdamsProcessor } from './passes/adams.js'
import { END, WHAT } from './passes/orders.js'

/** Why the model cannot be divided; null if it can. */
export function undivided(model: Model): string | null {
  if (model.na > 0) return 'activations of actuators are not divided among processors; run on one'
  if (model.modes.count > 0) return 'bodies that deform are not divided among processors'
  if (model.tendons.armed.length > 0) return 'inertia of tendons (armature) joins all bodies; set it to 0, or run on one processor'
  if (model.actuators.kind.includes(ACTUATOR_SITE) && model.actuators.dofRange.some((x) => Number.isFinite(x)))
    return 'motors at sites, together with force ranges of joints, need all bodies at once; run on one processor'
  return null
}

/** What a stepper on processors needs: the integrator, and how it ends. */
interface Work {
  readonly integrator: DistributedIntegrator
  /** after the last step; `lost`: a processor is gone, and none is told anything */
  close?(lost: boolean): void
}

/** The solver `ode` with Gear's method for this one model, by an integrator of one's own. */
export function odeOn(model: Model, processors: number, create: (options: AdaptiveOptions, forces: readonly Force[]) => Work): Solver {
  return {
    ...ode,
    // processors begin to work, or are busy, when a simulation is created
    check: undefined,
    description: `${ode.description}, by ${processors} processors`,
    options: { ...ode.options, method: { ...ode.options.method, default: 'gear', choices: ['gear'] } },
    refuses: (other) => (other === model ? undivided(model) : `these processors work on model '${model.name}'; start others for this one`),
    create(_, options, forces = []) {
      const settings = settingsOf(options, forces)
      return createStepper(model, settings, create(settings, forces))
    },
  }
}

/** `createSimulation(model, { solver: parallelOde(crew) })`. One simulation at a time; `close` of it ends the crew. */
export function parallelOde(crew: Crew): Solver {
  const { model, link, units } = crew
  let busy = false
  return odeOn(model, link.processors, (given, outside) => {
    const forces = forcesOn(crew, outside)
    const options = { ...given, forces }
    if (busy) throw new RangeError('these processors work on a simulation already; close it, or start others')
    busy = true
    sendOptions(link, options)
    const processor = createAdamsProcessor(model, units, link, options, forces)
    const complete = (): void => {
      processor.begin()
      processor.run()
    }
    return {
      integrator: createDistributedAdams(processor, complete, options),
      close(lost) {
        if (!lost) {
          processor.order[WHAT] = END
          complete()
          sendOptions(link, undefined)
        }
        busy = false
        crew.close()
      },
    }
  })
}

const settingsOf = (options: Options, forces: readonly Force[]): AdaptiveOptions => ({
  method: 'gear',
  rtol: Number(options.rtol),
  atol: Number(options.atol),
  maxOrder: Number(options.maxorder),
  hmax: Number(options.hmax),
  hmin: Number(options.hmin),
  maxSteps: Number(options.maxsteps),
  corrector: options.corrector === 'plain' ? 'plain' : 'staggered',
  stabilization: Number(options.stabilization),
  forces,
})

function createStepper(model: Model, options: AdaptiveOptions, { integrator, close }: Work): OdeStepper {
  const stepper = holdLoops(model, createAdaptiveStepper(model, options, integrator))
  let lost = ''
  return {
    ...stepper,
    step(state, h) {
      try {
        if (lost === '') return stepper.step(state, h)
      } catch (error) {
        if (!isLinkError(error)) throw error
        lost = error.message
      }
      return Object.assign(stepper.report, { status: 'lost', message: lost } as const)
    },
    close: () => close?.(lost !== ''),
  }
}
