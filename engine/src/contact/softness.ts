/**
 * Softness of a row as MuJoCo has it: `solref` and `solimp` → stiffness, damping and impedance at the present depth r, a length or an angle.
 *
 *   a + R f = −b v − k r,   R = (1 − d)/d · w        d: impedance, w: inverse inertia of the row at the model's reference pose
 *   solref (T, ζ):    k = d/(D T ζ)²,  b = 2/(D T),  T at least 2 h        solref (−K, −B):  k = d K/D²,  b = B/D
 *   solimp (d₀, D, width, midpoint, power):  d = d₀ + y(|r|/width)(D − d₀),  y(x) = x^p/m^(p−1) below the midpoint m, mirrored above it
 */
import { pow } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { Int } from '../math/values/columns.js'

/** places in what `evaluateSoftness` writes */
export const STIFFNESS = 0
export const DAMPING = 1
export const IMPEDANCE = 2

// MuJoCo's bounds of an impedance and of a midpoint
const LEAST = 1e-4
const MOST = 0.9999

/** Whether a row is soft; 0 0 stands for hard. */
export const isSoft = (solref: Vec, i: Int): boolean => solref[i] !== 0 || solref[i + 1] !== 0

/** out ← k, b, d at the depth depth[e] with solref[i …], solimp[j …] and a step of step[s]. */
export function evaluateSoftness(out: Vec, solref: Vec, i: Int, solimp: Vec, j: Int, depth: Vec, e: Int, step: Vec, s: Int): void {
  const low = clamp(solimp[j])
  const high = clamp(solimp[j + 1])
  const width = solimp[j + 2]
  const x = width > 1e-15 ? Math.min(1, Math.abs(depth[e]) / width) : 1
  out[IMPEDANCE] = low + shape(x, clamp(solimp[j + 3]), Math.max(1, solimp[j + 4])) * (high - low)
  if (solref[i] > 0) {
    const time = Math.max(solref[i], 2 * step[s])
    out[STIFFNESS] = out[IMPEDANCE] / (high * high * time * time * solref[i + 1] * solref[i + 1])
    out[DAMPING] = 2 / (high * time)
  } else {
    out[STIFFNESS] = (-solref[i] * out[IMPEDANCE]) / (high * high)
    out[DAMPING] = -solref[i + 1] / high
  }
}

const clamp = (x: number): number => (x < LEAST ? LEAST : x > MOST ? MOST : x)

function shape(x: number, middle: number, power: number): number {
  if (x >= 1) return 1
  if (power === 1) return x
  if (x <= middle) return raise(x, power) / raise(middle, power - 1)
  return 1 - raise(1 - x, power) / raise(1 - middle, power - 1)
}

/** x^p; whole powers, which are what files have, by products: the same bits everywhere */
function raise(x: number, p: number): number {
  if (p !== Math.floor(p) || p > 16) return pow(x, p)
  let product = 1
  for (let k = 0; k < p; k++) product *= x
  return product
}
