/**
 * The range of steps in which Adams' method with one evaluation a step stays bounded on an oscillation ẍ = −x.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { EARLY } from './adams-history.js'
import { createMultistep } from './multistep.js'
import { type OdeProblem, odeProblem } from './problem.js'

const oscillation: OdeProblem = {
  ...odeProblem(2, (out, _t, y) => {
    out[0] = y[1]
    out[1] = -y[0]
  }),
  kinematic: 1,
  kinematicRate(out, y) {
    out[0] = y[1]
  },
}

const STEPS = 400
/** growth a step that counts as bounded: the error test takes care of the rest */
const GROWTH = 1.02

/** Largest h, to 0.02, up to which no motion of order q grows. */
function bound(q: number): number {
  for (let k = 1; ; k++) {
    const h = 0.02 * k
    const integrator = createMultistep(oscillation, 'adams', { rtol: 1, atol: 1e280, fixed: true })
    const z = new Float64Array(2 * (q + 1))
    // not a history of any motion: all modes are in it
    for (let i = 0; i < z.length; i++) z[i] = 1 / (i + 1)
    integrator.startWith(0, h, q, z)
    for (let i = 0; i < STEPS; i++) integrator.advance()
    const out = new Float64Array(2)
    integrator.dense(out, integrator.time())
    if (!(Math.abs(out[0]) + Math.abs(out[1]) < 10 * GROWTH ** STEPS)) return h - 0.02
  }
}

describe('the early part of the correction', () => {
  const kept = EARLY.slice()
  afterEach(() => EARLY.set(kept))

  it.each([
    [2, 1.2, 1.7],
    [3, 1.0, 1.6],
    [4, 0.7, 1.2],
    [5, 0.5, 0.9],
    [6, 0.3, 0.7],
  ])('at order %i bounds motion up to h ω = %f without, %f with it', (q, without, withIt) => {
    expect(Math.abs(bound(q) - withIt)).toBeLessThan(0.07)
    EARLY[q] = 0
    expect(Math.abs(bound(q) - without)).toBeLessThan(0.07)
  })

  it.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])('is the best at order %i: more and less of it narrow the range', (q) => {
    const best = bound(q)
    for (const change of [-0.1, 0.1]) {
      EARLY[q] = kept[q] + change
      expect(bound(q)).toBeLessThanOrEqual(best)
    }
  })
})
