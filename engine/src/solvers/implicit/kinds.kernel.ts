/**
 * What contacts of a step are like, so that the compiler prints a version without the numbers that are zero: `flat` with normals along z,
 * `slanted` with any normal, `full` with torsional and rolling friction too.
 */
import { add, type Int, type Lanes, scale, sub } from '../../math/values/columns.js'
import { EPSILON, SINGLE } from '../../math/values/form.js'
import { type Articulated, cross, dot, type Force, type Mat3, type Motion, type Sym3, type Vec3, ZERO } from '../../math/values/spatial.js'
import type { GroundStep, Spin } from './tables.js'

export interface Kind {
  /** every normal is along z */
  readonly isFlat: boolean
  readonly normal: (s: GroundStep, c: Int) => Vec3
  readonly setNormal: (s: GroundStep, c: Int, n: Vec3) => void
  /** part of x across the normal */
  readonly across: (n: Vec3, x: Vec3) => Vec3
  /** direction across the normal along which the first edges of a pyramid lie */
  readonly first: (s: GroundStep, c: Int) => Vec3
  readonly setFirst: (s: GroundStep, c: Int, x: Vec3) => void
  readonly spin: (s: GroundStep, c: Int) => Spin
  readonly setSpin: (s: GroundStep, c: Int, x: Spin) => void
  /** x, or zero where contacts have no angular rates */
  readonly angular: (x: Vec3) => Vec3
  readonly angularAt: (x: Lanes<Vec3>, c: Int) => Vec3
  readonly setAngular: (x: Lanes<Vec3>, c: Int, value: Vec3) => void
  readonly tangent: (s: GroundStep, c: Int) => Articulated
  readonly setTangent: (s: GroundStep, c: Int, G: Articulated) => void
}

const NO_SPIN: Spin = { hat: ZERO, torsion: 0, rolling: 0 }
const NONE: Sym3 = [0, 0, 0, 0, 0, 0]
const NO_COUPLING: Mat3 = [ZERO, ZERO, ZERO]

/** length of a unit vector's part across a parallel one, by rounding */
const ROUNDING = SINGLE ? 4 * EPSILON : 1e-15

/** Where MuJoCo puts the first edges of a pyramid: along `axis`, that of a capsule on a plane, or along y or z where it is zero. */
export const firstAcross = (kind: Kind, n: Vec3, axis: Vec3): Vec3 => {
  const isSteep = Math.abs(n[1]) >= 0.5
  const hasAxis = dot(axis, axis) > 0.25
  const other: Vec3 = [0, isSteep ? 0 : 1, isSteep ? 1 : 0]
  const t = kind.across(n, hasAxis ? axis : other)
  const length = Math.sqrt(dot(t, t))
  const isUpright = length < ROUNDING
  const X: Vec3 = [1, 0, 0]
  return isUpright ? X : scale(1 / (isUpright ? 1 : length), t)
}

const withoutSpin = {
  spin: () => NO_SPIN,
  setSpin: () => {},
  angular: () => ZERO,
  angularAt: () => ZERO,
  setAngular: () => {},
  tangent: (s: GroundStep, c: Int): Articulated => ({ A: NONE, B: NO_COUPLING, C: s.G[c] }),
  setTangent: (s: GroundStep, c: Int, { C }: Articulated): void => {
    s.G[c] = C
  },
}

export const flat: Kind = {
  ...withoutSpin,
  isFlat: true,
  normal: () => [0, 0, 1],
  setNormal: () => {},
  across: (_, x) => [x[0], x[1], 0],
  first: (s, c) => [s.first[c][0], s.first[c][1], 0],
  setFirst: (s, c, x) => {
    s.first[c] = x
  },
}

export const slanted: Kind = {
  ...withoutSpin,
  isFlat: false,
  normal: (s, c) => s.normal[c],
  setNormal: (s, c, n) => {
    s.normal[c] = n
  },
  across: (n, x) => sub(x, scale(dot(n, x), n)),
  first: (s, c) => s.first[c],
  setFirst: (s, c, x) => {
    s.first[c] = x
  },
}

export const full: Kind = {
  isFlat: false,
  normal: (s, c) => s.normal[c],
  setNormal: (s, c, n) => {
    s.normal[c] = n
  },
  across: (n, x) => sub(x, scale(dot(n, x), n)),
  first: (s, c) => s.first[c],
  setFirst: (s, c, x) => {
    s.first[c] = x
  },
  spin: (s, c) => s.spin[c],
  setSpin: (s, c, x) => {
    s.spin[c] = x
  },
  angular: (x) => x,
  angularAt: (x, c) => x[c],
  setAngular: (x, c, value) => {
    x[c] = value
  },
  tangent: (s, c) => ({ A: s.GA[c], B: s.GB[c], C: s.G[c] }),
  setTangent: (s, c, { A, B, C }) => {
    s.GA[c] = A
    s.GB[c] = B
    s.G[c] = C
  },
}

/** Linear and angular rates, and forces, of slot c. */
export const motionOf = (kind: Kind, linear: Lanes<Vec3>, angular: Lanes<Vec3>, c: Int): Motion => ({
  w: kind.angularAt(angular, c),
  v: linear[c],
})
export const forceOf = (kind: Kind, linear: Lanes<Vec3>, angular: Lanes<Vec3>, c: Int): Force => ({
  n: kind.angularAt(angular, c),
  f: linear[c],
})
export function setMotion(kind: Kind, linear: Lanes<Vec3>, angular: Lanes<Vec3>, c: Int, x: Motion): void {
  linear[c] = x.v
  kind.setAngular(angular, c, x.w)
}
export function setForce(kind: Kind, linear: Lanes<Vec3>, angular: Lanes<Vec3>, c: Int, x: Force): void {
  linear[c] = x.f
  kind.setAngular(angular, c, x.n)
}

/** The motion of a point r away from where the body moves by W. */
export const atPoint = (kind: Kind, W: Motion, r: Vec3): Motion => ({ w: kind.angular(W.w), v: add(W.v, cross(W.w, r)) })
