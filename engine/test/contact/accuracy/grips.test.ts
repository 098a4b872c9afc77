/** 1 kg between two fingers with μ = 0.5 on each: 9.81 N a finger hold it, and less lets it slip with g − F. */
import { type BodySpec, type Simulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { box, G, moved, run, start } from './course.js'

const H = 0.005
/** m/s: a gripped body sticks, so that only tolerances move it */
const CREEP = 1e-8

/** Fingers at this distance from the faces of the block; the force of each comes from outside. */
function gripped(gap: number, force: number): Simulation {
  const finger = (name: string, side: number): BodySpec => ({
    name,
    position: [side * (0.13 + gap), 0, 0.5],
    joints: [{ name, type: 'prismatic', axis: [-side, 0, 0], damping: 1 }],
    geoms: [{ shape: 'box', size: [0.06, 0.1, 0.1], mass: 0.2, friction: 0.5 }],
  })
  const spec: Spec = {
    gravity: [0, 0, -G],
    bodies: [finger('left', -1), finger('right', 1), box('block', [0, 0, 0.5], 1, 0.5, [0.2, 0.1, 0.1])],
  }
  const simulation = start(spec, H)
  simulation.state.tau.set([force, force])
  return simulation
}

describe('a grip of 1 kg', () => {
  it.each([12, 20, 200])('of %s N holds it without creep', (force) => {
    const simulation = gripped(0, force)
    run(simulation, 1)
    const before = simulation.state.q.slice()
    expect(before[4]).toBeCloseTo(0.5, 6)
    run(simulation, 9)
    expect(moved(simulation, before) / 9).toBeLessThan(CREEP)
  })

  it.each([12, 20, 200])('of %s N that closes over 20 mm catches it as it falls', (force) => {
    const simulation = gripped(0.02, force)
    run(simulation, 1)
    const before = simulation.state.q.slice()
    // free fall for the time in which 0.2 kg pass 20 mm, until the fingers touch, and as long again to stop
    const closing = Math.sqrt((2 * 0.02 * 0.2) / force)
    const slowing = (G * closing) / (force - G)
    expect(0.5 - before[4]).toBeLessThan(0.5 * G * closing ** 2 + 0.5 * G * closing * slowing + 4 * H * G * closing + 1e-4)
    run(simulation, 9)
    expect(moved(simulation, before) / 9).toBeLessThan(CREEP)
  })

  it('of 9 N lets it slip with −0.81 m/s²', () => {
    const simulation = gripped(0, 9)
    const { v } = simulation.state
    run(simulation, 20 * H)
    const before = v[7]
    run(simulation, 10 * H)
    expect((v[7] - before) / (10 * H)).toBeCloseTo(9 - G, 4)
  })

  it('of 20 N lets it slip where something pulls on it with 12 N, and holds it against 9 N', () => {
    for (const [pull, expected] of [
      [-9, 0],
      [-12, 20 - G - 12],
    ]) {
      const simulation = gripped(0, 20)
      // forces on a free body come as turn, then push
      simulation.state.tau[7] = pull
      run(simulation, 0.1)
      expect(simulation.state.v[7] / 0.1).toBeCloseTo(expected, 4)
    }
  })
})
