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
import { isLocked } from '../../../contact/locked.js'
import { DAMPING, evaluateSoftness, IMPEDANCE, STIFFNESS } from '../../../contact/softness.js'
import { createForestMatrix, createOutsideMatrix, type PlacedMatrix } from '../../../contact/solve/forest-matrix.js'
import {
  createConvexProblem,
  EQUALITY,
  INTERVAL,
  MOST,
  type PlacedProblem,
  ROWS,
  reserveBlocks,
  reserveEntries,
  SPENT,
} from '../../../contact/solve/problem.js'
import { type ConvexSolver, createConvexSolver, solveConvex } from '../../../contact/solve/solve.js'
import type { Vec } from '../../../math/types.js'
import { CONSTRAINT_COUPLING, CONSTRAINT_TENDON } from '../../../model/constraints.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { inverseWeights } from '../../../tree/inverse-weights.js'
import type { System } from '../matrix/system.js'
import { addRows } from '../work.js'
import { STEP } from './constraint-work.js'
import { type Equalities, measureLikeness } from './equalities.js'
import { createTrunk, type Forest } from './forest.js'
import {
  DEPTH,
  DONE,
  ISLANDS,
  LEAST_WEIGHT,
  law,
  measureMobility,
  NOW,
  OTHERS,
  ROOM,
  row,
  rowRate,
  setContact,
  setLimit,
  takeGapBack,
  WEIGHT,
} from './row-laws.js'
import { isTurn, measureMiss } from './soft-equalities.js'
import { addRowBlock, addSpringBlock, contactDim, createStepBlocks, OPENS, path, type StepBlocks, takeRow } from './step-blocks.js'
import { createStepRows, type PlacedStep, reserveRowBlocks } from './step-rows.js'
import { addContactRows, copyBodies, createTreeMatrix, setNoBodies, type TreeMatrix } from './tree-matrix.js'
import type { Unilateral } from './unilateral.js'

export interface ConvexStep {
  readonly m: Model
  readonly d: Data
  readonly system: System
  readonly forest: Forest
  /** A by its entries, or as recursions: one of the two */
  readonly entries: PlacedMatrix | undefined
  readonly recursion: TreeMatrix | undefined
  readonly problem: PlacedProblem
  readonly solver: ConvexSolver
  readonly blocks: StepBlocks
  readonly rows: PlacedStep
  /** scratch: gaps of constraints that give way at the start of the step */
  gaps: Vec
}

// unknowns of a tree up to which its matrix is worth its entries: a chain has as many as their square, and its factor takes their cube
const MOST_ENTRIES = 90

/** Whether A is worth its entries. */
export const hasEntries = ({ model: { modes }, free }: System, { largest }: Forest): boolean =>
  modes.count === 0 && free.length === 0 && largest <= MOST_ENTRIES

export function createConvexStep(system: System, u: Unilateral, trees: Forest): ConvexStep {
  const { model: m, data: d } = system
  const { arena } = u
  const byEntries = hasEntries(system, trees)
  const forest = byEntries ? trees : createTrunk(m)
  const problem = createConvexProblem(forest, forest.mass, arena)
  const entries = byEntries ? createForestMatrix(forest, forest.first, arena) : undefined
  const recursion = byEntries ? undefined : createTreeMatrix(system, problem)
  const rows = createStepRows(m, forest, arena, problem, u, entries !== undefined)
  if (maySoften(m, u)) weigh(m, rows)
  return {
    m,
    d,
    system,
    forest,
    entries,
    recursion,
    problem,
    solver: createConvexSolver(problem, entries ?? createOutsideMatrix(forest, arena), recursion),
    blocks: createStepBlocks(m, d, forest, problem),
    rows,
    gaps: new Float64Array(0),
  }
}

function maySoften({ shapes }: Model, { limits, soft, touching }: Unilateral): boolean {
  const given = touching ? [limits.solref, shapes.solref, shapes.pairs.solref] : [limits.solref]
  return soft.count > 0 || given.some((x) => x.some((one) => one !== 0))
}

/** Inverse inertias, by which MuJoCo scales what is soft. */
function weigh(m: Model, rows: PlacedStep): void {
  const { body, velocity } = inverseWeights(m)
  rows.bodyWeight.set(body)
  rows.velocityWeight.set(velocity)
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
  x: Vec,
  v: Vec | undefined,
  v0: Vec,
  clock: Vec,
  rate: Vec,
): boolean {
  const { rows: s, problem: p, solver } = c
  const { b, work } = c.system
  const { nv } = c.m
  // the velocity on trial, poses, motion and clock are in the memory of the routines since rows were found
  s.isStart = v === undefined ? 1 : 0
  // stages of the second order look for what pushes as if it were hard: such steps are those of backward Euler
  s.gives = v === undefined && rate[0] < 0 ? 0 : 1
  s.given.set(b)
  if (v === undefined) s.given.set(x, nv)
  s.given.set(v0, 2 * nv)
  addRows(work, e.count + u.rows - u.soft.count)
  p.work[SPENT] = work[SPENT]
  p.work[MOST] = work[MOST]
  if (e.count > 0) {
    measureLikeness(e)
    solver.equalities.dependent[0] = e.alike[0]
  }
  const wanted = c.recursion ? prepareRecursion(c, c.recursion, e, u, G, clock, rate) : solveEntries(c, e, u, G, clock, rate)
  if (wanted === ISLANDS) {
    solveConvex(solver, s.island)
    s.arena.routines.takeImpulses(s.at)
  }
  work[SPENT] = p.work[SPENT]
  x.set(s.x)
  return p.failed === 0
}

/** A by entries, all blocks, and impulses. What is wanted. */
function solveEntries(c: ConvexStep, e: Equalities, u: Unilateral, G: ReducedRows, clock: Vec, rate: Vec): number {
  const { d, system, rows: s } = c
  const { matrix, equalities } = c.solver
  const { kernels, table, terms, joints } = system
  kernels.sumWeighted(d.tree, d.work, table, terms.count)
  s.tree.S.set(d.S)
  s.tree.X_PB.set(d.X_PB)
  s.tree.IA.set(d.IA)
  s.x.set(joints)
  const others = terms.count + e.count + u.soft.count > 0 ? 1 : 0
  let wanted = s.arena.routines.solveRows(s.at, matrix.at, equalities.at, others)
  while (wanted !== DONE && wanted !== ISLANDS) {
    if (wanted === OTHERS) addOthers(c, e, u, G, clock, rate)
    else provide(c, u, wanted)
    wanted = s.arena.routines.finishSolve(s.at, matrix.at, equalities.at)
  }
  return wanted
}

/** All blocks, where A is known as recursions. Impulses are wanted. */
function prepareRecursion(c: ConvexStep, matrix: TreeMatrix, e: Equalities, u: Unilateral, G: ReducedRows, clock: Vec, rate: Vec): number {
  const { problem: p, rows: s } = c
  s.arena.routines.startSolve(s.at)
  matrix.prepare()
  s.diagonal.set(matrix.diagonal)
  addOthers(c, e, u, G, clock, rate)
  const from = p.count
  let wanted = s.arena.routines.addJointBlocks(s.at)
  while (wanted !== DONE) {
    provide(c, u, wanted)
    wanted = s.arena.routines.addJointBlocks(s.at)
  }
  for (let b = from; b < p.count; b++) setNoBodies(matrix, b, p.width[b] === 1 ? p.column[p.first[b]] : -1)
  addContacts(c, matrix, u)
  s.island = 0
  return ISLANDS
}

/** Blocks of springs across the tree, equalities and constraints that give way. */
function addOthers(c: ConvexStep, e: Equalities, u: Unilateral, G: ReducedRows, clock: Vec, rate: Vec): void {
  const { problem: p, rows: s } = c
  reserveRowBlocks(s, s.touch + u.contacts.count)
  if (c.entries) addSprings(c)
  s.springs = p.count
  addEqualities(c, e, G, clock, rate)
  addSoftEqualities(c, u, clock)
}

/** Does what a routine that adds blocks wants. */
function provide(c: ConvexStep, { limits, contacts }: Unilateral, wanted: number): void {
  const { problem: p, rows: s } = c
  if (wanted === ROOM) {
    if (!reserveRowBlocks(s, s.touch + contacts.count)) makeRoom(p)
    return
  }
  // limits are given as C v ≤ gap/h
  const b = addRowBlock(c.blocks, INTERVAL, limits, s.done, -1)
  reserveOpening(p, b)
  setLimit(s, b, s.done++)
}

/** Blocks of the rows that join several bodies or velocities. */
function addSprings({ system: { terms, weight }, problem: p, blocks }: ConvexStep): void {
  const { start, count } = terms
  for (let r = 0; r < count; r++) {
    if (start[r + 1] - start[r] < 2 || weight[r] === 0) continue
    const b = addSpringBlock(blocks, terms, r)
    p.lo[b] = Number.NEGATIVE_INFINITY
    p.rigid[b] = 0
    p.Rn[b] = 1 / weight[r]
    p.mobility[b] = 1
  }
}

function addEqualities(c: ConvexStep, { rows, skip, count }: Equalities, G: ReducedRows, clock: Vec, rate: Vec): void {
  const { problem: p, blocks, rows: s } = c
  for (let r = 0; r < count; r++) {
    s.blockOf[r] = -1
    s.opening[r] = -1
    if (r < rows.count && skip[r] === 1) continue
    const b = takeRow(blocks, EQUALITY, G, r, 1)
    if (c.recursion) setNoBodies(c.recursion, b)
    s.blockOf[r] = b
    if (s.isStart === 1) p.c[ROWS * b] = r < rows.count ? (rate[0] > 0 ? rate[0] * rows.g[r] : 0) - rows.target[r] : 0
    else if (r < rows.count && rows.byRate[r] === 0) p.c[ROWS * b] = rows.g[r] / clock[STEP]
    else {
      rowRate(p, p.c, ROWS * b, b, 0, s.v)
      if (r < rows.count) p.c[ROWS * b] -= rows.target[r]
    }
  }
}

/** Constraints that give way: springs and dampers between −∞ and ∞. Where nothing of the step is known yet, gaps are as they are at the start. */
function addSoftEqualities(c: ConvexStep, { soft }: Unilateral, clock: Vec): void {
  const { m, problem: p, blocks, rows: s } = c
  const { solref, solimp } = m.constraints
  const h = clock[STEP]
  if (soft.count > c.gaps.length) c.gaps = new Float64Array(soft.count)
  s.softBlocks = p.count
  for (let r = 0; r < soft.count; r++) {
    const b = addRowBlock(blocks, INTERVAL, soft, r, 1)
    if (c.recursion) setNoBodies(c.recursion, b)
    rowRate(p, row, NOW, b, 0, s.v)
    c.gaps[r] = soft.g[r] - (s.isStart === 1 ? 0 : h * row[NOW])
  }
  for (let r = 0; r < soft.count; r++) {
    const b = s.softBlocks + r
    const k = soft.source[r]
    measureMobility(s, b)
    rowRate(p, row, NOW, b, 0, s.v)
    rowRate(p, before, 0, b, 0, s.v0)
    measureMiss(m, soft, c.gaps, r, row, DEPTH)
    evaluateSoftness(law, solref, 2 * k, solimp, 5 * k, row, DEPTH, clock, STEP)
    setWeight(c, soft, b, r)
    p.rigid[b] = 0
    p.lo[b] = Number.NEGATIVE_INFINITY
    p.Rn[b] = ((1 - law[IMPEDANCE]) / law[IMPEDANCE]) * row[WEIGHT]
    p.c[ROWS * b] = row[NOW] - (1 - h * law[DAMPING]) * before[0] + h * law[STIFFNESS] * c.gaps[r]
  }
}

const before = new Float64Array(1)

/** row[WEIGHT] ← w₀ of row r of the constraints that give way, block b, as MuJoCo takes it. */
function setWeight(c: ConvexStep, soft: Unilateral['soft'], b: number, r: number): void {
  const { m, problem: p } = c
  const { bodyWeight: body, velocityWeight: velocity } = c.rows
  const { kind, bodyA, bodyB } = m.constraints
  const k = soft.source[r]
  row[WEIGHT] = 0
  if (kind[k] === CONSTRAINT_TENDON) row[WEIGHT] = p.mobility[b]
  else if (kind[k] === CONSTRAINT_COUPLING)
    for (let e = soft.dofStart[r]; e < soft.dofStart[r + 1]; e++) row[WEIGHT] += velocity[soft.dof[e]]
  // rows of rotation are angles here, and half of them there
  else if (isTurn(m, soft, r)) row[WEIGHT] = 4 * (body[2 * bodyA[k] + 1] + body[2 * bodyB[k] + 1])
  else row[WEIGHT] = body[2 * bodyA[k]] + body[2 * bodyB[k]]
  row[WEIGHT] = Math.max(row[WEIGHT], LEAST_WEIGHT * p.mobility[b])
}

function addContacts({ m, d, problem: p, blocks, rows: s }: ConvexStep, matrix: TreeMatrix, { contacts }: Unilateral): void {
  for (let k = 0; k < contacts.count; k++) {
    const b = addContactRows(matrix, blocks, contacts, k, contactDim(contacts, k))
    reserveOpening(p, b)
    path[OPENS] = isLocked(m, d, contacts, k) ? 0 : 1
    setContact(s, b, k)
    const o = s.opening[s.touch + k]
    if (o >= 0) copyBodies(matrix, o, b)
  }
}

/** For more blocks than ever before, which allocates, and only then. */
function makeRoom(p: PlacedProblem): void {
  reserveBlocks(p, p.kind.length + 1)
  reserveEntries(p, p.column.length + 1, p.J.length + 1)
}

/** Room for the block that opens an overlap of block b. */
function reserveOpening(p: PlacedProblem, b: number): void {
  reserveBlocks(p, p.count + 1)
  reserveEntries(p, p.columns + p.width[b], p.entries + p.width[b])
}

/** Gaps of the limits and contacts on trial ← those before the motion h v that led there, at the kinematics of data. */
export function takeGapsBack(c: ConvexStep, u: Unilateral): void {
  const { problem: p, blocks, rows: s, recursion } = c
  if (c.entries) s.tree.S.set(c.d.S)
  let wanted = s.arena.routines.startGaps(s.at)
  while (wanted !== DONE) {
    if (wanted === ROOM) makeRoom(p)
    else {
      const b = addRowBlock(blocks, INTERVAL, u.limits, s.done, -1)
      takeGapBack(s, u.limits.g, s.done++, b)
    }
    wanted = s.arena.routines.takeGapsOn(s.at)
  }
  if (!recursion) return
  for (let k = 0; k < u.contacts.count; k++) {
    const b = addContactRows(recursion, blocks, u.contacts, k, 1)
    takeGapBack(s, u.contacts.gap, k, b)
  }
}
