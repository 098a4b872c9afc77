/**
 * Gradient and Newton direction of a step on the tree, in one pass to the root and one back (`euler/newton-factor` has the recursions):
 *
 *   F = (axial(W3); w) + Σ children,  gradient = Sᵀ F + joint
 *   B = inertia · I + curved · curvature(W) + clips · K + bodies + Σ children
 *   U = B S + curved · κ,  D = Sᵀ B S + inertia · armature + joints,  B(p) += B − U D⁻¹ Uᵀ, shifted
 * along the axes of the world at the origins of the bodies, so that nothing turns on its way to the parent.
 * Turns and slides in sequence go one by one, as bodies without mass would: Sᵀ κ is then the curvature between them. A body with a ball or a free
 * joint is eliminated as a block, L Lᵀ = Sᵀ B S + own, since its axes have no curvature among them.
 * Weights differ from lane to lane: one lane may take the exact matrix while another clips.
 */
import { forBody, type Velocities } from '../../../joints/place.kernel.js'
import { add, type Int, scale, sub } from '../../../math/values/columns.js'
import {
  type Articulated,
  articulated,
  crossForce,
  type Force,
  type Motion,
  mulArticulated,
  NO_FORCE,
  outer,
  power,
  REST,
  rotateMotion,
  rotateRigid,
  shiftForce,
  shiftInertia,
  shiftMotion,
  tensor,
  type Vec3,
} from '../../../math/values/spatial.js'
import type { Tree, Work } from '../../../model/tables.js'
import { axial, betweenVelocities, curvature, turning } from '../euler/newton-factor.kernel.js'
import { clippedPart } from './clip.kernel.js'
import type { Trajectories, TrajectoryStep } from './tables.js'

const LARGEST = 1 / 0

/** From the origin of body p to that of body i. */
const lever = (d: Work, i: Int, p: Int): Vec3 => sub(d.X_WB[i].p, d.X_WB[p].p)

/** What of body i its parent gets, so far. */
type Sum = { readonly B: Articulated; readonly p: Force }

/** Positive part of the curvature of each link, from the gradients summed over what it carries. */
function clipLinks(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep): void {
  for (let i = m.nbody - 1; i > 0; i--) {
    let total = s.W[i]
    for (let e = g.childStart[i]; e < g.childStart[i + 1]; e++) {
      const b = g.child[e]
      const { w } = s.total[b]
      total = add(total, { W3: tensor(w, lever(d, b, i)), w })
    }
    s.total[i] = total
    s.K[i] = clippedPart(turning(total.W3), g.rounding[0])
  }
}

/** Gradient wrench of the subtree of body i. */
function gatherGradient(g: Trajectories, s: TrajectoryStep, i: Int): Force {
  const { W3, w } = s.W[i]
  let F: Force = { n: axial(W3), f: w }
  for (let e = g.childStart[i]; e < g.childStart[i + 1]; e++) F = add(F, s.upGradient[g.child[e]])
  return F
}

/** Matrix and right side of the subtree of body i. */
function gather(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, i: Int, clips: Int, blocks: Int): Sum {
  const weight = s.weight[0]
  let B = articulated(rotateRigid(d.X_WB[i].R, scale(weight.inertia, m.inertia[i])))
  B = add(B, scale(weight.curved, curvature(s.W[i])))
  if (clips === 1) B = { A: add(B.A, scale(weight.clips, s.K[i])), B: B.B, C: B.C }
  if (blocks === 1) B = add(B, s.bodies[i])
  let p = NO_FORCE
  for (let e = g.childStart[i]; e < g.childStart[i + 1]; e++) {
    const b = g.child[e]
    B = add(B, s.up[b])
    p = add(p, s.upForce[b])
  }
  return { B, p }
}

function eliminate(m: Tree, d: Work, s: TrajectoryStep, i: Int, F: Force, start: Sum, least: number, velocities: Velocities): void {
  const weight = s.weight[0]
  const { R } = d.X_WB[i]
  const last = velocities.down(m, i, d.S, { ...start, least }, ({ B, p, least }, k, axis) => {
    const S = rotateMotion(R, axis)
    d.SW[k] = S
    const BS = mulArticulated(B, S)
    const U = add(BS, scale(0.5 * weight.curved, crossForce(S, F)))
    const pivot = power(S, BS) + weight.inertia * m.armature[k] + s.joints[k]
    const gradient = power(S, F) + s.joint[k]
    const D = 1 / pivot
    const u = -gradient - power(S, p)
    s.gradient[k] = gradient
    d.U[k] = U
    d.D[k] = D
    d.u[k] = u
    const G = scale(D, U)
    return { B: sub(B, outer(G, U)), p: add(p, scale(u, G)), least: Math.min(least, pivot) }
  })
  pass(m, d, s, i, F, last)
  s.least[0] = last.least
}

/** The same of a body whose velocities are eliminated together. */
function eliminateBlock(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, i: Int, F: Force, start: Sum): void {
  const weight = s.weight[0]
  const first = m.iv[i]
  const count = m.ivEnd[i] - first
  const block = m.id[i]
  let left = start.B
  let p = start.p
  let least = s.least[0]
  const { R } = d.X_WB[i]
  for (let k = first; k < m.ivEnd[i]; k++) d.SW[k] = rotateMotion(R, d.S[k])
  for (let r = 0; r < count; r++) {
    const k = first + r
    const BS = mulArticulated(start.B, d.SW[k])
    const gradient = power(d.SW[k], F) + s.joint[k]
    let pivot = power(d.SW[k], BS) + weight.inertia * m.armature[k] + s.joints[k]
    let w = -gradient - power(d.SW[k], start.p)
    let U = add(BS, scale(0.5 * weight.curved, crossForce(d.SW[k], F)))
    for (let c = 0; c < r; c++) {
      let l = power(d.SW[first + c], BS) + weight.curved * betweenVelocities({ S: d.SW }, g, F, k, first + c)
      for (let b = 0; b < c; b++) l = l - s.L[block + r * count + b] * s.L[block + c * count + b]
      l = l * s.L[block + c * count + c]
      s.L[block + r * count + c] = l
      pivot = pivot - l * l
      w = w - l * d.u[first + c]
      U = sub(U, scale(l, d.U[first + c]))
    }
    least = Math.min(least, pivot)
    // a pivot that is not positive is refused, but must not spoil what is compared
    const x = 1 / Math.sqrt(Math.abs(pivot))
    const W = scale(x, U)
    w = w * x
    s.gradient[k] = gradient
    s.L[block + r * count + r] = x
    d.U[k] = W
    d.u[k] = w
    left = sub(left, outer(W, W))
    p = add(p, scale(w, W))
  }
  pass(m, d, s, i, F, { B: left, p })
  s.least[0] = least
}

function pass(m: Tree, d: Work, s: TrajectoryStep, i: Int, F: Force, { B, p }: Sum): void {
  if (m.parent[i] === 0) return
  const r = lever(d, i, m.parent[i])
  s.upGradient[i] = shiftForce(F, r)
  s.up[i] = shiftInertia(B, r)
  s.upForce[i] = shiftForce(p, r)
}

function resolve(m: Tree, d: Work, s: TrajectoryStep, i: Int, start: Motion, velocities: Velocities): void {
  d.A[i] = velocities.up(m, i, d.SW, start, (A, k, S) => {
    const x = (d.u[k] - power(A, d.U[k])) * d.D[k]
    s.direction[k] = x
    return add(A, scale(x, S))
  })
}

function resolveBlock(m: Tree, d: Work, s: TrajectoryStep, i: Int, start: Motion): void {
  const first = m.iv[i]
  const count = m.ivEnd[i] - first
  const block = m.id[i]
  let A = start
  for (let r = count - 1; r >= 0; r--) {
    let x = d.u[first + r] - power(start, d.U[first + r])
    for (let c = r + 1; c < count; c++) x = x - s.L[block + c * count + r] * s.direction[first + c]
    x = x * s.L[block + r * count + r]
    s.direction[first + r] = x
    A = add(A, scale(x, d.SW[first + r]))
  }
  d.A[i] = A
}

/**
 * Reads X_WB, S, W, joint, joints, weight, and bodies where `blocks` is 1. Writes gradient, direction = −matrix⁻¹ gradient, and the smallest pivot.
 * @kernel
 */
export function solveTrajectories(m: Tree, d: Work, g: Trajectories, s: TrajectoryStep, clips: Int, blocks: Int): void {
  if (clips === 1) clipLinks(m, d, g, s)
  s.least[0] = LARGEST
  for (let i = m.nbody - 1; i > 0; i--) {
    const F = gatherGradient(g, s, i)
    const sum = gather(m, d, g, s, i, clips, blocks)
    if (g.curvedBody[i] === 1) eliminateBlock(m, d, g, s, i, F, sum)
    else forBody(m, i, (velocities) => eliminate(m, d, s, i, F, sum, s.least[0], velocities))
  }
  d.A[0] = REST
  for (let i = 1; i < m.nbody; i++) {
    const start = shiftMotion(d.A[m.parent[i]], lever(d, i, m.parent[i]))
    if (g.curvedBody[i] === 1) resolveBlock(m, d, s, i, start)
    else forBody(m, i, (velocities) => resolve(m, d, s, i, start, velocities))
  }
}
