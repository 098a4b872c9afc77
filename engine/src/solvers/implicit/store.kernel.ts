/** What a step keeps of its rows, where it is observed: contact forces on the bodies. */
import { add, any, scale, sub } from '../../math/values/columns.js'
import type { Vec3 } from '../../math/values/spatial.js'
import type { Tree } from '../../model/tables.js'
import type { Ground, GroundStep } from './tables.js'

/** contactForce = sum of the contact forces on each body in the last step, along world axes. @kernel */
export function storeForces(m: Tree, g: Ground, s: GroundStep): void {
  for (let i = 1; i < m.nbody; i++) {
    let sum: Vec3 = [0, 0, 0]
    if (any(s.touch[i] > 0)) for (let c = g.slotStart[i]; c < g.slotStart[i + 1] && any(s.grip[c] > 0); c++) sum = add(sum, s.lambdaNew[c])
    g.contactForce[i] = sum
  }
  for (let c = 0; c < g.pairCount; c++) {
    const n = g.pairSlot + c
    if (any(s.grip[n] > 0)) {
      const a = g.pairA[c]
      const b = g.pairB[c]
      // lanes that do not touch have no force
      const isTouching = s.grip[n] > 0
      const force = scale(isTouching ? 1 : 0, s.lambdaNew[n])
      g.contactForce[a] = add(g.contactForce[a], force)
      g.contactForce[b] = sub(g.contactForce[b], force)
    }
  }
}
