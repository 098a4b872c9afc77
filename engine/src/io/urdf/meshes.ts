/**
 * Mesh files of a URDF: found through `resolve`, read once a file, scaled once a scale.
 *
 * For `package://arm/meshes/a.stl` the paths tried are, in this order: those under the compiler's meshdir, if one is given; as written;
 * `arm/meshes/a.stl`; `meshes/a.stl`; `../meshes/a.stl` (the URDF in a folder of its package); `a.stl`. For `file:///x/a.stl`:
 * as written, `/x/a.stl`, `a.stl`. With the compiler's strippath the name alone comes first, as in MuJoCo.
 */

import { transformMesh } from '../../build/geometry/fit-mesh.js'
import { type MeshInertia, type MeshMass, meshMassProperties } from '../../build/geometry/mesh-mass.js'
import type { Ignored, MeshSpec, Vec3 } from '../../build/spec.js'
import { grouped, LIMITS } from '../../model/limits.js'
import { ModelError } from '../../model/model-error.js'
import type { MeshData, MeshObjects } from '../mesh/mesh-data.js'
import { parseMesh } from '../mesh/parse-mesh.js'
import type { Resolve } from '../mjcf/syntax/include.js'
import type { UrdfExtension } from './extension.js'

export interface UrdfMeshes {
  readonly specs: MeshSpec[]
  readonly resolve: Resolve | undefined
  readonly places: MeshPlaces
  readonly files: Map<string, MeshData | string>
  readonly scaled: Map<string, MeshSpec>
  readonly names: Set<string>
  /** numbers of names so far, by the name without one */
  readonly counts: Map<string, number>
  readonly ignored: Ignored[]
  /** vertices or triangles so far, which scales multiply */
  vertices: number
  /** files that MuJoCo loads, by what it knows them by: the name without folder and suffix, and the scale */
  readonly stems: Map<string, string[]>
}

/** What `<compiler>` says of the folders of meshes. */
export type MeshPlaces = Pick<UrdfExtension, 'meshdir' | 'strippath'>

export function createMeshes(resolve: Resolve | undefined, places: MeshPlaces, ignored: Ignored[]): UrdfMeshes {
  return {
    specs: [],
    resolve,
    places,
    files: new Map(),
    scaled: new Map(),
    names: new Set(),
    counts: new Map(),
    vertices: 0,
    ignored,
    stems: new Map(),
  }
}

/** The mesh of a file at a scale, or why there is none; of the first object of the file, or of all. */
export function loadMesh(meshes: UrdfMeshes, file: string, scale: Vec3, objects: MeshObjects): MeshSpec | string {
  const data = loadFile(meshes, file, objects)
  if (typeof data === 'string') return data
  const key = `${objects} ${scale.join(' ')} ${file}`
  const known = meshes.scaled.get(key)
  if (known) return known
  meshes.vertices += Math.max(data.vertices.length, data.faces.length) / 3
  if (meshes.vertices > LIMITS.vertices) {
    const message = `more than ${grouped(LIMITS.vertices)} vertices in all meshes: simplify them, or use fewer scales`
    throw new ModelError([{ path: file, message }])
  }
  const spec = { name: uniqueName(meshes, file), ...transformMesh(data, { scale }) }
  meshes.scaled.set(key, spec)
  meshes.specs.push(spec)
  return spec
}

/** Notes a file that MuJoCo loads, and gives all those that MuJoCo takes for the same, itself among them. */
export function namesakes(meshes: UrdfMeshes, file: string, scale: Vec3): readonly string[] {
  const key = `${scale.join(' ')} ${stemOf(file)}`
  const files = meshes.stems.get(key) ?? []
  if (!files.includes(file)) files.push(file)
  meshes.stems.set(key, files)
  return files
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
export function candidatePaths(file: string, { meshdir, strippath }: MeshPlaces): string[] {
  const written = file.trim().replaceAll('\\', '/')
  const found = /^(package|model|file):\/\/(.*)$/.exec(written)
  const bare = found ? (found[2] as string) : written
  const inPackage = found && found[1] !== 'file' ? bare.slice(bare.indexOf('/') + 1) : undefined
  const base = bare.slice(bare.lastIndexOf('/') + 1)
  const dir = meshdir === '' || meshdir.endsWith('/') ? meshdir : `${meshdir}/`
  const under = dir === '' ? [] : [...(found || bare.startsWith('/') ? [] : [`${dir}${bare}`]), `${dir}${base}`]
  const inside = inPackage === undefined ? [] : [inPackage, `../${inPackage}`]
  return [...new Set([...(strippath ? [`${dir}${base}`] : []), ...under, written, bare, ...inside, base])].filter((p) => p !== '')
}

/**
 * A relative path that leads nowhere: the file is broken. A package may simply not be installed here, a path from the root is one of
 * another machine, an address is not called up, and without `resolve` nothing was looked for.
 */
export function leadsNowhere(meshes: UrdfMeshes, file: string): boolean {
  if (!meshes.resolve || ELSEWHERE.test(file.trim())) return false
  return candidatePaths(file, meshes.places).every((path) => meshes.resolve?.(path) === undefined)
}

/** a scheme, the root, or the drive of another machine */
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|[/\\])/i

function loadFile(meshes: UrdfMeshes, file: string, objects: MeshObjects): MeshData | string {
  const key = `${objects} ${file}`
  const known = meshes.files.get(key)
  if (known !== undefined) return known
  const result = readFile(meshes, file, objects)
  meshes.files.set(key, result)
  if (typeof result !== 'string') for (const entry of result.ignored) meshes.ignored.push(entry)
  return result
}

function readFile(meshes: UrdfMeshes, file: string, objects: MeshObjects): MeshData | string {
  if (!meshes.resolve) return `mesh '${file}' was not loaded: no files were given; pass options.resolve`
  for (const path of candidatePaths(file, meshes.places)) {
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
  return `mesh '${file}' was not found: ${remedyFor(file)}`
}

function remedyFor(file: string): string {
  const [, name, path] = /^package:\/\/([^/]+)\/(.+)$/.exec(file.trim()) ?? []
  if (name === undefined) return 'check the path, or put the file beside the URDF'
  return `expected the ROS package '${name}' around or beside the URDF: a folder with a package.xml and ${path}; put the file there, or name the folder in ROS_PACKAGE_PATH`
}

function stemOf(file: string): string {
  const base = file.replaceAll('\\', '/').split('/').pop() ?? file
  return base.replace(/\.[^.]*$/, '') || 'mesh'
}

function uniqueName(meshes: UrdfMeshes, file: string): string {
  const stem = stemOf(file)
  let name = stem
  let k = meshes.counts.get(stem) ?? 1
  while (meshes.names.has(name)) name = `${stem}-${++k}`
  meshes.counts.set(stem, k)
  meshes.names.add(name)
  return name
}
