/**
 * `--state FILE`: coordinates, velocities, joint forces and accelerations as JSON, checked against the model.
 */
import { readFile } from 'node:fs/promises'
import { type Model, ModelError, type Place, type Problem, type State } from 'limber'

const keys = ['t', 'q', 'v', 'tau', 'a', 'control'] as const

/** What a state file may hold; every part may be left out. */
export interface GivenState {
  readonly t?: number
  readonly q?: readonly number[]
  readonly v?: readonly number[]
  readonly tau?: readonly number[]
  readonly a?: readonly number[]
  readonly control?: readonly number[]
}

/** Reads and checks a state file; throws a ModelError that names each entry that is wrong and the joint it belongs to. */
export async function readStateFile(file: string, model: Model): Promise<GivenState> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new ModelError([
      { path: file, message: missing ? 'no such file; check the path' : `cannot be read: ${(error as Error).message}` },
    ])
  }
  return checkState(file, text, model)
}

export function checkState(file: string, text: string, model: Model): GivenState {
  const found = parse(file, text)
  const problems: Problem[] = []
  const refuse = (key: string, message: string) => problems.push({ path: key, message, place: placeOf(file, text, key) })
  for (const key of Object.keys(found)) {
    if (!(keys as readonly string[]).includes(key)) refuse(key, `unknown key; expected ${keys.join(', ')}`)
  }
  const lengths = { q: model.nq, v: model.nv, tau: model.nv, a: model.nv, control: model.nu }
  for (const [key, length] of Object.entries(lengths)) {
    const list = found[key]
    if (list === undefined) continue
    if (!Array.isArray(list)) refuse(key, `expected a list of ${length} numbers, got ${describe(list)}`)
    else if (list.length !== length)
      refuse(key, `expected ${length} number${length === 1 ? '' : 's'}, got ${list.length}${layout(model, key)}`)
    else {
      list.forEach((value: unknown, i) => {
        if (typeof value !== 'number' || !Number.isFinite(value)) {
          refuse(`${key}[${i}]`, `expected a finite number, got ${describe(value)}${owner(model, key, i)}`)
        }
      })
    }
  }
  if (found['t'] !== undefined && !(typeof found['t'] === 'number' && Number.isFinite(found['t']))) {
    refuse('t', `expected a finite number, got ${describe(found['t'])}`)
  }
  if (problems.length === 0) checkQuaternions(found, model, refuse)
  if (problems.length > 0) throw new ModelError(problems)
  return found
}

/** Copies what was given; the rest stays as it was. */
export function applyState(state: State, given: GivenState): void {
  if (given.t !== undefined) state.t = given.t
  if (given.q) state.q.set(given.q)
  if (given.v) state.v.set(given.v)
  if (given.tau) state.tau.set(given.tau)
  if (given.control) state.control = Float64Array.from(given.control)
}

/** JSON; NaN and Infinity, which other programs write, get a message of their own. */
function parse(file: string, text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const bad = /(?<![\w"])-?(NaN|Infinity)\b/.exec(text)
    const message = bad
      ? `expected finite numbers, got ${bad[0]}`
      : `expected JSON like {"q": [...], "v": [...], "tau": [...]}; ${(error as Error).message}`
    const offset = bad?.index ?? Number(/at position (\d+)/.exec((error as Error).message)?.[1] ?? 0)
    throw new ModelError([{ path: '', message, place: placeAt(file, text, offset) }])
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ModelError([
      {
        path: '',
        place: placeAt(file, text, 0),
        message: `expected an object {"q": [...], "v": [...], "tau": [...]}, got ${describe(value)}`,
      },
    ])
  }
  return value as Record<string, unknown>
}

/** Where a key stands; `q[3]` stands where `q` does. */
function placeOf(file: string, text: string, key: string): Place {
  const found = text.search(new RegExp(`"${key.replace(/\[.*/, '').replace(/[^\w]/g, '\\$&')}"\\s*:`))
  return placeAt(file, text, Math.max(0, found))
}

function placeAt(file: string, text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  return { file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value === null || typeof value === 'number') return String(value)
  return typeof value === 'object' ? 'an object' : JSON.stringify(value)
}

/** `; expected q[0…3] for hip (spherical), q[4] for knee (revolute)`: which joint owns which entries. Long models get the first few. */
function layout(model: Model, key: string): string {
  if (key === 'control') return ''
  const most = 12
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
  const joint = model.joints.find(({ iq, nq, iv, nv }) => (key === 'q' ? index >= iq && index < iq + nq : index >= iv && index < iv + nv))
  return joint && key !== 'control' ? `; it belongs to joint ${joint.name} (${joint.type})` : ''
}

/** Four of a joint's coordinates are a quaternion exactly when it has one coordinate more than velocities. */
function checkQuaternions(found: Record<string, unknown>, model: Model, refuse: (key: string, message: string) => void): void {
  const q = found['q']
  if (!Array.isArray(q)) return
  for (const joint of model.joints) {
    if (joint.nq !== joint.nv + 1) continue
    const start = joint.iq + joint.nq - 4
    const norm = Math.hypot(...(q.slice(start, start + 4) as number[]))
    if (!(norm > 1e-6))
      refuse(`q[${start}…${start + 3}]`, `expected a quaternion w x y z, got all zeros; it belongs to joint ${joint.name}`)
  }
}
