/**
 * Springs and dampers in the joints: qf −= k · stretch(rest, q) + d v; energy ½ k |stretch|².
 */

import { jointTypes } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { velocityEnd } from '../model/modes.js'
import { sumOf } from './energy.js'

/** Damping, and what armature costs where v is not the rate of world coordinates. */
export const jointDampers: Force = {
  name: 'joint dampers',
  jointsOnly: true,
  apply(m, d, { v }, from = 1, to = m.nbody) {
    const { iv, damping, nv } = m
    const { qf } = d
    if (to - from === m.nbody - 1) for (let k = 0; k < nv; k++) qf[k] -= damping[k] * v[k]
    else for (let i = from; i < to; i++) for (let k = iv[i], end = velocityEnd(m, i); k < end; k++) qf[k] -= damping[k] * v[k]
  },
  linearize(m, _d, _s, terms) {
    for (let k = 0; k < m.nv; k++) terms.jointDamping[k] += m.damping[k]
  },
}

export const armatureBias: Force = {
  name: 'armature of free joints',
  jointsOnly: true,
  apply(m, d, { v }, from = 1, to = m.nbody) {
    for (let i = from; i < to; i++) {
      for (let j = m.ij[i]; j < m.ijEnd[i]; j++) jointTypes[m.jointType[j]].armatureBias?.(m, j, d.qf, v)
    }
  },
}

export const jointSprings: Force = {
  name: 'joint springs',
  jointsOnly: true,
  apply(m, d, { q }, from = 1, to = m.nbody) {
    const { iv, stiffness, nv } = m
    const { u, qf } = d
    stretchAll(m, u, q, from, to)
    if (to - from === m.nbody - 1) for (let k = 0; k < nv; k++) qf[k] -= stiffness[k] * u[k]
    else for (let i = from; i < to; i++) for (let k = iv[i], end = velocityEnd(m, i); k < end; k++) qf[k] -= stiffness[k] * u[k]
  },
  linearize(m, _d, _s, terms) {
    for (let k = 0; k < m.nv; k++) terms.jointStiffness[k] += m.stiffness[k]
  },
  addEnergy(m, d, { q }, out, o) {
    stretchAll(m, d.u, q, 1, m.nbody)
    let twice = 0
    for (let k = 0; k < m.nv; k++) twice += m.stiffness[k] * d.u[k] * d.u[k]
    out[o] += 0.5 * twice
  },
  energy: (m, d, s) => sumOf(jointSprings, m, d, s),
}

/** How far each joint with a spring is from its rest, 0 elsewhere, into d.u: scratch until the articulated-body pass. Those of curved joints on these bodies only. */
function stretchAll(m: Model, u: Vec, q: Vec, from: number, to: number): void {
  const { nv, stiffness, coordinate, rest, curvedJoints, jointBody } = m
  for (let k = 0; k < nv; k++) {
    const c = coordinate[k]
    u[k] = c < 0 || stiffness[k] === 0 ? 0 : q[c] - rest[c]
  }
  for (let n = 0; n < curvedJoints.length; n++) {
    const j = curvedJoints[n]
    if (jointBody[j] < from || jointBody[j] >= to) continue
    // one stiffness for all directions of such a joint
    if (stiffness[m.jointV[j]] !== 0) jointTypes[m.jointType[j]].stretch(m, j, u, rest, q)
  }
}
