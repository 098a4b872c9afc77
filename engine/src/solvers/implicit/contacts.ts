/** Contacts of the last step of one mechanism, as users see them, from the workspace of the step. */
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'
import { touchingNames } from '../../model/shape-name.js'
import type { Contact } from '../../model/shapes.js'
import { tables as groundTables } from '../../printed/ground-tables.js'
import { tables } from '../../printed/tables.js'
import type { GroundConstants } from './constants.js'
import type { GroundLayout } from './layout.js'

type Triple = readonly [number, number, number]

const UP: Triple = [0, 0, 1]
const negate = ([x, y, z]: Triple): Triple => [-x, -y, -z]

/** Contacts with surfaces of the world, body by body, then those among the bodies. `F`: memory of the layout. Allocates. */
export function listGroundContacts(m: Model, constants: GroundConstants, { workspace }: GroundLayout, F: Vec): Contact[] {
  const names = touchingNames(m.geoms)
  const strides = new Map<string, number>([...groundTables.GroundStep, ...tables.Work].map(([name, , stride]) => [name, stride]))
  const at = (name: string, k: number, r = 0): number => F[workspace[name] / 8 + (strides.get(name) ?? 0) * k + r]
  const triple = (name: string, k: number, first = 0): Triple => [at(name, k, first), at(name, k, first + 1), at(name, k, first + 2)]
  const { body, shape } = m.shapes
  const alpha = at('alpha', 0)

  /** Contact of slot n on geom e, which geom f pushes. */
  const contactOf = (n: number, e: number, f: number): Contact => {
    const [x, y, z] = triple('X_WB', body[e], 9)
    const [rx, ry, rz] = triple('spot', n)
    const end = triple('lambdaNew', n)
    const force = triple('lambda', n).map((start, r) => (alpha === 1 ? end[r] : start + alpha * (end[r] - start))) as unknown as Triple
    const normal = constants.kind === 'flat' ? UP : triple('normal', n)
    // of two shapes the one that is lower in the table of shapes comes first, as in other solvers
    const isSwapped = shape[f] > shape[e] || (shape[f] === shape[e] && f > e)
    const [a, b] = isSwapped ? [e, f] : [f, e]
    return {
      bodyA: body[a],
      bodyB: body[b],
      shapeA: names[a],
      shapeB: names[b],
      point: [x + rx, y + ry, z + rz],
      normal: isSwapped ? negate(normal) : normal,
      gap: at('source', n, 1),
      force: isSwapped ? negate(force) : force,
    }
  }

  const { touchBody, slotStart, pairSlot } = constants.columns as { touchBody: Int32Array; slotStart: Int32Array; pairSlot: number }
  const list: Contact[] = []
  for (const i of touchBody) {
    if (at('touch', i) === 0) continue
    for (let n = slotStart[i]; n < slotStart[i + 1] && at('grip', n) > 0; n++) {
      const [ground, own] = constants.touching[at('source', n)]
      list.push(contactOf(n, own, ground))
    }
  }
  for (const [c, [e, f]] of constants.meeting.entries()) if (at('grip', pairSlot + c) > 0) list.push(contactOf(pairSlot + c, e, f))
  return list
}
