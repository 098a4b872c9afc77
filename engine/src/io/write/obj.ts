/** Meshes as Wavefront OBJ text: `v x y z`, `f a b c` from 1. */
import type { MeshSpec } from '../../build/spec.js'

export function writeObj(mesh: Pick<MeshSpec, 'vertices' | 'faces'>): string {
  const { vertices, faces } = mesh
  const lines: string[] = []
  for (let i = 0; i + 2 < vertices.length; i += 3) lines.push(`v ${vertices[i]} ${vertices[i + 1]} ${vertices[i + 2]}`)
  for (let i = 0; i + 2 < faces.length; i += 3) lines.push(`f ${faces[i] + 1} ${faces[i + 1] + 1} ${faces[i + 2] + 1}`)
  return `${lines.join('\n')}\n`
}

/** A file name that every system takes. */
export function fileName(name: string, suffix: string): string {
  return `${name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_') || 'mesh'}${suffix}`
}
