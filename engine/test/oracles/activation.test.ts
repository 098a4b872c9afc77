/**
 * Actuators that follow their control with a lag, and muscles, against MuJoCo: forces at random states, and step by step.
 */
import {
  type Actuators,
  buildModel,
  createData,
  createSimulation,
  createState,
  forwardDynamics,
  leftOut,
  parseMjcf,
  solvers,
  writeMjcf,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.js'
import { createMachine } from './run-mujoco.js'

/** Issue K's figure; rounding is far below. */
const AGREEMENT = 1e-8

const ARM = `<mujoco>
  <option timestep="0.002" integrator="Euler"><flag eulerdamp="disable" contact="disable" limit="disable"/></option>
  <default><joint damping="0.05"/><geom density="800"/></default>
  <worldbody>
    <site name="high" pos="-.1 0 .4"/>
    <body name="upper"><joint name="shoulder" axis="0 1 0" range="-120 120"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".03"/><site name="in" pos=".03 0 -.2"/><geom name="bone" type="cylinder" size=".04 .1" euler="90 0 0" pos="0 0 -.3" density="0"/>
      <body name="lower" pos="0 0 -.3"><joint name="elbow" axis="0 1 0" range="-150 150"/><joint name="turn" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .05 0 -.3" size=".02"/><site name="out" pos=".04 .01 -.15"/><site name="tip" pos="0 0 -.3"/></body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="biceps"><site site="high"/><site site="in"/><geom geom="bone"/><site site="out"/></spatial>
    <fixed name="both"><joint joint="shoulder" coef=".04"/><joint joint="elbow" coef="-.03"/></fixed>
  </tendon>
  <actuator>
    <general name="plain" joint="shoulder" gainprm="2"/>
    <general name="sum" joint="shoulder" dyntype="integrator" gaintype="affine" gainprm="3 .1 .2" biastype="affine" biasprm="0 -3 -.1" actlimited="true" actrange="-.2 .3"/>
    <general name="slow" joint="elbow" dyntype="filter" dynprm=".03" gainprm="1.5" ctrlrange="-1 1"/>
    <general name="exact" joint="turn" dyntype="filterexact" dynprm=".05" gainprm=".4" gear="2" actearly="true"/>
    <general name="next" joint="elbow" dyntype="filter" dynprm=".02" gainprm=".5" actearly="true"/>
    <muscle name="flexor" tendon="biceps" lengthrange=".35 .85" force="20" timeconst=".02 .05" tausmooth=".1"/>
    <muscle name="scaled" tendon="both" lengthrange="-.1 .12" scale="30" range=".7 1.1" vmax="2" fpmax="1.1" fvmax="1.4" lmin=".6" lmax="1.5" gear="1.3"/>
    <muscle name="onjoint" joint="elbow" lengthrange="-2 2.5" scale="10" forcerange="-4 4"/>
    <general name="half" joint="shoulder" lengthrange="-1.5 1.6" dyntype="muscle" dynprm=".03 .06 .2" gaintype="muscle" gainprm=".8 1.1 5 100 .4 1.7 1.2 1.1 1.3" biastype="affine" biasprm=".1 -.2 -.05"/>
    <position name="servo" joint="turn" kp="2" kv=".1" timeconst=".04"/>
    <intvelocity name="drive" joint="shoulder" kp="4" kv=".1" actrange="-1 1"/>
    <cylinder name="pump" joint="elbow" timeconst=".1" area=".5" bias=".1 -.2 -.1"/>
    <general name="quiet" site="tip" gear="0 0 1 0 0 0" lengthrange="-1 1" dyntype="muscle" dynprm=".01 .04" gaintype="muscle" gainprm=".75 1.05 1 200 .5 1.6 1.5 1.3 1.2"/>
  </actuator>
  <keyframe><key name="bent" qpos=".2 .5 -.1" act=".1 .2 .3 .4 .5 .6 .7 .8 .9 .1 .2 .3" ctrl="1 0 0 0 0 0 0 0 0 0 0 0 0"/></keyframe>
</mujoco>`

const spec = parseMjcf(ARM)
const model = buildModel(spec)

function randomState(seed: number) {
  const draw = createRandom(seed)
  const state = createState(model)
  state.q.set(draw.array(model.nq, 1))
  state.v.set(draw.array(model.nv, 3))
  state.control.set(draw.array(model.nu, 1.3))
  state.act.set(draw.array(model.na, 0.5).map((x) => x + 0.4))
  return state
}

const largest = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Math.max(0, ...Array.from({ length: a.length }, (_, k) => Math.abs(a[k] - b[k])))

describe('activations', () => {
  it('are read with nothing left out but what is not the motion', () => {
    expect(model.na).toBe(12)
    expect(spec.ignored.filter(({ what }) => /actuator|key act/.test(what))).toEqual([])
    expect(Array.from(model.keyframes[0].act)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3])
  })

  it('give the accelerations of MuJoCo at random states', async () => {
    const machine = await createMachine(ARM)
    const data = createData(model)
    for (let seed = 1; seed <= 40; seed++) {
      const state = randomState(seed)
      machine.forward(state)
      forwardDynamics(model, data, state)
      const theirs = machine.data.qacc as Float64Array
      expect(largest(data.a, theirs), `seed ${seed}`).toBeLessThan(AGREEMENT * Math.max(1, ...theirs.map(Math.abs)))
    }
    machine.free()
  })

  it('go on as in MuJoCo, step by step', async () => {
    const machine = await createMachine(ARM)
    const simulation = createSimulation(model, { solver: 'ode', method: 'semi-implicit', timestep: 0.002 })
    simulation.reset(randomState(7))
    machine.forward(simulation.state)
    for (let k = 0; k < 100; k++) {
      for (let i = 0; i < model.nu; i++) {
        const u = Math.sin(0.13 * k + i)
        simulation.state.control[i] = u
        ;(machine.data.ctrl as Float64Array)[i] = u
      }
      simulation.step()
      machine.step()
      const { q, v, act } = machine.read()
      expect(largest(simulation.state.act, act), `act after ${k + 1}`).toBeLessThan(AGREEMENT)
      expect(largest(simulation.state.q, q), `q after ${k + 1}`).toBeLessThan(AGREEMENT)
      expect(largest(simulation.state.v, v), `v after ${k + 1}`).toBeLessThan(10 * AGREEMENT)
    }
    machine.free()
  })

  it('survive being written as MJCF and as a snapshot', async () => {
    const again = buildModel(parseMjcf(writeMjcf(spec).text))
    for (const key of [
      'dynamics',
      'activation',
      'times',
      'actRange',
      'early',
      'active',
      'passive',
      'lengthRange',
    ] as const satisfies (keyof Actuators)[])
      expect(largest(again.actuators[key], model.actuators[key]) || 0, key).toBeLessThan(1e-12)
    const simulation = createSimulation(model, { solver: 'ode', method: 'rk4' })
    simulation.reset(model.keyframes[0])
    simulation.step(5)
    const bytes = simulation.snapshot()
    simulation.step(5)
    const after = [...simulation.state.q, ...simulation.state.act]
    const other = createSimulation(model, { solver: 'ode', method: 'rk4' })
    other.restore(bytes)
    other.step(5)
    expect([...other.state.q, ...other.state.act]).toEqual(after)
  })
})

describe('every solver', () => {
  const names = Object.keys(solvers).filter((name) => solvers[name].refuses(model) === null && leftOut(model, solvers[name]).length === 0)

  it('is among those that take activations', () => {
    expect(names).toEqual(expect.arrayContaining(['ode', 'redmax', 'position', 'adaptive']))
  })

  it.each(names)('%s carries activations along', (name) => {
    const run = (h: number): Float64Array => {
      const simulation = createSimulation(model, { solver: name, timestep: h })
      simulation.reset({ q: Float64Array.of(0.2, 0.5, -0.1) })
      simulation.state.control.fill(0.3)
      expect(simulation.advance(0.05).message).toBe('')
      return Float64Array.of(...simulation.state.q, ...simulation.state.act)
    }
    const reference = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: 1e-4 })
    reference.reset({ q: Float64Array.of(0.2, 0.5, -0.1) })
    reference.state.control.fill(0.3)
    reference.advance(0.05)
    const wanted = Float64Array.of(...reference.state.q, ...reference.state.act)
    expect(largest(run(5e-4), wanted)).toBeLessThan(1e-2)
  })
})
