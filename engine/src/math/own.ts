/**
 * Sines, arc tangents, hypotenuses, exponentials, logarithms and powers with the same bits in every JavaScript engine, which `Math` promises for none of them:
 * + − · / and square roots alone. What readers, the builder and other code that runs now and then use; kernels have `values/trig`.
 *
 * exp and log are those of [fdlibm].
 */
import { sincos, atan2 as valueAtan2 } from './values/trig.js'

export function sin(angle: number): number {
  return sincos(angle).s
}

export function cos(angle: number): number {
  return sincos(angle).c
}

/** Angle of the point (x, y) in (−π, π]; 0 at the origin. */
export function atan2(y: number, x: number): number {
  return valueAtan2(y, x)
}

export function squared(x: number): number {
  return x * x
}

/** √(a² + b² + c² + d²), also where a square would overflow or vanish. */
export function hypot(a: number, b: number, c = 0, d = 0): number {
  const sum = a * a + b * b + c * c + d * d
  return sum > 1e-280 && sum < 1e300 ? Math.sqrt(sum) : norm([a, b, c, d])
}

/** The same of the entries of a list. */
export function norm(x: ArrayLike<number>): number {
  let sum = 0
  for (let k = 0; k < x.length; k++) sum += x[k] * x[k]
  if (sum > 1e-280 && sum < 1e300) return Math.sqrt(sum)
  let largest = 0
  let isNumber = true
  for (let k = 0; k < x.length; k++) {
    const a = Math.abs(x[k])
    if (a === Number.POSITIVE_INFINITY) return a
    if (!(a >= 0)) isNumber = false
    if (a > largest) largest = a
  }
  if (!isNumber) return Number.NaN
  if (largest === 0) return 0
  sum = 0
  for (let k = 0; k < x.length; k++) sum += (x[k] / largest) * (x[k] / largest)
  return largest * Math.sqrt(sum)
}

const LN2_HIGH = 6.9314718036912381649e-1
const LN2_LOW = 1.90821492927058770002e-10

const P = Float64Array.of(
  1.66666666666666019037e-1,
  -2.77777777770155933842e-3,
  6.61375632143793436117e-5,
  -1.6533902205465251539e-6,
  4.13813679705723846039e-8,
)

/** eˣ */
export function exp(x: number): number {
  if (!(x < 709.782712893384)) return x > 0 ? Number.POSITIVE_INFINITY : Number.NaN
  if (x < -745.1332191019412) return 0
  // x = k ln 2 + r with |r| ≤ ln 2 / 2
  const k = Math.floor(x / Math.LN2 + 0.5)
  const high = x - k * LN2_HIGH
  const low = k * LN2_LOW
  const r = high - low
  const t = r * r
  const c = r - t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * P[4]))))
  return scaled(1 - (low - (r * c) / (2 - c) - high), k)
}

/** y 2ᵏ: in two steps where one factor alone is no double */
function scaled(y: number, k: number): number {
  const half = Math.trunc(k / 2)
  return y * powerOfTwo(half) * powerOfTwo(k - half)
}

const powerOfTwo = (k: number): number => wholePower(k < 0 ? 0.5 : 2, Math.abs(k))

/** xⁿ of a whole n ≥ 0, by squares */
function wholePower(x: number, n: number): number {
  let power = 1
  let base = x
  for (let left = n; left > 0; base *= base) {
    const half = Math.floor(left / 2)
    if (left > 2 * half) power *= base
    left = half
  }
  return power
}

const L = Float64Array.of(
  6.66666666666673513e-1,
  3.999999999940941908e-1,
  2.857142874366239149e-1,
  2.222219843214978396e-1,
  1.818357216161805012e-1,
  1.531383769920937332e-1,
  1.479819860511658591e-1,
)

/** Natural logarithm. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  // x = 2ᵏ (1 + f) with √½ ≤ 1 + f < √2
  let k = 0
  let m = x
  for (; m >= 4294967296; m /= 4294967296) k += 32
  for (; m < 1 / 4294967296; m *= 4294967296) k -= 32
  for (; m >= Math.SQRT2; m /= 2) k++
  for (; m < Math.SQRT1_2; m *= 2) k--
  const f = m - 1
  const s = f / (2 + f)
  const z = s * s
  const R = z * (L[0] + z * (L[1] + z * (L[2] + z * (L[3] + z * (L[4] + z * (L[5] + z * L[6]))))))
  const hfsq = 0.5 * f * f
  return k * LN2_HIGH - (hfsq - (s * (hfsq + R) + k * LN2_LOW) - f)
}

/** xʸ of x ≥ 0: whole powers by products, others by exp(y log x), good to a few last digits. */
export function pow(x: number, y: number): number {
  if (y === Math.floor(y) && Math.abs(y) <= 1024) {
    const power = wholePower(x, Math.abs(y))
    return y < 0 ? 1 / power : power
  }
  return x === 0 ? 0 : exp(y * log(x))
}

export function tan(angle: number): number {
  const { s, c } = sincos(angle)
  return s / c
}

export function asin(x: number): number {
  return valueAtan2(x, Math.sqrt((1 - x) * (1 + x)))
}

export function acos(x: number): number {
  return valueAtan2(Math.sqrt((1 - x) * (1 + x)), x)
}

export function atan(x: number): number {
  return valueAtan2(x, 1)
}
