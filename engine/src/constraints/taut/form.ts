/**
 * Signs of a symmetric form that was found by differences: semidefinite, but for what differences leave of nothing.
 */
import type { PivotedLdl } from '../../linalg/dense/pivoted-ldl.js'
import type { Vec } from '../../math/types.js'

interface Form {
  readonly form: Vec
  readonly size: number
  readonly ldl: PivotedLdl
  sign: number
}

// of the largest diagonal, and as sin²: what differences leave of nothing
export const NOTHING = 1e-6

/** Makes the form symmetric and its trace positive, and clears what is nothing; false where a diagonal entry shows another sign. */
export function isDefiniteButForKernel(taut: Form): boolean {
  const { form, size: n } = taut
  let most = 0
  let trace = 0
  for (let i = 0; i < n; i++) {
    trace += form[i * n + i]
    most = Math.max(most, Math.abs(form[i * n + i]))
  }
  taut.sign = trace < 0 ? -1 : 1
  const sign = 0.5 * taut.sign
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const sum = sign * (form[i * n + j] + form[j * n + i])
      form[i * n + j] = sum
      form[j * n + i] = sum
    }
  }
  for (let i = 0; i < n; i++) {
    if (form[i * n + i] > NOTHING * most) continue
    for (let j = 0; j < n; j++) {
      if (Math.abs(form[i * n + j]) > Math.sqrt(NOTHING) * most) return false
      form[i * n + j] = 0
      form[j * n + i] = 0
    }
  }
  return true
}

/** Whether nothing is left of the form where its factor stopped: else it has both signs. */
export function isRestNothing({ form, size, ldl: { L, rank } }: Form): boolean {
  let most = 0
  for (let i = 0; i < size; i++) most = Math.max(most, form[i * size + i])
  for (let i = rank; i < size; i++) for (let j = rank; j <= i; j++) if (Math.abs(L[i * size + j]) > 10 * NOTHING * most) return false
  return true
}
