/**
 * URDF text → Spec.
 *
 * Links become bodies in depth-first order, the root fixed to the ground unless `base` is free (a root named `world` is the ground). Inertias are turned
 * into body axes; links without one take it from their collision shapes at 1000 kg/m³, as MuJoCo does. Visuals do not collide, collisions
 * are drawn only where a link has no visual. A `<mimic>` becomes a coupling. Fixed joints stay bodies of their own unless
 * merging is asked for by `mergeFixed`, or by `<mujoco><compiler fusestatic="true"/></mujoco>` in the file.
 * What is not taken over is listed in `spec.ignored`; what is wrong is one ModelError with all problems and their places.
 */
import type { PlacedBodySpec as BodySpec, ConstraintSpec, ReadSpec, Spec } from '../../build/spec.js'
import { grouped, LIMITS } from '../../model/limits.js'
import type { Place } from '../../model/model-error.js'
import { checkedResolve } from '../checked-resolve.js'
import { foldIgnored } from '../fold-ignored.js'
import { guarded } from '../guarded.js'
import type { Resolve } from '../mjcf/syntax/include.js'
import { ownOf } from '../own-of.js'
import { IDENTITY } from '../pose.js'
import { addProblem, createXmlReader, markUsed, parseXml, readString, throwProblems, type XmlElement } from '../xml.js'
import { type UrdfActuation, urdfActuators } from './actuators.js'
import { checkBase, groundJoint, type UrdfBase } from './base.js'
import { ignore, ignoreElement, listLeftovers, readOrigin, type UrdfContext, type UrdfJoint, type UrdfLink } from './context.js'
import { readExtension } from './extension.js'
import { addFloor } from './floor.js'
import { readTree, type UrdfTree } from './graph.js'
import { boundWeight, finishWeight, isOfABody, joinedLinks, type LinkWeight, setTotalMass } from './inertia.js'
import { readJoint, readMimic } from './joint.js'
import { type LinkScope, listNamesakes, readLink, readMaterials } from './link.js'
import { mergeFixed } from './merge.js'
import { createMeshes } from './meshes.js'
import { overlappingLinks } from './overlaps.js'
import { type StartPose, startPoseOf } from './start-pose.js'

export interface UrdfOptions {
  /** text or bytes of a mesh file; see `meshes.ts` for the paths tried */
  readonly resolve?: Resolve
  /** name of the file, for messages */
  readonly file?: string
  /** join links behind fixed joints to the link that carries them. Default: what the file says, else false */
  readonly mergeFixed?: boolean
  /**
   * `free`: the root link, or the link fixed to a link `world`, moves freely, as that of a robot that walks or flies; `fixed`: a link that a floating
   * joint joins to the ground stands still. Default: as the file has it, a root link without such a joint fixed
   */
  readonly base?: UrdfBase
  /**
   * true: adds a floor, a plane across z. With `base: 'free'` it is at z = 0 and the robot stands on it, its lowest collision shape at height 0; else it is at z = 0,
   * or at the lowest collision shape of the start pose where one reaches below. Default false
   */
  readonly floor?: boolean
  /**
   * gives every joint with an effort limit an actuator of its name, held to that effort: `position` (control: rad or m) and `velocity` (rad/s or
   * m/s), whose gains bring the full effort at a fifth of the joint's range or at its largest speed, or `motor` (control: −1 … 1 of the effort). Default none
   */
  readonly actuators?: UrdfActuation
}

export function parseUrdf(text: string, options: UrdfOptions = {}): ReadSpec {
  return guarded(options.file, () => readUrdf(text, options))
}

function readUrdf(text: string, options: UrdfOptions): ReadSpec {
  const { base, floor = false } = options
  checkBase(base)
  const context: UrdfContext = { reader: createXmlReader(), ignored: [], known: new Set(), skipped: new Set() }
  const robot = parseXml(text, options.file)
  checkRoot(context, robot)
  throwProblems(context.reader)

  const name = readString(context.reader, robot, 'name')?.trim()
  markUsed(context.reader, robot, 'version')
  for (const child of robot.children) {
    const why = ownOf(elsewhere, child.name)
    if (why) ignoreElement(context, child, why)
  }
  const extension = readExtension(context, robot)
  const scope: LinkScope = {
    context,
    extension,
    meshes: createMeshes(checkedResolve(options.resolve), extension, context.ignored),
    materials: readMaterials(context, robot),
    shared: [],
  }
  const tree = readTree(context, robot)
  const body = tree && assemble(scope, tree, { merge: options.mergeFixed ?? extension.fusestatic ?? false, base })
  throwProblems(context.reader)
  listNamesakes(scope)
  const start = body && startPoseOf(body.bodies, scope.meshes.specs)
  const exclude = tree && start ? listOverlaps(scope, tree, body.bodies, start) : []
  listLeftovers(context, robot)

  const meshes = scope.meshes.specs
  return {
    ...(name ? { name } : {}),
    ...extension.option,
    bodies: [],
    ...body,
    ...(floor ? addFloor(body?.bodies ?? [], body?.world, start, base === 'free') : {}),
    ...(options.actuators && body ? urdfActuators(body.bodies, body.constraints ?? [], options.actuators) : {}),
    ...(meshes.length > 0 ? { meshes } : {}),
    ...(exclude.length > 0 ? { exclude } : {}),
    ignored: foldIgnored(context.ignored),
  }
}

/** A moment of inertia without mass is no body: on a fixed link MuJoCo drops it when it fuses the link, and so does this. */
function withoutEmptyTensor(scope: LinkScope, element: XmlElement, name: string, weight: LinkWeight | undefined): LinkWeight | undefined {
  const kept = scope.extension.fusestatic === false
  if (kept || weight?.mass !== 0 || !weight.tensor.some((x) => x !== 0)) return weight
  ignore(scope.context, element, `inertia of link '${name}'`, 'the link has no mass and is fixed to its parent: the moments are taken as 0')
  return undefined
}

/** Elements beside links and joints that belong to other programs. */
const elsewhere: Readonly<Record<string, string>> = {
  transmission: 'describes a motor of ros_control; add an actuator to the spec to drive the joint',
  gazebo: 'settings of the Gazebo simulator',
  ros2_control: 'hardware interface of ros2_control',
  sensor: 'sensors are no part of the mechanism',
  loop_joint: 'not part of URDF; close loops with a constraint',
  force_element: 'springs, wings and propellers of Drake: add springs and loads to the spec for them',
  cable: 'cables of Drake: add a tendon to the spec for one',
  frame: 'a named frame of Drake, no part of the motion',
  collision_filter_group: 'says what never touches, in words of Drake; use exclude of the spec',
  'drake:collision_filter_group': 'says what never touches, in words of Drake; use exclude of the spec',
  'drake:joint': 'affects motion: a joint of Drake alone; the link that it leads to stands on the ground',
}

const insideLink: Readonly<Record<string, string>> = {
  gazebo: 'settings of the Gazebo simulator',
  sensor: 'sensors are no part of the mechanism',
  contact: 'contact settings of Bullet: free motion does not depend on them',
}

function checkRoot(context: UrdfContext, robot: XmlElement): void {
  if (robot.name !== 'robot') {
    const known: Readonly<Record<string, string>> = {
      mujoco: '; this is MJCF, read it with parseMjcf',
      sdf: '; this is SDF, convert it first (gz sdf, sdf2urdf)',
    }
    addProblem(context.reader, robot, `expected <robot>, got <${robot.name}>${ownOf(known, robot.name) ?? ''}`)
    return
  }
  let found = 0
  const source = isXacro(robot)
  const visit = (element: XmlElement): void => {
    const macro = element.name.startsWith('xacro:')
    if (macro && !source) {
      ignoreElement(
        context,
        element,
        XACRO_VALUE.has(element.name)
          ? 'a value of xacro that nothing in this file uses'
          : 'affects motion if links come of it: xacro that was not expanded, and what it stands for is not in this file',
      )
      return
    }
    const attribute = macro ? undefined : Object.keys(element.attributes).find((key) => /\$[{(]/.test(element.attributes[key] as string))
    if ((macro || attribute !== undefined) && found++ < MAX_XACRO) {
      const got = macro ? `<${element.name}>` : `'${(element.attributes[attribute as string] as string).slice(0, 60)}'`
      addProblem(
        context.reader,
        element,
        `got ${got}, which is xacro, not URDF: expand it first with \`xacro FILE.xacro > FILE.urdf\``,
        attribute,
      )
    }
    for (const child of element.children) visit(child)
  }
  visit(robot)
}

/**
 * Whether the file is a source of xacro: it asks for values, or all its links are inside macros. Where the links are there and no value is
 * missing, what is left of xacro is a leftover, which URDF readers pass over.
 */
function isXacro(robot: XmlElement): boolean {
  const leftover = robot.children.some((child) => child.name.startsWith('xacro:'))
  return asksForValues(robot) || (leftover && !robot.children.some((child) => child.name === 'link'))
}

function asksForValues(element: XmlElement): boolean {
  return Object.values(element.attributes).some((value) => /\$[{(]/.test(value)) || element.children.some(asksForValues)
}

/** define a value and make no part of the robot */
const XACRO_VALUE: ReadonlySet<string> = new Set(['xacro:property', 'xacro:arg'])

/** after this many the reader has said enough about xacro */
const MAX_XACRO = 20

interface Assembled {
  readonly bodies: readonly BodySpec[]
  readonly world?: NonNullable<Spec['world']>
  readonly constraints?: readonly ConstraintSpec[]
  readonly places: Readonly<Record<string, Place>>
}

interface Assembly {
  /** join links behind fixed joints */
  readonly merge: boolean
  readonly base: UrdfBase | undefined
}

function assemble(scope: LinkScope, tree: UrdfTree, { merge, base }: Assembly): Assembled {
  const { context, extension } = scope
  const moving = new Set<string>()
  const elements = new Map<string, { link: XmlElement; joint: XmlElement | undefined; geoms: XmlElement[] }>()
  let world: NonNullable<Spec['world']> | undefined
  let bodies: BodySpec[] = []
  const weights = new Map<string, LinkWeight>()

  for (const link of tree.links) {
    const joint = tree.jointTo.get(link.name)
    const ground = groundJoint(context, link.name, joint, base)
    const jointed = ground === 'file' ? joint !== undefined && joint.type !== 'fixed' : ground === 'free'
    if (jointed || (joint && moving.has(joint.parent))) moving.add(link.name)
    for (const child of link.element.children) {
      const why = ownOf(insideLink, child.name)
      if (why) ignoreElement(context, child, why)
    }
    const parts = readLink(scope, link, moving.has(link.name))
    const geoms = parts.geoms.map((geom) => geom.spec)
    elements.set(link.name, { link: link.element, joint: undefined, geoms: parts.geoms.map((geom) => geom.element) })
    if (link.name === 'world') {
      if (parts.weight) ignore(context, link.element, "inertia of link 'world'", 'the ground does not move')
      if (geoms.length > 0) world = { geoms }
      continue
    }
    const pose = joint ? readOrigin(context, joint.element) : undefined
    const read = joint && readJoint(context, joint, extension)
    const spec =
      ground === 'file' ? read : ground === 'free' ? ({ type: 'free', ...(joint ? { name: joint.name } : {}) } as const) : undefined
    if (joint && spec)
      elements.set(link.name, { ...(elements.get(link.name) as NonNullable<ReturnType<typeof elements.get>>), joint: joint.element })
    const bounded = boundWeight(parts.weight, pose ?? IDENTITY, extension)
    const weight = spec ? bounded : withoutEmptyTensor(scope, link.element, link.name, bounded)
    if (weight) weights.set(link.name, weight)
    bodies.push({
      name: link.name,
      parent: joint?.parent ?? 'world',
      ...(pose ? { position: pose.position, quaternion: pose.quaternion } : {}),
      ...(spec ? { joints: [spec] } : {}),
      ...(geoms.length > 0 ? { geoms } : {}),
    })
  }
  const joined = extension.fusestatic === false ? new Set<string>() : joinedLinks(weights, tree.jointTo)
  bodies = bodies.map((body) => {
    const weight = weights.get(body.name)
    if (!weight) return body
    const inertia = finishWeight(weight, !joined.has(body.name))
    return { ...body, inertia: isOfABody(inertia) ? inertia : { ...inertia, unchecked: true } }
  })
  for (const { name, inertia } of bodies) {
    const from = elements.get(name)
    if (inertia?.unchecked && from) {
      const why = 'affects motion: one exceeds the sum of the others, as in no body; taken as written, while MuJoCo refuses the file'
      ignore(context, from.link, `moments of inertia of link '${name}'`, why)
    }
  }
  const { density = 0, viscosity = 0 } = extension.option.medium ?? {}
  const carrier = tree.links.find(({ name }) => joined.has(name) && moving.has(name))
  if (carrier && (density > 0 || viscosity > 0)) {
    const why = 'affects motion: each link has the drag of its own box here, in MuJoCo those fixed to each other have that of one'
    ignore(context, carrier.element, 'drag of links fixed to each other', why)
  }
  bodies = setTotalMass(bodies, moving, extension)
  if (merge) bodies = mergeFixed(bodies).bodies
  listGround(scope, tree, bodies, moving)

  // of two joints of one name the one that moves
  const inOrder = [...tree.joints].sort((a, b) => Number(b.type === 'fixed') - Number(a.type === 'fixed'))
  const byName = new Map(inOrder.map((joint): [string, UrdfJoint] => [joint.name, joint]))
  const mimics = tree.joints.flatMap((joint) => {
    const spec = readMimic(context, joint, byName)
    return spec ? [{ spec, place: joint.element.place }] : []
  })

  const places: Record<string, Place> = {}
  bodies.forEach((body, i) => {
    const from = elements.get(body.name)
    if (!from) return
    places[`bodies/${i}`] = from.link.place
    if (from.joint) places[`bodies/${i}/joints/0`] = from.joint.place
    from.geoms.forEach((element, g) => {
      places[`bodies/${i}/geoms/${g}`] = element.place
    })
  })
  mimics.forEach(({ place }, i) => {
    places[`constraints/${i}`] = place
  })
  return { bodies, ...(world ? { world } : {}), ...(mimics.length > 0 ? { constraints: mimics.map((m) => m.spec) } : {}), places }
}

/** MuJoCo drops the mass of links on the ground unless told not to; here it counts, so totals and energies differ by a constant. */
function listGround(scope: LinkScope, tree: UrdfTree, bodies: readonly BodySpec[], moving: ReadonlySet<string>): void {
  if (scope.extension.fusestatic === false) return
  const mass = bodies.reduce((sum, body) => sum + (moving.has(body.name) ? 0 : (body.inertia?.mass ?? 0)), 0)
  const root = tree.links[0]
  if (mass === 0 || !root) return
  const what = `dropping the ${Number(mass.toPrecision(6))} kg of links that are fixed to the ground, as MuJoCo does (compiler fusestatic)`
  ignore(scope.context, root.element, what, 'their mass stays in totals and in the potential energy; the motion does not depend on it')
}

/** Pairs of links that cannot be solid to each other. */
function listOverlaps(scope: LinkScope, tree: UrdfTree, bodies: readonly BodySpec[], start: StartPose): (readonly [string, string])[] {
  const pairs = overlappingLinks(bodies, start)
  if (pairs === 'too many') {
    const why = `more than ${grouped(LIMITS.pairs)} pairs of shapes overlap where the robot starts: draw fewer, or further apart`
    addProblem(scope.context.reader, (tree.links[0] as UrdfLink).element, why)
    throwProblems(scope.context.reader)
    return []
  }
  const links = new Map(tree.links.map((link) => [link.name, link]))
  for (const [a, b] of pairs) {
    const link = links.get(b) as UrdfLink
    const why = 'they overlap where the robot starts, so they pass through each other here; MuJoCo drives them apart'
    ignore(scope.context, link.element, `contact of links '${a}' and '${b}'`, why)
  }
  return pairs
}
