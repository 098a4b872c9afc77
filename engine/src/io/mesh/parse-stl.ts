/**
 * STL, binary and text. A binary file may begin with `solid`: what decides is whether its length fits the number of triangles it states.
 * Equal corners become one vertex, compared bit by bit as MuJoCo does (so 0 and −0 stay two).
 */
import { emptyMesh, type MeshData, meshError, textOf } from './mesh-data.js'

const header = 84
const record = 50

export function parseStl(data: Uint8Array | string, file: string): MeshData {
  if (typeof data !== 'string') {
    const bytes = new DataView(data.buffer, data.byteOffset, data.byteLength)
    const stated = bytes.byteLength >= header ? bytes.getUint32(80, true) : -1
    if (stated >= 0 && header + record * stated === bytes.byteLength) return parseBinary(bytes, stated, file)

    // not text either: say what is wrong with it as a binary file
    if (!looksLikeText(data)) {
      if (stated < 0)
        throw meshError(file, `expected at least ${header} bytes, got ${bytes.byteLength}; the file is cut off or not an STL file`)
      const size = `the header states ${stated} triangles (${header + record * stated} bytes), but the file has ${bytes.byteLength} bytes`
      throw meshError(file, `${size}; it was damaged or cut off, export it again`)
    }
  }
  return parseText(textOf(data), file)
}

/** Text STL begins with `solid` and has no zero bytes at its start. */
function looksLikeText(data: Uint8Array): boolean {
  const head = String.fromCharCode(...data.subarray(0, 512))
  return /^\s*(?:\u00ef\u00bb\u00bf)?\s*solid\b/i.test(head) && !data.subarray(0, 1024).includes(0)
}

function parseBinary(bytes: DataView, count: number, file: string): MeshData {
  const mesh = emptyMesh()
  if (count === 0) throw meshError(file, 'expected triangles, got none; export the mesh again')
  const weld = createWeld(mesh, 3 * count)
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < 3; j++) {
      const o = header + record * i + 12 * (j + 1)
      const x = bytes.getFloat32(o, true)
      const y = bytes.getFloat32(o + 4, true)
      const z = bytes.getFloat32(o + 8, true)
      if (!(Math.abs(x) <= limit && Math.abs(y) <= limit && Math.abs(z) <= limit)) {
        throw meshError(file, `triangle ${i + 1}: expected coordinates within ±2^30, got ${x} ${y} ${z}; the file is damaged`)
      }
      mesh.faces.push(weld(x, y, z))
    }
  }
  return mesh
}

/** Beyond this a coordinate is damage, not a length. */
const limit = 2 ** 30

function parseText(text: string, file: string): MeshData {
  const mesh = emptyMesh()
  const lines = text.split(/\r\n|\n|\r/)
  if (!/^\s*solid\b/i.test(lines.find((line) => line.trim() !== '') ?? '')) {
    throw meshError(file, 'expected an STL file: "solid …" as text, or a binary file whose length fits its triangle count', 1)
  }
  const weld = createWeld(mesh, 64)
  const corners: number[] = []

  for (let i = 0; i < lines.length; i++) {
    const words = (lines[i] as string).trim().split(/\s+/)
    const key = (words[0] as string).toLowerCase()
    if (key === 'vertex') {
      const p: number[] = []
      for (let k = 1; k <= 3; k++) {
        const x = words[k] === undefined ? Number.NaN : Math.fround(Number(words[k]))
        if (!(Math.abs(x) <= limit))
          throw meshError(file, `expected "vertex x y z", got "${(lines[i] as string).trim().slice(0, 60)}"`, i + 1)
        p.push(x)
      }
      corners.push(weld(p[0] as number, p[1] as number, p[2] as number))
    } else if (key === 'endloop' || key === 'endfacet') {
      if (corners.length === 3) mesh.faces.push(...corners)
      else if (corners.length !== 0) throw meshError(file, `expected three vertices a facet, got ${corners.length}`, i + 1)
      corners.length = 0
    }
  }
  if (corners.length > 0) throw meshError(file, 'expected "endloop" after the last vertex; the file is cut off', lines.length)
  if (mesh.faces.length === 0) throw meshError(file, 'expected facets, got none; export the mesh again', 1)
  return mesh
}

/** Number of the vertex with these float32 coordinates; new ones are appended to the mesh. */
function createWeld(mesh: MeshData, expected: number): (x: number, y: number, z: number) => number {
  const floats = new Float32Array(3)
  const bits = new Int32Array(floats.buffer)
  let keys = new Int32Array(3 * 64)
  let size = 1
  while (size < 2 * expected) size *= 2
  let slots = new Int32Array(size).fill(-1)
  let count = 0
  // a file may be made so that all its vertices fall on one place of the table: then a map takes over, whose places nobody can foresee
  let patience = 64 * expected + 100_000
  let map: Map<string, number> | undefined

  const find = (a: number, b: number, c: number): number => {
    let h = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)) >>> 0
    h = (h ^ (h >>> 15)) & (slots.length - 1)
    for (;;) {
      const k = slots[h] as number
      if (k < 0 || (keys[3 * k] === a && keys[3 * k + 1] === b && keys[3 * k + 2] === c)) return h
      h = (h + 1) & (slots.length - 1)
      patience--
    }
  }
  const findInMap = (a: number, b: number, c: number, x: number, y: number, z: number): number => {
    if (!map) {
      map = new Map()
      for (let k = 0; k < count; k++) map.set(`${keys[3 * k]} ${keys[3 * k + 1]} ${keys[3 * k + 2]}`, k)
    }
    const key = `${a} ${b} ${c}`
    const known = map.get(key)
    if (known !== undefined) return known
    map.set(key, count)
    mesh.vertices.push(x, y, z)
    return count++
  }
  return (x, y, z) => {
    floats[0] = x
    floats[1] = y
    floats[2] = z
    const [a, b, c] = bits as unknown as [number, number, number]
    if (map || patience < 0) return findInMap(a, b, c, x, y, z)
    const slot = find(a, b, c)
    if ((slots[slot] as number) >= 0) return slots[slot] as number

    // grow both tables before they fill up
    if (3 * count + 3 > keys.length) {
      const more = new Int32Array(2 * keys.length)
      more.set(keys)
      keys = more
    }
    keys.set([a, b, c], 3 * count)
    slots[slot] = count++
    mesh.vertices.push(x, y, z)
    if (2 * count > slots.length) {
      slots = new Int32Array(2 * slots.length).fill(-1)
      for (let k = 0; k < count; k++) slots[find(keys[3 * k] as number, keys[3 * k + 1] as number, keys[3 * k + 2] as number)] = k
    }
    return count - 1
  }
}
