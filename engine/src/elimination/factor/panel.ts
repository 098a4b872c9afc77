/**
 * Kernels of plans by parts (`plan-parts`): handles into joints, and elimination by panels from the end of a dense front.
 *
 *   V(c) = V(p) + S v:   Q(v, ·) += Sᵀ Q(c, ·),   Q(p, ·) += Q(c, ·),   and the same for columns
 *   Q = (A gᵀ; g d):     A ← A − g gᵀ/d, one row after the other from the last; some twelve rows at a time for all that stays
 * Only the lower triangle of Q is kept; blocks that cross the diagonal write above it.
 */
import type { Vec } from '../../math/types.js'
import { AT } from '../plan/operations.js'
import type { Factor } from './factor.js'

/** rows that are eliminated together: more of them are faster on what stays, and slower among themselves */
const BLOCK = 12

/**
 * LIFT: the handle in slot o is replaced by velocities at `v` and the handle in slot p: another one, the same (the slot then stands for the
 * parent), or the ground (−1).
 */
export function liftSlot({ Q, world: { S }, g: R, plan: { ops } }: Factor, op: number): void {
  const base = ops[op + AT.matrix]
  const st = ops[op + AT.stride]
  const w = ops[op + AT.width]
  const o = ops[op + AT.slot]
  const p = ops[op + AT.to]
  const s = 6 * ops[op + AT.dof]
  const nd = ops[op + AT.count]
  const v = ops[op + AT.rate]
  if (nd === 1 && p === o && v >= o + 6) {
    liftInPlace(Q, base, st, w, o, S, s, v)
    return
  }
  gatherSlot(Q, base, st, w, o, R)
  // velocities among themselves first, with the slot as it was
  const own = 6 * o
  for (let k = 0; k < nd; k++) {
    for (let l = 0; l <= k; l++) {
      let sum = 0
      for (let a = 0; a < 6; a++) {
        let x = R[6 * (v + l) + a]
        for (let b = 0; b < 6; b++) x += R[own + 6 * a + b] * S[s + 6 * l + b]
        sum += S[s + 6 * k + a] * x + S[s + 6 * l + a] * R[6 * (v + k) + a]
      }
      Q[base + (v + k) * st + v + l] += sum
    }
  }
  if (p >= 0 && p !== o) {
    const at = 6 * p
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b <= a; b++) Q[base + (p + a) * st + p + b] += R[at + 6 * a + b] + R[at + 6 * b + a] + R[own + 6 * a + b]
    }
    for (let k = 0; k < 36; k++) R[at + k] += R[own + k]
    let from = 0
    for (let j = 0; j < p; j++) {
      let to = base + p * st + j
      Q[to] += R[from]
      to += st
      Q[to] += R[from + 1]
      to += st
      Q[to] += R[from + 2]
      to += st
      Q[to] += R[from + 3]
      to += st
      Q[to] += R[from + 4]
      to += st
      Q[to] += R[from + 5]
      from += 6
    }
    from = at + 36
    let to = base + (p + 6) * st + p
    for (let j = p + 6; j < w; j++) {
      Q[to] += R[from]
      Q[to + 1] += R[from + 1]
      Q[to + 2] += R[from + 2]
      Q[to + 3] += R[from + 3]
      Q[to + 4] += R[from + 4]
      Q[to + 5] += R[from + 5]
      from += 6
      to += st
    }
  }
  for (let k = 0; k < nd; k++) {
    const a0 = S[s + 6 * k]
    const a1 = S[s + 6 * k + 1]
    const a2 = S[s + 6 * k + 2]
    const a3 = S[s + 6 * k + 3]
    const a4 = S[s + 6 * k + 4]
    const a5 = S[s + 6 * k + 5]
    const row = base + (v + k) * st
    let r = 0
    for (let j = 0; j < v; j++) {
      Q[row + j] += a0 * R[r] + a1 * R[r + 1] + a2 * R[r + 2] + a3 * R[r + 3] + a4 * R[r + 4] + a5 * R[r + 5]
      r += 6
    }
    r += 6 * nd
    let q = base + (v + nd) * st + v + k
    for (let j = v + nd; j < w; j++) {
      Q[q] += a0 * R[r] + a1 * R[r + 1] + a2 * R[r + 2] + a3 * R[r + 3] + a4 * R[r + 4] + a5 * R[r + 5]
      r += 6
      q += st
    }
  }
}

/** The same for a single velocity behind the slot, which now stands for the parent: nothing but its row is new. */
function liftInPlace(Q: Vec, base: number, st: number, w: number, o: number, S: Vec, s: number, v: number): void {
  const a0 = S[s]
  const a1 = S[s + 1]
  const a2 = S[s + 2]
  const a3 = S[s + 3]
  const a4 = S[s + 4]
  const a5 = S[s + 5]
  const row = base + v * st
  const r0 = base + o * st
  const r1 = r0 + st
  const r2 = r1 + st
  const r3 = r2 + st
  const r4 = r3 + st
  const r5 = r4 + st
  const x = a0 * Q[row + o] + a1 * Q[row + o + 1] + a2 * Q[row + o + 2] + a3 * Q[row + o + 3] + a4 * Q[row + o + 4] + a5 * Q[row + o + 5]
  for (let j = 0; j < o; j++) {
    Q[row + j] += a0 * Q[r0 + j] + a1 * Q[r1 + j] + a2 * Q[r2 + j] + a3 * Q[r3 + j] + a4 * Q[r4 + j] + a5 * Q[r5 + j]
  }
  // its own block, from below the diagonal
  let y = 0
  for (let a = 0; a < 6; a++) {
    let sum = 0
    for (let b = 0; b < 6; b++) sum += S[s + b] * (a >= b ? Q[r0 + a * st + o + b] : Q[r0 + b * st + o + a])
    Q[row + o + a] += sum
    y += S[s + a] * sum
  }
  let q = r5 + st + o
  for (let j = o + 6; j < v; j++) {
    Q[row + j] += a0 * Q[q] + a1 * Q[q + 1] + a2 * Q[q + 2] + a3 * Q[q + 3] + a4 * Q[q + 4] + a5 * Q[q + 5]
    q += st
  }
  Q[row + v] += 2 * x + y
  q += st
  for (let j = v + 1; j < w; j++) {
    Q[base + j * st + v] += a0 * Q[q] + a1 * Q[q + 1] + a2 * Q[q + 2] + a3 * Q[q + 3] + a4 * Q[q + 4] + a5 * Q[q + 5]
    q += st
  }
}

/** R ← the six rows of a slot, column by column, below and above the diagonal. */
function gatherSlot(Q: Vec, base: number, st: number, w: number, o: number, R: Vec): void {
  const r0 = base + o * st
  const r1 = r0 + st
  const r2 = r1 + st
  const r3 = r2 + st
  const r4 = r3 + st
  const r5 = r4 + st
  let to = 0
  for (let j = 0; j < o; j++) {
    R[to] = Q[r0 + j]
    R[to + 1] = Q[r1 + j]
    R[to + 2] = Q[r2 + j]
    R[to + 3] = Q[r3 + j]
    R[to + 4] = Q[r4 + j]
    R[to + 5] = Q[r5 + j]
    to += 6
  }
  for (let a = 0; a < 6; a++) {
    for (let b = 0; b <= a; b++) {
      const x = Q[r0 + a * st + o + b]
      R[to + 6 * a + b] = x
      R[to + 6 * b + a] = x
    }
  }
  to += 36
  let q = r0 + 6 * st + o
  for (let j = o + 6; j < w; j++) {
    R[to] = Q[q]
    R[to + 1] = Q[q + 1]
    R[to + 2] = Q[q + 2]
    R[to + 3] = Q[q + 3]
    R[to + 4] = Q[q + 4]
    R[to + 5] = Q[q + 5]
    to += 6
    q += st
  }
}

/** JOIN: adds the branch by runs that keep together. */
export function joinFront({ Q, plan: { ops, lists } }: Factor, p: number): void {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const from = ops[p + AT.branch]
  const stride = ops[p + AT.branchStride]
  const list = ops[p + AT.list]
  const end = list + 1 + 3 * lists[list]
  for (let r = list + 1; r < end; r += 3) {
    for (let i = 0; i < lists[r + 2]; i++) {
      const row = from + (lists[r] + i) * stride
      const ti = lists[r + 1] + i
      for (let s = list + 1; s < end; s += 3) {
        if (lists[s] > lists[r]) continue
        const length = s === r ? i + 1 : lists[s + 2]
        const at = row + lists[s]
        if (lists[s + 1] <= ti) {
          const to = base + ti * st + lists[s + 1]
          for (let j = 0; j < length; j++) Q[to + j] += Q[at + j]
        } else {
          let to = base + lists[s + 1] * st + ti
          for (let j = 0; j < length; j++) {
            Q[to] += Q[at + j]
            to += st
          }
        }
      }
    }
  }
}

/**
 * PANEL: takes the last `count` of w scalars out of a front, some with positive pivots first, then those with negative ones. Keeps their rows
 * divided by their pivots in H, one behind the other, 1/pivot in dinv. False where a pivot has the wrong sign.
 */
export function eliminateEnd({ Q, H, dinv, plan: { ops } }: Factor, p: number): boolean {
  const base = ops[p + AT.matrix]
  const st = ops[p + AT.stride]
  const count = ops[p + AT.count]
  const positive = ops[p + AT.positive]
  const pivot = ops[p + AT.pivot]
  let done = 0
  let end = ops[p + AT.width]
  let h = ops[p + AT.kept]
  while (done < count) {
    // what stays is a multiple of four long, if it can be
    let n = end - ((end - BLOCK) & ~3)
    if (n > count - done) n = count - done
    const low = end - n
    for (let a = 0; a < n; a++) {
      const i = end - 1 - a
      const row = base + i * st
      const d = Q[row + i]
      if (!((done + a < positive ? d : -d) > 0 && Math.abs(d) < Number.POSITIVE_INFINITY)) return false
      dinv[pivot + done + a] = 1 / d
      // those of the block that follow feel it at once: the next one, and every other time all, for two
      if ((a & 1) === 0) {
        if (i > low) subtractRow(Q, row - st, row, i)
      } else {
        for (let k = i - 1; k >= low; k--) subtractRows(Q, base + k * st, row, i, st, k)
      }
    }
    let to = h
    for (let a = 0; a < n; a++) {
      const i = end - 1 - a
      const row = base + i * st
      const inverse = dinv[pivot + done + a]
      for (let j = 0; j < i; j++) H[to + j] = Q[row + j] * inverse
      to += i
    }
    subtractBlock(Q, base, st, low, end, H, h)
    h = to
    done += n
    end = low
  }
  return true
}

/** The row before, as the pivot in row `from` at column i leaves it. */
function subtractRow(Q: Vec, to: number, from: number, i: number): void {
  const x = Q[from + i - 1] / Q[from + i]
  for (let j = 0; j < i; j++) Q[to + j] -= x * Q[from + j]
}

/** Row k, as the pivots in row `second` at column i and in the row behind it leave it. */
function subtractRows(Q: Vec, to: number, second: number, i: number, st: number, k: number): void {
  const first = second + st
  const x = Q[first + k] / Q[first + i + 1]
  const y = Q[second + k] / Q[second + i]
  for (let j = 0; j <= k; j++) Q[to + j] -= x * Q[first + j] + y * Q[second + j]
}

/**
 * Q −= Σ g hᵀ on the lower triangle of the first w, for the rows g from w to `end` of Q and theirs in H, the last first: four rows by four
 * columns at a time, so that sums stay in registers.
 */
function subtractBlock(Q: Vec, base: number, st: number, w: number, end: number, H: Vec, h: number): void {
  const first = base + (end - 1) * st
  const last = base + w * st
  const whole = w & ~3
  for (let i = 0; i < whole; i += 4) {
    for (let j = 0; j <= i; j += 4) {
      let a0 = 0
      let a1 = 0
      let a2 = 0
      let a3 = 0
      let b0 = 0
      let b1 = 0
      let b2 = 0
      let b3 = 0
      let c0 = 0
      let c1 = 0
      let c2 = 0
      let c3 = 0
      let d0 = 0
      let d1 = 0
      let d2 = 0
      let d3 = 0
      let x = h + j
      let length = end - 1
      for (let g = first + i; g >= last; g -= st) {
        const g0 = Q[g]
        const g1 = Q[g + 1]
        const g2 = Q[g + 2]
        const g3 = Q[g + 3]
        const h0 = H[x]
        a0 += g0 * h0
        b0 += g1 * h0
        c0 += g2 * h0
        d0 += g3 * h0
        const h1 = H[x + 1]
        a1 += g0 * h1
        b1 += g1 * h1
        c1 += g2 * h1
        d1 += g3 * h1
        const h2 = H[x + 2]
        a2 += g0 * h2
        b2 += g1 * h2
        c2 += g2 * h2
        d2 += g3 * h2
        const h3 = H[x + 3]
        a3 += g0 * h3
        b3 += g1 * h3
        c3 += g2 * h3
        d3 += g3 * h3
        x += length--
      }
      let q = base + i * st + j
      Q[q] -= a0
      Q[q + 1] -= a1
      Q[q + 2] -= a2
      Q[q + 3] -= a3
      q += st
      Q[q] -= b0
      Q[q + 1] -= b1
      Q[q + 2] -= b2
      Q[q + 3] -= b3
      q += st
      Q[q] -= c0
      Q[q + 1] -= c1
      Q[q + 2] -= c2
      Q[q + 3] -= c3
      q += st
      Q[q] -= d0
      Q[q + 1] -= d1
      Q[q + 2] -= d2
      Q[q + 3] -= d3
    }
  }
  // up to three rows are left
  for (let i = whole; i < w; i++) {
    const row = base + i * st
    let x = h
    let length = end - 1
    for (let g = first; g >= last; g -= st) {
      const y = Q[g + i]
      for (let j = 0; j <= i; j++) Q[row + j] -= y * H[x + j]
      x += length--
    }
  }
}
