/**
 * Shapes that overlap as they are drawn: most often by mistake, or because nobody meant them to touch.
 */
import type { Vec } from '../../math/types.js'
import { createData } from '../../model/data.js'
import type { Model } from '../../model/model.js'
import { updatePoses } from '../../tree/kinematics.js'
import { createContacts } from './contacts.js'
import { findContacts } from './find-contacts.js'

// m: less is how people draw what touches
const SLIGHT = 1e-3

/** One sentence about the pairs that overlap at q, with the deepest of them; none where there is none. Allocates. */
export function overlapNotes(m: Model, q: Vec): string[] {
  if (m.contact.count < 2) return []
  const d = createData(m)
  const contacts = createContacts(m.contact)
  updatePoses(m, d, q)
  findContacts(contacts, m.contact, d.X_WB, -SLIGHT)
  const { count, gap, geomA, geomB } = contacts
  if (count === 0) return []
  const every = Array.from({ length: count }, (_, k) => k)
  const deepest = every.reduce((a, b) => (gap[b] < gap[a] ? b : a))
  const pairs = new Set(every.map((k) => geomA[k] * m.contact.count + geomB[k])).size
  const [first, second] = [geomA[deepest], geomB[deepest]].map((g) => m.contact.names[g])
  const millimetres = Number((-1000 * gap[deepest]).toPrecision(2))
  return [
    `${first} and ${second} overlap by ${millimetres} mm at the start${pairs > 1 ? `, as ${pairs > 2 ? `${pairs - 1} other pairs do` : 'another pair does'}` : ''}: ` +
      'what can part is pushed apart; exclude pairs that are not meant to touch, or draw them apart',
  ]
}
