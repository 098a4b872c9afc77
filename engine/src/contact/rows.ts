/**
 * The frame of a contact, and a contact as users see it.
 */
import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'
import type { Contact } from '../model/shapes.js'
import type { Contacts } from './contacts.js'

/** Contact k for users, with impulses along n, t1, t2 at lambda[i …] that acted for so many seconds; `names` of the shapes. Allocates. */
export function contactAt(c: Contacts, names: readonly string[], k: number, lambda: Vec, i: number, seconds: number): Contact {
  const triple = (value: (r: number) => number): [number, number, number] => [value(0), value(1), value(2)]
  const per = seconds > 0 ? 1 / seconds : 0
  const tangent = new Float64Array(6)
  tangentBasis(tangent, 0, c.normal, 3 * k)
  return {
    bodyA: c.bodyA[k],
    bodyB: c.bodyB[k],
    shapeA: names[c.geomA[k]],
    shapeB: names[c.geomB[k]],
    point: triple((r) => c.point[3 * k + r]),
    normal: triple((r) => c.normal[3 * k + r]),
    gap: c.gap[k],
    force: triple((r) => per * (lambda[i] * c.normal[3 * k + r] + lambda[i + 1] * tangent[r] + lambda[i + 2] * tangent[3 + r])),
  }
}

/**
 * Two unit vectors that make a right-handed basis with the unit normal n: t1, t2 = n × t1, without a square root or a branch but for the sign
 * of n_z. [Duff 2017] Building an orthonormal basis, revisited. Continuous but across n_z = 0.
 */
export function tangentBasis(out: Vec, o: Int, n: Vec, i: Int): void {
  const x = n[i]
  const y = n[i + 1]
  const z = n[i + 2]
  const s = z < 0 ? -1 : 1
  const a = -1 / (s + z)
  const b = x * y * a
  out[o] = 1 + s * x * x * a
  out[o + 1] = s * b
  out[o + 2] = -s * x
  out[o + 3] = b
  out[o + 4] = s + y * y * a
  out[o + 5] = -y
}
