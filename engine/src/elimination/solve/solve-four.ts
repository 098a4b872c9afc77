/**
 * Solves with a factor for four right-hand sides at a time: the plan is read once for all four, and every kept number is used four times. The
 * vectors stand side by side, number by number.
 */
import type { Vec } from '../../math/types.js'
import { type Factor, shiftOf } from '../factor/factor.js'
import { ADD, AT, BASE, DROP, FOLD, JOIN, JOINT, LIFT, MOVE, NEW, PANEL, PIVOT, RECORD, SHIFT } from '../plan/operations.js'

/** Work space: y and z of the factor, four times. */
export interface Four {
  readonly y: Vec
  readonly z: Vec
}

const way = new Float64Array(3)

/** As `solveForward`, for b[from] … b[from + 3]. */
export function forwardFour(f: Factor, { y, z }: Four, b: readonly Vec[], from: number): void {
  const { H, dinv, P } = f
  const { S, across } = f.world
  const { ops, lists, handle } = f.plan
  const { iv, ivEnd } = f.tree.model
  const b0 = b[from]
  const b1 = b[from + 1]
  const b2 = b[from + 2]
  const b3 = b[from + 3]
  for (let p = 0; p < ops.length; p += RECORD) {
    const v = ops[p + AT.vector]
    const w = ops[p + AT.width]
    const o = v + ops[p + AT.slot]
    const count = ops[p + AT.count]
    switch (ops[p]) {
      case NEW:
        for (let k = 4 * o; k < 4 * (o + count); k++) y[k] = 0
        break
      case BASE: {
        const i = ops[p + AT.body]
        for (let k = iv[i]; k < ivEnd[i]; k++) {
          for (let r = 0; r < handle; r++) {
            const s = P[handle * (handle * i + k - iv[i]) + r]
            const to = 4 * (o + r)
            y[to] += b0[k] * s
            y[to + 1] += b1[k] * s
            y[to + 2] += b2[k] * s
            y[to + 3] += b3[k] * s
          }
        }
        break
      }
      case SHIFT:
        shiftOf(way, f.world, ops[p + AT.oldAnchor], ops[p + AT.newAnchor])
        for (let k = 4 * o; k < 4 * o + 4; k++) {
          if (across >= 0) {
            y[k] += way[0] * y[k + 8] - way[1] * y[k + 4]
            continue
          }
          const fx = y[k + 12]
          const fy = y[k + 16]
          const fz = y[k + 20]
          y[k] += way[1] * fz - way[2] * fy
          y[k + 4] += way[2] * fx - way[0] * fz
          y[k + 8] += way[0] * fy - way[1] * fx
        }
        break
      case JOINT:
      case PIVOT: {
        const joint = ops[p] === JOINT
        const dof = ops[p + AT.dof]
        const kept = ops[p + AT.kept]
        const pivot = ops[p + AT.pivot]
        if (!joint) askRows(f, p, y)
        for (let k = 0; k < count; k++) {
          let x0 = 0
          let x1 = 0
          let x2 = 0
          let x3 = 0
          if (joint) {
            x0 = b0[dof + k]
            x1 = b1[dof + k]
            x2 = b2[dof + k]
            x3 = b3[dof + k]
            for (let r = 0; r < handle; r++) {
              const s = S[handle * (dof + k) + r]
              const at = 4 * (o + r)
              x0 += s * y[at]
              x1 += s * y[at + 1]
              x2 += s * y[at + 2]
              x3 += s * y[at + 3]
            }
          } else {
            const at = 4 * (o + k)
            x0 = y[at]
            x1 = y[at + 1]
            x2 = y[at + 2]
            x3 = y[at + 3]
          }
          let to = 4 * v
          for (let h = kept + k * w; h < kept + (k + 1) * w; h++) {
            const s = H[h]
            y[to] -= s * x0
            y[to + 1] -= s * x1
            y[to + 2] -= s * x2
            y[to + 3] -= s * x3
            to += 4
          }
          const at = 4 * (pivot + k)
          const d = dinv[pivot + k]
          z[at] = x0 * d
          z[at + 1] = x1 * d
          z[at + 2] = x2 * d
          z[at + 3] = x3 * d
        }
        break
      }
      case FOLD: {
        const to = 4 * (v + ops[p + AT.to])
        for (let k = 0; k < 4 * handle; k++) y[to + k] += y[4 * o + k]
        break
      }
      case MOVE: {
        const to = 4 * (v + ops[p + AT.to])
        for (let k = 0; k < 4 * count; k++) y[to + k] = y[4 * o + k]
        break
      }
      case ADD: {
        const branch = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let k = 0; k < count; k++) {
          const to = 4 * (v + lists[list + k])
          const from = 4 * (branch + k)
          for (let e = 0; e < 4; e++) y[to + e] += y[from + e]
        }
        break
      }
      case LIFT: {
        const parent = ops[p + AT.to]
        const dof = ops[p + AT.dof]
        const rate = v + ops[p + AT.rate]
        const fresh = ops[p + AT.fresh] === 1
        for (let k = 0; k < count; k++) {
          const to = 4 * (rate + k)
          if (fresh) {
            y[to] += b0[dof + k]
            y[to + 1] += b1[dof + k]
            y[to + 2] += b2[dof + k]
            y[to + 3] += b3[dof + k]
          }
          for (let r = 0; r < 6; r++) for (let e = 0; e < 4; e++) y[to + e] += S[6 * (dof + k) + r] * y[4 * (o + r) + e]
        }
        if (parent >= 0 && v + parent !== o) for (let k = 0; k < 24; k++) y[4 * (v + parent) + k] += y[4 * o + k]
        break
      }
      case JOIN: {
        const branch = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let r = list + 1; r < list + 1 + 3 * lists[list]; r += 3) {
          for (let k = 0; k < 4 * lists[r + 2]; k++) y[4 * (v + lists[r + 1]) + k] += y[4 * (branch + lists[r]) + k]
        }
        break
      }
      case PANEL: {
        const pivot = ops[p + AT.pivot]
        let h = ops[p + AT.kept]
        for (let k = 0; k < count; k++) {
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
          const at = 4 * (pivot + k)
          const d = dinv[pivot + k]
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

/** The rates asked of a group's exact rows, the same for all four. */
function askRows({ exact: { asked }, coupling: { rigid, first }, plan: { ops } }: Factor, p: number, y: Vec): void {
  const group = ops[p + AT.group]
  if (group < 0 || rigid[group] === 0) return
  const o = 4 * (ops[p + AT.vector] + ops[p + AT.slot])
  for (let k = 0; k < 4 * ops[p + AT.count]; k++) y[o + k] += asked[first[group] + (k >> 2)]
}

/** As `solveBackward`, into x[from] … x[from + 3]. */
export function backwardFour(f: Factor, { y, z }: Four, x: readonly Vec[], from: number): void {
  const { H, P } = f
  const { S, across } = f.world
  const { ops, lists, handle } = f.plan
  const { iv, ivEnd } = f.tree.model
  const u0 = x[from]
  const u1 = x[from + 1]
  const u2 = x[from + 2]
  const u3 = x[from + 3]
  for (let p = ops.length - RECORD; p >= 0; p -= RECORD) {
    const v = ops[p + AT.vector]
    const w = ops[p + AT.width]
    const o = v + ops[p + AT.slot]
    const count = ops[p + AT.count]
    switch (ops[p]) {
      case BASE: {
        const i = ops[p + AT.body]
        for (let k = iv[i]; k < ivEnd[i]; k++) {
          u0[k] = 0
          u1[k] = 0
          u2[k] = 0
          u3[k] = 0
          for (let r = 0; r < handle; r++) {
            const s = P[handle * (handle * i + k - iv[i]) + r]
            const at = 4 * (o + r)
            u0[k] += s * y[at]
            u1[k] += s * y[at + 1]
            u2[k] += s * y[at + 2]
            u3[k] += s * y[at + 3]
          }
        }
        break
      }
      case SHIFT:
        shiftOf(way, f.world, ops[p + AT.oldAnchor], ops[p + AT.newAnchor])
        for (let k = 4 * o; k < 4 * o + 4; k++) {
          if (across >= 0) {
            y[k + 4] -= y[k] * way[1]
            y[k + 8] += y[k] * way[0]
            continue
          }
          y[k + 12] += y[k + 4] * way[2] - y[k + 8] * way[1]
          y[k + 16] += y[k + 8] * way[0] - y[k] * way[2]
          y[k + 20] += y[k] * way[1] - y[k + 4] * way[0]
        }
        break
      case JOINT:
      case PIVOT: {
        const joint = ops[p] === JOINT
        const dof = ops[p + AT.dof]
        const kept = ops[p + AT.kept]
        const pivot = ops[p + AT.pivot]
        for (let k = count - 1; k >= 0; k--) {
          const from = 4 * (pivot + k)
          let x0 = z[from]
          let x1 = z[from + 1]
          let x2 = z[from + 2]
          let x3 = z[from + 3]
          const own = 4 * (o + k)
          if (!joint) for (let e = own; e < own + 4; e++) y[e] = 0
          let at = 4 * v
          for (let h = kept + k * w; h < kept + (k + 1) * w; h++) {
            const s = H[h]
            x0 -= s * y[at]
            x1 -= s * y[at + 1]
            x2 -= s * y[at + 2]
            x3 -= s * y[at + 3]
            at += 4
          }
          if (joint) {
            u0[dof + k] = x0
            u1[dof + k] = x1
            u2[dof + k] = x2
            u3[dof + k] = x3
            for (let r = 0; r < handle; r++) {
              const s = S[handle * (dof + k) + r]
              const to = 4 * (o + r)
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
      case FOLD: {
        const from = 4 * (v + ops[p + AT.to])
        for (let k = 0; k < 4 * handle; k++) y[4 * o + k] = y[from + k]
        break
      }
      case DROP:
        for (let k = 4 * o; k < 4 * (o + handle); k++) y[k] = 0
        break
      case MOVE: {
        const from = 4 * (v + ops[p + AT.to])
        for (let k = 4 * count - 1; k >= 0; k--) y[4 * o + k] = y[from + k]
        break
      }
      case ADD: {
        const branch = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let k = 0; k < count; k++) {
          const from = 4 * (v + lists[list + k])
          const to = 4 * (branch + k)
          for (let e = 0; e < 4; e++) y[to + e] = y[from + e]
        }
        break
      }
      case JOIN: {
        const branch = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let r = list + 1; r < list + 1 + 3 * lists[list]; r += 3) {
          for (let k = 0; k < 4 * lists[r + 2]; k++) y[4 * (branch + lists[r]) + k] = y[4 * (v + lists[r + 1]) + k]
        }
        break
      }
      case LIFT: {
        const parent = ops[p + AT.to]
        const dof = ops[p + AT.dof]
        for (let k = 0; k < 24; k++) y[4 * o + k] = parent >= 0 ? y[4 * (v + parent) + k] : 0
        const rate = v + ops[p + AT.rate]
        for (let k = 0; k < count; k++) {
          const from = 4 * (rate + k)
          u0[dof + k] = y[from]
          u1[dof + k] = y[from + 1]
          u2[dof + k] = y[from + 2]
          u3[dof + k] = y[from + 3]
          for (let r = 0; r < 6; r++) for (let e = 0; e < 4; e++) y[4 * (o + r) + e] += S[6 * (dof + k) + r] * y[from + e]
        }
        break
      }
      case PANEL: {
        const pivot = ops[p + AT.pivot]
        let h = ops[p + AT.kept] + count * w - (count * (count + 1)) / 2
        for (let k = count - 1; k >= 0; k--) {
          const from = 4 * (pivot + k)
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
