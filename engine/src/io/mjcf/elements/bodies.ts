/**
 * `worldbody`, `body`, `frame` and `replicate`: the tree, with frames and replicas unfolded.
 */
import type { Vec3 } from '../../../build/spec.js'
import { LIMITS } from '../../../model/limits.js'
import { defaultOrientation, eulerQuat, type Orientation, readOrientation, resolveOrientation } from '../../orientation.js'
import { addVec, IDENTITY, mulPose, type Pose, rotateVec } from '../../pose.js'
import {
  addProblem,
  hasAttribute,
  readBoolean,
  readEnum,
  readInteger,
  readNumber,
  readNumbers,
  readString,
  readVec3,
  type XmlElement,
} from '../../xml.js'
import { finishBody } from '../compile/finish-body.js'
import { readInertial, WEIGHTLESS } from '../compile/inertia.js'
import { type MjcfBody, type MjcfSite, register, type Tree } from '../compile/tree.js'
import { classOf, type DefaultClass, fromClass } from '../syntax/classes.js'
import {
  checkCreated,
  countCreated,
  giveUp,
  ignore,
  ignoreElement,
  LACKS_MOTION,
  NO_MOTION,
  type Scope,
  STEPPING_ONLY,
} from '../syntax/context.js'
import { loseGenerated } from '../syntax/references.js'
import { attachModel } from './attach.js'
import { applyGeom, compileGeom, createRawGeom, GEOM_TYPES, type GeomType, type RawGeom, resolveFromTo } from './geoms.js'
import { applyJoint, compileFreeJoint, compileJoint, createRawJoint, writtenName } from './joints.js'
import { overlay } from './softness.js'

interface PendingGeom {
  readonly scope: Scope
  readonly element: XmlElement
  readonly name: string | undefined
  readonly raw: RawGeom
  readonly frame: Pose
}

/** Where children are put. */
interface Place {
  readonly body: MjcfBody
  readonly geoms: PendingGeom[]
  /** in the body */
  readonly frame: Pose
  readonly cls: DefaultClass
  /** the body's own children are copies */
  readonly copied?: true
}

export function createBody(
  scope: Scope,
  element: XmlElement,
  parent: MjcfBody | undefined,
  name: string | undefined,
  pose: Pose,
): MjcfBody {
  const { reader } = scope.shared
  return {
    name: name ?? '',
    named: name !== undefined,
    element,
    scope,
    parent,
    children: [],
    pose,
    joints: [],
    geoms: [],
    sites: [],
    inertial: undefined,
    weight: WEIGHTLESS,
    gravcomp: (parent && readNumber(reader, element, 'gravcomp')) ?? 0,
    mocap: (parent && readBoolean(reader, element, 'mocap')) ?? false,
  }
}

/** characters that nested replicas may add to a name */
const LONGEST_SUFFIX = 200

const SLEEP = ['auto', 'never', 'allowed', 'init'] as const
const STARTS_AWAKE = 'affects motion where the flag sleep is on: MuJoCo then holds the body still until something wakes it, here it moves'

/** Reads the children of a `worldbody` into the world. */
export function readWorldbody(tree: Tree, scope: Scope, section: XmlElement, cls: DefaultClass): void {
  readInto(tree, scope, section, tree.world, IDENTITY, cls)
}

/** Reads the children of an element into a body, then weighs what came. Also how a whole model is attached to a body. */
export function readInto(tree: Tree, scope: Scope, element: XmlElement, body: MjcfBody, frame: Pose, cls: DefaultClass): void {
  const place: Place = { body, geoms: [], frame, cls }
  readChildren(tree, scope, element, place)
  compileGeoms(tree, place)
}

export function readBody(tree: Tree, scope: Scope, e: XmlElement, parent: MjcfBody, frame: Pose, inherited: DefaultClass): void {
  const cls = classOf(scope, e, inherited, 'childclass')
  const name = writtenName(scope, e)
  const own = readPose(scope, e)
  const body = createBody(scope, e, parent, name, mulPose(frame, own))
  readEnum(scope.shared.reader, e, 'simple', ['false', 'auto'])
  const sleep = readEnum(scope.shared.reader, e, 'sleep', SLEEP)
  if (sleep) ignore(scope.shared, e, `body sleep='${sleep}'`, sleep === 'init' ? STARTS_AWAKE : STEPPING_ONLY)
  register(tree, scope, 'body', e, name, body)
  parent.children.push(body)
  tree.bodies.push(body)
  const place: Place = { body, geoms: [], frame: IDENTITY, cls }
  readChildren(tree, scope, e, place)
  compileGeoms(tree, place)
  finishBody(tree, body, own)
}

function readPose(scope: Scope, e: XmlElement): Pose {
  const orientation = defaultOrientation()
  const position = readVec3(scope.shared.reader, e, 'pos') ?? [0, 0, 0]
  readOrientation(scope, e, orientation)
  return { position, quaternion: resolveOrientation(scope, e, orientation) }
}

function readChildren(tree: Tree, scope: Scope, element: XmlElement, place: Place): void {
  const { shared } = scope
  const world = place.body === tree.world
  // every level of the tree comes by here, attached models and replicas included
  if (++shared.depth > LIMITS.depth) giveUp(shared, element, `nested deeper than ${LIMITS.depth}: expected a flatter tree`)
  for (const e of element.children) {
    if (!shared.known.has(e)) continue
    countCreated(shared, e)
    switch (e.name) {
      case 'body':
        readBody(tree, scope, e, place.body, place.frame, place.cls)
        break
      case 'frame': {
        const name = writtenName(scope, e)
        const frame = mulPose(place.frame, readPose(scope, e))
        register(tree, scope, 'frame', e, name, frame)
        readChildren(tree, scope, e, { ...place, frame, cls: classOf(scope, e, place.cls, 'childclass') })
        break
      }
      case 'replicate':
        readReplicate(tree, scope, e, place)
        break
      case 'attach':
        attachModel(tree, scope, e, place.body, place.frame, { readBody, readInto })
        break
      case 'inertial':
        if (world) addProblem(shared.reader, e, 'the world cannot have inertia: put it in a body')
        else if (place.copied) ignoreElement(shared, e, 'inertial in replicate', 'a body is not made of copies: MuJoCo drops it as well')
        else place.body.inertial = readInertial(scope, e, place.frame)
        break
      case 'joint':
      case 'freejoint':
        if (world) addProblem(shared.reader, e, 'the world cannot have joints: put them in a body')
        else readJoint(tree, scope, e, place)
        break
      case 'geom': {
        const name = writtenName(scope, e)
        const apply = (g: RawGeom, from: XmlElement): void => applyGeom(scope, g, from)
        const raw = fromClass(classOf(scope, e, place.cls), 'geom', createRawGeom, apply)
        apply(raw, e)
        place.geoms.push({ scope, element: e, name, raw, frame: place.frame })
        for (const child of e.children) ignoreElement(shared, child, 'geom plugin', 'shape of contact: free motion does not depend on it')
        break
      }
      case 'site':
        readSite(tree, scope, e, place)
        break
      case 'camera':
      case 'light':
        ignoreElement(shared, e, e.name, NO_MOTION)
        break
      case 'composite':
        ignoreElement(shared, e, 'composite: the bodies, joints and forces it would make', LACKS_MOTION)
        loseGenerated(tree, scope, e)
        break
      case 'flexcomp':
        loseGenerated(tree, scope, e)
        ignoreElement(shared, e, 'flexcomp: the deformable body it would make', LACKS_MOTION)
        break
      default:
        ignoreElement(shared, e, `${e.name} in a body`, LACKS_MOTION)
    }
  }
  shared.depth--
}

function readJoint(tree: Tree, scope: Scope, e: XmlElement, place: Place): void {
  const { body } = place
  const { reader } = scope.shared
  const written = writtenName(scope, e)
  const apply = (j: ReturnType<typeof createRawJoint>, from: XmlElement): void => applyJoint(scope, j, from)
  let joint: ReturnType<typeof compileFreeJoint>
  if (e.name === 'freejoint') joint = compileFreeJoint(scope, e, written ?? '', written !== undefined)
  else {
    const raw = fromClass(classOf(scope, e, place.cls), 'joint', createRawJoint, apply)
    apply(raw, e)
    joint = compileJoint(scope, e, written ?? '', written !== undefined, raw, place.frame)
  }
  if (joint.type === 'free' && body.parent !== tree.world) addProblem(reader, e, 'a free joint needs a body directly in the world')
  body.joints.push(joint)
  if (written !== undefined) register(tree, scope, 'joint', e, written, { joint, body })
}

interface RawSite {
  type: GeomType
  pos: Vec3
  size: number[]
  fromto: number[] | undefined
  mesh: string
  orientation: Orientation
}

function readSite(tree: Tree, scope: Scope, e: XmlElement, place: Place): void {
  const { reader } = scope.shared
  const apply = (s: RawSite, from: XmlElement): void => {
    s.type = readEnum(reader, from, 'type', GEOM_TYPES) ?? s.type
    s.pos = readVec3(reader, from, 'pos') ?? s.pos
    overlay(s.size, readNumbers(reader, from, 'size', 1, 3))
    s.fromto = readNumbers(reader, from, 'fromto', 6) ?? s.fromto
    s.mesh = readString(reader, from, 'mesh') ?? s.mesh
    readOrientation(scope, from, s.orientation)
  }
  const create = (): RawSite => ({
    type: 'sphere',
    pos: [0, 0, 0],
    size: [0.005, 0.005, 0.005],
    fromto: undefined,
    mesh: '',
    orientation: defaultOrientation(),
  })
  const raw = fromClass(classOf(scope, e, place.cls), 'site', create, apply)
  apply(raw, e)
  checkSiteShape(tree, scope, e, raw)
  const written = writtenName(scope, e)
  const { pose, size } = resolveFromTo(scope, e, raw)
  const site: MjcfSite = { name: written ?? '', element: e, pose: mulPose(place.frame, pose), body: place.body, shape: raw.type, size }
  place.body.sites.push(site)
  register(tree, scope, 'site', e, written, site)
}

/** What a site looks like does not matter here, but a shape that cannot be is a slip. A mesh leaves the site where `pos` puts it. */
function checkSiteShape(tree: Tree, scope: Scope, e: XmlElement, { type, mesh }: RawSite): void {
  const { reader } = scope.shared
  if (type === 'plane' || type === 'hfield') addProblem(reader, e, `a site cannot be a ${type}: take a box or a sphere`, 'type')
  if (type !== 'mesh') {
    if (mesh !== '') addProblem(reader, e, `a site with a mesh needs type="mesh", got ${type}`, 'mesh')
  } else if (mesh === '') addProblem(reader, e, 'a site of type mesh needs mesh="…"')
  else if (!tree.assets.meshes.has(scope.prefix + mesh)) addProblem(reader, e, `unknown mesh '${mesh}': add it to asset`, 'mesh')
}

/** Replica i stands at frame i: turned by i · euler, each frame offset from the one before, in that one's axes. */
function readReplicate(tree: Tree, scope: Scope, e: XmlElement, place: Place): void {
  const { reader } = scope.shared
  const count = readInteger(reader, e, 'count')
  const offset = readVec3(reader, e, 'offset') ?? [0, 0, 0]
  const euler = readVec3(reader, e, 'euler') ?? [0, 0, 0]
  const sep = readString(reader, e, 'sep') ?? ''
  const cls = classOf(scope, e, place.cls, 'childclass')
  if (count === undefined || count < 0) {
    if (!hasAttribute(e, 'count')) addProblem(reader, e, 'replicate needs count="…"')
    else if (count !== undefined) addProblem(reader, e, `expected a count that is not negative, got ${count}`, 'count')
    return
  }
  // before any is made of what are too many
  checkCreated(scope.shared, e, count * (1 + leastOf(scope, e)))
  const unit = scope.compiler.degree ? Math.PI / 180 : 1
  const digits = String(count).length
  let position: Vec3 = [0, 0, 0]
  for (let i = 0; i < count; i++) {
    const quaternion = eulerQuat([i * unit * euler[0], i * unit * euler[1], i * unit * euler[2]], scope.compiler.eulerseq)
    const suffix = `${sep}${String(i).padStart(digits, '0')}${scope.suffix}`
    if (suffix.length > LONGEST_SUFFIX) giveUp(scope.shared, e, `suffixes of replicas longer than ${LONGEST_SUFFIX}: shorten sep`)
    tree.suffixes.add(suffix)
    const frame = mulPose(place.frame, { position, quaternion })
    readChildren(tree, { ...scope, suffix }, e, { ...place, frame, cls, copied: true })
    position = addVec(position, rotateVec(quaternion, offset))
    countCreated(scope.shared, e)
  }
}

/** How many objects `readChildren` makes of an element, at least: replicas and attached models may make more. */
function leastOf(scope: Scope, element: XmlElement): number {
  let sum = 0
  for (const e of element.children) {
    if (scope.shared.known.has(e)) sum += 1 + (e.name === 'body' || e.name === 'frame' ? leastOf(scope, e) : 0)
  }
  return sum
}

/** Geoms come last: whether they weigh anything depends on an `inertial` that may stand after them. */
function compileGeoms(tree: Tree, place: Place): void {
  const { body } = place
  const { inertiafromgeom, inertiagrouprange } = body.scope.compiler
  const infer = body !== tree.world && (inertiafromgeom === 'true' || (inertiafromgeom === 'auto' && !body.inertial))
  for (const { scope, element, name, raw, frame } of place.geoms) {
    const inRange = raw.group >= inertiagrouprange[0] && raw.group <= inertiagrouprange[1]
    const geom = compileGeom(scope, tree.assets, element, name, raw, frame, infer && inRange)
    if (geom) {
      body.geoms.push(geom)
      register(tree, scope, 'geom', element, name, { geom, body })
    }
  }
}
