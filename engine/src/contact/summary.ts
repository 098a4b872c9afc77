/**
 * What can touch what, for people: which shapes of bodies that move may meet the ground, and whether bodies may meet each other.
 */
import type { Model } from '../model/model.js'
import { FIELD } from '../model/shapes.js'
import { mayTouch } from './may-touch.js'
import { mayMeet } from './reach.js'

export interface ContactSummary {
  /** shapes that take part in contact, and how many of them belong to bodies that move */
  readonly shapes: number
  readonly moving: number
  /** names of shapes of bodies that move and may touch something that does not */
  readonly onGround: readonly string[]
  /** names of what does not move and may be touched */
  readonly ground: readonly string[]
  /** whether bodies that move may touch each other */
  readonly eachOther: boolean
  /** false: whatever the names say, nothing is within reach */
  readonly reach: boolean
}

/** pairs of moving shapes that are looked at before a file is taken to allow none */
const PAIRS = 1e6

export function contactSummary(m: Model): ContactSummary {
  const { shapes: g } = m
  const all = Array.from({ length: g.count }, (_, k) => k)
  const moving = all.filter((k) => g.group[g.body[k]] !== 0)
  const still = all.filter((k) => g.group[g.body[k]] === 0)
  const meet = (i: number, j: number): boolean => mayTouch(g, i, j) && (g.shape[i] > FIELD || g.shape[j] > FIELD)
  const touched = new Set<number>()
  const onGround = moving.filter((i) => {
    const j = still.find((other) => meet(i, other))
    if (j !== undefined) touched.add(j)
    return j !== undefined
  })
  const reach = mayMeet(m)
  return {
    shapes: g.count,
    moving: moving.length,
    onGround: onGround.map((k) => g.names[k]),
    ground: [...touched].map((k) => g.names[k]),
    eachOther: anyMeet(moving, meet),
    reach,
  }
}

/** Whether any two of them meet, as far as is looked. */
function anyMeet(list: readonly number[], meet: (i: number, j: number) => boolean): boolean {
  let left = PAIRS
  for (let e = 1; e < list.length; e++) for (let f = e - 1; f >= 0 && left-- > 0; f--) if (meet(list[f], list[e])) return true
  return false
}
