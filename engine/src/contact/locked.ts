/**
 * Locked contacts: no joint can change their gap, as between a floor and the first link of an arm that turns about the floor's normal. No impulse
 * opens them, so that their normal force is arbitrary, and with it their friction: solvers leave them out, and warnings name them.
 */
import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import type { Contacts } from './contacts.js'

// ratio of squares: a contact force with a mechanical advantage above 1,000 is not solved for; angles rounded to two digits, 1.57 for π/2, stay below
const LOCKED = 1e-6

/** Whether a velocity changes a gap: its rate along the normal against the motion of the contact's point and the turn of a shape of this radius, both squared. */
export const changesGap = (rate: number, motion: number, turn: number, radius: number): boolean =>
  rate * rate > LOCKED * (motion + turn * radius * radius)

/** Length by which turning is compared with moving: the smaller of the two bounding radii; that of a plane is infinite. */
export const contactRadius = ({ shapes, geomA, geomB }: Contacts, k: Int): number =>
  Math.min(shapes.radius[geomA[k]], shapes.radius[geomB[k]])

/** Whether no joint can change the gap of contact k. Reads X_WB, S. */
export function isLocked(m: Model, d: Data, contacts: Contacts, k: number): boolean {
  let a = contacts.bodyA[k]
  let b = contacts.bodyB[k]
  span[0] = Math.min(contacts.shapes.radius[contacts.geomA[k]], contacts.shapes.radius[contacts.geomB[k]])
  // velocities that carry both bodies change nothing
  while (a !== b) {
    const i = Math.max(a, b)
    if (m.modes.row[i] >= 0 || movesContact(m, d, i, contacts.point, contacts.normal, 3 * k)) return false
    if (i === a) a = m.parent[a]
    else b = m.parent[b]
  }
  return true
}

/** Whether a velocity of the joints of body i changes the gap at the point x[o …] along the normal n[o …], by the rule of `changesGap`. Reads span. */
function movesContact(m: Model, { X_WB: X, S }: Data, i: number, x: Vec, n: Vec, o: number): boolean {
  // normal and lever in the axes of the body
  for (let e = 0; e < 3; e++) {
    const j = 12 * i + e
    normal[e] = X[j] * n[o] + X[j + 3] * n[o + 1] + X[j + 6] * n[o + 2]
    lever[e] = X[j] * (x[o] - X[12 * i + 9]) + X[j + 3] * (x[o + 1] - X[12 * i + 10]) + X[j + 6] * (x[o + 2] - X[12 * i + 11])
  }
  for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
    let rate = 0
    let motion = 0
    let turn = 0
    for (let e = 0; e < 3; e++) {
      const f = (e + 1) % 3
      const g = (e + 2) % 3
      const u = S[6 * k + 3 + e] + S[6 * k + f] * lever[g] - S[6 * k + g] * lever[f]
      rate += normal[e] * u
      motion += u * u
      turn += S[6 * k + e] * S[6 * k + e]
    }
    if (rate * rate > LOCKED * (motion + turn * span[0] * span[0])) return true
  }
  return false
}

/** scratch; `span` is the radius of the contact: a number that crosses a call would be boxed */
const span = new Float64Array(1)
const normal = new Float64Array(3)
const lever = new Float64Array(3)
