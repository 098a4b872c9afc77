/**
 * Sine, cosine and arc tangent with the same bits in every JavaScript engine, which `Math.sin` does not promise.
 *
 * Argument reduction by multiples of π/2 split in three parts of 33 bits [CodyWaite], then minimax polynomials on
 * [-π/4, π/4] with the coefficients of [fdlibm]. Errors stay below one unit in the last place for |x| < 2²⁰;
 * larger angles are first reduced by 2²⁰ π/2 and 2⁴⁰ π/2.
 */
import type { Vec } from './types.js'

const TWO_OVER_PI = 6.36619772367581382433e-1

// π/2 = P1 + P2 + P3 + P3T, the first three with 33 significant bits so that n·Pk is exact for n < 2²⁰
const P1 = 1.57079632673412561417
const P2 = 6.0771005063039659766e-11
const P3 = 2.0222662487111664558e-21
const P3T = 8.47842766036889956997e-32

const REDUCIBLE = 1e6

const SIGN = Float64Array.of(1, 1, -1, -1, 1)
const both = new Float64Array(2)

/**
 * Replaces the angle at out[o] by its sine and writes its cosine to out[o + 1]. The angle comes in the array because a number handed
 * over a call that is not inlined costs an allocation.
 */
export function sincos(out: Vec, o: number): void {
  if (out[o] > REDUCIBLE || out[o] < -REDUCIBLE) reduceHuge(out, o)
  const y = out[o]

  // y = n π/2 + r + e with |r| ≤ π/4, e what r lost to rounding
  const n = Math.floor(y * TWO_OVER_PI + 0.5)
  const a = y - n * P1
  const b = n * P2
  const r1 = a - b
  const w = n * P3 - (a - r1 - b) + n * P3T
  const r = r1 - w
  const e = r1 - r - w

  // sin r and cos r
  const z = r * r
  const v = z * r
  const ps =
    8.33333333332248946124e-3 +
    z * (-1.98412698298579493134e-4 + z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)))
  const s = r - (z * (0.5 * e - v * ps) - e - v * -1.66666666666666324348e-1)
  const pc =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.3888888888874109575e-3 +
          z *
            (2.48015872894767294178e-5 +
              z * (-2.75573143513906633035e-7 + z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))))
  const hz = 0.5 * z
  const t = 1 - hz
  const c = t + (1 - t - hz + (z * pc - r * e))

  // quadrant: sin is s, c, −s, −c in turn, cos one ahead; looked up, because a branch here is a guess
  const k = n & 3
  both[0] = s
  both[1] = c
  const odd = k & 1
  out[o] = SIGN[k] * both[odd]
  out[o + 1] = SIGN[k + 1] * both[1 - odd]
}

/** Brings the large angle at out[o] below REDUCIBLE, or makes it NaN beyond 2⁶⁰ where doubles no longer resolve a turn. */
function reduceHuge(out: Vec, o: number): void {
  let y = out[o]
  if (!(y < 1.8e18 && y > -1.8e18)) y = Number.NaN
  for (let s = 1099511627776; s > 1; s /= 1048576) {
    const n = Math.floor((y / s) * TWO_OVER_PI + 0.5)
    y = y - n * s * P1 - n * s * P2 - n * s * P3
  }
  out[o] = y
}

const HALF_PI = 1.570796326794896558
const HALF_PI_LOW = 6.12323399573676603587e-17
const PI_LOW = 1.22464679914735317636e-16

/**
 * Replaces y at out[o] by the angle of the point (x, y) in (-π, π], x being at out[o + 1], for any finite x and y; 0 at the origin.
 * arctan of the ratio 0 … 1 is moved to |z| ≤ 7/16 by arctan 1/2 or arctan 1, then [fdlibm]'s polynomial.
 */
export function atan2(out: Vec, o: number): void {
  const y = out[o]
  const x = out[o + 1]
  const ax = x < 0 ? -x : x
  const ay = y < 0 ? -y : y
  if (ax === 0 && ay === 0) {
    out[o] = 0
    return
  }
  const steep = ay > ax
  const t = steep ? ax / ay : ay / ax
  let high = 0
  let low = 0
  let z = t
  if (t >= 0.6875) {
    high = 7.85398163397448278999e-1
    low = 3.06161699786838301793e-17
    z = (t - 1) / (t + 1)
  } else if (t >= 0.4375) {
    high = 4.63647609000806093515e-1
    low = 2.26987774529616870924e-17
    z = (2 * t - 1) / (2 + t)
  }
  const z2 = z * z
  const w = z2 * z2
  const s1 =
    z2 *
    (3.33333333333329318027e-1 +
      w *
        (1.42857142725034663711e-1 +
          w *
            (9.09088713343650656196e-2 +
              w * (6.66107313738753120669e-2 + w * (4.97687799461593236017e-2 + w * 1.62858201153657823623e-2)))))
  const s2 =
    w *
    (-1.99999999998764832476e-1 +
      w * (-1.1111110405462355788e-1 + w * (-7.69187620504482999495e-2 + w * (-5.83357013379057348645e-2 + w * -3.6531572744216915527e-2))))
  let angle = high - (z * (s1 + s2) - low - z)
  if (steep) angle = HALF_PI - angle + HALF_PI_LOW
  if (x < 0) angle = Math.PI - (angle - PI_LOW)
  out[o] = y < 0 ? -angle : angle
}
