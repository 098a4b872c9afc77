/**
 * Solves with a factor: the operations of its plan on vectors, forth and back.
 */
import type { Vec } from '../../math/types.js'
import { type Factor, shiftOf } from '../factor/factor.js'
import { addMoment } from '../factor/front.js'
import { ADD, AT, BASE, DROP, FOLD, JOIN, JOINT, LIFT, MOVE, NEW, PANEL, PIVOT, RECORD, SHIFT } from '../plan/operations.js'
import { backwardPanel, forwardPanel } from './panel.js'

const way = new Float64Array(3)

/** Gathers the right-hand side up to the last pivot. */
export function solveForward(f: Factor, b: Vec): void {
  const { y, H, dinv, z, P } = f
  const { S, across } = f.world
  const { rigid, first } = f.coupling
  const { asked } = f.exact
  const { ops, lists, handle } = f.plan
  const { iv, ivEnd } = f.tree.model
  for (let p = 0; p < ops.length; p += RECORD) {
    const v = ops[p + AT.vector]
    const w = ops[p + AT.width]
    const o = v + ops[p + AT.slot]
    const count = ops[p + AT.count]
    switch (ops[p]) {
      case NEW:
        for (let k = o; k < o + count; k++) y[k] = 0
        break
      case BASE: {
        const i = ops[p + AT.body]
        for (let k = iv[i]; k < ivEnd[i]; k++) {
          for (let r = 0; r < handle; r++) y[o + r] += b[k] * P[handle * (handle * i + k - iv[i]) + r]
        }
        break
      }
      case SHIFT: {
        shiftOf(way, f.world, ops[p + AT.oldAnchor], ops[p + AT.newAnchor])
        if (across < 0) addMoment(y, o, 1, way)
        else y[o] += way[0] * y[o + 2] - way[1] * y[o + 1]
        break
      }
      case JOINT: {
        const dof = ops[p + AT.dof]
        const pivot = ops[p + AT.pivot]
        const kept = ops[p + AT.kept]
        for (let k = 0; k < count; k++) {
          const at = handle * (dof + k)
          let beta = b[dof + k] + (S[at] * y[o] + S[at + 1] * y[o + 1] + S[at + 2] * y[o + 2])
          if (handle === 6) beta += S[at + 3] * y[o + 3] + S[at + 4] * y[o + 4] + S[at + 5] * y[o + 5]
          const h = kept + k * w
          for (let j = 0; j < w; j++) y[v + j] -= H[h + j] * beta
          z[pivot + k] = beta * dinv[pivot + k]
        }
        break
      }
      case PIVOT: {
        const group = ops[p + AT.group]
        const pivot = ops[p + AT.pivot]
        const kept = ops[p + AT.kept]
        if (group >= 0 && rigid[group] === 1) for (let k = 0; k < count; k++) y[o + k] += asked[first[group] + k]
        for (let k = 0; k < count; k++) {
          const beta = y[o + k]
          const h = kept + k * w
          for (let j = 0; j < w; j++) y[v + j] -= H[h + j] * beta
          z[pivot + k] = beta * dinv[pivot + k]
        }
        break
      }
      case FOLD: {
        const to = v + ops[p + AT.to]
        for (let k = 0; k < handle; k++) y[to + k] += y[o + k]
        break
      }
      case MOVE: {
        const to = v + ops[p + AT.to]
        for (let k = 0; k < count; k++) y[to + k] = y[o + k]
        break
      }
      case ADD: {
        const from = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let k = 0; k < count; k++) y[v + lists[list + k]] += y[from + k]
        break
      }
      case LIFT: {
        const to = ops[p + AT.to]
        const dof = ops[p + AT.dof]
        const rate = v + ops[p + AT.rate]
        const fresh = ops[p + AT.fresh] === 1
        for (let k = 0; k < count; k++) {
          let sum = fresh ? b[dof + k] : 0
          for (let r = 0; r < 6; r++) sum += S[6 * (dof + k) + r] * y[o + r]
          y[rate + k] += sum
        }
        if (to >= 0 && v + to !== o) for (let k = 0; k < 6; k++) y[v + to + k] += y[o + k]
        break
      }
      case JOIN: {
        const from = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let r = list + 1; r < list + 1 + 3 * lists[list]; r += 3) {
          for (let k = 0; k < lists[r + 2]; k++) y[v + lists[r + 1] + k] += y[from + lists[r] + k]
        }
        break
      }
      case PANEL:
        forwardPanel(f, p)
        break
    }
  }
}

/** size[o] ← bᵀ A⁻¹ b of the right-hand side gathered last: Σ β²/d over the pivots, where z = β/d. */
export function sizeOfPivots({ z, dinv }: Factor, size: Vec, o: number): void {
  let sum = 0
  // rows without use have no pivot
  for (let k = 0; k < z.length; k++) if (dinv[k] !== 0) sum += (z[k] * z[k]) / dinv[k]
  size[o] = sum
}

/** Finds the velocities, from the last pivot back. */
export function solveBackward(f: Factor, x: Vec): void {
  const { y, H, z, P } = f
  const { S, across } = f.world
  const { rigid, first } = f.coupling
  const { pulled } = f.exact
  const { ops, lists, handle } = f.plan
  const { iv, ivEnd } = f.tree.model
  for (let p = ops.length - RECORD; p >= 0; p -= RECORD) {
    const v = ops[p + AT.vector]
    const w = ops[p + AT.width]
    const o = v + ops[p + AT.slot]
    const count = ops[p + AT.count]
    switch (ops[p]) {
      case BASE: {
        const i = ops[p + AT.body]
        for (let k = iv[i]; k < ivEnd[i]; k++) {
          let sum = 0
          for (let r = 0; r < handle; r++) sum += P[handle * (handle * i + k - iv[i]) + r] * y[o + r]
          x[k] = sum
        }
        break
      }
      case SHIFT: {
        // the same motion at the old point: v += ω × p
        shiftOf(way, f.world, ops[p + AT.oldAnchor], ops[p + AT.newAnchor])
        if (across >= 0) {
          y[o + 1] -= y[o] * way[1]
          y[o + 2] += y[o] * way[0]
          break
        }
        y[o + 3] += y[o + 1] * way[2] - y[o + 2] * way[1]
        y[o + 4] += y[o + 2] * way[0] - y[o] * way[2]
        y[o + 5] += y[o] * way[1] - y[o + 1] * way[0]
        break
      }
      case JOINT: {
        const dof = ops[p + AT.dof]
        const pivot = ops[p + AT.pivot]
        const kept = ops[p + AT.kept]
        for (let k = count - 1; k >= 0; k--) {
          const h = kept + k * w
          // two sums, for one would wait for itself
          let even = z[pivot + k]
          let odd = 0
          let j = 0
          for (; j + 1 < w; j += 2) {
            even -= H[h + j] * y[v + j]
            odd += H[h + j + 1] * y[v + j + 1]
          }
          if (j < w) even -= H[h + j] * y[v + j]
          const sum = even - odd
          x[dof + k] = sum
          const at = handle * (dof + k)
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
      case PIVOT: {
        const group = ops[p + AT.group]
        const pivot = ops[p + AT.pivot]
        const kept = ops[p + AT.kept]
        for (let k = count - 1; k >= 0; k--) {
          const h = kept + k * w
          y[o + k] = 0
          let sum = z[pivot + k]
          for (let j = 0; j < w; j++) sum -= H[h + j] * y[v + j]
          y[o + k] = sum
        }
        if (group >= 0 && rigid[group] === 1) for (let k = 0; k < count; k++) pulled[first[group] + k] = y[o + k]
        break
      }
      case FOLD: {
        const from = v + ops[p + AT.to]
        for (let k = 0; k < handle; k++) y[o + k] = y[from + k]
        break
      }
      case DROP:
        for (let k = o; k < o + handle; k++) y[k] = 0
        break
      case MOVE: {
        const from = v + ops[p + AT.to]
        for (let k = count - 1; k >= 0; k--) y[o + k] = y[from + k]
        break
      }
      case ADD: {
        const to = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let k = 0; k < count; k++) y[to + k] = y[v + lists[list + k]]
        break
      }
      case JOIN: {
        const to = ops[p + AT.branchVector]
        const list = ops[p + AT.list]
        for (let r = list + 1; r < list + 1 + 3 * lists[list]; r += 3) {
          for (let k = 0; k < lists[r + 2]; k++) y[to + lists[r] + k] = y[v + lists[r + 1] + k]
        }
        break
      }
      case LIFT: {
        const from = ops[p + AT.to]
        const dof = ops[p + AT.dof]
        const rate = v + ops[p + AT.rate]
        for (let k = 0; k < 6; k++) y[o + k] = from >= 0 ? y[v + from + k] : 0
        for (let k = 0; k < count; k++) {
          const velocity = y[rate + k]
          x[dof + k] = velocity
          for (let r = 0; r < 6; r++) y[o + r] += S[6 * (dof + k) + r] * velocity
        }
        break
      }
      case PANEL:
        backwardPanel(f, p)
        break
    }
  }
}
