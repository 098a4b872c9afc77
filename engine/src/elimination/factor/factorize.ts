/**
 * The numeric phase: carries out the operations of a plan on the fronts' matrices.
 */

import { PLANE } from '../coupled-tree.js'
import {
  ADD,
  AT,
  BASE,
  BODY,
  COUPLE,
  FOLD,
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
} from '../plan/operations.js'
import { eliminateRigid } from './exact-rows.js'
import { type Factor, shiftOf } from './factor.js'
import { addBodyBlock, addCross, addFront, eliminateHinge, eliminatePanel, foldSlot, moveSlot, projectSlot, shiftSlot } from './front.js'
import { eliminateEnd, joinFront, liftSlot } from './panel.js'
import { addBodyPlane, addCrossPlane, eliminateHingePlane, projectSlotPlane, shiftSlotPlane } from './planar-front.js'
import { toPlane } from './planar-terms.js'
import { splitAxes } from './split-axes.js'
import { toWorld } from './world-terms.js'

// scratch: rows across a base's axes, a way
const T = new Float64Array(36)
const way = new Float64Array(3)

/** Factors the tree as it is. False where a pivot has the wrong sign, or exact rows are too much alike. */
export function factorize(f: Factor): boolean {
  const { tree, plan, coupling, world } = f
  const { ops } = plan
  const flat = plan.handle === PLANE
  if (flat) toPlane(tree, plan, coupling, world)
  else toWorld(tree, plan, coupling, world)
  for (let p = 0; p < ops.length; p += RECORD) {
    switch (ops[p]) {
      case NEW:
        clearSlot(f, p)
        break
      case BODY:
        if (flat) addBodyPlane(f, p)
        else addBodyBlock(f, p)
        break
      case ROWS:
        addRows(f, p, flat)
        break
      case COUPLE:
        couple(f, p)
        break
      case UNIT:
        subtractUnit(f, p)
        break
      case BASE:
        holdBase(f, p)
        break
      case SHIFT:
        shiftOf(way, world, ops[p + AT.oldAnchor], ops[p + AT.newAnchor])
        if (flat) shiftSlotPlane(f, p, way)
        else shiftSlot(f, p, way)
        break
      case JOINT:
        if (ops[p + AT.count] > 1 || ops[p + AT.list] >= 0) {
          if (!eliminateJoint(f, p, flat)) return false
        } else if (!(flat ? eliminateHingePlane(f, p) : eliminateHinge(f, p))) return false
        break
      case PIVOT:
        if (!eliminatePivots(f, p)) return false
        break
      case FOLD:
        foldSlot(f, p)
        break
      case MOVE:
        moveSlot(f, p)
        break
      case ADD:
        addFront(f, p)
        break
      case LIFT:
        liftSlot(f, p)
        if (ops[p + AT.fresh] === 1) addToJoint(f, p)
        break
      case JOIN:
        joinFront(f, p)
        break
      case PANEL:
        if (!eliminateEnd(f, p)) return false
        break
    }
  }
  return true
}

/** NEW: a slot behind all others, with its rows. */
function clearSlot({ Q, plan: { ops } }: Factor, p: number): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const slot = ops[p + AT.slot]
  const end = slot + ops[p + AT.count]
  // long runs by `fill`, short ones without the call
  if (end - slot > 24) for (let i = slot; i < end; i++) Q.fill(0, base + i * st, base + i * st + i + 1)
  else for (let i = slot; i < end; i++) for (let j = base + i * st; j <= base + i * st + i; j++) Q[j] = 0
}

/** ROWS: what the rows of a group couple between their bodies; each body's own share is in its inertia. */
function addRows(f: Factor, p: number, flat: boolean): void {
  const { ops, lists, handle } = f.plan
  const { start, first, live } = f.coupling
  const { terms } = f.tree
  const group = ops[p + AT.group]
  const list = ops[p + AT.list]
  const n = start[group + 1] - start[group]
  for (let r = first[group]; r < first[group] + live[group]; r++) {
    const e = handle * terms.start[r]
    for (let i = 1; i < n; i++) {
      for (let j = 0; j < i; j++) {
        if (flat) addCrossPlane(f, p, lists[list + i], lists[list + j], e + handle * i, e + handle * j, r)
        else addCross(f, p, lists[list + i], lists[list + j], e + handle * i, e + handle * j, r)
      }
    }
  }
}

/** COUPLE: Q(forces, slot) += √w J for each row of a group, as one of its bodies sees it. */
function couple({ Q, tree, plan, coupling, world }: Factor, p: number): void {
  const { ops, handle } = plan
  const { J, root } = world
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const slot = ops[p + AT.slot]
  const group = ops[p + AT.group]
  const entry = ops[p + AT.entry]
  const forces = ops[p + AT.forces]
  for (let k = 0; k < coupling.live[group]; k++) {
    const r = coupling.first[group] + k
    const w = root[r]
    const e = handle * (tree.terms.start[r] + entry)
    const force = forces + k
    if (force > slot) for (let c = 0; c < handle; c++) Q[base + force * st + slot + c] += w * J[e + c]
    else for (let c = 0; c < handle; c++) Q[base + (slot + c) * st + force] += w * J[e + c]
  }
}

/** UNIT: forces φ = √w R y of rows R, as the equations √w R y − φ = 0. */
function subtractUnit({ Q, plan: { ops } }: Factor, p: number): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const slot = ops[p + AT.slot]
  const end = slot + ops[p + AT.count]
  for (let i = slot; i < end; i++) Q[base + i * st + i] -= 1
}

/** BASE: held by forces instead of the ground, T V = 0, and its joint's terms on S⁺ V. Writes S⁺. */
function holdBase({ Q, P, tree: { model: m }, plan: { ops }, world }: Factor, p: number): void {
  const { S, joint, handle } = world
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const o = ops[p + AT.slot]
  const forces = ops[p + AT.forces]
  const i = ops[p + AT.body]
  const nd = m.ivEnd[i] - m.iv[i]
  const at = handle * handle * i
  splitAxes(T, 0, P, at, S, handle * m.iv[i], nd, handle)
  for (let r = 0; r < handle - nd; r++) {
    for (let c = 0; c < handle; c++)
      Q[forces > o ? base + (forces + r) * st + o + c : base + (o + c) * st + forces + r] += T[handle * r + c]
  }
  for (let k = 0; k < nd; k++) {
    const row = at + handle * k
    const x = joint[m.iv[i] + k]
    if (x === 0) continue
    for (let r = 0; r < handle; r++) for (let c = 0; c <= r; c++) Q[base + (o + r) * st + o + c] += x * P[row + r] * P[row + c]
  }
}

/** JOINT with several velocities, or with rows that act on them. */
function eliminateJoint(f: Factor, p: number, flat: boolean): boolean {
  const { Q, g, own, coupling, tree } = f
  const { ops, lists, handle } = f.plan
  const { S, J, root, joint } = f.world
  const w = ops[p + AT.width]
  const slot = ops[p + AT.slot]
  const nd = ops[p + AT.count]
  const dof = ops[p + AT.dof]
  const list = ops[p + AT.list]
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  if (flat) projectSlotPlane(Q, base, st, w, slot, S, handle * dof, nd, g, 0)
  else projectSlot(Q, base, st, w, slot, S, handle * dof, nd, g, 0)
  if (list >= 0) {
    for (let e = list + 1; e < list + 1 + 4 * lists[list]; e += 4) {
      const group = lists[e + 2]
      for (let r = 0; r < coupling.live[group]; r++) {
        const row = coupling.first[group] + r
        g[lists[e] * w + lists[e + 1] + r] += root[row] * J[handle * (tree.terms.start[row] + lists[e + 3])]
      }
    }
  }
  // their own block: Sᵀ Q S and what acts in the joint
  for (let k = 0; k < nd; k++) {
    for (let l = 0; l <= k; l++) {
      let sum = k === l ? joint[dof + k] : 0
      for (let r = 0; r < handle; r++) sum += S[handle * (dof + k) + r] * g[l * w + slot + r]
      own[k * nd + l] = sum
    }
  }
  return eliminatePanel(f, p, nd, -1, 1)
}

/** PIVOT: forces of a group's rows, those that it has, or a handle or forces of a base (group −1). */
function eliminatePivots(f: Factor, p: number): boolean {
  const { H, dinv, coupling } = f
  const { ops } = f.plan
  const w = ops[p + AT.width]
  const slot = ops[p + AT.slot]
  const count = ops[p + AT.count]
  const group = ops[p + AT.group]
  const n = group < 0 ? count : coupling.live[group]
  takeRows(f, p, n)
  if (group >= 0 && coupling.rigid[group] === 1) return eliminateRigid(f, p, n, slot, coupling.first[group])
  if (!eliminatePanel(f, p, n, slot, ops[p + AT.sign])) return false
  // rows that a group does not have at the moment
  const kept = ops[p + AT.kept]
  const pivot = ops[p + AT.pivot]
  for (let j = kept + n * w; j < kept + count * w; j++) H[j] = 0
  for (let k = n; k < count; k++) dinv[pivot + k] = 0
  return true
}

/** g ← the first n rows of the slot, of the slot itself those behind them only; own ← what they have among themselves. */
function takeRows({ Q, g, own, plan: { ops } }: Factor, p: number, n: number): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const a = ops[p + AT.slot]
  const end = a + ops[p + AT.count]
  for (let k = 0; k < n; k++) {
    const row = base + (a + k) * st
    for (let j = 0; j < a; j++) g[k * w + j] = Q[row + j]
    for (let j = a; j < end; j++) g[k * w + j] = 0
    for (let l = k + 1; l < n; l++) g[k * w + a + l] = Q[row + (l - k) * st + a + k]
    for (let j = end; j < w; j++) g[k * w + j] = Q[base + j * st + a + k]
    for (let l = 0; l <= k; l++) own[k * n + l] = Q[row + a + l]
  }
}

/** What acts in a joint, where its velocities come into a front by LIFT. */
function addToJoint({ Q, world: { joint }, plan: { ops } }: Factor, p: number): void {
  const dof = ops[p + AT.dof]
  const rate = ops[p + AT.rate]
  for (let k = 0; k < ops[p + AT.count]; k++) Q[ops[p + AT.matrix] + (rate + k) * (ops[p + AT.stride] + 1)] += joint[dof + k]
}
