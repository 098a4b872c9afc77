/**
 * A slider for a number of joints: even steps of it are even factors of the number, and its right end is no limit, which solvers call 0.
 */

/** Number of joints at a place of the slider from 0 to 1. */
export function budgetAt(place: number, joints: number): number {
  const budget = Math.round(joints ** place)
  return budget >= joints ? 0 : budget
}

export function placeOf(budget: number, joints: number): number {
  return budget <= 0 || budget >= joints ? 1 : Math.log(budget) / Math.log(joints)
}
