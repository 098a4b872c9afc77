/** Spatial vectors and inertias, printed over arrays, against the 6 × 6 matrices they stand for (docs/notation.md sections 1 and 2). */
import { describe, expect, it } from 'vitest'
import { articulatedFrom, numbersOf } from '../../test/values.js'
import {
  add6,
  addDot6,
  addForceToParent,
  addOuter,
  addQuadRigid,
  addRigid,
  addScaled6,
  addTurnedRigid,
  cross,
  crossForce,
  crossMotion,
  motionToChild,
  mulArticulated,
  mulPose,
  mulRigid,
  rotate,
  rotate6,
  rotateBack,
  shiftForce,
  shiftMotion,
  subtractDot6,
  subtractOuter,
} from '../printed/arrays.js'
import { poseFrom, vec3From } from './values/arrays.js'
import { scale } from './values/columns.js'
import { expQuat, halfTurn, type Quat, quatRotation } from './values/rotation.js'
import { inertiaToParent, transformPoint, type Vec3 } from './values/spatial.js'

/** sums of a few dozen products of order one */
const ROUNDING = 1e-13

type Matrix = number[][]

const turnBy = (r: Vec3): Quat => expQuat(r, halfTurn(r))

let draw = 0
const number = (): number => 2 * ((++draw * 0.6180339887498949) % 1) - 1
const numbers = (n: number): Float64Array => Float64Array.from({ length: n }, number)

function pose(): Float64Array {
  return Float64Array.of(...quatRotation(turnBy(scale(2, vec3From(numbers(3))))).flat(), ...numbers(3))
}

const hat = (x: ArrayLike<number>): Matrix => [
  [0, -x[2], x[1]],
  [x[2], 0, -x[0]],
  [-x[1], x[0], 0],
]
const times = (A: Matrix, B: Matrix): Matrix => A.map((row) => B[0].map((_, j) => row.reduce((sum, x, k) => sum + x * B[k][j], 0)))
const apply = (A: Matrix, x: ArrayLike<number>): number[] => A.map((row) => row.reduce((sum, a, k) => sum + a * x[k], 0))
const transpose = (A: Matrix): Matrix => A[0].map((_, j) => A.map((row) => row[j]))
const blocks = (a: Matrix, b: Matrix, c: Matrix, d: Matrix): Matrix => [
  ...a.map((row, i) => [...row, ...b[i]]),
  ...c.map((row, i) => [...row, ...d[i]]),
]
const zero = [0, 1, 2].map(() => [0, 0, 0])
const rotation = (X: Float64Array): Matrix => [0, 3, 6].map((r) => [X[r], X[r + 1], X[r + 2]])

/** Ad(X): twists of the child to the parent. */
function adjoint(X: Float64Array): Matrix {
  const R = rotation(X)
  return blocks(R, zero, times(hat(X.subarray(9)), R), R)
}

/** Ad(X⁻¹) without inverting a 6 × 6. */
function adjointInverse(X: Float64Array): Matrix {
  const R = transpose(rotation(X))
  const p = hat(X.subarray(9)).map((row) => row.map((x) => -x))
  return blocks(R, zero, times(R, p), R)
}

/** ad(V) */
const ad = (V: Float64Array): Matrix => blocks(hat(V.subarray(0, 3)), zero, hat(V.subarray(3)), hat(V.subarray(0, 3)))

/** the 6 × 6 of a rigid inertia: m, m c, J (xx xy xz yy yz zz) */
function rigid(I: Float64Array): Matrix {
  const [m, , , , xx, xy, xz, yy, yz, zz] = I
  const c = hat(I.subarray(1, 4))
  const J = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ]
  return blocks(J, c, transpose(c), [
    [m, 0, 0],
    [0, m, 0],
    [0, 0, m],
  ])
}

/** the 6 × 6 of an articulated inertia: A (6), B (9), C (6) */
function articulated(I: Float64Array): Matrix {
  const symmetric = (o: number): Matrix => [
    [I[o], I[o + 1], I[o + 2]],
    [I[o + 1], I[o + 3], I[o + 4]],
    [I[o + 2], I[o + 4], I[o + 5]],
  ]
  const B = [0, 3, 6].map((r) => [I[6 + r], I[7 + r], I[8 + r]])
  return blocks(symmetric(0), B, transpose(B), symmetric(15))
}

function expectSame(a: ArrayLike<number>, b: ArrayLike<number>): void {
  expect(a.length).toBe(b.length)
  for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(ROUNDING)
}

const rounds = Array.from({ length: 10 }, (_, k) => k)

describe('spatial vectors', () => {
  it.each(rounds)('motions move by Ad and its inverse, in place as well, %i', () => {
    const X = pose()
    const V = numbers(6)
    const out = new Float64Array(6)
    motionToChild(out, 0, X, 0, V, 0)
    expectSame(out, apply(adjointInverse(X), V))
    expectSame(apply(adjoint(X), out), V)
    const inPlace = V.slice()
    motionToChild(inPlace, 0, X, 0, inPlace, 0)
    expect(inPlace).toEqual(out)
  })

  it.each(rounds)('forces move by the transposed inverse, and add up, %i', () => {
    const X = pose()
    const F = numbers(6)
    const out = numbers(6)
    const before = out.slice()
    addForceToParent(out, 0, X, 0, F, 0)
    expectSame(
      out,
      apply(transpose(adjointInverse(X)), F).map((x, k) => x + before[k]),
    )
  })

  it.each(rounds)('cross products are ad and its negative transpose, %i', () => {
    const [V, W] = [numbers(6), numbers(6)]
    const out = new Float64Array(6)
    crossMotion(out, 0, V, 0, W, 0)
    expectSame(out, apply(ad(V), W))
    crossForce(out, 0, V, 0, W, 0)
    expectSame(
      out,
      apply(transpose(ad(V)), W).map((x) => -x),
    )
    // in place
    const w = W.slice()
    crossForce(w, 0, V, 0, w, 0)
    expectSame(w, out)
  })

  it.each(rounds)('poses multiply like their action on points, %i', () => {
    const [A, B] = [pose(), pose()]
    const AB = new Float64Array(12)
    const x = numbers(3)
    mulPose(AB, 0, A, 0, B, 0)
    const one = transformPoint(poseFrom(AB), vec3From(x))
    expectSame(one, transformPoint(poseFrom(A), transformPoint(poseFrom(B), vec3From(x))))
    // in place
    mulPose(A, 0, A, 0, B, 0)
    expect(A).toEqual(AB)
  })

  it.each(rounds)('vectors turn by the matrix of a pose, wherever they stand, %i', () => {
    const X = pose()
    const R = rotation(X)
    const V = numbers(8)
    const out = numbers(8)
    const [first, last] = [out[0], out[7]]
    rotate6(out, 1, X, 0, V, 2)
    expectSame(out.subarray(1, 4), apply(R, V.subarray(2, 5)))
    expectSame(out.subarray(4, 7), apply(R, V.subarray(5, 8)))
    rotateBack(out, 1, X, 0, out, 1)
    expectSame(out.subarray(1, 4), V.subarray(2, 5))
    rotate(out, 1, X, 0, out, 1)
    expectSame(out.subarray(1, 4), apply(R, V.subarray(2, 5)))
    cross(out, 1, V, 2, V, 5)
    expectSame(out.subarray(1, 4), apply(hat(V.subarray(2, 5)), V.subarray(5, 8)))
    expect([out[0], out[7]]).toEqual([first, last])
  })

  it.each(rounds)('sums and products are six numbers each, %i', () => {
    const [a, b, x] = [numbers(6), numbers(6), numbers(2)]
    const product = a.reduce((sum, y, k) => sum + y * b[k], 0)
    const out = Float64Array.of(...a, 2)
    addDot6(out, 6, a, 0, b, 0)
    expectSame([out[6]], [2 + product])
    subtractDot6(out, 6, a, 0, b, 0)
    expectSame([out[6]], [2])
    add6(out, 0, b, 0)
    addScaled6(out, 0, x, 1, b, 0)
    expectSame(
      out.subarray(0, 6),
      a.map((y, k) => y + (1 + x[1]) * b[k]),
    )
  })

  it.each(rounds)('shifts along the world’s axes are Ad of the way between two origins, %i', () => {
    const [X, Y, V, out] = [pose(), pose(), numbers(6), new Float64Array(6)]
    const way = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, X[9] - Y[9], X[10] - Y[10], X[11] - Y[11])
    shiftMotion(out, 0, X, 0, Y, 0, V, 0)
    expectSame(out, apply(adjointInverse(way), V))
    const sum = numbers(6)
    const before = sum.slice()
    shiftForce(sum, 0, X, 0, Y, 0, V, 0)
    expectSame(
      sum,
      apply(transpose(adjointInverse(way)), V).map((x, k) => x + before[k]),
    )
  })
})

describe('inertias', () => {
  it.each(rounds)('a rigid inertia acts as its 6 × 6, %i', () => {
    const I = numbers(10)
    const V = numbers(6)
    const out = new Float64Array(6)
    mulRigid(out, 0, I, 0, V, 0)
    const expected = apply(rigid(I), V)
    expectSame(out, expected)
    const twice = Float64Array.of(3)
    addQuadRigid(twice, 0, I, 0, V, 0)
    expectSame([twice[0] - 3], [expected.reduce((sum, x, k) => sum + x * V[k], 0)])
  })

  it.each(rounds)('an articulated inertia takes up a rigid one, and acts as its 6 × 6, %i', () => {
    const I = numbers(10)
    const P = numbers(21)
    const before = articulated(P)
    addRigid(P, 0, I, 0)
    const sum = rigid(I).map((row, r) => row.map((x, c) => x + before[r][c]))
    articulated(P).forEach((row, r) => {
      expectSame(row, sum[r])
    })
    const V = numbers(6)
    const out = new Float64Array(6)
    mulArticulated(out, 0, P, 0, V, 0)
    expectSame(out, apply(sum, V))
  })

  it.each(rounds)('moves to the parent by congruence, %i', () => {
    const I = numbers(21)
    const X = pose()
    const inverse = adjointInverse(X)
    const A = inertiaToParent(poseFrom(X), articulatedFrom(I))
    const moved = times(transpose(inverse), times(articulated(I), inverse))
    articulated(Float64Array.from(numbersOf(A))).forEach((row, r) => {
      expectSame(row, moved[r])
    })
  })

  it.each(rounds)('a rigid inertia turns by congruence, %i', () => {
    const [I, P] = [numbers(10), numbers(21)]
    const X = pose()
    X.fill(0, 9)
    const inverse = adjointInverse(X)
    const turned = times(transpose(inverse), times(rigid(I), inverse))
    const before = articulated(P)
    addTurnedRigid(P, 0, X, 0, I, 0)
    articulated(P).forEach((row, r) => {
      expectSame(
        row,
        turned[r].map((x, c) => x + before[r][c]),
      )
    })
  })

  it.each(rounds)('loses the outer product of an eliminated freedom, %i', () => {
    const I = numbers(21)
    const U = numbers(6)
    const before = articulated(I)
    subtractOuter(I, 0, U, 0)
    articulated(I).forEach((row, r) => {
      expectSame(
        row,
        before[r].map((x, c) => x - U[r] * U[c]),
      )
    })
    addOuter(I, 0, U, 0, Float64Array.of(7, 3), 1)
    articulated(I).forEach((row, r) => {
      expectSame(
        row,
        before[r].map((x, c) => x + 2 * U[r] * U[c]),
      )
    })
  })
})
