/**
 * Events: instants at which a function of the state changes sign, found on the dense output.
 */
import { jointTypes } from '../../joints/index.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'

export interface OdeEvent {
  readonly name: string
  /** Must be continuous where it is to be found; must not change the state. */
  value(state: State): number
  /** 1: from below to above zero, −1: from above to below, 0 (default): both */
  readonly direction?: -1 | 0 | 1
  /** true (default): the step ends there; false: it is only reported */
  readonly terminal?: boolean
  /** Called at the instant, with the state then; must not change it. */
  onEvent?(state: Readonly<State>): void
}

/** Whether going from a to b is a crossing that the event asks for. */
export function crosses(event: OdeEvent, a: number, b: number): boolean {
  const direction = event.direction ?? 0
  if (a < 0 && b >= 0) return direction >= 0
  if (a > 0 && b <= 0) return direction <= 0
  return false
}

/**
 * The end of the bracket [a, b], narrowed to `width`, on the far side of the crossing: from there the function does not cross again.
 * Regula falsi with Illinois' weights, bisection where it lags behind. NaN as soon as f gives one.
 */
export function locate(f: (t: number) => number, a: number, fa: number, b: number, fb: number, width: number): number {
  let lo = a
  let hi = b
  let flo = fa
  let fhi = fb
  for (let k = 0; k < 200 && hi - lo > width; k++) {
    const cut = k % 3 === 2 ? 0.5 : Math.min(0.98, Math.max(0.02, flo / (flo - fhi)))
    const t = lo + cut * (hi - lo)
    if (!(t > lo && t < hi)) break
    const ft = f(t)
    if (Number.isNaN(ft)) return ft
    if (ft === 0 || ft > 0 !== fa > 0) {
      hi = t
      fhi = ft
      flo *= 0.5
    } else {
      lo = t
      flo = ft
      fhi *= 0.5
    }
  }
  return hi
}

/** An event for each end of each joint's range: the distance to it falls to zero. */
export function limitEvents(model: Model): OdeEvent[] {
  const events: OdeEvent[] = []
  for (let j = 0; j < model.njoint; j++) {
    const joint = model.joints[j]
    const type = jointTypes[model.jointType[j]]
    if (!type.linear) {
      const most = model.limits[2 * joint.iv + 1]
      if (joint.nv === 3 && most < Number.POSITIVE_INFINITY) events.push(angleEvent(model, j, most))
      continue
    }
    for (let k = 0; k < joint.nv; k++) {
      const [lower, upper] = [model.limits[2 * (joint.iv + k)], model.limits[2 * (joint.iv + k) + 1]]
      const at = joint.iq + k
      if (lower > Number.NEGATIVE_INFINITY) {
        events.push({ name: `lower limit of ${joint.name}`, direction: -1, value: ({ q }) => q[at] - lower })
      }
      if (upper < Number.POSITIVE_INFINITY) {
        events.push({ name: `upper limit of ${joint.name}`, direction: -1, value: ({ q }) => upper - q[at] })
      }
    }
  }
  return events
}

/** A joint without plain coordinates is limited by its angle from neutral. */
function angleEvent(model: Model, j: number, most: number): OdeEvent {
  const type = jointTypes[model.jointType[j]]
  const start = new Float64Array(model.nq)
  const turn = new Float64Array(model.nv)
  type.neutral(model, j, start)
  const k = model.jointV[j]
  return {
    name: `largest angle of ${model.joints[j].name}`,
    direction: -1,
    value({ q }) {
      type.difference(model, j, turn, start, q)
      return most - Math.sqrt(turn[k] * turn[k] + turn[k + 1] * turn[k + 1] + turn[k + 2] * turn[k + 2])
    },
  }
}
