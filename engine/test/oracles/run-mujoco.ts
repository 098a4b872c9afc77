/**
 * A model in MuJoCo with everything on, at a state of Limber's: what it measures, and where a step takes it.
 */
import type { MjData, MjModel } from '@mujoco/mujoco'
import type { State } from 'limber'
import { mujoco, toLimber, toMujoco } from './mujoco.js'

export interface Machine {
  readonly model: MjModel
  readonly data: MjData
  /** takes over q, v, control, act and tau, and evaluates */
  forward(state: State): void
  step(): void
  /** coordinates and velocities in Limber's own order */
  read(): { q: Float64Array; v: Float64Array; act: Float64Array }
  /** what the sensors show, from place `at` on */
  sensor(at: number, count: number): number[]
  free(): void
}

export async function createMachine(text: string): Promise<Machine> {
  const mj = await mujoco()
  const model = mj.MjModel.from_xml_string(text) as MjModel
  const data = new mj.MjData(model)
  const free = Array.from({ length: model.njnt }, (_, j) => j)
    .filter((j) => (model.jnt_type as Int32Array)[j] === 0)
    .map((j) => ({
      name: '',
      type: 'free' as const,
      iq: (model.jnt_qposadr as Int32Array)[j],
      iv: (model.jnt_dofadr as Int32Array)[j],
    }))
  return {
    model,
    data,
    forward({ t, q, v, control, act, tau }) {
      data.time = t
      ;(data.qpos as Float64Array).set(q)
      ;(data.qvel as Float64Array).set(toMujoco(free, q, v))
      ;(data.qfrc_applied as Float64Array).set(toMujoco(free, q, tau))
      if (model.nu > 0) (data.ctrl as Float64Array).set(control)
      if (model.na > 0) (data.act as Float64Array).set(act)
      mj.mj_forward(model, data)
    },
    step() {
      mj.mj_step(model, data)
    },
    read() {
      const q = Float64Array.from(data.qpos as Float64Array)
      const act = model.na > 0 ? Float64Array.from(data.act as Float64Array) : new Float64Array(0)
      return { q, v: toLimber(free, q, data.qvel as Float64Array), act }
    },
    sensor: (at, count) => Array.from((data.sensordata as Float64Array).subarray(at, at + count)),
    free() {
      data.delete()
      model.delete()
    },
  }
}
