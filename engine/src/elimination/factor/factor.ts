/**
 * A factorisation in memory that kernels work in: fronts, what is kept of the eliminated, and what they are made from. It lives as long as its
 * plan, and is good while the tree moves on: it has its own copy of poses, axes and rows.
 */
import { kernelsIn } from '../../kernels/instance.js'
import { takeRoom } from '../../kernels/memory.js'
import { tableSize, writeTable } from '../../kernels/tables.js'
import { copy } from '../../linalg/vectors.js'
import type { Vec } from '../../math/types.js'
import { type RedmaxKernels, redmaxModule } from '../../printed/redmax.js'
import { type CoupledTree, PLANE, SPACE } from '../coupled-tree.js'
import type { Coupling } from '../plan/coupling.js'
import type { Plan } from '../plan/plan.js'

/** Of rows that hold exactly, a number each; scaled by the root of their weight. */
export interface ExactRows {
  /** what their rates are to be after a solve, and the forces that make them so, the other way round */
  readonly asked: Vec
  readonly pulled: Vec
  /** 1 where a row says nothing new */
  readonly spare: Uint8Array
  /** alike[0]: sin² of the angle below which rows are too much alike to go by */
  readonly alike: Vec
}

/** Numbers of each array; the whole ones that change take the room of half a number each. */
function lengthsOf({ model: { nbody, nv }, terms }: CoupledTree, { groups }: Coupling, plan: Plan) {
  const rows = terms.stiffness.length
  const entries = terms.J.length / SPACE
  const { handle, vectors, pivots } = plan
  const flat = handle === PLANE
  return {
    ...{ first: groups / 2, live: groups / 2, of: rows / 2, start: (rows + 1) / 2, body: entries / 2 },
    ...{
      step: 1,
      inertia: 10 * nbody,
      armature: nv,
      X: 12 * nbody,
      axes: 6 * nv,
      jointDamping: nv,
      jointStiffness: nv,
      bodyDamping: 21 * nbody,
      rows: 6 * entries,
      weight: rows,
    },
    ...{
      S: handle * nv,
      M: flat ? 0 : 21 * nbody,
      M3: flat ? 6 * nbody : 0,
      J: handle * entries,
      root: rows,
      joint: nv,
      origins: 3 * nbody,
    },
    ...{ Q: plan.space, H: plan.kept, dinv: pivots, P: plan.choice.cut ? handle * handle * nbody : 0 },
    ...{ g: 6 * plan.widest, own: 36, T: 36, A: 36, B: 36, u: 6 },
    ...{ asked: rows, pulled: rows, spare: rows, alike: 1, failed: 1 },
    // of a solve: vectors of the fronts, what is found at each pivot, right-hand side and solution
    ...{ y: vectors, z: pivots, b: nv, x: nv },
  }
}

type Arrays = Readonly<Record<keyof ReturnType<typeof lengthsOf>, Vec>>

export interface Factor extends Arrays {
  readonly tree: CoupledTree
  readonly plan: Plan
  readonly coupling: Coupling
  readonly exact: ExactRows
  readonly kernels: RedmaxKernels
  /** where the table of the fronts is */
  readonly table: number
  /** whole numbers that change with the rows: groups, and entries */
  readonly whole: Readonly<Record<'first' | 'live' | 'of' | 'start' | 'body', Int32Array>>
}

const bytesOf = (numbers: number): number => 16 * Math.ceil(numbers / 2)

export function createFactor(tree: CoupledTree, coupling: Coupling, plan: Plan, exact: ExactRows): Factor {
  const { model: m, terms } = tree
  const lengths = lengthsOf(tree, coupling, plan)
  const across = plan.handle === PLANE ? terms.still : 0
  const fixed = {
    ...{ nbody: m.nbody, nv: m.nv, handle: plan.handle, across, along: (across + 1) % 3, aside: (across + 2) % 3, end: plan.ops.length },
    ...{ ops: plan.ops, lists: plan.lists, anchor: plan.anchor, axisAnchor: plan.axisAnchor, axisSign: Float64Array.from(plan.axisSign) },
    ...{ eager: Int32Array.from(plan.eager), groupStart: coupling.start, rigid: Int32Array.from(coupling.rigid) },
    ...{ iv: m.iv, ivEnd: m.ivEnd },
  }
  const size = Object.values(lengths).reduce((sum, n) => sum + bytesOf(n), 0)
  const { block, start } = takeRoom(size + tableSize('Fronts', fixed))
  let at = start
  const take = (numbers: number): Vec => {
    const array = new Float64Array(block.buffer, at, Math.ceil(numbers))
    at += bytesOf(numbers)
    return array
  }
  const arrays = Object.fromEntries(Object.entries(lengths).map(([name, n]) => [name, take(n)])) as Arrays
  const ints = ({ byteOffset }: Vec, count: number): Int32Array => new Int32Array(block.buffer, byteOffset, count)
  const whole = {
    first: ints(arrays.first, coupling.groups),
    live: ints(arrays.live, coupling.groups),
    of: ints(arrays.of, terms.stiffness.length),
    start: ints(arrays.start, terms.start.length),
    body: ints(arrays.body, terms.body.length),
  }
  const { X, S, J } = arrays
  writeTable('Fronts', { ...arrays, ...fixed, ...whole, XR: X, XN: X, SW: S, JW: J }, block, at)
  return { ...arrays, tree, plan, coupling, exact, kernels: kernelsIn<RedmaxKernels>(redmaxModule, block), table: at, whole }
}

/** Factors the tree as it is. False where a pivot has the wrong sign, or exact rows are too much alike. */
export function factorize(f: Factor): boolean {
  const { tree, coupling, exact, whole, kernels } = f
  const { terms, data } = tree
  copy(f.step, tree.step)
  copy(f.alike, exact.alike)
  f.inertia.set(tree.model.inertia)
  f.armature.set(tree.model.armature)
  f.X.set(data.X_WB)
  f.axes.set(data.S)
  f.jointDamping.set(terms.jointDamping)
  f.jointStiffness.set(terms.jointStiffness)
  f.bodyDamping.set(terms.bodyDamping)
  copy(f.weight, tree.weight, 0, terms.count)
  copy(f.rows, terms.J, 0, SPACE * terms.start[terms.count])
  whole.first.set(coupling.first)
  whole.live.set(coupling.live)
  whole.of.set(coupling.of)
  whole.start.set(terms.start)
  whole.body.set(terms.body)
  if (f.plan.handle === PLANE) kernels.toPlane(f.table, terms.count)
  else kernels.toWorld(f.table, terms.count)
  kernels.factorFronts(f.table)
  for (let r = tree.rigid; r < terms.count; r++) exact.spare[r] = f.spare[r]
  return f.failed[0] === 0
}

/** Gathers the right-hand side up to the last pivot. */
export function solveForward(f: Factor, b: Vec): void {
  const { table, y, z, kernels } = f
  copy(f.b, b)
  copy(f.asked, f.exact.asked, f.tree.rigid, f.tree.terms.count)
  kernels.solveFrontsForward(table, y.byteOffset, z.byteOffset, f.b.byteOffset)
}

/** Finds the velocities, from the last pivot back. */
export function solveBackward(f: Factor, x: Vec): void {
  const { table, y, z, kernels } = f
  kernels.solveFrontsBackward(table, y.byteOffset, z.byteOffset, f.x.byteOffset)
  copy(x, f.x)
  copy(f.exact.pulled, f.pulled, f.tree.rigid, f.tree.terms.count)
}

/** size[o] ← bᵀ A⁻¹ b of the right-hand side gathered last: Σ β²/d over the pivots, where z = β/d. */
export function sizeOfPivots({ z, dinv }: Factor, size: Vec, o: number): void {
  let sum = 0
  // rows without use have no pivot
  for (let k = 0; k < z.length; k++) if (dinv[k] !== 0) sum += (z[k] * z[k]) / dinv[k]
  size[o] = sum
}
