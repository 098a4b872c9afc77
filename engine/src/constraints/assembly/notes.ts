/**
 * What users should know of a start, in sentences.
 */

/** rad or m: a pose that is off by less was meant to fit */
export const SLIGHT = 1e-6

/** Says that a pose was moved onto its constraints, which it missed by this much. */
export function movedNote(before: number): string[] {
  if (before <= SLIGHT) return []
  return [`the starting pose missed its constraints by up to ${before.toPrecision(3)} m or rad and was moved onto them`]
}

/** Says which constraints hold rows that follow from others, once each. */
export function redundancyNote(redundant: readonly string[]): string[] {
  if (redundant.length === 0) return []
  const names = [...new Set(redundant)].map((name) => `'${name}'`).join(', ')
  const [rows, follow] = redundant.length > 1 ? ['rows', 'follow'] : ['row', 'follows']
  return [`${redundant.length} ${rows} of ${names} ${follow} from other constraints: how they share the force is arbitrary`]
}
