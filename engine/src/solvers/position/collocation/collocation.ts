/**
 * A collocation step: R_i(q₁ … q_s) = 0 at all stages, by Newton with a line search [Pan and Manocha 2018].
 *
 * The matrix is W ⊗ X/h² + curvature + forces, with W the stages' part of the second-derivative weights. Small systems are formed and
 * factored; large ones go to GMRES with products by differences of residuals. Its preconditioner takes X and the curvature K at the last
 * stage: with W = V Λ V⁻¹ the system falls apart into (a M/h² + K), one for each real eigenvalue, and 2 × 2 systems
 * (A −B; B A), A = a M/h² + K, B = b M/h², for pairs a ± ib, which two solves with A + B bring to eigenvalues between ½ and 1 (O. Axelsson,
 * preconditioned square block matrices, PRESB). Where a is so negative that A + B is not positive (K = 5), |a + ib| M/h² + K stands for the
 * pair: the eigenvalues then lie on the chords from e^(±iθ) to 1, away from zero. O(n) throughout.
 * The line search watches |C⁻¹ R| with the matrix C of the iteration (exact or preconditioner), which no choice of units can spoil.
 */
import { forcesOf } from '../../../forces/index.js'
import { addTermBlocks, linearizeAll } from '../../../forces/stiff-rows.js'
import { integrate } from '../../../joints/index.js'
import { luFactor, luSolve } from '../../../linalg/dense/lu.js'
import { createGmres, type Gmres, gmres } from '../../../linalg/iterative/gmres.js'
import type { LinearOperator } from '../../../linalg/iterative/linear-operator.js'
import type { Vec } from '../../../math/types.js'
import type { Force } from '../../../model/force.js'
import type { Model } from '../../../model/model.js'
import { createStiffTerms, type StiffTerms } from '../../../model/stiff-terms.js'
import { placeTable, roomFor, tableRoom, takeAll } from '../../../model/work-space.js'
import { createImplicitFactor, factorSize, type ImplicitFactor, multiplyInertia, solveImplicit } from '../../../tree/implicit-factor.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { createMoments, MOMENTS } from '../../../tree/point-moments.js'
import type { MinimizeReport } from '../euler/minimize.js'
import { addNewtonMatrix, createNewtonWork, factorNewton, LAMBDA, type NewtonWork, newtonRoom, SCALE } from '../euler/newton-factor.js'
import { projectionRoom } from '../euler/project-rates.js'
import { type Scheme, STAGES } from './scheme.js'
import { type EigenBlocks, eigenBlocks } from './small-eigen.js'
import {
  createStages,
  createStageWork,
  createStepStart,
  type Stage,
  type StageWork,
  type StepStart,
  stageResidual,
  stageWorkRoom,
} from './stage.js'

export interface Collocation {
  readonly m: Model
  readonly start: StepStart
  readonly stages: readonly Stage[]
  readonly work: StageWork
  readonly newton: NewtonWork
  readonly moments: Vec
  /** there is more than weight: then products and matrices are made by differences */
  readonly forces: boolean
  /** those that linearise themselves, and what they give at the last stage, for the preconditioner */
  readonly stiff: { readonly forces: readonly Force[]; readonly terms: StiffTerms; readonly weight: Vec; readonly scale: Vec }
  readonly n: number
  readonly R: Vec
  readonly dx: Vec
  readonly y: Vec
  readonly base: Vec
  readonly rhs: Vec
  readonly q: readonly Vec[]
  readonly x: Vec
  readonly joints: Vec
  readonly bodies: Vec
  readonly factor: ImplicitFactor
  readonly dense: { readonly J: Vec; readonly rows: Int32Array } | undefined
  /** address of the table of mixed derivatives, and their weight */
  readonly mixed: number
  readonly weight: Vec
  readonly krylov: { readonly work: Gmres; readonly operator: LinearOperator; readonly factors: readonly ImplicitFactor[] } | undefined
  readonly eigen: Map<Scheme, EigenBlocks>
  scheme: Scheme
  /** the matrix is exact, so that Newton's steps shrink quadratically: not with armature on joints without plain coordinates */
  readonly quadratic: boolean
  /** how often a step of Newton may be halved */
  readonly halvings: number
  /** size of the step */
  readonly h: Vec
}

const VALUE = 0
const LENGTH = 1
const STEP = 2
/** Systems up to this size are formed and factored: there LU beats GMRES. */
export const FORM_UP_TO = 150
const RESTART = 40
const KRYLOV_TOLERANCE = 1e-3
// of |a + ib|: how large a + b must be for A + B to be safely positive
const LITTLE = 0.3
const DIFFERENCE = 1e-7

export function createCollocation(
  m: Model,
  schemes: readonly Scheme[],
  own: readonly Force[] = [],
  formUpTo = FORM_UP_TO,
  halvings = 20,
): Collocation {
  const s = schemes[0].stages
  const n = s * m.nv
  const formed = n <= formUpTo
  const eigen = new Map<Scheme, EigenBlocks>()
  let blocks = 0
  for (const scheme of schemes) {
    const found = eigenBlocks(scheme.second.map((row) => Array.from(row.subarray(STAGES))))
    eigen.set(scheme, found)
    blocks = Math.max(blocks, found.blocks.length)
  }
  const layout = { J: formed ? n * n : 0, joints: m.nv, bodies: 21 * m.nbody }
  const table = { name: 'Mixed', fields: {}, own: { moments: MOMENTS * m.nbody, Mb: 16 * m.nbody, weight: 1 } } as const
  const factors = 1 + (formed ? 0 : blocks)
  const more = roomFor(layout) + tableRoom(table) + stageWorkRoom(m) + newtonRoom(m) + projectionRoom(m) + (factors * factorSize(m)) / 8
  const stages = createStages(m, s, own, more)
  const { d } = stages[0]
  const { J, ...views } = takeAll(d, layout)
  const { table: mixed, moments, weight } = placeTable(d, table)
  moments.set(createMoments(m))
  const start = createStepStart(m, d)
  const newton = createNewtonWork(m, d)
  const all = forcesOf(m, { own })
  const terms = createStiffTerms(m, own)
  const z: Collocation = {
    m,
    start,
    stages,
    work: createStageWork(m, d, start),
    newton,
    ...views,
    moments,
    weight,
    mixed,
    forces: all.some((force) => !force.inertial),
    stiff: {
      forces: all.filter((force) => force.linearize),
      terms,
      weight: new Float64Array(terms.stiffness.length),
      scale: new Float64Array(2),
    },
    n,
    R: new Float64Array(n),
    dx: new Float64Array(n),
    y: new Float64Array(n),
    base: new Float64Array(n),
    rhs: new Float64Array(n),
    q: Array.from({ length: s }, () => new Float64Array(m.nq)),
    x: new Float64Array(3),
    factor: createImplicitFactor(m, d),
    dense: formed ? { J, rows: new Int32Array(n) } : undefined,
    krylov: formed
      ? undefined
      : {
          work: createGmres(n, RESTART),
          factors: Array.from({ length: blocks }, () => createImplicitFactor(m, d)),
          operator: {
            apply: (out, x) => applyJacobian(z, out, x),
            precondition(out, x) {
              out.set(x)
              precondition(z, out)
            },
          },
        },
    eigen,
    scheme: schemes[0],
    quadratic: formed && m.armature.every((a, k) => a === 0 || newton.exponential[k] < 0),
    halvings,
    h: new Float64Array(1),
  }
  return z
}

/** Reads the configurations of the stages. Writes poses, residuals, and R. */
export function evaluateStages(z: Collocation): void {
  for (let i = 0; i < z.stages.length; i++) updatePoses(z.m, z.stages[i].d, z.stages[i].state.q)
  residuals(z)
}

function residuals(z: Collocation): void {
  const { m, stages } = z
  for (let i = 0; i < stages.length; i++) {
    stageResidual(m, z.work, z.newton, z.moments, z.scheme, z.start, stages, i, z.h, z.forces)
    z.R.set(stages[i].R, i * m.nv)
  }
}

/** out ← J x, by a difference along x. Leaves the stages displaced. */
function applyJacobian(z: Collocation, out: Vec, x: Vec): void {
  let size = 0
  for (let k = 0; k < z.n; k++) size = Math.max(size, Math.abs(x[k]))
  if (!(size > 0)) {
    out.fill(0)
    return
  }
  const e = DIFFERENCE / size
  z.x[STEP] = e
  moveStages(z, x)
  evaluateStages(z)
  for (let k = 0; k < z.n; k++) out[k] = (z.R[k] - z.base[k]) / e
}

/** Stages ← kept configurations ⊕ s x, s in z.x. */
function moveStages(z: Collocation, x: Vec): void {
  const s = z.x[STEP]
  const { m, stages, work } = z
  for (let i = 0; i < stages.length; i++) {
    stages[i].state.q.set(z.q[i])
    for (let k = 0; k < m.nv; k++) work.xi[k] = s * x[i * m.nv + k]
    integrate(m, stages[i].state.q, work.xi, 1)
  }
}

/** J, in the memory of the stages, ← the matrix at the present configurations: the analytic one where only weight acts, else by differences. */
export function formJacobian(z: Collocation, J: Vec): void {
  const { m, stages, n, newton, scheme } = z
  const h = z.h[0]
  const { nv } = m
  const s = stages.length
  if (z.forces) {
    z.base.set(z.R)
    for (let i = 0; i < s; i++) z.q[i].set(stages[i].state.q)
    for (let c = 0; c < n; c++) {
      const i = Math.floor(c / nv)
      z.work.xi.fill(0)
      z.work.xi[c - i * nv] = DIFFERENCE
      integrate(m, stages[i].state.q, z.work.xi, 1)
      updatePoses(m, stages[i].d, stages[i].state.q)
      residuals(z)
      for (let r = 0; r < n; r++) J[r * n + c] = (z.R[r] - z.base[r]) / DIFFERENCE
      stages[i].state.q.set(z.q[i])
      updatePoses(m, stages[i].d, stages[i].state.q)
    }
    residuals(z)
    return
  }
  J.fill(0)
  newton.scale[SCALE] = 0
  newton.scale[LAMBDA] = 0
  for (let i = 0; i < s; i++) {
    for (let j = 0; j < s; j++) {
      const weight = scheme.second[i][STAGES + j] / (h * h)
      const o = i * nv * n + j * nv
      z.weight[0] = weight
      newton.kernels.addMixedDerivative(stages[i].d.tree, z.mixed, stages[i].d.work, stages[j].d.work, J.byteOffset, o, n)
      for (let k = 0; k < nv; k++) J[o + k * n + k] += weight * m.armature[k]
    }
    // wrenches summed over subtrees belong to the stage that was evaluated last
    stageResidual(m, z.work, newton, z.moments, scheme, z.start, stages, i, z.h, false)
    addNewtonMatrix(stages[i].d, newton, stages[i].W, z.bodies, z.joints, z.factor, J, i * nv * (n + 1), n)
  }
}

/** Prepares the linear solver at the present configurations; false where its matrix is singular. */
export function prepare(z: Collocation): boolean {
  const { m, stages, dense, krylov, newton, scheme } = z
  if (dense) {
    formJacobian(z, dense.J)
    return luFactor(dense.J, 0, z.n, dense.rows) < 0
  }
  const eigen = z.eigen.get(scheme)
  if (!krylov || !eigen) return false
  const h = z.h[0]
  const last = stages[stages.length - 1]
  const rate = Math.abs(scheme.first[stages.length - 1][STAGES + stages.length - 1]) / h
  const { terms, weight, scale } = z.stiff
  linearizeAll(z.stiff.forces, m, last.d, last.state, terms)
  scale[0] = 1
  scale[1] = rate
  z.joints.fill(0)
  z.bodies.fill(0)
  addTermBlocks(terms, scale, weight, z.joints, z.bodies)
  newton.scale[LAMBDA] = 0
  for (let k = 0; k < eigen.blocks.length; k++) {
    const { a, b } = eigen.blocks[k]
    const size = Math.sqrt(a * a + b * b)
    newton.scale[SCALE] = (a + b > LITTLE * size ? a + b : size) / (h * h)
    if (!factorNewton(m, last.d, newton, last.W, z.bodies, z.joints, 'clipped', krylov.factors[k])) return false
  }
  return true
}

/** x ← an approximation of J⁻¹ x */
function precondition(z: Collocation, x: Vec): void {
  const { m, dense, krylov, scheme } = z
  const { nv } = m
  if (dense) {
    luSolve(dense.J, 0, z.n, dense.rows, z.y, 0, x, 0)
    x.set(z.y)
    return
  }
  const eigen = z.eigen.get(scheme)
  if (!krylov || !eigen) return
  const { y } = z
  transform(y, x, eigen.inverse, eigen.n, nv)
  for (let k = 0; k < eigen.blocks.length; k++) {
    const { at, a, b } = eigen.blocks[k]
    const factor = krylov.factors[k]
    const o = at * nv
    if (b === 0 || !(a + b > LITTLE * Math.sqrt(a * a + b * b))) {
      solveImplicit(m, factor, y, o, y, o)
      if (b !== 0) solveImplicit(m, factor, y, o + nv, y, o + nv)
      continue
    }
    // s = (A + B)⁻¹ (p + q);  x = (A + B)⁻¹ (p + B s);  y = s − x
    const u = z.work.rate
    const v = z.work.xi
    for (let i = 0; i < nv; i++) u[i] = y[o + i] + y[o + nv + i]
    solveImplicit(m, factor, u, 0, u, 0)
    multiplyInertia(m, factor, v, 0, u, 0)
    const scale = b / (z.h[0] * z.h[0])
    for (let i = 0; i < nv; i++) v[i] = y[o + i] + scale * v[i]
    solveImplicit(m, factor, y, o, v, 0)
    for (let i = 0; i < nv; i++) y[o + nv + i] = u[i] - y[o + i]
  }
  transform(x, y, eigen.V, eigen.n, nv)
}

/** out ← (A ⊗ 1) x */
function transform(out: Vec, x: Vec, A: Vec, s: number, nv: number): void {
  for (let r = 0; r < s; r++) {
    for (let k = 0; k < nv; k++) {
      let sum = 0
      for (let c = 0; c < s; c++) sum += A[r * s + c] * x[c * nv + k]
      out[r * nv + k] = sum
    }
  }
}

/** Reads the first guess in the stages' configurations. Leaves the solution there, evaluated. */
export function solveStages(z: Collocation, report: MinimizeReport, tolerance: number, most: number): void {
  const { stages, R, dx, x, n } = z
  report.status = 'not-finite'
  evaluateStages(z)
  let before = Number.POSITIVE_INFINITY
  let full = false
  for (let iteration = 0; ; iteration++) {
    for (let k = 0; k < n; k++) if (!Number.isFinite(R[k])) return
    if (iteration >= most) {
      report.status = 'not-converged'
      return
    }
    report.iterations++
    for (let i = 0; i < stages.length; i++) z.q[i].set(stages[i].state.q)
    if (!prepare(z)) {
      report.status = 'not-converged'
      return
    }
    z.base.set(R)
    direction(z, report)
    const length = x[LENGTH]
    if (!Number.isFinite(length)) return
    const ahead = full && z.quadratic ? (length * length * length) / (before * before) : length
    if (length <= tolerance || (ahead <= 0.1 * tolerance && length < 0.1 * before)) {
      x[STEP] = 1
      moveStages(z, dx)
      evaluateStages(z)
      report.status = 'ok'
      for (let k = 0; k < n; k++) if (!Number.isFinite(R[k])) report.status = 'not-finite'
      return
    }
    if (!search(z, report)) {
      report.status = 'not-converged'
      return
    }
    full = x[STEP] === 1
    before = length
  }
}

/** x ← J⁻¹ x after `prepare`, to full accuracy; the stages are spoilt. */
export function solveJacobian(z: Collocation, x: Vec): void {
  if (!z.krylov) return precondition(z, x)
  z.rhs.set(x)
  for (let i = 0; i < z.stages.length; i++) z.q[i].set(z.stages[i].state.q)
  z.base.set(z.R)
  precondition(z, x)
  gmres(z.krylov.work, z.krylov.operator, z.rhs, x, 1e-11, 10 * RESTART)
}

/** dx ← −J⁻¹ R; the measure of R and the length of dx into x. */
function direction(z: Collocation, report: MinimizeReport): void {
  const { dx, R, x, n, krylov, base } = z
  for (let k = 0; k < n; k++) dx[k] = -base[k]
  precondition(z, dx)
  let value = 0
  for (let k = 0; k < n; k++) value += dx[k] * dx[k]
  x[VALUE] = value
  if (krylov) {
    for (let k = 0; k < n; k++) z.rhs[k] = -base[k]
    gmres(krylov.work, krylov.operator, z.rhs, dx, KRYLOV_TOLERANCE, 3 * RESTART)
    report.products += krylov.work.report.iterations
    R.set(base)
  }
  let length = 0
  for (let k = 0; k < n; k++) {
    const size = Math.abs(dx[k])
    if (!(size <= length)) length = size
  }
  x[LENGTH] = length
}

/** Halves the step in x until |C⁻¹ R| has fallen; false where it never does. */
function search(z: Collocation, report: MinimizeReport): boolean {
  const { dx, x, n, rhs, R } = z
  // the measure of an iterative solver is that of its preconditioner, which may rise once on a good way
  const most = z.krylov ? Math.max(1, z.halvings) : z.halvings
  x[STEP] = 1
  for (let k = 0; k <= most; k++) {
    moveStages(z, dx)
    evaluateStages(z)
    rhs.set(R)
    precondition(z, rhs)
    let value = 0
    for (let i = 0; i < n; i++) value += rhs[i] * rhs[i]
    if (value <= x[VALUE] * (1 - 1e-4 * x[STEP])) return true
    report.backtracks++
    x[STEP] *= 0.5
  }
  return false
}
