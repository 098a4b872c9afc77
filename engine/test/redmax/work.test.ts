/** A step has a bound on its work, counted: past it the state is as it was, or what was found is taken and marked. */
import { buildModel, createSimulation, type Simulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const size: [number, number, number] = [0.2, 0.2, 0.2]

/** Boxes above a floor; `place`: of each. */
const boxes = (count: number, place: (k: number) => [number, number, number]): Spec => ({
  world: { geoms: [{ shape: 'plane' }] },
  bodies: Array.from({ length: count }, (_, k) => ({
    name: `box${k}`,
    position: place(k),
    geoms: [{ shape: 'box', size, density: 125 }],
    joints: [{ name: `joint${k}`, type: 'free' }],
  })),
})

const simulate = (spec: Spec, options: object = {}): Simulation =>
  createSimulation(buildModel(spec), { solver: 'redmax', timestep: 0.002, ...options })

describe.each(['auto', 'second-order'])('the work of a step, scheme %s', (scheme) => {
  it('is bounded for 150 boxes at one place, which are told', () => {
    const simulation = simulate(
      boxes(150, () => [0, 0, 1]),
      { scheme },
    )
    const start = { t: simulation.state.t, q: simulation.state.q.slice(), v: simulation.state.v.slice() }
    const { status, message } = simulation.step()
    // taken and marked, or no step at all
    if (status === 'ok') {
      expect(simulation.report.bounded).toBe(1)
      expect(simulation.warnings().join()).toMatch(/did not converge within the work of a step/)
      return
    }
    expect(message).toMatch(
      /takes more work than a step may, with \d+ contacts or more between \d+ bodies, .* 'box0'.* start with bodies apart.* work=10/,
    )
    expect({ t: simulation.state.t, q: simulation.state.q, v: simulation.state.v }).toEqual(start)
  })

  it('ends at the same bits every time, and leaves an energy that has not grown', () => {
    // a heap that is thrown together, with a thousandth of the usual work
    const spec = boxes(12, (k) => [0.21 * (k % 2), 0.21 * (Math.floor(k / 2) % 2), 0.15 + 0.205 * Math.floor(k / 4)])
    const run = (work: number): { simulation: Simulation; good: number; fastest: number } => {
      const simulation = simulate(spec, { scheme, work })
      const v = new Float64Array(simulation.state.v.length)
      for (let k = 0; k < 12; k++) v[6 * k + 5] = -3
      simulation.reset({ v })
      let good = 0
      let fastest = 0
      for (let k = 0; k < 60; k++) {
        if (simulation.step().status !== 'ok') break
        good++
        for (const x of simulation.state.v) fastest = Math.max(fastest, Math.abs(x))
      }
      return { simulation, good, fastest }
    }
    const one = run(0.001)
    const two = run(0.001)
    expect(two.good).toBe(one.good)
    expect(two.simulation.state.q).toEqual(one.simulation.state.q)
    expect(one.good < 60 || (one.simulation.report.bounded ?? 0) > 0).toBe(true)
    expect(one.fastest).toBeLessThan(20)
    const free = run(0)
    expect(free.good).toBe(60)
    expect(free.simulation.report.bounded).toBeUndefined()
    if (one.simulation.report.bounded) expect(one.simulation.warnings().join()).toMatch(/did not converge within the work of a step/)
  })
})
