/**
 * All memory is in the state: a run goes on with the same bits from a snapshot in a fresh simulation, whatever the scheme, the linear solver,
 * the order or the method, and at odd moments: after the first step, when contact begins, after the step that took most work (parts, a jam).
 */
import {
  buildModel,
  createSimulation,
  createState,
  type GeomSpec,
  type Model,
  type Simulation,
  type Solver,
  type Spec,
  solvers,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { copyState } from '../../src/model/state.js'
import { constrainedMechanism } from '../allocation/cases/constrained-mechanism.js'
import { parallelogram } from '../constraints/linkages.js'
import { ladder } from '../redmax/ladder.js'
import { randomMechanism } from '../redmax/random-mechanism.js'
import { mechanisms } from './mechanisms.js'

type Given = Readonly<Record<string, string | number>>

interface Case {
  readonly name: string
  readonly model: Model
  readonly timestep: number
  readonly v?: Float64Array
  readonly q?: Float64Array
  /** springs join moving bodies, which linear=recursive refuses */
  readonly coupled?: boolean
}

const STEPS = 40

/** Every combination of the choices of these options. */
function combinations({ options }: Solver, names: readonly string[]): Given[] {
  return names.reduce<Given[]>(
    (list, name) => list.flatMap((one) => (options[name].choices ?? []).map((choice) => ({ ...one, [name]: choice }))),
    [{}],
  )
}

const bits = ({ state: { t, q, v, s } }: Simulation): number[] => [t, ...q, ...v, ...s]

function started(solver: Solver, options: Given, { model, timestep, q, v }: Case): Simulation {
  const simulation = createSimulation(model, { solver, timestep, ...options })
  simulation.reset({ ...(q ? { q } : {}), ...(v ? { v } : {}) })
  return simulation
}

/** Runs, and once more from each of the odd moments in a simulation that knows nothing but the model. */
function expectSameBits(solver: Solver, options: Given, one: Case): void {
  const whole = started(solver, options, one)
  const snapshots = [whole.snapshot()]
  const moments = new Map([['half-way', STEPS / 2]])
  let [most, before] = [-1, 0]
  for (let k = 1; k <= STEPS; k++) {
    whole.step()
    expect(whole.report.message).toBe('')
    snapshots.push(whole.snapshot())
    const work = whole.report.evaluations - before
    before = whole.report.evaluations
    if (k > 1 && k < STEPS && work > most) {
      most = work
      moments.set('after the hardest step', k)
    }
    if (k < STEPS && !moments.has('contact begins') && whole.contacts().some(({ force }) => force[2] !== 0))
      moments.set('contact begins', k)
  }
  moments.set('first step', 1)
  // moments may fall together: a run from the same snapshot would be the same run
  for (const k of new Set(moments.values())) {
    const names = [...moments].flatMap(([moment, step]) => (step === k ? moment : []))
    const fresh = createSimulation(one.model, { solver, timestep: one.timestep, ...options })
    fresh.restore(snapshots[k])
    fresh.step(STEPS - k)
    expect(bits(fresh), `${names.join(', ')}: restored after step ${k}`).toEqual(bits(whole))
  }
  if (whole.report.rejected === 0) expectNoInit(solver, whole, one, snapshots[STEPS / 2])
}

/** A stepper that was never initialised goes on from the state alone. */
function expectNoInit(solver: Solver, whole: Simulation, { model, timestep }: Case, snapshot: Uint8Array): void {
  const state = createState(model)
  const source = createSimulation(model, { solver, timestep, ...whole.options })
  source.restore(snapshot)
  copyState(state, source.state)
  const stepper = solver.create(model, whole.options)
  for (let k = STEPS / 2; k < STEPS; k++) stepper.step(state, timestep)
  expect([state.t, ...state.q, ...state.v, ...state.s], 'a stepper without init').toEqual(bits(whole))
}

const ball = { mass: 1, tensor: [0.01, 0.01, 0.01, 0, 0, 0] } as const

/** A branching tree with springs, one slack at first, a cable, a loop and limits. */
function sprungTree(): Spec {
  const link = (name: string, parent: string, x: number, initial: number) => ({
    name,
    parent,
    position: [x, 0, 0] as const,
    inertia: { mass: 1, com: [0.25, 0, 0] as const, tensor: [0.01, 0.03, 0.03, 0, 0, 0] as const },
    joints: [{ name, type: 'revolute' as const, axis: [0, 1, 0] as const, initial, limits: [-1.2, 1.2] as const }],
  })
  return {
    bodies: [
      link('root', 'world', 0, 0.3),
      link('left', 'root', 0.5, 0.6),
      link('right', 'root', 0.5, -0.6),
      link('tip', 'left', 0.5, 0.2),
      link('end', 'right', 0.5, -0.2),
      {
        name: 'bob',
        parent: 'world',
        position: [1, 0, -1],
        inertia: ball,
        joints: [{ name: 'bob', type: 'prismatic' as const, axis: [0, 0, 1] }],
      },
    ],
    springs: [
      { name: 'pull', a: { body: 'left', point: [0.5, 0, 0] }, b: { body: 'right', point: [0.5, 0, 0] }, stiffness: 400, rest: 0.3 },
      { name: 'hang', a: { body: 'tip', point: [0.5, 0, 0] }, b: { body: 'bob' }, stiffness: 200, rest: 2 },
    ],
    constraints: [{ name: 'rod', type: 'distance', a: { body: 'tip', point: [0.5, 0, 0] }, b: { body: 'end', point: [0.5, 0, 0] } }],
  }
}

/** Solids in layers of nine above the floor of a bin. */
function bin(count: number, geom: GeomSpec): Spec {
  const wall = (x: number, y: number, along: readonly [number, number]): GeomSpec => ({
    shape: 'box',
    size: [...along, 2],
    position: [x, y, 1],
  })
  return {
    world: {
      geoms: [{ shape: 'plane' }, wall(0.3, 0, [0.1, 0.7]), wall(-0.3, 0, [0.1, 0.7]), wall(0, 0.3, [0.7, 0.1]), wall(0, -0.3, [0.7, 0.1])],
    },
    bodies: Array.from({ length: count }, (_, k) => ({
      name: `body${k}`,
      position: [-0.14 + 0.14 * (k % 3), -0.14 + 0.14 * (Math.floor(k / 3) % 3), 0.09 + 0.14 * Math.floor(k / 9)] as const,
      joints: [{ type: 'free' as const }],
      geoms: [{ density: 1000, ...geom }],
    })),
  }
}

/** A block between two walls that are nearer to each other than it is wide: its overlaps cannot open. */
function jam(): Spec {
  const wall = (x: number): GeomSpec => ({ shape: 'box', size: [0.2, 1, 1], position: [x, 0, 0.5] })
  return {
    world: { geoms: [{ shape: 'plane' }, wall(0.29), wall(-0.29)] },
    bodies: [
      {
        name: 'block',
        position: [0, 0, 0.3],
        joints: [{ type: 'free' as const }],
        geoms: [{ shape: 'box', size: [0.4, 0.2, 0.2], density: 500 }],
      },
      {
        name: 'ball',
        position: [0.02, 0, 0.6],
        joints: [{ type: 'free' as const }],
        geoms: [{ shape: 'sphere', radius: 0.05, density: 500 }],
      },
    ],
  }
}

/** A chain stretched to its full length between two points, where rates are held in place of a row that vanishes; and a ball that falls. */
function stretched(): Spec {
  const link = (name: string, parent: string, x: number) => ({
    name,
    parent,
    position: [x, 0, 0] as const,
    inertia: { mass: 1, com: [0.5, 0, 0] as const, tensor: [0.01, 0.1, 0.1, 0, 0, 0] as const },
    joints: [{ name, type: 'revolute' as const, axis: [0, 1, 0] as const }],
  })
  return {
    bodies: [
      link('a', 'world', 0),
      link('b', 'a', 1),
      { name: 'ball', position: [0, 1, 0.3], joints: [{ type: 'free' as const }], geoms: [{ shape: 'sphere', radius: 0.1, mass: 1 }] },
    ],
    world: { geoms: [{ shape: 'plane' }] },
    constraints: [{ name: 'end', type: 'point', a: { body: 'b', point: [1, 0, 0] }, b: { body: 'world', point: [2, 0, 0] } }],
  }
}

const random = (seed: number): Case => {
  const { spec, timestep, velocity } = randomMechanism(seed, true)
  const model = buildModel(spec)
  return { name: `random mechanism ${seed} on the ground`, model, timestep, v: velocity(model.nv) }
}

/** A start that is not the model's own: the fresh simulation begins elsewhere. */
const elsewhere = (): Case => {
  const model = buildModel(parallelogram(0.3))
  return { name: 'a parallelogram started elsewhere', model, timestep: 0.01, q: Float64Array.of(0.9, -0.9, Math.PI + 0.9) }
}

const constrained: Case[] = [
  { name: 'every constraint at once', model: constrainedMechanism(), timestep: 0.01 },
  { name: 'springs, a loop and limits', model: buildModel(sprungTree()), timestep: 0.01, coupled: true },
  { name: 'a ladder of loops', model: buildModel(ladder(14, 3)), timestep: 0.01 },
  { name: 'balls in a bin', model: buildModel(bin(18, { shape: 'sphere', radius: 0.06 })), timestep: 0.01 },
  { name: 'boxes in a bin', model: buildModel(bin(5, { shape: 'box', size: [0.1, 0.1, 0.1] })), timestep: 0.01 },
  { name: 'a jammed block', model: buildModel(jam()), timestep: 0.01 },
  { name: 'a stretched chain', model: buildModel(stretched()), timestep: 0.01 },
  elsewhere(),
  random(5),
]

describe.each(combinations(solvers.redmax, ['scheme', 'linear']))('redmax $scheme, linear $linear, goes on from a snapshot', (options) => {
  const isRefused = ({ coupled }: Case): boolean => options.linear === 'recursive' && coupled === true

  it.each(constrained.filter((one) => !isRefused(one)))('of $name', (one) => {
    expectSameBits(solvers.redmax, options, one)
  })

  it.each(constrained.filter(isRefused))('not of $name: the recursion cannot take up springs between moving bodies, and says so', (one) => {
    expect(started(solvers.redmax, options, one).step().message).toMatch(/'recursive' cannot take up/)
  })
})

describe('a start that is refused', () => {
  // a chain of two that is too short for the distance of its ends
  const model = buildModel({
    ...stretched(),
    constraints: [{ name: 'end', type: 'point', a: { body: 'b', point: [1, 0, 0] }, b: { body: 'world', point: [3, 0, 0] } }],
  })

  it.each(['auto', 'linear', 'newton', 'second-order'])('is refused by a stepper that never saw it, scheme %s', (scheme) => {
    const whole = createSimulation(model, { solver: solvers.redmax, scheme })
    const { message } = whole.step()
    expect(message).toMatch(/'end'/)
    const { status, message: again } = solvers.redmax.create(model, whole.options).step(whole.state, 0.01)
    expect([status, again]).toEqual(['not-converged', message])
  })
})

/** An arm of two links that falls on the ground, which pushes back by penalty: the other families leave contact without stiffness out. */
function fallingArm(): Case {
  const link = (name: string, parent: string, z: number, initial: number) => ({
    name,
    parent,
    position: [0, 0, z] as const,
    joints: [{ name, type: 'revolute' as const, axis: [0, 1, 0] as const, initial }],
    geoms: [{ shape: 'capsule', radius: 0.05, length: 0.4, position: [0, 0, -0.2], mass: 1 } as const],
  })
  const model = buildModel({
    bodies: [link('upper', 'world', 0.6, 1.2), link('lower', 'upper', -0.4, 0.4)],
    world: { geoms: [{ shape: 'plane' }] },
    contact: { stiffness: 2000, friction: 0.4, slip: 1e-3 },
  })
  return { name: 'an arm that falls on the ground', model, timestep: 0.01 }
}

const others: Case[] = [...mechanisms().map(({ name, model, v }) => ({ name, model, v, timestep: 0.01 })), fallingArm()]

describe.each([
  ...combinations(solvers.position, ['order', 'optimizer']).map((options) => ({ solver: solvers.position, options })),
  ...combinations(solvers.ode, ['method']).map((options) => ({ solver: solvers.ode, options })),
  ...combinations(solvers.adaptive, ['mode', 'weights']).flatMap((options) =>
    [{ budget: 2, every: 3 }, { threshold: 1 }, {}].map((limits): { solver: Solver; options: Given } => ({
      solver: solvers.adaptive,
      options: { ...options, ...limits },
    })),
  ),
])('$solver.name $options goes on from a snapshot', ({ solver, options }) => {
  it.each(others)('of $name', (one) => {
    expectSameBits(solver, options, one)
  })
})
