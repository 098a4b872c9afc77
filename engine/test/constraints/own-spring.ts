/**
 * A spring with a damper between the origins of two bodies, as a user would write it: by force and energy alone, with rows, or with a product.
 */
import { addStiffEntry, type Data, type Force, openStiffRow } from 'limber'

export interface OwnSpring {
  /** numbers of the bodies */
  readonly A: number
  readonly B: number
  readonly k: number
  readonly damping: number
  readonly rest: number
}

/** `spring` without its derivative, `rows` and `product` with it. */
export function ownSpring({ A, B, k, damping, rest }: OwnSpring): Record<'spring' | 'rows' | 'product', Force> {
  /** The line between the origins: unit vector in the world, length, rate. */
  function line(d: Data) {
    const at = (i: number, r: number): number => d.X_WB[12 * i + 9 + r]
    const gap = [0, 1, 2].map((r) => at(B, r) - at(A, r))
    const length = Math.hypot(...gap)
    const n = gap.map((x) => x / length)
    return { n, length }
  }
  const world = (d: Data, i: number, V: ArrayLike<number>): number[] =>
    [0, 1, 2].map((r) => [0, 1, 2].reduce((sum, c) => sum + d.X_WB[12 * i + 3 * r + c] * V[6 * i + 3 + c], 0))
  const local = (d: Data, i: number, w: readonly number[]): number[] =>
    [0, 1, 2].map((c) => [0, 1, 2].reduce((sum, r) => sum + d.X_WB[12 * i + 3 * r + c] * w[r], 0))
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, r) => sum + x * b[r], 0)
  function pull(d: Data, f: Float64Array, w: readonly number[]): void {
    // w on A, the opposite on B
    local(d, A, w).forEach((x, r) => {
      f[6 * A + 3 + r] += x
    })
    local(d, B, w).forEach((x, r) => {
      f[6 * B + 3 + r] -= x
    })
  }

  const spring: Force = {
    name: 'own spring',
    damped: damping !== 0,
    apply(_m, d) {
      const { n, length } = line(d)
      const [a, b] = [A, B].map((i) => world(d, i, d.V))
      const tension = k * (length - rest) + damping * (dot(n, b) - dot(n, a))
      pull(
        d,
        d.f,
        n.map((x) => tension * x),
      )
    },
    energy: (_m, d) => 0.5 * k * (line(d).length - rest) ** 2,
  }
  const across = (length: number): number => Math.max(0, (k * (length - rest)) / length)
  const rows: Force = {
    ...spring,
    rows: 3,
    linearize(_m, d, _s, terms) {
      const { n, length } = line(d)
      const side = Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]
      const cross = (a: readonly number[], b: readonly number[]): number[] => [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
      ]
      const u = cross(n, side)
      const t = u.map((x) => x / Math.hypot(...u))
      for (const [w, stiffness, loss] of [
        [n, k, damping],
        [t, across(length), 0],
        [cross(n, t), across(length), 0],
      ] as const) {
        const r = openStiffRow(terms)
        terms.stiffness[r] = stiffness
        terms.damping[r] = loss
        for (const [i, sign] of [
          [A, -1],
          [B, 1],
        ]) {
          const e = addStiffEntry(terms, i)
          local(d, i, w).forEach((x, c) => {
            terms.J[e + 3 + c] = sign * x
          })
        }
      }
    },
  }
  const product: Force = {
    ...spring,
    jacobianProduct(_m, d, _s, x, stiffness, loss, out) {
      const { n, length } = line(d)
      const [a, b] = [A, B].map((i) => world(d, i, x.V))
      const e = b.map((value, r) => value - a[r])
      const along = dot(n, e)
      const w = e.map(
        (value, r) => stiffness * (k * along * n[r] + across(length) * (value - along * n[r])) + loss * damping * along * n[r],
      )
      // what resists the motion of B, and the opposite at A
      pull(
        d,
        out.f as Float64Array,
        w.map((value) => -value),
      )
    },
  }
  return { spring, rows, product }
}
