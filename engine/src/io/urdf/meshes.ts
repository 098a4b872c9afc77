/**
 * Mesh files of a URDF: found through `resolve`, read once a file, scaled once a scale.
 *
 * For `package://arm/meshes/a.stl` the paths tried are, in this order: those under the compiler's meshdir, if one is given; as written;
 * `arm/meshes/a.stl`; `meshes/a.stl`; `../meshes/a.stl` (the URDF in a folder of its package); `a.stl`. For `file:///x/a.stl`:
 * as written, `/x/a.stl`, `a.stl`.
 */

import { transformMesh } from '../../build/fit-mesh.js'
import { type MeshInertia, type MeshMass, meshMassProperties } from '../../build/mesh-mass.js'
import type { Ignored, MeshSpec, Vec3 } from '../../build/spec.js'
import { ModelError } from '../../model/model-error.js'
import type { MeshData, MeshObjects } from '../mesh/mesh-data.js'
import { parseMesh } from '../mesh/parse-mesh.js'
import type { Resolve } from '../mjcf/include.js'

export interface UrdfMeshes {
  readonly specs: MeshSpec[]
  readonly resolve: Resolve | undefined
  readonly meshdir: string
  readonly files: Map<string, MeshData | string>
  readonly scaled: Map<string, MeshSpec>
  readonly names: Set<string>
  readonly ignored: Ignored[]
}

export function createMeshes(resolve: Resolve | undefined, meshdir: string, ignored: Ignored[]): UrdfMeshes {
  return { specs: [], resolve, meshdir, files: new Map(), scaled: new Map(), names: new Set(), ignored }
}

/** The mesh of a file at a scale, or why there is none; of the first object of the file, or of all. */
export function loadMesh(meshes: UrdfMeshes, file: string, scale: Vec3, objects: MeshObjects): MeshSpec | string {
  const data = loadFile(meshes, file, objects)
  if (typeof data === 'string') return data
  const key = `${objects} ${scale.join(' ')} ${file}`
  const known = meshes.scaled.get(key)
  if (known) return known
  const spec = { name: uniqueName(meshes, file), ...transformMesh(data, { scale }) }
  meshes.scaled.set(key, spec)
  meshes.specs.push(spec)
  return spec
}

/** Mass properties as MuJoCo takes them for links without inertial; a string says why there are none. */
export function massOfMesh(mesh: MeshSpec): MeshMass | string {
  const mode: MeshInertia = 'legacy'
  try {
    return meshMassProperties(mesh, mode)
  } catch (error) {
    if (error instanceof ModelError) return error.message
    throw error
  }
}

/** Paths under which `resolve` is asked for the file, in order. */
export function candidatePaths(file: string, meshdir: string): string[] {
  const written = file.trim().replaceAll('\\', '/')
  const found = /^(package|model|file):\/\/(.*)$/.exec(written)
  const bare = found ? (found[2] as string) : written
  const inPackage = found && found[1] !== 'file' ? bare.slice(bare.indexOf('/') + 1) : undefined
  const base = bare.slice(bare.lastIndexOf('/') + 1)
  const dir = meshdir === '' || meshdir.endsWith('/') ? meshdir : `${meshdir}/`
  const under = dir === '' ? [] : [...(found || bare.startsWith('/') ? [] : [`${dir}${bare}`]), `${dir}${base}`]
  return [...new Set([...under, written, bare, ...(inPackage === undefined ? [] : [inPackage, `../${inPackage}`]), base])].filter(
    (p) => p !== '',
  )
}

/**
 * A path of the file's own, relative or absolute, that leads nowhere: the file is broken. A package may simply not be installed here,
 * and without `resolve` nothing was looked for.
 */
export function leadsNowhere(meshes: UrdfMeshes, file: string): boolean {
  if (!meshes.resolve || /^(package|model):/.test(file.trim())) return false
  return candidatePaths(file, meshes.meshdir).every((path) => meshes.resolve?.(path) === undefined)
}

function loadFile(meshes: UrdfMeshes, file: string, objects: MeshObjects): MeshData | string {
  const key = `${objects} ${file}`
  const known = meshes.files.get(key)
  if (known !== undefined) return known
  const result = readFile(meshes, file, objects)
  meshes.files.set(key, result)
  if (typeof result !== 'string') meshes.ignored.push(...result.ignored)
  return result
}

function readFile(meshes: UrdfMeshes, file: string, objects: MeshObjects): MeshData | string {
  if (!meshes.resolve) return `mesh '${file}' was not loaded: no files were given; pass options.resolve`
  for (const path of candidatePaths(file, meshes.meshdir)) {
    const content = meshes.resolve(path)
    if (content === undefined) continue
    try {
      const data = parseMesh(content, path, { objects })
      return data.vertices.length >= 12 ? data : `mesh '${path}' has fewer than four vertices`
    } catch (error) {
      if (error instanceof ModelError) return error.message
      throw error
    }
  }
  return `mesh '${file}' was not found: check the path, or put the file beside the URDF`
}

function uniqueName(meshes: UrdfMeshes, file: string): string {
  const base = file.replaceAll('\\', '/').split('/').pop() ?? file
  const stem = base.replace(/\.[^.]*$/, '') || 'mesh'
  let name = stem
  for (let k = 2; meshes.names.has(name); k++) name = `${stem}-${k}`
  meshes.names.add(name)
  return name
}
