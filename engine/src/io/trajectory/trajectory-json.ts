/**
 * Trajectories as JSON: `{ format, version, model, times, q, v, poses?, energy? }`, a line a frame. Numbers that are not finite are null.
 */
import * as z from 'zod'
import { ModelError } from '../../model/model-error.js'
import { guarded } from '../guarded.js'
import { type FrameSource, rowBlocks, rowLayout } from './frames.js'
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, createJsonScanner, type JsonScanner, OPEN_LIST, OPEN_OBJECT } from './json-scanner.js'
import { createNumbers, type Numbers } from './numbers.js'
import {
  badTrajectory,
  checkRecording,
  extraWidth,
  type RecordedModel,
  type Recording,
  recordedSize,
  recordingExtras,
} from './recording.js'

const FORMAT = 'limber-trajectory'

const count = z.int().nonnegative()
const extra = () => z.array(z.object({ name: z.string(), size: count }))
const schema = z.object({
  name: z.string(),
  joints: z.array(z.object({ name: z.string(), type: z.string(), iq: count, nq: count, iv: count, nv: count })),
  bodies: z.array(z.string()),
  extras: z.exactOptional(
    z.object({ sensors: z.exactOptional(extra()), controls: z.exactOptional(extra()), contacts: z.exactOptional(extra()) }),
  ),
})

export function writeTrajectoryJson(recording: Recording): string {
  checkRecording(recording)
  const { model, times, q, v, poses, energy } = recording
  const { nq, nv, nbody } = recordedSize(model)
  const frames = times.length
  const parts = [
    `"format": "${FORMAT}"`,
    '"version": 1',
    `"model": ${JSON.stringify(model)}`,
    `"times": [${Array.from(times, number).join(', ')}]`,
    `"q": ${rows(q, frames, nq)}`,
    `"v": ${rows(v, frames, nv)}`,
  ]
  if (poses) parts.push(`"poses": ${rows(poses, frames, 7 * nbody)}`)
  if (energy) parts.push(`"energy": ${rows(energy, frames, 2)}`)
  for (const key of recordingExtras) {
    const values = recording[key]
    if (values) parts.push(`"${key}": ${rows(values, frames, extraWidth(model, key))}`)
  }
  return `{\n${parts.join(',\n')}\n}\n`
}

/**
 * Reads what `writeTrajectoryJson` writes: a text, its bytes, or these in pieces, as from a file that is too large for one string; memory is taken for the numbers
 * only. Throws `ModelError` on anything else, and where there are more numbers than `LIMITS.numbers`.
 */
export function readTrajectoryJson(source: string | Uint8Array | Iterable<Uint8Array>): Recording {
  return guarded(undefined, () => readRecording(piecesOf(source)))
}

/** characters, or bytes, that are looked at together */
const PIECE = 1 << 16

function* piecesOf(source: string | Uint8Array | Iterable<Uint8Array>): Generator<string> {
  if (typeof source === 'string') {
    for (let i = 0; i < source.length; i += PIECE) yield source.slice(i, i + PIECE)
    return
  }
  const decoder = new TextDecoder()
  for (const bytes of source instanceof Uint8Array ? [source] : source) {
    for (let i = 0; i < bytes.length; i += PIECE) yield decoder.decode(bytes.subarray(i, i + PIECE), { stream: true })
  }
  yield decoder.decode()
}

/** Rows of numbers, as many in each as in the first. */
interface Table {
  readonly values: Float64Array
  readonly rows: number
  readonly width: number
}

const TABLES = ['q', 'v', 'poses', 'energy', ...recordingExtras] as const

function readRecording(pieces: Iterator<string>): Recording {
  const scanner = createJsonScanner(pieces)
  const numbers = createNumbers()
  const tables = new Map<string, Table>()
  let model: RecordedModel | undefined
  let times: Float64Array | undefined
  const seen = new Set<string>()
  scanner.take(OPEN_OBJECT, '')
  for (let first = true; first ? scanner.peek() !== CLOSE_OBJECT : scanner.peek() === COMMA; first = false) {
    if (!first) scanner.take(COMMA, '')
    const key = scanner.string('')
    scanner.take(COLON, key)
    const isOurs = key === 'format' || key === 'version' || key === 'model' || key === 'times' || TABLES.some((name) => name === key)
    if (isOurs && seen.has(key)) throw badTrajectory('expected it once, got it twice', key)
    if (isOurs) seen.add(key)
    if (key === 'format') expectText(scanner, key, `"${FORMAT}"`)
    else if (key === 'version') expectText(scanner, key, '1')
    else if (key === 'model') model = readModel(scanner.value(key, true))
    else if (key === 'times') {
      readList(scanner, key, numbers)
      times = numbers.take()
    } else if (isOurs) tables.set(key, readTable(scanner, key, numbers))
    else scanner.value(key, false)
  }
  scanner.take(CLOSE_OBJECT, '')
  if (scanner.peek() >= 0) throw badTrajectory('expected the end of the file after the object')
  for (const key of ['format', 'version', 'model', 'times', 'q', 'v']) if (!seen.has(key)) throw badTrajectory('expected it, got none', key)
  if (!model || !times) throw badTrajectory('expected a model and times')
  const { nq, nv, nbody } = recordedSize(model)
  const extras = { sensors: extraWidth(model, 'sensors'), controls: extraWidth(model, 'controls'), contacts: extraWidth(model, 'contacts') }
  const wanted = { q: nq, v: nv, poses: 7 * nbody, energy: 2, ...extras }
  const recording = { model, times, q: new Float64Array(), v: new Float64Array() } as { -readonly [K in keyof Recording]: Recording[K] }
  for (const name of TABLES) {
    const table = tables.get(name)
    if (!table) continue
    if (table.rows > 0 && table.width !== wanted[name])
      throw badTrajectory(`expected ${wanted[name]} numbers, got ${table.width}`, `${name}/0`)
    recording[name] = table.values
  }
  checkRecording(recording)
  return recording
}

function expectText(scanner: JsonScanner, key: string, wanted: string): void {
  const found = scanner.value(key, true)
  if (found !== wanted) throw badTrajectory(`expected ${wanted}, got ${found.slice(0, 40)}`, key)
}

function readModel(text: string): RecordedModel {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw badTrajectory(`expected JSON, got ${(error as Error).message}`, 'model')
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ModelError(result.error.issues.slice(0, 50).map(({ path, message }) => ({ path: ['model', ...path].join('/'), message })))
}

/** Reads `[…]` of numbers; how many. */
function readList(scanner: JsonScanner, path: string, numbers: Numbers): number {
  scanner.take(OPEN_LIST, path)
  if (scanner.peek() === CLOSE_LIST) {
    scanner.take(CLOSE_LIST, path)
    return 0
  }
  let length = 0
  for (;;) {
    numbers.add(scanner.number(path))
    length++
    if (scanner.peek() !== COMMA) break
    scanner.take(COMMA, path)
  }
  scanner.take(CLOSE_LIST, path)
  return length
}

function readTable(scanner: JsonScanner, path: string, numbers: Numbers): Table {
  scanner.take(OPEN_LIST, path)
  let rows = 0
  let width = 0
  for (let first = true; first ? scanner.peek() !== CLOSE_LIST : scanner.peek() === COMMA; first = false) {
    if (!first) scanner.take(COMMA, path)
    const length = readList(scanner, path, numbers)
    if (first) width = length
    else if (length !== width) throw badTrajectory(`expected ${width} numbers, got ${length}`, `${path}/${rows}`)
    rows++
  }
  scanner.take(CLOSE_LIST, path)
  return { values: numbers.take(), rows, width }
}

/** The same text, piece by piece, of frames that may be too many for memory: read once for each part of the file. */
export function* trajectoryJsonParts(source: FrameSource): Generator<string> {
  const { model } = source
  const { iQ, iV, iPose, iEnergy, extras } = rowLayout(model)
  yield `{\n"format": "${FORMAT}",\n"version": 1,\n"model": ${JSON.stringify(model)},\n"times": [`
  yield* linesOf(source, ', ', (rows, o) => number(rows[o]))
  yield ']'
  for (const [name, from, to] of [
    ['q', iQ, iV],
    ['v', iV, iPose],
    ['poses', iPose, iEnergy],
    ['energy', iEnergy, iEnergy + 2],
    ...extras.map(({ key, from, to }) => [key, from, to] as const),
  ] as const) {
    yield `,\n"${name}": [${source.frames === 0 ? '' : '\n'}`
    yield* linesOf(source, ',\n', (rows, o) => line(rows, o + from, o + to))
    yield source.frames === 0 ? ']' : '\n]'
  }
  yield '\n}\n'
}

/** What `write` makes of each row, given the rows and where it begins, with this between. */
function* linesOf(source: FrameSource, between: string, write: (rows: Float64Array, o: number) => string): Generator<string> {
  const { stride } = rowLayout(source.model)
  for (const { first, count, rows } of rowBlocks(source)) {
    let text = ''
    for (let f = 0; f < count; f++) {
      text += first + f === 0 ? write(rows, f * stride) : between + write(rows, f * stride)
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
    yield text
  }
}

function rows(values: Float64Array, frames: number, columns: number): string {
  if (frames === 0) return '[]'
  return `[\n${Array.from({ length: frames }, (_, f) => line(values, f * columns, (f + 1) * columns)).join(',\n')}\n]`
}

function line(values: Float64Array, from: number, to: number): string {
  let text = '  ['
  for (let k = from; k < to; k++) text += k === from ? number(values[k]) : `, ${number(values[k])}`
  return `${text}]`
}

function number(x: number): string {
  return Number.isFinite(x) ? (Object.is(x, -0) ? '-0' : String(x)) : 'null'
}
