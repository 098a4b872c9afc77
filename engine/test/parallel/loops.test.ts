/**
 * Loops whose ends are on different processors: the bits of the serial method on any number of processors, and messages that do not grow with the joints.
 */
import { type BodySpec, buildModel, createState, type Model, type Spec, type State } from 'limber'
import { describe, expect, it } from 'vitest'
import { closeState } from '../../src/constraints/assembly/close-state.js'
import { branchesOf } from '../../src/parallel/branches.js'
import { adamsInOneThread } from '../../src/parallel/in-one-thread.js'
import { ranksOf } from '../../src/parallel/passes/halo.js'
import { findUnits, type Units } from '../../src/parallel/passes/units.js'
import { createAdams } from '../../src/solvers/ode/adams.js'
import { createModelProblem } from '../../src/solvers/ode/model-problem.js'
import type { Integrator } from '../../src/solvers/ode/problem.js'
import { closedTree } from '../constraints/closed-tree.js'
import { createRandom } from '../random.js'

const STEPS = 20
const OPTIONS = { rtol: 1e-5, atol: 1e-6 }

/** y after some steps, and what the control did. */
function run(integrator: Integrator, problem: ReturnType<typeof createModelProblem>, model: Model, start: State): number[] {
  const state = createState(model)
  const y = new Float64Array(2 * model.nv)
  problem.read(y, start)
  integrator.start(0, y)
  for (let k = 0; k < STEPS; k++) expect(integrator.advance()).toBe('ok')
  integrator.dense(y, integrator.time())
  problem.write(state.q, state.v, y)
  return [integrator.time(), integrator.stepSize(), integrator.statistics.rejected, ...state.q, ...state.v]
}

/** Branches dealt out at random. */
function anywhere(model: Model, processors: number, seed: number) {
  const branches = branchesOf(model, { longest: 3 })
  const random = createRandom(seed)
  const processorOf = Int32Array.from({ length: branches.count }, () => random.below(processors))
  return { ...findUnits(model, branches, processorOf), processors }
}

function startOf(model: Model, v: Float64Array): State {
  const state = createState(model)
  state.v.set(v)
  expect(closeState(model, state).refusal).toBe('')
  return state
}

/** Whether some constraint has its ends on different processors. */
function isJoined(model: Model, units: Units): boolean {
  const rank = ranksOf(units, model.nbody)
  const { bodyA, bodyB } = model.constraints
  return Array.from(bodyA, (a, k) => a > 0 && bodyB[k] > 0 && rank[a] !== rank[bodyB[k]]).includes(true)
}

/** A second tree in the world, joined to the first one. */
function doubled(spec: Spec): Spec {
  const other = (name: string | undefined): string => (name === undefined || name === 'world' ? 'world' : `x${name}`)
  const copies = spec.bodies.map((body) => ({
    ...body,
    name: other(body.name),
    parent: other(body.parent),
    joints: (body.joints ?? []).map((joint) => ({ ...joint, name: `x${joint.name}` })),
  }))
  const tie = { name: 'tie', type: 'distance', a: { body: 'b3' }, b: { body: 'xb5' } } as const
  return { ...spec, bodies: [...spec.bodies, ...copies], constraints: [...(spec.constraints ?? []), tie] }
}

describe('loops between processors', () => {
  it.each([21, 22, 23, 25, 26, 28])('seed %i has the bits of the serial method on 1, 2, 3, 7 processors', (seed) => {
    const { model, random } = closedTree({ seed, bodies: 24, loops: 4, twice: seed === 26, floating: seed % 2 === 0, inside: true })
    const start = startOf(model, random.array(model.nv, 0.5))
    const problem = createModelProblem(model)
    const expected = run(createAdams(problem, OPTIONS), problem, model, start)
    for (const processors of [1, 2, 3, 7]) {
      const units = anywhere(model, processors, processors)
      if (processors > 1) expect(isJoined(model, units)).toBe(true)
      const { integrator } = adamsInOneThread(model, units, OPTIONS)
      expect(run(integrator, integrator.problem, model, start)).toEqual(expected)
    }
  })

  it('two trees in the world that a row joins have the bits of the serial method', () => {
    const { spec } = closedTree({ seed: 27, bodies: 9, loops: 2, driven: false })
    const model = buildModel(doubled(spec))
    const start = startOf(model, new Float64Array(model.nv))
    const problem = createModelProblem(model)
    const expected = run(createAdams(problem, OPTIONS), problem, model, start)
    for (const processors of [2, 3, 5]) {
      const { integrator } = adamsInOneThread(model, anywhere(model, processors, processors), OPTIONS)
      expect(run(integrator, integrator.problem, model, start)).toEqual(expected)
    }
  })
})

/** Two arms of so many links on a base, whose tips are held together; each arm on a processor of its own, the base on a third. */
function arms(links: number, closed = true): Model {
  const bar = { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.1, 0.1, 0, 0, 0] } as const
  const arm = (name: string, y: number): BodySpec[] =>
    Array.from({ length: links }, (_, k) => ({
      name: `${name}${k}`,
      parent: k === 0 ? 'base' : `${name}${k - 1}`,
      position: k === 0 ? [0, y, 0] : [1, 0, 0],
      inertia: bar,
      joints: [{ type: 'revolute', axis: [0, 0.6, 0.8], initial: k === 0 ? -0.3 : 0.02 }],
    }))
  const tip = (name: string, y: number) => ({ body: `${name}${links - 1}`, point: [1, y, 0] as const })
  return buildModel({
    bodies: [{ name: 'base', inertia: bar, joints: [{ type: 'revolute', axis: [0, 0, 1] }] }, ...arm('left', 0.5), ...arm('right', -0.5)],
    constraints: [{ name: 'tips', active: closed, type: 'point', a: tip('left', -0.5), b: tip('right', 0.5), axes: [[0, 0, 1]] }],
  })
}

describe('messages', () => {
  it('are of the same size for arms of 5 and of 50 links', () => {
    const sent = [5, 50].map((links) => {
      const model = arms(links)
      const { processors } = adamsInOneThread(model, { ...findUnits(model, branchesOf(model), [0, 0, 1, 2]), processors: 3 }, OPTIONS)
      return processors.map((p) => ({ ...p.sent, capacity: p.capacity }))
    })
    expect(sent[1]).toEqual(sent[0])
    // an arm: its tip to the other, 27 and the columns of one row up, and what the follow-up sums
    const rowsUp = 6 + 5 + 1
    const without = arms(5, false)
    const plain = adamsInOneThread(without, { ...findUnits(without, branchesOf(without), [0, 0, 1, 2]), processors: 3 }, OPTIONS)
    expect(sent[0][1].numbers - plain.processors[1].sent.numbers).toBe(18 + rowsUp)
    expect(sent[0][1].messages - plain.processors[1].sent.messages).toBe(1)
  })
})
