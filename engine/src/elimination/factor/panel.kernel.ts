/**
 * Operations of plans by parts (`plan-parts`): handles into joints, and elimination by panels from the end of a dense front.
 *
 *   V(c) = V(p) + S v:   Q(v, ·) += Sᵀ Q(c, ·),   Q(p, ·) += Q(c, ·),   and the same for columns
 *   Q = (A gᵀ; g d):     A ← A − g gᵀ/d, one row after the other from the last; some twelve rows at a time for all that stays
 * Only the lower triangle of Q is kept; blocks that cross the diagonal write above it.
 */
import { add, type Int, scale } from '../../math/values/columns.js'
import { dotFew, type Fronts, few } from '../fronts.kernel.js'

/** rows that are eliminated together: more of them are faster on what stays, and slower among themselves */
const BLOCK = 12
const LARGEST = 1.7976931348623157e308

/** g ← the six rows of a slot, column by column, below and above the diagonal. */
function gatherSlot(e: Fronts, base: Int, st: Int, w: Int, o: Int): void {
  const rows = few(6, (r) => base + (o + r) * st)
  for (let j = 0; j < o; j++) for (let r = 0; r < 6; r++) e.g[6 * j + r] = e.Q[rows[r] + j]
  for (let a = 0; a < 6; a++) {
    for (let b = 0; b <= a; b++) {
      const x = e.Q[rows[a] + o + b]
      e.g[6 * (o + a) + b] = x
      e.g[6 * (o + b) + a] = x
    }
  }
  for (let j = o + 6; j < w; j++) {
    const q = base + j * st + o
    for (let r = 0; r < 6; r++) e.g[6 * j + r] = e.Q[q + r]
  }
}

/**
 * LIFT: the handle in slot o is replaced by velocities at `v` and the handle in slot p: another one, the same (the slot then stands for the
 * parent), or the ground (−1). Where velocities come into the front for the first time, so does what acts in their joint. @kernel
 */
export function liftSlot(e: Fronts, base: Int, st: Int, w: Int, o: Int, p: Int, dof: Int, nd: Int, v: Int, fresh: Int): void {
  gatherSlot(e, base, st, w, o)
  // velocities among themselves first, with the slot as it was
  for (let k = 0; k < nd; k++) {
    const a = few(6, (r) => e.S[6 * (dof + k) + r])
    for (let l = 0; l <= k; l++) {
      const b = few(6, (r) => e.S[6 * (dof + l) + r])
      const x = few(6, (r) => e.g[6 * (v + k) + r])
      let sum = dotFew(6, b, x)
      for (let r = 0; r < 6; r++) {
        const own = few(6, (c) => e.g[6 * (o + r) + c])
        sum = sum + a[r] * (e.g[6 * (v + l) + r] + dotFew(6, own, b))
      }
      const at = base + (v + k) * st + v + l
      e.Q[at] = e.Q[at] + sum
    }
  }
  if (p >= 0 && p !== o) {
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b <= a; b++) {
        const at = base + (p + a) * st + p + b
        e.Q[at] = e.Q[at] + (e.g[6 * (p + a) + b] + e.g[6 * (p + b) + a] + e.g[6 * (o + a) + b])
      }
    }
    for (let k = 0; k < 36; k++) e.g[6 * p + k] = e.g[6 * p + k] + e.g[6 * o + k]
    const rows = few(6, (r) => base + (p + r) * st)
    for (let j = 0; j < p; j++) for (let r = 0; r < 6; r++) e.Q[rows[r] + j] = e.Q[rows[r] + j] + e.g[6 * j + r]
    for (let j = p + 6; j < w; j++) {
      const q = base + j * st + p
      for (let r = 0; r < 6; r++) e.Q[q + r] = e.Q[q + r] + e.g[6 * j + r]
    }
  }
  for (let k = 0; k < nd; k++) {
    const a = few(6, (r) => e.S[6 * (dof + k) + r])
    const row = base + (v + k) * st
    for (let j = 0; j < v; j++) {
      const x = few(6, (r) => e.g[6 * j + r])
      e.Q[row + j] = e.Q[row + j] + dotFew(6, a, x)
    }
    for (let j = v + nd; j < w; j++) {
      const q = base + j * st + v + k
      const x = few(6, (r) => e.g[6 * j + r])
      e.Q[q] = e.Q[q] + dotFew(6, a, x)
    }
    if (fresh === 1) e.Q[row + v + k] = e.Q[row + v + k] + e.joint[dof + k]
  }
}

/**
 * PANEL: takes the last `count` of w scalars out of a front, some with positive pivots first, then those with negative ones. Keeps their rows
 * divided by their pivots in H, one behind the other, 1/pivot in dinv. Fails where a pivot has the wrong sign. @kernel
 */
export function eliminateEnd(e: Fronts, base: Int, st: Int, w: Int, count: Int, positive: Int, kept: Int, pivot: Int): void {
  let end: Int = w
  let h: Int = kept
  for (let done = 0; done < count; done = w - end) {
    const n = count - done < BLOCK ? count - done : BLOCK
    const low = end - n
    for (let a = 0; a < n; a++) {
      const i = end - 1 - a
      const row = base + i * st
      const d = e.Q[row + i]
      const good = done + a < positive ? d : -d
      if (!(good > 0 && good <= LARGEST)) e.failed[0] = 1
      const inverse = 1 / d
      e.dinv[pivot + done + a] = inverse
      for (let j = 0; j < i; j++) e.H[h + j] = e.Q[row + j] * inverse
      // those of the block that follow feel it at once
      for (let k = low; k < i; k++) {
        const to = base + k * st
        const x = e.Q[row + k]
        for (let j = 0; j <= k; j++) e.Q[to + j] = e.Q[to + j] - x * e.H[h + j]
      }
      h = h + i
    }
    // H rows of this block begin where its last one ends, less their lengths end − 1, end − 2, …
    subtractBlock(e, base, st, low, end, h)
    end = low
  }
}

/**
 * Q −= Σ g hᵀ on the lower triangle of the first w, for the rows g from w to `end` of Q and theirs in H, of which the last ends at `stop`: four
 * rows by four columns at a time, so that sums stay in registers. @kernel
 */
export function subtractBlock(e: Fronts, base: Int, st: Int, w: Int, end: Int, stop: Int): void {
  const first = base + w * st
  const last = base + end * st
  const none = few(4, () => few(4, () => scale(0, e.step[0])))
  let done: Int = 0
  for (let i = 0; i + 3 < w; i = i + 4) {
    for (let j = 0; j <= i; j = j + 4) {
      let sums = none
      let at: Int = stop
      let length: Int = w
      for (let g = first; g < last; g = g + st) {
        at = at - length
        length = length + 1
        const x = few(4, (r) => e.Q[g + i + r])
        const y = few(4, (c) => e.H[at + j + c])
        const products = few(4, (r) => scale(x[r], y))
        sums = add(sums, products)
      }
      for (let r = 0; r < 4; r++) {
        const q = base + (i + r) * st + j
        for (let c = 0; c < 4; c++) e.Q[q + c] = e.Q[q + c] - sums[r][c]
      }
    }
    done = i + 4
  }
  // up to three rows are left
  for (let i = done; i < w; i++) {
    const row = base + i * st
    let at: Int = stop
    let length: Int = w
    for (let g = first; g < last; g = g + st) {
      at = at - length
      length = length + 1
      const y = e.Q[g + i]
      for (let j = 0; j <= i; j++) e.Q[row + j] = e.Q[row + j] - y * e.H[at + j]
    }
  }
}
