/**
 * Energies between bodies and the world over a step: springs and dampers between points, loads, drag, contact by penalty. `energy/terms.kernel` and
 * `energy/drag-terms` have the equations. Rates come from how far bodies have moved, so that single precision resolves them; what a step takes from
 * its start, the depth and the normal of a contact and the axes of drag, is measured there again at each evaluation.
 */
import { type Penalty, touchOf } from '../../../forces/penalty.kernel.js'
import { pointAt } from '../../../forces/points.kernel.js'
import { SHORTEST } from '../../../forces/springs.kernel.js'
import { add, type Int, negate, scale, sub } from '../../../math/values/columns.js'
import {
  diagonal,
  dot,
  full,
  mul,
  type Pose,
  rotate,
  type Sym3,
  shiftInertia,
  skew,
  tensor,
  transpose,
  turnSym,
  upper,
  type Vec3,
} from '../../../math/values/spatial.js'
import type { Tree, Work } from '../../../model/tables.js'
import { freudenthal } from '../energy/terms.kernel.js'
import { addEnergy } from './joints.kernel.js'
import type { Trajectories, TrajectoryStep } from './tables.js'

/** How far the point x of a body has moved. */
const movedPoint = (D: Pose, x: Vec3): Vec3 => add(rotate(D.R, x), D.p)

/** An energy of the point r off the origin of body i, with gradient g and second derivative H: all along the axes of the world. */
function addPoint(s: TrajectoryStep, i: Int, r: Vec3, g: Vec3, H: Sym3): void {
  if (i === 0) return
  s.W[i] = add(s.W[i], { W3: tensor(g, r), w: g })
  s.bodies[i] = add(s.bodies[i], shiftInertia({ A: diagonal(0), B: full(diagonal(0)), C: H }, r))
}

function addSprings(d: Work, g: Trajectories, s: TrajectoryStep): void {
  let sum = 0
  for (let k = 0; k < g.springCount; k++) {
    const a = g.springA[k]
    const b = g.springB[k]
    const x = sub(pointAt(d.X_WB[b], g.springPointB[k]), pointAt(d.X_WB[a], g.springPointA[k]))
    const way = sub(movedPoint(s.dX[b], g.springPointB[k]), movedPoint(s.dX[a], g.springPointA[k]))
    const before = sub(x, way)
    const length = Math.sqrt(dot(x, x))
    // l − l₀, from l² − l₀²
    const moved = dot(add(x, before), way) / Math.max(length + Math.sqrt(dot(before, before)), SHORTEST)
    const rate = g.springDamping[k] * g.perStep[0]
    const stretch = length - g.springRest[k]
    const tension = g.springStiffness[k] * stretch + rate * moved
    sum = sum + 0.5 * (g.springStiffness[k] * stretch * stretch + rate * moved * moved)
    const pull = length > SHORTEST ? tension / length : 0
    let across = pull
    if (a > 0) {
      if (b > 0) across = Math.max(0, pull)
    }
    const n = scale(1 / Math.max(length, SHORTEST), x)
    const H = add(scale(g.springStiffness[k] + rate - across, upper(tensor(n, n))), diagonal(across))
    const force = scale(pull, x)
    addPoint(s, b, rotate(d.X_WB[b].R, g.springPointB[k]), force, H)
    addPoint(s, a, rotate(d.X_WB[a].R, g.springPointA[k]), negate(force), H)
  }
  addEnergy(s, sum, sum)
}

function addLoads(d: Work, g: Trajectories, s: TrajectoryStep): void {
  let sum = 0
  let size = 0
  for (let k = 0; k < g.loadCount; k++) {
    const i = g.loadBody[k]
    const x = g.loadPoint[k]
    const work = dot(g.loadForce[k], movedPoint(s.dX[i], x))
    sum = sum - work
    size = size + Math.abs(work)
    s.W[i] = sub(s.W[i], { W3: tensor(g.loadForce[k], rotate(d.X_WB[i].R, x)), w: g.loadForce[k] })
  }
  addEnergy(s, sum, size)
}

const along = ([x, y, z]: Vec3): Sym3 => [x, 0, 0, y, 0, z]

/** 1/(2h) tr(C ΔT N ΔTᵀ), C = R₀ diag(c) R₀ᵀ, ΔT less the way of the medium where it counts. */
function addDrag(d: Work, g: Trajectories, s: TrajectoryStep): void {
  let sum = 0
  for (let k = 0; k < g.dragCount; k++) {
    const i = g.dragBody[k]
    const { R, p } = s.dX[i]
    const still = g.dragWindy[k] === 1 ? sub(p, scale(g.h[0], g.wind[0])) : p
    const C = turnSym(g.X0[i].R, along(scale(g.perStep[0], g.dragAlong[k])))
    const { P, c, m } = g.dragMoments[k]
    // A = C ΔT N/h = (A3 | a)
    const U3 = mul(full(C), R)
    const u = rotate(full(C), still)
    const A3 = add(mul(U3, full(P)), tensor(u, c))
    const a = add(rotate(U3, c), scale(m, u))
    sum = sum + 0.5 * (dot(A3[0], R[0]) + dot(A3[1], R[1]) + dot(A3[2], R[2]) + dot(a, still))
    const B = d.X_WB[i].R
    s.W[i] = add(s.W[i], { W3: mul(A3, transpose(B)), w: a })
    s.bodies[i] = add(s.bodies[i], { A: freudenthal(turnSym(B, P), C), B: mul(skew(rotate(B, c)), full(C)), C: scale(m, C) })
  }
  addEnergy(s, sum, sum)
}

const penaltyOf = (g: Trajectories): Penalty => ({
  count: g.pointCount,
  obstacles: g.obstacleCount,
  body: g.pointBody,
  point: g.pointAt,
  radius: g.pointRadius,
  kind: g.obstacleKind,
  pose: g.obstaclePose,
  size: g.obstacleSize,
})

/** ½ k d² of the depth d, and friction h μ k d₀ f(s) of the speed s along the plane of the start. */
function addContact(d: Work, g: Trajectories, s: TrajectoryStep): void {
  const c = penaltyOf(g)
  const { stiffness, friction, slip } = g.law[0]
  const h = g.h[0]
  let sum = 0
  for (let k = 0; k < g.pointCount; k++) {
    const i = g.pointBody[k]
    const x = g.pointAt[k]
    const r = rotate(d.X_WB[i].R, x)
    const point = add(r, d.X_WB[i].p)
    const moved = movedPoint(s.dX[i], x)
    const before = sub(point, moved)
    for (let o = 0; o < g.obstacleCount; o++) {
      const { depth, normal } = touchOf(c, k, o, point)
      const start = touchOf(c, k, o, before)
      const isDeep = depth > 0
      const push = stiffness * Math.max(0, depth)
      const load = friction * stiffness * Math.max(0, start.depth)
      const N = start.normal
      const t = sub(moved, scale(dot(moved, N), N))
      const speed = Math.sqrt(dot(t, t)) * g.perStep[0]
      const isSliding = speed > slip
      const a = load / (h * (isSliding ? speed : slip))
      const b = isSliding ? a / (speed * speed * h * h) : 0
      sum = sum + 0.5 * push * depth + h * load * (isSliding ? speed - 0.5 * slip : (0.5 * speed * speed) / slip)
      const pressing = scale(isDeep ? stiffness : 0, upper(tensor(normal, normal)))
      const rubbing = sub(sub(diagonal(a), scale(a, upper(tensor(N, N)))), scale(b, upper(tensor(t, t))))
      addPoint(s, i, r, sub(scale(a, t), scale(push, normal)), add(pressing, rubbing))
    }
  }
  addEnergy(s, sum, sum)
}

/** Reads X_WB, dX, X0. Adds to W, bodies, E. @kernel */
export function addBodyEnergies(_m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  if (g.springCount > 0) addSprings(d, g, s)
  if (g.loadCount > 0) addLoads(d, g, s)
  if (g.dragCount > 0) addDrag(d, g, s)
  if (g.pointCount > 0) addContact(d, g, s)
}
