/**
 * The three ways to solve A x = b behind one interface: the tree's own recursion, conjugate gradients preconditioned by it, and a sparse
 * factorisation of the maximal system.
 */
import { createPcg, pcg } from '../../../linalg/iterative/pcg.js'
import type { Vec } from '../../../math/types.js'
import { createImplicitFactor, factorImplicit, solveImplicit } from '../../../tree/implicit-factor.js'
import { createDirect, type DirectSolver } from './direct.js'
import { applySystem, type System, weighBlocks } from './system.js'

export interface LinearSolver {
  readonly name: string
  /** iterations of the last solve; 1 for the others */
  readonly iterations: number
  /** Prepares for the system as assembled; false where its matrix is not positive definite. */
  prepare(): boolean
  /** x ← A⁻¹ b; x holds a first guess. False where it did not get there. */
  solve(x: Vec, b: Vec): boolean
  /** The same for x[0 … count − 1], where doing them together is faster. */
  solveColumns?(x: readonly Vec[], b: readonly Vec[], count: number): boolean
  /** size[o] ← bᵀ A⁻¹ b, which takes half of a solve; `finish` makes the other half, x ← A⁻¹ b. */
  measure?(size: Vec, o: number, b: Vec): void
  finish?(x: Vec): void
}

export interface PcgSolver extends LinearSolver {
  /** As of a linear solver; gives up after `most` iterations. */
  solve(x: Vec, b: Vec, most?: number): boolean
}

/** Alg. 4: exact when every row touches one body only. */
export function createRecursive(s: System): LinearSolver {
  const factor = createImplicitFactor(s.model)
  return {
    name: 'recursive',
    iterations: 1,
    prepare() {
      weighBlocks(s)
      return factorImplicit(s.model, s.data, factor, s.bodies, s.joints, s.modes)
    },
    solve(x, b) {
      solveImplicit(s.model, factor, x, 0, b, 0)
      return true
    },
  }
}

/** Projected block Jacobi: the recursion with each row's own blocks, the rest by iteration (Algs. 1–4). */
export function createPcgSolver(s: System, tolerance: number): PcgSolver {
  const { model } = s
  const factor = createImplicitFactor(model)
  const work = createPcg(model.nv)
  // beyond, the factorisation takes over
  const iterations = Math.max(1000, 2 * model.nv)
  const operator = {
    apply: (out: Vec, x: Vec): void => applySystem(s, out, x),
    precondition: (out: Vec, r: Vec): void => solveImplicit(model, factor, out, 0, r, 0),
  }
  return {
    name: 'pcg',
    get iterations() {
      return work.report.iterations
    },
    prepare() {
      weighBlocks(s)
      return factorImplicit(model, s.data, factor, s.bodies, s.joints, s.modes)
    },
    solve: (x, b, most = iterations) => pcg(work, operator, b, x, tolerance, most).status === 'converged',
  }
}

export { createDirect, type DirectSolver }
