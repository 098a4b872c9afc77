/** Tendons over sites and geoms, read and written, as MuJoCo takes them. */
import { describe, expect, test } from 'vitest'
import { createOracle } from '../../../../test/oracles/mujoco.js'
import { buildModel } from '../../../build/build-model.js'
import { writeMjcf } from '../../write/mjcf/write-mjcf.js'
import { parseMjcf } from '../parse-mjcf.js'

const arm = (tendons: string, rest = '') => `<mujoco><worldbody><site name="wall" pos="0 0 .5"/>
  <body pos=".1 0 0"><joint name="shoulder" axis="0 1 0"/><geom size=".04 .1" type="capsule"/><site name="near" pos=".05 0 .1"/>
    <site name="twin" pos=".05 0 .1"/><geom name="roller" type="cylinder" size=".02 .05" pos=".1 0 0"/>
    <body pos="0 0 -.3"><joint name="elbow" axis="1 0 0"/><geom size=".05 .1" type="capsule"/><site name="far" pos=".05 0 .1"/></body>
  </body></worldbody><tendon>${tendons}</tendon>${rest}</mujoco>`

describe('one site twice in a tendon', () => {
  const twice = (between: string) => arm(`<spatial><site site="near"/>${between}<site site="near"/><site site="far"/></spatial>`)

  test('is taken with a geom between, as in MuJoCo', async () => {
    const text = twice('<geom geom="roller"/>')
    const oracle = await createOracle(text)
    expect(buildModel(parseMjcf(text)).nv).toBe(oracle.nv)
    oracle.free()
  })

  test('is refused in a row, as in MuJoCo', async () => {
    await expect(createOracle(twice(''))).rejects.toThrow(/repeated/)
    expect(() => parseMjcf(twice(''))).toThrow(/another site than the one before/)
  })

  test('at one point is written as two sites, which both read again', async () => {
    const { text } = writeMjcf(
      parseMjcf(arm('<spatial stiffness="3"><site site="wall"/><site site="near"/><site site="twin"/><site site="far"/></spatial>')),
    )
    ;(await createOracle(text)).free()
    expect(parseMjcf(text).tendons?.[0]?.path).toHaveLength(4)
  })
})
