/**
 * Constraints of a step: loop closures, couplings and prescribed motion as equalities, joint limits and contact as inequalities with
 * friction cones (note 10 sections 7 and 8), dry friction in joints as rows of bounded force, all on the step's own matrix A.
 *
 *   v = x + Y λ,  x = A⁻¹ b,  Y = A⁻¹ Gᵀ,   w = G v + c = D λ + r,  D = G Y,  r = G x + c
 *   equality: w = 0, c = −target;   limit or contact with gap s: w ≥ 0 ⊥ λ ≥ 0, c = s/h;   friction: |λ_t| ≤ μ λ_n
 *   dry friction f in a joint: w = v, |λ| ≤ h f, and w ≠ 0 only at a bound
 * A gap that is already passed is opened by a share of itself a step, so that a deep overlap does not become a blow. Poses are projected on
 * the equalities afterwards (`equalities`). Or, as in the authors' code, a gap closes at a rate of its own instead: c = −target + rate g.
 */

import { conflict } from '../../../constraints/rows/limits.js'
import { updateRows } from '../../../constraints/rows/rows.js'
import { contactAt } from '../../../contact/rows.js'
import { coneGaussSeidel } from '../../../contact/solve/cone.js'
import { solveCone } from '../../../contact/solve/cone-newton.js'
import { type Complementarity, isSolved, resetRows } from '../../../contact/solve/lcp.js'
import { solvePivoting } from '../../../contact/solve/lcp-pivot.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { updatePoses } from '../../../tree/kinematics.js'
import type { Linear } from '../matrix/auto.js'
import { bringBack, condense } from './condense.js'
import type { Constrained } from './constrained-interface.js'
import { addDot, addPulls, addRowDot, HELD, makeWork, NEARLY, STEP } from './constraint-work.js'
import { bringForces, contactMemory, keepForces, loadContacts, loadJam, saveContacts } from './contact-memory.js'
import {
  createEqualities,
  factorEqualities,
  holdEqualities,
  projectEqualities,
  reduceEqualities,
  redundantNames,
  solveEqualities,
} from './equalities.js'
import { strongestPulls } from './explain-stop.js'
import { createHeap, fillHeap, solveHeap } from './heap.js'
import { createInside, DONE, goesInside, isWeary, leaveRows, OVER_D, restWays, STUCK, solveInside, wearyOf } from './inside.js'
import {
  addPushes,
  appendRows,
  askRows,
  compareWithStart,
  createUnilateral,
  findRows,
  followRows,
  holds,
  isTangled,
  letOverlap,
  markWay,
  rememberPushed,
  rememberStart,
  rowCount,
  takeGapsBack,
  usualRows,
} from './unilateral.js'

// m/s or rad/s: rows that miss less hold
const STILL = 1e-9
// rows from which on they are solved as those of a heap; and by sweeps, where equalities or springs join bodies, to what tolerance, and how many at most
const MANY = 30
const HEAP = 150
const FAIR = 1e-5
const SWEEPS = 200
// places in `spans`
const GAP = 0
const SOLVE = 1

/** `rate`: how fast a gap of an equality closes, 1/s, in place of the projection; negative: project. */
export function createConstrained(m: Model, d: Data, linear: Linear, contact: boolean, rate: number): Constrained | undefined {
  const { nv } = m
  const eq = createEqualities(m, d)
  const equalities = eq.rows
  const u = createUnilateral(m, d, contact)
  const { limits, contacts, rubbing } = u
  if (equalities.count + usualRows(u) === 0) return undefined

  // numbers of State.s of the equalities
  const held = equalities.count > 0 ? equalities.count + 1 : 0
  const heap = createHeap(m)
  const inside = createInside(linear, eq, rate)
  // whether equalities are inside the elimination, and not in G
  let within = false
  const mismatch = new Float64Array(1)
  // the step in which gaps close, and that of the last solve: λ is force × span. In an array: a number that closures share is boxed
  const spans = new Float64Array(2)
  let capacity = equalities.count + usualRows(u)
  let work = makeWork(m, capacity)
  // λ of the equalities, when room is made
  const forces = new Float64Array(equalities.count)
  // whether Y and the factor are those of the last solve
  let solved = false
  // the row that unilateral rows failed at
  let worst = -1
  let trouble = ''

  /** Contacts beyond the first ones: more room, which allocates, and only then. */
  const reserve = (rows: number): void => {
    if (rows <= capacity) return
    capacity = Math.max(rows, 2 * capacity)
    for (let r = 0; r < forces.length; r++) forces[r] = work.p.lambda[r]
    work = makeWork(m, capacity)
    work.p.lambda.set(forces)
    solved = false
  }

  return {
    get rows() {
      return work.G.count
    },
    unilateral: limits.g.length > 0 || u.touching,
    redundant: () => (inside?.closed ? inside.loops.spare().map((r) => m.constraints.names[equalities.source[r]]) : redundantNames(eq)),

    get trouble() {
      return trouble
    },

    weary: () => inside !== undefined && isWeary(inside, eq),

    get pushes() {
      const { lambda } = work.p
      const first = eq.count
      const touch = first + limits.count + rubbing.length
      if (work.G.count === 0) return false
      for (let r = first; r < first + limits.count; r++) if (lambda[r] > 0) return true
      for (let k = 0; k < contacts.count; k++) if (lambda[touch + 3 * k] > 0) return true
      return false
    },

    mark(q) {
      if (!u.touching) return
      updatePoses(m, d, q)
      markWay(u)
    },

    collect(q, v, clock, ahead = false) {
      u.pushed.count = 0
      spans[GAP] = clock[STEP]
      updateRows(equalities, m, d, q, clock)
      findRows(u, q, v, clock)
      reduceAll()
      if (ahead) takeGapsBack(u, work.G.G, eq.count, v, clock)
    },

    settle(held) {
      eq.holding = held
    },

    saveHeld(out, o) {
      if (equalities.count > 0) out[o] = eq.holding ? 1 : 0
    },

    hold(from, o, q, clock) {
      eq.holding = from[o] === 1
      holdEqualities(eq, q, clock)
    },

    skip: eq.skip,

    begin(q, v, clock) {
      holdEqualities(eq, q, clock)
      updateRows(equalities, m, d, q, clock)
      keepForces(u, work.p.lambda, eq.count)
      u.swept = false
      u.pushed.count = 0
      findRows(u, q, v, clock)
      rememberStart(u)
      reserve(eq.count + rowCount(u))
      work.p.lambda.fill(0, eq.count)
      if (rowCount(u) > MANY) bringForces(u, work.p.lambda, eq.count, clock)
    },

    update(q, v, clock, settled) {
      updateRows(equalities, m, d, q, clock)
      keepForces(u, work.p.lambda, eq.count)
      rememberPushed(u, work.p.lambda, eq.count)
      if (settled) followRows(u, q, v, clock)
      else findRows(u, q, v, clock)
      reduceAll()
      bringForces(u, work.p.lambda, eq.count, clock)
      compareWithStart(u, clock)
    },

    get changed() {
      return u.changed
    },

    get tangled() {
      return isTangled(u)
    },

    get holds() {
      return holds(u)
    },

    apply: (x, clock) => isFree(clock) || (isMany() ? solveMany(x, clock, undefined) : solveRows(x, clock, undefined)),

    correct: (x, v, clock) => isFree(clock) || (isMany() ? solveMany(x, clock, v) : solveRows(x, clock, v)),

    addImpulses(b) {
      const { G, p } = work
      if (within) inside?.loops.addForces(b, p.lambda)
      for (let r = 0; r < G.count; r++) {
        const lambda = p.lambda[r]
        if (lambda !== 0) for (let e = G.start[r]; e < G.start[r + 1]; e++) b[G.dof[e]] += lambda * G.G[r * nv + G.dof[e]]
      }
    },

    memory: held + contactMemory(u),

    saveForces(out, o) {
      for (let r = 0; r < equalities.count; r++) out[o + 1 + r] = spans[SOLVE] > 0 ? work.p.lambda[r] / spans[SOLVE] : 0
      if (equalities.count > 0) out[o] = eq.holding ? 1 : 0
      saveContacts(u, work.p.lambda, eq.count, out, o + held)
    },

    loadForces(from, o, clock) {
      spans[SOLVE] = clock[STEP]
      if (inside) restWays(inside, clock)
      for (let r = 0; r < equalities.count; r++) work.p.lambda[r] = clock[STEP] * from[o + 1 + r]
      const holding = equalities.count > 0 && from[o] === 1
      if (holding !== eq.holding) {
        eq.holding = holding
        holdEqualities(eq, eq.q, clock)
      }
      loadJam(u, from, o + held)
      // few rows are solved exactly from any start, and from none they share a load as evenly as they are placed
      if (rowCount(u) <= MANY) return
      loadContacts(u, from, o + held)
      bringForces(u, work.p.lambda, eq.count, clock)
    },

    addPulls: (W) => addPulls(W, m, equalities, work.p.lambda, spans, SOLVE),

    work(out, o, v, clock) {
      const { G, p } = work
      let sum = 0
      for (let r = 0; r < equalities.count; r++) sum += p.lambda[r] * equalities.target[r]
      out[o] = sum
      addPushes(u, out, o, p.lambda, eq.count, G.G, v, clock)
    },

    get relocated() {
      return eq.relocated
    },

    project(q, clock) {
      if (equalities.count === 0 || rate >= 0) return
      projectEqualities(eq, q, clock, work.Y, solved, inside?.closed ? inside.loops : undefined)
      trouble = eq.trouble
    },

    pulls() {
      const touch = eq.count + limits.count + rubbing.length
      return strongestPulls(m, equalities, limits, contacts, work.p.lambda, eq.count, touch, spans, SOLVE)
    },

    contacts() {
      const first = eq.count + limits.count + rubbing.length
      return Array.from({ length: contacts.count }, (_, k) => contactAt(contacts, u.blocks, k, work.p.lambda, first + 3 * k, spans[SOLVE]))
    },
  }

  /** Writes all rows found last, in reduced coordinates; equalities only where they are not taken into the elimination. */
  function reduceAll(overD = false): void {
    reserve(eq.count + rowCount(u))
    const { G } = work
    G.count = 0
    // rates that are held are in G only
    within = !overD && inside !== undefined && eq.count === equalities.count && goesInside(inside, linear, eq, rowCount(u))
    if (within) leaveRows(G, eq.count)
    else reduceEqualities(eq, G)
    appendRows(G, u)
  }

  /** Begins a solve; true where there are no rows. By itself: a long function that returns at once is compiled late, and boxes until then. */
  function isFree(clock: Vec): boolean {
    trouble = ''
    spans[SOLVE] = clock[STEP]
    return work.G.count === 0
  }

  /** x ← the constrained velocity, or, where v is given, its correction. */
  function solveRows(x: Vec, clock: Vec, v: Vec | undefined): boolean {
    if (within && inside) {
      const way = solveInside(inside, eq, u, work, linear, x, v, clock, spans, spans[GAP] > 0 ? GAP : SOLVE, holdRows)
      solved = way !== OVER_D
      if (way === STUCK) trouble = conflictAt(eq.count + work.free.report.worst)
      if (solved) return way === DONE
      if (isWeary(inside, eq)) trouble = wearyOf(eq, work.p.lambda)
      if (trouble !== '' || (linear.closed && !linear.open(x))) return false
      reduceAll(true)
    }
    const { G, Y, p } = work
    const n = G.count
    const h = clock[STEP]
    if (inside) inside.closed = false
    for (let r = 0; r < n; r++) work.columns[r].fill(0)
    if (!linear.solveColumns(work.columns, work.rows, n)) {
      trouble = linear.trouble
      return false
    }
    // an iteration starts from the forces of the last one
    if (v !== undefined) for (let r = 0; r < n; r++) work.lambda[r] = p.lambda[r]
    resetRows(p, n)
    if (v !== undefined) for (let r = eq.count; r < n; r++) p.lambda[r] = work.lambda[r]
    solved = true
    for (let r = 0; r < n; r++) {
      for (let s = 0; s <= r; s++) {
        p.D[r * n + s] = 0
        addRowDot(p.D, r * n + s, G, r, nv, Y, s * nv)
        p.D[s * n + r] = p.D[r * n + s]
      }
      addRowDot(p.r, r, G, r, nv, x, 0)
    }

    // what each row wants
    const first = eq.count
    if (v === undefined) {
      for (let r = 0; r < equalities.count; r++) p.r[r] -= equalities.target[r] - (rate > 0 ? rate * equalities.g[r] : 0)
    } else {
      for (let r = 0; r < first; r++) {
        if (r < equalities.count && equalities.byRate[r] === 0) {
          p.r[r] += equalities.g[r] / h
          continue
        }
        mismatch[0] = r < equalities.count ? -equalities.target[r] : 0
        addDot(mismatch, 0, G.G, r * nv, v, 0, nv)
        p.r[r] += mismatch[0]
      }
    }
    askRows(u, p, first, G.G, v, clock, spans, spans[GAP] > 0 ? GAP : SOLVE)

    factorEqualities(eq, p)
    const pushed = n === first || solveUnilateral(first, clock, v !== undefined)
    // a correction on the way may ask for more than the loops allow; only a whole step may not
    const equal = first === 0 || solveEqualities(eq, p) || v !== undefined
    if (!pushed) trouble = conflictAt(worst)
    else trouble = equal ? '' : eq.trouble
    if (!pushed || !equal) return false
    for (let r = 0; r < n; r++) {
      const lambda = p.lambda[r]
      if (lambda !== 0) for (let k = 0; k < nv; k++) x[k] += lambda * Y[r * nv + k]
    }
    return true
  }

  /** What row `worst` cannot hold together with, by name. Allocates. */
  function conflictAt(worst: number): string {
    return conflict(m, equalities, limits, contacts, work.p.lambda, eq.count, eq.count + limits.count + rubbing.length, worst)
  }

  /** Many rows on bodies that nothing else joins. */
  function isMany(): boolean {
    return equalities.count === 0 && work.G.count > MANY && linear.name === 'recursive'
  }

  /** As `solveRows`, of many rows. */
  function solveMany(x: Vec, clock: Vec, v: Vec | undefined): boolean {
    if (!fillHeap(heap, work.G, linear)) {
      trouble = linear.trouble
      return false
    }
    if (solveHeap(heap, u, work, x, v, clock, spans, spans[GAP] > 0 ? GAP : SOLVE)) return true
    trouble = conflictAt(work.p.report.worst)
    return false
  }

  /** λ of limits, friction and contacts, with the equalities taken out, and what that leaves these to do. */
  function solveUnilateral(first: number, clock: Vec, floors: boolean): boolean {
    const { p, free, W } = work
    const rows = first > 0 ? free : p
    if (first > 0) condense(free, p, first, eq.ldl, W)
    const held = holdRows(rows, clock, floors)
    if (first > 0) bringBack(p, first, free)
    worst = first + rows.report.worst
    return held
  }

  /** λ of these rows; an overlap that cannot open may stay, or grow, without the boundless forces that could not open it. */
  function holdRows(rows: Complementarity, clock: Vec, floors: boolean): boolean {
    const most = floors ? NEARLY : HELD
    let held = isHeld(rows, most)
    for (; !held && floors && letOverlap(u, rows, clock); held = isHeld(rows, most)) rows.lambda.fill(0, 0, rows.n)
    return held
  }

  /** λ of the rows alone; false where they miss what they ask for by more than a share. Where masses lie far apart pivoting finds the way. */
  function isHeld(rows: Complementarity, most: number): boolean {
    // a heap of bodies by sweeps alone: exact forces of hundreds of rows would cost ten times the step
    if (rows.n > HEAP) return coneGaussSeidel(work.cone.cone, rows, FAIR, SWEEPS).residual < most
    solveCone(work.cone, rows)
    if (isSolved(rows, most, STILL)) return true
    rows.lambda.fill(0, 0, rows.n)
    solvePivoting(work.pivot, rows)
    solveCone(work.cone, rows)
    return isSolved(rows, most, STILL)
  }
}
