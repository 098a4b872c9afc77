/** What resists a body's own motion; `drag`, `axis-drag` and `ellipsoid-drag` have the equations. */
import { add, type Int, type Ints, type Lanes, type Shared, scale, sub } from '../math/values/columns.js'
import {
  cross,
  diagonal,
  dot,
  type Force,
  forceToParent,
  full,
  type Mat3,
  type Motion,
  motionToChild,
  mul,
  type Pose,
  rotateBack,
  shiftForce,
  shiftMotion,
  skew,
  tensor,
  type Vec3,
} from '../math/values/spatial.js'
import type { Tree, Work } from '../model/tables.js'

const PI = 3.141592653589793

export type Fluid = { readonly density: number; readonly viscosity: number }

const times = (a: Vec3, b: Vec3): Vec3 => [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
const absolute = (a: Vec3): Vec3 => [Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2])]
const fourth = (x: number): number => x * x * x * x

/** Motion of body i against the medium, in its axes. */
const against = (d: Work, wind: Shared<Vec3>, i: Int): Motion => ({ w: d.V[i].w, v: sub(d.V[i].v, rotateBack(d.X_WB[i].R, wind[0])) })

/** Viscous damping at the centres of mass. @kernel */
export function dampBodies(m: Tree, d: Work, damping: Shared<{ readonly turn: number; readonly slide: number }>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    const { turn, slide } = damping[i]
    if (turn === 0 && slide === 0) continue
    const { m: mass, h } = m.inertia[i]
    const c = scale(mass > 0 ? 1 / mass : 0, h)
    const V = d.V[i]
    d.f[i] = add(d.f[i], shiftForce({ n: scale(-turn, V.w), f: scale(-slide, shiftMotion(V, c).v) }, c))
  }
}

/** Drag along the bodies' own axes, spread like their masses. @kernel */
export function dragAlongAxes(m: Tree, d: Work, drag: Shared<Vec3>, wind: Shared<Vec3>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    const c = drag[i]
    const { m: mass, h, J } = m.inertia[i]
    if ((c[0] === 0 && c[1] === 0 && c[2] === 0) || mass === 0) continue
    const V = against(d, wind, i)
    const x = scale(1 / mass, h)
    // E = ∫ x uᵀ dm/m with u = v + w × x, from ∫ x xᵀ dm = ½ tr(J) 1 − J
    const P = scale(1 / mass, sub(diagonal(0.5 * (J[0] + J[3] + J[5])), J))
    const E = sub(tensor(x, V.v), mul(full(P), skew(V.w)))
    const n: Vec3 = [c[2] * E[1][2] - c[1] * E[2][1], c[0] * E[2][0] - c[2] * E[0][2], c[1] * E[0][1] - c[0] * E[1][0]]
    d.f[i] = sub(d.f[i], { n, f: times(c, shiftMotion(V, x).v) })
  }
}

/** Box of a body: centre of mass, principal axes, edges. */
export type Box = { readonly c: Vec3; readonly axes: Mat3; readonly edges: Vec3 }

/** Damping of a body: coefficients of turning and sliding along its principal axes, and the velocities they belong to. */
export type MediumDamping = { readonly turn: Vec3; readonly slide: Vec3; readonly w: Vec3; readonly u: Vec3 }

function mediumDamping({ c, axes, edges }: Box, { density, viscosity }: Fluid, V: Motion): MediumDamping {
  const { w, v: u } = motionToChild({ R: axes, p: c }, V)
  const [a, b, e] = edges
  const mean = (a + b + e) / 3
  const turn = PI * mean * mean * mean * viscosity
  const slide = 3 * PI * mean * viscosity
  const round: Vec3 = [a * (fourth(b) + fourth(e)), b * (fourth(a) + fourth(e)), e * (fourth(a) + fourth(b))]
  return {
    turn: add([turn, turn, turn], scale(density / 64, times(round, absolute(w)))),
    slide: add([slide, slide, slide], scale(0.5 * density, times([b * e, a * e, a * b], absolute(u)))),
    w,
    u,
  }
}

/** out = the damping of the bodies from … to − 1. @kernel */
export function measureMedium(
  boxes: Shared<Box>,
  fluid: Shared<Fluid>,
  wind: Shared<Vec3>,
  d: Work,
  out: Lanes<MediumDamping>,
  from: Int,
  to: Int,
): void {
  for (let i = from; i < to; i++) out[i] = mediumDamping(boxes[i], fluid[0], against(d, wind, i))
}

/** Adds what was measured to f. @kernel */
export function dragBoxes(boxes: Shared<Box>, damping: Lanes<MediumDamping>, d: Work, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    const { c, axes } = boxes[i]
    const { turn, slide, w, u } = damping[i]
    d.f[i] = sub(d.f[i], forceToParent({ R: axes, p: c }, { n: times(turn, w), f: times(slide, u) }))
  }
}

/** Half axes; coefficients of drag, lift and spin; mass and inertia of what is carried along, of density one. */
export type Ellipsoid = {
  readonly axes: Vec3
  readonly blunt: number
  readonly slender: number
  readonly angular: number
  readonly kutta: number
  readonly magnus: number
  readonly M: Vec3
  readonly J: Vec3
}

export interface Ellipsoids {
  readonly count: Int
  readonly body: Ints
  readonly X: Shared<Pose>
  readonly numbers: Shared<Ellipsoid>
}

/** keeps 0/0 away at rest, and nothing else: MuJoCo bounds these sums no more, and those of an insect's wing are below 1e-15 */
const LEAST = 1e-200

/** Force and torque on an ellipsoid that moves with (w, u) against the medium, in its axes. */
function ellipsoidForce(g: Ellipsoid, { density, viscosity }: Fluid, { w, v: u }: Motion): Force {
  const [a, b, c] = g.axes
  const most = Math.max(a, Math.max(b, c))
  const middle = a + b + c - most - Math.min(a, Math.min(b, c))

  // cross-section along the velocity, and its normal
  const s: Vec3 = [b * c, c * a, a * b]
  const n = times(times(s, s), u)
  const along = dot(n, u)
  const square = dot(n, n)
  const speed = Math.sqrt(dot(u, u))
  const area = PI * Math.sqrt(square / Math.max(LEAST, along))
  const lift = (g.kutta * density * along * area) / Math.max(LEAST, speed * square)

  // drag, linear and quadratic
  const D = (2 / 3) * (a + b + c)
  const largest = (8 / 15) * PI * middle * fourth(most)
  const spin = (own: number): number => g.angular * own + g.slender * (largest - own)
  const own = scale((8 / 15) * PI, times(g.axes, [fourth(Math.max(b, c)), fourth(Math.max(c, a)), fourth(Math.max(a, b))]))
  const h = times(w, [spin(own[0]), spin(own[1]), spin(own[2])])
  const slide = 3 * PI * D * viscosity + density * speed * (g.blunt * area + g.slender * (PI * most * middle - area))
  const turn = PI * D * D * D * viscosity + density * Math.sqrt(dot(h, h))

  const volume = (4 / 3) * PI * a * b * c
  const P = scale(density, times(g.M, u))
  const L = scale(density, times(g.J, w))
  return {
    n: sub(add(cross(P, u), cross(L, w)), scale(turn, w)),
    f: sub(add(cross(P, w), scale(g.magnus * density * volume, cross(w, u)), cross(scale(lift, cross(n, u)), u)), scale(slide, u)),
  }
}

/** @kernel */
export function dragEllipsoids(t: Ellipsoids, fluid: Shared<Fluid>, wind: Shared<Vec3>, d: Work, from: Int, to: Int): void {
  for (let e = 0; e < t.count; e++) {
    const i = t.body[e]
    if (i < from || i >= to) continue
    const V = motionToChild(t.X[e], against(d, wind, i))
    d.f[i] = add(d.f[i], forceToParent(t.X[e], ellipsoidForce(t.numbers[e], fluid[0], V)))
  }
}
