/** Points of bodies against what stands in the world; `penalty` has the equations. */
import { add, type Int, type Ints, type Lanes, type Shared, scale, sub } from '../math/values/columns.js'
import { dot, type Pose, rotate, rotateBack, type Vec3 } from '../math/values/spatial.js'
import { OBSTACLE_BOX, OBSTACLE_PLANE } from '../model/model.js'
import type { Work } from '../model/tables.js'
import { pointAt, pointVelocity, pointWrench } from './points.kernel.js'

export interface Penalty {
  readonly count: Int
  readonly obstacles: Int
  /** of each point: its body, where it is there, its radius */
  readonly body: Ints
  readonly point: Shared<Vec3>
  readonly radius: Shared<number>
  /** of each obstacle: kind, pose in the world; half edges of a box, radius of a sphere */
  readonly kind: Ints
  readonly pose: Shared<Pose>
  readonly size: Shared<Vec3>
}

export type Law = { readonly stiffness: number; readonly friction: number; readonly slip: number }

/** How a point meets an obstacle: depth, positive inside; normal and point in the world. */
export type Touch = { readonly depth: number; readonly normal: Vec3; readonly point: Vec3 }

type Distance = { readonly distance: number; readonly outward: Vec3 }

const signOf = (x: number): number => (x < 0 ? -1 : 1)

/** Signed distance of x from a box with these half edges. */
function boxDistance(x: Vec3, size: Vec3): Distance {
  const over: Vec3 = [Math.abs(x[0]) - size[0], Math.abs(x[1]) - size[1], Math.abs(x[2]) - size[2]]
  const out: Vec3 = [Math.max(0, over[0]), Math.max(0, over[1]), Math.max(0, over[2])]
  const square = dot(out, out)
  const distance = Math.sqrt(square)
  const inside = square === 0
  // inside, out through the nearest face
  const deepest = Math.max(over[0], Math.max(over[1], over[2]))
  const first = over[0] === deepest
  const second = !first && over[1] === deepest
  const third = !(first || second)
  const along = (r: 0 | 1 | 2, nearest: boolean): number => signOf(x[r]) * (inside ? (nearest ? 1 : 0) : out[r] / distance)
  return { distance: inside ? deepest : distance, outward: [along(0, first), along(1, second), along(2, third)] }
}

function distanceFrom(c: Penalty, o: Int, x: Vec3): Distance {
  if (c.kind[o] === OBSTACLE_PLANE) return { distance: x[2], outward: [0, 0, 1] }
  if (c.kind[o] === OBSTACLE_BOX) return boxDistance(x, c.size[o])
  const length = Math.sqrt(dot(x, x))
  const far = length > 0
  return {
    distance: length - c.size[o][0],
    outward: [far ? x[0] / length : 0, far ? x[1] / length : 0, far ? x[2] / length : 1],
  }
}

/** How point k, which is at `point` in the world, meets obstacle o. */
export function touchOf(c: Penalty, k: Int, o: Int, point: Vec3): Touch {
  const { R, p } = c.pose[o]
  const { distance, outward } = distanceFrom(c, o, rotateBack(R, sub(point, p)))
  return { depth: c.radius[k] - distance, normal: rotate(R, outward), point }
}

/** touches = how every point meets every obstacle. @kernel */
export function touchPoints(c: Penalty, X: Lanes<Pose>, touches: Lanes<Touch>): void {
  for (let k = 0; k < c.count; k++) {
    const point = pointAt(X[c.body[k]], c.point[k])
    for (let o = 0; o < c.obstacles; o++) touches[k * c.obstacles + o] = touchOf(c, k, o, point)
  }
}

/** Reads touches. Writes the push of each that is one, and adds those on the bodies from … to − 1 to f. @kernel */
export function pushPoints(c: Penalty, law: Shared<Law>, d: Work, touches: Lanes<Touch>, pushes: Lanes<Vec3>, from: Int, to: Int): void {
  const { stiffness, friction, slip } = law[0]
  for (let k = 0; k < c.count; k++) {
    const i = c.body[k]
    for (let e = k * c.obstacles; e < (k + 1) * c.obstacles; e++) {
      const { depth, normal } = touches[e]
      if (!(depth > 0)) continue
      const push = stiffness * depth
      const v = pointVelocity(d.X_WB[i], d.V[i], c.point[k])
      const slide = sub(v, scale(dot(v, normal), normal))
      const drag = (friction * push) / Math.max(Math.sqrt(dot(slide, slide)), slip)
      const F = sub(scale(push, normal), scale(drag, slide))
      pushes[e] = F
      if (i >= from && i < to) d.f[i] = add(d.f[i], pointWrench(d.X_WB[i], c.point[k], F))
    }
  }
}
