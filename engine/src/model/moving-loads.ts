/**
 * Loads that travel over bodies: each runs along its legs, a straight line on one body after the other.
 */
import type { Vec } from '../math/types.js'

export interface MovingLoads {
  readonly count: number
  /** legs of load k: leg[k] … leg[k+1]−1 */
  readonly leg: Int32Array
  readonly body: Int32Array
  /** start and end of a leg in its body, 3 each */
  readonly from: Vec
  readonly to: Vec
  /** time at which a leg begins and ends, 2 each */
  readonly time: Vec
  /** moment, force: 6 a load */
  readonly wrench: Vec
  /** 1: turns with the body, 0: fixed in the world */
  readonly follows: Int32Array
}
