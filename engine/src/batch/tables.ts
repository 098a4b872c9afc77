/** What kernels of a batch see besides the tree: a table of each group of environments, one of the work space of each thread. */
import type { MotorLaw, Range } from '../forces/actuators.kernel.js'
import type { Int, Ints, Lanes, Shared, Varied } from '../math/values/columns.js'
import type { Vec3 } from '../math/values/spatial.js'

/** What the length of an actuator's transmission is: nothing, a coordinate, the rotation vector of a quaternion. */
export const NO_LENGTH = 0
export const COORDINATE = 1
export const ROTATION = 2

/** Environments that are computed side by side: constants of the model, what may differ between them, and their states. */
export interface Group extends MotorLaw {
  readonly nq: Int
  readonly nv: Int
  /** of each actuator: what its length is; first coordinate, first velocity and number of velocities of its joint */
  readonly actuatorCount: Int
  readonly lengthKind: Ints
  readonly actuatorQ: Ints
  readonly actuatorV: Ints
  readonly actuatorNv: Ints
  /** a number for each velocity of an actuator's joint, 6 each */
  readonly gear: Shared<number>
  /** of each velocity: range of what all actuators together do there; `ranged`: 1 where any is finite */
  readonly ranged: Int
  readonly dofRange: Shared<Range>
  /** step, its number of stages, weights of a Runge–Kutta method row by row, the last row those of the step */
  readonly h: Shared<number>
  readonly one: Shared<number>
  readonly stages: Int
  readonly weights: Shared<number>

  readonly gravity: Varied<Vec3>
  readonly damping: Varied<number>
  readonly stiffness: Varied<number>
  readonly rest: Varied<number>

  readonly q: Lanes<number>
  readonly v: Lanes<number>
  readonly a: Lanes<number>
  readonly tau: Lanes<number>
  readonly control: Lanes<number>
  /** steps taken since the start; 1 where the last one failed */
  readonly steps: Lanes<number>
  readonly failed: Lanes<number>
}

/** Work space of a step. */
export interface Step {
  /** position and velocity that a stage or the step comes to, joint forces, those of actuators alone */
  readonly qNext: Lanes<number>
  readonly vNext: Lanes<number>
  readonly qf: Lanes<number>
  readonly drive: Lanes<number>
  /** of Runge–Kutta methods: local coordinates; rates of them and of the velocities, a row of nv a stage */
  readonly xi: Lanes<number>
  readonly xiRate: Lanes<number>
  readonly vRate: Lanes<number>
}
