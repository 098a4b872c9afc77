/** `actuatorgravcomp`: the range of a joint holds for actuators and the compensation of gravity together, as in MuJoCo. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildModel } from '../build/build-model.js'
import { parseMjcf } from '../io/mjcf/parse-mjcf.js'
import { writeMjcf } from '../io/write/mjcf/write-mjcf.js'
import { createData } from '../model/data.js'
import { createState } from '../model/state.js'
import { forwardDynamics } from './dynamics.js'

let mujoco: MainModule
beforeAll(async () => {
  mujoco = (await loadMujoco()) as MainModule
}, 120_000)

const arm = (
  upper: string,
  lower: string,
  actuators = true,
) => `<mujoco><worldbody><body gravcomp="1"><joint name="a" axis="0 1 0" ${upper}/>
  <geom type="capsule" fromto="0 0 0 .5 .1 .1" size=".05"/><body pos=".5 .1 .1" gravcomp=".8"><joint name="b" axis="0 1 .2" ${lower}/>
  <geom type="capsule" fromto="0 0 0 .4 0 -.1" size=".04"/></body></body></worldbody>
  ${actuators ? '<actuator><motor joint="a" ctrlrange="-9 9"/><motor joint="b"/></actuator>' : ''}</mujoco>`

describe('the range of a joint', () => {
  it.each([
    ['cuts off what actuators and compensation sum up to', arm('actuatorgravcomp="true" actuatorfrcrange="-5 5"', '')],
    ['holds for actuators alone where compensation is passive', arm('actuatorfrcrange="-5 5"', 'actuatorfrcrange="-.2 .2"')],
    ['holds in each joint by itself', arm('actuatorfrcrange="-5 5"', 'actuatorgravcomp="true" actuatorfrcrange="-.5 .5"')],
    ['leaves no compensation where there is no actuator, as in MuJoCo', arm('actuatorgravcomp="true" actuatorfrcrange="-5 5"', '', false)],
  ])('%s', (_, text) => {
    const m = mujoco.MjModel.from_xml_string(text)
    const d = new mujoco.MjData(m)
    const model = buildModel(parseMjcf(text))
    const written = buildModel(parseMjcf(writeMjcf(parseMjcf(text)).text))
    for (const control of [-20, 1, 4]) {
      d.qpos.set([0.3, -0.4])
      d.qvel.set([0.5, 0.2])
      if (m.nu > 0) d.ctrl.set([control, control / 4])
      mujoco.mj_forward(m, d)
      for (const each of [model, written]) {
        const state = { ...createState(each), q: Float64Array.of(0.3, -0.4), v: Float64Array.of(0.5, 0.2) }
        if (each.nu > 0) state.control.set([control, control / 4])
        const data = createData(each)
        forwardDynamics(each, data, state)
        for (let k = 0; k < 2; k++) expect(data.a[k]).toBeCloseTo(d.qacc[k], 9)
      }
    }
    d.delete()
    m.delete()
  })
})
