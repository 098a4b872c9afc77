/**
 * Shapes that overlap as they are drawn: most often by mistake, or because nobody meant them to touch.
 */
import type { Vec } from '../math/types.js'
import { createData } from '../model/data.js'
import { grouped, LIMITS } from '../model/limits.js'
import type { Model } from '../model/model.js'
import { updatePoses } from '../tree/kinematics.js'
import { createContacts, reserveContacts } from './contacts.js'
import { findContacts } from './find-contacts.js'
import { isLocked } from './locked.js'

// m: less is how people draw what touches
const SLIGHT = 1e-3
// m: locked shapes that overlap by more have no force where files expect one; less is rounding
const LOCKED_DEPTH = 1e-6

/** contacts that a sentence is made of: 20 MB of them. A heap at one place has a million */
const MOST_CONTACTS = 1e5

export interface Overlap {
  readonly geomA: number
  readonly geomB: number
  /** m, of the deepest of their points */
  readonly depth: number
  /** no joint can part them */
  readonly locked: boolean
}

/** Pairs of shapes that overlap at q by more than `least`, in metres, as far as `most` contacts tell. Allocates. */
export function findOverlaps(m: Model, q: Vec, least: number, most: number = LIMITS.pairs): Overlap[] {
  if (m.shapes.count < 2) return []
  const d = createData(m)
  const contacts = createContacts(m.shapes)
  updatePoses(m, d, q)
  findContacts(contacts, m.shapes, d.X_WB, -least)
  if (contacts.overflow > 0) {
    reserveContacts(contacts, Math.min(contacts.count + contacts.overflow, most))
    findContacts(contacts, m.shapes, d.X_WB, -least)
  }
  const pairs = new Map<number, Overlap>()
  for (let k = 0; k < contacts.count; k++) {
    const [geomA, geomB, depth] = [contacts.geomA[k], contacts.geomB[k], -contacts.gap[k]]
    if (!(depth > least)) continue
    const pair = geomA * m.shapes.count + geomB
    const known = pairs.get(pair)
    const locked = known?.locked !== false && isLocked(m, d, contacts, k)
    pairs.set(pair, { geomA, geomB, depth: Math.max(depth, known?.depth ?? 0), locked })
  }
  return [...pairs.values()]
}

/** One sentence about the pairs that overlap at q and can part, with the deepest of them, and one about those that cannot; none where there is none. Allocates. */
export function overlapNotes(m: Model, q: Vec): string[] {
  const pairs = findOverlaps(m, q, LOCKED_DEPTH, MOST_CONTACTS)
  const parting = pairs.filter((pair) => !pair.locked && pair.depth > SLIGHT)
  const locked = pairs.filter((pair) => pair.locked)
  return [
    ...sentence(m, parting, '', 'what can part is pushed apart; exclude pairs that are not meant to touch, or draw them apart'),
    ...sentence(
      m,
      locked,
      ', where no joint can part them',
      'they pass through each other, without friction; exclude the pair, or draw it apart',
    ),
  ]
}

function sentence(m: Model, pairs: readonly Overlap[], where: string, advice: string): string[] {
  if (pairs.length === 0) return []
  const { geomA, geomB, depth } = pairs.reduce((a, b) => (b.depth > a.depth ? b : a))
  const others =
    pairs.length === 1
      ? ''
      : pairs.length === 2
        ? ', as another pair does'
        : `, as ${grouped(pairs.length - 1)} other pairs${pairs.length < MOST_CONTACTS ? '' : ', or more,'} do`
  const millimetres = Number((1000 * depth).toPrecision(2))
  return [`${m.shapes.names[geomA]} and ${m.shapes.names[geomB]} overlap by ${millimetres} mm at the start${where}${others}: ${advice}`]
}

/** The same of the start of a run, found when notes are listed: most runs never ask. */
export function createOverlapNotes(m: Model, touching: boolean) {
  const marked = m.q0.slice()
  let isMarked = false
  let notes: readonly string[] | undefined
  return {
    /** A run begins at q. */
    start(q: Vec): void {
      marked.set(q)
      isMarked = true
      notes = undefined
    },
    /** `q`: the present pose, which is taken for the start where none was marked. */
    list(q: Vec): readonly string[] {
      if (!touching) return []
      if (!isMarked) return overlapNotes(m, q)
      notes ??= overlapNotes(m, marked)
      return notes
    },
  }
}
