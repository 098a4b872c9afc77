/**
 * Taut poses: a chain stretched to its full length between the ends of a loop, where the loop's row along it vanishes and yet forbids motion.
 *
 * At a pose with dependent rows there are w with wᵀG = 0. The rows then say, to second order and for motions z that all of them allow,
 *   ½ zᵀ H z = 0,   H = ∂(wᵀG)/∂q
 * If H is zero there (a plane loop's rows out of its plane, Bennett's linkage) the row is redundant. If it has both signs branches of motion
 * meet (a flat parallelogram). If it is semidefinite the mechanism can move only along its kernel: an infinitesimal mechanism that is rigid to
 * second order (R. Connelly and W. Whiteley, Second-order rigidity and prestress stability for tensegrity frameworks, 1996). No finite force
 * of the loop does that; what does is H z = 0, rows of rates that take the place of the one that vanishes.
 *
 * A pose that is only near (rows that vanish are closed slowly) is first moved to where wᵀg is extreme, by Newton's method on wᵀG = 0.
 */
import { integrate } from '../../joints/index.js'
import { createPivotedLdl, factorPivoted, solvePivoted } from '../../linalg/dense/pivoted-ldl.js'
import { createEchelon, nullVector, reduceToEchelon } from '../../linalg/dense/row-echelon.js'
import type { Vec } from '../../math/types.js'
import { CONSTRAINT_MOTION } from '../../model/constraints.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { createReducedRows } from '../rows/reduce.js'
import { createRows } from '../rows/rows.js'
import { isDefiniteButForKernel, isRestNothing, NOTHING } from './form.js'
import { angularPreconditioner, type FormSolution, solveForm } from './products.js'
import { differ, multiplyForm, noise, placeRows, rowsAt, weigh } from './rows.js'

// of a generic row's size: rows below are near a pose where they are singular, or are so
const NEAR = Float64Array.of(0.03)
const SINGULAR = Float64Array.of(1e-5)
// rad or m: how far the pose is at which rows are generic; step of second differences
const GENERIC = 0.3
const PROBE = 1e-3
const TRIALS = 2
// of a row's size: curvature below is none
const FLAT = 1e-4
// columns: writing the form of as many out takes some milliseconds
const MANY = 100
// of the larger: diagonal entries of either sign that are no matter of differences
const PLAIN = 0.1
const ALIKE = Float64Array.of(1e-6)
// m or rad: a loop with more play, or more open, is not taut; what `close-pose` calls closed
const PLAY = 1e-8
// rounds to the extreme pose, rad or m: a longer way means that it is not near, a shorter one that it is reached
const ROUNDS = 12
const FAR = 0.1
const THERE = 1e-12
// rad or m: what steps may leave of a pose that is held
const SAME = 1e-7
// numbers of rows evaluated, some seconds: with more loops than that no further row is looked at; what the pose of a body counts
const PATIENCE = 1e8
const POSE = 50

export type Taut = ReturnType<typeof createTaut>

/** `many`: above so many columns the form is not written out where products with it are enough. */
export function createTaut(m: Model, many = MANY) {
  const rows = createRows(m)
  const n = rows.count
  return {
    /** rates that must be zero: row r is U[r nv …] */
    count: 0,
    U: new Float64Array(0),
    /** 1: this row of the equalities is singular, and these rates stand for it; 0 */
    skip: new Int32Array(n),
    /** the pose at which they were found */
    at: new Float64Array(m.nq).fill(Number.NaN),
    /** whether all that a loop's chain could do is held: then rates do not depend on the last digits of the pose */
    whole: true,
    /** whether rows depend on time */
    timed: m.constraints.kind.some((kind, k) => kind >= CONSTRAINT_MOTION && m.constraints.active[k] === 1),
    many,
    m,
    d: createData(m),
    rows,
    /** numbers of rows evaluated since the last look for what is held */
    work: 0,
    reduced: createReducedRows(m, n),
    /** those of them that w weighs */
    weighed: createReducedRows(m, n),
    echelon: createEchelon(n, m.nv),
    /** size of every row where it does not vanish */
    scale: new Float64Array(n),
    w: new Float64Array(n),
    /** scratch */
    z: new Float64Array(m.nv),
    slope: new Float64Array(m.nv),
    q: new Float64Array(m.nq),
    curve: new Float64Array(TRIALS * n),
    /** free columns that the row at hand depends on, H on their motions, and its factor */
    columns: new Int32Array(m.nv),
    size: 0,
    form: new Float64Array(0),
    sign: 1,
    b: new Float64Array(0),
    y: new Float64Array(0),
    ldl: createPivotedLdl(0),
  }
}

/** Moves q, where it is near a taut pose, onto it, and finds what is held there, of rows at the time t[0]. True where something is. Allocates. */
export function settleTaut(taut: Taut, q: Vec, t: Vec): boolean {
  const { m, rows, z } = taut
  const start = q.slice()
  taut.work = 0
  let dependent = reduceAt(taut, q, NEAR, t)
  for (let r = 0; r < rows.count; r++) {
    for (let round = 0; round < ROUNDS; round++) {
      if (!dependent || !isCurved(taut, r) || !findWay(taut, r, q, t)) break
      integrate(m, q, z, 1)
      dependent = reduceAt(taut, q, NEAR, t)
    }
  }
  if (holdTaut(taut, q, t)) return true
  q.set(start)
  return false
}

/** Names of constraints whose loops are nearly stretched to their full length at q: what pulls them further meets the end of their reach. Allocates. */
export function nearlyTaut(m: Model, q: Vec, t: Vec, taut = createTaut(m)): string[] {
  const { rows } = taut
  if (rows.count === 0 || !reduceAt(taut, q, NEAR, t)) return []
  const near = Array.from({ length: rows.count }, (_, r) => r).filter((r) => isCurved(taut, r) && isPulled(taut, q, t))
  return [...new Set(near.map((r) => m.constraints.names[rows.source[r]]))]
}

/** Finds what is held at q, of rows at the time t[0]; where that is known from the last call nothing is done. */
export function holdTaut(taut: Taut, q: Vec, t: Vec): boolean {
  const { rows, skip, at, w } = taut
  let same = !taut.timed
  for (let k = 0; k < at.length && same; k++) same = Math.abs(q[k] - at[k]) <= (taut.whole && taut.count > 0 ? SAME : 0)
  if (!same) {
    taut.count = 0
    taut.whole = true
    skip.fill(0)
    at.set(q)
    taut.work = 0
    const dependent = reduceAt(taut, q, SINGULAR, t)
    for (let r = 0; r < rows.count && dependent; r++) {
      if (!isCurved(taut, r)) continue
      rowsAt(taut, q, w, 0, t)
      if (Math.abs(weigh(w, rows.g, 0)) > PLAY || !isSemidefinite(taut, q, t)) continue
      skip[r] = 1
      addRates(taut)
    }
  }
  return taut.count > 0
}

/** Reads q. Writes rows, their size, the echelon of G, and how g curves; false where all rows are independent. */
function reduceAt(taut: Taut, q: Vec, least: Vec, t: Vec): boolean {
  const { m, scale, echelon, reduced, rows, z } = taut
  const { nv } = m
  for (let k = 0; k < nv; k++) z[k] = noise(k)
  for (let pass = 0; pass < 2; pass++) {
    rowsAt(taut, q, z, pass === 0 ? GENERIC : 0, t)
    for (let r = 0; r < rows.count; r++) {
      let square = 0
      for (let k = 0; k < nv; k++) square += reduced.G[r * nv + k] * reduced.G[r * nv + k]
      scale[r] = Math.max(pass === 0 ? 0 : scale[r], Math.sqrt(square))
    }
  }
  reduceToEchelon(echelon, reduced.G, scale, least)
  if (echelon.rank === rows.count) return false
  probe(taut, q, t)
  return true
}

/** Second differences of g along motions at random that independent rows allow. */
function probe(taut: Taut, q: Vec, t: Vec): void {
  const { echelon, rows, z, curve } = taut
  const { n, nv, R, owner } = echelon
  curve.fill(0)
  for (let trial = 0; trial < TRIALS; trial++) {
    for (let k = 0; k < nv; k++) z[k] = owner[k] < 0 ? noise(k + (trial + 1) * nv) : 0
    for (let k = 0; k < nv; k++) {
      const s = owner[k]
      if (s >= 0) for (let c = 0; c < nv; c++) if (owner[c] < 0) z[k] -= R[s * nv + c] * z[c]
    }
    for (let side = -1; side <= 1; side++) {
      rowsAt(taut, q, z, side * PROBE, t)
      for (let s = 0; s < n; s++) curve[trial * n + s] += side === 0 ? -2 * rows.g[s] : rows.g[s]
    }
  }
}

/** Whether row r depends on others here and is curved on what they allow. Writes w, and the free columns that wᵀG depends on. */
function isCurved(taut: Taut, r: number): boolean {
  const { echelon, scale, w, curve } = taut
  const { n, W, pivot } = echelon
  if (pivot[r] >= 0 || scale[r] === 0 || taut.work > PATIENCE) return false
  for (let s = 0; s < n; s++) w[s] = W[r * n + s] === 0 ? 0 : (W[r * n + s] * scale[r]) / scale[s]
  let most = 0
  for (let trial = 0; trial < TRIALS; trial++) most = Math.max(most, Math.abs(weigh(w, curve, trial * n)))
  if (!(most > FLAT * scale[r] * PROBE * PROBE)) return false
  findColumns(taut)
  return true
}

/** Free columns whose motion touches a velocity of the rows in w. */
function findColumns(taut: Taut): void {
  const { echelon, reduced, w, slope, columns } = taut
  const { n, nv, R, pivot, owner } = echelon
  slope.fill(0)
  for (let s = 0; s < n; s++) if (w[s] !== 0) for (let e = reduced.start[s]; e < reduced.start[s + 1]; e++) slope[reduced.dof[e]] = 1
  taut.size = 0
  for (let c = 0; c < nv; c++) {
    if (owner[c] >= 0) continue
    let touches = slope[c] > 0
    for (let s = 0; s < n && !touches; s++) touches = pivot[s] >= 0 && slope[pivot[s]] > 0 && R[s * nv + c] !== 0
    if (touches) columns[taut.size++] = c
  }
}

/** H on the motions of the columns, its sign such that its trace is positive; true where it is semidefinite. Grows what is too small. */
function isSemidefinite(taut: Taut, q: Vec, t: Vec): boolean {
  const { m, rows, echelon, size, columns, w, z, slope } = taut
  const { n, nv, R, pivot } = echelon
  // for every column: poses and rows on both sides of it, the rows in w, and products with the echelon
  let numbers = POSE * m.nbody + rows.count
  for (let s = 0; s < n; s++) if (w[s] !== 0) numbers += nv
  taut.work += size * (2 * numbers + size * n)
  if (taut.form.length < size * size) {
    taut.form = new Float64Array(size * size)
    taut.b = new Float64Array(size)
    taut.y = new Float64Array(size)
    taut.ldl = createPivotedLdl(size)
  }
  const { form, ldl } = taut
  let up = 0
  let down = 0
  for (let i = 0; i < size; i++) {
    nullVector(echelon, z, columns[i])
    differ(taut, q, t, 1)
    for (let j = 0; j < size; j++) {
      let sum = slope[columns[j]]
      for (let s = 0; s < n; s++) if (pivot[s] >= 0) sum -= slope[pivot[s]] * R[s * nv + columns[j]]
      form[i * size + j] = sum
    }
    // both signs plainly there: with many loops the rest would take long
    up = Math.max(up, form[i * size + i])
    down = Math.max(down, -form[i * size + i])
    if (Math.min(up, down) > PLAIN * Math.max(up, down)) return false
  }
  return isDefiniteButForKernel(taut) && factorPivoted(ldl, form, 0, size, ALIKE) > 0 && isRestNothing(taut)
}

/** z ← the way to where wᵀG vanishes; false where the form is not semidefinite, or that is here, or not near. */
function findWay(taut: Taut, r: number, q: Vec, t: Vec): boolean {
  if (taut.size <= taut.many) return isSemidefinite(taut, q, t) && wayToExtreme(taut, r, q, t)
  const { echelon, scale, columns, size } = taut
  const y = new Float64Array(size)
  const b = Float64Array.from({ length: size }, (_, i) => -scale[r] * echelon.R[r * echelon.nv + columns[i]])
  const found = solveByProducts(taut, b, y, q, t)
  if (found === 'unknown') return isSemidefinite(taut, q, t) && wayToExtreme(taut, r, q, t)
  return found === 'solved' && completeWay(taut, y, q, t)
}

/** Whether the form is semidefinite, or has no other sign where it is too large to be written out. */
function isPulled(taut: Taut, q: Vec, t: Vec): boolean {
  const { size, many } = taut
  if (size <= many) return isSemidefinite(taut, q, t)
  const found = solveByProducts(
    taut,
    Float64Array.from({ length: size }, (_, i) => noise(i)),
    new Float64Array(size),
    q,
    t,
  )
  return found === 'unknown' ? isSemidefinite(taut, q, t) : found === 'solved'
}

/** y ← H⁻¹ b on the motions of the columns, without H. Allocates. */
function solveByProducts(taut: Taut, b: Vec, y: Vec, q: Vec, t: Vec): FormSolution {
  const { m, d, rows, size, slope, columns } = taut
  const x = new Float64Array(size)
  const product = (out: Vec, x: Vec, sign: number): void => {
    multiplyForm(taut, x, q, t)
    for (let i = 0; i < size; i++) out[i] = sign * slope[columns[i]]
  }
  placeRows(taut, q, x, 0, t)
  const precondition = angularPreconditioner(m, d, columns, size)
  for (let i = 0; i < size; i++) x[i] = noise(i)
  product(y, x, 1)
  taut.work += 100 * (POSE * m.nbody + rows.count)
  const sign = y.reduce((sum, e, i) => sum + e * x[i], 0) < 0 ? -1 : 1
  return solveForm(
    (out, x) => product(out, x, sign),
    precondition,
    b.map((e) => sign * e),
    y,
  )
}

/** z ← Newton's way by the factor of the form. */
function wayToExtreme(taut: Taut, r: number, q: Vec, t: Vec): boolean {
  const { echelon, scale, columns, size, ldl, b, y } = taut
  for (let i = 0; i < size; i++) b[i] = -taut.sign * scale[r] * echelon.R[r * echelon.nv + columns[i]]
  solvePivoted(ldl, y, 0, b, 0)
  return completeWay(taut, y, q, t)
}

/** z ← the way with y at the columns that closes the other rows too; false where it is none, or far. */
function completeWay(taut: Taut, y: Vec, q: Vec, t: Vec): boolean {
  const { echelon, scale, columns, size, z, rows } = taut
  const { n, nv, R, W, pivot } = echelon
  z.fill(0)
  for (let i = 0; i < size; i++) z[columns[i]] = y[i]
  rowsAt(taut, q, z, 0, t)
  for (let s = 0; s < n; s++) {
    if (pivot[s] < 0) continue
    let sum = 0
    for (let e = 0; e < n; e++) if (W[s * n + e] !== 0) sum -= (W[s * n + e] * rows.g[e]) / scale[e]
    for (let i = 0; i < size; i++) sum -= R[s * nv + columns[i]] * y[i]
    z[pivot[s]] = sum
  }
  let most = 0
  for (let k = 0; k < nv; k++) most = Math.max(most, Math.abs(z[k]))
  return most > THERE && most < FAR
}

/** Adds the rates H z = 0 that are not among those held already, at right angles to them and of size 1. */
function addRates(taut: Taut): void {
  const { m, size, columns, form, ldl, slope } = taut
  const { nv } = m
  const room = (taut.count + size) * nv
  if (taut.U.length < room) {
    const wide = new Float64Array(room)
    wide.set(taut.U)
    taut.U = wide
  }
  const { U } = taut
  const whole = ldl.rank === size
  taut.whole &&= whole
  for (let k = 0; k < ldl.rank; k++) {
    const i = ldl.order[k]
    slope.fill(0)
    // all of them: then every column by itself, which leaves rows sparse
    if (whole) slope[columns[i]] = 1
    else for (let j = 0; j < size; j++) slope[columns[j]] = form[i * size + j]
    const before = size2(slope)
    for (let pass = 0; pass < 2; pass++) {
      for (let u = 0; u < taut.count; u++) {
        let dot = 0
        for (let e = 0; e < nv; e++) dot += U[u * nv + e] * slope[e]
        if (dot !== 0) for (let e = 0; e < nv; e++) slope[e] -= dot * U[u * nv + e]
      }
    }
    const left = size2(slope)
    if (!(left > NOTHING * before)) continue
    for (let e = 0; e < nv; e++) U[taut.count * nv + e] = slope[e] / Math.sqrt(left)
    taut.count++
  }
}

function size2(x: Vec): number {
  let sum = 0
  for (let k = 0; k < x.length; k++) sum += x[k] * x[k]
  return sum
}
