/** Motion along velocities, q ← q ⊕ h v, and rates of local coordinates: turns and slides have plain ones, others come from `joints/curved.kernel`. */
import type { Int, Lanes, Shared } from '../math/values/columns.js'
import { BALL, type Tree } from '../model/tables.js'
import { move, rate } from './curved.kernel.js'

/** q ← q ⊕ h[0] v for every joint. @kernel */
export function integrateJoints(m: Tree, q: Lanes<number>, v: Lanes<number>, h: Shared<number>): void {
  for (let i = 1; i < m.nbody; i++) {
    for (let s = m.firstStep[i]; s < m.stepEnd[i]; s++) {
      const k = m.stepQ[s]
      const j = m.stepV[s]
      if (m.stepKind[s] < BALL) q[k] = q[k] + h[0] * v[j]
      else move(m.stepKind[s], q, k, v, j, h[0])
    }
  }
}

/** out[at + k] ← rate of the local coordinates xi of q₀ ⊕ xi at velocity v, for every joint. */
export function localRate(m: Tree, out: Lanes<number>, at: Int, xi: Lanes<number>, v: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) {
    for (let s = m.firstStep[i]; s < m.stepEnd[i]; s++) {
      const j = m.stepV[s]
      if (m.stepKind[s] < BALL) out[at + j] = v[j]
      else rate(m.stepKind[s], out, at + j, xi, v, j)
    }
  }
}
