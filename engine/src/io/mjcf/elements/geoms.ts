/**
 * `geom` and `site`: shape, pose and, for geoms, the mass they lend to their body.
 */

import { shellShape, solidShape } from '../../../build/geometry/mass-properties.js'
import { isSegment, segmentPose } from '../../../build/geometry/segment.js'
import type { FromTo, GeomSpec, ShapeSpec, Vec3 } from '../../../build/spec.js'
import { defaultOrientation, type Orientation, readOrientation, resolveOrientation } from '../../orientation.js'
import { mulPose, mulQuat, type Pose, scaleVec, transformPoint } from '../../pose.js'
import {
  addProblem,
  readBoolean,
  readEnum,
  readInteger,
  readNumber,
  readNumbers,
  readString,
  readVec3,
  type XmlElement,
} from '../../xml.js'
import { fitToMesh } from '../compile/fit.js'
import type { Weight } from '../compile/inertia.js'
import { countVertices, ignore, LACKS_MOTION, type Scope } from '../syntax/context.js'
import type { Assets } from './assets.js'
import { type MjcfMesh, meshData, meshMass } from './meshes.js'
import { applySoftness, createRawSoftness, overlay, type RawSoftness, toSoftnessSpec } from './softness.js'

export const GEOM_TYPES = ['plane', 'hfield', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box', 'mesh', 'sdf'] as const
export type GeomType = (typeof GEOM_TYPES)[number]

const FRICTION: readonly number[] = [1, 0.005, 0.0001]

export interface RawGeom {
  type: GeomType
  contype: number
  conaffinity: number
  group: number
  size: number[]
  material: string
  friction: number[]
  condim: number
  priority: number
  solmix: number
  softness: RawSoftness
  margin: number
  gap: number
  mass: number | undefined
  density: number
  shellinertia: boolean
  fromto: number[] | undefined
  pos: Vec3
  orientation: Orientation
  hfield: string
  mesh: string
  fitscale: number
  rgba: number[] | undefined
  fluidshape: 'none' | 'ellipsoid'
  fluidcoef: number[]
}

export interface MjcfGeom {
  readonly name: string | undefined
  readonly element: XmlElement
  readonly pose: Pose
  readonly shape: ShapeSpec
  readonly raw: RawGeom
  /** the file names a pair that it is part of */
  paired: boolean
  /** undefined: weighs nothing, or its weight does not count */
  readonly weight: Weight | undefined
  readonly color: readonly [number, number, number, number] | undefined
}

export function createRawGeom(): RawGeom {
  return {
    type: 'sphere',
    contype: 1,
    conaffinity: 1,
    group: 0,
    size: [0, 0, 0],
    material: '',
    friction: [...FRICTION],
    condim: 3,
    priority: 0,
    solmix: 1,
    softness: createRawSoftness(),
    margin: 0,
    gap: 0,
    mass: undefined,
    density: 1000,
    shellinertia: false,
    fromto: undefined,
    pos: [0, 0, 0],
    orientation: defaultOrientation(),
    hfield: '',
    mesh: '',
    fitscale: 1,
    rgba: undefined,
    fluidshape: 'none',
    fluidcoef: [0.5, 0.25, 1.5, 1, 1],
  }
}

export function applyGeom(scope: Scope, g: RawGeom, e: XmlElement): void {
  const { reader } = scope.shared
  g.type = readEnum(reader, e, 'type', GEOM_TYPES) ?? g.type
  g.contype = readInteger(reader, e, 'contype') ?? g.contype
  g.conaffinity = readInteger(reader, e, 'conaffinity') ?? g.conaffinity
  g.group = readInteger(reader, e, 'group') ?? g.group
  overlay(g.size, readNumbers(reader, e, 'size', 1, 3))
  g.material = readString(reader, e, 'material') ?? g.material
  overlay(g.friction, readNumbers(reader, e, 'friction', 1, 3))
  g.condim = readCondim(scope, e) ?? g.condim
  g.priority = readInteger(reader, e, 'priority') ?? g.priority
  g.solmix = readNumber(reader, e, 'solmix') ?? g.solmix
  applySoftness(scope, g.softness, e)
  g.margin = readNumber(reader, e, 'margin') ?? g.margin
  g.gap = readNumber(reader, e, 'gap') ?? g.gap
  g.mass = readNumber(reader, e, 'mass') ?? g.mass
  g.density = readNumber(reader, e, 'density') ?? g.density
  g.shellinertia = readBoolean(reader, e, 'shellinertia') ?? g.shellinertia
  g.fromto = readNumbers(reader, e, 'fromto', 6) ?? g.fromto
  g.pos = readVec3(reader, e, 'pos') ?? g.pos
  readOrientation(scope, e, g.orientation)
  g.hfield = readString(reader, e, 'hfield') ?? g.hfield
  g.mesh = readString(reader, e, 'mesh') ?? g.mesh
  g.fitscale = readNumber(reader, e, 'fitscale') ?? g.fitscale
  g.rgba = readNumbers(reader, e, 'rgba', 4) ?? g.rgba
  g.fluidshape = readEnum(reader, e, 'fluidshape', ['none', 'ellipsoid']) ?? g.fluidshape
  overlay(g.fluidcoef, readNumbers(reader, e, 'fluidcoef', 1, 5))
}

/** MuJoCo knows contacts of 1, 3, 4 and 6 directions. */
export function readCondim({ shared: { reader } }: Scope, e: XmlElement): number | undefined {
  const condim = readInteger(reader, e, 'condim')
  if (condim !== undefined && ![1, 3, 4, 6].includes(condim)) addProblem(reader, e, `expected 1, 3, 4 or 6, got '${condim}'`, 'condim')
  return condim
}

const SIZES: Partial<Record<GeomType, number>> = { sphere: 1, capsule: 2, ellipsoid: 3, cylinder: 2, box: 3 }

/** Pose and sizes of a shape with a `fromto`: its z axis points from the second end to the first, as in MuJoCo. */
export function resolveFromTo(
  scope: Scope,
  e: XmlElement,
  raw: { type: GeomType; fromto: number[] | undefined; pos: Vec3; size: number[]; orientation: Orientation },
): { pose: Pose; size: number[] } {
  const { reader } = scope.shared
  const { fromto, type } = raw
  if (!fromto) return { pose: { position: raw.pos, quaternion: resolveOrientation(scope, e, raw.orientation) }, size: [...raw.size] }
  if (!['capsule', 'cylinder', 'ellipsoid', 'box'].includes(type)) {
    addProblem(reader, e, `fromto needs a capsule, cylinder, box or ellipsoid, got ${type}`, 'fromto')
  }
  if (raw.pos.some((x) => x !== 0)) addProblem(reader, e, 'expected either pos or fromto, got both', 'pos')
  const ends = fromto as unknown as FromTo
  if (!isSegment(ends)) {
    addProblem(reader, e, 'expected two different points', 'fromto')
    return { pose: { position: raw.pos, quaternion: [1, 0, 0, 0] }, size: [...raw.size] }
  }
  const { length, position, quaternion } = segmentPose(ends)
  const r = raw.size[0] as number
  const size = type === 'ellipsoid' || type === 'box' ? [r, r, length / 2] : [r, length / 2, raw.size[2] as number]
  return { pose: { position, quaternion }, size }
}

function shapeOf(type: GeomType, size: readonly number[]): ShapeSpec {
  const [a, b, c] = size as [number, number, number]
  switch (type) {
    case 'capsule':
      return { shape: 'capsule', radius: a, length: 2 * b }
    case 'cylinder':
      return { shape: 'cylinder', radius: a, length: 2 * b }
    case 'box':
      return { shape: 'box', size: [2 * a, 2 * b, 2 * c] }
    case 'ellipsoid':
      return { shape: 'ellipsoid', radii: [a, b, c] }
    case 'plane':
      return a > 0 && b > 0 ? { shape: 'plane', size: [2 * a, 2 * b] } : { shape: 'plane' }
    default:
      return { shape: 'sphere', radius: a }
  }
}

/** A geom in the frame of its body. `weighs`: its mass counts, so what it needs for that must be there. */
export function compileGeom(
  scope: Scope,
  assets: Assets,
  e: XmlElement,
  name: string | undefined,
  g: RawGeom,
  frame: Pose,
  weighs: boolean,
): MjcfGeom | undefined {
  const { shared } = scope
  const { reader } = shared
  let { pose, size } = resolveFromTo(scope, e, g)
  let shape: ShapeSpec
  let mesh: MjcfMesh | undefined
  const needsMesh = g.type === 'mesh' || g.type === 'sdf'

  if (g.mesh !== '') {
    mesh = assets.meshes.get(scope.prefix + g.mesh)
    if (!mesh) {
      addProblem(reader, e, `unknown mesh '${g.mesh}': add it to asset`, 'mesh')
      return undefined
    }
    if (g.fromto) addProblem(reader, e, 'fromto cannot be used with a mesh', 'fromto')
  } else if (needsMesh) {
    addProblem(reader, e, `a geom of type ${g.type} needs mesh="…"`)
    return undefined
  }

  const massNeeded = weighs && (g.mass === undefined ? g.density !== 0 : g.mass !== 0)
  if (needsMesh && mesh) {
    if (g.shellinertia) addProblem(reader, e, 'for a mesh, write inertia="shell" on the mesh asset', 'shellinertia')
    if (!meshData(scope, mesh, massNeeded)) return undefined
    shape = { shape: 'mesh', mesh: mesh.name }
  } else if (g.type === 'hfield') {
    const field = assets.hfields.get(scope.prefix + g.hfield)
    if (!field) {
      addProblem(reader, e, `unknown hfield '${g.hfield}': add it to asset`, 'hfield')
      return undefined
    }
    size = [field.size[0], field.size[1], 0.25 * field.size[2] + 0.5 * field.size[3]]
    shape = field.shape
    if (field.shown && shape.shape === 'heightfield') countVertices(shared, e, shape.heights.length)
    field.shown = true
  } else {
    if (mesh) {
      // a primitive fitted to the mesh stands where the mesh stands
      if (!meshData(scope, mesh, true)) return undefined
      const fitted = fitToMesh(scope, mesh, g.type, g.fitscale)
      if (!fitted) return undefined
      size = fitted.size
      pose = mulPose(pose, fitted.pose)
    }
    const wanted = SIZES[g.type] ?? 0
    for (let k = 0; k < wanted; k++) {
      if ((size[k] as number) > 0) continue
      const expected = `a ${g.type} needs ${wanted} positive size${wanted > 1 ? 's' : ''}`
      addProblem(reader, e, `${expected}, got '${size.slice(0, wanted).join(' ')}'`, 'size')
      return undefined
    }
    shape = shapeOf(g.type, size)
  }

  const placed = mulPose(frame, pose)
  let weight: Weight | undefined
  if (massNeeded) {
    const own = weightOf(scope, e, g, shape, size, mesh)
    weight = own && {
      mass: own.mass,
      com: transformPoint(placed, own.com),
      moments: own.moments,
      quaternion: mulQuat(placed.quaternion, own.quaternion),
    }
  }
  const color = g.rgba ?? assets.materials.get(scope.prefix + g.material)
  if (g.material !== '' && !assets.materials.has(scope.prefix + g.material)) {
    addProblem(reader, e, `unknown material '${g.material}': add it to asset`, 'material')
  }
  return {
    name,
    element: e,
    pose: placed,
    shape,
    raw: g,
    paired: false,
    weight,
    color: color && [color[0] as number, color[1] as number, color[2] as number, color[3] as number],
  }
}

/** smallest volume that MuJoCo takes for one */
const MIN_VOLUME = 1e-15

/** In the frame of the shape. */
function weightOf(
  scope: Scope,
  e: XmlElement,
  g: RawGeom,
  shape: ShapeSpec,
  size: readonly number[],
  mesh: MjcfMesh | undefined,
): Weight | undefined {
  if ((g.mass ?? g.density) < 0) {
    const attribute = g.mass === undefined ? 'density' : 'mass'
    addProblem(scope.shared.reader, e, `expected a ${attribute} that is not negative, got '${g.mass ?? g.density}'`, attribute)
    return undefined
  }
  if (shape.shape === 'mesh') {
    const unit = mesh && meshMass(scope, mesh)
    if (!unit || (g.mass !== undefined && !(unit.volume > MIN_VOLUME))) return undefined
    const density = g.mass === undefined ? g.density : g.mass / unit.volume
    return { mass: density * unit.volume, com: unit.com, moments: scaleVec(unit.moments, density), quaternion: unit.quaternion }
  }
  const [a, b, c] = size as [number, number, number]
  const solid: ShapeSpec = shape.shape === 'heightfield' || g.type === 'hfield' ? { shape: 'box', size: [2 * a, 2 * b, 2 * c] } : shape
  const unit = g.shellinertia ? shellShape(solid) : solidShape(solid)
  if (g.mass !== undefined && !(unit.measure > MIN_VOLUME)) return undefined
  const mass = g.mass ?? g.density * unit.measure
  return { mass, com: [0, 0, 0], moments: scaleVec(unit.diagonal, mass), quaternion: [1, 0, 0, 0] }
}

/** `fluid`: there is a medium to feel. */
export function toGeomSpec(geom: MjcfGeom, contact: boolean, fluid: boolean): GeomSpec {
  const { position, quaternion } = geom.pose
  const { contype: category, conaffinity: mask, friction, condim, priority, solmix, softness, margin, gap } = geom.raw
  const collides = contact && (category !== 0 || mask !== 0 || geom.paired)
  const resists = [friction[1] !== FRICTION[1] || friction[2] !== FRICTION[2], friction[0] !== FRICTION[0]]
  return {
    ...geom.shape,
    ...(geom.name === undefined ? {} : { name: geom.name }),
    ...(position.some((x) => x !== 0) ? { position } : {}),
    ...(quaternion[0] === 1 ? {} : { quaternion }),
    ...(geom.color ? { color: geom.color } : {}),
    ...(collides ? {} : { collide: false }),
    ...(collides && category !== 1 ? { category } : {}),
    ...(collides && mask !== 1 ? { mask } : {}),
    ...(resists[0] ? { friction: [...friction] as unknown as Vec3 } : resists[1] ? { friction: friction[0] as number } : {}),
    ...(collides && condim !== 3 ? { condim: condim as NonNullable<GeomSpec['condim']> } : {}),
    ...(collides && priority !== 0 ? { priority } : {}),
    ...(collides && solmix !== 1 ? { solmix } : {}),
    ...(collides ? toSoftnessSpec(softness) : {}),
    ...(collides && margin !== 0 ? { margin } : {}),
    ...(collides && gap !== 0 ? { gap } : {}),
    ...(fluid && isEllipsoid(geom) && hasAxes(geom) ? { fluid: [...geom.raw.fluidcoef] as unknown as NonNullable<GeomSpec['fluid']> } : {}),
  }
}

const isEllipsoid = ({ raw }: MjcfGeom): boolean => raw.fluidshape === 'ellipsoid'

/** Whether the size of a shape is that of an ellipsoid; meshes have one in MuJoCo, but not here. */
const hasAxes = ({ shape }: MjcfGeom): boolean => ['sphere', 'capsule', 'cylinder', 'ellipsoid', 'box'].includes(shape.shape)

/** Notes the ellipsoid model of drag where it is not taken over, or stays where MuJoCo lets it go. `fixed`: its body has no joints. */
export function noteFluid(scope: Scope, geom: MjcfGeom, medium: boolean, fixed: boolean): void {
  if (!isEllipsoid(geom) || !medium) return
  const { fusestatic, discardvisual } = scope.compiler
  if (discardvisual && geom.raw.contype === 0 && geom.raw.conaffinity === 0) {
    const why = 'affects motion: MuJoCo discards the geom and its drag, here both stay'
    ignore(scope.shared, geom.element, "geom fluidshape='ellipsoid' that is only visual", why)
  }
  if (fusestatic && fixed) {
    const why = 'affects motion: in MuJoCo the body that it becomes part of then has the drag of its ellipsoids only'
    ignore(scope.shared, geom.element, "geom fluidshape='ellipsoid' of a body for fusestatic", why)
  }
  if (hasAxes(geom)) return
  const why = `${LACKS_MOTION}; a body without other such geoms gets the drag of its inertia box instead`
  ignore(scope.shared, geom.element, `geom fluidshape='ellipsoid' of a ${geom.shape.shape}`, why)
}
