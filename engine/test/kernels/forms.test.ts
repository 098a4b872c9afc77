/**
 * Every form of a kernel gives the same bits: WebAssembly in memory of its own and in shared memory, JavaScript, and the source itself, whose
 * zeros may have another sign.
 */
import { createData, type Data, type Model, useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { afterEach, describe, expect, it } from 'vitest'
import { dataSize } from '../../src/model/data.js'
import { treeModule } from '../../src/printed/tree.js'
import { aba } from '../../src/tree/aba.js'
import { compositeInertias, crba } from '../../src/tree/crba.js'
import { createImplicitFactor, factorImplicit, multiplyInertia, solveImplicit } from '../../src/tree/implicit-factor.js'
import { jacobianProduct, jacobianRateProduct, jacobianTransposeProduct } from '../../src/tree/jacobian.js'
import { forwardKinematics } from '../../src/tree/kinematics.js'
import { inertialPass } from '../../src/tree/point-inertia.js'
import { createMoments } from '../../src/tree/point-moments.js'
import { rnea } from '../../src/tree/rnea.js'
import { solveInertia } from '../../src/tree/solve.js'
import { deformingTree } from '../conformance/deforming-tree.js'
import { type RandomTree, randomTree } from '../conformance/random-tree.js'
import { inSourceForm } from './source-form.js'

afterEach(() => useKernels('wasm'))

/** Every kernel of the tree once, and all that they wrote. */
function everything(m: Model, d: Data, { state, f }: { state: RandomTree['state']; f: Float64Array }): number[] {
  const out = new Float64Array(m.nv)
  const collected: number[] = []
  const collect = (...lists: readonly Float64Array[]): void => {
    for (const list of lists) for (const x of list) collected.push(x)
  }
  forwardKinematics(m, d, state.q, state.v)
  d.f.set(f)
  collect(d.X_PB, d.X_WB, d.S, d.V, d.c)
  aba(m, d, state.v, state.tau, out)
  collect(out, d.SW, d.VW, d.cW, d.AW, d.IA, d.pA, d.U, d.D, d.u)
  solveInertia(m, d, out, 0, state.tau, 0)
  collect(out)
  rnea(m, d, state.tau, out)
  collect(out, d.A, d.F)
  const y = new Float64Array(6 * m.nbody)
  jacobianProduct(m, d, y, state.v)
  collect(y)
  jacobianRateProduct(m, d, y)
  collect(y)
  jacobianTransposeProduct(m, d, out, y)
  collect(out, y)
  compositeInertias(m, d)
  collect(d.IA)
  const M = new Float64Array(m.nv * m.nv)
  crba(m, d, M)
  collect(M)
  const scratch = {
    moments: createMoments(m),
    lift: new Float64Array(m.nbody).fill(0.5),
    W: new Float64Array(12 * m.nbody),
    E: new Float64Array(2),
  }
  inertialPass(m, scratch.moments, scratch.lift, d.X_WB, d.X_WB, d.X_PB, Float64Array.of(2), scratch.W, scratch.E)
  collect(scratch.W, scratch.E)
  return collected
}

function factored(m: Model, d: Data, { state, f }: { state: RandomTree['state']; f: Float64Array }): number[] {
  const factor = createImplicitFactor(m)
  const out = new Float64Array(m.nv)
  forwardKinematics(m, d, state.q, state.v)
  const joints = Float64Array.from({ length: m.nv }, (_, k) => 0.1 + Math.abs(state.tau[k]))
  expect(factorImplicit(m, d, factor, undefined, joints)).toBe(true)
  solveImplicit(m, factor, out, 0, state.tau, 0)
  const solution = [...out]
  multiplyInertia(m, factor, out, 0, state.v, 0, f)
  return [...solution, ...out, ...factor.IA, ...factor.W]
}

const trees: [string, () => RandomTree][] = []
for (let seed = 1; seed <= 30; seed++) trees.push([`seed ${seed}`, () => randomTree({ seed, bodies: 3 + (seed % 14) })])
for (let seed = 1; seed <= 6; seed++) trees.push([`deforming, seed ${seed}`, () => deformingTree(seed, 4 + seed)])

const withoutSign = (x: number): number => (x === 0 ? 0 : x)

describe.each(trees)('kernels on a random tree: %s', (_, make) => {
  it('have the same bits as WebAssembly, in shared memory, as JavaScript and as they are written', () => {
    const { model: m, state, random } = make()
    const given = { state, f: random.array(6 * m.nbody, 1) }
    const wasm = createData(m)
    expect(wasm.block.wasm).toBeDefined()
    const expected = everything(m, wasm, given)

    const pages = Math.ceil(dataSize(m) / 65536)
    const shared = createData(m, { buffer: new WebAssembly.Memory({ initial: pages, maximum: 65536, shared: true }) })
    expect(everything(m, shared, given)).toEqual(expected)

    const source = everything(m, inSourceForm(createData(m)), given)
    expect(source.map(withoutSign)).toEqual(expected.map(withoutSign))

    const factor = m.modes.count === 0 ? factored(m, wasm, given) : []
    useKernels(jsKernels)
    const js = createData(m)
    expect(js.block.wasm).toBeUndefined()
    expect(everything(m, js, given)).toEqual(expected)
    expect(m.modes.count === 0 ? factored(m, js, given) : []).toEqual(factor)
    expect(everything(m, createData(m, { buffer: new SharedArrayBuffer(dataSize(m)) }), given)).toEqual(expected)
  })
})

describe('kernels', () => {
  it('without WebAssembly say what to do', () => {
    const { model } = randomTree({ seed: 1, bodies: 3 })
    useKernels({})
    expect(() => createData(model)).toThrow(/useKernels\(jsKernels\)/)
  })

  it('take the JavaScript form only where WebAssembly is refused, if asked so', () => {
    const { model } = randomTree({ seed: 1, bodies: 3 })
    useKernels(jsKernels, { whenRefused: true })
    expect(createData(model).block.wasm).toBeDefined()
  })

  it('are all there in both forms', () => {
    expect(Object.keys(jsKernels.tree).sort()).toEqual([...treeModule.kernels].sort())
  })
})
