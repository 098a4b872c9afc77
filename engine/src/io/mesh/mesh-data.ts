/**
 * What every mesh reader gives, and the helpers they share: problems with their place, text from bytes, float32 rounding.
 *
 * Coordinates are rounded to float32 on reading: STL, MSH and most other files hold nothing finer, and MuJoCo keeps
 * vertices that way before it computes inertias from them in double precision.
 */
import type { Ignored } from '../../build/spec.js'
import { grouped, LIMITS } from '../../model/limits.js'
import { ModelError } from '../../model/model-error.js'

export interface MeshData {
  /** x y z of every vertex */
  readonly vertices: number[]
  /** three vertex numbers a triangle; empty for a file that holds vertices only */
  readonly faces: number[]
  readonly ignored: Ignored[]
}

/** Which of the objects and groups of an OBJ file give the faces: the first one with faces (as MuJoCo), or all of them. */
export type MeshObjects = 'first' | 'all'

/** A growing mesh; readers push into it. */
export function emptyMesh(): MeshData {
  return { vertices: [], faces: [], ignored: [] }
}

/** The one problem that ends the reading of a file. */
export function meshError(file: string, message: string, line?: number, column = 1): ModelError {
  return new ModelError([line === undefined ? { path: file, message } : { path: '', message, place: { file, line, column } }])
}

/** Bytes of a text file as a string; a byte order mark is dropped. */
export function textOf(data: Uint8Array | string): string {
  const text = typeof data === 'string' ? data : new TextDecoder('utf-8').decode(data)
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** Refuses a mesh that has grown beyond all need. */
export function checkCount(mesh: MeshData, file: string): void {
  const { vertices } = LIMITS
  if (mesh.vertices.length > 3 * vertices || mesh.faces.length > 3 * vertices)
    throw meshError(file, `expected at most ${grouped(vertices)} vertices and triangles; simplify the mesh`)
}

/** Checks that every face names a vertex that exists. */
export function checkFaces(mesh: MeshData, file: string): void {
  const n = mesh.vertices.length / 3
  for (let k = 0; k < mesh.faces.length; k++) {
    const i = mesh.faces[k] as number
    if (!Number.isInteger(i) || i < 0 || i >= n) {
      throw meshError(file, `triangle ${Math.floor(k / 3) + 1}: expected vertex numbers below ${n}, got ${i}; export the mesh again`)
    }
  }
}
