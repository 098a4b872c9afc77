/** Derivatives of steps by lanes of perturbed copies: those of MuJoCo, and those that predict what a simulation does. */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createLinearizer, createSimulation, difference, integrate, type Model, parseMjcf } from 'limber'
import { startThread } from 'limber/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { createRandom, held, modelOf, scattered, situations } from './robots.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

/** A leg on two slides and two hinges that presses its foot on the floor; one motor has a lag. */
const hopper = (q: string, v: string): string => `<mujoco><compiler angle="radian"/><option cone="elliptic" timestep="0.004"/>
  <worldbody><geom type="plane" size="0 0 1"/>
    <body pos="0 0 0.6"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom type="box" size="0.1 0.1 0.1" mass="3" contype="0" conaffinity="0"/>
      <body><joint name="hip" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="1" contype="0" conaffinity="0"/>
        <body pos="0 0 -0.3"><joint name="knee" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" mass="0.5"/></body>
      </body>
    </body></worldbody>
  <actuator><motor joint="hip" gear="3"/><general joint="knee" dyntype="filter" dynprm="0.05" gainprm="4"/></actuator>
  <keyframe><key qpos="${q}" qvel="${v}" ctrl="0.3 -0.5" act="0.2"/></keyframe></mujoco>`

const CASES = [
  ['in the air', hopper('0 0.2 0.2 -0.3', '0.5 0 1 -1')],
  ['on the floor, sliding', hopper('0 0.0125 0.3 -0.6', '2 -0.1 0.4 -0.2')],
  ['on the floor, sticking', hopper('0 0.0125 0.3 -0.6', '0 -0.2 0 0')],
] as const

function ofMujoco(text: string): { A: Float64Array; B: Float64Array } {
  const model = module.MjModel.from_xml_string(text)
  const data = new module.MjData(model)
  try {
    model.opt.tolerance = 0
    module.mj_resetDataKeyframe(model, data, 0)
    const nx = 2 * model.nv + model.na
    const [A, B] = [new module.DoubleBuffer(nx * nx), new module.DoubleBuffer(nx * model.nu)]
    const nothing = null as never
    module.mjd_transitionFD(model, data, 1e-6, true, A, B, nothing, nothing)
    return { A: Float64Array.from(A.GetView()), B: Float64Array.from(B.GetView()) }
  } finally {
    data.delete()
    model.delete()
  }
}

const farthest = (x: ArrayLike<number>, y: ArrayLike<number>): number => {
  expect(x.length).toBe(y.length)
  let most = 0
  for (let k = 0; k < x.length; k++) most = Math.max(most, Math.abs(x[k] - y[k]) / (1 + Math.abs(y[k])))
  return most
}

describe('A and B of a step', () => {
  // of numbers around 1: both take differences of 1e-6
  const SAME = 1e-4

  it.each(CASES)('%s are those of MuJoCo', async (_, text) => {
    const model = buildModel(parseMjcf(text))
    const linearizer = await createLinearizer(model, { count: 1 })
    expect([linearizer.nx, linearizer.nu, linearizer.copies]).toEqual([9, 2, 23])
    const [{ q, v, control, act }] = model.keyframes
    const { A, B, failures } = linearizer.linearize(Float64Array.of(...q, ...v), control, act)
    const theirs = ofMujoco(text)
    expect(failures).toEqual([])
    expect(farthest(A, theirs.A)).toBeLessThan(SAME)
    expect(farthest(B, theirs.B)).toBeLessThan(SAME)
    // the last row is that of the activation, which the second motor moves
    expect([A[80], B[17]]).toEqual([expect.closeTo(0.92, 6), expect.closeTo(0.08, 6)])
  })
})

const STATES = 4

/** Rows of states on the way of a robot that lands, and their controls. */
function trajectory(model: Model): { states: Float64Array; controls: Float64Array } {
  const { nq, nv } = model
  const states = new Float64Array(STATES * (nq + nv))
  const simulation = createSimulation(model, { solver: 'implicit' })
  simulation.reset({ q: scattered(model, 1, 2) })
  simulation.state.control.set(held(model, 1))
  for (let n = 0; n < STATES; n++) {
    simulation.step(20)
    states.set(simulation.state.q, n * (nq + nv))
    states.set(simulation.state.v, n * (nq + nv) + nq)
  }
  return { states, controls: held(model, STATES) }
}

describe('a trajectory of a quadruped', () => {
  const model = modelOf(situations['quadruped standing'])
  const { nq, nv, nu } = model
  const nx = 2 * nv
  const { states, controls } = trajectory(model)
  const row = (n: number): Float64Array => states.subarray(n * (nq + nv), (n + 1) * (nq + nv))

  it.each([1, 5])('is linearised as a simulation moves, %i steps at a time', async (times) => {
    const linearizer = await createLinearizer(model, { count: STATES, times })
    const { A, B, next, failures } = linearizer.linearize(states, controls)
    expect(failures).toEqual([])
    const random = createRandom(4)
    const after = (x: Float64Array, u: Float64Array): { q: Float64Array; v: Float64Array } => {
      const simulation = createSimulation(model, { solver: 'implicit', tolerance: 1e-10 })
      simulation.reset({ q: x.slice(0, nq), v: x.slice(nq) })
      simulation.state.control.set(u)
      simulation.step(times)
      return simulation.state
    }
    for (let n = 0; n < STATES; n++) {
      const from = after(row(n), controls.subarray(n * nu, (n + 1) * nu))
      expect([...next.subarray(n * (nq + nv), (n + 1) * (nq + nv))]).toEqual([...from.q, ...from.v])
      // a step aside by 1e-5, in all directions
      const dx = Float64Array.from({ length: nx }, () => 1e-5 * random())
      const du = Float64Array.from({ length: nu }, () => 1e-5 * random())
      const moved = row(n).slice()
      integrate(model, moved.subarray(0, nq), dx.subarray(0, nv), 1)
      for (let k = 0; k < nv; k++) moved[nq + k] += dx[nv + k]
      const to = after(
        moved,
        controls.subarray(n * nu, (n + 1) * nu).map((u, k) => u + du[k]),
      )
      const change = new Float64Array(nx)
      difference(model, change.subarray(0, nv), from.q, to.q)
      for (let k = 0; k < nv; k++) change[nv + k] = to.v[k] - from.v[k]
      let [off, size] = [0, 0]
      for (let r = 0; r < nx; r++) {
        let predicted = 0
        for (let k = 0; k < nx; k++) predicted += A[(n * nx + r) * nx + k] * dx[k]
        for (let k = 0; k < nu; k++) predicted += B[(n * nx + r) * nu + k] * du[k]
        off = Math.max(off, Math.abs(predicted - change[r]))
        size = Math.max(size, Math.abs(change[r]))
      }
      expect(off).toBeLessThan(2e-3 * size)
    }
  })

  it('has the same bits state by state, and on two threads', async () => {
    const linearizer = await createLinearizer(model, { count: STATES, threads: 2, startThread })
    const { A, B } = linearizer.linearize(states, controls)
    const alone = await createLinearizer(model, { count: 1 })
    for (let n = 0; n < STATES; n++) {
      const one = alone.linearize(row(n), controls.subarray(n * nu, (n + 1) * nu))
      expect(one.A).toEqual(A.slice(n * nx * nx, (n + 1) * nx * nx))
      expect(one.B).toEqual(B.slice(n * nx * nu, (n + 1) * nx * nu))
    }
    linearizer.close()
  })

  it('names the state that could not go on, and leaves the others', async () => {
    const linearizer = await createLinearizer(model, { count: STATES })
    const bad = states.slice()
    bad[2 * (nq + nv) + nq + 8] = 1e300
    const { A, failures } = linearizer.linearize(bad, controls)
    expect(failures).toHaveLength(1)
    expect(failures[0]).toMatch(/^state 2: .*joint 'front left knee'/)
    expect([A[2 * nx * nx], Number.isFinite(A[3 * nx * nx])]).toEqual([Number.NaN, true])
    await expect(createLinearizer(model, { count: 0 })).rejects.toThrow('count: expected a whole number of states from 1, got 0')
    await expect(createLinearizer(model, { cuont: 1 } as never)).rejects.toThrow("did you mean 'count'?")
  })
})
