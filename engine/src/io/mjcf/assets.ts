/**
 * `asset`: meshes, height fields and the colours of materials. Meshes are loaded when a geom first asks for them.
 */
import { type MeshInertia, type MeshMass, meshMassProperties } from '../../build/mesh-mass.js'
import type { MeshSpec, Quat, ShapeSpec, Vec3 } from '../../build/spec.js'
import { ModelError } from '../../model/model-error.js'
import { parseMesh } from '../mesh/parse-mesh.js'
import { addProblem, hasAttribute, readEnum, readInteger, readNumbers, readString, readVec3, type XmlElement } from '../xml.js'
import { classOf, fromClass, mainClass } from './classes.js'
import { ignore, ignoreElement, LACKS_MOTION, NO_MOTION, type Scope } from './context.js'
import { isAbsolute, joinPath, normalizePath } from './include.js'
import { conjugate, normalizeQuat, rotateVec, subVec } from './pose.js'

export interface MjcfMesh {
  readonly name: string
  readonly element: XmlElement
  /** relative to the main file's folder; undefined when the vertices are written out */
  readonly path: string | undefined
  readonly scale: Vec3
  readonly refpos: Vec3
  readonly refquat: Quat
  readonly inertia: MeshInertia
  /** undefined: not asked for yet; null: not to be had, and that was said */
  data: MeshSpec | null | undefined
  mass: MeshMass | null | undefined
}

export interface MjcfField {
  readonly size: readonly [number, number, number, number]
  readonly shape: ShapeSpec
}

export interface Assets {
  readonly meshes: Map<string, MjcfMesh>
  readonly hfields: Map<string, MjcfField>
  /** rgba */
  readonly materials: Map<string, readonly number[]>
  /** files of attachable models, with the folder they are in */
  readonly models: Map<string, { readonly path: string; readonly element: XmlElement }>
}

const INERTIA: readonly MeshInertia[] = ['convex', 'legacy', 'exact', 'shell']

export function createAssets(): Assets {
  return { meshes: new Map(), hfields: new Map(), materials: new Map(), models: new Map() }
}

/** Name as written, else that of the file without folders and suffix. */
function assetName(scope: Scope, e: XmlElement, kind: string, taken: ReadonlyMap<string, unknown>): string | undefined {
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

/** Reads one `asset` section into the collection. */
export function readAssets(scope: Scope, section: XmlElement, assets: Assets, folder: string): void {
  const { shared } = scope
  const { reader } = shared
  for (const e of section.children) {
    if (!shared.known.has(e)) continue
    switch (e.name) {
      case 'mesh':
        readMesh(scope, e, assets, folder)
        break
      case 'hfield': {
        const name = assetName(scope, e, 'hfield', assets.hfields)
        const field = readField(scope, e)
        if (name && field) assets.hfields.set(name, field)
        break
      }
      case 'material': {
        const name = assetName(scope, e, 'material', assets.materials)
        const apply = (m: { rgba: number[] }, from: XmlElement): void => {
          m.rgba = readNumbers(reader, from, 'rgba', 4) ?? m.rgba
        }
        const material = fromClass(classOf(scope, e, mainClass(scope)), 'material', () => ({ rgba: [1, 1, 1, 1] }), apply)
        apply(material, e)
        if (name) assets.materials.set(name, material.rgba)
        shared.skipped.add(e)
        ignore(shared, e, 'material: all but its colour', NO_MOTION)
        break
      }
      case 'model': {
        const name = assetName(scope, e, 'model', assets.models)
        const file = readString(reader, e, 'file')
        if (name && file) assets.models.set(name, { path: normalizePath(joinPath(folder, file)), element: e })
        else if (name) addProblem(reader, e, 'a model asset needs file="…"')
        break
      }
      default:
        ignoreElement(shared, e, e.name, NO_MOTION)
    }
  }
}

interface RawMesh {
  scale: Vec3
  inertia: MeshInertia
}

function readMesh(scope: Scope, e: XmlElement, assets: Assets, folder: string): void {
  const { reader } = scope.shared
  const name = assetName(scope, e, 'mesh', assets.meshes)
  const apply = (m: RawMesh, from: XmlElement): void => {
    m.scale = readVec3(reader, from, 'scale') ?? m.scale
    m.inertia = readEnum(reader, from, 'inertia', INERTIA) ?? m.inertia
  }
  const raw = fromClass(classOf(scope, e, mainClass(scope)), 'mesh', (): RawMesh => ({ scale: [1, 1, 1], inertia: 'legacy' }), apply)
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
    scale: raw.scale,
    refpos,
    refquat: normalizeQuat(refquat),
    inertia: raw.inertia,
    data: undefined,
    mass: undefined,
  }
  if (hasAttribute(e, 'builtin') && e.attributes['builtin'] !== 'none') {
    readString(reader, e, 'builtin')
    readString(reader, e, 'params')
    ignore(scope.shared, e, `mesh '${name}': builtin shape`, `${LACKS_MOTION} where its mass counts`)
    mesh.data = null
  } else if (!inline && mesh.path === undefined) {
    if (e.children.length === 0) addProblem(reader, e, 'a mesh needs file="…" or vertex="…"')
    else mesh.data = null
  }
  for (const child of e.children) {
    ignoreElement(scope.shared, child, `mesh '${name}': shape from a plugin`, `${LACKS_MOTION} where its mass counts`)
  }
  assets.meshes.set(name, mesh)
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
  } else {
    const content = shared.resolve?.(mesh.path)
    if (content === undefined) {
      if (shared.resolve || needed) {
        const why = shared.resolve ? 'was not found' : 'cannot be read, because no resolve function was given'
        addProblem(reader, e, `mesh file '${mesh.path}' ${why}: check file, meshdir and the folder of the model`, 'file')
      } else {
        ignore(shared, e, `mesh '${mesh.name}': no resolve function to read '${mesh.path}'`, NO_MOTION)
      }
      return null
    }
    try {
      const parsed = parseMesh(content, mesh.path)
      for (const entry of parsed.ignored) ignore(shared, e, `mesh file '${mesh.path}': ${entry.what}`, entry.why)
      vertices = parsed.vertices
      faces = parsed.faces
    } catch (error) {
      noteModelError(scope, e, `mesh '${mesh.name}'`, error)
      return null
    }
  }
  mesh.data = { name: mesh.name, ...placeMesh(mesh, vertices, faces) }
  return mesh.data
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
    mesh.mass = meshMassProperties(data, mesh.inertia)
  } catch (error) {
    noteModelError(scope, mesh.element, `mesh '${mesh.name}'`, error)
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
export function noteUnusedMeshes(scope: Scope, assets: Assets): void {
  for (const mesh of assets.meshes.values()) {
    if (mesh.data === undefined) ignoreElement(scope.shared, mesh.element, 'mesh that no geom shows', NO_MOTION)
  }
}

/** Elevations are scaled to 0…1 and then to the height; rows come from the far side in the file. */
function readField(scope: Scope, e: XmlElement): MjcfField | undefined {
  const { reader } = scope.shared
  const size = readNumbers(reader, e, 'size', 4)
  if (!size) {
    if (!hasAttribute(e, 'size')) addProblem(reader, e, 'an hfield needs size="…" of four numbers')
    return undefined
  }
  const [rx, ry, height, base] = size as [number, number, number, number]
  if (!(rx > 0 && ry > 0 && height > 0 && base > 0)) {
    addProblem(reader, e, `expected four positive numbers, got '${size.join(' ')}'`, 'size')
    return undefined
  }
  const rows = readInteger(reader, e, 'nrow') ?? 0
  const columns = readInteger(reader, e, 'ncol') ?? 0
  const plane: ShapeSpec = { shape: 'plane', size: [2 * rx, 2 * ry] }
  if (hasAttribute(e, 'file')) {
    readString(reader, e, 'file')
    ignore(scope.shared, e, 'hfield file: the field is drawn and touched as a plane', NO_MOTION)
    return { size: [rx, ry, height, base], shape: plane }
  }
  if (!(rows >= 2 && columns >= 2 && rows * columns <= 4e6)) {
    addProblem(reader, e, `expected at least 2 rows and 2 columns, got ${rows} × ${columns}`, 'nrow')
    return undefined
  }
  const elevation = hasAttribute(e, 'elevation') ? readNumbers(reader, e, 'elevation', rows * columns) : undefined
  const given = elevation ?? new Array<number>(rows * columns).fill(0)
  const low = given.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const high = given.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const span = high > low ? high - low : 1
  const heights: number[] = []
  for (let r = rows - 1; r >= 0; r--) {
    for (let c = 0; c < columns; c++) heights.push((((given[r * columns + c] as number) - low) / span) * height)
  }
  return { size: [rx, ry, height, base], shape: { shape: 'heightfield', size: [2 * rx, 2 * ry], rows, columns, heights } }
}
