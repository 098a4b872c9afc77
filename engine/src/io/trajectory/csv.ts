/**
 * Trajectories as comma-separated values (RFC 4180): `t`, coordinates, velocities, kinetic and potential energy; one row a frame.
 *
 * Numbers are the shortest decimals that read back to the same double. Body poses have no columns: they follow from the model.
 */
import { guarded } from '../guarded.js'
import { createNumbers } from './numbers.js'
import {
  badTrajectory,
  checkRecording,
  columnLabels,
  extraLabels,
  extraWidth,
  type RecordedJoint,
  type RecordedModel,
  type Recording,
  type RecordingExtra,
  recordedSize,
  recordingExtras,
} from './recording.js'

/** Header `t, <joint>.q…, <joint>.v…, kinetic, potential`, then a row a frame. */
export function writeCsv(recording: Recording): string {
  checkRecording(recording)
  return csvHeader(recording.model, recording.energy !== undefined) + csvRows(recording)
}

export function csvHeader(model: RecordedModel, energy: boolean): string {
  const labels = [
    ...['t', ...columnLabels(model, 'q'), ...columnLabels(model, 'v'), ...(energy ? ['kinetic', 'potential'] : [])],
    ...recordingExtras.flatMap((key) => extraLabels(model, key)),
  ]
  return `${labels.map(quote).join(',')}\n`
}

export function csvRows(recording: Recording): string {
  const { model, times, q, v, energy } = recording
  const { nq, nv } = recordedSize(model)
  const extras = recordingExtras.flatMap((key) => (recording[key] ? [{ values: recording[key], width: extraWidth(model, key) }] : []))
  let text = ''
  for (let f = 0; f < times.length; f++) {
    let line = String(times[f])
    for (let k = 0; k < nq; k++) line += `,${q[f * nq + k]}`
    for (let k = 0; k < nv; k++) line += `,${v[f * nv + k]}`
    if (energy) line += `,${energy[2 * f]},${energy[2 * f + 1]}`
    for (const { values, width } of extras) for (let k = 0; k < width; k++) line += `,${values[f * width + k]}`
    text += `${line}\n`
  }
  return text
}

/**
 * Reads what `writeCsv` writes; other columns are left aside. Without `model` the joints are taken from the labels, with type
 * `unknown`, and there are no bodies. Throws `ModelError` on anything else.
 */
export function readCsv(text: string, model?: RecordedModel): Recording {
  return guarded(undefined, () => readTable(text, model))
}

function readTable(text: string, model?: RecordedModel): Recording {
  const rows = splitRows(text.startsWith('\uFEFF') ? text.slice(1) : text)
  const header = (rows.next().value ?? []).map((label) => label.trim())
  const iT = header.indexOf('t')
  if (iT < 0) throw badTrajectory(`expected a column 't' in the first line, got ${JSON.stringify(header.slice(0, 5).join(','))}`, 'line 1')
  const extras = extrasOf(header)
  const { extras: _, ...known } = model ?? { name: '', joints: jointsOf(header), bodies: [] }
  const recorded: RecordedModel = { ...known, ...(Object.keys(extras).length > 0 ? { extras } : {}) }
  const columns = new Map(header.map((label, i): [string, number] => [label, i]).reverse())
  const iQ = columnLabels(recorded, 'q').map((label) => column(columns, label))
  const iV = columnLabels(recorded, 'v').map((label) => column(columns, label))
  const iE = [header.indexOf('kinetic'), header.indexOf('potential')]
  const withEnergy = iE.every((i) => i >= 0)

  const times = createNumbers()
  const q = createNumbers()
  const v = createNumbers()
  const energy = createNumbers()
  const more = recordingExtras.flatMap((key) => {
    const at = extraLabels(recorded, key).map((label) => column(columns, label))
    return recorded.extras?.[key] ? [{ key, at, values: createNumbers() }] : []
  })
  let line = 1
  for (const row of rows) {
    line++
    if (row.length !== header.length) throw badTrajectory(`expected ${header.length} columns, got ${row.length}`, `line ${line}`)
    const read = (i: number) => readNumber(row[i], header[i], line)
    times.add(read(iT))
    for (const i of iQ) q.add(read(i))
    for (const i of iV) v.add(read(i))
    if (withEnergy) for (const i of iE) energy.add(read(i))
    for (const { at, values } of more) for (const i of at) values.add(read(i))
  }
  return {
    ...{ model: recorded, times: times.take(), q: q.take(), v: v.take(), ...(withEnergy ? { energy: energy.take() } : {}) },
    ...Object.fromEntries(more.map(({ key, values }) => [key, values.take()])),
  }
}

function column(columns: ReadonlyMap<string, number>, label: string): number {
  const i = columns.get(label)
  if (i === undefined) throw badTrajectory(`expected a column '${label}', which the model has, got none`, 'line 1')
  return i
}

function readNumber(text: string, label: string, line: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isNaN(value) && !/^\s*nan\s*$/i.test(text)) {
    throw badTrajectory(`expected a number in column '${label}', got ${JSON.stringify(text.slice(0, 20))}`, `line ${line}`)
  }
  return value
}

/** What is recorded on request, by its labels. */
function extrasOf(header: readonly string[]): NonNullable<RecordedModel['extras']> {
  const found: { -readonly [K in RecordingExtra]?: { name: string; size: number }[] } = {}
  for (const label of header) {
    const [, name, word] = /^(.*)\.(sensor|control|contact)\d*$/s.exec(label) ?? []
    if (word === undefined) continue
    const list = (found[`${word}s` as RecordingExtra] ??= [])
    const last = list.at(-1)
    if (last?.name === name) last.size++
    else list.push({ name, size: 1 })
  }
  return found
}

/** Joints in the order of their first column, numbered as the columns are. */
function jointsOf(header: readonly string[]): RecordedJoint[] {
  const counts = new Map<string, { q: number; v: number }>()
  for (const label of header) {
    const match = /^(.*)\.([qv])\d*$/s.exec(label)
    if (!match) continue
    const [, name, letter] = match
    const entry = counts.get(name) ?? { q: 0, v: 0 }
    entry[letter as 'q' | 'v']++
    counts.set(name, entry)
  }
  const joints: RecordedJoint[] = []
  let iq = 0
  let iv = 0
  for (const [name, { q, v }] of counts) {
    joints.push({ name, type: 'unknown', iq, nq: q, iv, nv: v })
    iq += q
    iv += v
  }
  return joints
}

function quote(label: string): string {
  return /[",\n\r]/.test(label) ? `"${label.replaceAll('"', '""')}"` : label
}

/** Rows of fields, one after the other; quoted fields may hold commas, line ends and doubled quotes. Empty lines are left out. */
function* splitRows(text: string): Generator<string[], undefined> {
  if (!text.includes('"')) {
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from)
      const line = text.slice(from, end < 0 ? text.length : end).replace(/\r$/, '')
      from = end < 0 ? text.length : end + 1
      if (line.trim() !== '') yield line.split(',')
    }
    return undefined
  }
  let row: string[] = []
  let line = 1
  let i = 0
  while (i < text.length) {
    let field = ''
    if (text[i] === '"') {
      i++
      for (;;) {
        const end = text.indexOf('"', i)
        if (end < 0) throw badTrajectory("expected '\"' at the end of a quoted field, got the end of the file", `line ${line}`)
        field += text.slice(i, end)
        i = end + 1
        if (text[i] !== '"') break
        field += '"'
        i++
      }
    }
    const start = i
    while (i < text.length && text[i] !== ',' && text[i] !== '\n') i++
    row.push((field + text.slice(start, i)).replace(/\r$/, ''))
    if (text[i] !== ',') {
      if (row.length > 1 || row[0] !== '') {
        yield row
        line++
      }
      row = []
    }
    i++
  }
  if (row.length > 0) yield row
  return undefined
}
