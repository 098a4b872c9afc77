/**
 * The scenes with stiff springs and closed loops: sizes and masses as stated, loops that close, springs and loads where they belong.
 */
import {
  type AxisSpec,
  buildModel,
  createData,
  createState,
  forwardDynamics,
  forwardKinematics,
  inverseDynamics,
  type Model,
  type PointSpec,
  type Spec,
  totalMass,
  type Vec3,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene, scenes } from './index.js'

/** sums over a few hundred links of a few metres */
const CLOSED = 1e-12

const build = (name: string, values: Record<string, number | string> = {}): Spec => {
  const scene = findScene(name)
  if (!scene) throw new Error(`no scene ${name}`)
  return scene.build(values)
}

/** Points and directions of bodies in the world at the start. */
function poses(model: Model) {
  const data = createData(model)
  const state = createState(model)
  forwardKinematics(model, data, state.q, state.v)
  const index = new Map(model.bodies.map(({ name }, i) => [name, i]))
  const rotate = (body: string, v: Vec3): number[] => {
    const X = data.X_WB.subarray(12 * (index.get(body) ?? Number.NaN))
    return [0, 1, 2].map((r) => (X[3 * r] ?? 0) * v[0] + (X[3 * r + 1] ?? 0) * v[1] + (X[3 * r + 2] ?? 0) * v[2])
  }
  const place = ({ body, point = [0, 0, 0] }: PointSpec): number[] => {
    const o = 12 * (index.get(body) ?? Number.NaN)
    return rotate(body, point).map((x, r) => x + (data.X_WB[o + 9 + r] ?? 0))
  }
  const direction = ({ body, axis = [0, 0, 1] }: AxisSpec): number[] => rotate(body, axis)
  return { place, direction }
}

const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, r) => x - (b[r] ?? 0))
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, r) => sum + x * (b[r] ?? 0), 0)

/** How far each row of each constraint is from zero at the start. */
function residuals(spec: Spec): number[] {
  const model = buildModel(spec)
  const { place, direction } = poses(model)
  const all: number[] = []
  for (const constraint of spec.constraints ?? []) {
    switch (constraint.type) {
      case 'point': {
        const gap = minus(place(constraint.a), place(constraint.b))
        all.push(...(constraint.axes ? constraint.axes.map((axis) => dot(axis, gap)) : gap))
        break
      }
      case 'hinge': {
        all.push(...minus(place(constraint.a), place(constraint.b)))
        all.push(...minus(direction(constraint.a), direction(constraint.b)))
        break
      }
      case 'motion': {
        const joint = model.joints.find(({ name }) => name === constraint.joint)
        const { offset = 0, amplitude = 0, phase = 0 } = constraint
        all.push(offset + amplitude * Math.sin(phase) - (createState(model).q[joint?.iq ?? -1] ?? Number.NaN))
        break
      }
      default:
        throw new Error(`no residual for ${constraint.type}`)
    }
  }
  return all
}

const settings: readonly (readonly [string, Record<string, number | string>, number])[] = [
  ['bridge', { bodies: 2 }, 2],
  ['bridge', { bodies: 33, towers: 'flexible', car: 10 }, 2],
  ['bridge', { bodies: 300 }, 2],
  ['umbrella', { segments: 2 }, 16],
  ['umbrella', { segments: 5 }, 16],
  ['umbrella', { segments: 16 }, 16],
  ['rope-bridge', {}, 5 + 6 + 1],
  ['rope-bridge', { planks: 61, walker: 0 }, 5 + 6 + 1],
  ['four-bar', {}, 2],
  ['four-bar', { angle: -2.5, speed: 6 }, 3],
  ['slider-crank', {}, 2],
  ['slider-crank', { angle: 2.9, speed: -6 }, 3],
  ['stewart', {}, 18],
  ['stewart', { legs: 'driven' }, 24],
  ['parallelogram', {}, 12],
  ['parallelogram', { angle: 1.4, speed: 1 }, 13],
  ['bennett', {}, 6],
  ['bennett', { angle: 2.5, speed: 2 }, 7],
  ['soft-gripper', {}, 1],
]

describe.each(settings)('%s with %o', (name, values, count) => {
  it('starts with every loop closed', () => {
    const found = residuals(build(name, values))
    expect(found).toHaveLength(count)
    expect(Math.max(...found.map(Math.abs))).toBeLessThan(CLOSED)
  })
})

it('every scene with constraints is among the settings', () => {
  const closed = scenes.filter((scene) => (scene.build({}).constraints ?? []).length > 0).map(({ name }) => name)
  expect(new Set(settings.map(([name]) => name))).toEqual(new Set(closed))
})

describe('degrees of freedom', () => {
  it.each([
    ['bridge', { bodies: 20 }, 20],
    ['bridge', { bodies: 20, towers: 'flexible' }, 60],
    ['umbrella', { segments: 4 }, 97],
    ['umbrella', { segments: 8 }, 193],
    ['umbrella', { segments: 16 }, 385],
    ['umbrella', { segments: 5 }, 1 + 16 * 7],
    ['tree', { levels: 1 }, 3],
    ['tree', { levels: 5 }, 93],
    ['alternate-tree', { levels: 6 }, 189],
    ['rope-bridge', { planks: 16 }, 96],
    ['spring-chain', { links: 100 }, 100],
    ['stewart', {}, 24],
    ['humanoid-on-ground', {}, 27],
  ] as const)('of %s with %o are %i', (name, values, nv) => {
    expect(buildModel(build(name, values)).nv).toBe(nv)
  })
})

describe('masses', () => {
  it('of the bridge are those of its boxes', () => {
    const rigid = buildModel(build('bridge', { bodies: 40 }))
    // chords of the arc: a little shorter than the arc, longer than the span
    const perMetre = 1000 * 0.15 * 1.6
    expect(mass(rigid)).toBeGreaterThan(24 * perMetre)
    expect(mass(rigid)).toBeLessThan(24.05 * perMetre)
    const flexible = buildModel(build('bridge', { bodies: 40, towers: 'flexible' }))
    expect(mass(flexible) - mass(rigid)).toBeCloseTo(2 * 1000 * 10 * 0.5 * 1.8, 6)
  })

  it('of the umbrella are those of its wires and its runner', () => {
    const model = buildModel(build('umbrella', { segments: 6 }))
    const reach = 2.5 * (50 / 6)
    const tilt = (10 * Math.PI) / 180
    const stretcher = Math.hypot(reach * Math.sin(tilt), 50 - reach * Math.cos(tilt))
    expect(mass(model)).toBeCloseTo(Math.PI * 5 + 8 * Math.PI * 0.09 * (50 + stretcher), 9)
  })

  it('of the tree add up over its levels', () => {
    let boxes = 0
    for (let s = 1; s <= 4; s++) boxes += 2 ** (s - 1) * 0.25 * (10 * 0.8 ** (s - 1) + 6 * 0.95 ** s)
    expect(mass(buildModel(build('tree', { levels: 4 })))).toBeCloseTo(boxes, 9)
  })
})

function mass(model: Model): number {
  return totalMass(model)
}

describe('bridge', () => {
  it('hangs on 30 cables in strain units, slack at the start', () => {
    const model = buildModel(build('bridge', { bodies: 24, towers: 'flexible' }))
    expect(model.springs.count).toBe(30)
    for (let k = 0; k < 30; k++) {
      expect((model.springs.stiffness[k] ?? 0) * (model.springs.rest[k] ?? 0)).toBeCloseTo(1e7, 2)
      expect((model.springs.damping[k] ?? 0) * (model.springs.rest[k] ?? 0)).toBeCloseTo(1e3, 6)
    }
  })

  it('is as heavy at its first bearing as half of it and nothing else while the deck is straight and cut free', () => {
    // moment about the first hinge at rest: weight times the arm of the middle
    const model = buildModel(build('bridge', { bodies: 24 }))
    const data = createData(model)
    inverseDynamics(model, data, createState(model), new Float64Array(model.nv))
    // −y: up is positive, so the weight asks for a positive moment; cables are slack
    expect(data.tau[0]).toBeCloseTo(mass(model) * 9.8 * 12, 4)
  })

  it.each([1, 10, 100, 500])('carries a car of %i times 4800 N at its middle after 2.5 s, and none after 5 s', (car) => {
    const at = (factor: number, t: number): number => {
      const model = buildModel(build('bridge', { bodies: 24, car: factor }))
      const data = createData(model)
      const state = createState(model)
      state.t = t
      inverseDynamics(model, data, state, new Float64Array(model.nv))
      return data.tau[0] ?? 0
    }
    expect(at(car, 2.5) - at(0, 2.5)).toBeCloseTo(car * 4800 * 12, 4)
    expect(at(car, 5.01) - at(0, 0)).toBeCloseTo(0, 6)
  })
})

describe('umbrella', () => {
  it('keeps its symmetry: every rib and every stretcher starts alike', () => {
    const model = buildModel(build('umbrella', { segments: 4 }))
    const data = createData(model)
    forwardDynamics(model, data, createState(model))
    const part = (name: string) => {
      const joint = model.joints.find((j) => j.name === name)
      return [data.a[joint?.iv ?? -1] ?? Number.NaN, data.a[(joint?.iv ?? -1) + 1] ?? Number.NaN]
    }
    for (let r = 2; r <= 8; r++) {
      for (const k of [1, 2]) {
        const [x, y] = part(`stretcher${r}.joint${k}`)
        const [x1, y1] = part(`stretcher1.joint${k}`)
        expect(x).toBeCloseTo(x1 ?? 0, 9)
        expect(y).toBeCloseTo(y1 ?? 0, 9)
      }
    }
    expect(Math.abs(data.a[0] ?? 0)).toBeGreaterThan(1)
  })

  it('has springs between all neighbouring ribs, in strain units', () => {
    const model = buildModel(build('umbrella', { segments: 4 }))
    expect(model.springs.count).toBe(32)
    for (let k = 0; k < 32; k++) expect((model.springs.stiffness[k] ?? 0) * (model.springs.rest[k] ?? 0)).toBeCloseTo(1, 9)
  })
})

describe('tree', () => {
  it('ties the siblings of each bar', () => {
    const model = buildModel(build('tree', { levels: 4 }))
    expect(model.springs.count).toBe(15)
    for (let k = 0; k < 15; k++) expect((model.springs.stiffness[k] ?? 0) * (model.springs.rest[k] ?? 0)).toBeCloseTo(1e5, 4)
  })

  it.each([2, 3, 4, 5, 6])('of %i levels is pulled at four corners by ten times its mass along each axis', (levels) => {
    const spec = build('tree', { levels })
    const loads = spec.loads ?? []
    const force = 10 * (mass(buildModel(spec)) + 0.75)
    expect(loads).toHaveLength(4)
    const sum = loads.reduce((total, load) => total.map((x, r) => x + (load.force?.[r] ?? 0)), [0, 0, 0])
    expect(sum[0]).toBeCloseTo(0, 9)
    expect(sum[1]).toBeCloseTo(0, 9)
    expect(sum[2]).toBeCloseTo(-4 * force, 6)
  })

  it('of the other kind ties only leaves of different bars that stand next to each other', () => {
    const spec = build('alternate-tree', { levels: 4 })
    const model = buildModel(spec)
    expect(model.springs.count).toBeGreaterThan(8)
    const parents = new Map(spec.bodies.map((body) => [body.name, body.parent]))
    for (const { a, b } of spec.springs ?? []) expect(parents.get(a.body)).not.toBe(parents.get(b.body))
    // level with each other, on a line of the grid
    const { place } = poses(model)
    for (const { a, b } of spec.springs ?? []) {
      const gap = minus(place(a), place(b))
      expect(Math.abs(gap[2] ?? 1)).toBeLessThan(1e-12)
      expect(Math.min(Math.abs(gap[0] ?? 1), Math.abs(gap[1] ?? 1))).toBeLessThan(1e-9)
    }
  })
})

describe('spring-chain', () => {
  it.each([30, 101, 300])('of %i links ties each link to its opposite, with room between them', (links) => {
    for (const start of ['hanging', 'coiled']) {
      const model = buildModel(build('spring-chain', { links, start }))
      expect(model.springs.count).toBe(Math.floor(links / 2))
      for (let k = 0; k < model.springs.count; k++) {
        expect(model.springs.bodyA[k]).toBe(k + 1)
        expect(model.springs.bodyB[k]).toBe(links - k)
        expect(model.springs.rest[k]).toBeGreaterThan(0.02)
      }
    }
  })

  it('without springs is a plain chain', () => {
    expect(buildModel(build('spring-chain', { springs: 'no' })).springs.count).toBe(0)
  })
})
