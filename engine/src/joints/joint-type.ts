/**
 * JointType: one object per type, in the table of `joints/index.ts`. Nothing outside this folder asks which type a joint is;
 * a trait that shared code needs is a field here.
 */
import type { Vec } from '../math/types.js'
import type { Model } from '../model/model.js'

export type JointTypeName = 'fixed' | 'revolute' | 'prismatic' | 'helical' | 'cylindrical' | 'universal' | 'planar' | 'spherical' | 'free'

/** Where a joint sits, in the body frame. Axes have length one. */
export interface JointGeometry {
  readonly axis: readonly [number, number, number]
  readonly axis2: readonly [number, number, number]
  readonly anchor: readonly [number, number, number]
  readonly pitch: number
  /** the pose in which the joint's first axis stands (the body's pose in its parent, if nothing comes before), and that of later ones */
  readonly frames: readonly [Vec, Vec]
}

export interface JointType {
  readonly name: JointTypeName
  readonly nq: number
  readonly nv: number
  /** kinds of the steps that it is made of (model/tables), one after another */
  readonly steps: readonly number[]
  /** axes that the type takes when none are given; its length says how many it uses */
  readonly axes: readonly (readonly [number, number, number])[]
  /** a coordinate is a number that velocity integrates: it has a reference, and limits mean lower and upper */
  readonly linear: boolean
  /** its velocities act at once, not one after another: its columns of S have no products Ṡ among themselves */
  readonly together: boolean
  /** must be the only joint of its body, and starts at the body's own pose */
  readonly absolute: boolean
  /** it has a pitch; others have none */
  readonly pitched?: boolean
  /** Writes the constants of its steps to param[o …]. */
  compile(param: Vec, o: number, geometry: JointGeometry): void
  /** Writes the coordinates at which the body stands as drawn: X_PB = X_PJ. */
  neutral(m: Model, j: number, q: Vec): void
  /** q ← q ⊕ h v */
  integrate(m: Model, j: number, q: Vec, v: Vec, h: number): void
  /** v ← b ⊖ a, so that a ⊕ v = b */
  difference(m: Model, j: number, v: Vec, a: Vec, b: Vec): void
  /** out ← rate of the local coordinates xi of q = q₀ ⊕ xi when the velocity at q is v */
  chartRate(m: Model, j: number, out: Vec, xi: Vec, v: Vec): void
}
