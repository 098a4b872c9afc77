/**
 * How many steps a dispatch makes, and how many dispatches a command buffer has: browsers and drivers end what takes seconds, and a page draws
 * on the same GPU. What the results are does not depend on it.
 */

/** steps of a dispatch at most: 2^6 */
const POWERS = 7
/** milliseconds that a dispatch, and a command buffer, should take */
const DISPATCH = 10
const COMMANDS = 50
const MOST_DISPATCHES = 256

export interface Pace {
  /** steps of a dispatch are 2^0 … 2^(powers − 1) */
  readonly powers: number
  /** dispatches of a command buffer */
  readonly dispatches: number
  /** exponent of the number of steps of the next dispatch, a power of two of at most `left` steps */
  powerFor(left: number): number
  /** Submits commands that make this number of steps of a chunk. */
  submit(commands: GPUCommandBuffer, steps: number): void
}

/** Exponent of the largest power of two up to x; −1 where x is below 1. */
const powerOf = (x: number): number => 31 - Math.clz32(Math.min(x, MOST_STEPS))
const MOST_STEPS = 1 << 30

export function createPace(device: GPUDevice): Pace {
  let power = 0
  let dispatches = 4
  let underWay = 0
  /** Milliseconds that one step of a chunk took. */
  const learn = (each: number): void => {
    const wanted = powerOf(DISPATCH / each)
    // slower at once, faster step by step: the first run may have waited for something else
    power = Math.max(0, Math.min(POWERS - 1, wanted, power + 1))
    const fitting = Math.floor(COMMANDS / (each * (1 << power)))
    dispatches = Math.max(1, Math.min(MOST_DISPATCHES, fitting, 2 * dispatches))
  }
  return {
    powers: POWERS,
    get dispatches() {
      return dispatches
    },
    powerFor: (left) => Math.min(power, powerOf(left)),
    submit(commands, steps) {
      const start = performance.now()
      device.queue.submit([commands])
      const alone = underWay++ === 0
      device.queue.onSubmittedWorkDone().then(
        () => {
          underWay--
          if (alone) learn(Math.max(1e-3, performance.now() - start) / steps)
        },
        // the device is lost: `lost` says so
        () => {},
      )
    },
  }
}
