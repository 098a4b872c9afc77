/**
 * Products with the Jacobian and the matrix of a step, its factor and solve over several processors: the bits of the functions in one piece.
 */
import type { Model, State } from 'limber'
import { describe, expect, it } from 'vitest'
import { branchesOf } from '../../src/parallel/branches.js'
import {
  downPass,
  factorPart,
  forcePart,
  motionPart,
  solveDownPart,
  solveUpPart,
  sumPart,
  upPass,
} from '../../src/parallel/passes/parts.js'
import { assembleOwn, createProducts, type Products, scheduleProduct, startOwnFactor } from '../../src/parallel/passes/products.js'
import { findUnits, type Units } from '../../src/parallel/passes/units.js'
import { numbersOf } from '../../src/parallel/passes/whole.js'
import { addTurningStiffness } from '../../src/solvers/redmax/linearised/published-stiffness.js'
import { applySystem, assemble, createSystem, rightHandSide, weighBlocks } from '../../src/solvers/redmax/matrix/system.js'
import { createImplicitFactor, factorImplicit, solveImplicit } from '../../src/tree/implicit-factor.js'
import { jacobianProduct, jacobianTransposeProduct } from '../../src/tree/jacobian.js'
import { forwardKinematics } from '../../src/tree/kinematics.js'
import { randomState, type Shape } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'
import { anywhere, runSchedules, tiedTree } from './tied-trees.js'

const PROCESSORS = [1, 2, 3, 7]
const STEP = 0.01

const cases = (['chain', 'star', 'random'] as Shape[]).flatMap((shape) =>
  [1, 2, 3].map((seed): [string, Model, State] => {
    const model = tiedTree({ seed, bodies: 20, shape, floating: seed === 2 })
    return [`${shape}, seed ${seed}`, model, randomState(model, createRandom(seed))]
  }),
)

/** The products of every processor, with the kinematics of its own bodies and of those that it is told of, and NaN elsewhere. */
function everywhere(model: Model, units: Units, state: State): Products[] {
  return Array.from({ length: units.processors }, (_, rank) => {
    const products = createProducts(model, units, rank)
    const { data, step } = products.system
    step[0] = STEP
    forwardKinematics(model, data, state.q, state.v)
    data.kernels.addMotionRates(data.tree, data.poses, data.A.byteOffset, data.c.byteOffset, 1, model.nbody)
    for (let i = 1; i < model.nbody; i++) {
      if (products.known[i] === 1) continue
      data.X_WB.fill(Number.NaN, 12 * i, 12 * i + 12)
      data.V.fill(Number.NaN, 6 * i, 6 * i + 6)
      data.X_PB.fill(Number.NaN, 12 * i, 12 * i + 12)
    }
    for (const name of ['q', 'v', 'tau'] as const) products.state[name].set(state[name])
    return products
  })
}

/** What each processor has of a vector, in one. */
function gather(model: Model, units: Units, of: (rank: number) => Float64Array): Float64Array {
  const out = new Float64Array(model.nv).fill(Number.NaN)
  for (let r = 0; r < units.processors; r++) for (const k of numbersOf(model, units, r).velocities) out[k] = of(r)[k]
  return out
}

/** The system of the step in one piece, with its right-hand side and its factor. */
function serial(model: Model, state: State) {
  const system = createSystem(model)
  system.step[0] = STEP
  assemble(system, state)
  rightHandSide(system, state, state.v)
  addTurningStiffness(system)
  weighBlocks(system)
  const factor = createImplicitFactor(model)
  expect(factorImplicit(model, system.data, factor, system.bodies, system.joints)).toBe(true)
  return { system, factor }
}

describe.each(cases)('%s', (_name, model, state) => {
  const random = createRandom(model.nv)
  const x = random.array(model.nv, 1)
  const wrenches = random.array(6 * model.nbody, 1)

  it('y = J x and x = Jᵀ F have the bits of one piece', () => {
    const { data } = createSystem(model)
    forwardKinematics(model, data, state.q, state.v)
    const y = new Float64Array(6 * model.nbody)
    jacobianProduct(model, data, y, x)
    const sums = new Float64Array(model.nv)
    jacobianTransposeProduct(model, data, sums, wrenches.slice())
    for (const processors of PROCESSORS) {
      const units = anywhere(model, processors)
      const all = everywhere(model, units, state)
      runSchedules(units, (s, { rank }) => {
        const { system, x: own } = all[rank]
        own.set(x)
        s.down(downPass(motionPart(system.data, system.y, own)))
      })
      for (const { from, to, rank } of units.units)
        expect(Array.from(all[rank].system.y.subarray(6 * from, 6 * to))).toEqual(Array.from(y.subarray(6 * from, 6 * to)))
      runSchedules(units, (s, { rank }) => {
        const { system, r, model: m } = all[rank]
        r.fill(0)
        for (const i of units.units.filter((u) => u.rank === rank)) system.F.set(wrenches.subarray(6 * i.from, 6 * i.to), 6 * i.from)
        s.up(upPass(forcePart(m, system.data, r, system.F)))
      })
      expect(gather(model, units, (r) => all[r].r)).toEqual(sums)
    }
  })

  it('the right-hand side, A x and P⁻¹ x have the bits of one piece, and sums those of any number of processors', () => {
    const one = serial(model, state)
    const product = new Float64Array(model.nv)
    applySystem(one.system, product, x)
    const solved = new Float64Array(model.nv)
    solveImplicit(model, one.factor, solved, 0, x, 0)
    let energy: number | undefined
    for (const processors of PROCESSORS) {
      const units = anywhere(model, processors)
      const all = everywhere(model, units, state)
      for (const products of all) {
        assembleOwn(products)
        startOwnFactor(products)
      }
      runSchedules(units, (s, { rank }) => {
        const { model: m, system, factor, z, x: own, p2, other } = all[rank]
        own.set(x)
        s.up(upPass(forcePart(m, system.data, system.b, system.F), factorPart(m, factor), solveUpPart(m, factor, other, p2, z, own)))
        s.down(downPass(solveDownPart(factor, z)))
      })
      expect(gather(model, units, (r) => all[r].system.b)).toEqual(one.system.b.slice())
      expect(gather(model, units, (r) => all[r].z)).toEqual(solved)

      runSchedules(units, (s, { rank }) => {
        const { x: own, Ap, z, sums, sums2, model: m } = all[rank]
        own.set(x)
        const { data } = all[rank].system
        scheduleProduct(s, rank, all[rank], Ap, own, [], [sumPart(m, data, sums, own, Ap), sumPart(m, data, sums2, own, z)])
      })
      expect(gather(model, units, (r) => all[r].Ap)).toEqual(product)
      const [sum] = all[0].sums
      const expected = x.reduce((sum, value, k) => sum + value * product[k], 0)
      expect(Math.abs(sum - expected)).toBeLessThan(1e-12 * Math.abs(expected))
      expect(all[0].sums2[0]).toBeCloseTo(
        x.reduce((sum, value, k) => sum + value * solved[k], 0),
        10,
      )
      energy ??= sum
      expect(sum).toBe(energy)
      // places of other bodies are empty again, for the next sum
      for (const { sums, sums2 } of all) for (const own of [sums, sums2]) expect(own.subarray(1).every((value) => value === 0)).toBe(true)
    }
  })
})

it('units of chains that are cut are refused', () => {
  const model = tiedTree({ seed: 1, bodies: 20, shape: 'chain' })
  const branches = branchesOf(model, { longest: 5 })
  const units = { ...findUnits(model, branches, new Int32Array(branches.count)), processors: 1 }
  expect(() => runSchedules(units, (s) => s.up(upPass()))).toThrow('longest: 0')
  expect(() => runSchedules(units, (s) => s.down(downPass()))).toThrow('longest: 0')
})
