/**
 * The contact problem of a step: its matrix A by entries, its rows as blocks (`step-blocks`), what each may do and how soft it is.
 *
 * Hard rows keep w = J x + c ≥ 0 with c = (gap − floor)/h, where the floor is what the gap at the start of the step allows (`unilateral`). Soft ones follow
 * MuJoCo's law (`contact/softness`), which over a step of h and with λ = h f reads
 *   w = J v⁺ − v̂,   v̂ = (1 − h b) J v₀ − h k r₀,   R = (1 − d)/d w₀        friction rows without the term of r₀
 * The pyramid of friction forces that MuJoCo takes by default has 2 (dim − 1) edges n ± μ t with R_e = 2 μ² (1 − d)/d (1 + μ²) w₀ each; a cone that
 * gives way as much has R_n = R_e/(2 (dim − 1)) and R_t = R_e/(2 μ²).
 */

import type { ReducedRows } from '../../../constraints/rows/reduce.js'
import type { ContactArena } from '../../../contact/arena.js'
import type { Contacts } from '../../../contact/contacts.js'
import { tangentBasis } from '../../../contact/rows.js'
import { DAMPING, evaluateSoftness, IMPEDANCE, isSoft, STIFFNESS } from '../../../contact/softness.js'
import { createForestMatrix, type ForestMatrix } from '../../../contact/solve/forest-matrix.js'
import {
  addBlock,
  clearBlocks,
  createConvexProblem,
  EQUALITY,
  INTERVAL,
  MOST,
  type PlacedProblem,
  ROWS,
  SPENT,
  type StepMatrix,
} from '../../../contact/solve/problem.js'
import { type ConvexSolver, createConvexSolver, solveConvex } from '../../../contact/solve/solve.js'
import { ratesBefore } from '../../../contact/tracking/material-points.js'
import { norm } from '../../../math/own.js'
import type { Vec } from '../../../math/types.js'
import { CONSTRAINT_COUPLING, CONSTRAINT_TENDON } from '../../../model/constraints.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { addOuter } from '../../../printed/arrays.js'
import { type InverseWeights, inverseWeights } from '../../../tree/inverse-weights.js'
import { totalMass } from '../../../tree/momentum.js'
import type { System } from '../matrix/system.js'
import { addRows } from '../work.js'
import { STEP } from './constraint-work.js'
import { type Equalities, measureLikeness } from './equalities.js'
import { createForest, createTrunk, type Forest } from './forest.js'
import { isTurn, measureMiss } from './soft-equalities.js'
import {
  addContactBlock,
  addRowBlock,
  addSpringBlock,
  addVelocityBlock,
  createStepBlocks,
  type StepBlocks,
  takeRow,
  updateAxes,
} from './step-blocks.js'
import { addContactRows, copyBodies, createTreeMatrix, setNoBodies, type TreeMatrix } from './tree-matrix.js'
import { addOpening, OVERLAP, openingRate, type Unilateral } from './unilateral.js'

export interface ConvexStep {
  readonly m: Model
  readonly d: Data
  readonly system: System
  readonly forest: Forest
  /** A by its entries, or as recursions: one of the two */
  readonly entries: ForestMatrix | undefined
  readonly recursion: TreeMatrix | undefined
  /** diagonal of A, by unknowns */
  readonly diagonal: Vec
  readonly problem: PlacedProblem
  readonly solver: ConvexSolver
  readonly blocks: StepBlocks
  /** of all bodies; m/s² */
  readonly mass: number
  readonly gravity: number
  /** made when something soft is there */
  weights: InverseWeights | undefined
  /** block of each row found last: equalities, limits, dry friction, contacts; −1 where it has none */
  blockOf: Int32Array
  /** the block that opens an overlap of the same row; −1 where there is none */
  opening: Int32Array
  /** where impulses of contacts begin in λ, ROWS each */
  touch: number
  /** velocity on trial and at the start of the step, by unknowns */
  readonly v: Vec
  readonly v0: Vec
  /** scratch: by unknowns; rates of rows; gaps of constraints that give way at the start of the step */
  readonly x: Vec
  rates: Vec
  gaps: Vec
  /** blocks before the first of these are springs across the tree, from the second on contacts */
  springs: number
  contactBlocks: number
  /** first block of the constraints that give way */
  softBlocks: number
  /** scratch: depth, rate and weight of a row; rates of its block at the start of the step; stiffness, damping, impedance */
  readonly row: Vec
  readonly before: Vec
  readonly law: Vec
  /** scratch: tangents, impulse and moment of a contact */
  readonly frame: Vec
}

// compliance of rigid rows, in terms of their mobility: multipliers take it out again, the sooner the smaller it is; too small and Newton's steps suffer
const CONE_COMPLIANCE = 1e-3
const ROW_COMPLIANCE = 1e-8
// of the weight that a row carries: what opens an overlap pushes no harder, or where it cannot open forces would grow without bound
const OPENING_FORCE = 3
// of the mobility of all rows of a contact: its normal moves nothing, as between two bodies of one hinge along its axis
const LOCKED = 1e-6
// of the weight of all bodies and of what stops their motion: more than any lever makes of it, as where loops allow no motion along a normal
const JAMMED = 1e4
// of g h: a velocity that is nothing
const STILL = 1e-10
// unknowns of a tree up to which its matrix is worth its entries: a chain has as many as their square, and its factor takes their cube
const MOST_ENTRIES = 90
// m: what a soft contact may sink in during the step in which it begins, however fast it comes
const FIRST_DEPTH = 5e-3

export function createConvexStep(system: System, arena: ContactArena): ConvexStep {
  const { model: m, data: d } = system
  let forest = createForest(m)
  const byEntries = m.modes.count === 0 && system.free.length === 0 && forest.largest <= MOST_ENTRIES
  if (!byEntries) forest = createTrunk(m)
  const entries = byEntries ? createForestMatrix(forest, forest.first, arena) : undefined
  const recursion = byEntries ? undefined : createTreeMatrix(system)
  const problem = createConvexProblem(forest, forest.mass, arena)
  return {
    m,
    d,
    system,
    forest,
    entries,
    recursion,
    diagonal: recursion?.diagonal ?? new Float64Array(m.nv),
    problem,
    solver: createConvexSolver(problem, (entries ?? recursion) as StepMatrix),
    blocks: createStepBlocks(m, d, forest, problem),
    mass: totalMass(m),
    gravity: norm(m.gravity) || 1,
    weights: undefined,
    blockOf: new Int32Array(0),
    opening: new Int32Array(0),
    touch: 0,
    v: new Float64Array(m.nv),
    v0: new Float64Array(m.nv),
    x: new Float64Array(m.nv),
    rates: new Float64Array(0),
    gaps: new Float64Array(0),
    springs: 0,
    contactBlocks: 0,
    softBlocks: 0,
    row: new Float64Array(3),
    before: new Float64Array(6),
    law: new Float64Array(3),
    frame: new Float64Array(12),
  }
}

/**
 * Solves for x with all rows found last, equalities from G: the velocity, or where v is given its correction; `v0` is then the velocity at the start of
 * the step. λ holds the impulses of the last solve, and on return those of this one. False where it did not get there.
 */
export function solveStep(
  c: ConvexStep,
  e: Equalities,
  u: Unilateral,
  G: ReducedRows,
  lambda: Vec,
  x: Vec,
  v: Vec | undefined,
  v0: Vec,
  clock: Vec,
  rate: Vec,
): boolean {
  const { m, forest, problem: p, solver } = c
  const { place } = forest
  const isStart = v === undefined
  const first = e.count
  const dry = first + u.limits.count
  const ones = dry + u.rubbing.length
  const rows = ones + u.contacts.count
  if (c.blockOf.length < rows) {
    c.blockOf = new Int32Array(2 * rows)
    c.opening = new Int32Array(2 * rows)
  }
  c.touch = ones
  const { work } = c.system
  addRows(work, rows)
  p.work[SPENT] = work[SPENT]
  p.work[MOST] = work[MOST]
  clearBlocks(p)
  for (let k = 0; k < m.nv; k++) {
    p.b[place[k]] = c.system.b[k]
    p.x[place[k]] = isStart ? x[k] : 0
    c.v[place[k]] = isStart ? 0 : v[k]
    c.v0[place[k]] = v0[k]
  }
  if (c.recursion) c.recursion.prepare()
  else {
    updateAxes(c.blocks)
    fillMatrix(c)
  }
  c.springs = p.count
  measureSpeed(c)
  addEqualities(c, e, G, isStart, clock, rate)
  addSoftEqualities(c, u, isStart, clock)
  addLimits(c, u, first, lambda, isStart, clock)
  addFriction(c, u, dry, isStart, clock)
  c.contactBlocks = p.count
  addContacts(c, u, ones, lambda, isStart, clock)
  solver.speed.still = STILL * c.gravity * clock[STEP]
  if (first > 0) {
    measureLikeness(e)
    solver.equalities.dependent = e.alike[0]
  }
  const solved = solveConvex(solver)
  work[SPENT] = p.work[SPENT]
  for (let k = 0; k < m.nv; k++) x[k] = p.x[place[k]]
  takeImpulses(c, u, first, lambda, clock)
  return solved
}

/** A by entries, and rows across the tree as blocks of their own. */
function fillMatrix({ m, d, system: s, forest: { place }, entries, problem: p, blocks, diagonal }: ConvexStep): void {
  if (!entries) return
  const { A } = entries
  const { nbody, nv, iv, ivEnd, parent, armature } = m
  const { terms, weight, bodies, joints } = s
  s.kernels.weighOwnBlocks(d.tree, s.table, 0)
  for (let r = 0; r < terms.count; r++) {
    if (weight[r] === 0) continue
    const e = terms.start[r]
    if (terms.start[r + 1] - e > 1) {
      const b = addSpringBlock(blocks, terms, r)
      p.lo[b] = Number.NEGATIVE_INFINITY
      p.rigid[b] = 0
      p.Rn[b] = 1 / weight[r]
      p.mobility[b] = 1
      continue
    }
    if (terms.start[r + 1] === e) continue
    const i = terms.body[e]
    if (i < 0) joints[-1 - i] += weight[r] * terms.J[6 * e] * terms.J[6 * e]
    else addOuter(bodies, 21 * i, terms.J, 6 * e, weight, r)
  }
  d.kernels.startComposites(d.tree, d.work, 1, nbody)
  for (let k = 21; k < 21 * nbody; k++) d.IA[k] += bodies[k]
  d.kernels.sumComposites(d.tree, d.work, 1, nbody)
  const { z } = d
  for (let i = 1; i < nbody; i++) {
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      d.kernels.massColumn(d.tree, d.work, z.byteOffset, i, k)
      const column = place[k]
      for (let l = iv[i]; l <= k; l++) A.value[A.row[place[l]] + column] = z[l]
      for (let b = parent[i]; b > 0; b = parent[b]) for (let l = iv[b]; l < ivEnd[b]; l++) A.value[A.row[place[l]] + column] = z[l]
    }
  }
  for (let k = 0; k < nv; k++) {
    const i = place[k]
    A.value[A.row[i] + i] += armature[k] + joints[k]
    diagonal[i] = A.value[A.row[i] + i]
  }
}

/** The speed of the motion ← the root of the mean square of all bodies, m/s. */
function measureSpeed({ m, d, mass, solver: { speed } }: ConvexStep): void {
  let sum = 0
  const { V } = d
  for (let i = 1; i < m.nbody; i++) {
    const o = 6 * i + 3
    sum += m.inertia[10 * i] * (V[o] * V[o] + V[o + 1] * V[o + 1] + V[o + 2] * V[o + 2])
  }
  speed.motion = Math.sqrt(sum / mass)
}

/** Velocity that a unit impulse makes along the rows of block b, by the diagonal of A: of contacts the mean of three, and that of the normal alone in row[OWN]. */
function measureMobility({ diagonal, problem: p, row }: ConvexStep, b: number): void {
  const n = p.width[b]
  const rows = p.dim[b] > 3 ? 3 : p.dim[b]
  let sum = 0
  row[OWN] = 0
  for (let r = 0; r < rows; r++) {
    for (let e = 0; e < n; e++) {
      const k = p.column[p.first[b] + e]
      const x = p.J[p.entry[b] + r * n + e]
      sum += (x * x) / diagonal[k]
    }
    if (r === 0) row[OWN] = sum
  }
  p.mobility[b] = sum > 0 ? sum / rows : 1
}

/** out[o] ← row r of block b times the unknowns x. */
function rowRate({ problem: p }: ConvexStep, out: Vec, o: number, b: number, r: number, x: Vec): void {
  const n = p.width[b]
  let sum = 0
  for (let e = 0; e < n; e++) sum += p.J[p.entry[b] + r * n + e] * x[p.column[p.first[b] + e]]
  out[o] = sum
}

function addEqualities(c: ConvexStep, { rows, skip, count }: Equalities, G: ReducedRows, isStart: boolean, clock: Vec, rate: Vec): void {
  const { problem: p, blocks, blockOf, v } = c
  for (let r = 0; r < count; r++) {
    blockOf[r] = -1
    c.opening[r] = -1
    if (r < rows.count && skip[r] === 1) continue
    const b = takeRow(blocks, EQUALITY, G, r, 1)
    if (c.recursion) setNoBodies(c.recursion, b)
    blockOf[r] = b
    if (isStart) p.c[ROWS * b] = r < rows.count ? (rate[0] > 0 ? rate[0] * rows.g[r] : 0) - rows.target[r] : 0
    else if (r < rows.count && rows.byRate[r] === 0) p.c[ROWS * b] = rows.g[r] / clock[STEP]
    else {
      rowRate(c, p.c, ROWS * b, b, 0, v)
      if (r < rows.count) p.c[ROWS * b] -= rows.target[r]
    }
  }
}

/** Constraints that give way: springs and dampers between −∞ and ∞. Where nothing of the step is known yet, gaps are as they are at the start. */
function addSoftEqualities(c: ConvexStep, { soft }: Unilateral, isStart: boolean, clock: Vec): void {
  const { m, problem: p, blocks, row, before, law, v, v0 } = c
  const { solref, solimp } = m.constraints
  const h = clock[STEP]
  if (soft.count > c.gaps.length) c.gaps = new Float64Array(soft.count)
  c.softBlocks = p.count
  for (let r = 0; r < soft.count; r++) {
    const b = addRowBlock(blocks, INTERVAL, soft, r, 1)
    if (c.recursion) setNoBodies(c.recursion, b)
    rowRate(c, row, NOW, b, 0, v)
    c.gaps[r] = soft.g[r] - (isStart ? 0 : h * row[NOW])
  }
  for (let r = 0; r < soft.count; r++) {
    const b = c.softBlocks + r
    const k = soft.source[r]
    measureMobility(c, b)
    rowRate(c, row, NOW, b, 0, v)
    rowRate(c, before, 0, b, 0, v0)
    measureMiss(m, soft, c.gaps, r, row, DEPTH)
    evaluateSoftness(law, solref, 2 * k, solimp, 5 * k, row, DEPTH, clock, STEP)
    setWeight(c, soft, b, r)
    p.rigid[b] = 0
    p.lo[b] = Number.NEGATIVE_INFINITY
    p.Rn[b] = ((1 - law[IMPEDANCE]) / law[IMPEDANCE]) * row[WEIGHT]
    p.c[ROWS * b] = row[NOW] - (1 - h * law[DAMPING]) * before[0] + h * law[STIFFNESS] * c.gaps[r]
  }
}

/** row[WEIGHT] ← w₀ of row r of the constraints that give way, block b, as MuJoCo takes it. */
function setWeight(c: ConvexStep, soft: Unilateral['soft'], b: number, r: number): void {
  const { m, row, problem: p } = c
  const { body, velocity } = weightsOf(c)
  const { kind, bodyA, bodyB } = m.constraints
  const k = soft.source[r]
  row[WEIGHT] = 0
  if (kind[k] === CONSTRAINT_TENDON) row[WEIGHT] = p.mobility[b]
  else if (kind[k] === CONSTRAINT_COUPLING)
    for (let e = soft.dofStart[r]; e < soft.dofStart[r + 1]; e++) row[WEIGHT] += velocity[soft.dof[e]]
  // rows of rotation are angles here, and half of them there
  else if (isTurn(m, soft, r)) row[WEIGHT] = 4 * (body[2 * bodyA[k] + 1] + body[2 * bodyB[k] + 1])
  else row[WEIGHT] = body[2 * bodyA[k]] + body[2 * bodyB[k]]
}

function addLimits(c: ConvexStep, u: Unilateral, first: number, lambda: Vec, isStart: boolean, clock: Vec): void {
  const { problem: p, blocks, blockOf, row } = c
  const { limits, floor } = u
  for (let r = 0; r < limits.count; r++) {
    blockOf[first + r] = -1
    c.opening[first + r] = -1
    // limits are given as C v ≤ gap/h
    const b = addRowBlock(blocks, INTERVAL, limits, r, -1)
    blockOf[first + r] = b
    measureMobility(c, b)
    const k = limitedVelocity(limits, r)
    if (c.recursion) setNoBodies(c.recursion, b, p.width[b] === 1 ? k : -1)
    if (!isStart && setSoftLimit(c, b, limits, r, k, clock)) continue
    setRigid(c, b, ROW_COMPLIANCE)
    const least = isStart ? limits.g[r] : floor[r]
    if (!isStart) p.c[ROWS * b] = (limits.g[r] - least) / clock[STEP]
    else if (!(least < OVERLAP)) addOpening(p.c, ROWS * b, limits.g, r, clock)
    if (least < OVERLAP) {
      row[DEPTH] = least
      c.opening[first + r] = addOpeningBlock(c, u, b, clock)
    } else p.hat[ROWS * b] = lambda[first + r]
  }
}

/** Softness of a limit, of velocity k where it is a joint's. False where it is hard. */
function setSoftLimit(c: ConvexStep, b: number, limits: Unilateral['limits'], r: number, k: number, clock: Vec): boolean {
  const { m, row, problem: p } = c
  const tendon = limitedTendon(limits, r)
  const { limitSolref, limitSolimp, limitMargin } = tendon < 0 ? m : m.tendons
  const i = tendon < 0 ? k : tendon
  if (!isSoft(limitSolref, 2 * i)) return false
  rowRate(c, row, NOW, b, 0, c.v)
  rowRate(c, c.before, 0, b, 0, c.v0)
  row[DEPTH] = limits.g[r] - limitMargin[i] - clock[STEP] * row[NOW]
  row[WEIGHT] = tendon < 0 ? weightsOf(c).velocity[k] : p.mobility[b]
  setSoft(c, b, limitSolref, 2 * i, limitSolimp, 5 * i, clock)
  return true
}

/** The tendon that limit r bounds; −1 where it is a joint's. */
function limitedTendon({ source, velocities, balls, tendons }: Unilateral['limits'], r: number): number {
  const at = (source[r] >> 1) - velocities.length - balls.length
  return at < 0 ? -1 : tendons[at]
}

function addFriction(c: ConvexStep, { m, rubbing, rub }: Unilateral, first: number, isStart: boolean, clock: Vec): void {
  const { problem: p, blocks, blockOf, v, forest } = c
  for (let e = 0; e < rubbing.length; e++) {
    const b = addVelocityBlock(blocks, rubbing[e])
    if (c.recursion) setNoBodies(c.recursion, b, rubbing[e])
    blockOf[first + e] = b
    c.opening[first + e] = -1
    measureMobility(c, b)
    if (!isStart) p.c[ROWS * b] = v[forest.place[rubbing[e]]]
    p.hi[b] = clock[STEP] * m.friction[rubbing[e]]
    p.lo[b] = -p.hi[b]
    setRigid(c, b, ROW_COMPLIANCE)
    if (!isStart) p.hat[ROWS * b] = Math.min(p.hi[b], Math.max(p.lo[b], clock[STEP] * rub[e]))
  }
}

function addContacts(c: ConvexStep, u: Unilateral, first: number, lambda: Vec, isStart: boolean, clock: Vec): void {
  const { problem: p, blocks, blockOf, row, v } = c
  const { limits, contacts, floor, lift } = u
  const { friction, softness, gap, offset } = contacts
  const { speed } = c.solver
  const h = clock[STEP]
  for (let k = 0; k < contacts.count; k++) {
    blockOf[first + k] = -1
    c.opening[first + k] = -1
    const least = isStart ? gap[k] - offset[k] : floor[limits.count + k]
    const dim = friction[5 * k] > 0 ? contacts.dim[k] : 1
    const b = c.recursion ? addContactRows(c.recursion, blocks, contacts, k, dim) : addContactBlock(blocks, contacts, k, dim)
    blockOf[first + k] = b
    p.mu[b] = friction[5 * k]
    if (!isStart && isSoft(softness, 7 * k)) {
      p.mobility[b] = 1
      rowRate(c, row, NOW, b, 0, v)
      const was = u.from[limits.count + k]
      row[DEPTH] = was < Number.POSITIVE_INFINITY ? was : gap[k] - offset[k] - clock[STEP] * row[NOW]
      ratesBefore(c.before, 0, contacts, c.m.shapes, u.X0, u.V0, k, blocks.frame)
      for (let r = 2; r < dim; r++) c.before[r] *= scaleOf(friction, k, r)
      const { body } = weightsOf(c)
      row[WEIGHT] = body[2 * contacts.bodyA[k]] + body[2 * contacts.bodyB[k]]
      setSoft(c, b, softness, 7 * k, softness, 7 * k + 2, clock)
      continue
    }
    measureMobility(c, b)
    setRigid(c, b, CONE_COMPLIANCE)
    // what no impulse can part would gather multipliers without end
    const isLocked = row[OWN] < LOCKED * p.mobility[b] || lambda[c.touch + ROWS * k] > JAMMED * c.mass * (h * c.gravity + speed.motion)
    if (isLocked) p.rigid[b] = 0
    if (!isStart) p.c[ROWS * b] = (gap[k] - offset[k] - least) / clock[STEP]
    else if (!(least < OVERLAP)) addOpening(p.c, ROWS * b, gap, k, clock)
    for (let r = 1; r < dim; r++) rowRate(c, p.c, ROWS * b + r, b, r, v)
    if (isLocked) continue
    // what opens is no part of what held the last time: taken for that, it would grow from step to step
    if (least < OVERLAP) {
      row[DEPTH] = least
      c.opening[first + k] = addOpeningBlock(c, u, b, clock)
      continue
    }
    p.lift[b] = lift[k]
    for (let r = 0; r < dim; r++) p.hat[ROWS * b + r] = lambda[c.touch + ROWS * k + r] / scaleOf(friction, k, r)
  }
}

/** Friction rows are scaled by their coefficient over the first: forces along them by the inverse. */
const scaleOf = (friction: Vec, k: number, r: number): number => (r < 2 ? 1 : friction[5 * k + r - 1] / friction[5 * k])

/** Compliance of block b, which multipliers take out. */
function setRigid({ problem: p }: ConvexStep, b: number, share: number): void {
  p.Rn[b] = share * p.mobility[b]
  p.Rt[b] = p.Rn[b]
}

/** Besides block b, which keeps an overlap from growing: a push of bounded force for as long as it opens more slowly than it is to. Reads row[DEPTH]: the gap. Its number. */
function addOpeningBlock(c: ConvexStep, u: Unilateral, b: number, clock: Vec): number {
  const { problem: p, gravity, v, row } = c
  const n = p.width[b]
  const o = addBlock(p, INTERVAL, 1, n)
  for (let e = 0; e < n; e++) {
    p.column[p.first[o] + e] = p.column[p.first[b] + e]
    p.J[p.entry[o] + e] = p.J[p.entry[b] + e]
  }
  if (c.recursion) copyBodies(c.recursion, o, b)
  rowRate(c, p.c, ROWS * o, o, 0, v)
  openingRate(row, NOW, u, row, DEPTH, clock)
  p.c[ROWS * o] -= row[NOW]
  p.mobility[o] = p.mobility[b]
  p.hi[o] = (OPENING_FORCE * gravity * clock[STEP]) / p.mobility[b]
  p.rigid[o] = 0
  p.Rn[o] = CONE_COMPLIANCE * p.mobility[b]
  return o
}

/** c and R of a soft block. Reads row: gap at the start of the step, the least that does not push taken off, rate now, and w₀; `before`: rates then. */
function setSoft(c: ConvexStep, b: number, solref: Vec, i: number, solimp: Vec, j: number, clock: Vec): void {
  const { problem: p, row, law, v, before } = c
  const h = clock[STEP]
  const o = ROWS * b
  p.rigid[b] = 0
  evaluateSoftness(law, solref, i, solimp, j, row, DEPTH, clock, STEP)
  const give = ((1 - law[IMPEDANCE]) / law[IMPEDANCE]) * row[WEIGHT]
  if (p.dim[b] === 1) p.Rn[b] = give
  else {
    const mu = p.mu[b]
    p.Rn[b] = (mu * mu * (1 + mu * mu) * give) / (p.dim[b] - 1)
    p.Rt[b] = (1 + mu * mu) * give
  }
  const keep = 1 - h * law[DAMPING]
  if (row[DEPTH] < 0) p.c[o] = row[NOW] - keep * before[0] + h * law[STIFFNESS] * row[DEPTH]
  else p.c[o] = row[NOW] + (row[DEPTH] + FIRST_DEPTH) / h
  for (let r = 1; r < p.dim[b]; r++) {
    rowRate(c, p.c, o + r, b, r, v)
    p.c[o + r] -= keep * before[r]
  }
}

const DEPTH = 0
const NOW = 1
const OWN = 2
const WEIGHT = 2

const weightsOf = (c: ConvexStep): InverseWeights => (c.weights ??= inverseWeights(c.m))

/** The velocity that limit r bounds; −1 of tendons. */
function limitedVelocity({ dofStart, dof, bodyStart }: Unilateral['limits'], r: number): number {
  return bodyStart[r + 1] === bodyStart[r] && dofStart[r + 1] > dofStart[r] ? dof[dofStart[r]] : -1
}

/** λ ← impulses of all rows; lifts of contacts. */
function takeImpulses({ problem: p, blockOf, opening, touch }: ConvexStep, u: Unilateral, first: number, lambda: Vec, clock: Vec): void {
  const { limits, rubbing, rub, contacts, lift } = u
  const ones = first + limits.count + rubbing.length
  for (let r = 0; r < ones; r++) {
    lambda[r] = blockOf[r] < 0 ? 0 : p.gamma[ROWS * blockOf[r]]
    if (opening[r] >= 0) lambda[r] += p.gamma[ROWS * opening[r]]
  }
  for (let e = 0; e < rubbing.length; e++) rub[e] = lambda[first + limits.count + e] / clock[STEP]
  for (let k = 0; k < contacts.count; k++) {
    const b = blockOf[ones + k]
    for (let r = 0; r < ROWS; r++) {
      lambda[touch + ROWS * k + r] = b >= 0 && r < p.dim[b] ? p.gamma[ROWS * b + r] * scaleOf(contacts.friction, k, r) : 0
    }
    if (opening[ones + k] >= 0) lambda[touch + ROWS * k] += p.gamma[ROWS * opening[ones + k]]
    lift[k] = b < 0 || p.rigid[b] === 0 ? 0 : p.lift[b]
  }
}

/** out ← normal and tangents of contact k */
export function contactFrame(out: Vec, { normal }: Contacts, k: number): void {
  for (let r = 0; r < 3; r++) out[r] = normal[3 * k + r]
  tangentBasis(out, 3, normal, 3 * k)
}

/** Rates of limits, then of contacts along their normals, with the velocity v, at the kinematics of data. */
export function measureRates(c: ConvexStep, { limits, contacts }: Unilateral, v: Vec): Vec {
  const { problem: p, blocks, forest, x } = c
  clearBlocks(p)
  updateAxes(blocks)
  for (let k = 0; k < v.length; k++) x[forest.place[k]] = v[k]
  const n = limits.count + contacts.count
  if (c.rates.length < n) c.rates = new Float64Array(2 * n)
  for (let r = 0; r < limits.count; r++) rowRate(c, c.rates, r, addRowBlock(blocks, INTERVAL, limits, r, -1), 0, x)
  for (let k = 0; k < contacts.count; k++) {
    const b = c.recursion ? addContactRows(c.recursion, blocks, contacts, k, 1) : addContactBlock(blocks, contacts, k, 1)
    rowRate(c, c.rates, limits.count + k, b, 0, x)
  }
  return c.rates
}
