/**
 * Sparse direct solve over the maximal graph: articulated-body elimination with several handles (`handle-factor`), in an order that keeps
 * the fronts small (`handle-order`, `handle-plan`).
 *
 * Bodies are nodes of six velocities, rows of the stiff terms couple them. Where the factor of the reduced matrix A of a chain is dense,
 * this one has near-linear size on trees with springs between branches, and on chains tied end to end. Without such rows it is the
 * articulated-body method itself.
 */
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import type { LinearSolver } from '../matrix/linear-solvers.js'
import type { System } from '../matrix/system.js'
import { CHOICES, choosePlan, SAFE } from './choose-plan.js'
import { type Coupling, createCoupling, matchRows } from './coupling.js'
import {
  addBodyBlock,
  addCross,
  addFront,
  eliminateHinge,
  eliminatePanel,
  foldSlot,
  moveIndex,
  projectSlot,
  shiftSlot,
} from './handle-factor.js'
import type { PlanChoice } from './handle-graph.js'
import {
  ADD,
  BASE,
  BODY,
  COUPLE,
  FOLD,
  type HandlePlan,
  JOIN,
  JOINT,
  LIFT,
  MOVE,
  NEW,
  PANEL,
  PIVOT,
  RECORD,
  ROWS,
  SHIFT,
  UNIT,
} from './handle-plan.js'
import { type HandleFactor, shiftOf, sizeOfPivots, solveBackward, solveForward } from './handle-solve.js'
import { backwardFour, type Four, forwardFour } from './handle-solve-four.js'
import { eliminateRigid } from './loop-factor.js'
import { eliminateEnd, joinFront, liftSlot } from './part-factor.js'
import { addBodyPlane, addCrossPlane, atStart, eliminateHingePlane, PLANE, projectSlotPlane, SPACE, shiftSlotPlane } from './plane.js'
import { toPlane } from './plane-terms.js'
import { splitAxes } from './split-axes.js'
import { createWorldTerms, toWorld, type WorldTerms } from './world-terms.js'

export interface DirectSolver extends LinearSolver {
  /** of rows that hold exactly, times the root of their weight: what they are to be after a solve, and the forces that make them so, the other way round */
  readonly asked: Vec
  readonly pulled: Vec
  /** of each such row: 1 where it says nothing new */
  readonly spare: Uint8Array
  /** alike[0]: sin² of the angle below which such rows are too much alike to go by */
  readonly alike: Vec
  /** the symbolic structure, for `auto` and for people */
  plan(): HandlePlan
}

// scratch: rows across a base's axes, pivots among themselves, a way
const T = new Float64Array(36)
const C = new Float64Array(36)
const shift = new Float64Array(3)

interface Work extends HandleFactor {
  readonly coupling: Coupling
  readonly world: WorldTerms
  /** rows being eliminated */
  readonly g: Vec
  readonly spare: Uint8Array
  readonly alike: Vec
}

/** `choices`: the ways to take the mechanism apart that are tried. */
export function createDirect(s: System, choices: readonly PlanChoice[] = CHOICES): DirectSolver {
  const { model: m } = s
  let work: Work | undefined
  let safe = false
  let four: Four | undefined
  const rows = s.terms.stiffness.length
  const forces = { asked: new Float64Array(rows), pulled: new Float64Array(rows), spare: new Uint8Array(rows), alike: new Float64Array(1) }

  const current = (): Work => {
    if (work && matchRows(work.coupling, s)) return work
    const coupling = createCoupling(s, work?.coupling)
    work = makeWork(s, coupling, safe ? [SAFE] : choices, forces)
    return work
  }

  return {
    name: 'direct',
    iterations: 1,
    ...forces,
    plan: () => current().plan,

    prepare() {
      const w = current()
      gather(w)
      if (factor(s, w)) return true
      // bodies without mass may need their springs first, and the ground to hold on to
      if (safe || s.terms.count > s.rigid || (w.plan.choice.eager && !w.plan.choice.cut)) return false
      safe = true
      work = makeWork(s, w.coupling, [SAFE], forces)
      gather(work)
      return factor(s, work)
    },

    solve(x, b) {
      const w = work ?? current()
      solveForward(m, w, b)
      solveBackward(m, w, x)
      return isFinite(x)
    },

    measure(size, o, b) {
      const w = work ?? current()
      solveForward(m, w, b)
      sizeOfPivots(w, size, o)
    },
    finish(x) {
      solveBackward(m, work ?? current(), x)
    },

    solveColumns(x, b, count) {
      const w = work ?? current()
      if (count >= 4) {
        const fits = four && four.y.length >= 4 * w.y.length && four.z.length >= 4 * w.z.length
        if (!fits) four = { y: new Float64Array(4 * w.y.length), z: new Float64Array(4 * w.z.length) }
      }
      let o = 0
      for (; four && o + 4 <= count; o += 4) {
        forwardFour(m, w, four, b, o)
        backwardFour(m, w, four, x, o)
      }
      for (; o < count; o++) {
        solveForward(m, w, b[o])
        solveBackward(m, w, x[o])
      }
      for (o = 0; o < count; o++) if (!isFinite(x[o])) return false
      return true
    },
  }

  /** Everything that the plan reads. */
  function gather({ plan, coupling, world, origins }: Work): void {
    if (world.across >= 0) toPlane(s, plan, coupling, world, origins)
    else toWorld(s, plan, coupling, world, origins)
  }
}

/** False where a pivot has the wrong sign. Not inside `createDirect`: what is compiled for one simulation serves the next. */
function factor(s: System, { plan, coupling, world, Q, H, dinv, g, P, origins, spare, alike }: Work): boolean {
  const { ops, lists, handle } = plan
  const { S, M, J, root, joint, across } = world
  const flat = across >= 0
  const { terms, weight } = s
  for (let p = 0; p < ops.length; p += RECORD) {
    const base = ops[p + 1]
    const st = ops[p + 2]
    const w = ops[p + 4]
    const a = ops[p + 5]
    const b = ops[p + 6]
    const c = ops[p + 7]
    switch (ops[p]) {
      case NEW:
        if (b > 24) for (let i = a; i < a + b; i++) Q.fill(0, base + i * st, base + i * st + i + 1)
        else for (let i = a; i < a + b; i++) for (let j = base + i * st; j <= base + i * st + i; j++) Q[j] = 0
        break
      case BODY:
        if (flat) addBodyPlane(Q, base, st, a, M, 6 * b)
        else addBodyBlock(Q, base, st, a, M, 21 * b)
        break
      case ROWS: {
        const n = coupling.start[a + 1] - coupling.start[a]
        for (let r = coupling.first[a]; r < coupling.first[a] + coupling.live[a]; r++) {
          const e = handle * terms.start[r]
          for (let i = 1; i < n; i++) {
            for (let j = 0; j < i; j++) {
              const x = e + handle * i
              const y = e + handle * j
              if (flat) addCrossPlane(Q, base, st, lists[b + i], lists[b + j], J, x, y, weight, r)
              else addCross(Q, base, st, lists[b + i], lists[b + j], J, x, y, weight, r)
            }
          }
        }
        break
      }
      case COUPLE:
        for (let k = 0; k < coupling.live[c]; k++) {
          const r = coupling.first[c] + k
          addRow(Q, base, st, a + k, b, J, handle * (terms.start[r] + ops[p + 8]), handle, root, r)
        }
        break
      case UNIT:
        for (let i = a; i < a + b; i++) Q[base + i * st + i] -= 1
        break
      case BASE:
        addBase(s.model, Q, base, st, a, b, c, world, P)
        break
      case SHIFT:
        shiftOf(shift, origins, b, c, across)
        if (flat) shiftSlotPlane(Q, base, st, w, a, shift)
        else shiftSlot(Q, base, st, w, a, shift)
        break
      case JOINT: {
        if (c === 1 && ops[p + 9] < 0) {
          const kept = ops[p + 8]
          const good = flat
            ? eliminateHingePlane(Q, base, st, w, a, S, b, joint, H, kept, dinv, ops[p + 10])
            : eliminateHinge(Q, base, st, w, a, S, b, joint, H, kept, dinv, ops[p + 10])
          if (!good) return false
          break
        }
        if (flat) projectSlotPlane(Q, base, st, w, a, S, PLANE * b, c, g, 0)
        else projectSlot(Q, base, st, w, a, S, SPACE * b, c, g)
        const list = ops[p + 9]
        if (list >= 0) {
          for (let k = list + 1; k < list + 1 + 4 * lists[list]; k += 4) {
            const group = lists[k + 2]
            for (let r = 0; r < coupling.live[group]; r++) {
              const row = coupling.first[group] + r
              g[lists[k] * w + lists[k + 1] + r] += root[row] * J[handle * (terms.start[row] + lists[k + 3])]
            }
          }
        }
        // their own block: Sᵀ Q S and what acts in the joint
        for (let k = 0; k < c; k++) {
          for (let l = 0; l <= k; l++) {
            let sum = k === l ? joint[b + k] : 0
            for (let r = 0; r < handle; r++) sum += S[handle * (b + k) + r] * g[l * w + a + r]
            C[k * c + l] = sum
          }
        }
        if (!eliminatePanel(Q, base, st, w, c, g, C, -1, 1, H, ops[p + 8], dinv, ops[p + 10])) return false
        break
      }
      case PIVOT: {
        const n = ops[p + 9] < 0 ? b : coupling.live[ops[p + 9]]
        takeRows(Q, base, st, w, a, b, n, g, C)
        if (c < 0 && ops[p + 9] >= 0 && coupling.rigid[ops[p + 9]] === 1) {
          if (!eliminateRigid(Q, base, st, w, n, g, C, a, H, ops[p + 8], dinv, ops[p + 10], spare, coupling.first[ops[p + 9]], alike))
            return false
          break
        }
        if (!eliminatePanel(Q, base, st, w, n, g, C, a, c, H, ops[p + 8], dinv, ops[p + 10])) return false
        // rows that a group has no use for now
        for (let j = ops[p + 8] + n * w; j < ops[p + 8] + b * w; j++) H[j] = 0
        for (let k = n; k < b; k++) dinv[ops[p + 10] + k] = 0
        break
      }
      case FOLD:
        foldSlot(Q, base, st, w, a, b, handle)
        break
      case MOVE:
        for (let k = 0; k < c; k++) moveIndex(Q, base, st, w, a + k, b + k)
        break
      case ADD:
        addFront(Q, base, st, a, b, c, lists, ops[p + 8])
        break
      case LIFT: {
        const v = ops[p + 9]
        liftSlot(Q, base, st, w, a, ops[p + 8], S, 6 * b, c, v, g)
        if (ops[p + 10] === 1) for (let k = 0; k < c; k++) Q[base + (v + k) * (st + 1)] += joint[b + k]
        break
      }
      case JOIN:
        joinFront(Q, base, st, a, b, lists, c)
        break
      case PANEL:
        if (!eliminateEnd(Q, base, st, w, a, b, H, ops[p + 8], dinv, ops[p + 10])) return false
        break
    }
  }
  return true
}

/** A base held by forces instead of the ground: T V = 0, and its joint's terms on S⁺ V. */
function addBase(m: Model, Q: Vec, base: number, st: number, o: number, forces: number, i: number, world: WorldTerms, P: Vec): void {
  const { S, joint, handle } = world
  const nd = m.ivEnd[i] - m.iv[i]
  const at = handle * handle * i
  splitAxes(T, 0, P, at, S, handle * m.iv[i], nd, handle)
  for (let r = 0; r < handle - nd; r++) {
    for (let c = 0; c < handle; c++)
      Q[forces > o ? base + (forces + r) * st + o + c : base + (o + c) * st + forces + r] += T[handle * r + c]
  }
  for (let k = 0; k < nd; k++) {
    const p = at + handle * k
    const x = joint[m.iv[i] + k]
    if (x === 0) continue
    for (let r = 0; r < handle; r++) for (let c = 0; c <= r; c++) Q[base + (o + r) * st + o + c] += x * P[p + r] * P[p + c]
  }
}

function isFinite(x: Vec): boolean {
  for (let k = 0; k < x.length; k++) if (!(Math.abs(x[k]) < Number.POSITIVE_INFINITY)) return false
  return true
}

/** g ← rows a … a + n − 1 of the front, of their own slot of size b those behind them only; C ← what they have among themselves. */
function takeRows(Q: Vec, base: number, st: number, w: number, a: number, b: number, n: number, g: Vec, C: Vec): void {
  for (let k = 0; k < n; k++) {
    const row = base + (a + k) * st
    for (let j = 0; j < a; j++) g[k * w + j] = Q[row + j]
    for (let j = a; j < a + b; j++) g[k * w + j] = 0
    for (let l = k + 1; l < n; l++) g[k * w + a + l] = Q[row + (l - k) * st + a + k]
    for (let j = a + b; j < w; j++) g[k * w + j] = Q[base + j * st + a + k]
    for (let l = 0; l <= k; l++) C[k * n + l] = Q[row + a + l]
  }
}

/** Q(force, slot) += x[r] J: row r as a body sees it. */
function addRow(Q: Vec, base: number, st: number, force: number, o: number, J: Vec, e: number, n: number, x: Vec, r: number): void {
  const w = x[r]
  if (force > o) for (let c = 0; c < n; c++) Q[base + force * st + o + c] += w * J[e + c]
  else for (let c = 0; c < n; c++) Q[base + (o + c) * st + force] += w * J[e + c]
}

function makeWork(
  s: System,
  coupling: Coupling,
  choices: readonly PlanChoice[],
  forces: Pick<Work, 'asked' | 'pulled' | 'spare' | 'alike'>,
): Work {
  const across = s.terms.still
  const plan = choosePlan(s, coupling, choices, atStart(s.model).X_WB, across < 0 ? SPACE : PLANE)
  const { handle } = plan
  const world = createWorldTerms(s, handle === PLANE ? across : -1)
  return {
    ...forces,
    coupling,
    first: coupling.first,
    rigid: coupling.rigid,
    world,
    plan,
    Q: new Float64Array(plan.space),
    y: new Float64Array(plan.vectors),
    H: new Float64Array(plan.kept),
    dinv: new Float64Array(plan.pivots),
    z: new Float64Array(plan.pivots),
    g: new Float64Array(6 * plan.widest),
    S: world.S,
    across: world.across,
    origins: new Float64Array(3 * s.model.nbody),
    P: new Float64Array(plan.choice.cut ? handle * handle * s.model.nbody : 0),
  }
}
