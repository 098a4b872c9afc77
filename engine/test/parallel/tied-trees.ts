/** Trees with springs between any two bodies, shared out by chance, and schedules of all processors in one thread: for the tests of redmax over several processors. */
import { type BodySpec, buildModel, type Model, type Spec, type SpringSpec } from 'limber'
import { createInProcessLinks } from 'limber/parallel'
import { branchesOf } from '../../src/parallel/branches.js'
import type { Link } from '../../src/parallel/link.js'
import { createSchedule, type Scheduler, type Step } from '../../src/parallel/passes/schedule.js'
import { findUnits, type Units } from '../../src/parallel/passes/units.js'
import { randomSpec, type TreeOptions } from '../conformance/random-tree.js'
import { createRandom, type Random } from '../random.js'

/** Springs with and without rest length, to the world too; joints with springs and dampers; bodies that drag. */
export function tiedTree(options: TreeOptions, springs = options.bodies): Model {
  const random = createRandom(options.seed)
  return buildModel(tie(randomSpec(options, random), random, springs))
}

function tie(spec: Spec, random: Random, count: number): Spec {
  const names = spec.bodies.map(({ name }) => String(name))
  const spring = (): SpringSpec => {
    const a = random.pick(names)
    const b = random.pick(['world', ...names].filter((name) => name !== a))
    const rest = random.unit() < 0.3 ? { rest: 0 } : {}
    return {
      a: { body: a, point: random.vec3(0.3) },
      b: { body: b, point: random.vec3(0.3) },
      stiffness: random.between(10, 1000),
      damping: random.unit(),
      ...rest,
    }
  }
  const bodies = spec.bodies.map(
    (body): BodySpec => ({
      ...body,
      damping: { angular: random.unit(), linear: random.unit() },
      joints: (body.joints ?? []).map((joint) =>
        joint.type === 'revolute' || joint.type === 'prismatic'
          ? { ...joint, stiffness: random.between(1, 50), damping: random.unit() }
          : joint,
      ),
    }),
  )
  return { ...spec, bodies, springs: Array.from({ length: count }, spring) }
}

/** Branches dealt out by chance, so that processors have scattered parts. */
export function anywhere(model: Model, processors: number, seed = processors): Units {
  const branches = branchesOf(model, { longest: 0 })
  const random = createRandom(seed)
  const processorOf = Int32Array.from({ length: branches.count }, () => random.below(processors))
  return { ...findUnits(model, branches, processorOf), processors }
}

export interface Running {
  readonly sent: readonly Readonly<{ numbers: number; messages: number }>[]
}

/** Carries out what `write` puts into the schedule of each processor, those in turns. */
export function runSchedules(units: Units, write: (s: Scheduler, link: Link) => void): Running {
  const schedules = createInProcessLinks(units.processors, 64).map((link) => {
    const schedule = createSchedule(units, link)
    write(schedule, link)
    return { ...schedule, link, at: 0 }
  })
  const waits = ({ wait }: Step, link: Link): boolean => wait >= 0 && !link.arrived(wait)
  for (let left = schedules.length; left > 0; ) {
    const before = schedules.reduce((sum, { at }) => sum + at, 0)
    left = 0
    for (const one of schedules) {
      const { steps, link } = one
      while (one.at < steps.length && !waits(steps[one.at], link)) steps[one.at++].act()
      if (one.at < steps.length) left++
    }
    if (left > 0 && schedules.reduce((sum, { at }) => sum + at, 0) === before) throw new Error('every processor waits for another')
  }
  return { sent: schedules.map(({ sent }) => sent) }
}
