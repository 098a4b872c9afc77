/**
 * Runs in a process of its own, without garbage collection while it measures: how many bytes a search for contacts leaves on the heap.
 * Prints a line of JSON.
 */
import type { ShapeSpec } from '../../src/build/spec.js'
import { createContacts } from '../../src/contact/contacts.js'
import { findContacts } from '../../src/contact/find-contacts.js'
import { contactRows, createContactRows } from '../../src/contact/rows.js'
import { bytesPerCall, type Measured } from '../allocation/bytes-per-call.js'
import { createRandom, freeBodies, posesOf, randomShape, type SolidShape } from './bodies.js'

export interface MeasuredSearch extends Measured {
  readonly contacts: number
}

const TIMES = 200
// functions that few pairs need take many calls to be compiled
const WARM_UP = 25 * TIMES

const random = createRandom(1)
const field: ShapeSpec = {
  shape: 'heightfield',
  size: [6, 6],
  rows: 20,
  columns: 20,
  heights: Array.from({ length: 400 }, () => random.between(-0.2, 0.2)),
}
const solids = (kinds: readonly SolidShape[]): ShapeSpec[] =>
  Array.from({ length: 60 }, (_, k) => randomShape(kinds[k % kinds.length], random))
const scenes: Record<string, readonly ShapeSpec[]> = {
  spheres: solids(['sphere']),
  capsules: solids(['capsule']),
  boxes: solids(['box']),
  mixed: solids(['sphere', 'capsule', 'box']),
  plane: [{ shape: 'plane' }, ...solids(['sphere', 'capsule', 'box', 'cylinder', 'ellipsoid'])],
  'spheres on a field': [field, ...solids(['sphere'])],
  'all on a field': [field, ...solids(['sphere', 'capsule', 'box', 'cylinder', 'ellipsoid'])],
}

const results: MeasuredSearch[] = []
// the process itself settles during the first measurement
bytesPerCall(() => undefined, TIMES)
for (const [name, shapes] of Object.entries(scenes)) {
  const g = freeBodies(shapes)
  const c = createContacts(g, 20_000)
  const rows = createContactRows(c)
  const poses = Array.from({ length: 7 }, () => posesOf(shapes.map(() => random.pose(2))))
  let n = 0
  const call = (): void => {
    const X = poses[n++ % poses.length]
    findContacts(c, g, X, 0.05)
    contactRows(rows, c, X)
  }
  results.push({ name, bytesPerCall: bytesPerCall(call, TIMES, WARM_UP), contacts: c.count })
}
let kept: object | undefined
results.push({ name: 'control', contacts: 0, bytesPerCall: bytesPerCall(() => void (kept = { a: random.below(5) }), TIMES) })
if (!kept) throw new Error('nothing was made')
process.stdout.write(`${JSON.stringify(results)}\n`)
