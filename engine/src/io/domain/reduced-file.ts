/**
 * Reduced domains as bytes: one file, little endian.
 *
 *   0  8 bytes  `limber-r`
 *   8  uint32   version of the format
 *  12  uint32   length of the whole
 *  16  uint32   FNV-1a of all that follows
 *  20  uint32   length of the heading
 *  24  JSON     the heading: counts, names, material; padded with blanks to a multiple of 8
 *      arrays   in the order of `doubles`, then of `integers`, then the vertices of the interfaces; each padded to a multiple of 8
 */
import * as z from 'zod'
import { pairCount, quadrupleCount, tripleCount } from '../../deformable/monomials.js'
import type { Material, Reduced } from '../../deformable/reduced.js'
import { HASH_START, hashBytes } from '../../model/hash.js'
import { ModelError } from '../../model/model-error.js'

const MAGIC = 'limber-r'
const VERSION = 1
const START = 24

const doubles = ['vertices', 'masses', 'shapes', 'energy2', 'energy3', 'energy4', 'frequencies'] as const
const integers = ['elements', 'surface'] as const

const count = z.int().nonnegative()
const headingSchema = z.object({
  modes: count,
  corners: z.union([z.literal(4), z.literal(8)]),
  clamped: z.boolean(),
  material: z.object({ density: z.number(), young: z.number(), poisson: z.number() }),
  interfaces: z.array(z.object({ name: z.string(), count })),
  counts: z.object({
    vertices: count,
    masses: count,
    shapes: count,
    energy2: count,
    energy3: count,
    energy4: count,
    frequencies: count,
    elements: count,
    surface: count,
  }),
})

interface Heading {
  readonly modes: number
  readonly corners: 4 | 8
  readonly clamped: boolean
  readonly material: Material
  /** names of the interfaces and their numbers of vertices */
  readonly interfaces: readonly { readonly name: string; readonly count: number }[]
  /** numbers of each array */
  readonly counts: Readonly<Record<(typeof doubles)[number] | (typeof integers)[number], number>>
}

export function writeReduced(reduced: Reduced): Uint8Array {
  const arrays = [
    ...doubles.map((name) => reduced[name]),
    ...integers.map((name) => reduced[name]),
    ...reduced.interfaces.map((i) => i.vertices),
  ]
  const { modes, corners, clamped, material } = reduced
  const interfaces = reduced.interfaces.map(({ name, vertices }) => ({ name, count: vertices.length }))
  const counts = Object.fromEntries([...doubles, ...integers].map((name) => [name, reduced[name].length])) as Heading['counts']
  const heading: Heading = { modes, corners, clamped, material, interfaces, counts }
  const text = new TextEncoder().encode(JSON.stringify(heading))
  const begin = START + padded(text.length)
  const bytes = new Uint8Array(begin + arrays.reduce((sum, array) => sum + padded(array.byteLength), 0))

  bytes.set(new TextEncoder().encode(MAGIC))
  bytes.fill(32, START, begin)
  bytes.set(text, START)
  let at = begin
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
    at += padded(array.byteLength)
  }
  const view = new DataView(bytes.buffer)
  view.setUint32(8, VERSION, true)
  view.setUint32(12, bytes.length, true)
  view.setUint32(20, begin - START, true)
  view.setUint32(16, checksum(bytes), true)
  return bytes
}

/** The domain in a file; `name` is the file's, for problems. */
export function readReduced(bytes: Uint8Array, name: string): Reduced {
  const fail = (message: string): never => {
    throw new ModelError([{ path: name, message }])
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < START || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    fail('expected a reduced domain, got another kind of file; make one with limber reduce MESH --out FILE')
  }
  const version = view.getUint32(8, true)
  if (version < VERSION) fail(`expected version ${VERSION} of the format, got ${version} (outdated); make the file anew with limber reduce`)
  if (version > VERSION)
    fail(`expected version ${VERSION} of the format, got ${version} (newer); update Limber, or make the file anew with limber reduce`)
  const length = view.getUint32(12, true)
  if (bytes.length < length)
    fail(`expected ${length} bytes, got ${bytes.length} (truncated); copy it again, or make it anew with limber reduce`)
  if (bytes.length > length || checksum(bytes) !== view.getUint32(16, true)) {
    fail('expected contents that fit the checksum, got others (corrupted); copy it again, or make it anew with limber reduce')
  }
  const begin = START + view.getUint32(20, true)
  const heading = readHeading(bytes, begin)
  if (heading === undefined) return fail('expected a heading with counts and names, got another; make the file anew with limber reduce')
  const { modes, corners, clamped, material, counts } = heading

  const lengths = [
    ...doubles.map((key) => 8 * counts[key]),
    ...integers.map((key) => 4 * counts[key]),
    ...heading.interfaces.map((i) => 4 * i.count),
  ]
  const stated = lengths.reduce((sum, size) => sum + padded(size), begin)
  if (stated !== bytes.length) fail(`expected ${stated} bytes by its counts, got ${bytes.length}; make the file anew with limber reduce`)

  let at = begin
  const take = (size: number): ArrayBuffer => {
    // not slice, which of a Buffer of Node is a view
    const out = new Uint8Array(size)
    out.set(bytes.subarray(at, at + size))
    at += padded(size)
    return out.buffer
  }
  const numbers = Object.fromEntries(doubles.map((key) => [key, new Float64Array(take(8 * counts[key]))])) as Record<
    (typeof doubles)[number],
    Float64Array
  >
  const indices = Object.fromEntries(integers.map((key) => [key, new Int32Array(take(4 * counts[key]))])) as Record<
    (typeof integers)[number],
    Int32Array
  >
  const interfaces = heading.interfaces.map((i) => ({ name: i.name, vertices: new Int32Array(take(4 * i.count)) }))
  const reduced: Reduced = { modes, corners, clamped, material, ...numbers, ...indices, interfaces }
  const wrong = inconsistent(reduced)
  if (wrong) fail(`expected ${wrong}; make the file anew with limber reduce`)
  return reduced
}

/** Undefined where it is none: a checksum tells that a file is as it was written, and not who wrote it. */
function readHeading(bytes: Uint8Array, begin: number): Heading | undefined {
  if (begin > bytes.length) return undefined
  try {
    const result = headingSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes.subarray(START, begin))))
    return result.success ? result.data : undefined
  } catch {
    return undefined
  }
}

/** What does not fit together in a domain, if anything. */
function inconsistent(d: Reduced): string | undefined {
  const n = d.vertices.length / 3
  const lengths: [string, number, number][] = [
    ['masses', d.masses.length, n],
    ['shapes', d.shapes.length, 3 * n * d.modes],
    ['energy2', d.energy2.length, pairCount(d.modes)],
    ['energy3', d.energy3.length, tripleCount(d.modes)],
    ['energy4', d.energy4.length, quadrupleCount(d.modes)],
  ]
  for (const [what, got, expected] of lengths) if (got !== expected) return `${expected} numbers in ${what}, got ${got}`
  for (const list of [d.elements, d.surface, ...d.interfaces.map((i) => i.vertices)]) {
    for (const v of list) if (!(v >= 0 && v < n)) return `vertex numbers below ${n}, got ${v}`
  }
  return undefined
}

function checksum(bytes: Uint8Array): number {
  return hashBytes(HASH_START, bytes.subarray(START - 4))
}

function padded(length: number): number {
  return Math.ceil(length / 8) * 8
}
