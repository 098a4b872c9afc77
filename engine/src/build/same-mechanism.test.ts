/** The same mechanism, however it is written down. */
import { describe, expect, it } from 'vitest'
import { forwardDynamics } from '../forces/dynamics.js'
import { parseMjcf } from '../io/mjcf/parse-mjcf.js'
import { createData } from '../model/data.js'
import { modelHash } from '../model/hash.js'
import { createState } from '../model/state.js'
import { buildModel } from './build-model.js'
import type { BodySpec, JointSpec, Spec } from './spec.js'

const inertia = { mass: 1, com: [0, 0, -0.5], tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const
const hinge: JointSpec = { type: 'revolute', axis: [0, 1, 0] }
const body = (name: string, more: Partial<BodySpec> = {}): BodySpec => ({ name, inertia, joints: [hinge], ...more })

describe('the same mechanism', () => {
  const arm: BodySpec[] = [
    body('base', { joints: [{ type: 'spherical', initial: [0.8, 0.1, 0.5, 0.2] }] }),
    body('left', { parent: 'base', position: [0.3, 0, -1], joints: [{ ...hinge, initial: 0.4 }] }),
    body('right', { parent: 'base', position: [-0.3, 0, -1], joints: [{ type: 'universal', initial: [0.1, 0.2] }] }),
    body('tip', { parent: 'left', position: [0, 0, -1], joints: [{ type: 'cylindrical', initial: [0.3, 0.1] }] }),
  ]
  const springs = [{ a: { body: 'tip' }, b: { body: 'right' }, stiffness: 20, rest: 0.3 }]
  const accelerations = (bodies: readonly BodySpec[]): Record<string, number[]> => {
    const model = buildModel({ bodies, springs })
    const data = createData(model)
    forwardDynamics(model, data, createState(model))
    return Object.fromEntries(model.joints.map((j) => [j.name, Array.from(data.a.subarray(j.iv, j.iv + j.nv))]))
  }

  it('moves alike when children are listed before their parents', () => {
    const forward = accelerations(arm)
    for (const order of [
      [3, 2, 1, 0],
      [2, 3, 0, 1],
      [1, 0, 3, 2],
    ]) {
      const found = accelerations(order.map((k) => arm[k]))
      for (const [name, a] of Object.entries(forward)) {
        a.forEach((x, k) => {
          expect(found[name][k]).toBeCloseTo(x, 11)
        })
      }
    }
  })

  it('numbers bodies depth first, coordinates in the order of the file', () => {
    const built = (order: readonly number[]) => buildModel({ bodies: order.map((k) => arm[k]) })
    const names = (order: readonly number[]): string[] => built(order).bodies.map((b) => b.name)
    const listed = (order: readonly number[]): string[] => Array.from(built(order).bodyOrder, (i) => built(order).bodies[i].name)
    expect(names([0, 1, 2, 3])).toEqual(['world', 'base', 'left', 'tip', 'right'])
    expect(listed([0, 1, 2, 3])).toEqual(['world', 'base', 'left', 'right', 'tip'])
    expect(listed([3, 2, 1, 0])).toEqual(['world', 'base', 'left', 'tip', 'right'])
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 3, 0, 1],
    ]) {
      const { nbody, parent, subtreeEnd, bodyOrder, joints, iv, ivEnd } = built(order)
      let v = 0
      for (const i of bodyOrder.subarray(1)) {
        expect(parent[i]).toBeLessThan(i)
        expect(iv[i]).toBe(v)
        v = ivEnd[i]
        if (parent[i] > 0) expect(ivEnd[parent[i]]).toBeLessThanOrEqual(iv[i])
        for (let b = 1; b < nbody; b++) {
          let at = b
          while (at > i) at = parent[at]
          expect(b >= i && b < subtreeEnd[i]).toBe(at === i)
        }
      }
      joints.slice(1).forEach((joint, j) => {
        expect(joint.iv).toBe(joints[j].iv + joints[j].nv)
      })
    }
  })

  it('has the same hash when built twice, and another when one number differs', () => {
    const hash = (change: Partial<Spec>): number => modelHash(buildModel({ bodies: arm, springs, ...change }))
    const base = hash({})
    expect(hash({})).toBe(base)
    const variants: Partial<Spec>[] = [
      { gravity: [0, 0, -9.8100001] },
      { springs: [{ ...springs[0], stiffness: 20.000001 }] },
      { springs: [{ ...springs[0], rest: 0.30000001 }] },
      { timestep: 0.001 },
      { medium: { density: 1e-9 } },
      { name: 'other' },
      { loads: [{ body: 'tip', force: [0, 0, 1e-12] }] },
      { bodies: arm.map((b, k) => (k === 3 ? { ...b, position: [0, 1e-15, -1] } : b)) },
      { bodies: arm.map((b, k) => (k === 0 ? { ...b, damping: { linear: 1e-9 } } : b)) },
      { bodies: arm.map((b, k) => (k === 1 ? { ...b, joints: [{ ...hinge, initial: 0.4, armature: 1e-9 }] } : b)) },
    ]
    const hashes = variants.map(hash)
    expect(new Set([base, ...hashes]).size).toBe(variants.length + 1)
  })
  it('has the same hash wherever its file is, and with a comment more', () => {
    const text = '<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>'
    const hash = (file: string, xml: string): number => modelHash(buildModel(parseMjcf(xml, { file })))
    const base = hash('robot.xml', text)
    expect(hash('../models/robot.xml', `<!-- a ball\n -->${text}`)).toBe(base)
    expect(hash('robot.xml', text.replace('0.1', '0.2'))).not.toBe(base)
  })
})
