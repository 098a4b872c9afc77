/** What the kernels of the divide-and-conquer algorithm see of an assembly: names and nodes are those of `assembly`. */
import type { Int, Ints, Lanes, Shared } from '../../math/values/columns.js'
import type { Articulated, Force, Motion } from '../../math/values/spatial.js'

export interface Parts {
  readonly nodes: Int
  readonly first: Ints
  readonly second: Ints
  readonly joint: Ints
  readonly slot: Ints
  readonly body: Ints
  readonly pieces: Shared<number>
  readonly grounded: Ints
  readonly handles: Ints
  readonly row: Ints
  readonly square: Ints
  readonly innerRow: Ints
  readonly innerSquare: Ints

  /**
   * Of each node, over its handles h, each in the frame of the body that holds it: a = Φ f + b are the accelerations of the handles, gravity
   * taken from them, where the wrenches f act on them. Numbers: 36 a pair of handles, 6 a handle.
   */
  readonly Phi: Lanes<number>
  readonly b: Lanes<number>
  readonly f: Lanes<number>
  /** rows of Gᵀ, and of (W G)ᵀ: what a wrench at a handle does at the principal joint; 6 a handle of inner nodes */
  readonly G: Lanes<Motion>
  readonly WG: Lanes<Force>
  /** of the principal joint: W, γ and β₀ */
  readonly W: Lanes<Articulated>
  readonly gamma: Lanes<Force>
  readonly beta: Lanes<Motion>
  /** of each velocity: U, D and u of its elimination from V, as in `tree/aba` */
  readonly UJ: Lanes<Force>
  readonly DJ: Lanes<number>
  readonly uJ: Lanes<number>

  /** −g, the acceleration of the ground */
  readonly ground: Lanes<Motion>
}
