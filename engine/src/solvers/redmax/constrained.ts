/**
 * Constraints of a step: loop closures, couplings and prescribed motion as equalities, joint limits and contact as inequalities with
 * friction cones (note 10 sections 7 and 8), dry friction in joints as rows of bounded force, all on the step's own matrix A.
 *
 *   v = x + Y λ,  x = A⁻¹ b,  Y = A⁻¹ Gᵀ,   w = G v + c = D λ + r,  D = G Y,  r = G x + c
 *   equality: w = 0, c = −target;   limit or contact with gap s: w ≥ 0 ⊥ λ ≥ 0, c = s/h;   friction: |λ_t| ≤ μ λ_n
 *   dry friction f in a joint: w = v, |λ| ≤ h f, and w ≠ 0 only at a bound
 * A gap that is already passed is opened by a share of itself a step, so that a deep overlap does not become a blow. Equalities are
 * projected afterwards on the positions, with the same Y: dq = −Y D⁻¹ g, so that they do not drift; velocities are left alone. Or, as in
 * the authors' code, a gap closes at a rate of its own instead: c = −target + rate g.
 */

import { createPoseCloser } from '../../constraints/close-pose.js'
import { createContacts, reserveContacts } from '../../constraints/contact/contacts.js'
import { findContacts } from '../../constraints/contact/find-contacts.js'
import { contactAt, contactRows, createContactRows, reserveContactRows } from '../../constraints/contact/rows.js'
import { createLimitRows, pushing, updateLimitRows } from '../../constraints/limits.js'
import { addBlock, addVelocity, beginRow, finishRow, reduceRows } from '../../constraints/reduce.js'
import { createRows, updateRows } from '../../constraints/rows.js'
import { integrate } from '../../joints/index.js'
import { solveCone } from '../../linalg/cone-newton.js'
import { resetRows } from '../../linalg/lcp.js'
import { contradiction, factorPivoted, solvePivoted } from '../../linalg/pivoted-ldl.js'
import type { Vec } from '../../math/types.js'
import { CONSTRAINT_COUPLING } from '../../model/constraints.js'
import type { Contact } from '../../model/contact.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { updatePoses } from '../../tree/kinematics.js'
import type { Linear } from './auto.js'
import { addDot, addPulls, makeWork, STEP, takeBack } from './constraint-work.js'

export interface Constrained {
  /** rows in use */
  readonly rows: number
  /** names of equalities that say nothing new, found in the last step */
  readonly redundant: readonly string[]
  /** empty, or why the last step could not be constrained */
  readonly trouble: string
  /**
   * Finds the rows at the kinematics of data and the time of the clock, whose step h is that in which a gap may close. `ahead`: the pose is
   * where h v would lead, and gaps are those before that.
   */
  collect(q: Vec, v: Vec, clock: Vec, ahead?: boolean): void
  /** true where a limit or a contact pushed in the last step */
  readonly pushes: boolean
  /** x ← the constrained velocity; the linear solver must be prepared. */
  apply(x: Vec, clock: Vec): boolean
  /** Equalities anew at the kinematics of data; limits and contacts stay as they were found. */
  update(q: Vec, clock: Vec): void
  /**
   * x ← the constrained correction of the velocity v: equalities are to close, limits, friction and contacts to hold, in the step of the
   * clock that goes on with v + x.
   */
  correct(x: Vec, v: Vec, clock: Vec): boolean
  /** b += Gᵀ λ, the impulses of the last solve */
  addImpulses(b: Vec): void
  /** number of equalities */
  readonly equalities: number
  /** Forces of the equalities, N or N m: written to out[o …], or taken from there as those of the last solve. */
  saveForces(out: Vec, o: number): void
  loadForces(from: Vec, o: number, clock: Vec): void
  /** W −= F (x;1)ᵀ: how the equalities pull at points of bodies, in body axes (12 a body: 3 × 3 row by row, force) */
  addPulls(W: Vec): void
  /** out[o] ← work of prescribed motions, limits and contacts that the last solve put in, in a step with velocity v */
  work(out: Vec, o: number, v: Vec): void
  /** Moves q back onto the equalities; uses data for the poses. */
  project(q: Vec, clock: Vec): void
  /** Contacts of the last step, with their forces. Allocates. */
  contacts(): Contact[]
}

// of a passed gap, a step
const PUSH = 0.2
// m/s or rad/s: a deep overlap opens no faster, or short steps would shoot bodies apart
const FASTEST = 1
// projections stop at this residual, metres or radians, or after so many rounds
const CLOSED = 1e-11
const ROUNDS = 6
// sin² of the angle below which two rows are the same
const LEAST_ALIKE = 1e-12
const MOST_ALIKE = 1e-4
// of the terms of a redundant row, and in m/s or rad/s: rates that differ by more contradict, by less they are a loop that is a little open
const CONTRARY = 0.1
const SLOW = 1e-3
/** contacts closer than this, in metres, are rows */
const MARGIN = 0.01
const FIRST_CONTACTS = 32
const ONE = Float64Array.of(1)
// places in `spans`
const GAP = 0
const SOLVE = 1

/** `rate`: how fast a gap of an equality closes, 1/s, in place of the projection; negative: project. */
export function createConstrained(m: Model, d: Data, linear: Linear, contact: boolean, rate: number): Constrained | undefined {
  const { nv } = m
  const equalities = createRows(m)
  const limits = createLimitRows(m)
  const geometry = m.contact
  const contacts = createContacts(geometry)
  const blocks = createContactRows(contacts)
  const closer = createPoseCloser(m, d)
  const start = new Float64Array(m.nq)
  const touching = contact && geometry.count > 1
  const rubbing = Int32Array.from(m.friction.keys()).filter((k) => m.friction[k] > 0)
  const most = equalities.count + limits.g.length + rubbing.length
  if (most === 0 && !touching) return undefined

  const mismatch = new Float64Array(1)
  const alike = new Float64Array(1)
  // the step in which gaps close, and that of the last solve: λ is force × span. In an array: a number that closures share is boxed
  const spans = new Float64Array(2)
  let capacity = most + (touching ? 3 * FIRST_CONTACTS : 0)
  let work = makeWork(m, capacity)
  let redundant: string[] = []
  let trouble = ''

  /** Contacts beyond the first ones: more room, which allocates, and only then. */
  const reserve = (rows: number): void => {
    if (rows <= capacity) return
    capacity = Math.max(rows, 2 * capacity)
    work = makeWork(m, capacity)
  }

  return {
    get rows() {
      return work.G.count
    },
    get redundant() {
      return redundant
    },
    get trouble() {
      return trouble
    },

    get pushes() {
      const { lambda } = work.p
      const first = equalities.count
      const touch = first + limits.count + rubbing.length
      if (work.G.count === 0) return false
      for (let r = first; r < first + limits.count; r++) if (lambda[r] > 0) return true
      for (let k = 0; k < contacts.count; k++) if (lambda[touch + 3 * k] > 0) return true
      return false
    },

    collect(q, v, clock, ahead = false) {
      spans[GAP] = clock[STEP]
      updateRows(equalities, m, d, q, clock)
      limits.reach[0] = 0.1
      limits.reach[1] = 2 * clock[STEP]
      updateLimitRows(limits, m, d, q, v)
      contacts.count = 0
      if (touching) findContacts(contacts, geometry, d.X_WB, MARGIN)
      if (contacts.overflow > 0) {
        // more than ever before: more room, which allocates, and only then
        reserveContacts(contacts, 2 * (contacts.capacity + contacts.overflow))
        reserveContactRows(blocks, contacts)
        findContacts(contacts, geometry, d.X_WB, MARGIN)
      }
      reserve(equalities.count + limits.count + rubbing.length + 3 * contacts.count)
      const { G } = work
      G.count = 0
      reduceRows(G, equalities, m, d)
      reduceRows(G, limits, m, d)
      for (let e = 0; e < rubbing.length; e++) {
        beginRow(G, m)
        addVelocity(G, m, rubbing[e], ONE, 0)
        finishRow(G, m, d)
      }
      if (contacts.count > 0) {
        contactRows(blocks, contacts, d.X_WB)
        for (let k = 0; k < contacts.count; k++) {
          for (let r = 0; r < 3; r++) {
            beginRow(G, m)
            addBlock(G, contacts.bodyA[k], blocks.rowA, 18 * k + 6 * r)
            addBlock(G, contacts.bodyB[k], blocks.rowB, 18 * k + 6 * r)
            finishRow(G, m, d)
          }
        }
      }
      // limits are given as C v ≤ gap/h: their rows turn round, so that λ ≥ 0 opens the gap
      for (let r = equalities.count; r < equalities.count + limits.count; r++) {
        for (let k = 0; k < nv; k++) G.G[r * nv + k] = -G.G[r * nv + k]
      }
      if (!ahead) return
      for (let r = 0; r < limits.count; r++) takeBack(limits.g, r, G.G, (equalities.count + r) * nv, v, nv, clock)
      const touch = equalities.count + limits.count + rubbing.length
      for (let k = 0; k < contacts.count; k++) takeBack(contacts.gap, k, G.G, (touch + 3 * k) * nv, v, nv, clock)
    },

    update(q, clock) {
      const { G } = work
      const all = G.count
      updateRows(equalities, m, d, q, clock)
      G.count = 0
      reduceRows(G, equalities, m, d)
      G.count = all
    },

    apply: (x, clock) => solveRows(x, clock, undefined),

    correct(x, v, clock) {
      spans[GAP] = clock[STEP]
      return solveRows(x, clock, v)
    },

    addImpulses(b) {
      const { G, p } = work
      for (let r = 0; r < G.count; r++) {
        const lambda = p.lambda[r]
        if (lambda !== 0) for (let k = 0; k < nv; k++) b[k] += lambda * G.G[r * nv + k]
      }
    },

    equalities: equalities.count,

    saveForces(out, o) {
      for (let r = 0; r < equalities.count; r++) out[o + r] = spans[SOLVE] > 0 ? work.p.lambda[r] / spans[SOLVE] : 0
    },

    loadForces(from, o, clock) {
      spans[SOLVE] = clock[STEP]
      for (let r = 0; r < equalities.count; r++) work.p.lambda[r] = clock[STEP] * from[o + r]
    },

    addPulls: (W) => addPulls(W, m, equalities, work.p.lambda, spans, SOLVE),

    work(out, o, v) {
      const { G, p } = work
      let sum = 0
      for (let r = 0; r < equalities.count; r++) sum += p.lambda[r] * equalities.target[r]
      for (let r = equalities.count; r < G.count; r++) {
        let speed = 0
        for (let k = 0; k < nv; k++) speed += G.G[r * nv + k] * v[k]
        sum += Math.max(0, p.lambda[r] * speed)
      }
      out[o] = sum
    },

    project(q, clock) {
      const n = equalities.count
      if (n === 0 || rate >= 0) return
      const { Y, ldl, lambda, move, p } = work
      start.set(q)
      for (let round = 0; round <= ROUNDS; round++) {
        updatePoses(m, d, q)
        updateRows(equalities, m, d, q, clock)
        let residual = 0
        for (let r = 0; r < n; r++) residual = Math.max(residual, Math.abs(equalities.g[r]))
        if (residual < CLOSED) return
        if (round === ROUNDS) break
        for (let r = 0; r < n; r++) p.r[r] = -equalities.g[r]
        solvePivoted(ldl, lambda, 0, p.r, 0)
        move.fill(0)
        for (let r = 0; r < n; r++) for (let k = 0; k < nv; k++) move[k] += lambda[r] * Y[r * nv + k]
        integrate(m, q, move, 1)
      }
      // near a singular pose Y of the step's start no longer points back
      q.set(start)
      closer.close(q, clock)
      trouble = closer.trouble
    },

    contacts() {
      const first = equalities.count + limits.count + rubbing.length
      return Array.from({ length: contacts.count }, (_, k) => contactAt(contacts, blocks, k, work.p.lambda, first + 3 * k, spans[SOLVE]))
    },
  }

  /** x ← the constrained velocity, or, where v is given, its correction. */
  function solveRows(x: Vec, clock: Vec, v: Vec | undefined): boolean {
    const { G, Y, p } = work
    const n = G.count
    const h = clock[STEP]
    trouble = ''
    spans[SOLVE] = h
    if (n === 0) return true
    for (let r = 0; r < n; r++) work.columns[r].fill(0)
    if (!linear.solveColumns(work.columns, work.rows, n)) {
      trouble = linear.trouble
      return false
    }
    resetRows(p, n)
    for (let r = 0; r < n; r++) {
      for (let s = 0; s <= r; s++) {
        p.D[r * n + s] = 0
        addDot(p.D, r * n + s, G.G, r * nv, Y, s * nv, nv)
        p.D[s * n + r] = p.D[r * n + s]
      }
      addDot(p.r, r, G.G, r * nv, x, 0, nv)
    }

    // what each row wants
    const first = equalities.count
    if (v === undefined) {
      for (let r = 0; r < first; r++) p.r[r] -= equalities.target[r] - (rate > 0 ? rate * equalities.g[r] : 0)
    } else {
      for (let r = 0; r < first; r++) {
        if (equalities.byRate[r] === 0) {
          p.r[r] += equalities.g[r] / h
          continue
        }
        mismatch[0] = -equalities.target[r]
        addDot(mismatch, 0, G.G, r * nv, v, 0, nv)
        p.r[r] += mismatch[0]
      }
      for (let r = first; r < n; r++) addDot(p.r, r, G.G, r * nv, v, 0, nv)
    }
    for (let r = 0; r < limits.count; r++) {
      addOpening(p.r, first + r, limits.g, r)
      p.lo[first + r] = 0
    }
    const dry = first + limits.count
    for (let e = 0; e < rubbing.length; e++) {
      p.hi[dry + e] = h * m.friction[rubbing[e]]
      p.lo[dry + e] = -p.hi[dry + e]
    }
    const touch = dry + rubbing.length
    for (let k = 0; k < contacts.count; k++) {
      const r = touch + 3 * k
      addOpening(p.r, r, contacts.gap, k)
      p.lo[r] = 0
      for (let s = 1; s < 3; s++) {
        p.normal[r + s] = r
        p.mu[r + s] = contacts.friction[k]
      }
    }

    if (n === first) {
      // a correction on the way may ask for more than the loops allow; only a whole step may not
      if (!solveEqualities(n) && v === undefined) return false
      trouble = ''
    } else {
      factorEqualities()
      const report = solveCone(work.cone, p)
      if (!(report.residual < 1e-3)) {
        trouble = `${pushing(m, equalities, limits, p.lambda, contacts.count)} cannot hold together; widen a limit, remove a constraint, or slow a motion down`
        return false
      }
    }
    for (let r = 0; r < n; r++) {
      const lambda = p.lambda[r]
      if (lambda !== 0) for (let k = 0; k < nv; k++) x[k] += lambda * Y[r * nv + k]
    }
    return true
  }

  /** λ = −D⁻¹ r with redundant rows left out. */
  function solveEqualities(n: number): boolean {
    const { p, block, ldl } = work
    factorEqualities()
    for (let r = 0; r < n; r++) p.r[r] = -p.r[r]
    solvePivoted(ldl, p.lambda, 0, p.r, 0)
    if (ldl.rank === n) return true
    const worst = contradiction(ldl, block, 0, p.lambda, 0, p.r, 0, mismatch)
    // rows of a loop depend on each other only where it is closed; those of joints do everywhere
    if (worst < 0 || m.constraints.kind[equalities.source[worst]] < CONSTRAINT_COUPLING) return true
    if (mismatch[0] < CONTRARY || Math.abs(p.r[worst]) < SLOW) return true
    trouble = `constraint '${m.constraints.names[equalities.source[worst]]}' asks for a rate that the others do not allow; remove one of them`
    return false
  }

  /** Factor of the equalities' block, kept for the projection. */
  function factorEqualities(): void {
    const { p, block, ldl } = work
    const n = equalities.count
    if (n === 0) return
    for (let r = 0; r < n; r++) for (let s = 0; s < n; s++) block[r * n + s] = p.D[r * p.n + s]
    // an open loop turns its rows by about as much as it is open: what differs by less is the same
    let open = 0
    for (let r = 0; r < n; r++) open = Math.max(open, Math.abs(equalities.g[r]))
    alike[0] = Math.min(MOST_ALIKE, Math.max(LEAST_ALIKE, 1e4 * open * open))
    const rank = factorPivoted(ldl, block, 0, n, alike)
    if (redundant.length !== n - rank) nameRedundant(n)
  }

  function nameRedundant(n: number): void {
    const { rank, order } = work.ldl
    redundant = Array.from({ length: n - rank }, (_, k) => m.constraints.names[equalities.source[order[rank + k]]])
  }

  /** out[o] += the rate at which the gap s[i] may close, or is to open */
  function addOpening(out: Vec, o: number, s: Vec, i: number): void {
    out[o] += Math.max((s[i] > 0 ? s[i] : PUSH * s[i]) / spans[spans[GAP] > 0 ? GAP : SOLVE], -FASTEST)
  }
}
