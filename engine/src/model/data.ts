/**
 * Data: what the tree algorithms compute from Model and State. One buffer, one table; every field is a view.
 *
 * The buffer is a piece of memory that kernels work in, with the model's own numbers behind the fields (`kernels/memory`).
 */
import { kernelsIn } from '../kernels/instance.js'
import { type Block, blockOf, type Room, takeRoom } from '../kernels/memory.js'
import { copyNumbers, type Fields, type Table, type TableName, tableSize, writeTable } from '../kernels/tables.js'
import type { Vec } from '../math/types.js'
import { type TreeKernels, treeModule } from '../printed/tree.js'
import type { Force } from './force.js'
import type { Model } from './model.js'
import { type State, shareInputs } from './state.js'

/** The table: name of each field, its rows and columns. Allocation, NaN filling in tests and the inspector follow from it. */
export function dataLayout(m: Model) {
  const { nbody, nv } = m
  const { count, bodies, start, frames, column, block } = m.modes
  const rows = nbody + frames
  const columns = column[frames]
  // modes of the body that has most
  const most = bodies.reduce((r, _, n) => Math.max(r, start[n + 1] - start[n]), 0)
  return {
    /** room for vectors from outside, while kernels work with them */
    q: [1, m.nq],
    v: [1, nv],
    control: [1, m.nu],
    x: [1, nv],
    z: [1, nv],
    motions: [nbody, 6],
    wrenches: [nbody, 6],
    /** the same for a state, as long as the forces of it are summed */
    qNear: [1, m.nq],
    vNear: [1, nv],
    /** the same for numbers of the model */
    rest: [1, m.nq],
    bodyDamping: [nbody, 2],
    drag: [nbody, 3],
    wind: [1, 3],
    boxes: [nbody, 15],
    /** density and viscosity; stiffness, friction and slip of penalties; wrench and point of a load */
    fluid: [1, 2],
    law: [1, 3],
    load: [1, 9],
    /** sine and cosine of each step that turns */
    sc: [m.steps.stepKind.length, 2],
    /** pose of the joint frame in the parent: the model's, but for frames that move with the modes of a body */
    X_PJ: [nbody, 12],
    /** pose of the body in its parent, in the world */
    X_PB: [nbody, 12],
    X_WB: [nbody, 12],
    /** joint axes as motions of the body, a row a velocity */
    S: [nv, 6],
    /** velocity of the body; velocity-product acceleration Ṡ v + V × S v */
    V: [nbody, 6],
    c: [nbody, 6],
    /** acceleration of the body less gravity: the world's is −g */
    A: [nbody, 6],
    /** wrench from outside on the body, joint forces from the model's own forces */
    f: [nbody, 6],
    qf: [1, nv],
    /** of `tree/aba`, at the body's origin along the world's axes: joint axes, velocity, velocity-product acceleration, acceleration */
    SW: [nv, 6],
    VW: [rows, 6],
    cW: [nbody, 6],
    AW: [rows, 6],
    /** articulated or composite inertia, bias force; along the world's axes in `tree/aba`, the body's in `tree/crba` */
    IA: [rows, 21],
    pA: [rows, 6],
    /** of each velocity: U = IA S, inverse pivot D, u as `tree/aba` describes */
    U: [nv, 6],
    D: [1, nv],
    u: [1, nv],
    /** results: accelerations, joint forces */
    a: [1, nv],
    tau: [1, nv],
    /** scratch of products over the tree */
    y: [nbody, 6],
    F: [nbody, 6],
    /** of bodies that deform (`joints/modes`): moments, momentum of each mode, change of inertia; velocity products, momentum beyond that of the rest shape; factor of the modes' mass */
    G: [count, 9],
    P: [count, 6],
    dI: [bodies.length, 10],
    hf: [1, count],
    hr: [bodies.length, 6],
    pf: [bodies.length, 6],
    Lf: [1, block[bodies.length]],
    /** of their elasticity (`forces/elasticity`): force on each mode, its derivative; of one body at a time, powers of its coordinates and their sums */
    fe: [1, count],
    Ke: [1, block[bodies.length]],
    monomials: [1, 1 + (most * (most + 3)) / 2],
    rows: [4 * Math.ceil((most * (most + 1)) / 8), 2],
    /** of moved frames (`joints/frames`): place, affine fit and its rotation, how the fit turns that */
    x_F: [frames, 3],
    A_F: [frames, 9],
    R_F: [frames, 9],
    W_F: [frames, 9],
    L_F: [frames, 27],
    /** motion at the body's origin by each mode, velocity-product acceleration; both also along the world's axes */
    T: [columns, 6],
    cT: [frames, 6],
    TW: [columns, 6],
    cTW: [frames, 6],
    /** of the medium: damping of each body (`MediumDamping` of forces/drag.kernel) */
    resistance: [nbody, 12],
    /** of springs between points: from one end to the other, and the length; energy of those that were just pulled */
    lines: [m.springs.count, 4],
    energy: [1, 1],
    /** of penalties: how each point meets each obstacle (`Touch` of forces/penalty.kernel), force on it */
    touches: [m.penalty.count * m.penalty.obstacles, 7],
    pushes: [m.penalty.count * m.penalty.obstacles, 3],
    /** of actuators on sums of coordinates: stiffness and damping of each */
    held: [m.actuators.summedCount, 2],
    /** of tendons with armature: rows J, columns M⁻¹ Jᵀ, the small system */
    tendonJ: [m.tendons.armed.length, nv],
    tendonY: [m.tendons.armed.length, nv],
    tendonG: [m.tendons.armed.length, m.tendons.armed.length + 1],
  } as const satisfies Record<string, readonly [number, number]>
}

export type DataField = keyof ReturnType<typeof dataLayout>

export type Data = { readonly [name in DataField]: Vec } & {
  /** the whole, for dumps and transfer */
  readonly buffer: Vec
  /** memory that it lies in, and what kernels need: where the tables of the model and of the data are */
  readonly block: Block
  readonly kernels: TreeKernels
  readonly tree: number
  readonly work: number
  readonly poses: number
  readonly tables: Readonly<Record<'springs' | 'ellipsoids' | 'penalty' | 'actuators' | 'sums', Table>>
  /** the user's own forces, which act after the built-in ones */
  readonly own: readonly Force[]
  /** true if any force, built-in or own, pulls at bodies, not only in joints */
  readonly loaded: boolean
  /** room that `takeNumbers` may still give: first and last byte */
  readonly spare: { start: number; readonly end: number }
  /** a state with coordinates and velocities in this memory, for `near` */
  readonly state: { -readonly [K in keyof State]: State[K] }
  /** calls of the forward dynamics so far */
  evaluations: number
}

export interface DataOptions {
  /**
   * memory to live in, shared with other threads or not; at least `dataSize` bytes. What it holds stays, but for what never changes, so that
   * several threads may look at the same data. Kernels run in their JavaScript form where it is not a WebAssembly.Memory (`useKernels`). Default: new memory
   */
  readonly buffer?: WebAssembly.Memory | ArrayBufferLike | Float64Array
  /** other data, made with `numbers` for this one (`dataSize`), to live in the same memory as, so that kernels see both */
  readonly beside?: Data
  /** forces of the user's own, which act after the built-in ones */
  readonly forces?: readonly Force[]
  /** how many further numbers `takeNumbers` may give in the same memory: work space of a solver that its kernels see */
  readonly numbers?: number
}

/** Numbers in the fields. */
function countNumbers(layout: Readonly<Record<string, readonly [number, number]>>): number {
  return Object.values(layout).reduce((sum, [rows, columns]) => sum + rows * columns, 0)
}

/** What the table of a model names: its arrays, and those of its steps. Kept, since copies of records of so many fields are slow to make. */
export function treeFields(m: Model): Fields {
  let fields = fieldsOf.get(m)
  if (fields === undefined) {
    fields = { ...(m as unknown as Fields), ...(m.steps as unknown as Fields) }
    fieldsOf.set(m, fields)
  }
  return fields
}

const fieldsOf = new WeakMap<Model, Fields>()

/** Tables of what forces on bodies read. */
function forceTables({ springs, medium, penalty, actuators, tendons }: Model) {
  const named = <N extends TableName>(name: N, fields: object) => [name, fields as Fields] as const
  return {
    springs: named('Springs', springs),
    ellipsoids: named('Ellipsoids', medium.ellipsoids),
    penalty: named('Penalty', penalty),
    actuators: named('Motors', actuators),
    sums: named('TendonSums', tendons),
  }
}

/** Bytes that the data of a model take, with the model's numbers for kernels. */
export function dataSize(model: Model): number {
  const forces = Object.values(forceTables(model)).reduce((sum, [name, fields]) => sum + tableSize(name, fields), 0)
  return (
    align(8 * countNumbers(dataLayout(model))) +
    tableSize('Work', {}) +
    tableSize('Poses', {}) +
    tableSize('Tree', treeFields(model)) +
    forces
  )
}

const align = (bytes: number): number => Math.ceil(bytes / 16) * 16

/** Throws RangeError where the given memory is too small. */
export function createData(model: Model, { buffer: given, beside, forces: own = [], numbers: more = 0 }: DataOptions = {}): Data {
  const layout = dataLayout(model)
  const numbers = countNumbers(layout)
  const fields = treeFields(model)
  const work = align(8 * numbers)
  const poses = work + tableSize('Work', {})
  const tree = poses + tableSize('Poses', {})
  const spare = dataSize(model)
  const size = spare + align(8 * more)
  const { block, start } = beside ? roomBeside(beside, size) : roomFor(size, given)
  const views: Record<string, Vec> = {}
  let at = start
  for (const [name, [rows, columns]] of Object.entries(layout)) {
    views[name] = new Float64Array(block.buffer, at, rows * columns)
    at += 8 * rows * columns
  }
  writeTable('Work', views, block, start + work)
  writeTable('Poses', views, block, start + poses)
  writeTable('Tree', fields, block, start + tree)
  let end = start + tree + tableSize('Tree', fields)
  const tables = Object.entries(forceTables(model)).map(([key, [name, columns]]) => {
    const table = writeTable(name, columns, block, end)
    end += table.bytes
    return [key, table] as const
  })
  const data: Data = {
    ...(views as { [name in DataField]: Vec }),
    buffer: new Float64Array(block.buffer, start, numbers),
    block,
    kernels: kernelsIn<TreeKernels>(treeModule, block),
    tree: start + tree,
    work: start + work,
    poses: start + poses,
    tables: Object.fromEntries(tables) as Data['tables'],
    own,
    loaded: model.loaded || own.some((force) => !force.jointsOnly),
    spare: { start: start + spare, end: start + size },
    state: { t: Number.NaN, q: views.qNear, v: views.vNear, s: views.v, tau: views.v, control: views.v, act: views.v, since: views.v },
    evaluations: 0,
  }
  resetConstants(data, model)
  return data
}

function roomFor(size: number, given: DataOptions['buffer']): Room {
  if (given === undefined) return takeRoom(size)
  const { byteLength } = 'byteLength' in given ? given : given.buffer
  if (byteLength < size) throw new RangeError(`buffer: expected at least ${size} bytes, got ${byteLength}`)
  return ArrayBuffer.isView(given) ? { block: blockOf(given.buffer), start: given.byteOffset } : { block: blockOf(given), start: 0 }
}

/** Room in the memory of the data. Throws RangeError where the `numbers` that it was made with are used up. */
export function roomBeside({ block, spare }: Data, bytes: number): Room {
  const { start, end } = spare
  if (start + align(bytes) > end) throw new RangeError(`numbers: expected room for ${bytes} bytes, got ${end - start}`)
  spare.start += align(bytes)
  return { block, start }
}

/** Zeros in the memory of the data, which kernels then read and write where they stand; elsewhere, to be copied by `given`, once the room is used up. */
export function takeNumbers(d: Data, count: number): Vec {
  const { spare } = d
  const bytes = align(8 * count)
  if (spare.start + bytes > spare.end) return new Float64Array(count)
  const numbers = new Float64Array(d.block.buffer, spare.start, count)
  spare.start += bytes
  return numbers
}

/** Address of a vector that a kernel reads: where it stands, if that is in the data's memory, else of a copy in `room`. */
export function given(d: Data, room: Vec, x: Vec): number {
  if (x.buffer === d.block.buffer) return x.byteOffset
  copyNumbers(room, x)
  return room.byteOffset
}

/** The state, with coordinates and velocities where kernels read them, so that none has to copy them. */
export function near(d: Data, s: State): State {
  const { state, block } = d
  if (s.q.buffer === block.buffer && s.v.buffer === block.buffer) return s
  state.t = s.t
  state.s = s.s
  state.tau = s.tau
  shareInputs(state, s)
  copyNumbers(state.q, s.q)
  copyNumbers(state.v, s.v)
  return state
}

/** Address at which a kernel writes a vector; `deliver` brings it to where it belongs. */
export function placeFor(d: Data, room: Vec, out: Vec): number {
  return out.buffer === d.block.buffer ? out.byteOffset : room.byteOffset
}

export function deliver(d: Data, room: Vec, out: Vec): void {
  if (out.buffer === d.block.buffer) return
  copyNumbers(out, room)
}

/** What never changes: the world's identity pose, no motion, gravity as an upward acceleration; axes of bodies with one freedom, joint frames at rest. */
export function resetConstants(d: Data, m: Model): void {
  for (const X of [d.X_PB, d.X_WB]) {
    X.fill(0, 0, 12)
    X[0] = 1
    X[4] = 1
    X[8] = 1
  }
  for (const V of [d.V, d.c, d.VW, d.cW, d.A, d.AW, d.y]) V.fill(0, 0, 6)
  for (const A of [d.A, d.AW]) for (let r = 0; r < 3; r++) A[3 + r] = -m.gravity[r]
  d.S.set(m.S0)
  d.X_PJ.set(m.X_PJ)
}

/** Fills everything but the constants with NaN, so that a test sees what an algorithm reads before it was written. */
export function poisonData(d: Data, m: Model): void {
  d.buffer.fill(Number.NaN)
  resetConstants(d, m)
}
