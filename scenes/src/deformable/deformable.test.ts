/**
 * Scenes whose bodies deform: the sizes of [Barbic] Table 1, and how they move.
 */
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  energy,
  forwardKinematics,
  type Model,
  momentum,
  type Simulation,
  type Spec,
  type State,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene, type ParameterValues } from '../index.js'

function specOf(name: string, values: ParameterValues = {}): Spec {
  const scene = findScene(name)
  if (!scene) throw new Error(`no scene ${name}`)
  return scene.build(values)
}

function start(spec: Spec): { model: Model; simulation: Simulation } {
  const model = buildModel(spec)
  const { name = 'auto', options = {} } = spec.solver ?? {}
  return { model, simulation: createSimulation(model, { solver: name, timestep: spec.timestep ?? 0.01, ...options }) }
}

/** Origins of all bodies in the world. */
function places(model: Model, state: State): Float64Array {
  const data = createData(model)
  forwardKinematics(model, data, state.q, state.v)
  return Float64Array.from({ length: 3 * model.nbody }, (_, k) => data.X_WB[12 * Math.floor(k / 3) + 9 + (k % 3)])
}

describe('sizes of Table 1', () => {
  it.each([
    ['flower', 12, 240],
    ['letters', 15, 160],
    ['dragon', 40, 454],
    ['station', 48, 921],
    ['oak', 1435, 11_972],
  ])('%s has %i domains with %i modes', (name, domains, modes) => {
    const spec = specOf(name)
    expect(spec.bodies.filter(({ domain }) => domain)).toHaveLength(domains)
    expect(buildModel(spec).modes.count).toBe(modes)
  })

  it('oak has 41 branches of 20 modes in five classes, and leaves of 8 modes in one', () => {
    const spec = specOf('oak')
    const modes = new Map(spec.domains?.map(({ name, data }) => [name, data.modes]))
    const used = spec.bodies.map(({ domain }) => domain?.name ?? '')
    expect(used.filter((name) => modes.get(name) === 20)).toHaveLength(41)
    expect(new Set(used.filter((name) => modes.get(name) === 20)).size).toBe(5)
    expect(used.filter((name) => modes.get(name) === 8)).toHaveLength(1394)
    expect(specOf('oak', { leaves: 17 }).bodies).toHaveLength(58)
  })

  it('letters of one word are joined by seven links without modes', () => {
    const spec = specOf('letters')
    const modes = new Map(spec.domains?.map(({ name, data }) => [name, data.modes]))
    const used = spec.bodies.map(({ domain }) => modes.get(domain?.name ?? ''))
    expect([used.filter((r) => r === 20), used.filter((r) => r === 0)].map(({ length }) => length)).toEqual([8, 7])
  })
})

describe('a class of parts', () => {
  it('is reduced once a process', () => {
    const [a, b] = [specOf('flower'), specOf('flower', { push: 0 })]
    expect(a.domains?.map(({ data }) => data)).toEqual(b.domains?.map(({ data }) => data))
    a.domains?.forEach(({ data }, k) => {
      expect(data).toBe(b.domains?.[k].data)
    })
  })

  // where a child goes on from its parent's tip both have the same section there
  it.each([
    ['upper-stem', 'flower'],
    ['port-truss2', 'station'],
    ['tail4', 'dragon'],
    ['neck3', 'dragon'],
  ])('%s of the %s begins at vertices of its parent', (child, scene) => {
    const spec = specOf(scene)
    const own = spec.bodies.find(({ name }) => name === child)
    const on = spec.bodies.find(({ name }) => name === own?.parent)
    const mesh = (body: typeof own) => spec.domains?.find(({ name }) => name === body?.domain?.name)?.data
    const [mine, theirs] = [mesh(own), mesh(on)]
    const face = theirs?.interfaces.find(({ name }) => name === own?.attach)
    if (!own || !on || !mine || !theirs || !face) throw new Error('parts are missing')
    const model = buildModel(spec)
    const data = createData(model)
    forwardKinematics(model, data, createState(model).q, createState(model).v)
    const worldPoints = (body: typeof own, of: typeof mine, list: Int32Array): number[][] => {
      const o = 12 * model.bodies.findIndex(({ name }) => name === body.name)
      const s = body.domain?.scale ?? 1
      return Array.from(list, (v) =>
        [0, 1, 2].map(
          (r) => data.X_WB[o + 9 + r] + [0, 1, 2].reduce((sum, c) => sum + s * data.X_WB[o + 3 * r + c] * of.vertices[3 * v + c], 0),
        ),
      )
    }
    const near = worldPoints(on, theirs, face.vertices)
    for (const p of worldPoints(own, mine, mine.interfaces[0].vertices)) {
      // placed by sums of products, in metres
      expect(Math.min(...near.map((q) => Math.hypot(...q.map((x, a) => x - p[a]))))).toBeLessThan(1e-9)
    }
  })
})

describe('one second of', () => {
  // metres that no body's origin leaves its place by; and what at least one does
  it.each([
    ['flower', {}, 0.5, 0.01],
    ['letters', {}, 3, 0.1],
    ['dragon', {}, 1, 0.02],
    ['station', {}, 10, 0.2],
    ['oak', { leaves: 200 }, 1.5, 0.02],
  ] as const)(
    '%s stays bounded and moves',
    (name, values, most, least) => {
      const spec = specOf(name, values)
      const { model, simulation } = start(spec)
      const before = places(model, simulation.state)
      simulation.advance(1)
      expect(simulation.report.status).toBe('ok')
      const moved = places(model, simulation.state).map((x, k) => Math.abs(x - before[k]))
      const largest = Math.max(...moved)
      expect(largest).toBeLessThan(most)
      expect(largest).toBeGreaterThan(least)
    },
    60_000,
  )
})

describe('free flight', () => {
  // the solver keeps momentum to its order and to the tolerance of its iterations; bounds are three times what they are at the suggested steps
  it.each([
    ['letters', 0.25, 2e-3],
    ['station', 0.6, 2e-4],
  ] as const)(
    'of %s keeps momentum after the push',
    (name, after, bound) => {
      const { model, simulation } = start(specOf(name))
      const data = createData(model)
      const now = (): Float64Array => {
        forwardKinematics(model, data, simulation.state.q, simulation.state.v)
        const out = new Float64Array(6)
        momentum(model, data, out)
        return out
      }
      simulation.advance(after)
      const first = now()
      simulation.advance(0.75)
      const last = now()
      for (const part of [0, 3]) {
        const size = Math.hypot(...first.subarray(part, part + 3))
        const change = Math.hypot(...last.subarray(part, part + 3).map((x, a) => x - first[part + a]))
        expect(size).toBeGreaterThan(0)
        expect(change).toBeLessThan(bound * size)
      }
    },
    60_000,
  )
})

describe('damping', () => {
  it('takes energy out of a flower that nothing pushes, in still air', () => {
    const { model, simulation } = start(specOf('flower', { push: 0 }))
    const data = createData(model)
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, simulation.state)
      return kinetic + potential
    }
    const values = [total()]
    for (let k = 0; k < 8; k++) {
      simulation.advance(0.125)
      values.push(total())
    }
    const fall = values[0] - values[8]
    expect(fall).toBeGreaterThan(0)
    for (let k = 1; k < values.length; k++) expect(values[k]).toBeLessThan(values[k - 1] + 0.01 * fall)
  }, 60_000)
})

describe('the soft gripper', () => {
  it('closes on the box, lifts it and holds it for three seconds', () => {
    const { model, simulation } = start(specOf('soft-gripper'))
    const { iq } = model.joints.find(({ name }) => name === 'box') ?? { iq: 0 }
    const height = (): number => simulation.state.q[iq + 2]
    const low = height()
    simulation.advance(3)
    const held = height()
    expect(held).toBeGreaterThan(low + 0.1)
    for (let k = 0; k < 6; k++) {
      simulation.advance(0.5)
      expect(Math.abs(height() - held)).toBeLessThan(1e-4)
    }
  }, 60_000)

  it('drops the box without friction', () => {
    const { model, simulation } = start(specOf('soft-gripper', { friction: 0 }))
    const { iq } = model.joints.find(({ name }) => name === 'box') ?? { iq: 0 }
    const low = simulation.state.q[iq + 2]
    simulation.advance(3)
    expect(simulation.state.q[iq + 2]).toBeLessThan(low + 0.01)
  }, 60_000)
})
