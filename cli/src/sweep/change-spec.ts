/**
 * Numbers of a model that jobs change: gravity, masses, and what joints have.
 */
import { type BodySpec, buildModel, type JointSpec, type Model, type Spec, type Vec3 } from 'limber'
import { refuse } from '../problem.js'
import { findBody, findJoint, type JointKey, type Key } from './keys.js'

export interface Change {
  readonly key: Key
  /** as the user wrote it */
  readonly text: string
  readonly value: number
}

/** The Spec with these numbers; what does not change is shared. */
export function changeSpec(spec: Spec, changes: readonly Change[]): Spec {
  if (changes.length === 0) return spec
  // names that the file leaves out, and masses that follow from shapes
  const model = buildModel(spec)
  const bodies = [...spec.bodies]
  const at = new Map(bodies.map(({ name }, k) => [name, k]))
  const edit = (i: number, change: (body: BodySpec) => BodySpec): void => {
    const k = at.get(model.bodies[i]?.name ?? '') ?? -1
    const body = bodies[k]
    if (body) bodies[k] = change(body)
  }
  let { gravity = [0, 0, -9.81] } = spec
  for (const { key, text, value } of changes) {
    if (key.of === 'gravity') gravity = changeGravity(gravity, key.axis, value)
    else if (key.of === 'mass') {
      const i = findBody(model, key.name)
      if (i < 0) refuse(text, 'there is no body of this name')
      edit(i, (body) => scaleMass(body, value, model.inertia[10 * i] ?? 0, text))
    } else if (key.of === 'damping' || key.of === 'stiffness' || key.of === 'armature' || key.of === 'friction') {
      const { of } = key
      const j = findJoint(model, key.name)
      if (j < 0 || j >= model.njoint) refuse(text, 'there is no joint of this name')
      edit(model.joints[j]?.body ?? 0, (body) => changeJoint(body, placeInBody(model, j), of, value))
    }
  }
  return { ...spec, gravity, bodies }
}

function changeGravity(gravity: Vec3, axis: number | undefined, value: number): Vec3 {
  if (axis !== undefined) return gravity.map((old, k) => (k === axis ? value : old)) as unknown as Vec3
  const size = Math.hypot(...gravity)
  return size === 0 ? [0, 0, -value] : (gravity.map((x) => (x / size) * value) as unknown as Vec3)
}

/** Of the body's own inertia, or of the shapes that it follows from. */
function scaleMass(body: BodySpec, mass: number, before: number, text: string): BodySpec {
  if (body.domain || body.deformation) refuse(text, 'the body deforms, and its mass is that of its domain; change it there')
  if (!(before > 0)) refuse(text, 'the body has no mass in the model that could be scaled; give it an inertia there')
  const scale = mass / before
  const { inertia, geoms } = body
  if (inertia) {
    const { tensor } = inertia
    return {
      ...body,
      inertia: { ...inertia, mass, ...(tensor ? { tensor: tensor.map((x) => x * scale) as unknown as typeof tensor } : {}) },
    }
  }
  return {
    ...body,
    geoms: (geoms ?? []).map((geom) => {
      if (geom.mass !== undefined) return { ...geom, mass: geom.mass * scale }
      return geom.density === undefined ? geom : { ...geom, density: geom.density * scale }
    }),
  }
}

/** How many joints of the same body come before it. */
function placeInBody(model: Model, j: number): number {
  return j - (model.ij[model.joints[j]?.body ?? 0] ?? 0)
}

function changeJoint(body: BodySpec, place: number, key: JointKey, value: number): BodySpec {
  return { ...body, joints: (body.joints ?? []).map((joint: JointSpec, k) => (k === place ? { ...joint, [key]: value } : joint)) }
}
