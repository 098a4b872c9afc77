/**
 * The container: accessors over one binary buffer, and the two chunks of a GLB 2.0 file (Khronos glTF 2.0 specification, sections 3.6, 4).
 */
import { toBase64 } from '../base64.js'
import { type ByteSink, createByteSink } from '../trajectory/frames.js'

const FLOAT = 5126
const UNSIGNED_SHORT = 5123
const UNSIGNED_INT = 5125
const ARRAY_BUFFER = 34962
const ELEMENT_ARRAY_BUFFER = 34963
const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4 } as const

interface BufferView {
  readonly buffer: 0
  readonly byteOffset: number
  readonly byteLength: number
  readonly target?: number
}

export interface GlbFile {
  /** numbers as float32; returns the accessor. `bounds`: state least and largest, as the format asks of positions and times */
  addFloats(values: readonly number[] | Float64Array, type: keyof typeof WIDTHS, use: 'vertex' | 'animation', bounds: boolean): number
  addIndices(indices: readonly number[]): number
  /** room for float32 numbers that are written later, `at` bytes into the binary chunk; with the bounds they will have */
  addSpace(
    count: number,
    type: keyof typeof WIDTHS,
    bounds?: { readonly min: number[]; readonly max: number[] },
  ): { accessor: number; at: number }
  /** the bytes of the file around the rest of the document */
  finish(document: object): Uint8Array
  /** writes all but what `addSpace` left open; returns where the binary chunk begins, and the length of the file */
  finishInto(document: object, sink: ByteSink): { readonly data: number; readonly length: number }
  /** the text of a .gltf file with the buffer inside */
  finishText(document: object): string
}

export function createGlb(): GlbFile {
  const accessors: object[] = []
  const bufferViews: BufferView[] = []
  // a number is room for so many bytes
  const pieces: (Uint8Array | number)[] = []
  let length = 0

  function addView(array: Float32Array | Uint16Array | Uint32Array, target: number | undefined): number {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    bufferViews.push({ buffer: 0, byteOffset: length, byteLength: bytes.length, ...(target === undefined ? {} : { target }) })
    const padded = new Uint8Array(align(bytes.length))
    padded.set(bytes)
    pieces.push(padded)
    length += padded.length
    return bufferViews.length - 1
  }

  const encode = (document: object): Uint8Array => {
    const buffers = length > 0 ? { buffers: [{ byteLength: length }], bufferViews, accessors } : {}
    return new TextEncoder().encode(JSON.stringify({ ...document, ...buffers }))
  }

  return {
    addFloats(values, type, use, bounds) {
      const array = Float32Array.from(values)
      const width = WIDTHS[type]
      const bufferView = addView(array, use === 'vertex' ? ARRAY_BUFFER : undefined)
      const limits = bounds ? boundsOf(array, width) : {}
      accessors.push({ bufferView, componentType: FLOAT, count: array.length / width, type, ...limits })
      return accessors.length - 1
    },
    addIndices(indices) {
      let largest = 0
      for (const index of indices) largest = Math.max(largest, index)
      // 65535 itself restarts a primitive
      const short = largest < 65535
      const bufferView = addView(short ? Uint16Array.from(indices) : Uint32Array.from(indices), ELEMENT_ARRAY_BUFFER)
      accessors.push({ bufferView, componentType: short ? UNSIGNED_SHORT : UNSIGNED_INT, count: indices.length, type: 'SCALAR' })
      return accessors.length - 1
    },
    addSpace(count, type, bounds) {
      const byteLength = 4 * count * WIDTHS[type]
      const at = length
      bufferViews.push({ buffer: 0, byteOffset: at, byteLength })
      accessors.push({ bufferView: bufferViews.length - 1, componentType: FLOAT, count, type, ...bounds })
      pieces.push(byteLength)
      length += byteLength
      return { accessor: accessors.length - 1, at }
    },
    finish(document) {
      const sink = createByteSink()
      return sink.bytes(this.finishInto(document, sink).length)
    },
    finishInto: (document, sink) => writeContainer(encode(document), pieces, length, sink),
    finishText(document) {
      const uri = `data:application/octet-stream;base64,${toBase64(pieces.map((piece) => (typeof piece === 'number' ? new Uint8Array(piece) : piece)))}`
      const buffers = length > 0 ? { buffers: [{ byteLength: length, uri }], bufferViews, accessors } : {}
      return `${JSON.stringify({ ...document, ...buffers }, null, 1)}\n`
    },
  }
}

/** Header, JSON chunk padded with blanks, binary chunk padded with zeros. */
function writeContainer(
  json: Uint8Array,
  pieces: readonly (Uint8Array | number)[],
  length: number,
  sink: ByteSink,
): { data: number; length: number } {
  const jsonLength = align(json.length)
  const data = 20 + jsonLength + (length > 0 ? 8 : 0)
  const total = data + length
  const head = new Uint8Array(data)
  const view = new DataView(head.buffer)
  const words = [0x46546c67, 2, total, jsonLength, 0x4e4f534a]
  for (const [k, word] of words.entries()) view.setUint32(4 * k, word, true)
  head.fill(0x20, 20, 20 + jsonLength)
  head.set(json, 20)
  if (length > 0) {
    view.setUint32(data - 8, length, true)
    view.setUint32(data - 4, 0x004e4942, true)
  }
  sink.write(head, 0)
  let o = data
  for (const piece of pieces) {
    if (typeof piece !== 'number') sink.write(piece, o)
    o += typeof piece === 'number' ? piece : piece.length
  }
  return { data, length: total }
}

function boundsOf(array: Float32Array, width: number): { min: number[]; max: number[] } {
  const min = Array.from({ length: width }, () => Number.POSITIVE_INFINITY)
  const max = min.map((x) => -x)
  for (let i = 0; i < array.length; i++) {
    min[i % width] = Math.min(min[i % width], array[i])
    max[i % width] = Math.max(max[i % width], array[i])
  }
  return { min, max }
}

function align(n: number): number {
  return 4 * Math.ceil(n / 4)
}
