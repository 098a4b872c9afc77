/**
 * Forces on random mechanisms: those with an energy are its downhill gradient, dampers take energy, pairs push back.
 */

import type { Data, Force, Model, Spec, State, Vec } from 'limber'
import {
  buildModel,
  createData,
  createState,
  energy,
  forcesOf,
  forwardDynamics,
  forwardKinematics,
  inverseDynamics,
  jacobianTransposeProduct,
  jointTypes,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { applyForces } from '../../src/forces/dynamics.js'
import { poseFrom } from '../../src/math/values/arrays.js'
import { forceToParent } from '../../src/math/values/spatial.js'
import { poisonData } from '../../src/model/data.js'
import { createRandom, type Random } from '../random.js'
import { forceFrom } from '../values.js'
import { derivative, dot, expectNear, moved, unitVector } from './check.js'
import { everyForce } from './every-force.js'
import { type RandomTree, randomSpec, randomState, randomTree } from './random-tree.js'

/** five-point differences of energies of order 100 */
const STEP = 1e-3
const DIFFERENCES = 1e-9
const ROUNDING = 1e-12
const BODIES = 6
const SEEDS = [1, 2, 3, 4]

/** Springs, tendons, loads, joint springs and dampers, body damping, a medium: everything a spec can hold, on a random tree. */
function richSpec(seed: number): Spec {
  const random = createRandom(seed)
  const plain = randomSpec({ seed, bodies: BODIES }, random)
  const body = (): string => `b${random.below(BODIES)}`
  const pair = (): { a: { body: string; point: [number, number, number] }; b: { body: string; point: [number, number, number] } } => {
    const first = random.below(BODIES)
    const second = (first + 1 + random.below(BODIES - 1)) % BODIES
    return { a: { body: `b${first}`, point: [...random.vec3(0.5)] }, b: { body: `b${second}`, point: [...random.vec3(0.5)] } }
  }
  const single = plain.bodies.flatMap((b) =>
    (b.joints ?? []).map((j, k, all) => ({ ...j, name: all.length === 1 ? b.name : `${b.name}.${k}` })),
  )
  const coordinates = single.filter((j) => ['revolute', 'prismatic', 'helical'].includes(j.type)).map((j) => j.name)
  return {
    ...plain,
    bodies: plain.bodies.map((b) => ({
      ...b,
      damping: { angular: random.unit(), linear: random.unit() },
      joints: (b.joints ?? []).map((j) => ({ ...j, stiffness: random.between(1, 20), damping: random.unit() })),
    })),
    medium: { density: 30, viscosity: 0.5 },
    springs: [
      { ...pair(), stiffness: 40, damping: 2, rest: 0.3 },
      { ...pair(), stiffness: 10 },
      { a: { body: 'world', point: [1, 1, 1] }, b: { body: body(), point: [0.1, 0.2, 0.3] }, stiffness: 25, damping: 1, rest: 0 },
    ],
    tendons: [
      {
        path: [
          { body: 'world', point: [0, 0, 1] },
          { body: 'b0', point: [0.2, 0, 0] },
          { body: body(), point: [0, 0.3, 0] },
        ],
        stiffness: 30,
        damping: 1,
        rest: 0.2,
      },
      // two branches over a pulley, the second counted half
      {
        path: [
          { body: 'b1', point: [0.1, 0, 0] },
          { body: 'b2' },
          { pulley: 2 },
          { body: 'b3', point: [0, 0.1, 0] },
          { body: 'b4' },
          { body: 'b4', point: [0, 0, 1] },
        ],
        stiffness: 30,
        damping: 0.5,
        rest: [0.1, 0.2],
      },
      ...(coordinates.length > 0
        ? [{ joints: coordinates.map((joint) => ({ joint, coefficient: random.spread(2) })), stiffness: 15, damping: 0.4, rest: 0.1 }]
        : []),
    ],
    loads: [
      { body: body(), force: [1, 2, 3], point: [0.1, 0.2, 0.3] },
      { body: body(), force: [-2, 1, 0.5] },
    ],
  }
}

function richTree(seed: number, change: (spec: Spec) => Spec = (spec) => spec): RandomTree {
  const spec = change(richSpec(seed))
  const model = buildModel(spec)
  const data = createData(model)
  const random = createRandom(seed + 50)
  return { spec, model, data, state: randomState(model, random), random }
}

/** Joint forces of one force alone: qf + Jᵀ f, on poisoned Data. */
function jointForces({ model, data }: RandomTree, force: Force, state: State): Vec {
  poisonData(data, model)
  forwardKinematics(model, data, state.q, state.v)
  data.f.fill(0)
  data.qf.fill(0)
  force.apply(model, data, state)
  const out = new Float64Array(model.nv).fill(Number.NaN)
  const f = data.f.slice()
  jacobianTransposeProduct(model, data, out, f)
  return out.map((x, k) => x + data.qf[k])
}

function potential({ model, data }: RandomTree, force: Force, state: State): number {
  poisonData(data, model)
  forwardKinematics(model, data, state.q, state.v)
  return force.energy?.(model, data, state) ?? Number.NaN
}

const still = (state: State): State => ({ ...state, v: new Float64Array(state.v.length) })

/** The force of this name; a model that has none of it is a mistake of the test. */
function named(model: Model, name: string): Force {
  const force = forcesOf(model, { own: [] }).find((f) => f.name === name)
  if (!force) throw new Error(`the model has no force '${name}'`)
  return force
}

describe.each(SEEDS)('forces with an energy, seed %i', (seed) => {
  const names = forcesOf(richTree(seed).model, { own: [] })
    .filter((f) => f.energy && f.name !== 'gravity')
    .map((f) => f.name)

  it('are the joint springs, springs, tendons and dead loads', () => {
    expect([...names].sort()).toEqual(['joint springs', 'loads', 'springs', 'tendons'])
  })

  it.each(names)('%s pull down the gradient of their energy along q ⊕ ξ', (name) => {
    const tree = richTree(seed)
    const { model, state } = tree
    const force = named(model, name)
    const at = still(state)
    const gradient = Float64Array.from({ length: model.nv }, (_, k) => {
      const e = unitVector(model.nv, k)
      return derivative((h) => [potential(tree, force, { ...at, q: moved(model, at.q, e, h) })], STEP)[0]
    })
    const pull = jointForces(tree, force, at)
    expect(Math.max(...pull.map(Math.abs))).toBeGreaterThan(0.1)
    expectNear(
      pull,
      gradient.map((x) => -x),
      DIFFERENCES,
      100,
    )
  })

  it('give the same pull and energy in one walk as in two', () => {
    const { model, data, state } = richTree(seed)
    const together = forcesOf(model, data).filter((force) => force.applyWithEnergy)
    expect(together.map(({ name }) => name)).toContain('springs')
    for (const force of together) {
      poisonData(data, model)
      forwardKinematics(model, data, state.q, state.v)
      data.f.fill(0)
      data.qf.fill(0)
      force.apply(model, data, state)
      const apart = [...data.f, ...data.qf, force.energy?.(model, data, state)]
      data.f.fill(0)
      data.qf.fill(0)
      const sum = Float64Array.of(1)
      force.applyWithEnergy?.(model, data, state, sum, 0)
      const joined = [...data.f, ...data.qf, sum[0] - 1]
      expect(joined).toHaveLength(apart.length)
      joined.forEach((x, k) => expect(x).toBeCloseTo(apart[k] ?? Number.NaN, 10))
    }
  })

  it('gravity in inverse dynamics is the gradient of its energy', () => {
    const tree = randomTree({ seed, bodies: BODIES })
    const { model, data } = tree
    const at = still(tree.state)
    const gradient = Float64Array.from({ length: model.nv }, (_, k) => {
      const e = unitVector(model.nv, k)
      return derivative((h) => [potential(tree, named(model, 'gravity'), { ...at, q: moved(model, at.q, e, h) })], STEP)[0]
    })
    poisonData(data, model)
    inverseDynamics(model, data, at, new Float64Array(model.nv))
    expectNear(data.tau, gradient, DIFFERENCES, 100)
  })
})

describe.each(SEEDS)('dampers, seed %i', (seed) => {
  it.each(['joint dampers', 'body damping', 'medium'])('%s only take energy', (name) => {
    const tree = richTree(seed)
    const { model, random } = tree
    for (let k = 0; k < 20; k++) {
      const state = randomState(model, random)
      expect(dot(jointForces(tree, named(model, name), state), state.v)).toBeLessThan(0)
    }
  })

  it.each(['springs', 'tendons'])('%s lose in motion what their dampers take, and no more', (name) => {
    const tree = richTree(seed)
    const { model, random } = tree
    for (let k = 0; k < 20; k++) {
      const state = randomState(model, random)
      const force = named(model, name)
      const lost = dot(jointForces(tree, force, state), state.v) - dot(jointForces(tree, force, still(state)), state.v)
      expect(lost).toBeLessThanOrEqual(0)
    }
  })

  it('the whole mechanism balances: energy gained is work of joint forces less what dampers take', () => {
    const tree = richTree(seed)
    const { model, data, state } = tree
    forwardDynamics(model, data, state, state.tau)
    const a = data.a.slice()
    const total = (h: number): number[] => {
      const xi = state.v.map((x, k) => h * x + 0.5 * h * h * a[k])
      poisonData(data, model)
      const e = energy(model, data, { ...state, q: moved(model, state.q, xi, 1), v: state.v.map((x, k) => x + h * a[k]) })
      return [e.kinetic + e.potential]
    }
    // without an energy, or what remains of a force with one when the mechanism stands
    let taken = 0
    for (const force of forcesOf(model, data)) {
      const now = dot(jointForces(tree, force, state), state.v)
      taken += force.energy ? now - dot(jointForces(tree, force, still(state)), state.v) : now
    }
    expectNear(derivative(total, 1e-4), [dot(state.tau, state.v) + taken], 1e-8, 100)
  })
})

describe('forces between bodies', () => {
  /** Sum of all wrenches about the world origin, in world axes. */
  function resultant(tree: RandomTree, name: string): number[] {
    const { model, data, state } = tree
    jointForces(tree, named(model, name), state)
    const f = data.f
    const sum = new Float64Array(6)
    for (let i = 1; i < model.nbody; i++) {
      const inWorld = forceToParent(poseFrom(data.X_WB, 12 * i), forceFrom(f, 6 * i))
      // force, then moment
      ;[...inWorld.f, ...inWorld.n].forEach((x, r) => {
        sum[r] += x
      })
    }
    return Array.from(sum)
  }

  it.each(SEEDS)('springs and tendons that touch no ground push as they pull, seed %i', (seed) => {
    const tree = richTree(seed, (spec) => ({
      ...spec,
      springs: spec.springs?.filter((s) => s.a.body !== 'world') ?? [],
      tendons: spec.tendons?.slice(1, 2) ?? [],
    }))
    expect(Math.max(...tree.model.springs.stiffness)).toBeGreaterThan(0)
    expectNear(resultant(tree, 'springs'), new Float64Array(6), ROUNDING, 10)
    expectNear(resultant(tree, 'tendons'), new Float64Array(6), ROUNDING, 10)
  })

  it('a spring at zero length, where it has no direction, does not pull', () => {
    const free = (name: string) => ({
      name,
      inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] as const },
      joints: [{ type: 'free' as const }],
    })
    const spring = { a: { body: 'a' }, b: { body: 'b' }, stiffness: 10, rest: 1 }
    const model = buildModel({ gravity: [0, 0, 0], bodies: [free('a'), free('b')], springs: [spring] })
    const data = createData(model)
    forwardDynamics(model, data, createState(model))
    expect(Array.from(data.a)).toEqual(new Array(12).fill(0))
  })

  it('a spring whose rest is left out is slack at the start', () => {
    const tree = richTree(2)
    const at = createState(tree.model)
    const { springs } = tree.model
    expect(springs.rest.every(Number.isFinite)).toBe(true)
    const only = richTree(2, (spec) => ({ ...spec, springs: spec.springs?.slice(1, 2) ?? [] }))
    expectNear(jointForces(only, named(only.model, 'springs'), at), new Float64Array(only.model.nv), ROUNDING, 1)
  })
})

describe('gravity compensation', () => {
  it.each(SEEDS)('of one holds every body still, seed %i', (seed) => {
    const random: Random = createRandom(seed)
    const spec = randomSpec({ seed, bodies: 10 }, random)
    const model = buildModel({ ...spec, bodies: spec.bodies.map((body) => ({ ...body, gravityCompensation: 1 })) })
    const data = createData(model)
    poisonData(data, model)
    forwardDynamics(model, data, still(randomState(model, random)))
    expectNear(data.a, new Float64Array(model.nv), 1e-11, 10)
  })

  it('of a half leaves half the weight', () => {
    const body = {
      name: 'a',
      inertia: { mass: 3, com: [0.1, 0, 0], tensor: [1, 1, 1, 0, 0, 0] },
      gravityCompensation: 0.5,
      joints: [{ type: 'free' as const }],
    } as const
    const model = buildModel({ bodies: [body] })
    const data = createData(model)
    forwardDynamics(model, data, createState(model))
    expectNear(data.a, [0, 0, 0, 0, 0, -9.81 / 2], ROUNDING)
  })
})

describe('a force of the user’s own', () => {
  it('sees poses and velocities of bodies, acts after the built-in ones, and enters energy and both dynamics', () => {
    const seen: number[] = []
    const own: Force = {
      name: 'own',
      apply(m, d, s) {
        seen.push(...d.X_WB, ...d.V, s.t)
        for (let i = 1; i < m.nbody; i++) for (let r = 0; r < 6; r++) d.f[6 * i + r] -= 0.3 * d.V[6 * i + r]
        d.qf[0] += 2
      },
      energy: (_m, _d, { q }) => -2 * q[0],
    }
    const revolute = jointTypes.filter((type) => type.name === 'revolute')
    const options = { seed: 9, bodies: 5, types: revolute, sequences: false }
    const plain = randomTree(options)
    const { model, data, state } = randomTree({ ...options, forces: [own] })
    expect(forcesOf(model, data).at(-1)).toBe(own)
    forwardDynamics(model, data, state, state.tau)
    expect(seen.length).toBeGreaterThan(0)
    expect(seen.every(Number.isFinite)).toBe(true)
    const a = data.a.slice()
    poisonData(data, model)
    inverseDynamics(model, data, state, a)
    expectNear(data.tau, state.tau, 1e-10, 10)
    forwardDynamics(plain.model, plain.data, state, state.tau)
    expect(Array.from(plain.data.a)).not.toEqual(Array.from(a))
    const difference = energy(model, data, state).potential - energy(plain.model, plain.data, state).potential
    expect(difference).toBeCloseTo(-2 * state.q[0], 10)
  })
})

describe('numbers of a model', () => {
  const spec: Spec = {
    ...everyForce(8, { drag: [1, 2, 3], geoms: [{ shape: 'sphere', radius: 0.3 }] }),
    world: { geoms: [{ shape: 'plane', position: [0, 0, 3] }] },
    contact: { stiffness: 40, friction: 0.7, slip: 0.5 },
  }
  const total = (m: Model, d: Data, s: State): number[] => {
    forwardKinematics(m, d, s.q, s.v)
    applyForces(m, d, s)
    return [...d.f.slice(6), ...d.qf, ...forcesOf(m, d).map((force) => force.energy?.(m, d, s) ?? 0)]
  }
  const columns: [string, (m: Model) => Vec][] = [
    ['joint stiffness', (m) => m.stiffness],
    ['rest of joints', (m) => m.rest],
    ['joint damping', (m) => m.damping],
    ['gravity compensation', (m) => m.gravityCompensation],
    ['body damping', (m) => m.bodyDamping],
    ['drag', (m) => m.drag],
    ['wind', (m) => m.medium.wind],
    ['boxes', (m) => m.medium.boxes],
    ['ellipsoids', (m) => m.medium.ellipsoids.numbers],
    ['points of springs', (m) => m.springs.pointA],
    ['stiffness of springs', (m) => m.springs.stiffness],
    ['damping of springs', (m) => m.springs.damping],
    ['rest of springs', (m) => m.springs.rest],
    ['loads', (m) => m.loads.wrench],
    ['radii of contact points', (m) => m.penalty.radius],
    ['obstacles', (m) => m.penalty.pose],
  ]

  it.each(columns)('are read at every call: %s', (_, of) => {
    const m = buildModel(spec)
    const d = createData(m)
    const s = randomState(m, createRandom(3))
    const before = total(m, d, s)
    for (let k = 0; k < of(m).length; k++) of(m)[k] += 0.1 + 0.01 * (k % 7)
    const after = total(m, d, s)
    expect(after).not.toEqual(before)
    expect(after).toEqual(total(m, createData(m), s))
  })

  it('are those of the model that is given, not of the one that the data was made for', () => {
    const [m, other] = [buildModel(spec), buildModel({ ...spec, springs: [], loads: [] })]
    other.drag.fill(5)
    const [d, s] = [createData(m), randomState(m, createRandom(4))]
    const expected = total(m, createData(m), s)
    expect(total(other, d, s)).toEqual(total(other, createData(other), s))
    expect(total(m, d, s)).toEqual(expected)
    expect(() => total(m, createData(other), s)).toThrow(/another model/)
  })
})
