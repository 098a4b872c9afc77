/** What people need to know of the solver `adaptive`, apart from its code, so that a page can list it before it fetches it. */
import type { Model } from '../../model/model.js'
import type { OptionsOf, Solver } from '../solver.js'

const options = {
  budget: { default: 0, min: 0, description: 'joints that move at most; 0: no limit' },
  threshold: {
    default: 0,
    min: 0,
    description: 'neglected acceleration below which joints are held, root of the weighted sum of squares; 0: none is neglected',
  },
  mode: {
    default: 'hybrid',
    choices: ['hybrid', 'truncated'],
    description:
      'hybrid: what is held moves as rigid groups; truncated: active joints take the accelerations they would have with all joints free',
  },
  weights: {
    default: 'identity',
    choices: ['identity', 'inertia'],
    description: 'of squared accelerations: identity, or the inertia that each joint moves, for mechanisms that slide and turn',
  },
  every: { default: 10, min: 1, max: 1e6, description: 'steps from one choice of joints to the next' },
} as const satisfies Solver['options']

/** What `createSimulation` takes besides. */
export type AdaptiveGiven = OptionsOf<typeof options>

export const adaptiveInfo: Omit<Solver, 'create'> = {
  name: 'adaptive',
  description: 'adaptive dynamics: pays only for the joints that matter, and tells what it neglects',
  options,
  order: () => 1,
  refuses,
  // springs, dampers and servos in joints are implicit; forces on bodies are not
  stability: () => ({ method: 'adaptive', decay: 2, vibration: 2, implicit: ['joint springs', 'joint dampers', 'actuators'] }),
  holds: ['limits', 'ground'],
}

function refuses(m: Model): string | null {
  if (m.modes.count > 0) return "bodies that deform are not for adaptive dynamics; take solver 'ode'"
  if (m.constraints.count > 0)
    return "it has loops or other constraints, and adaptive dynamics needs a tree; take solver 'redmax', or leave the constraints out"
  for (let i = 1; i < m.nbody; i++) {
    if (!hasInertia(m.inertia, 10 * i))
      return `body '${m.bodies[i].name}' has no mass or no inertia about some axis; give it some, weld it to its neighbour, or take solver 'redmax'`
  }
  return null
}

/** True if a rigid inertia is positive definite. */
function hasInertia(I: Float64Array, o: number): boolean {
  const m = I[o]
  if (!(m > 0)) return false
  const [x, y, z] = [I[o + 1] / m, I[o + 2] / m, I[o + 3] / m]
  // about the centre of mass
  const xx = I[o + 4] - m * (y * y + z * z)
  const xy = I[o + 5] + m * x * y
  const xz = I[o + 6] + m * x * z
  const yy = I[o + 7] - m * (x * x + z * z)
  const yz = I[o + 8] + m * y * z
  const zz = I[o + 9] - m * (x * x + y * y)
  const least = 1e-12 * (xx + yy + zz)
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)
  return xx > least && xx * yy - xy * xy > least * least && det > least * least * least
}
