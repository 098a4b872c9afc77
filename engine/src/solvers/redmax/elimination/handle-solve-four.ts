/**
 * Solves with a factor of `direct` for four right-hand sides at a time, as constraint columns come: the plan is read once for all four, and
 * every kept number is used four times. The vectors stand side by side, number by number.
 */
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { ADD, BASE, DROP, FOLD, JOIN, JOINT, LIFT, MOVE, NEW, PANEL, PIVOT, RECORD, SHIFT } from './handle-plan.js'
import { type HandleFactor, shiftOf } from './handle-solve.js'

/** Work space: y and z of the factor, four times. */
export interface Four {
  readonly y: Vec
  readonly z: Vec
}

const p = new Float64Array(3)

/** As `solveForward`, for b[o] … b[o + 3]. */
export function forwardFour(m: Model, f: HandleFactor, { y, z }: Four, b: readonly Vec[], o: number): void {
  const { H, dinv, S, P, origins, across } = f
  const { ops, lists, handle } = f.plan
  const b0 = b[o]
  const b1 = b[o + 1]
  const b2 = b[o + 2]
  const b3 = b[o + 3]
  for (let i = 0; i < ops.length; i += RECORD) {
    const v = ops[i + 3]
    const w = ops[i + 4]
    const a = ops[i + 5]
    const n = ops[i + 6]
    const c = ops[i + 7]
    switch (ops[i]) {
      case NEW:
        for (let k = 4 * (v + a); k < 4 * (v + a + n); k++) y[k] = 0
        break
      case BASE:
        for (let k = m.iv[c]; k < m.ivEnd[c]; k++) {
          for (let r = 0; r < handle; r++) {
            const s = P[handle * (handle * c + k - m.iv[c]) + r]
            const to = 4 * (v + a + r)
            y[to] += b0[k] * s
            y[to + 1] += b1[k] * s
            y[to + 2] += b2[k] * s
            y[to + 3] += b3[k] * s
          }
        }
        break
      case SHIFT:
        shiftOf(p, origins, n, c, across)
        for (let k = 4 * (v + a); k < 4 * (v + a) + 4; k++) {
          if (across >= 0) {
            y[k] += p[0] * y[k + 8] - p[1] * y[k + 4]
            continue
          }
          const fx = y[k + 12]
          const fy = y[k + 16]
          const fz = y[k + 20]
          y[k] += p[1] * fz - p[2] * fy
          y[k + 4] += p[2] * fx - p[0] * fz
          y[k + 8] += p[0] * fy - p[1] * fx
        }
        break
      case JOINT:
      case PIVOT: {
        const joint = ops[i] === JOINT
        const count = joint ? c : n
        for (let k = 0; k < count; k++) {
          let x0 = 0
          let x1 = 0
          let x2 = 0
          let x3 = 0
          if (joint) {
            x0 = b0[n + k]
            x1 = b1[n + k]
            x2 = b2[n + k]
            x3 = b3[n + k]
            for (let r = 0; r < handle; r++) {
              const s = S[handle * (n + k) + r]
              const at = 4 * (v + a + r)
              x0 += s * y[at]
              x1 += s * y[at + 1]
              x2 += s * y[at + 2]
              x3 += s * y[at + 3]
            }
          } else {
            const at = 4 * (v + a + k)
            x0 = y[at]
            x1 = y[at + 1]
            x2 = y[at + 2]
            x3 = y[at + 3]
          }
          let to = 4 * v
          for (let h = ops[i + 8] + k * w; h < ops[i + 8] + (k + 1) * w; h++) {
            const s = H[h]
            y[to] -= s * x0
            y[to + 1] -= s * x1
            y[to + 2] -= s * x2
            y[to + 3] -= s * x3
            to += 4
          }
          const at = 4 * (ops[i + 10] + k)
          const d = dinv[ops[i + 10] + k]
          z[at] = x0 * d
          z[at + 1] = x1 * d
          z[at + 2] = x2 * d
          z[at + 3] = x3 * d
        }
        break
      }
      case FOLD:
        for (let k = 0; k < 4 * handle; k++) y[4 * (v + n) + k] += y[4 * (v + a) + k]
        break
      case MOVE:
        for (let k = 0; k < 4 * c; k++) y[4 * (v + n) + k] = y[4 * (v + a) + k]
        break
      case ADD:
        for (let k = 0; k < c; k++) {
          const to = 4 * (v + lists[ops[i + 8] + k])
          const from = 4 * (ops[i + 9] + k)
          for (let e = 0; e < 4; e++) y[to + e] += y[from + e]
        }
        break
      case LIFT:
        for (let k = 0; k < c; k++) {
          const to = 4 * (v + ops[i + 9] + k)
          if (ops[i + 10] === 1) {
            y[to] += b0[n + k]
            y[to + 1] += b1[n + k]
            y[to + 2] += b2[n + k]
            y[to + 3] += b3[n + k]
          }
          for (let r = 0; r < 6; r++) for (let e = 0; e < 4; e++) y[to + e] += S[6 * (n + k) + r] * y[4 * (v + a + r) + e]
        }
        if (ops[i + 8] >= 0 && ops[i + 8] !== a) for (let k = 0; k < 24; k++) y[4 * (v + ops[i + 8]) + k] += y[4 * (v + a) + k]
        break
      case JOIN:
        for (let r = c + 1; r < c + 1 + 3 * lists[c]; r += 3) {
          for (let k = 0; k < 4 * lists[r + 2]; k++) y[4 * (v + lists[r + 1]) + k] += y[4 * (ops[i + 8] + lists[r]) + k]
        }
        break
      case PANEL: {
        let h = ops[i + 8]
        for (let k = 0; k < a; k++) {
          const end = 4 * (v + w - 1 - k)
          const x0 = y[end]
          const x1 = y[end + 1]
          const x2 = y[end + 2]
          const x3 = y[end + 3]
          for (let to = 4 * v; to < end; to += 4) {
            const s = H[h++]
            y[to] -= s * x0
            y[to + 1] -= s * x1
            y[to + 2] -= s * x2
            y[to + 3] -= s * x3
          }
          const at = 4 * (ops[i + 10] + k)
          const d = dinv[ops[i + 10] + k]
          z[at] = x0 * d
          z[at + 1] = x1 * d
          z[at + 2] = x2 * d
          z[at + 3] = x3 * d
        }
        break
      }
    }
  }
}

/** As `solveBackward`, into x[o] … x[o + 3]. */
export function backwardFour(m: Model, f: HandleFactor, { y, z }: Four, x: readonly Vec[], o: number): void {
  const { H, S, P, origins, across } = f
  const { ops, lists, handle } = f.plan
  const u0 = x[o]
  const u1 = x[o + 1]
  const u2 = x[o + 2]
  const u3 = x[o + 3]
  for (let i = ops.length - RECORD; i >= 0; i -= RECORD) {
    const v = ops[i + 3]
    const w = ops[i + 4]
    const a = ops[i + 5]
    const n = ops[i + 6]
    const c = ops[i + 7]
    switch (ops[i]) {
      case BASE:
        for (let k = m.iv[c]; k < m.ivEnd[c]; k++) {
          u0[k] = 0
          u1[k] = 0
          u2[k] = 0
          u3[k] = 0
          for (let r = 0; r < handle; r++) {
            const s = P[handle * (handle * c + k - m.iv[c]) + r]
            const at = 4 * (v + a + r)
            u0[k] += s * y[at]
            u1[k] += s * y[at + 1]
            u2[k] += s * y[at + 2]
            u3[k] += s * y[at + 3]
          }
        }
        break
      case SHIFT:
        shiftOf(p, origins, n, c, across)
        for (let k = 4 * (v + a); k < 4 * (v + a) + 4; k++) {
          if (across >= 0) {
            y[k + 4] -= y[k] * p[1]
            y[k + 8] += y[k] * p[0]
            continue
          }
          y[k + 12] += y[k + 4] * p[2] - y[k + 8] * p[1]
          y[k + 16] += y[k + 8] * p[0] - y[k] * p[2]
          y[k + 20] += y[k] * p[1] - y[k + 4] * p[0]
        }
        break
      case JOINT:
      case PIVOT: {
        const joint = ops[i] === JOINT
        for (let k = (joint ? c : n) - 1; k >= 0; k--) {
          const from = 4 * (ops[i + 10] + k)
          let x0 = z[from]
          let x1 = z[from + 1]
          let x2 = z[from + 2]
          let x3 = z[from + 3]
          const own = 4 * (v + a + k)
          if (!joint) for (let e = own; e < own + 4; e++) y[e] = 0
          let at = 4 * v
          for (let h = ops[i + 8] + k * w; h < ops[i + 8] + (k + 1) * w; h++) {
            const s = H[h]
            x0 -= s * y[at]
            x1 -= s * y[at + 1]
            x2 -= s * y[at + 2]
            x3 -= s * y[at + 3]
            at += 4
          }
          if (joint) {
            u0[n + k] = x0
            u1[n + k] = x1
            u2[n + k] = x2
            u3[n + k] = x3
            for (let r = 0; r < handle; r++) {
              const s = S[handle * (n + k) + r]
              const to = 4 * (v + a + r)
              y[to] += s * x0
              y[to + 1] += s * x1
              y[to + 2] += s * x2
              y[to + 3] += s * x3
            }
          } else {
            y[own] = x0
            y[own + 1] = x1
            y[own + 2] = x2
            y[own + 3] = x3
          }
        }
        break
      }
      case FOLD:
        for (let k = 0; k < 4 * handle; k++) y[4 * (v + a) + k] = y[4 * (v + n) + k]
        break
      case DROP:
        for (let k = 4 * (v + a); k < 4 * (v + a + handle); k++) y[k] = 0
        break
      case MOVE:
        for (let k = 4 * c - 1; k >= 0; k--) y[4 * (v + a) + k] = y[4 * (v + n) + k]
        break
      case ADD:
        for (let k = 0; k < c; k++) {
          const from = 4 * (v + lists[ops[i + 8] + k])
          const to = 4 * (ops[i + 9] + k)
          for (let e = 0; e < 4; e++) y[to + e] = y[from + e]
        }
        break
      case JOIN:
        for (let r = c + 1; r < c + 1 + 3 * lists[c]; r += 3) {
          for (let k = 0; k < 4 * lists[r + 2]; k++) y[4 * (ops[i + 8] + lists[r]) + k] = y[4 * (v + lists[r + 1]) + k]
        }
        break
      case LIFT:
        for (let k = 0; k < 24; k++) y[4 * (v + a) + k] = ops[i + 8] >= 0 ? y[4 * (v + ops[i + 8]) + k] : 0
        for (let k = 0; k < c; k++) {
          const from = 4 * (v + ops[i + 9] + k)
          u0[n + k] = y[from]
          u1[n + k] = y[from + 1]
          u2[n + k] = y[from + 2]
          u3[n + k] = y[from + 3]
          for (let r = 0; r < 6; r++) for (let e = 0; e < 4; e++) y[4 * (v + a + r) + e] += S[6 * (n + k) + r] * y[from + e]
        }
        break
      case PANEL: {
        let h = ops[i + 8] + a * w - (a * (a + 1)) / 2
        for (let k = a - 1; k >= 0; k--) {
          const from = 4 * (ops[i + 10] + k)
          let x0 = z[from]
          let x1 = z[from + 1]
          let x2 = z[from + 2]
          let x3 = z[from + 3]
          const end = 4 * (v + w - 1 - k)
          h -= w - 1 - k
          let s = h
          for (let at = 4 * v; at < end; at += 4) {
            const kept = H[s++]
            x0 -= kept * y[at]
            x1 -= kept * y[at + 1]
            x2 -= kept * y[at + 2]
            x3 -= kept * y[at + 3]
          }
          y[end] = x0
          y[end + 1] = x1
          y[end + 2] = x2
          y[end + 3] = x3
        }
        break
      }
    }
  }
}
