/**
 * Shapes between two points → shapes at a pose, as `fromto` of MJCF has it.
 */
import { atan2, cos, norm, sin } from '../../math/own.js'
import type { Problems } from '../problems.js'
import type { FromTo, GeomSpec, PlacedGeomSpec, PlacedSpec, Quat, Spec, Vec3 } from '../spec.js'

/** nearer points give no direction */
const NEAREST = 1e-14

/** Turn by `angle` about a unit axis. */
export function axisAngleQuat(axis: Vec3, angle: number): Quat {
  const s = sin(angle / 2)
  return [cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s]
}

/** Shortest turn that brings z onto this direction; half a turn about x when they are opposite. */
export function zAxisQuat(direction: Vec3): Quat {
  const n = norm(direction)
  const unit = 1 / n
  // z × direction
  const axis: Vec3 = [0 - direction[1] * unit, direction[0] * unit - 0, 0]
  const s = norm(axis)
  const angle = atan2(s, direction[2] / n)
  return axisAngleQuat(s < 1e-10 ? [1, 0, 0] : [axis[0] * (1 / s), axis[1] * (1 / s), 0], angle)
}

/** Middle, orientation and length of the line between two points; z points from the second to the first. The points must differ. */
export function segmentPose([ax, ay, az, bx, by, bz]: FromTo): { position: Vec3; quaternion: Quat; length: number } {
  const along: Vec3 = [ax - bx, ay - by, az - bz]
  return { position: [(ax + bx) / 2, (ay + by) / 2, (az + bz) / 2], quaternion: zAxisQuat(along), length: norm(along) }
}

/** Whether the line between the points has a direction. */
export function isSegment([ax, ay, az, bx, by, bz]: FromTo): boolean {
  return norm([ax - bx, ay - by, az - bz]) >= NEAREST
}

/** The shape at its pose: the same object where it has no `fromto`. */
export function placeGeom(geom: GeomSpec): PlacedGeomSpec {
  if (!('fromto' in geom)) return geom
  const { fromto, ...rest } = geom
  const { position, quaternion, length } = segmentPose(fromto)
  if (rest.shape === 'box') return { ...rest, size: [rest.size[0], rest.size[1], length], position, quaternion }
  return { ...rest, length, position, quaternion }
}

const placeAll = (geoms: readonly GeomSpec[]): readonly PlacedGeomSpec[] => geoms.map(placeGeom)

/** The spec with every shape at its pose: the same object where none has a `fromto`. */
export function placeSpec(spec: Spec): PlacedSpec {
  const isOpen = ({ geoms }: { readonly geoms?: readonly GeomSpec[] }): boolean => geoms?.some((geom) => 'fromto' in geom) ?? false
  if (!isOpen(spec.world ?? {}) && !spec.bodies.some(isOpen)) return spec as PlacedSpec
  const placed = <T extends { readonly geoms?: readonly GeomSpec[] }>(owner: T) => {
    const { geoms, ...rest } = owner
    return geoms ? { ...rest, geoms: placeAll(geoms) } : rest
  }
  return { ...spec, bodies: spec.bodies.map(placed), ...(spec.world ? { world: placed(spec.world) } : {}) } as PlacedSpec
}

const SHAPES = ['capsule', 'cylinder', 'box']

/** The same, with a problem for every `fromto` that is no line, on a shape that has none, or beside a pose or a length; those are left at the origin. */
export function checkSegments(spec: Spec, problems: Problems): PlacedSpec {
  const check = (geom: GeomSpec, path: string): GeomSpec => {
    if (!('fromto' in geom)) return geom
    let isGood = true
    const add = (key: string, message: string): void => {
      isGood = false
      problems.add(`${path}/${key}`, message)
    }
    const { fromto, shape } = geom
    const isLine = Array.isArray(fromto) && fromto.length === 6 && fromto.every(Number.isFinite)
    if (!isLine) add('fromto', `expected two points, x y z x y z, got ${JSON.stringify(fromto)}`)
    else if (!isSegment(fromto)) add('fromto', `expected two different points, got ${fromto.join(' ')}; move one`)
    if (!SHAPES.includes(shape)) {
      add('fromto', `expected it with a capsule, a cylinder or a box, got it with a ${shape}; give position and quaternion`)
    }
    for (const key of ['position', 'quaternion', 'length'] as const) {
      if (key in geom) add(key, `expected either ${key} or fromto, got both; leave one out`)
    }
    if (shape === 'box' && !(Array.isArray(geom.size) && geom.size.length === 2)) {
      add('size', 'expected the two edge lengths across the line, beside fromto; leave out the third')
    }
    if (isGood) return geom
    return { shape: 'sphere', radius: 1 }
  }
  const list = (geoms: readonly GeomSpec[], path: string): readonly GeomSpec[] => geoms.map((geom, g) => check(geom, `${path}/geoms/${g}`))
  const isOpen = (geoms: unknown): geoms is readonly GeomSpec[] =>
    Array.isArray(geoms) && geoms.some((geom) => geom !== null && typeof geom === 'object' && 'fromto' in geom)
  if (!isOpen(spec.world?.geoms) && !spec.bodies.some(({ geoms }) => isOpen(geoms))) return spec as PlacedSpec
  return placeSpec({
    ...spec,
    bodies: spec.bodies.map((body, k) => (body.geoms ? { ...body, geoms: list(body.geoms, `bodies/${k}`) } : body)),
    ...(spec.world?.geoms ? { world: { ...spec.world, geoms: list(spec.world.geoms, 'world') } } : {}),
  })
}
