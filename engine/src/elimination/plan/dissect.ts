/**
 * Nested dissection [George] of a tree with rows across its branches: bodies with rows are cut in two along an axis, again and again; a
 * body or a row goes with the smallest part that holds all below it. What is in no half is the separator.
 *
 * A net need not lie as its tree does: branches may cross over, and halves by count then tear many of them. So every place along every
 * axis is looked at that leaves a fair share on both sides, and the cut is made where the front between the sides is smallest:
 * the rows across it, and six velocities for each body that is torn and holds a whole branch on either side.
 */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { SPACE as HANDLE } from '../coupled-tree.js'

/** parts of so many bodies are not cut any further */
const PART = 2
/** share of the bodies that a side keeps at least */
const SHARE = 0.25

export interface Parts {
  /** part that each part is cut from, a lower number, or 0; parts are numbered from 1 */
  readonly above: readonly number[]
  /** smallest part that holds a body with all below it (0: the ground), or all bodies of a group */
  readonly ofBody: Int32Array
  readonly ofGroup: Int32Array
}

/** `tied` are the bodies of each group, `room` its rows; `places` are the bodies' poses (12 a body, origins from 9 on). */
export function dissect(m: Model, tied: readonly (readonly number[])[], room: Int32Array, places: Vec): Parts {
  const { nbody, parent } = m
  const sweep = createSweep(m, tied, room)
  const ofBody = new Int32Array(nbody)
  const above = [0, 0]
  const halve = (bodies: readonly number[], number: number): void => {
    const cut = bodies.length > PART ? bestCut(sweep, bodies, places) : undefined
    if (!cut) {
      for (const b of bodies) ofBody[b] = number
      return
    }
    for (const side of [cut.sorted.slice(0, cut.at), cut.sorted.slice(cut.at)]) halve(side, above.push(number) - 1)
  }
  halve(sweep.bodies, 1)

  const together = (a: number, b: number): number => {
    if (a === 0 || b === 0) return a + b
    while (a !== b) {
      if (a > b) a = above[a]
      else b = above[b]
    }
    return a
  }
  for (let i = nbody - 1; i > 0; i--) if (parent[i] > 0) ofBody[parent[i]] = together(ofBody[parent[i]], ofBody[i])
  // branches without rows are taken in body by body
  for (let i = 1; i < nbody; i++) if (ofBody[i] === 0) ofBody[i] = above.push(ofBody[parent[i]]) - 1
  return { above, ofBody, ofGroup: Int32Array.from(tied, (bodies) => bodies.reduce((at, b) => together(at, ofBody[b]), 0)) }
}

interface Sweep {
  readonly bodies: readonly number[]
  /** Bodies go from one side to the other in turn: sizes[k] ← scalars of the front between the first k + 1 and the rest. */
  run(sorted: readonly number[], sizes: Vec): void
}

/** Undefined where all places are the same. */
function bestCut(sweep: Sweep, bodies: readonly number[], places: Vec): { sorted: readonly number[]; at: number } | undefined {
  const n = bodies.length
  const sizes = new Float64Array(n)
  const least = Math.max(1, Math.ceil(SHARE * n))
  let smallest = Number.POSITIVE_INFINITY
  let best: { sorted: readonly number[]; at: number } | undefined
  for (let axis = 9; axis < 12; axis++) {
    const sorted = bodies.toSorted((a, b) => places[12 * a + axis] - places[12 * b + axis] || a - b)
    if (!(places[12 * sorted[n - 1] + axis] > places[12 * sorted[0] + axis])) continue
    sweep.run(sorted, sizes)
    for (let at = least; at <= n - least; at++) {
      // of equal cuts the one nearest to the middle
      const size = sizes[at - 1] + Math.abs(1 - (2 * at) / n)
      if (size >= smallest) continue
      smallest = size
      best = { sorted, at }
    }
  }
  return best
}

/**
 * Counts by change: a body is whole on one side or the other, or torn; it is torn once and made whole once in a sweep, so that a sweep
 * takes as long as there are bodies, however deep the tree.
 */
function createSweep(m: Model, tied: readonly (readonly number[])[], room: Int32Array): Sweep {
  const { nbody, parent } = m
  const groups: number[][] = Array.from({ length: nbody }, () => [])
  for (let g = 0; g < tied.length; g++) for (const b of tied[g]) groups[b].push(g)
  // parts of a body that sides may hold: itself, if it has rows, and its branches with rows
  const pieces = new Int32Array(nbody)
  const bodies: number[] = []
  for (let i = nbody - 1; i > 0; i--) {
    if (groups[i].length > 0) {
      pieces[i]++
      bodies.push(i)
    }
    if (pieces[i] > 0) pieces[parent[i]]++
  }
  // pieces held by the two sides, and bodies of each group that are on the first; pieces of the ground do not count
  const first = new Int32Array(nbody)
  const second = new Int32Array(nbody)
  const there = new Int32Array(tied.length)

  return {
    bodies: bodies.reverse(),
    run(sorted, sizes) {
      let torn = 0
      const isTorn = (i: number): number => (first[i] + second[i] > 0 && first[i] < pieces[i] && second[i] < pieces[i] ? 1 : 0)
      const change = (held: Int32Array, from: number, by: number): void => {
        for (let i = from; i > 0; i = parent[i]) {
          torn -= isTorn(i)
          const was = held[i] === pieces[i]
          held[i] += by
          torn += isTorn(i)
          // what is above feels it only where the body was whole, or is now
          if (was === (held[i] === pieces[i])) break
        }
      }
      for (const b of sorted) change(second, b, 1)
      let crossing = 0
      for (let k = 0; k < sorted.length; k++) {
        change(second, sorted[k], -1)
        change(first, sorted[k], 1)
        for (const g of groups[sorted[k]]) {
          there[g]++
          if (there[g] === 1) crossing += room[g]
          if (there[g] === tied[g].length) crossing -= room[g]
        }
        sizes[k] = crossing + HANDLE * torn
      }
      for (const b of sorted) {
        change(first, b, -1)
        for (const g of groups[b]) there[g] = 0
      }
    },
  }
}
