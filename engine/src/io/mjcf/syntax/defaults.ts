/**
 * Looks into every default class, used or not, so that its mistakes are found and the last sweep knows what was understood.
 */
import type { XmlElement } from '../../xml.js'
import { actuatorDefaults } from '../elements/actuators.js'
import { pairDefaults } from '../elements/contact.js'
import { applyGeom, createRawGeom } from '../elements/geoms.js'
import { applyJoint, createRawJoint } from '../elements/joints.js'
import { fromClass } from './classes.js'
import { ignoreElement, NO_MOTION, type Scope } from './context.js'

export function touchDefaults(scope: Scope): void {
  const { shared } = scope
  const seen = new Set<XmlElement>()
  for (const cls of scope.classes.values()) {
    fromClass(cls, 'geom', createRawGeom, (g, from) => applyGeom(scope, g, from))
    fromClass(cls, 'joint', createRawJoint, (j, from) => applyJoint(scope, j, from))
    actuatorDefaults(scope, cls)
    pairDefaults(scope, cls)
    for (const kind of ['camera', 'light']) {
      for (const element of cls.elements.get(kind) ?? []) {
        if (!seen.has(element)) ignoreElement(shared, element, `default ${kind}`, NO_MOTION)
        seen.add(element)
      }
    }
  }
}
