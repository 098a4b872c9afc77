/**
 * A number that tells models apart: FNV-1a over the bytes of every array and the text of every name.
 */
import type { Force } from './force.js'
import type { Model } from './model.js'

/** what FNV-1a begins with */
export const HASH_START = 0x811c9dc5

/**
 * Of the user's own forces their names count, in their order: what they compute is not known here. What messages say of the model does not count: it
 * holds the path and the lines of the file, and the same file may be read from another folder; nor do frames and shapes that move nothing.
 */
export function modelHash(model: Model, forces: readonly Force[] = []): number {
  const silent = { ...model, notes: [], shapes: { ...model.shapes, names: [] }, geoms: undefined, sites: undefined, angle: undefined }
  return forces.reduce((sum, { name }) => hashValue(sum, name), hashValue(HASH_START, silent))
}

function hashValue(h: number, value: unknown): number {
  if (ArrayBuffer.isView(value)) return hashBytes(h, new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => hashValue(sum, entry), h)
  if (typeof value === 'object' && value !== null) return Object.values(value).reduce((sum: number, entry) => hashValue(sum, entry), h)
  if (typeof value === 'number') return hashBytes(h, new Uint8Array(Float64Array.of(value).buffer))
  if (typeof value === 'string')
    return hashBytes(
      h,
      Uint8Array.from(value, (c) => c.charCodeAt(0) & 255),
    )
  return h
}

/** FNV-1a from h on. */
export function hashBytes(h: number, bytes: Uint8Array): number {
  let x = h
  for (let k = 0; k < bytes.length; k++) x = Math.imul(x ^ bytes[k], 0x01000193)
  return x >>> 0
}
