/**
 * Spec → Model: names become numbers, poses matrices, shapes inertias; everything is checked, and every problem reported at once.
 */

import { BOX_SIZE } from '../forces/drag.js'
import { activeForces, builtInForces } from '../forces/index.js'
import { pointPosition } from '../forces/points.js'
import { tendonLength } from '../forces/tendons.js'
import { fillConstantAxes } from '../joints/axis.js'
import { findCoordinates, jointTypes } from '../joints/index.js'
import { findSteps } from '../joints/steps.js'
import { hypot, norm } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { ONE } from '../math/values/spatial.js'
import { createData } from '../model/data.js'
import type { Keyframe, Model } from '../model/model.js'
import { ModelError } from '../model/model-error.js'
import { quatToMatrix } from '../printed/arrays.js'
import { forwardKinematics } from '../tree/kinematics.js'
import { buildActuators, buildLoads, buildSprings, buildTendons } from './attachments.js'
import { checkKeys } from './check-keys.js'
import { buildConstraints, measureConstraints } from './constraints.js'
import { expandDriven } from './driven.js'
import { buildEllipsoids, buildGusts } from './fluid.js'
import { buildInertias } from './geometry/inertia.js'
import { checkSegments } from './geometry/segment.js'
import { type BuiltJoints, buildJoints, checkQuaternions } from './joints.js'
import { buildModes } from './modes.js'
import { measureMuscles } from './muscles.js'
import { buildPenalty } from './penalty.js'
import { checkPivots } from './pivots.js'
import { createProblems, type Problems } from './problems.js'
import { buildSensors } from './sensors.js'
import { buildShapes } from './shapes.js'
import { buildSites } from './sites.js'
import type { Spec as AnySpec, PlacedGeomSpec as GeomSpec, Ignored, MeshSpec, PlacedSpec as Spec, Vec3 } from './spec.js'
import { rememberSpec } from './spec-of.js'
import { type BodyTree, orderBodies } from './tree.js'
import { expandVertices } from './vertices.js'

const GRAVITY: Vec3 = [0, 0, -9.81]
const TIMESTEP = 0.002

/** Throws a ModelError that lists every problem of the spec. Forces of your own are given to `createSimulation` and `createData`. */
export function buildModel(spec: AnySpec, options?: { readonly forces?: never }): Model {
  if (options?.forces !== undefined) {
    throw new TypeError(
      'buildModel: a model holds no functions; give your own forces to createSimulation(model, { forces }) and createData(model, { forces })',
    )
  }
  const problems = createProblems(spec)
  checkKeys(spec, problems)
  if (!Array.isArray(spec.bodies)) {
    problems.add('bodies', `expected a list of bodies, got ${typeof spec.bodies}; give one, if need be empty`)
    problems.finish()
  }
  try {
    return build(checkSegments(spec, problems), problems)
  } catch (error) {
    // an unknown key often stands for one that is missing, which the builder then stumbles over
    if (!(error instanceof ModelError)) problems.finish()
    throw error
  }
}

function build(given: Spec, problems: Problems): Model {
  const spec = expandDriven(expandVertices(given, problems), problems)
  const tree = orderBodies(spec, problems)
  const nbody = tree.bodies.length + 1
  const meshes = new Map<string, MeshSpec>((spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))
  checkMeshes(spec, problems)
  // as given: vertices that touch are spheres without size
  checkShapes(given, meshes, problems)

  const inertia = new Float64Array(10 * nbody)
  const boxes = new Float64Array(BOX_SIZE * nbody)
  buildInertias(tree, meshes, inertia, boxes, problems)
  const X_PJ = buildPoses(tree, problems)
  const modes = buildModes(spec, tree, inertia, X_PJ, problems)
  const joints = buildJoints(tree, X_PJ, modes, problems)
  const springs = buildSprings(spec, tree, problems)
  const tendons = buildTendons(spec, tree, joints, problems)
  const loads = buildLoads(spec, tree, inertia, problems)
  const actuators = buildActuators(spec, tree, joints, tendons, problems)
  const constraints = buildConstraints(spec, tree, joints, tendons, problems)
  const medium = {
    density: problems.number('medium/density', spec.medium?.density ?? 0, 'non-negative'),
    viscosity: problems.number('medium/viscosity', spec.medium?.viscosity ?? 0, 'non-negative'),
    wind: Float64Array.from(problems.vector('medium/wind', spec.medium?.wind, 3, [0, 0, 0])),
    gusts: buildGusts(spec, problems),
    boxes,
    ellipsoids: buildEllipsoids(tree, inertia, boxes, problems),
  }
  const gravity = Float64Array.from(problems.vector('gravity', spec.gravity, 3, GRAVITY))
  const gravityCompensation = new Float64Array(nbody)
  const bodyDamping = new Float64Array(2 * nbody)
  const drag = new Float64Array(3 * nbody)
  tree.bodies.forEach(({ spec: body, at }, k) => {
    gravityCompensation[k + 1] = problems.number(`bodies/${at}/gravityCompensation`, body.gravityCompensation ?? 0)
    bodyDamping[2 * k + 2] = problems.number(`bodies/${at}/damping/angular`, body.damping?.angular ?? 0, 'non-negative')
    bodyDamping[2 * k + 3] = problems.number(`bodies/${at}/damping/linear`, body.damping?.linear ?? 0, 'non-negative')
    // those that deform have theirs with the modes
    const own = modes.row[k + 1] < 0 ? drag : modes.drag
    own.set(problems.vector(`bodies/${at}/drag`, body.drag, 3, [0, 0, 0]), 3 * (modes.row[k + 1] < 0 ? k + 1 : modes.row[k + 1]))
  })
  const penalty = buildPenalty(spec, tree, problems)
  const shapes = buildShapes(spec, tree, problems, meshes)
  const timestep = problems.number('timestep', spec.timestep ?? TIMESTEP, 'positive')
  const keyframes = buildKeyframes(spec, joints, actuators, problems)
  const sensors = buildSensors(spec, tree, joints, tendons, actuators, problems)
  problems.finish()

  // one literal, no spread: models then share one hidden class, and the hot loops stay specialised whatever models came before
  const model: { -readonly [K in keyof Model]: Model[K] } = {
    name: spec.name ?? 'model',
    nbody,
    njoint: joints.jointType.length,
    nq: joints.q0.length,
    nv: joints.stiffness.length,
    nu: actuators.count,
    na: actuators.activation.reduce((sum, at) => sum + (at < 0 ? 0 : 1), 0),
    joints: joints.joints,
    bodies: [{ name: 'world', parent: -1 }, ...tree.bodies.map(({ spec: body, parent }) => ({ name: body.name, parent }))],
    parent: Int32Array.from([-1, ...tree.bodies.map(({ parent }) => parent)]),
    subtreeEnd: tree.subtreeEnd,
    bodyOrder: tree.bodyOrder,
    ij: joints.ij,
    ijEnd: joints.ijEnd,
    iq: joints.iq,
    iqEnd: joints.iqEnd,
    iv: joints.iv,
    ivEnd: joints.ivEnd,
    id: joints.id,
    velocityBody: joints.velocityBody,
    X_PJ,
    inertia,
    base: Int32Array.from([-1, ...tree.bodies.map(({ parent }, k) => (modes.frame[k + 1] < 0 ? parent : nbody + modes.frame[k + 1]))]),
    modes,
    jointType: joints.jointType,
    jointBody: joints.jointBody,
    jointQ: joints.jointQ,
    jointV: joints.jointV,
    jointStep: joints.jointStep,
    steps: findSteps({ ...joints, modes }, nbody, joints.axis),
    coordinate: findCoordinates({ ...joints, modes }, joints.stiffness.length),
    S0: new Float64Array(6 * joints.stiffness.length),
    together: joints.together,
    armature: joints.armature,
    damping: joints.damping,
    stiffness: joints.stiffness,
    rest: joints.rest,
    q0: joints.q0,
    limits: joints.limits,
    limitMargin: joints.limitMargin,
    limitSolref: joints.limitSoftness.solref,
    limitSolimp: joints.limitSoftness.solimp,
    friction: joints.friction,
    frictionSolref: joints.frictionSoftness.solref,
    frictionSolimp: joints.frictionSoftness.solimp,
    gravity,
    medium,
    gravityCompensation,
    bodyDamping,
    drag,
    penalty,
    springs,
    tendons,
    loads,
    actuators,
    constraints,
    shapes: shapes.geometry,
    geoms: shapes.geoms,
    sites: buildSites(spec, tree, problems),
    driven: Int32Array.from([...tree.bodies.keys()].flatMap((k) => (tree.bodies[k].spec.driven ? [k + 1] : []))),
    angle: spec.angle ?? 'radian',
    forces: new Int32Array(0),
    loaded: false,
    keyframes,
    sensors,
    timestep,
    solver: spec.solver?.name ?? 'auto',
    solverOptions: spec.solver?.options ?? {},
    notes: [...lost(spec.ignored), ...notes(spec), ...untouched(shapes.ignored)],
  }
  model.forces = activeForces(model)
  model.loaded = model.forces.some((k) => !builtInForces[k].jointsOnly)
  fillConstantAxes(model, model.S0)

  measureRestLengths(model)
  measureMuscles(model)
  measureConstraints(model, tree, problems)
  checkPivots(
    model,
    joints.paths,
    (i) => `bodies/${tree.bodies[i - 1].at}/${tree.bodies[i - 1].spec.domain ? 'domain' : 'deformation/modes'}`,
    problems,
  )
  problems.finish()
  rememberSpec(model, given)
  return model
}

/** Pose of every joint frame in its parent; a free joint starts from the parent's own frame. */
function buildPoses(tree: BodyTree, problems: Problems): Vec {
  const X_PJ = new Float64Array(12 * (tree.bodies.length + 1))
  X_PJ.set(ONE.flat())
  tree.bodies.forEach(({ spec: body, at }, k) => {
    const i = k + 1
    const position = problems.vector(`bodies/${at}/position`, body.position, 3, [0, 0, 0])
    const quaternion = problems.vector(`bodies/${at}/quaternion`, body.quaternion, 4, [1, 0, 0, 0])
    if (!(norm(quaternion) > 1e-9)) {
      problems.add(`bodies/${at}/quaternion`, 'expected a quaternion w x y z of length one, got zero; no turn is 1 0 0 0')
      return
    }
    X_PJ.set(ONE.flat(), 12 * i)
    if (jointTypes.find((type) => type.name === body.joints?.[0]?.type)?.absolute) return
    quatToMatrix(X_PJ, 12 * i, Float64Array.from(quaternion), 0)
    X_PJ.set(position, 12 * i + 9)
  })
  return X_PJ
}

const SHAPES: readonly string[] = [
  'sphere',
  'capsule',
  'cylinder',
  'box',
  'ellipsoid',
  'plane',
  'mesh',
  'heightfield',
] satisfies GeomSpec['shape'][]

/** Shapes that are none, as programs without types write them, would be passed over in silence. */
function checkShapes(spec: Spec, meshes: ReadonlyMap<string, MeshSpec>, problems: Problems): void {
  const check = (geom: GeomSpec, path: string): void => {
    if (!SHAPES.includes(geom.shape)) {
      problems.add(`${path}/shape`, `expected one of ${SHAPES.join(', ')}, got ${geom.shape === undefined ? 'nothing' : `'${geom.shape}'`}`)
    } else if (geom.shape === 'mesh' && !meshes.has(geom.mesh)) {
      problems.add(`${path}/mesh`, `expected the name of a mesh, got '${geom.mesh}'; add it to 'meshes'`)
    } else checkSize(geom, path, problems)
  }
  spec.world?.geoms?.forEach((geom, g) => check(geom, `world/geoms/${g}`))
  spec.bodies.forEach((body, k) => body.geoms?.forEach((geom, g) => check(geom, `bodies/${k}/geoms/${g}`)))
}

/** Sizes that must be more than zero, by shape; planes without size are endless, and a capsule without length is a ball. */
const SIZED: Readonly<Partial<Record<GeomSpec['shape'], readonly string[]>>> = {
  sphere: ['radius'],
  capsule: ['radius'],
  cylinder: ['radius', 'length'],
  box: ['size'],
  ellipsoid: ['radii'],
  heightfield: ['size'],
}

function checkSize(geom: GeomSpec, path: string, problems: Problems): void {
  if (geom.shape === 'box' && Array.isArray(geom.size) && geom.size.length !== 3)
    problems.add(`${path}/size`, `expected 3 edge lengths of a box, got ${String(geom.size.length)}; give the third, or fromto`)
  for (const key of SIZED[geom.shape] ?? []) {
    const value = (geom as unknown as Readonly<Record<string, number | readonly number[] | undefined>>)[key]
    if (value === 0 || (Array.isArray(value) && value.includes(0)))
      problems.add(`${path}/${key}`, `expected a ${geom.shape} of some size, got ${String(value)}; leave the shape out, or give it one`)
  }
}

/** Each name once, three numbers a vertex and a triangle, and triangles of vertices that are there. */
function checkMeshes(spec: Spec, problems: Problems): void {
  const names = new Map<string, number>()
  spec.meshes?.forEach(({ name, vertices, faces }, k) => {
    const path = `meshes/${k}`
    const first = names.get(name)
    if (first !== undefined)
      problems.add(`${path}/name`, `expected a unique name, got '${name}' again (first at meshes/${first}); rename one`)
    else names.set(name, k)
    const n = vertices.length / 3
    if (!Number.isInteger(n) || n < 3)
      problems.add(`${path}/vertices`, `expected three numbers for each of three vertices or more, got ${vertices.length}`)
    const nan = vertices.findIndex((x) => !Number.isFinite(x))
    if (nan >= 0) problems.number(`${path}/vertices/${nan}`, vertices[nan])
    if (faces.length % 3 !== 0) problems.add(`${path}/faces`, `expected three vertex numbers a triangle, got ${faces.length} numbers`)
    const bad = faces.findIndex((v) => !(Number.isInteger(v) && v >= 0 && v < n))
    if (bad >= 0) problems.add(`${path}/faces/${bad}`, `expected a vertex number from 0 to ${Math.ceil(n) - 1}, got ${faces[bad]}`)
  })
}

/** Rest lengths that the spec leaves open: springs at the start, tendons with every joint at rest. */
function measureRestLengths(m: Model): void {
  const d = createData(m)
  const v = new Float64Array(m.nv)
  const a = new Float64Array(6)
  const { springs, tendons } = m
  forwardKinematics(m, d, m.q0, v)
  for (let k = 0; k < springs.count; k++) {
    if (!Number.isNaN(springs.rest[k])) continue
    pointPosition(a, 0, d, springs.bodyA[k], springs.pointA, 3 * k)
    pointPosition(a, 3, d, springs.bodyB[k], springs.pointB, 3 * k)
    springs.rest[k] = hypot(a[3] - a[0], a[4] - a[1], a[5] - a[2])
  }
  forwardKinematics(m, d, m.rest, v)
  for (let k = 0; k < tendons.count; k++) {
    if (!Number.isNaN(tendons.restLow[k])) continue
    tendonLength(tendons.restLow, k, m, d, m.rest, k)
    tendons.restHigh[k] = tendons.restLow[k]
  }
}

function buildKeyframes(spec: Spec, joints: BuiltJoints, { count: nu, activation }: Model['actuators'], problems: Problems): Keyframe[] {
  const { q0 } = joints
  const nv = joints.stiffness.length
  const na = activation.filter((at) => at >= 0).length
  spec.keyframes?.forEach((frame, k) => {
    if (Array.isArray(frame.q) && frame.q.length === q0.length) checkQuaternions(joints, frame.q, `keyframes/${k}/q`, problems)
  })
  return (spec.keyframes ?? []).map((frame, k) => ({
    name: frame.name ?? `key${k}`,
    time: problems.number(`keyframes/${k}/time`, frame.time ?? 0),
    q: Float64Array.from(problems.vector(`keyframes/${k}/q`, frame.q, q0.length, Array.from(q0))),
    v: Float64Array.from(problems.vector(`keyframes/${k}/v`, frame.v, nv, new Array<number>(nv).fill(0))),
    control: Float64Array.from(problems.vector(`keyframes/${k}/control`, frame.control, nu, new Array<number>(nu).fill(0))),
    act: Float64Array.from(problems.vector(`keyframes/${k}/act`, frame.act, na, new Array<number>(na).fill(0))),
  }))
}

/** What the reader did not take over and the motion depends on, by what it says of it; what drives the mechanism comes last. */
function lost(ignored: readonly Ignored[] = []): string[] {
  const saying = (start: string): string[] =>
    ignored.filter(({ why }) => why.startsWith(start)).map(({ path, what, why }) => `${what} (${path}): ${why}`)
  return [...saying('affects motion'), ...saying('affects actuation')]
}

/** Shapes that ask for contact and do not get it, those with one reason in one line. */
function untouched(ignored: readonly Ignored[]): string[] {
  const reasons = new Map<string, Ignored[]>()
  for (const item of ignored) reasons.set(item.why, [...(reasons.get(item.why) ?? []), item])
  return [...reasons].map(([why, items]) => {
    const more = items.length > 1 ? ` and ${items.length - 1} more` : ''
    return `${items[0].what}${more}: ${why}`
  })
}

/** What is in the spec and in no motion; what only some solvers simulate, `solvers/left-out` says. */
function notes(spec: Spec): string[] {
  const found: string[] = []
  const say = (count: number, one: string, many: string, why: string): void => {
    if (count > 0) found.push(`${count} ${count === 1 ? one : many}: ${why}`)
  }
  const rubbing = (spec.tendons ?? []).filter((tendon) => tendon.friction)
  say(rubbing.length, 'tendon with dry friction', 'tendons with dry friction', 'not simulated')
  return found
}
