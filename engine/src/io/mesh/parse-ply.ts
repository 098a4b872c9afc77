/**
 * PLY, as text or binary of either byte order: x y z of `vertex`, the index list of `face`. Other properties are skipped by their types.
 */
import { emptyMesh, type MeshData, meshError } from './mesh-data.js'
import { CUTTING, triangulate } from './triangulate.js'

/** of faces that cannot be cut */
const MOST_TOLD = 20

interface Property {
  readonly name: string
  readonly type: string
  /** type of the count, for lists */
  readonly count?: string
}

interface Section {
  readonly name: string
  readonly count: number
  readonly properties: Property[]
}

interface Source {
  /** the next value of a type; NaN when the file is at its end or the text is no number */
  next(type: string): number
  atEnd(): boolean
  /** of the value just read, for text */
  line(): number | undefined
}

/** bytes of a type; a map, for files may name what every object has */
const sizes: ReadonlyMap<string, number> = new Map(
  Object.entries({
    char: 1,
    uchar: 1,
    int8: 1,
    uint8: 1,
    short: 2,
    ushort: 2,
    int16: 2,
    uint16: 2,
    int: 4,
    uint: 4,
    int32: 4,
    uint32: 4,
    float: 4,
    float32: 4,
    double: 8,
    float64: 8,
  }),
)

export function parsePly(data: Uint8Array | string, file: string): MeshData {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
  const { format, sections, end, lines } = readHeader(bytes, file)
  const source =
    format === 'ascii' ? textSource(bytes.subarray(end), lines + 1) : binarySource(bytes.subarray(end), format === 'binary_little_endian')
  const mesh = emptyMesh()
  const polygons: number[][] = []

  for (const section of sections) {
    if (section.properties.length === 0) continue
    for (let i = 0; i < section.count; i++) {
      if (source.atEnd()) throw meshError(file, `${section.name} ${i + 1} of ${section.count}: the file is cut off`, source.line())
      const row = readRow(section, source, file, i)
      if (section.name === 'vertex') mesh.vertices.push(Math.fround(row.x), Math.fround(row.y), Math.fround(row.z))
      else if (row.list) polygons.push(row.list)
    }
  }
  if (mesh.vertices.length === 0) throw meshError(file, 'expected element vertex with x, y and z, got none')
  const n = mesh.vertices.length / 3
  const budget = { steps: CUTTING }
  let uncut = 0
  polygons.forEach((polygon, i) => {
    if (polygon.some((v) => !Number.isInteger(v) || v < 0 || v >= n)) {
      throw meshError(file, `face ${i + 1}: expected vertex numbers from 0 to ${n - 1}, got ${polygon.slice(0, 6).join(' ')}`)
    }
    if (triangulate(mesh.faces, polygon, mesh.vertices, budget)) return
    if (uncut++ < MOST_TOLD) mesh.ignored.push({ path: file, what: `face ${i + 1}`, why: 'it has too few corners or crosses itself' })
  })
  if (uncut > MOST_TOLD)
    mesh.ignored.push({ path: file, what: `${uncut - MOST_TOLD} faces more`, why: 'they have too few corners or cross themselves' })
  return mesh
}

/** x, y, z of a vertex row, the first list of a face row. */
function readRow(section: Section, source: Source, file: string, i: number): { x: number; y: number; z: number; list?: number[] } {
  const row: { x: number; y: number; z: number; list?: number[] } = { x: Number.NaN, y: Number.NaN, z: Number.NaN }
  for (const { name, type, count } of section.properties) {
    if (count === undefined) {
      const value = source.next(type)
      if (section.name === 'vertex' && (name === 'x' || name === 'y' || name === 'z')) row[name] = value
      continue
    }
    const n = source.next(count)
    const list: number[] = []
    for (let k = 0; k < n; k++) {
      if (source.atEnd()) throw meshError(file, `${section.name} ${i + 1}: expected ${n} entries, the file is cut off`, source.line())
      list.push(source.next(type))
    }
    if (section.name === 'face' && (name === 'vertex_indices' || name === 'vertex_index')) row.list = list
  }
  if (
    section.name === 'vertex' &&
    !(Number.isFinite(Math.fround(row.x)) && Number.isFinite(Math.fround(row.y)) && Number.isFinite(Math.fround(row.z)))
  ) {
    throw meshError(file, `vertex ${i + 1}: expected finite x, y and z, got ${row.x} ${row.y} ${row.z}`, source.line())
  }
  return row
}

function readHeader(bytes: Uint8Array, file: string): { format: string; sections: Section[]; end: number; lines: number } {
  const sections: Section[] = []
  let format = ''
  let from = 0
  for (let number = 1; number < 1000; number++) {
    const to = bytes.indexOf(10, from)
    if (to < 0) break
    const line = String.fromCharCode(...bytes.subarray(from, Math.min(to, from + 1000))).trim()
    from = to + 1
    const [key = '', ...words] = line.split(/\s+/)
    if (number === 1 && key !== 'ply') throw meshError(file, 'expected "ply" on the first line', 1)
    if (key === 'end_header') {
      if (format === '') throw meshError(file, 'expected a format line in the header', number)
      return { format, sections, end: from, lines: number }
    }
    if (key === 'format') {
      format = words[0] ?? ''
      if (!['ascii', 'binary_little_endian', 'binary_big_endian'].includes(format))
        throw meshError(file, `expected a format known to PLY, got '${format}'`, number)
    } else if (key === 'element') {
      const count = Number(words[1])
      if (!Number.isInteger(count) || count < 0) throw meshError(file, `expected a count, got '${words[1] ?? ''}'`, number)
      sections.push({ name: words[0] ?? '', count, properties: [] })
    } else if (key === 'property') {
      const list = words[0] === 'list'
      const [count, type, name] = list ? [words[1], words[2], words[3]] : [undefined, words[0], words[1]]
      const types = list ? [count, type] : [type]
      if (!name || types.some((t) => t === undefined || !sizes.has(t)))
        throw meshError(file, `expected a property with a type known to PLY, got '${line.slice(0, 60)}'`, number)
      const section = sections[sections.length - 1]
      if (!section) throw meshError(file, 'expected an element before its properties', number)
      section.properties.push({ name, type: type as string, ...(list ? { count: count as string } : {}) })
    }
  }
  throw meshError(file, 'expected "end_header"; the file is cut off or not PLY')
}

function binarySource(bytes: Uint8Array, little: boolean): Source {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  return {
    next(type) {
      const size = sizes.get(type) as number
      if (at + size > view.byteLength) {
        at = view.byteLength
        return Number.NaN
      }
      const o = at
      at += size
      if (size === 4 && type.startsWith('f')) return view.getFloat32(o, little)
      if (size === 8) return view.getFloat64(o, little)
      const unsigned = type.startsWith('u')
      if (size === 1) return unsigned ? view.getUint8(o) : view.getInt8(o)
      if (size === 2) return unsigned ? view.getUint16(o, little) : view.getInt16(o, little)
      return unsigned ? view.getUint32(o, little) : view.getInt32(o, little)
    },
    atEnd: () => at >= view.byteLength,
    line: () => undefined,
  }
}

function textSource(bytes: Uint8Array, firstLine: number): Source {
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/)
  let row = -1
  let words: string[] = []
  let k = 0
  const fill = (): boolean => {
    while (k >= words.length) {
      if (++row >= lines.length) return false
      words = (lines[row] as string).split(/\s+/).filter((word) => word !== '')
      k = 0
    }
    return true
  }
  return {
    next: () => (fill() ? Number(words[k++]) : Number.NaN),
    atEnd: () => !fill(),
    line: () => firstLine + Math.max(0, Math.min(row, lines.length - 1)),
  }
}
