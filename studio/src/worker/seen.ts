/**
 * What the view asks a solver about beside poses: contacts, and the groups that it divides bodies into.
 */
import type { BodyGroups, Contact } from 'limber'
import { contactSize } from '../view/view-protocol.js'

/** Ten numbers each: point, normal, force, gap. */
export function packContacts(contacts: readonly Contact[]): Float64Array {
  const list = new Float64Array(contactSize * contacts.length)
  contacts.forEach(({ point, normal, force, gap }, k) => list.set([...point, ...normal, ...force, gap], contactSize * k))
  return list
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
