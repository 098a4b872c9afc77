/** Messages over links: both ends in one thread. MPI has a test of its own, for it needs its own processes. */
import { createInProcessLinks, createSharedLinks, type Link } from 'limber/parallel'
import { type AllocationCase, callsByName } from '../allocation-case.js'

const CAPACITY = 32

export function linkCases(): AllocationCase[] {
  const shared = createSharedLinks(3, CAPACITY)
  return callsByName(
    {
      'in one thread': exchange(createInProcessLinks(3, CAPACITY)),
      'over shared memory': exchange([0, 1, 2].map((rank) => shared.link(rank))),
      'over shared memory, in parts': exchange(createPair(CAPACITY), 100),
    },
    2000,
  )
}

function createPair(capacity: number): Link[] {
  const { link } = createSharedLinks(2, capacity, { spin: 0 })
  return [link(0), link(1)]
}

/** Two messages there and one back. */
function exchange(links: readonly Link[], n = 27): () => void {
  const [a, b] = [links[0], links[links.length - 1]]
  const x = new Float64Array(100)
  const y = new Float64Array(100)
  return () => {
    a.send(b.rank, x, 0, n)
    a.send(b.rank, x, 1, 5)
    if (!b.arrived(a.rank)) throw new Error('no message')
    b.receive(a.rank, y, 0, n)
    b.receive(a.rank, y, 1, 5)
    b.send(a.rank, y, 0, 24)
    a.receive(b.rank, x, 0, 24)
    x[3]++
  }
}
