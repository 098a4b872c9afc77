/**
 * Random mechanisms and states for the conformance suites, the same on every run: the seed says all.
 *
 * Joints come from the table `jointTypes`, so that a new type takes part as soon as it is listed.
 */

import type { BodySpec, Data, DataOptions, JointSpec, JointType, Model, Spec, State, Tensor, Vec3 } from 'limber'
import { buildModel, createData, createState, integrate, jointTypes, neutral } from 'limber'
import { poisonData } from '../../src/model/data.js'
import { createRandom, type Random } from '../random.js'

export type Shape = 'chain' | 'star' | 'random'

export interface TreeOptions {
  readonly seed: number
  readonly bodies: number
  /** how bodies hang on one another; default random */
  readonly shape?: Shape
  /** joint types to draw from; default: every one of the table */
  readonly types?: readonly JointType[]
  /** false: one joint a body. Default true: now and then several */
  readonly sequences?: boolean
  /** the first body is free; default as drawn */
  readonly floating?: boolean
  readonly spec?: Partial<Spec>
  /** the user's own */
  readonly forces?: DataOptions['forces']
}

export interface RandomTree {
  readonly spec: Spec
  readonly model: Model
  /** filled with NaN, but for the world's rows */
  readonly data: Data
  /** anywhere on the manifold */
  readonly state: State
  readonly random: Random
}

export function randomTree(options: TreeOptions): RandomTree {
  const random = createRandom(options.seed)
  const spec = randomSpec(options, random)
  const model = buildModel(spec)
  const data = createData(model, { forces: options.forces ?? [] })
  poisonData(data, model)
  return { spec, model, data, state: randomState(model, random), random }
}

export function randomSpec(options: TreeOptions, random: Random): Spec {
  const { bodies: n, shape = 'random', types = jointTypes, sequences = true, floating = false } = options
  const bodies: BodySpec[] = []
  for (let k = 0; k < n; k++) {
    const root = k === 0
    const parent = root ? 'world' : `b${shape === 'chain' ? k - 1 : shape === 'star' ? 0 : random.below(k)}`
    const joints = root && floating ? [{ type: 'free' as const }] : randomJoints(random, types, sequences)
    bodies.push({
      name: `b${k}`,
      parent,
      position: random.vec3(0.5),
      quaternion: random.quat(),
      inertia: randomInertia(random),
      joints,
    })
  }
  return { name: `seed ${options.seed}`, gravity: random.vec3(9.81), bodies, ...options.spec }
}

/** That of a turned box with its centre off the body origin, so that it is one a real body can have. */
export function randomInertia(random: Random): { mass: number; com: Vec3; tensor: Tensor } {
  const mass = random.between(0.5, 2)
  const [a, b, c] = [random.between(0.2, 0.6), random.between(0.2, 0.6), random.between(0.2, 0.6)]
  const moments = [(mass * (b * b + c * c)) / 12, (mass * (a * a + c * c)) / 12, (mass * (a * a + b * b)) / 12]
  const [w, x, y, z] = random.quat()
  const R = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ]
  const at = (i: number, j: number): number =>
    R[i][0] * moments[0] * R[j][0] + R[i][1] * moments[1] * R[j][1] + R[i][2] * moments[2] * R[j][2]
  return { mass, com: random.vec3(0.3), tensor: [at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)] }
}

// more velocities than this on one body, and slides or turns could be dependent
const MOST_IN_SEQUENCE = 3

function randomJoints(random: Random, types: readonly JointType[], sequences: boolean): JointSpec[] {
  const first = random.pick(types)
  const list = [first]
  if (sequences && !first.absolute && random.unit() < 0.4) {
    const more = types.filter((type) => !type.absolute)
    for (let nv = first.nv; list.length < MOST_IN_SEQUENCE; ) {
      const next = random.pick(more)
      nv += next.nv
      if (nv > MOST_IN_SEQUENCE) break
      list.push(next)
    }
  }
  // armature keeps turns in a row away from gimbal lock; half of the single joints have none
  const armature = list.length > 1 || random.unit() < 0.5 ? random.between(0.05, 0.2) : 0
  return list.map((type) => ({ ...randomJoint(random, type), armature }))
}

/** A joint of this type with axes, anchor, pitch and reference off their defaults. */
export function randomJoint(random: Random, type: JointType): JointSpec {
  const axis = random.axis()
  const [x, y, z] = axis
  const other: Vec3 = Math.abs(x) < 0.6 ? [1, 0, 0] : [0, 1, 0]
  const slant = random.spread(0.3)
  // axis × other, tilted: far from parallel, and not square either
  const axis2: Vec3 = [
    y * other[2] - z * other[1] + slant * x,
    z * other[0] - x * other[2] + slant * y,
    x * other[1] - y * other[0] + slant * z,
  ]
  const anchor = random.vec3(0.3)
  const pitch = random.spread(0.2)
  const spec = { type: type.name, axis, axis2, anchor, ...(type.pitched ? { pitch } : {}) }
  return type.linear ? { ...spec, reference: random.spread(1) } : spec
}

/** Neutral, then moved along random velocities: on the manifold whatever the joints are. Velocities and joint forces of order one. */
export function randomState(model: Model, random: Random): State {
  const state = createState(model)
  neutral(model, state.q)
  integrate(model, state.q, random.array(model.nv, 1.5), 1)
  state.v.set(random.array(model.nv, 1))
  state.tau.set(random.array(model.nv, 1))
  return state
}
