import {
  buildModel,
  createData,
  createSimulation,
  createState,
  forwardKinematics,
  type GeomSpec,
  parseScene,
  type Spec,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { segments, stature } from './anatomy.js'
import { crowd } from './crowd.js'

const one = crowd.build({ characters: 1 })
const places = (spec: Spec) => {
  const model = buildModel(spec)
  const data = createData(model)
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  // they look along −y; here x is forward and y to the left
  const at = new Map(model.bodies.map(({ name }, i) => [name, [-data.X_WB[12 * i + 10], data.X_WB[12 * i + 9], data.X_WB[12 * i + 11]]]))
  return { model, at: (name: string) => at.get(`p1-${name}`) ?? [Number.NaN, Number.NaN, Number.NaN] }
}
const { model, at } = places(one)
const span = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, r) => x - b[r]))
const massOf = (bodies: RegExp) =>
  model.bodies.reduce((sum, { name }, i) => sum + (i > 0 && bodies.test(name) ? model.inertia[10 * i] : 0), 0)

/** Highest and lowest point of a shape in the body frame; bodies stand unturned. */
function heights(geom: GeomSpec): [number, number] {
  const [, , z] = geom.position ?? [0, 0, 0]
  if (geom.shape === 'ellipsoid') return [z - geom.radii[2], z + geom.radii[2]]
  if (geom.shape !== 'capsule' || 'fromto' in geom) throw new Error(`unexpected ${geom.shape}`)
  const [, i, j] = geom.quaternion ?? [1, 0, 0, 0]
  const reach = geom.radius + 0.5 * geom.length * Math.abs(1 - 2 * (i * i + j * j))
  return [z - reach, z + reach]
}

describe('a person of the crowd', () => {
  it('has 89 bodies and 95 degrees of freedom: a free pelvis, 87 hinges and a universal joint', () => {
    expect(model.nbody - 1).toBe(89)
    expect(model.nv).toBe(95)
    const types = model.joints.map(({ type }) => type)
    expect(['free', 'universal', 'revolute'].map((type) => types.filter((other) => other === type).length)).toEqual([1, 1, 87])
  })

  it('weighs 75 kg and is 1.75 m tall, soles on the floor', () => {
    expect(massOf(/./)).toBeCloseTo(75, 9)
    const reach = one.bodies.flatMap(({ name, geoms = [] }) => geoms.flatMap((geom) => heights(geom).map((z) => at(name.slice(3))[2] + z)))
    expect(Math.max(...reach)).toBeCloseTo(stature, 9)
    expect(Math.min(...reach)).toBeCloseTo(0, 9)
  })

  // percentages of the body's mass by de Leva (1996), men
  it.each([
    ['head and neck', /-(C\d|skull|jaw)$/, 6.94],
    ['trunk', /-(pelvis|[LT]\d+|\w+-clavicle|\w+-scapula)$/, 43.46],
    ['upper arm', /left-(shoulder|upper-arm|lower-upper-arm)$/, 2.71],
    ['forearm', /left-(forearm|lower-forearm)$/, 1.62],
    ['hand', /left-(carpus|palm|thumb|index|middle|ring|little)/, 0.61],
    ['thigh', /left-(hip|thigh)$/, 14.16],
    ['shank', /left-shank$/, 4.33],
    ['foot', /left-(hindfoot|forefoot|big-toe|small-toes)$/, 1.37],
  ])('has a %s of the mass that the table gives', (_, bodies, percent) => {
    expect(massOf(bodies)).toBeCloseTo(0.75 * percent, 9)
  })

  // fractions of the stature by Drillis and Contini (1966)
  it.each([
    ['upper arm', 'left-shoulder', 'left-forearm', 0.186],
    ['forearm', 'left-forearm', 'left-carpus', 0.146],
    ['thigh', 'left-thigh', 'left-shank', 0.245],
    ['shank', 'left-shank', 'left-hindfoot', 0.246],
  ])('has a %s of the length that the table gives', (_, from, to, fraction) => {
    expect(span(at(from), at(to)) / stature).toBeCloseTo(fraction, 3)
  })

  it('has its limbs where they belong', () => {
    const [hip, knee] = [at('left-thigh')[2], at('left-shank')[2]]
    // fingertips hang a little below the middle of the thigh
    const tip = at('left-middle-distal')[2] - 0.108 * 0.108 * stature
    expect(tip).toBeLessThan((hip + knee) / 2)
    expect(tip).toBeGreaterThan(0.65 * knee + 0.35 * hip)
    // beside the thigh, not in it
    expect(at('left-palm')[1]).toBeGreaterThan(at('left-thigh')[1] + 0.08 + 0.02)
    // the five digits lie in order from front to back, the toes in front of the ankle
    const front = ['thumb-proximal', 'index-proximal', 'middle-proximal', 'ring-proximal', 'little-proximal'].map(
      (name) => at(`left-${name}`)[0],
    )
    expect(front).toEqual([...front].sort((a, b) => b - a))
    expect(at('left-big-toe')[0]).toBeGreaterThan(at('left-hindfoot')[0] + 0.1)
    // up the spine
    const spine = segments.map(({ name }) => name).filter((name) => /^[LTC]\d+$/.test(name))
    expect(spine).toHaveLength(24)
    const levels = spine.map((name) => at(name)[2])
    expect(levels).toEqual([...levels].sort((a, b) => a - b))
    expect(at('skull')[2]).toBeGreaterThan(levels[23])
  })

  it('has its centre of mass at 55 to 57 % of its height', () => {
    let moment = 0
    for (let i = 1; i < model.nbody; i++) moment += model.inertia[10 * i + 3] + model.inertia[10 * i] * at(model.bodies[i].name.slice(3))[2]
    expect(moment / 75 / stature).toBeGreaterThan(0.55)
    expect(moment / 75 / stature).toBeLessThan(0.57)
  })

  it('is the same on the left and on the right', () => {
    const left = segments.filter(({ name }) => name.startsWith('left-'))
    expect(left).toHaveLength(31)
    for (const { name, mass, stiffness } of left) {
      const other = name.replace('left', 'right')
      const [x, y, z] = at(name)
      expect(span(at(other), [x, -y, z])).toBeLessThan(1e-12)
      expect(segments.find((segment) => segment.name === other)).toMatchObject({ mass, stiffness })
    }
  })

  it('moves the same on the left and on the right where it is pushed from the front', () => {
    const push = { body: 'p1-T6', force: [0, 400, 0] as const, point: [0, 0, 0] as const }
    const { model: pushed } = places({ ...one, loads: [push] })
    // a budget of joints need not be spent alike on both sides
    const simulation = createSimulation(pushed, { solver: 'ode', method: 'semi-implicit' })
    simulation.step(40)
    const { q } = simulation.state
    const angle = new Map(pushed.joints.map(({ name, iq, nq }) => [name, [...q.subarray(iq, iq + nq)]]))
    const arms = [...angle].filter(([name]) => name.includes('left-'))
    expect(Math.max(...arms.map(([, [a]]) => Math.abs(a)))).toBeGreaterThan(0.05)
    for (const [name, [a]] of arms) expect(angle.get(name.replace('left', 'right'))?.[0]).toBeCloseTo(a, 9)
  })
})

describe('crowd', () => {
  it('has 17,800 bodies and 19,000 degrees of freedom with two hundred, each at a place of its own', () => {
    const { bodies } = crowd.build({ characters: 200 })
    expect(bodies).toHaveLength(17_800)
    const roots = bodies.filter(({ parent }) => parent === undefined)
    expect(roots).toHaveLength(200)
    const freedoms = { free: 6, universal: 2, revolute: 1 } as Readonly<Record<string, number>>
    expect(bodies.reduce((sum, { joints = [] }) => sum + joints.reduce((s, { type }) => s + freedoms[type], 0), 0)).toBe(19_000)
    const nearest = roots.map(({ position: a = [0, 0, 0] }, k) =>
      Math.min(...roots.slice(k + 1).map(({ position: b = [0, 0, 0] }) => span(a, b))),
    )
    expect(Math.min(...nearest)).toBeGreaterThan(1)
  })

  it('is a valid scene file', () => {
    const read = parseScene(writeScene(one))
    expect(read.bodies).toHaveLength(89)
    expect(read.ignored ?? []).toEqual([])
  })

  it('moves away from the camera, at the speed of the push, and its limbs come to rest', () => {
    const push = 1.6
    const spec = crowd.build({ characters: 6, push })
    const simulation = createSimulation(buildModel(spec))
    const [x, y] = crowd.camera ?? []
    const roots = simulation.model.joints.filter(({ type }) => type === 'free')
    const distances = () => roots.map(({ iq }) => Math.hypot(simulation.state.q[iq] - x, simulation.state.q[iq + 1] - y))
    const before = distances()
    simulation.advance(5)
    expect(simulation.report.status).toBe('ok')
    expect(simulation.state.q.every(Number.isFinite)).toBe(true)
    for (const [k, distance] of distances().entries()) {
      expect(distance - before[k]).toBeGreaterThan(4 * push)
      expect(distance - before[k]).toBeLessThan(5.2 * push)
    }
    const hinges = simulation.model.joints.filter(({ type }) => type === 'revolute')
    expect(Math.max(...hinges.map(({ iv }) => Math.abs(simulation.state.v[iv])))).toBeLessThan(5)
  })

  it('stays bounded at a hundred steps a second, as its armatures promise', () => {
    const simulation = createSimulation(buildModel(one), { timestep: 0.01 })
    for (let k = 0; k < 300; k++) simulation.step()
    expect(simulation.report.status).toBe('ok')
    const hinges = simulation.model.joints.filter(({ type }) => type === 'revolute')
    expect(Math.max(...hinges.map(({ iq }) => Math.abs(simulation.state.q[iq])))).toBeLessThan(1)
  })
})
