/**
 * Inverse dynamics, the recursive Newton–Euler algorithm. `tree/rnea.kernel` has the recursion, `tree/modes` what bodies that deform add to it.
 */
import type { Vec } from '../math/types.js'
import { type Data, given, placeFor } from '../model/data.js'
import type { Model } from '../model/model.js'
import { sumForces } from './jacobian.js'
import { addFrameRate, addModeForce, motionOnFrame } from './modes.js'

/** Reads the kinematics, f, and a. Writes A, F and out (nv): the joint forces that produce a. */
export function rnea(m: Model, d: Data, a: Vec, out: Vec): void {
  bodyForces(m, d, a, out)
  sumForces(m, d, out, d.F)
}

/**
 * First loop, over the bodies from … to − 1. Reads the kinematics, f, and a. Writes A, F that the motion of each body alone takes, and out: what
 * armature and modes take. `sumForces` is the second.
 */
export function bodyForces(m: Model, d: Data, a: Vec, out: Vec, from = 1, to = m.nbody): void {
  const { kernels, tree, work } = d
  const { modes, iv, ivEnd } = m
  const x = given(d, d.x, a)
  const z = placeFor(d, d.z, out)
  if (modes.count === 0) kernels.forceBodies(tree, work, x, z, from, to)
  else {
    for (let i = from; i < to; i++) {
      if (modes.frame[i] >= 0) {
        motionOnFrame(m, d, d.A, a, i)
        addFrameRate(m, d, d.A, i)
      }
      kernels.forceBodies(tree, work, x, z, i, i + 1)
      addModeForce(m, d, a, out, i)
    }
  }
  if (out.buffer !== d.block.buffer) for (let i = from; i < to; i++) for (let k = iv[i]; k < ivEnd[i]; k++) out[k] = d.z[k]
}
