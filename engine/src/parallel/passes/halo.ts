/**
 * What couples bodies of different processors outside of the tree: springs, rows of loops. Each processor that has one of the bodies needs to know the others.
 */
import type { Units } from './units.js'

/** Bodies that processor `from` tells processor `to` of. */
export interface Halo {
  readonly from: number
  readonly to: number
  readonly bodies: readonly number[]
}

/** The processor of each body; the world is everywhere, −1. */
export function ranksOf({ units }: Units, nbody: number): Int32Array {
  const rank = new Int32Array(nbody).fill(-1)
  for (const { from, to, rank: r } of units) rank.fill(r, from, to)
  return rank
}

/** `together`: bodies, of which each processor that has any needs all. */
export function findHalo(rank: Int32Array, together: Iterable<readonly number[]>): Halo[] {
  const found = new Map<string, Set<number>>()
  for (const bodies of together) {
    const ranks = new Set(bodies.map((i) => rank[i]))
    for (const i of bodies) {
      for (const to of ranks) {
        if (rank[i] < 0 || to < 0 || to === rank[i]) continue
        const key = `${rank[i]} ${to}`
        const list = found.get(key) ?? new Set()
        found.set(key, list.add(i))
      }
    }
  }
  return [...found].map(([key, bodies]) => {
    const [from, to] = key.split(' ').map(Number)
    return { from, to, bodies: [...bodies].sort((a, b) => a - b) }
  })
}
