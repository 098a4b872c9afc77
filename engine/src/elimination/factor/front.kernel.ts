/**
 * Operations on the matrices of fronts: articulated-body elimination with several handles.
 *
 * A front holds the energy ½ yᵀ Q y of all that was taken out, as a function of the velocities y of the handles left. A body goes
 * through its joint, V(c) = V(p) + S v: with g = Sᵀ Q(c, ·), d = Sᵀ Q(c, c) S + r
 *   v = (β − gᵀ y)/d,  β = b + Sᵀ f(c);   Q ← Q − g gᵀ/d,  f ← f − g β/d,   and the slot of c now stands for p.
 * With a single handle this is the articulated-body method. Velocities are in world axes at points fixed by the plan, so that
 * going from body to body moves nothing. Only the lower triangle of Q is kept: entry (i, j) of the front at `base` is Q[base + i st + j].
 * n is six, or three in a plane.
 */
import type { Int, Lanes } from '../../math/values/columns.js'
import { full, type Sym3 } from '../../math/values/spatial.js'
import { dotFew, type Fronts, few, wayBetween } from '../fronts.kernel.js'

const LARGEST = 1.7976931348623157e308

/** Where entry (i, j) of a front's lower triangle is. */
const placeOf = (base: Int, st: Int, i: Int, j: Int): Int => (i >= j ? base + i * st + j : base + j * st + i)

/** NEW: a slot behind all others, with its rows. @kernel */
export function clearSlot(e: Fronts, base: Int, st: Int, slot: Int, count: Int): void {
  for (let i = slot; i < slot + count; i++) {
    const row = base + i * st
    for (let j = 0; j <= i; j++) e.Q[row + j] = 0
  }
}

/** BODY: Q(slot, slot) += the body's inertia. @kernel */
export function addBody(e: Fronts, base: Int, st: Int, o: Int, i: Int): void {
  if (e.handle === 6) {
    const { A, B, C } = e.M[i]
    addBlock(e, 3, base, st, o, o, (r, c) => full(A)[r][c])
    for (let r = 0; r < 3; r++) {
      const at = base + (o + 3 + r) * st + o
      for (let c = 0; c < 3; c++) e.Q[at + c] = e.Q[at + c] + B[c][r]
    }
    addBlock(e, 3, base, st, o + 3, o + 3, (r, c) => full(C)[r][c])
  } else {
    const M: Sym3 = e.M3[i]
    addBlock(e, 3, base, st, o, o, (r, c) => full(M)[r][c])
  }
}

/** Q(o + r, q + c) += x(r, c) for c ≤ r < n */
function addBlock(e: Fronts, n: Int, base: Int, st: Int, o: Int, q: Int, x: (r: Int, c: Int) => number): void {
  for (let r = 0; r < n; r++) {
    const at = base + (o + r) * st + q
    for (let c = 0; c <= r; c++) e.Q[at + c] = e.Q[at + c] + x(r, c)
  }
}

/** ROWS: what the rows of a group couple between their bodies; each body's own share is in its inertia. @kernel */
export function addRows(e: Fronts, base: Int, st: Int, group: Int, list: Int): void {
  if (e.handle === 6) addRowsOf(e, 6, base, st, group, list)
  else addRowsOf(e, 3, base, st, group, list)
}

function addRowsOf(e: Fronts, n: Int, base: Int, st: Int, group: Int, list: Int): void {
  const entries = e.groupStart[group + 1] - e.groupStart[group]
  for (let r = e.first[group]; r < e.first[group] + e.live[group]; r++) {
    const w = e.weight[r]
    for (let i = 1; i < entries; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [e.lists[list + i], e.lists[list + j]]
        const x = few(n, (k) => w * e.J[n * (e.start[r] + i) + k])
        const y = few(n, (k) => e.J[n * (e.start[r] + j) + k])
        // two entries of one body come twice, mirrored
        if (a === b) addBlock(e, n, base, st, a, a, (p, q) => x[p] * y[q] + y[p] * x[q])
        else if (a > b) addOuter(e, n, base, st, a, b, x, y)
        else addOuter(e, n, base, st, b, a, y, x)
      }
    }
  }
}

function addOuter(e: Fronts, n: Int, base: Int, st: Int, o: Int, q: Int, x: readonly number[], y: readonly number[]): void {
  for (let r = 0; r < n; r++) {
    const at = base + (o + r) * st + q
    for (let c = 0; c < n; c++) e.Q[at + c] = e.Q[at + c] + x[r] * y[c]
  }
}

/** COUPLE: Q(forces, slot) += √w J for each row of a group, as one of its bodies sees it. @kernel */
export function couple(e: Fronts, base: Int, st: Int, slot: Int, group: Int, entry: Int, forces: Int): void {
  const n = e.handle
  for (let k = 0; k < e.live[group]; k++) {
    const r = e.first[group] + k
    const w = e.root[r]
    const from = n * (e.start[r] + entry)
    for (let c = 0; c < n; c++) {
      const at = placeOf(base, st, forces + k, slot + c)
      e.Q[at] = e.Q[at] + w * e.J[from + c]
    }
  }
}

/** UNIT: forces φ = √w R y of rows R, as the equations √w R y − φ = 0. @kernel */
export function subtractUnit(e: Fronts, base: Int, st: Int, slot: Int, count: Int): void {
  for (let i = slot; i < slot + count; i++) e.Q[base + i * st + i] = e.Q[base + i * st + i] - 1
}

/** SHIFT: the slot's point of reference moves by −way: a force f there turns with it, n += way × f, in rows and columns alike. @kernel */
export function shiftSlot(e: Fronts, base: Int, st: Int, w: Int, o: Int, from: Int, to: Int): void {
  if (e.handle === 6) shift(e, 6, base, st, w, o, from, to)
  else shift(e, 3, base, st, w, o, from, to)
}

function shift(e: Fronts, n: Int, base: Int, st: Int, w: Int, o: Int, from: Int, to: Int): void {
  const [px, py, pz] = wayBetween(e, n, from, to)
  const addMoment = (at: Int, step: Int): void => {
    if (n === 6) {
      const [fx, fy, fz] = [e.Q[at + 3 * step], e.Q[at + 4 * step], e.Q[at + 5 * step]]
      e.Q[at] = e.Q[at] + (py * fz - pz * fy)
      e.Q[at + step] = e.Q[at + step] + (pz * fx - px * fz)
      e.Q[at + 2 * step] = e.Q[at + 2 * step] + (px * fy - py * fx)
    } else e.Q[at] = e.Q[at] + (px * e.Q[at + 2 * step] - py * e.Q[at + step])
  }
  // rows of the slot left of its own block, and the whole block taken as rows
  const row = base + o * st
  for (let j = 0; j < o; j++) addMoment(row + j, st)
  for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) e.Q[row + b * st + o + a] = e.Q[row + a * st + o + b]
  for (let j = o; j < o + n; j++) addMoment(row + j, st)
  for (let i = o; i < w; i++) addMoment(base + i * st + o, 1)
}

/** MOVE: a slot to one before it, scalar by scalar; what was there is lost. @kernel */
export function moveSlot(e: Fronts, base: Int, st: Int, w: Int, slot: Int, count: Int, to: Int): void {
  for (let k = 0; k < count; k++) {
    const [i, t] = [slot + k, to + k]
    const [from, row] = [base + i * st, base + t * st]
    for (let j = 0; j < t; j++) e.Q[row + j] = e.Q[from + j]
    e.Q[row + t] = e.Q[from + i]
    for (let j = t + 1; j < i; j++) e.Q[base + j * st + t] = e.Q[from + j]
    for (let j = i + 1; j < w; j++) e.Q[base + j * st + t] = e.Q[base + j * st + i]
  }
}

/** FOLD: slot a is the same body as slot b, and its rows and columns are added there. @kernel */
export function foldSlot(e: Fronts, base: Int, st: Int, w: Int, a: Int, b: Int): void {
  const n = e.handle
  for (let r = 0; r < n; r++) {
    for (let j = 0; j < w; j++) {
      if ((j >= a && j < a + n) || (j >= b && j < b + n)) continue
      const to = placeOf(base, st, b + r, j)
      e.Q[to] = e.Q[to] + e.Q[placeOf(base, st, a + r, j)]
    }
  }
  for (let r = 0; r < n; r++) {
    for (let s = 0; s <= r; s++) {
      const own = e.Q[placeOf(base, st, a + r, a + s)]
      const mixed = e.Q[placeOf(base, st, a + r, b + s)] + e.Q[placeOf(base, st, b + r, a + s)]
      const to = placeOf(base, st, b + r, b + s)
      e.Q[to] = e.Q[to] + (own + mixed)
    }
  }
}

/** ADD: scalar j of a branch goes to lists[list + j]. @kernel */
export function addFront(e: Fronts, base: Int, st: Int, branch: Int, stride: Int, count: Int, list: Int): void {
  for (let i = 0; i < count; i++) {
    const row = branch + i * stride
    for (let j = 0; j <= i; j++) {
      const to = placeOf(base, st, e.lists[list + i], e.lists[list + j])
      e.Q[to] = e.Q[to] + e.Q[row + j]
    }
  }
}

/** JOIN: adds a branch by runs that keep together. @kernel */
export function joinFront(e: Fronts, base: Int, st: Int, branch: Int, stride: Int, list: Int): void {
  const end = list + 1 + 3 * e.lists[list]
  for (let r = list + 1; r < end; r = r + 3) {
    for (let s = list + 1; s < end; s = s + 3) {
      if (e.lists[s] > e.lists[r]) continue
      for (let i = 0; i < e.lists[r + 2]; i++) {
        const from = branch + (e.lists[r] + i) * stride + e.lists[s]
        const ti = e.lists[r + 1] + i
        const length = s === r ? i + 1 : e.lists[s + 2]
        const below = e.lists[s + 1] <= ti
        const to = below ? base + ti * st + e.lists[s + 1] : base + e.lists[s + 1] * st + ti
        const step = below ? 1 : st
        for (let j = 0; j < length; j++) e.Q[to + j * step] = e.Q[to + j * step] + e.Q[from + j]
      }
    }
  }
}

/** out[to + j] = Σ a(r) Q(o + r, j) for all j < w: a combination of the rows of a slot, below and above the diagonal. */
function projectSlot(e: Fronts, n: Int, base: Int, st: Int, w: Int, o: Int, a: readonly number[], to: Int): void {
  const rows = few(n, (r) => base + (o + r) * st)
  for (let j = 0; j < o; j++)
    e.g[to + j] = dotFew(
      n,
      a,
      few(n, (r) => e.Q[rows[r] + j]),
    )
  for (let c = 0; c < n; c++)
    e.g[to + o + c] = dotFew(
      n,
      a,
      few(n, (r) => (r <= c ? e.Q[rows[c] + o + r] : e.Q[rows[r] + o + c])),
    )
  for (let j = o + n; j < w; j++) {
    const q = base + j * st + o
    e.g[to + j] = dotFew(
      n,
      a,
      few(n, (r) => e.Q[q + r]),
    )
  }
}

/** JOINT: velocities of a joint, and rows that act on them. @kernel */
export function eliminateJoint(e: Fronts, base: Int, st: Int, w: Int, o: Int, nd: Int, dof: Int, list: Int, kept: Int, pivot: Int): void {
  if (e.handle === 6) projectJoint(e, 6, base, st, w, o, nd, dof, list)
  else projectJoint(e, 3, base, st, w, o, nd, dof, list)
  eliminatePanel(e, base, st, w, nd, -1, 1, kept, pivot)
}

function projectJoint(e: Fronts, n: Int, base: Int, st: Int, w: Int, o: Int, nd: Int, dof: Int, list: Int): void {
  for (let k = 0; k < nd; k++) {
    const a = few(n, (r) => e.S[n * (dof + k) + r])
    projectSlot(e, n, base, st, w, o, a, k * w)
  }
  if (list >= 0) {
    for (let q = list + 1; q < list + 1 + 4 * e.lists[list]; q = q + 4) {
      const group = e.lists[q + 2]
      for (let r = 0; r < e.live[group]; r++) {
        const row = e.first[group] + r
        const to = e.lists[q] * w + e.lists[q + 1] + r
        e.g[to] = e.g[to] + e.root[row] * e.J[n * (e.start[row] + e.lists[q + 3])]
      }
    }
  }
  // their own block: Sᵀ Q S and what acts in the joint
  for (let k = 0; k < nd; k++) {
    const a = few(n, (r) => e.S[n * (dof + k) + r])
    for (let l = 0; l < k; l++)
      e.own[k * nd + l] = dotFew(
        n,
        a,
        few(n, (r) => e.g[l * w + o + r]),
      )
    e.own[k * nd + k] =
      e.joint[dof + k] +
      dotFew(
        n,
        a,
        few(n, (r) => e.g[k * w + o + r]),
      )
  }
}

/** PIVOT: forces of a group's rows, those that it has, or a handle or forces of a base (group −1). @kernel */
export function eliminatePivots(
  e: Fronts,
  base: Int,
  st: Int,
  w: Int,
  o: Int,
  count: Int,
  group: Int,
  sign: Int,
  kept: Int,
  pivot: Int,
): void {
  const n = group < 0 ? count + 0 : e.live[group] + 0
  const end = o + count
  // rows of the slot, of the slot itself those behind them only, and what they have among themselves
  for (let k = 0; k < n; k++) {
    const row = base + (o + k) * st
    for (let j = 0; j < o; j++) e.g[k * w + j] = e.Q[row + j]
    for (let j = o; j < end; j++) e.g[k * w + j] = 0
    for (let l = k + 1; l < n; l++) e.g[k * w + o + l] = e.Q[row + (l - k) * st + o + k]
    for (let j = end; j < w; j++) e.g[k * w + j] = e.Q[base + j * st + o + k]
    for (let l = 0; l <= k; l++) e.own[k * n + l] = e.Q[row + o + l]
  }
  let exact: Int = 0
  if (group >= 0) exact = e.rigid[group] + 0
  if (exact === 1) eliminateExact(e, base, st, w, n, o, e.first[group], kept, pivot)
  else {
    eliminatePanel(e, base, st, w, n, o, sign, kept, pivot)
    // rows that a group does not have at the moment
    for (let j = kept + n * w; j < kept + count * w; j++) e.H[j] = 0
    for (let k = n; k < count; k++) e.dinv[pivot + k] = 0
  }
}

/**
 * Takes k velocities or forces out of the front, one after the other. g holds their rows (w apart), `own` their own k × k block (k apart), both
 * overwritten. Keeps g/d in H and 1/d in dinv. Fails where a pivot has not this sign. `slot` is where they sit themselves, and from where they
 * vanish as they go; −1 for the velocities of a joint, whose slot stays. @kernel
 */
export function eliminatePanel(e: Fronts, base: Int, st: Int, w: Int, k: Int, slot: Int, sign: Int, kept: Int, pivot: Int): void {
  for (let a = 0; a < k; a++) {
    const d = e.own[a * k + a]
    const good = sign > 0 ? d : -d
    if (!(good > 0 && good <= LARGEST)) e.failed[0] = 1
    const inverse = 1 / d
    e.dinv[pivot + a] = inverse
    if (slot >= 0) for (let c = slot; c <= slot + a; c++) e.g[a * w + c] = 0
    takeOut(e, w, k, a, kept, inverse)
  }
  subtractRows(e, base, st, w, k, kept)
}

/** H(a, ·) = g(a, ·)/d; the rows behind feel it. */
function takeOut(e: Fronts, w: Int, k: Int, a: Int, kept: Int, inverse: number): void {
  const [row, to] = [a * w, kept + a * w]
  for (let j = 0; j < w; j++) e.H[to + j] = e.g[row + j] * inverse
  for (let b = a + 1; b < k; b++) {
    const mixed = e.own[b * k + a]
    const at = b * w
    for (let j = 0; j < w; j++) e.g[at + j] = e.g[at + j] - mixed * e.H[to + j]
    for (let c = a + 1; c <= b; c++) e.own[b * k + c] = e.own[b * k + c] - mixed * e.own[c * k + a] * inverse
  }
}

/** Q −= Σ g hᵀ over k rows of g and of H, three, two or one at a time: sums then stay in registers. @kernel */
export function subtractRows(e: Fronts, base: Int, st: Int, w: Int, k: Int, kept: Int): void {
  let done: Int = 0
  for (let a = 0; a + 2 < k && a + 4 !== k; a = a + 3) {
    subtractRank(e, 3, base, st, w, a * w, kept + a * w)
    done = a + 3
  }
  for (let a = done; a + 1 < k; a = a + 2) {
    subtractRank(e, 2, base, st, w, a * w, kept + a * w)
    done = a + 2
  }
  if (done < k) subtractRank(e, 1, base, st, w, done * w, kept + done * w)
}

/** Two rows of Q at a time. */
function subtractRank(e: Fronts, rank: Int, base: Int, st: Int, w: Int, from: Int, to: Int): void {
  const h = few(rank, (r) => to + r * w)
  let done: Int = 0
  for (let i = 0; i + 1 < w; i = i + 2) {
    const x = few(rank, (r) => e.g[from + r * w + i])
    const y = few(rank, (r) => e.g[from + r * w + i + 1])
    const [r0, r1] = [base + i * st, base + i * st + st]
    for (let j = 0; j <= i; j++) {
      const z = few(rank, (r) => e.H[h[r] + j])
      e.Q[r0 + j] = e.Q[r0 + j] - dotFew(rank, x, z)
      e.Q[r1 + j] = e.Q[r1 + j] - dotFew(rank, y, z)
    }
    const own = few(rank, (r) => e.H[h[r] + i + 1])
    e.Q[r1 + i + 1] = e.Q[r1 + i + 1] - dotFew(rank, y, own)
    done = i + 2
  }
  if (done < w) {
    const x = few(rank, (r) => e.g[from + r * w + done])
    const row = base + done * st
    for (let j = 0; j <= done; j++) {
      const z = few(rank, (r) => e.H[h[r] + j])
      e.Q[row + j] = e.Q[row + j] - dotFew(rank, x, z)
    }
  }
}

// shares of an exact row: enough to go by, and none; what such a row may still have to do with others
const PLAIN = 1e-12
const NONE = 1e-13
const ALOOF = 1e-5
// of `alike`, which is stated for shares of the true mobility: that is less
const OPEN = 0.1

/**
 * The same for the forces of k rows at `slot` that hold exactly, from row `first` on: unknowns without a compliance of their own,
 *   (Q  Rᵀ) (y)   (b)
 *   (R  0 ) (f) = (c),      R the rows, each divided by the root of its mobility, so that numbers about 1 are met
 * which may go when joints that move the rows have gone: what has come to stand on the diagonal then is −R Q⁻¹ Rᵀ, and with the rows before
 * taken out, the share of a row that these do not tell. A row without a share, which moves with nothing that is left either, says nothing
 * new and is left out; a small share is no ground to build on, and the factorisation fails. Writes `spare`. @kernel
 */
export function eliminateExact(e: Fronts, base: Int, st: Int, w: Int, k: Int, slot: Int, first: Int, kept: Int, pivot: Int): void {
  const plain = Math.max(PLAIN, OPEN * e.alike[0])
  for (let a = 0; a < k; a++) {
    const row = a * w
    const share = -e.own[a * k + a]
    for (let c = slot; c <= slot + a; c++) e.g[row + c] = 0
    if (share > plain) {
      e.spare[first + a] = 0
      e.dinv[pivot + a] = -1 / share
      takeOut(e, w, k, a, kept, -1 / share)
    } else {
      let most = 0
      for (let j = 0; j < w; j++) {
        most = Math.max(most, Math.abs(e.g[row + j]))
        e.g[row + j] = 0
        e.H[kept + row + j] = 0
      }
      if (!(share < NONE && most < ALOOF)) e.failed[0] = 1
      e.spare[first + a] = 1
      e.dinv[pivot + a] = 0
    }
  }
  subtractRows(e, base, st, w, k, kept)
}

/**
 * A joint's axes S (n × nd) split the relative motion of two bodies: the part along S, by its pseudo-inverse, and the rest, by rows T with
 * T S = 0. Both come from Householder reflections, B S = ( R ; 0 ): S⁺ = R⁻¹ B's first rows, T its last ones. Writes T, and S⁺ at P[p …].
 */
function splitAxes(e: Fronts, n: Int, dof: Int, nd: Int, p: Int): void {
  for (let r = 0; r < n; r++) for (let c = 0; c < n; c++) e.B[n * r + c] = r === c ? 1 : 0
  for (let k = 0; k < n * nd; k++) e.A[k] = e.S[n * dof + k]
  for (let k = 0; k < nd; k++) {
    // reflect column k below row k onto its axis
    let norm = 0
    for (let r = k; r < n; r++) norm = norm + e.A[n * k + r] * e.A[n * k + r]
    const length = Math.sqrt(norm)
    const alpha = e.A[n * k + k] > 0 ? -length : length
    for (let r = k; r < n; r++) e.u[r] = e.A[n * k + r]
    e.u[k] = e.u[k] - alpha
    let square = 0
    for (let r = k; r < n; r++) square = square + e.u[r] * e.u[r]
    if (square > 0) {
      for (let c = k; c < nd; c++) reflect(e, e.A, n * c, 1, n, k, square)
      for (let c = 0; c < n; c++) reflect(e, e.B, c, n, n, k, square)
    }
  }
  for (let k = n * nd; k < n * n; k++) e.T[k - n * nd] = e.B[k]
  // R X = first rows of B, backwards
  for (let r = nd - 1; r >= 0; r--) {
    for (let c = 0; c < n; c++) {
      let sum = e.B[n * r + c]
      for (let k = r + 1; k < nd; k++) sum = sum - e.A[n * k + r] * e.P[p + n * k + c]
      e.P[p + n * r + c] = sum / e.A[n * r + r]
    }
  }
}

/** x ← x − 2 u (uᵀ x)/|u|² on entries k … n − 1 of the vector at M[o], `stride` apart. */
function reflect(e: Fronts, M: Lanes<number>, o: Int, stride: Int, n: Int, k: Int, square: number): void {
  let dot = 0
  for (let r = k; r < n; r++) dot = dot + e.u[r] * M[o + r * stride]
  const w = (2 * dot) / square
  for (let r = k; r < n; r++) M[o + r * stride] = M[o + r * stride] - w * e.u[r]
}

/** BASE: held by forces instead of the ground, T V = 0, and its joint's terms on S⁺ V. Writes S⁺. @kernel */
export function holdBase(e: Fronts, base: Int, st: Int, o: Int, i: Int, forces: Int): void {
  const n = e.handle + 0
  const dof = e.iv[i] + 0
  const nd = e.ivEnd[i] - dof
  const p = n * n * i
  splitAxes(e, n, dof, nd, p)
  for (let r = 0; r < n - nd; r++) {
    for (let c = 0; c < n; c++) {
      const at = placeOf(base, st, forces + r, o + c)
      e.Q[at] = e.Q[at] + e.T[n * r + c]
    }
  }
  for (let k = 0; k < nd; k++) {
    const row = p + n * k
    const x = e.joint[dof + k]
    for (let r = 0; r < n; r++) {
      for (let c = 0; c <= r; c++) {
        const at = base + (o + r) * st + o + c
        e.Q[at] = e.Q[at] + x * e.P[row + r] * e.P[row + c]
      }
    }
  }
}
