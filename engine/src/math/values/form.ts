/** What depends on the precision of the form that is printed: f32x4 lanes and WGSL are single, all others and the source itself double. */

/** The compiler of kernels knows it when it prints: the other side of a choice is gone. */
export const SINGLE: boolean = false

/** Distance of 1 to the next number. */
export const EPSILON: number = SINGLE ? 1.1920928955078125e-7 : 2.220446049250313e-16

/** The largest number. WGSL has no infinity: ranges without an end have this one. */
export const LARGEST: number = SINGLE ? 3.4028234663852886e38 : 1.7976931348623157e308

/** False for NaN and infinities. On a GPU it looks at the bits, since compilers there may assume that there are none. */
export function isFinite(x: number): boolean {
  return Math.abs(x) <= LARGEST
}
