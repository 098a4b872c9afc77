/**
 * Model: a mechanism as flat arrays. Made by `buildModel`, never changed afterwards: parameters that are set at run time make another one, which shares
 * its other arrays (`build/parameters`).
 *
 * Numbers, names and typed arrays only, no functions: a model survives `structuredClone` and `postMessage`.
 *
 * Body 0 is the world. Bodies are numbered depth first: parent(i) < i, and the bodies that move with body i are i … subtreeEnd[i]−1.
 * Body i owns the joints ij[i] … ijEnd[i]−1 in sequence, and with them the coordinates iq[i] … iqEnd[i]−1 and the velocities
 * iv[i] … ivEnd[i]−1; those of its modes follow (`modes`). Joints, coordinates and velocities are in the order of the file, a parent's before those of its children, which need
 * not be the order of the bodies.
 */
import type { Vec } from '../math/types.js'
import type { Constraints } from './constraints.js'
import type { Modes } from './modes.js'
import type { MovingLoads } from './moving-loads.js'
import type { Sensors } from './sensors.js'
import type { Geoms, Shapes, Sites } from './shapes.js'

/** What a user sees of a joint. */
export interface JointInfo {
  readonly name: string
  readonly type: string
  readonly body: number
  readonly iq: number
  readonly nq: number
  readonly iv: number
  readonly nv: number
}

export interface Model {
  readonly name: string
  readonly nbody: number
  readonly njoint: number
  readonly nq: number
  readonly nv: number
  /** number of actuators, the length of a control vector */
  readonly nu: number
  /** number of activations: of actuators that follow their control with a lag */
  readonly na: number

  /** in the order of the file; after the njoint joints an entry of type `modes` for each body that deforms */
  readonly joints: readonly JointInfo[]
  /** by number */
  readonly bodies: readonly { readonly name: string; readonly parent: number }[]

  // tree
  readonly parent: Int32Array
  /** one past the last body of each subtree */
  readonly subtreeEnd: Int32Array
  /** numbers of the bodies in the order of the file, the world first: for lists that people read */
  readonly bodyOrder: Int32Array
  readonly ij: Int32Array
  readonly ijEnd: Int32Array
  readonly iq: Int32Array
  readonly iqEnd: Int32Array
  readonly iv: Int32Array
  readonly ivEnd: Int32Array
  /** offset of the body's nd × nd block, for factors that keep one */
  readonly id: Int32Array
  /** the body that each velocity moves */
  readonly velocityBody: Int32Array
  /** pose of the joint frame in the parent at rest: where the body stands with its joints at reference (12 a body) */
  readonly X_PJ: Vec
  /** m, m c, J about the body origin (10 a body; `math/inertia`) */
  readonly inertia: Readonly<Vec>

  /** the row of what a body hangs on in the fields of Data for `tree/aba`: its parent, or a row past the bodies for a moved frame */
  readonly base: Int32Array
  readonly modes: Modes

  // joints
  readonly jointType: Int32Array
  readonly jointBody: Int32Array
  readonly jointQ: Int32Array
  readonly jointV: Int32Array
  /** its first step */
  readonly jointStep: Int32Array
  readonly steps: Steps
  /** the coordinate whose rate a velocity is; −1 for those of curved joints */
  readonly coordinate: Int32Array
  /** axes S of bodies with one degree of freedom, which never change; zero elsewhere (6 a velocity) */
  readonly S0: Vec
  /** 1 where a velocity acts at once with the one before it (spherical, free), 0 where it comes after */
  readonly together: Int32Array
  readonly armature: Vec
  readonly damping: Vec
  readonly stiffness: Vec
  /** coordinates at which the joint springs are slack (nq) */
  readonly rest: Vec
  /** coordinates at the start (nq) */
  readonly q0: Vec
  /** lower, upper for each velocity; infinite where there is none */
  readonly limits: Vec
  /** of each velocity: how far from its limits they begin to push; softness of limits and of dry friction (2 and 5 each), solref 0 0: hard */
  readonly limitMargin: Vec
  readonly limitSolref: Vec
  readonly limitSolimp: Vec
  readonly friction: Vec
  readonly frictionSolref: Vec
  readonly frictionSolimp: Vec

  // world
  /** m/s² in the world; `simulation.setGravity` sets it for a simulation */
  readonly gravity: Readonly<Vec>
  readonly medium: Medium
  readonly gravityCompensation: Vec
  /** angular, linear for each body */
  readonly bodyDamping: Vec
  /** drag of the medium along the axes of each body, 3 each */
  readonly drag: Vec
  readonly penalty: Penalty

  // what joins bodies across the tree
  readonly springs: Springs
  readonly tendons: Tendons
  readonly loads: Loads
  readonly actuators: Actuators
  readonly constraints: Constraints
  /** shapes that may touch */
  readonly shapes: Shapes
  /** shapes that are seen or touched, and named frames: where they are by name */
  readonly geoms: Geoms
  readonly sites: Sites
  /** bodies that go where they are told */
  readonly driven: Int32Array
  /** unit in which the source writes angles */
  readonly angle: 'radian' | 'degree'

  /** the built-in forces that have something to do here, by their numbers in `forces/index`; the user's own are given to a simulation or to Data */
  readonly forces: Int32Array
  /** true if any of them pulls at bodies, not only in joints */
  readonly loaded: boolean
  readonly keyframes: readonly Keyframe[]
  readonly sensors: Sensors

  readonly timestep: number
  readonly solver: string
  readonly solverOptions: Readonly<Record<string, string | number | boolean>>
  /** what the file asks for and no solver simulates, one sentence each, the most important first */
  readonly notes: readonly string[]
}

/** What joints do, as turns, slides, balls and free motions in sequence; `model/tables` has the same for kernels. */
export interface Steps {
  /** of each body: its steps firstStep … stepEnd−1 */
  readonly firstStep: Int32Array
  readonly stepEnd: Int32Array
  /** of each body: how many turns move it against its parent, where there is nothing but turns about axes through its origin; else 0 */
  readonly hinge: Int32Array
  /** of each body: 1 where it hangs on a frame that moves with the modes of its parent */
  readonly moved: Int32Array
  /** of each step: kind, first coordinate, first velocity */
  readonly stepKind: Int32Array
  readonly stepQ: Int32Array
  readonly stepV: Int32Array
  /** steps whose velocities are not rates of their coordinates: balls, free joints */
  readonly curved: Int32Array
  readonly curvedCount: number
  /** steps that turn, by body, and how many of them belong to bodies before each of 0 … nbody */
  readonly turns: Int32Array
  readonly turnStart: Int32Array
  /** constants of each step (`Axis` of model/tables) */
  readonly axis: Vec
}

export interface Medium {
  readonly density: number
  readonly viscosity: number
  readonly wind: Vec
  readonly gusts: Gusts
  /** per body: centre of mass (3), principal axes in the body frame (9), edge lengths of the equivalent box (3) */
  readonly boxes: Vec
  readonly ellipsoids: Ellipsoids
}

/** velocity · sin(2π frequency t + phase + that of the body), on bodies that deform. */
export interface Gusts {
  readonly count: number
  /** 3 each */
  readonly velocity: Vec
  readonly frequency: Vec
  readonly phase: Vec
}

/** Geoms on which a medium acts as on ellipsoids; their bodies have no box. */
export interface Ellipsoids {
  readonly count: number
  readonly body: Int32Array
  /** pose of the geom in its body, 12 each */
  readonly X: Vec
  /** ELLIPSOID_SIZE each, see forces/ellipsoid-drag */
  readonly numbers: Vec
}

/** Shapes of obstacles. */
export const OBSTACLE_PLANE = 0
export const OBSTACLE_BOX = 1
export const OBSTACLE_SPHERE = 2

/** Points of bodies against obstacles in the world, by penalty. */
export interface Penalty {
  /** points */
  readonly count: number
  /** of the shapes that points and obstacles belong to */
  readonly names: readonly string[]
  readonly obstacleNames: readonly string[]
  readonly body: Int32Array
  /** in body coordinates, 3 each */
  readonly point: Vec
  readonly radius: Vec
  readonly obstacles: number
  readonly kind: Int32Array
  /** of the obstacle in the world, 12 each */
  readonly pose: Vec
  /** half edges of a box, radius of a sphere: 3 each */
  readonly size: Vec
  readonly stiffness: number
  readonly friction: number
  readonly slip: number
}

export interface Springs {
  readonly count: number
  readonly names: readonly string[]
  readonly bodyA: Int32Array
  readonly bodyB: Int32Array
  /** in body coordinates, 3 each */
  readonly pointA: Vec
  readonly pointB: Vec
  readonly stiffness: Vec
  readonly damping: Vec
  readonly rest: Vec
}

/** Geoms that a tendon goes round; a cylinder along its z. */
export const WRAP_SPHERE = 0
export const WRAP_CYLINDER = 1

export interface Tendons {
  readonly count: number
  readonly names: readonly string[]
  /** path of tendon k: entries pathStart[k] … pathStart[k+1]−1 */
  readonly pathStart: Int32Array
  /** body of a point, −1 for a pulley */
  readonly pathBody: Int32Array
  /** point in body coordinates, or (divisor, 0, 0) of a pulley */
  readonly pathPoint: Vec
  /** number of the geom that the line may go round, between two points; −1 for points and pulleys */
  readonly pathWrap: Int32Array
  /** of each such geom: WRAP_SPHERE or WRAP_CYLINDER, radius, pose in its body (12), body (−1: none) and point of the side site */
  readonly wrapKind: Int32Array
  readonly wrapRadius: Vec
  readonly wrapPose: Vec
  readonly wrapSide: Int32Array
  readonly wrapSidePoint: Vec
  /** weighted coordinates: entries dofStart[k] … dofStart[k+1]−1 */
  readonly dofStart: Int32Array
  readonly dofQ: Int32Array
  readonly dofV: Int32Array
  readonly dofCoefficient: Vec
  readonly stiffness: Vec
  readonly damping: Vec
  readonly armature: Vec
  /** the tendons whose armature is not zero */
  readonly armed: Int32Array
  /** as of joints; the limits themselves are among the constraints */
  readonly limitMargin: Vec
  readonly limitSolref: Vec
  readonly limitSolimp: Vec
  readonly friction: Vec
  readonly frictionSolref: Vec
  readonly frictionSolimp: Vec
  /** slack between restLow and restHigh */
  readonly restLow: Vec
  readonly restHigh: Vec
}

export interface Loads {
  /** those that travel; not among `count` */
  readonly moving: MovingLoads
  readonly count: number
  readonly body: Int32Array
  readonly point: Vec
  /** moment, force: 6 each */
  readonly wrench: Vec
  /** 1: turns with the body, 0: fixed in the world */
  readonly follows: Int32Array
}

/** Transmission of an actuator. */
export const ACTUATOR_JOINT = 0
export const ACTUATOR_TENDON = 1
export const ACTUATOR_SITE = 2

/** How an activation follows the control. */
export const DYNAMICS_NONE = 0
export const DYNAMICS_INTEGRATOR = 1
export const DYNAMICS_FILTER = 2
export const DYNAMICS_EXACT_FILTER = 3
export const DYNAMICS_MUSCLE = 4

/** Numbers of a muscle's curves: low, high, force, lmin, lmax, vmax, fpmax, fvmax. */
export const MUSCLE_SIZE = 8

export interface Actuators {
  readonly count: number
  readonly names: readonly string[]
  readonly kind: Int32Array
  /** joint, tendon, or body of the site */
  readonly target: Int32Array
  /** 6 each: per velocity of the joint; first number for a tendon; force then torque for a site */
  readonly gear: Vec
  /** pose of the site in its body (12 each) */
  readonly site: Vec
  /** g0 g1 g2, b0 b1 b2 */
  readonly gain: Readonly<Vec>
  readonly bias: Readonly<Vec>
  readonly controlRange: Vec
  readonly forceRange: Vec
  /** DYNAMICS_…; place of its activation in State.act, −1 where there is none */
  readonly dynamics: Int32Array
  readonly activation: Int32Array
  /** time constants, 3 each (muscles: rise, fall, width); bounds of the activation; 1 where the force takes the activation of the next step */
  readonly times: Vec
  readonly actRange: Vec
  readonly early: Int32Array
  /** 1 where a muscle's curves stand in place of gain, of bias; the curves, MUSCLE_SIZE each, and the ends of the muscle's length, 2 each */
  readonly pullsActive: Int32Array
  readonly pullsPassive: Int32Array
  readonly active: Vec
  readonly passive: Vec
  readonly lengthRange: Vec
  /** lower, upper of the total actuator force on each velocity */
  readonly dofRange: Vec
  /** 1 for velocities in which the compensation of gravity is part of that total, where the range is finite */
  readonly compensated: Int32Array
  /** 1 where any of these ranges is finite */
  readonly ranged: number
  /** actuators that drive the only coordinate of a joint without lag or muscle; that coordinate and its velocity */
  readonly directCount: number
  readonly direct: Int32Array
  readonly drivenQ: Int32Array
  readonly drivenV: Int32Array
  /** those that drive a sum of coordinates at once: a tendon without a path */
  readonly summedCount: number
  readonly summed: Int32Array
  /** the others */
  readonly indirect: Int32Array
}

export interface Keyframe {
  readonly name: string
  readonly time: number
  readonly q: Vec
  readonly v: Vec
  readonly control: Vec
  /** activations (na) */
  readonly act: Vec
}
