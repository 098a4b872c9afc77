/**
 * Springs and dampers in the joints, and what armature of free joints costs; `joint-forces.kernel` has the equations. Energy ½ k |stretch|².
 * Coefficients are read from the model at every call.
 */
import type { Vec } from '../math/types.js'
import { type Data, deliver, given } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { FREE } from '../model/tables.js'
import { sumOf } from './energy.js'

export const jointDampers: Force = {
  name: 'joint dampers',
  jointsOnly: true,
  apply: (m, d, { v }, from = 1, to = m.nbody) =>
    d.kernels.resist(d.tree, d.qf.byteOffset, given(d, d.x, m.damping), given(d, d.v, v), from, to),
  linearize: (m, d, _s, terms) => addToAll(d, terms.jointDamping, m.damping),
}

export const armatureBias: Force = {
  name: 'armature of free joints',
  jointsOnly: true,
  apply: (m, d, { v }, from = 1, to = m.nbody) => d.kernels.biasArmature(d.tree, d.qf.byteOffset, given(d, d.v, v), from, to),
}

/** Whether a free joint, whose armature is no gradient, has any. */
export const hasArmatureBias = ({ armature, steps: { curved, stepKind, stepV } }: Model): boolean =>
  curved.some((s) => stepKind[s] === FREE && armature.subarray(stepV[s], stepV[s] + 6).some((a) => a !== 0))

export const jointSprings: Force = {
  name: 'joint springs',
  jointsOnly: true,
  apply(m, d, { q }, from = 1, to = m.nbody) {
    const { kernels, tree, qf, u, x, rest } = d
    const stiffness = given(d, x, m.stiffness)
    kernels.pullJoints(tree, qf.byteOffset, u.byteOffset, stiffness, given(d, rest, m.rest), given(d, d.q, q), from, to)
  },
  linearize: (m, d, _s, terms) => addToAll(d, terms.jointStiffness, m.stiffness),
  addEnergy(m, d, { q }, out, o) {
    stretch(d, m.stiffness, m.rest, q)
    d.kernels.energyOfStretch(d.tree, d.u.byteOffset, given(d, d.x, m.stiffness), d.energy.byteOffset)
    out[o] += d.energy[0]
  },
  energy: (m, d, s) => sumOf(jointSprings, m, d, s),
}

/** sum (nv) += x */
function addToAll(d: Data, sum: Vec, x: Vec): void {
  d.kernels.addToAll(d.tree, given(d, d.z, sum), given(d, d.x, x))
  deliver(d, d.z, sum)
}

/** How far each joint with any weight is from its rest, into d.u: scratch until the articulated-body pass. */
export function stretch(d: Data, weight: Vec, rest: Vec, q: Vec): void {
  d.kernels.stretchJoints(d.tree, d.u.byteOffset, given(d, d.x, weight), given(d, d.rest, rest), given(d, d.q, q))
}
