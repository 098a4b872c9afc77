/**
 * MuJoCo as a rival in timings: the same mechanism through its model-editing interface, because its XML reader overflows its stack
 * on chains of some hundred bodies.
 */
import type { MainModule, MjData, MjModel, MjSpec, MjsBody } from '@mujoco/mujoco'
import type { Model, Spec } from 'limber'

export interface Rival {
  readonly name: string
  /** sets q and v, given in Limber's coordinates */
  set(q: Float64Array, v: Float64Array): void
  forward(): void
  /** accelerations in Limber's coordinates */
  accelerations(): Float64Array
}

const EMPTY = '<mujoco><option><flag contact="disable" limit="disable" frictionloss="disable"/></option><worldbody/></mujoco>'

let loading: Promise<MainModule | undefined> | undefined

/** undefined when @mujoco/mujoco is not installed: it is a development dependency. */
export function loadMujoco(): Promise<MainModule | undefined> {
  loading ??= import('@mujoco/mujoco').then(
    (module) => module.default(),
    () => undefined,
  )
  return loading
}

/** The model as MuJoCo sees it: revolute joints (several a body) and free ones, inertias, springs, dampers, armature, springs between bodies; no geoms. */
export function createRival(mujoco: MainModule, spec: Spec, model: Model): Rival {
  const { m, d } = compile(mujoco, spec, model)
  return rivalOf(mujoco, model, m, d)
}

/** One of several data of a compiled model. */
export function rivalOf(mujoco: MainModule, model: Model, m: MjModel, d: MjData): Rival {
  const free = model.joints.filter((joint) => joint.type === 'free')
  return {
    name: 'mujoco',
    set(q, v) {
      const { qpos, qvel } = d
      qpos.set(q)
      qvel.set(v)
      for (const { iq, iv } of free) {
        // [angular; linear] in body axes → [linear in world; angular in body]
        const R = rotation(q, iq + 3)
        for (let r = 0; r < 3; r++) {
          qvel[iv + r] = R[3 * r] * v[iv + 3] + R[3 * r + 1] * v[iv + 4] + R[3 * r + 2] * v[iv + 5]
          qvel[iv + 3 + r] = v[iv + r]
        }
      }
    },
    forward() {
      mujoco.mj_forward(m, d)
    },
    accelerations() {
      const a = Float64Array.from(d.qacc as Float64Array)
      const { qpos, qvel } = d
      for (const { iq, iv } of free) {
        const R = rotation(qpos, iq + 3)
        const [ax, ay, az, ...turn] = a.slice(iv, iv + 6)
        const w = qvel.slice(iv + 3, iv + 6)
        const u = [0, 1, 2].map((c) => R[c] * qvel[iv] + R[3 + c] * qvel[iv + 1] + R[6 + c] * qvel[iv + 2])
        const linear = [0, 1, 2].map((c) => R[c] * ax + R[3 + c] * ay + R[6 + c] * az)
        a.set(turn, iv)
        a.set(
          [linear[0] - (w[1] * u[2] - w[2] * u[1]), linear[1] - (w[2] * u[0] - w[0] * u[2]), linear[2] - (w[0] * u[1] - w[1] * u[0])],
          iv + 3,
        )
      }
      return a
    },
  }
}

/** The compiled model; springs between bodies become spatial tendons of two sites. */
export function compile(mujoco: MainModule, spec: Spec, model: Model): { m: MjModel; d: MjData } {
  const editor = mujoco.parseXMLString(EMPTY)
  const defaults = mujoco.mjs_getSpecDefault(editor)
  const world = mujoco.mjs_findBody(editor, 'world')
  if (!defaults || !world) throw new Error('mujoco: no world body to build on')
  editor.option.gravity.set(model.gravity)
  editor.compiler.degree = false
  const specs = new Map(spec.bodies.map((body) => [body.name, body]))
  const bodies: MjsBody[] = [world]
  for (let i = 1; i < model.nbody; i++) {
    const body = mujoco.mjs_addBody(bodies[model.parent[i]], defaults)
    const from = specs.get(model.bodies[i].name)
    if (!body || !from) throw new Error(`mujoco: body '${model.bodies[i].name}' could not be added`)
    bodies.push(body)
    body.pos.set(from.position ?? [0, 0, 0])
    body.quat.set(from.quaternion ?? [1, 0, 0, 0])
    setInertia(body, model.inertia.subarray(10 * i, 10 * i + 10))
    for (let j = model.ij[i]; j < model.ijEnd[i]; j++) addJoint(mujoco, body, defaults, model, j, from.joints?.[j - model.ij[i]])
  }
  addSprings(mujoco, editor, bodies, defaults, model)
  const m = mujoco.mj_compile(editor)
  if (!m) throw new Error('mujoco: the model did not compile')
  return { m, d: new mujoco.MjData(m) }
}

function addSprings(mujoco: MainModule, editor: MjSpec, bodies: readonly MjsBody[], defaults: Defaults, model: Model): void {
  const { count, bodyA, bodyB, pointA, pointB, stiffness, damping, rest } = model.springs
  const addSite = (body: number, points: Float64Array, k: number, name: string): void => {
    const site = mujoco.mjs_addSite(bodies[body], defaults)
    if (!site) throw new Error(`mujoco: site '${name}' could not be added`)
    mujoco.mjs_setName(site.element, name)
    site.pos.set(points.subarray(3 * k, 3 * k + 3))
  }
  for (let k = 0; k < count; k++) {
    addSite(bodyA[k], pointA, k, `spring${k}a`)
    addSite(bodyB[k], pointB, k, `spring${k}b`)
    const tendon = mujoco.mjs_addTendon(editor, defaults)
    if (!tendon) throw new Error(`mujoco: spring ${k} could not be added`)
    mujoco.mjs_wrapSite(tendon, `spring${k}a`)
    mujoco.mjs_wrapSite(tendon, `spring${k}b`)
    tendon.stiffness[0] = stiffness[k]
    tendon.damping[0] = damping[k]
    tendon.springlength.set([rest[k], rest[k]])
  }
}

type Defaults = Parameters<MainModule['mjs_addBody']>[1]
type JointSpec = NonNullable<Spec['bodies'][number]['joints']>[number]

function addJoint(mujoco: MainModule, body: MjsBody, defaults: Defaults, model: Model, j: number, from?: JointSpec): void {
  const joint = mujoco.mjs_addJoint(body, defaults)
  const { type, iq, iv } = model.joints[j]
  if (!joint || !from) throw new Error(`mujoco: joint '${model.joints[j].name}' could not be added`)
  if (type !== 'revolute' && type !== 'free') throw new Error(`mujoco: the bench has no ${type} joints`)
  joint.type = type === 'free' ? mujoco.mjtJoint.mjJNT_FREE : mujoco.mjtJoint.mjJNT_HINGE
  joint.armature = model.armature[iv]
  joint.damping[0] = model.damping[iv]
  joint.stiffness[0] = model.stiffness[iv]
  if (type === 'free') return
  joint.axis.set(from.axis ?? [0, 0, 1])
  joint.pos.set(from.anchor ?? [0, 0, 0])
  joint.springref = model.rest[iq]
}

/** m, m c, J about the origin → MuJoCo's mass, centre and tensor about the centre. */
function setInertia(body: MjsBody, I: Float64Array): void {
  const [m, hx, hy, hz, xx, xy, xz, yy, yz, zz] = I
  const [x, y, z] = [hx / m, hy / m, hz / m]
  body.explicitinertial = true
  body.mass = m
  body.ipos.set([x, y, z])
  body.fullinertia.set([
    xx - m * (y * y + z * z),
    yy - m * (x * x + z * z),
    zz - m * (x * x + y * y),
    xy + m * x * y,
    xz + m * x * z,
    yz + m * y * z,
  ])
}

function rotation(q: Float64Array, i: number): number[] {
  const [w, x, y, z] = q.slice(i, i + 4)
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ]
}
