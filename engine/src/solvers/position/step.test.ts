import { type BodySpec, buildModel, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { moved, unitVector } from '../../../test/conformance/check.js'
import { randomTree } from '../../../test/conformance/random-tree.js'
import { takeNumbers } from '../../model/data.js'
import { solveImplicit } from '../../tree/implicit-factor.js'
import { forwardKinematics, updatePoses } from '../../tree/kinematics.js'
import { poseRates } from '../../tree/point-moments.js'
import { createStepProblem } from './energy/step-problem.js'
import { createMinimizeReport, createMinimizer, evaluate, minimize, minimizerRoom } from './euler/minimize.js'
import { addNewtonMatrix, factorNewton, gradientPass, SCALE } from './euler/newton-factor.js'

const m = 10
const [dx, dy, dz] = [0.2, 1, 0.1]
const inertia = {
  mass: m,
  com: [0, -0.5, 0],
  tensor: [(m * (dy * dy + dz * dz)) / 12, (m * (dx * dx + dz * dz)) / 12, (m * (dx * dx + dy * dy)) / 12, 0, 0, 0],
} satisfies BodySpec['inertia']
const rp1: Spec = {
  gravity: [0, -9.8, 0],
  bodies: [
    { name: 'b0', inertia, joints: [{ type: 'revolute', axis: [0, 0, 1] }] },
    { name: 'b1', parent: 'b0', position: [0, -1, 0], inertia, joints: [{ type: 'universal' }] },
    { name: 'b2', parent: 'b0', position: [0.1, -1, 0], inertia, joints: [{ type: 'revolute', axis: [1, 0, 0] }] },
  ],
}

describe('reference problem RP1', () => {
  it('has the printed energy and minimum', () => {
    const model = buildModel(rp1)
    const p = createStepProblem(model, [], minimizerRoom(model) + 2 * model.nv ** 2)
    const z = createMinimizer(p, [], 'newton')
    const q = [0.3, 0.2, -0.4, 0.5]
    const v = [1, -0.5, 0.8, 0.3]
    const h = 0.02
    p.h[0] = h
    p.trial.q.set(q.map((x, k) => x - h * v[k]))
    updatePoses(model, p.d, p.trial.q)
    const before = p.d.X_WB.slice()
    p.trial.q.set(q)
    p.q0.set(q)
    updatePoses(model, p.d, p.trial.q)
    for (let k = 0; k < before.length; k++) z.Y[k] = 2 * p.d.X_WB[k] - before[k]
    p.trial.q.set(q.map((x, k) => x + h * v[k]))
    evaluate(z)
    expect(p.E[0] + p.E[1]).toBeCloseTo(-315.828634675, 8)
    const report = createMinimizeReport()
    minimize(z, report, 1e-12, 50)
    expect(report.status).toBe('ok')
    ;[0.31905378, 0.18877154, -0.38366597, 0.50292594].forEach((x, k) => expect(p.trial.q[k]).toBeCloseTo(x, 7))
    expect(p.E[0] + p.E[1]).toBeCloseTo(-315.930151984, 8)
  })
})

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('random tree of seed %i', (seed) => {
  const { model, state, random } = randomTree({ seed, bodies: 8 })
  const p = createStepProblem(model, [], minimizerRoom(model) + 2 * model.nv ** 2)
  const z = createMinimizer(p, [], 'newton')
  p.h[0] = 0.1
  p.q0.set(state.q)
  forwardKinematics(model, p.d, state.q, state.v)
  const rates = new Float64Array(12 * model.nbody)
  poseRates(model, p.d, rates)
  for (let k = 0; k < rates.length; k++) z.Y[k] = p.d.X_WB[k] + 0.1 * rates[k]
  const q = moved(model, state.q, random.array(model.nv, 1), 0.3)
  const at = (x: Float64Array) => {
    p.trial.q.set(x)
    evaluate(z)
    return p.E[0] + p.E[1]
  }
  const gradient = (x: Float64Array) => {
    at(x)
    const g = new Float64Array(model.nv)
    gradientPass(model, p.d, z.work, p.W, p.joint, g)
    return g
  }

  it('has the gradient of its energy', () => {
    const g = gradient(q)
    const scale = Math.max(...g.map(Math.abs))
    for (let k = 0; k < model.nv; k++) {
      const e = unitVector(model.nv, k)
      const h = 1e-3
      const f = (s: number) => at(moved(model, q, e, s * h))
      const fd = (8 * (f(1) - f(-1)) - (f(2) - f(-2))) / (12 * h)
      expect(Math.abs(fd - g[k]) / scale).toBeLessThan(1e-7)
    }
  })

  it('has the second derivative of its energy, and solves with it', () => {
    const n = model.nv
    gradient(q)
    const H = takeNumbers(p.d, n * n)
    z.work.scale[SCALE] = 1 / 0.01
    p.joints.fill(50)
    addNewtonMatrix(p.d, z.work, p.W, p.bodies, p.joints, z.factor, H, 0, n)
    const ok = factorNewton(model, p.d, z.work, p.W, p.bodies, p.joints, 'exact', z.factor)
    const x = random.array(n, 1)
    const Hx = Float64Array.from({ length: n }, (_, r) => x.reduce((s, v, c) => s + H[r * n + c] * v, 0))
    if (ok) {
      const y = new Float64Array(n)
      solveImplicit(model, z.factor, y, 0, Hx, 0)
      for (let k = 0; k < n; k++) expect(y[k]).toBeCloseTo(x[k], 8)
    }
    const scale = Math.max(...H.map(Math.abs))
    const h = 1e-3
    for (let k = 0; k < n; k++) {
      const e = unitVector(n, k)
      const diag = H[k * n + k] - 50 - model.armature[k] / 0.01
      // the energy along two directions at once, symmetric in both
      const f = (s: number) => at(moved(model, q, e, s * h))
      const second = (-f(2) + 16 * f(1) - 30 * f(0) + 16 * f(-1) - f(-2)) / (12 * h * h)
      expect(Math.abs(second - diag) / scale).toBeLessThan(1e-7)
      const l = (k + 3) % n
      if (l === k) continue
      const both = e.slice()
      both[l] = 1
      const f2 = (s: number) => at(moved(model, q, both, s * h))
      const mixed = (-f2(2) + 16 * f2(1) - 30 * f2(0) + 16 * f2(-1) - f2(-2)) / (12 * h * h)
      const want = diag + H[l * n + l] - 50 - model.armature[l] / 0.01 + 2 * H[k * n + l]
      expect(Math.abs(mixed - want) / scale).toBeLessThan(1e-7)
    }
  })
})
