/** Nodes by a number each, the largest first: a binary heap. Numbers are read from an array, for one that is handed over may be boxed. */

export interface Queue {
  clear(): void
  push(node: number): void
  /** The node with the largest number, −1 where there is none. */
  pop(): number
}

/** `keys`: the number of each node, which must not change while the node is in the queue. */
export function createQueue(keys: Float64Array): Queue {
  const nodes = new Int32Array(keys.length)
  let size = 0
  return {
    clear() {
      size = 0
    },
    push(node) {
      let at = size++
      while (at > 0) {
        const above = (at - 1) >> 1
        if (keys[nodes[above]] >= keys[node]) break
        nodes[at] = nodes[above]
        at = above
      }
      nodes[at] = node
    },
    pop() {
      if (size === 0) return -1
      const first = nodes[0]
      const node = nodes[--size]
      let at = 0
      for (;;) {
        let below = 2 * at + 1
        if (below >= size) break
        if (below + 1 < size && keys[nodes[below + 1]] > keys[nodes[below]]) below++
        if (keys[nodes[below]] <= keys[node]) break
        nodes[at] = nodes[below]
        at = below
      }
      nodes[at] = node
      return first
    },
  }
}
