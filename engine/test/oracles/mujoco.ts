/**
 * MuJoCo (official WebAssembly build) as a second opinion, in Limber's coordinates.
 *
 * MuJoCo's free joint has qvel = [linear in world; angular in body], Limber's v = [angular; linear], both in body axes.
 * With R the orientation of the body, qvel = T v where T = [0 R; 1 0], orthogonal:
 *   M = Tᵀ M' T,  tau = Tᵀ tau',  a_ang = a'_ang,  a_lin = Rᵀ a'_lin − ω × v_lin.
 * Every other joint has the same coordinates on both sides.
 *
 * Everything that Limber's `forwardDynamics` does not count is switched off: contact, limits, dry friction, equality, actuation.
 * What the file itself switches off (gravity, springs, dampers) stays off.
 */

import type { MainModule, MjData, MjModel } from '@mujoco/mujoco'
import loadMujoco from '@mujoco/mujoco'

/** Other files a model needs, by the path that the model names. */
export type Files = Readonly<Record<string, string | Uint8Array>>

export interface OracleState {
  readonly q: Float64Array
  readonly v: Float64Array
  /** applied joint forces; none when left out */
  readonly tau?: Float64Array
}

export interface OracleResult {
  readonly acceleration: Float64Array
  /** dense, nv × nv */
  readonly mass: Float64Array
  readonly kinetic: number
  /** gravity and springs; `gravcomp` does not enter */
  readonly potential: number
  /** per body, the world first: position 3, rotation 9 row by row */
  readonly poses: readonly OraclePose[]
}

export interface OraclePose {
  readonly name: string
  readonly position: readonly number[]
  readonly rotation: readonly number[]
}

export interface OracleBody {
  readonly name: string
  readonly mass: number
  /** centre of mass in the body frame */
  readonly com: readonly number[]
  /** principal moments */
  readonly moments: readonly number[]
  readonly parent: number
}

export interface OracleJoint {
  readonly name: string
  readonly type: 'free' | 'ball' | 'slide' | 'hinge'
  readonly iq: number
  readonly iv: number
}

export interface Oracle {
  readonly nq: number
  readonly nv: number
  readonly totalMass: number
  readonly q0: Float64Array
  readonly joints: readonly OracleJoint[]
  readonly bodies: readonly OracleBody[]
  forward(state: OracleState): OracleResult
  /** joint forces that give the accelerations `a` (all in Limber's coordinates) */
  inverse(state: OracleState, a: Float64Array): Float64Array
  /** gives the memory back; the oracle is dead afterwards */
  free(): void
}

const JOINT_TYPES = ['free', 'ball', 'slide', 'hinge'] as const
/** bytes before the count of triangles in a binary STL */
const STL_HEADER = 80

let loading: Promise<MainModule> | undefined

/** The module, loaded once per process. */
export function mujoco(): Promise<MainModule> {
  loading ??= loadMujoco() as Promise<MainModule>
  return loading
}

/** Compiles MJCF or URDF text. Throws with MuJoCo's own message when it does not compile. */
export async function createOracle(text: string, files: Files = {}): Promise<Oracle> {
  const mj = await mujoco()
  const vfs = new mj.MjVFS()
  compilations++
  let model: MjModel | null = null
  try {
    for (const [path, content] of Object.entries(files)) {
      vfs.addBuffer(path, sign(path, content))
    }
    model = mj.MjModel.from_xml_string(text, vfs)
  } finally {
    vfs.delete()
  }
  if (!model) throw new Error('MuJoCo gave no model')
  disable(mj, model)
  return wrap(mj, model, new mj.MjData(model))
}

let compilations = 0

/**
 * The file with a mark of this compilation where MuJoCo does not look (comment, header): it keeps meshes between compilations by their
 * content, and then forgets about `refpos` and `refquat` of the next model that uses one.
 */
function sign(path: string, content: string | Uint8Array): Uint8Array {
  const mark = new TextEncoder().encode(/\.obj$/i.test(path) ? `\n# ${compilations}\n` : '')
  const plain = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const bytes = new Uint8Array(plain.length + mark.length)
  bytes.set(plain)
  bytes.set(mark, plain.length)
  if (/\.stl$/i.test(path) && bytes.length >= STL_HEADER) new DataView(bytes.buffer).setUint32(STL_HEADER - 4, compilations)
  return bytes
}

/** The file's own flags, plus everything off that is no part of smooth dynamics. */
function disable(mj: MainModule, model: MjModel): void {
  const off = mj.mjtDisableBit
  const bits = [
    off.mjDSBL_CONSTRAINT,
    off.mjDSBL_EQUALITY,
    off.mjDSBL_FRICTIONLOSS,
    off.mjDSBL_LIMIT,
    off.mjDSBL_CONTACT,
    off.mjDSBL_ACTUATION,
    off.mjDSBL_SENSOR,
    off.mjDSBL_AUTORESET,
  ]
  for (const bit of bits) model.opt.disableflags |= bit.value
  model.opt.enableflags |= mj.mjtEnableBit.mjENBL_ENERGY.value
  model.opt.enableflags &= ~(mj.mjtEnableBit.mjENBL_INVDISCRETE.value | mj.mjtEnableBit.mjENBL_SLEEP.value)
}

function wrap(mj: MainModule, model: MjModel, data: MjData): Oracle {
  const { nq, nv, nbody, njnt } = model
  const joints: OracleJoint[] = []
  for (let j = 0; j < njnt; j++) {
    const type = JOINT_TYPES[(model.jnt_type as Int32Array)[j]]
    if (!type) throw new Error(`joint ${j}: unknown type`)
    joints.push({
      name: nameAt(model, (model.name_jntadr as Int32Array)[j]),
      type,
      iq: (model.jnt_qposadr as Int32Array)[j],
      iv: (model.jnt_dofadr as Int32Array)[j],
    })
  }
  const bodies: OracleBody[] = []
  for (let b = 0; b < nbody; b++) {
    bodies.push({
      name: nameAt(model, (model.name_bodyadr as Int32Array)[b]),
      mass: (model.body_mass as Float64Array)[b],
      com: slice(model.body_ipos, 3 * b, 3),
      moments: slice(model.body_inertia, 3 * b, 3),
      parent: (model.body_parentid as Int32Array)[b],
    })
  }
  const free = joints.filter((joint) => joint.type === 'free')

  const set = (state: OracleState): void => {
    ;(data.qpos as Float64Array).set(state.q)
    ;(data.qvel as Float64Array).set(toMujoco(free, state.q, state.v))
    const applied = data.qfrc_applied as Float64Array
    if (state.tau) applied.set(toMujoco(free, state.q, state.tau))
    else applied.fill(0)
  }

  return {
    nq,
    nv,
    totalMass: (model.body_subtreemass as Float64Array)[0],
    q0: Float64Array.from(model.qpos0 as Float64Array),
    joints,
    bodies,
    forward(state) {
      set(state)
      mj.mj_forward(model, data)
      const acceleration = toLimber(free, state.q, data.qacc as Float64Array)
      addFrameRate(free, acceleration, state.v, -1)
      const energy = data.energy as Float64Array
      return {
        acceleration,
        mass: massMatrixOf(mj, model, data, free, state.q),
        kinetic: energy[1],
        potential: energy[0],
        poses: posesOf(model, data, bodies),
      }
    },
    inverse(state, a) {
      set(state)
      const b = Float64Array.from(a)
      addFrameRate(free, b, state.v, 1)
      ;(data.qacc as Float64Array).set(toMujoco(free, state.q, b))
      mj.mj_inverse(model, data)
      return toLimber(free, state.q, data.qfrc_inverse as Float64Array)
    },
    free() {
      data.delete()
      model.delete()
    },
  }
}

function posesOf(model: MjModel, data: MjData, bodies: readonly OracleBody[]): OraclePose[] {
  const poses: OraclePose[] = []
  for (let b = 0; b < model.nbody; b++) {
    poses.push({ name: bodies[b]?.name ?? '', position: slice(data.xpos, 3 * b, 3), rotation: slice(data.xmat, 9 * b, 9) })
  }
  return poses
}

function massMatrixOf(mj: MainModule, model: MjModel, data: MjData, free: readonly OracleJoint[], q: Float64Array): Float64Array {
  const n = model.nv
  const M = new Float64Array(n * n)
  if (n === 0) return M
  const buffer = new mj.DoubleBuffer(n * n)
  try {
    mj.mj_fullM(model, data, buffer)
    M.set(buffer.GetView() as Float64Array)
  } finally {
    buffer.delete()
  }
  // rows, then columns: M ← Tᵀ M T
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < n; i++) M.set(toLimber(free, q, M.subarray(n * i, n * i + n)), n * i)
    transpose(M, n)
  }
  return M
}

function transpose(M: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const above = M[n * j + i]
      M[n * j + i] = M[n * i + j]
      M[n * i + j] = above
    }
  }
}

/** x' = T x for the free joints, a copy for the rest. */
export function toMujoco(free: readonly OracleJoint[], q: Float64Array, x: Float64Array): Float64Array {
  const out = Float64Array.from(x)
  for (const { iq, iv } of free) {
    const R = rotation(q, iq + 3)
    for (let r = 0; r < 3; r++) {
      out[iv + r] = dot3(R, 3 * r, 1, x, iv + 3)
      out[iv + 3 + r] = x[iv + r]
    }
  }
  return out
}

/** x = Tᵀ x' */
export function toLimber(free: readonly OracleJoint[], q: Float64Array, x: Float64Array): Float64Array {
  const out = Float64Array.from(x)
  for (const { iq, iv } of free) {
    const R = rotation(q, iq + 3)
    for (let r = 0; r < 3; r++) {
      out[iv + r] = x[iv + 3 + r]
      out[iv + 3 + r] = dot3(R, r, 3, x, iv)
    }
  }
  return out
}

/** a_lin += sign · ω × v_lin */
function addFrameRate(free: readonly OracleJoint[], a: Float64Array, v: Float64Array, sign: number): void {
  for (const { iv } of free) {
    for (let r = 0; r < 3; r++) {
      const [s, t] = [(r + 1) % 3, (r + 2) % 3]
      const cross = v[iv + s] * v[iv + 3 + t] - v[iv + t] * v[iv + 3 + s]
      a[iv + 3 + r] = a[iv + 3 + r] + sign * cross
    }
  }
}

function dot3(R: readonly number[], i: number, stride: number, x: Float64Array, j: number): number {
  let sum = 0
  for (let k = 0; k < 3; k++) sum += R[i + stride * k] * x[j + k]
  return sum
}

/** Row-major rotation of the unit quaternion at q[i]. */
function rotation(q: Float64Array, i: number): readonly number[] {
  const [w, x, y, z] = [q[i], q[i + 1], q[i + 2], q[i + 3]]
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

/** Empty for what has no name, where `mj_id2name` of the bindings makes up one. */
function nameAt(model: MjModel, start: number): string {
  const names = model.names as Int8Array
  return new TextDecoder().decode(Uint8Array.from(names.subarray(start, names.indexOf(0, start))))
}

function slice(view: unknown, from: number, count: number): number[] {
  return Array.from((view as Float64Array).subarray(from, from + count))
}
