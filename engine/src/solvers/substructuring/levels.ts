/**
 * Inertia of what a domain carries, simplified [Barbic]. Each domain is accelerated with all that hangs on an interface held still there:
 *   L3: as one rigid body;  L2: as a point mass at its centre of mass;  L1: as a point mass in the middle of the interface, which feels no moment
 * Leaves to root the rigid inertias and forces of subtrees; root to leaves, with the motion of the domain known, its modes:
 *   (Mff + Σ Tᵀ I T) η̈ = τ − hf − Pᵀ A − Σ Tᵀ (I (A + cT) + V ×* I V − f)
 * What is carried takes the acceleration that comes out of it as given; momentum is not kept.
 */
import { choleskySolve } from '../../linalg/dense/cholesky.js'
import type { Vec } from '../../math/types.js'
import type { Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { add6, addTurnedRigid, crossForce, mulArticulated, rotate, rotate6, subtractDot6 } from '../../printed/arrays.js'
import { type AddedInertia, accelerateFrame, gatherModes } from '../../tree/aba-modes.js'

export type Level = 'L1' | 'L2' | 'L3'

export interface Levels {
  /** After `sweep`. Writes a. */
  solve(tau: Vec, more: AddedInertia, a: Vec): void
}

const h = new Float64Array(6)
const x = new Float64Array(3)

export function createLevels(m: Model, d: Data, level: Level): Levels {
  const { nbody, modes } = m
  const { IA, pA, VW, X_WB, dI } = d

  /** IA(i), pA(i): inertia and force of body i in its present shape; those of bodies on it are added before it is its turn. */
  const startBody = (i: number): void => {
    if (modes.row[i] >= 0) addTurnedRigid(IA, 21 * i, X_WB, 12 * i, dI, 10 * modes.row[i])
    rotate6(h, 0, X_WB, 12 * i, d.f, 6 * i)
    for (let k = 0; k < 6; k++) pA[6 * i + k] = -h[k]
  }

  /** The row of the frame that body i hangs on: what the domain below it feels of it, after the parent got all of it. */
  const simplify = (i: number): void => {
    const p = m.parent[i]
    const b = m.base[i]
    const o = 21 * b
    for (let k = 0; k < 21; k++) IA[21 * p + k] += IA[o + k]
    add6(pA, 6 * p, pA, 6 * b)
    const mass = IA[o + 15]
    if (level === 'L2' && mass > 0) setPoint(mass, IA[o + 13] / mass, IA[o + 8] / mass, IA[o + 9] / mass, o)
    if (level === 'L1') {
      rotate(x, 0, X_WB, 12 * p, d.x_F, 3 * modes.frame[i])
      setPoint(mass, x[0], x[1], x[2], o)
      // the moment of the force there
      const f = 6 * b
      pA[f] = x[1] * pA[f + 5] - x[2] * pA[f + 4]
      pA[f + 1] = x[2] * pA[f + 3] - x[0] * pA[f + 5]
      pA[f + 2] = x[0] * pA[f + 4] - x[1] * pA[f + 3]
    }
    mulArticulated(h, 0, IA, o, VW, 6 * b)
    crossForce(h, 0, VW, 6 * b, h, 0)
    add6(pA, 6 * b, h, 0)
  }

  /** IA[o …] ← that of a point mass at (x, y, z) */
  const setPoint = (mass: number, x: number, y: number, z: number, o: number): void => {
    IA[o] = mass * (y * y + z * z)
    IA[o + 1] = -mass * x * y
    IA[o + 2] = -mass * x * z
    IA[o + 3] = mass * (x * x + z * z)
    IA[o + 4] = -mass * y * z
    IA[o + 5] = mass * (x * x + y * y)
    IA[o + 6] = 0
    IA[o + 7] = -mass * z
    IA[o + 8] = mass * y
    IA[o + 9] = mass * z
    IA[o + 10] = 0
    IA[o + 11] = -mass * x
    IA[o + 12] = -mass * y
    IA[o + 13] = mass * x
    IA[o + 14] = 0
  }

  return {
    solve(tau, more, a) {
      const { kernels, tree, work } = d
      for (let i = 1; i < nbody; i++) startBody(i)
      for (let i = nbody - 1; i > 0; i--) {
        if (modes.row[i] >= 0) gatherModes(m, d, tau, i, more)
        if (m.parent[i] > 0) {
          kernels.joinToParents(tree, work, i, i + 1)
          if (modes.frame[i] >= 0) simplify(i)
          continue
        }
        // a free root moves as its composite does
        mulArticulated(h, 0, IA, 21 * i, VW, 6 * i)
        crossForce(h, 0, VW, 6 * i, h, 0)
        add6(pA, 6 * i, h, 0)
        kernels.eliminateTree(tree, work, tau.byteOffset, i, i, i + 1)
      }
      for (let i = 1; i < nbody; i++) {
        accelerateFrame(m, d, a, i)
        kernels.accelerateTree(tree, work, a.byteOffset, i, i + 1)
        const n = modes.row[i]
        if (n < 0) continue
        const k = modes.iv[modes.start[n]]
        const r = modes.start[n + 1] - modes.start[n]
        for (let l = 0; l < r; l++) {
          a[k + l] = d.u[k + l]
          subtractDot6(a, k + l, d.U, 6 * (k + l), d.AW, 6 * i)
        }
        choleskySolve(d.Lf, modes.block[n], r, a, k, 1)
      }
    },
  }
}
