/** One document in MuJoCo and under the solver `implicit`, step by step from the same start. */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { expect } from 'vitest'

/** q after each step; the first entry is the start. */
export type Course = readonly Float64Array[]

export interface Run {
  readonly seconds: number
  /** inputs of the actuators, the same all the time */
  readonly control?: readonly number[]
  /** seconds; default: that of the document */
  readonly timestep?: number
}

/**
 * m, and parts of a unit quaternion: both engines solve the same convex problem by the same step, so that rounding is what is left, which a
 * second of tumbling amplifies; MuJoCo keeps vertices of meshes in single precision.
 */
export const SAME = 1e-7

/** of the solver, far below every difference that the tests look at */
const TOLERANCE = 1e-9

export function inMujoco(module: MainModule, text: string, { seconds, control = [], timestep }: Run): Course {
  const model = module.MjModel.from_xml_string(text)
  const data = new module.MjData(model)
  try {
    // all iterations that it allows
    model.opt.tolerance = 0
    if (timestep !== undefined) model.opt.timestep = timestep
    if (model.nkey > 0) module.mj_resetDataKeyframe(model, data, 0)
    const inputs = data.ctrl as Float64Array
    inputs.set(control)
    const course = [Float64Array.from(data.qpos as Float64Array)]
    const steps = Math.round(seconds / model.opt.timestep)
    for (let k = 0; k < steps; k++) {
      module.mj_step(model, data)
      course.push(Float64Array.from(data.qpos as Float64Array))
    }
    return course
  } finally {
    data.delete()
    model.delete()
  }
}

export function inLimber(text: string, { seconds, control = [], timestep }: Run): Course {
  const model = buildModel(parseMjcf(text))
  const options = { tolerance: TOLERANCE, iterations: 100, timestep: timestep ?? model.timestep }
  const simulation = createSimulation(model, { solver: 'implicit', ...options })
  if (model.keyframes.length > 0) simulation.reset(model.keyframes[0])
  simulation.state.control.set(control)
  const course = [simulation.state.q.slice()]
  const steps = Math.round(seconds / simulation.timestep)
  for (let k = 0; k < steps; k++) {
    const { status, message } = simulation.step()
    if (status !== 'ok') expect.fail(`t = ${simulation.state.t}: ${message || status}`)
    course.push(simulation.state.q.slice())
  }
  return course
}

/** Largest difference of a coordinate over all steps. */
export function apart(a: Course, b: Course): number {
  let most = 0
  for (const [k, q] of a.entries()) for (const [n, x] of q.entries()) most = Math.max(most, Math.abs(x - b[k][n]))
  return most
}

/** Both engines take the same course. Returns MuJoCo's. */
export function agree(module: MainModule, text: string, run: Run, within = SAME): Course {
  const theirs = inMujoco(module, text, run)
  expect(apart(inLimber(text, run), theirs)).toBeLessThan(within)
  return theirs
}

/** A course without its error of first order in the step: 2 q(h/2) − q(h), at the steps of h. */
function extrapolated(course: (timestep: number) => Course, h: number): Course {
  const fine = course(h / 2)
  return course(h).map((q, k) => q.map((x, n) => 2 * fine[2 * k][n] - x))
}

/** Both engines have the same limit as the step becomes smaller, as far as two courses each show it. Returns MuJoCo's. */
export function agreeInTheLimit(module: MainModule, text: string, run: Run, h: number, within: number): Course {
  const theirs = extrapolated((timestep) => inMujoco(module, text, { ...run, timestep }), h)
  expect(
    apart(
      extrapolated((timestep) => inLimber(text, { ...run, timestep }), h),
      theirs,
    ),
  ).toBeLessThan(within)
  return theirs
}

export interface Scene {
  /** attributes of <option>, of the geom, of the plane */
  readonly option?: string
  readonly geom: string
  readonly plane?: string
  /** further elements of the world, of the document */
  readonly world?: string
  readonly more?: string
  /** qpos and qvel of the body at the start */
  readonly q: string
  readonly v?: string
}

/** A free body with one geom, called 'geom', above the plane 'floor'. */
export function bodyOnPlane({ option = '', geom, plane = '', world = '', more = '', q, v = '0 0 0 0 0 0' }: Scene): string {
  return `<mujoco><compiler angle="radian"/><option ${option}/>
    <worldbody><geom name="floor" type="plane" size="0 0 1" ${plane}/>${world}<body name="body"><freejoint/><geom name="geom" ${geom}/></body></worldbody>
    ${more}<keyframe><key qpos="${q}" qvel="${v}"/></keyframe></mujoco>`
}
