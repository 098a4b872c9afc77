/**
 * How many modes each of several domains gets from a total: in proportion to the logarithm of its number of elements, at least one [Barbic].
 */
import { log } from '../math/own.js'
import type { Mesh } from './mesh.js'

export function modesFor(total: number, meshes: readonly Mesh[]): number[] {
  const weights = meshes.map(({ elements, corners }) => log(1 + elements.length / corners))
  const sum = weights.reduce((a, b) => a + b, 0)
  const shares = weights.map((w) => (total * w) / sum)
  const out = shares.map((s) => Math.max(1, Math.floor(s)))

  // what rounding left over goes where most was cut off; what the least of one took comes from the largest
  let rest = total - out.reduce((a, b) => a + b, 0)
  const cut = Array.from(shares.keys()).sort((a, b) => shares[b] - out[b] - (shares[a] - out[a]))
  for (let k = 0; rest > 0 && cut.length > 0; k++, rest--) out[cut[k % cut.length]]++
  for (; rest < 0; rest++) {
    const largest = out.indexOf(Math.max(...out))
    if (out[largest] <= 1) break
    out[largest]--
  }
  return out
}
