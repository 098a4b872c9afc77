/**
 * Memory of the ground step: `Ground`, constants and states of a group of environments, and `GroundStep`, the workspace of a thread.
 *
 * A candidate is a point of a shape that may touch one surface of the world: a corner, the end of a capsule, the lowest point of a rim. A slot
 * holds a candidate that touches in at least one lane; each body has as many slots as candidates, filled from the first.
 */
import type { MotorLaw, Range } from '../../forces/actuators.kernel.js'
import type { Int, Ints, Lanes, Shared, Varied } from '../../math/values/columns.js'
import type { Articulated, Force, Mat3, Motion, Pose, Rigid, Sym3, Vec3 } from '../../math/values/spatial.js'

/** Kinds of candidates: a fixed point, a point of the rim of a cylinder, the lowest point of an ellipsoid. */
export const POINT = 0
export const RIM = 1
export const ELLIPSOID_POINT = 2

/** Kinds of rows on a velocity. */
export const LIMIT = 0
export const DRY_FRICTION = 1

/** Softness of a row (`softness.kernel`): numbers of its impedance, stiffness k times impedance, damping b, inverse inertia w of the row. */
export type Softness = {
  readonly low: number
  readonly rise: number
  readonly perWidth: number
  readonly middle: number
  readonly perLow: number
  readonly perHigh: number
  readonly power: number
  readonly k: number
  readonly b: number
  readonly w: number
}

/** `at`: its centre in body coordinates. Of the end of a capsule: M[0] its unit axis. Of a rim: M[0] the axis times half the length, M[1] = (cap, along, across): which cap, and where on it. */
export type Candidate = { readonly at: Vec3; readonly radius: number; readonly margin: number; readonly M: Mat3 }

/** A plane n · x = offset, or the place of a height field: x0 y0 z0, cells a metre, largest cell, columns. */
export type Surface = { readonly n: Vec3; readonly offset: number }
export type Terrain = {
  readonly x0: number
  readonly y0: number
  readonly z0: number
  readonly perX: number
  readonly perY: number
  readonly lastX: number
  readonly lastY: number
  readonly columns: number
}

/** Two capsules: squares of their half lengths and the inverse of these, radii, and the distance of the centres within which they may touch. */
export type Capsules = {
  readonly uu: number
  readonly vv: number
  readonly perUU: number
  readonly perVV: number
  readonly radiusA: number
  readonly radiusB: number
  readonly reach: number
  readonly margin: number
}

export interface Ground extends MotorLaw {
  readonly nq: Int
  readonly nv: Int
  readonly na: Int
  /** step and its inverse */
  readonly h: Shared<number>
  readonly perStep: Shared<number>

  /** arms of actuator n: armStart[n] … armStart[n+1]−1, each a velocity, its coordinate (−1: none) and its gear */
  readonly actuatorCount: Int
  readonly armStart: Ints
  readonly armV: Ints
  readonly armQ: Ints
  readonly armGear: Shared<number>
  /** of each actuator: quaternion whose rotation vector is its length, −1 for none; its activation, −1 for none; 1: force of the next activation */
  readonly turnQ: Ints
  readonly activation: Ints
  readonly early: Ints
  /** next activation = keep · activation + take · control, inside its range */
  readonly follow: Shared<Range>
  readonly actRange: Shared<Range>
  readonly ranged: Int
  readonly dofRange: Shared<Range>
  /** fixed tendons with a spring or a damper: arms as of actuators; stiffness, damping; slack between two lengths */
  readonly tendonCount: Int
  readonly tendonStart: Ints
  readonly tendonV: Ints
  readonly tendonQ: Ints
  readonly tendonCoefficient: Shared<number>
  readonly tendonLaw: Shared<Range>
  readonly tendonSlack: Shared<Range>

  /** of each body: 1 where a free joint moves it against the world, 2 where against another body, else 0 */
  readonly freeBody: Ints
  /** children of each body, the last first */
  readonly childStart: Ints
  readonly child: Ints

  /** balls with a limit: first coordinate, first velocity, angle from which on the limit acts */
  readonly ballCount: Int
  readonly ballQ: Ints
  readonly ballV: Ints
  readonly ballReach: Shared<number>

  /** rows on one velocity: kind, velocity, coordinate, side of a limit; bound of the coordinate or of the friction; softness */
  readonly rowCount: Int
  readonly rowKind: Ints
  readonly rowV: Ints
  readonly rowQ: Ints
  /** ball whose angle is limited, −1 for a coordinate */
  readonly rowBall: Ints
  readonly rowSign: Shared<number>
  readonly rowBound: Shared<number>
  readonly rowMargin: Shared<number>
  readonly rowSoft: Shared<Softness>

  /** bodies with candidates; patches of body i: patchStart[i] … patchStart[i+1]−1, each a surface and candidates; slots of body i begin at slotStart[i] */
  readonly touchCount: Int
  readonly touchBody: Ints
  readonly slotStart: Ints
  readonly patchStart: Ints
  readonly patchSurface: Ints
  readonly patchReach: Shared<number>
  readonly candidateStart: Ints
  readonly candidateKind: Ints
  readonly candidate: Shared<Candidate>
  readonly candidateSoft: Shared<Softness>
  /** friction of a candidate: the larger of two sliding coefficients; torsional and rolling ones; how many directions resist */
  readonly candidateFrictionA: Ints
  readonly candidateFrictionB: Ints
  readonly candidateMoments: Shared<Range>
  readonly candidateDim: Ints
  /** its number, as slots remember it */
  readonly candidateNumber: Shared<number>
  readonly surfaceCount: Int
  readonly surface: Shared<Surface>
  /** 1 where the only surface is the height field */
  readonly hasField: Int
  readonly terrain: Shared<Terrain>
  readonly heights: Shared<number>
  /** cells that a line across the field may meet at most */
  readonly terrainLines: Int

  /** spheres and capsules that may touch each other: body, centre and half axis in its coordinates; pairs of which it is the first */
  readonly roundCount: Int
  readonly roundBody: Ints
  readonly round: Shared<{ readonly center: Vec3; readonly axis: Vec3 }>
  readonly pairStart: Ints
  /** two of them and their bodies; the slots of these contacts follow those of the ground */
  readonly pairCount: Int
  readonly pairSlot: Int
  readonly pairA: Ints
  readonly pairB: Ints
  readonly pairRoundA: Ints
  readonly pairRoundB: Ints
  readonly pair: Shared<Capsules>
  readonly pairSoft: Shared<Softness>
  readonly pairFrictionA: Ints
  readonly pairFrictionB: Ints
  readonly pairMoments: Shared<Range>
  readonly pairDim: Ints
  readonly pairRounds: Int

  /** powers of solimp: 1 where all of them are 2, the largest whole part, binary digits of the rest */
  readonly quadratic: Int
  readonly maxPower: Int
  readonly powerDigits: Int
  /** observations: code, body or first number, first place in the row, how many; frame on the body; points around it, rays from it, velocities that move it. 1: contact forces are stored */
  readonly observeCount: Int
  readonly observeCode: Ints
  readonly observeFrom: Ints
  readonly observeStart: Ints
  readonly observeLength: Ints
  readonly observeFrame: Shared<Pose>
  readonly sampleStart: Ints
  readonly sample: Shared<Range>
  readonly rayStart: Ints
  readonly ray: Shared<Vec3>
  readonly moverStart: Ints
  readonly mover: Ints
  readonly storesForces: Int

  /** 1: elliptic cones, 0: pyramids; tangential compliance over normal compliance */
  readonly elliptic: Int
  readonly perImpratio: Shared<number>
  /** bound of Σ w (λ − f)², Newton iterations and line searches at most */
  readonly tolerance: Shared<number>
  readonly maxIterations: Int
  readonly maxSearches: Int
  readonly compensated: Int
  readonly gravityCompensation: Shared<number>
  readonly pushed: Int

  readonly gravity: Varied<Vec3>
  readonly damping: Varied<number>
  readonly stiffness: Varied<number>
  readonly rest: Varied<number>
  /** sliding friction of each shape, then of each named pair; factor of every contact's compliance; where the environment stands on the field */
  readonly friction: Varied<number>
  readonly softness: Varied<number>
  readonly terrainOffset: Varied<readonly [number, number]>
  /** force and moment on each body at its centre of mass, along the axes of the world: moment, force */
  readonly push: Varied<Force>

  readonly q: Lanes<number>
  readonly v: Lanes<number>
  readonly a: Lanes<number>
  readonly act: Lanes<number>
  readonly tau: Lanes<number>
  readonly control: Lanes<number>
  readonly steps: Lanes<number>
  readonly failed: Lanes<number>
  /** Newton iterations of the last step */
  readonly iterations: Lanes<number>
  /** joules that rows took out of the mechanism (`watch.kernel`), where a program asks for them */
  readonly taken: Lanes<number>
  /** contact force on each body in the last step, along world axes; a row of observations */
  readonly contactForce: Lanes<Vec3>
  readonly observation: Lanes<number>
}

/** What a slot needs of its contact: lever arm, target of the rates, q = 1/R along the normal and the tangents, friction, weight of its residual. */
export type Spot = {
  readonly r: Vec3
  readonly hat: Vec3
  readonly q: number
  readonly qt: number
  readonly mu: number
  readonly w: number
}
/** The same of its angular rates: target; torsional and rolling friction over sliding friction. */
export type Spin = { readonly hat: Vec3; readonly torsion: number; readonly rolling: number }

/** Inverse of the inertia ( A B ; Bᵀ C ) of a free body by blocks: P = C⁻¹, Q = B P, R = (A − Q Bᵀ)⁻¹. */
export type RootFactor = { readonly P: Sym3; readonly Q: Mat3; readonly R: Sym3 }

/** Where a contact comes from: number of its candidate, distance of the surfaces. */
export type Source = { readonly candidate: number; readonly gap: number }

export interface GroundStep {
  readonly qNext: Lanes<number>
  readonly vNext: Lanes<number>
  /** joint forces; of actuators alone and their stiffness; M + diag = A; what rows add to the diagonal and to the forces */
  readonly qf: Lanes<number>
  readonly drive: Lanes<number>
  readonly servo: Lanes<number>
  readonly diag: Lanes<number>
  readonly rowG: Lanes<number>
  readonly rowPhi: Lanes<number>

  /** of each body, along world axes at its origin: V/h less the bias acceleration, inertia, bias force; Σ JᵀGJ and its force; what its parent gets */
  readonly E: Lanes<Motion>
  readonly I: Lanes<Rigid>
  readonly bias: Lanes<Force>
  readonly K: Lanes<Articulated>
  readonly F: Lanes<Force>
  readonly up: Lanes<Articulated>
  readonly upForce: Lanes<Force>
  readonly root: Lanes<RootFactor>
  /** of each body: 1 where its elimination is out of date; largest q of its slots */
  readonly dirty: Lanes<number>
  readonly touch: Lanes<number>

  /** of each slot: q in the lanes that touch, 0 ends the list; candidate; branch of the law at the last response */
  readonly grip: Lanes<number>
  readonly source: Lanes<Source>
  readonly branch: Lanes<number>
  readonly spot: Lanes<Spot>
  readonly spin: Lanes<Spin>
  readonly normal: Lanes<Vec3>
  /** of pyramids: the direction of their first edges across the normal */
  readonly first: Lanes<Vec3>
  /** rates ω and multipliers λ at the current point and at the end of the Newton step; force f, tangent G and φ = f + G ω. Linear, then angular. */
  readonly rate: Lanes<Vec3>
  readonly rateNew: Lanes<Vec3>
  readonly lambda: Lanes<Vec3>
  readonly lambdaNew: Lanes<Vec3>
  readonly force: Lanes<Vec3>
  readonly phi: Lanes<Vec3>
  readonly G: Lanes<Sym3>
  readonly spinRate: Lanes<Vec3>
  readonly spinRateNew: Lanes<Vec3>
  readonly moment: Lanes<Vec3>
  readonly momentNew: Lanes<Vec3>
  readonly spinForce: Lanes<Vec3>
  readonly spinPhi: Lanes<Vec3>
  readonly GA: Lanes<Sym3>
  readonly GB: Lanes<Mat3>

  /** of each ball with a limit: its angle, 1 where the limit may act, axes of its velocities then */
  readonly ballAngle: Lanes<number>
  readonly ballNear: Lanes<number>
  readonly ballBasis: Lanes<Mat3>

  /** of each row on a velocity: target, q, bounds of its force; rates, multipliers, force, tangent and φ as of slots */
  readonly row: Lanes<{ readonly hat: number; readonly q: number; readonly low: number; readonly high: number }>
  readonly rowRate: Lanes<number>
  readonly rowRateNew: Lanes<number>
  readonly rowLambda: Lanes<number>
  readonly rowLambdaNew: Lanes<number>
  readonly rowForce: Lanes<number>
  readonly rowTangent: Lanes<Range>
  readonly rowBranch: Lanes<number>

  /** spheres and capsules in the world; 1 where one is the first of a pair that touches */
  readonly center: Lanes<Vec3>
  readonly halfAxis: Lanes<Vec3>
  readonly meets: Lanes<number>
  /** lever arm of each pair on body B; 1 where any pair touches; of each body: 1 on the way from the world to a pair that touches */
  readonly pairArm: Lanes<Vec3>
  readonly coupled: Lanes<number>
  readonly path: Lanes<number>
  /** conjugate gradients in the rows of pairs: residual, direction, the rates that both cause, sum of the directions. Linear, then angular. */
  readonly residual: Lanes<Vec3>
  readonly direction: Lanes<Vec3>
  readonly residualRate: Lanes<Vec3>
  readonly directionRate: Lanes<Vec3>
  readonly sum: Lanes<Vec3>
  readonly residualMoment: Lanes<Vec3>
  readonly directionMoment: Lanes<Vec3>
  readonly residualSpin: Lanes<Vec3>
  readonly directionSpin: Lanes<Vec3>
  readonly sumMoment: Lanes<Vec3>
  /** a solve with the factor: force on each body, accelerations of bodies and joints that it causes */
  readonly load: Lanes<Force>
  readonly loadRate: Lanes<Motion>
  readonly loadForce: Lanes<number>
  readonly da: Lanes<number>

  readonly aNew: Lanes<number>
  /** slopes at both ends of the line, step along it, trial; 1 in lanes that need a search, that iterate */
  readonly slope0: Lanes<number>
  readonly slope1: Lanes<number>
  readonly alpha: Lanes<number>
  readonly trial: Lanes<number>
  readonly far: Lanes<number>
  readonly live: Lanes<number>
}
