/**
 * What the GPU needs of a batch: the memory that lanes have (`kernels/lane-layout`), planned for one environment, cut into what all share, the
 * work space of one invocation, and the state of one environment.
 */
import type { LaneLayout } from '../../kernels/lane-layout.js'
import type { Program } from '../programs.js'

/** Numbers of every environment: the first, and their count. */
export interface GpuField {
  readonly at: number
  readonly length: number
}

/** What a word of a table says: a whole number, or where a column begins; `same`: the whole number that all of its entries are. */
export type Word =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'whole'; readonly at: number; readonly same: number | undefined }
  | { readonly kind: 'shared' | 'state' | 'work'; readonly at: number }

export interface GpuImage {
  /** numbers and whole numbers of the model, as bits */
  readonly model: Int32Array<ArrayBuffer>
  /** first contents of the work space of one invocation: the columns that are used */
  readonly work: Float32Array<ArrayBuffer>
  /** first contents of a state */
  readonly state: Float32Array<ArrayBuffer>
  readonly fields: Readonly<Record<string, GpuField>>
  /** words of the tables by the names that the printed text has for them: a letter and the name of the field */
  readonly words: ReadonlyMap<string, Word>
}

/** What single precision can hold; WGSL has no infinities. */
const LARGEST = 3.4028234663852886e38

/** columns with an entry for each body, of which no kernel reads that of the world */
const OF_BODIES: readonly string[] = ['hinge', 'moved']

/** `used`: names of words that shaders ask for; the work space has no room for others. */
export function gpuImage(program: Program, used: ReadonlySet<string>): GpuImage {
  const layout = program.plan({ lanes: 1, bytes: 4 }, 1)
  const memory = new ArrayBuffer(layout.size)
  layout.fill(memory)
  const I = new Int32Array(memory)
  const F = new Float32Array(memory)
  for (let k = 0; k < F.length; k++) if (Math.abs(F[k]) === Number.POSITIVE_INFINITY) F[k] = Math.sign(F[k]) * LARGEST
  const base = Math.min(...Object.values(layout.workspace)) / 4
  const first = layout.states / 4
  const { tree, group, work, step } = layout.words
  const found = [
    ['T', tree, layout.tree],
    ['D', work, layout.work[0]],
    ['G', group, layout.group],
    ['P', step, layout.step[0]],
  ] as const
  const tableWords = found.flatMap(([letter, words, at]) =>
    words.map(([field, kind], k) => ({ name: `${letter}${field}`, field, kind: kind as string, value: I[at / 4 + k] })),
  )
  // where something begins: a column ends at the next of these
  const borders = [
    layout.tree,
    layout.states,
    ...found.map(([, , at]) => at),
    ...tableWords.flatMap((w) => (w.kind === 'Int' ? [] : w.value)),
  ]
    .map((at) => at / 4)
    .sort((a, b) => a - b)
  const endOf = (at: number): number => borders.find((x) => x > at) ?? F.length
  const workspace: number[] = []
  const words = new Map<string, Word>()
  for (const { name, field, kind, value } of tableWords) {
    const at = value / 4
    if (kind === 'Int') words.set(name, { kind: 'number', value })
    else if (kind === 'Ints')
      words.set(name, { kind: 'whole', at, same: sameIn(layout.constants[field], OF_BODIES.includes(field) ? 1 : 0) })
    else if (at >= first) words.set(name, { kind: 'state', at: at - first })
    else if (at < base) words.set(name, { kind: 'shared', at })
    else if (used.has(name)) {
      words.set(name, { kind: 'work', at: workspace.length })
      workspace.push(...F.subarray(at, endOf(at)))
    }
  }
  return { model: I.slice(0, base), work: Float32Array.from(workspace), state: F.slice(first), fields: fieldsOf(layout), words }
}

function fieldsOf({ fields }: LaneLayout): Record<string, GpuField> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field ? [[name, { at: field.offset / 4, length: field.length }]] : [])),
  )
}

/** The number that all entries of a column from `from` on are. */
function sameIn(column: unknown, from: number): number | undefined {
  if (!(column instanceof Int32Array) || column.length <= from) return undefined
  const all = column.subarray(from)
  return all.every((x) => x === all[0]) ? all[0] : undefined
}
