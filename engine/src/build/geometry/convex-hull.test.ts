import { expect, test } from 'vitest'
import { cpuTime } from '../../../test/cpu-time.js'
import { createRandom } from '../../../test/random.js'
import { convexHull } from './convex-hull.js'
import { orientation } from './exact-orientation.js'

/** Closed and oriented (every edge once each way), convex (no point above a face, exactly), genus 0. */
function checkHull(points: readonly number[]): number[] {
  const hull = convexHull(points)
  if (!('faces' in hull)) throw new Error(hull.failure)
  const { faces } = hull
  const edges = new Set<string>()
  const used = new Set<number>()
  for (let k = 0; k < faces.length; k += 3) {
    for (let e = 0; e < 3; e++) {
      const key = `${faces[k + e]} ${faces[k + ((e + 1) % 3)]}`
      expect(edges.has(key)).toBe(false)
      edges.add(key)
      used.add(faces[k + e] as number)
    }
    const [a, b, c] = faces.slice(k, k + 3) as [number, number, number]
    let highest = 0
    if (points.length < 3000) for (let p = 0; p < points.length / 3; p++) highest = Math.max(highest, orientation(points, a, b, c, p))
    expect(highest).toBe(0)
  }
  for (const key of edges) expect(edges.has(key.split(' ').reverse().join(' '))).toBe(true)
  expect(used.size - edges.size / 2 + faces.length / 3).toBe(2)
  return faces
}

test.each([1, 2, 3, 4, 5])('hull of random points is closed and convex (seed %i)', (seed) => {
  const next = createRandom(seed).unit
  checkHull(Array.from({ length: 3 * 200 }, () => Math.fround(next() - 0.5)))
})

test.each([1, 2, 3])('hull of a lattice, flat sides and collinear edges throughout, is closed and convex (size %i)', (m) => {
  const points: number[] = []
  for (let i = 0; i <= m; i++) for (let j = 0; j <= m; j++) for (let k = 0; k <= m; k++) points.push(i, j, k)
  checkHull(points)
})

test('hull of a turned lattice with rounding noise is closed and convex', () => {
  const points: number[] = []
  const [c, s] = [Math.cos(0.3), Math.sin(0.3)]
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 6; j++) {
      for (let k = 0; k < 6; k++) points.push(Math.fround(c * i - s * j), Math.fround(s * i + c * j), Math.fround(k + 0.1 * i))
    }
  }
  checkHull(points)
})

test('hull of a prism of many sides is closed and convex', () => {
  const points: number[] = []
  for (let i = 0; i < 300; i++) {
    for (const z of [0, 0.01])
      points.push(Math.fround(Math.cos((i * Math.PI) / 150)), Math.fround(Math.sin((i * Math.PI) / 150)), Math.fround(z))
  }
  expect(checkHull(points)).toHaveLength(3 * (4 * 300 - 4))
})

test('duplicates and inner points change nothing', () => {
  const cube = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1]
  expect(checkHull(cube)).toHaveLength(36)
  expect(checkHull([...cube, ...cube, 0.5, 0.5, 0.5, 0.5, 0.5, 0])).toHaveLength(36)
})

test('points without a hull are told apart', () => {
  expect(convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0])).toEqual({ failure: 'too few points' })
  expect(convexHull(new Array(15).fill(0.1))).toEqual({ failure: 'all points coincide' })
  expect(convexHull([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 5, 5, 5])).toEqual({ failure: 'all points lie on a line' })
  expect(convexHull([0.1, 0, 0, 0.1, 1, 0, 0.1, 0, 1, 0.1, 3, 3, 0.1, 5, 2])).toEqual({ failure: 'all points lie in a plane' })
})

test('one ulp of height is enough for a hull', () => {
  const faces = checkHull([0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1 + 2 ** -52])
  expect(faces).toHaveLength(12)
})

test('a hundred thousand points on a sphere take seconds, not minutes', () => {
  const next = createRandom(7).unit
  const points: number[] = []
  for (let i = 0; i < 1e5; i++) {
    const z = 2 * next() - 1
    const a = 2 * Math.PI * next()
    const r = Math.sqrt(1 - z * z)
    points.push(Math.fround(r * Math.cos(a)), Math.fround(r * Math.sin(a)), Math.fround(z))
  }
  const begin = cpuTime()
  const hull = convexHull(points)
  expect(cpuTime() - begin).toBeLessThan(10)
  expect('faces' in hull && hull.faces.length > 3 * 1.5e5).toBe(true)
})

test('a prism of 16,000 sides, flat lids and all, takes seconds too', () => {
  const points: number[] = []
  for (let i = 0; i < 16_000; i++) {
    for (const z of [0, 0.1])
      points.push(Math.fround(Math.cos((i * Math.PI) / 8000)), Math.fround(Math.sin((i * Math.PI) / 8000)), Math.fround(z))
  }
  const begin = cpuTime()
  const hull = convexHull(points)
  expect(cpuTime() - begin).toBeLessThan(10)
  expect('faces' in hull && hull.faces.length > 3 * 6e4).toBe(true)
})
