import { describe, expect, it } from 'vitest'
import { budgetAt, placeOf } from './budget-scale.js'

describe('the scale of a budget', () => {
  it('goes from one joint to all of them, which is no limit', () => {
    expect([0, 0.25, 0.5, 1].map((place) => budgetAt(place, 10_000))).toEqual([1, 10, 100, 0])
    expect([1, 100, 10_000, 0].map((budget) => placeOf(budget, 10_000))).toEqual([0, 0.5, 1, 1])
  })

  it('comes back to the same number', () => {
    for (const budget of [1, 2, 17, 300, 17_599, 0]) expect(budgetAt(placeOf(budget, 17_600), 17_600)).toBe(budget)
  })

  it('has one place where there is one joint', () => {
    expect(placeOf(1, 1)).toBe(1)
    expect(budgetAt(0, 1)).toBe(0)
  })
})
