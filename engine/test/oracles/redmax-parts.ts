/**
 * Pieces of the RedMax test scenes: cuboids, chains, loops, drives. The conventions are in `redmax-scenes.ts`.
 */
import type { BodySpec, ConstraintSpec, JointSpec, Quat, Spec, Vec3 } from 'limber'

export interface RedmaxScene {
  readonly id: number
  readonly spec: Spec
  /** velocities at the start; zero when left out */
  readonly v?: readonly number[]
  readonly duration: number
  /** published H of the linearly implicit Euler step */
  readonly energy: number
  /** published H of their adaptive Runge–Kutta run of the same scene, where there is one */
  readonly converged?: number
  /** β of closures, couplings, limits and motions, 1/s */
  readonly stabilisation: number
  /** joint forces of the step that ends at t */
  readonly torque?: (t: number) => readonly number[]
  /** motion of joint 0 at the end of the step, for the dense step; the Spec says the same by a `rise` */
  readonly prescribed?: (t: number) => { readonly q: number; readonly v: number }
  /** what the published number owes to a mistake of the reference code */
  readonly quirk?: 'limit' | 'damper'
}

export const gravity: Vec3 = [0, 0, -980]
export const quarter = Math.PI / 4
export const y: Vec3 = [0, 1, 0]

/** A cuboid of density 1 whose centre is at `position` of the body. */
function cuboid(size: Vec3, position: Vec3 = [0, 0, 0], quaternion?: Quat): Pick<BodySpec, 'geoms'> {
  return { geoms: [{ shape: 'box', size, position, density: 1, collide: false, ...(quaternion ? { quaternion } : {}) }] }
}

export const revolute = (name: string, axis: Vec3, initial = 0): JointSpec => ({ name, type: 'revolute', axis, initial, rest: initial })

/** Cuboids of 10 × 1 × 1 end to end along x, hinged about y. */
export function chain(angles: readonly number[], more: (k: number) => Partial<BodySpec> = () => ({})): BodySpec[] {
  return angles.map((angle, k) => ({
    name: `b${k + 1}`,
    ...(k > 0 ? { parent: `b${k}` } : {}),
    position: [k > 0 ? 10 : 0, 0, 0],
    joints: [revolute(`j${k + 1}`, y, angle)],
    ...cuboid([10, 1, 1], [5, 0, 0]),
    ...more(k),
  }))
}

export function link(name: string, parent: string, position: Vec3, joints: readonly JointSpec[], size: Vec3, centre: Vec3): BodySpec {
  return { name, parent, position, joints, ...cuboid(size, centre) }
}

const inPlane: readonly Vec3[] = [
  [1, 0, 0],
  [0, 0, 1],
]
export const pin = (a: string, pointA: Vec3, b: string, pointB: Vec3): ConstraintSpec => ({
  type: 'point',
  name: 'loop',
  a: { body: a, point: pointA },
  b: { body: b, point: pointB },
  axes: inPlane,
})
export const half = (joint: string, of: string): ConstraintSpec => ({ type: 'coupling', joint, of, polynomial: [0, 0.5] })

export type Draft = Omit<RedmaxScene, 'spec' | 'duration' | 'stabilisation'> & {
  readonly name: string
  readonly bodies: readonly BodySpec[]
  readonly parts?: Partial<Spec>
  readonly h?: number
  readonly duration?: number
  readonly stabilisation?: number
}

export function scene({ name, bodies, parts, h = 1e-2, duration = 2, stabilisation = 5, ...rest }: Draft): RedmaxScene {
  return { ...rest, duration, stabilisation, spec: { name, gravity, timestep: h, bodies, ...parts } }
}

export const weightless = { gravity: [0, 0, 0] } as const

/** Down along z below a hinge or joint at its top. */
export const down: Vec3 = [0, 0, -5]
export const post: Vec3 = [1, 1, 10]
export const beam: Vec3 = [20, 1, 1]

/** Four-bar linkage of 10, 4, 14 and 12: where the two long ones meet, seen from the end of the crank. */
export function fourBar(): BodySpec[] {
  const s = (6 + 12 + 14) / 2
  const z = (2 * Math.sqrt(s * (s - 6) * (s - 12) * (s - 14))) / 6
  const x = Math.sqrt(14 * 14 - z * z)
  const tilt = (dx: number): Quat => {
    const angle = -Math.atan2(z, dx)
    return [Math.cos(angle / 2), 0, Math.sin(angle / 2), 0]
  }
  return [
    { name: 'b1', position: [0, 0, 10], joints: [revolute('j1', y, Math.PI)], ...cuboid([10, 0.5, 0.5]) },
    link('b2', 'b1', [-5, 0, 0], [revolute('j2', y)], [4, 0.5, 0.5], [2, 0, 0]),
    {
      name: 'b3',
      parent: 'b2',
      position: [4, 0, 0],
      joints: [revolute('j3', y)],
      ...cuboid([14, 0.5, 0.5], [x / 2, 0, z / 2], tilt(x)),
    },
    {
      name: 'b4',
      parent: 'b3',
      position: [x, 0, z],
      joints: [revolute('j4', y)],
      ...cuboid([12, 0.5, 0.5], [-(x - 6) / 2, 0, -z / 2], tilt(x - 6)),
    },
  ]
}

/** Where the last bar of the four-bar linkage meets the first, in the last one's frame: 6 beyond the centre of its cuboid. */
export function fourBarEnd(): Vec3 {
  const last = fourBar()[3].position
  const [x, , z] = last ?? [0, 0, 0]
  return [-(x - 6), 0, -z]
}

/** Logistic rise to 3π/2 over seven seconds. */
export function logistic(t: number): { q: number; v: number } {
  const [a, b, t1] = [7, 1.5 * Math.PI, 7]
  if (t >= t1) return { q: b, v: 0 }
  const e = Math.exp(-a * 2 * (t / t1 - 0.5))
  return { q: b / (1 + e), v: (((2 * a) / t1) * (b * e)) / (1 + e) ** 2 }
}

export function torques(t: number): readonly number[] {
  if (t < 3) return [0, 0, 100]
  return t < 6 ? [0, 100, -100] : [100, -100, 0]
}

export function slides(axes: string): JointSpec[] {
  const directions: Readonly<Record<string, Vec3>> = { x: [1, 0, 0], y, z: [0, 0, 1] }
  return axes.split('').map((name) => ({ name, type: 'prismatic', axis: directions[name] ?? y }))
}

/** k = 1e6 and d = 1e3 by strain, slack at the start: from (3, 0, −½) of the first link to (6, ½, −½) of the second, turned down. */
export function strainSpring() {
  // the second link hangs from (10, 0, 0): its point (6, ½, −½) stands at (9.5, ½, −6)
  const length = Math.hypot(9.5 - 3, 0.5, -6 + 0.5)
  return {
    a: { body: 'b1', point: [3, 0, -0.5] },
    b: { body: 'b2', point: [6, 0.5, -0.5] },
    stiffness: 1e6 / length,
    damping: 1e3 / length,
  } as const
}
