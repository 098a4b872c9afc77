/** Runs with contact are their own likeness: the same bits again, from a snapshot, and whether or not somebody looks. */
import { buildModel, createSimulation, type Simulation, type Spec } from 'limber'
import { findScene } from 'limber-scenes'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../random.js'
import { onFloor } from './course.js'

/** Balls, boxes and capsules that fall on each other. */
function heap(): Spec {
  const random = createRandom(3)
  const shapes = [
    { shape: 'sphere', radius: 0.08 },
    { shape: 'box', size: [0.16, 0.12, 0.1] },
    { shape: 'capsule', radius: 0.05, length: 0.12 },
  ] as const
  return onFloor(
    Array.from({ length: 12 }, (_, k) => ({
      name: `body${k}`,
      position: [random.spread(0.05), random.spread(0.05), 0.15 + 0.18 * k] as const,
      quaternion: random.quat(),
      joints: [{ type: 'free' as const }],
      geoms: [{ ...shapes[k % 3], density: 800, friction: 0.6 }],
    })),
    0.6,
  )
}

const scene = (name: string): Spec => {
  const found = findScene(name)
  if (!found) throw new Error(`no scene ${name}`)
  return found.build({})
}

const bitsOf = ({ state: { t, q, v, s } }: Simulation): number[] => [t, ...q, ...v, ...s]

describe.each([
  ['a heap of 12', heap(), 0.005, 300],
  ['a quadruped on servos', scene('quadruped'), 0.004, 300],
  ['a gripper round a block', scene('gripper'), 0.004, 300],
] as const)('%s', (_, spec, timestep, steps) => {
  const model = buildModel(spec)
  const begin = (): Simulation => {
    const simulation = createSimulation(model, { timestep })
    if (model.keyframes.length > 0) simulation.reset(model.keyframes[0])
    return simulation
  }
  const whole = begin()
  const snapshots: Uint8Array[] = []
  for (let k = 0; k < steps; k++) {
    if (k % 60 === 30) snapshots.push(whole.snapshot())
    if (whole.step().status !== 'ok') throw new Error(whole.report.message)
  }

  it('does the same bits again, and while contacts are asked for', () => {
    const again = begin()
    for (let k = 0; k < steps; k++) {
      again.step()
      again.contacts({ touching: k % 2 === 0 })
    }
    expect(bitsOf(again)).toEqual(bitsOf(whole))
  })

  it('goes on with the same bits from a snapshot in the fall, in impact and at rest', () => {
    for (const [k, snapshot] of snapshots.entries()) {
      const again = begin()
      again.restore(snapshot)
      again.step(steps - 60 * k - 30)
      expect(bitsOf(again), `snapshot ${k}`).toEqual(bitsOf(whole))
    }
  })
})
