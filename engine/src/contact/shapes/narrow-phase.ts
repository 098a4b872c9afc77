/**
 * Narrow phase: which function knows a pair of shapes.
 */

import type { Int } from '../../math/values/columns.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, FIELD, PLANE, type Shapes, SPHERE } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'
import { boxBox, convexPair, planeHull } from '../convex/convex-pair.js'
import { fieldContacts } from '../height-field/field-contacts.js'
import { mayTouch } from '../may-touch.js'
import { ownMargin } from '../surfaces.js'
import { capsuleBox, sphereBox } from './box-round.js'
import { planeBox, planeCapsule, planeCylinder, planeEllipsoid, planeSphere } from './plane-contacts.js'
import { capsuleCapsule, sphereCapsule, sphereSphere } from './round-contacts.js'

/** Adds the contacts of geoms i and j, if they may touch. */
export function narrowPhase(c: Contacts, g: Shapes, i: Int, j: Int): void {
  if (!mayTouch(g, i, j)) return
  // within its own margin a pair is always reported
  const search = c.margin[0]
  const own = ownMargin(g, i, j)
  if (own > search) c.margin[0] = own
  // lower shape code first, then lower number
  const swap = g.shape[i] > g.shape[j] || (g.shape[i] === g.shape[j] && i > j)
  touch(c, g, swap ? j : i, swap ? i : j)
  c.margin[0] = search
}

/** Adds the contacts of geoms a and b within the margin; they come in the order of their shape codes, then of their numbers. */
export function touch(c: Contacts, g: Shapes, a: Int, b: Int): void {
  const sa = g.shape[a]
  const sb = g.shape[b]
  if (sa === PLANE) {
    if (sb === SPHERE) planeSphere(c, g, a, b)
    else if (sb === CAPSULE) planeCapsule(c, g, a, b)
    else if (sb === BOX) planeBox(c, g, a, b)
    else if (sb === CYLINDER) planeCylinder(c, g, a, b)
    else if (sb === ELLIPSOID) planeEllipsoid(c, g, a, b)
    else planeHull(c, g, a, b)
  } else if (sa === FIELD) fieldContacts(c, g, a, b)
  else if (sa === SPHERE && sb === SPHERE) sphereSphere(c, g, a, b)
  else if (sa === SPHERE && sb === CAPSULE) sphereCapsule(c, g, a, b)
  else if (sa === SPHERE && sb === BOX) sphereBox(c, g, a, b)
  else if (sa === CAPSULE && sb === CAPSULE) capsuleCapsule(c, g, a, b)
  else if (sa === CAPSULE && sb === BOX) capsuleBox(c, g, a, b)
  else if (sa === BOX && sb === BOX) boxBox(c, g, a, b)
  else convexPair(c, g, a, b)
}
