/**
 * Forces that are too fast for explicit steps of a fixed size, in words, before the run and after it has failed.
 */
import { forcesOf } from '../forces/index.js'
import type { Vec } from '../math/types.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import type { StabilityLimits } from './solver.js'
import { type FastestVelocities, fastestRates, type Rates } from './stiffness.js'

/** springs that are looked at one by one */
const MOST_SPRINGS = 64

/**
 * A sentence that names the fastest force, its joint or spring, its rate and the largest stable step; empty where steps of h are stable.
 * Looks at the configuration q, default the initial one.
 */
export function unstableForces(m: Model, own: readonly Force[], limits: StabilityLimits, h: number, q: Vec = m.q0): string {
  const forces = forcesOf(m, { own }).filter(({ name }) => limits.implicit?.includes(name) !== true)
  const moving: FastestVelocities = { vibration: -1, decay: -1 }
  const all = fastestRates(m, forces, own, { q, moving })
  const bound = stableStep(all, limits, h)
  if (!(h > bound)) return ''
  // of several that are so together only the one that is worst by itself
  let worst = ''
  let least = Number.POSITIVE_INFINITY
  for (const force of forces) {
    const step = stableStep(fastestRates(m, [force], own, { q }), limits, h)
    if (step < least || worst === '') {
      least = step
      worst = force.name
    }
  }
  const vibrates = h * all.vibration * limits.decay > h * all.decay * limits.vibration
  const joint = m.joints.find(({ iv, nv }) => {
    const k = vibrates ? moving.vibration : moving.decay
    return k >= iv && k < iv + nv
  })
  const what = worst === 'springs' ? worstSpring(m, forces, own, limits, h, q) : worst
  const where = joint === undefined ? '' : ` at joint '${joint.name}'`
  const rate = vibrates ? `vibrate at ${threeDigits(all.vibration)} rad/s` : `decay at ${threeDigits(all.decay)}/s`
  return `${what}${where} ${rate}, too fast for ${limits.method} in steps of ${h} s; take steps of at most ${roundDown(bound)} s, or solver redmax`
}

/** The largest step at which neither rate grows. */
function stableStep({ vibration, decay }: Rates, limits: StabilityLimits, h: number): number {
  const forDecay = limits.decay / decay
  const isHeld = limits.undamped === true && h * vibration * vibration <= decay
  return isHeld ? forDecay : Math.min(forDecay, limits.vibration / vibration)
}

/** The spring that is fastest by itself, by its name. */
function worstSpring(m: Model, forces: readonly Force[], own: readonly Force[], limits: StabilityLimits, h: number, q: Vec): string {
  const { springs } = m
  const only = forces.filter(({ name }) => name === 'springs')
  if (springs.count > MOST_SPRINGS) return 'springs'
  let worst = 0
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < springs.count; k++) {
    const alone = (numbers: Vec): Vec => numbers.map((x, r) => (r === k ? x : 0))
    const one = { ...m, springs: { ...springs, stiffness: alone(springs.stiffness), damping: alone(springs.damping) } }
    const step = stableStep(fastestRates(one, only, own, { q }), limits, h)
    if (step < least) {
      least = step
      worst = k
    }
  }
  return `springs such as '${springs.names[worst]}'`
}

const threeDigits = (x: number): string => String(Number(x.toPrecision(3)))

/** Two digits, not more than x. */
function roundDown(x: number): string {
  const [digits, exponent] = x.toExponential(1).split('e')
  const near = Number(`${digits}e${exponent}`)
  return String(near <= x ? near : Number(`${(Number(digits) - 0.1).toFixed(1)}e${exponent}`))
}
