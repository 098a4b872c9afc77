/**
 * Messages with all that a processor has of some vectors: its velocities' numbers, its coordinates'. They grow with the model, and are for the few moments when
 * processor 0 needs, or gives, a whole state.
 */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import type { Message } from './schedule.js'
import type { Units } from './units.js'

/** Numbers of the velocities and coordinates of processor r, by its bodies. */
export function numbersOf({ iv, ivEnd, iq, iqEnd }: Model, { units }: Units, r: number): { velocities: number[]; coordinates: number[] } {
  const velocities: number[] = []
  const coordinates: number[] = []
  for (const { from, to, rank } of units) {
    if (rank !== r) continue
    for (let i = from; i < to; i++) {
      for (let k = iv[i]; k < ivEnd[i]; k++) velocities.push(k)
      for (let k = iq[i]; k < iqEnd[i]; k++) coordinates.push(k)
    }
  }
  return { velocities, coordinates }
}

/** `extra`: the same for every processor. */
export function wholeMessage(
  model: Model,
  units: Units,
  r: number,
  byVelocity: readonly Vec[],
  byCoordinate: readonly Vec[],
  extra: Vec = new Float64Array(0),
): Message {
  const { velocities, coordinates } = numbersOf(model, units, r)
  const parts = [
    ...byVelocity.map((x) => [x, velocities] as const),
    ...byCoordinate.map((x) => [x, coordinates] as const),
    [extra, Array.from(extra.keys())] as const,
  ]
  return {
    size: parts.reduce((sum, [, list]) => sum + list.length, 0),
    write(out, o) {
      let to = o
      for (let p = 0; p < parts.length; p++) {
        const [x, list] = parts[p]
        for (let k = 0; k < list.length; k++) out[to++] = x[list[k]]
      }
    },
    read(x, o) {
      let from = o
      for (let p = 0; p < parts.length; p++) {
        const [out, list] = parts[p]
        for (let k = 0; k < list.length; k++) out[list[k]] = x[from++]
      }
    },
  }
}
