/** Laws that robots of the tests do not have, in lanes: a batch takes the course of a simulation alone, to the bit. */
import { buildModel, createBatch, createSimulation, parseMjcf } from 'limber'
import { describe, expect, it } from 'vitest'
import { bodyOnPlane } from './twins.js'

const THROWN = { q: '0 0 0.25 0.9 0.3 0.2 0.25', v: '1 0.5 0 1 2 3' }
const CASES: readonly (readonly [string, string])[] = [
  ['a capsule with pyramids', bodyOnPlane({ ...THROWN, geom: 'type="capsule" size="0.05 0.2" mass="1"' })],
  [
    'a rolling ellipsoid',
    bodyOnPlane({ ...THROWN, option: 'cone="elliptic"', geom: 'type="ellipsoid" size="0.1 0.15 0.2" mass="1" condim="6"' }),
  ],
  ['a cylinder on a tilted plane', bodyOnPlane({ ...THROWN, plane: 'euler="0.3 0 0"', geom: 'type="cylinder" size="0.1 0.1" mass="1"' })],
  ['a box without friction', bodyOnPlane({ ...THROWN, option: 'cone="elliptic"', geom: 'type="box" size="0.1 0.1 0.1" condim="1"' })],
  ['a box by a fractional power', bodyOnPlane({ ...THROWN, geom: 'type="box" size="0.1 0.1 0.1" solimp="0.5 0.9 0.02 0.3 2.5"' })],
  [
    'balls with limits',
    `<mujoco><compiler angle="radian"/><worldbody><body><joint type="ball" limited="true" range="0 0.7" frictionloss="0.01"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/><body pos="0.4 0 0"><joint type="ball" limited="true" range="0 0.5"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="0.5"/></body></body></worldbody>
      <keyframe><key qvel="0.5 0 3 0 0 -6"/></keyframe></mujoco>`,
  ],
]
const COUNT = 4
const STEPS = 200

describe('in lanes', () => {
  it.each(CASES)('%s moves as alone, to the bit', async (_, text) => {
    const model = buildModel(parseMjcf(text))
    const [start] = model.keyframes
    const batch = await createBatch(model, { count: COUNT, contact: true })
    const width = model.nq + model.nv
    const rows = new Float64Array(COUNT * width)
    for (let e = 0; e < COUNT; e++) {
      rows.set(start.q, e * width)
      // so that lanes differ
      rows.set(
        start.v.map((v) => v * (1 + 0.1 * e)),
        e * width + model.nq,
      )
    }
    batch.writeState(rows)
    batch.step(STEPS)
    const ends = batch.readState(new Float64Array(COUNT * width))
    batch.close()
    for (let e = 0; e < COUNT; e++) {
      const alone = createSimulation(model, { solver: 'implicit' })
      alone.reset({ q: start.q, v: start.v.map((v) => v * (1 + 0.1 * e)) })
      alone.step(STEPS)
      expect([...ends.subarray(e * width, (e + 1) * width)].map((x) => x + 0)).toEqual(
        [...alone.state.q, ...alone.state.v].map((x) => x + 0),
      )
    }
  })
})
