/**
 * What the elimination reads, in world axes at the points of reference of its plan: axes, inertias with all that acts on single bodies, rows
 * across the tree. In a plane, of each the three numbers (ω_k, v_u, v_v) that take part, see `coupled-tree`.
 */
import { add, type Int, negate, scale, sub } from '../../math/values/columns.js'
import {
  type Articulated,
  articulated,
  type Force,
  inertiaToParent,
  type Motion,
  mulArticulated,
  outer,
  power,
  type Rigid,
  rotateForce,
  rotateMotion,
  rotateRigid,
  type Sym3,
  shiftForce,
  shiftInertia,
  shiftMotion,
  type Vec3,
  ZERO,
} from '../../math/values/spatial.js'
import type { Fronts } from '../fronts.kernel.js'

/** Writes where the bodies are, what acts in the joints, and roots of weights. */
function placeAll(e: Fronts, rows: Int): void {
  const h = e.step[0]
  for (let k = 0; k < e.nv; k++) e.joint[k] = e.armature[k] + h * e.jointDamping[k] + h * h * e.jointStiffness[k]
  for (let r = 0; r < rows; r++) e.root[r] = Math.sqrt(e.weight[r])
  for (let i = 1; i < e.nbody; i++) for (let k = 0; k < 3; k++) e.origins[3 * i + k] = e.X[i].p[k]
}

/** Whether a row acts at once, on the bodies and joints that it touches. */
function atOnce(e: Fronts, r: Int): Int {
  const g = e.of[r]
  return g < 0 ? 1 : e.eager[g]
}

/** From the point of reference a to the origin of body i. */
const wayFrom = (e: Fronts, a: Int, i: Int): Vec3 => sub(e.X[i].p, e.X[a].p)

const sizeOf = ({ B, C }: Articulated): number => {
  let sum = 0
  for (let k = 0; k < 3; k++) sum = sum + Math.abs(B[k][0]) + Math.abs(B[k][1]) + Math.abs(B[k][2])
  for (let k = 0; k < 6; k++) sum = sum + Math.abs(C[k])
  return sum
}

/** Reads the terms and poses. Writes SW, M, JW, root, joint, origins. @kernel */
export function toWorld(e: Fronts, rows: Int): void {
  const h = e.step[0]
  placeAll(e, rows)
  for (let i = 1; i < e.nbody; i++) {
    const { R } = e.X[i]
    const p = wayFrom(e, e.anchor[i], i)
    const D = e.bodyDamping[i]
    // only damping on a body's way through space needs the full transform
    if (sizeOf(D) === 0) {
      const I = e.inertia[i]
      const turned: Rigid = rotateRigid(R, { m: I.m, h: I.h, J: add(I.J, scale(h, D.A)) })
      e.M[i] = shiftInertia(articulated(turned), p)
    } else e.M[i] = inertiaToParent({ R, p }, add(articulated(e.inertia[i]), scale(h, D)))
    const way = wayFrom(e, e.axisAnchor[i], i)
    for (let k = e.iv[i]; k < e.ivEnd[i]; k++) {
      const S: Motion = rotateMotion(R, scale(e.axisSign[i], e.axes[k]))
      e.SW[k] = shiftMotion(S, negate(way))
    }
  }
  for (let r = 0; r < rows; r++) {
    const at = atOnce(e, r)
    const w = e.weight[r]
    for (let k = e.start[r]; k < e.start[r + 1]; k++) {
      const i = e.body[k]
      if (i < 0) {
        const c = e.rows[k].n[0]
        if (at === 1) e.joint[-1 - i] = e.joint[-1 - i] + w * c * c
        e.JW[k] = { n: [c, 0, 0], f: ZERO }
        continue
      }
      const J: Force = shiftForce(rotateForce(e.X[i].R, e.rows[k]), wayFrom(e, e.anchor[i], i))
      e.JW[k] = J
      if (at === 1) e.M[i] = add(e.M[i], outer(scale(w, J), J))
    }
  }
}

/** Row k of the rotation of body i: an axis of the world in body axes; the way from the point of reference a in the plane. */
const worldAxis = (e: Fronts, i: Int, k: Int): Vec3 => e.XR[4 * i + k]
const planeWay = (e: Fronts, a: Int, i: Int): readonly [number, number] => [
  e.XN[12 * i + 9 + e.along] - e.XN[12 * a + 9 + e.along],
  e.XN[12 * i + 9 + e.aside] - e.XN[12 * a + 9 + e.aside],
]

const dot3 = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** The same for mechanisms in a plane: writes S, M3, J, root, joint, origins. @kernel */
export function toPlane(e: Fronts, rows: Int): void {
  const h = e.step[0]
  placeAll(e, rows)
  for (let i = 1; i < e.nbody; i++) {
    const [pu, pv] = planeWay(e, e.anchor[i], i)
    const [k, u, v] = [worldAxis(e, i, e.across), worldAxis(e, i, e.along), worldAxis(e, i, e.aside)]
    // the three motions of the plane in body axes; turning about the point of reference also carries the origin
    const I = add(articulated(e.inertia[i]), scale(h, e.bodyDamping[i]))
    const turn: Motion = { w: k, v: sub(scale(pu, v), scale(pv, u)) }
    const [along, aside]: Motion[] = [
      { w: ZERO, v: u },
      { w: ZERO, v },
    ]
    const [ft, fu, fv] = [mulArticulated(I, turn), mulArticulated(I, along), mulArticulated(I, aside)]
    const M: Sym3 = [power(turn, ft), power(along, ft), power(aside, ft), power(along, fu), power(aside, fu), power(aside, fv)]
    e.M3[i] = M
    const [wu, wv] = planeWay(e, e.axisAnchor[i], i)
    const sign = e.axisSign[i]
    for (let c = e.iv[i]; c < e.ivEnd[i]; c++) {
      const S = scale(sign, e.axes[c])
      const w = dot3(k, S.w)
      e.S[3 * c] = w
      e.S[3 * c + 1] = dot3(u, S.v) + wv * w
      e.S[3 * c + 2] = dot3(v, S.v) - wu * w
    }
  }
  for (let r = 0; r < rows; r++) {
    const at = atOnce(e, r)
    const w = e.weight[r]
    for (let c = e.start[r]; c < e.start[r + 1]; c++) {
      const i = e.body[c]
      if (i < 0) {
        const x = e.rows[c].n[0]
        if (at === 1) e.joint[-1 - i] = e.joint[-1 - i] + w * x * x
        e.J[3 * c] = x
        continue
      }
      const [pu, pv] = planeWay(e, e.anchor[i], i)
      const F = e.rows[c]
      const fu = dot3(worldAxis(e, i, e.along), F.f)
      const fv = dot3(worldAxis(e, i, e.aside), F.f)
      const n = dot3(worldAxis(e, i, e.across), F.n) + pu * fv - pv * fu
      e.J[3 * c] = n
      e.J[3 * c + 1] = fu
      e.J[3 * c + 2] = fv
      if (at === 1) {
        const own: Sym3 = [w * n * n, w * n * fu, w * n * fv, w * fu * fu, w * fu * fv, w * fv * fv]
        e.M3[i] = add(e.M3[i], own)
      }
    }
  }
}
