/**
 * Bodies, inertias, joints, geoms and sites in MJCF.
 */
import { geomMassProperties, rotateTensor, rotationMatrix, sumMassProperties } from '../../../build/geometry/mass-properties.js'
import { principalAxes } from '../../../build/geometry/principal-axes.js'
import type {
  PlacedBodySpec as BodySpec,
  PlacedGeomSpec as GeomSpec,
  InertiaSpec,
  Quat,
  ShapeSpec,
  SiteSpec,
  Tensor,
} from '../../../build/spec.js'
import { conjugate, normalizeQuat } from '../../pose.js'
import type { TreeBody } from '../spec-tree.js'
import { element, type XmlNode, type XmlValue } from '../xml-writer.js'
import type { Mjcf } from './context.js'
import { mjcfJoints } from './joints.js'

/** below this MuJoCo takes a mass or a moment for zero */
const MIN_VALUE = 1e-15

/** A body without the bodies below it. */
export function mjcfBody(out: Mjcf, body: TreeBody): XmlNode {
  const { spec, index } = body
  const path = `bodies/${index}`
  if (spec.damping) out.ignored.add(path, `damping of body ${spec.name}`, 'MJCF has no drag on a single body')
  if (spec.deformation) out.ignored.add(path, `deformation of body ${spec.name}`, 'MJCF has no modes; without its points and coordinates')
  if (spec.domain)
    out.ignored.add(path, `domain of body ${spec.name}`, 'MJCF has no reduced meshes; without its mass, shape and coordinates')
  const attributes = {
    name: spec.name,
    pos: spec.position,
    quat: spec.quaternion,
    gravcomp: spec.gravityCompensation,
    mocap: spec.driven ? 'true' : undefined,
  }
  return element('body', attributes, [
    ...inertial(out, body),
    ...mjcfJoints(out, body),
    ...mjcfGeoms(out, spec.geoms ?? [], path, body.moving),
    ...mjcfSites(out, spec.name, spec.sites ?? []),
  ])
}

/** Stated inertias, and those of geoms that MuJoCo would weigh in another way or does not take. */
function inertial(out: Mjcf, body: TreeBody): XmlNode[] {
  const { spec, index } = body
  const stated = spec.inertia ?? geomInertia(out, spec)
  if (!stated) {
    const weighs = spec.geoms?.some((geom) => (geom.mass ?? geom.density ?? 0) > 0)
    if (!weighs) checkMoving(out, body, 0)
    return []
  }
  const { mass, com = [0, 0, 0], tensor = [0, 0, 0, 0, 0, 0] } = stated
  const { moments } = principalAxes(tensor)
  const [largest, middle, least] = moments
  checkMoving(out, body, Math.min(mass, least))
  if (middle + least < largest * (1 - 1e-12)) {
    out.ignored.add(`bodies/${index}/inertia`, `inertia of ${spec.name}`, 'written as it is, but MuJoCo refuses moments with A + B < C')
  }
  return [element('inertial', { pos: com, mass, ...momentsOf(tensor, stated.axes) })]
}

/** In stated axes, in the body's when the tensor is diagonal there, else in full. */
function momentsOf(tensor: Tensor, axes: Quat | undefined): Record<string, XmlValue> {
  if (axes) {
    const [xx, yy, zz] = rotateTensor(rotationMatrix(conjugate(normalizeQuat(axes))), tensor)
    return { quat: axes, diaginertia: [xx, yy, zz] }
  }
  const diagonal = tensor[3] === 0 && tensor[4] === 0 && tensor[5] === 0
  return diagonal ? { diaginertia: tensor.slice(0, 3) } : { fullinertia: tensor }
}

function geomInertia(out: Mjcf, spec: BodySpec): InertiaSpec | undefined {
  const geoms = spec.geoms ?? []
  if (!geoms.some((geom) => (geom.shape === 'mesh' || isEmpty(geom)) && (geom.mass ?? geom.density ?? 0) > 0)) return undefined
  const meshes = new Map((out.spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))
  return sumMassProperties(geoms.map((geom) => geomMassProperties(geom, meshes)))
}

/** MuJoCo asks for mass and inertia of every body that has joints, unless bodies fixed to it bring some. */
function checkMoving(out: Mjcf, body: TreeBody, least: number): void {
  if (least > MIN_VALUE || !body.joints.some(({ nv }) => nv > 0)) return
  const helped = body.children.some((child) => !child.joints.some(({ nv }) => nv > 0))
  if (helped) return
  const what = `body ${body.spec.name} without mass or inertia`
  out.ignored.add(`bodies/${body.index}`, what, 'written as it is, but MuJoCo refuses moving bodies without mass and inertia')
}

export function mjcfSites(out: Mjcf, body: string, sites: readonly SiteSpec[]): XmlNode[] {
  const extra = out.extraSites.get(body) ?? []
  return [
    ...[...sites, ...extra].map(({ name, position, quaternion }) =>
      element('site', { name, pos: position, quat: quaternion, ...zoneAttributes(out.zones.get(name)) }),
    ),
  ]
}

function zoneAttributes(zone: ShapeSpec | undefined): Record<string, XmlValue> {
  switch (zone?.shape) {
    case 'sphere':
      return { type: 'sphere', size: zone.radius }
    case 'capsule':
    case 'cylinder':
      return { type: zone.shape, size: [zone.radius, zone.length / 2] }
    case 'box':
      return { type: 'box', size: zone.size.map((x) => x / 2) }
    case 'ellipsoid':
      return { type: 'ellipsoid', size: zone.radii }
    default:
      return {}
  }
}

export function mjcfGeoms(out: Mjcf, geoms: readonly GeomSpec[], path: string, moving: boolean): XmlNode[] {
  return geoms.flatMap((geom, k) => mjcfGeom(out, geom, `${path}/geoms/${k}`, moving))
}

function mjcfGeom(out: Mjcf, geom: GeomSpec, path: string, moving: boolean): XmlNode[] {
  if (isEmpty(geom)) {
    out.ignored.add(path, `${geom.shape} without extent`, 'MuJoCo asks for sizes above zero')
    return []
  }
  const shape = mjcfShape(out, geom, path, moving)
  if (!shape) return []
  const flat = geom.shape === 'mesh' && out.meshes.get(geom.mesh)?.solid === false
  if (flat && geom.collide !== false) out.ignored.add(path, 'contact of a flat mesh', 'MuJoCo has no convex hull of flat meshes')
  const seen = geom.visible !== false
  const touches = geom.collide !== false && !flat
  return [
    element('geom', {
      name: geom.name,
      ...shape,
      // MuJoCo would give a density of 1000 where none is stated
      ...(geom.mass !== undefined || geom.density === undefined ? { mass: geom.mass ?? 0 } : { density: geom.density }),
      rgba: geom.color,
      friction: geom.friction,
      condim: geom.condim,
      priority: geom.priority,
      solmix: geom.solmix,
      // what is hard here gets MuJoCo's own default, its hardest that is stable at common steps
      solref: geom.solref,
      solimp: geom.solimp,
      margin: geom.margin,
      gap: geom.gap,
      ...(geom.fluid ? { fluidshape: 'ellipsoid', fluidcoef: geom.fluid } : {}),
      ...(touches ? { contype: geom.category, conaffinity: geom.mask } : { contype: 0, conaffinity: 0 }),
      // groups from 3 on are hidden in MuJoCo's viewers
      ...(seen ? {} : { group: 3 }),
    }),
  ]
}

/** Solids of no size at all, as some URDF files have them. */
function isEmpty(geom: GeomSpec): boolean {
  switch (geom.shape) {
    case 'sphere':
    case 'capsule':
      return geom.radius === 0
    case 'cylinder':
      return geom.radius === 0 || geom.length === 0
    case 'box':
      return geom.size.includes(0)
    case 'ellipsoid':
      return geom.radii.includes(0)
    default:
      return false
  }
}

/** Type, size, asset and pose of a geom; undefined when MuJoCo cannot have it. */
function mjcfShape(out: Mjcf, geom: GeomSpec, path: string, moving: boolean): Record<string, XmlValue> | undefined {
  const pose = { pos: geom.position, quat: geom.quaternion }
  switch (geom.shape) {
    case 'sphere':
      return { type: 'sphere', size: geom.radius, ...pose }
    case 'capsule':
      // a straight part of length zero is a sphere; MuJoCo wants it positive
      if (geom.length === 0) return { type: 'sphere', size: geom.radius, ...pose }
      return { type: 'capsule', size: [geom.radius, geom.length / 2], ...pose }
    case 'cylinder':
      return { type: 'cylinder', size: [geom.radius, geom.length / 2], ...pose }
    case 'box':
      return { type: 'box', size: geom.size.map((edge) => edge / 2), ...pose }
    case 'ellipsoid':
      return { type: 'ellipsoid', size: geom.radii, ...pose }
    case 'plane':
      if (moving) {
        out.ignored.add(path, 'plane on a moving body', 'MuJoCo has planes on static bodies only')
        return undefined
      }
      return { type: 'plane', size: [(geom.size?.[0] ?? 0) / 2, (geom.size?.[1] ?? 0) / 2, 1], ...pose }
    case 'mesh':
      if (!out.meshes.has(geom.mesh)) {
        out.ignored.add(path, `geom of mesh ${geom.mesh}`, 'the mesh itself could not be written')
        return undefined
      }
      return { type: 'mesh', mesh: geom.mesh, ...pose }
    case 'heightfield':
      return heightfield(out, geom)
  }
}

/** MuJoCo keeps heights from 0 to 1, rows from the far edge, and a lowest height of zero: the geom carries the rest. */
function heightfield(out: Mjcf, geom: GeomSpec & { shape: 'heightfield' }): Record<string, XmlValue> {
  const name = `heightfield_${out.heightfields.length + 1}`
  const { size, rows, columns, heights } = geom
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const height of heights) {
    low = Math.min(low, height)
    high = Math.max(high, height)
  }
  const elevation: number[] = []
  for (let row = rows - 1; row >= 0; row--) elevation.push(...heights.slice(row * columns, (row + 1) * columns))
  const span = high > low ? high - low : 1
  const base = Math.max(size[0], size[1]) / 100
  out.heightfields.push(element('hfield', { name, nrow: rows, ncol: columns, size: [size[0] / 2, size[1] / 2, span, base], elevation }))

  // lift by the lowest height, along the geom's own z
  const [x, y, z] = geom.position ?? [0, 0, 0]
  const [w, a, b, c] = geom.quaternion ?? [1, 0, 0, 0]
  const n = w * w + a * a + b * b + c * c
  const up = [(2 * (a * c + w * b)) / n, (2 * (b * c - w * a)) / n, (w * w - a * a - b * b + c * c) / n]
  return { type: 'hfield', hfield: name, pos: [x + low * up[0], y + low * up[1], z + low * up[2]], quat: geom.quaternion }
}
