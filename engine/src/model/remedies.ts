/**
 * What to do about a number that cannot be: the last part of a problem's message.
 */
import { shapeAt } from './shape-name.js'

const SIGNS: Readonly<Record<string, string>> = {
  stiffness: 'give its size, or 0 for none; what pushes away from rest is a load, an actuator or a force of your own',
  damping: 'give its size, or 0 for none; what drives is an actuator, a motion or a load',
  armature: 'give the inertia of the drive, or 0 for none',
  friction: 'give its size, or 0 for none',
  mass: 'give the mass in kg; bodies without any need no inertia',
  timestep: 'give the step in seconds, such as 0.01',
  duration: 'give it in seconds, or leave the rise out',
}

/** `; …`, for the number x at a path such as `springs/0/stiffness`. */
export function remedyFor(path: string, x: unknown): string {
  if (x === undefined || x === null) return '; give one'
  if (typeof x !== 'number') return '; write a number, without quotes'
  if (!Number.isFinite(x)) return '; check what it was computed from'
  const key = path.split('/').findLast((part) => !/^\d+$/.test(part)) ?? ''
  return `; ${SIGNS[key] ?? 'check its sign'}`
}

const KINDS: Readonly<Record<string, string>> = {
  bodies: 'body',
  joints: 'joint',
  springs: 'spring',
  tendons: 'tendon',
  constraints: 'constraint',
  actuators: 'actuator',
  loads: 'load',
}

/** ` of spring 'cable'`, for a path into a document; empty where what holds the number has no name. */
export function ownerOf(document: unknown, path: string): string {
  const shape = shapeAt(document, path)
  if (shape !== '') return ` of ${shape}`
  let at = document
  let owner = ''
  let kind = ''
  for (const part of path.split('/')) {
    if (typeof at !== 'object' || at === null) break
    at = (at as Readonly<Record<string, unknown>>)[part]
    if (part in KINDS) kind = KINDS[part]
    const { name } = (at ?? {}) as { readonly name?: unknown }
    if (kind !== '' && typeof name === 'string' && name !== '') owner = ` of ${kind} '${name}'`
  }
  return owner
}
