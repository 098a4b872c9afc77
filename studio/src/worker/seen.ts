/**
 * What the view asks a solver about beside poses: contacts, and the groups that it divides bodies into.
 */
import type { BodyGroups, Contact } from 'limber'
import { contactAt, contactSize } from '../view/view-protocol.js'

/** cosine of the angle up to which normals belong to one face */
const sameFace = 0.95

/**
 * As the view reads them. The points where one pair of shapes touches are a patch; shapes that are not convex may touch in several places,
 * which face in different directions.
 */
export function packContacts(contacts: readonly Contact[]): Float64Array {
  const patches: Contact[][] = []
  const known = new Map<string, Contact[][]>()
  for (const contact of contacts) {
    const key = `${contact.bodyA} ${contact.bodyB} ${contact.shapeA} ${contact.shapeB}`
    const pair = known.get(key) ?? []
    known.set(key, pair)
    const patch = pair.find(([first]) => dot(first.normal, contact.normal) > sameFace)
    if (patch) patch.push(contact)
    else {
      const next = [contact]
      pair.push(next)
      patches.push(next)
    }
  }
  const list = new Float64Array(contactSize * contacts.length)
  let o = 0
  patches.forEach((patch, k) => {
    for (const { point, normal, force, gap } of patch) {
      list.set(point, o + contactAt.point)
      list.set(normal, o + contactAt.normal)
      list.set(force, o + contactAt.force)
      list[o + contactAt.gap] = gap
      list[o + contactAt.patch] = k
      o += contactSize
    }
  })
  return list
}

function dot(a: Contact['normal'], b: Contact['normal']): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/** Copies of the groups by name; undefined while they are as before. */
export function changedGroups(
  groups: readonly BodyGroups[] | undefined,
  before: Readonly<Record<string, Int32Array>>,
): Record<string, Int32Array> | undefined {
  const now = groups ?? []
  const names = Object.keys(before)
  const same = now.length === names.length && now.every(({ name, of }) => isEqual(before[name], of))
  return same ? undefined : Object.fromEntries(now.map(({ name, of }) => [name, of.slice()]))
}

function isEqual(a: Int32Array | undefined, b: Int32Array): boolean {
  return a !== undefined && a.length === b.length && a.every((x, i) => x === b[i])
}
