import { buildModel } from 'limber'
import { findScene } from 'limber-scenes'
import { expect, it } from 'vitest'
import { measureCosts, THREAD_ROITM } from './measure.js'

const chain = buildModel(findScene('chain')?.build({ links: 10 }) ?? { bodies: [] })

it('the time of a body is the median time of an evaluation by the number of bodies', () => {
  // a clock that is read as often as there is something to time: every second look is the end of a sample
  let now = 0
  let looks = 0
  const spent = [3, 1, 2, 9, 4, 8, 5, 7, 6]
  const clock = (): number => {
    // the first looks are those of the warm-up, which is long enough at once
    if (looks < 2) now = looks
    else if (looks % 2 === 1) now += spent[(looks - 3) / 2]
    looks++
    return now
  }
  expect(measureCosts(chain, { clock }).cmptm).toBeCloseTo(5 / 10, 12)
  expect(looks).toBe(2 + 2 * spent.length)
})

it('the time of a round trip is measured by whoever makes it, else assumed', () => {
  const clock = (): number => performance.now() / 1000
  expect(measureCosts(chain, { clock }).roitm).toBe(THREAD_ROITM)
  expect(measureCosts(chain, { clock, roundTrip: () => 7e-6 }).roitm).toBe(7e-6)
})

it('a body takes a time that a computer takes', () => {
  const { cmptm } = measureCosts(chain, { clock: () => performance.now() / 1000 })
  expect(cmptm).toBeGreaterThan(1e-9)
  expect(cmptm).toBeLessThan(1e-3)
})

it('what is given is not measured', () => {
  const never = (): number => {
    throw new Error('measured')
  }
  const given = { cmptm: 1, roitm: 2, weight: 3 }
  expect(measureCosts(chain, { clock: never, roundTrip: never, given })).toEqual(given)
  expect(() => measureCosts(chain, { clock: never, given: { roitm: 2 } })).toThrow('measured')
})
