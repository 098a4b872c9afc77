/**
 * The solver redmax over several processors: the bits of any other number of them, the motion of the serial solver, and a dense solve.
 */
import { type BodySpec, buildModel, createSimulation, type Force, type Model, type Simulation, type Solver, type Spec } from 'limber'
import { leadCrew, linkError, parallelRedmax } from 'limber/parallel'
import { findScene, type ParameterValues } from 'limber-scenes'
import { describe, expect, it } from 'vitest'
import { backSubstitute, cholesky, forwardSubstitute } from '../../src/linalg/dense/cholesky.js'
import { addStiffEntry, openStiffRow } from '../../src/model/stiff-terms.js'
import type { Crew } from '../../src/parallel/crew.js'
import { redmaxInOneThread } from '../../src/parallel/in-one-thread.js'
import { createInProcessLinks } from '../../src/parallel/in-process.js'
import { crewOnThreads } from '../../src/parallel/node-processors.js'
import { redmaxStepper, undividedRedmax } from '../../src/parallel/parallel-redmax.js'
import type { Units } from '../../src/parallel/passes/units.js'
import { shareOut } from '../../src/parallel/share.js'
import { addTurningStiffness } from '../../src/solvers/redmax/linearised/published-stiffness.js'
import { applySystem, assemble, createSystem, rightHandSide } from '../../src/solvers/redmax/matrix/system.js'
import { redmax } from '../../src/solvers/redmax/redmax.js'
import { randomState, type Shape } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'
import { bundled } from './bundled.js'
import { anywhere, tiedTree } from './tied-trees.js'

const TIGHT = 1e-13
const PROCESSORS = [1, 2, 3, 7]

/** The solver on all processors in this thread. */
function inOneThread(units: Units, tolerance = TIGHT): Solver {
  return { ...redmax, create: (model, _options, forces) => redmaxInOneThread(model, units, tolerance, forces).stepper }
}

function run(
  model: Model,
  solver: Solver | string,
  seed: number,
  steps: number,
  options: Readonly<Record<string, unknown>> = {},
): Simulation {
  const sim = createSimulation(model, { solver, timestep: 0.005, contact: false, ...options })
  const start = randomState(model, createRandom(seed))
  sim.reset(start)
  expect(sim.step(steps).message).toBe('')
  return sim
}

const serially = { scheme: 'linear', linear: 'pcg', tolerance: TIGHT }
const numbers = ({ state: { t, q, v } }: Simulation): number[] => [t, ...q, ...v]

// a chain is on one processor
const trees = (['star', 'random'] as Shape[]).map((shape, k): [string, Model] => [
  `tied ${shape}`,
  tiedTree({ seed: 5 + k, bodies: 24, shape, floating: shape === 'random' }),
])

describe.each(trees)('%s', (_name, model) => {
  it('has the same bits on 1, 2, 3, 7 processors, and the motion of the serial solver to 1e-9', () => {
    const serial = numbers(run(model, 'redmax', 3, 30, serially))
    const one = run(model, inOneThread(anywhere(model, 1)), 3, 30)
    const expected = numbers(one)
    for (const [k, x] of expected.entries()) expect(Math.abs(x - serial[k])).toBeLessThan(1e-9 * (1 + Math.abs(serial[k])))
    expect(one.report.iterations).toBeGreaterThan(60)
    for (const processors of PROCESSORS.slice(1)) {
      const sim = run(model, inOneThread(anywhere(model, processors)), 3, 30)
      expect(numbers(sim)).toEqual(expected)
      expect(sim.report.iterations).toBe(one.report.iterations)
    }
  })

  it('solves what a dense factorisation solves', () => {
    const n = model.nv
    const state = randomState(model, createRandom(8))
    const system = createSystem(model)
    system.step[0] = 0.005
    assemble(system, state)
    rightHandSide(system, state, state.v)
    addTurningStiffness(system)
    const A = new Float64Array(n * n)
    for (let k = 0; k < n; k++) {
      const column = new Float64Array(n)
      applySystem(
        system,
        column,
        Float64Array.from({ length: n }, (_, i) => (i === k ? 1 : 0)),
      )
      for (let i = 0; i < n; i++) A[i * n + k] = column[i]
    }
    const v = system.b.slice()
    expect(cholesky(A, 0, n)).toBe(true)
    forwardSubstitute(A, 0, n, v, 0, 1)
    backSubstitute(A, 0, n, v, 0, 1)
    const found = run(model, inOneThread(anywhere(model, 3)), 8, 1).state.v
    for (let k = 0; k < n; k++) expect(Math.abs(found[k] - v[k])).toBeLessThan(1e-9 * (1 + Math.abs(v[k])))
  })
})

function specOf(name: string, values: ParameterValues): Spec {
  const found = findScene(name)
  if (!found) throw new Error(`no scene ${name}`)
  return found.build(values)
}

// the end of the deck hangs in its cables alone
const bridge = { ...specOf('bridge', { bodies: 16, towers: 'flexible' }), constraints: [] }

describe.each([
  ['tree', buildModel(specOf('tree', { levels: 4 }))],
  ['alternate-tree', buildModel(specOf('alternate-tree', { levels: 4 }))],
  ['bridge without its bearing', buildModel(bridge)],
] as const)('scene %s', (_name, model) => {
  it('has the same bits on 1, 2, 3, 7 processors, and the motion of the serial solver to 1e-9', () => {
    const start = { contact: false, timestep: 0.01 }
    const steps = (sim: Simulation): Simulation => {
      expect(sim.step(40).message).toBe('')
      return sim
    }
    const serial = numbers(steps(createSimulation(model, { solver: 'redmax', ...serially, ...start })))
    const expected = numbers(steps(createSimulation(model, { solver: inOneThread(anywhere(model, 1)), ...start })))
    for (const [k, x] of expected.entries()) expect(Math.abs(x - serial[k])).toBeLessThan(1e-9 * (1 + Math.abs(serial[k])))
    for (const processors of PROCESSORS.slice(1))
      expect(numbers(steps(createSimulation(model, { solver: inOneThread(anywhere(model, processors)), ...start })))).toEqual(expected)
  })
})

/** A trunk with arms of so many links, whose ends are tied to one another and to the world. */
function arms(links: number, springs = true, extra: Partial<Spec> = {}): Spec {
  const body = (name: string, parent: string): BodySpec => ({
    name,
    parent,
    position: [0.1, 0, 0],
    inertia: { mass: 0.1, com: [0.05, 0, 0], tensor: [1e-5, 1e-4, 1e-4, 0, 0, 0] },
    joints: [{ type: 'revolute', axis: [0, 1, 0], damping: 0.01, stiffness: 1 }],
  })
  const names = ['a', 'b', 'c', 'd']
  const arm = (name: string): BodySpec[] =>
    Array.from({ length: links }, (_, k) => body(`${name}${k}`, k === 0 ? 'trunk' : `${name}${k - 1}`))
  const end = (name: string) => ({ body: `${name}${links - 1}`, point: [0.1, name === 'a' ? 0.1 : 0, 0.02 * name.charCodeAt(0)] as const })
  const ties = names.map((name, k) => ({ a: end(name), b: end(names[(k + 1) % 4]), stiffness: 500, damping: 0.5, rest: 0.1 }))
  return { name: 'arms', bodies: [body('trunk', 'world'), ...names.flatMap(arm)], springs: springs ? ties : [], ...extra }
}

it('takes one iteration a step where nothing joins bodies', () => {
  const model = buildModel(arms(6, false))
  expect(run(model, inOneThread(anywhere(model, 3), 1e-10), 1, 20).report.iterations).toBe(20)
})

it('sends 24 + 47, 12 + 7 and 7 numbers over an edge, and 18 and 6 of a body that is tied, with arms of 5 links as with arms of 50', () => {
  for (const links of [5, 50]) {
    const model = buildModel(arms(links))
    const units = anywhere(model, 3, 2)
    expect(new Set(units.units.map(({ rank }) => rank)).size).toBe(3)
    const up = units.units.filter(({ rank, parent }) => rank !== (parent < 0 ? 0 : units.units[parent].rank)).length
    const down = units.units.reduce(
      (sum, { rank, children }) => sum + new Set(children.map((c) => units.units[c].rank).filter((r) => r !== rank)).size,
      0,
    )
    const { processors } = redmaxInOneThread(model, units, TIGHT)
    const tied = processors.reduce((sum, { products }) => sum + products.told.length, 0)
    expect([up, down, tied].every((count) => count > 0 && count < 20)).toBe(true)
    const total = (of: 'begin' | 'product' | 'update'): number => processors.reduce((sum, { sent }) => sum + sent[of].numbers, 0)
    expect(total('begin')).toBe(24 * down + 18 * tied + 47 * up)
    expect(total('product')).toBe(12 * down + 6 * tied + 7 * up)
    expect(total('update')).toBe(7 * up)
  }
})

it('takes up what is written between steps, and goes on from a snapshot with the same bits', () => {
  const model = buildModel(arms(4))
  const play = (solver: Solver): number[] => {
    const sim = run(model, solver, 2, 5)
    sim.state.v[3] += 0.5
    sim.state.tau[2] = 0.1
    sim.step(5)
    const bytes = sim.snapshot()
    const first = numbers((sim.step(5), sim))
    sim.step(7)
    sim.restore(bytes)
    expect(numbers((sim.step(5), sim))).toEqual(first)
    return first
  }
  const one = play(inOneThread(anywhere(model, 1)))
  for (const processors of PROCESSORS.slice(1)) expect(play(inOneThread(anywhere(model, processors)))).toEqual(one)
})

it('leaves the state as it was where a step fails', () => {
  const model = buildModel(arms(4))
  const sim = run(model, inOneThread(anywhere(model, 3)), 2, 5)
  const before = numbers(sim)
  sim.state.tau[0] = Number.NaN
  expect(sim.step().status).toBe('diverged')
  expect(numbers(sim)).toEqual(before)
  sim.state.tau[0] = 0
  expect(sim.step().status).toBe('ok')
})

it('has motors, loads, tendons and what drags where their bodies are: the same bits on 1, 2, 3, 7 processors', () => {
  const pulled = arms(4, true, {
    tendons: [
      { name: 'along', path: [{ body: 'a0' }, { body: 'a3', point: [0, 0, 0.1] }], stiffness: 300, damping: 1, rest: 0.1 },
      { name: 'joints', joints: [1, 2].map((k) => ({ joint: `c${k}-joint`, coefficient: k })), stiffness: 50 },
    ],
    loads: ['b2', 'd3'].map((body) => ({ body, force: [0.1, 0.2, 0.3] })),
    medium: { density: 1.2, viscosity: 1e-3 },
    actuators: [
      ...['a1', 'b1', 'c1', 'd1'].map((name) => ({
        name: `${name} servo`,
        joint: `${name}-joint`,
        gain: [20, 0, 0] as const,
        bias: [0, -20, -1] as const,
      })),
      { name: 'pull', tendon: 'along', gain: [5, 0, 0], bias: [0, -5, -0.1] },
    ],
  })
  const model = buildModel({
    ...pulled,
    bodies: pulled.bodies.map((body) => ({
      ...body,
      joints: (body.joints ?? []).map((joint) => ({ ...joint, name: `${body.name}-joint` })),
    })),
  })
  const play = (solver: Solver | string, options = {}): number[] => {
    const sim = createSimulation(model, { solver, timestep: 0.005, contact: false, ...options })
    sim.reset(randomState(model, createRandom(4)))
    sim.state.control.fill(0.3)
    expect(sim.step(10).message).toBe('')
    sim.state.control[1] = -0.5
    expect(sim.step(10).message).toBe('')
    return numbers(sim)
  }
  const serial = play('redmax', serially)
  const expected = play(inOneThread(anywhere(model, 1)))
  for (const [k, x] of expected.entries()) expect(Math.abs(x - serial[k])).toBeLessThan(1e-9 * (1 + Math.abs(serial[k])))
  for (const processors of PROCESSORS.slice(1)) expect(play(inOneThread(anywhere(model, processors)))).toEqual(expected)
})

it('ends with a message where another processor is gone', () => {
  const model = buildModel(arms(3))
  const { processors } = redmaxInOneThread(model, anywhere(model, 1), TIGHT)
  const orders: number[] = []
  const gone = (): void => {
    orders.push(processors[0].order[0])
    if (orders.length === 3) throw linkError(2, 'no power')
    processors[0].begin()
    processors[0].run()
  }
  let close: boolean | undefined
  const stepper = redmaxStepper(model, processors[0], gone, TIGHT, (lost) => {
    close = lost
  })
  const sim = createSimulation(model, { solver: { ...redmax, create: () => stepper }, contact: false })
  const before = numbers(sim)
  const { status, message } = sim.step()
  expect([status, numbers(sim)]).toEqual(['lost', before])
  expect(message).toMatch(/^processor 2 is gone: no power/)
  expect(sim.step().message).toBe(message)
  sim.close()
  expect([close, orders.length]).toEqual([true, 3])
})

describe('forces of your own', () => {
  const model = buildModel(arms(4))
  const names = model.bodies.map(({ name }) => name)
  /** a damper to the world at one body, or between two, as a row */
  const damper = (...bodies: readonly string[]): Force => ({
    name: 'damper',
    apply(_m, d) {
      for (const i of bodies.map((name) => names.indexOf(name))) d.f[6 * i + 4] -= 0.3 * d.V[6 * i + 4]
    },
    linearize(_m, _d, _s, terms) {
      terms.damping[openStiffRow(terms)] = 0.3
      for (const name of bodies) terms.J[addStiffEntry(terms, names.indexOf(name)) + 4] = 1
    },
  })

  it('act on the bodies of each processor', () => {
    const serial = numbers(run(model, 'redmax', 2, 20, { ...serially, forces: [damper('b2')] }))
    const expected = numbers(run(model, inOneThread(anywhere(model, 1)), 2, 20, { forces: [damper('b2')] }))
    for (const [k, x] of expected.entries()) expect(Math.abs(x - serial[k])).toBeLessThan(1e-9 * (1 + Math.abs(serial[k])))
    for (const processors of PROCESSORS.slice(1))
      expect(numbers(run(model, inOneThread(anywhere(model, processors)), 2, 20, { forces: [damper('b2')] }))).toEqual(expected)
  })

  it('are refused where they join bodies of processors that know nothing of each other', () => {
    const units = anywhere(model, 3, 2)
    const rank = (name: string): number =>
      units.units.find(({ from, to }) => names.indexOf(name) >= from && names.indexOf(name) < to)?.rank ?? -1
    const far = ['b1', 'c1', 'd1'].find((name) => rank(name) !== rank('a1'))
    expect(() => run(model, inOneThread(units), 2, 1, { forces: [damper('a1', String(far))] })).toThrow(
      /'damper'\) joins bodies of different processors/,
    )
  })
})

/** A crew that is alone. */
const alone = (model: Model): Crew => {
  const [link] = createInProcessLinks(1, 1024)
  return leadCrew(model, link, { clock: () => 0, costs: { cmptm: 1e-6, roitm: 1e-6 } })
}

describe('the solver', () => {
  it.each<[string, Spec, RegExp]>([
    ['limits', arms(3, true, { bodies: limited(arms(3).bodies) }), /joint limits \(/],
    [
      'constraints',
      arms(3, true, { constraints: [{ type: 'point', name: 'shut', a: { body: 'a2' }, b: { body: 'b2' } }] }),
      /constraints \(shut\)/,
    ],
  ])('refuses %s by name', (_what, spec, message) => {
    const model = buildModel(spec)
    expect(() => createSimulation(model, { solver: parallelRedmax(alone(model)) })).toThrow(message)
    expect(() => createSimulation(model, { solver: parallelRedmax(alone(model)) })).toThrow(/run redmax on one processor/)
  })

  it('refuses tendons over bodies of different processors, and no others', () => {
    const model = buildModel(
      arms(3, true, {
        tendons: [
          { name: 'along', path: [{ body: 'a0' }, { body: 'a2' }], stiffness: 1 },
          { name: 'across', path: [{ body: 'a2' }, { body: 'b2' }], stiffness: 1 },
        ],
      }),
    )
    const names = model.bodies.map(({ name }) => name)
    const units = anywhere(model, 2, 5)
    const rank = (name: string): number =>
      units.units.find(({ from, to }) => names.indexOf(name) >= from && names.indexOf(name) < to)?.rank ?? -1
    expect(rank('a2')).not.toBe(rank('b2'))
    expect(undividedRedmax(model, units)).toMatch(/tendons over bodies of different processors \(across\)/)
    expect(undividedRedmax(model, anywhere(model, 1))).toBeNull()
  })

  it('has the bits of one thread on two threads', async () => {
    const program = await bundled('../../src/parallel/thread-main.ts')
    try {
      const model = buildModel(specOf('tree', { levels: 4 }))
      const crew = await crewOnThreads(model, { processors: 2, always: true, thread: `file://${program.path}`, costs: { cmptm: 1e-6 } })
      const share = shareOut(model, 2, crew.costs, { longest: 0 })
      expect(share.processors).toBe(2)
      const sim = createSimulation(model, { solver: parallelRedmax(crew), tolerance: TIGHT, contact: false, timestep: 0.01 })
      expect(sim.step(40).message).toBe('')
      const threads = numbers(sim)
      sim.close()
      const one = createSimulation(model, { solver: inOneThread(anywhere(model, 1)), contact: false, timestep: 0.01 })
      one.step(40)
      expect(threads).toEqual(numbers(one))
    } finally {
      program.remove()
    }
  })
})

function limited(bodies: readonly BodySpec[]): BodySpec[] {
  return bodies.map((body, k) => (k === 2 ? { ...body, joints: [{ type: 'revolute', axis: [0, 1, 0], limits: [-1, 1] }] } : body))
}
