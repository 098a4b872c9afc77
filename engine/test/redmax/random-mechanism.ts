/**
 * Random mechanisms for redmax: trees of every joint with springs, a cable, dry friction and limits, closed by loops that fit the pose they
 * are drawn in, now and then twice; on request above a plane, with shapes. The same seed gives the same mechanism.
 */
import {
  type BodySpec,
  buildModel,
  type ConstraintSpec,
  createData,
  createState,
  forwardKinematics,
  type JointSpec,
  type JointTypeName,
  type Spec,
} from 'limber'
import type { Quat, Vec3 } from '../../src/build/spec.js'
import { createRandom } from '../random.js'

export interface Mechanism {
  readonly spec: Spec
  readonly timestep: number
  /** start velocities, and whether a joint is driven */
  readonly velocity: (count: number) => Float64Array
}

const TYPES = ['revolute', 'revolute', 'prismatic', 'helical', 'cylindrical', 'universal', 'planar', 'spherical', 'free'] as const
const LOOPS = ['point', 'point', 'hinge', 'weld', 'planar', 'distance'] as const

export function randomMechanism(seed: number, ground: boolean): Mechanism {
  const next = createRandom(seed).unit
  const between = (a: number, b: number): number => a + (b - a) * next()
  const chance = (p: number): boolean => next() < p
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]
  const vector = (size: number): Vec3 => [between(-size, size), between(-size, size), between(-size, size)]
  const unit = (): Vec3 => {
    const v = vector(1)
    const length = Math.hypot(...v) || 1
    return [v[0] / length, v[1] / length, v[2] / length]
  }
  const quaternion = (): Quat => [between(0.2, 1), between(-1, 1), between(-1, 1), between(-1, 1)]

  const joint = (k: number, type: JointTypeName): JointSpec => {
    const single = ['revolute', 'prismatic', 'helical'].includes(type)
    const axis = unit()
    const side = unit()
    const along = axis[0] * side[0] + axis[1] * side[1] + axis[2] * side[2]
    return {
      name: `joint${k}`,
      type,
      ...(type === 'spherical' || type === 'free' ? {} : { axis }),
      ...(type === 'universal' || type === 'planar'
        ? { axis2: [side[0] - along * axis[0], side[1] - along * axis[1], side[2] - along * axis[2]] as const }
        : {}),
      ...(type === 'helical' ? { pitch: between(0.01, 0.2) } : {}),
      ...(chance(0.4) && type !== 'free' ? { stiffness: 10 ** between(0, 4) } : {}),
      ...(chance(0.4) ? { damping: 10 ** between(-3, 1) } : {}),
      ...(chance(0.4) && single ? { limits: [-between(0.05, 1), between(0.05, 1)] as const } : {}),
      ...(chance(0.4) && type === 'spherical' ? { limits: [0, between(0.2, 1)] as const } : {}),
      ...(chance(0.25) && type !== 'free' ? { friction: 10 ** between(-2, 1) } : {}),
    }
  }

  const bodies: BodySpec[] = []
  const count = 2 + Math.floor(next() * 6)
  for (let k = 0; k < count; k++) {
    const parent = k === 0 || chance(0.2) ? 'world' : `body${Math.floor(next() * k)}`
    const wanted = pick(TYPES)
    const size = between(0.05, 0.3)
    const mass = 10 ** between(-1, 1)
    const at = vector(0.6)
    bodies.push({
      name: `body${k}`,
      parent,
      position: [at[0], at[1], at[2] + (ground && parent === 'world' ? 3 : 0)],
      quaternion: quaternion(),
      joints: [joint(k, wanted === 'free' && parent !== 'world' ? 'spherical' : wanted)],
      inertia: { mass, com: vector(0.2), tensor: [0.8 * mass * size ** 2, mass * size ** 2, 0.9 * mass * size ** 2, 0, 0, 0] },
      ...(ground
        ? {
            geoms: [
              pick([
                { shape: 'sphere', radius: size } as const,
                { shape: 'capsule', radius: 0.4 * size, length: size } as const,
                { shape: 'box', size: [size, 0.7 * size, 0.9 * size] } as const,
              ]),
            ],
          }
        : {}),
    })
  }

  // loops, through points of the world where the mechanism stands
  const model = buildModel({ bodies })
  const data = createData(model)
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  const seen = (name: string, x: Vec3, isPoint: boolean): Vec3 => {
    const o = 12 * model.bodies.findIndex((body) => body.name === name)
    const X = data.X_WB
    if (o <= 0) return x
    const d = x.map((value, r) => value - (isPoint ? X[o + 9 + r] : 0))
    const column = (c: number): number => X[o + c] * d[0] + X[o + 3 + c] * d[1] + X[o + 6 + c] * d[2]
    return [column(0), column(1), column(2)]
  }
  const pair = (): [string, string] => {
    const a = Math.floor(next() * count)
    const b = Math.floor(next() * count)
    return [`body${a}`, a === b || chance(0.3) ? 'world' : `body${b}`]
  }
  const loop = (k: number): ConstraintSpec => {
    const [a, b] = pair()
    const type = pick(LOOPS)
    const name = `${type}${k}`
    const w = vector(1)
    const at: Vec3 = [w[0], w[1], w[2] + (ground ? 3 : 0)]
    const axis = unit()
    const ends = { a: { body: a, point: seen(a, at, true) }, b: { body: b, point: seen(b, at, true) } }
    if (type === 'weld') return { name, type, a, b }
    if (type === 'distance') return { name, type, a: { body: a, point: vector(0.3) }, b: { body: b, point: vector(0.3) } }
    if (type === 'planar') return { name, type, ...ends, normal: seen(a, axis, false) }
    if (type === 'hinge') return { name, type, a: { ...ends.a, axis: seen(a, axis, false) }, b: { ...ends.b, axis: seen(b, axis, false) } }
    return { name, type, ...ends }
  }
  const constraints: ConstraintSpec[] = []
  for (let k = Math.floor(next() * 3); k > 0; k--) {
    const made = loop(k)
    constraints.push(made)
    if (chance(0.15)) constraints.push({ ...made, name: `${made.name} again` })
  }
  const singles = bodies.filter(({ joints }) => joints?.some(({ type }) => type === 'revolute' || type === 'prismatic'))
  if (singles.length > 1 && chance(0.3))
    constraints.push({
      name: 'gear',
      type: 'coupling',
      joint: singles[0].joints?.[0].name ?? '',
      of: singles[1].joints?.[0].name ?? '',
      polynomial: [0, between(-2, 2)],
    })
  const springs = Array.from({ length: Math.floor(next() * 3) }, () => {
    const [a, b] = pair()
    return {
      a: { body: a, point: vector(0.3) },
      b: { body: b, point: vector(0.3) },
      stiffness: 10 ** between(1, 6),
      damping: between(0, 10),
    }
  })
  const moving = chance(0.5)
  return {
    spec: { bodies, constraints, springs, ...(ground ? { world: { geoms: [{ shape: 'plane' }] } } : {}) },
    timestep: pick([0.001, 0.005, 0.01, 0.02, 0.05]),
    velocity: (n) => Float64Array.from({ length: n }, () => (moving ? between(-2, 2) : 0)),
  }
}
