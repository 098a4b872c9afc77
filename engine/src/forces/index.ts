/**
 * The table of built-in forces, each with the question whether a model needs it.
 */
import { jointTypes } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { actuators } from './actuators.js'
import { axisDrag } from './axis-drag.js'
import { bodyDamping, medium } from './drag.js'
import { ellipsoidDrag } from './ellipsoid-drag.js'
import { gravity, gravityCompensation } from './gravity.js'
import { armatureBias, jointDampers, jointSprings } from './joint-forces.js'
import { loads } from './loads.js'
import { movingLoads } from './moving-loads.js'
import { contact } from './penalty.js'
import { springs } from './springs.js'
import { tendons } from './tendons.js'

const some = (x: Vec): boolean => x.some((value) => value !== 0)

/** The built-in forces that have something to do in this model. */
export function activeForces(m: Model): Force[] {
  const table: readonly (readonly [Force, boolean])[] = [
    [gravity, some(m.gravity)],
    [gravityCompensation, some(m.gravityCompensation) && some(m.gravity)],
    [jointSprings, some(m.stiffness)],
    [jointDampers, some(m.damping)],
    [armatureBias, some(m.armature) && Array.from(m.jointType).some((type) => jointTypes[type].armatureBias !== undefined)],
    [springs, m.springs.count > 0],
    [tendons, some(m.tendons.stiffness) || some(m.tendons.damping)],
    [loads, m.loads.count > 0],
    [movingLoads, m.loads.moving.count > 0],
    [bodyDamping, some(m.bodyDamping)],
    [medium, m.medium.density !== 0 || m.medium.viscosity !== 0],
    [ellipsoidDrag, m.medium.ellipsoids.count > 0 && (m.medium.density !== 0 || m.medium.viscosity !== 0)],
    [axisDrag, some(m.drag)],
    [contact, m.penalty.count * m.penalty.obstacles > 0],
    [actuators, m.actuators.count > 0],
  ]
  return table.filter(([, needed]) => needed).map(([force]) => force)
}
