/**
 * Equality constraints as rows, in either coordinate: residual g, the rate that is wanted of it, and its derivative as blocks of bodies
 * (6 numbers in body coordinates) and of velocities.
 *
 *   row velocity  G v = Σ J_body · V_body + Σ coefficient · v_dof
 *   wanted        G v = −β g + target        with target = the rate of a prescribed motion [Baxter]
 *
 * g is A less B. Which bodies and velocities a row touches is fixed by `createRows`; `updateRows` fills in numbers.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import {
  CONSTRAINT_COUPLING,
  CONSTRAINT_DISTANCE,
  CONSTRAINT_HINGE,
  CONSTRAINT_MOTION,
  CONSTRAINT_PLACE,
  CONSTRAINT_PLANAR,
  CONSTRAINT_POINT,
  CONSTRAINT_TENDON,
  CONSTRAINT_TURN,
  CONSTRAINT_WELD,
  MOTION_SIZE,
} from '../../model/constraints.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { distanceRow, hingeRows, planarRow, pointRows, weldRows } from './closures.js'
import { couplingRow, tendonRow } from './couplings.js'
import { motionRow, placeRow, turnRows } from './motions.js'

export interface Rows {
  count: Int
  /** residual; for limits the gap */
  readonly g: Vec
  /** wanted rate */
  readonly target: Vec
  /** 1: only the rate counts, g is zero whatever the pose (a motion that gives its speed alone) */
  readonly byRate: Int32Array
  /** number of the constraint, or of the limit, that the row belongs to */
  readonly source: Int32Array
  /** blocks of row r: bodyStart[r] … bodyStart[r+1]−1; the world may occur, its velocity is zero */
  readonly bodyStart: Int32Array
  readonly body: Int32Array
  /** 6 a block */
  readonly J: Vec
  readonly dofStart: Int32Array
  readonly dof: Int32Array
  readonly coefficient: Vec
  /** scratch: a wrench a body, a number a velocity */
  readonly f: Vec
  readonly qf: Vec
}

/** Space for rows with so many blocks and velocities in all. */
export function allocateRows(m: Model, rows: number, blocks: number, dofs: number): Rows {
  return {
    count: 0,
    g: new Float64Array(rows),
    target: new Float64Array(rows),
    byRate: new Int32Array(rows),
    source: new Int32Array(rows),
    bodyStart: new Int32Array(rows + 1),
    body: new Int32Array(blocks),
    J: new Float64Array(6 * blocks),
    dofStart: new Int32Array(rows + 1),
    dof: new Int32Array(dofs),
    coefficient: new Float64Array(dofs),
    f: new Float64Array(6 * m.nbody),
    qf: new Float64Array(m.nv),
  }
}

/** Rows of every active constraint of the model; without those of prescribed motion if so asked. */
export function createRows(m: Model, motions = true): Rows {
  const c = m.constraints
  const touched: { source: number; bodies: readonly number[]; dofs: readonly number[] }[] = []
  for (let k = 0; k < c.count; k++) {
    if (c.active[k] === 0 || (!motions && c.kind[k] >= CONSTRAINT_MOTION)) continue
    const ends = [c.target[k], c.source[k]].filter((end) => end >= 0)
    for (let r = 0; r < c.rows[k]; r++) {
      if (c.kind[k] === CONSTRAINT_TENDON) touched.push({ source: k, ...tendonTouches(m, ends) })
      else if (ends.length > 0) touched.push({ source: k, bodies: [], dofs: ends.map((j) => m.jointV[j]) })
      else touched.push({ source: k, bodies: [c.bodyA[k], c.bodyB[k]], dofs: [] })
    }
  }
  const blocks = touched.reduce((sum, { bodies }) => sum + bodies.length, 0)
  const dofs = touched.reduce((sum, row) => sum + row.dofs.length, 0)
  const rows = allocateRows(m, touched.length, blocks, dofs)
  rows.count = touched.length
  touched.forEach((row, r) => {
    rows.source[r] = row.source
    rows.byRate[r] = c.kind[row.source] >= CONSTRAINT_MOTION && c.motion[MOTION_SIZE * row.source + 9] === 0 ? 1 : 0
    rows.body.set(row.bodies, rows.bodyStart[r])
    rows.dof.set(row.dofs, rows.dofStart[r])
    rows.bodyStart[r + 1] = rows.bodyStart[r] + row.bodies.length
    rows.dofStart[r + 1] = rows.dofStart[r] + row.dofs.length
  })
  return rows
}

/** Bodies and velocities that the lengths of these tendons depend on. */
export function tendonTouches(m: Model, tendons: readonly number[]): { bodies: number[]; dofs: number[] } {
  const { pathStart, pathBody, dofStart, dofV } = m.tendons
  const bodies = new Set<number>()
  const dofs = new Set<number>()
  for (const k of tendons) {
    for (const i of pathBody.subarray(pathStart[k], pathStart[k + 1])) if (i > 0) bodies.add(i)
    for (const v of dofV.subarray(dofStart[k], dofStart[k + 1])) dofs.add(v)
  }
  return { bodies: [...bodies], dofs: [...dofs] }
}

/** Reads X_WB, q, and the time in t[0], by its place so that it is never boxed. Writes g, target, J and coefficient of every row. */
export function updateRows(rows: Rows, m: Model, d: Data, q: Vec, t: Vec): void {
  const { source, count } = rows
  for (let r = 0; r < count; r += m.constraints.rows[source[r]]) updateConstraint(rows, r, m, d, q, t)
}

/** The same of the rows of one constraint, of which r is the first. */
export function updateConstraint(rows: Rows, r: number, m: Model, d: Data, q: Vec, t: Vec): void {
  const k = rows.source[r]
  switch (m.constraints.kind[k]) {
    case CONSTRAINT_POINT:
      pointRows(rows, r, m, d, k)
      break
    case CONSTRAINT_HINGE:
      hingeRows(rows, r, m, d, k)
      break
    case CONSTRAINT_PLANAR:
      planarRow(rows, r, m, d, k)
      break
    case CONSTRAINT_WELD:
      weldRows(rows, r, m, d, k)
      break
    case CONSTRAINT_DISTANCE:
      distanceRow(rows, r, m, d, k)
      break
    case CONSTRAINT_COUPLING:
      couplingRow(rows, r, m, q, k)
      break
    case CONSTRAINT_TENDON:
      tendonRow(rows, r, m, d, q, k)
      break
    case CONSTRAINT_MOTION:
      motionRow(rows, r, m, q, k, t)
      break
    case CONSTRAINT_PLACE:
      placeRow(rows, r, m, d, k, t)
      break
    case CONSTRAINT_TURN:
      turnRows(rows, r, m, d, k, t)
      break
  }
}

/** Reads V, v. Writes out[o + r] = G v of every row, without forming G. */
export function rowVelocities(rows: Rows, d: Data, v: Vec, out: Vec, o: number): void {
  const { bodyStart, body, J, dofStart, dof, coefficient } = rows
  for (let r = 0; r < rows.count; r++) {
    let sum = 0
    for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) {
      for (let s = 0; s < 6; s++) sum += J[6 * e + s] * d.V[6 * body[e] + s]
    }
    for (let e = dofStart[r]; e < dofStart[r + 1]; e++) sum += coefficient[e] * v[dof[e]]
    out[o + r] = sum
  }
}
