/**
 * `mesh` assets: loaded when a geom first asks for them, weighed when its mass counts.
 */
import { type MeshInertia, type MeshMass, meshMassProperties } from '../../../build/geometry/mesh-mass.js'
import type { MeshSpec, Quat, Vec3 } from '../../../build/spec.js'
import { ModelError } from '../../../model/model-error.js'
import type { MeshData } from '../../mesh/mesh-data.js'
import { parseMesh } from '../../mesh/parse-mesh.js'
import { conjugate, normalizeQuat, rotateVec, subVec } from '../../pose.js'
import { addProblem, hasAttribute, readEnum, readInteger, readNumbers, readString, readVec3, type XmlElement } from '../../xml.js'
import { classOf, fromClass, mainClass } from '../syntax/classes.js'
import { countVertices, ignore, ignoreElement, ignoreOf, LACKS_MOTION, NO_MOTION, type Scope, type Shared } from '../syntax/context.js'
import { besideInclude, isAbsolute, joinPath, normalizePath } from '../syntax/include.js'

export interface MjcfMesh {
  readonly name: string
  readonly element: XmlElement
  /** relative to the main file's folder; undefined when the vertices are written out */
  readonly path: string | undefined
  /** where else to look for the file */
  readonly beside: string | undefined
  readonly scale: Vec3
  readonly refpos: Vec3
  readonly refquat: Quat
  readonly inertia: MeshInertia
  /** MuJoCo's hull stops at so many corners; negative: no bound */
  readonly maxhullvert: number
  /** undefined: not asked for yet; null: not to be had, and that was said */
  data: MeshSpec | null | undefined
  mass: MeshMass | null | undefined
}

const INERTIA: readonly MeshInertia[] = ['convex', 'legacy', 'exact', 'shell']

/** Name as written, else that of the file without folders and suffix. */
export function assetName(scope: Scope, e: XmlElement, kind: string, taken: ReadonlyMap<string, unknown>): string | undefined {
  const { reader } = scope.shared
  const written = readString(reader, e, 'name')
  const file = e.attributes['file']
  const base = file
    ?.replace(/\\/g, '/')
    .split('/')
    .pop()
    ?.replace(/\.[^.]*$/, '')
  const name = written || base
  if (!name) {
    addProblem(reader, e, `a ${kind} needs a name or a file`)
    return undefined
  }
  const full = scope.prefix + name
  if (taken.has(full)) {
    addProblem(reader, e, `${kind} '${full}' is defined twice`, 'name')
    return undefined
  }
  return full
}

interface RawMesh {
  scale: Vec3
  inertia: MeshInertia
  maxhullvert: number
}

export function readMesh(scope: Scope, e: XmlElement, meshes: Map<string, MjcfMesh>, folder: string): void {
  const { reader } = scope.shared
  const name = assetName(scope, e, 'mesh', meshes)
  const apply = (m: RawMesh, from: XmlElement): void => {
    m.scale = readVec3(reader, from, 'scale') ?? m.scale
    m.inertia = readEnum(reader, from, 'inertia', INERTIA) ?? m.inertia
    m.maxhullvert = readInteger(reader, from, 'maxhullvert') ?? m.maxhullvert
  }
  const start = (): RawMesh => ({ scale: [1, 1, 1], inertia: 'legacy', maxhullvert: -1 })
  const raw = fromClass(classOf(scope, e, mainClass(scope)), 'mesh', start, apply)
  apply(raw, e)
  const refpos = readVec3(reader, e, 'refpos') ?? [0, 0, 0]
  const refquat = (readNumbers(reader, e, 'refquat', 4) as unknown as Quat | undefined) ?? [1, 0, 0, 0]
  const file = readString(reader, e, 'file')
  const inline = hasAttribute(e, 'vertex')
  if (raw.scale.some((x) => x === 0)) addProblem(reader, e, 'expected a scale other than zero', 'scale')
  if (!name) return
  const mesh: MjcfMesh = {
    name,
    element: e,
    path: file === undefined || file === '' ? undefined : meshPath(scope, folder, file),
    beside: file && !scope.compiler.strippath ? besideInclude(scope.shared.origins, e, folder, file) : undefined,
    scale: raw.scale,
    refpos,
    refquat: normalizeQuat(refquat),
    inertia: raw.inertia,
    maxhullvert: raw.maxhullvert,
    data: undefined,
    mass: undefined,
  }
  if (hasAttribute(e, 'builtin') && e.attributes['builtin'] !== 'none') {
    readString(reader, e, 'builtin')
    readString(reader, e, 'params')
    ignoreOf(scope.shared, e, 'mesh', name, 'builtin shape', `${LACKS_MOTION} where its mass counts`)
    mesh.data = null
  } else if (!inline && mesh.path === undefined) {
    if (e.children.length === 0) addProblem(reader, e, 'a mesh needs file="…" or vertex="…"')
    else mesh.data = null
  }
  for (const child of e.children) {
    ignoreElement(scope.shared, child, `mesh '${name}': shape from a plugin`, `${LACKS_MOTION} where its mass counts`)
  }
  noteSharedFile(scope, mesh)
  meshes.set(name, mesh)
}

/** in the place of the pose of the meshes of a file where they differ */
const SEVERAL = 'several'

/** MuJoCo keeps what it made of a file for the next mesh of the same file and scale, and forgets that the reference pose may be another. */
function noteSharedFile(scope: Scope, mesh: MjcfMesh): void {
  const { path, scale, refpos, refquat } = mesh
  if (path === undefined) return
  const { poses } = scope.shared
  const key = `${scale.join(' ')} ${path}`
  const pose = [...refpos, ...refquat].join(' ')
  const first = poses.get(key)
  if (first === undefined) poses.set(key, pose)
  else if (first !== pose) poses.set(key, SEVERAL)
  if (first === undefined || first === pose) return
  const why =
    'affects motion in MuJoCo where its mass counts: one of them stands for both there; here each has its own. Copy the file to be sure'
  ignoreOf(scope.shared, mesh.element, 'mesh', mesh.name, 'reference pose unlike that of another mesh of the same file', why)
}

/** `strippath` drops folders, `meshdir` is put before what is left; all relative to the main file's folder. */
function meshPath(scope: Scope, folder: string, file: string): string {
  const { strippath, meshdir } = scope.compiler
  const slashed = file.replace(/\\/g, '/')
  const name = strippath ? (slashed.split('/').pop() as string) : slashed
  if (isAbsolute(name)) return normalizePath(name)
  return normalizePath(joinPath(folder, joinPath(meshdir, name)))
}

/**
 * Vertices and faces after reference pose and scale. `needed`: without them the result is wrong, so their absence is a problem
 * even when no resolve function was given.
 */
export function meshData(scope: Scope, mesh: MjcfMesh, needed: boolean): MeshSpec | null {
  if (mesh.data !== undefined) return mesh.data
  const { shared } = scope
  const { reader } = shared
  const e = mesh.element
  mesh.data = null
  let vertices: readonly number[]
  let faces: readonly number[]
  if (mesh.path === undefined) {
    const v = readNumbers(reader, e, 'vertex', 12, Number.POSITIVE_INFINITY)
    const f = hasAttribute(e, 'face') ? readNumbers(reader, e, 'face', 3, Number.POSITIVE_INFINITY) : []
    if (!v || !f) return null
    if (v.length % 3 !== 0) addProblem(reader, e, `expected three numbers a vertex, got ${v.length} numbers`, 'vertex')
    if (f.length % 3 !== 0) addProblem(reader, e, `expected three numbers a face, got ${f.length} numbers`, 'face')
    const bad = f.find((i) => !Number.isInteger(i) || i < 0 || i >= v.length / 3)
    if (bad !== undefined) addProblem(reader, e, `expected vertex numbers below ${v.length / 3}, got ${bad}`, 'face')
    if (v.length % 3 !== 0 || f.length % 3 !== 0 || bad !== undefined) return null
    // MuJoCo stores vertices in single precision
    vertices = v.map(Math.fround)
    faces = f
    countVertices(shared, e, Math.max(v.length, f.length) / 3)
  } else {
    const content = readFileOnce(shared, mesh.path, mesh.beside)
    if (content === undefined) {
      if (needed) {
        const why = shared.resolve ? 'was not found' : 'cannot be read, because no resolve function was given'
        addProblem(reader, e, `mesh file '${mesh.path}' ${why}: check file, meshdir and the folder of the model`, 'file')
      } else if (shared.resolve) {
        const why = `file '${mesh.path}' was not found: it is not drawn, and nothing touches it; put it where file and meshdir say`
        ignoreOf(shared, e, 'mesh', mesh.name, 'its shape', why)
      } else {
        ignoreOf(shared, e, 'mesh', mesh.name, 'no resolve function to read its file', NO_MOTION)
      }
      return null
    }
    if (content instanceof ModelError) {
      noteModelError(scope, e, `mesh '${mesh.name}'`, content)
      return null
    }
    countVertices(shared, e, Math.max(content.vertices.length, content.faces.length) / 3)
    for (const entry of content.ignored) ignoreOf(shared, e, 'mesh file', mesh.path, entry.what, entry.why)
    vertices = content.vertices
    faces = content.faces
  }
  mesh.data = { name: mesh.name, ...placeMesh(mesh, vertices, faces) }
  return mesh.data
}

/** What a file holds or what is wrong with it, undefined where there is none; read once, for many meshes may be of one file. */
function readFileOnce({ meshFiles, resolve }: Shared, path: string, beside: string | undefined): MeshData | ModelError | undefined {
  const key = `${path}\n${beside ?? ''}`
  if (!meshFiles.has(key)) {
    // as MuJoCo: in the folder of the model, else beside the included file that names it, there without meshdir
    meshFiles.set(
      key,
      tryMesh(() => resolve?.(path) ?? (beside === undefined ? undefined : resolve?.(beside)), path),
    )
  }
  return meshFiles.get(key)
}

function tryMesh(read: () => string | Uint8Array | undefined, path: string): MeshData | ModelError | undefined {
  try {
    const content = read()
    return content === undefined ? undefined : parseMesh(content, path)
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
}

/** v ← scale · R(refquat)⁻¹ (v − refpos); a mirror turns the faces over. */
function placeMesh(mesh: MjcfMesh, v: readonly number[], faces: readonly number[]): { vertices: number[]; faces: number[] } {
  const { refpos, refquat, scale } = mesh
  const back = conjugate(refquat)
  const turned = refquat[0] !== 1
  const vertices: number[] = new Array(v.length)
  for (let k = 0; k + 2 < v.length; k += 3) {
    let p: Vec3 = subVec([v[k] as number, v[k + 1] as number, v[k + 2] as number], refpos)
    if (turned) p = rotateVec(back, p)
    vertices[k] = p[0] * scale[0]
    vertices[k + 1] = p[1] * scale[1]
    vertices[k + 2] = p[2] * scale[2]
  }
  const out = [...faces]
  if (scale[0] * scale[1] * scale[2] < 0) {
    for (let k = 0; k + 2 < out.length; k += 3) {
      const second = out[k + 1] as number
      out[k + 1] = out[k + 2] as number
      out[k + 2] = second
    }
  }
  return { vertices, faces: out }
}

/** Mass properties at unit density, once. */
export function meshMass(scope: Scope, mesh: MjcfMesh): MeshMass | null {
  if (mesh.mass !== undefined) return mesh.mass
  mesh.mass = null
  const data = meshData(scope, mesh, true)
  if (!data) return null
  try {
    mesh.mass = meshMassProperties(data, mesh.inertia, scope.shared.hulls)
  } catch (error) {
    noteModelError(scope, mesh.element, `mesh '${mesh.name}'`, error)
  }
  if (mesh.mass && mesh.maxhullvert > 0 && mesh.mass.hullCorners > mesh.maxhullvert) {
    const what = `mesh '${mesh.name}': maxhullvert="${mesh.maxhullvert}" of a hull with ${mesh.mass.hullCorners} corners`
    ignore(scope.shared, mesh.element, what, 'affects motion: the whole hull is weighed here; state mass and inertia in an inertial')
  }
  return mesh.mass
}

function noteModelError(scope: Scope, e: XmlElement, what: string, error: unknown): void {
  if (!(error instanceof ModelError)) throw error
  for (const problem of error.problems) {
    if (problem.place) scope.shared.reader.problems.push(problem)
    else addProblem(scope.shared.reader, e, `${what}: ${problem.message}`)
  }
}

/** Notes the meshes that nothing asked for; they were not even opened. */
export function noteUnusedMeshes(scope: Scope, meshes: ReadonlyMap<string, MjcfMesh>): void {
  for (const mesh of meshes.values()) {
    if (mesh.data === undefined) ignoreElement(scope.shared, mesh.element, 'mesh that no geom shows', NO_MOTION)
  }
}
