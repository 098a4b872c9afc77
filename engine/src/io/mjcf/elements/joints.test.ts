import { describe, expect, it } from 'vitest'
import { parseMjcf } from '../parse-mjcf.js'

describe('joints', () => {
  it('take a negative frictionloss for none, as MuJoCo does, and say so', () => {
    const spec = parseMjcf('<mujoco><worldbody><body><joint name="j" frictionloss="-1"/><geom size="0.1"/></body></worldbody></mujoco>')
    expect(spec.bodies[0]?.joints?.[0]).not.toHaveProperty('friction')
    expect(spec.ignored).toContainEqual(expect.objectContaining({ what: "joint 'j': negative frictionloss" }))
  })
})

describe('inheritrange', () => {
  const controlRange = (joint: string): unknown =>
    parseMjcf(
      `<mujoco><worldbody><body><joint name="j" ${joint}/><geom size="0.1"/></body></worldbody><actuator><position joint="j" inheritrange="0.5"/></actuator></mujoco>`,
    ).actuators?.[0]?.controlRange

  it('takes the range of a joint, whether it limits the joint or not', () => {
    const half = (30 * Math.PI) / 180
    for (const limited of ['auto', 'true', 'false']) expect(controlRange(`range="-60 60" limited="${limited}"`)).toEqual([-half, half])
  })

  it('needs a range', () => {
    expect(() => controlRange('limited="false"')).toThrow(/inheritrange needs a joint or tendon with a range/)
  })
})
