import { buildModel, createData, createSimulation } from 'limber'
import { describe, expect, it } from 'vitest'
import type { Reply } from './protocol.js'
import type { Setup } from './setup.js'
import { createWatch } from './watch.js'

describe('numbers for sliders', () => {
  const model = buildModel({
    bodies: [
      { name: 'rod', inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0] }] },
    ],
  })
  const start = (playing: boolean) => {
    const simulation = createSimulation(model)
    const setup = { model, lanes: [{ simulation, data: createData(model) }] } as unknown as Setup
    const told: number[] = []
    const reply = (message: Reply) => void (message.type === 'watched' && told.push(message.rows[0][0]))
    const watch = createWatch(reply, () => playing)
    watch.set('control', ['q:hinge'], 1, setup, [])
    const pose = (angle: number) => {
      simulation.state.q[0] = angle
      watch.tell(setup)
    }
    return { told, pose }
  }

  it('are told of every pose of a mechanism that stands, however soon it follows', () => {
    const { told, pose } = start(false)
    for (const angle of [0.1, 0.2, 0.3]) pose(angle)
    expect(told).toEqual([0, 0.1, 0.2, 0.3])
  })

  it('are left out now and then while it runs', () => {
    const { told, pose } = start(true)
    for (let k = 0; k < 50; k++) pose(k)
    expect(told.length).toBeLessThan(50)
  })
})
