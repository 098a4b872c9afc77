/**
 * Numeric phase of `direct` by parts (`part-plan`): handles into joints, and elimination from the end of a dense front.
 *
 *   V(c) = V(p) + S v:   Q(v, ·) += Sᵀ Q(c, ·),   Q(p, ·) += Q(c, ·),   and the same for columns
 *   Q = (A gᵀ; g d):     A ← A − g gᵀ/d, one row after the other from the last; sixteen rows at a time for all that stays
 * Only the lower triangle of Q is kept; blocks that cross the diagonal write above it.
 */
import type { Vec } from '../../math/types.js'

/** rows that are eliminated together: more of them are faster on what stays, and slower among themselves */
const BLOCK = 12

const B = new Float64Array(36)

/**
 * The handle in the last slot o is replaced by velocities at `v` (nd of them, axes from S[s]) and the handle in slot p, or the ground (−1).
 */
export function liftSlot(Q: Vec, base: number, st: number, o: number, p: number, S: Vec, s: number, nd: number, v: number): void {
  const r0 = base + o * st
  const r1 = r0 + st
  const r2 = r1 + st
  const r3 = r2 + st
  const r4 = r3 + st
  const r5 = r4 + st
  // velocities with their own block first, as what they have with the slot is still as it was
  for (let a = 0; a < 6; a++) {
    for (let b = 0; b <= a; b++) {
      const x = Q[r0 + a * st + o + b]
      B[6 * a + b] = x
      B[6 * b + a] = x
    }
  }
  for (let k = 0; k < nd; k++) {
    const at = base + (v + k) * st + v
    for (let l = 0; l <= k; l++) {
      let sum = 0
      for (let a = 0; a < 6; a++) {
        let x = Q[r0 + a * st + v + l]
        for (let b = 0; b < 6; b++) x += B[6 * a + b] * S[s + 6 * l + b]
        sum += S[s + 6 * k + a] * x + S[s + 6 * l + a] * Q[r0 + a * st + v + k]
      }
      Q[at + l] += sum
    }
  }
  if (p >= 0) {
    for (let a = 0; a < 6; a++) {
      for (let b = 0; b <= a; b++) Q[base + (p + a) * st + p + b] += Q[r0 + a * st + p + b] + Q[r0 + b * st + p + a] + B[6 * a + b]
    }
    for (let a = 0; a < 6; a++) for (let b = 0; b < 6; b++) Q[r0 + a * st + p + b] += B[6 * a + b]
    let to = base + p * st
    for (let a = 0; a < 6; a++) {
      const from = r0 + a * st
      for (let j = 0; j < p; j++) Q[to + j] += Q[from + j]
      to += st
    }
    for (let j = p + 6; j < o; j++) {
      const q = base + j * st + p
      Q[q] += Q[r0 + j]
      Q[q + 1] += Q[r1 + j]
      Q[q + 2] += Q[r2 + j]
      Q[q + 3] += Q[r3 + j]
      Q[q + 4] += Q[r4 + j]
      Q[q + 5] += Q[r5 + j]
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
    for (let j = 0; j < v; j++) {
      Q[row + j] += a0 * Q[r0 + j] + a1 * Q[r1 + j] + a2 * Q[r2 + j] + a3 * Q[r3 + j] + a4 * Q[r4 + j] + a5 * Q[r5 + j]
    }
    let q = base + (v + nd) * st + v + k
    for (let j = v + nd; j < o; j++) {
      Q[q] += a0 * Q[r0 + j] + a1 * Q[r1 + j] + a2 * Q[r2 + j] + a3 * Q[r3 + j] + a4 * Q[r4 + j] + a5 * Q[r5 + j]
      q += st
    }
  }
}

/**
 * Takes the last `count` of w scalars out of a front, the first `plus` of them with positive pivots, the others with negative ones. Keeps
 * their rows divided by their pivots in H, 1/pivot in dinv. False where a pivot has the wrong sign. `panel`: scratch of panelSize(w).
 */
export function eliminateEnd(
  Q: Vec,
  base: number,
  st: number,
  w: number,
  count: number,
  plus: number,
  H: Vec,
  kept: number,
  dinv: Vec,
  pivot: number,
  panel: Vec,
): boolean {
  let done = 0
  let end = w
  let h = kept
  while (done < count) {
    const n = count - done < BLOCK ? count - done : BLOCK
    const low = end - n
    const width = (low + 3) & ~3
    const scaled = BLOCK * width
    for (let a = 0; a < n; a++) {
      const i = end - 1 - a
      const row = base + i * st
      const d = Q[row + i]
      if (!((done + a < plus ? d : -d) > 0 && Math.abs(d) < Number.POSITIVE_INFINITY)) return false
      const inverse = 1 / d
      dinv[pivot + done + a] = inverse
      // those of the block that follow feel it at once
      for (let k = i - 1; k >= low; k--) {
        const x = Q[row + k] * inverse
        if (x === 0) continue
        const to = base + k * st
        for (let j = 0; j <= k; j++) Q[to + j] -= x * Q[row + j]
      }
      const at = a * width
      for (let j = 0; j < low; j++) {
        const x = Q[row + j]
        panel[at + j] = x
        panel[scaled + at + j] = x * inverse
        H[h + j] = x * inverse
      }
      for (let j = low; j < width; j++) {
        panel[at + j] = 0
        panel[scaled + at + j] = 0
      }
      for (let j = low; j < i; j++) H[h + j] = Q[row + j] * inverse
      h += i
    }
    subtractPanel(Q, base, st, low, panel, width, scaled, n)
    done += n
    end = low
  }
  return true
}

export function panelSize(w: number): number {
  return 2 * BLOCK * (w + 4)
}

/** Q −= Σ g(k) h(k)ᵀ on the lower triangle of the first w, four rows by four columns at a time, so that sums stay in registers. */
function subtractPanel(Q: Vec, base: number, st: number, w: number, panel: Vec, width: number, scaled: number, n: number): void {
  const last = n * width
  for (let i = 0; i < w; i += 4) {
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
      for (let k = 0; k < last; k += width) {
        const g0 = panel[k + i]
        const g1 = panel[k + i + 1]
        const g2 = panel[k + i + 2]
        const g3 = panel[k + i + 3]
        const x = scaled + k + j
        const h0 = panel[x]
        a0 += g0 * h0
        b0 += g1 * h0
        c0 += g2 * h0
        d0 += g3 * h0
        const h1 = panel[x + 1]
        a1 += g0 * h1
        b1 += g1 * h1
        c1 += g2 * h1
        d1 += g3 * h1
        const h2 = panel[x + 2]
        a2 += g0 * h2
        b2 += g1 * h2
        c2 += g2 * h2
        d2 += g3 * h2
        const h3 = panel[x + 3]
        a3 += g0 * h3
        b3 += g1 * h3
        c3 += g2 * h3
        d3 += g3 * h3
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
}
