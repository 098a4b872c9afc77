/**
 * M y = x with the factor that the articulated-body algorithm left in SW, U and D: O(n) for each vector.
 *
 * The recursion of `tree/aba.kernel`, along the world's axes, with no velocity, gravity or outside force; p starts at zero:
 *   backward  for each freedom, the last first:   w = D (x − Sᵀ p),  p += U w;   p(parent) += shifted p
 *   forward   a = shifted a(parent); for each freedom, the first first:   y = w − D Uᵀ a,  a += S y
 */
import { add, type Int, type Lanes, scale, sub } from '../math/values/columns.js'
import { NO_FORCE, power, shiftForce, shiftMotion, type Vec3 } from '../math/values/spatial.js'
import type { Tree, Work } from '../model/tables.js'

const fromParent = (m: Tree, d: Work, i: Int): Vec3 => sub(d.X_WB[i].p, d.X_WB[m.parent[i]].p)

/** Backward over the bodies from … to − 1. Reads x. Writes out = w; F are the forces p, zero before. @kernel */
export function solveUp(m: Tree, d: Work, out: Lanes<number>, x: Lanes<number>, from: Int, to: Int): void {
  for (let i = to - 1; i >= from; i--) {
    let p = d.F[i]
    for (let k = m.ivEnd[i] - 1; k >= m.iv[i]; k--) {
      const w = d.D[k] * (x[k] - power(d.SW[k], p))
      out[k] = w
      p = add(p, scale(w, d.U[k]))
    }
    d.F[i] = p
    const b = m.parent[i]
    if (b > 0) {
      if (m.moved[i] === 0) d.F[b] = add(d.F[b], shiftForce(p, fromParent(m, d, i)))
    }
  }
}

/** Forward. out = w becomes y; y(i) of Data are the accelerations, set already for bodies on moved frames. @kernel */
export function solveDown(m: Tree, d: Work, out: Lanes<number>, from: Int, to: Int): void {
  for (let i = from; i < to; i++) {
    let a = m.moved[i] === 1 ? d.y[i] : shiftMotion(d.y[m.parent[i]], fromParent(m, d, i))
    for (let k = m.iv[i]; k < m.ivEnd[i]; k++) {
      const y = out[k] - d.D[k] * power(a, d.U[k])
      out[k] = y
      a = add(a, scale(y, d.SW[k]))
    }
    d.y[i] = a
  }
}

/** Both, of a rigid tree. @kernel */
export function solveTree(m: Tree, d: Work, out: Lanes<number>, x: Lanes<number>): void {
  for (let i = 1; i < m.nbody; i++) d.F[i] = NO_FORCE
  solveUp(m, d, out, x, 1, m.nbody)
  solveDown(m, d, out, 1, m.nbody)
}
