/**
 * What routines see of the rows that push one way or rub (`unilateral`): limits, dry friction, contacts, their gaps at the start of the step and
 * their impulses, and where bodies were.
 */
import type { LimitRows } from '../../../constraints/rows/limits.js'
import type { ContactArena } from '../../../contact/arena.js'
import type { Contacts, PlacedContacts } from '../../../contact/contacts.js'
import { ROWS } from '../../../contact/solve/problem.js'
import type { PlacedSweep, Sweep } from '../../../contact/tracking/swept.js'
import { copyRecord, type InMemory, resize, takeRecord } from '../../../kernels/records.js'
import { norm } from '../../../math/own.js'
import type { Vec } from '../../../math/types.js'
import type { Int } from '../../../math/values/columns.js'
import type { Model } from '../../../model/model.js'
import { totalMass } from '../../../tree/momentum.js'
import { PUSH, SLOT } from './contact-memory.js'
import type { Forest } from './forest.js'

/** Limits and contacts of some earlier configuration: key, force in N (a limit's, or force and moment of a contact in the world), lift of a contact. @record */
export interface ForceMemory {
  count: Int
  readonly keys: Vec
  readonly force: Vec
  readonly lift: Vec
}

/** @record */
export interface UnilateralRows {
  readonly nbody: Int
  readonly limits: LimitRows
  readonly contacts: Contacts
  /** contacts at some other pose */
  readonly probe: Contacts
  /** contacts that pushed in the last solve: where other corners take their turn they stay, or an iteration would go to and fro */
  readonly pushed: Contacts
  /** what is met on the way from the start; looked for where that is 1 in `swept` */
  readonly sweep: Sweep
  swept: Int
  /** 0: shapes pass through each other */
  touching: Int
  /** velocities with dry friction, the most force of each, and that in the last step, N or N m */
  readonly rubbing: Int32Array
  readonly dryness: Vec
  readonly rub: Vec
  /** impulses: of equalities, from `first` on of limits, dry friction, and ROWS a contact */
  readonly lambda: Vec
  first: Int
  /** constraints that give way; rows found last with these, a contact counted as one */
  softRows: Int
  rows: Int
  /** 1: a limit or a contact pushed in the last solve; no hard gap found last is below its floor */
  pushing: Int
  feasible: Int
  /** of limits, then contacts, found last: key, gap at the start of the step (infinite: not near then), least gap allowed at its end */
  readonly keys: Vec
  readonly from: Vec
  readonly floor: Vec
  /** of contacts found last: by how much their normal rows are lowered because they slide */
  readonly lift: Vec
  /** poses and twists of bodies: now, at the start of the step, and where contacts were found last */
  readonly X_WB: Vec
  readonly V: Vec
  readonly X0: Vec
  readonly V0: Vec
  readonly found: Vec
  /** m: how far the shapes of each body reach from its origin; margin[0] of the contacts found last */
  readonly reach: Vec
  readonly margin: Vec
  readonly last: ForceMemory
  /** the step that the impulses λ brought last belong to */
  readonly span: Vec
  /** time and step of the rows */
  readonly clock: Vec
  /** coordinates and velocities on trial; joint forces that are applied */
  readonly q: Vec
  readonly v: Vec
  readonly tau: Vec
  /** where the last search in the probe ended */
  cursor: Int
  /** 1: forces that were kept found no row to go to */
  changed: Int
  /** contacts as State.s holds them; the first so many of them are between bodies at rest */
  readonly slots: Vec
  asleep: Int
  /** of each tree: steps for which it has been calm, and whether it may come to rest (`resting`); empty where none may */
  readonly calm: Vec
  readonly mayRest: Int32Array
  /** tree of each body, −1 of those that no joint moves, and of each velocity */
  readonly treeOf: Int32Array
  readonly treeOfVelocity: Int32Array
  /** `MASS` of all bodies; `GRAVITY`, m/s², 1 where there is none; `WORK` that rows put in; work of finding the contacts `FOUND` last */
  readonly number: Vec
}

/** places in `number` */
export const MASS = 0
export const GRAVITY = 1
export const WORK = 2
export const FOUND = 3

export interface PlacedRows extends UnilateralRows, InMemory {
  readonly arena: ContactArena
  readonly limits: LimitRows & InMemory
  readonly contacts: PlacedContacts
  readonly probe: PlacedContacts
  readonly pushed: PlacedContacts
  readonly sweep: PlacedSweep
  readonly last: ForceMemory & InMemory
}

/** `slots`: numbers of contacts in State.s. */
export function createUnilateralRows(
  m: Model,
  arena: ContactArena,
  rows: LimitRows,
  contacts: PlacedContacts,
  probe: PlacedContacts,
  pushed: PlacedContacts,
  sweep: PlacedSweep,
  slots: number,
  { treeOfBody }: Forest,
  mayRest: Int32Array,
): PlacedRows {
  const rubbing = Int32Array.from(m.friction.keys()).filter((k) => m.friction[k] > 0)
  const room = memoryRoom(rows, contacts, slots)
  const limits = copyRecord<LimitRows>(arena, 'LimitRows', rows)
  const last = takeRecord<ForceMemory>(arena, 'ForceMemory', { keys: room, force: PUSH * room, lift: room })
  const { nbody, nq, nv } = m
  const record = takeRecord<{ -readonly [K in keyof PlacedRows]: PlacedRows[K] }>(
    arena,
    'UnilateralRows',
    {
      ...{
        rubbing: rubbing.length,
        dryness: rubbing.length,
        rub: rubbing.length,
        lambda: rows.g.length + rubbing.length + ROWS * contacts.capacity,
        keys: room,
        from: room,
        floor: room,
        lift: room,
      },
      ...{ X_WB: 12 * nbody, V: 6 * nbody, X0: 12 * nbody, V0: 6 * nbody, found: 12 * nbody, reach: nbody, margin: 1, span: 1, clock: 2 },
      ...{ q: nq, v: nv, tau: nv, slots, number: 4, calm: mayRest.length, mayRest: mayRest.length, treeOf: nbody, treeOfVelocity: nv },
    },
    { limits, contacts, probe, pushed, sweep, last },
  )
  record.nbody = nbody
  record.rubbing.set(rubbing)
  record.dryness.set(rubbing.length > 0 ? Float64Array.from(rubbing, (k) => m.friction[k]) : [])
  record.reach.set(bodyReach(m))
  record.mayRest.set(mayRest)
  record.treeOf.set(treeOfBody)
  record.treeOfVelocity.set(m.velocityBody.map((i) => treeOfBody[i]))
  record.number[MASS] = totalMass(m)
  record.number[GRAVITY] = norm(m.gravity) || 1
  return Object.assign(record, { arena })
}

function bodyReach({ nbody, shapes: g }: Model): Vec {
  const reach = new Float64Array(nbody)
  for (let k = 0; k < g.count; k++) {
    const [x, y, z] = g.X_BG.subarray(12 * k + 9, 12 * k + 12)
    if (g.radius[k] < Number.POSITIVE_INFINITY)
      reach[g.body[k]] = Math.max(reach[g.body[k]], Math.sqrt(x * x + y * y + z * z) + g.radius[k])
  }
  return reach
}

/** What is known of rows, and of contacts at rest, which may all be woken at once. */
const memoryRoom = ({ g }: LimitRows, { capacity }: Contacts, slots: number): number => g.length + capacity + slots / SLOT

/** Room for what is remembered of all limits and contacts; keeps it. */
export function reserveMemory(u: PlacedRows): void {
  const room = memoryRoom(u.limits, u.contacts, u.slots.length)
  resize(u, { keys: room, from: room, floor: room, lift: room })
  resize(u.last, { keys: room, force: PUSH * room, lift: room })
}

/** Room for so many impulses; keeps what there is. Allocates where they are more than ever before, and only then. */
export function reserveLambda(u: PlacedRows, room: number): void {
  if (room > u.lambda.length) resize(u, { lambda: 2 * room })
}

/** Whether a limit or a contact pushes, by λ, or one at rest. */
export function isAnyPushing({ first, limits, rubbing, contacts, lambda, asleep }: UnilateralRows): boolean {
  if (asleep > 0) return true
  const touch = first + limits.count + rubbing.length
  for (let r = first; r < first + limits.count; r++) if (lambda[r] > 0) return true
  for (let k = 0; k < contacts.count; k++) if (lambda[touch + ROWS * k] > 0) return true
  return false
}
