/**
 * Approximate minimum degree ordering of a symmetric pattern with node weights.
 *
 * Written from P. R. Amestoy, T. A. Davis, I. S. Duff, An Approximate Minimum Degree Ordering Algorithm, SIAM J. Matrix Anal. Appl.
 * 17 (1996): quotient graph, approximate external degree (their eq. 4.1), element absorption with the aggressive variant, mass
 * elimination, and indistinguishable variables found by hashing. Degrees count scalars: a node of 6 rows weighs 6.
 *
 * A variable i has a list of elements E_i followed by one of variables A_i; an element e has the variables L_e of its clique. Lists
 * sit in one pool; a full pool is compacted into a second one. Departures: a node may be held back, in the graph but not up for
 * elimination, until another one is gone or nothing else is left; nodes of very high degree are left out and ordered at the very end.
 */

const NONE = -1
const LAST = 1
const WAITING = 2

/** What the order has to respect besides fill. */
export interface Precedence {
  /** nonzero: eliminate this node after all that are not marked */
  readonly last?: ArrayLike<number>
  /** eliminate node i after its neighbour after[i]; −1: whenever it suits */
  readonly after?: ArrayLike<number>
}

/**
 * Elimination order of nodes 0 … n − 1: order[k] is the k-th node to eliminate. `ptr`, `adj` list the neighbours of each node, both
 * directions, without the node itself.
 */
export function amd(n: number, ptr: Int32Array, adj: Int32Array, weight: Int32Array, precedence: Precedence = {}): Int32Array {
  const { last, after } = precedence

  // a node joined to a large part of the graph slows every update and hardly changes the order: it goes last
  const denseDegree = Math.max(64, Math.floor(10 * Math.sqrt(n)))

  const size = new Int32Array(n) // weight of a live variable, negative while it is in the current clique, 0 when merged or eliminated
  const degree = new Int32Array(n) // of a variable: approximate external degree; of an element: weight of its clique
  const begin = new Int32Array(n) // first entry of each list in the pool
  const nelem = new Int32Array(n) // elements at the head of a variable's list
  const nall = new Int32Array(n) // length of each list
  const isElement = new Uint8Array(n)
  const owner = new Int32Array(n).fill(NONE) // where a dead node went: the variable it merged with, or the element that absorbed it
  const rank = new Int32Array(n).fill(NONE) // turn at which an element was made
  const stamp = new Float64Array(n) // for elements: tag + |L_e \ L_me|; for comparisons: a mark
  let tag = 1
  let largest = 0 // largest clique so far, by which tags must advance

  let total = 0
  let room = 0
  let left = 0
  for (let i = 0; i < n; i++) {
    if (ptr[i + 1] - ptr[i] > denseDegree) continue
    size[i] = weight[i]
    total += weight[i]
    left++
  }
  for (let i = 0; i < n; i++) if (size[i] > 0) room += ptr[i + 1] - ptr[i]
  let pool = new Int32Array(2 * room + 2 * n)
  let spare = new Int32Array(pool.length)
  let free = 0

  for (let i = 0; i < n; i++) {
    if (size[i] === 0) continue
    begin[i] = free
    for (let k = ptr[i]; k < ptr[i + 1]; k++) {
      const j = adj[k]
      if (size[j] === 0) continue
      pool[free++] = j
      degree[i] += weight[j]
    }
    nall[i] = free - begin[i]
  }

  // who is held back, and for whom: waiters of each variable as linked lists that merge with the variables
  const held = new Uint8Array(n)
  const firstWaiter = new Int32Array(n).fill(NONE)
  const lastWaiter = new Int32Array(n).fill(NONE)
  const nextWaiter = new Int32Array(n).fill(NONE)
  for (let i = n - 1; i >= 0; i--) {
    if (last?.[i]) held[i] |= LAST
    if (after === undefined || after[i] < 0 || size[after[i]] === 0) continue
    held[i] |= WAITING
    nextWaiter[i] = firstWaiter[after[i]]
    firstWaiter[after[i]] = i
    if (lastWaiter[after[i]] === NONE) lastWaiter[after[i]] = i
  }

  // variables by degree
  const head = new Int32Array(total + 1).fill(NONE)
  const next = new Int32Array(n).fill(NONE)
  const previous = new Int32Array(n).fill(NONE)
  let smallest = 0

  function enlist(i: number): void {
    if (held[i] !== 0) return
    const d = degree[i]
    next[i] = head[d]
    previous[i] = NONE
    if (head[d] !== NONE) previous[head[d]] = i
    head[d] = i
    if (d < smallest) smallest = d
  }

  function delist(i: number): void {
    if (held[i] !== 0) return
    if (next[i] !== NONE) previous[next[i]] = previous[i]
    if (previous[i] !== NONE) next[previous[i]] = next[i]
    else head[degree[i]] = next[i]
  }

  /** Variable i is gone: who waited for it may go. Waiters in the current clique (negative size) are enlisted with it. */
  function release(i: number): void {
    for (let w = firstWaiter[i]; w !== NONE; w = nextWaiter[w]) {
      held[w] &= LAST
      if (size[w] > 0) enlist(w)
    }
  }

  function inheritWaiters(i: number, j: number): void {
    if (firstWaiter[j] === NONE) return
    if (firstWaiter[i] === NONE) firstWaiter[i] = firstWaiter[j]
    else nextWaiter[lastWaiter[i]] = firstWaiter[j]
    lastWaiter[i] = lastWaiter[j]
  }

  function compact(): void {
    let to = 0
    for (let i = 0; i < n; i++) {
      if (size[i] === 0 && !isElement[i]) continue
      const from = begin[i]
      begin[i] = to
      for (let k = 0; k < nall[i]; k++) spare[to++] = pool[from + k]
    }
    const full = pool
    pool = spare
    spare = full
    free = to
  }

  // enlisting backwards makes the first node of equal degree the first choice
  for (let i = n - 1; i >= 0; i--) if (size[i] > 0) enlist(i)

  const bucketOf = new Int32Array(n)
  const bucketHead = new Int32Array(n).fill(NONE)
  const bucketNext = new Int32Array(n).fill(NONE)
  let turn = 0
  let gone = 0 // weight eliminated so far

  while (left > 0) {
    while (smallest <= total && head[smallest] === NONE) smallest++
    if (smallest > total) {
      // only held ones are left: those marked last have their turn; should none be free then, precedence is circular and void
      let freed = false
      for (let i = 0; i < n; i++) if (size[i] > 0 && held[i] === LAST) freed = true
      smallest = 0
      for (let i = n - 1; i >= 0; i--) {
        held[i] &= freed ? WAITING : 0
        if (size[i] > 0) enlist(i)
      }
      continue
    }

    // the pivot becomes an element; its clique L_me is the union of its variables and of its elements' cliques
    const me = head[smallest]
    delist(me)
    let pivotWeight = size[me]
    size[me] = -pivotWeight
    left--
    if (free + Math.min(degree[me], left) > pool.length) compact()
    const first = free
    const ne = nelem[me]
    let cliqueWeight = 0
    for (let k = 0; k <= ne; k++) {
      const e = k < ne ? pool[begin[me] + k] : me
      const from = k < ne ? begin[e] : begin[me] + ne
      const to = k < ne ? begin[e] + nall[e] : begin[me] + nall[me]
      for (let q = from; q < to; q++) {
        const i = pool[q]
        const w = size[i]
        if (w <= 0) continue
        cliqueWeight += w
        size[i] = -w
        delist(i)
        pool[free++] = i
      }
      if (k < ne) {
        isElement[e] = 0
        owner[e] = me
      }
    }
    isElement[me] = 1
    rank[me] = turn++
    begin[me] = first
    nall[me] = free - first
    nelem[me] = 0
    degree[me] = cliqueWeight
    if (cliqueWeight > largest) largest = cliqueWeight
    release(me)

    // |L_e \ L_me| of every element that meets the clique
    for (let q = first; q < free; q++) {
      const i = pool[q]
      for (let k = begin[i]; k < begin[i] + nelem[i]; k++) {
        const e = pool[k]
        if (!isElement[e]) continue
        if (stamp[e] < tag) stamp[e] = degree[e] + tag
        stamp[e] += size[i]
      }
    }

    // new lists, degrees and hash of the clique's variables
    for (let q = first; q < free; q++) {
      const i = pool[q]
      const from = begin[i]
      const middle = from + nelem[i]
      const end = from + nall[i]
      let to = from
      let d = 0
      let hash = 0
      for (let k = from; k < middle; k++) {
        const e = pool[k]
        if (!isElement[e]) continue
        const outside = stamp[e] - tag
        if (outside > 0) {
          pool[to++] = e
          d += outside
          hash = (hash + e) % n
        } else {
          isElement[e] = 0
          owner[e] = me
        }
      }
      const kept = to - from
      const afterElements = to
      for (let k = middle; k < end; k++) {
        const j = pool[k]
        if (size[j] <= 0) continue
        pool[to++] = j
        d += size[j]
        hash = (hash + j) % n
      }

      if (d === 0 && held[i] === 0) {
        // nothing outside the clique: eliminated together with the pivot
        const w = -size[i]
        cliqueWeight -= w
        pivotWeight += w
        size[i] = 0
        owner[i] = me
        left--
        release(i)
        continue
      }

      // me goes first in E_i; the entry that led here is gone, so there is room
      if (to > from) {
        pool[to] = pool[afterElements]
        pool[afterElements] = pool[from]
      }
      pool[from] = me
      nelem[i] = kept + 1
      nall[i] = to - from + 1
      if (d < degree[i]) degree[i] = d
      hash = (hash + me) % n
      bucketOf[i] = hash
      bucketNext[i] = bucketHead[hash]
      bucketHead[hash] = i
    }
    degree[me] = cliqueWeight
    tag += largest + 1

    // merge variables with equal lists
    for (let q = first; q < free; q++) {
      if (size[pool[q]] === 0) continue
      let i = bucketHead[bucketOf[pool[q]]]
      bucketHead[bucketOf[pool[q]]] = NONE
      while (i !== NONE && bucketNext[i] !== NONE) {
        for (let k = begin[i]; k < begin[i] + nall[i]; k++) stamp[pool[k]] = tag
        let before = i
        let j = bucketNext[i]
        while (j !== NONE) {
          let same = nall[j] === nall[i] && nelem[j] === nelem[i] && held[i] === 0 && held[j] === 0
          for (let k = begin[j]; same && k < begin[j] + nall[j]; k++) if (stamp[pool[k]] !== tag) same = false
          if (same) {
            size[i] += size[j]
            size[j] = 0
            owner[j] = i
            left--
            inheritWaiters(i, j)
            bucketNext[before] = bucketNext[j]
          } else before = j
          j = bucketNext[j]
        }
        tag++
        i = bucketNext[i]
      }
    }

    // back to the degree lists with the clique counted in
    gone += pivotWeight
    let to = first
    for (let q = first; q < free; q++) {
      const i = pool[q]
      const w = -size[i]
      if (w === 0) continue
      size[i] = w
      degree[i] = Math.min(degree[i] + cliqueWeight - w, total - gone - w)
      enlist(i)
      pool[to++] = i
    }
    nall[me] = to - first
    free = to
    size[me] = 0
    if (nall[me] === 0) isElement[me] = 0
  }

  return gather(n, turn, owner, rank, after)
}

/** Nodes by the turn of the element they ended in; the dense ones, which belong to none, follow. */
function gather(n: number, turns: number, owner: Int32Array, rank: Int32Array, after?: ArrayLike<number>): Int32Array {
  const turnOf = new Int32Array(n)
  const count = new Int32Array(turns + 2)
  for (let i = 0; i < n; i++) {
    // a merged variable leads to its representative, that one to the element it was eliminated with
    let e = i
    while (rank[e] === NONE && owner[e] !== NONE) e = owner[e]
    const turn = rank[e] === NONE ? turns : rank[e]
    // shorten the way for the ones behind
    for (let j = i; j !== e; ) {
      const up = owner[j]
      owner[j] = e
      j = up
    }
    turnOf[i] = turn
    count[turn + 1]++
  }
  for (let t = 0; t <= turns; t++) count[t + 1] += count[t]

  // within one element any order makes the same fill: those that have to wait go second
  const order = new Int32Array(n)
  for (let i = 0; i < n; i++) if (after === undefined || after[i] < 0) order[count[turnOf[i]]++] = i
  for (let i = 0; i < n; i++) if (after !== undefined && after[i] >= 0) order[count[turnOf[i]]++] = i
  return order
}
