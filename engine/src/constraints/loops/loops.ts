/**
 * Forces that hold loops, couplings and prescribed motions, found inside the passes of the articulated-body algorithm [Lathrop].
 *
 * Row r pulls with λ_r, as a wrench λ_r J on its bodies and as a force λ_r c on its joints. The bias force of a body is then pA + Σ P_r λ_r, whose columns P
 * begin as −J and go through the same eliminations as pA. With w = c − Sᵀ P, what λ adds to u:
 *   P += D U w,   Φ_rs += D w_r w_s,   b_r += D u w_r − P_rᵀ cW
 * and at the root the acceleration of a row is Φ λ + b − Pᵀ A₀ − J A₀, A₀ being the upward acceleration that stands for gravity, which rows do not see. To b
 * belongs what rows accelerate by velocities alone (`rows/biases`), and what closes loops that have opened [Baumgarte]:
 *   Φ λ = −(b + 2 σ ġ + σ² g)
 * Rows that follow from others have no λ. Then u += Σ w λ, and accelerations come from the last pass as ever.
 *
 * Everything is along the world's axes, as in `tree/aba.kernel`. The passes take ranges of bodies, for those who take a tree apart; sums over a tree are formed in
 * an order that is the same however it is cut at the ends of runs (`columns`).
 */
import { createPivotedLdl, factorPivoted, solvePivoted } from '../../linalg/dense/pivoted-ldl.js'
import type { Vec } from '../../math/types.js'
import { CONSTRAINT_TENDON } from '../../model/constraints.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'
import { rotate6 } from '../../printed/arrays.js'
import { biasOfConstraint } from '../rows/biases.js'
import { createRows, updateConstraint } from '../rows/rows.js'
import { type Columns, findColumns } from './columns.js'

/** 1/s: an opening is down to a hundredth in a third of a second, and steps of a few hundredths of a second still follow */
export const STABILIZATION = 20

/**
 * sin² of the angle below which a row follows from others, against what its entry of Φ could be at most. A loop that is open by a share of its size turns rows that
 * are the same apart, by about as much; hence OPEN times the square of that share, but no less than LEAST, and no more than MOST_ALIKE, where rows of bodies with very
 * different masses would be taken for the same.
 */
const OPEN = 1e4
const LEAST = 1e-10
const MOST_ALIKE = 1e-6

// numbers of a column: b; how large moment and force of P could be by the levers so far, whatever way they point; what its entry on the diagonal of Φ would
// be then; |g|
const B = 0
const MOMENT = 1
const FORCE = 2
const MOST = 3
const GAP = 4
export const COLUMN = 5

export interface LoopOptions {
  /** σ, 1/s; default `STABILIZATION` */
  readonly stabilization?: number
  /** 1: a body of this processor, whose columns it begins; default: all bodies */
  readonly own?: ArrayLike<number>
}

export interface Loops {
  readonly columns: Columns
  /** columns P, by body: 6 numbers each */
  readonly P: Vec
  /** of each run: the lower triangle of Φ; and of its columns, COLUMN numbers each */
  readonly Phi: Vec
  readonly sums: Vec
  readonly lambda: Vec
  /** The columns of the bodies from … to − 1 are empty. */
  clear(from: number, to: number): void
  /** Begins the columns of own bodies. Reads X_WB and VW of all bodies, and q and v of all joints, of their constraints. */
  begin(state: State): void
  /** After `eliminateTree` over these bodies, which end a run. Bodies whose parents are before `from` keep what is left, at their parents. */
  carry(from: number, to: number): void
  /** What `carry` left at this body is added to its parent. */
  join(body: number): void
  /** λ, once all that hangs on the world was joined to it. */
  solve(): void
  /** u of the velocities of the bodies from … to − 1, with λ. */
  load(from: number, to: number): void
}

/** Whether the loops of a model can be held so: not where bodies deform, nor between lengths of tendons, nor with inertia of tendons. */
export function areLoopsHeld({ modes, tendons, constraints: { count, kind, active } }: Model): boolean {
  for (let k = 0; k < count; k++) if (active[k] === 1 && kind[k] === CONSTRAINT_TENDON) return false
  return modes.count === 0 && tendons.armed.length === 0
}

/** Undefined without active constraints, or where they cannot be held. */
export function createLoops(m: Model, d: Data, { stabilization = STABILIZATION, own }: LoopOptions = {}): Loops | undefined {
  const rows = createRows(m)
  if (rows.count === 0 || !areLoopsHeld(m)) return undefined
  const { parent, iv, ivEnd } = m
  const { bodyStart, body, dofStart, dof } = rows
  const n = rows.count
  const columns = findColumns(m, rows)
  const { run, start, row, above, triangle, count, at, velocityAt, velocitiesAt, ofBlock, ofDof } = columns
  const runs = start.length - 1
  const P = new Float64Array(6 * at[m.nbody])
  const w = new Float64Array(velocitiesAt[m.nbody])
  const Phi = new Float64Array(triangle[runs])
  const sums = new Float64Array(COLUMN * start[runs])
  const lambda = new Float64Array(n)
  const JW = new Float64Array(6)
  const bias = new Float64Array(n)
  const rate = new Float64Array(n)
  const t = new Float64Array(1)
  // of the whole tree
  const all = new Float64Array(n * n)
  const rest = new Float64Array(n)
  const most = new Float64Array(n)
  const gap = new Float64Array(n)
  const lever = new Float64Array(n)
  const alike = new Float64Array(1)
  const ldl = createPivotedLdl(n)

  const isOwn = (i: number): boolean => i > 0 && (own === undefined || own[i] === 1)
  const bodiesOf = (r: number): number[] => [
    ...body.subarray(bodyStart[r], bodyStart[r + 1]),
    ...Array.from(dof.subarray(dofStart[r], dofStart[r + 1]), (k) => m.velocityBody[k]),
  ]
  // first rows of the constraints that own bodies take part in; whose first body is own
  const met: number[] = []
  const led = new Uint8Array(n)
  for (let r = 0; r < n; r++) {
    const touched = bodiesOf(r).filter((i) => i > 0)
    if (touched.length > 0 && isOwn(touched[0])) led[r] = 1
    if ((r === 0 || rows.source[r] !== rows.source[r - 1]) && touched.some(isOwn)) met.push(r)
  }

  // of blocks: from the origin of the body to where the row takes hold of it
  const { pointA, pointB } = m.constraints
  const levers = new Float64Array(body.length)
  for (let r = 0; r < n; r++) {
    const at3 = 3 * rows.source[r]
    const e = bodyStart[r]
    if (e === bodyStart[r + 1]) continue
    levers[e] = lengthOf(pointA, at3)
    levers[e + 1] = lengthOf(pointB, at3)
  }

  /** ġ of row r, into `rate`, and the columns of its own bodies. */
  const beginRow = (r: number, v: Vec): void => {
    let sum = -rows.target[r]
    let weight = 0
    for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) {
      const i = body[e]
      if (i === 0) continue
      rotate6(JW, 0, d.X_WB, 12 * i, rows.J, 6 * e)
      for (let s = 0; s < 6; s++) sum += JW[s] * d.VW[6 * i + s]
      for (let s = 3; s < 6; s++) weight += JW[s] * d.AW[s]
      if (!isOwn(i)) continue
      const o = 6 * (at[i] + ofBlock[e])
      const size = COLUMN * (start[run[i]] + ofBlock[e]) + MOMENT
      sums[size] = Math.max(sums[size], levers[e] * Math.sqrt(JW[3] * JW[3] + JW[4] * JW[4] + JW[5] * JW[5]))
      for (let s = 0; s < 6; s++) P[o + s] -= JW[s]
    }
    for (let e = dofStart[r]; e < dofStart[r + 1]; e++) {
      const k = dof[e]
      sum += rows.coefficient[e] * v[k]
      if (isOwn(m.velocityBody[k])) w[velocityAt[k] + ofDof[e]] += rows.coefficient[e]
    }
    bias[r] -= weight
    rate[r] = sum
  }

  /** The sums of row r in the run of its first body. */
  const biasPlace = Int32Array.from({ length: n }, (_, r) => {
    for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) if (body[e] > 0) return COLUMN * (start[run[body[e]]] + ofBlock[e])
    return led[r] === 0 ? -1 : COLUMN * (start[run[m.velocityBody[dof[dofStart[r]]]]] + ofDof[dofStart[r]])
  })

  /** One velocity of body i goes. */
  const eliminate = (i: number, k: number): void => {
    const { SW, U, D, u } = d
    const t0 = triangle[run[i]]
    const x0 = velocityAt[k]
    const s = 6 * k
    const inverse = D[k]
    const pull = u[k]
    const turn = SW[s] * SW[s] + SW[s + 1] * SW[s + 1] + SW[s + 2] * SW[s + 2]
    const slide = SW[s + 3] * SW[s + 3] + SW[s + 4] * SW[s + 4] + SW[s + 5] * SW[s + 5]
    let o = 6 * at[i]
    let a = COLUMN * start[run[i]]
    for (let c = 0; c < count[i]; c++, o += 6, a += COLUMN) {
      const x = x0 + c
      const moment = sums[a + MOMENT]
      const force = sums[a + FORCE]
      sums[a + MOST] += inverse * (w[x] * w[x] + turn * moment * moment + slide * force * force)
      for (let e = 0; e < 6; e++) w[x] -= SW[s + e] * P[o + e]
      const Dw = inverse * w[x]
      if (Dw === 0) continue
      for (let e = 0; e < 6; e++) P[o + e] += Dw * U[s + e]
      sums[a + B] += Dw * pull
      const line = t0 + (c * (c + 1)) / 2
      for (let e = 0; e <= c; e++) Phi[line + e] += Dw * w[x0 + e]
    }
  }

  /** Before any velocity of body i goes: b, and the sizes of its columns. */
  const measure = (i: number): void => {
    const { cW } = d
    let o = 6 * at[i]
    let a = COLUMN * start[run[i]]
    for (let c = 0; c < count[i]; c++, o += 6, a += COLUMN) {
      for (let s = 0; s < 6; s++) sums[a + B] -= cW[6 * i + s] * P[o + s]
      sums[a + MOMENT] = Math.max(sums[a + MOMENT], Math.sqrt(P[o] * P[o] + P[o + 1] * P[o + 1] + P[o + 2] * P[o + 2]))
      sums[a + FORCE] = Math.max(sums[a + FORCE], Math.sqrt(P[o + 3] * P[o + 3] + P[o + 4] * P[o + 4] + P[o + 5] * P[o + 5]))
    }
  }

  /** What hangs on the world: b sees its acceleration. */
  const leave = (i: number): void => {
    let o = 6 * at[i]
    let a = COLUMN * start[run[i]]
    for (let c = 0; c < count[i]; c++, o += 6, a += COLUMN) for (let s = 3; s < 6; s++) sums[a + B] -= d.AW[s] * P[o + s]
  }

  /** The columns of body i, seen from its parent, replace its own. */
  const shift = (i: number): void => {
    const { X_WB } = d
    const p = 12 * i + 9
    const q = 12 * parent[i] + 9
    const rx = X_WB[p] - X_WB[q]
    const ry = X_WB[p + 1] - X_WB[q + 1]
    const rz = X_WB[p + 2] - X_WB[q + 2]
    for (let o = 6 * at[i]; o < 6 * at[i + 1]; o += 6) {
      P[o] += ry * P[o + 5] - rz * P[o + 4]
      P[o + 1] += rz * P[o + 3] - rx * P[o + 5]
      P[o + 2] += rx * P[o + 4] - ry * P[o + 3]
    }
    const length = Math.sqrt(rx * rx + ry * ry + rz * rz)
    const a = COLUMN * start[run[i]]
    for (let c = 0; c < count[i]; c++) sums[a + COLUMN * c + MOMENT] += length * sums[a + COLUMN * c + FORCE]
  }

  const joinRuns = (run1: number, run2: number): void => {
    const c0 = start[run1]
    for (let c = c0; c < start[run1 + 1]; c++) {
      const x = above[c]
      const from = COLUMN * c
      const to = COLUMN * (start[run2] + x)
      sums[to + B] += sums[from + B]
      sums[to + MOST] += sums[from + MOST]
      sums[to + GAP] += sums[from + GAP]
      sums[to + MOMENT] = Math.max(sums[to + MOMENT], sums[from + MOMENT])
      sums[to + FORCE] = Math.max(sums[to + FORCE], sums[from + FORCE])
      const line = triangle[run1] + ((c - c0) * (c - c0 + 1)) / 2 - c0
      for (let e = c0; e <= c; e++) {
        const y = above[e]
        Phi[triangle[run2] + (x > y ? (x * (x + 1)) / 2 + y : (y * (y + 1)) / 2 + x)] += Phi[line + e]
      }
    }
  }

  const joinWorld = (run1: number): void => {
    const c0 = start[run1]
    for (let c = c0; c < start[run1 + 1]; c++) {
      const x = row[c]
      rest[x] -= sums[COLUMN * c + B]
      most[x] += sums[COLUMN * c + MOST]
      gap[x] += sums[COLUMN * c + GAP]
      lever[x] = Math.max(lever[x], sums[COLUMN * c + MOMENT])
      const line = triangle[run1] + ((c - c0) * (c - c0 + 1)) / 2 - c0
      for (let e = c0; e <= c; e++) {
        const y = row[e]
        all[x > y ? x * n + y : y * n + x] += Phi[line + e]
      }
    }
  }

  const join = (i: number): void => {
    const p = parent[i]
    if (p === 0) {
      joinWorld(run[i])
      return
    }
    const same = run[p] === run[i]
    for (let c = 0; c < count[i]; c++) {
      const o = 6 * (at[i] + c)
      const to = 6 * (at[p] + (same ? c : above[start[run[i]] + c]))
      for (let s = 0; s < 6; s++) P[to + s] += P[o + s]
    }
    if (!same) joinRuns(run[i], run[p])
  }

  return {
    columns,
    P,
    Phi,
    sums,
    lambda,
    clear(from, to) {
      P.fill(0, 6 * at[from], 6 * at[to])
      w.fill(0, velocitiesAt[from], velocitiesAt[to])
      sums.fill(0, COLUMN * start[run[from]], COLUMN * start[run[to - 1] + 1])
      Phi.fill(0, triangle[run[from]], triangle[run[to - 1] + 1])
    },
    begin(state) {
      t[0] = state.t
      for (let e = 0; e < met.length; e++) {
        const first = met[e]
        updateConstraint(rows, first, m, d, state.q, t)
        biasOfConstraint(bias, first, rows, m, d, state, t)
        for (let r = first; r < first + m.constraints.rows[rows.source[first]]; r++) {
          beginRow(r, state.v)
          if (led[r] === 0) continue
          sums[biasPlace[r] + B] += bias[r] + stabilization * (2 * rate[r] + stabilization * rows.g[r])
          sums[biasPlace[r] + GAP] += Math.abs(rows.g[r])
        }
      }
    },
    carry(from, to) {
      for (let i = to - 1; i >= from; i--) {
        if (count[i] === 0) continue
        measure(i)
        for (let k = ivEnd[i] - 1; k >= iv[i]; k--) eliminate(i, k)
        if (parent[i] > 0) shift(i)
        else leave(i)
        if (parent[i] >= from) join(i)
      }
    },
    join,
    solve() {
      let open = 0
      for (let r = 0; r < n; r++) if (gap[r] > open * lever[r] && lever[r] > 0) open = gap[r] / lever[r]
      alike[0] = Math.min(MOST_ALIKE, Math.max(LEAST, OPEN * open * open))
      factorPivoted(ldl, all, 0, n, alike, most)
      solvePivoted(ldl, lambda, 0, rest, 0)
      all.fill(0)
      rest.fill(0)
      most.fill(0)
      gap.fill(0)
      lever.fill(0)
    },
    load(from, to) {
      const { u } = d
      for (let i = from; i < to; i++) {
        const c0 = start[run[i]]
        for (let k = iv[i]; k < ivEnd[i]; k++) {
          const x = velocityAt[k]
          let sum = u[k]
          for (let c = 0; c < count[i]; c++) sum += w[x + c] * lambda[row[c0 + c]]
          u[k] = sum
        }
      }
    },
  }
}

function lengthOf(x: Vec, i: number): number {
  return Math.sqrt(x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2])
}
