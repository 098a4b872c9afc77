/**
 * Every kind of sensor against MuJoCo, at random states; and in motion, where things touch.
 */
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  type Model,
  parseMjcf,
  parseScene,
  readSensors,
  type State,
  sensorKinds,
  writeMjcf,
  writeScene,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.js'
import { createMachine } from './run-mujoco.js'

/** Issue K's figure, against numbers of the size of what is shown. */
const AGREEMENT = 1e-8

const ROBOT = `<mujoco>
  <option magnetic=".2 -.4 .3"><flag contact="disable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1" pos="0 0 -1.5"/>
    <geom name="wall" type="box" size=".1 1 1" pos="1.2 0 0"/>
    <geom type="sphere" size=".3" pos="-1 .3 .2"/><geom type="capsule" size=".2 .4" pos="0 1.2 0" euler="20 10 0"/>
    <geom type="cylinder" size=".2 .3" pos="0 -1.3 .1" euler="10 60 0"/><geom type="ellipsoid" size=".3 .2 .4" pos=".2 .2 1.6"/>
    <site name="fixed" pos=".3 .1 .2" euler="10 20 30"/>
    <body name="base" pos="0 0 .5" euler="5 10 15"><freejoint/>
      <inertial pos=".02 .01 -.03" quat=".9 .1 .3 -.2" mass="3" diaginertia=".05 .04 .03"/>
      <geom name="trunk" type="box" size=".1 .15 .05" pos=".01 0 .02" euler="0 15 0"/>
      <site name="imu" pos=".05 -.02 .04" euler="30 -20 50"/>
      <body name="arm" pos=".1 0 0"><joint name="hinge" axis="0 1 .3" range="-20 30"/><joint name="slide" type="slide" axis="1 0 .2" range="-.05 .08" pos="0 .1 0"/>
        <inertial pos="0 .02 -.1" mass="1.2" fullinertia=".02 .03 .025 .001 -.002 .003"/><geom type="capsule" fromto="0 0 0 0 0 -.3" size=".03"/>
        <site name="wrist" pos="0 .01 -.25" euler="15 25 -35"/>
        <body name="hand" pos="0 0 -.3"><geom name="palm" size=".05"/><site name="grip" pos=".02 .03 -.04" euler="-10 5 80"/>
          <body name="ball" pos="0 0 -.1"><joint name="ball" type="ball" range="0 40"/><geom type="box" size=".04 .03 .06"/><site name="tip" pos=".02 0 -.1" euler="0 80 10"/></body></body></body>
    </body>
  </worldbody>
  <tendon><spatial name="line" limited="true" range=".1 .3"><site site="imu"/><geom geom="palm"/><site site="tip"/></spatial><fixed name="sum" limited="true" range="-.1 .1"><joint joint="hinge" coef=".3"/><joint joint="slide" coef="2"/></fixed></tendon>
  <actuator><motor name="push" joint="hinge" gear="3"/><position name="servo" joint="slide" kp="40" kv="2" forcerange="-3 3"/><motor name="pull" tendon="line" gear="2"/><motor name="pull2" tendon="line"/>
    <general name="lag" joint="slide" dyntype="filter" dynprm=".1" gainprm="4"/></actuator>
  <sensor>
    <touch name="touch" site="tip"/><accelerometer name="acc" site="imu"/><accelerometer name="acc2" site="tip" cutoff="3"/><accelerometer name="acc0" site="fixed"/>
    <velocimeter name="speed" site="tip"/><gyro name="gyro" site="imu"/><gyro site="tip" name="gyro2" cutoff=".5"/>
    <force name="force" site="wrist"/><torque name="torque" site="wrist"/><force name="force2" site="tip"/><torque name="torque2" site="grip"/>
    <magnetometer name="north" site="imu"/>
    <rangefinder name="range" site="imu"/><rangefinder name="range2" site="wrist"/><rangefinder name="range3" site="grip"/><rangefinder name="range4" site="tip" cutoff=".6"/><rangefinder name="range5" site="fixed"/>
    <jointpos name="jp" joint="hinge"/><jointvel name="jv" joint="slide"/><jointactuatorfrc name="jf" joint="slide"/>
    <ballquat name="bq" joint="ball"/><ballangvel name="bv" joint="ball"/>
    <jointlimitpos name="jlp" joint="hinge"/><jointlimitvel name="jlv" joint="hinge"/><jointlimitpos name="slp" joint="slide"/><jointlimitvel name="slv" joint="slide"/><jointlimitpos name="blp" joint="ball"/><jointlimitvel name="blv" joint="ball"/>
    <tendonpos name="tp" tendon="line"/><tendonvel name="tv" tendon="line"/><tendonactuatorfrc name="tf" tendon="line"/>
    <tendonlimitpos name="tlp" tendon="line"/><tendonlimitvel name="tlv" tendon="line"/><tendonlimitpos name="flp" tendon="sum"/><tendonlimitvel name="flv" tendon="sum"/>
    <actuatorpos name="ap" actuator="servo"/><actuatorvel name="av" actuator="pull"/><actuatorfrc name="af" actuator="servo"/><actuatorfrc name="af2" actuator="lag"/><actuatorfrc name="af3" actuator="push" cutoff="1"/>
    <framepos name="fp1" objtype="body" objname="base"/><framepos name="fp2" objtype="xbody" objname="hand"/><framepos name="fp3" objtype="geom" objname="trunk" reftype="site" refname="tip"/><framepos name="fp4" objtype="site" objname="tip" reftype="body" refname="arm"/>
    <framequat name="fq1" objtype="body" objname="base"/><framequat name="fq2" objtype="site" objname="tip" reftype="geom" refname="trunk"/><framequat name="fq3" objtype="xbody" objname="arm" reftype="xbody" refname="base"/>
    <framexaxis name="fx" objtype="site" objname="tip"/><frameyaxis name="fy" objtype="body" objname="base" reftype="site" refname="grip"/><framezaxis name="fz" objtype="geom" objname="trunk"/>
    <framelinvel name="fl1" objtype="body" objname="arm"/><framelinvel name="fl2" objtype="site" objname="tip" reftype="site" refname="imu"/><framelinvel name="fl3" objtype="xbody" objname="base" reftype="site" refname="fixed"/>
    <frameangvel name="fa1" objtype="geom" objname="palm"/><frameangvel name="fa2" objtype="site" objname="tip" reftype="body" refname="base"/>
    <framelinacc name="la1" objtype="body" objname="arm"/><framelinacc name="la2" objtype="site" objname="tip"/><frameangacc name="aa1" objtype="xbody" objname="base"/><frameangacc name="aa2" objtype="site" objname="tip"/>
    <subtreecom name="sc" body="arm"/><subtreelinvel name="sl" body="base"/><subtreeangmom name="sm" body="base"/><subtreeangmom name="sm2" body="arm"/>
    <e_kinetic name="ek"/><clock name="clock"/>
  </sensor>
</mujoco>`

/** jointlimitfrc is a force of constraints, which an evaluation of the tree does not have. */
const IN_MOTION = ['jointlimitfrc', 'e_potential']

const spec = parseMjcf(ROBOT)
const model = buildModel(spec)

function randomState(m: Model, seed: number): State {
  const draw = createRandom(seed)
  const state = createState(m)
  for (const { type, iq, nq } of m.joints) {
    const at = type === 'free' ? iq + 3 : iq
    for (let k = iq; k < iq + nq; k++) state.q[k] += draw.spread(0.5)
    if (nq >= 4) state.q.set(draw.quat(), at)
  }
  state.v.set(draw.array(m.nv, 2))
  state.control.set(draw.array(m.nu, 1))
  state.act.set(draw.array(m.na, 1))
  state.tau.set(draw.array(m.nv, 0.5))
  state.t = draw.unit()
  return state
}

/** Largest difference of what a sensor shows, relative where numbers are large; a quaternion and its opposite are one. */
function difference(type: string, a: readonly number[], b: readonly number[]): number {
  const sign = /quat/.test(type) && a.reduce((sum, x, k) => sum + x * b[k], 0) < 0 ? -1 : 1
  return Math.max(...a.map((x, k) => Math.abs(sign * x - b[k]) / Math.max(1, Math.abs(b[k]))))
}

async function compare(m: Model, text: string, seeds: number): Promise<Map<string, { worst: number; shown: boolean }>> {
  const machine = await createMachine(text)
  // limits are sensors here, not forces
  const found = new Map<string, { worst: number; shown: boolean }>()
  const data = createData(m)
  const out = new Float64Array(m.sensors.size)
  for (let seed = 1; seed <= seeds; seed++) {
    const state = randomState(m, seed)
    machine.forward(state)
    // the accelerations are taken from MuJoCo, which has limits in them
    const a = accelerations(machine.data.qacc as Float64Array, m, state)
    readSensors(m, data, state, out, { a })
    m.sensors.names.forEach((name, k) => {
      const type = sensorKinds[m.sensors.kind[k]].name
      const [from, to] = [m.sensors.start[k], m.sensors.start[k + 1]]
      const theirs = machine.sensor(from, to - from)
      const ours = Array.from(out.subarray(from, to))
      const before = found.get(name) ?? { worst: 0, shown: false }
      const worst = Math.max(before.worst, difference(type, ours, theirs))
      found.set(name, { worst, shown: before.shown || theirs.some((x) => x !== 0 && x !== -1) })
    })
  }
  machine.free()
  return found
}

/** MuJoCo's qacc of the one free joint, in body axes as Limber has it. */
function accelerations(qacc: Float64Array, m: Model, { q, v }: State): Float64Array {
  const a = Float64Array.from(qacc)
  const { iq, iv } = m.joints[0]
  const [w, x, y, z] = q.subarray(iq + 3, iq + 7)
  const R = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ]
  for (let r = 0; r < 3; r++) {
    const [s, t] = [(r + 1) % 3, (r + 2) % 3]
    a[iv + r] = qacc[iv + 3 + r]
    a[iv + 3 + r] = R[0][r] * qacc[iv] + R[1][r] * qacc[iv + 1] + R[2][r] * qacc[iv + 2]
    a[iv + 3 + r] -= v[iv + s] * v[iv + 3 + t] - v[iv + t] * v[iv + 3 + s]
  }
  return a
}

describe('sensors', () => {
  it('are read, every kind of them', () => {
    const used = new Set(Array.from(model.sensors.kind, (k) => sensorKinds[k].name))
    expect(sensorKinds.map(({ name }) => name).filter((name) => !used.has(name) && !IN_MOTION.includes(name))).toEqual([])
    expect(spec.ignored.filter(({ what }) => /sensor/.test(what))).toEqual([])
  })

  it('show what they show in MuJoCo', async () => {
    const found = await compare(model, ROBOT, 60)
    // the force of limits of tendons is one of constraints, and part of what is measured
    const free = ROBOT.replace('contact="disable"', 'contact="disable" limit="disable"')
    const loose = await compare(buildModel(parseMjcf(free)), free, 60)
    for (const name of found.keys()) if (/force|torque/.test(name)) found.set(name, loose.get(name) ?? { worst: 1, shown: false })
    const wrong = [...found].filter(([, { worst }]) => !(worst < AGREEMENT)).map(([name, { worst }]) => `${name}: ${worst}`)
    expect(wrong).toEqual([])
    // each of them had something to show
    const idle = [...found].filter(([name, { shown }]) => !shown && !['touch', 'acc0'].includes(name)).map(([name]) => name)
    expect(idle).toEqual([])
  })

  it.each([
    ['MJCF', () => writeMjcf(spec).text],
    ['scene JSON and MJCF', () => writeMjcf(parseScene(writeScene(spec))).text],
  ])('survive being written as %s', async (_, write) => {
    const text = write()
    const again = buildModel(parseMjcf(text))
    expect(again.sensors.names).toEqual(model.sensors.names)
    expect(again.sensors.kind).toEqual(model.sensors.kind)
    const state = randomState(model, 3)
    const [a, b] = [model, again].map((m) => {
      const out = new Float64Array(m.sensors.size)
      readSensors(m, createData(m), state, out)
      return out
    })
    for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-9 * Math.max(1, Math.abs(a[k])))
  })
})

describe('a simulation', () => {
  const BALL = `<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="2 2 .1"/>
    <body name="b" pos="0 0 .1"><freejoint/><geom type="sphere" size=".1" mass="2"/><site name="s" type="sphere" size=".11"/><site name="top" type="box" size=".02 .02 .02" pos="0 0 .1"/></body>
    <body name="d" pos="1 0 1"><joint name="stop" axis="0 1 0" range="-30 30"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".02" mass="1"/></body></worldbody>
    <sensor><touch name="under" site="s"/><touch name="above" site="top"/><accelerometer name="imu" site="s"/><framepos name="where" objtype="site" objname="s"/><jointlimitfrc name="held" joint="stop"/></sensor></mujoco>`

  it('shows weight and contact by name', () => {
    const simulation = createSimulation(buildModel(parseMjcf(BALL)), { solver: 'redmax' })
    simulation.advance(1)
    expect(simulation.sensor('under')[0]).toBeCloseTo(2 * 9.81, 2)
    expect(simulation.sensor('above')[0]).toBe(0)
    expect(simulation.sensor('where')[2]).toBeCloseTo(0.1, 3)
    // at rest an accelerometer shows what holds it up
    expect(simulation.sensor('imu')[2]).toBeCloseTo(9.81, 2)
    // and the bar lies on its limit, at 30° below the horizontal
    expect(simulation.sensor('held')[0]).toBeCloseTo(9.81 * 0.2 * Math.cos(Math.PI / 6), 1)
    expect(() => simulation.sensor('undr')).toThrow("sensor: expected the name of a sensor, got 'undr'; it has 'under'")
  })
})
