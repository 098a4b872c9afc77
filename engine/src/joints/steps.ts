/** Joints as steps: turns, slides, balls and free motions in sequence, which is how kernels see them (`joints/place.kernel`). */
import type { Model, Steps } from '../model/model.js'
import { BALL, TURN } from '../model/tables.js'
import { ANCHOR, AXIS_SIZE, PITCH } from './axis.js'
import { jointTypes } from './index.js'

type Joints = Pick<Model, 'jointType' | 'jointQ' | 'jointV' | 'jointStep' | 'ij' | 'ijEnd' | 'iv' | 'ivEnd' | 'modes'>

export function findSteps(m: Joints, nbody: number, axis: Float64Array): Steps {
  const count = axis.length / AXIS_SIZE
  const steps = {
    stepKind: new Int32Array(count),
    stepQ: new Int32Array(count),
    stepV: new Int32Array(count),
    firstStep: new Int32Array(nbody),
    stepEnd: new Int32Array(nbody),
    hinge: new Int32Array(nbody),
    moved: Int32Array.from({ length: nbody }, (_, i) => (m.modes.frame[i] < 0 ? 0 : 1)),
    turns: new Int32Array(0),
    turnStart: new Int32Array(nbody + 1),
    axis,
  }
  for (const [j, type] of m.jointType.entries()) {
    for (const [n, kind] of jointTypes[type].steps.entries()) {
      const s = m.jointStep[j] + n
      steps.stepKind[s] = kind
      steps.stepQ[s] = m.jointQ[j] + n
      steps.stepV[s] = m.jointV[j] + n
    }
  }
  const turns: number[] = []
  for (let i = 1; i < nbody; i++) {
    steps.turnStart[i] = turns.length
    const [first, end] = stepsOf(m, i)
    steps.firstStep[i] = first
    steps.stepEnd[i] = end
    for (let s = first; s < end; s++) if (steps.stepKind[s] === TURN) turns.push(s)
    let hinges = end - first
    for (let s = first; s < end; s++) if (steps.stepKind[s] !== TURN || !throughOrigin(axis, AXIS_SIZE * s)) hinges = 0
    steps.hinge[i] = steps.moved[i] === 0 ? hinges : 0
  }
  steps.turnStart[nbody] = turns.length
  const curved = Int32Array.from(steps.stepKind.keys()).filter((s) => steps.stepKind[s] >= BALL)
  // not spread: the records of two models would then be of two kinds to compilers
  return Object.assign(steps, { turns: Int32Array.from(turns), curved, curvedCount: curved.length })
}

function stepsOf(m: Joints, i: number): [number, number] {
  if (m.ij[i] === m.ijEnd[i]) return [0, 0]
  const last = m.ijEnd[i] - 1
  return [m.jointStep[m.ij[i]], m.jointStep[last] + jointTypes[m.jointType[last]].steps.length]
}

function throughOrigin(axis: Float64Array, o: number): boolean {
  return axis[o + PITCH] === 0 && axis[o + ANCHOR] === 0 && axis[o + ANCHOR + 1] === 0 && axis[o + ANCHOR + 2] === 0
}
