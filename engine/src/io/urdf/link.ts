/**
 * Links of a URDF: shapes to look at, shapes to touch, and the inertia: as stated, or from the shapes to touch at 1000 kg/m³ when
 * none is stated, as MuJoCo does.
 */

import {
  type MassProperties,
  moveMassProperties,
  rotateTensor,
  rotationMatrix,
  scaleTensor,
  shapeMassProperties,
  sumMassProperties,
} from '../../build/geometry/mass-properties.js'
import type { PlacedGeomSpec as GeomSpec, Quat, ShapeSpec, Tensor } from '../../build/spec.js'
import { norm } from '../../math/own.js'
import { mulQuat, normalizeQuat, zAxisQuat } from '../pose.js'
import { addProblem, readNumbers, readString, type XmlElement } from '../xml.js'
import {
  ignore,
  ignoreElement,
  onlyChild,
  readName,
  readOrigin,
  readScalar,
  readVector,
  type UrdfContext,
  type UrdfLink,
} from './context.js'
import type { UrdfExtension } from './extension.js'
import { axesOf, type LinkWeight } from './inertia.js'
import { leadsNowhere, loadMesh, massOfMesh, namesakes, type UrdfMeshes } from './meshes.js'

type Color = readonly [number, number, number, number]

/** what a link without inertial is made of, kg/m³ */
const DENSITY = 1000

export interface LinkScope {
  readonly context: UrdfContext
  readonly extension: UrdfExtension
  readonly meshes: UrdfMeshes
  readonly materials: ReadonlyMap<string, Color>
  /** meshes that MuJoCo loads, each with the files that MuJoCo takes for the same one */
  readonly shared: { readonly files: readonly string[]; readonly use: Use; readonly link: UrdfLink; readonly element: XmlElement }[]
}

export interface LinkParts {
  readonly weight: LinkWeight | undefined
  readonly geoms: readonly { readonly spec: GeomSpec; readonly element: XmlElement }[]
}

/** `moves`: whether a joint lies between the link and the ground, so that its mass matters. */
export function readLink(scope: LinkScope, link: UrdfLink, moves: boolean): LinkParts {
  const { context, extension } = scope
  const stated = readInertial(context, link)
  const fromShapes = extension.inertiafromgeom === 'true' || (extension.inertiafromgeom === 'auto' && !stated)
  const visuals: { spec: GeomSpec; element: XmlElement }[] = []
  const collisions: { spec: GeomSpec; element: XmlElement }[] = []
  const parts: LinkWeight[] = []

  for (const element of link.element.children) {
    if (element.name !== 'visual' && element.name !== 'collision') continue
    context.known.add(element)
    const collision = element.name === 'collision'
    const weighs = collision && fromShapes
    const needed = weighs && moves
    const geom = readGeom(scope, link, element, { weighs, needed })
    const color = readColor(scope, element)
    if (!geom) continue
    const spec: GeomSpec = { ...geom, ...(color ? { color } : {}), ...(collision ? {} : { collide: false }) }
    ;(collision ? collisions : visuals).push({ spec, element })
    if (weighs) {
      const part = massOfGeom(scope, spec)
      if (typeof part !== 'string') parts.push(part)
      else if (needed) addProblem(context.reader, element, `${part}; or give link '${link.name}' an <inertial>`)
      else ignore(context, element, `mass of link '${link.name}'`, part)
    }
  }

  // what can be touched is drawn only where there is nothing better to look at
  const hidden = collisions.map(({ spec, element }) => ({ spec: { ...spec, visible: false }, element }))
  const geoms = [...visuals, ...(visuals.length > 0 ? hidden : collisions)]
  // shapes without mass leave what is stated
  const sum = sumMassProperties(parts)
  const only = parts.length === 1 ? parts[0] : undefined
  const weight = sum.mass > 0 ? (only ?? { ...sum, axes: axesOf(sum.tensor, [1, 0, 0, 0]) }) : stated
  if (stated && weight !== stated) ignore(context, link.element, `inertial of link '${link.name}'`, 'compiler inertiafromgeom="true"')
  return { weight, geoms }
}

function readInertial(context: UrdfContext, link: UrdfLink): LinkWeight | undefined {
  const element = onlyChild(context, link.element, 'inertial')
  if (!element) return undefined
  const { reader } = context
  const pose = readOrigin(context, element)
  const massElement = onlyChild(context, element, 'mass')
  const inertiaElement = onlyChild(context, element, 'inertia')
  if (!massElement) addProblem(reader, element, `link '${link.name}': expected <mass value="…"/> in inertial, got none`)
  if (!inertiaElement) addProblem(reader, element, `link '${link.name}': expected <inertia ixx="…" …/> in inertial, got none`)
  if (!massElement || !inertiaElement) return undefined

  const value = readScalar(context, massElement, 'value')
  if (value === undefined) {
    if (!massElement.attributes['value']?.trim()) addProblem(reader, massElement, 'expected value="…" on mass, got none')
  } else if (value < 0) addProblem(reader, massElement, `expected a mass of at least 0, got ${value}`, 'value')
  const t = ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'].map((name, k) => {
    if (inertiaElement.attributes[name] !== undefined) return readScalar(context, inertiaElement, name) ?? 0
    if (k < 3) addProblem(reader, inertiaElement, `link '${link.name}': expected ${name}="…" on inertia, got none`)
    else ignore(context, inertiaElement, `${name} of link '${link.name}'`, 'not given: taken as 0')
    return 0
  }) as unknown as Tensor
  const tensor = rotateTensor(rotationMatrix(pose.quaternion), t)
  return { mass: value ?? 0, com: pose.position, tensor, axes: axesOf(t, pose.quaternion) }
}

/** Whether a shape gives its link a mass, and whether that mass moves, so that the shape cannot be done without. */
interface Use {
  readonly weighs: boolean
  readonly needed: boolean
}

/** Shape and pose of a visual or collision; undefined when it cannot be had, which is then listed or a problem. */
function readGeom(scope: LinkScope, link: UrdfLink, element: XmlElement, use: Use): GeomSpec | undefined {
  const { context } = scope
  const pose = readOrigin(context, element)
  const name = readString(context.reader, element, 'name')?.trim()
  const geometry = onlyChild(context, element, 'geometry')
  const found = geometry?.children.find((child) => shapes.has(child.name))
  if (!found) {
    const got = geometry ? (geometry.children[0]?.name ?? 'an empty geometry') : 'no geometry'
    const message = `expected geometry with ${[...shapes].join(', ')} in ${element.name} of link '${link.name}', got ${got}`
    if (element.name === 'collision') addProblem(context.reader, geometry ?? element, message)
    else ignoreElement(context, element, `${message}; only to look at`)
    return undefined
  }
  context.known.add(found)
  const before = context.reader.problems.length
  const shape = readShape(scope, link, element, found, use)
  const wrong = context.reader.problems[before]
  if (element.name === 'visual' && wrong) {
    // MuJoCo does not look at what is only to look at
    context.reader.problems.length = before
    ignoreElement(context, element, `${wrong.message}; only to look at`)
    return undefined
  }
  if (shape && isEmpty(shape)) {
    ignoreElement(context, element, `a ${shape.shape} without size: nothing to see or to touch`)
    return undefined
  }
  const quaternion = shape?.shape === 'plane' ? normalizeQuat(mulQuat(pose.quaternion, normalOf(context, found))) : pose.quaternion
  return shape && { ...shape, ...(name ? { name } : {}), position: pose.position, quaternion }
}

/** Whether a shape has an extent of zero; what stands for a frame alone is often drawn so. */
function isEmpty(shape: ShapeSpec): boolean {
  if (shape.shape === 'box') return shape.size.includes(0)
  if (shape.shape === 'sphere' || shape.shape === 'capsule') return shape.radius === 0
  return shape.shape === 'cylinder' && (shape.radius === 0 || shape.length === 0)
}

const shapes = new Set(['box', 'cylinder', 'sphere', 'capsule', 'plane', 'mesh'])

/** `<plane normal>` of Bullet: the turn that brings z onto the normal. */
function normalOf(context: UrdfContext, plane: XmlElement): Quat {
  const normal = readVector(context, plane, 'normal') ?? [0, 0, 1]
  return norm(normal) > 1e-14 ? zAxisQuat(normal) : [1, 0, 0, 0]
}

function readShape(scope: LinkScope, link: UrdfLink, owner: XmlElement, element: XmlElement, use: Use): ShapeSpec | undefined {
  const { reader } = scope.context
  const positive = (name: string, count: number): number[] => {
    const values = readNumbers(reader, element, name, count)
    if (!values && element.attributes[name] === undefined) addProblem(reader, element, `expected ${name}="…" on ${element.name}, got none`)
    if (values?.some((x) => !(x >= 0))) addProblem(reader, element, `expected sizes of at least 0, got '${values.join(' ')}'`, name)
    return values ?? Array.from({ length: count }, () => 1)
  }
  switch (element.name) {
    case 'box':
      return { shape: 'box', size: positive('size', 3) as unknown as [number, number, number] }
    case 'plane':
      return { shape: 'plane' }
    case 'sphere':
      return { shape: 'sphere', radius: positive('radius', 1)[0] as number }
    case 'cylinder':
    case 'capsule':
      return { shape: element.name, radius: positive('radius', 1)[0] as number, length: positive('length', 1)[0] as number }
    default: {
      const file = readName(scope.context, element, 'filename')
      const scale = readVector(scope.context, element, 'scale') ?? [1, 1, 1]
      if (file === '') return undefined
      if (owner.name === 'collision' || !scope.extension.discardvisual)
        scope.shared.push({ files: namesakes(scope.meshes, file, scale), use, link, element })
      // the mass is that of the faces MuJoCo takes; the look is that of them all
      const mesh = loadMesh(scope.meshes, file, scale, use.weighs ? 'first' : 'all')
      if (typeof mesh !== 'string') return { shape: 'mesh', mesh: mesh.name }
      if (use.needed) addProblem(reader, element, `${mesh}; link '${link.name}' has no <inertial> and needs it for its mass`, 'filename')
      else if (owner.name === 'visual') ignore(scope.context, element, `visual mesh of link '${link.name}'`, `${mesh}; only to look at`)
      else if (leadsNowhere(scope.meshes, file)) addProblem(reader, element, mesh, 'filename')
      else ignore(scope.context, element, `collision mesh of link '${link.name}'`, `affects motion of what touches it: ${mesh}`)
      return undefined
    }
  }
}

/** Meshes of one name in several folders, where the name decides about a mass: MuJoCo weighs one of them in the place of all. */
export function listNamesakes(scope: LinkScope): void {
  for (const { files, use, link, element } of scope.shared) {
    if (!use.needed || files.length < 2) continue
    const why = `affects motion: each is weighed as it is; MuJoCo knows meshes by name and takes the first of ${files.join(', ')}`
    ignore(scope.context, element, `one name for several meshes in link '${link.name}'`, why)
  }
}

function massOfGeom(scope: LinkScope, geom: GeomSpec): LinkWeight | string {
  let part: MassProperties
  const turn = geom.quaternion ?? [1, 0, 0, 0]
  let axes: Quat = turn
  if (geom.shape === 'mesh') {
    const mesh = scope.meshes.specs.find((spec) => spec.name === geom.mesh)
    const unit = mesh ? massOfMesh(mesh) : 'mesh is missing'
    if (typeof unit === 'string') return `mesh '${geom.mesh}' has no mass: ${unit}`
    part = { mass: DENSITY * unit.volume, com: unit.com, tensor: scaleTensor(unit.tensor, DENSITY) }
    axes = axesOf(unit.tensor, turn)
  } else part = shapeMassProperties(geom, { density: DENSITY })
  return { ...moveMassProperties(part, geom.position ?? [0, 0, 0], turn), axes }
}

/** Colours by material name: the first definition counts, wherever it stands. */
export function readMaterials(context: UrdfContext, robot: XmlElement): Map<string, Color> {
  const materials = new Map<string, Color>()
  const visit = (element: XmlElement): void => {
    for (const child of element.children) {
      if (child.name === 'material') {
        if (element === robot) context.known.add(child)
        const color = child.children.find((c) => c.name === 'color')
        const name = readString(context.reader, child, 'name')?.trim()
        const rgba = color && readRgba(context, color)
        if (element === robot) listTexture(context, child)
        if (name && rgba && !materials.has(name)) materials.set(name, rgba)
      } else if (child.name === 'link' || child.name === 'visual') visit(child)
    }
  }
  visit(robot)
  return materials
}

function readColor(scope: LinkScope, element: XmlElement): Color | undefined {
  const { context, materials } = scope
  const material = onlyChild(context, element, 'material')
  if (!material) return undefined
  listTexture(context, material)
  const color = material.children.find((child) => child.name === 'color')
  const inline = color && readRgba(context, color, false)
  const name = readString(context.reader, material, 'name')?.trim()
  if (inline) return inline
  const found = name ? materials.get(name) : undefined
  if (name && !found && !material.children.some((child) => child.name === 'texture')) {
    ignore(context, material, `material '${name}'`, 'nowhere defined: drawn in the default colour')
  }
  return found
}

function listTexture(context: UrdfContext, material: XmlElement): void {
  for (const child of material.children)
    if (child.name === 'texture') ignoreElement(context, child, 'textures are not drawn; no part of the motion')
}

function readRgba(context: UrdfContext, element: XmlElement, report = true): Color | undefined {
  context.known.add(element)
  const before = context.reader.problems.length
  const rgba = readNumbers(context.reader, element, 'rgba', 3, 4)

  // a colour is looked at twice, as a definition and where it is used: one report is enough
  if (!report) context.reader.problems.length = before
  return rgba && [rgba[0] as number, rgba[1] as number, rgba[2] as number, rgba[3] ?? 1]
}
