/**
 * Colours that the scenes share.
 */
type Color = readonly [number, number, number, number]

/** From amber (0) to deep red (1): tells the parts of a chain or tree apart. */
export function warmShade(t: number): Color {
  return [0.95 - 0.2 * t, 0.67 - 0.42 * t, 0.24 + 0.06 * t, 1]
}

export const skin: Color = [0.86, 0.66, 0.52, 1]
export const cloth: Color = [0.25, 0.42, 0.63, 1]
export const steel: Color = [0.62, 0.66, 0.7, 1]
export const moss: Color = [0.42, 0.5, 0.36, 1]
