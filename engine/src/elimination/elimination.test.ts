/**
 * The elimination alone, without a solver: random trees with joints of every type and rows across them, against dense linear algebra.
 */
import { describe, expect, it } from 'vitest'
import { expectNear } from '../../test/conformance/check.js'
import { randomSpec, randomState, type TreeOptions } from '../../test/conformance/random-tree.js'
import { createRandom, type Random } from '../../test/random.js'
import { buildModel } from '../build/build-model.js'
import type { Spec } from '../build/spec.js'
import { createData } from '../model/data.js'
import { addStiffEntry, createStiffTerms, openStiffRow, type StiffTerms } from '../model/stiff-terms.js'
import { addOuter, mulArticulated, mulRigid } from '../printed/arrays.js'
import { jacobianProduct } from '../tree/jacobian.js'
import { forwardKinematics } from '../tree/kinematics.js'
import { type CoupledTree, planeOf } from './coupled-tree.js'
import { createElimination, ELIMINATION_MEMORY } from './elimination.js'
import { CHOICES } from './plan/choose-plan.js'
import { AT, FIELDS, RECORD } from './plan/operations.js'

const NO_ROW = 2 ** 30
/** of solutions, whose systems have condition numbers of some 1e5 */
const ROUNDING = 1e-9

interface Problem extends CoupledTree {
  rigid: number
  readonly weight: Float64Array
  readonly random: Random
  /** dense: A without exact rows, and all rows as functions of the joint velocities */
  dense(): { A: number[][]; R: number[][] }
}

/** Hinges about y and slides across it, at angles about y. */
function planarSpec(options: TreeOptions, random: Random): Spec {
  const spec = randomSpec(options, random)
  const joint = (): object => {
    const angle = random.spread(3)
    const hinge = random.unit() < 0.7
    return hinge ? { type: 'revolute', axis: [0, 1, 0] } : { type: 'prismatic', axis: [Math.cos(angle), 0, Math.sin(angle)] }
  }
  const bodies = (spec.bodies ?? []).map((body) => ({
    ...body,
    quaternion: [1, 0, 0, 0] as const,
    joints: [joint(), ...(random.unit() < 0.2 ? [{ type: 'revolute', axis: [0, 1, 0], armature: 0.1 }] : [])] as typeof body.joints,
  }))
  return { ...spec, bodies } as Spec
}

function problem(seed: number, bodies: number, planar: boolean, rows: number): Problem {
  const random = createRandom(seed)
  const options: TreeOptions = { seed, bodies, shape: seed % 3 === 0 ? 'chain' : 'random' }
  const model = buildModel(planar ? planarSpec(options, random) : randomSpec(options, random))
  const data = createData(model)
  const { q, v } = randomState(model, random)
  forwardKinematics(model, data, q, v)
  const terms = createStiffTerms(model, [{ name: 'rows', rows: 8 * rows + 32, apply() {}, linearize() {} }], planeOf(model, data))
  expect(terms.still).toBe(planar ? 1 : -1)
  for (let k = 0; k < model.nv; k++) {
    terms.jointDamping[k] = random.unit()
    terms.jointStiffness[k] = random.between(0, 10)
  }
  for (let i = 1; i < model.nbody; i++) {
    // resists turning alone, or any motion, or nothing
    for (let n = random.below(3); n > 0; n--) {
      const w = random.array(6, 1)
      if (i % 2 === 0) w.fill(0, 3)
      addOuter(terms.bodyDamping, 21 * i, w, 0, Float64Array.of(random.unit()), 0)
    }
  }
  const p: Problem = {
    model,
    data,
    terms,
    weight: new Float64Array(terms.stiffness.length),
    step: Float64Array.of(0.1),
    rigid: NO_ROW,
    random,
    dense: () => denseOf(p, data.X_PB),
  }
  for (let k = 0; k < rows; k++) {
    // a run of some rows with the same entries: mostly two bodies, at times one, three, or joint velocities
    const shape = random.below(8)
    const entries = shape === 0 ? 1 : shape === 1 ? 3 : 2
    const ends = new Set(
      Array.from({ length: entries }, () => (shape < 3 && model.nv > 0 ? -1 - random.below(model.nv) : 1 + random.below(bodies))),
    )
    const count = random.unit() < 0.1 ? 8 : 1 + random.below(3)
    for (let r = 0; r < count; r++) p.weight[addRow(terms, [...ends], random)] = 10 ** random.between(-1, 3)
  }
  return p
}

function addRow(terms: StiffTerms, ends: readonly number[], random: Random): number {
  const r = openStiffRow(terms)
  for (const end of ends) {
    const e = addStiffEntry(terms, end)
    for (let k = 0; k < (end < 0 ? 1 : 6); k++) terms.J[e + k] = random.spread(1)
  }
  return r
}

function denseOf({ model: m, data, terms, weight, step, rigid }: Problem, X_PB: Float64Array): { A: number[][]; R: number[][] } {
  const { nv, nbody } = m
  const h = step[0]
  const y = Array.from({ length: nv }, (_, k) => {
    const out = new Float64Array(6 * nbody)
    const unit = new Float64Array(nv)
    unit[k] = 1
    jacobianProduct(m, { ...createData(m), ...data, X_PB }, out, unit)
    return out
  })
  const A = y.map((own, k) => {
    const F = new Float64Array(6 * nbody)
    const wrench = new Float64Array(6)
    for (let i = 1; i < nbody; i++) {
      mulRigid(F, 6 * i, m.inertia, 10 * i, own, 6 * i)
      mulArticulated(wrench, 0, terms.bodyDamping, 21 * i, own, 6 * i)
      for (let r = 0; r < 6; r++) F[6 * i + r] += h * wrench[r]
    }
    return y.map((other, l) => {
      let sum = k === l ? m.armature[k] + h * terms.jointDamping[k] + h * h * terms.jointStiffness[k] : 0
      for (let e = 6; e < 6 * nbody; e++) sum += F[e] * other[e]
      return sum
    })
  })
  const R = Array.from({ length: terms.count }, (_, r) =>
    y.map((motion, k) => {
      let rate = 0
      for (let e = terms.start[r]; e < terms.start[r + 1]; e++) {
        const i = terms.body[e]
        if (i < 0) rate += -1 - i === k ? terms.J[6 * e] : 0
        else for (let c = 0; c < 6; c++) rate += terms.J[6 * e + c] * motion[6 * i + c]
      }
      return rate
    }),
  )
  R.forEach((row, r) => {
    if (r < rigid) for (let k = 0; k < nv; k++) for (let l = 0; l < nv; l++) A[k][l] += weight[r] * row[k] * row[l]
  })
  return { A, R }
}

/** Gauss with row pivots. */
function solveDense(A: readonly (readonly number[])[], b: ArrayLike<number>): number[] {
  const M = A.map((row, k) => [...row, b[k]])
  const n = M.length
  for (let k = 0; k < n; k++) {
    let best = k
    for (let r = k + 1; r < n; r++) if (Math.abs(M[r][k]) > Math.abs(M[best][k])) best = r
    ;[M[k], M[best]] = [M[best], M[k]]
    for (let r = k + 1; r < n; r++) {
      const f = M[r][k] / M[k][k]
      if (f !== 0) for (let c = k; c <= n; c++) M[r][c] -= f * M[k][c]
    }
  }
  const x = new Array<number>(n)
  for (let k = n - 1; k >= 0; k--) {
    let sum = M[k][n]
    for (let c = k + 1; c < n; c++) sum -= M[k][c] * x[c]
    x[k] = sum / M[k][k]
  }
  return x
}

/** x and the forces λ of A x − Gᵀ λ = b, G x = c. */
function solveHeld(A: readonly number[][], G: readonly number[][], b: ArrayLike<number>, c: ArrayLike<number>): number[] {
  const top = A.map((row, k) => [...row, ...G.map((g) => -g[k])])
  const bottom = G.map((g) => [...g, ...G.map(() => 0)])
  return solveDense([...top, ...bottom], [...Array.from(b), ...Array.from(c)])
}

/** As `addRow`, of what two bodies move relative to each other: a wrench of the world on one, its opposite on the other. */
function addLoopRow({ terms, data: { X_WB: X }, random }: Problem, ends: readonly number[]): number {
  const r = openStiffRow(terms)
  const n = random.vec3(1)
  const f = random.vec3(1)
  ends.forEach((end, k) => {
    const e = addStiffEntry(terms, end)
    const x = 12 * end
    const sign = k === 0 ? 1 : -1
    const [px, py, pz] = X.subarray(x + 9, x + 12)
    const moment = [n[0] - py * f[2] + pz * f[1], n[1] - pz * f[0] + px * f[2], n[2] - px * f[1] + py * f[0]]
    for (let c = 0; c < 3; c++) {
      for (let w = 0; w < 3; w++) {
        terms.J[e + c] += sign * X[x + 3 * w + c] * moment[w]
        terms.J[e + 3 + c] += sign * X[x + 3 * w + c] * f[w]
      }
    }
  })
  return r
}

/**
 * Two loops of two exact rows each, weighed by their mobility and far from dependent; with `redundant` a fifth row says what the last two say.
 * Returns its number.
 */
function holdRows(p: Problem, redundant: boolean): number {
  const { terms, random, model } = p
  p.rigid = terms.count
  const { A } = p.dense()
  const first = terms.count
  for (;;) {
    terms.count = first
    for (let k = 0; k < 2; k++) {
      const a = 2 + random.below(model.nbody - 2)
      const ends = [a, 1 + random.below(a - 1)]
      for (let r = 0; r < 2; r++) addLoopRow(p, ends)
    }
    // shares of each row that those before it do not tell, in the metric of A
    const G = p.dense().R.slice(first)
    const Y = G.map((g) => solveDense(A, g))
    const D = G.map((g) => Y.map((y) => g.reduce((sum, value, k) => sum + value * y[k], 0)))
    const shares = D.map((row, k) => row[k])
    for (let k = 0; k < 4; k++) {
      for (let l = k + 1; l < 4; l++) {
        const f = D[l][k] / D[k][k]
        for (let c = k; c < 4; c++) D[l][c] -= f * D[k][c]
      }
    }
    if (!D.every((row, k) => row[k] > 1e-2 * shares[k])) continue
    shares.forEach((share, k) => (p.weight[first + k] = 1 / share))
    break
  }
  if (!redundant) return -1
  const last = terms.count
  const spare = addLoopRow(p, Array.from(terms.body.subarray(terms.start[last - 1], terms.start[last])))
  p.weight[spare] = p.weight[last - 1]
  for (let k = 0; k < 12; k++) {
    const at = (r: number): number => 6 * terms.start[r] + k
    terms.J[at(spare)] = terms.J[at(last - 2)] - 2 * terms.J[at(last - 1)]
  }
  return spare
}

const cases = [false, true].flatMap((planar) =>
  [1, 2, 3, 4, 5, 6].map((seed) => ({ planar, seed, bodies: 3 + 4 * seed, rows: 1 + 3 * seed })),
)
const title = 'seed $seed, $bodies bodies, planar $planar'

describe('elimination', () => {
  it.each(cases)(
    'solves random coupled trees by every plan, one or four right-hand sides: %s'.replace('%s', title),
    ({ planar, seed, bodies, rows }) => {
      const p = problem(seed, bodies, planar, rows)
      const { nv } = p.model
      const { A, R } = p.dense()
      const b = Array.from({ length: 6 }, () => p.random.array(nv, 1))
      const wanted = b.map((column) => solveDense(A, column))
      expect(R.length).toBe(p.terms.count)
      for (const choices of [CHOICES, ...CHOICES.map((choice) => [choice])]) {
        const elimination = createElimination(p, choices)
        expect(elimination.factor()).toBe(true)
        const x = b.map(() => new Float64Array(nv))
        for (let k = 0; k < 6; k++) {
          expect(elimination.solve(x[k], b[k])).toBe(true)
          expectNear(x[k], wanted[k], ROUNDING)
        }
        const columns = b.map(() => new Float64Array(nv))
        expect(elimination.solveColumns(columns, b, 6)).toBe(true)
        for (let k = 0; k < 6; k++) expectNear(columns[k], x[k], ROUNDING)
        const size = new Float64Array(1)
        elimination.measure(size, 0, b[0])
        expectNear(size, [wanted[0].reduce((sum, value, k) => sum + value * b[0][k], 0)], ROUNDING)
        elimination.finish(columns[0])
        expect(columns[0]).toEqual(x[0])
      }
    },
  )

  it.each(cases)('holds exact rows at the rates asked, with their forces: %s'.replace('%s', title), ({ planar, seed, bodies, rows }) => {
    const p = problem(seed, bodies, planar, rows)
    holdRows(p, false)
    const { A, R } = p.dense()
    const { nv } = p.model
    const G = R.slice(p.rigid)
    const elimination = createElimination(p)
    expect(elimination.factor()).toBe(true)
    const b = Array.from({ length: 4 }, () => p.random.array(nv, 1))
    const c = p.random.array(G.length, 1)
    const root = G.map((_, r) => Math.sqrt(p.weight[p.rigid + r]))
    G.forEach((_, r) => (elimination.asked[p.rigid + r] = root[r] * c[r]))
    const x = b.map(() => new Float64Array(nv))
    elimination.solveColumns(x, b, 4)
    for (let k = 0; k < 4; k++) {
      const held = solveHeld(A, G, b[k], c)
      expectNear(x[k], held.slice(0, nv), ROUNDING)
      expect(elimination.solve(x[k], b[k])).toBe(true)
      expectNear(x[k], held.slice(0, nv), ROUNDING)
      expectNear(
        G.map((_, r) => -root[r] * elimination.pulled[p.rigid + r]),
        held.slice(nv),
        ROUNDING,
      )
    }
    expect(elimination.spare.includes(1)).toBe(false)
  })

  it.each(cases)(
    'flags an exact row that follows from others, and leaves it out: %s'.replace('%s', title),
    ({ planar, seed, bodies, rows }) => {
      const p = problem(seed, bodies, planar, rows)
      const spare = holdRows(p, true)
      const { A, R } = p.dense()
      const { nv } = p.model
      const elimination = createElimination(p)
      expect(elimination.factor()).toBe(true)
      expect([...elimination.spare.keys()].filter((r) => elimination.spare[r] === 1)).toEqual([spare])
      const b = p.random.array(nv, 1)
      const x = new Float64Array(nv)
      elimination.solve(x, b)
      const G = R.filter((_, r) => r >= p.rigid && r !== spare)
      expectNear(
        x,
        solveHeld(
          A,
          G,
          b,
          G.map(() => 0),
        ).slice(0, nv),
        ROUNDING,
      )
    },
  )

  it('keeps rows of one pair apart where a row on a single body stands between them', () => {
    const p = problem(7, 6, false, 0)
    for (const ends of [[2, 5], [2, 5], [3], [2, 5], [4, 6], [-1, 5], [2, 5]]) p.weight[addRow(p.terms, ends, p.random)] = 100
    const b = p.random.array(p.model.nv, 1)
    const x = new Float64Array(p.model.nv)
    const elimination = createElimination(p)
    expect(elimination.factor() && elimination.solve(x, b)).toBe(true)
    expectNear(x, solveDense(p.dense().A, b), ROUNDING)
  })

  it('depends on the rows of the moment alone: rows that came and went leave no trace', () => {
    const p = problem(8, 12, false, 0)
    const random = createRandom(80)
    const patterns = [
      [[1, 12], [1, 12], [3, 9], [5]],
      [
        [1, 12],
        [3, 9],
        [3, 9],
        [3, 9],
        [4, 10],
      ],
      [
        [3, 9],
        [2, -4],
      ],
      [[1, 12]],
      [
        [1, 12],
        [3, 9],
        [4, 10],
      ],
      [
        [1, 12],
        [3, 9],
        [3, 9],
        [4, 10],
        [6, 11],
        [7, 8],
      ],
    ]
    const veteran = createElimination(p)
    const b = random.array(p.model.nv, 1)
    for (let k = 0; k < 20; k++) {
      const { terms } = p
      terms.count = 0
      for (const ends of patterns[random.below(patterns.length)]) p.weight[addRow(terms, ends, random)] = 50
      const novice = createElimination(p)
      const [x, y] = [new Float64Array(p.model.nv), new Float64Array(p.model.nv)]
      expect(veteran.factor() && veteran.solve(x, b)).toBe(true)
      expect(novice.factor() && novice.solve(y, b)).toBe(true)
      expect(x).toEqual(y)
      expectNear(x, solveDense(p.dense().A, b), ROUNDING)
    }
  })

  it('hands over that only the safest plan will do, for a body without mass that its rows hold', () => {
    const p = problem(10, 8, false, 0)
    const last = p.model.nbody - 1
    expect(p.model.ivEnd[last]).toBeGreaterThan(p.model.iv[last])
    p.model.inertia.fill(0, 10 * last, 10 * last + 10)
    p.terms.bodyDamping.fill(0, 21 * last, 21 * last + 21)
    p.terms.jointDamping.fill(0)
    p.terms.jointStiffness.fill(0)
    p.model.armature.fill(0)
    for (let r = 0; r < 6; r++) p.weight[addRow(p.terms, [1, last], p.random)] = 20
    const choices = [{ eager: false, cut: false, order: 'nested' }] as const
    const first = createElimination(p, choices)
    const b = p.random.array(p.model.nv, 1)
    const [x, y] = [new Float64Array(p.model.nv), new Float64Array(p.model.nv)]
    expect(first.factor() && first.solve(x, b)).toBe(true)
    expect(first.plan().choice).not.toEqual(choices[0])
    expectNear(x, solveDense(p.dense().A, b), 1e-7)
    const memory = new Float64Array(ELIMINATION_MEMORY)
    first.save(memory, 0)
    const restored = createElimination(p, choices)
    restored.load(memory, 0)
    // with mass again both plans would do
    p.model.inertia.set(p.model.inertia.slice(10, 20), 10 * last)
    expect(first.factor() && first.solve(x, b)).toBe(true)
    expect(restored.factor() && restored.solve(y, b)).toBe(true)
    expect(y).toEqual(x)
    // and an earlier state brings the other one back
    first.load(new Float64Array(ELIMINATION_MEMORY), 0)
    expect(first.plan().choice).toEqual(choices[0])
  })
})

it('operations have their fields at places of their own', () => {
  for (const fields of Object.values(FIELDS)) {
    const places = fields.map((name) => AT[name])
    expect(new Set(places).size).toBe(places.length)
    for (const place of places) expect(place > AT.width && place < RECORD).toBe(true)
  }
})
