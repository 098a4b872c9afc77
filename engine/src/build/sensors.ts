/**
 * Sensors of the Spec → arrays of the Model, and the shapes that rangefinders see.
 */
import type { Actuators, Tendons } from '../model/model.js'
import { type RayTargets, type SensorKind, type Sensors, sensorCode, sensorKinds } from '../model/sensors.js'
import { BOX, CAPSULE, CYLINDER, ELLIPSOID, PLANE, SPHERE } from '../model/shapes.js'
import { quatToMatrix } from '../printed/arrays.js'
import type { BuiltJoints } from './joints.js'
import type { Problems } from './problems.js'
import { bodyNumber } from './references.js'
import { collectSites, type PlacedSite as Site } from './sites.js'
import type { FrameSpec, PlacedGeomSpec as GeomSpec, SensorSpec, ShapeSpec, PlacedSpec as Spec, Vec3 } from './spec.js'
import type { BodyTree } from './tree.js'

const FIELD: Vec3 = [0, -0.5, 0]
const ZONE: ShapeSpec = { shape: 'sphere', radius: 0.005 }

export function buildSensors(
  spec: Spec,
  tree: BodyTree,
  joints: BuiltJoints,
  tendons: Tendons,
  actuators: Actuators,
  problems: Problems,
): Sensors {
  const list = spec.sensors ?? []
  const n = list.length
  const sites = collectSites(spec, tree)
  const names = list.map((sensor, k) => sensor.name ?? `sensor${k}`)
  const start = new Int32Array(n + 1)
  const built = {
    kind: new Int32Array(n),
    target: new Int32Array(n),
    pose: new Float64Array(12 * n),
    reference: new Int32Array(n).fill(-1),
    referencePose: new Float64Array(12 * n),
    cutoff: new Float64Array(n),
    numbers: new Float64Array(3 * n),
    zone: new Int32Array(n).fill(-1),
  }
  const indices: Record<'joint' | 'tendon' | 'actuator', ReadonlyMap<string, number>> = {
    joint: joints.index,
    tendon: new Map(tendons.names.map((name, k) => [name, k])),
    actuator: new Map(actuators.names.map((name, k) => [name, k])),
  }
  list.forEach((sensor, k) => {
    const path = `sensors/${k}`
    const code = sensorCode(sensor.type)
    const kind = sensorKinds[code]
    if (!kind) {
      const known = sensorKinds.map(({ name }) => name)
      problems.add(`${path}/type`, `expected a type of sensor, got '${sensor.type}'${problems.hintAt(String(sensor.type), known)}`)
      return
    }
    built.kind[k] = code
    start[k + 1] = start[k] + kind.size
    setFrame(built.pose, 12 * k, undefined)
    setFrame(built.referencePose, 12 * k, undefined)
    checkParts(sensor, kind, path, problems)
    if (kind.on === 'frame' && sensor.at) built.target[k] = placeFrame(sensor.at, built.pose, 12 * k, tree, sites, `${path}/at`, problems)
    else if (kind.on === 'body' && sensor.body !== undefined) built.target[k] = bodyNumber(tree, `${path}/body`, sensor.body, problems)
    else if (kind.on === 'joint' || kind.on === 'tendon' || kind.on === 'actuator') {
      const name = sensor[kind.on] ?? ''
      const at = indices[kind.on].get(name)
      if (at === undefined && sensor[kind.on] !== undefined)
        problems.add(
          `${path}/${kind.on}`,
          `expected the name of a ${kind.on}, got '${name}'${problems.hintAt(name, indices[kind.on].keys())}`,
        )
      built.target[k] = at ?? 0
      if (kind.on === 'joint' && at !== undefined) checkJoint(sensor, joints.joints[at], `${path}/joint`, problems)
    }
    if (sensor.relative)
      built.reference[k] = placeFrame(sensor.relative, built.referencePose, 12 * k, tree, sites, `${path}/relative`, problems)
    built.cutoff[k] = problems.number(`${path}/cutoff`, sensor.cutoff ?? 0, 'non-negative')
    if (kind.name === 'magnetometer') built.numbers.set(problems.vector(`${path}/field`, sensor.field, 3, [...FIELD]), 3 * k)
    if (kind.name === 'touch') {
      const zone = solid(sensor.zone ?? ZONE)
      if (zone) {
        built.zone[k] = zone.code
        built.numbers.set(zone.size, 3 * k)
      } else
        problems.add(
          `${path}/zone/shape`,
          `expected a sphere, capsule, cylinder, ellipsoid or box, got ${sensor.zone?.shape}; take one of them`,
        )
    }
  })
  const seeing = list.some(({ type }) => type === 'rangefinder')
  return {
    count: n,
    names,
    size: start[n],
    start,
    ...built,
    accelerated: list.some(({ type }) => sensorKinds[sensorCode(type)]?.accelerated),
    targets: buildTargets(seeing ? [spec.world?.geoms ?? [], ...tree.bodies.map(({ spec: body }) => body.geoms ?? [])] : []),
  }
}

/** Exactly what the type hangs on. */
function checkParts(sensor: SensorSpec, { name, on }: SensorKind, path: string, problems: Problems): void {
  const wanted = on === 'frame' ? 'at' : on
  for (const key of ['at', 'joint', 'tendon', 'actuator', 'body'] as const) {
    if (key === wanted && sensor[key] === undefined)
      problems.add(path, `expected '${key}' for a sensor of type ${name}; say what it measures`)
    if (key !== wanted && sensor[key] !== undefined)
      problems.add(`${path}/${key}`, `expected no '${key}' for a sensor of type ${name}; leave it out`)
  }
  if (sensor.relative && !/^frame.*(pos|quat|axis|vel)$/.test(name))
    problems.add(`${path}/relative`, `expected no 'relative' for a sensor of type ${name}; leave it out`)
}

function checkJoint(
  { type, joint }: SensorSpec,
  { nv, type: is }: { readonly nv: number; readonly type: string },
  path: string,
  problems: Problems,
): void {
  const ball = is === 'spherical'
  const fits = type.startsWith('ball') ? ball : nv === 1 || (ball && type.startsWith('jointlimit'))
  if (!fits)
    problems.add(
      path,
      `expected a ${type.startsWith('ball') ? 'spherical joint' : 'joint of one degree of freedom'}, got ${is} '${joint}'; take another sensor`,
    )
}

function placeFrame(
  frame: FrameSpec,
  X: Float64Array,
  o: number,
  tree: BodyTree,
  sites: ReadonlyMap<string, Site>,
  path: string,
  problems: Problems,
): number {
  if ('site' in frame) {
    const site = sites.get(frame.site)
    if (!site) problems.add(`${path}/site`, `expected the name of a site, got '${frame.site}'${problems.hintAt(frame.site, sites.keys())}`)
    setFrame(X, o, site)
    return site?.body ?? 0
  }
  setFrame(X, o, frame)
  return bodyNumber(tree, `${path}/body`, frame.body, problems)
}

function setFrame(X: Float64Array, o: number, at: { readonly position?: Vec3; readonly quaternion?: readonly number[] } | undefined): void {
  quatToMatrix(X, o, Float64Array.from(at?.quaternion ?? [1, 0, 0, 0]), 0)
  X.set(at?.position ?? [0, 0, 0], o + 9)
}

/** Code and sizes of a shape that a ray can meet. */
function solid(shape: ShapeSpec): { readonly code: number; readonly size: Vec3 } | undefined {
  switch (shape.shape) {
    case 'plane':
      return { code: PLANE, size: [(shape.size?.[0] ?? 0) / 2, (shape.size?.[1] ?? 0) / 2, 0] }
    case 'sphere':
      return { code: SPHERE, size: [shape.radius, 0, 0] }
    case 'capsule':
      return { code: CAPSULE, size: [shape.radius, shape.length / 2, 0] }
    case 'cylinder':
      return { code: CYLINDER, size: [shape.radius, shape.length / 2, 0] }
    case 'ellipsoid':
      return { code: ELLIPSOID, size: shape.radii }
    case 'box':
      return { code: BOX, size: [shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2] }
    default:
      return undefined
  }
}

/** Numbers of the shapes that are drawn and not wholly transparent. */
function buildTargets(lists: readonly (readonly GeomSpec[])[]): RayTargets {
  const seen = lists.flat().map(({ visible, color }) => visible !== false && color?.[3] !== 0)
  const geom = Int32Array.from(seen.keys()).filter((k) => seen[k])
  return { count: geom.length, geom }
}
