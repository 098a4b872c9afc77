/**
 * From the tree and the sections that refer to it to the Spec. Names first: from here on everything is referred to by name.
 */
import { fixedNeighbours } from '../../../build/neighbours.js'
import type { BodySpec, ConstraintSpec, GeomSpec, MeshSpec, Spec } from '../../../build/spec.js'
import type { Place } from '../../../model/model-error.js'
import { addProblem, type XmlElement } from '../../xml.js'
import { type MjcfActuator, readActuators } from '../elements/actuators.js'
import { type Contacts, readContact, toPairSpec } from '../elements/contact.js'
import { type MjcfConstraint, readEqualities } from '../elements/equality.js'
import { noteFluid, toGeomSpec } from '../elements/geoms.js'
import { applyJoint, createRawJoint, type MjcfJoint, toJointSpec } from '../elements/joints.js'
import { partOf, readKeyframes } from '../elements/keyframes.js'
import { noteUnusedMeshes } from '../elements/meshes.js'
import { hasMedium, type Options, passiveOff } from '../elements/options.js'
import { type MjcfSensor, readSensors } from '../elements/sensors.js'
import { type MjcfTendon, readTendons, toTendonSpec } from '../elements/tendons.js'
import { type DefaultClass, fromClass, mainClass } from '../syntax/classes.js'
import { ignore, ignoreOf, type Scope } from '../syntax/context.js'
import { addPassivePart, makeActuatorSpecs } from './actuator-specs.js'
import { fuseStatic } from './fuse.js'
import { MIN_MASS, toInertia, type Weight } from './inertia.js'
import { resolveSpringDampers } from './reference-pose.js'
import { freshName, type MjcfBody, type Tree } from './tree.js'

/** `driven`: mocap bodies go where they are told. */
export function makeSpec(
  tree: Tree,
  scope: Scope,
  root: XmlElement,
  options: Options,
  places: Record<string, Place>,
  driven: boolean,
): Omit<Spec, 'name'> {
  const { shared } = scope
  for (const body of tree.bodies) if (body.mocap && (!driven || carriesJoints(body))) keepMocap(scope, body, driven)
  giveNames(tree)

  // what refers to the tree, in this file and in attached ones
  const tendons: MjcfTendon[] = []
  const actuators: MjcfActuator[] = []
  const constraints: MjcfConstraint[] = []
  const contacts: Contacts = { excluded: [], pairs: [] }
  const models = [{ root, scope }, ...tree.attached]
  const each = (tag: string, read: (scope: Scope, section: XmlElement) => void): void => {
    for (const model of models) {
      for (const section of model.root.children) if (section.name === tag && shared.known.has(section)) read(model.scope, section)
    }
  }
  each('tendon', (inner, section) => tendons.push(...readTendons(tree, inner, section)))
  for (const [k, tendon] of tendons.entries()) if (tendon.name === '') tendon.name = freshName(tree.names.tendon, 'tendon', k + 1)
  each('actuator', (inner, section) => actuators.push(...readActuators(tree, inner, section)))
  each('equality', (inner, section) => constraints.push(...readEqualities(tree, inner, section)))
  const sensors: MjcfSensor[] = []
  each('sensor', (inner, section) => sensors.push(...readSensors(tree, inner, section, options.magnetic)))
  each('contact', (inner, section) => readContact(tree, inner, section, contacts))

  if (scope.compiler.fusestatic) fuseStatic(tree, models)
  scaleMasses(tree, scope)
  addPassivePart(tree, actuators, 'armature')
  resolveSpringDampers(tree, tendons)
  addPassivePart(tree, actuators, 'damping')
  checkMasses(tree, scope)
  const actuatorSpecs = makeActuatorSpecs(tree, actuators, tendons)
  const keyframes = models.flatMap((model) => {
    const sections = (tag: string): XmlElement[] => model.root.children.filter((e) => e.name === tag && shared.known.has(e))
    const keys = sections('keyframe')
    const own = sections('actuator').flatMap((section) => section.children)
    const part =
      model.root === root || keys.length === 0
        ? undefined
        : partOf(tree, model.scope.prefix, ownJoints(model.scope, model.root), actuators, own)
    return keys.flatMap((section) =>
      readKeyframes(
        tree,
        model.scope,
        section,
        actuatorSpecs.map((spec) => spec !== undefined),
        actuators.map(({ raw }) => raw.dyntype !== 'none'),
        part,
      ),
    )
  })

  const { off } = options
  const contact = !off.has('contact') && !off.has('constraint')
  const meshes = collectMeshes(tree)
  noteUnusedMeshes(scope, tree.assets.meshes)
  // as in MuJoCo: a negative compensation counts only where some other one is positive
  const compensated = !passiveOff(options) && tree.bodies.some((body) => body.gravcomp > 0)
  const bodies = tree.bodies.map((body, k) =>
    toBodySpec(scope, body, options, { contact, compensated, driven: actuators.length > 0 }, `bodies/${k}`, places),
  )
  const worldGeoms = tree.world.geoms.map((geom, k) => {
    places[`world/geoms/${k}`] = geom.element.place
    return toGeomSpec(geom, contact, false)
  })
  const worldSites = tree.world.sites.map((site) => ({ name: site.name, ...site.pose }))
  const constraintSpecs: ConstraintSpec[] = []
  for (const { element, make } of constraints) {
    places[`constraints/${constraintSpecs.length}`] = element.place
    const spec = make()
    constraintSpecs.push(off.has('equality') || off.has('constraint') ? { ...spec, active: false } : spec)
  }
  const kept = actuatorSpecs.flatMap((spec, k) => (spec ? [{ spec, element: (actuators[k] as MjcfActuator).element }] : []))
  for (const [k, { element }] of kept.entries()) places[`actuators/${k}`] = element.place
  const motors = new Set(kept.flatMap(({ spec }) => spec.name ?? []))
  const sensorSpecs = sensors.flatMap(({ element, make }) => {
    const spec = make(motors)
    if (!spec) ignore(shared, element, `sensor ${element.name}`, 'the actuator that it measures is left out')
    return spec ? [{ spec, element }] : []
  })
  for (const [k, { element }] of sensorSpecs.entries()) places[`sensors/${k}`] = element.place
  for (const [k, { element }] of keyframes.entries()) places[`keyframes/${k}`] = element.place
  for (const [k, { element }] of contacts.pairs.entries()) places[`pairs/${k}`] = element.place
  for (const [k, { element }] of tendons.entries()) places[`tendons/${k}`] = element.place
  for (const [k, mesh] of meshes.entries()) places[`meshes/${k}`] = mesh.place
  if (off.has('actuation') && kept.length > 0) {
    ignore(shared, root, 'option flag actuation="disable"', 'actuators are kept; leave their controls at zero to have none of their forces')
  }

  const medium = hasMedium(options)
  const some = <T>(list: readonly T[]): boolean => list.length > 0
  return {
    ...(scope.compiler.degree ? { angle: 'degree' as const } : {}),
    gravity: off.has('gravity') ? [0, 0, 0] : options.gravity,
    ...(medium
      ? {
          medium: {
            density: options.density,
            viscosity: options.viscosity,
            ...(options.wind.some((x) => x !== 0) ? { wind: options.wind } : {}),
          },
        }
      : {}),
    ...(options.timestep === undefined ? {} : { timestep: options.timestep }),
    bodies,
    ...(some(worldGeoms) || some(worldSites)
      ? { world: { ...(some(worldGeoms) ? { geoms: worldGeoms } : {}), ...(some(worldSites) ? { sites: worldSites } : {}) } }
      : {}),
    ...(some(tendons) ? { tendons: tendons.map((tendon) => toTendonSpec(scope, tendon, options)) } : {}),
    ...(some(kept) ? { actuators: kept.map(({ spec }) => spec) } : {}),
    ...(some(constraintSpecs) ? { constraints: constraintSpecs } : {}),
    ...(some(meshes) ? { meshes: meshes.map(({ spec }) => spec) } : {}),
    ...(some(sensorSpecs) ? { sensors: sensorSpecs.map(({ spec }) => spec) } : {}),
    ...(some(keyframes) ? { keyframes: keyframes.map(({ spec }) => spec) } : {}),
    ...(some(Object.keys(options.softFriction)) ? { softFriction: options.softFriction } : {}),
    ...(contact && some(contacts.pairs) ? { pairs: contacts.pairs.map(toPairSpec) } : {}),
    ...(fixedNeighbours(bodies).next().done ? {} : { touchFixedParents: true }),
    ...(some(contacts.excluded) ? { exclude: contacts.excluded.map(([a, b]) => [a.name, b.name] as const) } : {}),
  }
}

/** Joints of a file in the order of its own coordinates, attached or not. */
function ownJoints(scope: Scope, root: XmlElement): { element: XmlElement; type: MjcfJoint['type'] }[] {
  const visit = (e: XmlElement, inherited: DefaultClass): { element: XmlElement; type: MjcfJoint['type'] }[] => {
    const cls = e.attributes['childclass'] === undefined ? inherited : (scope.classes.get(e.attributes['childclass']) ?? inherited)
    const joints = e.children.flatMap((child) => {
      if (child.name === 'freejoint') return [{ element: child, type: 'free' as const }]
      if (child.name !== 'joint') return []
      const named = scope.classes.get(child.attributes['class'] ?? '') ?? cls
      const raw = fromClass(named, 'joint', createRawJoint, (j, from) => applyJoint(scope, j, from))
      return [{ element: child, type: (child.attributes['type'] as MjcfJoint['type'] | undefined) ?? raw.type }]
    })
    return [...joints, ...e.children.filter(({ name }) => name === 'body' || name === 'frame').flatMap((child) => visit(child, cls))]
  }
  return root.children.filter(({ name }) => name === 'worldbody').flatMap((world) => visit(world, mainClass(scope)))
}

function giveNames(tree: Tree): void {
  const { names } = tree
  let joints = 0
  let sites = 0
  for (const [k, body] of tree.bodies.entries()) {
    if (!body.named) {
      body.name = freshName(names.body, 'body', k + 1)
      names.body.set(body.name, body)
    }
    for (const [i, joint] of body.joints.entries()) {
      joints++
      if (joint.named) continue
      const name = freshName(names.joint, 'joint', joints)
      names.joint.set(name, { joint, body })
      body.joints[i] = { ...joint, name }
    }
  }
  for (const body of [tree.world, ...tree.bodies]) {
    for (const [i, site] of body.sites.entries()) {
      sites++
      if (site.name !== '') continue
      const name = freshName(names.site, 'site', sites)
      names.site.set(name, site)
      body.sites[i] = { ...site, name }
    }
  }
}

/** settotalmass */
function scaleMasses(tree: Tree, scope: Scope): void {
  const { settotalmass } = scope.compiler
  const total = tree.bodies.reduce((sum, body) => sum + body.weight.mass, 0)
  if (!(settotalmass > 0) || !(total > 0)) return
  const s = settotalmass / total
  for (const body of tree.bodies) {
    const { mass, moments } = body.weight
    body.weight = { ...body.weight, mass: mass * s, moments: [moments[0] * s, moments[1] * s, moments[2] * s] }
  }
}

/** A body with joints must weigh something, itself or with what is fixed to it. */
function checkMasses(tree: Tree, scope: Scope): void {
  const solid = (weight: Weight): boolean => weight.mass >= MIN_MASS && weight.moments.every((x) => x >= MIN_MASS)
  const supports = (body: MjcfBody): boolean =>
    solid(body.weight) || body.children.some((child) => child.joints.length === 0 && supports(child))
  const { reader } = scope.shared
  // with another problem noted, a mass may be missing for that reason alone
  if (reader.problems.length > 0) return
  const shapeless = [...tree.assets.meshes.values()]
    .filter(({ data, path }) => data === null && path === undefined)
    .map(({ name }) => `'${name}'`)
  const hint = shapeless.length > 0 ? `; the built-in shape of mesh ${shapeless.join(', ')} is not supported: write its vertices` : ''
  for (const body of tree.bodies) {
    if (body.joints.length === 0 || supports(body)) continue
    const lacks = body.weight.mass < MIN_MASS ? 'mass' : 'inertia'
    addProblem(
      reader,
      body.element,
      `body '${body.name}' can move but has no ${lacks}: give it a geom with mass or an inertial with moments${hint}`,
    )
  }
}

function collectMeshes(tree: Tree): { spec: MeshSpec; place: Place }[] {
  const used = new Set<string>()
  for (const body of [tree.world, ...tree.bodies]) for (const geom of body.geoms) if (geom.shape.shape === 'mesh') used.add(geom.shape.mesh)
  return [...tree.assets.meshes.values()].flatMap((mesh) =>
    used.has(mesh.name) && mesh.data ? [{ spec: mesh.data, place: mesh.element.place }] : [],
  )
}

function toBodySpec(
  scope: Scope,
  body: MjcfBody,
  options: Options,
  { contact, compensated, driven }: { readonly contact: boolean; readonly compensated: boolean; readonly driven: boolean },
  key: string,
  places: Record<string, Place>,
): BodySpec {
  const { off } = options
  const flags = {
    spring: !off.has('spring'),
    damper: !off.has('damper'),
    limit: !off.has('limit') && !off.has('constraint'),
    frictionloss: !off.has('frictionloss') && !off.has('constraint'),
  }
  const medium = hasMedium(options)
  places[key] = body.element.place
  const joints = body.joints.map((joint, k) => {
    places[`${key}/joints/${k}`] = joint.element.place
    if (joint.actgravcomp && !compensated) {
      ignoreOf(scope.shared, joint.element, 'joint', joint.name, 'actuatorgravcomp', 'without effect: no body has gravcomp')
    }
    if (!joint.actgravcomp || !compensated) return toJointSpec(joint, flags)
    // in a file without actuators MuJoCo has no actuation at all, this part included
    const none = driven ? {} : { forceRange: [0, 0] as const }
    return { ...toJointSpec(joint, flags), ...none, actuatorGravityCompensation: true }
  })
  const geoms: GeomSpec[] = body.geoms.map((geom, k) => {
    places[`${key}/geoms/${k}`] = geom.element.place
    noteFluid(scope, geom, medium, body.joints.length === 0)
    return toGeomSpec(geom, contact, medium)
  })
  const sites = body.sites.map((site) => ({ name: site.name, ...site.pose }))
  const parent = body.parent as MjcfBody
  const { position, quaternion } = body.pose
  const compensation = compensated ? body.gravcomp : 0
  if (compensation !== body.gravcomp && body.gravcomp < 0) {
    const why = 'without effect in MuJoCo unless another body has a positive one'
    ignoreOf(scope.shared, body.element, 'body', body.name, 'negative gravcomp', why)
  }
  return {
    name: body.name,
    ...(parent.name === 'world' ? {} : { parent: parent.name }),
    ...(position.some((x) => x !== 0) ? { position } : {}),
    ...(quaternion[0] === 1 ? {} : { quaternion }),
    ...(body.weight.mass !== 0 || body.weight.moments.some((x) => x !== 0) ? { inertia: toInertia(body.weight, medium) } : {}),
    ...(joints.length > 0 ? { joints } : {}),
    ...(geoms.length > 0 ? { geoms } : {}),
    ...(sites.length > 0 ? { sites } : {}),
    ...(compensation !== 0 ? { gravityCompensation: compensation } : {}),
    ...(body.mocap ? { driven: true } : {}),
  }
}

function carriesJoints(body: MjcfBody): boolean {
  return body.children.some((child) => child.joints.length > 0 || carriesJoints(child))
}

/** One that stays where it is drawn, since that was asked for, or since coordinates of joints below it would come in another order than in MuJoCo. */
function keepMocap(scope: Scope, body: MjcfBody, driven: boolean): void {
  body.mocap = false
  const why = driven ? ', since bodies with joints hang on it: put them in the world, with a weld' : ''
  const what = `its pose would be set from outside: here it stays where it is drawn${why}`
  ignoreOf(scope.shared, body.element, 'body', body.name, 'mocap', what)
}
