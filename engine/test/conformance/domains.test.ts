/**
 * Domains: bodies that share a reduced elastic mesh, against sums over its vertices in the world.
 */
import type { BodySpec, Model, Reduced, Spec, Vec, Vec3 } from 'limber'
import {
  buildModel,
  crba,
  createData,
  createSimulation,
  createState,
  energy,
  forwardDynamics,
  forwardKinematics,
  kineticEnergy,
  modelHash,
  parseScene,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { elasticity } from '../../src/forces/elasticity.js'
import { writeReduced } from '../../src/io/domain/reduced-file.js'
import { createStiffTerms } from '../../src/model/stiff-terms.js'
import { createRandom } from '../random.js'
import { derivative, dot, expectNear, moved, unitVector } from './check.js'
import { anywhere, tree } from './domain-tree.js'
import { energyOf } from './random-domain.js'

/** differences of positions in the world, once and twice */
const DIFFERENCES = 1e-7
/** two exact ways to the same number */
const AGREEMENT = 1e-12

const seeds = [1, 2, 3, 4, 5, 6]

/** Every vertex in the world, 3 each, and its mass. */
function vertices(model: Model, spec: Spec, q: Vec): { x: number[]; mass: number[] } {
  const d = createData(model)
  forwardKinematics(model, d, q, new Float64Array(model.nv))
  const x: number[] = []
  const mass: number[] = []
  for (let i = 1; i < model.nbody; i++) {
    const use = spec.bodies.find(({ name }) => name === model.bodies[i].name)?.domain
    const data = spec.domains?.find(({ name }) => name === use?.name)?.data
    if (!data) continue
    const s = use?.scale ?? 1
    const n = model.modes.row[i]
    for (let k = 0; k < data.masses.length; k++) {
      const at = [0, 1, 2].map((c) => {
        let sum = s * data.vertices[3 * k + c]
        for (let l = 0; l < data.modes; l++)
          sum += data.shapes[l * data.vertices.length + 3 * k + c] * q[model.modes.iq[model.modes.start[n]] + l]
        return sum
      })
      mass.push(s ** 3 * data.masses[k])
      for (let r = 0; r < 3; r++) x.push(d.X_WB[12 * i + 9 + r] + dot(d.X_WB.subarray(12 * i + 3 * r, 12 * i + 3 * r + 3), at))
    }
  }
  return { x, mass }
}

/** ν² s³ V(η/s) over all bodies */
function elasticEnergy(model: Model, spec: Spec, q: Vec): number {
  let sum = 0
  model.modes.bodies.forEach((i, n) => {
    const use = spec.bodies.find(({ name }) => name === model.bodies[i].name)?.domain
    const { scale: s = 1, frequency = 1 } = use ?? {}
    const data = spec.domains?.find(({ name }) => name === use?.name)?.data as Reduced
    const at = model.modes.iq[model.modes.start[n]]
    sum +=
      frequency ** 2 *
      s ** 3 *
      energyOf(
        data,
        Array.from(q.subarray(at, at + data.modes), (x) => x / s),
      )
  })
  return sum
}

describe.each(seeds)('four domains in a tree, seed %i', (seed) => {
  it.each([['fixed', []] as const, ['free', [{ type: 'free' }]] as const])(
    'move as a Lagrangian of their vertices in the world says, %s',
    (_, root) => {
      const spec = tree(seed, root)
      const model = buildModel(spec)
      const { q, v } = anywhere(model, seed)
      const { nv } = model
      const state = { ...createState(model), q, v }
      const data = createData(model)
      forwardDynamics(model, data, state)
      const a = data.a.slice()

      // along q ⊕ (v t + ½ a t²), which has these velocities and accelerations
      const path = (t: number): number[] =>
        vertices(
          model,
          spec,
          moved(
            model,
            q,
            v.map((x, k) => x * t + 0.5 * a[k] * t * t),
            1,
          ),
        ).x
      const h = 5e-4
      const [x0, x1, x2, x3, x4] = [-2, -1, 0, 1, 2].map((k) => path(k * h))
      const { mass } = vertices(model, spec, q)
      const inertial = x2.map(
        (x, e) => mass[Math.floor(e / 3)] * ((-x0[e] + 16 * x1[e] - 30 * x + 16 * x3[e] - x4[e]) / (12 * h * h) - model.gravity[e % 3]),
      )
      const residual = Array.from({ length: nv }, (_, k) => {
        const along = (t: number): Vec => moved(model, q, unitVector(nv, k), t)
        const [force] = derivative((t) => [elasticEnergy(model, spec, along(t))], 1e-3)
        const rates = derivative((t) => vertices(model, spec, along(t)).x, 1e-3)
        return dot(rates, inertial) + force
      })
      expectNear(residual, new Float64Array(nv), DIFFERENCES, 10)
    },
  )

  it('have the mass and kinetic energy of their vertices', () => {
    const spec = tree(seed, [{ type: 'free' }])
    const model = buildModel(spec)
    const { q, v } = anywhere(model, seed)
    const data = createData(model)
    forwardKinematics(model, data, q, v)
    const rates = derivative((t) => vertices(model, spec, moved(model, q, v, t)).x, 1e-3)
    const { mass } = vertices(model, spec, q)
    const energy = rates.reduce((sum, x, e) => sum + 0.5 * mass[Math.floor(e / 3)] * x * x, 0)
    expectNear([kineticEnergy(model, data, v)], [energy], DIFFERENCES)
  })

  it('are those of another size whose vertices are given one by one', () => {
    const spec = tree(seed)
    const model = buildModel(spec)
    const own = buildModel({
      ...spec,
      bodies: spec.bodies.map((body): BodySpec => {
        const { domain, attach, ...rest } = body
        const data = spec.domains?.find(({ name }) => name === domain?.name)?.data as Reduced
        const s = domain?.scale ?? 1
        const above = spec.bodies.find(({ name }) => name === body.parent)
        const on = spec.domains?.find(({ name }) => name === above?.domain?.name)?.data.interfaces
        const points = Array.from(data.masses, (mass, k) => ({
          mass: s ** 3 * mass,
          position: Array.from(data.vertices.subarray(3 * k, 3 * k + 3), (x) => s * x) as unknown as Vec3,
        }))
        const shape = (l: number, k: number): Vec3 => {
          const o = l * data.vertices.length + 3 * k
          return [data.shapes[o], data.shapes[o + 1], data.shapes[o + 2]]
        }
        // the body without modes keeps its domain
        if (data.modes === 0) return { ...body, attach: { points: [...(on?.find(({ name }) => name === 'end')?.vertices ?? [])] } }
        return {
          ...rest,
          deformation: {
            points,
            modes: Array.from({ length: data.modes }, (_, l) => ({ shape: points.map((_, k) => shape(l, k)) })),
          },
          ...(attach ? { attach: { points: [...(on?.find(({ name }) => name === attach)?.vertices ?? [])] } } : {}),
        }
      }),
    })
    const { q, v } = anywhere(model, seed)
    const [M, N] = [model, own].map((m) => {
      const d = createData(m)
      const out = new Float64Array(m.nv ** 2)
      forwardKinematics(m, d, q, v)
      crba(m, d, out)
      return out
    })
    expectNear(M, N, AGREEMENT)
  })
})

describe('a domain', () => {
  it('is in the model once, however many bodies have it; the model is cloned and told apart', () => {
    const spec = tree(1)
    const model = buildModel(spec)
    const more = buildModel({ ...spec, bodies: [...spec.bodies, ...[1, 2, 3].map((k) => ({ ...spec.bodies[1], name: `b${k}` }))] })
    expect(model.modes.bases.names).toEqual(['three', 'two'])
    expect(more.modes.bases).toEqual(model.modes.bases)
    // 'end' of each of the two that carry something by it, 'upper half'
    expect(more.modes.faces.count).toBe(2)
    expect(modelHash(structuredClone(model))).toBe(modelHash(model))
    const other = buildModel({
      ...spec,
      bodies: spec.bodies.map((body) => (body.domain ? { ...body, domain: { ...body.domain, frequency: 1.01 } } : body)),
    })
    expect(modelHash(other)).not.toBe(modelHash(model))
  })

  it('is written into a scene and read from it, or from a file that the scene names', () => {
    const spec = tree(4)
    const text = writeScene(spec)
    expect(modelHash(buildModel(parseScene(text)))).toBe(modelHash(buildModel(spec)))
    const files = new Map(spec.domains?.map(({ name, data }) => [`${name}.bin`, writeReduced(data)]))
    const named = text.replace(
      /"domains": \[[\s\S]*?\n  \]/,
      `"domains": ${JSON.stringify(spec.domains?.map(({ name }) => ({ name, file: `${name}.bin` })))}`,
    )
    const resolve = (path: string): Uint8Array | undefined => files.get(path)
    expect(modelHash(buildModel(parseScene(named, { resolve })))).toBe(modelHash(buildModel(spec)))
    expect(() => parseScene(named)).toThrow(/domains\/0\/file: 'three.bin': files cannot be read here; give its bytes as `data`/)
    expect(() => parseScene(named, { resolve: () => undefined })).toThrow(/domains\/0\/file: 'three.bin': no such file/)
    expect(() => parseScene(named, { resolve: () => Uint8Array.of(1, 2, 3) })).toThrow(
      /domains\/0\/file: 'three.bin': expected a reduced domain/,
    )
    expect(() => parseScene('{ "bodies": [], "domains": [{ "name": "a", "data": "*" }] }')).toThrow(
      /domains\/0\/data: expected the bytes .* base64/,
    )
  })

  it('without modes is the rigid body of its mass', () => {
    const { domains, bodies, ...rest } = tree(3)
    const all = bodies.map(
      (body): BodySpec => ({ ...body, domain: { name: 'none', scale: body.domain?.scale ?? 1 }, joints: [{ type: 'spherical' }] }),
    )
    const rigid = all.map(
      ({ domain, attach: _attach, ...body }): BodySpec => ({
        ...body,
        inertia: inertiaOf(domains?.[2].data as Reduced, domain?.scale ?? 1),
      }),
    )
    const [a, b] = [buildModel({ ...rest, domains, bodies: all } as Spec), buildModel({ ...rest, bodies: rigid } as Spec)].map((model) => {
      const data = createData(model)
      const random = createRandom(9)
      const state = createState(model)
      state.v.set(random.array(model.nv, 1))
      forwardDynamics(model, data, state)
      return data.a.slice()
    })
    expectNear(a, b, AGREEMENT)
  })

  it('takes the interface nearest to a child that names none', () => {
    const spec = tree(2)
    const named = buildModel(spec)
    const near = buildModel({ ...spec, bodies: spec.bodies.map(({ attach: _attach, ...body }) => body) })
    expect(near.modes.face).toEqual(named.modes.face)
    expect(modelHash(near)).toBe(modelHash(named))
  })

  it.each<[string, RegExp, (spec: Spec) => Spec]>([
    [
      'a name that is none',
      /bodies\/0\/domain\/name: expected the name of a domain, got 'thre'; did you mean 'three'/,
      (spec) => use(spec, { name: 'thre' }),
    ],
    ['no size', /bodies\/0\/domain\/scale: expected a positive finite number/, (spec) => use(spec, { name: 'three', scale: 0 })],
    [
      'an interface that is none',
      /bodies\/1\/attach: expected an interface of domain 'three', got 'ent'; did you mean 'end'/,
      (spec) => ({ ...spec, bodies: spec.bodies.map((body, k) => (k === 1 ? { ...body, attach: 'ent' } : body)) }),
    ],
    [
      'too few coefficients',
      /domains\/0\/data\/energy2: expected 6 numbers for 12 vertices and 3 modes, got 5/,
      (spec) => ({
        ...spec,
        domains: (spec.domains ?? []).map((domain) => ({ ...domain, data: { ...domain.data, energy2: domain.data.energy2.subarray(1) } })),
      }),
    ],
    [
      'points of its own beside it',
      /bodies\/0: expected either 'domain' or 'deformation', got both/,
      (spec) => ({ ...spec, bodies: spec.bodies.map((body) => ({ ...body, deformation: { points: [], modes: [] } })) }),
    ],
  ])('is refused with %s', (_, message, change) => {
    expect(() => buildModel(change(tree(1)))).toThrow(message)
  })

  function use(spec: Spec, domain: BodySpec['domain'] & object): Spec {
    return { ...spec, bodies: spec.bodies.map((body, k) => (k === 0 ? { ...body, domain } : body)) }
  }
})

function inertiaOf({ vertices: X, masses }: Reduced, s: number): NonNullable<BodySpec['inertia']> {
  const mass = s ** 3 * masses.reduce((sum, m) => sum + m, 0)
  const com = [0, 1, 2].map((c) => masses.reduce((sum, m, k) => sum + (s ** 4 * m * X[3 * k + c]) / mass, 0))
  const at = (a: number, b: number): number =>
    masses.reduce((sum, m, k) => {
      const x = [0, 1, 2].map((c) => s * X[3 * k + c] - com[c])
      return sum + s ** 3 * m * ((a === b ? dot(x, x) : 0) - x[a] * x[b])
    }, 0)
  return { mass, com: [com[0], com[1], com[2]], tensor: [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)] }
}

/** A body whose points are moved by a matrix: x⁰ + η (M − 1)(x⁰ − x̂). */
function moving(points: readonly Vec3[], matrix: readonly (readonly number[])[]): Spec {
  const center = [0, 1, 2].map((c) => points.reduce((sum, x) => sum + x[c] / points.length, 0))
  const shape = points.map((x) => {
    const [p, q, r] = matrix.map(
      (row, c) =>
        dot(
          row,
          x.map((e, k) => e - center[k]),
        ) -
        (x[c] - center[c]),
    )
    return [p, q, r] as const
  })
  return {
    gravity: [0, 0, 0],
    bodies: [
      {
        name: 'soft',
        joints: [{ type: 'free' }],
        inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
        deformation: { points: points.map((position) => ({ mass: 1, position })), modes: [{ shape, stiffness: 10 }] },
      },
      {
        name: 'child',
        parent: 'soft',
        position: [0.1, 0.2, 0.3],
        inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
        attach: { points: points.map((_, k) => k) },
      },
    ],
  }
}

const solid: Vec3[] = [
  [0, 0, 0],
  [1, 0.1, 0],
  [0.2, 0.9, 0],
  [0.1, 0, 0.8],
  [0.6, 0.5, 0.9],
]
const flat: Vec3[] = solid.map(([x, y, z]) => [x, y + 0.3 * z, 0.2 * x + 0.4 * (y + 0.3 * z)])

describe('a moved frame', () => {
  it.each([
    ['solid', 5],
    ['solid', 60],
    ['solid', 90],
    ['flat', 5],
    ['flat', 60],
    ['flat', 90],
  ] as const)('follows a rigid turn of a %s interface by %i degrees', (which, degrees) => {
    const angle = (degrees * Math.PI) / 180
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    // about x, which lies across the normal of the flat one
    const turn = [
      [1, 0, 0],
      [0, c, -s],
      [0, s, c],
    ]
    const model = buildModel(moving(which === 'solid' ? solid : flat, turn))
    const data = createData(model)
    const q = model.q0.slice()
    q[model.modes.iq[0]] = 1
    forwardKinematics(model, data, q, new Float64Array(model.nv))
    const child = model.bodies.findIndex(({ name }) => name === 'child')
    expectNear(data.X_PB.subarray(12 * child, 12 * child + 9), turn.flat(), AGREEMENT)
  })

  it('that is turned inside out refuses the step and leaves the state alone', () => {
    const inverse = [-1, -1, -1].map((x, k) => unitVector(3, k).map((e) => e * x))
    const model = buildModel(
      moving(
        solid,
        inverse.map((row) => Array.from(row)),
      ),
    )
    const simulation = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: 1e-3 })
    simulation.state.q[model.modes.iq[0]] = 1
    const before = simulation.state.q.slice()
    const { status } = simulation.step()
    expect(status).not.toBe('ok')
    expect(simulation.state.q).toEqual(before)
    expect(simulation.state.t).toBe(0)
  })
})

describe('where a mechanism stands', () => {
  it.each(seeds)('does not matter to its modes, seed %i', (seed) => {
    const free = [{ type: 'free' }] as const
    const spec = tree(seed, free, [0, 0, 0])
    const random = createRandom(seed + 50)
    const elsewhere = {
      ...spec,
      bodies: spec.bodies.map((body, k) => (k === 0 ? { ...body, position: random.vec3(5), quaternion: random.quat() } : body)),
    }
    const [a, b] = [spec, elsewhere].map((s) => {
      const model = buildModel(s)
      const simulation = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: 2e-3 })
      const { v } = anywhere(model, seed)
      simulation.state.v.set(v)
      for (let k = 0; k < 50; k++) expect(simulation.step().status).toBe('ok')
      return Array.from(model.modes.iq, (k) => simulation.state.q[k])
    })
    expectNear(a, b, 1e-10)
  })
})

describe('elasticity', () => {
  it.each(seeds)('is the gradient and the Hessian of the energy, in bodies of any size, seed %i', (seed) => {
    const spec = tree(seed)
    const model = buildModel({
      ...spec,
      bodies: spec.bodies.map((body) => ({
        ...body,
        domain: { ...(body.domain as { name: string }), damping: { mass: 0.3, stiffness: 0.02 } },
      })),
    })
    const { q, v } = anywhere(model, seed)
    const data = createData(model)
    const state = { ...createState(model), q, v: new Float64Array(model.nv) }
    expectNear([elasticity.energy?.(model, data, state) ?? Number.NaN], [elasticEnergy(model, spec, q)], AGREEMENT)
    const force = (x: Vec, rates: Vec): number[] => {
      data.qf.fill(0)
      elasticity.apply(model, data, { ...state, q: x, v: rates })
      return Array.from(model.modes.iv, (k) => data.qf[k])
    }
    const still = force(q, state.v)
    const terms = createStiffTerms(model)
    elasticity.linearize?.(model, data, { ...state, v }, terms)
    const damped = force(q, v).map((f, l) => f - still[l])
    for (const [n, first] of model.modes.start.subarray(0, -1).entries()) {
      const r = model.modes.start[n + 1] - first
      for (let l = 0; l < r; l++) {
        const along = (t: number): Vec => moved(model, q, unitVector(model.nv, model.modes.iv[first + l]), t)
        const [slope] = derivative((t) => [elasticEnergy(model, spec, along(t))], 1e-3)
        expectNear([-still[first + l]], [slope], DIFFERENCES, 1)
        const column = derivative((t) => force(along(t), state.v).map((f) => -f), 1e-3).slice(first, first + r)
        const o = model.modes.block[n]
        expectNear(
          Array.from({ length: r }, (_, k) => terms.modeStiffness[o + k * r + l]),
          column,
          DIFFERENCES,
          1,
        )
      }
      const rates = v.subarray(model.modes.iv[first], model.modes.iv[first] + r)
      const D = terms.modeDamping.subarray(model.modes.block[n], model.modes.block[n + 1])
      expectNear(
        Array.from({ length: r }, (_, k) => -dot(D.subarray(k * r, k * r + r), rates)),
        damped.slice(first, first + r),
        AGREEMENT,
      )
    }
  })

  it.each([
    ['rk4', { method: 'rk4', timestep: 1e-3 }],
    ['bdf', { method: 'bdf', rtol: 1e-8, atol: 1e-10, timestep: 1e-2 }],
  ])('keeps the energy under %s', (_, options) => {
    const model = buildModel(tree(2))
    const simulation = createSimulation(model, { solver: 'ode', ...options })
    const data = createData(model)
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    const before = total()
    let swing = 0
    for (let t = 0; t < 0.3; t = simulation.state.t) {
      expect(simulation.step().status).toBe('ok')
      swing = Math.max(swing, energy(model, data, simulation.state).kinetic)
    }
    expect(swing).toBeGreaterThan(0.01)
    expect(Math.abs(total() - before) / swing).toBeLessThan(1e-5)
  })
})
