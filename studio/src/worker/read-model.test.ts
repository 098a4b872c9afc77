import { describe, expect, it } from 'vitest'
import { readModel } from './read-model.js'

const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) })
const robot = file(
  'robot.xml',
  '<mujoco><include file="parts.xml"/><worldbody><body><joint/><geom size=".1" class="limb"/></body></worldbody></mujoco>',
)
const parts = file('parts.xml', '<mujoco><default><default class="limb"/></default></mujoco>')
const other = file('other.xml', '<mujoco/>')

describe('readModel', () => {
  it('offers other models, and not what the model is made of', () => {
    expect(readModel([parts, robot, other])).toMatchObject({ main: 'robot.xml', others: ['other.xml'] })
  })

  it('reads the one that was asked for', () => {
    expect(readModel([parts, robot, other], 'other.xml')).toMatchObject({ main: 'other.xml', others: ['parts.xml', 'robot.xml'] })
  })

  describe('of a URDF', () => {
    const inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    const link = (name: string) => `<link name="${name}">${inertial}<collision><geometry><box size="1 1 1"/></geometry></collision></link>`
    const joint = (type: string, parent: string, child: string) =>
      `<joint name="${child}" type="${type}"><parent link="${parent}"/><child link="${child}"/><limit effort="1" velocity="1" lower="-1" upper="1"/></joint>`
    const arm = [file('arm.urdf', `<robot name="r">${link('a')}${link('b')}${joint('revolute', 'a', 'b')}</robot>`)]
    const floating = [file('drone.urdf', `<robot name="r"><link name="world"/>${link('a')}${joint('floating', 'world', 'a')}</robot>`)]

    it('follows the file, with servos where it has effort limits', () => {
      const { urdf, spec } = readModel(arm)
      expect(urdf).toEqual({ main: 'arm.urdf', base: 'fixed', floor: false, actuators: 'position' })
      expect(spec.actuators).toHaveLength(1)
      expect(readModel(arm, 'arm.urdf', { actuators: 'none' }).spec.actuators ?? []).toEqual([])
      expect(readModel([robot, parts])).not.toHaveProperty('urdf')
    })

    it('gives a free base a floor, unless none is wanted', () => {
      expect(readModel(arm, 'arm.urdf', { base: 'free' })).toMatchObject({
        urdf: { base: 'free', floor: true },
        spec: { world: { geoms: [{ shape: 'plane' }] } },
      })
      expect(readModel(floating)).toMatchObject({ urdf: { base: 'free', floor: true }, spec: { world: { geoms: [{ shape: 'plane' }] } } })
      const none = readModel(arm, 'arm.urdf', { base: 'free', floor: false })
      expect(none.urdf?.floor).toBe(false)
      expect(none.spec).not.toHaveProperty('world')
    })
  })
})
