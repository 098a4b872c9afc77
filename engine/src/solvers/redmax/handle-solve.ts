/**
 * Solves with a factor of `direct`: the operations of its plan on vectors, forth and back.
 */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { addMoment } from './handle-factor.js'
import { ADD, BASE, DROP, FOLD, type HandlePlan, JOINT, LIFT, MOVE, NEW, PANEL, PIVOT, RECORD, SHIFT } from './handle-plan.js'

export interface HandleFactor {
  readonly plan: HandlePlan
  /** matrices and vectors of the fronts, kept rows, inverse pivots, and what a solve finds at each pivot */
  readonly Q: Vec
  readonly y: Vec
  readonly H: Vec
  readonly dinv: Vec
  readonly z: Vec
  /** axes in the world, and S⁺ of bases cut from the ground (36 a body) */
  readonly S: Vec
  readonly P: Vec
  /** where the bodies were (3 each): the factor stays good while they move on */
  readonly origins: Vec
}

const shift = new Float64Array(3)

/** Gathers the right-hand side up to the last pivot. */
export function solveForward(m: Model, f: HandleFactor, b: Vec): void {
  const { y, H, dinv, z, S, P, origins } = f
  const { ops, lists } = f.plan
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
        for (let k = m.iv[c]; k < m.iv[c + 1]; k++) {
          for (let r = 0; r < 6; r++) y[v + a + r] += b[k] * P[36 * c + 6 * (k - m.iv[c]) + r]
        }
        break
      case SHIFT:
        for (let k = 0; k < 3; k++) shift[k] = origins[3 * n + k] - origins[3 * c + k]
        addMoment(y, v + a, 1, shift)
        break
      case JOINT:
        for (let k = 0; k < c; k++) {
          const at = 6 * (n + k)
          let beta = b[n + k]
          for (let r = 0; r < 6; r++) beta += S[at + r] * y[v + a + r]
          const h = ops[p + 8] + k * w
          for (let j = 0; j < w; j++) y[v + j] -= H[h + j] * beta
          z[ops[p + 10] + k] = beta * dinv[ops[p + 10] + k]
        }
        break
      case PIVOT:
        for (let k = 0; k < n; k++) {
          const beta = y[v + a + k]
          const h = ops[p + 8] + k * w
          for (let j = 0; j < w; j++) y[v + j] -= H[h + j] * beta
          z[ops[p + 10] + k] = beta * dinv[ops[p + 10] + k]
        }
        break
      case FOLD:
        for (let k = 0; k < 6; k++) y[v + n + k] += y[v + a + k]
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
        if (ops[p + 8] >= 0) for (let k = 0; k < 6; k++) y[v + ops[p + 8] + k] += y[v + a + k]
        break
      case PANEL: {
        let h = ops[p + 8]
        for (let k = 0; k < a; k++) {
          const end = w - 1 - k
          const beta = y[v + end]
          for (let j = 0; j < end; j++) y[v + j] -= H[h + j] * beta
          z[ops[p + 10] + k] = beta * dinv[ops[p + 10] + k]
          h += end
        }
        break
      }
    }
  }
}

/** Finds the velocities, from the last pivot back. */
export function solveBackward(m: Model, f: HandleFactor, x: Vec): void {
  const { y, H, z, S, P, origins } = f
  const { ops, lists } = f.plan
  for (let p = ops.length - RECORD; p >= 0; p -= RECORD) {
    const v = ops[p + 3]
    const w = ops[p + 4]
    const a = ops[p + 5]
    const n = ops[p + 6]
    const c = ops[p + 7]
    switch (ops[p]) {
      case BASE:
        for (let k = m.iv[c]; k < m.iv[c + 1]; k++) {
          let sum = 0
          for (let r = 0; r < 6; r++) sum += P[36 * c + 6 * (k - m.iv[c]) + r] * y[v + a + r]
          x[k] = sum
        }
        break
      case SHIFT: {
        // the same motion at the old point: v += ω × p
        for (let k = 0; k < 3; k++) shift[k] = origins[3 * n + k] - origins[3 * c + k]
        const o = v + a
        y[o + 3] += y[o + 1] * shift[2] - y[o + 2] * shift[1]
        y[o + 4] += y[o + 2] * shift[0] - y[o] * shift[2]
        y[o + 5] += y[o] * shift[1] - y[o + 1] * shift[0]
        break
      }
      case JOINT:
        for (let k = c - 1; k >= 0; k--) {
          const h = ops[p + 8] + k * w
          let sum = z[ops[p + 10] + k]
          for (let j = 0; j < w; j++) sum -= H[h + j] * y[v + j]
          x[n + k] = sum
          for (let r = 0; r < 6; r++) y[v + a + r] += S[6 * (n + k) + r] * sum
        }
        break
      case PIVOT:
        for (let k = n - 1; k >= 0; k--) {
          const h = ops[p + 8] + k * w
          y[v + a + k] = 0
          let sum = z[ops[p + 10] + k]
          for (let j = 0; j < w; j++) sum -= H[h + j] * y[v + j]
          y[v + a + k] = sum
        }
        break
      case FOLD:
        for (let k = 0; k < 6; k++) y[v + a + k] = y[v + n + k]
        break
      case DROP:
        for (let k = 0; k < 6; k++) y[v + a + k] = 0
        break
      case MOVE:
        for (let k = c - 1; k >= 0; k--) y[v + a + k] = y[v + n + k]
        break
      case ADD:
        for (let k = 0; k < c; k++) y[ops[p + 9] + k] = y[v + lists[ops[p + 8] + k]]
        break
      case LIFT:
        for (let k = 0; k < 6; k++) y[v + a + k] = ops[p + 8] >= 0 ? y[v + ops[p + 8] + k] : 0
        for (let k = 0; k < c; k++) {
          const rate = y[v + ops[p + 9] + k]
          x[n + k] = rate
          for (let r = 0; r < 6; r++) y[v + a + r] += S[6 * (n + k) + r] * rate
        }
        break
      case PANEL: {
        // the rows kept are as long as what is left then: w − 1, w − 2, …
        let h = ops[p + 8] + a * w - (a * (a + 1)) / 2
        for (let k = a - 1; k >= 0; k--) {
          const end = w - 1 - k
          h -= end
          let sum = z[ops[p + 10] + k]
          for (let j = 0; j < end; j++) sum -= H[h + j] * y[v + j]
          y[v + end] = sum
        }
        break
      }
    }
  }
}
