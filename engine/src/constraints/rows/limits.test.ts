import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { buildModel } from '../../build/build-model.js'
import type { Spec } from '../../build/spec.js'
import { integrate } from '../../joints/index.js'
import { createData } from '../../model/data.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createLimitRows, type LimitRows, limitName, updateLimitRows } from './limits.js'
import { rowVelocities } from './rows.js'

const inertia = { mass: 1, tensor: [0.1, 0.2, 0.3, 0, 0, 0] as const }

const spec: Spec = {
  bodies: [
    { name: 'arm', inertia, joints: [{ name: 'shoulder', type: 'spherical', limits: [0, 1.2], initial: [0.9, 0.2, -0.3, 0.1] }] },
    {
      name: 'fore',
      parent: 'arm',
      position: [1, 0, 0],
      inertia,
      joints: [{ name: 'elbow', type: 'revolute', limits: [-0.5, 1], initial: 0.9 }],
    },
    {
      name: 'hand',
      parent: 'fore',
      position: [1, 0, 0],
      inertia,
      joints: [{ name: 'wrist', type: 'universal', limits: [-1, Number.POSITIVE_INFINITY] }],
    },
    { name: 'box', inertia, joints: [{ type: 'free' }] },
    { name: 'loose', inertia, joints: [{ name: 'loose', type: 'prismatic' }] },
  ],
  tendons: [
    { name: 'rope', path: [{ body: 'world', point: [0, 0, 1] }, { body: 'fore', point: [0.2, 0, 0] }, { body: 'hand' }], limits: [0.1, 2] },
    { name: 'free', path: [{ body: 'world' }, { body: 'hand' }] },
  ],
}

function setup() {
  const model = buildModel(spec)
  const data = createData(model)
  const rows = createLimitRows(model)
  const v = createRandom(1).array(model.nv, 1)
  const update = (q = model.q0): LimitRows => {
    forwardKinematics(model, data, q, v)
    updateLimitRows(rows, model, data, q, v)
    return rows
  }
  const names = (): string[] => Array.from({ length: rows.count }, (_, r) => limitName(rows, model, r))
  return { model, data, rows, v, update, names }
}

describe('limit rows', () => {
  it('are there for every finite limit, by name', () => {
    const { update, names } = setup()
    update()
    expect(names()).toEqual([
      "lower limit of joint 'elbow'",
      "upper limit of joint 'elbow'",
      "lower limit of joint 'wrist'",
      "lower limit of joint 'wrist'",
      "upper limit of joint 'shoulder'",
      "lower limit of tendon 'rope'",
      "upper limit of tendon 'rope'",
    ])
  })

  it('have the gap to the limit, negative beyond it', () => {
    const { model, update } = setup()
    const rows = update()
    expect(rows.g[0]).toBeCloseTo(1.4, 14)
    expect(rows.g[1]).toBeCloseTo(0.1, 14)
    const norm = Math.hypot(0.9, 0.2, 0.3, 0.1)
    expect(rows.g[4]).toBeCloseTo(1.2 - 2 * Math.acos(0.9 / norm), 14)
    const q = model.q0.slice()
    q[4] = 1.5
    expect(update(q).g[1]).toBeCloseTo(-0.5, 14)
  })

  it('close at the rate C v: the gap loses what the row moves', () => {
    const { model, data, v, update } = setup()
    const h = 1e-6
    const gaps = (s: number): Float64Array => {
      const q = model.q0.slice()
      integrate(model, q, v, s)
      return update(q).g.slice()
    }
    const ahead = gaps(h)
    const behind = gaps(-h)
    const rows = update()
    const rate = new Float64Array(rows.count)
    rowVelocities(rows, data, v, rate, 0)
    for (let r = 0; r < rows.count; r++) {
      expect(rate[r]).toBeCloseTo((behind[r] - ahead[r]) / (2 * h), 8)
      expect(Math.abs(rate[r])).toBeGreaterThan(1e-3)
    }
  })

  it('are left out beyond margin and horizon', () => {
    const { model, rows, v, update, names } = setup()
    rows.reach.set([0.15, 0])
    v.fill(0)
    update()
    expect(names()).toEqual(["upper limit of joint 'elbow'"])
    // 1.4 away, at 2 rad/s towards it, a second ahead
    v[model.joints.find(({ name }) => name === 'elbow')?.iv ?? -1] = -2
    rows.reach[1] = 1
    update()
    expect(names()).toContain("lower limit of joint 'elbow'")
    rows.reach[1] = 0.5
    update()
    expect(names()).not.toContain("lower limit of joint 'elbow'")
  })

  it('leave a ball alone at its centre, where its angle has no direction', () => {
    const { model, update, names } = setup()
    const q = model.q0.slice()
    q.set([1, 0, 0, 0])
    update(q)
    expect(names()).not.toContain("upper limit of joint 'shoulder'")
  })
})
