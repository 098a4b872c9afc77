/** What the kernels of the elimination see: a table of the plan, of the tree and its rows, and of all numbers of a factorisation. */
import type { Int, Ints, Lanes, Shared } from '../math/values/columns.js'
import type { Articulated, Force, Motion, Pose, Rigid, Sym3, Vec3 } from '../math/values/spatial.js'

export interface Fronts {
  readonly nbody: Int
  readonly nv: Int
  /** numbers of a handle; the axis across the plane, and the two in it */
  readonly handle: Int
  readonly across: Int
  readonly along: Int
  readonly aside: Int
  /** length of `ops`, `ops` and `lists` of the plan, and its points of reference */
  readonly end: Int
  readonly ops: Ints
  readonly lists: Ints
  readonly anchor: Ints
  readonly axisAnchor: Ints
  readonly axisSign: Shared<number>
  readonly eager: Ints
  /** of the tree */
  readonly iv: Ints
  readonly ivEnd: Ints
  readonly inertia: Shared<Rigid>
  readonly armature: Shared<number>
  /** groups of rows: entries from groupStart on; first row, rows at the moment, whether they hold exactly; the group of each row */
  readonly groupStart: Ints
  readonly first: Ints
  readonly live: Ints
  readonly rigid: Ints
  readonly of: Ints
  /** the terms of the tree, as in `CoupledTree`; poses also as four vectors each: the rows of R, and p */
  readonly step: Lanes<number>
  readonly X: Lanes<Pose>
  readonly XR: Lanes<Vec3>
  readonly XN: Lanes<number>
  readonly axes: Lanes<Motion>
  readonly jointDamping: Lanes<number>
  readonly jointStiffness: Lanes<number>
  readonly bodyDamping: Lanes<Articulated>
  readonly start: Ints
  readonly body: Ints
  readonly rows: Lanes<Force>
  readonly weight: Lanes<number>
  /** the same in the world: axes, inertias (in the plane M3), rows, what acts in each joint; S and J number by number */
  readonly SW: Lanes<Motion>
  readonly M: Lanes<Articulated>
  readonly M3: Lanes<Sym3>
  readonly JW: Lanes<Force>
  readonly S: Lanes<number>
  readonly J: Lanes<number>
  readonly root: Lanes<number>
  readonly joint: Lanes<number>
  /** where bodies were, 3 numbers each: the factor stays good while they move on */
  readonly origins: Lanes<number>
  /** matrices of the fronts; rows of pivots divided by their pivot, and 1/pivot; S⁺ of bases cut from the ground */
  readonly Q: Lanes<number>
  readonly H: Lanes<number>
  readonly dinv: Lanes<number>
  readonly P: Lanes<number>
  /** scratch: rows being eliminated, their own block, rows across a base's axes, a reflected matrix, the reflections, one vector */
  readonly g: Lanes<number>
  readonly own: Lanes<number>
  readonly T: Lanes<number>
  readonly A: Lanes<number>
  readonly B: Lanes<number>
  readonly u: Lanes<number>
  /** of exact rows, as in `ExactRows` */
  readonly asked: Lanes<number>
  readonly pulled: Lanes<number>
  readonly spare: Lanes<number>
  readonly alike: Lanes<number>
  /** 1 where a pivot had the wrong sign, or exact rows are too much alike */
  readonly failed: Lanes<number>
}

type Few<T> = readonly T[]

/** (f(0), …, f(n − 1)) for a constant n of 1 … 4 or 6. */
export function few<T>(n: Int, f: (k: Int) => T): Few<T> {
  if (n === 1) return [f(0)]
  if (n === 2) return [f(0), f(1)]
  if (n === 3) return [f(0), f(1), f(2)]
  if (n === 4) return [f(0), f(1), f(2), f(3)]
  return [f(0), f(1), f(2), f(3), f(4), f(5)]
}

/** a₀ b₀ + a₁ b₁ + … */
export function dotFew(n: Int, a: Few<number>, b: Few<number>): number {
  let sum = a[0] * b[0]
  for (let k = 1; k < n; k++) sum = sum + a[k] * b[k]
  return sum
}

/** The way between the points of reference of two bodies; in a plane its two numbers there. */
export function wayBetween(e: Fronts, n: Int, from: Int, to: Int): Vec3 {
  const [a, b] = [3 * from, 3 * to]
  if (n === 6) return [e.origins[a] - e.origins[b], e.origins[a + 1] - e.origins[b + 1], e.origins[a + 2] - e.origins[b + 2]]
  return [e.origins[a + e.along] - e.origins[b + e.along], e.origins[a + e.aside] - e.origins[b + e.aside], 0]
}
