/** Actuators for URDF joints that state an effort. */
import { buildModel, createSimulation, parseUrdf } from 'limber'
import { describe, expect, it } from 'vitest'

const link = (name: string): string =>
  `<link name="${name}"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>`
const ROBOT = `<robot name="r">${['base', 'a', 'b', 'c', 'd'].map(link).join('')}
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="2"/></joint>
  <joint name="lift" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/><limit lower="0" upper=".5" effort="40" velocity="1"/></joint>
  <joint name="copy" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="10" velocity="2"/><mimic joint="turn"/></joint>
  <joint name="idle" type="continuous"><parent link="c"/><child link="d"/><axis xyz="0 0 1"/></joint>
</robot>`

describe('parseUrdf with actuators', () => {
  it('gives one to each joint with an effort, held to it, and none to those that mimic', () => {
    expect(parseUrdf(ROBOT).actuators).toBeUndefined()
    const { actuators = [] } = parseUrdf(ROBOT, { actuators: 'motor' })
    expect(actuators.map(({ name }) => name)).toEqual(['turn', 'lift'])
    expect(actuators[0]).toMatchObject({ controlRange: [-1, 1], forceRange: [-10, 10] })
    expect(() => parseUrdf(ROBOT, { actuators: 'servo' as 'motor' })).toThrow(
      "actuators: expected one of position, velocity, motor, got 'servo'",
    )
  })

  it('position holds a joint at its target, velocity keeps its speed', () => {
    const held = createSimulation(buildModel(parseUrdf(ROBOT, { actuators: 'position' })))
    held.actuator('turn').setTarget(0.5)
    expect(held.actuator('lift').setTarget(9)).toBe(0.5)
    held.advance(4)
    expect(held.joint('turn').position).toBeCloseTo(0.5, 2)
    expect(held.joint('lift').position).toBeCloseTo(0.5, 2)
    const turning = createSimulation(buildModel(parseUrdf(ROBOT.replace(/<mimic[^>]*>/, ''), { actuators: 'velocity' })))
    turning.actuator('turn').setTarget(0.5)
    turning.advance(0.5)
    expect(turning.joint('turn').velocity).toBeCloseTo(0.5, 1)
  })
})
