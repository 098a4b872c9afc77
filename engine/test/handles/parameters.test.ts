/** Parameters that are set at run time: the same bits as of a model that was built with them, for every solver, and for this simulation alone. */
import {
  buildModel,
  createData,
  createSimulation,
  energy,
  type GeomSpec,
  type Model,
  parseMjcf,
  readTrajectoryJson,
  recordBytes,
  type Simulation,
  type Spec,
  solvers,
  type Vec3,
} from 'limber'
import { describe, expect, it } from 'vitest'

interface Given {
  readonly gravity?: Vec3
  /** of the link with an inertia, of the one with a geom that weighs, and of the one with two */
  readonly masses?: readonly [number, number, number]
  readonly friction?: number
  readonly gains?: { readonly kp: number; readonly kv: number; readonly rate: number }
}

const INERTIA = { mass: 1.3, com: [0.02, 0, -0.2], tensor: [0.02, 0.021, 0.003, 0, 0.001, 0] } as const

/** An arm that is driven, in air, and a crate on a slope. */
function specWith({ gravity, masses = [1.3, 0.7, 1], friction = 0.3, gains = { kp: 20, kv: 1, rate: 2 } }: Given): Spec {
  const { kp, kv, rate } = gains
  const s = masses[0] / INERTIA.mass
  const tensor = INERTIA.tensor.map((x) => x * s) as unknown as typeof INERTIA.tensor
  const slope: GeomSpec = { shape: 'plane', name: 'slope', quaternion: [0.98, 0, 0.2, 0], friction }
  return {
    name: 'parameters',
    ...(gravity ? { gravity } : {}),
    medium: { density: 1.2, viscosity: 2e-5 },
    world: { geoms: [slope] },
    bodies: [
      {
        name: 'upper',
        position: [0, 3, 2],
        inertia: { ...INERTIA, mass: masses[0], tensor },
        joints: [{ type: 'revolute', name: 'shoulder', axis: [0, 1, 0], damping: 0.1, initial: 0.3 }],
      },
      {
        name: 'fore',
        parent: 'upper',
        position: [0, 0, -0.4],
        geoms: [{ shape: 'capsule', radius: 0.04, length: 0.3, position: [0.01, 0, -0.17], mass: masses[1], collide: false }],
        joints: [{ type: 'revolute', name: 'elbow', axis: [0, 1, 0], damping: 0.05 }],
      },
      {
        name: 'crate',
        geoms: [
          { shape: 'box', name: 'crate', size: [0.2, 0.2, 0.2], mass: 0.6 * masses[2], friction: 0.1 },
          { shape: 'sphere', radius: 0.05, position: [0, 0, 0.03], mass: 0.4 * masses[2], collide: false },
        ],
        joints: [{ type: 'free', initial: [0, 0, 0.101, 0.98, 0, 0.2, 0] }],
      },
    ],
    loads: [{ body: 'fore', force: [0, 0, 0.2] }],
    actuators: [
      { name: 'servo', joint: 'shoulder', gain: [kp, 0, 0], bias: [0, -kp, -kv] },
      { name: 'rate', joint: 'elbow', gain: [rate, 0, 0], bias: [0, 0, -rate] },
    ],
  }
}

const changes: readonly { readonly what: string; readonly given: Given; set(simulation: Simulation): void }[] = [
  { what: 'gravity', given: { gravity: [0.3, 0, -3.71] }, set: (simulation) => simulation.setGravity([0.3, 0, -3.71]) },
  { what: 'no gravity', given: { gravity: [0, 0, 0] }, set: (simulation) => simulation.setGravity([0, 0, 0]) },
  {
    what: 'masses',
    // of a sum of geoms a power of two: then products and sums of the scaled masses round alike
    given: { masses: [2.9, 0.37, 4] },
    set(simulation) {
      simulation.body('upper').setMass(2.9)
      simulation.body('fore').setMass(0.37)
      simulation.body('crate').setMass(4)
    },
  },
  { what: 'friction', given: { friction: 0.45 }, set: (simulation) => simulation.shape('slope').setFriction(0.45) },
  {
    what: 'gains',
    given: { gains: { kp: 55, kv: 3.1, rate: 0.7 } },
    set(simulation) {
      simulation.actuator('servo').setGains({ kp: 55, kv: 3.1 })
      simulation.actuator('rate').setGains({ kv: 0.7 })
    },
  },
]

const runs: readonly (readonly [string, Record<string, string | number>])[] = [
  ['ode', { method: 'rk4' }],
  ['ode', { method: 'gear' }],
  ['ode', { method: 'bdf' }],
  ['redmax', {}],
  ['redmax', { scheme: 'newton' }],
  ['redmax', { scheme: 'linear' }],
  ['redmax', { scheme: 'second-order' }],
  ['position', {}],
  ['position', { order: 3 }],
  ['adaptive', {}],
]

const start = (model: Model, [solver, options]: (typeof runs)[number]): Simulation => {
  const simulation = createSimulation(model, { solver, timestep: 0.004, ...options })
  simulation.state.control.set([0.8, 1.5])
  return simulation
}
const bits = ({ state: { t, q, v } }: Simulation): number[] => [t, ...q, ...v]
const again = (simulation: Simulation): void =>
  simulation.reset({ ...simulation.state, q: simulation.state.q.slice(), v: simulation.state.v.slice() })

describe.each(runs)('parameters set at run time, with %s %j', (...run) => {
  const model = buildModel(specWith({}))

  it.each(changes)('$what: the bits of a model built so', ({ what, given, set }) => {
    expect(solvers[run[0]].refuses(model)).toBeNull()
    const simulation = start(model, run)
    const other = start(model, run)
    simulation.step(20)
    const before = bits(simulation)
    set(simulation)
    expect(bits(simulation)).toEqual(before)
    again(simulation)

    const built = start(buildModel(specWith(given)), run)
    built.reset({ ...simulation.state })
    expect(built.step(20).status).toBe('ok')
    expect(simulation.step(20).status).toBe('ok')
    expect(bits(simulation)).toEqual(bits(built))

    // another simulation of the same model goes on as if nothing had been set
    other.step(20)
    again(other)
    other.step(20)
    const alone = start(buildModel(specWith({})), run)
    alone.step(20)
    again(alone)
    alone.step(20)
    expect(bits(other)).toEqual(bits(alone))
    // ode and position leave contact out
    if (what !== 'friction' || run[0] === 'redmax' || run[0] === 'adaptive') expect(bits(other)).not.toEqual(bits(simulation))
  })

  it('are in a snapshot, which another simulation of the model as built goes on from', () => {
    const simulation = start(model, run)
    simulation.step(5)
    for (const { set } of changes) set(simulation)
    simulation.setGravity([0, 0, -1.62])
    simulation.step(5)
    const bytes = simulation.snapshot()
    simulation.step(15)

    const other = start(buildModel(specWith({})), run)
    other.restore(bytes)
    expect(other.model.gravity[2]).toBe(-1.62)
    expect(other.shape('slope').friction()[0]).toBe(0.45)
    other.step(15)
    expect(bits(other)).toEqual(bits(simulation))

    // and one without changes takes them back
    const plain = start(model, run)
    plain.step(3)
    const built = plain.snapshot()
    plain.step(10)
    other.restore(built)
    expect(other.model).not.toBe(simulation.model)
    expect(other.body('upper').mass).toBe(1.3)
    other.step(10)
    expect(bits(other)).toEqual(bits(plain))
  })
})

describe('parameters set at run time', () => {
  const model = buildModel(specWith({}))
  const drive = (): Simulation => start(model, ['redmax', {}])

  it('do not depend on the order or on values that were set before', () => {
    const [a, b] = [drive(), drive()]
    for (const { set } of changes) set(a)
    b.body('upper').setMass(7.7)
    for (const { set } of changes.toReversed()) set(b)
    a.setGravity([0, 0, -5])
    b.setGravity([0, 0, -5])
    for (const simulation of [a, b]) simulation.step(20)
    expect(bits(a)).toEqual(bits(b))
  })

  it('are taken over together, or not at all where one of them is refused', () => {
    const [a, b] = [drive(), drive()]
    for (const simulation of [a, b]) simulation.step(5)
    a.setTogether(() => {
      for (const { set } of changes) set(a)
      a.shape('slope').setFriction([0.2, 0.01, 0.002])
      a.shape('slope').setFriction(0.6)
      expect(a.model).toBe(model)
    })
    for (const { set } of changes) set(b)
    b.shape('slope').setFriction([0.6, 0.01, 0.002])
    for (const simulation of [a, b]) simulation.step(20)
    expect(bits(a)).toEqual(bits(b))

    const before = a.model
    expect(() =>
      a.setTogether(() => {
        a.setGravity([0, 0, -1])
        a.body('crate').setMass(-1)
      }),
    ).toThrow('expected a positive number of kilograms, got -1')
    expect(a.model).toBe(before)
    a.step(1)
    b.step(1)
    expect(bits(a)).toEqual(bits(b))
  })

  it('are the model as built where they are set back', () => {
    const simulation = drive()
    simulation.setGravity([0, 0, -1])
    simulation.body('crate').setMass(3)
    expect(simulation.model).not.toBe(model)
    simulation.setGravity([0, 0, -9.81])
    simulation.body('crate').setMass(1)
    expect(simulation.model).toBe(model)
    expect([...model.gravity]).toEqual([0, 0, -9.81])
  })

  it('are seen by handles, sensors and energies, also by handles from before', () => {
    const simulation = drive()
    const [upper, slope, servo] = [simulation.body('upper'), simulation.shape('slope'), simulation.actuator('servo')]
    const center = upper.center()
    const force = servo.force
    upper.setMass(2.6)
    slope.setFriction([0.5, 0.01, 0.002])
    servo.setGains({ kp: 40 })
    expect(upper.mass).toBe(2.6)
    expect([...slope.friction()]).toEqual([0.5, 0.01, 0.002])
    slope.setFriction(0.7)
    expect([...slope.friction()]).toEqual([0.7, 0.01, 0.002])
    expect([...servo.gain(), ...servo.bias()]).toEqual([40, 0, 0, 0, -40, -1])
    upper.center().forEach((x, r) => expect(x).toBeCloseTo(center[r], 14))
    expect(servo.force).toBeCloseTo(2 * force, 12)
    servo.setGains({ gain: [1, 0, 0], bias: [0, 0, 0] })
    expect(servo.force).toBe(0.8)
    const before = energy(simulation.model, createData(simulation.model), simulation.state).potential
    simulation.setGravity([0, 0, 0])
    const after = energy(simulation.model, createData(simulation.model), simulation.state).potential
    // that of the load stays
    expect(before).toBeGreaterThan(1)
    expect(Math.abs(after)).toBeLessThan(0.5)
  })

  it('leave one report, whose totals go on', () => {
    const simulation = drive()
    const { report } = simulation
    simulation.step(7)
    simulation.setGravity([0, 0, -3])
    expect(simulation.step(5)).toBe(report)
    expect(report.steps).toBe(12)
    expect(report.status).toBe('ok')
    simulation.reset()
    expect(report.steps).toBe(0)
    expect([...simulation.model.gravity]).toEqual([0, 0, -3])
  })

  it('may be set before the first step and while a recording runs, whose energies are those of the parameters', async () => {
    const energies = async (set: (simulation: Simulation) => void, onStep?: (simulation: Simulation) => void): Promise<number[]> => {
      const simulation = drive()
      set(simulation)
      const bytes = await recordBytes(simulation, 'json', { seconds: 0.2, fps: 50, ...(onStep ? { onStep } : {}) })
      const { energy: found = new Float64Array(0) } = readTrajectoryJson(new TextDecoder().decode(bytes))
      // every second number is a potential; that of the load is below 0.5 J
      return Array.from(found).filter((_, k) => k % 2 === 1)
    }
    const light = await energies((simulation) => simulation.setGravity([0, 0, -1e-9]))
    expect(light).toHaveLength(11)
    for (const x of light) expect(Math.abs(x)).toBeLessThan(0.5)
    const later = await energies(
      () => undefined,
      (simulation) => {
        if (simulation.state.t > 0.1) simulation.setGravity([0, 0, -1e-9])
      },
    )
    expect(later[0]).toBeGreaterThan(1)
    expect(Math.abs(later[10])).toBeLessThan(0.5)
  })

  it('are refused where they make no sense, with place and remedy, and change nothing', () => {
    const simulation = drive()
    simulation.step(3)
    const before = bits(simulation)
    const bad = (act: () => void, message: string): void => {
      expect(act).toThrow(RangeError)
      expect(act).toThrow(message)
    }
    bad(() => simulation.setGravity([0, -9.81]), 'setGravity: expected 3 numbers, got 2')
    bad(() => simulation.setGravity([0, 0, Number.NaN]), 'setGravity: expected finite numbers, got NaN')
    bad(() => simulation.body('crate').setMass(0), "setMass of body 'crate': expected a positive number of kilograms, got 0")
    bad(() => simulation.body('world').setMass(1), "setMass of body 'world': the world has no mass")
    bad(() => simulation.shape('slope').setFriction(-1), "setFriction of shape 'slope': expected no negative coefficient, got -1")
    bad(() => simulation.shape("sphere 1 of body 'crate'").setFriction(1), 'it touches nothing')
    bad(() => simulation.actuator('rate').setGains({ kp: 1 }), "setGains of actuator 'rate': kp is of position servos, and it is none")
    bad(() => simulation.actuator('servo').setGains({ kd: 1 } as object), "expected kp, kv, gain or bias, got 'kd'")
    expect(simulation.model).toBe(model)
    expect(bits(simulation)).toEqual(before)
  })

  it('scale the force of a muscle with the mass, as buildModel does', () => {
    const muscle = (mass: number): Model =>
      buildModel(
        parseMjcf(`<mujoco><worldbody><body name="arm"><joint name="j" axis="0 1 0"/>
          <geom name="g" type="capsule" fromto="0 0 0 0 0 -.5" size=".03" mass="${mass}"/></body></worldbody>
          <actuator><muscle name="m" joint="j" lengthrange="-1 1"/></actuator></mujoco>`),
      )
    const simulation = createSimulation(muscle(1.7), { solver: 'ode' })
    simulation.body('arm').setMass(0.6)
    expect([...simulation.model.actuators.active]).toEqual([...muscle(0.6).actuators.active])
    expect([...simulation.model.actuators.active]).not.toEqual([...muscle(1.7).actuators.active])
  })

  it('work on a copy of a model, which has lost its spec, to rounding', () => {
    const copied = start(structuredClone(model), ['redmax', {}])
    const own = drive()
    for (const simulation of [copied, own]) {
      simulation.body('fore').setMass(0.37)
      simulation.step(20)
    }
    bits(copied).forEach((x, k) => expect(x).toBeCloseTo(bits(own)[k], 10))
  })
})
