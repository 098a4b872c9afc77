/** A chain, and for it a force of the user's own that gives its Jacobian as a product: springs and dampers between neighbouring hinges. */
import { buildModel, type Force, type Model } from 'limber'

const LINKS = 6
const STIFFNESS = 50
const DAMPING = 0.1

export const neighbours: Force = {
  name: 'neighbours',
  apply(_m, d, s) {
    for (let k = 1; k < LINKS; k++) {
      const f = STIFFNESS * (s.q[k] - s.q[k - 1]) + DAMPING * (s.v[k] - s.v[k - 1])
      d.qf[k] -= f
      d.qf[k - 1] += f
    }
  },
  jacobianProduct(_m, _d, _s, x, stiffness, damping, out) {
    for (let k = 1; k < LINKS; k++) {
      const f = (stiffness * STIFFNESS + damping * DAMPING) * (x.v[k] - x.v[k - 1])
      out.qf[k] += f
      out.qf[k - 1] -= f
    }
  },
}

export function chainForOwnForce(): Model {
  const bodies = Array.from({ length: LINKS }, (_, k) => ({
    name: `link${k}`,
    parent: k === 0 ? 'world' : `link${k - 1}`,
    position: [0, 0, k === 0 ? 0 : -0.5] as const,
    inertia: { mass: 1, com: [0, 0, -0.25] as const, tensor: [0.02, 0.02, 0.001, 0, 0, 0] as const },
    joints: [{ type: 'revolute' as const, axis: [0, 1, 0] as const, initial: k === 0 ? 1 : 0 }],
  }))
  return buildModel({ bodies, timestep: 0.01 })
}
