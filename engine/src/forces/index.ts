/**
 * The table of built-in forces, each with the question whether a model needs it. A model holds the numbers of those it needs.
 */
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { actuators } from './actuators.js'
import { axisDrag } from './axis-drag.js'
import { bodyDamping, medium } from './drag.js'
import { elasticity } from './elasticity.js'
import { ellipsoidDrag } from './ellipsoid-drag.js'
import { gravity, gravityCompensation } from './gravity.js'
import { armatureBias, hasArmatureBias, jointDampers, jointSprings } from './joint-forces.js'
import { loads } from './loads.js'
import { modeDrag } from './mode-drag.js'
import { movingLoads } from './moving-loads.js'
import { contact } from './penalty.js'
import { springs } from './springs.js'
import { tendons } from './tendons.js'

const some = (x: Vec): boolean => x.some((value) => value !== 0)

/** Their order is that in which they act. */
const table: readonly (readonly [Force, (m: Model) => boolean])[] = [
  [gravity, (m) => some(m.gravity)],
  [gravityCompensation, (m) => some(m.gravityCompensation) && some(m.gravity)],
  [jointSprings, (m) => some(m.stiffness)],
  [jointDampers, (m) => some(m.damping)],
  [armatureBias, hasArmatureBias],
  [elasticity, (m) => m.modes.bases.hessian.length > 0],
  [springs, (m) => m.springs.count > 0],
  [tendons, (m) => some(m.tendons.stiffness) || some(m.tendons.damping)],
  [loads, (m) => m.loads.count > 0],
  [movingLoads, (m) => m.loads.moving.count > 0],
  [bodyDamping, (m) => some(m.bodyDamping)],
  [medium, (m) => m.medium.density !== 0 || m.medium.viscosity !== 0],
  [ellipsoidDrag, (m) => m.medium.ellipsoids.count > 0 && (m.medium.density !== 0 || m.medium.viscosity !== 0)],
  [axisDrag, (m) => some(m.drag)],
  [modeDrag, (m) => some(m.modes.drag)],
  [contact, (m) => m.penalty.count * m.penalty.obstacles > 0],
  [actuators, (m) => m.actuators.count > 0 || m.actuators.compensated.includes(1)],
]

export const builtInForces: readonly Force[] = table.map(([force]) => force)

/** Numbers of the built-in forces that have something to do in this model. */
export function activeForces(m: Model): Int32Array {
  return Int32Array.from(table.keys()).filter((k) => table[k][1](m))
}

/** Every force that acts, in the order in which they act: the model's, then the user's own. Allocates. */
export function forcesOf(m: Model, { own }: Pick<Data, 'own'>): Force[] {
  return [...Array.from(m.forces, (k) => builtInForces[k]), ...own]
}
