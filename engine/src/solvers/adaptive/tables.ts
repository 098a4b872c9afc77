/** What the kernels of adaptive dynamics see besides the assembly (`tree/dca/tables`): what nodes keep while their joints are held, and the tree of rigid groups. */
import type { Ints, Lanes, Shared } from '../../math/values/columns.js'
import type { Force, Motion, Pose, Rigid } from '../../math/values/spatial.js'

export interface Held {
  /** of each node: twist of its reference frame, that of its topmost body, the world's where it holds the ground; Σ w q̈² of its joints */
  readonly twist: Lanes<Motion>
  readonly metric: Lanes<number>
  /** of each node: 1 where forces act inside that are not constant in the frames of its bodies */
  readonly loaded: Ints
  /** of each node while its joints are held: inertia; pose of the second part's reference frame */
  readonly inertia: Lanes<Rigid>
  readonly second: Lanes<Pose>
  /** of each handle of a node while its joints are held: pose of its body's frame */
  readonly place: Lanes<Pose>
  /** Σ w q̈² = fᵀ Ψ f + pᵀ f + η; rows and squares of inner nodes */
  readonly Psi: Lanes<number>
  readonly p: Lanes<number>
  readonly eta: Lanes<number>
  /** b, p and η as polynomials of the angular velocity: 7 a row, 7 a row of inner nodes, 7 × 7 a node */
  readonly Bq: Lanes<number>
  readonly Pq: Lanes<number>
  readonly Nq: Lanes<number>
  /** of each velocity: weight in the metric */
  readonly weight: Lanes<number>
  /** scratch, a row of a node's handles each: Nᵀ, and Ψ of a part times its wrenches */
  readonly N: Lanes<Force>
  readonly HA: Lanes<Motion>
  readonly HB: Lanes<Motion>
  readonly YA: Lanes<Motion>
  readonly YB: Lanes<Motion>
  /** accelerations of the principal joint by a wrench in this row, 6 each; by each monomial */
  readonly rates: Lanes<number>
  readonly ownRates: Lanes<number>
  /** of the second part in the frame of the first: rows of b and p, 7 each; η */
  readonly turnedB: Lanes<number>
  readonly turnedP: Lanes<number>
  readonly turnedN: Lanes<number>
  readonly gram: Lanes<number>
  readonly Z: Lanes<number>
  /** of each monomial: β₀, γ, the wrench on the first part */
  readonly betas: Lanes<Motion>
  readonly gammas: Lanes<Force>
  readonly backs: Lanes<Force>
}

/** Bodies on which forces from outside act, with the row of their group, and their pose in it. */
export interface Pulled {
  readonly at: Ints
  readonly row: Ints
  readonly pose: Lanes<Pose>
}

/** Forces in joints, of each velocity: what springs, dampers and motors hold against; the force, and armature with what acts at the end of a step. */
export interface JointTerms {
  readonly stiffness: Shared<number>
  readonly damping: Shared<number>
  readonly rest: Shared<number>
  readonly servo: Lanes<number>
  readonly brake: Lanes<number>
  readonly stretch: Lanes<number>
  readonly tau: Lanes<number>
  readonly armature: Lanes<number>
}

/** The tree of rigid groups: a row for each front that does not stand on the ground; row 0 is the world. */
export interface Groups {
  /** node, and the body whose joint moves it; 0 for a weld */
  readonly node: Ints
  readonly body: Ints
  /** pose of the frame that the joint hangs on in the reference frame of the parent group */
  readonly offset: Lanes<Pose>
  readonly X_PB: Lanes<Pose>
  readonly X_WB: Lanes<Pose>
  readonly VW: Lanes<Motion>
  readonly cW: Lanes<Motion>
}
