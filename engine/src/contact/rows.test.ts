import { describe, expect, it } from 'vitest'
import { createRandom, freeBodies, moved, pointVelocity, posesOf } from '../../test/contact/bodies.js'
import { createContacts } from './contacts.js'
import { findContacts } from './find-contacts.js'
import { contactRows, createContactRows, reserveContactRows, tangentBasis } from './rows.js'

describe('contact rows', () => {
  it('give the relative velocity of the two body points along normal and tangents', () => {
    const random = createRandom(1)
    const g = freeBodies([
      { shape: 'box', size: [1, 0.6, 0.8] },
      { shape: 'capsule', radius: 0.3, length: 0.8 },
    ])
    const c = createContacts(g)
    const rows = createContactRows(c)
    let tested = 0
    for (let n = 0; n < 50; n++) {
      const poses = [random.pose(0.5), random.pose(0.5)]
      const twists = [random.twist(1), random.twist(1)]
      findContacts(c, g, posesOf(poses), 0.3)
      contactRows(rows, c, posesOf(poses))
      for (let k = 0; k < c.count; k++) {
        tested++
        const point = Array.from(c.point.subarray(3 * k, 3 * k + 3))
        const [A, B] = [c.bodyA[k] - 1, c.bodyB[k] - 1]
        const va = pointVelocity(poses[A], twists[A], point)
        const vb = pointVelocity(poses[B], twists[B], point)
        for (let d = 0; d < 3; d++) {
          const along = d === 0 ? c.normal.subarray(3 * k, 3 * k + 3) : rows.tangent.subarray(6 * k + 3 * (d - 1), 6 * k + 3 * d)
          let row = 0
          for (let r = 0; r < 6; r++) row += rows.rowA[18 * k + 6 * d + r] * twists[A][r] + rows.rowB[18 * k + 6 * d + r] * twists[B][r]
          const expected = along.reduce((sum, x, r) => sum + x * (vb[r] - va[r]), 0)
          expect(row).toBeCloseTo(expected, 12)
        }
      }
    }
    expect(tested).toBeGreaterThan(30)
  })

  it('give the rate of the gap by finite differences', () => {
    const random = createRandom(2)
    const g = freeBodies([
      { shape: 'sphere', radius: 0.5 },
      { shape: 'box', size: [1, 0.6, 0.8] },
    ])
    const c = createContacts(g)
    const rows = createContactRows(c)
    const h = 1e-6
    for (let n = 0; n < 50; n++) {
      const poses = [random.pose(0.6), random.pose(0.6)]
      const twists = [random.twist(1), random.twist(1)]
      const gapAt = (s: number): number => {
        findContacts(c, g, posesOf(poses.map((X, i) => moved(X, twists[i], s))), 2)
        return c.gap[0]
      }
      const difference = (gapAt(h) - gapAt(-h)) / (2 * h)
      gapAt(0)
      contactRows(rows, c, posesOf(poses))
      let rate = 0
      for (let r = 0; r < 6; r++) rate += rows.rowA[r] * twists[c.bodyA[0] - 1][r] + rows.rowB[r] * twists[c.bodyB[0] - 1][r]
      expect(rate).toBeCloseTo(difference, 5)
    }
  })

  it('have a right-handed orthonormal basis for every normal, poles and equator included', () => {
    const random = createRandom(3)
    const out = new Float64Array(6)
    const normals = [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, -1, 0], [0.6, 0.8, -0], ...Array.from({ length: 100 }, () => random.vec3(1))]
    for (const raw of normals) {
      const length = Math.hypot(...raw)
      const n = Float64Array.from(raw, (x) => x / length)
      tangentBasis(out, 0, n, 0)
      const t1 = out.subarray(0, 3)
      const t2 = out.subarray(3)
      expect(Math.hypot(...t1)).toBeCloseTo(1, 14)
      expect(t1[0] * n[0] + t1[1] * n[1] + t1[2] * n[2]).toBeCloseTo(0, 14)
      const across = [n[1] * t1[2] - n[2] * t1[1], n[2] * t1[0] - n[0] * t1[2], n[0] * t1[1] - n[1] * t1[0]]
      across.forEach((x, k) => expect(t2[k]).toBeCloseTo(x, 14))
    }
  })

  it('grow with the contacts', () => {
    const g = freeBodies([{ shape: 'sphere', radius: 1 }])
    const rows = createContactRows(createContacts(g, 2))
    reserveContactRows(rows, createContacts(g, 5))
    expect([rows.rowA.length, rows.rowB.length, rows.tangent.length]).toEqual([90, 90, 30])
  })
})
