/**
 * Layout of many environments of one model in one memory, for kernels that step them in lanes.
 *
 *   words of the threads | constants of the model, tables | workspace of each thread | states, group by group
 *
 * A number of an environment is one lane of a record of all lanes: numbers of a column follow each other at a distance of `lanes`. States hold
 * everything that the next step depends on, varied parameters included, and no address: they are what a snapshot contains.
 */
import { tables } from '../printed/tables.js'
import type { TableName } from './tables.js'

type Vec = Float64Array

/** Number of environments side by side, bytes of a number. */
export interface LaneForm {
  readonly lanes: number
  readonly bytes: 4 | 8
}

/** Numbers of every environment: byte offset in its group, and their count. */
export interface Field {
  readonly offset: number
  readonly length: number
}

export type Columns = Readonly<Record<string, number | Int32Array | Vec>>

/** Words of a table: name, kind, numbers in a record. */
export type TableWords = readonly (readonly [string, string, number])[]

export interface LanePlan<S extends string, P extends string> {
  readonly form: LaneForm
  /** environments */
  readonly count: number
  readonly threads: number
  /** first byte of the layout; default 0 */
  readonly start?: number
  /** printed tables that kernels are given: constants of the tree, table of a group, workspace of the tree algorithms and of the step */
  readonly tables: { readonly tree: TableName; readonly group: string; readonly work: TableName; readonly step: string }
  /** tables that are printed apart */
  readonly apart?: Readonly<Record<string, TableWords>>
  readonly constants: Columns
  /** numbers of the model that environments may have for themselves, and the names of those that they do */
  readonly parameters: Readonly<Record<P, Vec>>
  readonly vary: readonly P[]
  /** length of each field of a state */
  readonly state: Readonly<Record<S, number>>
  /** first contents of the workspace of the tree algorithms, lengths of that of the step */
  readonly work: Readonly<Record<string, Vec>>
  readonly step: Readonly<Record<string, number>>
}

export interface LaneLayout<S extends string = string, P extends string = string> {
  readonly form: LaneForm
  /** words of the tables that kernels are given */
  readonly words: Readonly<Record<keyof LanePlan<S, P>['tables'], TableWords>>
  readonly constants: Columns
  readonly groups: number
  /** bytes of the whole */
  readonly size: number
  /** tables of each group: the first, and the distance to the next */
  readonly tree: number
  readonly treeStride: number
  readonly group: number
  readonly groupStride: number
  /** tables of each thread */
  readonly work: readonly number[]
  readonly step: readonly number[]
  /** first byte of each workspace column of the first thread */
  readonly workspace: Readonly<Record<string, number>>
  /** states: first byte, bytes of a group */
  readonly states: number
  readonly stateStride: number
  readonly fields: Readonly<Record<S, Field> & Partial<Record<P, Field>>>
  /** Writes constants, tables and varied parameters to memory of zeros. */
  fill(buffer: ArrayBufferLike): void
}

/** Words that all threads communicate through, at the beginning of the memory, and behind them words of each: whole cache lines. */
export const THREAD_WORDS = 64

/** bytes of two cache lines, which processors may fetch together */
const LINE = 128

const align = (bytes: number): number => Math.ceil(bytes / 16) * 16
const alignLine = (bytes: number): number => Math.ceil(bytes / LINE) * LINE

export const numbersOf = ({ bytes }: LaneForm, buffer: ArrayBufferLike): Float64Array | Float32Array =>
  bytes === 8 ? new Float64Array(buffer) : new Float32Array(buffer)

type Write = (I: Int32Array, F: Float64Array | Float32Array) => void

export function planLanes<S extends string, P extends string>(plan: LanePlan<S, P>): LaneLayout<S, P> {
  const { form, count, threads, start = 0, vary, parameters } = plan
  const groups = Math.ceil(count / form.lanes)
  const record = form.lanes * form.bytes
  const wordsOf = (name: string): TableWords => plan.apart?.[name] ?? tables[name as TableName]
  const { tree: treeTable, group: groupTable, work: workTable, step: stepTable } = plan.tables
  const wordsOfAll = { tree: wordsOf(treeTable), group: wordsOf(groupTable), work: wordsOf(workTable), step: wordsOf(stepTable) }
  const writes: Write[] = []
  let end = start + (threads > 1 ? 4 * THREAD_WORDS * (1 + threads) : 0)
  const reserve = (bytes: number): number => {
    const first = end
    end += align(bytes)
    return first
  }
  /** a column that is the same for all environments */
  const share = (values: Int32Array | Vec): number => {
    const isWhole = values instanceof Int32Array
    const first = reserve(values.length * (isWhole ? 4 : form.bytes))
    writes.push((I, F) => (isWhole ? I.set(values, first / 4) : F.set(values, first / form.bytes)))
    return first
  }
  const spreadAt =
    (first: number, values: Vec): Write =>
    (_, F) => {
      for (let k = 0; k < values.length; k++) {
        const at = (first + record * k) / form.bytes
        F.fill(values[k], at, at + form.lanes)
      }
    }
  /** a column of lanes in which all are equal */
  const spread = (values: Vec): number => {
    const first = reserve(record * values.length)
    writes.push(spreadAt(first, values))
    return first
  }

  // states: the same offsets in every group
  const fields: Record<string, Field> = {}
  let stateStride = 0
  const lengths = [...Object.entries<number>(plan.state), ...vary.map((name) => [name, parameters[name].length] as const)]
  for (const [name, length] of lengths) {
    fields[name] = { offset: stateStride, length }
    stateStride += align(record * length)
  }

  // constants of the model
  const columns: Columns = { ...plan.constants, ...parameters }
  const shared = new Map<string, number>()
  for (const name of [plan.tables.tree, plan.tables.group]) {
    for (const [field, kind] of wordsOf(name)) {
      const value = columns[field]
      if (shared.has(field) || typeof value !== 'object' || Object.hasOwn(fields, field)) continue
      if (kind === 'Varied') shared.set(field, spread(value as Vec))
      else if (kind === 'Ints' || kind === 'Shared') shared.set(field, share(value))
    }
  }

  // workspace
  const work: number[] = []
  const step: number[] = []
  const workspace: Record<string, number> = {}
  for (let t = 0; t < threads; t++) {
    // no cache line belongs to two threads
    end = alignLine(end)
    const place = (name: string, columnOf: (field: string) => number): number => {
      const table = reserve(4 * wordsOf(name).length)
      const words = wordsOf(name).map(([field]) => {
        const first = columnOf(field)
        workspace[field] ??= first
        return first
      })
      writes.push((I) => I.set(words, table / 4))
      return table
    }
    work.push(place(plan.tables.work, (field) => spread(plan.work[field])))
    step.push(place(plan.tables.step, (field) => reserve(record * plan.step[field])))
  }

  // tables of the groups; one tree serves all of them where none of its columns varies
  end = alignLine(end)
  const ownTree = wordsOf(plan.tables.tree).some(([field]) => (vary as readonly string[]).includes(field))
  const treeStride = ownTree ? align(4 * wordsOf(plan.tables.tree).length) : 0
  const groupStride = align(4 * wordsOf(plan.tables.group).length)
  const tree = reserve(ownTree ? treeStride * groups : 4 * wordsOf(plan.tables.tree).length)
  const group = reserve(groupStride * groups)
  const states = reserve(stateStride * groups)
  writes.push((I, F) => {
    for (let g = 0; g < groups; g++) {
      const place = (field: string): number => {
        const own = fields[field]
        if (own) return states + g * stateStride + own.offset
        return shared.get(field) ?? (columns[field] as number)
      }
      const words = (name: string): number[] => wordsOf(name).map(([field]) => place(field))
      if (g === 0 || ownTree) I.set(words(plan.tables.tree), (tree + g * treeStride) / 4)
      I.set(words(plan.tables.group), (group + g * groupStride) / 4)
      for (const name of vary) spreadAt(place(name), parameters[name])(I, F)
    }
  })

  return {
    ...{ form, words: wordsOfAll, constants: plan.constants },
    ...{ groups, size: end - start, tree, treeStride, group, groupStride, work, step, workspace, states, stateStride },
    fields: fields as LaneLayout<S, P>['fields'],
    fill(buffer) {
      const I = new Int32Array(buffer)
      const F = numbersOf(form, buffer)
      for (const write of writes) write(I, F)
    },
  }
}
