/**
 * Zip archives: stored and deflated entries, from the central directory (PKWARE APPNOTE 4.3). Names stay names: nothing is written anywhere.
 */
import type { SourceFile } from '../worker/protocol.js'

const endRecord = 0x06054b50
const entryRecord = 0x02014b50
const encrypted = 1

/** Throws an Error that names the entry when the archive cannot be read, or unpacks to more than `most` bytes. */
export async function unzip(bytes: Uint8Array<ArrayBuffer>, most: number): Promise<SourceFile[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  const files: SourceFile[] = []
  let total = 0
  for (let k = 0; k < count; k++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryRecord) throw new Error('the zip archive is damaged; make it anew')
    const flags = view.getUint16(at + 8, true)
    const method = view.getUint16(at + 10, true)
    const size = view.getUint32(at + 20, true)
    const unpacked = view.getUint32(at + 24, true)
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const local = view.getUint32(at + 42, true)
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (name.endsWith('/') || name.startsWith('__MACOSX/')) continue
    if (flags & encrypted) throw new Error(`${name} in the zip archive is encrypted; unpack it first`)
    total += unpacked
    if (total > most) throw new Error(`the zip archive unpacks to more than ${most / 1e6} MB; leave out what the model does not use`)
    if (local + 30 > bytes.length) throw new Error('the zip archive is damaged; make it anew')
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    files.push({ name, bytes: await unpack(name, method, bytes.subarray(start, start + size), unpacked) })
  }
  return files
}

async function unpack(name: string, method: number, packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  if (method === 0) return packed.slice()
  if (method !== 8) throw new Error(`${name} in the zip archive is packed by method ${method}; only stored and deflated entries are read`)
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const out = new Uint8Array(size)
  let done = 0
  for (;;) {
    const { value, done: over } = await reader.read()
    if (over) break
    if (done + value.length > size) throw new Error(`${name} in the zip archive is larger than it says; make the archive anew`)
    out.set(value, done)
    done += value.length
  }
  if (done !== size) throw new Error(`${name} in the zip archive is cut short; make the archive anew`)
  return out
}

/** The end record, which may be followed by a comment. */
function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at--) {
    if (view.getUint32(at, true) === endRecord) return at
  }
  throw new Error('this is no zip archive, or it is cut short')
}
