import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { BodySpec, ConstraintSpec, JointTypeName, Spec, Vec3 } from '../../build/spec.js'
import { createData } from '../../model/data.js'
import { createState } from '../../model/state.js'
import { updatePoses } from '../../tree/kinematics.js'
import { angularPreconditioner, solveForm } from './products.js'
import { createTaut, nearlyTaut, settleTaut } from './taut.js'

const Y: Vec3 = [0, 1, 0]
const L = 0.2
const inertia: NonNullable<BodySpec['inertia']> = { mass: 0.1, com: [L / 2, 0, 0], tensor: [1e-5, 4e-4, 4e-4, 0, 0, 0] }
// rad: both ways end where differences of 1e-4 leave off
const SAME = 1e-8

interface Links {
  readonly joint?: JointTypeName
  /** rad: joints in turn to either side, or each a little further */
  readonly zigzag?: number
  readonly bend?: number
}

function links(n: number, { joint = 'revolute', zigzag = 0, bend = 0 }: Links = {}): BodySpec[] {
  return Array.from({ length: n }, (_, k) => ({
    name: `l${k}`,
    parent: k === 0 ? 'world' : `l${k - 1}`,
    position: [k === 0 ? 0 : L, 0, 0],
    inertia,
    joints: [
      joint === 'revolute'
        ? { type: joint, axis: Y, initial: k === 0 ? (zigzag - bend * (n - 1)) / 2 : bend - (k % 2 ? zigzag : -zigzag) }
        : { type: joint },
    ],
  }))
}

const pin = (body: string, x: number): ConstraintSpec => ({
  name: `pin-${body}`,
  type: 'point',
  a: { body, point: [L, 0, 0] },
  b: { body: 'world', point: [x, 0, 0] },
})

/** Where the tip of an arc of n links is that bends by `bend` at each, symmetric about its middle. */
const chord = (n: number, bend: number): number => {
  let x = 0
  for (let k = 0; k < n; k++) x += L * Math.cos(bend * (k - (n - 1) / 2))
  return x
}

const N = 130
const chains: readonly (readonly [string, Spec, boolean])[] = [
  ['drawn straight', { bodies: links(N), constraints: [pin(`l${N - 1}`, N * L)] }, true],
  ['as good as straight', { bodies: links(N, { zigzag: 1e-5 }), constraints: [pin(`l${N - 1}`, N * L)] }, true],
  ['of balls', { bodies: links(40, { joint: 'spherical' }), constraints: [pin('l39', 40 * L)] }, true],
  ['tied at its middle too', { bodies: links(2 * N), constraints: [pin(`l${N - 1}`, N * L), pin(`l${2 * N - 1}`, 2 * N * L)] }, true],
  ['that is a flat arc', { bodies: links(N, { bend: 1e-4 }), constraints: [pin(`l${N - 1}`, chord(N, 1e-4))] }, false],
  ['that is an arc', { bodies: links(N, { bend: 1e-3 }), constraints: [pin(`l${N - 1}`, chord(N, 1e-3))] }, false],
  ['that hangs free', { bodies: links(N), constraints: [pin(`l${N - 1}`, 0.7 * N * L)] }, false],
  [
    'folded back on itself',
    { bodies: links(N).map((body, k) => (k === N / 2 ? fold(body) : body)), constraints: [pin(`l${N - 1}`, 0)] },
    false,
  ],
]

function fold(body: BodySpec): BodySpec {
  return { ...body, joints: [{ type: 'revolute' as const, axis: Y, initial: Math.PI }] }
}

describe('a long chain', () => {
  it.each(chains)('%s is found to be held or not as with the form written out', (_title, spec, held) => {
    const m = buildModel(spec)
    const t = Float64Array.of(0)
    const [short, long] = [createState(m).q, createState(m).q]
    const products = createTaut(m)
    const dense = createTaut(m, Number.POSITIVE_INFINITY)
    expect([settleTaut(products, short, t), settleTaut(dense, long, t)]).toEqual([held, held])
    expect(products.count).toBe(dense.count)
    expect(products.skip).toEqual(dense.skip)
    expect(Math.max(...short.map((x, k) => Math.abs(x - long[k])))).toBeLessThan(SAME)
    const { q } = createState(m)
    expect(nearlyTaut(m, q, t)).toEqual(nearlyTaut(m, q, t, createTaut(m, Number.POSITIVE_INFINITY)))
  })
})

describe('solveForm', () => {
  // links of a chain that is pulled by its ends: Σ cos of angles against the world
  const pulled = (n: number) => {
    const m = buildModel({ bodies: links(n) })
    const d = createData(m)
    updatePoses(m, d, createState(m).q)
    const columns = Int32Array.from({ length: n }, (_, k) => k)
    let products = 0
    const multiply = (out: Float64Array, x: Float64Array, weight: (k: number) => number): void => {
      products++
      const turn = new Float64Array(n)
      for (let k = 0, sum = 0; k < n; k++) turn[k] = (sum += x[k]) * weight(k)
      for (let k = n - 1, sum = 0; k >= 0; k--) out[k] = sum += turn[k]
    }
    const b = Float64Array.from({ length: n }, (_, k) => Math.sin(3 * k + 1))
    const y = new Float64Array(n)
    const solve = (weight: (k: number) => number) =>
      solveForm((out, x) => multiply(out as Float64Array, x as Float64Array, weight), angularPreconditioner(m, d, columns, n), b, y)
    return { solve, b, y, multiply, count: () => products }
  }

  it('takes as many products for a chain of 2,000 links as for one of 200', () => {
    const [few, many] = [200, 2000].map((n) => {
      const { solve, count, b, y, multiply } = pulled(n)
      expect(solve(() => 0.3)).toBe('solved')
      const found = count()
      const back = new Float64Array(n)
      multiply(back, y, () => 0.3)
      expect(Math.max(...back.map((x, k) => Math.abs(x - b[k])))).toBeLessThan(1e-5)
      return found
    })
    expect(many).toBeLessThanOrEqual(few + 2)
    expect(many).toBeLessThan(10)
  })

  it('finds the one link that is pushed among those that are pulled', () => {
    expect(pulled(300).solve((k) => (k === 211 ? -0.3 : 0.3))).toBe('indefinite')
    expect(pulled(300).solve((k) => (k === 211 ? 0.1 : 0.3))).toBe('solved')
  })
})
