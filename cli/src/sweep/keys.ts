/**
 * What a key of `--vary` and `--set` means: an option of the run or of the solver, a parameter of a built-in scene, a number of the model, a coordinate, a
 * velocity or a control at the start.
 */
import type { Model } from 'limber'
import { refuse } from '../problem.js'
import { hint } from '../suggest.js'
import type { Value } from '../values.js'

export type Key =
  | { readonly of: 'run'; readonly name: RunKey }
  | { readonly of: 'scene' | 'solver'; readonly name: string }
  | { readonly of: 'gravity'; readonly axis?: number }
  | { readonly of: 'mass'; readonly name: string }
  | { readonly of: JointKey; readonly name: string }
  | { readonly of: StartKey; readonly name: string }

const runKeys = ['timestep', 'duration', 'solver'] as const
type RunKey = (typeof runKeys)[number]
const jointKeys = ['damping', 'stiffness', 'armature', 'friction'] as const
export type JointKey = (typeof jointKeys)[number]
const startKeys = ['q', 'v', 'control'] as const
export type StartKey = (typeof startKeys)[number]
const axes = ['x', 'y', 'z']

/** forms of keys that every model has, for help and messages */
export const keyForms: readonly (readonly [form: string, meaning: string])[] = [
  ['timestep, duration, solver', 'as the options of limber run'],
  ['OPTION', 'an option of the solver, such as rtol or method'],
  ['PARAMETER', 'a parameter of a built-in scene; limber scene lists them'],
  ['gravity', 'm/s² along the direction that the model has (down, if none); gravity.x, gravity.y, gravity.z'],
  ['mass.BODY', 'kg; the inertia is scaled along'],
  ['damping.JOINT, stiffness.JOINT', 'of every degree of freedom of the joint; also armature.JOINT, friction.JOINT'],
  ['q.JOINT, v.JOINT', 'coordinate and velocity at the start; q.JOINT.0, q.JOINT.1, … where a joint has several'],
  ['control.NAME', 'of an actuator, during the whole run'],
]

/** Reads a key; `parameters` are those of the scene that is run, if it is one. */
export function readKey(text: string, parameters: readonly string[]): Key {
  if (parameters.includes(text)) return { of: 'scene', name: text }
  if (isOneOf(runKeys, text)) return { of: 'run', name: text }
  if (text === 'gravity') return { of: 'gravity' }
  const dot = text.indexOf('.')
  const [first, name] = [text.slice(0, dot), text.slice(dot + 1)]
  if (dot > 0 && name !== '') {
    if (isOneOf(jointKeys, first) || isOneOf(startKeys, first) || first === 'mass') return { of: first, name }
    if (first === 'gravity' && axes.includes(name)) return { of: 'gravity', axis: axes.indexOf(name) }
  }
  return { of: 'solver', name: text }
}

/** All keys by their names, for a message about one that is unknown: of its kind, where it has one. */
export function knownKeys(given: string, parameters: readonly string[], options: readonly string[], model: Model): string[] {
  const first = given.slice(0, Math.max(0, given.indexOf('.')))
  const all = (names: readonly string[]): string[] => names.map((name) => `${first}.${name}`)
  if (first === 'mass') return all(model.bodies.slice(1).map(({ name }) => name))
  if (first === 'control') return all(model.actuators.names)
  if (isOneOf([...jointKeys, ...startKeys], first)) return all(model.joints.map(({ name }) => name))
  const forms = [...jointKeys, 'q', 'v'].map((key) => `${key}.JOINT`)
  return [...parameters, ...runKeys, ...options, 'gravity', 'gravity.x', 'gravity.y', 'gravity.z', 'mass.BODY', ...forms, 'control.NAME']
}

/** Number of a joint by its name; −1 if there is none. */
export function findJoint(model: Model, name: string): number {
  return model.joints.findIndex((joint) => joint.name === name)
}

/** Number of a body by its name, the world excluded; −1 if there is none. */
export function findBody(model: Model, name: string): number {
  return model.bodies.findIndex((body, i) => i > 0 && body.name === name)
}

/** Where in q, v or control the number of this key stands; undefined if there is no joint or actuator of this name. */
export function startIndex(model: Model, key: { readonly of: StartKey; readonly name: string }): number | undefined {
  const { of, name } = key
  if (of === 'control') {
    const at = model.actuators.names.indexOf(name)
    const number = /^\d+$/.test(name) ? Number(name) : -1
    if (at >= 0) return at
    return number >= 0 && number < model.nu ? number : undefined
  }
  const [offset, count] = of === 'q' ? (['iq', 'nq'] as const) : (['iv', 'nv'] as const)
  const joint = model.joints[findJoint(model, name)]
  if (joint) {
    if (joint[count] === 1) return joint[offset]
    const last = joint[count] - 1
    return refuse(`${of}.${name}`, `the joint has ${joint[count]} numbers; name one of them: ${of}.${name}.0 to ${of}.${name}.${last}`)
  }
  const [, base = '', digits = ''] = /^(.*)\.(\d+)$/.exec(name) ?? []
  const whole = model.joints[findJoint(model, base)]
  if (!whole || digits === '') return undefined
  if (Number(digits) < whole[count]) return whole[offset] + Number(digits)
  return refuse(`${of}.${name}`, `the joint ${base} (${whole.type}) has ${whole[count]} numbers, counted from 0`)
}

/** Refuses a key that the model has no number for. */
export function checkName(model: Model, key: Key, text: string, known: () => readonly string[]): void {
  const unknown = (what: string): never => {
    const names = known()
    return refuse(text, names.length > 0 ? `there is no ${what} of this name${hint(text, names)}` : `the model has no ${what}s`)
  }
  switch (key.of) {
    case 'mass':
      if (findBody(model, key.name) < 0) unknown('body')
      return
    case 'q':
    case 'v':
      if (startIndex(model, key) === undefined) unknown('joint')
      return
    case 'control':
      if (startIndex(model, key) === undefined) unknown('actuator')
      return
    case 'damping':
    case 'stiffness':
    case 'armature':
    case 'friction':
      if (findJoint(model, key.name) < 0 || findJoint(model, key.name) >= model.njoint) unknown('joint')
      return
    default:
  }
}

/** A finite number, or a refusal that names the key. */
export function numberFor(text: string, value: Value): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : refuse(`${text}=${value}`, 'expected a number')
}

function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return (list as readonly string[]).includes(text)
}
