/** Boxes on boxes: they stand for a minute, whatever their masses, and an impact between a heavy and a light one stays one. */
import { describe, expect, it } from 'vitest'
import { box, energyOf, moved, onFloor, overlapOf, run, stackOf, start } from './course.js'

const H = 0.005

describe('stacks', () => {
  it('ten boxes stand for 60 s and move less than 1 mm', () => {
    const simulation = start(stackOf(Array(10).fill(1)), H)
    const before = simulation.state.q.slice()
    run(simulation, 60)
    expect(moved(simulation, before)).toBeLessThan(1e-3)
  })

  it('1,000 kg on 1 kg stand for 10 s and move less than 0.01 mm', () => {
    const simulation = start(stackOf([1, 1000]), H)
    const before = simulation.state.q.slice()
    run(simulation, 10, () => expect(overlapOf(simulation)).toBeLessThan(1e-5))
    expect(moved(simulation, before)).toBeLessThan(1e-5)
  })

  it.each([
    ['1 and 1,000 kg in turn', [1, 1000, 1, 1000, 1, 1000]],
    ['1,000 and 1 kg in turn', [1000, 1, 1000, 1, 1000, 1]],
    ['masses that grow tenfold', [0.1, 1, 10, 100, 1000, 10000]],
  ])('six boxes of %s stand for 10 s', (_, masses) => {
    const simulation = start(stackOf(masses), H)
    const before = simulation.state.q.slice()
    run(simulation, 10)
    // 0.1 mm: what the softness of an unfinished iteration may come to under 3,003 kg
    expect(overlapOf(simulation)).toBeLessThan(1e-4)
    expect(moved(simulation, before)).toBeLessThan(1e-4)
  })

  it('1,000 kg dropped on 1 kg: no energy comes from it, and both rest where they should', () => {
    const simulation = start(onFloor([box('light', [0, 0, 0.1], 1, 0.5), box('heavy', [0.02, 0, 0.5], 1000, 0.5)], 0.5), H)
    const total = energyOf(simulation)
    let least = total()
    run(simulation, 5, () => {
      const now = total()
      expect(now - least).toBeLessThan(1e-3)
      expect(overlapOf(simulation)).toBeLessThan(1e-4)
      least = Math.min(least, now)
    })
    const { q, v } = simulation.state
    expect(Math.abs(q[2] - 0.1)).toBeLessThan(1e-5)
    expect(Math.abs(q[9] - 0.3)).toBeLessThan(1e-5)
    expect(Math.hypot(...v)).toBeLessThan(1e-5)
  })

  it('a box pulled from under another by less than friction takes it along', () => {
    // 2 m/s² on both, of the 4.9 that friction between them can pass on
    const spec = onFloor([box('lower', [0, 0, 0.1], 1, 0), box('upper', [0, 0, 0.3], 1, 0.5)], 0, {
      loads: [{ body: 'lower', force: [4, 0, 0] }],
    })
    const simulation = start(spec, H)
    run(simulation, 1)
    const { q, v } = simulation.state
    expect(v[3]).toBeCloseTo(2, 6)
    expect(q[7] - q[0]).toBeCloseTo(0, 6)
  })

  it('and by more leaves it behind at μ g', () => {
    const spec = onFloor([box('lower', [0, 0, 0.1], 1, 0, [2, 0.2, 0.2]), box('upper', [0, 0, 0.3], 1, 0.1)], 0, {
      loads: [{ body: 'lower', force: [4, 0, 0] }],
    })
    const simulation = start(spec, H)
    run(simulation, 0.5)
    const { v } = simulation.state
    expect(v[9]).toBeCloseTo(0.5 * 0.1 * 9.81, 5)
    expect(v[3]).toBeCloseTo(0.5 * (4 - 0.981), 5)
  })
})
