/** Entries of a user's force beyond the room for them were dropped, and the motion was another one. */
import { addStiffEntry, buildModel, createSimulation, openStiffRow } from 'limber'
import { expect, it } from 'vitest'

it('a row with more entries than there is room for is refused', () => {
  const bodies = Array.from({ length: 6 }, (_, k) => ({
    name: `b${k}`,
    inertia: { mass: 1, com: [0, 0, 0] as const, tensor: [1, 1, 1, 0, 0, 0] as const },
    joints: [{ name: `s${k}`, type: 'prismatic' as const, axis: [1, 0, 0] as const }],
  }))
  const force = {
    name: 'all together',
    rows: 1,
    apply() {},
    linearize(_m: unknown, _d: unknown, _s: unknown, terms: Parameters<typeof openStiffRow>[0]) {
      terms.stiffness[openStiffRow(terms)] = 1
      for (let k = 0; k < 6; k++) terms.J[addStiffEntry(terms, -1 - k)] = 1
    },
  }
  const run = (rows: number) => () => createSimulation(buildModel({ bodies }), { solver: 'redmax', forces: [{ ...force, rows }] }).step()
  expect(run(1)).toThrow('room for 2 entries')
  expect(run(3)).not.toThrow()
})
