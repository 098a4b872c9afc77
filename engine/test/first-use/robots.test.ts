/** Robots of our own with position servos stand at their keyframe, without any call that sets a control. */
import { readFileSync } from 'node:fs'
import { buildModel, createSimulation, type Model, parseMjcf, type Spec } from 'limber'
import { expect, it } from 'vitest'

const readSpec = (name: string): Spec => {
  const spec = parseMjcf(readFileSync(new URL(`models/${name}.xml`, import.meta.url), 'utf8'))
  expect(spec.ignored).toEqual([])
  return spec
}

const read = (name: string): Model => buildModel(readSpec(name))

/** metres and radians: what servos give under the weight, and no more with time */
const SAG = 0.02
const LEAN = 0.05

it.each(['quadruped', 'humanoid'])('a %s stands for 10 s', (name) => {
  const model = read(name)
  const simulation = createSimulation(model)
  expect(simulation.solver.name).toBe('redmax')
  simulation.reset(model.keyframes[0])
  const [x, y, z] = simulation.state.q
  for (let second = 1; second <= 10; second++) {
    expect(simulation.advance(1).message).toBe('')
    const { q } = simulation.state
    expect(Math.abs(q[2] - z), `height after ${second} s`).toBeLessThan(SAG)
    expect(Math.hypot(q[0] - x, q[1] - y), `way after ${second} s`).toBeLessThan(2 * SAG)
    // the quaternion of the trunk is near 1 0 0 0
    expect(2 * Math.hypot(q[4], q[5], q[6]), `lean after ${second} s`).toBeLessThan(LEAN)
  }
  expect(simulation.state.v.every((v) => Math.abs(v) < 0.2)).toBe(true)
  expect(simulation.report.steps).toBe(Math.round(10 / model.timestep))
})

it('falls when its servos are let go, so that it is they who hold it', () => {
  const { q } = read('quadruped').keyframes[0]
  const model = buildModel({ ...readSpec('quadruped'), actuators: [], keyframes: [] })
  expect(model.nv).toBe(read('quadruped').nv)
  const simulation = createSimulation(model)
  simulation.reset({ q })
  simulation.advance(1)
  expect(simulation.state.q[2]).toBeLessThan(0.25)
})
