import { describe, expect, test } from 'vitest'
import { mujoco } from '../../../test/oracles/mujoco.js'
import type { JointSpec, Spec } from '../../build/spec.js'
import { parseUrdf } from './parse-urdf.js'

const robot = (limit: string, type = 'revolute') => `<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="${type}"><parent link="base"/>
  <child link="arm"/><axis xyz="0 1 0"/><limit ${limit} effort="3" velocity="2"/></joint></robot>`

const jointOf = (spec: Spec): JointSpec => spec.bodies[1]?.joints?.[0] as JointSpec

/** Whether MuJoCo pushes back far below and far above. */
async function heldByMujoco(text: string): Promise<[boolean, boolean]> {
  const mj = await mujoco()
  const model = mj.MjModel.from_xml_string(text)
  const data = new mj.MjData(model)
  const held = [-1000, 1000].map((q) => {
    ;(data.qpos as Float64Array)[0] = q
    mj.mj_forward(model, data)
    return data.nefc > 0
  })
  data.delete()
  model.delete()
  return held as [boolean, boolean]
}

describe('the range of a joint', () => {
  test.each([
    ['lower="-1" upper="2"', [-1, 2]],
    ['lower="0" upper="0.04"', [0, 0.04]],
    ['lower="-1e16" upper="1e16"', undefined],
    ['lower="-inf" upper="inf"', undefined],
    ['lower="-1" upper="inf"', [-1, 1e10]],
    ['lower="-Infinity" upper="3"', [-1e10, 3]],
    ['', undefined],
    ['lower="" upper=""', undefined],
  ])('%s is taken over and says nothing', (limit, limits) => {
    const spec = parseUrdf(robot(limit))
    expect(jointOf(spec).limits).toEqual(limits)
    expect(spec.ignored).toEqual([])
  })

  test.each([
    ['upper="2"', [0, 2], /lower is not given and counts as 0.*MuJoCo holds the joint to nothing/],
    ['lower="-2"', [-2, 0], /upper is not given and counts as 0.*MuJoCo holds the joint to nothing/],
    ['lower="2"', undefined, /lower below upper, got 2 and 0; the joint moves freely/],
    ['lower="1" upper="-1"', undefined, /lower below upper, got 1 and -1; the joint moves freely/],
    ['lower="0" upper="0"', undefined, /lower below upper, got 0 and 0; the joint moves freely/],
    ['lower="1" upper="1"', undefined, /lower below upper, got 1 and 1; the joint moves freely/],
  ])('%s is named, for it means something else to URDF or to nobody', (limit, limits, why) => {
    const spec = parseUrdf(robot(limit))
    expect(jointOf(spec).limits).toEqual(limits)
    expect(spec.ignored).toMatchObject([{ what: "range of joint 'j'", why: expect.stringMatching(why) }])
  })

  test.each(['continuous', 'planar', 'floating'])('on a %s joint is named, zeros and endless ones are not', (type) => {
    for (const limit of ['lower="-1" upper="1"', 'lower="-3.15" upper="3.15"', 'upper="1"']) {
      const spec = parseUrdf(robot(limit, type))
      expect(jointOf(spec).limits).toBeUndefined()
      expect(spec.ignored).toMatchObject([{ what: "range of joint 'j'" }])
    }
    for (const limit of ['lower="0" upper="0"', 'lower="-1e16" upper="1e16"', '']) {
      expect(parseUrdf(robot(limit, type)).ignored).toEqual([])
    }
  })

  test.each([
    ['lower="-1" upper="2"', 'revolute', [true, true]],
    ['lower="-1" upper="inf"', 'revolute', [true, false]],
    ['upper="2"', 'revolute', [false, false]],
    ['lower="-2"', 'revolute', [false, false]],
    ['lower="0" upper="0"', 'revolute', [false, false]],
    ['lower="1" upper="-1"', 'revolute', [false, false]],
    ['lower="-1" upper="1"', 'continuous', [true, true]],
    ['upper="1"', 'continuous', [false, false]],
    ['lower="-1" upper="1"', 'planar', [true, true]],
    ['lower="-1" upper="1"', 'floating', [false, false]],
  ] as const)('%s on a %s joint is to MuJoCo what the lines above say', async (limit, type, held) => {
    expect(await heldByMujoco(robot(limit, type))).toEqual(held)
  })

  test('effort and velocity without end bind nothing', () => {
    const text = robot('lower="-1" upper="1"').replace('effort="3" velocity="2"', 'effort="inf" velocity="Infinity"')
    expect(jointOf(parseUrdf(text))).not.toHaveProperty('forceRange')
    expect(jointOf(parseUrdf(text))).not.toHaveProperty('velocityLimit')
    expect(jointOf(parseUrdf(robot('')))).toMatchObject({ forceRange: [-3, 3], velocityLimit: 2 })
  })
})

describe('a joint that MuJoCo lets pass', () => {
  const inJoint = (part: string) => parseUrdf(robot('lower="-1" upper="1"').replace('<axis', `${part}<axis`))

  test('has no speed where that is no number, and it is said', () => {
    const spec = parseUrdf(robot('lower="-1" upper="1"').replace('velocity="2"', 'velocity="fast"'))
    expect(jointOf(spec)).toEqual({ name: 'j', type: 'revolute', axis: [0, 1, 0], limits: [-1, 1], forceRange: [-3, 3] })
    expect(spec.ignored).toMatchObject([{ what: "velocity limit of joint 'j'", why: expect.stringContaining("got 'fast'") }])
  })

  test('follows nobody where it names nobody, and it is said', () => {
    const spec = inJoint('<mimic joint=""/>')
    expect(spec).not.toHaveProperty('constraints')
    expect(spec.ignored).toMatchObject([{ what: "mimic of joint 'j'", why: expect.stringMatching(/affects motion/) }])
  })

  test('is called after its link where its name is empty', () => {
    expect(jointOf(parseUrdf(robot('').replace('name="j"', 'name=""'))).name).toBe('to arm')
    expect(() => parseUrdf(robot('').replace('name="j"', ''))).toThrow(/expected name="…" on joint/)
  })
})

test('a flag that takes gravity away takes it away, others that change the motion are named', () => {
  const flagged = (flags: string) =>
    parseUrdf(robot('').replace('<link', `<mujoco><option gravity="0 0 -3"><flag ${flags}/></option></mujoco><link`))
  expect(flagged('gravity="disable"')).toMatchObject({ gravity: [0, 0, 0], ignored: [] })
  expect(flagged('gravity="enable"')).toMatchObject({ gravity: [0, 0, -3], ignored: [] })
  expect(flagged('damper="disable" contact="disable"').ignored).toMatchObject([
    { what: 'flag damper="disable"', why: expect.stringMatching(/affects motion/) },
    { what: 'flag contact' },
  ])
})
