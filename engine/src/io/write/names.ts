/** Names for what a format asks to be named: like the wish, with a number where the wish is taken. */
export interface Names {
  has(name: string): boolean
  /** reserves and returns a name that no one has */
  make(wish: string): string
}

export function createNames(taken: Iterable<string | undefined>): Names {
  const used = new Set<string>()
  for (const name of taken) if (name !== undefined) used.add(name)
  return {
    has: (name) => used.has(name),
    make(wish) {
      let name = wish
      for (let k = 2; used.has(name); k++) name = `${wish}_${k}`
      used.add(name)
      return name
    },
  }
}
