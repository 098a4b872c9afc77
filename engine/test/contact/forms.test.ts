/**
 * Finding contacts in all forms, on all pairs of shapes: the routine in WebAssembly, its JavaScript form and the source itself give the same bits.
 */
import { describe, expect, it } from 'vitest'
import type { MeshSpec, ShapeSpec } from '../../src/build/spec.js'
import { createContacts, type PlacedContacts } from '../../src/contact/contacts.js'
import { findMarked, placeStart } from '../../src/contact/find-contacts.js'
import { createSweep, type PlacedSweep } from '../../src/contact/tracking/swept.js'
import * as js from '../../src/printed/contact-js.js'
import { createRandom, freeBodies, type Pose, posesOf, type Random, randomShape } from './bodies.js'

const SOLIDS = ['sphere', 'capsule', 'ellipsoid', 'cylinder', 'box'] as const
const SHAPES = ['plane', 'heightfield', ...SOLIDS, 'mesh'] as const
/** in the columns of a contact: numbers each */
const COLUMNS = {
  ...{ bodyA: 1, bodyB: 1, geomA: 1, geomB: 1, feature: 1, dim: 1 },
  ...{ point: 3, normal: 3, gap: 1, friction: 5, softness: 7, offset: 1, key: 1, pointA: 3, pointB: 3 },
} as const

function shapeOf(shape: (typeof SHAPES)[number], random: Random): ShapeSpec {
  if (shape === 'plane') return { shape }
  if (shape === 'mesh') return { shape, mesh: random.pick(['small', 'large']) }
  if (shape !== 'heightfield') return randomShape(shape, random)
  return { shape, size: [4, 3], rows: 6, columns: 7, heights: Array.from({ length: 42 }, () => random.spread(0.3)) }
}

/** Looked through and climbed. */
const meshesOf = (random: Random): MeshSpec[] =>
  Object.entries({ small: 8, large: 30 }).map(([name, count]) => ({ name, vertices: [...random.array(3 * count, 1)], faces: [] }))

interface Search {
  readonly contacts: PlacedContacts
  readonly pushed: PlacedContacts
  readonly sweep: PlacedSweep
}

function createSearch(g: Parameters<typeof createContacts>[0]): Search {
  const contacts = createContacts(g)
  const probe = createContacts(g, 64, contacts.arena)
  return { contacts, pushed: createContacts(g, undefined, contacts.arena), sweep: createSweep(g, probe) }
}

/** Moves from one pose to the next, and finds what is there and on the way. */
function run({ contacts: c, pushed, sweep }: Search, form: 'wasm' | 'js' | 'source', from: Float64Array, to: Float64Array): void {
  const { arena } = c
  const { F, I } = arena.block
  c.margin[0] = 0.05
  c.X_WB.set(from)
  if (form === 'wasm') arena.routines.placeStart(c.at, sweep.at)
  else if (form === 'js') js.placeStart(F, I, c.at, sweep.at)
  else placeStart(c, sweep)
  c.X_WB.set(to)
  if (form === 'wasm') arena.routines.findMarked(c.at, sweep.at, 1, pushed.at)
  else if (form === 'js') js.findMarked(F, I, c.at, sweep.at, 1, pushed.at)
  else findMarked(c, sweep, 1, pushed)
}

const numbersOf = (c: PlacedContacts): unknown => [
  c.count,
  c.overflow,
  c.tests,
  ...Object.entries(COLUMNS).map(([name, each]) => Array.from(c[name as keyof typeof COLUMNS].subarray(0, each * c.count))),
]

describe('forms of finding contacts agree bit by bit', () => {
  for (const a of SHAPES) {
    it(`on ${a} and all others`, () => {
      const random = createRandom(31)
      let found = 0
      for (const b of SHAPES) {
        for (let trial = 0; trial < 12; trial++) {
          const g = freeBodies([shapeOf(a, random), shapeOf(b, random)], meshesOf(random))
          const searches = (['wasm', 'js', 'source'] as const).map((form) => ({ form, ...createSearch(g) }))
          const poses = (): Float64Array => posesOf([random.pose(0.6), random.pose(trial % 3 === 0 ? 6 : 0.6)] satisfies Pose[])
          let from = poses()
          for (let move = 0; move < 3; move++) {
            const to = poses()
            for (const search of searches) run(search, search.form, from, to)
            const [wasm, ...others] = searches.map(({ contacts }) => numbersOf(contacts))
            for (const other of others) expect(other).toEqual(wasm)
            found += searches[0].contacts.count
            from = to
          }
        }
      }
      expect(found).toBeGreaterThan(50)
    })
  }

  it('in a crowd that goes through the grid', () => {
    const random = createRandom(32)
    const g = freeBodies(
      [{ shape: 'plane' }, ...Array.from({ length: 120 }, (_, k) => shapeOf(SHAPES[2 + (k % 6)], random))],
      meshesOf(random),
    )
    const searches = (['wasm', 'js', 'source'] as const).map((form) => ({ form, ...createSearch(g) }))
    const poses = posesOf([random.pose(0), ...Array.from({ length: 120 }, () => random.pose(4))])
    for (const search of searches) run(search, search.form, poses, poses)
    const [wasm, ...others] = searches.map(({ contacts }) => numbersOf(contacts))
    for (const other of others) expect(other).toEqual(wasm)
    expect(searches[0].contacts.count).toBeGreaterThan(50)
  })
})
