/**
 * Tendons around geoms against MuJoCo, at many states: lengths and rates, with every way to pass a geom met.
 */

import { readFileSync } from 'node:fs'
import { buildModel, createData, createState, parseMjcf, parseScene, readSensors, writeMjcf, writeScene } from 'limber'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.js'
import { createMachine } from './run-mujoco.js'

/** Issue K's figure. */
const AGREEMENT = 1e-8
const STATES = 300

const plain = readFileSync(new URL('./models/tendon-wrapping-sides.xml', import.meta.url), 'utf8')
const tendons = ['around left', 'around right', 'shorter', 'inside', 'pulleys', 'through']
const sensors = tendons.map((name) => `<tendonpos tendon="${name}"/><tendonvel tendon="${name}"/>`).join('')
const text = plain.replace('</mujoco>', `<sensor>${sensors}</sensor></mujoco>`)
const spec = parseMjcf(text)

describe('tendons around geoms', () => {
  it.each([
    ['as read', () => spec],
    ['after being written as MJCF and scene JSON', () => parseScene(writeScene(parseMjcf(writeMjcf(spec).text)))],
  ] as const)('have the lengths and rates of MuJoCo, %s', async (_, make) => {
    const model = buildModel(make())
    const machine = await createMachine(text)
    const data = createData(model)
    const out = new Float64Array(model.sensors.size)
    const met = new Set<string>()
    for (let seed = 1; seed <= STATES; seed++) {
      const draw = createRandom(seed)
      const state = createState(model)
      for (const { type, iq, nq } of model.joints) {
        for (let k = iq; k < iq + nq; k++) state.q[k] += draw.spread(type === 'revolute' ? 3 : 0.3)
        if (nq >= 4) state.q.set(draw.quat(), iq + nq - 4)
      }
      state.v.set(draw.array(model.nv, 2))
      machine.forward(state)
      readSensors(model, data, state, out)
      const theirs = machine.sensor(0, model.sensors.size)
      theirs.forEach((x, k) => {
        expect(Math.abs(out[k] - x), `number ${k} of ${model.sensors.names[k]}, seed ${seed}`).toBeLessThan(
          AGREEMENT * Math.max(1, Math.abs(x)),
        )
      })
      // points of the path as MuJoCo has them: more of them where it goes round
      for (let k = 0; k < tendons.length; k++) met.add(`${tendons[k]} ${(machine.data.ten_wrapnum as Int32Array)[k]}`)
    }
    machine.free()
    // with and without each geom
    expect([...met].toSorted()).toEqual(
      expect.arrayContaining(['around left 2', 'around left 4', 'inside 3', 'inside 5', 'inside 7', 'through 2', 'through 4']),
    )
  })
})
