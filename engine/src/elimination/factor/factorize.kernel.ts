/** The numeric phase: carries out the operations of a plan on the fronts' matrices. */
import type { Int } from '../../math/values/columns.js'
import type { Fronts } from '../fronts.kernel.js'
import {
  ADD,
  AT,
  BASE,
  BODY,
  COUPLE,
  FOLD,
  JOIN,
  JOINT,
  LIFT,
  MOVE,
  NEW,
  PANEL,
  PIVOT,
  RECORD,
  ROWS,
  SHIFT,
  UNIT,
} from '../plan/operations.js'
import {
  addBody,
  addFront,
  addRows,
  clearSlot,
  couple,
  eliminateJoint,
  eliminatePivots,
  foldSlot,
  holdBase,
  joinFront,
  moveSlot,
  shiftSlot,
  subtractUnit,
} from './front.kernel.js'
import { eliminateEnd, liftSlot } from './panel.kernel.js'

/** Reads the world's terms. Writes Q, H, dinv, P, spare, failed. @kernel */
export function factorFronts(e: Fronts): void {
  e.failed[0] = 0
  for (let p = 0; p < e.end; p = p + RECORD) {
    const at = (place: Int): Int => e.ops[p + place]
    const kind = e.ops[p]
    const [base, st, w, slot, count] = [at(AT.matrix), at(AT.stride), at(AT.width), at(AT.slot), at(AT.count)]
    if (kind === JOINT) eliminateJoint(e, base, st, w, slot, count, at(AT.dof), at(AT.list), at(AT.kept), at(AT.pivot))
    else if (kind === PIVOT) eliminatePivots(e, base, st, w, slot, count, at(AT.group), at(AT.sign), at(AT.kept), at(AT.pivot))
    else if (kind === NEW) clearSlot(e, base, st, slot, count)
    else if (kind === BODY) addBody(e, base, st, slot, at(AT.body))
    else if (kind === SHIFT) shiftSlot(e, base, st, w, slot, at(AT.oldAnchor), at(AT.newAnchor))
    else if (kind === ROWS) addRows(e, base, st, at(AT.group), at(AT.list))
    else if (kind === COUPLE) couple(e, base, st, slot, at(AT.group), at(AT.entry), at(AT.forces))
    else if (kind === UNIT) subtractUnit(e, base, st, slot, count)
    else if (kind === FOLD) foldSlot(e, base, st, w, slot, at(AT.to))
    else if (kind === MOVE) moveSlot(e, base, st, w, slot, count, at(AT.to))
    else if (kind === ADD) addFront(e, base, st, at(AT.branch), at(AT.branchStride), count, at(AT.list))
    else if (kind === BASE) holdBase(e, base, st, slot, at(AT.body), at(AT.forces))
    else if (kind === LIFT) liftSlot(e, base, st, w, slot, at(AT.to), at(AT.dof), count, at(AT.rate), at(AT.fresh))
    else if (kind === PANEL) eliminateEnd(e, base, st, w, count, at(AT.positive), at(AT.kept), at(AT.pivot))
    else if (kind === JOIN) joinFront(e, base, st, at(AT.branch), at(AT.branchStride), at(AT.list))
  }
}
