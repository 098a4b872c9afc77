/**
 * Inverse inertias at the model's reference pose, as MuJoCo's `body_invweight0` and `dof_invweight0`: how fast a unit force at a body's centre of
 * mass moves it, and a unit torque turns it, the mean of three directions; how fast a unit force moves a velocity, the mean over a joint's
 * where it is a ball or free. They scale the softness of contacts, limits and loops.
 */
import type { Vec } from '../math/types.js'
import { createData } from '../model/data.js'
import type { Model } from '../model/model.js'
import { createImplicitFactor, factorImplicit, solveImplicit } from './implicit-factor.js'
import { jacobianTransposeProduct } from './jacobian.js'
import { updatePoses } from './kinematics.js'

export interface InverseWeights {
  /** translation, rotation of each body; 0 of what does not move */
  readonly body: Vec
  readonly velocity: Vec
}

const known = new WeakMap<Model, InverseWeights>()

/** Found once a model: it takes a solve for every direction of every body. */
export function inverseWeights(m: Model): InverseWeights {
  let weights = known.get(m)
  if (!weights) {
    weights = findWeights(m)
    known.set(m, weights)
  }
  return weights
}

function findWeights(m: Model): InverseWeights {
  const d = createData(m)
  const factor = createImplicitFactor(m)
  updatePoses(m, d, m.q0)
  const body = new Float64Array(2 * m.nbody)
  const velocity = new Float64Array(m.nv)
  if (!factorImplicit(m, d, factor, undefined, undefined)) return { body: body.fill(1), velocity: velocity.fill(1) }
  const F = new Float64Array(6 * m.nbody)
  const [b, x] = [new Float64Array(m.nv), new Float64Array(m.nv)]
  for (let i = 1; i < m.nbody; i++) {
    const mass = m.inertia[10 * i]
    const [cx, cy, cz] = mass > 0 ? [1, 2, 3].map((k) => m.inertia[10 * i + k] / mass) : [0, 0, 0]
    for (let k = 0; k < 6; k++) {
      F.fill(0)
      const f = [0, 0, 0]
      if (k < 3) {
        f[k] = 1
        F.set([cy * f[2] - cz * f[1], cz * f[0] - cx * f[2], cx * f[1] - cy * f[0], ...f], 6 * i)
      } else F[6 * i + k - 3] = 1
      jacobianTransposeProduct(m, d, b, F)
      solveImplicit(m, factor, x, 0, b, 0)
      let sum = 0
      for (let e = 0; e < m.nv; e++) sum += b[e] * x[e]
      body[2 * i + (k < 3 ? 0 : 1)] += sum / 3
    }
  }
  for (let k = 0; k < m.nv; k++) {
    b.fill(0)
    b[k] = 1
    solveImplicit(m, factor, x, 0, b, 0)
    velocity[k] = x[k]
  }
  averageTogether(m, velocity)
  return { body, velocity }
}

/** Velocities that act together, turning or moving, three by three. */
function averageTogether(m: Model, velocity: Vec): void {
  for (const { iv, nv } of m.joints.slice(0, m.njoint)) {
    if (nv % 3 !== 0) continue
    for (let k = iv; k < iv + nv; k += 3) velocity.fill((velocity[k] + velocity[k + 1] + velocity[k + 2]) / 3, k, k + 3)
  }
}
