/**
 * Rows of a step as blocks of its contact problem: equalities, springs across the tree, limits, dry friction, contacts.
 *
 * The rate of a contact's rows is that of the two bodies at its point, in the world: with the axes SW of all velocities there (angular; linear at the
 * origin), a velocity k moves the point x of a body that it carries by u = SW_lin + SW_ang × x, and turns it by SW_ang.
 *   normal n·u   friction t₁·u, t₂·u   spinning n·SW_ang   rolling t₁·SW_ang, t₂·SW_ang
 * Friction rows are scaled by their coefficient over the first one, so that one coefficient serves all. Velocities that carry both bodies drop out.
 */
import { addBlock, addVelocity, beginRow, createReducedRows, finishRow, type ReducedRows } from '../../../constraints/rows/reduce.js'
import type { Rows } from '../../../constraints/rows/rows.js'
import type { Contacts } from '../../../contact/contacts.js'
import { changesGap, contactRadius } from '../../../contact/locked.js'
import { tangentBasis } from '../../../contact/rows.js'
import {
  CONE,
  type ConvexProblem,
  hasRoom,
  INTERVAL,
  addBlock as makeBlock,
  openBlock,
  type PlacedProblem,
} from '../../../contact/solve/problem.js'
import type { Int } from '../../../math/values/columns.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import type { StiffTerms } from '../../../model/stiff-terms.js'
import type { Forest } from './forest.js'
import type { StepRows, StepTree } from './step-rows.js'

export interface StepBlocks {
  readonly m: Model
  readonly d: Data
  readonly forest: Forest
  readonly problem: PlacedProblem
  /** scratch: one row in reduced coordinates */
  readonly row: ReducedRows
}

/** scratch: normal and tangents of a contact, and its point */
export const frame = new Float64Array(12)
/** scratch: radius of the smaller shape of a contact; 1 where some velocity changes its gap (`contact/locked`) */
export const path = new Float64Array(2)
const RADIUS = 0
export const OPENS = 1

export function createStepBlocks(m: Model, d: Data, forest: Forest, problem: PlacedProblem): StepBlocks {
  return { m, d, forest, problem, row: createReducedRows(m, 1) }
}

/** A block of the kind with row r of `rows`, times `sign`. Its number. */
export function addRowBlock(s: StepBlocks, kind: number, rows: Rows, r: number, sign: number): number {
  const { m, d, row } = s
  row.count = 0
  beginRow(row, m)
  for (let e = rows.bodyStart[r]; e < rows.bodyStart[r + 1]; e++) addBlock(row, rows.body[e], rows.J, 6 * e)
  for (let e = rows.dofStart[r]; e < rows.dofStart[r + 1]; e++) addVelocity(row, m, rows.dof[e], rows.coefficient, e)
  finishRow(row, m, d)
  return takeRow(s, kind, row, 0, sign)
}

/** A spring across the tree: row r of the terms. */
export function addSpringBlock(s: StepBlocks, terms: StiffTerms, r: number): number {
  const { m, d, row } = s
  const { start, body, J } = terms
  const from = start[r]
  const end = start[r + 1]
  let e = from
  while (e < end && body[e] < 0) e++
  if (e === end) return addSumBlock(s, terms, from, end)
  row.count = 0
  beginRow(row, m)
  for (e = from; e < end; e++) {
    if (body[e] >= 0) addBlock(row, body[e], J, 6 * e)
    else addVelocity(row, m, -1 - body[e], J, 6 * e)
  }
  finishRow(row, m, d)
  return takeRow(s, INTERVAL, row, 0, 1)
}

/** The same of a sum of velocities, as actuators on tendons make it: each stands in it once. */
function addSumBlock({ forest: { place }, problem: p }: StepBlocks, { body, J }: StiffTerms, from: number, end: number): number {
  const b = makeBlock(p, INTERVAL, 1, end - from)
  for (let e = from; e < end; e++) placeEntry(p, b, e - from, place[-1 - body[e]], J[6 * e])
  return b
}

/** A block with row r of `rows`, its unknowns in ascending order. */
export function takeRow(
  { m, forest: { place }, problem: p }: StepBlocks,
  kind: number,
  rows: ReducedRows,
  r: number,
  sign: number,
): number {
  const from = rows.start[r]
  const n = rows.start[r + 1] - from
  const b = makeBlock(p, kind, 1, n)
  for (let e = 0; e < n; e++) {
    const k = rows.dof[from + e]
    placeEntry(p, b, e, place[k], sign * rows.G[r * m.nv + k])
  }
  return b
}

/** Entry e of the only row of block b, that of unknown k: those before it are in ascending order, and it becomes one of them. */
function placeEntry(p: ConvexProblem, b: Int, e: Int, k: Int, value: number): void {
  const c = p.first[b]
  const j = p.entry[b]
  let at = e
  for (; at > 0 && p.column[c + at - 1] > k; at--) {
    p.column[c + at] = p.column[c + at - 1]
    p.J[j + at] = p.J[j + at - 1]
  }
  p.column[c + at] = k
  p.J[j + at] = value
}

/** A block of one velocity, where there is room; its number, −1 without. */
export function openVelocity({ tree, problem: p }: StepRows, k: Int): Int {
  if (!hasRoom(p, 1, 1, 1)) return -1
  const b = openBlock(p, INTERVAL, 1, 1)
  p.column[p.first[b]] = tree.place[k]
  p.J[p.entry[b]] = 1
  return b
}

/** The block of limit r, which is one of velocities alone, where there is room for it and for one that opens it; its number, −1 without. Limits are given as C v ≤ gap/h. */
export function openLimit({ tree, problem: p, unilateral }: StepRows, r: Int): Int {
  const { dofStart, dof, coefficient } = unilateral.limits
  const { place } = tree
  const from = dofStart[r]
  const n = dofStart[r + 1] - from
  if (!hasRoom(p, 2, 2 * n, 2 * n)) return -1
  const b = openBlock(p, INTERVAL, 1, n)
  for (let e = 0; e < n; e++) placeEntry(p, b, e, place[dof[from + e]], -coefficient[from + e])
  return b
}

/** frame ← normal, tangents and point of contact k */
export function setFrame({ normal, point }: Contacts, k: Int): void {
  for (let r = 0; r < 3; r++) {
    frame[r] = normal[3 * k + r]
    frame[9 + r] = point[3 * k + r]
  }
  tangentBasis(frame, 3, frame, 0)
}

/** Rows of contact k: one where nothing rubs. */
export const contactDim = ({ friction, dim }: Contacts, k: Int): Int => (friction[5 * k] > 0 ? dim[k] : 1)

/** The block of contact k, with `dim` rows, where there is room for it and for one that opens it; its number, −1 without. Reads SW. Writes path[OPENS]. */
export function openContact(s: StepRows, k: Int, dim: Int): Int {
  const { tree, problem: p, unilateral } = s
  const { contacts } = unilateral
  const a = movedBody(tree, contacts.bodyA[k])
  const b = movedBody(tree, contacts.bodyB[k])
  const top = sharedBody(tree, a, b)
  const width = pathWidth(tree, a, top) + pathWidth(tree, b, top)
  if (!hasRoom(p, 2, 2 * width, (dim + 1) * width)) return -1
  setFrame(contacts, k)
  path[RADIUS] = contactRadius(contacts, k)
  path[OPENS] = 0
  const block = openBlock(p, dim === 1 ? INTERVAL : CONE, dim, width)
  fillPaths(s, block, a, b, top)
  for (let r = 2; r < dim; r++) {
    const scale = contacts.friction[5 * k + r - 1] / contacts.friction[5 * k]
    if (scale !== 1) for (let e = p.entry[block] + r * width; e < p.entry[block] + (r + 1) * width; e++) p.J[e] *= scale
  }
  return block
}

/** The nearest body on the way to the root that a joint moves; 0 where there is none. */
function movedBody({ parent, iv, ivEnd }: StepTree, body: Int): Int {
  let i = body
  while (i > 0 && ivEnd[i] === iv[i]) i = parent[i]
  return i
}

/** The last body that carries both; 0 where there is none. */
function sharedBody({ parent }: StepTree, a: Int, b: Int): Int {
  let i = a
  let j = b
  while (i !== j) {
    if (i > j) i = parent[i]
    else j = parent[j]
  }
  return i
}

/** Velocities of the bodies from `body` up to, and without, `top`. */
function pathWidth({ parent, iv, ivEnd }: StepTree, body: Int, top: Int): Int {
  let sum = 0
  for (let i = body; i !== top; i = parent[i]) sum += ivEnd[i] - iv[i]
  return sum
}

/** Columns and rows of the velocities on both ways to the root, ascending: those of bodies with higher numbers come first in a tree. */
function fillPaths(s: StepRows, block: Int, bodyA: Int, bodyB: Int, top: Int): void {
  const { tree, problem: p } = s
  const { parent, iv, ivEnd, place, treeOfBody } = tree
  let a = bodyA
  let b = bodyB
  let e = 0
  while (a !== top || b !== top) {
    // in one tree the higher number, of two trees the one that comes first
    const takesB = a === top || (b !== top && (treeOfBody[a] === treeOfBody[b] ? b > a : treeOfBody[b] < treeOfBody[a]))
    const i = takesB ? b : a
    for (let k = ivEnd[i] - 1; k >= iv[i]; k--) {
      p.column[p.first[block] + e] = place[k]
      fillEntry(s, block, e, k, takesB ? 1 : -1)
      e++
    }
    if (takesB) b = parent[b]
    else a = parent[a]
  }
}

/** Entry e of all rows of a block: what velocity k does at the contact of `frame`. */
function fillEntry({ tree, problem: p }: StepRows, block: Int, e: Int, k: Int, sign: number): void {
  const { J } = p
  const { SW } = tree
  const f = frame
  const n = p.width[block]
  const dim = p.dim[block]
  const s = 6 * k
  const ax = sign * SW[s]
  const ay = sign * SW[s + 1]
  const az = sign * SW[s + 2]
  const ux = sign * SW[s + 3] + ay * f[11] - az * f[10]
  const uy = sign * SW[s + 4] + az * f[9] - ax * f[11]
  const uz = sign * SW[s + 5] + ax * f[10] - ay * f[9]
  const j = p.entry[block] + e
  J[j] = f[0] * ux + f[1] * uy + f[2] * uz
  if (changesGap(J[j], ux * ux + uy * uy + uz * uz, ax * ax + ay * ay + az * az, path[RADIUS])) path[OPENS] = 1
  if (dim === 1) return
  J[j + n] = f[3] * ux + f[4] * uy + f[5] * uz
  J[j + 2 * n] = f[6] * ux + f[7] * uy + f[8] * uz
  if (dim === 3) return
  J[j + 3 * n] = f[0] * ax + f[1] * ay + f[2] * az
  if (dim === 4) return
  J[j + 4 * n] = f[3] * ax + f[4] * ay + f[5] * az
  J[j + 5 * n] = f[6] * ax + f[7] * ay + f[8] * az
}
