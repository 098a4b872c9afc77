import { describe, expect, it } from 'vitest'
import { parseMjcf } from '../parse-mjcf.js'

const ball = '<geom size="0.1"/>'
const robot = `<mujoco>
  <worldbody><body name="left"><joint name="l"/>${ball}</body><body name="right"><joint name="r"/>${ball}</body></worldbody>
  <actuator><motor name="ml" joint="l"/><motor name="mr" joint="r"/></actuator>
</mujoco>`

describe('what refers to a part of an attached model', () => {
  it('comes along with that part only, with a prefix or with an empty one', () => {
    for (const prefix of ['a/', '']) {
      const attach = `<attach model="m" body="left" prefix="${prefix}"/>`
      const scene = `<mujoco><asset><model name="m" file="m.xml"/></asset><worldbody>${attach}</worldbody></mujoco>`
      const spec = parseMjcf(scene, { resolve: (path) => (path === 'm.xml' ? robot : undefined) })
      expect(spec.actuators?.map(({ name }) => name)).toEqual([`${prefix}ml`])
    }
  })

  it('is a problem in a file of its own', () => {
    expect(() => parseMjcf(robot.replace('joint="r"', 'joint="s"'))).toThrow(/unknown joint 's'/)
  })
})
