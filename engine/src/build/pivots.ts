/**
 * Can every joint be accelerated? A joint that moves nothing with mass has a zero pivot in the articulated-body recursion.
 */
import { jointTypes } from '../joints/index.js'
import { createData } from '../model/data.js'
import type { Model } from '../model/model.js'
import { aba } from '../tree/aba.js'
import { forwardKinematics } from '../tree/kinematics.js'
import type { Problems } from './problems.js'

/** Adds a problem for each joint that nothing resists; paths[j] is the place of joint j, modePath(i) that of the modes of body i. */
export function checkPivots(m: Model, paths: readonly string[], modePath: (i: number) => string, problems: Problems): void {
  const carried = new Float64Array(m.nbody)
  for (let i = m.nbody - 1; i > 0; i--) {
    carried[i] += m.inertia[10 * i] + Math.abs(m.inertia[10 * i + 4]) + Math.abs(m.inertia[10 * i + 7]) + Math.abs(m.inertia[10 * i + 9])
    if (m.parent[i] > 0) carried[m.parent[i]] += carried[i]
  }
  let found = false
  for (let j = 0; j < m.njoint; j++) {
    const { nv } = jointTypes[m.jointType[j]]
    const armed = m.armature.subarray(m.jointV[j], m.jointV[j] + nv).every((x) => x > 0)
    const i = m.jointBody[j]
    if (nv === 0 || armed || carried[i] > 0) continue
    found = true
    problems.add(
      paths[j],
      `expected mass on body '${m.bodies[i].name}' or below it, got none: joint '${m.joints[j].name}' would accelerate without bound; give the body an inertia, one of its shapes a mass or a density, or the joint an armature`,
    )
  }
  if (found || m.nv === 0) return

  // mass that the joint does not feel: a point mass on its own axis, for example
  const d = createData(m)
  const a = new Float64Array(m.nv)
  const v = new Float64Array(m.nv)
  forwardKinematics(m, d, m.q0, v)
  d.f.fill(0)
  aba(m, d, v, v, a)
  // a mode that moves nothing with mass
  for (const i of m.modes.bodies) {
    const at = m.modes.start[m.modes.row[i]]
    if (Number.isFinite(d.D[m.modes.iv[at]])) continue
    problems.add(
      modePath(i),
      `expected modes of body '${m.bodies[i].name}' that move mass, each in a way of its own, got one that does not; give its points a mass, or leave a mode out`,
    )
    return
  }
  // from the tips: everything above a pivot that is none is spoilt by it
  for (let j = m.njoint - 1; j >= 0; j--) {
    const { nv } = jointTypes[m.jointType[j]]
    const i = m.jointBody[j]
    if (nv === 0 || pivotsGood(m, d.D, i, ROUNDING * carried[i])) continue
    problems.add(
      paths[j],
      `expected an inertia about joint '${m.joints[j].name}' of body '${m.bodies[i].name}', got none at the initial position; check the inertia tensor and whether another joint turns about the same axis, or add armature`,
    )
    return
  }
}

// a pivot this far below the inertia that the body carries is what rounding left of zero
const ROUNDING = 4 * Number.EPSILON

function pivotsGood(m: Model, D: Float64Array, i: number, least: number): boolean {
  for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
    const pivot = 1 / D[k]
    if (!(pivot > least) || !Number.isFinite(pivot)) return false
  }
  return true
}
