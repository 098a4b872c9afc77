import { describe, expect, it } from 'vitest'
import { randomTree, type Shape } from '../../../test/conformance/random-tree.js'
import { buildModel } from '../../build/build-model.js'
import { inverseDynamics, massMatrix } from '../../forces/dynamics.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { createState, type State } from '../../model/state.js'
import { createLists, createRegion } from './region.js'
import { createWork } from './work.js'

/** Accelerations of the joints of these bodies with all others held, and which bodies those are: the ones asked for and those above them in the assembly. */
function hybrid(m: Model, state: State, wanted: readonly number[]): { a: Float64Array; active: Uint8Array } {
  const w = createWork(m, [])
  const { d, assembly, lists, kernels, parts, held, state: own } = w
  const region = createRegion(w)
  const form = createLists(w, region, new Int32Array(assembly.nodes))
  for (const i of wanted) for (let n = assembly.nodeOf[i]; n >= 0; n = assembly.whole[n]) region.active[n] = 1
  own.q.set(state.q)
  own.armature.set(m.armature)
  const active = new Uint8Array(m.nbody)
  for (let i = 1; i < m.nbody; i++) {
    active[i] = region.active[assembly.nodeOf[i]]
    if (active[i] === 0) state.v.fill(0, m.iv[i], m.ivEnd[i])
  }
  own.v.set(state.v)
  d.kernels.placeJoints(d.tree, d.work, own.q.byteOffset, 1, m.nbody)
  for (let n = 0; n < assembly.nodes; n++) lists.changed[n] = n
  kernels.describeNodes(d.tree, d.work, parts.table, held.table, own.tau.byteOffset, lists.changed.byteOffset, 0, assembly.nodes)
  form()
  kernels.placeGroups(d.tree, d.work, w.groups, own.q.byteOffset, 1, region.groups)
  d.kernels.sweepTree(w.tree, w.work, own.v.byteOffset, 0, 1, region.groups)
  d.kernels.eliminateTree(w.tree, w.work, own.tau.byteOffset, 1, 1, region.groups)
  d.kernels.accelerateTree(w.tree, w.work, own.acceleration.byteOffset, 1, region.groups)
  return { a: own.acceleration.slice(), active }
}

/** The same by rows and columns of the mass matrix. */
function dense(m: Model, state: State, active: Uint8Array): Float64Array {
  const data = createData(m)
  const n = m.nv
  const M = new Float64Array(n * n)
  massMatrix(m, data, state, M)
  inverseDynamics(m, data, state, new Float64Array(n))
  const rows = Array.from({ length: n }, (_, k) => k).filter((k) => active[m.velocityBody[k]] === 1)
  const A = rows.map((r) => [...rows.map((c) => M[n * r + c]), -data.tau[r]])
  for (let p = 0; p < rows.length; p++) {
    for (let r = p + 1; r < rows.length; r++) {
      const factor = A[r][p] / A[p][p]
      for (let c = p; c <= rows.length; c++) A[r][c] -= factor * A[p][c]
    }
  }
  const out = new Float64Array(n)
  for (let p = rows.length - 1; p >= 0; p--) {
    let sum = A[p][rows.length]
    for (let c = p + 1; c < rows.length; c++) sum -= A[p][c] * out[rows[c]]
    out[rows[p]] = sum / A[p][p]
  }
  return out
}

describe('joints that are held', () => {
  for (const shape of ['chain', 'star', 'random'] as Shape[]) {
    it(`leave the accelerations of the dense system of the others: ${shape}`, () => {
      for (let seed = 1; seed <= 8; seed++) {
        const { spec, random } = randomTree({ seed, bodies: 4 + 2 * seed, shape, floating: seed % 2 === 0 })
        const bodies = spec.bodies.map((body) => ({
          ...body,
          joints: (body.joints ?? []).map((joint) => ({ ...joint, armature: 0.1, stiffness: 0, damping: 0 })),
        }))
        const model = buildModel({ ...spec, bodies })
        const { state } = randomTree({ seed, bodies: 4 + 2 * seed, shape, floating: seed % 2 === 0 })
        // free joints with armature have forces of their own
        if (model.joints.some(({ type }) => type === 'free')) model.armature.fill(0)
        const wanted = Array.from({ length: model.nbody - 1 }, (_, k) => k + 1).filter(() => random.unit() < 0.3)
        if (seed % 2 === 0) wanted.push(1)
        const { a, active } = hybrid(model, state, wanted)
        const expected = dense(model, state, active)
        const scale = Math.max(1, ...expected.map(Math.abs))
        for (let k = 0; k < model.nv; k++)
          if (active[model.velocityBody[k]] === 1) expect(Math.abs(a[k] - expected[k])).toBeLessThan(1e-10 * scale)
      }
    })
  }

  it('give the printed numbers of the reference problem', () => {
    const [dx, dy, dz] = [0.2, 1, 0.1]
    const tensor = [(10 * (dy * dy + dz * dz)) / 12, (10 * (dx * dx + dz * dz)) / 12, (10 * (dx * dx + dy * dy)) / 12, 0, 0, 0] as const
    const inertia = { mass: 10, com: [0, -0.5, 0], tensor } as const
    const model = buildModel({
      gravity: [0, -9.8, 0],
      bodies: [
        { name: 'b0', inertia, joints: [{ type: 'revolute', axis: [0, 0, 1] }] },
        // the joint that is held comes last in the assembly
        { name: 'b2', parent: 'b0', position: [0.1, -1, 0], inertia, joints: [{ type: 'revolute', axis: [1, 0, 0] }] },
        { name: 'b1', parent: 'b0', position: [0, -1, 0], inertia, joints: [{ type: 'universal' }] },
      ],
    })
    const state = createState(model)
    state.q.set([0.3, 0.5, 0.2, -0.4])
    state.v.set([1, 0.3, 0, 0])
    const { a, active } = hybrid(model, state, [1, 2])
    expect([...active]).toEqual([0, 1, 1, 0])
    for (const [k, x] of [-2.184364252, -7.695284598, 0, 0].entries()) expect(a[k]).toBeCloseTo(x, 8)
  })
})
