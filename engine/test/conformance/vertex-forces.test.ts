/**
 * Forces on points of bodies that deform: wind, springs, loads, contact, each against sums over the vertices themselves.
 */
import type { BodySpec, Model, Reduced, Spec, State, Vec } from 'limber'
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  createVertexSpring,
  forwardKinematics,
  parseScene,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { applyForces } from '../../src/forces/dynamics.js'
import { modeDrag } from '../../src/forces/mode-drag.js'
import { createStiffTerms } from '../../src/model/stiff-terms.js'
import { derivative, dot, expectNear, moved } from './check.js'
import { anywhere, tree } from './domain-tree.js'

const AGREEMENT = 1e-12
const DIFFERENCES = 1e-7

/** Positions of all vertices of a body in the world, 3 each. */
function vertices(model: Model, spec: Spec, q: Vec, name: string): number[] {
  const d = createData(model)
  forwardKinematics(model, d, q, new Float64Array(model.nv))
  const i = model.bodies.findIndex((body) => body.name === name)
  const use = spec.bodies.find((body) => body.name === name)?.domain
  const data = spec.domains?.find((domain) => domain.name === use?.name)?.data as Reduced
  const at = model.modes.iq[model.modes.start[model.modes.row[i]]]
  return Array.from(data.masses).flatMap((_, k) => {
    const x = [0, 1, 2].map((c) => {
      let sum = (use?.scale ?? 1) * data.vertices[3 * k + c]
      for (let l = 0; l < data.modes; l++) sum += data.shapes[l * data.vertices.length + 3 * k + c] * q[at + l]
      return sum
    })
    return [0, 1, 2].map((r) => d.X_WB[12 * i + 9 + r] + dot(d.X_WB.subarray(12 * i + 3 * r, 12 * i + 3 * r + 3), x))
  })
}

/** Power of the model's forces (and the user's own) at the state along each velocity: generalised forces. */
function generalised(model: Model, state: State, forces: Parameters<typeof createData>[1] = {}): number[] {
  const data = createData(model, forces)
  forwardKinematics(model, data, state.q, state.v)
  applyForces(model, data, state)
  const out = data.qf.slice()
  // Jᵀ f by the motion of the body's own frame
  for (let k = 0; k < model.nv; k++) {
    const d = createData(model)
    const e = new Float64Array(model.nv)
    e[k] = 1
    forwardKinematics(model, d, state.q, e)
    for (let i = 1; i < model.nbody; i++) out[k] += dot(d.V.subarray(6 * i, 6 * i + 6), data.f.subarray(6 * i, 6 * i + 6))
  }
  return Array.from(out)
}

/** −∂/∂q of a number */
function gradient(model: Model, q: Vec, f: (q: Vec) => number): number[] {
  return Array.from({ length: model.nv }, (_, k) => {
    const e = new Float64Array(model.nv)
    e[k] = 1
    return -derivative((t) => [f(moved(model, q, e, t))], 1e-3)[0]
  })
}

const still = (model: Model, q: Vec): State => ({ ...createState(model), q, v: new Float64Array(model.nv) })

describe('drag of a domain', () => {
  it.each([1, 2, 3])('is the sum over its vertices, along its axes, in wind and gusts, seed %i', (seed) => {
    const plain = tree(seed, [{ type: 'free' }])
    const c = [0.7, 1.3, 0.2] as const
    const spec: Spec = {
      ...plain,
      medium: { wind: [1, -2, 0.5], gusts: [{ velocity: [0.5, 0.3, -1], frequency: 0.7, phase: 0.4 }] },
      bodies: plain.bodies.map(
        (body): BodySpec => (body.name === 'b' ? { ...body, drag: c, domain: { ...(body.domain as { name: string }), phase: 0.9 } } : body),
      ),
    }
    const model = buildModel(spec)
    const without = buildModel(plain)
    const { q, v } = anywhere(model, seed)
    const state = { ...createState(model), q, v, t: 0.37 }
    const force = generalised(model, state).map((f, k) => f - generalised(without, state)[k])

    const data = createData(model)
    forwardKinematics(model, data, q, v)
    const i = model.bodies.findIndex(({ name }) => name === 'b')
    const R = data.X_WB.subarray(12 * i, 12 * i + 9)
    const { masses } = (spec.domains ?? [])[0].data
    const total = masses.reduce((sum, m) => sum + m, 0)
    const gust = Math.sin(2 * Math.PI * 0.7 * 0.37 + 0.4 + 0.9)
    const wind = [1 + 0.5 * gust, -2 + 0.3 * gust, 0.5 - gust]
    const rates = derivative((t) => vertices(model, spec, moved(model, q, v, t), 'b'), 1e-3)
    const expected = Array.from({ length: model.nv }, (_, k) => {
      const e = new Float64Array(model.nv)
      e[k] = 1
      const ways = derivative((t) => vertices(model, spec, moved(model, q, e, t), 'b'), 1e-3)
      let sum = 0
      for (let p = 0; p < masses.length; p++) {
        for (let a = 0; a < 3; a++) {
          const axis = [R[a], R[3 + a], R[6 + a]]
          const u = dot(
            axis,
            [0, 1, 2].map((r) => rates[3 * p + r] - wind[r]),
          )
          sum -= (masses[p] / total) * c[a] * u * dot(axis, ways.slice(3 * p, 3 * p + 3))
        }
      }
      return sum
    })
    expectNear(force, expected, DIFFERENCES, 1)
  })

  it('gives implicit solvers no less than its matrix', () => {
    const plain = tree(1, [{ type: 'free' }])
    const model = buildModel({ ...plain, bodies: plain.bodies.map((body) => ({ ...body, drag: [1, 2, 0.5] })) })
    const { q, v } = anywhere(model, 1)
    const data = createData(model)
    forwardKinematics(model, data, q, v)
    const terms = createStiffTerms(model)
    modeDrag.linearize?.(model, data, { ...createState(model), q, v }, terms)
    // power of the drag of body a alone, in still air, against that of the blocks
    const i = 1
    const n = model.modes.row[i]
    const k0 = model.modes.iv[model.modes.start[n]]
    const r = model.modes.start[n + 1] - model.modes.start[n]
    data.f.fill(0)
    data.qf.fill(0)
    modeDrag.apply(model, data, { ...createState(model), q, v }, i, i + 1)
    const power =
      -dot(data.f.subarray(6 * i, 6 * i + 6), data.V.subarray(6 * i, 6 * i + 6)) - dot(data.qf.subarray(k0, k0 + r), v.subarray(k0, k0 + r))
    expect(power).toBeGreaterThan(0)
    const D = terms.bodyDamping.subarray(21 * i, 21 * i + 21)
    const V = data.V.subarray(6 * i, 6 * i + 6)
    let blocks = 0
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) {
        const s = a <= b ? [0, 2, 3][a] + b : [0, 2, 3][b] + a
        blocks += D[s] * V[a] * V[b] + 2 * D[6 + 3 * a + b] * V[a] * V[3 + b] + D[15 + s] * V[3 + a] * V[3 + b]
      }
    for (let k = 0; k < r; k++)
      for (let l = 0; l < r; l++) blocks += terms.modeDamping[model.modes.block[n] + k * r + l] * v[k0 + k] * v[k0 + l]
    expect(blocks).toBeGreaterThan(power)
  })
})

describe('a point by its number', () => {
  it('is where a spring and a load pull, in scene files too', () => {
    const plain = tree(2)
    const spec: Spec = {
      ...plain,
      gravity: [0, 0, 0],
      springs: [{ a: { body: 'b', vertex: 9 }, b: { body: 'world', point: [1, 2, 3] }, stiffness: 7, rest: 0 }],
      loads: [{ body: 'a', vertex: 5, force: [1, -2, 3] }],
    }
    const model = buildModel(parseScene(writeScene(spec)))
    const without = buildModel({ ...plain, gravity: [0, 0, 0] })
    const { q } = anywhere(model, 2)
    const force = generalised(model, still(model, q)).map((f, k) => f - generalised(without, still(model, q))[k])
    const expected = gradient(model, q, (at) => {
      const b = vertices(model, spec, at, 'b').slice(27, 30)
      const a = vertices(model, spec, at, 'a').slice(15, 18)
      const stretch = Math.hypot(b[0] - 1, b[1] - 2, b[2] - 3)
      return 3.5 * stretch * stretch - dot([1, -2, 3], a)
    })
    expectNear(force, expected, DIFFERENCES, 1)
    expect(model.bodies.map(({ name }) => name)).toContain('b#9')
    const simulation = createSimulation(model, { timestep: 0.01 })
    for (let k = 0; k < 20; k++) expect(simulation.step().status).toBe('ok')
  })

  it.each<[string, RegExp, Partial<Spec>]>([
    [
      'that the body has not',
      /loads\/0\/vertex: expected the number of a point of 'a', from 0 to 11, got 12/,
      { loads: [{ body: 'a', vertex: 12, force: [1, 0, 0] }] },
    ],
    [
      'of a body that does not deform',
      /springs\/0\/b\/vertex: expected the number of a point of 'world', but 'world' does not deform/,
      { springs: [{ a: { body: 'a' }, b: { body: 'world', vertex: 0 }, stiffness: 1 }] },
    ],
  ])('%s is refused', (_, message, more) => {
    expect(() => buildModel({ ...tree(1), ...more })).toThrow(message)
  })

  it('is dragged by a spring of its own, which a stiff one leaves stable', () => {
    const spec = tree(3, [], [0, 0, 0])
    const model = buildModel(spec)
    const i = model.bodies.findIndex(({ name }) => name === 'b')
    const { q } = anywhere(model, 3)
    const spring = createVertexSpring(model, i, 10, 50, 0)
    spring.target.set([0.3, -0.4, 0.9])
    const force = generalised(model, still(model, q), { forces: [spring] }).map((f, k) => f - generalised(model, still(model, q))[k])
    const energy = (at: Vec): number => {
      const x = vertices(model, spec, at, 'b').slice(30, 33)
      return 25 * ((x[0] - 0.3) ** 2 + (x[1] + 0.4) ** 2 + (x[2] - 0.9) ** 2)
    }
    expectNear(force, gradient(model, q, energy), DIFFERENCES, 1)
    const data = createData(model)
    forwardKinematics(model, data, q, new Float64Array(model.nv))
    expectNear([spring.energy?.(model, data, still(model, q)) ?? Number.NaN], [energy(q)], AGREEMENT)

    // a thousand times as stiff as the domain, at sixty steps a second: the vertex follows the hand
    spring.stiffness = 2e4
    spring.damping = 200
    const start = vertices(model, spec, model.q0, 'b').slice(30, 33)
    const simulation = createSimulation(model, { solver: 'substructuring', timestep: 1 / 60, forces: [spring] })
    for (let k = 0; k < 300; k++) {
      const share = Math.min(1, k / 60)
      for (let r = 0; r < 3; r++) spring.target[r] = start[r] + share * [0.02, -0.02, 0.01][r]
      expect(simulation.step().status).toBe('ok')
    }
    const end = vertices(model, spec, simulation.state.q, 'b').slice(30, 33)
    expect(Math.hypot(...end.map((x, r) => x - spring.target[r]))).toBeLessThan(0.005)
    expect(() => createVertexSpring(model, i, 12, 1)).toThrow(/expected a vertex of 'b' from 0 to 11, got 12/)
  })
})

describe('contact of vertices with the ground', () => {
  it('holds a domain that falls, under friction, at large steps', () => {
    const { domains } = tree(4)
    const model = buildModel({
      ...(domains ? { domains } : {}),
      contact: { stiffness: 2000, friction: 0.5 },
      world: { geoms: [{ shape: 'plane', position: [0, 0, -0.1] }] },
      bodies: [
        {
          ...{ name: 'soft', joints: [{ type: 'free' }], quaternion: [0.9, 0.3, 0.1, 0.2] },
          domain: { name: 'three', damping: { mass: 2, stiffness: 0.02 }, contact: Array.from({ length: 12 }, (_, k) => k) },
          damping: { angular: 0.05, linear: 3 },
        },
      ],
    })
    const simulation = createSimulation(model, { timestep: 1 / 100 })
    for (let k = 0; k < 1000; k++) expect(simulation.step().status).toBe('ok')
    const data = createData(model)
    forwardKinematics(model, data, simulation.state.q, simulation.state.v)
    const weight = model.inertia[10] * 9.81
    const heights = Array.from(model.penalty.body, (i) => data.X_WB[12 * i + 11] + 0.1)
    // at rest, on its vertices
    expect(Math.max(...simulation.state.v.map(Math.abs))).toBeLessThan(1e-2)
    expect(heights.reduce((sum, z) => sum + 2000 * Math.max(0, -z), 0)).toBeCloseTo(weight, 1)
  })
})
