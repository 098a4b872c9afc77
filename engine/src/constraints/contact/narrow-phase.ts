/**
 * Narrow phase: which function knows a pair of shapes, and which pairs never touch.
 *
 * As in MuJoCo, bodies joined without a joint count as one; geoms of one such group never touch, nor do those of a group and of the one
 * it is jointed to, unless that is the world; nor pairs the file excludes, nor pairs whose categories and masks share no bit.
 */

import { BOX, CAPSULE, type ContactGeometry, CYLINDER, ELLIPSOID, FIELD, PLANE, SPHERE } from '../../model/contact.js'
import { boxBox } from './box-box.js'
import { capsuleBox, sphereBox } from './box-round.js'
import type { Contacts } from './contacts.js'
import { fieldContacts } from './field-contacts.js'
import { planeBox, planeCapsule, planeCylinder, planeEllipsoid, planeSphere } from './plane-contacts.js'
import { capsuleCapsule, sphereCapsule, sphereSphere } from './round-contacts.js'

/** Whether geoms i and j may touch at all. */
export function mayTouch(g: ContactGeometry, i: number, j: number): boolean {
  if ((g.category[i] & g.mask[j]) === 0 && (g.category[j] & g.mask[i]) === 0) return false
  const bi = g.body[i]
  const bj = g.body[j]
  const gi = g.group[bi]
  const gj = g.group[bj]
  if (gi === gj) return false
  if (gi !== 0 && gj !== 0 && (g.groupParent[bi] === gj || g.groupParent[bj] === gi)) return false
  for (let k = g.excludedStart[bi]; k < g.excludedStart[bi + 1]; k++) if (g.excluded[k] === bj) return false
  return true
}

/** Whether there is a function below for solids of these shapes: cylinders and ellipsoids touch planes and fields only. */
export function solidsTouch(a: number, b: number): boolean {
  return a !== CYLINDER && a !== ELLIPSOID && b !== CYLINDER && b !== ELLIPSOID
}

/** Adds the contacts of geoms i and j, if they may touch. */
export function narrowPhase(c: Contacts, g: ContactGeometry, i: number, j: number): void {
  if (!mayTouch(g, i, j)) return
  // lower shape code first, then lower number
  const swap = g.shape[i] > g.shape[j] || (g.shape[i] === g.shape[j] && i > j)
  const a = swap ? j : i
  const b = swap ? i : j
  const sa = g.shape[a]
  const sb = g.shape[b]
  if (sa === PLANE) {
    if (sb === SPHERE) planeSphere(c, g, a, b)
    else if (sb === CAPSULE) planeCapsule(c, g, a, b)
    else if (sb === BOX) planeBox(c, g, a, b)
    else if (sb === CYLINDER) planeCylinder(c, g, a, b)
    else if (sb === ELLIPSOID) planeEllipsoid(c, g, a, b)
  } else if (sa === FIELD) fieldContacts(c, g, a, b)
  else if (sa === SPHERE) {
    if (sb === SPHERE) sphereSphere(c, g, a, b)
    else if (sb === CAPSULE) sphereCapsule(c, g, a, b)
    else if (sb === BOX) sphereBox(c, g, a, b)
  } else if (sa === CAPSULE) {
    if (sb === CAPSULE) capsuleCapsule(c, g, a, b)
    else if (sb === BOX) capsuleBox(c, g, a, b)
  } else if (sa === BOX && sb === BOX) boxBox(c, g, a, b)
}
