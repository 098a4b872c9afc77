/**
 * One simulation over several processors has the bits of any other number of them, and on trees without long chains those of the serial method.
 */
import type { Model } from 'limber'
import { buildModel, createState, jointTypes } from 'limber'
import { describe, expect, it } from 'vitest'
import { branchesOf } from '../../src/parallel/branches.js'
import { adamsInOneThread } from '../../src/parallel/in-one-thread.js'
import { findUnits } from '../../src/parallel/passes/units.js'
import { keepTogether } from '../../src/parallel/share.js'
import { createAdams } from '../../src/solvers/ode/adams.js'
import { createModelProblem } from '../../src/solvers/ode/model-problem.js'
import type { Integrator } from '../../src/solvers/ode/problem.js'
import { everyForce } from '../conformance/every-force.js'
import { randomSpec, randomTree, type Shape } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'

const STEPS = 25
const OPTIONS = { rtol: 1e-5, atol: 1e-6 }

/** y after some steps, and what the control did. */
function run(integrator: Integrator, problem: ReturnType<typeof createModelProblem>, model: Model, v0: Float64Array): number[] {
  const state = createState(model)
  state.v.set(v0)
  const y = new Float64Array(2 * model.nv)
  problem.read(y, state)
  integrator.start(0, y)
  for (let k = 0; k < STEPS; k++) expect(integrator.advance()).toBe('ok')
  integrator.dense(y, integrator.time())
  problem.write(state.q, state.v, y)
  return [integrator.time(), integrator.stepSize(), integrator.statistics.rejected, ...state.q, ...state.v]
}

/** Blocks dealt out at random, so that processors have scattered parts too. */
function anywhere(model: Model, processors: number, longest: number, seed: number) {
  const branches = branchesOf(model, { longest })
  const random = createRandom(seed)
  const processorOf = Int32Array.from({ length: branches.count }, () => random.below(processors))
  keepTogether(model, branches, processorOf)
  return { ...findUnits(model, branches, processorOf), processors }
}

const models = (): [string, Model, Float64Array][] => {
  const list: [string, Model, Float64Array][] = []
  for (const shape of ['chain', 'star', 'random'] as Shape[]) {
    for (const floating of [false, true]) {
      const { model, random } = randomTree({ seed: 11, bodies: 24, shape, floating })
      list.push([`${shape}${floating ? ', floating' : ''}`, model, Float64Array.from({ length: model.nv }, () => random.between(-1, 1))])
    }
  }
  // several trees in one world
  const spec = randomSpec({ seed: 4, bodies: 10 }, createRandom(4))
  const two = {
    ...spec,
    bodies: [
      ...spec.bodies,
      ...spec.bodies.map((b) => ({ ...b, name: `x${b.name}`, parent: b.parent === 'world' ? 'world' : `x${b.parent}` })),
    ],
  }
  const model = buildModel(two)
  list.push(['two trees', model, new Float64Array(model.nv)])
  // servos in every joint, and nothing that joins bodies: units are worked on there and back in one go, or not
  const servos = randomSpec(
    { seed: 9, bodies: 24, types: jointTypes.filter(({ name }) => name === 'revolute' || name === 'prismatic') },
    createRandom(9),
  )
  const named = servos.bodies.map((b) => ({ ...b, joints: (b.joints ?? []).slice(0, 1).map((j) => ({ ...j, name: `j${b.name}` })) }))
  const driven = buildModel({
    ...servos,
    bodies: named,
    actuators: named.map(({ name }) => ({ joint: `j${name}`, gain: [20, 0, 0], bias: [0, -20, -1] })),
  })
  list.push(['servos', driven, Float64Array.from({ length: driven.nv }, (_, k) => Math.sin(k))])
  const pulled = buildModel(everyForce(20))
  list.push(['every force', pulled, new Float64Array(pulled.nv)])
  return list
}

describe('without cuts in chains', () => {
  it.each(models())('%s has the bits of the serial method on 1, 2, 3, 7 processors', (_name, model, v0) => {
    const problem = createModelProblem(model)
    const expected = run(createAdams(problem, OPTIONS), problem, model, v0)
    for (const processors of [1, 2, 3, 7]) {
      const { integrator } = adamsInOneThread(model, anywhere(model, processors, 0, processors), OPTIONS)
      expect(run(integrator, integrator.problem, model, v0)).toEqual(expected)
    }
  })
})

describe('with chains cut into blocks', () => {
  it.each(models())('%s has the same bits on 1, 2, 3, 7 processors, and those of the serial method to rounding', (_name, model, v0) => {
    const problem = createModelProblem(model)
    const serial = run(createAdams(problem, OPTIONS), problem, model, v0)
    const one = adamsInOneThread(model, anywhere(model, 1, 3, 1), OPTIONS).integrator
    const expected = run(one, one.problem, model, v0)
    for (const [k, x] of expected.entries()) expect(Math.abs(x - serial[k])).toBeLessThan(1e-8 * (1 + Math.abs(serial[k])))
    for (const processors of [2, 3, 7]) {
      const { integrator } = adamsInOneThread(model, anywhere(model, processors, 3, processors), OPTIONS)
      expect(run(integrator, integrator.problem, model, v0)).toEqual(expected)
    }
  })
})
