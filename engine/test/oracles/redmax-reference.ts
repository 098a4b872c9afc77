/**
 * The authors' linearly implicit Euler step in dense matrices, as plainly as it can be written: a second opinion on the scenes of
 * `redmax-scenes.ts`, with the rules (and the two mistakes) of the code that produced the published energies.
 *
 *   (M + h D − h² K  Gᵀ) (v⁺)   (M v + h (f − C))
 *   (       G        0 ) (λ ) = (   r            )
 *
 * Jacobians come from unit velocities, one at a time.
 */
import type { Data, Model, Spec, State } from 'limber'
import { buildModel, createData, createState, energy, forwardKinematics, integrate, inverseDynamics, massMatrix } from 'limber'
import { solveDense } from './dense.js'
import type { RedmaxScene } from './redmax-scenes.js'

/** H = T + V(end) − V(start) after the whole run. `honest` leaves the mistakes out. */
export function referenceEnergy(scene: RedmaxScene, honest = false): number {
  const { spec, duration } = scene
  const h = spec.timestep ?? 0
  const models = prepare(spec)
  const state = createState(models.full)
  state.v.set(scene.v ?? [])
  const start = potential(scene, models, state, honest)
  const steps = Math.round(duration / h)
  for (let k = 1; k <= steps; k++) step(scene, models, state, h, k * h, honest)
  return energy(models.bare, models.data, state).kinetic + potential(scene, models, state, honest) - start
}

interface Models {
  /** everything */
  readonly full: Model
  /** without dampers: what goes into f */
  readonly elastic: Model
  /** without springs between bodies and loads */
  readonly bare: Model
  readonly data: Data
}

function prepare(spec: Spec): Models {
  const { constraints: _, ...free } = spec
  const elastic: Spec = {
    ...free,
    bodies: spec.bodies.map(({ damping: __, ...body }) => ({
      ...body,
      joints: (body.joints ?? []).map(({ damping: ___, limits: ____, ...joint }) => joint),
    })),
    springs: (spec.springs ?? []).map(({ damping: __, ...spring }) => spring),
  }
  const { springs: __, loads: ___, ...bare } = elastic
  const full = buildModel(free)
  return { full, elastic: buildModel(elastic), bare: buildModel(bare), data: createData(full) }
}

function potential(scene: RedmaxScene, { bare, full, data }: Models, state: State, honest: boolean): number {
  let sum = energy(bare, data, state).potential
  forwardKinematics(full, data, state.q, state.v)
  const { springs } = full
  for (let k = 0; k < springs.count; k++) {
    const stretch = springLine(full, data, k).length - springs.rest[k]
    const strain = scene.quirk === 'damper' && !honest ? 1 / springs.rest[k] : 1
    sum += 0.5 * springs.stiffness[k] * stretch * stretch * strain
  }
  return sum
}

function step(scene: RedmaxScene, models: Models, state: State, h: number, end: number, honest: boolean): void {
  const { full, elastic, data } = models
  const n = full.nv
  const { q, v } = state

  // right-hand side: M v + h (f − C), with f − C what zero acceleration lacks
  const M = new Float64Array(n * n)
  massMatrix(full, data, state, M)
  inverseDynamics(elastic, data, state, new Float64Array(n))
  const b = Array.from(data.tau, (tau, i) => dotRow(M, n, i, v) - h * tau)
  const tau = scene.torque?.(end) ?? []
  tau.forEach((value, i) => {
    b[i] += h * value
  })

  // matrix: joints, body damping at the centres of mass, springs
  const A = Float64Array.from(M)
  for (let i = 0; i < n; i++) A[i * n + i] += h * full.damping[i] + h * h * full.stiffness[i]
  for (let i = 1; i < full.nbody; i++) {
    const [angular, linear] = [full.bodyDamping[2 * i], full.bodyDamping[2 * i + 1]]
    if (angular === 0 && linear === 0) continue
    const m = full.inertia[10 * i]
    const com = [1, 2, 3].map((r) => full.inertia[10 * i + r] / m)
    const J = motionRows(full, data, q, i, com)
    for (let r = 0; r < 6; r++) addSquare(A, n, J[r], J[r], h * (r < 3 ? angular : linear))
  }
  addSprings(models, q, A, b, v, h, scene.quirk === 'damper' && !honest, honest)

  // rows
  const rows = constraintRows(scene, full, data, state, end, honest)
  state.v.set(solveRows(A, b, n, rows))
  state.t = end
  integrate(full, q, state.v, h)
}

interface Row {
  readonly g: readonly number[]
  readonly r: number
  /** g v ≤ r instead of g v = r */
  readonly limit?: boolean
}

function constraintRows(scene: RedmaxScene, m: Model, d: Data, state: State, end: number, honest: boolean): Row[] {
  const beta = scene.stabilisation
  const { q } = state
  const rows: Row[] = []
  const unit = (k: number, value = 1): number[] => Array.from({ length: m.nv }, (_, i) => (i === k ? value : 0))
  const joint = (name: string) => {
    const found = m.joints.find((j) => j.name === name)
    if (!found) throw new Error(`no joint ${name}`)
    return found
  }
  const body = (name: string): number => m.bodies.findIndex((b) => b.name === name)
  for (const c of scene.spec.constraints ?? []) {
    if (c.type === 'point') {
      const [a, b] = [c.a, c.b].map(({ body: name, point = [0, 0, 0] }) => pointRows(m, d, q, body(name), point))
      for (const axis of c.axes ?? []) {
        const g = a.J[0].map((_, k) => axis.reduce((sum, x, r) => sum + x * (a.J[r][k] - b.J[r][k]), 0))
        rows.push({ g, r: -beta * axis.reduce((sum, x, r) => sum + x * (a.x[r] - b.x[r]), 0) })
      }
    } else if (c.type === 'coupling') {
      const [follows, leads, factor] = [joint(c.joint), joint(c.of ?? ''), c.polynomial[1]]
      const g = unit(follows.iv, -1)
      g[leads.iv] += factor
      rows.push({ g, r: -beta * (factor * q[leads.iq] - q[follows.iq]) })
    } else if (c.type === 'motion' && !scene.prescribed) {
      // by velocity alone there, and exact for a constant speed
      rows.push({ g: unit(joint(c.joint ?? '').iv), r: c.speed ?? 0 })
    }
  }
  if (scene.prescribed) {
    const wanted = scene.prescribed(end)
    rows.push({ g: unit(0), r: wanted.v + beta * (wanted.q - q[0]) })
  }
  for (let k = 0; k < m.nv; k++) {
    // scenes with limits have revolute joints only
    if (q[k] <= m.limits[2 * k]) rows.push({ g: unit(k, -1), r: -beta * (m.limits[2 * k] - q[k]), limit: true })
    else if (q[k] >= m.limits[2 * k + 1]) {
      const gap = m.limits[2 * k + 1] - q[k]
      rows.push({ g: unit(k), r: honest ? beta * gap : -beta * gap, limit: true })
    }
  }
  return rows
}

/** Equalities always, limits where they push: one limit at most in these scenes. */
function solveRows(A: Float64Array, b: readonly number[], n: number, rows: readonly Row[]): number[] {
  const all = solveKkt(A, b, n, rows)
  const limits = rows.filter((row) => row.limit)
  if (limits.length === 0) return all
  const free = solveKkt(
    A,
    b,
    n,
    rows.filter((row) => !row.limit),
  )
  return limits.every(({ g, r }) => g.reduce((sum, x, k) => sum + x * free[k], 0) <= r) ? free : all
}

function solveKkt(A: Float64Array, b: readonly number[], n: number, rows: readonly Row[]): number[] {
  const size = n + rows.length
  const K = new Float64Array(size * size)
  for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) K[i * size + k] = A[i * n + k]
  rows.forEach(({ g }, r) => {
    g.forEach((x, k) => {
      K[(n + r) * size + k] = x
      K[k * size + n + r] = x
    })
  })
  return solveDense(K, [...b, ...rows.map(({ r }) => r)]).slice(0, n)
}

/** Springs between bodies: with a rest length by the stiffness along the line; without one by the whole symmetric part. */
function addSprings(
  { full: m, data: d }: Models,
  q: State['q'],
  A: Float64Array,
  b: number[],
  v: State['v'],
  h: number,
  quirk: boolean,
  honest: boolean,
): void {
  const { springs, nv: n } = m
  for (let k = 0; k < springs.count; k++) {
    const [i, j] = [springs.bodyA[k], springs.bodyB[k]]
    const [x, y] = [springs.pointA, springs.pointB].map((p) => Array.from(p.subarray(3 * k, 3 * k + 3)))
    const a = pointRows(m, d, q, i, x)
    const c = pointRows(m, d, q, j, y)
    const gap = c.x.map((value, r) => value - a.x[r])
    const relative = c.J.map((row, r) => row.map((value, e) => value - a.J[r][e]))
    if (springs.rest[k] > 0) {
      const length = Math.hypot(...gap)
      const line = relative[0].map((_, e) => gap.reduce((sum, value, r) => sum + (value / length) * relative[r][e], 0))
      addSquare(A, n, line, line, h * h * springs.stiffness[k] + h * springs.damping[k])
      const tension = springs.stiffness[k] * (length - springs.rest[k])
      if (honest && tension > 0) {
        // across the line a taut spring holds with its tension, K = k n nᵀ + (t/l)(1 − n nᵀ); their code leaves it out
        const across = (h * h * tension) / length
        for (let r = 0; r < 3; r++) addSquare(A, n, relative[r], relative[r], across)
        addSquare(A, n, line, line, -across)
      }
      if (quirk) {
        const rate = line.reduce((sum, value, e) => sum + value * v[e], 0)
        for (let e = 0; e < n; e++) b[e] += h * springs.damping[k] * rate * line[e]
      }
      continue
    }
    for (let r = 0; r < 3; r++) addSquare(A, n, relative[r], relative[r], h * h * springs.stiffness[k])
    // how the wrench turns with its body: ([x][w] 0 ; [w] 0), symmetric part, w the force in the body's axes
    const force = gap.map((value) => springs.stiffness[k] * value)
    addTurning(A, m, d, q, i, x, force, h)
    addTurning(
      A,
      m,
      d,
      q,
      j,
      y,
      force.map((value) => -value),
      h,
    )
  }
}

function addTurning(
  A: Float64Array,
  m: Model,
  d: Data,
  q: State['q'],
  i: number,
  x: readonly number[],
  force: readonly number[],
  h: number,
): void {
  const J = motionRows(m, d, q, i, [0, 0, 0])
  forwardKinematics(m, d, q, new Float64Array(m.nv))
  const w = [0, 1, 2].map((c) => [0, 1, 2].reduce((sum, r) => sum + d.X_WB[12 * i + 3 * r + c] * force[r], 0))
  const W = bracket(w)
  const X = bracket(x)
  for (let r = 0; r < 3; r++) {
    for (let c = 0; c < 3; c++) {
      const top = X[r][0] * W[0][c] + X[r][1] * W[1][c] + X[r][2] * W[2][c]
      for (const [row, value] of [
        [r, top],
        [r + 3, W[r][c]],
      ] as const) {
        addSquare(A, m.nv, J[row], J[c], -0.5 * h * h * value)
        addSquare(A, m.nv, J[c], J[row], -0.5 * h * h * value)
      }
    }
  }
}

function bracket([x, y, z]: readonly number[]): number[][] {
  return [
    [0, -z, y],
    [z, 0, -x],
    [-y, x, 0],
  ]
}

/** A += s a bᵀ */
function addSquare(A: Float64Array, n: number, a: readonly number[], b: readonly number[], s: number): void {
  for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) A[i * n + k] += s * a[i] * b[k]
}

function dotRow(M: Float64Array, n: number, i: number, v: State['v']): number {
  let sum = 0
  for (let k = 0; k < n; k++) sum += M[i * n + k] * v[k]
  return sum
}

/** Six rows: turn, and velocity of the point x of the body, both in its axes, for each unit velocity. */
function motionRows(m: Model, d: Data, q: State['q'], i: number, x: readonly number[]): number[][] {
  const J = Array.from({ length: 6 }, () => new Array<number>(m.nv).fill(0))
  for (let k = 0; k < m.nv; k++) {
    const v = new Float64Array(m.nv)
    v[k] = 1
    forwardKinematics(m, d, q, v)
    const [a, b, c, e, f, g] = d.V.subarray(6 * i, 6 * i + 6)
    const twist = [a, b, c, e + b * x[2] - c * x[1], f + c * x[0] - a * x[2], g + a * x[1] - b * x[0]]
    twist.forEach((value, r) => {
      J[r][k] = value
    })
  }
  return J
}

/** Where the point of the body is in the world, and three rows: its velocity for each unit velocity. */
function pointRows(m: Model, d: Data, q: State['q'], i: number, x: readonly number[]): { x: number[]; J: number[][] } {
  const local = motionRows(m, d, q, i, x).slice(3)
  forwardKinematics(m, d, q, new Float64Array(m.nv))
  const R = (r: number, c: number): number => d.X_WB[12 * i + 3 * r + c]
  return {
    x: [0, 1, 2].map((r) => d.X_WB[12 * i + 9 + r] + R(r, 0) * x[0] + R(r, 1) * x[1] + R(r, 2) * x[2]),
    J: [0, 1, 2].map((r) => local[0].map((_, k) => R(r, 0) * local[0][k] + R(r, 1) * local[1][k] + R(r, 2) * local[2][k])),
  }
}

function springLine({ springs }: Model, d: Data, k: number): { length: number } {
  const end = (body: number, p: ArrayLike<number>): number[] =>
    [0, 1, 2].map((r) => d.X_WB[12 * body + 9 + r] + [0, 1, 2].reduce((sum, c) => sum + d.X_WB[12 * body + 3 * r + c] * p[3 * k + c], 0))
  const a = end(springs.bodyA[k], springs.pointA)
  const b = end(springs.bodyB[k], springs.pointB)
  return { length: Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) }
}
