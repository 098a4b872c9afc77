/**
 * What a file lost is news to its owner, what matters most first; what a built-in scene leaves out is a footnote.
 */
import type { Loaded } from '../worker/protocol.js'
import { element } from './dom.js'
import { hideMessages, type Remedy, showMessage } from './messages.js'
import { withRemedy } from './remedies.js'

/** the first that fits a line tells how much it matters */
const weights: readonly RegExp[] = [
  /\bnot found\b/,
  /no part .* touch|cannot touch|nothing can touch|will fall/i,
  /affects? (the )?motion/i,
  /actuator|joint|tendon|contact/i,
  /./s,
]

/** what was said of the model that is shown */
let told: ReadonlySet<string> = new Set()

export interface Ways {
  /** opens another model of the same files, by its name */
  openOther(name: string): void
  /** asks for files */
  open(): void
}

/** `again`: the same file, read with other settings; only news is told. */
export function tellIgnored(loaded: Loaded, again: boolean, { openOther, open }: Ways): void {
  const { origin, fresh, ignored, notes, others, lanes } = loaded
  const all = new Set([...ignored.map(({ path, what, why }) => `${path}: ${what}: ${why}`), ...notes, ...lanes[0].warnings])
  element('remarks', HTMLElement).textContent = origin === 'scene' ? [...new Set(notes)].join('. ') : ''
  if (!fresh) return
  const lines = [...all].filter((line) => !again || !told.has(line))
  told = all
  hideMessages('load', 'run', 'notes', 'other')
  if (origin === 'scene' || (lines.length === 0 && (again || others.length === 0))) return
  const weight = (line: string) => weights.findIndex((one) => one.test(line))
  const sorted = lines.map((line, k) => ({ line, k })).sort((a, b) => weight(a.line) - weight(b.line) || a.k - b.k)
  const missing = lines.some((line) => weight(line) === 0)
  const remedies: Remedy[] = [
    ...(missing ? [{ text: 'Open the missing files…', act: open }] : []),
    ...others.slice(0, 6).map((name) => ({ text: `Open ${name} instead`, act: () => openOther(name) })),
  ]
  showMessage({
    heading: lines.length > 0 ? `Not taken over (${lines.length})` : 'Other models in these files',
    lines: withRemedy(sorted.map(({ line }) => line)),
    kind: 'remark',
    cause: 'notes',
    remedies,
    // with what to do about files that are missing
    visible: missing ? 2 : 1,
  })
}
