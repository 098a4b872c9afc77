/**
 * Bodies that deform in `tree/implicit-factor`: their modes go before their joints do (`tree/mode-elimination`), and a symmetric matrix Z over
 * the modes of each body (forces that act on its shape alone) joins Mff.
 *
 *   backward  x −= Tᵀ p(e),  p += p(e) of children on moved frames;   w = L⁻¹ x,  p += Wᵀ w
 *   forward   y = L⁻ᵀ (w − W a),   a(e) = a + T y
 * with p and a in body coordinates, and rows e of their own for moved frames.
 */
import { backSubstitute, forwardSubstitute } from '../linalg/dense/cholesky.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Model } from '../model/model.js'
import { add6, addRigid, addScaled6, subtractDot6 } from '../printed/arrays.js'
import type { ImplicitFactor } from './implicit-factor.js'
import { coupleFrame, eliminateModes, factorModes, joinInertia, startModeMass } from './mode-elimination.js'
import { addFrameMotion } from './modes.js'

/** Reads the shapes of d, X_PB, S, r and IA = B of the factor. Writes the rest of it; false where the matrix is not positive definite. */
export function factorDeforming(m: Model, d: Data, f: ImplicitFactor, modes: Vec | undefined): boolean {
  const { bodies, row, block, start, iv, frameStart } = m.modes
  const { kernels, tree, factor, IA, W, Lf } = f
  f.T.set(d.T)
  f.P.set(d.P)
  f.dI.set(d.dI)
  IA.fill(0, 21 * m.nbody)
  kernels.startFactor(tree, factor)
  let isDefinite = true
  for (let i = m.nbody - 1; i > 0; i--) {
    const n = row[i]
    if (n >= 0) {
      startModeMass(m, n, Lf, modes)
      const r = start[n + 1] - start[n]
      for (let l = 0; l < r; l++) {
        const k = iv[start[n]] + l
        Lf[block[n] + l * (r + 1)] += f.r[k]
        for (let s = 0; s < 6; s++) W[6 * k + s] = f.P[6 * (start[n] + l) + s]
      }
      addRigid(IA, 21 * bodies[n], f.dI, 10 * n)
      for (let e = frameStart[n]; e < frameStart[n + 1]; e++) {
        joinInertia(m, n, e, IA)
        coupleFrame(m, n, e, f.T, IA, W, Lf)
      }
      isDefinite = factorModes(m, n, Lf) && isDefinite
      eliminateModes(m, n, IA, W, Lf)
    }
    kernels.factorBodies(tree, factor, 1, i, i + 1)
  }
  return isDefinite && f.least[0] > 0
}

/** y ← the inverse times x, both of the factor; x is spoilt. */
export function solveDeforming(m: Model, f: ImplicitFactor): void {
  const { kernels, tree, factor, x, y } = f
  f.p.fill(0)
  for (let i = m.nbody - 1; i > 0; i--) {
    solveModesUp(m, f, i)
    kernels.solveFactorUp(tree, factor, y.byteOffset, x.byteOffset, 1, i, i + 1)
  }
  for (let i = 1; i < m.nbody; i++) {
    hangOnFrame(m, f, i)
    kernels.solveFactorDown(tree, factor, y.byteOffset, i, i + 1)
    solveModesDown(m, f, i)
  }
}

function solveModesUp(m: Model, f: ImplicitFactor, i: number): void {
  const { row, start, iv, block, frameStart, column } = m.modes
  const n = row[i]
  if (n < 0) return
  const { p, x, y, W, T } = f
  const r = start[n + 1] - start[n]
  const k = iv[start[n]]
  for (let e = frameStart[n]; e < frameStart[n + 1]; e++) {
    const from = 6 * (m.nbody + e)
    add6(p, 6 * i, p, from)
    for (let l = 0; l < r; l++) subtractDot6(x, k + l, T, 6 * (column[e] + l), p, from)
  }
  forwardSubstitute(f.Lf, block[n], r, x, k, 1)
  for (let l = k; l < k + r; l++) {
    y[l] = x[l]
    addScaled6(p, 6 * i, x, l, W, 6 * l)
  }
}

function solveModesDown(m: Model, f: ImplicitFactor, i: number): void {
  const { row, start, iv, block } = m.modes
  const n = row[i]
  if (n < 0) return
  const r = start[n + 1] - start[n]
  const k = iv[start[n]]
  for (let l = k; l < k + r; l++) subtractDot6(f.y, l, f.W, 6 * l, f.a, 6 * i)
  backSubstitute(f.Lf, block[n], r, f.y, k, 1)
}

/** The motion of the frame that body i hangs on. */
function hangOnFrame(m: Model, f: ImplicitFactor, i: number): void {
  const e = m.modes.frame[i]
  if (e < 0) return
  const { a, y } = f
  const b = 6 * m.base[i]
  for (let r = 0; r < 6; r++) a[b + r] = a[6 * m.parent[i] + r]
  addFrameMotion(m, f.T, e, y, 0, a, b)
}
