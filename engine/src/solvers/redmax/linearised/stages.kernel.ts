/**
 * What the stages of scheme second-order do with velocities, one number at a time; `stages` has the equations.
 */
import { integrateAll } from '../../../joints/integrate.kernel.js'
import type { Int, Lanes } from '../../../math/values/columns.js'
import type { Tree } from '../../../model/tables.js'

/** Columns of `Stages`, of the state `at`, and of the system. */
export interface StageColumns {
  /** how many coordinates */
  readonly nq: Int
  /** one number each: g of the stage, h of both */
  readonly step: Lanes<number>
  readonly span: Lanes<number>
  readonly q0: Lanes<number>
  readonly v0: Lanes<number>
  /** qᵖ and vᵖ: where the stage is linearised */
  readonly qp: Lanes<number>
  readonly vp: Lanes<number>
  readonly v: Lanes<number>
  readonly move: Lanes<number>
  readonly a: Lanes<number>
  readonly j: Lanes<number>
  readonly bar: Lanes<number>
  readonly delta: Lanes<number>
  readonly first: Lanes<number>
  readonly x: Lanes<number>
  readonly y: Lanes<number>
  readonly z: Lanes<number>
  readonly square: Lanes<number>
}

/** v̄, δ and what is expected of the first stage, with a and j where they are known. @kernel */
export function expectFirst(m: Tree, s: StageColumns, known: Int): void {
  const g = s.step[0]
  for (let k = 0; k < m.nv; k++) {
    const v = s.v0[k]
    s.bar[k] = v
    s.delta[k] = 0
    if (known === 1) s.vp[k] = v + g * (s.a[k] + g * s.j[k])
    else s.vp[k] = v
  }
  placeExpected(m, s)
}

/** The same of the second, from v of the first. @kernel */
export function expectSecond(m: Tree, s: StageColumns, known: Int): void {
  const g = s.step[0]
  const rest = s.span[0] - g
  for (let k = 0; k < m.nv; k++) {
    const v = s.v[k]
    const a = (v - s.bar[k]) / g
    const bar = s.bar[k] + rest * a
    s.first[k] = a
    s.bar[k] = bar
    s.delta[k] = rest * v
    if (known === 1) s.vp[k] = bar + g * a + rest * (a - s.a[k])
    else s.vp[k] = bar + g * a + 0
  }
  placeExpected(m, s)
}

/** The stage is linearised anew at its solution. @kernel */
export function expectSolution(m: Tree, s: StageColumns): void {
  for (let k = 0; k < m.nv; k++) s.vp[k] = s.v[k]
  placeExpected(m, s)
}

/** qᵖ = q₀ ⊕ (δ + g vᵖ) */
function placeExpected(m: Tree, s: StageColumns): void {
  const g = s.step[0]
  for (let k = 0; k < m.nv; k++) s.move[k] = s.delta[k] + g * s.vp[k]
  for (let k = 0; k < s.nq; k++) s.qp[k] = s.q0[k]
  integrateAll(m, s.qp, s.move, 1)
}

/** The displacement by v, and the squares of the correction x and of v, with the products y and z of both with A. @kernel */
export function measureStage(m: Tree, s: StageColumns): void {
  const g = s.step[0]
  let correction = 0
  let motion = 0
  for (let k = 0; k < m.nv; k++) {
    s.move[k] = s.delta[k] + g * s.v[k]
    correction = correction + s.x[k] * s.y[k]
    motion = motion + s.v[k] * s.z[k]
  }
  s.square[1] = s.square[0]
  s.square[0] = correction
  s.square[2] = motion
}

/** a and j at the end of the second stage. @kernel */
export function finishStages(m: Tree, s: StageColumns): void {
  const g = s.step[0]
  const rest = s.span[0] - g
  for (let k = 0; k < m.nv; k++) {
    const a = (s.v[k] - s.bar[k]) / g
    s.a[k] = a
    s.j[k] = (a - s.first[k]) / rest
  }
}

/** out[0] = 1 where all of q and v, nq and nv of them, are numbers below the largest, out[1]; else 0. @kernel */
export function areBelow(m: Tree, nq: Int, out: Lanes<number>, q: Lanes<number>, v: Lanes<number>): void {
  const most = out[1]
  let good = 1
  for (let k = 0; k < nq; k++) good = Math.abs(q[k]) < most ? good : 0
  for (let k = 0; k < m.nv; k++) good = Math.abs(v[k]) < most ? good : 0
  out[0] = good
}
