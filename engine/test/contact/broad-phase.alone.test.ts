/** How the time of a search for contacts grows with the number of solids. */
import { describe, expect, it } from 'vitest'
import { createContacts } from '../../src/contact/contacts.js'
import { findContacts } from '../../src/contact/find-contacts.js'
import { freeBodies, pose, posesOf } from './bodies.js'

const ball = (radius: number) => ({ shape: 'sphere', radius }) as const

describe('the search for contacts', () => {
  it('takes less than 60 times the time for 16 times the spheres', () => {
    const stack = (side: number): (() => number) => {
      const n = side ** 3
      const g = freeBodies(Array.from({ length: n }, () => ball(0.5)))
      const poses = posesOf(Array.from({ length: n }, (_, k) => pose([k % side, Math.floor(k / side) % side, Math.floor(k / side ** 2)])))
      const c = createContacts(g)
      return () => {
        const start = performance.now()
        findContacts(c, g, poses, 0.01)
        const time = performance.now() - start
        expect(c.count).toBe(3 * side ** 2 * (side - 1))
        return time
      }
    }
    const [few, many] = [stack(8), stack(20)]
    let [fewer, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // a loaded machine interrupts the long one in nearly every round: go on until one gets through
    for (let k = 0; k < 25 || (k < 400 && more / fewer >= 60); k++) {
      fewer = Math.min(fewer, few())
      more = Math.min(more, many())
    }
    // 16 times the spheres: all pairs would take 244 times the time; caches and a busy machine take their share of what is left
    expect(more / fewer).toBeLessThan(60)
  })
})
