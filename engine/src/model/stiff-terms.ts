/**
 * StiffTerms: the linearised forces of a model, as implicit solvers need them: what a small motion and a velocity change in the forces.
 *
 * In the joints a number a velocity; on single bodies a symmetric 6 × 6 matrix (21 numbers, `math/inertia`); across the tree rows: row r
 * measures a rate e = Σ J·V(body) + Σ c·v(dof), and its force is −(stiffness ∫e + damping e) along the same row. A spring is one row along
 * its line and, while it pulls, two across it: k n nᵀ + max(0, t/l)(1 − n nᵀ), n the direction, t the tension, l the length.
 * At the modes of bodies that deform a symmetric r × r matrix a body, row-major: that of bodies[n] of `model/modes` stands at block[n], its rows
 * and columns in the order of the modes. The force of the modes is −(stiffness Δη + damping η̇), so that the matrix of a step is M + h D + h² K.
 * All entries are symmetric and, but for those of modes, positive semidefinite by construction: a solid in strong compression has directions
 * along which it gives way.
 */
import type { Vec } from '../math/types.js'
import type { Force } from './force.js'
import type { Model } from './model.js'
import { onVertex } from './modes.js'

export interface StiffTerms {
  readonly jointStiffness: Vec
  readonly jointDamping: Vec
  readonly bodyDamping: Vec
  readonly modeStiffness: Vec
  readonly modeDamping: Vec
  /** the axis of the world along which no body ever moves, so that a row along it says nothing; −1 where there is none */
  readonly still: number
  /** rows in use */
  count: number
  /** entries of row r: start[r] … start[r + 1] − 1 */
  readonly start: Int32Array
  /** body of an entry, or −1 − dof */
  readonly body: Int32Array
  /** 6 numbers an entry, in body coordinates; the first one alone for a dof */
  readonly J: Vec
  readonly stiffness: Vec
  readonly damping: Vec
}

/** room for the rows of a user's force that does not say how many it opens */
const OWN_ROWS = 64

/**
 * Rows and entries of every spring (3 rows), tendon (1 row, 2 with armature), motor (1 row) and contact of a vertex with an obstacle (3 rows) of the
 * model, and of the user's own forces.
 */
function stiffSize(m: Model, own: readonly Force[]): { readonly rows: number; readonly entries: number } {
  const { springs, tendons } = m
  const extra = own.reduce((sum, { linearize, rows = OWN_ROWS }) => sum + (linearize ? rows : 0), 0)
  const motors = m.actuators.count
  const touching = 3 * m.penalty.obstacles * m.penalty.body.reduce((sum, i) => sum + (onVertex(m, i) ? 1 : 0), 0)
  const rows = 3 * springs.count + tendons.count + tendons.armed.length + motors + touching + extra
  // a motor on a tendon touches what the tendon touches, and several may pull at one
  const onTendon = 2 * tendons.pathBody.length + tendons.dofQ.length
  // and one on a joint up to six velocities
  return { rows, entries: 6 * springs.count + (2 + motors) * onTendon + 6 * motors + touching + 2 * extra }
}

/** Numbers of each array, where two whole numbers take the room of one. */
export function stiffLengths(m: Model, own: readonly Force[]) {
  const { rows, entries } = stiffSize(m, own)
  const pairs = m.modes.block[m.modes.bodies.length]
  return {
    ...{ jointStiffness: m.nv, jointDamping: m.nv, bodyDamping: 21 * m.nbody, modeStiffness: pairs, modeDamping: pairs },
    ...{ start: Math.ceil((rows + 1) / 2), body: Math.ceil(entries / 2), J: 6 * entries, stiffness: rows, damping: rows },
  }
}

/** `take` gives arrays of zeros, of `stiffLengths`, in the order of these. */
export function createStiffTerms(
  m: Model,
  own: readonly Force[] = [],
  still = -1,
  take = (n: number): Vec => new Float64Array(n),
): StiffTerms {
  const { rows, entries } = stiffSize(m, own)
  const lengths = stiffLengths(m, own)
  const whole = (numbers: Vec, count: number): Int32Array => new Int32Array(numbers.buffer, numbers.byteOffset, count)
  return {
    still,
    count: 0,
    jointStiffness: take(lengths.jointStiffness),
    jointDamping: take(lengths.jointDamping),
    bodyDamping: take(lengths.bodyDamping),
    modeStiffness: take(lengths.modeStiffness),
    modeDamping: take(lengths.modeDamping),
    start: whole(take(lengths.start), rows + 1),
    body: whole(take(lengths.body), entries),
    J: take(lengths.J),
    stiffness: take(lengths.stiffness),
    damping: take(lengths.damping),
  }
}

export function clearStiffTerms(t: StiffTerms): void {
  t.jointStiffness.fill(0)
  t.jointDamping.fill(0)
  t.bodyDamping.fill(0)
  t.modeStiffness.fill(0)
  t.modeDamping.fill(0)
  t.count = 0
  t.start[0] = 0
}

/** Opens a row after the last one; entries follow by `addStiffEntry`. Returns its number. */
export function openStiffRow(t: StiffTerms): number {
  if (t.count === t.stiffness.length)
    throw new RangeError(`stiff rows: there is room for ${t.count}; say in \`rows\` how many a force of your own opens`)
  const r = t.count++
  t.start[r + 1] = t.start[r]
  t.stiffness[r] = 0
  t.damping[r] = 0
  return r
}

/** Appends an entry to the last row and returns its offset in J. */
export function addStiffEntry(t: StiffTerms, body: number): number {
  const e = t.start[t.count]
  if (e === t.body.length)
    throw new RangeError(
      `stiff rows: there is room for ${e} entries, two a row; say more \`rows\` for a force of your own with longer ones`,
    )
  t.start[t.count] = e + 1
  t.body[e] = body
  const { J } = t
  const o = 6 * e
  J[o] = 0
  J[o + 1] = 0
  J[o + 2] = 0
  J[o + 3] = 0
  J[o + 4] = 0
  J[o + 5] = 0
  return o
}
