/** The first step of a model with many couplings in a chain: twice as many take about three times as long, not eight times. */
import { type BodySpec, buildModel, type ConstraintSpec, createSimulation } from 'limber'
import { expect, it } from 'vitest'
import { cpuTime } from '../cpu-time.js'

/** Seconds of processor time of the first step of n couplings of n + 1 joints. */
function firstStep(n: number): number {
  const bodies = Array.from(
    { length: n + 1 },
    (_, k): BodySpec => ({
      name: `body${k}`,
      inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
      joints: [{ name: `joint${k}`, type: 'revolute' }],
    }),
  )
  const constraints = Array.from(
    { length: n },
    (_, k): ConstraintSpec => ({ type: 'coupling', joint: `joint${k}`, of: `joint${k + 1}`, polynomial: [0, 1, 0, 0, 0] }),
  )
  const simulation = createSimulation(buildModel({ bodies, constraints }))
  const start = cpuTime()
  expect(simulation.step().status).toBe('ok')
  return cpuTime() - start
}

it('goes with their square at most', { timeout: 120_000 }, () => {
  // compiled by then
  firstStep(200)
  const one = firstStep(1000)
  expect(firstStep(2000)).toBeLessThan(5.5 * one)
})
