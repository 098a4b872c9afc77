/**
 * Configurations with known answers, degenerate ones among them; what may touch; and the broad phase against all pairs.
 */
import { describe, expect, it } from 'vitest'
import { createProblems } from '../../src/build/problems.js'
import { buildShapes } from '../../src/build/shapes.js'
import type { ShapeSpec, Spec } from '../../src/build/spec.js'
import { orderBodies } from '../../src/build/tree.js'
import { createContacts, reserveContacts } from '../../src/contact/contacts.js'
import { findContacts } from '../../src/contact/find-contacts.js'
import { mayTouch } from '../../src/contact/may-touch.js'
import { ModelError } from '../../src/model/model-error.js'
import {
  type Contact,
  contactsOf,
  createRandom,
  freeBodies,
  geometryOf,
  leastGap,
  listContacts,
  pose,
  posesOf,
  randomShape,
  type SolidShape,
} from './bodies.js'

const QUARTER = Math.PI / 2
const ball = (radius: number): ShapeSpec => ({ shape: 'sphere', radius })
const rod = (radius: number, length: number): ShapeSpec => ({ shape: 'capsule', radius, length })
const cube = (x: number, y = x, z = x): ShapeSpec => ({ shape: 'box', size: [x, y, z] })
const near = (got: readonly number[], expected: readonly number[]): void => expected.forEach((x, k) => expect(got[k]).toBeCloseTo(x, 12))
const sorted = (contacts: readonly Contact[]): number[][] =>
  contacts.map(({ point }) => point.map((x) => Math.round(x * 1e9) / 1e9 + 0)).sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2])

describe('known configurations', () => {
  it('two spheres: gap, normal from A to B, point half-way', () => {
    const [contact] = contactsOf([ball(1), ball(0.5)], [pose([0, 0, 0]), pose([0, 2, 0])], 1)
    expect(contact.gap).toBeCloseTo(0.5, 14)
    near(contact.normal, [0, 1, 0])
    near(contact.point, [0, 1.25, 0])
    expect([contact.bodyA, contact.bodyB]).toEqual([1, 2])
  })

  it('spheres about one centre part along an axis of the first', () => {
    const [contact] = contactsOf([ball(1), ball(0.5)], [pose([1, 2, 3], [QUARTER, 0, 0]), pose([1, 2, 3])], 0)
    expect(contact.gap).toBe(-1.5)
    near(contact.normal, [0, -1, 0])
  })

  it('parallel capsules touch at both ends of the stretch they share', () => {
    const contacts = contactsOf([rod(0.1, 2), rod(0.1, 2)], [pose([0, 0, 0]), pose([0.3, 0, 0.5])], 1)
    expect(sorted(contacts)).toEqual([
      [0.15, 0, -0.5],
      [0.15, 0, 1],
    ])
    for (const { gap, normal } of contacts) {
      expect(gap).toBeCloseTo(0.1, 14)
      near(normal, [1, 0, 0])
    }
  })

  it('equal capsules side by side touch at two points, crossed ones at one', () => {
    expect(contactsOf([rod(0.1, 2), rod(0.1, 2)], [pose([0, 0, 0]), pose([0.2, 0, 0])], 1)).toHaveLength(2)
    const crossed = contactsOf([rod(0.1, 2), rod(0.1, 2)], [pose([0, 0, 0]), pose([0.3, 0, 0], [QUARTER, 0, 0])], 1)
    expect(crossed).toHaveLength(1)
    expect(crossed[0].gap).toBeCloseTo(0.1, 14)
  })

  it('capsules whose axes cross, or lie in one line, part across them', () => {
    const [crossing] = contactsOf([rod(0.1, 2), rod(0.2, 2)], [pose([0, 0, 0]), pose([0, 0, 0], [QUARTER, 0, 0])], 0)
    expect(crossing.gap).toBeCloseTo(-0.3, 14)
    expect(Math.abs(crossing.normal[0])).toBeCloseTo(1, 12)
    for (const { gap, normal } of contactsOf([rod(0.1, 2), rod(0.2, 2)], [pose([0, 0, 0]), pose([0, 0, 0.5])], 0)) {
      expect(gap).toBeCloseTo(-0.3, 14)
      expect(normal[2]).toBeCloseTo(0, 12)
    }
  })

  it('a sphere inside a box leaves through the nearest face', () => {
    const [contact] = contactsOf([ball(0.1), cube(2)], [pose([0.2, 0.7, -0.1]), pose([0, 0, 0])], 0)
    expect(contact.gap).toBeCloseTo(-0.4, 14)
    near(contact.normal, [0, -1, 0])
  })

  it('a capsule lying on a box rests on both ends of what is over the box', () => {
    const contacts = contactsOf([rod(0.1, 4), cube(1)], [pose([0, 0, 0.6], [0, QUARTER, 0]), pose([0, 0, 0])], 0.01)
    expect(sorted(contacts)).toEqual([
      [-0.5, 0, 0.5],
      [0.5, 0, 0.5],
    ])
    for (const { normal } of contacts) near(normal, [0, 0, -1])
  })

  it('a capsule along an edge of a box rests on two points of the edge', () => {
    const contacts = contactsOf([rod(0.1, 4), cube(1)], [pose([0, 0.6, 0.6], [0, QUARTER, 0]), pose([0, 0, 0])], 0.1)
    expect(contacts).toHaveLength(2)
    for (const { gap } of contacts) expect(gap).toBeCloseTo(Math.SQRT2 * 0.1 - 0.1, 12)
  })

  it('a capsule through a box leaves it sideways', () => {
    const contacts = contactsOf([rod(0.1, 4), cube(1)], [pose([0.2, 0, 0]), pose([0, 0, 0])], 0)
    expect(leastGap(contacts)).toBeCloseTo(-0.4, 12)
    for (const { normal } of contacts) near(normal, [-1, 0, 0])
  })

  it('a box on a box rests on four corners, turned by 45° on four points that span the overlap', () => {
    const flat = contactsOf([cube(2, 2, 1), cube(1)], [pose([0, 0, 0]), pose([0.2, 0, 1])], 0.01)
    expect(sorted(flat)).toEqual([
      [-0.3, -0.5, 0.5],
      [-0.3, 0.5, 0.5],
      [0.7, -0.5, 0.5],
      [0.7, 0.5, 0.5],
    ])
    const turned = contactsOf([cube(1), cube(1)], [pose([0, 0, 0]), pose([0, 0, 1], [0, 0, Math.PI / 4])], 0.01)
    expect(turned).toHaveLength(4)
    for (const { gap, normal } of turned) {
      expect(gap).toBeCloseTo(0, 12)
      near(normal, [0, 0, 1])
    }
    expect(new Set(turned.map((k) => k.key)).size).toBe(4)
    // corners of the octagon, on all sides of its middle
    for (const { point } of turned) expect(Math.hypot(point[0], point[1])).toBeCloseTo(0.5 / Math.cos(Math.PI / 8), 12)
    for (const [x, y] of [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ] as const) {
      const along = turned.map(({ point }) => point[0] * x + point[1] * y)
      expect(Math.min(...along)).toBeLessThan(-0.1)
      expect(Math.max(...along)).toBeGreaterThan(0.1)
    }
  })

  it('equal boxes on top of each other keep four distinct corners under tiny motions', () => {
    const random = createRandom(1)
    const features = (n: number): number[] => {
      const wobble = n === 0 ? [0, 0, 0] : random.vec3(1e-9)
      const contacts = contactsOf([cube(1), cube(1)], [pose([0, 0, 0]), pose([wobble[0], wobble[1], 1 + wobble[2]], wobble)], 0.01)
      expect(new Set(contacts.map((k) => k.key)).size).toBe(contacts.length)
      for (const { gap } of contacts) expect(Math.abs(gap)).toBeLessThan(1e-8)
      return contacts.map((k) => k.feature)
    }
    expect(features(0)).toHaveLength(4)
    for (let n = 1; n < 20; n++) expect(features(n).length).toBeGreaterThanOrEqual(4)
  })

  it('two boxes edge against edge touch where the edges cross', () => {
    // edges along x and along y, pointing at each other
    const s = Math.SQRT1_2
    const contacts = contactsOf(
      [cube(1), cube(1)],
      [pose([0, 0, 0], [Math.PI / 4, 0, 0]), pose([0.1, 0.2, 2 * s - 0.01], [0, Math.PI / 4, 0])],
      0.01,
    )
    expect(contacts).toHaveLength(1)
    expect(contacts[0].gap).toBeCloseTo(-0.01, 12)
    near(contacts[0].normal, [0, 0, 1])
    near(contacts[0].point, [0.1, 0, s - 0.005])
  })

  it('two boxes corner against corner keep the distance of the corners', () => {
    const [contact] = contactsOf([cube(1), cube(1)], [pose([0, 0, 0]), pose([1.1, 1.2, 1.3])], 0.5)
    expect(contact.gap).toBeCloseTo(Math.hypot(0.1, 0.2, 0.3), 12)
  })

  it('a cylinder stands on four points of its rim and lies on two', () => {
    const can: ShapeSpec = { shape: 'cylinder', radius: 0.5, length: 2 }
    expect(contactsOf([{ shape: 'plane' }, can], [pose([0, 0, 0]), pose([0, 0, 1])], 0.01)).toHaveLength(4)
    const lying = contactsOf([{ shape: 'plane' }, can], [pose([0, 0, 0]), pose([0, 0, 0.5], [QUARTER, 0, 0])], 0.01)
    expect(sorted(lying)).toEqual([
      [0, -1, 0],
      [0, 1, 0],
    ])
  })

  it('shapes without size touch as the points, lines and plates they are', () => {
    const shapes: ShapeSpec[] = [ball(0), rod(0, 0), rod(0.1, 0), rod(0, 1), cube(0), cube(1, 0, 1), cube(0, 0, 1), { shape: 'plane' }]
    const more: ShapeSpec[] = [
      { shape: 'ellipsoid', radii: [0, 0, 0] },
      { shape: 'ellipsoid', radii: [1, 0, 1] },
      { shape: 'cylinder', radius: 0, length: 0 },
    ]
    const field: ShapeSpec = { shape: 'heightfield', size: [2, 2], rows: 3, columns: 3, heights: [0, 0, 0, 0, 0.5, 0, 0, 0, 0] }
    for (const a of [...shapes, field]) {
      for (const b of [...shapes, ...more]) {
        for (const z of [0, 0.05, -0.05, 0.5]) {
          for (const contact of contactsOf([a, b], [pose([0, 0, 0]), pose([0, 0, z])], 0.1)) {
            for (const x of [...contact.point, ...contact.normal, contact.gap]) expect(Number.isFinite(x)).toBe(true)
            expect(Math.hypot(...contact.normal)).toBeCloseTo(1, 9)
          }
        }
      }
    }
    expect(contactsOf([ball(0), cube(1, 1, 0)], [pose([0.1, 0.2, 0.3]), pose([0, 0, 0])], 1)[0].gap).toBeCloseTo(0.3, 14)
  })

  it('no number that is not one under random poses and sizes, many of them special', () => {
    const random = createRandom(9)
    const kinds: SolidShape[] = ['sphere', 'capsule', 'box', 'cylinder', 'ellipsoid']
    for (let n = 0; n < 6000; n++) {
      const special = (): number => [0, 1e-300, 1e-12, 0.5, 1, 1e6][random.below(6)]
      const pick = (): ShapeSpec => {
        const kind = kinds[random.below(kinds.length)]
        if (random.below(2) === 0) return randomShape(kind, random)
        if (kind === 'sphere') return ball(special())
        if (kind === 'capsule' || kind === 'cylinder') return { shape: kind, radius: special(), length: special() }
        return kind === 'box' ? cube(special(), special(), special()) : { shape: kind, radii: [special(), special(), special()] }
      }
      const where = () =>
        random.below(2) === 0
          ? random.pose(1)
          : pose([special() * (random.below(3) - 1), special() * (random.below(3) - 1), special()], [0, 0, random.below(5) * QUARTER])
      for (const contact of contactsOf([pick(), pick()], [where(), where()], [0, 0.1, 1][random.below(3)])) {
        for (const x of [...contact.point, ...contact.normal, contact.gap]) expect(Number.isFinite(x)).toBe(true)
        expect(Math.hypot(...contact.normal)).toBeCloseTo(1, 6)
      }
    }
  })
})

describe('what may touch', () => {
  const geoms = [ball(1)]
  const hinge = [{ type: 'revolute' as const }]
  const spec: Spec = {
    world: { geoms: [{ shape: 'plane' }] },
    bodies: [
      { name: 'trunk', joints: hinge, geoms },
      { name: 'arm', parent: 'trunk', joints: hinge, geoms },
      { name: 'hand', parent: 'arm', joints: hinge, geoms },
      { name: 'ring', parent: 'arm', geoms },
      { name: 'post', geoms },
      { name: 'leaf', parent: 'post', joints: hinge, geoms },
    ],
    exclude: [['trunk', 'hand']],
  }
  const g = geometryOf(spec)
  const of = (name: string): number => (name === 'world' ? 0 : spec.bodies.findIndex((body) => body.name === name) + 1)
  const touch = (a: string, b: string): boolean => mayTouch(g, of(a), of(b))

  it('not a body and the one it is jointed to, nor what is fixed to that', () => {
    expect(touch('trunk', 'arm')).toBe(false)
    expect(touch('arm', 'hand')).toBe(false)
    expect(touch('ring', 'hand')).toBe(false)
    expect(touch('ring', 'arm')).toBe(false)
    expect(touch('trunk', 'ring')).toBe(false)
  })

  it('but the world and what is jointed to it, and bodies on different bases', () => {
    expect(touch('world', 'trunk')).toBe(true)
    // a joint connects them, whatever the base is fixed to
    expect(touch('post', 'leaf')).toBe(false)
    expect(touch('trunk', 'leaf')).toBe(true)
    expect(touch('world', 'post')).toBe(false)
  })

  it('not pairs the spec excludes, nor categories that the other masks', () => {
    expect(touch('trunk', 'hand')).toBe(false)
    const masked = freeBodies([
      { ...ball(1), category: 1, mask: 2 },
      { ...ball(1), category: 1, mask: 2 },
      { ...ball(1), category: 2, mask: 0 },
    ])
    expect([mayTouch(masked, 0, 1), mayTouch(masked, 0, 2)]).toEqual([false, true])
  })

  it('with the larger coefficient of friction; 1 where none is given', () => {
    const slippery = contactsOf(
      [
        { ...ball(1), friction: 0.1 },
        { ...ball(1), friction: 0.3 },
      ],
      [pose([0, 0, 0]), pose([1, 0, 0])],
      0,
    )
    expect(slippery[0].friction).toBe(0.3)
    expect(contactsOf([{ ...ball(1), friction: 0.1 }, ball(1)], [pose([0, 0, 0]), pose([1, 0, 0])], 0)[0].friction).toBe(1)
  })

  it('says which shapes do not touch, and leaves out what is only to look at', () => {
    const built = (spec: Spec) => {
      const problems = createProblems(spec)
      return buildShapes(spec, orderBodies(spec, problems), problems, new Map(spec.meshes?.map((mesh) => [mesh.name, mesh])))
    }
    const { geometry, ignored } = built({
      meshes: [{ name: 'm', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], faces: [0, 1, 2, 1, 3, 2] }],
      bodies: [
        {
          name: 'a',
          joints: hinge,
          geoms: [{ shape: 'mesh', mesh: 'm' }, { ...ball(1), collide: false }, ball(1), { shape: 'cylinder', radius: 1, length: 1 }],
        },
      ],
    })
    expect(geometry.count).toBe(2)
    expect(ignored.map(({ path }) => path)).toEqual(['bodies/0/geoms/0'])
    expect(ignored[0].why).toMatch(/no convex hull, all points lie in a plane/)
  })

  it('refuses sizes, heights and exclusions that make no sense', () => {
    const refuse = (spec: Spec): string => {
      try {
        geometryOf(spec)
      } catch (error) {
        if (error instanceof ModelError) return error.message
      }
      return ''
    }
    expect(refuse({ bodies: [{ name: 'a', geoms: [ball(-1)] }] })).toContain('geoms/0')
    expect(refuse({ bodies: [{ name: 'a', geoms: [ball(Number.NaN)] }] })).toContain('geoms/0')
    expect(refuse({ bodies: [{ name: 'a', geoms: [{ ...ball(1), friction: -1 }] }] })).toContain('friction')
    expect(refuse({ bodies: [], exclude: [['a', 'b']] })).toContain('exclude/0')
    expect(
      refuse({ bodies: [], world: { geoms: [{ shape: 'heightfield', size: [1, 1], rows: 2, columns: 2, heights: [0, 0, 0] }] } }),
    ).toContain('heights')
  })
})

describe('the broad phase', () => {
  it('misses no pair, whatever the sizes and places', () => {
    for (let seed = 1; seed <= 6; seed++) {
      const random = createRandom(seed)
      // few enough for the list of pairs, or a grid
      const n = seed < 4 ? 40 : 100
      const kinds: SolidShape[] = ['sphere', 'capsule', 'box']
      const shapes = Array.from({ length: n }, (_, k) => {
        const s = k % 17 === 0 ? 6 : random.between(0.1, 0.6)
        const kind = kinds[random.below(3)]
        return kind === 'sphere' ? ball(s / 2) : kind === 'capsule' ? rod(s / 4, s) : cube(s, s / 2, s)
      })
      const poses = shapes.map(() => random.pose(seed * 0.7))
      const g = freeBodies(shapes)
      const c = createContacts(g, 50_000)
      findContacts(c, g, posesOf(poses), 0.05)
      const all = listContacts(c)
      const found = new Set(all.map((k) => `${k.bodyA} ${k.bodyB}`))
      let touching = 0
      for (let i = 0; i < n; i++) {
        for (let j = i + 1; j < n; j++) {
          if (contactsOf([shapes[i], shapes[j]], [poses[i], poses[j]], 0.05).length === 0) continue
          touching++
          expect(found.has(`${i + 1} ${j + 1}`) || found.has(`${j + 1} ${i + 1}`), `seed ${seed}: ${i} ${j}`).toBe(true)
        }
      }
      expect(found.size).toBe(touching)
      expect(touching).toBeGreaterThan(10)
    }
  })

  it('gives the same contacts in the same order whatever came before', () => {
    const random = createRandom(7)
    const g = freeBodies(Array.from({ length: 40 }, () => randomShape('box', random)))
    const poses = posesOf(Array.from({ length: 40 }, () => random.pose(2)))
    const other = posesOf(Array.from({ length: 40 }, () => random.pose(2)))
    const [one, two] = [createContacts(g), createContacts(g)]
    findContacts(one, g, poses, 0.1)
    findContacts(two, g, other, 0.3)
    findContacts(two, g, poses, 0.1)
    expect(one.count).toBeGreaterThan(20)
    expect(listContacts(two)).toEqual(listContacts(one))
    expect(new Set(listContacts(one).map((k) => k.key)).size).toBe(one.count)
  })

  it('says what found no room, and finds it when there is', () => {
    const g = freeBodies([cube(1), cube(1)])
    const poses = posesOf([pose([0, 0, 0]), pose([0, 0, 1])])
    const c = createContacts(g, 3)
    findContacts(c, g, poses, 0.01)
    expect([c.count, c.overflow]).toEqual([3, 1])
    reserveContacts(c, 8)
    findContacts(c, g, poses, 0.01)
    expect([c.count, c.overflow]).toEqual([4, 0])
  })
})
