import { describe, expect, it } from 'vitest'
import { createPatch, discCorners, outlinePatch, type Patch } from './contact-patches.js'
import { contactAt, contactSize } from './view-protocol.js'

const sizes = { slop: 1e-3, radius: 0.02, edge: 0.005 }
/** of sums of a few numbers around one */
const rounding = 1e-12

type Point = readonly [number, number, number]
interface Given {
  readonly at: Point
  readonly force?: Point
  readonly gap?: number
}

/** The patch of these points, after others of the list. */
function patchOf(points: readonly Given[], normal: Point = [0, 0, 1]): Patch {
  const list = new Float64Array(contactSize * (points.length + 1)).fill(9)
  points.forEach(({ at, force = [0, 0, 1], gap = 0 }, k) => {
    const o = contactSize * (k + 1)
    list.set(at, o + contactAt.point)
    list.set(normal, o + contactAt.normal)
    list.set(force, o + contactAt.force)
    list[o + contactAt.gap] = gap
  })
  const patch = createPatch()
  outlinePatch(patch, list, 1, points.length + 1, sizes)
  return patch
}

const cornersOf = ({ count, corners }: Patch): number[][] =>
  Array.from({ length: count }, (_, k) => [...corners.subarray(3 * k, 3 * k + 3)])
const minus = (a: readonly number[], b: readonly number[]) => a.map((x, r) => x - b[r])
const cross = ([a, b, c]: readonly number[], [x, y, z]: readonly number[]) => [b * z - c * y, c * x - a * z, a * y - b * x]
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, r) => sum + x * b[r], 0)

/** At each corner the outline turns left, as seen from the tip of the normal; the smallest of these turns. */
function leastTurn(patch: Patch): number {
  const corners = cornersOf(patch)
  const turns = corners.map((corner, k) => {
    const before = corners.at(k - 1) ?? corner
    const after = corners[(k + 1) % corners.length]
    return dot([...patch.normal], cross(minus(corner, before), minus(after, corner)))
  })
  return Math.min(...turns)
}

/** a turn in space, so that no axis is special */
const tilt = (v: Point): Point => {
  const [s, c] = [Math.sin(0.7), Math.cos(0.7)]
  const [x, y, z] = [v[0], c * v[1] - s * v[2], s * v[1] + c * v[2]]
  return [c * x + s * z + 2, y - 1, -s * x + c * z + 0.5]
}
const tiltedNormal = minus(tilt([0, 0, 1]), tilt([0, 0, 0])) as unknown as Point

describe('outlinePatch', () => {
  it('makes a disc across the normal of one point, and of points that lie on each other', () => {
    for (const points of [[tilt([0.1, 0.2, 0])], [tilt([0.1, 0.2, 0]), tilt([0.1, 0.2, 0]), tilt([0.101, 0.2, 0])]]) {
      const patch = patchOf(
        points.map((at) => ({ at })),
        tiltedNormal,
      )
      expect(patch.count).toBe(discCorners)
      expect(leastTurn(patch)).toBeGreaterThan(0)
      const middle = tilt([points.length === 1 ? 0.1 : 0.1005, 0.2, 0])
      for (const corner of cornersOf(patch)) {
        const spoke = minus(corner, middle)
        expect(Math.hypot(...spoke)).toBeCloseTo(sizes.radius, 12)
        expect(Math.abs(dot(spoke, tiltedNormal))).toBeLessThan(rounding)
      }
    }
  })

  it('makes a bar around two points, and around more of them in a line', () => {
    for (const places of [
      [0, 1],
      [0.5, 0, 1, 0.25],
    ]) {
      const patch = patchOf(
        places.map((s) => ({ at: tilt([s, 2 * s, 0]) })),
        tiltedNormal,
      )
      expect(patch.count).toBe(4)
      expect(leastTurn(patch)).toBeGreaterThan(0)
      const [a, b, c] = cornersOf(patch)
      const sides = [Math.hypot(...minus(b, a)), Math.hypot(...minus(c, b))]
      expect(Math.max(...sides)).toBeCloseTo(Math.sqrt(5) + sizes.radius, 12)
      expect(Math.min(...sides)).toBeCloseTo(sizes.radius, 12)
    }
  })

  it.each([
    [
      'three',
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      3,
    ],
    [
      'four, crosswise',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      4,
    ],
    [
      'four, one of them inside',
      [
        [0, 0],
        [0.3, 0.3],
        [1, 0],
        [0, 1],
      ],
      3,
    ],
    ['nine of a grid', Array.from({ length: 9 }, (_, k) => [(k * 4) % 3, Math.floor(((k * 4) % 9) / 3)]), 4],
    ['eight, each twice', Array.from({ length: 16 }, (_, k) => [Math.cos((k * 5 * Math.PI) / 4), Math.sin((k * 5 * Math.PI) / 4)]), 8],
  ])('encloses %s in order, on the plane of contact', (_, flat, count) => {
    for (const flip of [1, -1]) {
      const normal = tiltedNormal.map((x) => flip * x) as unknown as Point
      // heights differ a little, as penetrations do
      const points = flat.map(([x, y], k) => tilt([x, y, 1e-4 * (k % 2)]))
      const patch = patchOf(
        points.map((at) => ({ at })),
        normal,
      )
      expect(patch.count).toBe(count)
      expect(leastTurn(patch)).toBeGreaterThan(1e-3)
      const corners = cornersOf(patch)
      for (const corner of corners) expect(Math.abs(dot(minus(corner, corners[0]), normal))).toBeLessThan(rounding)
      // corners are points, and no point is outside
      for (const corner of corners) expect(Math.min(...points.map((point) => Math.hypot(...minus(point, corner))))).toBeLessThan(2e-4)
      corners.forEach((corner, k) => {
        const along = minus(corners[(k + 1) % count], corner)
        for (const point of points) expect(dot(normal, cross(along, minus(point, corner)))).toBeGreaterThan(-2e-4)
      })
    }
  })

  it('draws the edge beside the face, everywhere as wide', () => {
    const patch = patchOf([{ at: [0, 0, 0] }, { at: [2, 0, 0] }, { at: [2, 1, 0] }, { at: [0, 1, 0] }])
    const outer = Array.from({ length: 4 }, (_, k) => [...patch.outer.subarray(3 * k, 3 * k + 2)]).sort(
      (a, b) => a[0] - b[0] || a[1] - b[1],
    )
    const wanted = [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ].map(([x, y]) => [1 + x * (1 + sizes.edge), 0.5 + y * (0.5 + sizes.edge)])
    outer.forEach((corner, k) => corner.forEach((x, r) => expect(x).toBeCloseTo(wanted[k][r], 12)))
  })

  it('leaves out what hangs over, unless nothing touches at all', () => {
    const edge: Given[] = [{ at: [0, 0, 0] }, { at: [0, 1, 0] }]
    const hanging: Given[] = [
      { at: [1, 0, 0.2], gap: 0.2, force: [0, 0, 0] },
      { at: [1, 1, 0.2], gap: 0.2, force: [0, 0, 0] },
    ]
    const tipped = patchOf([...edge, ...hanging])
    expect(Math.max(...cornersOf(tipped).map(([x]) => x))).toBeLessThan(0.02)
    const falling = patchOf([...edge.map((point) => ({ ...point, gap: 0.2, force: [0, 0, 0] as const })), ...hanging])
    expect(falling.count).toBe(4)
    expect(falling.strength).toBe(0)
    expect([...falling.center]).toEqual([0.5, 0.5, 0.1])
    // a corner that touches and happens to carry nothing belongs to the patch
    const idle = patchOf([...edge, { at: [1, 0, 0], force: [0, 0, 0] }])
    expect(idle.count).toBe(3)
  })

  it('adds the forces up where they act', () => {
    const { center, force, strength } = patchOf([
      { at: [0, 0, 0], force: [0, 0, 3] },
      { at: [4, 0, 0], force: [0, 0, 1] },
    ])
    expect([...center]).toEqual([1, 0, 0])
    expect([...force]).toEqual([0, 0, 4])
    expect(strength).toBe(4)
  })

  it('takes ever larger patches, and small ones after them', () => {
    for (const count of [5, 40, 300, 7]) {
      const angles = Array.from({ length: count }, (_, k) => (2 * Math.PI * ((k * 7) % count)) / count)
      // 40 and 300 are no multiples of 7, so that every angle is there; 7 of 7 are one point
      const patch = patchOf(angles.map((angle) => ({ at: [10 * Math.cos(angle), 10 * Math.sin(angle), 0] })))
      expect(patch.count).toBe(count === 7 ? discCorners : count)
    }
  })
})
