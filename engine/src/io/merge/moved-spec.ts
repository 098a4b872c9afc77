/**
 * A spec as a part of another one: every name with a prefix, and all that stood in its world fixed to a body of the other spec, at a pose.
 */
import type {
  ActuatorSpec,
  AxisSpec,
  BodySpec,
  ConstraintSpec,
  FrameSpec,
  FromTo,
  GeomSpec,
  JointSpec,
  LoadSpec,
  PointSpec,
  SensorSpec,
  SiteSpec,
  Spec,
  TendonPathSpec,
  Vec3,
} from '../../build/spec.js'
import { IDENTITY, invertPose, mulPose, type Pose, rotateVec, transformPoint } from '../pose.js'

export interface Placement {
  /** body of the other spec, or `world` */
  readonly body: string
  /** of the world of this spec in that body */
  readonly pose: Pose
  /** before every name; empty: names stay */
  readonly prefix: string
  /** how many tendons and actuators of the other spec come first: those without a name are called by their number */
  readonly tendons: number
  readonly actuators: number
}

const ZERO: Vec3 = [0, 0, 0]
const Z: Vec3 = [0, 0, 1]

const poseOf = ({ position, quaternion }: { readonly position?: Vec3; readonly quaternion?: Pose['quaternion'] }): Pose => ({
  position: position ?? ZERO,
  quaternion: quaternion ?? IDENTITY.quaternion,
})

/** The parts of the spec, moved and renamed; settings, keyframes and places stay behind. `geoms` and `sites` are those of its world. */
export function moveSpec(spec: Spec, { body: host, pose, prefix, tendons, actuators }: Placement) {
  const named = (name: string): string => prefix + name
  const own = <T extends { readonly name?: string }>(item: T): T => (item.name === undefined ? item : { ...item, name: named(item.name) })
  /** Items that others may call by kind and number where they have no name. */
  const numbered = (list: readonly { readonly name?: string }[] = [], kind: string, before: number) => {
    const names = new Map<string, string>()
    const given = list.map(({ name }, k) => {
      const now = name ?? `${kind}${k}`
      names.set(now, prefix !== '' || name !== undefined ? named(now) : `${kind}${before + k}`)
      return prefix !== '' || name !== undefined ? { name: named(now) } : {}
    })
    return { given, find: (name: string): string => names.get(name) ?? named(name) }
  }
  const tendonNames = numbered(spec.tendons, 'tendon', tendons)
  const actuatorNames = numbered(spec.actuators, 'actuator', actuators)
  const bodyName = (name: string): string => (name === 'world' ? host : named(name))
  const turn = (v: Vec3): Vec3 => rotateVec(pose.quaternion, v)
  const moved = <T extends object>(item: T, from: Pose): T => ({ ...item, ...mulPose(pose, from) })

  const point = <P extends PointSpec>(p: P): P =>
    p.body === 'world' ? { ...p, body: host, point: transformPoint(pose, p.point ?? ZERO) } : { ...p, body: named(p.body) }
  const axis = (p: AxisSpec): AxisSpec => ({ ...point(p), ...(p.body === 'world' ? { axis: turn(p.axis ?? Z) } : {}) })
  const frame = (f: FrameSpec): FrameSpec => {
    if ('site' in f) return { site: named(f.site) }
    return f.body === 'world' ? { body: host, ...mulPose(pose, poseOf(f)) } : { ...f, body: named(f.body) }
  }

  const geom = (g: GeomSpec): GeomSpec => ({ ...own(g), ...(g.shape === 'mesh' ? { mesh: named(g.mesh) } : {}) }) as GeomSpec
  const worldGeom = (g: GeomSpec): GeomSpec => {
    const now = geom(g)
    if (!('fromto' in now)) return moved(now, poseOf(now))
    const [ax, ay, az, bx, by, bz] = now.fromto
    return { ...now, fromto: [...transformPoint(pose, [ax, ay, az]), ...transformPoint(pose, [bx, by, bz])] as unknown as FromTo }
  }
  const worldSite = (s: SiteSpec): SiteSpec => moved(own(s), poseOf(s))

  /** Coordinates of a free joint are a pose in its parent. */
  const joint = (j: JointSpec, isRoot: boolean): JointSpec => {
    const place = (q: JointSpec['initial']) => (Array.isArray(q) && q.length === 7 ? movedPose(pose, q as readonly number[]) : q)
    if (!isRoot || j.type !== 'free') return own(j)
    return {
      ...own(j),
      ...(j.initial === undefined ? {} : { initial: place(j.initial) as readonly number[] }),
      ...(j.rest === undefined ? {} : { rest: place(j.rest) as readonly number[] }),
    }
  }
  const body = (b: BodySpec): BodySpec => {
    const isRoot = (b.parent ?? 'world') === 'world'
    const parent = isRoot ? host : named(b.parent as string)
    return {
      ...(isRoot ? moved(b, poseOf(b)) : b),
      name: named(b.name),
      parent,
      ...(b.joints ? { joints: b.joints.map((j) => joint(j, isRoot)) } : {}),
      ...(b.geoms ? { geoms: b.geoms.map(geom) } : {}),
      ...(b.sites ? { sites: b.sites.map(own) } : {}),
      ...(b.domain ? { domain: { ...b.domain, name: named(b.domain.name) } } : {}),
    }
  }

  const step = (p: TendonPathSpec): TendonPathSpec => {
    if ('pulley' in p) return p
    if ('geom' in p) return { geom: named(p.geom), ...(p.side === undefined ? {} : { side: named(p.side) }) }
    return point(p)
  }
  const load = (l: LoadSpec): LoadSpec => ({
    ...own(l),
    ...(l.body === undefined ? {} : { body: bodyName(l.body) }),
    ...(l.frame === 'body' ? {} : { ...(l.force ? { force: turn(l.force) } : {}), ...(l.torque ? { torque: turn(l.torque) } : {}) }),
    ...(l.moving ? { moving: { ...l.moving, along: l.moving.along.map(leg) } } : {}),
  })
  const leg = (x: { readonly body: string; readonly from: Vec3; readonly to: Vec3 }) =>
    x.body === 'world' ? { body: host, from: transformPoint(pose, x.from), to: transformPoint(pose, x.to) } : { ...x, body: named(x.body) }
  const actuator = (a: ActuatorSpec, k: number): ActuatorSpec => ({
    ...a,
    ...actuatorNames.given[k],
    ...(a.joint === undefined ? {} : { joint: named(a.joint) }),
    ...(a.tendon === undefined ? {} : { tendon: tendonNames.find(a.tendon) }),
    ...(a.site === undefined ? {} : { site: named(a.site) }),
  })
  const sensor = (s: SensorSpec): SensorSpec => ({
    ...own(s),
    ...(s.at ? { at: frame(s.at) } : {}),
    ...(s.relative ? { relative: frame(s.relative) } : {}),
    ...(s.joint === undefined ? {} : { joint: named(s.joint) }),
    ...(s.tendon === undefined ? {} : { tendon: tendonNames.find(s.tendon) }),
    ...(s.actuator === undefined ? {} : { actuator: actuatorNames.find(s.actuator) }),
    ...(s.body === undefined ? {} : { body: bodyName(s.body) }),
  })
  const constraint = (given: ConstraintSpec): ConstraintSpec => {
    const c = own(given)
    switch (c.type) {
      case 'point':
        return { ...c, a: point(c.a), b: point(c.b), ...(c.axes ? { axes: c.axes.map(turn) } : {}) }
      case 'hinge':
        return { ...c, a: axis(c.a), b: axis(c.b) }
      case 'planar':
        return { ...c, a: point(c.a), b: point(c.b), ...(c.a.body === 'world' ? { normal: turn(c.normal ?? Z) } : {}) }
      case 'distance':
        return { ...c, a: point(c.a), b: point(c.b) }
      case 'weld': {
        const held = c.position || c.quaternion ? poseOf(c) : undefined
        const inHost = held && (c.a === 'world' ? mulPose(pose, held) : c.b === 'world' ? mulPose(held, invertPose(pose)) : held)
        return { ...c, ...inHost, a: bodyName(c.a), b: bodyName(c.b) }
      }
      case 'coupling':
        return { ...c, joint: named(c.joint), ...(c.of === undefined ? {} : { of: named(c.of) }) }
      case 'tendon-coupling':
        return { ...c, tendon: tendonNames.find(c.tendon), ...(c.of === undefined ? {} : { of: tendonNames.find(c.of) }) }
      case 'motion':
        return {
          ...c,
          ...(c.joint === undefined ? {} : { joint: named(c.joint) }),
          ...(c.body === undefined ? {} : { body: bodyName(c.body) }),
          ...(c.direction ? { direction: turn(c.direction) } : {}),
          ...(c.axis ? { axis: turn(c.axis) } : {}),
        }
    }
  }

  return {
    geoms: (spec.world?.geoms ?? []).map(worldGeom),
    sites: (spec.world?.sites ?? []).map(worldSite),
    bodies: spec.bodies.map(body),
    springs: (spec.springs ?? []).map((s) => ({ ...own(s), a: point(s.a), b: point(s.b) })),
    tendons: (spec.tendons ?? []).map((t, k) => ({
      ...t,
      ...tendonNames.given[k],
      ...(t.path ? { path: t.path.map(step) } : {}),
      ...(t.joints ? { joints: t.joints.map((j) => ({ ...j, joint: named(j.joint) })) } : {}),
    })),
    loads: (spec.loads ?? []).map(load),
    actuators: (spec.actuators ?? []).map(actuator),
    constraints: (spec.constraints ?? []).map(constraint),
    meshes: (spec.meshes ?? []).map(own),
    domains: (spec.domains ?? []).map(own),
    sensors: (spec.sensors ?? []).map(sensor),
    pairs: (spec.pairs ?? []).map((p) => ({ ...p, a: named(p.a), b: named(p.b) })),
    exclude: (spec.exclude ?? []).map(([a, b]) => [bodyName(a), bodyName(b)] as const),
  }
}

/** Position and quaternion, seven numbers, moved by the pose. */
export function movedPose(pose: Pose, q: ArrayLike<number>): number[] {
  const { position, quaternion } = mulPose(pose, { position: [q[0], q[1], q[2]], quaternion: [q[3], q[4], q[5], q[6]] })
  return [...position, ...quaternion]
}
