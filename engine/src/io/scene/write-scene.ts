/**
 * Spec → scene JSON, for people: keys in the order of the format, whatever fits on one line on one line, long lists of numbers filled.
 *
 * The text depends on the content only, not on the order in which keys were set. `places` stays behind: it speaks of another file.
 */
import type { Spec } from '../../build/spec.js'
import { ModelError, type Problem } from '../../model/model-error.js'
import { writeDomains } from './scene-domains.js'

const WIDTH = 120

/** Order of keys, outermost idea first; keys not listed follow in alphabetical order. */
const KEY_ORDER = [
  ...['name', 'type', 'shape', 'gravity', 'medium', 'timestep', 'solver', 'world', 'bodies', 'springs', 'tendons', 'loads', 'actuators'],
  ...[
    'constraints',
    'sensors',
    'keyframes',
    'softFriction',
    'pairs',
    'touchFixedParents',
    'exclude',
    'meshes',
    'domains',
    'ignored',
    'parent',
    'body',
    'point',
    'position',
    'quaternion',
    'inertia',
  ],
  ...['joint', 'tendon', 'site', 'path', 'moving', 'start', 'duration', 'along', 'from', 'to', 'a', 'b', 'of', 'axes', 'normal'],
  ...['axis', 'axis2', 'anchor', 'pitch', 'reference', 'initial', 'stiffness', 'rest', 'offset', 'speed', 'amplitude', 'frequency'],
  ...[
    'phase',
    'rise',
    'follow',
    'direction',
    'damping',
    'armature',
    'limits',
    'friction',
    'mass',
    'com',
    'tensor',
    'density',
    'radius',
    'length',
    'fromto',
    'size',
    'radii',
  ],
  ...['rows', 'columns', 'heights', 'mesh', 'vertices', 'faces', 'color', 'joints', 'geoms', 'sites', 'what', 'why', 'time', 'q', 'v'],
]
const RANK = new Map(KEY_ORDER.map((key, rank) => [key, rank]))

/** Text of a scene file that `parseScene` reads back to the same mechanism. Throws `ModelError` on numbers that are not finite. */
export function writeScene(spec: Spec): string {
  const { places: _, ignored = [], domains, ...rest } = spec
  const mechanism = { ...rest, ...(ignored.length > 0 ? { ignored } : {}), ...(domains ? { domains: writeDomains(domains) } : {}) }
  const problems: Problem[] = []
  const text = format(mechanism, '', 0, '', problems)
  if (problems.length > 0) throw new ModelError(problems)
  return `${text}\n`
}

/** `lead`: columns taken on the line before the value; `indent` that of the line. */
function format(value: unknown, indent: string, lead: number, path: string, problems: Problem[]): string {
  if (typeof value === 'number') return formatNumber(value, path, problems)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)

  const inner = `${indent}  `
  if (isList(value)) {
    if (value.every((item) => typeof item === 'number')) return formatNumbers(value, indent, lead, path, problems)
    const items = value.map((item, i) => format(item, inner, inner.length, `${path}/${i}`, problems))
    return join(items, '[', ']', indent, lead)
  }
  const items: string[] = []
  for (const [key, item] of sortedEntries(value)) {
    const label = `${JSON.stringify(key)}: `
    items.push(label + format(item, inner, inner.length + label.length, path === '' ? key : `${path}/${key}`, problems))
  }
  return join(items, '{ ', ' }', indent, lead)
}

/** On one line when it fits and nothing inside needs more, else one item a line. */
function join(items: readonly string[], open: string, close: string, indent: string, lead: number): string {
  if (items.length === 0) return open.trim() + close.trim()
  let length = lead + open.length + close.length
  for (const item of items) length += item.length + 2
  const flat = length <= WIDTH && items.every((item) => !item.includes('\n'))
  if (flat && indent !== '') return open + items.join(', ') + close
  return `${open.trim()}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close.trim()}`
}

/** Numbers in filled lines. */
function formatNumbers(list: readonly number[], indent: string, lead: number, path: string, problems: Problem[]): string {
  const words = list.map((number, i) => formatNumber(number, `${path}/${i}`, problems))
  const line = `[${words.join(', ')}]`
  if (line.length + lead <= WIDTH || words.length <= 6) return line
  const lines: string[] = []
  let current = `${indent} `
  for (const [i, word] of words.entries()) {
    const piece = i + 1 < words.length ? ` ${word},` : ` ${word}`
    if (current.length + piece.length > WIDTH) {
      lines.push(current)
      current = `${indent} `
    }
    current += piece
  }
  lines.push(current)
  return `[\n${lines.join('\n')}\n${indent}]`
}

function formatNumber(value: number, path: string, problems: Problem[]): string {
  if (Object.is(value, -0)) return '-0'
  if (!Number.isFinite(value)) problems.push({ path, message: `expected a finite number, got ${value}` })
  return String(value)
}

function sortedEntries(value: object): [string, unknown][] {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  const rank = (key: string) => RANK.get(key) ?? RANK.size
  return entries.sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function isList(value: object): value is readonly unknown[] & object {
  return Array.isArray(value)
}
