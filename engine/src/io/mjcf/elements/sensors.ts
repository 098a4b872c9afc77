/**
 * `sensor`: what is measured, and from where. Kinds that only MuJoCo's own contact or plugins can fill are listed as left out.
 */
import type { FrameSpec, SensorSpec, ShapeSpec, Vec3 } from '../../../build/spec.js'
import { sensorCode, sensorKinds } from '../../../model/sensors.js'
import { addProblem, hasAttribute, markUsed, readEnum, readNumber, type XmlElement } from '../../xml.js'
import type { MjcfBody, MjcfSite, Tree } from '../compile/tree.js'
import { ignore, ignoreElement, type Scope } from '../syntax/context.js'
import { instancesOf, lookUp, type Reference } from '../syntax/references.js'
import type { MjcfGeom } from './geoms.js'
import { type MjcfJoint, writtenName } from './joints.js'
import type { MjcfTendon } from './tendons.js'

export interface MjcfSensor {
  readonly element: XmlElement
  /** undefined where what it hangs on was left out; to be called when the tree and its masses are complete */
  make(actuators: ReadonlySet<string>): SensorSpec | undefined
}

const OBJECTS = ['body', 'xbody', 'geom', 'site', 'camera'] as const
const NOT_SHOWN = 'this kind of sensor is not computed; motion does not depend on it'
const NOT_COUNTED =
  'contacts are not collected as a sensor; simulation.contacts() lists them with their forces, and motion does not depend on it'

export function readSensors(tree: Tree, scope: Scope, section: XmlElement, magnetic: Vec3): MjcfSensor[] {
  const { shared } = scope
  const sensors: MjcfSensor[] = []
  for (const e of section.children) {
    if (!shared.known.has(e)) continue
    const kind = sensorKinds[sensorCode(e.name)]
    const ofCamera = ['objtype', 'reftype'].some((name) => e.attributes[name] === 'camera') || hasAttribute(e, 'camera')
    if (!kind || ofCamera || hasAttribute(e, 'data')) {
      for (const name of Object.keys(e.attributes)) markUsed(shared.reader, e, name)
      const what = `sensor ${e.name}${ofCamera ? ' of a camera' : kind ? ' with data' : ''}`
      ignoreElement(shared, e, what, e.name === 'contact' ? NOT_COUNTED : NOT_SHOWN)
      continue
    }
    for (const name of ['noise', 'user']) markUsed(shared.reader, e, name)
    for (const name of ['nsample', 'interp', 'delay', 'interval']) {
      if (!hasAttribute(e, name)) continue
      markUsed(shared.reader, e, name)
      ignore(shared, e, `sensor ${name}`, 'sensors show the present state, without delay')
    }
    const references = referencesOf(scope, e)
    for (const suffix of instancesOf(tree, scope, e, references)) sensors.push(readSensor(tree, { ...scope, suffix }, e, magnetic))
  }
  return sensors
}

const kindOf = (objtype: string | undefined): Reference['kind'] => (objtype === 'geom' || objtype === 'site' ? objtype : 'body')

function referencesOf(scope: Scope, e: XmlElement): Reference[] {
  const { reader } = scope.shared
  const list: Reference[] = []
  for (const name of ['site', 'joint', 'tendon', 'actuator', 'body'] as const)
    if (hasAttribute(e, name)) list.push({ kind: name, attribute: name, element: e })
  for (const [type, name] of [
    ['objtype', 'objname'],
    ['reftype', 'refname'],
  ] as const) {
    if (hasAttribute(e, name)) list.push({ kind: kindOf(readEnum(reader, e, type, OBJECTS)), attribute: name, element: e })
  }
  return list
}

function readSensor(tree: Tree, scope: Scope, e: XmlElement, magnetic: Vec3): MjcfSensor {
  const { reader } = scope.shared
  const { on } = sensorKinds[sensorCode(e.name)] as (typeof sensorKinds)[number]
  const name = writtenName(scope, e)
  const cutoff = readNumber(reader, e, 'cutoff') ?? 0
  const find = <T>(kind: Reference['kind'], attribute: string): T | undefined => lookUp<T>(tree, scope, kind, e, attribute, scope.suffix)
  const site = find<MjcfSite>('site', 'site')
  const joint = find<{ joint: MjcfJoint }>('joint', 'joint')?.joint
  const tendon = find<MjcfTendon>('tendon', 'tendon')
  const actuator = find<XmlElement>('actuator', 'actuator')
  const body = find<MjcfBody>('body', 'body')
  const object = readObject(tree, scope, e, 'objtype', 'objname')
  const seen = readObject(tree, scope, e, 'reftype', 'refname')
  const wanted = { frame: site ?? object, joint, tendon, actuator, body, nothing: true }[on]
  if (!wanted && reader.problems.length === 0)
    addProblem(reader, e, `expected what the sensor ${e.name} measures: ${on === 'frame' ? 'a site or objname' : on}`)
  // of an actuator only the name counts, with that of its replica
  const driven = actuator && writtenName(scope, actuator)
  return {
    element: e,
    make(actuators) {
      const at = site ? { site: site.name } : object?.()
      const relative = seen?.()
      if (on === 'actuator' && !actuators.has(driven ?? '')) return undefined
      return {
        ...(name === undefined ? {} : { name }),
        type: e.name,
        ...(at ? { at } : {}),
        ...(joint ? { joint: joint.name } : {}),
        ...(tendon ? { tendon: tendon.name } : {}),
        ...(driven === undefined ? {} : { actuator: driven }),
        ...(on === 'body' && body ? { body: body.name } : {}),
        ...(relative ? { relative } : {}),
        ...(cutoff > 0 ? { cutoff } : {}),
        ...(e.name === 'magnetometer' ? { field: magnetic } : {}),
        ...(e.name === 'touch' && site ? { zone: zoneOf(site) } : {}),
      }
    },
  }
}

/** The frame that a pair of attributes names, once masses are known: `body` is the frame of its inertia. */
function readObject(tree: Tree, scope: Scope, e: XmlElement, type: string, attribute: string): (() => FrameSpec) | undefined {
  const objtype = readEnum(scope.shared.reader, e, type, OBJECTS)
  const kind = kindOf(objtype)
  const found = lookUp<MjcfBody & MjcfSite & { geom: MjcfGeom; body: MjcfBody }>(tree, scope, kind, e, attribute, scope.suffix)
  if (!found) return undefined
  if (kind === 'site') return () => ({ site: found.name })
  if (kind === 'geom') {
    if (found.geom.shape.shape === 'mesh')
      ignore(
        scope.shared,
        e,
        `sensor ${e.name} on a mesh`,
        'its frame is where the file puts the mesh; in MuJoCo it is that of the mesh’s own inertia',
      )
    return () => ({ body: found.body.name, ...found.geom.pose })
  }
  if (objtype === 'xbody') return () => ({ body: found.name })
  return () => ({ body: found.name, position: found.weight.com, quaternion: found.weight.quaternion })
}

function zoneOf({ shape, size }: MjcfSite): ShapeSpec {
  const [a, b, c] = size as [number, number, number]
  switch (shape) {
    case 'capsule':
    case 'cylinder':
      return { shape, radius: a, length: 2 * b }
    case 'box':
      return { shape, size: [2 * a, 2 * b, 2 * c] }
    case 'ellipsoid':
      return { shape, radii: [a, b, c] }
    default:
      return { shape: 'sphere', radius: a }
  }
}
