/**
 * What rows of a step ask of their blocks: how far they may close, what they may push with, and how soft they are. `convex-step` has the equations.
 *
 * Limits of velocities and dry friction, and contacts where A is known by its entries, are added by one routine, as long as there is room. Whoever
 * opens blocks in another way (tendons, `tree-matrix`) calls the same laws for each of them.
 */
import { DAMPING, evaluateSoftness, IMPEDANCE, isSoft, STIFFNESS } from '../../../contact/softness.js'
import type { Equalities } from '../../../contact/solve/equalities.js'
import { hasProducts, type StepMatrix } from '../../../contact/solve/forest-matrix.js'
import { type ConvexProblem, clearBlocks, dropBlock, INTERVAL, openBlock, ROWS } from '../../../contact/solve/problem.js'
import { solveIslands } from '../../../contact/solve/solve.js'
import { ratesBefore } from '../../../contact/tracking/material-points.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import { ELLIPTIC, NORMAL, TANGENT } from '../../../model/shapes.js'
import { STEP } from './constraint-work.js'
import { addOpening, isSoftLimit, OVERLAP, openingRate } from './floors.js'
import { contactDim, frame, OPENS, openContact, openLimit, openVelocity, path } from './step-blocks.js'
import { fillEntries, type StepRows, startSolve, updateAxes } from './step-rows.js'
import { GRAVITY, isAnyPushing, MASS, type UnilateralRows } from './unilateral-rows.js'

// compliance of rigid rows, in terms of their mobility: multipliers take it out again, the sooner the smaller it is; too small and Newton's steps suffer
const CONE_COMPLIANCE = 1e-3
const ROW_COMPLIANCE = 1e-8
/** of the mobility of a soft row: its least weight w₀. That is measured at centres of mass, and is 0 where these lie on the axis of a joint: a row without compliance cannot be solved for */
export const LEAST_WEIGHT = ROW_COMPLIANCE

/** Compliance of limits and dry friction. Loops are held by what all others leave free: beside rows as stiff as that they would lose their digits. */
const rowCompliance = ({ first }: UnilateralRows): number => (first > 0 ? CONE_COMPLIANCE : ROW_COMPLIANCE)
// of the weight that a row carries: what opens an overlap pushes no harder, or where it cannot open forces would grow without bound
const OPENING_FORCE = 3
// of the weight of all bodies and of what stops their motion: more than any lever makes of it, as where loops allow no motion along a normal
export const JAMMED = 1e4
// m: what a soft contact may sink in during the step in which it begins, however fast it comes
const FIRST_DEPTH = 5e-3

/** scratch: depth, rate, and mobility of the first row or weight of a block; rates of its rows at the start of the step; stiffness, damping, impedance */
export const row = new Float64Array(3)
const before = new Float64Array(ROWS)
export const law = new Float64Array(3)
export const DEPTH = 0
export const NOW = 1
const OWN = 2
export const WEIGHT = 2

/** all rows have their blocks; or what is wanted: room, the block of a limit of bodies, as tendons have, or those of equalities, springs and what gives way */
export const DONE = 0
export const ROOM = 1
export const BODIES = 2
export const OTHERS = 3
/** or all have, and islands from `island` on are still to be solved, for which there is no room as yet */
export const ISLANDS = 4

/**
 * A solve where A has entries: these, the blocks of all rows, and impulses. `others`: 1 where blocks of other rows come first. What is wanted; `finishSolve`
 * goes on from there. Reads what is given, X_WB, V, S, X_PB, IA, x. @routine
 */
export function solveRows(s: StepRows, matrix: StepMatrix, equalities: Equalities, others: Int): Int {
  startSolve(s)
  updateAxes(s)
  fillEntries(s, matrix.A)
  s.springs = 0
  s.softBlocks = 0
  return others === 1 ? OTHERS : finishSolve(s, matrix, equalities)
}

/** Blocks that there are not yet, and impulses. What is wanted. @routine */
export function finishSolve(s: StepRows, matrix: StepMatrix, equalities: Equalities): Int {
  const { problem: p } = s
  const wanted = addBlocks(s)
  if (wanted !== DONE) return wanted
  s.island = 0
  if (p.equalities > 0 || !hasProducts(matrix, p)) return ISLANDS
  s.island = solveIslands(p, matrix, equalities, 0)
  if (s.island < p.islands) return ISLANDS
  takeImpulses(s)
  return DONE
}

/** Blocks of limits, dry friction and contacts that have none yet. Reads SW. What is wanted. */
function addBlocks(s: StepRows): Int {
  const { contacts } = s.unilateral
  const wanted = addJointBlocks(s)
  if (wanted !== DONE) return wanted
  const before = s.touch - s.first
  for (let k = s.done - before; k < contacts.count; k++) {
    const b = openContact(s, k, contactDim(contacts, k))
    if (b < 0) return ROOM
    setContact(s, b, k)
    s.done++
  }
  return DONE
}

/** The same of limits and dry friction alone. @routine */
export function addJointBlocks(s: StepRows): Int {
  const { limits, rubbing, contacts } = s.unilateral
  const n = limits.count
  if (s.blockOf.length < s.touch + contacts.count) return ROOM
  for (let r = s.done; r < n; r++) {
    if (limits.bodyStart[r + 1] > limits.bodyStart[r]) return BODIES
    const b = openLimit(s, r)
    if (b < 0) return ROOM
    setLimit(s, b, r)
    s.done++
  }
  for (let e = s.done - n; e < rubbing.length; e++) {
    const b = openVelocity(s, rubbing[e])
    if (b < 0) return ROOM
    setFriction(s, b, e)
    s.done++
  }
  if (s.done === n + rubbing.length) s.contactBlocks = s.problem.count
  return DONE
}

/** As `takeGapsOn`, from the first row on. Reads X_WB, S, v and the clock; without S there are no contacts. @routine */
export function startGaps(s: StepRows): Int {
  const { nv, place, S } = s.tree
  const { v } = s.unilateral
  s.done = 0
  clearBlocks(s.problem)
  if (S.length > 0) updateAxes(s)
  for (let k = 0; k < nv; k++) s.x[place[k]] = v[k]
  return takeGapsOn(s)
}

/** Gaps of limits and contacts ← those before the motion h v, as far as blocks for them can be opened. What is wanted. @routine */
export function takeGapsOn(s: StepRows): Int {
  const { limits, contacts } = s.unilateral
  const n = limits.count
  for (let r = s.done; r < n; r++) {
    if (limits.bodyStart[r + 1] > limits.bodyStart[r]) return BODIES
    const b = openLimit(s, r)
    if (b < 0) return ROOM
    takeGapBack(s, limits.g, r, b)
    s.done++
  }
  if (s.tree.S.length === 0) return DONE
  for (let k = s.done - n; k < contacts.count; k++) {
    const b = openContact(s, k, 1)
    if (b < 0) return ROOM
    takeGapBack(s, contacts.gap, k, b)
    s.done++
  }
  return DONE
}

/** gap[k] ← that before the motion h v, which is x by unknowns, by the row of block b. No block is left. */
export function takeGapBack({ problem: p, unilateral, x }: StepRows, gap: Vec, k: Int, b: Int): void {
  rowRate(p, row, NOW, b, 0, x)
  gap[k] -= unilateral.clock[STEP] * row[NOW]
  clearBlocks(p)
}

/** Block b is that of limit r. */
export function setLimit(s: StepRows, b: Int, r: Int): void {
  const { problem: p, unilateral: u, first, isStart } = s
  const { limits, floor, lambda, clock } = u
  s.blockOf[first + r] = b
  s.opening[first + r] = -1
  measureMobility(s, b)
  if (s.gives === 1 && isSoftLimit(limits, r)) return setSoftLimit(s, b, r)
  setRigid(p, b, rowCompliance(u))
  const least = isStart === 1 ? limits.g[r] : floor[r]
  if (isStart === 0) p.c[ROWS * b] = (limits.g[r] - least) / clock[STEP]
  else if (!(least < OVERLAP)) addOpening(p.c, ROWS * b, limits.g, r, clock)
  if (least < OVERLAP) {
    row[DEPTH] = least
    s.opening[first + r] = addOpeningBlock(s, b)
  } else p.hat[ROWS * b] = lambda[first + r]
}

function setSoftLimit(s: StepRows, b: Int, r: Int): void {
  const { problem: p, unilateral: u } = s
  const { limits, clock } = u
  const i = limits.source[r] >> 1
  rowRate(p, row, NOW, b, 0, s.v)
  rowRate(p, before, 0, b, 0, s.v0)
  row[DEPTH] = limits.g[r] - limits.margin[i] - clock[STEP] * row[NOW]
  const isTendon = i >= limits.velocities.length + limits.balls.length
  row[WEIGHT] = isTendon ? p.mobility[b] : s.velocityWeight[limits.dof[limits.dofStart[r]]]
  setSoft(s, b, limits.solref, 2 * i, limits.solimp, 5 * i)
}

/** Block b is that of dry friction e. */
function setFriction(s: StepRows, b: Int, e: Int): void {
  const { tree, problem: p, unilateral: u, isStart, dry, v } = s
  const { rubbing, dryness, rub, clock } = u
  s.blockOf[dry + e] = b
  s.opening[dry + e] = -1
  measureMobility(s, b)
  if (isStart === 0) p.c[ROWS * b] = v[tree.place[rubbing[e]]]
  p.hi[b] = clock[STEP] * dryness[e]
  p.lo[b] = -p.hi[b]
  setRigid(p, b, rowCompliance(u))
  if (isStart === 0) p.hat[ROWS * b] = Math.min(p.hi[b], Math.max(p.lo[b], clock[STEP] * rub[e]))
}

/** Block b, the last one, is that of contact k; locked contacts have none. Reads its frame and path[OPENS]. */
export function setContact(s: StepRows, b: Int, k: Int): void {
  const { problem: p, unilateral: u, touch, isStart, v } = s
  const { limits, contacts, floor, lift, lambda, clock, number } = u
  const { friction, softness, gap, offset } = contacts
  const dim = p.dim[b]
  s.blockOf[touch + k] = path[OPENS] === 0 ? -1 : b
  s.opening[touch + k] = -1
  if (path[OPENS] === 0) return dropBlock(p)
  p.mu[b] = friction[5 * k]
  if (s.gives === 1 && isSoft(softness, 7 * k)) return setSoftContact(s, b, k)
  measureMobility(s, b)
  setRigid(p, b, CONE_COMPLIANCE)
  // what no impulse can part would gather multipliers without end
  const isJammed = lambda[touch + ROWS * k] > JAMMED * number[MASS] * (clock[STEP] * number[GRAVITY] + s.speed[0])
  if (isJammed) p.rigid[b] = 0
  const least = isStart === 1 ? gap[k] - offset[k] : floor[limits.count + k]
  if (isStart === 0) p.c[ROWS * b] = (gap[k] - offset[k] - least) / clock[STEP]
  else if (!(least < OVERLAP)) addOpening(p.c, ROWS * b, gap, k, clock)
  for (let r = 1; r < dim; r++) rowRate(p, p.c, ROWS * b + r, b, r, v)
  if (isJammed) return
  // what opens is no part of what held the last time: taken for that, it would grow from step to step
  if (least < OVERLAP) {
    row[DEPTH] = least
    s.opening[touch + k] = addOpeningBlock(s, b)
    return
  }
  p.lift[b] = lift[k]
  for (let r = 0; r < dim; r++) p.hat[ROWS * b + r] = lambda[touch + ROWS * k + r] / scaleOf(friction, k, r)
}

function setSoftContact(s: StepRows, b: Int, k: Int): void {
  const { problem: p, unilateral: u, bodyWeight } = s
  const { limits, contacts, from, clock } = u
  const { friction, softness, gap, offset, bodyA, bodyB } = contacts
  p.mobility[b] = 1
  rowRate(p, row, NOW, b, 0, s.v)
  const was = s.isStart === 1 ? Number.POSITIVE_INFINITY : from[limits.count + k]
  row[DEPTH] = was < Number.POSITIVE_INFINITY ? was : gap[k] - offset[k] - clock[STEP] * row[NOW]
  if (s.isStart === 1) for (let r = 0; r < p.dim[b]; r++) rowRate(p, before, r, b, r, s.v0)
  else {
    ratesBefore(before, 0, contacts, contacts.shapes, u.X0, u.V0, k, frame)
    for (let r = 2; r < p.dim[b]; r++) before[r] *= scaleOf(friction, k, r)
  }
  normalMobility(s, b)
  row[WEIGHT] = Math.max(bodyWeight[2 * bodyA[k]] + bodyWeight[2 * bodyB[k]], LEAST_WEIGHT * row[OWN])
  setSoft(s, b, softness, 7 * k, softness, 7 * k + 2)
}

/** Friction rows are scaled by their coefficient over the first: forces along them by the inverse. */
const scaleOf = (friction: Vec, k: Int, r: Int): number => (r < 2 ? 1 : friction[5 * k + r - 1] / friction[5 * k])

/** Velocity that a unit impulse makes along the rows of block b, by the diagonal of A: of contacts the mean of three. */
export function measureMobility({ diagonal, problem: p }: StepRows, b: Int): void {
  const n = p.width[b]
  const rows = p.dim[b] > 3 ? 3 : p.dim[b]
  let sum = 0
  for (let r = 0; r < rows; r++) {
    for (let e = 0; e < n; e++) {
      const k = p.column[p.first[b] + e]
      const x = p.J[p.entry[b] + r * n + e]
      sum += (x * x) / diagonal[k]
    }
  }
  p.mobility[b] = sum > 0 ? sum / rows : 1
}

/** row[OWN] ← that along the normal alone. */
function normalMobility({ diagonal, problem: p }: StepRows, b: Int): void {
  row[OWN] = 0
  for (let e = 0; e < p.width[b]; e++) {
    const x = p.J[p.entry[b] + e]
    row[OWN] += (x * x) / diagonal[p.column[p.first[b] + e]]
  }
}

/** out[o] ← row r of block b times the unknowns x. */
export function rowRate(p: ConvexProblem, out: Vec, o: Int, b: Int, r: Int, x: Vec): void {
  const n = p.width[b]
  let sum = 0
  for (let e = 0; e < n; e++) sum += p.J[p.entry[b] + r * n + e] * x[p.column[p.first[b] + e]]
  out[o] = sum
}

/** Compliance of block b, which multipliers take out. */
function setRigid(p: ConvexProblem, b: Int, share: number): void {
  p.Rn[b] = share * p.mobility[b]
  p.Rt[b] = p.Rn[b]
}

/** Besides block b, which keeps an overlap from growing: a push of bounded force for as long as it opens more slowly than it is to. Reads row[DEPTH]: the gap. Its number. */
function addOpeningBlock({ problem: p, unilateral: u, v }: StepRows, b: Int): Int {
  const n = p.width[b]
  const o = openBlock(p, INTERVAL, 1, n)
  for (let e = 0; e < n; e++) {
    p.column[p.first[o] + e] = p.column[p.first[b] + e]
    p.J[p.entry[o] + e] = p.J[p.entry[b] + e]
  }
  rowRate(p, p.c, ROWS * o, o, 0, v)
  openingRate(row, NOW, u, row, DEPTH)
  p.c[ROWS * o] -= row[NOW]
  p.mobility[o] = p.mobility[b]
  p.hi[o] = (OPENING_FORCE * u.number[GRAVITY] * u.clock[STEP]) / p.mobility[b]
  p.rigid[o] = 0
  p.Rn[o] = CONE_COMPLIANCE * p.mobility[b]
  return o
}

/** c and R of a soft block. Reads row: gap at the start of the step, the least that does not push taken off, rate now, and w₀; `before`: rates then. */
function setSoft({ problem: p, unilateral: u, v }: StepRows, b: Int, solref: Vec, i: Int, solimp: Vec, j: Int): void {
  const h = u.clock[STEP]
  const o = ROWS * b
  p.rigid[b] = 0
  evaluateSoftness(law, solref, i, solimp, j, row, DEPTH, u.clock, STEP)
  const give = ((1 - law[IMPEDANCE]) / law[IMPEDANCE]) * row[WEIGHT]
  if (p.dim[b] === 1) p.Rn[b] = give
  else setConeCompliance(p, b, give, u.contacts.shapes.softFriction)
  const keep = 1 - h * law[DAMPING]
  if (row[DEPTH] < 0) p.c[o] = row[NOW] - keep * before[0] + h * law[STIFFNESS] * row[DEPTH]
  else p.c[o] = row[NOW] + (row[DEPTH] + FIRST_DEPTH) / h
  for (let r = 1; r < p.dim[b]; r++) {
    rowRate(p, p.c, o + r, b, r, v)
    p.c[o + r] -= keep * before[r]
  }
}

/**
 * Rₙ, Rₜ of a contact with friction whose normal alone would give so much. An ellipse: Rₙ = R, Rₜ = R/impratio. A pyramid of 2(dim − 1) edges, each with
 * 2 μ²(1 + μ²) R/impratio, is taken as the cone that gives as much along the normal, where all edges push, and along a tangent, where two of them do.
 */
function setConeCompliance(p: ConvexProblem, b: Int, give: number, softFriction: Vec): void {
  const mu = p.mu[b]
  const edge = 1 + mu * mu
  const isElliptic = softFriction[ELLIPTIC] === 1
  p.Rn[b] = softFriction[NORMAL] * give * (isElliptic ? 1 : (mu * mu * edge) / (p.dim[b] - 1))
  p.Rt[b] = softFriction[TANGENT] * give * (isElliptic ? 1 : edge)
}

/** Reads x, γ and the lifts of the problem. Writes x by velocities, λ of all rows, forces of dry friction, lifts of contacts, and whether any pushes. @routine */
export function takeImpulses({ tree, problem: p, unilateral: u, blockOf, opening, dry, touch, x }: StepRows): void {
  const { nv, place } = tree
  const { rubbing, rub, contacts, lift, lambda, clock } = u
  for (let k = 0; k < nv; k++) x[k] = p.x[place[k]]
  for (let r = 0; r < touch; r++) {
    lambda[r] = blockOf[r] < 0 ? 0 : p.gamma[ROWS * blockOf[r]]
    if (opening[r] >= 0) lambda[r] += p.gamma[ROWS * opening[r]]
  }
  for (let e = 0; e < rubbing.length; e++) rub[e] = lambda[dry + e] / clock[STEP]
  for (let k = 0; k < contacts.count; k++) {
    const b = blockOf[touch + k]
    for (let r = 0; r < ROWS; r++) {
      lambda[touch + ROWS * k + r] = b >= 0 && r < p.dim[b] ? p.gamma[ROWS * b + r] * scaleOf(contacts.friction, k, r) : 0
    }
    if (opening[touch + k] >= 0) lambda[touch + ROWS * k] += p.gamma[ROWS * opening[touch + k]]
    lift[k] = b < 0 || p.rigid[b] === 0 ? 0 : p.lift[b]
  }
  u.pushing = isAnyPushing(u) ? 1 : 0
}
