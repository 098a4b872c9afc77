/**
 * State files: coordinates, velocities, joint forces and accelerations as JSON with comments, checked against a model.
 */

import { hintAt } from '../../build/problems.js'
import { norm } from '../../math/own.js'
import type { Model } from '../../model/model.js'
import type { Problem } from '../../model/model-error.js'
import { checkSize, guarded } from '../guarded.js'
import { failJson, readJson } from '../scene/read-json.js'

const keys = ['t', 'q', 'v', 'tau', 'a', 'control', 'act'] as const
const SHAPE = '{"q": [...], "v": [...], "tau": [...]}'

/** What a state file may hold; every part may be left out. */
export interface GivenState {
  readonly t?: number
  readonly q?: readonly number[]
  readonly v?: readonly number[]
  readonly tau?: readonly number[]
  readonly a?: readonly number[]
  readonly control?: readonly number[]
  /** activations */
  readonly act?: readonly number[]
}

export interface StateOptions {
  /** named in error messages */
  readonly file?: string
}

/** Reads a state file. Throws a `ModelError` that names each entry that is wrong, its place and the joint it belongs to. */
export function parseState(text: string, model: Model, options: StateOptions = {}): GivenState {
  checkSize(options.file, text)
  return guarded(options.file, () => readState(text, model, options))
}

function readState(text: string, model: Model, options: StateOptions): GivenState {
  // what is no JSON at all gets no list of what a parser missed
  if (!/^\s*([{[]|\/[/*])/.test(text)) {
    const start = text.trim().split('\n')[0].slice(0, 20)
    const place = { ...(options.file === undefined ? {} : { file: options.file }), line: 1, column: 1 }
    failJson([{ path: '', place, message: `expected JSON like ${SHAPE}, got ${start === '' ? 'an empty file' : `'${start}'`}` }])
  }
  const { value, locate, problems } = readJson(text, options.file)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    failJson([{ path: '', place: locate([]), message: `expected an object ${SHAPE}, got ${describe(value)}` }])
  }
  const found = value as Readonly<Record<string, unknown>>
  const refuse = (key: string, message: string, entry?: number): void => {
    const last = entry === undefined ? '' : `[${entry}]`
    problems.push({ path: `${key}${last}`, message, place: locate(entry === undefined ? [key] : [key, entry]) })
  }
  for (const key of Object.keys(found)) {
    if ((keys as readonly string[]).includes(key)) continue
    const hint = key === 'state' ? `; take what it holds as the file` : hintAt(key, keys)
    problems.push({ path: key, message: `unknown key${hint}`, place: locate([], key) })
  }
  const lengths = { q: model.nq, v: model.nv, tau: model.nv, a: model.nv, control: model.nu, act: model.na }
  for (const [key, length] of Object.entries(lengths)) {
    const list = found[key]
    if (list === undefined) continue
    const wanted = `${length} number${length === 1 ? '' : 's'}`
    if (!Array.isArray(list)) refuse(key, `expected a list of ${wanted}, got ${describe(list)}${layout(model, key)}`)
    else if (list.length !== length) refuse(key, `expected ${wanted}, got ${list.length}${layout(model, key)}`)
    else {
      list.forEach((entry: unknown, i) => {
        if (typeof entry !== 'number' || !Number.isFinite(entry)) {
          refuse(key, `expected a finite number, got ${describe(entry)}${owner(model, key, i)}`, i)
        }
      })
    }
  }
  if (found['t'] !== undefined && !(typeof found['t'] === 'number' && Number.isFinite(found['t']))) {
    refuse('t', `expected a finite number, the time in seconds, got ${describe(found['t'])}`)
  }
  if (problems.length === 0) {
    for (const { key, entry, message } of wrongQuaternions(found['q'], model))
      problems.push({ path: key, message, place: locate(['q', entry]) })
  }
  if (problems.length > 0) failJson(problems satisfies Problem[])
  return found
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value === null || typeof value === 'number') return String(value)
  return typeof value === 'object' ? 'an object' : JSON.stringify(value)
}

/** `; expected q[0…3] for hip (spherical), q[4] for knee (revolute)`: which joint owns which entries. Long models get the first few. */
function layout(model: Model, key: string): string {
  const most = 12
  if (key === 'control') {
    const names = model.actuators.names.slice(0, most).map((name, k) => `control[${k}] for ${name}`)
    const others = model.nu > most ? `, and so on for ${model.nu - most} more actuators` : ''
    return names.length === 0 ? '; the model has no actuators' : `; expected ${names.join(', ')}${others}`
  }
  if (key === 'act') {
    const names = model.actuators.names.filter((_, k) => model.actuators.activation[k] >= 0).slice(0, most)
    return names.length === 0 ? '; the model has no activations' : `; expected those of ${names.join(', ')}`
  }
  const parts = model.joints
    .filter((joint) => (key === 'q' ? joint.nq : joint.nv) > 0)
    .map((joint) => {
      const [start, count] = key === 'q' ? [joint.iq, joint.nq] : [joint.iv, joint.nv]
      return `${key}[${count === 1 ? start : `${start}…${start + count - 1}`}] for ${joint.name} (${joint.type})`
    })
  const rest = parts.length > most ? `, and so on for ${parts.length - most} more joints (limber info lists them)` : ''
  return parts.length === 0 ? '' : `; expected ${parts.slice(0, most).join(', ')}${rest}`
}

function owner(model: Model, key: string, index: number): string {
  if (key === 'control') return `; it belongs to actuator ${model.actuators.names[index]}`
  if (key === 'act') return `; it belongs to actuator ${model.actuators.names[model.actuators.activation.indexOf(index)]}`
  const joint = model.joints.find(({ iq, nq, iv, nv }) => (key === 'q' ? index >= iq && index < iq + nq : index >= iv && index < iv + nv))
  return joint ? `; it belongs to joint ${joint.name} (${joint.type})` : ''
}

/** Four of a joint's coordinates are a quaternion exactly when it has one coordinate more than velocities. */
function wrongQuaternions(q: unknown, model: Model): { key: string; entry: number; message: string }[] {
  if (!Array.isArray(q)) return []
  return model.joints.flatMap((joint) => {
    const entry = joint.iq + joint.nq - 4
    if (joint.nq !== joint.nv + 1 || norm(q.slice(entry, entry + 4) as number[]) > 1e-6) return []
    const message = `expected a quaternion w x y z, got all zeros; it belongs to joint ${joint.name}, and no turn is 1 0 0 0`
    return [{ key: `q[${entry}…${entry + 3}]`, entry, message }]
  })
}
