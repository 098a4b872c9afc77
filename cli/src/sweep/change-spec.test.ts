import { type BodySpec, buildModel, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { changeSpec } from './change-spec.js'
import { readKey } from './keys.js'

const rod = { shape: 'capsule', radius: 0.02, length: 0.4, mass: 0.5 } as const
const spec: Spec = {
  gravity: [0, 3, -4],
  bodies: [
    // two joints without names, and a mass that follows from two shapes
    {
      name: 'arm',
      joints: [{ type: 'revolute' }, { type: 'prismatic' }],
      geoms: [rod, { ...rod, mass: undefined, density: 800 } as never],
    },
    {
      name: 'hand',
      parent: 'arm',
      inertia: { mass: 2, com: [1, 0, 0], tensor: [3, 3, 1, 0, 0, 0] },
      joints: [{ name: 'wrist', type: 'spherical', damping: [1, 2, 3] }],
    },
  ],
}

const changed = (text: string, value: number): Spec => changeSpec(spec, [{ text, value, key: readKey(text, []) }])
const body = (result: Spec, name: string): BodySpec => result.bodies.find((b) => b.name === name) as BodySpec

describe('changeSpec', () => {
  it('gives gravity another size and keeps its direction, or one of its parts', () => {
    expect(changed('gravity', 10).gravity).toEqual([0, 6, -8])
    expect(changed('gravity.x', 2).gravity).toEqual([2, 3, -4])
    expect(changeSpec({ ...spec, gravity: [0, 0, 0] }, [{ text: 'gravity', value: 2, key: { of: 'gravity' } }]).gravity).toEqual([0, 0, -2])
  })

  it('scales all of the inertia along with the mass', () => {
    expect(body(changed('mass.hand', 6), 'hand').inertia).toEqual({ mass: 6, com: [1, 0, 0], tensor: [9, 9, 3, 0, 0, 0] })
    const [before, after] = [buildModel(spec).inertia, buildModel(changed('mass.arm', 7)).inertia]
    expect(after[10]).toBeCloseTo(7, 12)
    for (let k = 11; k < 20; k++) expect(after[k]).toBeCloseTo((before[k] as number) * (7 / (before[10] as number)), 12)
  })

  it('finds joints that the file does not name', () => {
    expect(body(changed('damping.arm.1', 5), 'arm').joints).toEqual([{ type: 'revolute' }, { type: 'prismatic', damping: 5 }])
    expect(Array.from(buildModel(changed('stiffness.wrist', 4)).stiffness)).toEqual([0, 0, 4, 4, 4])
  })

  it('leaves the given Spec alone, and makes several changes at once', () => {
    const copy = structuredClone(spec)
    const both = changeSpec(
      spec,
      ['damping.wrist', 'friction.arm.0', 'mass.arm'].map((text) => ({ text, value: 9, key: readKey(text, []) })),
    )
    expect(spec).toEqual(copy)
    expect(body(both, 'hand').joints?.[0]?.damping).toBe(9)
    expect(body(both, 'arm').joints?.[0]?.friction).toBe(9)
    expect(buildModel(both).inertia[10]).toBeCloseTo(9, 12)
  })

  it.each([
    ['mass.frame', 'mass.frame: the body has no mass in the model that could be scaled'],
    ['mass.nobody', 'there is no body of this name'],
    ['damping.nothing', 'there is no joint of this name'],
  ])('refuses %s', (text, message) => {
    const frame: Spec = { ...spec, bodies: [...spec.bodies, { name: 'frame', parent: 'hand' }] }
    expect(() => changeSpec(frame, [{ text, value: 1, key: readKey(text, []) }])).toThrow(message)
  })
})
