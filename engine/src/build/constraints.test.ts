import { describe, expect, it } from 'vitest'
import { ModelError } from '../model/model-error.js'
import { buildModel } from './build-model.js'
import type { ConstraintSpec, Spec } from './spec.js'

const inertia = { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] as const }

const spec = (...constraints: ConstraintSpec[]): Spec => ({
  bodies: [
    { name: 'arm', inertia, joints: [{ name: 'shoulder', type: 'revolute' }] },
    { name: 'hand', parent: 'arm', position: [1, 0, 0], inertia, joints: [{ name: 'wrist', type: 'spherical' }] },
  ],
  tendons: [{ name: 'rope', path: [{ body: 'world' }, { body: 'hand' }] }],
  constraints,
})

function problems(...constraints: ConstraintSpec[]): string[] {
  try {
    buildModel(spec(...constraints))
  } catch (error) {
    if (error instanceof ModelError) return error.problems.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}

const a = { body: 'arm' }
const b = { body: 'hand' }

describe('constraints of a spec', () => {
  it.each<[string, ConstraintSpec, RegExp]>([
    ['unknown body', { type: 'point', a: { body: 'amr' }, b }, /^constraints\/0\/a\/body: .*'amr'; did you mean 'arm'\?/],
    ['one body twice', { type: 'point', a, b: a }, /^constraints\/0: expected two different bodies, got 'arm' twice/],
    ['no axes', { type: 'point', a, b, axes: [] }, /^constraints\/0\/axes: expected one to three directions, got 0/],
    [
      'axes in one line',
      {
        type: 'point',
        a,
        b,
        axes: [
          [1, 0, 0],
          [-2, 0, 0],
        ],
      },
      /^constraints\/0\/axes: expected independent/,
    ],
    [
      'axes in one plane',
      {
        type: 'point',
        a,
        b,
        axes: [
          [1, 0, 0],
          [0, 1, 0],
          [1, 1, 0],
        ],
      },
      /^constraints\/0\/axes: expected independent/,
    ],
    ['axis of no length', { type: 'hinge', a, b: { ...b, axis: [0, 0, 0] } }, /^constraints\/0\/b\/axis: expected a direction/],
    ['normal of no length', { type: 'planar', a, b, normal: [0, 0, 0] }, /^constraints\/0\/normal: expected a direction/],
    ['negative distance', { type: 'distance', a, b, distance: -1 }, /^constraints\/0\/distance: expected a positive/],
    ['no distance at the start', { type: 'distance', a: { ...a, point: [1, 0, 0] }, b }, /^constraints\/0: .*use 'point'/],
    ['weld without orientation', { type: 'weld', a: 'arm', b: 'hand', quaternion: [0, 0, 0, 0] }, /^constraints\/0\/quaternion: /],
    ['weld of one body', { type: 'weld', a: 'arm', b: 'arm' }, /two different bodies/],
    ['unknown joint', { type: 'coupling', joint: 'sholder', polynomial: [0] }, /^constraints\/0\/joint: .*did you mean 'shoulder'\?/],
    [
      'ball in a coupling',
      { type: 'coupling', joint: 'shoulder', of: 'wrist', polynomial: [0, 1] },
      /^constraints\/0\/of: .*one degree of freedom, got spherical 'wrist'/,
    ],
    ['joint coupled to itself', { type: 'coupling', joint: 'shoulder', of: 'shoulder', polynomial: [0, 1] }, /expected another joint/],
    ['no polynomial', { type: 'coupling', joint: 'shoulder', polynomial: [] }, /^constraints\/0\/polynomial: expected at least one/],
    [
      'endless coefficient',
      { type: 'coupling', joint: 'shoulder', polynomial: [Number.POSITIVE_INFINITY] },
      /^constraints\/0\/polynomial\/0: /,
    ],
    ['unknown tendon', { type: 'tendon-coupling', tendon: 'rop', polynomial: [0] }, /^constraints\/0\/tendon: .*did you mean 'rope'\?/],
    ['ball in a motion', { type: 'motion', joint: 'wrist' }, /^constraints\/0\/joint: .*got spherical 'wrist'/],
    ['speed that is no number', { type: 'motion', joint: 'shoulder', speed: Number.NaN }, /^constraints\/0\/speed: /],
    ['unknown type', { type: 'wedl', a: 'arm', b: 'hand' } as unknown as ConstraintSpec, /^constraints\/0\/type: .*did you mean 'weld'\?/],
  ])('are refused with their place: %s', (_, constraint, expected) => {
    const found = problems(constraint)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(expected)
  })

  it('are all checked before the model is refused', () => {
    expect(problems({ type: 'point', a: { body: 'x' }, b: { body: 'y' } }, { type: 'motion', joint: 'z' })).toHaveLength(3)
  })

  it('get a name from their type and place where they have none', () => {
    const { constraints } = buildModel(
      spec({ type: 'point', a, b: { body: 'world' } }, { name: 'own', type: 'weld', a: 'world', b: 'hand' }),
    )
    expect(constraints.names).toEqual(['point0', 'own'])
    expect(Array.from(constraints.rows)).toEqual([3, 6])
  })

  it('say when limits of a tendon are upside down', () => {
    const { bodies } = spec()
    expect(() => buildModel({ bodies, tendons: [{ path: [{ body: 'world' }, { body: 'hand' }], limits: [2, 1] }] })).toThrow(
      /tendons\/0\/limits: expected lower ≤ upper, got 2 1/,
    )
  })
})
