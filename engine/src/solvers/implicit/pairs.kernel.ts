/**
 * Contacts among the bodies: spheres and capsules. Their rows couple two bodies, so that the Hessian is H = H_t + PᵀGP with H_t, the
 * elimination of the tree, as preconditioner of conjugate gradients. Started at H_t⁻¹ (b + Pᵀf) all residuals are Pᵀρ, and an iteration works
 * in the rows of the pairs but for one solve with the factor:
 *
 *   z = H_t⁻¹ Pᵀρ,  ω_z = P z;   δ ← ρ + β δ,  ω_δ ← ω_z + β ω_δ;   δᵀHδ = ω_δ · (δ + G ω_δ);   λ += α δ,  ρ −= α (δ + G ω_δ)
 * It ends after as many rounds as the pairs have rates, and λ is exact wherever it stops, so that the line search stays exact.
 */
import { forBody, type Velocities } from '../../joints/place.kernel.js'
import { add, any, type Int, type Lanes, negate, scale, sub } from '../../math/values/columns.js'
import {
  cross,
  dot,
  type Force,
  type Motion,
  mulArticulated,
  NO_FORCE,
  power,
  REST,
  rotate,
  shiftForce,
  shiftMotion,
  type Vec3,
  ZERO,
} from '../../math/values/spatial.js'
import type { Tree, Work } from '../../model/tables.js'
import { tangentStiffness } from './detect.kernel.js'
import { alongAxes, solveRoot } from './eliminate.kernel.js'
import { atPoint, firstAcross, forceOf, type Kind, motionOf, setForce, setMotion } from './kinds.kernel.js'
import type { Coupling } from './newton.kernel.js'
import { type Line, normOf, respondSlot, slopeOfSlot, updateSlot } from './respond.kernel.js'
import { soften } from './softness.kernel.js'
import type { Ground, GroundStep } from './tables.js'

/** shares of the outer tolerance and of its start, as squares, at which the inner residual ends; from 1e-4 on steps of Newton's method zigzag */
const OF_TOLERANCE = 0.1
const OF_START = 1e-6
/** squares of lengths and of sines below which there is no direction, two axes are parallel */
const NO_LENGTH = 1e-12
const PARALLEL = 1e-6

const toAxis = (x: number): number => Math.min(Math.max(x, -1), 1)

/** Pairs that touch in any lane. */
function each(g: Ground, s: GroundStep, f: (c: Int) => void): void {
  for (let e = 0; e < g.roundCount; e++) {
    if (any(s.meets[e] > 0)) for (let c = g.pairStart[e]; c < g.pairStart[e + 1]; c++) if (any(s.grip[g.pairSlot + c] > 0)) f(c)
  }
}

/** The same for a sum over them. */
function fold<T>(g: Ground, s: GroundStep, start: T, f: (x: T, c: Int) => T): T {
  let x = start
  for (let e = 0; e < g.roundCount; e++) {
    if (any(s.meets[e] > 0)) for (let c = g.pairStart[e]; c < g.pairStart[e + 1]; c++) if (any(s.grip[g.pairSlot + c] > 0)) x = f(x, c)
  }
  return x
}

/** Where two capsules are nearest: points of their axes, and the vector from the second to the first [Ericson, 5.1.9]. */
function nearest(g: Ground, s: GroundStep, c: Int, way: Vec3) {
  const [a, b] = [g.pairRoundA[c], g.pairRoundB[c]]
  const { uu, vv, perUU, perVV } = g.pair[c]
  const u = s.halfAxis[a]
  const v = s.halfAxis[b]
  const uv = dot(u, v)
  const uw = dot(u, way)
  const vw = dot(v, way)
  const D = uu * vv - uv * uv
  const isSkew = D > PARALLEL * (uu * vv)
  const first = toAxis(isSkew ? (uv * vw - vv * uw) / (isSkew ? D : 1) : 0)
  const y = toAxis((uv * first + vw) * perVV)
  const x = toAxis((uv * y - uw) * perUU)
  const [toA, toB] = [scale(x, u), scale(y, v)]
  return { pa: add(s.center[a], toA), pb: add(s.center[b], toB), line: add(way, sub(toA, toB)) }
}

/** Fills the slot of pair c where it touches in any lane. */
function touchPair(kind: Kind, d: Work, g: Ground, s: GroundStep, c: Int, way: Vec3): void {
  const n = g.pairSlot + c
  const { pa, pb, line } = nearest(g, s, c, way)
  const { radiusA, radiusB, margin } = g.pair[c]
  const length = Math.sqrt(dot(line, line))
  const gap = length - (radiusA + radiusB)
  const depth = gap - margin
  const touches = depth < 0
  if (any(touches)) {
    const up: Vec3 = scale(1 / Math.max(length, NO_LENGTH), line)
    const { pull, b, q } = soften(g, g.pairSoft[c], depth, g.softness[0])
    const ra = sub(sub(pa, d.X_WB[g.pairA[c]].p), scale(radiusA + 0.5 * gap, up))
    const rb = add(sub(pb, d.X_WB[g.pairB[c]].p), scale(radiusB + 0.5 * gap, up))
    const V = d.VW[g.pairA[c]]
    const W = d.VW[g.pairB[c]]
    const u = sub(add(V.v, cross(V.w, ra)), add(W.v, cross(W.w, rb)))
    const keep = g.perStep[0] - b
    const mu = g.pairDim[c] === 1 ? 0 : Math.max(g.friction[g.pairFrictionA[c]], g.friction[g.pairFrictionB[c]])
    const stiffness = touches ? q : 0
    const hat = sub(scale(keep, u), scale(pull, up))
    s.spot[n] = { r: ra, hat, q: stiffness, qt: tangentStiffness(g, stiffness, mu), mu, w: g.pairSoft[c].w }
    const [torsion, rolling] = g.pairMoments[c]
    const perMu = 1 / (mu > 0 ? mu : 1)
    kind.setSpin(s, n, { hat: scale(keep, sub(V.w, W.w)), torsion: torsion * perMu, rolling: rolling * perMu })
    kind.setNormal(s, n, up)
    if (g.elliptic === 0) kind.setFirst(s, n, firstAcross(kind, up, ZERO))
    s.source[n] = { candidate: 0, gap }
    s.pairArm[c] = rb
    s.grip[n] = stiffness
    s.branch[n] = -1
    s.coupled[0] = 1
    s.meets[g.pairRoundA[c]] = 1
    s.path[g.pairA[c]] = 1
    s.path[g.pairB[c]] = 1
  }
}

/** Rates of pair c in motions of the bodies. */
function rateOf(kind: Kind, g: Ground, s: GroundStep, Y: Lanes<Motion>, c: Int): Motion {
  const a = atPoint(kind, Y[g.pairA[c]], s.spot[g.pairSlot + c].r)
  return sub(a, atPoint(kind, Y[g.pairB[c]], s.pairArm[c]))
}

/** Rates at AW. */
const rateAt = (kind: Kind, d: Work, g: Ground, s: GroundStep, c: Int): Motion =>
  add(rateOf(kind, g, s, d.AW, c), rateOf(kind, g, s, s.E, c))

/** Reads X_WB, VW, AW. Writes the slots of the pairs that touch, and their rates at AW. */
export function detectPairs(kind: Kind, m: Tree, d: Work, g: Ground, s: GroundStep): void {
  s.coupled[0] = 0
  for (let i = 0; i < m.nbody; i++) s.path[i] = 0
  for (let e = 0; e < g.roundCount; e++) {
    const { R, p } = d.X_WB[g.roundBody[e]]
    const { center, axis } = g.round[e]
    s.center[e] = add(p, rotate(R, center))
    s.halfAxis[e] = rotate(R, axis)
    s.meets[e] = 0
  }
  for (let c = 0; c < g.pairCount; c++) {
    const { reach } = g.pair[c]
    const way = sub(s.center[g.pairRoundA[c]], s.center[g.pairRoundB[c]])
    s.grip[g.pairSlot + c] = 0
    if (any(dot(way, way) < reach * reach)) touchPair(kind, d, g, s, c, way)
  }
  if (any(s.coupled[0] > 0)) {
    for (let i = m.nbody - 1; i > 0; i--) s.path[m.parent[i]] = Math.max(s.path[m.parent[i]], s.path[i])
    for (let k = 0; k < g.nv; k++) s.loadForce[k] = 0
    each(g, s, (c) => setMotion(kind, s.rateNew, s.spinRateNew, g.pairSlot + c, rateAt(kind, d, g, s, c)))
  }
}

function pushBody(m: Tree, d: Work, s: GroundStep, i: Int, velocities: Velocities): void {
  const p = velocities.down(m, i, d.SW, s.load[i], (p, k, S) => {
    const u = -power(S, p)
    s.loadForce[k] = u
    return add(p, scale(u * d.D[k], d.U[k]))
  })
  const b = m.parent[i]
  if (b === 0) return
  s.load[b] = add(s.load[b], shiftForce(p, sub(d.X_WB[i].p, d.X_WB[b].p)))
}

/** Leaves to root: what forces at the pairs are in the joints. Bodies off the paths have none. @kernel */
export function pushTree(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  for (let i = m.nbody - 1; i > 0; i--) {
    // a free body takes its load as it is
    if (g.freeBody[i] !== 1 && any(s.path[i] > 0)) forBody(m, i, (velocities) => pushBody(m, d, s, i, velocities))
  }
}

function yieldBody(m: Tree, d: Work, s: GroundStep, i: Int, velocities: Velocities): void {
  const start = shiftMotion(s.loadRate[m.parent[i]], sub(d.X_WB[i].p, d.X_WB[m.parent[i]].p))
  s.loadRate[i] = velocities.up(m, i, d.SW, start, (Y, k, S) => {
    const a = (s.loadForce[k] - power(Y, d.U[k])) * d.D[k]
    s.da[k] = a
    return add(Y, scale(a, S))
  })
}

function yieldRoot(m: Tree, d: Work, s: GroundStep, i: Int): void {
  const X = solveRoot(s.root[i], negate(s.load[i]))
  alongAxes(m, d, s.da, i, X)
  s.loadRate[i] = X
}

/** Root to the pairs that touch: accelerations of the bodies. @kernel */
export function yieldPaths(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  s.loadRate[0] = REST
  for (let i = 1; i < m.nbody; i++) {
    if (any(s.path[i] > 0)) {
      if (g.freeBody[i] === 1) yieldRoot(m, d, s, i)
      else forBody(m, i, (velocities) => yieldBody(m, d, s, i, velocities))
    }
  }
}

/** Root to leaves: accelerations of the other bodies; aNew, AW += those of all. @kernel */
export function yieldTree(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  for (let i = 1; i < m.nbody; i++) {
    if (!any(s.path[i] > 0)) {
      if (g.freeBody[i] === 1) yieldRoot(m, d, s, i)
      else forBody(m, i, (velocities) => yieldBody(m, d, s, i, velocities))
    }
    d.AW[i] = add(d.AW[i], s.loadRate[i])
  }
  for (let k = 0; k < m.nv; k++) s.aNew[k] = s.aNew[k] + s.da[k]
}

/** load = less Pᵀx, the sign of bias forces. */
function loadPairs(kind: Kind, m: Tree, g: Ground, s: GroundStep, linear: Lanes<Vec3>, angular: Lanes<Vec3>): void {
  for (let i = 1; i < m.nbody; i++) s.load[i] = NO_FORCE
  each(g, s, (c) => {
    const x = forceOf(kind, linear, angular, c)
    const a = g.pairA[c]
    const b = g.pairB[c]
    s.load[a] = add(s.load[a], shiftForce(negate(x), s.spot[g.pairSlot + c].r))
    s.load[b] = add(s.load[b], shiftForce(x, s.pairArm[c]))
  })
}

/** A round of conjugate gradients in the lanes that are open; returns ρᵀz and what is left of the residual. */
function round(kind: Kind, m: Tree, d: Work, g: Ground, s: GroundStep, isOpen: boolean, before: number) {
  loadPairs(kind, m, g, s, s.residual, s.residualMoment)
  pushTree(m, d, g, s)
  yieldPaths(m, d, g, s)
  const rz = fold(g, s, 0, (sum, c) => {
    const w = rateOf(kind, g, s, s.loadRate, c)
    setMotion(kind, s.residualRate, s.residualSpin, c, w)
    return sum + power(w, forceOf(kind, s.residual, s.residualMoment, c))
  })
  const beta = isOpen && before > 0 ? rz / (before > 0 ? before : 1) : 0
  const curvature = fold(g, s, 0, (sum, c) => {
    const rho = forceOf(kind, s.residual, s.residualMoment, c)
    const delta: Force = add(rho, scale(beta, forceOf(kind, s.direction, s.directionMoment, c)))
    const along = motionOf(kind, s.directionRate, s.directionSpin, c)
    const w: Motion = add(motionOf(kind, s.residualRate, s.residualSpin, c), scale(beta, along))
    setForce(kind, s.direction, s.directionMoment, c, delta)
    setMotion(kind, s.directionRate, s.directionSpin, c, w)
    return sum + power(w, add(delta, mulArticulated(kind.tangent(s, g.pairSlot + c), w)))
  })
  const alpha = isOpen && curvature > 0 ? rz / (curvature > 0 ? curvature : 1) : 0
  const left = fold(g, s, 0, (sum, c) => {
    const n = g.pairSlot + c
    const delta = forceOf(kind, s.direction, s.directionMoment, c)
    const w = motionOf(kind, s.directionRate, s.directionSpin, c)
    const rho = sub(forceOf(kind, s.residual, s.residualMoment, c), scale(alpha, add(delta, mulArticulated(kind.tangent(s, n), w))))
    setForce(kind, s.sum, s.sumMoment, c, add(forceOf(kind, s.sum, s.sumMoment, c), scale(alpha, delta)))
    setForce(kind, s.residual, s.residualMoment, c, rho)
    return sum + s.spot[n].w * normOf(kind, s, n, rho)
  })
  return { rz, left }
}

/** Accelerations on the paths that the sums of the directions cause. */
function yieldToSums(kind: Kind, m: Tree, d: Work, g: Ground, s: GroundStep): void {
  loadPairs(kind, m, g, s, s.sum, s.sumMoment)
  pushTree(m, d, g, s)
  yieldPaths(m, d, g, s)
}

/** aNew, AW += what the pairs do; their multipliers. Reads force, φ, G of the slots. */
function solvePairs(kind: Kind, m: Tree, d: Work, g: Ground, s: GroundStep): void {
  // from the forces at the current point
  each(g, s, (c) => setForce(kind, s.sum, s.sumMoment, c, forceOf(kind, s.force, s.spinForce, g.pairSlot + c)))
  yieldToSums(kind, m, d, g, s)
  const first = fold(g, s, 0, (sum, c) => {
    const n = g.pairSlot + c
    const w = add(rateAt(kind, d, g, s, c), rateOf(kind, g, s, s.loadRate, c))
    const wanted = sub(forceOf(kind, s.phi, s.spinPhi, n), mulArticulated(kind.tangent(s, n), w))
    const rho = sub(wanted, forceOf(kind, s.force, s.spinForce, n))
    setForce(kind, s.residual, s.residualMoment, c, rho)
    setForce(kind, s.direction, s.directionMoment, c, NO_FORCE)
    setMotion(kind, s.directionRate, s.directionSpin, c, REST)
    return sum + s.spot[n].w * normOf(kind, s, n, rho)
  })
  const enough = Math.max(OF_TOLERANCE * g.tolerance[0], OF_START * first)
  let before = 0
  let open = s.live[0] > 0 && first > enough ? 1 : 0
  const isStarted = open > 0
  for (let n = 0; n < g.pairRounds && any(open > 0); n++) {
    const { rz, left } = round(kind, m, d, g, s, open > 0, before)
    open = open > 0 && left > enough ? 1 : 0
    before = rz
  }
  if (any(isStarted)) yieldToSums(kind, m, d, g, s)
  yieldTree(m, d, g, s)
  each(g, s, (c) => setForce(kind, s.lambdaNew, s.momentNew, g.pairSlot + c, forceOf(kind, s.sum, s.sumMoment, c)))
}

/** The contacts among the bodies as a part of the problem of a step. */
export const pairsOf = (kind: Kind): Coupling => ({
  respond: (g, s) =>
    each(g, s, (c) => {
      respondSlot(kind, g, s, g.pairSlot + c)
    }),
  solve: (m, d, g, s) => {
    if (any(s.coupled[0] > 0)) solvePairs(kind, m, d, g, s)
  },
  update: (d, g, s, given) =>
    fold(g, s, given, (line: Line, c) => {
      const n = g.pairSlot + c
      return updateSlot(kind, g, s, n, rateAt(kind, d, g, s, c), forceOf(kind, s.lambdaNew, s.momentNew, n), line)
    }),
  slope: (g, s) => fold(g, s, 0, (sum, c) => sum + slopeOfSlot(kind, g, s, g.pairSlot + c)),
})
