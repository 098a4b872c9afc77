/**
 * The polynomial energy of a reduced domain, its gradient and Hessian, term by term: slow, and with nothing to get wrong.
 */
import type { Reduced } from 'limber'

interface Term {
  readonly c: number
  readonly variables: readonly number[]
}

/** The monomials in the order of `Reduced`. */
function terms({ modes: r, energy2, energy3, energy4 }: Reduced): Term[] {
  const out: Term[] = []
  const at = [0, 0, 0]
  const lists = [energy2, energy3, energy4]
  const descend = (variables: number[], degree: number): void => {
    if (variables.length === degree) {
      out.push({ c: lists[degree - 2][at[degree - 2]++], variables })
      return
    }
    for (let i = variables[variables.length - 1] ?? 0; i < r; i++) descend([...variables, i], degree)
  }
  for (const degree of [2, 3, 4]) descend([], degree)
  return out
}

export interface EnergyPolynomial {
  value(q: ArrayLike<number>): number
  gradient(q: ArrayLike<number>): Float64Array
  /** row-major */
  hessian(q: ArrayLike<number>): Float64Array
}

export function energyPolynomial(reduced: Reduced): EnergyPolynomial {
  const list = terms(reduced)
  const r = reduced.modes
  const product = (q: ArrayLike<number>, variables: readonly number[], without: readonly number[]): number =>
    variables.reduce((p, v, k) => (without.includes(k) ? p : p * q[v]), 1)
  return {
    value: (q) => list.reduce((sum, { c, variables }) => sum + c * product(q, variables, []), 0),
    gradient(q) {
      const out = new Float64Array(r)
      for (const { c, variables } of list) {
        variables.forEach((v, k) => {
          out[v] += c * product(q, variables, [k])
        })
      }
      return out
    },
    hessian(q) {
      const out = new Float64Array(r * r)
      for (const { c, variables } of list) {
        variables.forEach((v, k) => {
          variables.forEach((w, l) => {
            if (k !== l) out[r * v + w] += c * product(q, variables, [k, l])
          })
        })
      }
      return out
    },
  }
}
