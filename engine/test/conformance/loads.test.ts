/**
 * Loads, body damping and the medium against closed forms on one free body.
 */

import type { BodySpec, LoadSpec, Spec, Vec } from 'limber'
import { buildModel, createData, createSimulation, createState, energy, forwardDynamics, inverseDynamics } from 'limber'
import { describe, expect, it } from 'vitest'
import { poisonData } from '../../src/model/data.js'
import { expectNear } from './check.js'

const ROUNDING = 1e-13
const mass = 3
const size = [0.2, 0.5, 0.9] as const
const [a, b, c] = size
const moments = [(mass * (b * b + c * c)) / 12, (mass * (a * a + c * c)) / 12, (mass * (a * a + b * b)) / 12] as const
const box: BodySpec = { name: 'box', inertia: { mass, tensor: [...moments, 0, 0, 0] }, joints: [{ type: 'free' }] }

/** Accelerations of the box at this orientation and twist: angular, then linear, in body axes. */
function acceleration(spec: Partial<Spec>, quaternion = [1, 0, 0, 0], twist = [0, 0, 0, 0, 0, 0], body: BodySpec = box): Vec {
  const model = buildModel({ gravity: [0, 0, 0], bodies: [body], ...spec })
  const data = createData(model)
  poisonData(data, model)
  const state = createState(model)
  state.q.set(quaternion, 3)
  state.v.set(twist)
  forwardDynamics(model, data, state)
  return data.a
}

/** a quarter turn about z: body x is world y */
const QUARTER = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]

describe('loads', () => {
  it('a dead force keeps its direction in the world while the body turns', () => {
    const loads = [{ body: 'box', force: [6, 0, 0] }] as const
    expectNear(acceleration({ loads }), [0, 0, 0, 2, 0, 0], ROUNDING)
    expectNear(acceleration({ loads }, QUARTER), [0, 0, 0, 0, -2, 0], ROUNDING)
  })

  it('a following force turns with the body', () => {
    const loads = [{ body: 'box', force: [6, 0, 0], frame: 'body' }] as const
    expectNear(acceleration({ loads }, QUARTER), [0, 0, 0, 2, 0, 0], ROUNDING)
  })

  it('a force off the centre of mass turns the body; left out, the point is the centre of mass', () => {
    const loads = [{ body: 'box', force: [0, 6, 0], point: [0.5, 0, 0] }] as const
    expectNear(acceleration({ loads }), [0, 0, 3 / moments[2], 0, 2, 0], ROUNDING)
    const off: BodySpec = { ...box, inertia: { mass, com: [0.4, 0.1, 0], tensor: [...moments, 0, 0, 0] } }
    expectNear(acceleration({ loads: [{ body: 'box', force: [0, 6, 0] }] }, undefined, undefined, off), [0, 0, 0, 0, 2, 0], ROUNDING)
  })

  it('a torque is given in the world, or in the body', () => {
    const torque = [0, 1, 0] as const
    expectNear(acceleration({ loads: [{ body: 'box', torque }] }, QUARTER), [1 / moments[0], 0, 0, 0, 0, 0], ROUNDING)
    expectNear(acceleration({ loads: [{ body: 'box', torque, frame: 'body' }] }, QUARTER), [0, 1 / moments[1], 0, 0, 0, 0], ROUNDING)
  })

  it('on the ground do nothing', () => {
    expect(Array.from(acceleration({ loads: [{ body: 'world', force: [1, 2, 3] }] }))).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('moving loads', () => {
  /** three links of 1 m along x, hinged at x = 0, held by nothing else */
  const links: BodySpec[] = [0, 1, 2].map((k) => ({
    name: `link${k}`,
    parent: k === 0 ? 'world' : `link${k - 1}`,
    position: [k === 0 ? 0 : 1, 0, 0],
    inertia: { mass, com: [0.5, 0, 0], tensor: [...moments, 0, 0, 0] },
    joints: [{ type: 'revolute', axis: [0, 1, 0] }],
  }))
  const along = links.map(({ name }) => ({ body: name, from: [0, 0, 0], to: [1, 0, 0] }) as const)
  const spec: Spec = { gravity: [0, 0, 0], bodies: links, loads: [{ force: [0, 0, -6], moving: { start: 1, duration: 3, along } }] }

  /** Moments of the load about the three hinges: found from the accelerations, which are all that gravity-free links have. */
  function moments3(t: number): number[] {
    const model = buildModel(spec)
    const data = createData(model)
    poisonData(data, model)
    const state = createState(model)
    state.t = t
    forwardDynamics(model, data, state)
    const a = Float64Array.from(data.a)
    // without the load: the force that this acceleration takes
    const bare = buildModel({ ...spec, loads: [] })
    const other = createData(bare)
    inverseDynamics(bare, other, createState(bare), a)
    return Array.from(other.tau)
  }

  it('act where a constant speed has brought them', () => {
    // arm of the force about each hinge it is beyond; down turns +x towards −z, which is positive about y
    for (const x of [0, 0.25, 1, 1.5, 2.75, 3]) {
      expectNear(
        moments3(1 + x),
        [0, 1, 2].map((hinge) => 6 * Math.max(0, x - hinge)),
        1e-11,
      )
    }
  })

  it('are absent before and after the journey', () => {
    expectNear(moments3(0.999), [0, 0, 0], ROUNDING)
    expectNear(moments3(4.001), [0, 0, 0], ROUNDING)
  })

  it('have no energy, and drive every solver that asks for forces at its own times', () => {
    const model = buildModel(spec)
    const data = createData(model)
    const state = createState(model)
    state.t = 2
    expect(energy(model, data, state).potential).toBe(0)
    const simulation = createSimulation(model, { solver: 'ode', timestep: 0.01 })
    simulation.advance(5)
    expect(simulation.state.q.every(Number.isFinite)).toBe(true)
    expect(Math.abs(simulation.state.q[0])).toBeGreaterThan(0.1)
  })

  it('are refused without a way, beside a body, and on bodies that do not exist', () => {
    const bad =
      (load: LoadSpec): (() => unknown) =>
      () =>
        buildModel({ bodies: links, loads: [load] })
    expect(bad({ force: [1, 0, 0] })).toThrow("loads/0: expected exactly one of 'body' and 'moving'")
    expect(bad({ moving: { duration: 0, along: [] } })).toThrow('loads/0/moving/along: expected at least one leg, got none')
    expect(bad({ moving: { duration: 1, along: [{ body: 'link9', from: [0, 0, 0], to: [1, 0, 0] }] } })).toThrow("got 'link9'")
    expect(bad({ moving: { duration: 1, along: [{ body: 'link0', from: [1, 0, 0], to: [1, 0, 0] }] } })).toThrow('some length')
  })
})

describe('body damping', () => {
  it('slows the centre of mass and the turning, each by its own number', () => {
    const damped: BodySpec = { ...box, damping: { angular: 0.5, linear: 4 } }
    expectNear(acceleration({}, QUARTER, [0, 0, 0, 1, -2, 3], damped), [0, 0, 0, -4 / 3, 8 / 3, -4], ROUNDING)
    expectNear(acceleration({}, QUARTER, [0, 0, 2, 0, 0, 0], damped), [0, 0, -1 / moments[2], 0, 0, 0], ROUNDING)
  })

  it('acts at the centre of mass: a body that turns about it feels no linear drag', () => {
    const off: BodySpec = { ...box, inertia: { mass, com: [0.4, 0, 0], tensor: [...moments, 0, 0, 0] }, damping: { linear: 4 } }
    // w = e_z, velocity of the origin such that the centre stands: v = −w × c
    const found = acceleration({}, undefined, [0, 0, 1, 0, -0.4, 0], off)
    const free = acceleration({}, undefined, [0, 0, 1, 0, -0.4, 0], { ...off, damping: {} })
    expectNear(found, free, ROUNDING)
  })
})

describe('medium', () => {
  it('drags each face by ½ ρ b_j b_k u², and its turning by ρ b_i (b_j⁴ + b_k⁴) w²/64', () => {
    const medium = { density: 2 }
    expectNear(acceleration({ medium }, QUARTER, [0, 0, 0, 3, 0, 0]), [0, 0, 0, (-0.5 * 2 * b * c * 9) / mass, 0, 0], ROUNDING)
    expectNear(acceleration({ medium }, QUARTER, [0, 0, 0, 0, -3, 0]), [0, 0, 0, 0, (0.5 * 2 * a * c * 9) / mass, 0], ROUNDING)
    expectNear(
      acceleration({ medium }, QUARTER, [0, 0, 2, 0, 0, 0]),
      [0, 0, (-2 * c * (a ** 4 + b ** 4) * 4) / 64 / moments[2], 0, 0, 0],
      ROUNDING,
    )
  })

  it('drags by viscosity like a sphere of the mean edge', () => {
    const medium = { viscosity: 0.7 }
    const edge = (a + b + c) / 3
    const slow = (-3 * Math.PI * edge * 0.7 * 2) / mass
    expectNear(acceleration({ medium }, QUARTER, [0, 0, 0, 2, 0, 0]), [0, 0, 0, slow, 0, 0], ROUNDING)
    const turn = (-Math.PI * edge ** 3 * 0.7 * 2) / moments[1]
    expectNear(acceleration({ medium }, QUARTER, [0, 2, 0, 0, 0, 0]), [0, turn, 0, 0, 0, 0], ROUNDING)
  })

  it('carries a body that moves with the wind without force', () => {
    const medium = { density: 2, viscosity: 1, wind: [0, 1.5, 0] } as const
    // body x is world y
    expectNear(acceleration({ medium }, QUARTER, [0, 0, 0, 1.5, 0, 0]), [0, 0, 0, 0, 0, 0], ROUNDING, 1)
    expect(acceleration({ medium }, QUARTER)[3]).toBeGreaterThan(0.1)
  })

  it('finds the principal axes of a tensor with products of inertia', () => {
    // the same box turned by 30° about z inside its body frame
    const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)]
    const [x, y, z] = moments
    const tensor = [x * cos * cos + y * sin * sin, x * sin * sin + y * cos * cos, z, (x - y) * cos * sin, 0, 0] as const
    const turned: BodySpec = { ...box, inertia: { mass, tensor } }
    const drag = (0.5 * 2 * b * c * 9) / mass
    const found = acceleration({ medium: { density: 2 } }, undefined, [0, 0, 0, 3 * cos, 3 * sin, 0], turned)
    expectNear(found, [0, 0, 0, -drag * cos, -drag * sin, 0], 1e-12)
  })

  it('lets a falling body reach its terminal velocity', () => {
    const density = 20
    const model = buildModel({ bodies: [box], medium: { density } })
    const simulation = createSimulation(model, { solver: 'ode', timestep: 0.005 })
    simulation.advance(10)
    const terminal = Math.sqrt((2 * mass * 9.81) / (density * a * b))
    expect(simulation.state.v[5]).toBeCloseTo(-terminal, 8)
  })
})
