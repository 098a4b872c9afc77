/**
 * Plates as thin as a contact is deep: their nearest face changes while they are pressed into the floor, so that steps do not converge. Such steps use
 * a last solution and are counted; the run goes on and ends where MuJoCo does.
 */
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../io/mujoco.js'

const STEPS = 400

/** A plate on the floor, and a box above it. */
const pressed = (plate: string, box: string, height: number): string => `<mujoco><worldbody><geom type="plane" size="0 0 1"/>
  <body pos="0 0 0.001"><freejoint/><geom type="box" ${plate}/></body>
  <body pos="0 0 ${height}"><freejoint/><geom type="box" ${box}/></body></worldbody></mujoco>`

describe('a plate pressed into the floor', () => {
  it.each([
    ['of sheet metal under a block', pressed('size="0.5 0.5 0.0005"', 'size="0.1 0.1 0.1" density="4000"', 0.3), {}],
    ['the same, in long steps', pressed('size="0.5 0.5 0.0005"', 'size="0.1 0.1 0.1" density="4000"', 0.3), { timestep: 0.005 }],
    ['the same, by Newton', pressed('size="0.5 0.5 0.0005"', 'size="0.1 0.1 0.1" density="1000"', 0.3), { scheme: 'newton' }],
  ])('%s does not stop the run', async (_, text, options) => {
    const mj = await mujoco()
    const theirs = await compileMjcf(text)
    const data = new mj.MjData(theirs)
    const simulation = createSimulation(buildModel(parseMjcf(text)), { solver: 'redmax', ...options })
    try {
      const { status, message, bounded } = simulation.step(STEPS)
      expect(status, message).toBe('ok')
      while (data.time < simulation.state.t - 1e-9) mj.mj_step(theirs, data)
      // the case is one of those that do not converge, and the user is told
      expect(bounded).toBeGreaterThan(0)
      expect(simulation.warnings().join()).toContain('did not converge within the work of a step')
      for (const k of [2, 9]) expect(Math.abs(simulation.state.q[k] - (data.qpos as Float64Array)[k])).toBeLessThan(1e-3)
      expect(Math.max(...simulation.state.v.map(Math.abs))).toBeLessThan(0.05)
    } finally {
      data.delete()
      theirs.delete()
    }
  })
})
