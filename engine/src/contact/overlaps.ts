/**
 * Shapes that overlap as they are drawn: most often by mistake, or because nobody meant them to touch.
 */
import type { Vec } from '../math/types.js'
import { createData } from '../model/data.js'
import type { Model } from '../model/model.js'
import { updatePoses } from '../tree/kinematics.js'
import { createContacts, reserveContacts } from './contacts.js'
import { findContacts } from './find-contacts.js'

// m: less is how people draw what touches
const SLIGHT = 1e-3

export interface Overlap {
  readonly geomA: number
  readonly geomB: number
  /** m, of the deepest of their points */
  readonly depth: number
}

/** Pairs of shapes that overlap at q by more than `least`, in metres. Allocates. */
export function findOverlaps(m: Model, q: Vec, least: number): Overlap[] {
  if (m.shapes.count < 2) return []
  const d = createData(m)
  const contacts = createContacts(m.shapes)
  updatePoses(m, d, q)
  findContacts(contacts, m.shapes, d.X_WB, -least)
  if (contacts.overflow > 0) {
    reserveContacts(contacts, contacts.count + contacts.overflow)
    findContacts(contacts, m.shapes, d.X_WB, -least)
  }
  const pairs = new Map<number, Overlap>()
  for (let k = 0; k < contacts.count; k++) {
    const [geomA, geomB, depth] = [contacts.geomA[k], contacts.geomB[k], -contacts.gap[k]]
    const pair = geomA * m.shapes.count + geomB
    if (depth > (pairs.get(pair)?.depth ?? least)) pairs.set(pair, { geomA, geomB, depth })
  }
  return [...pairs.values()]
}

/** One sentence about the pairs that overlap at q, with the deepest of them; none where there is none. Allocates. */
export function overlapNotes(m: Model, q: Vec): string[] {
  const pairs = findOverlaps(m, q, SLIGHT)
  if (pairs.length === 0) return []
  const { geomA, geomB, depth } = pairs.reduce((a, b) => (b.depth > a.depth ? b : a))
  const others = pairs.length === 1 ? '' : pairs.length === 2 ? ', as another pair does' : `, as ${pairs.length - 1} other pairs do`
  return [
    `${m.shapes.names[geomA]} and ${m.shapes.names[geomB]} overlap by ${Number((1000 * depth).toPrecision(2))} mm at the start${others}: ` +
      'what can part is pushed apart; exclude pairs that are not meant to touch, or draw them apart',
  ]
}

/** The same of the pose that was marked last, found when it is asked for: most runs never are. */
export function createOverlapNotes(m: Model, touching: boolean) {
  const marked = m.q0.slice()
  let notes: readonly string[] | undefined = []
  return {
    start(q: Vec): void {
      marked.set(q)
      notes = touching ? undefined : []
    },
    list: (): readonly string[] => (notes ??= overlapNotes(m, marked)),
  }
}
