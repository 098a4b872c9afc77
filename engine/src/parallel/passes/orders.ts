/**
 * How processors are led: processor 0 gives an order, a few numbers, and all carry out the program that its first number names.
 */
import type { Vec } from '../../math/types.js'
import type { Link } from '../link.js'
import type { Step } from './schedule.js'

/** place of what an order tells to do */
export const WHAT = 0
/** there is nothing more to do */
export const END = -1

export interface Processor {
  /** the order at hand; processor 0 writes it */
  readonly order: Vec
  /** Takes up the order, or receives one. */
  begin(): void
  /** Goes on with it; false: a message is missing. */
  run(): boolean
}

/** `programs`: the steps of this processor by what an order tells to do. */
export function createProcessor(link: Link, order: Vec, programs: Readonly<Record<number, readonly Step[]>>): Processor {
  // orders go along a tree of processors, so that telling all takes logarithmic time
  const me = link.rank
  const above = (me - 1) >> 1
  const below = [2 * me + 1, 2 * me + 2].filter((r) => r < link.processors)
  const nothing: readonly Step[] = []
  let ordered = false
  let next = 0

  return {
    order,
    begin() {
      ordered = false
      next = 0
    },
    run() {
      if (!ordered) {
        if (me > 0) {
          if (!link.arrived(above)) return false
          link.receive(above, order, 0, order.length)
        }
        for (let k = 0; k < below.length; k++) link.send(below[k], order, 0, order.length)
        ordered = true
      }
      const steps = order[WHAT] === END ? nothing : programs[order[WHAT]]
      for (; next < steps.length; next++) {
        const step = steps[next]
        if (step.wait >= 0 && !link.arrived(step.wait)) return false
        step.act()
      }
      return true
    },
  }
}

/** Carries out orders until there are none. */
export function serveOrders(processor: Processor): void {
  do {
    processor.begin()
    processor.run()
  } while (processor.order[WHAT] !== END)
}
