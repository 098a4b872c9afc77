/**
 * Contacts of one list in another.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import type { Shapes } from '../../model/shapes.js'
import { type Contacts, writeContact } from '../contacts.js'
import { findKey } from './find-key.js'
import { movePoints } from './material-points.js'

/** Contact j of `to` ← contact i of `from`, with its points in the bodies; there must be room. */
export function copyContact(to: Contacts, from: Contacts, g: Shapes, i: Int, j: Int): void {
  const { next } = to
  for (let r = 0; r < 3; r++) {
    next[r] = from.point[3 * i + r]
    next[3 + r] = from.normal[3 * i + r]
    to.pointA[3 * j + r] = from.pointA[3 * i + r]
    to.pointB[3 * j + r] = from.pointB[3 * i + r]
  }
  next[6] = from.gap[i]
  writeContact(to, g, from.geomA[i], from.geomB[i], from.feature[i], j)
}

/** Adds those of `from` that `to` has not, at points that went on with their bodies; X are the poses of bodies. */
export function addMissing(to: Contacts, from: Contacts, g: Shapes, X: Vec): void {
  const found = to.count
  let near = 0
  for (let i = 0; i < from.count; i++) {
    const at = findKey(to.key, found, from.key, i, near)
    if (at >= 0) {
      near = at + 1
      continue
    }
    if (to.count >= to.capacity) {
      to.overflow++
      continue
    }
    copyContact(to, from, g, i, to.count++)
  }
  if (to.count > found) movePoints(to, g, X, found)
}
