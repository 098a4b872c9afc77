/**
 * Where everything of a batch lies in its one memory.
 *
 *   words of the threads | constants of the model, tables | work space of each thread | states, group by group
 *
 * A number of an environment is one lane of a record of all lanes: numbers of a column follow each other at a distance of `lanes`. States
 * hold all that a batch goes on from, parameters that vary included, and no address: they are what a snapshot is.
 */
import { jointTypes } from '../joints/index.js'
import type { Vec } from '../math/types.js'
import { createData, dataLayout } from '../model/data.js'
import { ACTUATOR_JOINT, type Model } from '../model/model.js'
import { tables } from '../printed/tables.js'
import type { Tableau } from '../solvers/ode/tableaus.js'
import { COORDINATE, NO_LENGTH, ROTATION } from './tables.js'

/** BatchArray of the model that each environment may have for itself. */
export const batchParameters = ['gravity', 'inertia', 'armature', 'damping', 'stiffness', 'rest', 'gain', 'bias'] as const
export type BatchParameter = (typeof batchParameters)[number]

/** How numbers lie: how many environments side by side, bytes of a number. */
export interface LaneForm {
  readonly lanes: number
  readonly bytes: 4 | 8
}

export type BatchArray = Float64Array | Float32Array

/** BatchArray that every environment has: where they begin in its group, in bytes, and how many they are. */
export interface Field {
  readonly offset: number
  readonly length: number
}

export type StateField = 'q' | 'v' | 'a' | 'tau' | 'control' | 'steps' | 'failed'

export interface Layout {
  readonly form: LaneForm
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
  /** states: first byte, bytes of a group */
  readonly states: number
  readonly stateStride: number
  readonly fields: Readonly<Record<StateField, Field> & Partial<Record<BatchParameter, Field>>>
  /** Writes constants, tables and the parameters that vary to memory of zeros. */
  fill(buffer: ArrayBufferLike): void
}

export interface LayoutOptions {
  readonly form: LaneForm
  readonly count: number
  readonly threads: number
  readonly timestep: number
  readonly tableau: Tableau | undefined
  readonly vary: readonly BatchParameter[]
}

/** words that all threads speak through, at the beginning of the memory, and behind them words of each: whole cache lines */
export const THREAD_WORDS = 64

type Column = number | Int32Array | Vec
type Columns = Readonly<Record<string, Column>>

/** bytes of two cache lines, which processors may fetch together */
const LINE = 128

const align = (bytes: number): number => Math.ceil(bytes / 16) * 16

export const numbersOf = ({ bytes }: LaneForm, buffer: ArrayBufferLike): BatchArray =>
  bytes === 8 ? new Float64Array(buffer) : new Float32Array(buffer)

export function planLayout(m: Model, options: LayoutOptions): Layout {
  const { form, count, threads, vary } = options
  const groups = Math.ceil(count / form.lanes)
  const record = form.lanes * form.bytes
  const writes: ((I: Int32Array, F: BatchArray) => void)[] = []
  let end = 4 * THREAD_WORDS * (1 + threads)
  const reserve = (bytes: number): number => {
    const start = end
    end += align(bytes)
    return start
  }
  /** a column that is the same for all environments */
  const share = (values: Int32Array | Vec): number => {
    const whole = values instanceof Int32Array
    const start = reserve(values.length * (whole ? 4 : form.bytes))
    writes.push((I, F) => (whole ? I.set(values, start / 4) : F.set(values, start / form.bytes)))
    return start
  }
  const spreadAt = (start: number, values: Vec) => (_: Int32Array, F: BatchArray) => {
    for (let k = 0; k < values.length; k++)
      F.fill(values[k], (start + record * k) / form.bytes, (start + record * k) / form.bytes + form.lanes)
  }
  /** a column of lanes in which all are equal */
  const spread = (values: Vec): number => {
    const start = reserve(record * values.length)
    writes.push(spreadAt(start, values))
    return start
  }
  const writeTable = (start: number, words: readonly number[]): void => {
    writes.push((I) => I.set(words, start / 4))
  }

  // states: the same offsets in every group
  const parameters = parameterColumns(m)
  const lengths: readonly (readonly [StateField | BatchParameter, number])[] = [
    ['q', m.nq],
    ['v', m.nv],
    ['a', m.nv],
    ['tau', m.nv],
    ['control', m.nu],
    ['steps', 1],
    ['failed', 1],
    ...vary.map((name) => [name, parameters[name].length] as const),
  ]
  const fields: Partial<Record<StateField | BatchParameter, Field>> = {}
  let stateStride = 0
  for (const [name, length] of lengths) {
    fields[name] = { offset: stateStride, length }
    stateStride += align(record * length)
  }

  // constants of the model
  const shared = new Map<string, number>()
  const columns: Columns = { ...(m as unknown as Columns), ...(m.steps as unknown as Columns), ...groupColumns(m, options), ...parameters }
  for (const name of ['Tree', 'Group'] as const) {
    for (const [field, kind] of tables[name]) {
      const value = columns[field]
      if (shared.has(field) || typeof value !== 'object') continue
      if (kind === 'Varied' && !vary.includes(field as BatchParameter)) shared.set(field, spread(value as Vec))
      else if (kind === 'Ints' || kind === 'Shared') shared.set(field, share(value))
    }
  }

  // work space
  const data = createData(m)
  const layout: Readonly<Record<string, readonly [number, number]>> = { ...dataLayout(m), ...stepLayout(m, options.tableau) }
  const work: number[] = []
  const step: number[] = []
  for (let t = 0; t < threads; t++) {
    // no cache line of one thread's is another's too
    end = Math.ceil(end / LINE) * LINE
    for (const [list, name] of [
      [work, 'Work'],
      [step, 'Step'],
    ] as const) {
      const table = reserve(4 * tables[name].length)
      const words = tables[name].map(([field]) => {
        const [rows, size] = layout[field]
        // what never changes is in new data; the rest is written before it is read
        return name === 'Work' ? spread(data[field as keyof typeof data] as Vec) : reserve(record * rows * size)
      })
      writeTable(table, words)
      list.push(table)
    }
  }

  // tables of the groups; trees are one where none of their columns varies
  end = Math.ceil(end / LINE) * LINE
  const treeStride = vary.some((name) => name === 'inertia' || name === 'armature') ? align(4 * tables.Tree.length) : 0
  const groupStride = align(4 * tables.Group.length)
  const tree = reserve(treeStride === 0 ? 4 * tables.Tree.length : treeStride * groups)
  const group = reserve(groupStride * groups)
  const states = reserve(stateStride * groups)
  writes.push((I, F) => {
    for (let g = 0; g < groups; g++) {
      const place = (field: string): number => {
        const own = fields[field as StateField]
        if (own) return states + g * stateStride + own.offset
        return shared.get(field) ?? (columns[field] as number)
      }
      const words = (name: 'Tree' | 'Group'): number[] => tables[name].map(([field]) => place(field))
      if (g === 0 || treeStride > 0) I.set(words('Tree'), (tree + g * treeStride) / 4)
      I.set(words('Group'), (group + g * groupStride) / 4)
      for (const name of vary) spreadAt(place(name), parameters[name])(I, F)
    }
  })

  return {
    ...{ form, groups, size: end, tree, treeStride, group, groupStride, work, step, states, stateStride },
    fields: fields as Layout['fields'],
    fill(buffer) {
      const I = new Int32Array(buffer)
      const F = numbersOf(form, buffer)
      for (const write of writes) write(I, F)
    },
  }
}

/** Model values of what may vary. */
export function parameterColumns({ gravity, inertia, armature, damping, stiffness, rest, actuators }: Model): Record<BatchParameter, Vec> {
  return { gravity, inertia, armature, damping, stiffness, rest, gain: actuators.gain, bias: actuators.bias }
}

function stepLayout(m: Model, tableau: Tableau | undefined): Record<string, readonly [number, number]> {
  const stages = tableau?.b.length ?? 0
  return {
    qNext: [1, m.nq],
    vNext: [1, m.nv],
    qf: [1, m.nv],
    drive: [1, m.nv],
    xi: [1, m.nv],
    xiRate: [stages, m.nv],
    vRate: [stages, m.nv],
  }
}

/** Constants of the table Group: what `forces/actuators` asks the model. */
function groupColumns(m: Model, { timestep, tableau }: LayoutOptions): Columns {
  const { count, kind, target, gear, controlRange, forceRange, dofRange, ranged } = m.actuators
  // an actuator elsewhere than on a joint moves nothing here
  const onJoint = (n: number): number => (kind[n] === ACTUATOR_JOINT ? target[n] : -1)
  const ofJoint = (f: (j: number) => number): Int32Array =>
    Int32Array.from({ length: count }, (_, n) => (onJoint(n) < 0 ? 0 : f(onJoint(n))))
  const lengthKind = (j: number): number => {
    const { nv, linear, absolute } = jointTypes[m.jointType[j]]
    return nv === 1 ? COORDINATE : linear || absolute ? NO_LENGTH : ROTATION
  }
  return {
    actuatorCount: count,
    lengthKind: ofJoint(lengthKind),
    actuatorQ: ofJoint((j) => m.jointQ[j]),
    actuatorV: ofJoint((j) => m.jointV[j]),
    actuatorNv: ofJoint((j) => jointTypes[m.jointType[j]].nv),
    ...{ gear, controlRange, forceRange, dofRange, ranged },
    h: Float64Array.of(timestep),
    one: Float64Array.of(1),
    ...weightsOf(tableau),
  }
}

/** The rows of a tableau, and that of the step, each filled up to the number of stages. */
function weightsOf(tableau: Tableau | undefined): Columns {
  if (tableau === undefined) return { stages: 0, weights: new Float64Array(0) }
  const stages = tableau.b.length
  const weights = new Float64Array(stages * (stages + 1))
  for (const [i, row] of [...tableau.a, tableau.b].entries()) weights.set(row, stages * i)
  return { stages, weights }
}
