/** Solves with a factor: the operations of its plan on vectors, forth and back. */
import { add, type Int, type Lanes, scale, sub } from '../../math/values/columns.js'
import { type Fronts, wayBetween } from '../fronts.kernel.js'
import { ADD, AT, BASE, DROP, FOLD, JOIN, JOINT, LIFT, MOVE, NEW, PANEL, PIVOT, RECORD, SHIFT } from '../plan/operations.js'

/** y: vectors of the fronts, z: what is found at each pivot, both β/d; gathers the right-hand side b up to the last pivot. @kernel */
export function solveFrontsForward(e: Fronts, y: Lanes<number>, z: Lanes<number>, b: Lanes<number>): void {
  /** A pivot with β: what is kept of its row takes it from the vector. */
  const takeOut = (beta: number, v: Int, w: Int, h: Int, pivot: Int): void => {
    for (let j = 0; j < w; j++) y[v + j] = sub(y[v + j], scale(e.H[h + j], beta))
    z[pivot] = scale(e.dinv[pivot], beta)
  }
  const takeJoint = (n: Int, p: Int): void => {
    const [v, w, count, dof] = [e.ops[p + AT.vector], e.ops[p + AT.width], e.ops[p + AT.count], e.ops[p + AT.dof]]
    const o = v + e.ops[p + AT.slot]
    for (let k = 0; k < count; k++) {
      let beta = b[dof + k]
      for (let r = 0; r < n; r++) beta = add(beta, scale(e.S[n * (dof + k) + r], y[o + r]))
      takeOut(beta, v, w, e.ops[p + AT.kept] + k * w, e.ops[p + AT.pivot] + k)
    }
  }
  const shift = (n: Int, o: Int, from: Int, to: Int): void => {
    const [px, py, pz] = wayBetween(e, n, from, to)
    if (n === 6) {
      const [fx, fy, fz] = [y[o + 3], y[o + 4], y[o + 5]]
      y[o] = add(y[o], sub(scale(py, fz), scale(pz, fy)))
      y[o + 1] = add(y[o + 1], sub(scale(pz, fx), scale(px, fz)))
      y[o + 2] = add(y[o + 2], sub(scale(px, fy), scale(py, fx)))
    } else y[o] = add(y[o], sub(scale(px, y[o + 2]), scale(py, y[o + 1])))
  }
  for (let p = 0; p < e.end; p = p + RECORD) {
    const at = (place: Int): Int => e.ops[p + place]
    const kind = e.ops[p]
    const [v, w, count] = [at(AT.vector), at(AT.width), at(AT.count)]
    const o = v + at(AT.slot)
    if (kind === JOINT) {
      if (e.handle === 6) takeJoint(6, p)
      else takeJoint(3, p)
    } else if (kind === PIVOT) {
      const group = at(AT.group)
      if (group >= 0) {
        const first = e.first[group]
        if (e.rigid[group] === 1) for (let k = 0; k < count; k++) y[o + k] = add(y[o + k], e.asked[first + k])
      }
      for (let k = 0; k < count; k++) takeOut(y[o + k], v, w, at(AT.kept) + k * w, at(AT.pivot) + k)
    } else if (kind === NEW) {
      for (let k = o; k < o + count; k++) y[k] = 0
    } else if (kind === SHIFT) {
      if (e.handle === 6) shift(6, o, at(AT.oldAnchor), at(AT.newAnchor))
      else shift(3, o, at(AT.oldAnchor), at(AT.newAnchor))
    } else if (kind === FOLD) {
      const to = v + at(AT.to)
      for (let k = 0; k < e.handle; k++) y[to + k] = add(y[to + k], y[o + k])
    } else if (kind === MOVE) {
      const to = v + at(AT.to)
      for (let k = 0; k < count; k++) y[to + k] = y[o + k]
    } else if (kind === ADD) {
      const [from, list] = [at(AT.branchVector), at(AT.list)]
      for (let k = 0; k < count; k++) {
        const to = v + e.lists[list + k]
        y[to] = add(y[to], y[from + k])
      }
    } else if (kind === JOIN) {
      const [from, list] = [at(AT.branchVector), at(AT.list)]
      for (let r = list + 1; r < list + 1 + 3 * e.lists[list]; r = r + 3) {
        const [begin, to, length] = [from + e.lists[r], v + e.lists[r + 1], e.lists[r + 2]]
        for (let k = 0; k < length; k++) y[to + k] = add(y[to + k], y[begin + k])
      }
    } else if (kind === LIFT) {
      const [to, dof, rate] = [at(AT.to), at(AT.dof), v + at(AT.rate)]
      for (let k = 0; k < count; k++) {
        let sum = y[rate + k]
        if (at(AT.fresh) === 1) sum = add(sum, b[dof + k])
        for (let r = 0; r < 6; r++) sum = add(sum, scale(e.S[6 * (dof + k) + r], y[o + r]))
        y[rate + k] = sum
      }
      if (to >= 0 && v + to !== o) for (let k = 0; k < 6; k++) y[v + to + k] = add(y[v + to + k], y[o + k])
    } else if (kind === BASE) {
      const i = at(AT.body)
      const [n, dof] = [e.handle, e.iv[i]]
      for (let k = dof; k < e.ivEnd[i]; k++)
        for (let r = 0; r < n; r++) y[o + r] = add(y[o + r], scale(e.P[n * (n * i + k - dof) + r], b[k]))
    } else if (kind === PANEL) {
      let h: Int = at(AT.kept)
      for (let k = 0; k < count; k++) {
        const end = w - 1 - k
        takeOut(y[v + end], v, end, h, at(AT.pivot) + k)
        h = h + end
      }
    }
  }
}

/** Finds the velocities x, from the last pivot back, and the forces of exact rows. @kernel */
export function solveFrontsBackward(e: Fronts, y: Lanes<number>, z: Lanes<number>, x: Lanes<number>): void {
  /** z − Hᵀ y of the row kept at h; two sums, for one would wait for itself. */
  const found = (v: Int, w: Int, h: Int, pivot: Int): number => {
    let even = z[pivot]
    let odd = 0
    let done: Int = 0
    for (let j = 0; j + 1 < w; j = j + 2) {
      even = sub(even, scale(e.H[h + j], y[v + j]))
      odd = add(odd, scale(e.H[h + j + 1], y[v + j + 1]))
      done = j + 2
    }
    if (done < w) even = sub(even, scale(e.H[h + done], y[v + done]))
    return sub(even, odd)
  }
  const findJoint = (n: Int, p: Int): void => {
    const [v, w, count, dof] = [e.ops[p + AT.vector], e.ops[p + AT.width], e.ops[p + AT.count], e.ops[p + AT.dof]]
    const o = v + e.ops[p + AT.slot]
    for (let k = count - 1; k >= 0; k--) {
      const rate = found(v, w, e.ops[p + AT.kept] + k * w, e.ops[p + AT.pivot] + k)
      x[dof + k] = rate
      for (let r = 0; r < n; r++) y[o + r] = add(y[o + r], scale(e.S[n * (dof + k) + r], rate))
    }
  }
  // the same motion at the old point: v += ω × p
  const shift = (n: Int, o: Int, from: Int, to: Int): void => {
    const [px, py, pz] = wayBetween(e, n, from, to)
    const a = y[o]
    if (n === 6) {
      const [b, c] = [y[o + 1], y[o + 2]]
      y[o + 3] = add(y[o + 3], sub(scale(pz, b), scale(py, c)))
      y[o + 4] = add(y[o + 4], sub(scale(px, c), scale(pz, a)))
      y[o + 5] = add(y[o + 5], sub(scale(py, a), scale(px, b)))
    } else {
      y[o + 1] = sub(y[o + 1], scale(py, a))
      y[o + 2] = add(y[o + 2], scale(px, a))
    }
  }
  for (let p = e.end - RECORD; p >= 0; p = p - RECORD) {
    const at = (place: Int): Int => e.ops[p + place]
    const kind = e.ops[p]
    const [v, w, count] = [at(AT.vector), at(AT.width), at(AT.count)]
    const o = v + at(AT.slot)
    if (kind === JOINT) {
      if (e.handle === 6) findJoint(6, p)
      else findJoint(3, p)
    } else if (kind === PIVOT) {
      const group = at(AT.group)
      for (let k = count - 1; k >= 0; k--) {
        y[o + k] = 0
        y[o + k] = found(v, w, at(AT.kept) + k * w, at(AT.pivot) + k)
      }
      if (group >= 0) {
        const first = e.first[group]
        if (e.rigid[group] === 1) for (let k = 0; k < count; k++) e.pulled[first + k] = y[o + k]
      }
    } else if (kind === SHIFT) {
      if (e.handle === 6) shift(6, o, at(AT.oldAnchor), at(AT.newAnchor))
      else shift(3, o, at(AT.oldAnchor), at(AT.newAnchor))
    } else if (kind === FOLD) {
      const from = v + at(AT.to)
      for (let k = 0; k < e.handle; k++) y[o + k] = y[from + k]
    } else if (kind === DROP) {
      for (let k = 0; k < e.handle; k++) y[o + k] = 0
    } else if (kind === MOVE) {
      const from = v + at(AT.to)
      for (let k = count - 1; k >= 0; k--) y[o + k] = y[from + k]
    } else if (kind === ADD) {
      const [to, list] = [at(AT.branchVector), at(AT.list)]
      for (let k = 0; k < count; k++) y[to + k] = y[v + e.lists[list + k]]
    } else if (kind === JOIN) {
      const [to, list] = [at(AT.branchVector), at(AT.list)]
      for (let r = list + 1; r < list + 1 + 3 * e.lists[list]; r = r + 3) {
        const [begin, from, length] = [to + e.lists[r], v + e.lists[r + 1], e.lists[r + 2]]
        for (let k = 0; k < length; k++) y[begin + k] = y[from + k]
      }
    } else if (kind === LIFT) {
      const [parent, dof, rate] = [at(AT.to), at(AT.dof), v + at(AT.rate)]
      if (parent >= 0) for (let k = 0; k < 6; k++) y[o + k] = y[v + parent + k]
      else for (let k = 0; k < 6; k++) y[o + k] = 0
      for (let k = 0; k < count; k++) {
        const velocity = y[rate + k]
        x[dof + k] = velocity
        for (let r = 0; r < 6; r++) y[o + r] = add(y[o + r], scale(e.S[6 * (dof + k) + r], velocity))
      }
    } else if (kind === PANEL) {
      // where the row behind the last one would begin
      let h: Int = at(AT.kept)
      for (let k = 0; k < count; k++) h = h + (w - 1 - k)
      for (let k = count - 1; k >= 0; k--) {
        const end = w - 1 - k
        h = h - end
        y[v + end] = found(v, end, h, at(AT.pivot) + k)
      }
    } else if (kind === BASE) {
      const i = at(AT.body)
      const [n, dof] = [e.handle, e.iv[i]]
      for (let k = dof; k < e.ivEnd[i]; k++) {
        let sum = 0
        for (let r = 0; r < n; r++) sum = add(sum, scale(e.P[n * (n * i + k - dof) + r], y[o + r]))
        x[k] = sum
      }
    }
  }
}
