/** Kernels of forces have the same bits as WebAssembly, in shared memory, as JavaScript and as they are written, whose zeros may have another sign. */
import { buildModel, createData, type Data, dataSize, type Model, type Spec, type State, useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { afterEach, describe, expect, it } from 'vitest'
import { mediumDamping } from '../../src/forces/drag.js'
import { applyForces } from '../../src/forces/dynamics.js'
import { forcesOf } from '../../src/forces/index.js'
import { listPenaltyContacts } from '../../src/forces/penalty.js'
import { forwardKinematics } from '../../src/tree/kinematics.js'
import { everyForce } from '../conformance/every-force.js'
import { randomState } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'
import { inSourceForm } from './source-form.js'

afterEach(() => useKernels('wasm'))

const KERNELS = [
  ...['stretchJoints', 'pullJoints', 'resist', 'biasArmature', 'measureSprings', 'pullSprings', 'pullLoad'],
  ...['dampBodies', 'dragAlongAxes', 'measureMedium', 'dragBoxes', 'dragEllipsoids', 'touchPoints', 'pushPoints'],
  ...['driveJoints', 'addDrives', 'energyOfStretch'],
]

/** every force, on a tree with every joint, of which some points are in obstacles of every kind */
function spec(bodies: number): Spec {
  const { loads = [], ...rest } = everyForce(bodies, { drag: [1, 2, 3], geoms: [{ shape: 'sphere', radius: 0.3 }] })
  const free = {
    name: 'loose',
    inertia: { mass: 1, com: [0.1, 0, 0], tensor: [1, 1, 1, 0, 0, 0] },
    joints: [{ type: 'free', armature: 0.3, stiffness: 2 }],
  } as const
  const moving = { duration: 1, along: [{ body: 'b2', from: [0, 0, 0], to: [1, 0, 0.5] }] } as const
  return {
    ...rest,
    bodies: [...rest.bodies, free],
    loads: [...loads, { force: [1, 2, 3], moving }],
    contact: { stiffness: 40, friction: 0.7, slip: 0.5 },
    world: {
      geoms: [
        { shape: 'plane', position: [0, 0, 1] },
        { shape: 'box', size: [3, 2, 2], position: [0.3, 0, 0] },
        { shape: 'sphere', radius: 1 },
      ],
    },
  }
}

const called = new Set<string>()

function everything(m: Model, d: Data, s: State): number[] {
  const out: number[] = []
  for (const [name, kernel] of Object.entries(d.kernels) as [string, (...values: number[]) => void][])
    Reflect.set(d.kernels, name, (...values: number[]) => {
      called.add(name)
      kernel(...values)
    })
  forwardKinematics(m, d, s.q, s.v)
  applyForces(m, d, s)
  out.push(...d.f, ...d.qf)
  for (const force of forcesOf(m, d)) out.push(force.energy?.(m, d, s) ?? 0)
  mediumDamping(m, d)
  for (const { point, normal, gap, force } of listPenaltyContacts(m, d)) out.push(...point, ...normal, gap, ...(force ?? []))
  return [...out, ...d.resistance.slice(12)]
}

const withoutSign = (x: number): number => (x === 0 ? 0 : x)

describe('kernels of forces', () => {
  it.each([1, 2, 3, 4])('have the same bits in every form, seed %i', (seed) => {
    const m = buildModel(spec(6 + seed))
    const state = randomState(m, createRandom(seed))
    state.t = 0.5
    const own = (d: Data): Data => ({ ...d, kernels: { ...d.kernels } })
    const expected = everything(m, own(createData(m)), state)
    expect(expected.every(Number.isFinite)).toBe(true)

    const pages = Math.ceil(dataSize(m) / 65536)
    const buffer = new WebAssembly.Memory({ initial: pages, maximum: 65536, shared: true })
    expect(everything(m, own(createData(m, { buffer })), state)).toEqual(expected)
    const source = everything(m, inSourceForm(createData(m)), state)
    expect(source.map(withoutSign)).toEqual(expected.map(withoutSign))
    useKernels(jsKernels)
    expect(everything(m, own(createData(m)), state)).toEqual(expected)
  })

  it('are all called', () => {
    expect([...called]).toEqual(expect.arrayContaining(KERNELS))
  })
})
