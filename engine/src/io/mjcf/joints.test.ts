import { describe, expect, it } from 'vitest'
import { parseMjcf } from './parse-mjcf.js'

describe('joints', () => {
  it('take a negative frictionloss for none, as MuJoCo does, and say so', () => {
    const spec = parseMjcf('<mujoco><worldbody><body><joint name="j" frictionloss="-1"/><geom size="0.1"/></body></worldbody></mujoco>')
    expect(spec.bodies[0]?.joints?.[0]).not.toHaveProperty('friction')
    expect(spec.ignored).toContainEqual(expect.objectContaining({ what: "joint 'j': negative frictionloss" }))
  })
})
