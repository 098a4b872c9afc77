import { buildModel, createData, createSimulation, forwardKinematics, type Simulation } from 'limber'
import { describe, expect, it } from 'vitest'
import { findScene } from '../index.js'

/** A scene as the studio runs it: from its first keyframe, with its drive. */
function start(
  name: string,
  values: Record<string, number> = {},
): { simulation: Simulation; run(seconds: number): void; place(body: string): number[] } {
  const scene = findScene(name)
  if (!scene) throw new Error(`no scene ${name}`)
  const model = buildModel(scene.build(values))
  const simulation = createSimulation(model)
  if (model.keyframes.length > 0) simulation.reset(model.keyframes[0])
  const drive = scene.drive?.(model)
  const data = createData(model)
  return {
    simulation,
    run(seconds) {
      const end = simulation.state.t + seconds - 1e-9
      while (simulation.state.t < end) {
        drive?.(simulation.state)
        expect(simulation.step().status).toBe('ok')
      }
    },
    place(body) {
      forwardKinematics(model, data, simulation.state.q, simulation.state.v)
      const i = model.bodies.findIndex((one) => one.name === body)
      return [...data.X_WB.subarray(12 * i + 9, 12 * i + 12)]
    },
  }
}

describe('quadruped', () => {
  it('stands for ten seconds at its keyframe, and again after a push', () => {
    const { simulation, run, place } = start('quadruped')
    const height = place('trunk')[2]
    run(10)
    expect(place('trunk')[2]).toBeGreaterThan(0.9 * height)
    // half a metre a second to the side
    simulation.state.v[4] += 0.5
    run(3)
    expect(place('trunk')[2]).toBeGreaterThan(0.9 * height)
    expect(Math.abs(place('trunk')[1])).toBeLessThan(0.5)
  })

  it('takes the postures of its other keyframes', () => {
    const { simulation, run, place } = start('quadruped')
    simulation.state.control.set(simulation.model.keyframes[1].control)
    run(3)
    expect(place('trunk')[2]).toBeLessThan(0.25)
  })
})

describe('herd', () => {
  it('trots on its hills for five seconds, each robot to and fro about its start', () => {
    const { simulation, run, place } = start('herd', { robots: 4 })
    const starts = [1, 2, 3, 4].map((k) => place(`r${k} trunk`))
    run(5)
    expect(simulation.state.control[1]).not.toBe(simulation.state.control[13])
    for (const [k, [x, y]] of starts.entries()) {
      const [X, Y, Z] = place(`r${k + 1} trunk`)
      expect(Math.hypot(X - x, Y - y)).toBeGreaterThan(0.01)
      expect(Math.hypot(X - x, Y - y)).toBeLessThan(2)
      // above the ground, on its legs
      expect(Z).toBeGreaterThan(0)
    }
  })
})

describe('gripper', () => {
  it('lifts the block by friction and sets it down', () => {
    const { run, place } = start('gripper')
    run(4)
    expect(place('block')[2]).toBeGreaterThan(0.25)
    run(2.9)
    expect(place('block')[2]).toBeCloseTo(0.04, 2)
  })

  it('leaves it on the floor without friction', () => {
    const { run, place } = start('gripper', { friction: 0.02 })
    run(4)
    expect(place('block')[2]).toBeLessThan(0.1)
  })
})

describe('arm', () => {
  it.each([
    [0.5, -0.35, 0.65],
    [-0.3, 0.4, 0.9],
    [0.2, 0.3, 0.3],
  ])('reaches the ball at %f %f %f', (x, y, z) => {
    const { run, simulation, place } = start('arm', { x, y, z })
    run(3)
    // the tip is a tenth of a metre before the flange
    const [px, py, pz] = place('flange')
    expect(Math.hypot(px - x, py - y, pz - z)).toBeCloseTo(0.1, 2)
    const { limits, joints, njoint } = simulation.model
    for (const { iv, iq, nv } of joints.slice(0, njoint)) {
      if (nv > 1) continue
      expect(simulation.state.q[iq]).toBeGreaterThan(limits[2 * iv] - 0.02)
      expect(simulation.state.q[iq]).toBeLessThan(limits[2 * iv + 1] + 0.02)
    }
  })

  it('stretches towards a ball that is out of reach, and stays calm', () => {
    const { run, place, simulation } = start('arm', { x: 2, y: 0, z: 0.5 })
    run(4)
    expect(place('flange')[0]).toBeGreaterThan(0.7)
    expect(Math.hypot(...simulation.state.v.subarray(0, 6))).toBeLessThan(0.2)
  })
})

describe('swimmer', () => {
  it('swims, where drag across a rod is larger than along it', () => {
    const { run, place } = start('swimmer')
    run(10)
    expect(Math.hypot(...place('rod1'))).toBeGreaterThan(1.5)
  })
})
