/**
 * Spec → URDF, as far as the format goes. Elements and meanings after the ROS documentation of urdf/XML.
 *
 * - A link's frame is its joint's frame, so links stand at the anchors of their joints, with the axes of their bodies.
 * - Coordinates are kept: a reference other than zero moves the joint's origin.
 * - Cylindrical, universal and planar joints, and several joints on a body, become joints in a row with massless links between. Kinematics and
 *   dynamics are the same; programs that ask for mass on every link (MuJoCo among them) refuse such files.
 * - A helical joint is a turn and a slide that mimics it. A ball joint has type `spherical`, which MuJoCo and Limber read but ROS does not.
 * - Capsules are a cylinder and two spheres, ellipsoids and height fields are mesh files.
 * Every such case, and everything URDF has no word for, is in `ignored`.
 */
import { placeSpec } from '../../../build/geometry/segment.js'
import type { PlacedSpec, Spec } from '../../../build/spec.js'
import { IDENTITY, type Pose } from '../../pose.js'
import { createNames, type Names } from '../names.js'
import { createSpecTree, type SpecTree, type TreeBody } from '../spec-tree.js'
import { createIgnored, type IgnoredList, OTHER_ORDER, type Written } from '../written.js'
import { element, printXml, type XmlNode } from '../xml-writer.js'
import { type Mimic, urdfJoints, urdfMimics } from './joints.js'
import { createUrdfGeoms, type UrdfGeoms, urdfLink } from './links.js'

/** What the parts of the URDF writer share. */
export interface Urdf {
  readonly spec: PlacedSpec
  readonly tree: SpecTree
  readonly ignored: IgnoredList
  readonly linkNames: Names
  readonly jointNames: Names
  readonly geoms: UrdfGeoms
  /** by the joint that follows */
  readonly mimics: ReadonlyMap<string, Mimic>
  /** where a body's link frame stands in the body frame */
  readonly offsets: Map<TreeBody, readonly [number, number, number]>
}

/** Throws `ModelError` when the bodies of the spec make no tree. */
export function writeUrdf(given: Spec): Written {
  const spec = placeSpec(given)
  const tree = createSpecTree(spec)
  const ignored = createIgnored(spec)
  const out: Urdf = {
    spec,
    tree,
    ignored,
    linkNames: createNames(['world', ...spec.bodies.map((body) => body.name)]),
    jointNames: createNames(spec.bodies.flatMap((body) => (body.joints ?? []).map((joint) => joint.name))),
    geoms: createUrdfGeoms(spec, ignored),
    mimics: urdfMimics(spec, tree, ignored),
    offsets: new Map(),
  }
  const rooted = isRoot(spec, tree)
  const links: XmlNode[] = rooted ? [] : [urdfLink(out, 'world', spec.world?.geoms ?? [], undefined, [0, 0, 0], 'world')]
  const joints: XmlNode[] = []
  for (const body of tree.bodies) {
    const chain = urdfJoints(out, body)
    if (!(rooted && body.parent === undefined)) joints.push(...chain.joints)
    links.push(...chain.links)
    const offset = out.offsets.get(body) ?? [0, 0, 0]
    links.push(urdfLink(out, body.spec.name, body.spec.geoms ?? [], body, offset, `bodies/${body.index}`))
    ignoreBody(out, body)
  }
  ignoreRest(out)
  const root = element('robot', { name: spec.name || 'robot' }, [...out.geoms.materials(), ...links, ...joints])
  return { text: printXml(root), files: out.geoms.files, ignored: ignored.list }
}

/** One body, fixed to the world as it is: URDF's usual root link. */
function isRoot(spec: Spec, tree: SpecTree): boolean {
  const [root] = tree.roots
  if (tree.roots.length !== 1 || root.joints.length > 0 || spec.world?.geoms?.length) return false
  return samePose(root.pose, IDENTITY)
}

function samePose(a: Pose, b: Pose): boolean {
  const numbers = (pose: Pose) => [...pose.position, ...pose.quaternion]
  return numbers(a).every((x, k) => x === numbers(b)[k])
}

function ignoreBody({ ignored }: Urdf, { spec, index }: TreeBody): void {
  const path = `bodies/${index}`
  if (spec.damping) ignored.add(path, `damping of body ${spec.name}`, 'URDF has no drag on bodies')
  if (spec.deformation) ignored.add(path, `deformation of body ${spec.name}`, 'URDF has no modes; without its points and coordinates')
  if (spec.domain) ignored.add(path, `domain of body ${spec.name}`, 'URDF has no reduced meshes; without its mass, shape and coordinates')
  if (spec.gravityCompensation) ignored.add(path, `gravityCompensation of ${spec.name}`, 'URDF has no gravity')
  for (const [k, site] of (spec.sites ?? []).entries()) ignored.add(`${path}/sites/${k}`, `site ${site.name}`, 'URDF has no sites')
}

function ignoreRest({ spec, tree, ignored }: Urdf): void {
  if (!tree.inOrder) ignored.add('bodies', 'order of the coordinates', OTHER_ORDER)
  const { gravity } = spec
  if (gravity && (gravity[0] !== 0 || gravity[1] !== 0 || gravity[2] !== -9.81)) {
    ignored.add('gravity', `gravity ${gravity.join(' ')}`, 'URDF has no gravity; readers take 0 0 -9.81')
  }
  if (spec.medium) ignored.add('medium', 'medium', 'URDF has no air or water')
  if (spec.timestep !== undefined) ignored.add('timestep', `timestep ${spec.timestep}`, 'URDF has no simulation settings')
  if (spec.solver) ignored.add('solver', `solver ${spec.solver.name}`, 'URDF has no simulation settings')
  for (const [k, site] of (spec.world?.sites ?? []).entries()) ignored.add(`world/sites/${k}`, `site ${site.name}`, 'URDF has no sites')
  const lists = { springs: 'spring', tendons: 'tendon', loads: 'load', actuators: 'actuator', keyframes: 'keyframe' } as const
  for (const [key, word] of Object.entries(lists) as [keyof typeof lists, string][]) {
    for (const [k, { name }] of (spec[key] ?? []).entries()) ignored.add(`${key}/${k}`, `${word} ${name ?? k}`, `URDF has no ${key}`)
  }
  if (spec.touchFixedParents)
    ignored.add('touchFixedParents', 'contact of a fixed base with its neighbours', 'URDF has no rule for it; here they never touch')
  for (const [k, { a, b }] of (spec.pairs ?? []).entries())
    ignored.add(`pairs/${k}`, `contact pair ${a}, ${b}`, 'URDF has no contact pairs')
  for (const [k, pair] of (spec.exclude ?? []).entries())
    ignored.add(`exclude/${k}`, `exclude ${pair.join(', ')}`, 'URDF keeps this elsewhere (SRDF)')
}
