/**
 * Forces in the joints: springs, dampers, and what the armature of free joints costs.
 *
 *   qf −= k · stretch(rest, q),   qf −= d v
 * `stretch` is the gradient of ½ dist(rest, q)² along the velocities: a difference where coordinates are plain numbers; of a ball the rotation
 * vector from rest, which is its own eigenvector; of a free joint (log; Rᵀ (p − p₀)).
 */
import { quatAt } from '../joints/curved.kernel.js'
import { any, type Int, type Lanes, sub, type Varied } from '../math/values/columns.js'
import { logQuat, mulQuatInverse, type Quat, quatRotation } from '../math/values/rotation.js'
import { cross, rotateBack, type Vec3 } from '../math/values/spatial.js'
import { FREE, type Tree } from '../model/tables.js'

type Numbers = Varied<number>

const vec3At = (x: Numbers, k: Int): Vec3 => [x[k], x[k + 1], x[k + 2]]
const restAt = (x: Numbers, k: Int): Quat => [x[k], x[k + 1], x[k + 2], x[k + 3]]
const sumAt = (x: Numbers, k: Int): number => x[k] + x[k + 1] + x[k + 2]

/** x = stretch of the velocities of a ball or free joint; as it was where none has any weight. */
export function stretchCurved(m: Tree, x: Lanes<number>, weight: Numbers, rest: Numbers, q: Lanes<number>, step: Int): void {
  const k = m.stepQ[step]
  const j = m.stepV[step]
  const free = m.stepKind[step] === FREE
  const at = free ? k + 3 : k
  const used = free ? sumAt(weight, j) + sumAt(weight, j + 3) : sumAt(weight, j)
  if (any(used !== 0)) {
    const turn = logQuat(mulQuatInverse(restAt(rest, at), quatAt(q, at)))
    for (let r = 0; r < 3; r++) x[j + r] = turn[r]
    if (free) {
      const way = rotateBack(quatRotation(quatAt(q, at)), sub(vec3At(q, k), vec3At(rest, k)))
      for (let r = 0; r < 3; r++) x[j + 3 + r] = way[r]
    }
  }
}

/** x = stretch of every velocity; 0 for balls and free joints without any weight, of which none is negative. @kernel */
export function stretchJoints(m: Tree, x: Lanes<number>, weight: Varied<number>, rest: Varied<number>, q: Lanes<number>): void {
  for (let k = 0; k < m.nv; k++) {
    const c = m.coordinate[k]
    x[k] = c < 0 ? 0 : q[c] - rest[c]
  }
  for (let n = 0; n < m.curvedCount; n++) stretchCurved(m, x, weight, rest, q, m.curved[n])
}

/** qf −= rate · x of the velocities of the bodies from … to − 1. @kernel */
export function resist(m: Tree, qf: Lanes<number>, rate: Varied<number>, x: Lanes<number>, from: Int, to: Int): void {
  const all = to - from === m.nbody - 1
  const nv = m.nv
  if (all) for (let k = 0; k < nv; k++) qf[k] = qf[k] - rate[k] * x[k]
  else {
    for (let k = 0; k < nv; k++) {
      const i = m.velocityBody[k]
      if (i >= from && i < to) qf[k] = qf[k] - rate[k] * x[k]
    }
  }
}

/** out[0] = ½ Σ k x², x the stretch of every velocity. @kernel */
export function energyOfStretch(m: Tree, x: Lanes<number>, stiffness: Varied<number>, out: Lanes<number>): void {
  let twice = 0
  for (let k = 0; k < m.nv; k++) twice = twice + stiffness[k] * x[k] * x[k]
  out[0] = 0.5 * twice
}

/** sum += x of all velocities. @kernel */
export function addToAll(m: Tree, sum: Lanes<number>, x: Varied<number>): void {
  for (let k = 0; k < m.nv; k++) sum[k] = sum[k] + x[k]
}

/** Springs of these bodies. x is room for their stretch. @kernel */
export function pullJoints(
  m: Tree,
  qf: Lanes<number>,
  x: Lanes<number>,
  stiffness: Varied<number>,
  rest: Varied<number>,
  q: Lanes<number>,
  from: Int,
  to: Int,
): void {
  stretchJoints(m, x, stiffness, rest, q)
  resist(m, qf, stiffness, x, from, to)
}

/**
 * Armature A on the linear velocity u of a free joint is inertia that moves along with the body: it takes the force A u̇ + w × A u and the
 * moment u × A u, and so keeps energy also where A differs from axis to axis.
 * @kernel
 */
export function biasArmature(m: Tree, qf: Lanes<number>, v: Lanes<number>, from: Int, to: Int): void {
  for (let n = 0; n < m.curvedCount; n++) {
    const k = m.stepV[m.curved[n]]
    const i = m.velocityBody[k]
    if (m.stepKind[m.curved[n]] === FREE && i >= from && i < to) biasFree(m, qf, v, k)
  }
}

/** The same of the free joint with the velocities from k on. */
export function biasFree(m: Tree, qf: Lanes<number>, v: Lanes<number>, k: Int): void {
  const u = vec3At(v, k + 3)
  const p: Vec3 = [m.armature[k + 3] * u[0], m.armature[k + 4] * u[1], m.armature[k + 5] * u[2]]
  const moment = cross(u, p)
  const force = cross(vec3At(v, k), p)
  for (let r = 0; r < 3; r++) qf[k + r] = qf[k + r] - moment[r]
  for (let r = 0; r < 3; r++) qf[k + 3 + r] = qf[k + 3 + r] - force[r]
}
