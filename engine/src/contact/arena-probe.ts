import type { Vec } from '../math/types.js'
import type { Contacts } from './contacts.js'
import { markPoints, movePoints } from './tracking/material-points.js'

/** @routine */
export function clearContacts(c: Contacts, X: Vec): void {
  c.count = 0
  markPoints(c, c.shapes, X, 0)
  movePoints(c, c.shapes, X, 0)
}
