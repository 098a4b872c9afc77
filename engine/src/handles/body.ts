/**
 * Bodies by name: where they are, how they move, what is done to them.
 */
import type { Vec } from '../math/types.js'
import { matrixToQuat, mulQuat, quatToMatrix, rotate, rotateBack } from '../printed/arrays.js'
import { type Applied, addApplied, checkUntil, dropApplied, type Until } from './applied.js'
import { DRIVEN_SIZE, holdDriven } from './driven.js'
import { bodyJacobian, type Look, pointInWorld, velocityInWorld } from './look.js'
import { roomFor, takeNumbers, takeQuaternion } from './numbers.js'
import type { RunParameters } from './parameters.js'

/** A frame on a body, seen in the world. What is read goes to `out` where one is given, else to a new array. */
export interface FrameHandle {
  readonly name: string
  /** position x y z in the world: of the origin, or of a point given in the frame */
  position(out?: Vec, point?: ArrayLike<number>): Vec
  /** orientation w x y z in the world */
  quaternion(out?: Vec): Vec
  /** angular velocity, then velocity of the origin or of a point given in the frame: 6 numbers along the axes of the world */
  velocity(out?: Vec, point?: ArrayLike<number>): Vec
  /** 6 × nv, row by row: `velocity` of the same point is this times `state.v` */
  jacobian(out?: Vec, point?: ArrayLike<number>): Vec
}

export interface ApplyOptions {
  /** N m along the axes of the world. Default none */
  readonly torque?: ArrayLike<number>
  /** `step`: the next step only (default); `cleared`: every step until `clearForces` */
  readonly until?: Until
}

export interface BodyHandle extends FrameHandle {
  /** of `model.bodies` */
  readonly number: number
  readonly mass: number
  /**
   * Sets the mass in kilograms. The body keeps its shape: the centre of mass stays, and the inertia tensor changes in proportion. Not of bodies without
   * mass or that deform. Allocates.
   */
  setMass(mass: number): void
  /** `free`: with a free joint of its own; `driven`: goes where it is told; `jointed`: moves with its joints; `fixed`: never moves */
  readonly motion: 'free' | 'driven' | 'jointed' | 'fixed'
  /** centre of mass x y z in the world */
  center(out?: Vec): Vec
  /** Puts a free or driven body there at once; what it leaves out stays. Velocities along the axes of the world stay. */
  setPose(position: ArrayLike<number>, quaternion?: ArrayLike<number>): void
  /** Velocity of the origin, and angular velocity (default: as it is), along the axes of the world; of a free body. */
  setVelocity(linear: ArrayLike<number>, angular?: ArrayLike<number>): void
  /** A driven body moves there at constant speed, in so many seconds (default: in the next step), and pushes what it meets. */
  moveTo(position: ArrayLike<number>, quaternion?: ArrayLike<number>, seconds?: number): void
  /** A force in N along the axes of the world, at a point of the body in its own frame (default: its centre of mass). */
  applyForce(force: ArrayLike<number>, point?: ArrayLike<number>, options?: ApplyOptions): void
  /** Takes away all forces that were applied to this body. */
  clearForces(): void
}

/** What handles of bodies share. */
export interface BodyContext {
  readonly look: Look
  readonly applied: Applied
  /** `DRIVEN_SIZE` for each driven body */
  readonly targets: Vec
  readonly parameters: RunParameters
}

const at = new Float64Array(3)
const origin = new Float64Array(3)

/** Frame X (12 numbers, in body i) of a body. */
export function frameHandle(look: Look, name: string, i: number, X: Vec): FrameHandle {
  const { model } = look
  const inBody = (point: ArrayLike<number> | undefined): Vec => {
    if (point === undefined) at.fill(0)
    else takeNumbers(`point of '${name}'`, at, 0, point, 3)
    rotate(at, 0, X, 0, at, 0)
    for (let r = 0; r < 3; r++) at[r] += X[9 + r]
    return at
  }
  const turn = new Float64Array(4)
  matrixToQuat(turn, 0, X, 0)
  return {
    name,
    position(given, point) {
      const out = roomFor('position', given, 3)
      pointInWorld(out, look.data(i), i, inBody(point))
      return out
    },
    quaternion(given) {
      const out = roomFor('quaternion', given, 4)
      matrixToQuat(out, 0, look.data(i).X_WB, 12 * i)
      mulQuat(out, 0, out, 0, turn, 0)
      return out
    },
    velocity(given, point) {
      const out = roomFor('velocity', given, 6)
      velocityInWorld(out, look.data(i), i, inBody(point))
      return out
    },
    jacobian(given, point) {
      const out = roomFor('jacobian', given, 6 * model.nv)
      bodyJacobian(out, model, look.data(i), i, inBody(point))
      return out
    },
  }
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
const R = new Float64Array(9)
const twist = new Float64Array(6)
const pose = new Float64Array(3)

export function bodyHandle({ look, applied, targets, parameters }: BodyContext, i: number, name: string): BodyHandle {
  const { model, state } = look
  const { iq, iv } = model
  const center = new Float64Array(3)
  /** Centre of mass in the body; the mass may have been set. */
  const findCenter = (): Vec => {
    const { inertia } = look.model
    const mass = inertia[10 * i]
    if (mass > 0) for (let r = 0; r < 3; r++) center[r] = inertia[10 * i + 1 + r] / mass
    return center
  }
  const n = model.driven.indexOf(i)
  const motion = motionOf()
  const frame = frameHandle(look, name, i, IDENTITY)
  // made once: a call builds no text
  const called = {
    position: `position of body '${name}'`,
    quaternion: `quaternion of body '${name}'`,
    linear: `linear velocity of body '${name}'`,
    angular: `angular velocity of body '${name}'`,
    force: `force on body '${name}'`,
    torque: `torque on body '${name}'`,
    point: `point of a force on body '${name}'`,
  }

  function motionOf(): BodyHandle['motion'] {
    if (n >= 0) return 'driven'
    if (model.ivEnd[i] - iv[i] === 6 && model.ijEnd[i] - model.ij[i] === 1) return 'free'
    for (let k = i; k > 0; k = model.parent[k]) if (model.ivEnd[k] > iv[k] || model.modes.row[k] >= 0) return 'jointed'
    return 'fixed'
  }
  const refuse = (what: string, remedy: string): never => {
    throw new RangeError(`${what}: body '${name}' is ${motion}; ${remedy}`)
  }
  /** position and quaternion to q[o …]; the quaternion stays where none is given */
  const takePose = (q: Vec, o: number, position: ArrayLike<number>, quaternion: ArrayLike<number> | undefined): void => {
    takeNumbers(called.position, pose, 0, position, 3)
    // nothing is written where one of them is refused
    if (quaternion !== undefined) takeQuaternion(called.quaternion, q, o + 3, quaternion)
    for (let r = 0; r < 3; r++) q[o + r] = pose[r]
  }

  return {
    ...frame,
    number: i,
    get mass() {
      return look.model.inertia[10 * i]
    },
    setMass: (mass) => parameters.setMass(i, mass),
    motion,
    center: (out) => frame.position(out, findCenter()),

    setPose(position, quaternion) {
      if (motion !== 'free' && motion !== 'driven') refuse('setPose', 'set its joints, or move the body that carries it')
      if (model.parent[i] !== 0) refuse('setPose', 'it hangs on another body; set the coordinates of its joint')
      const { q, v } = state
      frame.velocity(twist)
      takePose(q, iq[i], position, quaternion)
      quatToMatrix(R, 0, q, iq[i] + 3)
      rotateBack(v, iv[i], R, 0, twist, 0)
      rotateBack(v, iv[i] + 3, R, 0, twist, 3)
      if (n >= 0) holdDriven(model, state, targets, n)
    },

    setVelocity(linear, angular) {
      if (motion === 'driven') refuse('setVelocity', 'use moveTo(position, quaternion, seconds)')
      if (motion !== 'free') refuse('setVelocity', 'set the velocities of its joints')
      if (model.parent[i] !== 0) refuse('setVelocity', 'it hangs on another body; set the velocities of its joint')
      const { q, v } = state
      quatToMatrix(R, 0, q, iq[i] + 3)
      takeNumbers(called.linear, origin, 0, linear, 3)
      if (angular !== undefined) {
        takeNumbers(called.angular, at, 0, angular, 3)
        rotateBack(v, iv[i], R, 0, at, 0)
      }
      rotateBack(v, iv[i] + 3, R, 0, origin, 0)
    },

    moveTo(position, quaternion, seconds = 0) {
      if (n < 0)
        refuse(
          'moveTo',
          "only driven bodies are moved; mark it with mocap='true' in MJCF and read the file with parseMjcf(text, { mocap: 'driven' }), or with driven in a scene, or use setPose",
        )
      if (!(seconds >= 0 && Number.isFinite(seconds))) throw new RangeError(`moveTo: expected a number of seconds, got ${seconds}`)
      takePose(targets, DRIVEN_SIZE * n + 1, position, quaternion)
      targets[DRIVEN_SIZE * n] = seconds
    },

    applyForce(force, point = findCenter(), options = {}) {
      const { torque, until = 'step' } = options
      const forOneStep = checkUntil(until)
      if (motion === 'fixed') refuse('applyForce', 'nothing would follow from it')
      takeNumbers(called.force, origin, 0, force, 3)
      takeNumbers(called.point, at, 0, point, 3)
      twist.fill(0)
      if (torque !== undefined) takeNumbers(called.torque, twist, 0, torque, 3)
      const o = addApplied(applied)
      const { numbers } = applied
      numbers[o] = i
      numbers[o + 1] = forOneStep
      for (let r = 0; r < 3; r++) {
        numbers[o + 2 + r] = origin[r]
        numbers[o + 5 + r] = twist[r]
        numbers[o + 8 + r] = at[r]
      }
    },

    clearForces() {
      dropApplied(applied, (numbers, o) => numbers[o] === i)
    },
  }
}
