import { describe, expect, it } from 'vitest'
import { deform } from '../../../test/conformance/deforming-tree.js'
import { randomSpec, randomState } from '../../../test/conformance/random-tree.js'
import { createRandom, type Random } from '../../../test/random.js'
import { buildModel } from '../../build/build-model.js'
import type { ConstraintSpec, Spec } from '../../build/spec.js'
import { integrate } from '../../joints/index.js'
import { createData, type Data, poisonData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { jacobianTransposeProduct } from '../../tree/jacobian.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createReducedRows, reduceRows } from './reduce.js'
import { createRows, type Rows, rowVelocities, updateRows } from './rows.js'

/** central differences of order-one functions with step 1e-5 */
const DIFFERENCE = 2e-8
const STEP = 1e-5

const hinge = (name: string, parent: string) => ({
  name,
  parent,
  position: [0.2, 0.1, 0] as const,
  inertia: { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] as const },
  joints: [{ name, type: 'revolute' as const, axis: [1, 2, 3] as const, reference: 0.3, initial: 0.1 }],
})

/** One of every kind, on a random tree with every joint type. */
function everyKind(random: Random): ConstraintSpec[] {
  const p = (body: string) => ({ body, point: random.vec3(0.4) })
  return [
    { type: 'point', a: p('b1'), b: p('b5') },
    { type: 'point', a: p('b2'), b: p('world'), axes: [random.axis(), random.axis()] },
    { type: 'hinge', a: { ...p('b3'), axis: random.axis() }, b: { ...p('b7'), axis: random.axis() } },
    { type: 'hinge', a: { ...p('world'), axis: random.axis() }, b: { ...p('b4'), axis: random.axis() } },
    { type: 'planar' as const, a: p('b6'), b: p('b2'), normal: random.axis() },
    { type: 'weld', a: 'b4', b: 'b6', position: random.vec3(0.3), quaternion: random.quat() },
    { type: 'weld', a: 'b1', b: 'world' },
    { type: 'distance', a: p('b5'), b: p('b7') },
    { type: 'coupling', joint: 'h0', of: 'h1', polynomial: [0.1, 2, -0.7, 0.3] },
    { type: 'coupling', joint: 'h1', polynomial: [0.4] },
    { type: 'tendon-coupling', tendon: 'rope', of: 'sum', polynomial: [0.1, 0.5, 0.2] },
    { type: 'tendon-coupling', tendon: 'sum', of: 'rope', polynomial: [0, -1, 0.3] },
    { type: 'motion', joint: 'h0', offset: 0.2, speed: 1.5, amplitude: 0.4, frequency: 0.7, phase: 0.3 },
    { type: 'motion', joint: 'h1', rise: { size: 2, start: 0.1, duration: 0.9, steepness: 3 } },
    { type: 'motion', body: 'b6', point: random.vec3(0.4), direction: random.axis(), speed: 0.7, amplitude: 0.2, frequency: 1.1 },
    { type: 'motion', body: 'b3', axis: random.axis(), offset: 0.4, speed: -1.3 },
  ]
}

function mechanism(seed: number, deforms = false): { model: Model; data: Data; random: Random } {
  const random = createRandom(seed)
  const rigid = randomSpec({ seed, bodies: 8 }, random)
  const spec: Spec = {
    ...(deforms ? deform(rigid, random) : rigid),
    tendons: [
      {
        name: 'rope',
        path: [{ body: 'world' }, { body: 'b3', point: [0.1, 0, 0] }, { body: 'b7' }, { pulley: 2 }, { body: 'b4' }, { body: 'h0' }],
      },
      {
        name: 'sum',
        joints: [
          { joint: 'h0', coefficient: 2 },
          { joint: 'h1', coefficient: -0.5 },
        ],
      },
    ],
    constraints: everyKind(random),
  }
  const model = buildModel({ ...spec, bodies: [...spec.bodies, hinge('h0', 'b5'), hinge('h1', 'h0')] })
  const data = createData(model)
  poisonData(data, model)
  return { model, data, random }
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
const time = Float64Array.of(0.37)

describe('constraint rows', () => {
  it.each([...seeds.map((seed) => ({ seed, deforms: false })), ...seeds.map((seed) => ({ seed, deforms: true }))])(
    'have the derivative of their residual along every velocity, seed $seed, bodies that deform: $deforms',
    ({ seed, deforms }) => {
      const { model, data, random } = mechanism(seed, deforms)
      expect(model.modes.count > 0).toBe(deforms)
      const rows = createRows(model)
      const state = randomState(model, random)
      const residual = (xi: Float64Array): Float64Array => {
        const q = state.q.slice()
        integrate(model, q, xi, 1)
        forwardKinematics(model, data, q, state.v)
        updateRows(rows, model, data, q, time)
        return rows.g.slice()
      }
      residual(new Float64Array(model.nv))
      const reduced = createReducedRows(model, rows.count)
      reduceRows(reduced, rows, model, data)
      const G = reduced.G.slice()
      const velocity = new Float64Array(rows.count)
      rowVelocities(rows, data, state.v, velocity, 0)
      expect(rows.count).toBe(3 + 2 + 5 + 5 + 1 + 6 + 6 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 3)

      for (let k = 0; k < model.nv; k++) {
        const xi = new Float64Array(model.nv)
        xi[k] = STEP
        const ahead = residual(xi)
        xi[k] = -STEP
        const behind = residual(xi)
        for (let r = 0; r < rows.count; r++) {
          const name = model.constraints.names[rows.source[r]]
          const wanted = (ahead[r] - behind[r]) / (2 * STEP)
          expect(Math.abs(G[r * model.nv + k] - wanted), `${name}, row ${r}, velocity ${k}`).toBeLessThan(
            DIFFERENCE * (1 + Math.abs(wanted)),
          )
        }
      }
      for (let r = 0; r < rows.count; r++) {
        let sum = 0
        for (let k = 0; k < model.nv; k++) sum += G[r * model.nv + k] * state.v[k]
        expect(velocity[r]).toBeCloseTo(sum, 10)
      }
    },
  )

  it.each([false, true])(
    'reduce to the product with the whole Jacobian, zero off the listed velocities; bodies that deform: %s',
    (deforms) => {
      const { model, data, random } = mechanism(11, deforms)
      const rows = createRows(model)
      const { q, v } = randomState(model, random)
      forwardKinematics(model, data, q, v)
      updateRows(rows, model, data, q, time)
      const reduced = createReducedRows(model, rows.count)
      reduceRows(reduced, rows, model, data)
      const F = new Float64Array(6 * model.nbody)
      const row = new Float64Array(model.nv)
      let sparse = 0
      for (let r = 0; r < rows.count; r++) {
        F.fill(0)
        for (let e = rows.bodyStart[r]; e < rows.bodyStart[r + 1]; e++)
          for (let s = 0; s < 6; s++) F[6 * rows.body[e] + s] += rows.J[6 * e + s]
        jacobianTransposeProduct(model, data, row, F)
        for (let e = rows.dofStart[r]; e < rows.dofStart[r + 1]; e++) row[rows.dof[e]] += rows.coefficient[e]
        const listed = new Set(reduced.dof.subarray(reduced.start[r], reduced.start[r + 1]))
        expect(listed.size).toBe(reduced.start[r + 1] - reduced.start[r])
        for (let k = 0; k < model.nv; k++) {
          expect(reduced.G[r * model.nv + k]).toBeCloseTo(row[k], 12)
          if (!listed.has(k)) sparse++
          if (!listed.has(k)) expect(row[k]).toBe(0)
        }
      }
      expect(sparse).toBeGreaterThan(0)
    },
  )

  it('want the rate of the prescribed motion', () => {
    const { model, data, random } = mechanism(12)
    const rows = createRows(model)
    const { q, v } = randomState(model, random)
    forwardKinematics(model, data, q, v)
    const at = (t: number): { g: Float64Array; target: Float64Array } => {
      updateRows(rows, model, data, q, Float64Array.of(t))
      return { g: rows.g.slice(), target: rows.target.slice() }
    }
    let moving = 0
    for (const t of [0, 0.3, 2, 100]) {
      const { target } = at(t)
      const ahead = at(t + STEP)
      const behind = at(t - STEP)
      for (let r = 0; r < rows.count; r++) {
        // ∂g/∂t = −target
        expect(target[r]).toBeCloseTo((behind.g[r] - ahead.g[r]) / (2 * STEP), 6)
        if (target[r] !== 0) moving++
      }
    }
    // four times each, the rise before it is over only; a turn has three rows
    expect(moving).toBe(4 + 2 + 4 + 12)
  })

  it('vanish at the start for what the spec leaves to the start', () => {
    const { model, data } = mechanism(13)
    const rows = createRows(model)
    forwardKinematics(model, data, model.q0, new Float64Array(model.nv))
    updateRows(rows, model, data, model.q0, time)
    const of = (rows: Rows, name: string): number[] => Array.from(rows.g).filter((_, r) => model.constraints.names[rows.source[r]] === name)
    expect(of(rows, 'weld6')).toHaveLength(6)
    for (const g of [...of(rows, 'weld6'), ...of(rows, 'distance7')]) expect(Math.abs(g)).toBeLessThan(1e-14)
  })

  it('measure couplings from the reference of both joints', () => {
    const { model, data } = mechanism(14)
    const rows = createRows(model)
    const q = model.q0.slice()
    const at = (name: string): number => model.joints.find((joint) => joint.name === name)?.iq ?? -1
    // reference 0.3 + p(0.2)
    q[at('h1')] = 0.5
    q[at('h0')] = 0.3 + 0.1 + 2 * 0.2 - 0.7 * 0.04 + 0.3 * 0.008
    forwardKinematics(model, data, q, new Float64Array(model.nv))
    updateRows(rows, model, data, q, time)
    const g = Array.from(rows.g).filter((_, r) => model.constraints.names[rows.source[r]] === 'coupling8')
    expect(g[0]).toBeCloseTo(0, 15)
  })

  it('leave out what is not active', () => {
    const { bodies } = randomSpec({ seed: 1, bodies: 3 }, createRandom(1))
    const a = { body: 'b0' }
    const b = { body: 'b2' }
    const model = buildModel({
      bodies,
      constraints: [
        { type: 'point', a, b, active: false },
        { type: 'planar' as const, a, b, name: 'on' },
      ],
    })
    const rows = createRows(model)
    expect([rows.count, rows.source[0]]).toEqual([1, 1])
  })
})
