/**
 * The active region at work: rigid groups that move by the joints between them, and what all joints would do if they were free.
 *
 * Lists of active nodes have parents before their parts, so that they go backwards from leaves to root.
 */
import { biasFree, stretchCurved } from '../../forces/joint-forces.kernel.js'
import { integrateBody } from '../../joints/integrate.kernel.js'
import { placeJoints } from '../../joints/place.kernel.js'
import { type Int, type Ints, type Lanes, negate, type Shared, sub } from '../../math/values/columns.js'
import {
  articulated,
  forceToParent,
  motionToChild,
  mulPose,
  mulRigid,
  REST,
  rotateForce,
  rotateMotion,
  rotateRigid,
  transpose,
} from '../../math/values/spatial.js'
import { BALL, FREE, type Tree, type Work } from '../../model/tables.js'
import { assemble, distribute, moveLeaf } from '../../tree/dca/dca.kernel.js'
import type { Parts } from '../../tree/dca/tables.js'
import { evaluate, moveParts } from './held.kernel.js'
import { assembleMetric, assembleMetricAtRest, loadParts, measure, weighted } from './metric.kernel.js'
import type { Groups, Held, JointTerms, Pulled } from './tables.js'

/** Reads q. Writes X_PB and S of the joints that move groups from … to − 1, and X_PB of the groups. @kernel */
export function placeGroups(m: Tree, d: Work, g: Groups, q: Lanes<number>, from: Int, to: Int): void {
  for (let n = from; n < to; n++) {
    const i = g.body[n]
    if (i > 0) placeJoints(m, d, q, i, i + 1)
    g.X_PB[n] = mulPose(g.offset[n], d.X_PB[i])
  }
}

/** v ← v + h[0] a of the joints that move groups. Writes 0 to `finite`, or NaN where an acceleration is not finite. @kernel */
export function accelerateGroups(
  m: Tree,
  g: Groups,
  v: Lanes<number>,
  a: Lanes<number>,
  h: Shared<number>,
  finite: Lanes<number>,
  from: Int,
  to: Int,
): void {
  let sum = 0
  for (let n = from; n < to; n++) {
    const i = g.body[n]
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      const x = a[k]
      sum = sum + (x - x)
      v[k] = v[k] + h[0] * a[k]
    }
  }
  finite[0] = sum
}

/** q ← q ⊕ h[0] v of the joints that move groups. @kernel */
export function integrateGroups(m: Tree, g: Groups, q: Lanes<number>, v: Lanes<number>, h: Shared<number>, from: Int, to: Int): void {
  for (let n = from; n < to; n++) {
    const i = g.body[n]
    if (i > 0) integrateBody(m, q, v, h[0], i)
  }
}

/**
 * Forces in the joints of body i: springs and dampers are taken at the end of a step h, linearly, which adds h d + h² k to the armature. Adds to tau,
 * which holds what comes from outside.
 */
function pullBody(m: Tree, j: JointTerms, q: Lanes<number>, v: Lanes<number>, h: number, i: Int): void {
  for (let s = m.firstStep[i]; s < m.stepEnd[i]; s++) {
    if (m.stepKind[s] >= BALL) stretchCurved(m, j.stretch, j.stiffness, j.rest, q, s)
    if (m.stepKind[s] === FREE) biasFree(m, j.tau, v, m.stepV[s])
  }
  for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
    const c = m.coordinate[k]
    const x = c < 0 ? j.stretch[k] : q[c] - j.rest[c]
    const stiffness = j.stiffness[k] + j.servo[k]
    j.tau[k] = j.tau[k] - (j.stiffness[k] * x + (j.damping[k] + h * stiffness) * v[k])
    j.armature[k] = m.armature[k] + h * (j.damping[k] + j.brake[k] + h * stiffness)
  }
}

/** Forces in the joints that move groups; h[0] is 0 for those of now. @kernel */
export function pullGroups(
  m: Tree,
  g: Groups,
  j: JointTerms,
  q: Lanes<number>,
  v: Lanes<number>,
  h: Shared<number>,
  from: Int,
  to: Int,
): void {
  for (let n = from; n < to; n++) {
    if (g.body[n] > 0) pullBody(m, j, q, v, h[0], g.body[n])
  }
}

/** Forces in the joints of the bodies from … to − 1, as they are now. @kernel */
export function pullBodies(m: Tree, j: JointTerms, q: Lanes<number>, v: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) pullBody(m, j, q, v, 0, i)
}

/** After a sweep over the groups: twists of their nodes, c of their joints, both in the frame of the body. @kernel */
export function twistGroups(d: Work, h: Held, g: Groups, from: Int, to: Int): void {
  for (let n = from; n < to; n++) {
    const back = transpose(g.X_WB[n].R)
    h.twist[g.node[n]] = rotateMotion(back, g.VW[n])
    d.c[g.body[n]] = rotateMotion(back, g.cW[n])
  }
  d.c[0] = REST
}

/** b, p and η of the fronts list[from … to − 1], but for loaded ones. @kernel */
export function evaluateFronts(m: Tree, a: Parts, h: Held, list: Ints, from: Int, to: Int): void {
  for (let l = from; l < to; l++) {
    if (h.loaded[list[l]] === 0) evaluate(m, a, h, list[l])
  }
}

/** Poses and velocities of bodies on which forces act, from those of their groups. @kernel */
export function placePulled(d: Work, g: Groups, b: Pulled, from: Int, to: Int): void {
  for (let l = from; l < to; l++) {
    const X = g.X_WB[b.row[l]]
    d.X_WB[b.at[l]] = mulPose(X, b.pose[l])
    d.V[b.at[l]] = motionToChild(b.pose[l], rotateMotion(transpose(X.R), g.VW[b.row[l]]))
  }
}

/** Forces on bodies act on their groups. Adds to pA of those. @kernel */
export function gatherPulled(d: Work, groups: Work, b: Pulled, from: Int, to: Int): void {
  for (let l = from; l < to; l++) {
    const row = b.row[l]
    groups.pA[row] = sub(groups.pA[row], rotateForce(groups.X_WB[row].R, forceToParent(b.pose[l], d.f[b.at[l]])))
  }
}

/** Joins the active nodes list[from … to − 1]. @kernel */
export function assembleRegion(m: Tree, d: Work, a: Parts, tau: Lanes<number>, list: Ints, from: Int, to: Int): void {
  for (let l = to - 1; l >= from; l--) assemble(m, d, a, tau, list[l])
}

/** Accelerations of the joints of active nodes, if all were free, and wrenches at the handles of their parts. @kernel */
export function distributeRegion(m: Tree, d: Work, a: Parts, out: Lanes<number>, list: Ints, from: Int, to: Int): void {
  for (let l = from; l < to; l++) distribute(m, d, a, out, list[l])
}

/** @kernel */
export function measureFronts(a: Parts, h: Held, list: Ints, from: Int, to: Int): void {
  for (let l = from; l < to; l++) measure(a, h, list[l])
}

/** Σ w x² of active nodes, from that of their parts. @kernel */
export function sumRegion(m: Tree, a: Parts, h: Held, x: Lanes<number>, list: Ints, from: Int, to: Int): void {
  for (let l = to - 1; l >= from; l--) {
    const n = list[l]
    const j = a.joint[n]
    const k = m.iv[j]
    h.metric[n] = h.metric[a.first[n]] + h.metric[a.second[n]] + weighted(m, h, j, x, k, x, k)
  }
}

/** A node whose joints were held, with its f: what its principal joint would do, and how much each part would. @kernel */
export function openNode(m: Tree, d: Work, a: Parts, h: Held, tau: Lanes<number>, out: Lanes<number>, n: Int): void {
  moveParts(a, h, n)
  d.c[a.joint[n]] = REST
  if (h.loaded[a.first[n]] === 0) evaluate(m, a, h, a.first[n])
  if (h.loaded[a.second[n]] === 0) evaluate(m, a, h, a.second[n])
  assemble(m, d, a, tau, n)
  distribute(m, d, a, out, n)
  measure(a, h, a.first[n])
  measure(a, h, a.second[n])
}

/** Twists of the parts of loaded nodes, parents first, and b, p and η of the parts that are not loaded. @kernel */
export function moveLoaded(m: Tree, a: Parts, h: Held, list: Ints, from: Int, to: Int): void {
  for (let l = from; l < to; l++) {
    const n = list[l]
    if (a.body[n] < 0) {
      moveParts(a, h, n)
      if (h.loaded[a.first[n]] === 0) evaluate(m, a, h, a.first[n])
      if (h.loaded[a.second[n]] === 0) evaluate(m, a, h, a.second[n])
    }
  }
}

/**
 * Nodes without their polynomials, parents first in the list: where forces act that are not constant in the frames of the bodies. Reads twists of
 * leaves and f. Writes b, p and η; Ψ too where `squares` is 1. @kernel
 */
export function assembleLoaded(
  m: Tree,
  d: Work,
  a: Parts,
  h: Held,
  tau: Lanes<number>,
  squares: Int,
  list: Ints,
  from: Int,
  to: Int,
): void {
  for (let l = to - 1; l >= from; l--) {
    const n = list[l]
    if (a.body[n] >= 0) moveLeaf(m, a, n, h.twist[n], d.f[a.body[n]])
    else {
      assemble(m, d, a, tau, n)
      loadParts(m, d, a, h, n)
      if (squares === 1) assembleMetric(m, a, h, n)
      assembleMetricAtRest(m, d, a, h, n)
    }
  }
}

/** Inertias and momenta of groups in motion, for `eliminateTree` and `accelerateTree` to find the velocities of the same momentum. @kernel */
export function loadMomenta(m: Tree, d: Work, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    const I = rotateRigid(d.X_WB[i].R, m.inertia[i])
    d.IA[i] = articulated(I)
    d.pA[i] = negate(mulRigid(I, d.VW[i]))
    d.cW[i] = REST
  }
}
