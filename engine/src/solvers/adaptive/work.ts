/**
 * Work space of adaptive dynamics in the memory of one Data: the assembly, what held nodes keep, and the tree of rigid groups.
 */
import { kernelsIn } from '../../kernels/instance.js'
import { createData, type Data, roomBeside } from '../../model/data.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import { placeTable, plainTableRoom, roomFor, tableRoom, takeAll, takeTable } from '../../model/work-space.js'
import { type AdaptiveKernels, adaptiveModule } from '../../printed/adaptive.js'
import { type Assembly, createAssembly } from '../../tree/dca/assembly.js'
import { createParts, partsRoom } from '../../tree/dca/dca.js'

/** Columns of `Held`. */
function heldTable({ nv }: Model, a: Assembly) {
  let most = 0
  for (const count of a.handles) most = Math.max(most, count)
  const rows = 6 * most
  return {
    name: 'Held',
    fields: {},
    own: {
      ...{ twist: 6 * a.nodes, metric: a.nodes, inertia: 10 * a.nodes, second: 12 * a.nodes, place: 12 * a.edge.length },
      ...{ Psi: a.innerSquares, p: 6 * a.innerRows, eta: a.nodes },
      ...{ Bq: 42 * a.edge.length, Pq: 42 * a.innerRows, Nq: 49 * a.nodes, weight: nv },
      ...{ N: 6 * rows, HA: 6 * rows, HB: 6 * rows, YA: 6 * rows, YB: 6 * rows, rates: 6 * rows, ownRates: 42 },
      ...{ turnedB: 7 * rows, turnedP: 7 * rows, turnedN: 49, gram: 49, Z: 36, betas: 42, gammas: 42, backs: 42 },
    },
  } as const
}

/** Whole numbers of the groups' tree and of lists, by name; `rows`: groups at the most, with the world. */
const wholeNumbers = ({ nbody }: Model, { nodes }: Assembly, rows: number) => ({
  ...{ parent: rows, iv: rows, ivEnd: rows, hinge: rows, moved: rows, node: rows, body: rows },
  /** active nodes, parents first; fronts, those of a parent group before those that hang on it; nodes to describe */
  ...{ active: nodes, fronts: nodes, changed: nodes },
  /** 1 for nodes in which forces act that are not constant in the frames of its bodies; bodies that they act on, and their groups */
  ...{ loaded: nodes, at: nbody, row: nbody },
})

const groupColumns = (rows: number) => ({
  ...{ offset: 12 * rows, X_PB: 12 * rows, X_WB: 12 * rows, VW: 6 * rows, cW: 6 * rows, AW: 6 * rows, IA: 21 * rows, pA: 6 * rows },
  ...{ f: 6 * rows, F: 6 * rows, y: 6 * rows, inertia: 10 * rows },
})

const ofModel = ({ nbody, nq, nv }: Model) => ({
  pose: 12 * nbody,
  ...{ q: nq, v: nv, tau: nv, heldTau: nv, acceleration: nv, free: nv, motion: nv, momentum: nv, armature: nv, h: 1 },
  ...{ servo: nv, brake: nv, stretch: nv, now: 1, finite: 1 },
})

const springsOf = ({ stiffness, damping, rest }: Model) => ({ stiffness, damping, rest })

const half = (lengths: Readonly<Record<string, number>>): number => Object.values(lengths).reduce((sum, n) => sum + 2 * Math.ceil(n / 4), 0)

export type AdaptiveWork = ReturnType<typeof createWork>

export function createWork(m: Model, forces: readonly Force[]) {
  const assembly = createAssembly(m)
  // a group for every leaf but the grounds, and the world
  let rows = 1
  for (let n = 0; n < assembly.nodes; n++) if (assembly.body[n] > 0) rows++
  const whole = wholeNumbers(m, assembly, rows)
  const numbers =
    partsRoom(m, assembly) +
    tableRoom(heldTable(m, assembly)) +
    tableRoom({ name: 'JointTerms', fields: springsOf(m), own: {} }) +
    plainTableRoom('Pulled') +
    half(whole) +
    roomFor(groupColumns(rows)) +
    roomFor(ofModel(m)) +
    tableRoom({ name: 'Tree', fields: { together: m.together }, own: {} }) +
    plainTableRoom('Work') +
    plainTableRoom('Groups')
  const d = createData(m, { forces, numbers })
  const parts = createParts(m, d, assembly)
  const lists = takeInts(d, whole)
  const held = placeTable(d, { ...heldTable(m, assembly), fields: { loaded: lists.loaded } })
  const columns = takeAll(d, groupColumns(rows))
  const state = takeAll(d, ofModel(m))
  const { S, SW, U, D, u } = d
  const own = { ...columns, S, SW, U, D, u }
  const tree = takeTable(d, 'Tree', {
    ...{
      nbody: rows,
      nv: m.nv,
      parent: lists.parent,
      base: lists.parent,
      iv: lists.iv,
      ivEnd: lists.ivEnd,
      hinge: lists.hinge,
      moved: lists.moved,
    },
    ...{ together: m.together, inertia: columns.inertia, armature: state.armature },
  })
  const work = takeTable(d, 'Work', own)
  const groups = takeTable(d, 'Groups', { ...columns, node: lists.node, body: lists.body })
  const { servo, brake, stretch, tau, armature } = state
  const terms = takeTable(d, 'JointTerms', { ...springsOf(m), servo, brake, stretch, tau, armature })
  const pulled = takeTable(d, 'Pulled', { at: lists.at, row: lists.row, pose: state.pose })
  columns.X_WB.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 0)
  for (let r = 0; r < 3; r++) columns.AW[3 + r] = -m.gravity[r]
  return {
    ...{ model: m, d, assembly, parts, held, lists, columns, state, rows },
    /** tables of the groups: as a tree, as its data, as groups; bodies that forces act on; forces in joints */
    ...{ tree, work, groups, pulled, terms },
    kernels: kernelsIn<AdaptiveKernels>(adaptiveModule, d.block),
  }
}

/** Zeros in the memory of d. */
function takeInts<K extends string>(d: Data, lengths: Readonly<Record<K, number>>): Record<K, Int32Array> {
  const take = (n: number): Int32Array => new Int32Array(d.block.buffer, roomBeside(d, 4 * n).start, n)
  return Object.fromEntries(Object.entries<number>(lengths).map(([name, n]) => [name, take(n)])) as Record<K, Int32Array>
}
