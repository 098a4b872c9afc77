/** Mechanisms of beams that bend, for tests of implicit steps: each is a body with two bending modes over point masses, and a foot at its tip. */

import type { BodySpec, ConstraintSpec, GeomSpec, JointSpec, Spec, Vec3 } from 'limber'
import { randomDomain } from '../conformance/random-domain.js'

/** m, along x; half of its width; kg of all points */
const LENGTH = 1
const HALF = 0.05
const MASS = 0.9
const corners = [
  [-HALF, -HALF],
  [HALF, -HALF],
  [HALF, HALF],
  [-HALF, HALF],
] as const
const points = [0.25, 0.5, 0.75, 1].flatMap((x) => corners.map(([y, z]): Vec3 => [LENGTH * x, y, z]))
/** the last four: the face at the tip, which frames of children follow */
const tip = { points: [12, 13, 14, 15] }

export interface BeamOptions {
  readonly parent?: string
  readonly position?: Vec3
  readonly quaternion?: readonly [number, number, number, number]
  readonly joints?: readonly JointSpec[]
  /** of the modes, J for a deflection of one */
  readonly stiffness?: number
  readonly damping?: number
  readonly initial?: readonly [number, number]
  /** the parent is a beam, and it hangs on that beam's tip */
  readonly onTip?: boolean
}

export function beam(name: string, options: BeamOptions = {}): BodySpec {
  const { parent = 'world', position, quaternion, joints = [], stiffness = 60, damping = 0.1, initial = [0, 0], onTip = false } = options
  // deflections of x² upwards and aside, with sections that turn by their slope
  const up = ([x, , z]: Vec3): Vec3 => [(-2 * x * z) / LENGTH ** 2, 0, (x / LENGTH) ** 2]
  const aside = ([x, y]: Vec3): Vec3 => [(-2 * x * y) / LENGTH ** 2, (x / LENGTH) ** 2, 0]
  const bend = (place: (point: Vec3) => Vec3, k: number) => ({ shape: points.map(place), stiffness, damping, initial: initial[k] })
  return {
    name,
    parent,
    position: position ?? (onTip ? [LENGTH, 0, 0] : [0, 0, 0]),
    ...(quaternion ? { quaternion } : {}),
    inertia: { mass: 0.2, com: [0.1, 0, 0], tensor: [0.02, 0.03, 0.03, 0, 0, 0] },
    joints: [...joints],
    deformation: {
      points: points.map((position) => ({ mass: MASS / points.length, position })),
      modes: [bend(up, 0), bend(aside, 1)],
    },
    ...(onTip ? { attach: tip } : {}),
  }
}

/** A small rigid body fixed to the tip of a beam, or on joints there. */
export function foot(name: string, parent: string, joints: readonly JointSpec[] = [], geoms: readonly GeomSpec[] = []): BodySpec {
  return {
    name,
    parent,
    position: [LENGTH, 0, 0],
    inertia: { mass: 0.3, com: [0.05, 0, 0], tensor: [0.02, 0.03, 0.03, 0, 0, 0] },
    joints: [...joints],
    geoms: [...geoms],
    attach: tip,
  }
}

const UP = [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] as const

/** A trunk that bends on a hinge, two branches that bend on its tip, and a spring between the feet of these. */
export function branches(extra: Partial<Spec> = {}): Spec {
  return {
    bodies: [
      beam('trunk', { quaternion: UP, joints: [{ type: 'revolute', axis: [0, 1, 0], stiffness: 30 }], initial: [0.1, -0.05] }),
      beam('left', { parent: 'trunk', onTip: true, quaternion: [0.9, 0.1, 0.4, 0], joints: [{ type: 'spherical', damping: 0.1 }] }),
      beam('right', {
        parent: 'trunk',
        onTip: true,
        quaternion: [0.9, 0.1, -0.4, 0.1],
        joints: [{ type: 'universal' }],
        initial: [0.1, 0],
      }),
      foot('a', 'left'),
      foot('b', 'right', [{ type: 'revolute', axis: [0, 1, 0], damping: 0.02 }]),
    ],
    springs: [{ name: 'string', a: { body: 'a' }, b: { body: 'b', point: [0, 0.1, 0] }, stiffness: 20, damping: 0.3, rest: 0.8 }],
    ...extra,
  }
}

/** A domain on a hinge, one of another size on its end, and one beside them; a spring between what stands on the two ends. */
export function domains(): Spec {
  const standing = { inertia: { mass: 0.2, com: [0, 0, 0.02], tensor: [1e-3, 1e-3, 1e-3, 0, 0, 0] } } as const
  const hinge = { type: 'revolute', axis: [1, 1, 0], stiffness: 3 } as const
  return {
    domains: [{ name: 'post', data: randomDomain(3, 3) }],
    bodies: [
      { name: 'lower', joints: [hinge], domain: { name: 'post', damping: { mass: 0.1, stiffness: 0.01 } } },
      { name: 'upper', parent: 'lower', attach: 'end', position: [0, 0, 0.4], domain: { name: 'post', scale: 0.8, frequency: 1.5 } },
      { name: 'a', parent: 'upper', attach: 'end', position: [0, 0, 0.32], ...standing },
      { name: 'other', position: [0.5, 0, 0], domain: { name: 'post' }, joints: [{ type: 'universal', stiffness: 4 }] },
      { name: 'b', parent: 'other', attach: 'end', position: [0, 0, 0.4], ...standing },
    ],
    springs: [{ name: 'string', a: { body: 'a' }, b: { body: 'b' }, stiffness: 20, damping: 0.2, rest: 0.4 }],
  }
}

/** Two upright beams on hinges, and a bar between their tips: the loop goes through both. */
export function portal(extra: Partial<Spec> = {}): Spec {
  const hinge = { type: 'revolute', axis: [0, 1, 0], stiffness: 5 } as const
  const bar: BodySpec = {
    ...foot('bar', 'left', [{ type: 'spherical', damping: 0.01 }]),
    inertia: { mass: 0.5, com: [0, 0, -0.5], tensor: [0.04, 0.04, 0.002, 0, 0, 0] },
  }
  const closure: ConstraintSpec = { name: 'closure', type: 'point', a: { body: 'bar', point: [0, 0, -1] }, b: { body: 'b' } }
  return {
    bodies: [
      beam('left', { quaternion: UP, joints: [hinge], stiffness: 200, initial: [0.02, 0.03] }),
      bar,
      beam('right', { position: [1, 0, 0], quaternion: UP, joints: [hinge], stiffness: 300 }),
      foot('b', 'right'),
    ],
    constraints: [closure],
    ...extra,
  }
}

/** A rod on a ball at the tip of a beam: hung there, or flying free and closed there. */
export function hungRod(closed: boolean): Spec {
  const rod = { inertia: { mass: 0.4, com: [0, 0, -0.3], tensor: [0.02, 0.03, 0.01, 0, 0, 0] } } as const
  const arm = beam('arm', { joints: [{ type: 'revolute', axis: [0, 1, 0] }] })
  if (!closed) return { bodies: [arm, foot('hook', 'arm'), { name: 'rod', parent: 'hook', joints: [{ type: 'spherical' }], ...rod }] }
  return {
    bodies: [arm, foot('hook', 'arm'), { name: 'rod', position: [LENGTH, 0, 0], joints: [{ type: 'free' }], ...rod }],
    constraints: [{ name: 'ball', type: 'point', a: { body: 'rod' }, b: { body: 'hook' } }],
  }
}

/** Three beams from a hub that falls on the ground: it stands on balls at their tips. */
export function tripod(stiffness: number): Spec {
  const legs = ['x', 'y', 'z'].map((name, k) => {
    const turn = (k * Math.PI) / 3
    return [
      beam(name, { parent: 'hub', quaternion: [Math.cos(turn), 0, 0, Math.sin(turn)], stiffness, damping: 0.5 }),
      foot(`ball ${name}`, name, [], [{ shape: 'sphere', radius: 0.1 }]),
    ]
  })
  return {
    world: { geoms: [{ shape: 'plane' }] },
    bodies: [
      {
        name: 'hub',
        position: [0, 0, 0.3],
        inertia: { mass: 1, tensor: [0.02, 0.02, 0.02, 0, 0, 0] },
        joints: [{ type: 'free' }],
      },
      ...legs.flat(),
    ],
  }
}
