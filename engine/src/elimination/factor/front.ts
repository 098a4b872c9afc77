/**
 * Kernels on a front: articulated-body elimination with several handles. Those that take (f, p) carry out the operation at ops[p].
 *
 * A front holds the energy ½ yᵀ Q y of all that was taken out, as a function of the velocities y of the handles left. A body goes
 * through its joint, V(c) = V(p) + S v: with g = Sᵀ Q(c, ·), d = Sᵀ Q(c, c) S + r
 *   v = (β − gᵀ y)/d,  β = b + Sᵀ f(c);   Q ← Q − g gᵀ/d,  f ← f − g β/d,   and the slot of c now stands for p.
 * With a single handle this is the articulated-body method. Velocities are in world axes at points fixed by the plan, so that
 * going from body to body moves nothing. Only the lower triangle of Q is kept.
 */
import type { Vec } from '../../math/types.js'
import { AT } from '../plan/operations.js'
import type { Factor } from './factor.js'

/** g(k, ·) ← S(k)ᵀ Q(slot, ·) for nd axes; rows of g are w apart, the first at g[from]. */
export function projectSlot(
  Q: Vec,
  base: number,
  st: number,
  w: number,
  o: number,
  S: Vec,
  s: number,
  nd: number,
  g: Vec,
  from: number,
): void {
  const r0 = base + o * st
  const r1 = r0 + st
  const r2 = r1 + st
  const r3 = r2 + st
  const r4 = r3 + st
  const r5 = r4 + st
  for (let k = 0; k < nd; k++) {
    const a0 = S[s + 6 * k]
    const a1 = S[s + 6 * k + 1]
    const a2 = S[s + 6 * k + 2]
    const a3 = S[s + 6 * k + 3]
    const a4 = S[s + 6 * k + 4]
    const a5 = S[s + 6 * k + 5]
    const to = from + k * w
    for (let j = 0; j < o; j++) {
      g[to + j] = a0 * Q[r0 + j] + a1 * Q[r1 + j] + a2 * Q[r2 + j] + a3 * Q[r3 + j] + a4 * Q[r4 + j] + a5 * Q[r5 + j]
    }
    g[to + o] = a0 * Q[r0 + o] + a1 * Q[r1 + o] + a2 * Q[r2 + o] + a3 * Q[r3 + o] + a4 * Q[r4 + o] + a5 * Q[r5 + o]
    g[to + o + 1] = a0 * Q[r1 + o] + a1 * Q[r1 + o + 1] + a2 * Q[r2 + o + 1] + a3 * Q[r3 + o + 1] + a4 * Q[r4 + o + 1] + a5 * Q[r5 + o + 1]
    g[to + o + 2] = a0 * Q[r2 + o] + a1 * Q[r2 + o + 1] + a2 * Q[r2 + o + 2] + a3 * Q[r3 + o + 2] + a4 * Q[r4 + o + 2] + a5 * Q[r5 + o + 2]
    g[to + o + 3] = a0 * Q[r3 + o] + a1 * Q[r3 + o + 1] + a2 * Q[r3 + o + 2] + a3 * Q[r3 + o + 3] + a4 * Q[r4 + o + 3] + a5 * Q[r5 + o + 3]
    g[to + o + 4] = a0 * Q[r4 + o] + a1 * Q[r4 + o + 1] + a2 * Q[r4 + o + 2] + a3 * Q[r4 + o + 3] + a4 * Q[r4 + o + 4] + a5 * Q[r5 + o + 4]
    g[to + o + 5] = a0 * Q[r5 + o] + a1 * Q[r5 + o + 1] + a2 * Q[r5 + o + 2] + a3 * Q[r5 + o + 3] + a4 * Q[r5 + o + 4] + a5 * Q[r5 + o + 5]
    let q = base + (o + 6) * st + o
    for (let j = o + 6; j < w; j++) {
      g[to + j] = a0 * Q[q] + a1 * Q[q + 1] + a2 * Q[q + 2] + a3 * Q[q + 3] + a4 * Q[q + 4] + a5 * Q[q + 5]
      q += st
    }
  }
}

/** JOINT with one velocity that no row acts on: `projectSlot` and `eliminatePanel` in one. False where the pivot is not positive. */
export function eliminateHinge(f: Factor, p: number): boolean {
  const { Q, H, dinv } = f
  const { S, joint } = f.world
  const { ops } = f.plan
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const slot = ops[p + AT.slot]
  const kept = ops[p + AT.kept]
  const pivot = ops[p + AT.pivot]
  const k = ops[p + AT.dof]
  const s = 6 * k
  projectSlot(Q, base, st, w, slot, S, s, 1, H, kept)
  const at = kept + slot
  const diagonal =
    joint[k] +
    S[s] * H[at] +
    S[s + 1] * H[at + 1] +
    S[s + 2] * H[at + 2] +
    S[s + 3] * H[at + 3] +
    S[s + 4] * H[at + 4] +
    S[s + 5] * H[at + 5]
  if (!(diagonal > 0 && diagonal < Number.POSITIVE_INFINITY)) return false
  dinv[pivot] = 1 / diagonal
  subtractHinge(Q, base, st, w, H, kept, dinv, pivot)
  return true
}

/** Q −= g gᵀ/d of the row g = H[kept …], two rows of Q at a time; H ← g/d. */
export function subtractHinge(Q: Vec, base: number, st: number, w: number, H: Vec, kept: number, dinv: Vec, pivot: number): void {
  const inverse = dinv[pivot]
  let i = 0
  for (; i + 1 < w; i += 2) {
    const x0 = inverse * H[kept + i]
    const x1 = inverse * H[kept + i + 1]
    const r0 = base + i * st
    const r1 = r0 + st
    for (let j = 0; j <= i; j++) {
      const y = H[kept + j]
      Q[r0 + j] -= x0 * y
      Q[r1 + j] -= x1 * y
    }
    Q[r1 + i + 1] -= x1 * H[kept + i + 1]
  }
  if (i < w) {
    const x = inverse * H[kept + i]
    for (let j = 0; j <= i; j++) Q[base + i * st + j] -= x * H[kept + j]
  }
  for (let j = kept; j < kept + w; j++) H[j] *= inverse
}

/**
 * JOINT and PIVOT: takes k velocities or forces out of the front, one after the other. f.g holds their rows (w apart), f.own their own k × k
 * block (k apart), both overwritten. Keeps g/d in H and 1/d in dinv. False where a pivot has not this sign. `slot` is where they sit
 * themselves, and from where they vanish as they go; −1 for the velocities of a joint, whose slot stays.
 */
export function eliminatePanel(
  { Q, H, dinv, g, own: C, plan: { ops } }: Factor,
  p: number,
  k: number,
  slot: number,
  sign: number,
): boolean {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const kept = ops[p + AT.kept]
  const pivot = ops[p + AT.pivot]
  for (let a = 0; a < k; a++) {
    const row = a * w
    const diagonal = C[a * k + a]
    if (!(sign * diagonal > 0 && Math.abs(diagonal) < Number.POSITIVE_INFINITY)) return false
    const inverse = 1 / diagonal
    dinv[pivot + a] = inverse
    if (slot >= 0) for (let c = slot; c <= slot + a; c++) g[row + c] = 0
    for (let j = 0; j < w; j++) H[kept + row + j] = g[row + j] * inverse
    for (let b = a + 1; b < k; b++) {
      const mixed = C[b * k + a]
      if (mixed === 0) continue
      for (let j = 0; j < w; j++) g[b * w + j] -= mixed * H[kept + row + j]
      for (let c = a + 1; c <= b; c++) C[b * k + c] -= mixed * C[c * k + a] * inverse
    }
  }
  let a = 0
  for (; a + 2 < k && a + 4 !== k; a += 3) subtractRank3(Q, base, st, w, g, a * w, H, kept + a * w)
  for (; a + 1 < k; a += 2) subtractRank2(Q, base, st, w, g, a * w, H, kept + a * w)
  if (a < k) subtractRank1(Q, base, st, w, g, a * w, H, kept + a * w)
  return true
}

/** Q −= g hᵀ on the lower triangle; zeros of g are skipped, which a plane mechanism has many of. */
export function subtractRank1(Q: Vec, base: number, st: number, w: number, g: Vec, from: number, h: Vec, to: number): void {
  for (let i = 0; i < w; i++) {
    const x = g[from + i]
    if (x === 0) continue
    const row = base + i * st
    for (let j = 0; j <= i; j++) Q[row + j] -= x * h[to + j]
  }
}

/** Q −= g₀ h₀ᵀ + g₁ h₁ᵀ; rows of g and of h are w apart. Two rows of Q at a time. */
function subtractRank2(Q: Vec, base: number, st: number, w: number, g: Vec, from: number, h: Vec, to: number): void {
  const h1 = to + w
  let i = 0
  for (; i + 1 < w; i += 2) {
    const x0 = g[from + i]
    const y0 = g[from + w + i]
    const x1 = g[from + i + 1]
    const y1 = g[from + w + i + 1]
    const r0 = base + i * st
    const r1 = r0 + st
    for (let j = 0; j <= i; j++) {
      const a = h[to + j]
      const b = h[h1 + j]
      Q[r0 + j] -= x0 * a + y0 * b
      Q[r1 + j] -= x1 * a + y1 * b
    }
    Q[r1 + i + 1] -= x1 * h[to + i + 1] + y1 * h[h1 + i + 1]
  }
  if (i < w) {
    const row = base + i * st
    for (let j = 0; j <= i; j++) Q[row + j] -= g[from + i] * h[to + j] + g[from + w + i] * h[h1 + j]
  }
}

function subtractRank3(Q: Vec, base: number, st: number, w: number, g: Vec, from: number, h: Vec, to: number): void {
  const h1 = to + w
  const h2 = h1 + w
  let i = 0
  for (; i + 1 < w; i += 2) {
    const x0 = g[from + i]
    const y0 = g[from + w + i]
    const z0 = g[from + 2 * w + i]
    const x1 = g[from + i + 1]
    const y1 = g[from + w + i + 1]
    const z1 = g[from + 2 * w + i + 1]
    const r0 = base + i * st
    const r1 = r0 + st
    for (let j = 0; j <= i; j++) {
      const a = h[to + j]
      const b = h[h1 + j]
      const c = h[h2 + j]
      Q[r0 + j] -= x0 * a + y0 * b + z0 * c
      Q[r1 + j] -= x1 * a + y1 * b + z1 * c
    }
    Q[r1 + i + 1] -= x1 * h[to + i + 1] + y1 * h[h1 + i + 1] + z1 * h[h2 + i + 1]
  }
  if (i < w) {
    const row = base + i * st
    for (let j = 0; j <= i; j++) {
      Q[row + j] -= g[from + i] * h[to + j] + g[from + w + i] * h[h1 + j] + g[from + 2 * w + i] * h[h2 + j]
    }
  }
}

/** SHIFT: the slot's point of reference moves by −way: a force f there turns with it, n += way × f, in rows and columns alike. */
export function shiftSlot({ Q, plan: { ops } }: Factor, p: number, way: Vec): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const o = ops[p + AT.slot]
  // rows of the slot left of its own block, and the whole block taken as rows
  for (let j = 0; j < o; j++) addMoment(Q, base + o * st + j, st, way)
  for (let a = 0; a < 6; a++) for (let b = 0; b < a; b++) Q[base + (o + b) * st + o + a] = Q[base + (o + a) * st + o + b]
  for (let j = o; j < o + 6; j++) addMoment(Q, base + o * st + j, st, way)
  for (let i = o; i < w; i++) addMoment(Q, base + i * st + o, 1, way)
}

/** n += p × f for the six numbers of a wrench, `step` apart. */
export function addMoment(Q: Vec, at: number, step: number, p: Vec): void {
  const fx = Q[at + 3 * step]
  const fy = Q[at + 4 * step]
  const fz = Q[at + 5 * step]
  Q[at] += p[1] * fz - p[2] * fy
  Q[at + step] += p[2] * fx - p[0] * fz
  Q[at + 2 * step] += p[0] * fy - p[1] * fx
}

/** MOVE: a slot to one before it, scalar by scalar; what was there is lost. */
export function moveSlot({ Q, plan: { ops } }: Factor, p: number): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const end = ops[p + AT.slot] + ops[p + AT.count]
  let t = ops[p + AT.to]
  for (let i = ops[p + AT.slot]; i < end; i++) {
    const from = base + i * st
    const to = base + t * st
    for (let j = 0; j < t; j++) Q[to + j] = Q[from + j]
    Q[to + t] = Q[from + i]
    for (let j = t + 1; j < i; j++) Q[base + j * st + t] = Q[from + j]
    for (let j = i + 1; j < w; j++) Q[base + j * st + t] = Q[base + j * st + i]
    t++
  }
}

/** Where entry (i, j) of a front's lower triangle is. */
function placeOf(base: number, st: number, i: number, j: number): number {
  return i >= j ? base + i * st + j : base + j * st + i
}

/** FOLD: slot a is the same body as slot b, and its rows and columns are added there. */
export function foldSlot({ Q, plan: { ops, handle: n } }: Factor, p: number): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const w = ops[p + AT.width]
  const a = ops[p + AT.slot]
  const b = ops[p + AT.to]
  for (let r = 0; r < n; r++) {
    for (let j = 0; j < w; j++) {
      if ((j >= a && j < a + n) || (j >= b && j < b + n)) continue
      Q[placeOf(base, st, b + r, j)] += Q[placeOf(base, st, a + r, j)]
    }
  }
  for (let r = 0; r < n; r++) {
    for (let s = 0; s <= r; s++) {
      const own = Q[placeOf(base, st, a + r, a + s)]
      Q[placeOf(base, st, b + r, b + s)] += own + Q[placeOf(base, st, a + r, b + s)] + Q[placeOf(base, st, b + r, a + s)]
    }
  }
}

/** ADD: the branch's scalar j goes to lists[list + j]. */
export function addFront({ Q, plan: { ops, lists } }: Factor, p: number): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const from = ops[p + AT.branch]
  const stride = ops[p + AT.branchStride]
  const m = ops[p + AT.count]
  const list = ops[p + AT.list]
  for (let i = 0; i < m; i++) {
    const ti = lists[list + i]
    const row = from + i * stride
    for (let j = 0; j <= i; j++) {
      const tj = lists[list + j]
      Q[ti >= tj ? base + ti * st + tj : base + tj * st + ti] += Q[row + j]
    }
  }
}

/** BODY: Q(slot, slot) += the body's inertia, 21 numbers (`math/inertia`). */
export function addBodyBlock({ Q, world: { M }, plan: { ops } }: Factor, p: number): void {
  const st = ops[p + AT.stride]
  const o = ops[p + AT.slot]
  const m = 21 * ops[p + AT.body]
  let r = ops[p + AT.matrix] + o * st + o
  Q[r] += M[m]
  r += st
  Q[r] += M[m + 1]
  Q[r + 1] += M[m + 3]
  r += st
  Q[r] += M[m + 2]
  Q[r + 1] += M[m + 4]
  Q[r + 2] += M[m + 5]
  for (let k = 0; k < 3; k++) {
    r += st
    Q[r] += M[m + 6 + k]
    Q[r + 1] += M[m + 9 + k]
    Q[r + 2] += M[m + 12 + k]
  }
  Q[r - 2 * st + 3] += M[m + 15]
  Q[r - st + 3] += M[m + 16]
  Q[r - st + 4] += M[m + 18]
  Q[r + 3] += M[m + 17]
  Q[r + 4] += M[m + 19]
  Q[r + 5] += M[m + 20]
}

/** Q(a, b) += w J(i) J(j)ᵀ for two slots and the weight of row r; twice, mirrored, where they are the same one. */
export function addCross(f: Factor, p: number, a: number, b: number, i: number, j: number, r: number): void {
  const { Q } = f
  const { J } = f.world
  const { ops } = f.plan
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const weight = f.tree.weight[r]
  if (a === b) {
    for (let c = 0; c < 6; c++) {
      for (let q = 0; q <= c; q++) Q[base + (a + c) * st + a + q] += weight * (J[i + c] * J[j + q] + J[j + c] * J[i + q])
    }
    return
  }
  const low = a > b ? a : b
  const x = a > b ? i : j
  const y = a > b ? j : i
  const column = a > b ? b : a
  const y0 = J[y]
  const y1 = J[y + 1]
  const y2 = J[y + 2]
  const y3 = J[y + 3]
  const y4 = J[y + 4]
  const y5 = J[y + 5]
  for (let c = 0; c < 6; c++) {
    const t = weight * J[x + c]
    if (t === 0) continue
    const at = base + (low + c) * st + column
    Q[at] += t * y0
    Q[at + 1] += t * y1
    Q[at + 2] += t * y2
    Q[at + 3] += t * y3
    Q[at + 4] += t * y4
    Q[at + 5] += t * y5
  }
}
