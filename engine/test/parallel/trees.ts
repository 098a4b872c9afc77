/** Trees of bodies for the tests of partitions, which ask for no more than who hangs on whom. */
import type { BodyTree } from 'limber'
import { createRandom } from '../random.js'

/** By the parent of each body, depth first; the first is the world, which has none. */
export function treeOf(parent: readonly number[]): BodyTree {
  return { nbody: parent.length, parent: Int32Array.from(parent, (p, i) => (i === 0 ? -1 : p)) }
}

export function chainTree(links: number): BodyTree {
  return treeOf(Array.from({ length: links + 1 }, (_, i) => Math.max(0, i - 1)))
}

/** As the scene `mobile`: s stages of chains of l links, o chains on each. */
export function mobileTree(s: number, l: number, o: number): BodyTree {
  const parent = [0]
  const hang = (on: number, stage: number): void => {
    for (let k = 0; k < l; k++) parent.push(k === 0 ? on : parent.length - 1)
    const end = parent.length - 1
    if (stage < s) for (let i = 0; i < o; i++) hang(end, stage + 1)
  }
  hang(0, 1)
  return treeOf(parent)
}

export function randomBodyTree(seed: number, bodies: number): BodyTree {
  const random = createRandom(seed)
  const parent = [0]
  for (let i = 1; i <= bodies; i++) {
    // mostly onwards, else back to a body on the way to the root
    let p = i - 1
    while (p > 0 && random.unit() < 0.2) p = parent[p]
    parent.push(p)
  }
  return treeOf(parent)
}
