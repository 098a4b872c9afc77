/**
 * Loads of the Spec that travel over bodies → arrays of the Model: times in proportion to the lengths of the legs.
 */
import { norm } from '../math/own.js'
import type { MovingLoads } from '../model/moving-loads.js'
import type { Problems } from './problems.js'
import { bodyNumber } from './references.js'
import type { Spec } from './spec.js'
import type { BodyTree } from './tree.js'

export function buildMovingLoads(spec: Spec, tree: BodyTree, problems: Problems): MovingLoads {
  const leg = [0]
  const body: number[] = []
  const from: number[] = []
  const to: number[] = []
  const time: number[] = []
  const wrench: number[] = []
  const follows: number[] = []
  for (const [k, load] of (spec.loads ?? []).entries()) {
    const { moving } = load
    if (!moving) continue
    const path = `loads/${k}/moving`
    const duration = problems.number(`${path}/duration`, moving.duration, 'positive')
    const start = problems.number(`${path}/start`, moving.start ?? 0)
    const legs = moving.along.map((part, e) => ({
      body: bodyNumber(tree, `${path}/along/${e}/body`, part.body, problems),
      from: problems.vector(`${path}/along/${e}/from`, part.from, 3, [0, 0, 0]),
      to: problems.vector(`${path}/along/${e}/to`, part.to, 3, [0, 0, 0]),
    }))
    const lengths = legs.map((part) => norm(part.to.map((x, r) => x - part.from[r])))
    const total = lengths.reduce((sum, x) => sum + x, 0)
    if (legs.length === 0) problems.add(`${path}/along`, 'expected at least one leg, got none; give a body and its points from and to')
    lengths.forEach((length, e) => {
      if (!(length > 0)) problems.add(`${path}/along/${e}`, 'expected a leg with some length, got from = to; leave it out')
    })
    let run = 0
    legs.forEach((part, e) => {
      body.push(part.body)
      from.push(...part.from)
      to.push(...part.to)
      time.push(start + (duration * run) / total)
      run += lengths[e]
      // the last leg ends on time, whatever the sum of the lengths rounds to
      time.push(start + (e + 1 < legs.length ? (duration * run) / total : duration))
    })
    leg.push(body.length)
    wrench.push(...problems.vector(`loads/${k}/torque`, load.torque, 3, [0, 0, 0]))
    wrench.push(...problems.vector(`loads/${k}/force`, load.force, 3, [0, 0, 0]))
    follows.push(load.frame === 'body' ? 1 : 0)
  }
  return {
    count: follows.length,
    leg: Int32Array.from(leg),
    body: Int32Array.from(body),
    from: Float64Array.from(from),
    to: Float64Array.from(to),
    time: Float64Array.from(time),
    wrench: Float64Array.from(wrench),
    follows: Int32Array.from(follows),
  }
}
