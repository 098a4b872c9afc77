/**
 * Random mechanisms above a floor: trees of 1 to 12 bodies of every joint and shape, with springs, limits, dampers, dry friction, servos and now
 * and then a loop that fits the pose they are drawn in. Each can stand still for ever, so that nothing excuses a step that fails. The same
 * seed gives the same mechanism.
 */
import {
  type ActuatorSpec,
  type BodySpec,
  buildModel,
  type ConstraintSpec,
  createData,
  createSimulation,
  createState,
  forwardKinematics,
  type GeomSpec,
  type JointSpec,
  type Spec,
  type SpringSpec,
} from 'limber'
import { createRandom, type Random } from '../../random.js'

type Vec3 = readonly [number, number, number]

/** A servo's command, and what its energy needs: force = clamp(kp (target − q) − kv v, ±most). */
export interface Servo {
  readonly joint: string
  readonly target: number
  readonly kp: number
  readonly most: number
}

export interface ContactMechanism {
  readonly spec: Spec
  /** in the order of the actuators */
  readonly servos: readonly Servo[]
  /** of the joints at the start; zero where loops bind them */
  readonly velocity: (count: number) => Float64Array
}

const INNER = ['revolute', 'revolute', 'revolute', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', 'spherical'] as const
const FRICTION = [0, 0.3, 0.6, 1]
/** m: how far above the floor the lowest point is at the start */
const CLEAR = [0.01, 0.5] as const

export function contactMechanism(seed: number): ContactMechanism {
  const random = createRandom(0x51ed + 7919 * seed)
  const chance = (p: number): boolean => random.unit() < p
  const count = 1 + random.below(12)
  const friction = random.pick(FRICTION)
  const bodies: BodySpec[] = []
  const sizes: number[] = []
  for (let k = 0; k < count; k++) {
    const isRoot = k === 0 || chance(0.12)
    const p = isRoot ? -1 : random.below(k)
    const size = random.between(0.04, 0.12)
    sizes.push(size)
    const reach = isRoot ? 0.5 : 1.2 * (size + sizes[p])
    const [x, y, z] = random.axis()
    const away: Vec3 = isRoot ? random.vec3(reach) : [reach * x, reach * y, reach * z]
    bodies.push({
      name: `body${k}`,
      ...(isRoot ? {} : { parent: `body${p}` }),
      position: away,
      quaternion: random.quat(),
      joints: [isRoot && chance(0.6) ? { name: `joint${k}`, type: 'free' } : jointOf(random, `joint${k}`)],
      geoms: [{ ...shapeOf(random, size), mass: 10 ** random.between(-1, 1), friction }],
    })
  }
  const constraints = chance(0.35) ? loopsOf(random, bodies) : []
  const springs = Array.from({ length: chance(0.4) ? 1 + random.below(3) : 0 }, (): SpringSpec => {
    const [a, b] = [random.below(count), random.below(count)]
    return {
      a: { body: `body${a}`, point: random.vec3(0.1) },
      b: { body: a === b ? 'world' : `body${b}`, point: random.vec3(0.1) },
      stiffness: 10 ** random.between(1, 4),
      damping: random.between(0, 5),
    }
  })
  const servos = servosOf(random, bodies)
  const moves = constraints.length === 0 && chance(0.5)
  const spec = { bodies, constraints, springs, actuators: servos.map(({ actuator }) => actuator) }
  return {
    spec: aboveFloor(spec, sizes, friction, random.between(...CLEAR)),
    servos: servos.map(({ servo }) => servo),
    velocity: (n) => Float64Array.from({ length: n }, () => (moves ? random.spread(2) : 0)),
  }
}

function jointOf(random: Random, name: string): JointSpec {
  const type = random.pick(INNER)
  const chance = (p: number): boolean => random.unit() < p
  const isSingle = type === 'revolute' || type === 'prismatic' || type === 'helical'
  const [axis, side] = [random.axis(), random.axis()]
  const along = axis[0] * side[0] + axis[1] * side[1] + axis[2] * side[2]
  const across: Vec3 = [side[0] - along * axis[0], side[1] - along * axis[1], side[2] - along * axis[2]]
  return {
    ...{ name, type },
    ...(type === 'spherical' ? {} : { axis }),
    ...(type === 'universal' || type === 'planar' ? { axis2: across } : {}),
    ...(type === 'helical' ? { pitch: random.between(0.01, 0.1) } : {}),
    ...(chance(0.3) ? { stiffness: 10 ** random.between(0, 3) } : {}),
    ...(chance(0.6) ? { damping: 10 ** random.between(-3, 0) } : {}),
    ...(chance(0.3) && isSingle ? { armature: 10 ** random.between(-3, -1) } : {}),
    ...(chance(0.5) && isSingle ? { limits: [-random.between(0.05, 1), random.between(0.05, 1)] as const } : {}),
    ...(chance(0.4) && type === 'spherical' ? { limits: [0, random.between(0.2, 1)] as const } : {}),
    ...(chance(0.25) ? { friction: 10 ** random.between(-2, 0.5) } : {}),
  }
}

function shapeOf(random: Random, size: number): GeomSpec {
  switch (random.below(5)) {
    case 0:
      return { shape: 'sphere', radius: size }
    case 1:
      return { shape: 'capsule', radius: 0.4 * size, length: 1.2 * size }
    case 2:
      return { shape: 'cylinder', radius: 0.7 * size, length: size }
    case 3:
      return { shape: 'ellipsoid', radii: [size, 0.8 * size, 0.6 * size] }
    default:
      return { shape: 'box', size: [1.2 * size, 0.8 * size, size] }
  }
}

function servosOf(random: Random, bodies: readonly BodySpec[]): { servo: Servo; actuator: ActuatorSpec }[] {
  return bodies.flatMap(({ joints = [] }) =>
    joints.flatMap(({ name = '', type }) => {
      if ((type !== 'revolute' && type !== 'prismatic') || random.unit() > 0.35) return []
      const kp = 10 ** random.between(0, 3)
      const kv = kp * random.between(0.01, 0.1)
      const most = random.unit() < 0.5 ? Number.POSITIVE_INFINITY : random.between(1, 20)
      const servo = { joint: name, target: random.spread(0.6), kp, most }
      const range = Number.isFinite(most) ? { forceRange: [-most, most] as const } : {}
      return [{ servo, actuator: { name, joint: name, gain: [kp, 0, 0], bias: [0, -kp, -kv], ...range } as const }]
    }),
  )
}

/** One or two, between bodies or to the world. */
function loopsOf(random: Random, bodies: readonly BodySpec[]): ConstraintSpec[] {
  const model = buildModel({ bodies })
  const data = createData(model)
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  const X = data.X_WB
  const inFrame = (name: string, x: readonly number[], isPoint: boolean): Vec3 => {
    const o = 12 * model.bodies.findIndex((body) => body.name === name)
    if (o <= 0) return [x[0], x[1], x[2]]
    const d = x.map((value, r) => value - (isPoint ? X[o + 9 + r] : 0))
    const column = (c: number): number => X[o + c] * d[0] + X[o + 3 + c] * d[1] + X[o + 6 + c] * d[2]
    return [column(0), column(1), column(2)]
  }
  return Array.from({ length: 1 + random.below(2) }, (_, k): ConstraintSpec => {
    const first = random.below(bodies.length)
    const second = random.below(bodies.length)
    const a = `body${first}`
    const b = first === second || random.unit() < 0.2 ? 'world' : `body${second}`
    const o = 12 * model.bodies.findIndex((body) => body.name === a)
    const at = random.vec3(0.15).map((x, r) => x + X[o + 9 + r])
    const axis = random.axis()
    const [pointA, pointB] = [a, b].map((body) => ({ body, point: inFrame(body, at, true) }))
    const name = `loop${k}`
    switch (random.below(4)) {
      case 0:
        return { name, type: 'hinge', a: { ...pointA, axis: inFrame(a, axis, false) }, b: { ...pointB, axis: inFrame(b, axis, false) } }
      case 1:
        return {
          ...{ name, type: 'distance' },
          a: { body: a, point: random.vec3(0.1) },
          // never where the other point is, in which no direction has a distance
          b: { body: b, point: [random.spread(0.1), random.spread(0.1), b === 'world' ? 2 : 0.1] },
        }
      default:
        return { name, type: 'point', a: pointA, b: pointB }
    }
  })
}

/** Lifted until all is above the floor; shapes that overlap as they are drawn do not touch, as a user would say. */
function aboveFloor(spec: Spec, sizes: readonly number[], friction: number, clear: number): Spec {
  const model = buildModel(spec)
  const data = createData(model)
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 1; i < model.nbody; i++) {
    const size = sizes[Number(model.bodies[i].name.slice(4))]
    lowest = Math.min(lowest, data.X_WB[12 * i + 11] - 1.1 * size)
  }
  const rise = clear - lowest
  // the floor goes down instead of the mechanism up: points of loops in the world stay where they are
  const world = { geoms: [{ shape: 'plane', position: [0, 0, -rise], friction } as const] }
  const loose = buildModel({ ...spec, constraints: [], springs: [], actuators: [] })
  const probe = createSimulation(loose, { solver: 'redmax', timestep: 1e-6 })
  probe.step()
  const overlaps = probe.contacts().filter(({ gap }) => gap < 1e-3)
  const exclude = overlaps.map(({ bodyA, bodyB }) => [loose.bodies[bodyA].name, loose.bodies[bodyB].name] as const)
  return { ...spec, world, exclude }
}
