/**
 * Motion along velocities, q ← q ⊕ h v, and the rate of local coordinates: for kernels what `integrate` and `chartRate` of the joint types are.
 *
 * Turns and slides have plain coordinates. A ball's quaternion turns by exp(h w) in the body's frame; a free body moves by the exponential of
 * rigid motions, R ← R exp(h[w]), p ← p + R V(h w) h u.
 */
import { add, type Int, type Lanes, type Shared } from '../math/values/columns.js'
import { expQuat, mulQuat, normalizeQuat, type Quat, quatRotation, rotationVectorRate, twistTranslation } from '../math/values/rotation.js'
import { dot, type Motion, rotate, type Vec3 } from '../math/values/spatial.js'
import { sincos } from '../math/values/trig.js'
import { BALL, type Tree } from '../model/tables.js'

const vec3At = (x: Lanes<number>, k: Int): Vec3 => [x[k], x[k + 1], x[k + 2]]
export const quatAt = (q: Lanes<number>, k: Int): Quat => [q[k], q[k + 1], q[k + 2], q[k + 3]]

function turnQuat(q: Lanes<number>, k: Int, v: Lanes<number>, j: Int, h: number): void {
  const turned = normalizeQuat(mulQuat(quatAt(q, k), expQuat([h * v[j], h * v[j + 1], h * v[j + 2]])))
  for (let r = 0; r < 4; r++) q[k + r] = turned[r]
}

function moveFree(q: Lanes<number>, k: Int, v: Lanes<number>, j: Int, h: number): void {
  const shift = rotate(quatRotation(quatAt(q, k + 3)), twistTranslation(vec3At(v, j), vec3At(v, j + 3), h))
  const p = add(vec3At(q, k), shift)
  for (let r = 0; r < 3; r++) q[k + r] = p[r]
  turnQuat(q, k + 3, v, j, h)
}

/** The joints of body i. */
export function integrateBody(m: Tree, q: Lanes<number>, v: Lanes<number>, h: number, i: Int): void {
  for (let s = m.firstStep[i]; s < m.stepEnd[i]; s++) {
    const kind = m.stepKind[s]
    const k = m.stepQ[s]
    const j = m.stepV[s]
    if (kind < BALL) q[k] = q[k] + h * v[j]
    else if (kind === BALL) turnQuat(q, k, v, j, h)
    else moveFree(q, k, v, j, h)
  }
}

/** q ← q ⊕ h[0] v for every joint. @kernel */
export function integrateJoints(m: Tree, q: Lanes<number>, v: Lanes<number>, h: Shared<number>): void {
  for (let i = 1; i < m.nbody; i++) integrateBody(m, q, v, h[0], i)
}

const motionAt = (x: Lanes<number>, k: Int): Motion => ({ w: vec3At(x, k), v: vec3At(x, k + 3) })

/** a × b of motions, its sums from the left */
const bracket = ({ w: a, v: u }: Motion, { w: b, v }: Motion): Motion => ({
  w: [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  v: [
    u[1] * b[2] - u[2] * b[1] + a[1] * v[2] - a[2] * v[1],
    u[2] * b[0] - u[0] * b[2] + a[2] * v[0] - a[0] * v[2],
    u[0] * b[1] - u[1] * b[0] + a[0] * v[1] - a[1] * v[0],
  ],
})

/** dexp⁻¹ of rigid motions in closed form [Selig]; `joints/free` has the equation. */
function twistRate(x: Motion, v: Motion): readonly number[] {
  const t2 = dot(x.w, x.w)
  const t = Math.sqrt(t2)
  const { s, c } = sincos(t)
  const k = c - 1
  const small = t2 < 0.25 * 0.25
  const near2 = 1 / 12 - t2 * t2 * (1 / 30240 + t2 * (1 / 604800 + t2 * (1 / 15966720 + t2 * (691 / 326918592000))))
  const near4 = -1 / 720 - t2 * (1 / 15120 + t2 * (1 / 403200 + t2 * (1 / 11975040 + t2 * (691 / 261534873600))))
  const c2 = small ? near2 : 2 / t2 + (t + 3 * s) / (4 * t * k)
  const c4 = small ? near4 : 1 / (t2 * t2) + (t + s) / (4 * t2 * t * k)
  const first = bracket(x, v)
  const second = bracket(x, first)
  const fourth = bracket(x, bracket(x, second))
  const sum = (v: number, b1: number, b2: number, b4: number): number => v + 0.5 * b1 + c2 * b2 + c4 * b4
  return [
    sum(v.w[0], first.w[0], second.w[0], fourth.w[0]),
    sum(v.w[1], first.w[1], second.w[1], fourth.w[1]),
    sum(v.w[2], first.w[2], second.w[2], fourth.w[2]),
    sum(v.v[0], first.v[0], second.v[0], fourth.v[0]),
    sum(v.v[1], first.v[1], second.v[1], fourth.v[1]),
    sum(v.v[2], first.v[2], second.v[2], fourth.v[2]),
  ]
}

/** out[at + k] ← rate of the local coordinates xi of q₀ ⊕ xi at velocity v, for every joint. */
export function localRate(m: Tree, out: Lanes<number>, at: Int, xi: Lanes<number>, v: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) {
    for (let s = m.firstStep[i]; s < m.stepEnd[i]; s++) {
      const kind = m.stepKind[s]
      const j = m.stepV[s]
      if (kind < BALL) out[at + j] = v[j]
      else if (kind === BALL) {
        const rate = rotationVectorRate(vec3At(xi, j), vec3At(v, j))
        for (let r = 0; r < 3; r++) out[at + j + r] = rate[r]
      } else {
        const rate = twistRate(motionAt(xi, j), motionAt(v, j))
        for (let r = 0; r < 6; r++) out[at + j + r] = rate[r]
      }
    }
  }
}
