/**
 * The nearest known name to a mistyped one.
 */

/** The name with the fewest edits to `given`, if few enough to be a slip; else undefined. */
export function nearest(given: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  // a slip leaves most of a word: one letter for another is no slip in '7'
  let least = Math.min(Math.max(2, Math.floor(given.length / 3)), given.length - 1) + 1
  for (const name of known) {
    const distance = name.startsWith(given) && given.length > 1 ? 1 : editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best
}

/** names in a message: nobody reads more */
const most = 40

/** `; did you mean x? Known: a, b, c` or `; known: a, b, c` for the end of a message. */
export function hint(given: string, known: readonly string[]): string {
  const name = nearest(given, known)
  const more = known.length > most ? ` and ${known.length - most} more` : ''
  return `${name ? `; did you mean ${name}? Known` : '; known'}: ${known.slice(0, most).join(', ')}${more}`
}

/** Insertions, deletions, replacements and swaps of neighbours, each one edit. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let d = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) d = Math.min(d, (before[j - 2] ?? 0) + 1)
      next.push(d)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
