/**
 * Wavefront OBJ: `v` and `f` lines, with `v/vt/vn` corners, negative (relative) numbers, polygons and line continuation.
 * Objects and groups: MuJoCo takes the faces of the first that has any, and every vertex of the file; so do we unless asked for all.
 */
import { emptyMesh, type MeshData, type MeshObjects, meshError, textOf } from './mesh-data.js'
import { CUTTING, triangulate } from './triangulate.js'

/** Lines that say nothing about the shape of the surface. */
const decoration = new Set(['vt', 'vn', 'vp', 's', 'mtllib', 'usemtl', 'mg', 'usemap', 'maplib', 'shadow_obj', 'trace_obj', 'lod'])

/** kinds of lines that are told to be left out */
const MOST_OTHERS = 50

interface Face {
  readonly polygon: number[]
  readonly line: number
}

export function parseObj(data: Uint8Array | string, file: string, objects: MeshObjects = 'first'): MeshData {
  const mesh = emptyMesh()
  const lines = textOf(data).split(/\r\n|\n|\r/)
  const faces: Face[] = []
  const others = new Map<string, number>()
  let found = false
  let later = false
  let skipped = 0
  let firstSkipped = 0

  for (let i = 0; i < lines.length; i++) {
    const number = i + 1
    let line = lines[i] as string
    if (line.endsWith('\\')) {
      const parts: string[] = []
      for (; line.endsWith('\\') && i + 1 < lines.length; line = lines[++i] as string) parts.push(line.slice(0, -1))
      line = [...parts, line].join(' ')
    }
    const hash = line.indexOf('#')
    if (hash >= 0) line = line.slice(0, hash)
    const words = line.trim().split(/\s+/)
    const key = words[0] as string
    if (key === '') continue

    if (key === 'v') {
      for (let k = 1; k <= 3; k++) mesh.vertices.push(coordinate(words[k], file, number))
    } else if (key === 'f') {
      const polygon: number[] = []
      for (let k = 1; k < words.length; k++) polygon.push(corner(words[k] as string, mesh.vertices.length / 3, file, number))
      if (!later || objects === 'all') faces.push({ polygon, line: number })
      else if (skipped++ === 0) firstSkipped = number
      found ||= polygon.length >= 3
    } else if (key === 'o' || key === 'g') {
      later = found
    } else if (!decoration.has(key)) {
      if (others.size < MOST_OTHERS) others.set(key, others.get(key) ?? number)
    }
  }

  // vertices may follow the faces that use them, so cut polygons last
  const n = mesh.vertices.length / 3
  const thin: number[] = []
  const uncut: number[] = []
  const budget = { steps: CUTTING }
  for (const { polygon, line } of faces) {
    for (const v of polygon) {
      if (v >= n) throw meshError(file, `face expects vertex ${v + 1}, but the file has ${n}; export the mesh again`, line)
    }
    if (!triangulate(mesh.faces, polygon, mesh.vertices, budget)) {
      if (polygon.length < 3) thin.push(line)
      else uncut.push(line)
    }
  }
  for (const [list, what, why] of [
    [thin, 'faces with fewer than three corners', 'they have no surface'],
    [uncut, 'parts of faces', 'the polygons cross themselves, are degenerate, or have too many corners'],
  ] as const) {
    if (list.length > 0) mesh.ignored.push({ path: `${file} (${list[0]}:1)`, what: `${list.length} ${what}, first here`, why })
  }
  if (skipped > 0) {
    const why = 'only the first object or group with faces counts, as in MuJoCo; join them when exporting if all are meant'
    mesh.ignored.push({ path: `${file} (${firstSkipped}:1)`, what: `${skipped} faces of further objects`, why })
  }
  for (const [key, line] of others) {
    mesh.ignored.push({ path: `${file} (${line}:1)`, what: `"${shorten(key)}" lines`, why: 'not part of a polygon mesh' })
  }
  return mesh
}

function coordinate(word: string | undefined, file: string, line: number): number {
  const x = word === undefined ? Number.NaN : Math.fround(Number(word))
  if (!Number.isFinite(x)) {
    throw meshError(file, `expected three coordinates after v, got ${word === undefined ? 'fewer' : `"${shorten(word)}"`}`, line)
  }
  return x
}

/** Vertex number from 0 of a corner such as `7`, `-1`, `7/2/3` or `7//3`. */
function corner(word: string, count: number, file: string, line: number): number {
  const slash = word.indexOf('/')
  const text = slash < 0 ? word : word.slice(0, slash)
  const i = Number(text)
  if (text === '' || !Number.isInteger(i) || i === 0 || i < -count) {
    throw meshError(file, `expected a vertex number (from 1, or down to -${count} counted back), got "${shorten(word)}"`, line)
  }
  return i > 0 ? i - 1 : count + i
}

function shorten(word: string): string {
  return word.length > 30 ? `${word.slice(0, 30)}…` : word
}
