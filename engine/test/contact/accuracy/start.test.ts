/** What the start of a run must not become: overlap is pushed out gently at any step size, and what rests goes on resting. */
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { ball, box, energyOf, onFloor, run, start } from './course.js'

const STEPS = [0.0005, 0.002, 0.01, 0.02]

describe('overlap at the start', () => {
  it.each([
    ['a box 5 mm in the floor', onFloor([box('box', [0, 0, 0.095], 1, 0.5)], 0.5), 0.1, 0.005],
    ['a box 50 mm in the floor', onFloor([box('box', [0, 0, 0.05], 1, 0.5)], 0.5), 0.1, 0.05],
    ['a ball 20 mm in the floor', onFloor([ball('ball', [0, 0, 0.08], 1, 0.5)], 0.5), 0.1, 0.02],
  ])('of %s does not become a hop, at any step', (_, spec, rest, deep) => {
    const speeds = STEPS.map((h) => {
      const simulation = start(spec, h)
      const { q, v } = simulation.state
      let fastest = 0
      let highest = 0
      run(simulation, 2, () => {
        fastest = Math.max(fastest, Math.hypot(...v.subarray(3, 6)))
        highest = Math.max(highest, q[2] - rest)
      })
      // it comes out, and no higher than a fifth of what it was in
      expect(Math.abs(q[2] - rest), `height at h = ${h}`).toBeLessThan(1e-3)
      expect(highest, `hop at h = ${h}`).toBeLessThan(Math.max(1e-3, 0.2 * deep))
      return fastest
    })
    // a speed that grew as 1/h would be forty times as large at the smallest step as at the largest
    expect(speeds[0]).toBeLessThan(Math.max(2 * speeds[2], 0.1))
  })

  it('of two boxes in each other parts them without throwing them', () => {
    for (const h of STEPS) {
      const simulation = start({ gravity: [0, 0, 0], bodies: [box('a', [0, 0, 0], 1, 0.5), box('b', [0.17, 0.01, 0], 1, 0.5)] }, h)
      const kinetic = energyOf(simulation)
      run(simulation, 2)
      // half a metre a second for each at the most
      expect(kinetic(), `h = ${h}`).toBeLessThan(0.25)
      expect(simulation.state.q[7] - simulation.state.q[0], `h = ${h}`).toBeGreaterThan(0.199)
    }
  })

  it('of a robot whose keyframe stands 8 mm too low adds less than 1 J', () => {
    const leg = (name: string, x: number, y: number): string => `<body name="${name}" pos="${x} ${y} 0">
      <joint name="${name}" axis="0 1 0" damping="1"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02" mass="1"/></body>`
    const legs = [leg('a', 0.2, 0.1), leg('b', 0.2, -0.1), leg('c', -0.2, 0.1), leg('d', -0.2, -0.1)]
    const text = `<mujoco><worldbody><geom type="plane" size="0 0 1"/><body name="trunk" pos="0 0 0.312"><freejoint/>
      <geom type="box" size="0.2 0.1 0.05" mass="8"/>${legs.join('')}</body></worldbody>
      <actuator>${['a', 'b', 'c', 'd'].map((name) => `<position joint="${name}" kp="400" kv="20"/>`).join('')}</actuator></mujoco>`
    const model = buildModel(parseMjcf(text))
    for (const h of [0.0005, 0.002, 0.01]) {
      const simulation = createSimulation(model, { timestep: h })
      const total = energyOf(simulation)
      const first = total()
      let most = first
      run(simulation, 1, () => {
        most = Math.max(most, total())
      })
      // 8 mm of 12 kg are 0.94 J
      expect(most - first, `h = ${h}`).toBeLessThan(1)
      expect(simulation.state.q[2], `h = ${h}`).toBeLessThan(0.325)
    }
  })
})
