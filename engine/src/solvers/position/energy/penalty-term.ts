/**
 * Contact as an energy of the step ([Pan and Manocha 2018] equation 9, corrected): ½ k d² for the depth d, and friction lagged,
 *   h μ k d₀ f(|P_t − P_t0|/h),   f(s) = s²/(2 slip) below the slip velocity, s − slip/2 above
 * with depth d₀ and normal of the start. The printed form, D₂ d² |v_t|² with the depth of the end, pushes along the normal and depends on h.
 */
import { contact, TOUCH_SIZE } from '../../../forces/penalty.js'
import type { Vec } from '../../../math/types.js'
import type { Model } from '../../../model/model.js'
import { placeTable, tableRoom } from '../../../model/work-space.js'
import type { StepProblem, Term } from './step-problem.js'

const contactTable = ({ penalty }: Model) => {
  const { count, obstacles, body, point, stiffness, friction, slip } = penalty
  const touches = TOUCH_SIZE * count * obstacles
  const fields = { count, obstacles, body, point, law: Float64Array.of(stiffness, friction, slip) }
  return { name: 'ContactEnergy', fields, own: { now: touches, start: touches } } as const
}

/** Numbers that the term takes in the memory of a problem's data. */
export const contactRoom = (m: Model): number => tableRoom(contactTable(m))

export function contactTerm({ m, d, kernels, sums }: StepProblem): Term {
  const { table, now, start } = placeTable(d, contactTable(m))
  const touch = (out: Vec): void => d.kernels.touchPoints(d.tables.penalty.start, d.X_WB.byteOffset, out.byteOffset)
  return {
    name: contact.name,
    lag: 'local',
    // the curvature of rounded obstacles is left out
    exact: true,
    conservative: true,
    moving: false,
    begin: () => touch(start),
    add() {
      touch(now)
      kernels.pressPoints(table, sums)
    },
  }
}
