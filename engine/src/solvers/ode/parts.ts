/**
 * How many parts a step of Runge–Kutta needs where nobody chose the step for its accuracy.
 *
 * A part turns no body by more than a twentieth of a radian and covers no more than that of what swings:
 *   n = ⌈h max(|ω|, √|α|, Ω) / 0.05⌉,   ω of bodies, α of joints that turn, Ω the option `rate`: the fastest vibration of springs and servos
 * Of a vibration rk4 loses T Ω (Ω h)⁵ / 72 of the energy in a time T: here, and at a hundred radians a second, 5e-6 in ten seconds.
 */
import type { Vec } from '../../math/types.js'
import { createData, type Data } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { createState } from '../../model/state.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import type { Parts } from './fixed-step.js'

/** radians a part; half as many again, and a short double pendulum at 0.02 s loses more than a thousandth in ten seconds */
const PART = 0.05
/** most parts of a step: what is faster diverges as it would have */
const MOST = 256

export function partsByMotion(model: Model, rate: number): Parts {
  const { nbody, nv } = model
  const turns = findTurns(model)
  return (data: Data, span: Vec): number => {
    // along the world's axes, which every evaluation writes
    const { VW: V, a } = data
    // squares of rates
    let most = rate * rate
    for (let i = 1; i < nbody; i++) {
      const square = V[6 * i] * V[6 * i] + V[6 * i + 1] * V[6 * i + 1] + V[6 * i + 2] * V[6 * i + 2]
      if (square > most) most = square
    }
    for (let k = 0; k < nv; k++) if (turns[k] === 1 && Math.abs(a[k]) > most) most = Math.abs(a[k])
    const count = Math.ceil((span[0] * Math.sqrt(most)) / PART)
    // not a number: the step will say so
    // whole, so that it is not boxed
    return (count > 1 ? Math.min(count, MOST) : 1) | 0
  }
}

/** The least number of parts of a step of h, whatever the motion. */
export const leastParts = (rate: number, h: number): number => Math.min(Math.max(1, Math.ceil((h * rate) / PART)), MOST)

/** 1 for velocities that turn something. */
function findTurns(model: Model): Int32Array {
  const data = createData(model)
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  const { S } = data
  return Int32Array.from({ length: model.nv }, (_, k) => (S[6 * k] !== 0 || S[6 * k + 1] !== 0 || S[6 * k + 2] !== 0 ? 1 : 0))
}
