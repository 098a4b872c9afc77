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

/** A value in a few words, strings with their quotes. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return `'${value.length <= 40 ? value : `${value.slice(0, 37)}…`}'`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (value === null) return 'null'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`
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

const SUBJECTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(KINDS),
  ['geoms', 'shape'],
  ['sites', 'site'],
  ['meshes', 'mesh'],
  ['domains', 'domain'],
  ['sensors', 'sensor'],
  ['keyframes', 'keyframe'],
])

/**
 * The message with the names that the path into a document leads through, where it has them not: `expected …, got … (joint 'elbow' of body 'fore')`.
 */
export function withNames(document: unknown, path: string, message: string): string {
  let at = document
  let subject = ''
  let kind: string | undefined
  for (const part of path.split('/')) {
    if (typeof at !== 'object' || at === null) break
    at = (at as Readonly<Record<string, unknown>>)[part]
    // the name belongs to an entry of a list
    if (kind !== undefined) {
      const { name } = (at ?? {}) as { readonly name?: unknown }
      if (typeof name === 'string' && name !== '' && !message.includes(`'${name}'`))
        subject = `${kind} '${name}'${subject === '' ? '' : ` of ${subject}`}`
    }
    kind = SUBJECTS.get(part)
  }
  return subject === '' ? message : `${message} (${subject})`
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
