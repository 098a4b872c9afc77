/**
 * Solves with a factor of `direct`: the operations of its plan on vectors, forth and back.
 */
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { addMoment } from './handle-factor.js'
import { ADD, BASE, DROP, FOLD, type HandlePlan, JOIN, JOINT, LIFT, MOVE, NEW, PANEL, PIVOT, RECORD, SHIFT } from './handle-plan.js'
import { backwardPanel, forwardPanel } from './part-solve.js'

export interface HandleFactor {
  readonly plan: HandlePlan
  /** matrices and vectors of the fronts, kept rows, inverse pivots, and what a solve finds at each pivot */
  readonly Q: Vec
  readonly y: Vec
  readonly H: Vec
  readonly dinv: Vec
  readonly z: Vec
  /** rows that hold exactly: groups of them, the first row of each group, and for each row what is asked of it and the force that answers */
  readonly rigid: Uint8Array
  readonly first: Int32Array
  readonly asked: Vec
  readonly pulled: Vec
  /** the axis across the plane that the mechanism stays in, or −1 */
  readonly across: number
  /** axes in the world (a handle a velocity), and S⁺ of bases cut from the ground (a handle squared a body) */
  readonly S: Vec
  readonly P: Vec
  /** where the bodies were (3 each): the factor stays good while they move on */
  readonly origins: Vec
}

const shift = new Float64Array(3)

/** out ← the way between two points of reference; in a plane its two numbers there. */
export function shiftOf(out: Vec, origins: Vec, from: number, to: number, across: number): void {
  const a = 3 * from
  const b = 3 * to
  if (across < 0) {
    for (let k = 0; k < 3; k++) out[k] = origins[a + k] - origins[b + k]
    return
  }
  const u = (across + 1) % 3
  const v = (across + 2) % 3
  out[0] = origins[a + u] - origins[b + u]
  out[1] = origins[a + v] - origins[b + v]
}

/** Gathers the right-hand side up to the last pivot. */
export function solveForward(m: Model, f: HandleFactor, b: Vec): void {
  const { y, H, dinv, z, S, P, origins, across, rigid, first, asked } = f
  const { ops, lists, handle } = f.plan
  for (let p = 0; p < ops.length; p += RECORD) {
    const v = ops[p + 3]
    const w = ops[p + 4]
    const a = ops[p + 5]
    const n = ops[p + 6]
    const c = ops[p + 7]
    switch (ops[p]) {
      case NEW:
        for (let k = v + a; k < v + a + n; k++) y[k] = 0
        break
      case BASE:
        for (let k = m.iv[c]; k < m.ivEnd[c]; k++) {
          for (let r = 0; r < handle; r++) y[v + a + r] += b[k] * P[handle * (handle * c + k - m.iv[c]) + r]
        }
        break
      case SHIFT:
        shiftOf(shift, origins, n, c, across)
        if (across < 0) addMoment(y, v + a, 1, shift)
        else y[v + a] += shift[0] * y[v + a + 2] - shift[1] * y[v + a + 1]
        break
      case JOINT: {
        const o = v + a
        for (let k = 0; k < c; k++) {
          const at = handle * (n + k)
          let beta = b[n + k] + (S[at] * y[o] + S[at + 1] * y[o + 1] + S[at + 2] * y[o + 2])
          if (handle === 6) beta += S[at + 3] * y[o + 3] + S[at + 4] * y[o + 4] + S[at + 5] * y[o + 5]
          const h = ops[p + 8] + k * w
          for (let j = 0; j < w; j++) y[v + j] -= H[h + j] * beta
          z[ops[p + 10] + k] = beta * dinv[ops[p + 10] + k]
        }
        break
      }
      case PIVOT:
        if (ops[p + 9] >= 0 && rigid[ops[p + 9]] === 1) for (let k = 0; k < n; k++) y[v + a + k] += asked[first[ops[p + 9]] + k]
        for (let k = 0; k < n; k++) {
          const beta = y[v + a + k]
          const h = ops[p + 8] + k * w
          for (let j = 0; j < w; j++) y[v + j] -= H[h + j] * beta
          z[ops[p + 10] + k] = beta * dinv[ops[p + 10] + k]
        }
        break
      case FOLD:
        for (let k = 0; k < handle; k++) y[v + n + k] += y[v + a + k]
        break
      case MOVE:
        for (let k = 0; k < c; k++) y[v + n + k] = y[v + a + k]
        break
      case ADD:
        for (let k = 0; k < c; k++) y[v + lists[ops[p + 8] + k]] += y[ops[p + 9] + k]
        break
      case LIFT:
        for (let k = 0; k < c; k++) {
          let sum = ops[p + 10] === 1 ? b[n + k] : 0
          for (let r = 0; r < 6; r++) sum += S[6 * (n + k) + r] * y[v + a + r]
          y[v + ops[p + 9] + k] += sum
        }
        if (ops[p + 8] >= 0 && ops[p + 8] !== a) for (let k = 0; k < 6; k++) y[v + ops[p + 8] + k] += y[v + a + k]
        break
      case JOIN:
        for (let r = c + 1; r < c + 1 + 3 * lists[c]; r += 3) {
          for (let k = 0; k < lists[r + 2]; k++) y[v + lists[r + 1] + k] += y[ops[p + 8] + lists[r] + k]
        }
        break
      case PANEL:
        forwardPanel(H, ops[p + 8], y, v, w, a, dinv, z, ops[p + 10])
        break
    }
  }
}

/** size[o] ← bᵀ A⁻¹ b of the right-hand side gathered last: Σ β²/d over the pivots, where z = β/d. */
export function sizeOfPivots({ z, dinv }: HandleFactor, size: Vec, o: number): void {
  let sum = 0
  // rows without use have no pivot
  for (let k = 0; k < z.length; k++) if (dinv[k] !== 0) sum += (z[k] * z[k]) / dinv[k]
  size[o] = sum
}

/** Finds the velocities, from the last pivot back. */
export function solveBackward(m: Model, f: HandleFactor, x: Vec): void {
  const { y, H, z, S, P, origins, across, rigid, first, pulled } = f
  const { ops, lists, handle } = f.plan
  for (let p = ops.length - RECORD; p >= 0; p -= RECORD) {
    const v = ops[p + 3]
    const w = ops[p + 4]
    const a = ops[p + 5]
    const n = ops[p + 6]
    const c = ops[p + 7]
    switch (ops[p]) {
      case BASE:
        for (let k = m.iv[c]; k < m.ivEnd[c]; k++) {
          let sum = 0
          for (let r = 0; r < handle; r++) sum += P[handle * (handle * c + k - m.iv[c]) + r] * y[v + a + r]
          x[k] = sum
        }
        break
      case SHIFT: {
        // the same motion at the old point: v += ω × p
        shiftOf(shift, origins, n, c, across)
        const o = v + a
        if (across >= 0) {
          y[o + 1] -= y[o] * shift[1]
          y[o + 2] += y[o] * shift[0]
          break
        }
        y[o + 3] += y[o + 1] * shift[2] - y[o + 2] * shift[1]
        y[o + 4] += y[o + 2] * shift[0] - y[o] * shift[2]
        y[o + 5] += y[o] * shift[1] - y[o + 1] * shift[0]
        break
      }
      case JOINT: {
        const o = v + a
        for (let k = c - 1; k >= 0; k--) {
          const h = ops[p + 8] + k * w
          // two sums, for one would wait for itself
          let even = z[ops[p + 10] + k]
          let odd = 0
          let j = 0
          for (; j + 1 < w; j += 2) {
            even -= H[h + j] * y[v + j]
            odd += H[h + j + 1] * y[v + j + 1]
          }
          if (j < w) even -= H[h + j] * y[v + j]
          const sum = even - odd
          x[n + k] = sum
          const at = handle * (n + k)
          y[o] += S[at] * sum
          y[o + 1] += S[at + 1] * sum
          y[o + 2] += S[at + 2] * sum
          if (handle < 6) continue
          y[o + 3] += S[at + 3] * sum
          y[o + 4] += S[at + 4] * sum
          y[o + 5] += S[at + 5] * sum
        }
        break
      }
      case PIVOT:
        for (let k = n - 1; k >= 0; k--) {
          const h = ops[p + 8] + k * w
          y[v + a + k] = 0
          let sum = z[ops[p + 10] + k]
          for (let j = 0; j < w; j++) sum -= H[h + j] * y[v + j]
          y[v + a + k] = sum
        }
        if (ops[p + 9] >= 0 && rigid[ops[p + 9]] === 1) for (let k = 0; k < n; k++) pulled[first[ops[p + 9]] + k] = y[v + a + k]
        break
      case FOLD:
        for (let k = 0; k < handle; k++) y[v + a + k] = y[v + n + k]
        break
      case DROP:
        for (let k = 0; k < handle; k++) y[v + a + k] = 0
        break
      case MOVE:
        for (let k = c - 1; k >= 0; k--) y[v + a + k] = y[v + n + k]
        break
      case ADD:
        for (let k = 0; k < c; k++) y[ops[p + 9] + k] = y[v + lists[ops[p + 8] + k]]
        break
      case JOIN:
        for (let r = c + 1; r < c + 1 + 3 * lists[c]; r += 3) {
          for (let k = 0; k < lists[r + 2]; k++) y[ops[p + 8] + lists[r] + k] = y[v + lists[r + 1] + k]
        }
        break
      case LIFT:
        for (let k = 0; k < 6; k++) y[v + a + k] = ops[p + 8] >= 0 ? y[v + ops[p + 8] + k] : 0
        for (let k = 0; k < c; k++) {
          const rate = y[v + ops[p + 9] + k]
          x[n + k] = rate
          for (let r = 0; r < 6; r++) y[v + a + r] += S[6 * (n + k) + r] * rate
        }
        break
      case PANEL:
        backwardPanel(H, ops[p + 8], y, v, w, a, z, ops[p + 10])
        break
    }
  }
}
