/** Constants of position trajectories for a model. */
import type { Columns } from '../../../kernels/lane-layout.js'
import { squared } from '../../../math/own.js'
import type { Model } from '../../../model/model.js'
import { FREE } from '../../../model/tables.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'
import { exponentialJoints } from '../euler/exponential.js'
import { drivenCoordinate, isDead } from './scope.js'

export interface TrajectorySettings {
  readonly timestep: number
  readonly precision: 'f64' | 'f32'
  readonly optimizer: 'newton' | 'lm'
  /** largest coordinate of the last iteration, radians or metres */
  readonly tolerance: number
  /** directions of a step at most */
  readonly iterations: number
}

/** Rounding error of a sum, relative to the sizes of its terms, for each body; smallest share of a direction that is tried. */
const NOISE = { f64: 1e-14, f32: 3e-7 }
/** of products of pivots, and of changes of a root (`Rounding`) */
const ROUNDING = { f64: [1e-9, 1e-15], f32: [1e-5, 1e-6] }
const SHORTEST = { f64: 2 ** -30, f32: 2 ** -12 }
/** a search ends by itself: by its tolerance, its directions or its λ */
const MOST_CALLS = 2 ** 30

const ints = (x: Iterable<number>): Int32Array => Int32Array.from(x)
const reals = (x: readonly number[]): Float64Array => Float64Array.from(x)

export function trajectoryColumns(m: Model, settings: TrajectorySettings): Columns {
  const { timestep: h, precision, optimizer, tolerance, iterations } = settings
  const { springs, penalty } = m
  const drag = dragColumns(m)
  const hasBlocks = springs.count + m.loads.count + Number(drag.dragCount) + penalty.count > 0
  return {
    ...{ nq: m.nq, nv: m.nv },
    h: reals([h]),
    perStep: reals([1 / h]),
    perSquare: reals([1 / (h * h)]),
    tolerance: reals([tolerance]),
    noise: reals([NOISE[precision] * Math.sqrt(m.nbody)]),
    shortest: reals([SHORTEST[precision]]),
    maxTries: reals([iterations]),
    maxCalls: MOST_CALLS,
    clipsAlways: optimizer === 'lm' ? 1 : 0,
    exact: optimizer === 'newton' && isExact(m) ? 1 : 0,
    hasBlocks: hasBlocks ? 1 : 0,
    rounding: reals(ROUNDING[precision]),
    ...childColumns(m),
    curvedBody: ints(curvedBodies(m)),
    exponential: exponentialJoints(m),
    still: stillCoordinates(m),
    lift: m.gravityCompensation.map((share) => 1 - share),
    ...motorColumns(m),
    springCount: springs.count,
    springA: springs.bodyA,
    springB: springs.bodyB,
    springPointA: springs.pointA,
    springPointB: springs.pointB,
    springStiffness: springs.stiffness,
    springDamping: springs.damping,
    springRest: springs.rest,
    ...loadColumns(m),
    ...drag,
    wind: m.medium.wind,
    pointCount: penalty.obstacles > 0 ? penalty.count : 0,
    obstacleCount: penalty.obstacles,
    pointBody: penalty.body,
    pointAt: penalty.point,
    pointRadius: penalty.radius,
    obstacleKind: penalty.kind,
    obstaclePose: penalty.pose,
    obstacleSize: penalty.size,
    law: reals([penalty.stiffness, penalty.friction, penalty.slip]),
  }
}

/** Whether the matrix is all of the second derivative: springs between two bodies join them, and angles of balls bend springs. */
function isExact({ springs, coordinate, stiffness, damping }: Model): boolean {
  const isPlain = (x: Float64Array): boolean => x.every((value, k) => value === 0 || coordinate[k] >= 0)
  return springs.bodyA.every((body, k) => body === 0 || springs.bodyB[k] === 0) && isPlain(stiffness) && isPlain(damping)
}

function childColumns(m: Model): Columns {
  const children = Array.from({ length: m.nbody }, () => [] as number[])
  for (let i = m.nbody - 1; i > 0; i--) children[m.parent[i]].push(i)
  const childStart = new Int32Array(m.nbody + 1)
  for (const [i, list] of children.entries()) childStart[i + 1] = childStart[i] + list.length
  return { childStart, child: ints(children.flat()) }
}

function* curvedBodies({ nbody, steps }: Model): Iterable<number> {
  for (let i = 0; i < nbody; i++) {
    const isCurved = steps.curved.some((s) => s >= steps.firstStep[i] && s < steps.stepEnd[i])
    yield isCurved ? 1 : 0
  }
}

/** Coordinates of joints that do not move from where they are: zeros, and quaternions of no turn. */
function stillCoordinates({ nq, steps: { curved, stepKind, stepQ } }: Model): Float64Array {
  const out = new Float64Array(nq)
  for (const s of curved) out[stepKind[s] === FREE ? stepQ[s] + 3 : stepQ[s]] = 1
  return out
}

function motorColumns(m: Model): Columns {
  const { count, target, gear, controlRange, forceRange } = m.actuators
  const motors = Array.from({ length: count }, (_, n) => n).filter((n) => drivenCoordinate(m, n))
  return {
    ...{ controlRange, forceRange },
    motorCount: motors.length,
    motor: ints(motors),
    motorQ: ints(motors.map((n) => m.jointQ[target[n]])),
    motorV: ints(motors.map((n) => m.jointV[target[n]])),
    motorGear: reals(motors.map((n) => gear[6 * n])),
  }
}

function loadColumns(m: Model): Columns {
  const { count, body, point, wrench } = m.loads
  const dead = Array.from({ length: count }, (_, k) => k).filter((k) => isDead(m, k))
  return {
    loadCount: dead.length,
    loadBody: ints(dead.map((k) => body[k])),
    loadPoint: reals(dead.flatMap((k) => [...point.subarray(3 * k, 3 * k + 3)])),
    loadForce: reals(dead.flatMap((k) => [...wrench.subarray(6 * k + 3, 6 * k + 6)])),
  }
}

/** Viscous damping at the centre of mass, sliding and turning, and drag along the body's axes, spread like its mass. */
function dragColumns(m: Model): Columns {
  type Drag = { body: number; windy: number; along: readonly number[]; moments: readonly number[] }
  const moments = createMoments(m)
  const drags: Drag[] = []
  for (let i = 1; i < m.nbody; i++) {
    const [turn, slide] = m.bodyDamping.subarray(2 * i, 2 * i + 2)
    const own = [...moments.subarray(MOMENTS * i, MOMENTS * (i + 1))]
    const mass = own[9]
    if (turn !== 0 || slide !== 0) {
      const [x, y, z] = own.slice(6, 9).map((first) => (mass > 0 ? first / mass : 0))
      drags.push({
        body: i,
        windy: 0,
        along: [slide, slide, slide],
        moments: [squared(x), x * y, x * z, squared(y), y * z, squared(z), x, y, z, 1],
      })
      drags.push({ body: i, windy: 0, along: [1, 1, 1], moments: [turn / 2, 0, 0, turn / 2, 0, turn / 2, 0, 0, 0, 0] })
    }
    const along = [...m.drag.subarray(3 * i, 3 * i + 3)]
    if (along.some((x) => x !== 0) && mass > 0) drags.push({ body: i, windy: 1, along, moments: own.map((x) => x / mass) })
  }
  return {
    dragCount: drags.length,
    dragBody: ints(drags.map(({ body }) => body)),
    dragWindy: ints(drags.map(({ windy }) => windy)),
    dragAlong: reals(drags.flatMap(({ along }) => along)),
    dragMoments: reals(drags.flatMap((drag) => drag.moments)),
  }
}
