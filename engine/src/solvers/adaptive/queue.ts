/** Nodes by a number each, the largest first: a binary heap. */

export interface Queue {
  clear(): void
  push(node: number, key: number): void
  /** The node with the largest key, −1 where there is none. */
  pop(): number
}

export function createQueue(capacity: number): Queue {
  const nodes = new Int32Array(capacity)
  const keys = new Float64Array(capacity)
  let size = 0
  const place = (at: number, node: number, key: number): void => {
    nodes[at] = node
    keys[at] = key
  }
  return {
    clear() {
      size = 0
    },
    push(node, key) {
      let at = size++
      while (at > 0) {
        const above = (at - 1) >> 1
        if (keys[above] >= key) break
        place(at, nodes[above], keys[above])
        at = above
      }
      place(at, node, key)
    },
    pop() {
      if (size === 0) return -1
      const first = nodes[0]
      const node = nodes[--size]
      const key = keys[size]
      let at = 0
      for (;;) {
        let below = 2 * at + 1
        if (below >= size) break
        if (below + 1 < size && keys[below + 1] > keys[below]) below++
        if (keys[below] <= key) break
        place(at, nodes[below], keys[below])
        at = below
      }
      place(at, node, key)
      return first
    },
  }
}
