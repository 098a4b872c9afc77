/**
 * Sparsity of the reduced system matrix A (thesis Figs. 1, 5, 16, 21, 24): velocities of a body meet those of its ancestors, and where a
 * spring ties two bodies, all ancestors of the one meet all of the other.
 */
import type { Model } from 'limber'
import { escapeText } from '../report/plot.js'

export interface Pattern {
  readonly n: number
  /** row-major, 1 where A may be nonzero */
  readonly filled: Uint8Array
  readonly nonzeros: number
}

export function patternOf(model: Model): Pattern {
  const { nbody, parent, iv, ivEnd, nv: n, springs } = model
  const filled = new Uint8Array(n * n)
  const meet = (a: number, b: number): void => {
    for (let i = iv[a]; i < ivEnd[a]; i++) {
      for (let j = iv[b]; j < ivEnd[b]; j++) {
        filled[i * n + j] = 1
        filled[j * n + i] = 1
      }
    }
  }
  for (let i = 1; i < nbody; i++) for (let p = i; p > 0; p = parent[p]) meet(i, p)
  for (let k = 0; k < springs.count; k++) {
    for (let a = springs.bodyA[k]; a > 0; a = parent[a]) for (let b = springs.bodyB[k]; b > 0; b = parent[b]) meet(a, b)
  }
  let nonzeros = 0
  for (const x of filled) nonzeros += x
  return { n, filled, nonzeros }
}

/** Runs of filled cells as one rectangle each. */
export function drawPattern(title: string, { n, filled }: Pattern): string {
  const cells: string[] = []
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; ) {
      let end = j
      while (end < n && filled[i * n + end]) end++
      if (end > j) cells.push(`M${j} ${i}h${end - j}v1h${j - end}z`)
      j = end + 1
    }
  }
  const label = escapeText(title)
  return `<svg viewBox="0 0 ${n} ${n}" role="img" aria-label="${label}"><rect width="${n}" height="${n}" fill="none" stroke="#888" stroke-width="${n / 300}"/><path d="${cells.join('')}" fill="#0072b2"/></svg>`
}
