/**
 * Parameters that a simulation may change while it runs: gravity, masses of bodies, friction of shapes, gains of actuators.
 *
 * A Model never changes and may be shared, so changed parameters make another Model, which shares every array that they do not concern. It is always
 * made from the model as built and from all changes at once: its bits depend on the values, not on the order in which they were set, and are those that
 * `buildModel` gives for the spec with these values.
 */
import { BOX_SIZE } from '../forces/drag.js'
import { activeForces, builtInForces } from '../forces/index.js'
import type { Vec } from '../math/types.js'
import { type Actuators, type Loads, type Model, MUSCLE_SIZE } from '../model/model.js'
import { buildInertia } from './geometry/inertia.js'
import { geomMassProperties, scaleTensor, sumMassProperties } from './geometry/mass-properties.js'
import { measureMuscles, muscleNumbers } from './muscles.js'
import { createProblems } from './problems.js'
import type { PlacedBodySpec as BodySpec, PlacedGeomSpec as GeomSpec, MeshSpec, PlacedSpec as Spec, Vec3 } from './spec.js'
import { rememberSpec, specOf } from './spec-of.js'

const GRAVITY = 0
const FRICTION = 1
const MASS = 2
const GAINS = 3
/** numbers of a value by kind: x y z; sliding, torsional, rolling; inertia and box of the body; gain and bias of the actuator */
const SIZES = [3, 3, 10 + BOX_SIZE, 6]
const KINDS = SIZES.length

/** Changed values by `KINDS` · number + kind; the number is that of a body, an actuator or an entry of `model.geoms`. */
export type Parameters = ReadonlyMap<number, Vec>

/** The same changes with another one; a value that is that of the model as built is no change. */
function changed(base: Model, parameters: Parameters, key: number, value: Vec): Parameters {
  const next = new Map(parameters)
  const built = builtValue(base, key)
  if (value.every((x, k) => Object.is(x, built[k]))) next.delete(key)
  else next.set(key, value)
  return next
}

/** The value of friction, or of gains, as it is: changed or built. */
export const frictionOf = (base: Model, parameters: Parameters, geom: number): Vec =>
  parameters.get(KINDS * geom + FRICTION) ?? builtValue(base, KINDS * geom + FRICTION)

export const gainsOf = (base: Model, parameters: Parameters, actuator: number): Vec =>
  parameters.get(KINDS * actuator + GAINS) ?? builtValue(base, KINDS * actuator + GAINS)

function builtValue(m: Model, key: number): Vec {
  const n = Math.floor(key / KINDS)
  const { friction } = m.shapes
  const { gain, bias } = m.actuators
  switch (key % KINDS) {
    case FRICTION:
      return friction.slice(3 * m.geoms.touching[n], 3 * m.geoms.touching[n] + 3)
    case MASS:
      return Float64Array.of(...m.inertia.subarray(10 * n, 10 * n + 10), ...m.medium.boxes.subarray(BOX_SIZE * n, BOX_SIZE * n + BOX_SIZE))
    case GAINS:
      return Float64Array.of(...gain.subarray(3 * n, 3 * n + 3), ...bias.subarray(3 * n, 3 * n + 3))
    default:
      return m.gravity
  }
}

export const changeGravity = (base: Model, parameters: Parameters, gravity: Vec): Parameters =>
  changed(base, parameters, GRAVITY, gravity.slice())

/** Of entry `geom` of `model.geoms`, which touches. */
export const changeFriction = (base: Model, parameters: Parameters, geom: number, friction: Vec): Parameters =>
  changed(base, parameters, KINDS * geom + FRICTION, friction.slice())

/** `gains`: gain, then bias. */
export const changeGains = (base: Model, parameters: Parameters, actuator: number, gains: Vec): Parameters =>
  changed(base, parameters, KINDS * actuator + GAINS, gains.slice())

/** Of a rigid body that has mass. The body keeps its shape: its centre of mass stays, and its inertia tensor grows in proportion. */
export function changeMass(base: Model, parameters: Parameters, i: number, mass: number): Parameters {
  const value = builtValue(base, KINDS * i + MASS)
  const given = specOf(base)?.bodies.find(({ name }) => name === base.bodies[i].name)
  if (mass !== base.inertia[10 * i]) {
    if (given) weigh(value, specOf(base) as Spec, given, mass)
    else scaleInertia(value, mass)
    // of bodies on which a medium acts as on ellipsoids
    const { boxes } = base.medium
    if (boxes.subarray(BOX_SIZE * i, BOX_SIZE * i + BOX_SIZE).every((x) => x === 0)) value.fill(0, 10)
  }
  return changed(base, parameters, KINDS * i + MASS, value)
}

/** A copy of a model has lost its spec; the box depends on the shape only. */
function scaleInertia(value: Vec, mass: number): void {
  const ratio = mass / value[0]
  for (let k = 1; k < 10; k++) value[k] *= ratio
  value[0] = mass
}

/** value ← inertia and box of the body with this mass. */
function weigh(value: Vec, spec: Spec, body: BodySpec, mass: number): void {
  const problems = createProblems(spec)
  const box = new Float64Array(BOX_SIZE)
  const meshes = meshesOf(spec)
  buildInertia(withMass(body, mass, meshes), 'body', meshes, value, 0, box, 0, problems)
  problems.finish()
  value.set(box, 10)
}

const meshesOf = (spec: Spec): ReadonlyMap<string, MeshSpec> => new Map((spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))

const NO_TENSOR = [0, 0, 0, 0, 0, 0] as const

/** The only geom that weighs something gets the mass; an inertia that is given, or the sum of several geoms, is scaled. */
function withMass(body: BodySpec, mass: number, meshes: ReadonlyMap<string, MeshSpec>): BodySpec {
  const { inertia, geoms = [] } = body
  if (inertia) return { ...body, inertia: { ...inertia, mass, tensor: scaleTensor(inertia.tensor ?? NO_TENSOR, mass / inertia.mass) } }
  const parts = geoms.map((geom) => geomMassProperties(geom, meshes))
  if (parts.filter((part) => part.mass > 0).length === 1) {
    const weighed = parts.findIndex((part) => part.mass > 0)
    return { ...body, geoms: geoms.map((geom, k) => (k === weighed ? { ...geom, mass } : geom)) }
  }
  const sum = sumMassProperties(parts)
  return { ...body, inertia: { mass, com: sum.com, tensor: scaleTensor(sum.tensor, mass / sum.mass) } }
}

/** The model with these changes; `base` itself where there are none. */
export function withParameters(base: Model, parameters: Parameters): Model {
  if (parameters.size === 0) return base
  const gravity = parameters.get(GRAVITY) ?? base.gravity
  const inertia = base.inertia.slice()
  const boxes = base.medium.boxes.slice()
  const friction = base.shapes.friction.slice()
  const gain = base.actuators.gain.slice()
  const bias = base.actuators.bias.slice()
  for (const [key, value] of parameters) {
    const n = Math.floor(key / KINDS)
    if (key % KINDS === FRICTION) friction.set(value, 3 * base.geoms.touching[n])
    else if (key % KINDS === MASS) {
      inertia.set(value.subarray(0, 10), 10 * n)
      boxes.set(value.subarray(10), BOX_SIZE * n)
    } else if (key % KINDS === GAINS) {
      gain.set(value.subarray(0, 3), 3 * n)
      bias.set(value.subarray(3), 3 * n)
    }
  }
  const weighed = [...parameters.keys()].some((key) => key % KINDS === MASS)
  const spec = specOf(base)
  const model: { -readonly [K in keyof Model]: Model[K] } = {
    ...base,
    gravity,
    inertia,
    medium: { ...base.medium, boxes },
    loads: weighed ? moveLoads(base, inertia) : base.loads,
    shapes: { ...base.shapes, friction },
    actuators: { ...base.actuators, gain, bias, ...(weighed && spec ? unmeasured(base.actuators, spec) : {}) },
  }
  model.forces = activeForces(model)
  model.loaded = model.forces.some((k) => !builtInForces[k].jointsOnly)
  if (weighed) measureMuscles(model)
  if (spec) rememberSpec(model, specWith(spec, base, parameters))
  return model
}

/** Loads without a point pull at the centre of mass, which is a quotient of numbers that changed. */
function moveLoads({ loads, inertia: before }: Model, after: Vec): Loads {
  const point = loads.point.slice()
  for (let k = 0; k < loads.count; k++) {
    const o = 10 * loads.body[k]
    const isAtCenter = before[o] > 0 && [0, 1, 2].every((r) => loads.point[3 * k + r] === before[o + 1 + r] / before[o])
    if (isAtCenter) for (let r = 0; r < 3; r++) point[3 * k + r] = after[o + 1 + r] / after[o]
  }
  return { ...loads, point }
}

/** Curves of muscles as they are before `measureMuscles`, whose forces depend on the masses. */
function unmeasured({ active, passive, pullsActive, pullsPassive }: Actuators, spec: Spec): Pick<Actuators, 'active' | 'passive'> {
  if (!pullsActive.includes(1) && !pullsPassive.includes(1)) return { active, passive }
  const again = { active: active.slice(), passive: passive.slice() }
  const problems = createProblems(spec)
  spec.actuators?.forEach(({ muscle }, k) => {
    for (const key of ['active', 'passive'] as const) if (muscle) again[key].set(muscleNumbers(muscle[key], key, problems), MUSCLE_SIZE * k)
  })
  return again
}

/** The spec from which `buildModel` makes the model with these changes. */
function specWith(spec: Spec, base: Model, parameters: Parameters): Spec {
  const bodies = new Map<string, BodySpec>()
  let { gravity, actuators, world } = spec
  const bodyNamed = (name: string): BodySpec | undefined => bodies.get(name) ?? spec.bodies.find((body) => body.name === name)
  const vec3 = (x: Vec, o = 0): Vec3 => [x[o], x[o + 1], x[o + 2]]
  for (const [key, value] of parameters) {
    const n = Math.floor(key / KINDS)
    if (key % KINDS === GRAVITY) gravity = vec3(value)
    else if (key % KINDS === GAINS) actuators = actuators?.with(n, { ...actuators[n], gain: vec3(value), bias: vec3(value, 3) })
    else if (key % KINDS === MASS) {
      const { name } = base.bodies[n]
      const body = bodyNamed(name)
      if (body) bodies.set(name, withMass(body, value[0], meshesOf(spec)))
    } else {
      const { body: i } = base.geoms
      const { name } = base.bodies[i[n]]
      const at = n - i.indexOf(i[n])
      const rub = (geoms: readonly GeomSpec[]): GeomSpec[] => geoms.with(at, { ...geoms[at], friction: vec3(value) })
      const body = bodyNamed(name)
      if (i[n] === 0 && world?.geoms) world = { ...world, geoms: rub(world.geoms) }
      else if (body?.geoms) bodies.set(name, { ...body, geoms: rub(body.geoms) })
    }
  }
  return {
    ...spec,
    ...(gravity ? { gravity } : {}),
    ...(actuators ? { actuators } : {}),
    ...(world ? { world } : {}),
    bodies: spec.bodies.map((body) => bodies.get(body.name) ?? body),
  }
}

/** All changes as numbers, for a snapshot. */
export function packParameters(parameters: Parameters): Vec {
  return Float64Array.from([...parameters].flatMap(([key, value]) => [key, ...value]))
}

/** Changes from such numbers; undefined where they are not of this model. */
export function unpackParameters(base: Model, numbers: Vec): Parameters | undefined {
  const counts = [1, base.geoms.count, base.nbody, base.nu]
  const parameters = new Map<number, Vec>()
  for (let o = 0; o < numbers.length; ) {
    const key = numbers[o]
    const size = SIZES[key % KINDS]
    const n = Math.floor(key / KINDS)
    if (!(Number.isInteger(key) && n >= 0 && n < counts[key % KINDS] && o + size < numbers.length)) return undefined
    parameters.set(key, numbers.slice(o + 1, o + 1 + size))
    o += 1 + size
  }
  return parameters
}
