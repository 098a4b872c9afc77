/**
 * Constraints of imported models that give way: their rows are no equalities, but springs and dampers by MuJoCo's law (`contact/softness`), solved
 * together with contacts and limits. So the model is looked at twice: with the exact ones only, and with these only.
 */
import { createRows, type Rows } from '../../../constraints/rows/rows.js'
import { isSoft } from '../../../contact/softness.js'
import type { Vec } from '../../../math/types.js'
import { CONSTRAINT_MOTION, CONSTRAINT_WELD } from '../../../model/constraints.js'
import type { Model } from '../../../model/model.js'

const isSoftConstraint = ({ constraints: { active, kind, solref } }: Model, k: number): boolean =>
  active[k] === 1 && kind[k] < CONSTRAINT_MOTION && isSoft(solref, 2 * k)

const withActive = (m: Model, keep: (k: number) => boolean): Model => ({
  ...m,
  constraints: { ...m.constraints, active: m.constraints.active.map((on, k) => (on === 1 && keep(k) ? 1 : 0)) },
})

/** The model with its exact constraints only; the same where it has no others. */
export function exactPart(m: Model): Model {
  for (let k = 0; k < m.constraints.count; k++) if (isSoftConstraint(m, k)) return withActive(m, (e) => !isSoftConstraint(m, e))
  return m
}

export const createSoftRows = (m: Model): Rows => createRows(withActive(m, (k) => isSoftConstraint(m, k)))

/** out[o] ← how far the constraint of row r is from closed, all of its rows together: MuJoCo's impedance depends on that. */
export function measureMiss({ constraints: { rows: size } }: Model, rows: Rows, gaps: Vec, r: number, out: Vec, o: number): void {
  const k = rows.source[r]
  let first = r
  while (first > 0 && rows.source[first - 1] === k) first--
  let square = 0
  for (let e = first; e < first + size[k]; e++) square += gaps[e] * gaps[e]
  out[o] = Math.sqrt(square)
}

/** Whether row r of a weld is one of its three of rotation. */
export function isTurn({ constraints: { kind } }: Model, { source }: Rows, r: number): boolean {
  return kind[source[r]] === CONSTRAINT_WELD && r >= 3 && source[r - 3] === source[r]
}
