/**
 * What routines see of the contact problem of a step: the tree and its axes, velocities by unknowns, and which block each row has.
 */
import type { ContactArena } from '../../../contact/arena.js'
import type { Envelope } from '../../../contact/solve/block-product.js'
import { type ConvexProblem, clearBlocks, type PlacedProblem, STILL } from '../../../contact/solve/problem.js'
import { copyRecord, type InMemory, resize, takeRecord } from '../../../kernels/records.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import type { Model } from '../../../model/model.js'
import { addDot6, addForceToParent, mulArticulated } from '../../../printed/arrays.js'
import { STEP } from './constraint-work.js'
import type { Forest } from './forest.js'
import { STILL as NOTHING, RESTED } from './resting.js'
import { GRAVITY, MASS, type PlacedRows, type UnilateralRows } from './unilateral-rows.js'

/** As of `Model`, `Data` and `Forest`. @record */
export interface StepTree {
  readonly nbody: Int
  readonly nv: Int
  readonly parent: Int32Array
  readonly iv: Int32Array
  readonly ivEnd: Int32Array
  readonly place: Int32Array
  readonly treeOfBody: Int32Array
  /** of each body */
  readonly mass: Vec
  readonly armature: Vec
  readonly S: Vec
  /** axes of all velocities in the world, 6 each */
  readonly SW: Vec
  /** poses in the parents, composite inertias: where A has entries */
  readonly X_PB: Vec
  readonly IA: Vec
}

/** @record */
export interface StepRows {
  readonly tree: StepTree
  readonly problem: ConvexProblem
  readonly unilateral: UnilateralRows
  /** 1: nothing of the step is known yet, and x, which is given, is the velocity; 0: x corrects the velocity on trial */
  isStart: Int
  /** 1: soft rows give way; 0: all are hard */
  gives: Int
  /** where rows of limits begin in λ and `blockOf`, after the equalities, those of dry friction, and contacts, which have ROWS impulses each */
  first: Int
  dry: Int
  touch: Int
  /** how many of limits, dry friction and contacts, in this order, have their blocks */
  done: Int
  /** block of each row found last: equalities, limits, dry friction, contacts; −1 where it has none */
  readonly blockOf: Int32Array
  /** the block that opens an overlap of the same row; −1 where there is none */
  readonly opening: Int32Array
  /** blocks before the first of these are springs across the tree, from the second on contacts; first block of the constraints that give way */
  springs: Int
  contactBlocks: Int
  softBlocks: Int
  /** islands before this one are solved */
  island: Int
  /** diagonal of A, velocity on trial and at the start of the step, by unknowns */
  readonly diagonal: Vec
  readonly v: Vec
  readonly v0: Vec
  /** b, x, and v0 as they are given, by velocities */
  readonly given: Vec
  /** what the impulses of the last solve do, by velocities, and in F to the bodies that touch (`step-impulses`) */
  readonly push: Vec
  /** scratch: by unknowns or velocities; a wrench a body */
  readonly x: Vec
  readonly F: Vec
  /** `tree/inverse-weights`, known where something is soft: 2 a body, and of velocities */
  readonly bodyWeight: Vec
  readonly velocityWeight: Vec
  /** speed[0]: of the motion as a whole, m/s */
  readonly speed: Vec
}

export type PlacedStep = StepRows & InMemory & { readonly arena: ContactArena; readonly tree: StepTree & InMemory }

export function createStepRows(
  m: Model,
  { place, treeOfBody }: Forest,
  arena: ContactArena,
  problem: PlacedProblem,
  unilateral: PlacedRows,
  hasEntries: boolean,
): PlacedStep {
  const { nbody, nv, parent, iv, ivEnd, armature } = m
  const mass = Float64Array.from({ length: nbody }, (_, i) => m.inertia[10 * i])
  const numbers = (length: number): Vec => new Float64Array(hasEntries ? length : 0)
  const kinematics = { S: numbers(6 * nv), SW: numbers(6 * nv), X_PB: numbers(12 * nbody), IA: numbers(21 * nbody) }
  const tree = copyRecord<StepTree>(arena, 'StepTree', { nbody, nv, parent, iv, ivEnd, place, treeOfBody, mass, armature, ...kinematics })
  const rowCount = unilateral.limits.g.length + unilateral.rubbing.length + unilateral.contacts.capacity
  const lengths = {
    ...{ blockOf: rowCount, opening: rowCount, diagonal: nv, v: nv, v0: nv, given: 3 * nv, push: nv, x: nv, F: 6 * nbody },
    ...{ bodyWeight: 2 * nbody, velocityWeight: nv, speed: 1 },
  }
  const rows = takeRecord<PlacedStep>(arena, 'StepRows', lengths, { tree, problem, unilateral })
  return Object.assign(rows, { arena })
}

/** Room for the blocks of so many rows. False where there was. */
export function reserveRowBlocks(s: PlacedStep, rows: number): boolean {
  if (s.blockOf.length >= rows) return false
  resize(s, { blockOf: 2 * rows, opening: 2 * rows })
  return true
}

/** A solve begins, without a block. Reads what is given and V. Writes b and x of the problem, v, v0 and the speed. @routine */
export function startSolve(s: StepRows): void {
  const { problem: p, unilateral: u } = s
  s.first = u.first
  s.dry = s.first + u.limits.count
  s.touch = s.dry + u.rubbing.length
  s.done = 0
  clearBlocks(p)
  markIdle(s)
  loadUnknowns(s)
  measureSpeed(s)
}

/** What rests has no part in the solve. */
function markIdle({ problem: p, unilateral }: StepRows): void {
  const { calm } = unilateral
  for (let t = 0; t < calm.length; t++) p.idle[t] = calm[t] >= RESTED ? 1 : 0
}

/** b, x, v and v0 in the order of the unknowns. */
function loadUnknowns({ tree, problem: p, unilateral, isStart, given, v, v0 }: StepRows): void {
  const { nv, place } = tree
  for (let k = 0; k < nv; k++) {
    const i = place[k]
    p.b[i] = p.idle[p.treeOf[i]] === 1 ? 0 : given[k]
    p.x[i] = isStart === 1 ? given[nv + k] : 0
    v[i] = isStart === 1 ? 0 : unilateral.v[k]
    v0[i] = given[2 * nv + k]
  }
}

/** Reads X_WB, S. Writes SW. */
export function updateAxes({ tree, unilateral }: StepRows): void {
  const { nbody, iv, ivEnd, S, SW } = tree
  const { X_WB: X } = unilateral
  for (let i = 1; i < nbody; i++) {
    const x = 12 * i
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      const e = 6 * k
      const a = X[x] * S[e] + X[x + 1] * S[e + 1] + X[x + 2] * S[e + 2]
      const b = X[x + 3] * S[e] + X[x + 4] * S[e + 1] + X[x + 5] * S[e + 2]
      const c = X[x + 6] * S[e] + X[x + 7] * S[e + 1] + X[x + 8] * S[e + 2]
      SW[e] = a
      SW[e + 1] = b
      SW[e + 2] = c
      SW[e + 3] = X[x] * S[e + 3] + X[x + 1] * S[e + 4] + X[x + 2] * S[e + 5] + X[x + 10] * c - X[x + 11] * b
      SW[e + 4] = X[x + 3] * S[e + 3] + X[x + 4] * S[e + 4] + X[x + 5] * S[e + 5] + X[x + 11] * a - X[x + 9] * c
      SW[e + 5] = X[x + 6] * S[e + 3] + X[x + 7] * S[e + 4] + X[x + 8] * S[e + 5] + X[x + 9] * b - X[x + 10] * a
    }
  }
}

/** speed[0] ← the root of the mean square of all bodies; the mean square of each tree of the problem, and what is nothing, by which a solve is judged. */
function measureSpeed({ tree, problem: p, unilateral, speed }: StepRows): void {
  const { nbody, mass, treeOfBody } = tree
  const { V, number, clock } = unilateral
  const { motion } = p
  const trees = motion.length
  let sum = 0
  motion.fill(0, 0, trees)
  for (let i = 1; i < nbody; i++) {
    const o = 6 * i + 3
    const square = mass[i] * (V[o] * V[o] + V[o + 1] * V[o + 1] + V[o + 2] * V[o + 2])
    sum += square
    if (trees > 1 && treeOfBody[i] >= 0) motion[treeOfBody[i]] += square
  }
  speed[0] = Math.sqrt(sum / number[MASS])
  if (trees === 1) motion[0] = sum / number[MASS]
  else for (let t = 0; t < trees; t++) motion[t] = p.mass[t] > 0 ? motion[t] / p.mass[t] : 0
  p.number[STILL] = NOTHING * number[GRAVITY] * clock[STEP]
}

/**
 * Entries of A at value[row[i] + j], and its diagonal: the mass matrix of composite inertias, as `tree/crba.kernel` has it, armature and what joints
 * add. Reads IA, X_PB, S; x: what is added to each velocity.
 */
export function fillEntries({ tree, problem, diagonal, x }: StepRows, { row, value }: Envelope): void {
  const { idle } = problem
  const { nbody, nv, parent, iv, ivEnd, place, armature, S, X_PB, IA, treeOfBody } = tree
  for (let i = 1; i < nbody; i++) {
    if (treeOfBody[i] >= 0 && idle[treeOfBody[i]] === 1) continue
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      const column = place[k]
      let at = 0
      mulArticulated(force, at, IA, 21 * i, S, 6 * k)
      for (let l = iv[i]; l <= k; l++) setEntry(value, row[place[l]] + column, S, 6 * l, at)
      for (let b = i; parent[b] > 0; b = parent[b]) {
        const p = parent[b]
        force.fill(0, 6 - at, 12 - at)
        addForceToParent(force, 6 - at, X_PB, 12 * b, force, at)
        at = 6 - at
        for (let l = iv[p]; l < ivEnd[p]; l++) setEntry(value, row[place[l]] + column, S, 6 * l, at)
      }
    }
  }
  for (let k = 0; k < nv; k++) {
    const i = place[k]
    value[row[i] + i] += armature[k] + x[k]
    diagonal[i] = value[row[i] + i]
  }
}

/** scratch: the force of a column on a body, and on its parent */
const force = new Float64Array(12)

/** value[o] ← the power of the force at `at` along the axis S[s …] */
function setEntry(value: Vec, o: Int, S: Vec, s: Int, at: Int): void {
  value[o] = 0
  addDot6(value, o, S, s, force, at)
}
