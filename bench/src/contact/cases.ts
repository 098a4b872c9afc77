/**
 * The cases of `limber bench --contact`: the text that both engines read, what is commanded, and the bars of the claims.
 */

import { groundRobots } from './ground-robots.js'
import { ballsInBin, heapOfBoxes, heapOfCapsules, heapOfMeshes, meshFiles, stackOfBoxes } from './heaps.js'
import { HAND_CLOSES, hand, humanoid, quadruped } from './robots.js'

export interface ContactCase {
  readonly name: string
  readonly mjcf: string
  /** files that the text names */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** solver and its options; default: what the engine chooses */
  readonly solver?: { readonly solver: string; readonly tolerance?: number; readonly self?: boolean }
  /** Commands at time t, written before each step; without it those of the keyframe stay. */
  readonly command?: (t: number, control: Float64Array) => void
  /** × mj_step that a step may take: mean after warm-up, slowest step, mean of the first hundred */
  readonly bars: Bars
}

export interface Bars {
  readonly mean: number
  /** undefined, here and below: nothing is claimed of it */
  readonly worst?: number
  readonly first?: number
}

const ROBOT: Bars = { mean: 1, worst: 2, first: 4 }
const LOOSE: Bars = { mean: 1.5, first: 4 }

export const contactCases: readonly ContactCase[] = [
  { name: 'humanoid lying', mjcf: humanoid('lying'), bars: ROBOT },
  { name: 'humanoid standing', mjcf: humanoid('standing'), bars: ROBOT },
  { name: 'quadruped standing', mjcf: quadruped(), bars: ROBOT },
  { name: 'hand closing on a ball', mjcf: hand(), command: closeHand, bars: ROBOT },
  { name: 'stack of 10 boxes', mjcf: stackOfBoxes(10), bars: LOOSE },
  { name: 'heap of 30 boxes', mjcf: heapOfBoxes(30), bars: LOOSE },
  { name: '50 balls in a bin', mjcf: ballsInBin(50), bars: LOOSE },
  { name: '100 capsules', mjcf: heapOfCapsules(100), bars: LOOSE },
  { name: 'heap of 20 meshes', mjcf: heapOfMeshes(20), files: meshFiles(), bars: LOOSE },
]

/** A robot under the ground step, × mj_step on the same contacts: with the ground alone, and with those of its own parts. */
const GROUND: Bars = { mean: 0.25, first: 0.5 }
const TUMBLING: Bars = { mean: 0.35, first: 0.5 }
const WITH_ITSELF: Bars = { mean: 0.35, first: 0.5 }
const IMPLICIT = { solver: 'implicit' } as const
/** where MuJoCo stops */
const TIGHT = { solver: 'implicit', tolerance: 1e-8 } as const

export const groundCases: readonly ContactCase[] = [
  ...groundRobots.map(({ name, alone }) => ({
    ...{ name: `ground step, ${name}`, mjcf: alone, solver: IMPLICIT },
    bars: isTumbling(name) ? TUMBLING : GROUND,
  })),
  ...groundRobots.map(({ name, alone }) => ({
    ...{ name: `ground step to 1e-8, ${name}`, mjcf: alone, solver: TIGHT },
    bars: isTumbling(name) ? TUMBLING : GROUND,
  })),
  ...groundRobots.map(({ name, whole }) => ({
    name: `ground step with itself, ${name}`,
    mjcf: whole,
    solver: IMPLICIT,
    bars: WITH_ITSELF,
  })),
]

function isTumbling(name: string): boolean {
  return /falling|dropped/.test(name)
}

/** Three servos a finger: spread, knuckle, tendon of the two outer joints. */
function closeHand(t: number, control: Float64Array): void {
  const { from, to, open, closed } = HAND_CLOSES
  const x = Math.min(Math.max((t - from) / (to - from), 0), 1)
  const bend = open + (closed - open) * x * x * (3 - 2 * x)
  for (let k = 0; k < control.length; k += 3) {
    control[k] = 0
    control[k + 1] = 0.6 * bend
    control[k + 2] = bend
  }
}

/** Cases whose name has all these words, those of the ground step where `ground` is one of them; all without any. */
export function findCases(words: string | undefined): ContactCase[] {
  const wanted = (words ?? '').toLowerCase().split(/\s+/)
  const list = words === undefined ? [...contactCases, ...groundCases] : wanted.includes('ground') ? groundCases : contactCases
  return list.filter(({ name }) => wanted.every((word) => name.includes(word)))
}
