/**
 * Sine and cosine for kernels, with the bits of `math/trig`: argument reduction by multiples of π/2 split in three parts of 33 bits
 * [CodyWaite], then the polynomials of [fdlibm] on [−π/4, π/4].
 */
import { any } from './columns.js'

export type SinCos = { readonly s: number; readonly c: number }

const TWO_OVER_PI = 6.36619772367581382433e-1
// π/2 = P1 + P2 + P3 + P3T, the first three with 33 significant bits so that n·Pk is exact for n < 2²⁰
const P1 = 1.57079632673412561417
const P2 = 6.0771005063039659766e-11
const P3 = 2.0222662487111664558e-21
const P3T = 8.47842766036889956997e-32
const REDUCIBLE = 1e6
/** beyond it doubles no longer resolve a turn */
const HUGE = 1.8e18
const NOT_A_NUMBER = 0 / 0

const SINE = [
  8.33333333332248946124e-3, -1.98412698298579493134e-4, 2.75573137070700676789e-6, -2.50507602534068634195e-8, 1.58969099521155010221e-10,
] as const
const COSINE = [
  4.16666666666666019037e-2, -1.3888888888874109575e-3, 2.48015872894767294178e-5, -2.75573143513906633035e-7, 2.0875723212981748279e-9,
  -1.13596475577881948265e-11,
] as const

/** a₀ + z (a₁ + z (a₂ + …)) */
function polynomial(z: number, a: readonly number[]): number {
  let sum = a[a.length - 1]
  for (let k = a.length - 2; k >= 0; k--) sum = a[k] + z * sum
  return sum
}

/** The angle less s π/2 times a whole number. */
function reduceBy(s: number, y: number): number {
  const n = Math.floor((y / s) * TWO_OVER_PI + 0.5)
  return y - n * s * P1 - n * s * P2 - n * s * P3
}

/** An angle below REDUCIBLE with the same sine and cosine. */
function reduce(angle: number): number {
  let y = angle
  const large = Math.abs(angle) > REDUCIBLE
  if (any(large)) {
    const resolved = Math.abs(angle) < HUGE ? angle : NOT_A_NUMBER
    const near = reduceBy(1048576, reduceBy(1099511627776, resolved))
    y = large ? near : angle
  }
  return y
}

export function sincos(angle: number): SinCos {
  // y = n π/2 + r + e with |r| ≤ π/4, e what r lost to rounding
  const y = reduce(angle)
  const n = Math.floor(y * TWO_OVER_PI + 0.5)
  const a = y - n * P1
  const b = n * P2
  const r1 = a - b
  const w = n * P3 - (a - r1 - b) + n * P3T
  const r = r1 - w
  const e = r1 - r - w

  const z = r * r
  const v = z * r
  const s = r - (z * (0.5 * e - v * polynomial(z, SINE)) - e - v * -1.66666666666666324348e-1)
  const hz = 0.5 * z
  const t = 1 - hz
  const c = t + (1 - t - hz + (z * (z * polynomial(z, COSINE)) - r * e))

  // quadrant k = 2 half + odd: sine is s, c, −s, −c in turn, cosine one ahead
  const k = n - 4 * Math.floor(0.25 * n)
  const half = Math.floor(0.5 * k)
  const odd = k - 2 * half
  const sign = 1 - 2 * half
  return { s: sign * (odd > 0.5 ? c : s), c: sign * (odd > 0.5 ? -s : c) }
}

const HALF_PI = 1.570796326794896558
const HALF_PI_LOW = 6.12323399573676603587e-17
const PI = 3.141592653589793
const PI_LOW = 1.22464679914735317636e-16
const EVEN = [
  3.33333333333329318027e-1, 1.42857142725034663711e-1, 9.09088713343650656196e-2, 6.66107313738753120669e-2, 4.97687799461593236017e-2,
  1.62858201153657823623e-2,
] as const
const ODD = [
  -1.99999999998764832476e-1, -1.1111110405462355788e-1, -7.69187620504482999495e-2, -5.83357013379057348645e-2, -3.6531572744216915527e-2,
] as const

/** The angle of the point (x, y), which is not the origin, with the bits of `math/trig`. */
export function atan2(y: number, x: number): number {
  const [ax, ay] = [Math.abs(x), Math.abs(y)]
  const steep = ay > ax
  const t = steep ? ax / ay : ay / ax
  const [far, mid] = [t >= 0.6875, t >= 0.4375]
  const high = far ? 7.85398163397448278999e-1 : mid ? 4.63647609000806093515e-1 : 0
  const low = far ? 3.06161699786838301793e-17 : mid ? 2.26987774529616870924e-17 : 0
  const z = far ? (t - 1) / (t + 1) : mid ? (2 * t - 1) / (2 + t) : t
  const z2 = z * z
  const w = z2 * z2
  const flat = high - (z * (z2 * polynomial(w, EVEN) + w * polynomial(w, ODD)) - low - z)
  const first = steep ? HALF_PI - flat + HALF_PI_LOW : flat
  const angle = x < 0 ? PI - (first - PI_LOW) : first
  return y < 0 ? -angle : angle
}
