/**
 * Meshes in MJCF: inline or as .obj files. MuJoCo asks for four vertices and some volume; flat ones pass as shells without contact.
 */
import { convexHull } from '../../../build/geometry/convex-hull.js'
import { meshMassProperties } from '../../../build/geometry/mesh-mass.js'
import type { MeshSpec } from '../../../build/spec.js'
import { ModelError } from '../../../model/model-error.js'
import { createNames } from '../names.js'
import { fileName, writeObj } from '../obj.js'
import { element, type XmlNode } from '../xml-writer.js'
import type { Mjcf } from './context.js'

/** MuJoCo refuses solids below 1e-15 m³; ten times that leaves room for its own rounding */
const MIN_VOLUME = 1e-14

export function mjcfMeshes(out: Mjcf): XmlNode[] {
  const fileNames = createNames([])
  return (out.spec.meshes ?? []).flatMap((mesh, k) => {
    const trouble = meshTrouble(mesh)
    if (trouble !== undefined) {
      out.ignored.add(`meshes/${k}`, `mesh ${mesh.name}`, trouble)
      return []
    }
    const solid = !('failure' in convexHull(mesh.vertices))
    out.meshes.set(mesh.name, { solid })
    const inertia = solid && volumeOf(mesh) > MIN_VOLUME ? undefined : 'shell'
    if (out.options.meshes !== 'obj') {
      return [element('mesh', { name: mesh.name, inertia, vertex: mesh.vertices, face: mesh.faces.length > 0 ? mesh.faces : undefined })]
    }
    const path = `meshes/${fileNames.make(fileName(mesh.name, '')).concat('.obj')}`
    out.files.push({ path, text: writeObj(mesh) })
    return [element('mesh', { name: mesh.name, inertia, file: path })]
  })
}

function meshTrouble(mesh: MeshSpec): string | undefined {
  const count = mesh.vertices.length / 3
  if (count < 4) return 'MuJoCo asks for four vertices at least'
  if (mesh.faces.some((i) => i >= count)) return 'a face names a vertex that is not there'
  return undefined
}

function volumeOf(mesh: MeshSpec): number {
  try {
    return meshMassProperties(mesh, 'legacy').volume
  } catch (error) {
    if (error instanceof ModelError) return 0
    throw error
  }
}
