/**
 * Contacts with a height field (geom a): the shape's own parts against the faces below it, the field's peaks and ridges against the shape.
 */
import type { Int } from '../../math/values/columns.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, type Shapes, SPHERE } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'
import { fieldAxis } from './field-axis.js'
import { centre, fieldBall } from './field-ball.js'
import { fieldBox } from './field-box.js'
import { fieldCylinder } from './field-cylinder.js'
import { enterField, shape } from './field-grid.js'
import { fieldHull } from './field-hull.js'

export function fieldContacts(c: Contacts, g: Shapes, a: Int, b: Int): void {
  if (!enterField(c, g, a, b)) return
  const kind = g.shape[b]
  if (kind === SPHERE || kind === ELLIPSOID) {
    for (let k = 0; k < 3; k++) centre[k] = shape[9 + k]
    fieldBall(c, g, a, b, kind === ELLIPSOID, 0)
  } else if (kind === CAPSULE) {
    for (let end = 0; end < 2; end++) {
      const t = end === 0 ? -g.size[3 * b + 1] : g.size[3 * b + 1]
      for (let k = 0; k < 3; k++) centre[k] = shape[9 + k] + t * shape[3 * k + 2]
      fieldBall(c, g, a, b, false, end)
    }
    fieldAxis(c, g, a, b)
  } else if (kind === CYLINDER) {
    fieldCylinder(c, g, a, b)
    fieldAxis(c, g, a, b)
  } else if (kind === BOX) fieldBox(c, g, a, b)
  else if (kind === MESH) fieldHull(c, g, a, b)
}
