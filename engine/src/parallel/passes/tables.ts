/** What the kernels of the passes see besides the tree: room for blocks of long chains (`blocks.kernel`) and rows of loops (`loops.kernel`). */
import type { Lanes } from '../../math/values/columns.js'
import type { Force, Motion, Pose } from '../../math/values/spatial.js'

export interface Blocks {
  /** of each block: pose and motion of its last body against what it hangs on, along the axes of that */
  readonly X: Lanes<Pose>
  readonly V: Lanes<Motion>
  /** bias force at what the block hangs on, by each of the six numbers of a wrench on its last body; 6 a block */
  readonly P: Lanes<Force>
  /** acceleration of its last body: Φ, row by row, and b; 36 and 6 numbers a block */
  readonly Phi: Lanes<number>
  readonly b: Lanes<number>
  /** of each velocity: what the six numbers of the wrench add to u of `tree/aba` */
  readonly u6: Lanes<number>
}
