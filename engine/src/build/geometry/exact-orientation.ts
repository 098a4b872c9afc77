/**
 * The side of a plane a point lies on, decided exactly.
 *
 * Sign of det [b − a, c − a, p − a] in floating-point expansions: sums of doubles that do not overlap, so that nothing is rounded.
 * [Shewchuk]. Callers filter first: this is
 * for the few cases that plain arithmetic leaves open. Exact as long as no product under- or overflows.
 */

type Expansion = readonly number[]

/** Positive when p is on the side to which (b − a) × (c − a) points, 0 when in the plane. Reads points from xyz at 3 i. */
export function orientation(xyz: ArrayLike<number>, a: number, b: number, c: number, p: number): number {
  const d = (i: number, k: number): Expansion => difference(xyz[3 * i + k] as number, xyz[3 * a + k] as number)
  const [ux, uy, uz] = [d(b, 0), d(b, 1), d(b, 2)]
  const [vx, vy, vz] = [d(c, 0), d(c, 1), d(c, 2)]
  const minor = (s: Expansion, t: Expansion, q: Expansion, r: Expansion): Expansion => add(multiply(s, t), negate(multiply(q, r)))
  const x = multiply(minor(uy, vz, uz, vy), d(p, 0))
  const y = multiply(minor(uz, vx, ux, vz), d(p, 1))
  const z = multiply(minor(ux, vy, uy, vx), d(p, 2))

  // the largest component, which comes last, has the sign of the sum
  const sum = add(add(x, y), z)
  return sum.length === 0 ? 0 : (sum[sum.length - 1] as number)
}

/** x − y as one or two components, smallest first; none for zero. */
function difference(x: number, y: number): Expansion {
  const s = x - y
  const v = x - s
  const e = x - (s + v) + (v - y)
  return e === 0 ? (s === 0 ? [] : [s]) : [e, s]
}

function negate(e: Expansion): Expansion {
  return e.map((x) => -x)
}

/** e + f, one component of f after the other. */
function add(e: Expansion, f: Expansion): Expansion {
  let sum = e as number[]
  for (const b of f) {
    const next: number[] = []
    let q = b
    for (const x of sum) {
      const s = q + x
      const v = s - q
      const r = q - (s - v) + (x - v)
      if (r !== 0) next.push(r)
      q = s
    }
    if (q !== 0) next.push(q)
    sum = next
  }
  return sum
}

function multiply(e: Expansion, f: Expansion): Expansion {
  let sum: Expansion = []
  for (const x of e) for (const y of f) sum = add(sum, product(x, y))
  return sum
}

/** 2^27 + 1 cuts a double into two halves whose products are exact */
const SPLITTER = 134217729

function product(x: number, y: number): Expansion {
  const p = x * y
  const cx = SPLITTER * x
  const xh = cx - (cx - x)
  const xl = x - xh
  const cy = SPLITTER * y
  const yh = cy - (cy - y)
  const yl = y - yh
  const e = xl * yl - (p - xh * yh - xl * yh - xh * yl)
  return e === 0 ? (p === 0 ? [] : [p]) : [e, p]
}
