/**
 * Bodies that deform: each algorithm against another way to the same numbers.
 */
import type { BodySpec, InertiaSpec, Model, Spec, Vec, Vec3 } from 'limber'
import {
  aba,
  buildModel,
  centerOfMass,
  chooseSolver,
  crba,
  createData,
  createSimulation,
  createState,
  energy,
  forwardDynamics,
  forwardKinematics,
  integrate,
  jacobianProduct,
  jacobianRateProduct,
  jacobianTransposeProduct,
  jointTypes,
  kineticEnergy,
  massMatrix,
  modelHash,
  momentum,
  parseScene,
  recordedModel,
  rnea,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { columnLabels } from '../../src/io/trajectory/recording.js'
import { poisonData } from '../../src/model/data.js'
import { mulRigid } from '../../src/printed/arrays.js'
import { solveInertia } from '../../src/tree/solve.js'
import { createRandom } from '../random.js'
import { derivative, dot, expectNear, moved, multiply, twistBetween, unitVector } from './check.js'
import { deformingTree } from './deforming-tree.js'
import { randomInertia } from './random-tree.js'

/** two exact ways to the same number, rounding times the condition of small trees */
const AGREEMENT = 1e-9
/** central differences: rounding over step, and step squared times curvature */
const STEP = 1e-5
const DIFFERENCES = 1e-8
/** five points, once more: differences of the mass matrix */
const FIVE_POINTS = 1e-7

const seeds = Array.from({ length: 12 }, (_, k) => k + 1)

/** Kinematics at the state on Data that held NaN. */
function made(seed: number, bodies = 3 + (seed % 7)) {
  const tree = deformingTree(seed, bodies)
  const { model, data, state } = tree
  poisonData(data, model)
  forwardKinematics(model, data, state.q, state.v)
  data.f.fill(0)
  return tree
}

/** Where the points of all deforming bodies are in the world, 3 each, and their masses. */
function worldPoints(model: Model, spec: Spec, q: Vec): { x: number[]; mass: number[] } {
  const d = createData(model)
  forwardKinematics(model, d, q, new Float64Array(model.nv))
  const x: number[] = []
  const mass: number[] = []
  model.modes.bodies.forEach((i, n) => {
    const { points, modes } = spec.bodies.find(({ name }) => name === model.bodies[i].name)?.deformation ?? { points: [], modes: [] }
    points.forEach((point, k) => {
      const at = point.position.map((c, r) =>
        modes.reduce((sum, { shape }, l) => sum + shape[k][r] * q[model.modes.iq[model.modes.start[n] + l]], c),
      )
      mass.push(point.mass)
      for (let r = 0; r < 3; r++) x.push(d.X_WB[12 * i + 9 + r] + dot(d.X_WB.subarray(12 * i + 3 * r, 12 * i + 3 * r + 3), at))
    })
  })
  return { x, mass }
}

describe.each(seeds)('a random tree with bodies that deform, seed %i', (seed) => {
  it('aba inverts rnea', () => {
    const { model, data, state, random } = made(seed)
    for (let k = 0; k < data.f.length; k++) data.f[k] = random.spread(1)
    const a = new Float64Array(model.nv).fill(Number.NaN)
    const tau = new Float64Array(model.nv).fill(Number.NaN)
    aba(model, data, state.v, state.tau, a)
    rnea(model, data, a, tau)
    expectNear(tau, state.tau, AGREEMENT, 10)
  })

  it('rnea is crba · a + bias; aba and solveInertia invert crba', () => {
    const { model, data, state, random } = made(seed)
    const { nv } = model
    const a = random.array(nv, 1)
    const tau = new Float64Array(nv)
    const bias = new Float64Array(nv)
    const M = new Float64Array(nv * nv)
    crba(model, data, M)
    rnea(model, data, a, tau)
    rnea(model, data, new Float64Array(nv), bias)
    const product = multiply(M, a)
    expectNear(
      product.map((x, k) => x + bias[k]),
      tau,
      AGREEMENT,
      1,
    )
    aba(model, data, state.v, state.tau, new Float64Array(nv))
    const solved = new Float64Array(nv)
    solveInertia(model, data, solved, 0, product, 0)
    expectNear(solved, a, AGREEMENT)
    for (let k = 0; k < nv; k++) for (let l = 0; l < k; l++) expect(M[k * nv + l]).toBeCloseTo(M[l * nv + k], 12)
  })

  it('crba is the sum over point masses and rigid bodies', () => {
    const { model, data, state, spec } = made(seed)
    const { nv, nbody } = model
    const M = new Float64Array(nv * nv)
    crba(model, data, M)

    // rigid part: inertias without the points
    const bare = buildModel({
      ...spec,
      bodies: spec.bodies.map(
        (body): BodySpec => ({
          ...body,
          ...(body.deformation
            ? {
                deformation: {
                  ...body.deformation,
                  points: body.deformation.points.map((point, k) => ({ ...point, mass: k < 5 ? 1e-12 : 0 })),
                },
              }
            : {}),
        }),
      ),
    })
    const rates = Array.from({ length: nv }, (_, k) =>
      derivative((h) => worldPoints(model, spec, moved(model, state.q, unitVector(nv, k), h)).x, 1e-3),
    )
    const { mass } = worldPoints(model, spec, state.q)
    const expected = new Float64Array(nv * nv)
    for (let k = 0; k < nv; k++) {
      const y = new Float64Array(6 * nbody)
      const F = new Float64Array(6 * nbody)
      const column = new Float64Array(nv)
      jacobianProduct(model, data, y, unitVector(nv, k))
      for (let i = 1; i < nbody; i++) mulRigid(F, 6 * i, bare.inertia, 10 * i, y, 6 * i)
      jacobianTransposeProduct(model, data, column, F)
      for (let l = 0; l < nv; l++) {
        expected[l * nv + k] = column[l] + (k === l ? model.armature[k] : 0)
        for (let e = 0; e < rates[k].length; e++) expected[l * nv + k] += mass[Math.floor(e / 3)] * rates[k][e] * rates[l][e]
      }
    }
    expectNear(M, expected, FIVE_POINTS)
  })

  it('poses and points move with the velocities', () => {
    const { model, data, state } = made(seed)
    const [later, earlier] = [STEP, -STEP].map((h) => {
      const d = createData(model)
      forwardKinematics(model, d, moved(model, state.q, state.v, h), state.v)
      return d
    })
    for (let i = 1; i < model.nbody; i++) {
      expectNear(data.V.subarray(6 * i, 6 * i + 6), twistBetween(data.X_WB, 12 * i, later.X_WB, earlier.X_WB, STEP), DIFFERENCES, 1)
    }
    const y = new Float64Array(6 * model.nbody)
    jacobianProduct(model, data, y, state.v)
    expectNear(y, data.V.subarray(0, y.length), AGREEMENT, 1)

    // J̇ v is the rate of V, seen in the moving frame
    const z = new Float64Array(6 * model.nbody)
    jacobianRateProduct(model, data, z)
    const rate = Float64Array.from(z, (_, k) => (later.V[k] - earlier.V[k]) / (2 * STEP))
    expectNear(z, rate, DIFFERENCES, 1)
  })

  it('kinetic energy is ½ vᵀ M v; momentum and centre of mass are sums over points and bodies', () => {
    const { model, data, state, spec } = made(seed)
    const M = new Float64Array(model.nv ** 2)
    crba(model, data, M)
    expectNear([kineticEnergy(model, data, state.v)], [0.5 * dot(state.v, multiply(M, state.v))], AGREEMENT)
    const [at, later, earlier] = [0, STEP, -STEP].map((h) => {
      const d = createData(model)
      const out = new Float64Array(3)
      forwardKinematics(model, d, moved(model, state.q, state.v, h), state.v)
      centerOfMass(model, d, out)
      return out
    })
    const out = new Float64Array(6)
    momentum(model, data, out)
    const mass = model.inertia.reduce((sum, x, k) => (k % 10 === 0 ? sum + x : sum), 0)
    expectNear(
      out.subarray(3),
      at.map((_, r) => (mass * (later[r] - earlier[r])) / (2 * STEP)),
      DIFFERENCES,
      1,
    )
    expect(spec.bodies.length).toBe(model.nbody - 1)
  })

  it('a free body that deforms keeps momentum and energy', () => {
    const { model, data, state } = deformingTree(seed, 4, { floating: true, spec: { gravity: [0, 0, 0] } })
    const measure = (q: Vec, v: Vec): number[] => {
      const out = new Float64Array(6)
      forwardKinematics(model, data, q, v)
      momentum(model, data, out)
      return [...out, kineticEnergy(model, data, v), ...[energy(model, data, { ...state, q, v }).potential]]
    }
    poisonData(data, model)
    forwardDynamics(model, data, state)
    const a = data.a.slice()
    // along the motion: q̇ = v, v̇ = a
    const rates = derivative((h) => {
      const q = state.q.slice()
      // a second-order path with the right velocity at 0 is enough: momentum and energy see its first derivative
      integrate(model, q, state.v, h)
      return measure(
        q,
        state.v.map((x, k) => x + h * a[k]),
      )
    }, 1e-3)
    expectNear(rates.slice(0, 6), new Float64Array(6), FIVE_POINTS, 10)
    expectNear([rates[6] + rates[7]], [0], FIVE_POINTS, 10)
  })
})

const linear = jointTypes.filter((type) => type.linear)

describe.each(seeds)('Lagrange, seed %i', (seed) => {
  it('rnea at rest accelerations is Ṁ v − ½ ∂(vᵀ M v)/∂q + ∂U/∂q where coordinates are numbers', () => {
    const { model, data, state } = deformingTree(seed, 4, { types: linear })
    const { nv } = model
    const M = (q: Vec): Vec => {
      const out = new Float64Array(nv * nv)
      massMatrix(model, data, { ...state, q }, out)
      return out
    }
    const { v } = state
    const Mdot = derivative((h) => M(moved(model, state.q, v, h)), 1e-3)
    const expected = Array.from({ length: nv }, (_, k) => {
      const along = (h: number): Vec => moved(model, state.q, unitVector(nv, k), h)
      const [slope] = derivative((h) => [0.5 * dot(v, multiply(M(along(h)), v))], 1e-3)
      const [pull] = derivative((h) => [energy(model, data, { ...state, q: along(h) }).potential], 1e-3)
      return dot(Mdot.slice(k * nv, (k + 1) * nv), v) - slope + pull
    })
    poisonData(data, model)
    forwardKinematics(model, data, state.q, v)
    data.f.fill(0)
    const bias = new Float64Array(nv)
    rnea(model, data, new Float64Array(nv), bias)
    for (let k = 0; k < nv; k++)
      bias[k] += model.coordinate[k] < 0 ? 0 : model.stiffness[k] * (state.q[model.coordinate[k]] - model.rest[model.coordinate[k]])
    expectNear(bias, expected, FIVE_POINTS, 10)
  })
})

/** Hinges in a random tree; body `glued` has one mode of points that slide along u, or a child on a prismatic joint in their stead. */
function gluedTree(seed: number, how: 'mode' | 'prismatic'): Spec {
  const random = createRandom(1000 + seed)
  const n = 3 + (seed % 6)
  const glued = random.below(n)
  const u = random.axis()
  const points = Array.from({ length: 4 }, () => ({ mass: random.between(0.2, 1), position: random.vec3(0.5) }))
  const bodies: BodySpec[] = []
  for (let k = 0; k < n; k++) {
    const parent = k === 0 ? -1 : random.below(k)
    const onMoved = parent === glued && random.unit() < 0.7
    const body: BodySpec = {
      name: `b${k}`,
      parent: parent < 0 ? 'world' : onMoved && how === 'prismatic' ? 'slider' : `b${parent}`,
      position: random.vec3(0.5),
      quaternion: random.quat(),
      inertia: randomInertia(random),
      joints: [{ type: 'revolute' as const, axis: random.axis(), anchor: random.vec3(0.2), initial: random.spread(1) }],
      ...(onMoved && how === 'mode' ? { attach: { points: [0, 1, 2, 3] } } : {}),
    }
    const initial = random.spread(0.3)
    const modes = { stiffness: 7, damping: 0.3, rest: 0.1, initial }
    if (k !== glued) bodies.push(body)
    else if (how === 'mode') bodies.push({ ...body, deformation: { points, modes: [{ shape: points.map(() => u), ...modes }] } })
    else
      bodies.push(body, {
        name: 'slider',
        parent: body.name,
        inertia: pointInertia(points),
        joints: [{ type: 'prismatic' as const, axis: u, ...modes }],
      })
  }
  return { gravity: random.vec3(9.81), bodies }
}

function pointInertia(points: readonly { readonly mass: number; readonly position: readonly number[] }[]): InertiaSpec {
  const mass = points.reduce((sum, point) => sum + point.mass, 0)
  const com = [0, 1, 2].map((r) => points.reduce((sum, point) => sum + (point.mass * point.position[r]) / mass, 0))
  const at = (r: number, c: number): number =>
    points.reduce((sum, point) => {
      const x = point.position.map((p, e) => p - com[e])
      return sum + point.mass * ((r === c ? dot(x, x) : 0) - x[r] * x[c])
    }, 0)
  return { mass, com: [com[0], com[1], com[2]], tensor: [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)] }
}

describe('one mode is a prismatic joint', () => {
  it.each(seeds)('accelerations, forces, energies and steps of a hinge tree with it, seed %i', (seed) => {
    const random = createRandom(seed)
    const [mode, joint] = (['mode', 'prismatic'] as const).map((how) => {
      const model = buildModel(gluedTree(seed, how))
      return { model, data: createData(model), state: createState(model) }
    })
    expect(mode.model.nv).toBe(joint.model.nv)
    expect(mode.state.q).toEqual(joint.state.q)
    const v = random.array(mode.model.nv, 1)
    const tau = random.array(mode.model.nv, 1)
    for (const { model, data, state } of [mode, joint]) {
      state.v.set(v)
      forwardDynamics(model, data, state, tau)
    }
    expectNear(mode.data.a, joint.data.a, AGREEMENT)
    const [a, b] = [mode, joint].map(({ model, data, state }) => Object.values(energy(model, data, state)))
    expectNear(a, b, AGREEMENT)
    const [q, r] = [mode, joint].map(({ model }) => {
      const simulation = createSimulation(model, { solver: 'ode', timestep: 0.01 })
      simulation.state.v.set(v)
      for (let k = 0; k < 30; k++) simulation.step()
      return simulation.state.q.slice()
    })
    expectNear(q, r, AGREEMENT, 1)
  })

  it.each(seeds)('and a mode that turns a frame is a hinge, seed %i', (seed) => {
    const random = createRandom(seed)
    const points = Array.from({ length: seed % 3 === 0 ? 3 : 8 }, () => ({ mass: 0, position: random.vec3(0.5) }))
    // about an axis in the plane where the interface has no more than one: its normal must follow
    const a = points.length > 3 ? random.axis() : direction(points[0].position, points[1].position)
    const base: BodySpec = {
      name: 'base',
      position: random.vec3(1),
      quaternion: random.quat(),
      inertia: randomInertia(random),
      joints: [{ type: 'free' as const }],
    }
    const place = { position: random.vec3(0.5), quaternion: random.quat() }
    const arm = { name: 'arm', inertia: randomInertia(random), joints: [{ type: 'revolute' as const, axis: random.axis(), initial: 0.4 }] }
    // the hinge stands in the middle of the interface; its axis is the mode's, seen from the arm
    const [w, x, y, z] = place.quaternion.map((c, k) => (k === 0 ? c : -c))
    const turned = turn([w, x, y, z], a)
    const center = [0, 1, 2].map((r) => points.reduce((sum, { position }) => sum + position[r] / points.length, 0))
    const offset = center.map((c, r) => c - place.position[r])
    const anchor = turn([w, x, y, z], offset)
    // points move by η a × (x − x̂): the fit is 1 + η [a], whose rotation is by the angle θ = atan η
    const shape = points.map(({ position }): Vec3 => {
      const [p, q, r] = position.map((c, k) => c - center[k])
      return [a[1] * r - a[2] * q, a[2] * p - a[0] * r, a[0] * q - a[1] * p]
    })
    const angle = 0.7
    const eta = Math.tan(angle)
    const slope = 1 / (1 + eta * eta)
    const attach = { points: points.map((_, k) => k) }
    const specs: Spec[] = [
      {
        bodies: [
          { ...base, deformation: { points, modes: [{ shape, initial: eta }] } },
          { ...arm, ...place, parent: 'base', attach },
        ],
      },
      {
        bodies: [
          base,
          {
            ...arm,
            ...place,
            parent: 'base',
            joints: [{ type: 'revolute' as const, axis: turned, anchor, initial: angle }, ...arm.joints],
          },
        ],
      },
    ]
    const v = random.array(8, 1)
    const results = specs.map((spec, which) => {
      const model = buildModel(spec)
      const data = createData(model)
      const state = createState(model)
      state.v.set(v)
      if (which === 1) state.v[6] *= slope
      forwardDynamics(model, data, state)
      return data.a.slice()
    })
    // θ̈ = η̈ slope − 2 η (slope η̇)²
    results[0][6] = results[0][6] * slope - 2 * eta * (slope * v[6]) ** 2
    expectNear(results[0], results[1], AGREEMENT)
  })
})

function direction(from: Vec3, to: Vec3): Vec3 {
  const [x, y, z] = to.map((c, k) => c - from[k])
  const length = Math.hypot(x, y, z)
  return [x / length, y / length, z / length]
}

function turn([w, x, y, z]: readonly number[], a: readonly number[]): [number, number, number] {
  const c = (p: readonly number[], q: readonly number[]): number[] => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ]
  const n = Math.hypot(w, x, y, z)
  const u = [x / n, y / n, z / n]
  const s = c(u, a)
  const t = c(u, s)
  const [p, q, r] = a.map((e, k) => e + 2 * ((w / n) * s[k] + t[k]))
  return [p, q, r]
}

/** three points on one line, one beside it */
const bent = {
  points: [0, 1, 2, 3].map((k) => ({ mass: 1, position: [k, k === 3 ? 1 : 0, 0] as const })),
  modes: [{ shape: [0, 1, 2, 3].map((k) => [0, 0, k] as const) }],
}

describe('a body that deforms, in files', () => {
  it('is written and read as a scene, and its coordinates have names', () => {
    const { spec, model } = deformingTree(5, 5)
    const again = buildModel(parseScene(writeScene(spec)))
    expect(modelHash(again)).toBe(modelHash(model))
    const owned = new Set(model.joints.flatMap(({ iv, nv }) => Array.from({ length: nv }, (_, k) => iv + k)))
    expect(owned.size).toBe(model.nv)
    expect(columnLabels(recordedModel(model), 'v').some((label) => label.startsWith('b0.modes.v'))).toBe(true)
  })

  it.each<[string, RegExp, (bodies: readonly BodySpec[]) => BodySpec[]]>([
    [
      'a shape of the wrong length',
      /deformation\/modes\/0\/shape: expected 1 vectors/,
      ([a, b]) => [{ ...a, deformation: { points: [{ mass: 1, position: [0, 0, 0] }], modes: [{ shape: [] }] } }, b],
    ],
    ['points of a rigid parent', /attach: expected none: 'a' does not deform/, ([a, b]) => [a, { ...b, attach: { points: [0, 1, 2] } }]],
    [
      'an interface by name where there is no domain',
      /attach: expected points, since 'a' has no domain with interfaces, got 'end'/,
      ([a, b]) => [
        { ...a, deformation: bent },
        { ...b, attach: 'end' },
      ],
    ],
    [
      'points that the parent has not',
      /attach\/points: expected numbers of points of 'a', from 0 to 3, got 7/,
      ([a, b]) => [
        { ...a, deformation: bent },
        { ...b, attach: { points: [0, 1, 7] } },
      ],
    ],
    [
      'two points',
      /attach\/points: expected at least three points that are not on one line, to hold a rotation; got 2 points/,
      ([a, b]) => [
        { ...a, deformation: bent },
        { ...b, attach: { points: [0, 1] } },
      ],
    ],
    [
      'points on one line',
      /attach\/points: expected at least three points that are not on one line, to hold a rotation; got 3 points on one line/,
      ([a, b]) => [
        { ...a, deformation: bent },
        { ...b, attach: { points: [0, 1, 2] } },
      ],
    ],
    [
      'a mode that moves no mass',
      /deformation\/modes: expected modes of body 'b' that move mass/,
      ([a, b]) => [a, { ...b, deformation: { points: [], modes: [{ shape: [] }] } }],
    ],
    [
      'a mass below zero',
      /points\/0\/mass: expected a non-negative/,
      ([a, b]) => [a, { ...b, deformation: { points: [{ mass: -1, position: [0, 0, 0] }], modes: [{ shape: [[1, 0, 0]] }] } }],
    ],
  ])('is refused with %s', (_, message, change) => {
    const inertia = { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } as const
    const hinge = [{ type: 'revolute' as const }]
    const bodies: BodySpec[] = [
      { name: 'a', inertia, joints: hinge },
      { name: 'b', parent: 'a', inertia, joints: hinge },
    ]
    expect(() => buildModel({ bodies: change(bodies) })).toThrow(message)
  })
})

const hinged: BodySpec = { name: 'hinged', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } }

describe('a body that deforms, under solvers', () => {
  it.each(seeds.slice(0, 4))('ode keeps energy, seed %i', (seed) => {
    const { model, data, state } = deformingTree(seed, 4)
    const simulation = createSimulation(model, { solver: 'ode', method: 'gear', rtol: 1e-10, atol: 1e-12, timestep: 0.01 })
    simulation.state.q.set(state.q)
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    const before = total()
    for (let k = 0; k < 50; k++) expect(simulation.step().status).toBe('ok')
    expectNear([total()], [before], 1e-6, 1)
  })

  it('position refuses it in a sentence', () => {
    const { model } = deformingTree(1, 3)
    expect(() => createSimulation(model, { solver: 'position' })).toThrow(/deform/)
  })

  it('bdf follows it as gear does', () => {
    const { model, state } = deformingTree(3, 3)
    const [a, b] = ['gear', 'bdf'].map((method) => {
      const simulation = createSimulation(model, { solver: 'ode', method, rtol: 1e-8, atol: 1e-10, timestep: 0.02 })
      simulation.state.q.set(state.q)
      for (let k = 0; k < 5; k++) expect(simulation.step().status).toBe('ok')
      return simulation.state.q.slice()
    })
    expectNear(a, b, 1e-5, 1)
  })

  it('auto takes substructuring, and redmax where there are limits', () => {
    const { model, spec } = deformingTree(1, 3)
    expect(chooseSolver(model).name).toBe('substructuring')
    expect(createSimulation(model, { timestep: 0.001 }).step().status).toBe('ok')
    const limited = buildModel({
      ...spec,
      bodies: [...spec.bodies, { ...hinged, joints: [{ type: 'revolute' as const, limits: [-1, 1] }] }],
    })
    expect(chooseSolver(limited)).toMatchObject({ name: 'redmax', why: expect.stringContaining('joint limits') })
  })
})
