/**
 * Sine, cosine and arc tangent for kernels, with the bits of `math/trig`: argument reduction by multiples of π/2 split in three parts of 33
 * bits [CodyWaite], then the polynomials of [fdlibm] on [−π/4, π/4]. Single precision has shorter ones, and no corrections of rounding, which
 * compilers of GPUs may fold away.
 */
import { any } from './columns.js'
import { SINGLE } from './form.js'

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
  if (SINGLE) return sincosSingle(angle)
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

// π/2 in parts of 11 bits, so that n·Ak is exact for n < 2¹³; the last part has the remainder
const A1 = 1.5703125
const A2 = 4.837512969970703125e-4
const A3 = 7.549790126404332e-8
/** beyond it single precision no longer resolves a turn */
const HUGE_SINGLE = 2097152
/** of (sin x / x − 1) / x² and (cos x − 1 + x²/2) / x⁴ in x², to 2⁻²⁷ on [−π/4, π/4] */
const SINE_SINGLE = [-0.16666655242443085, 0.008332176133990288, -0.00019516977772582322] as const
const COSINE_SINGLE = [0.04166664555668831, -0.0013887364184483886, 0.000024438089894829318] as const

/** Error 9e-8 for angles up to 10⁴, beyond that of the angle itself. */
function sincosSingle(angle: number): SinCos {
  const y = Math.abs(angle) < HUGE_SINGLE ? angle : NOT_A_NUMBER
  const n = Math.floor(y * TWO_OVER_PI + 0.5)
  const r = y - n * A1 - n * A2 - n * A3
  const z = r * r
  const s = r + r * z * polynomial(z, SINE_SINGLE)
  const c = 1 - 0.5 * z + z * z * polynomial(z, COSINE_SINGLE)
  // quadrant, as above: shared, it would make every page larger
  const k = n - 4 * Math.floor(0.25 * n)
  const half = Math.floor(0.5 * k)
  const odd = k - 2 * half
  const sign = 1 - 2 * half
  return { s: sign * (odd > 0.5 ? c : s), c: sign * (odd > 0.5 ? -s : c) }
}

const HALF_PI = 1.570796326794896558
const HALF_PI_LOW = 6.12323399573676603587e-17
const PI = 3.141592653589793116
const PI_LOW = 1.22464679914735317636e-16

const ODD = [
  3.33333333333329318027e-1, 1.42857142725034663711e-1, 9.09088713343650656196e-2, 6.66107313738753120669e-2, 4.97687799461593236017e-2,
  1.62858201153657823623e-2,
] as const
const EVEN = [
  -1.99999999998764832476e-1, -1.1111110405462355788e-1, -7.69187620504482999495e-2, -5.83357013379057348645e-2, -3.6531572744216915527e-2,
] as const

/** Angle of the point (x, y) in (−π, π], for any finite x and y; 0 at the origin. */
export function atan2(y: number, x: number): number {
  const ax = Math.abs(x)
  const ay = Math.abs(y)
  const steep = ay > ax
  const t = (steep ? ax : ay) / (steep ? ay : ax)
  // the ratio 0 … 1 moved to |z| ≤ 7/16 by arctan 1/2 or arctan 1
  const far = t >= 0.6875
  const middle = t >= 0.4375
  const high = far ? 7.85398163397448278999e-1 : middle ? 4.63647609000806093515e-1 : 0
  const low = far ? 3.06161699786838301793e-17 : middle ? 2.26987774529616870924e-17 : 0
  const z = far ? (t - 1) / (t + 1) : middle ? (2 * t - 1) / (2 + t) : t
  const z2 = z * z
  const w = z2 * z2
  const first = high - (z * (z2 * polynomial(w, ODD) + w * polynomial(w, EVEN)) - low - z)
  const second = steep ? HALF_PI - first + HALF_PI_LOW : first
  const third = x < 0 ? PI - (second - PI_LOW) : second
  const angle = y < 0 ? -third : third
  return ax + ay === 0 ? 0 : angle
}
