/**
 * All processors in the calling thread, one after another as messages arrive: for tests, and where there are no threads.
 */
import type { LoopOptions } from '../constraints/loops/loops.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { MultistepOptions } from '../solvers/ode/multistep.js'
import type { Solver, Stepper } from '../solvers/solver.js'
import type { CrewOptions } from './crew.js'
import { createDistributedAdams, type DistributedIntegrator } from './distributed-adams.js'
import { createInProcessLinks } from './in-process.js'
import { odeOn } from './parallel-ode.js'
import { redmaxStepper } from './parallel-redmax.js'
import { type AdamsProcessor, createAdamsProcessor } from './passes/adams.js'
import type { Processor } from './passes/orders.js'
import { createRedmaxProcessor, type RedmaxProcessor } from './passes/redmax.js'
import { findUnits, type Units } from './passes/units.js'
import { shareOut } from './share.js'

/** numbers of an ordinary message; longer ones get memory of their own */
const CAPACITY = 1024

/** Carries out the order of the first of them. */
export function runInOneThread(processors: readonly Processor[]): void {
  for (let r = 0; r < processors.length; r++) processors[r].begin()
  for (let open = true; open; ) {
    open = false
    // one that is done stays done
    for (let r = 0; r < processors.length; r++) if (!processors[r].run()) open = true
  }
}

export function adamsInOneThread(
  model: Model,
  units: Units,
  options: MultistepOptions & LoopOptions,
  forces: readonly Force[] = [],
): { integrator: DistributedIntegrator; processors: readonly AdamsProcessor[] } {
  const links = createInProcessLinks(units.processors, CAPACITY)
  const processors = links.map((link) => createAdamsProcessor(model, units, link, options, forces))
  return { integrator: createDistributedAdams(processors[0], () => runInOneThread(processors), options), processors }
}

/** The solver `ode` with Gear's method, divided as for so many processors but in the calling thread. */
export function parallelInOneThread(model: Model, processors: number, { longest }: Pick<CrewOptions, 'longest'> = {}): Solver {
  // messages cost nothing
  const share = shareOut(model, processors, { cmptm: 1e-7, roitm: 0 }, longest === undefined ? {} : { longest })
  const units = { ...findUnits(model, share.branches, share.processorOf), processors }
  return odeOn(model, processors, (options, forces) => ({ integrator: adamsInOneThread(model, units, options, forces).integrator }))
}

/** The stepper of redmax, `tolerance` that of its iterations. */
export function redmaxInOneThread(
  model: Model,
  units: Units,
  tolerance: number,
  forces: readonly Force[] = [],
): { stepper: Stepper; processors: readonly RedmaxProcessor[] } {
  const links = createInProcessLinks(units.processors, CAPACITY)
  const processors = links.map((link) => createRedmaxProcessor(model, units, link, forces))
  return {
    stepper: redmaxStepper(
      model,
      processors[0],
      () => runInOneThread(processors),
      tolerance,
      () => undefined,
    ),
    processors,
  }
}
