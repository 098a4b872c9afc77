/** The first hour with a model and no options: energy is kept, robots stand, what cannot work is told before it happens. */
import { fileURLToPath } from 'node:url'
import { buildModel, createData, createSimulation, energy, type Model, parseMjcf, type Simulation, solvers, withoutFooting } from 'limber'
import { loadSpec } from 'limber/node'
import { describe, expect, it } from 'vitest'

const read = (world: string, rest = '', option = ''): Model =>
  buildModel(parseMjcf(`<mujoco><compiler angle="radian"/><option ${option}/><worldbody>${world}</worldbody>${rest}</mujoco>`))

const link = (child: string, place = '0.5 0 0', joint = 'axis="0 1 0"'): string =>
  `<body pos="${place}"><joint ${joint}/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03"/>${child}</body>`
const pendulum = link(link(''), '0 0 2')
const chain = Array.from({ length: 12 }, (_, k) => k).reduceRight(
  (child, k) => link(child, k === 0 ? '0 0 9' : '0.5 0 0', k % 2 === 0 ? 'axis="0 1 0"' : 'axis="0 0 1"'),
  '',
)
const silent = (world: string): string => world.replaceAll('<geom', '<geom contype="0" conaffinity="0"')
const ground = '<geom name="floor" type="plane" size="5 5 0.1"/>'
const robot = (name: string): string => fileURLToPath(new URL(`../robots/${name}.xml`, import.meta.url))

/** The largest change of the energy in ten seconds, against the largest kinetic energy. */
function drift(simulation: Simulation): number {
  const { model, state } = simulation
  const data = createData(model)
  const look = () => energy(model, data, state)
  const first = look()
  let most = first.kinetic
  let worst = 0
  while (state.t < 10 - 1e-9) {
    expect(simulation.advance(0.1).status).toBe('ok')
    const { kinetic, potential } = look()
    most = Math.max(most, kinetic)
    worst = Math.max(worst, Math.abs(kinetic + potential - first.kinetic - first.potential))
  }
  return worst / most
}

describe('auto', () => {
  it('keeps the energy of a double pendulum with shapes at the default step, whatever is near', () => {
    // out of reach, within reach but not met, and with nothing at all
    for (const others of [
      '',
      ground,
      '<geom type="box" size="0.1 0.1 0.1" pos="0 3 2.4"/>',
      '<body pos="9 9 9"><freejoint/><geom size="0.1"/></body>',
    ]) {
      const flying = others.includes('freejoint')
      const model = read(pendulum + others, '', flying ? 'gravity="0 0 -9.81"' : '')
      expect(drift(createSimulation(model))).toBeLessThan(1e-3)
    }
  })

  it.each([0.002, 0.01, 0.02, 0.05])('keeps the energy of mechanisms without contact, limits and stiffness at steps of %s s', (step) => {
    const option = `timestep="${step}"`
    const spring = `<body pos="0 0 1"><joint type="slide" axis="1 0 0" stiffness="${(0.4 / step) ** 2}" ref="0.1" springref="0"/><geom size="0.0620350490899" contype="0" conaffinity="0"/></body>`
    for (const world of [silent(pendulum), silent(chain), spring]) {
      const simulation = createSimulation(read(world, '', option))
      expect(simulation.solver.name).toBe('ode')
      if (world === spring) simulation.state.q[0] = 0.3
      expect(drift(simulation)).toBeLessThan(1e-3)
    }
    // a box that tumbles about its middle axis
    const tumbling = createSimulation(
      read('<body><freejoint/><geom type="box" size="0.3 0.2 0.1"/></body>', '', `${option} gravity="0 0 0"`),
    )
    tumbling.state.v.set([0.1, 40, 0.1])
    expect(drift(tumbling)).toBeLessThan(1e-3)
  })

  it('says which solver it takes and why', () => {
    expect(createSimulation(read(pendulum)).why).toMatch(/^ode: nothing in the model needs an implicit step/)
    expect(createSimulation(read(`${ground}<body pos="0 0 1"><freejoint/><geom size="0.1"/></body>`)).why).toMatch(
      /^redmax: .*shapes that may touch/,
    )
    expect(createSimulation(read(pendulum), { solver: 'position' }).why).toBe('position: it was asked for')
  })

  it('runs a servo arm with kp 1e4 at 2 ms', () => {
    const arm = link(link('', '0.5 0 0', 'name="elbow" axis="0 1 0"'), '0 0 2', 'name="shoulder" axis="0 1 0"')
    const servo = ['shoulder', 'elbow'].map((joint) => `<position joint="${joint}" kp="1e4" kv="100"/>`).join('')
    const simulation = createSimulation(read(arm, `<actuator>${servo}</actuator>`))
    simulation.state.control.set([0.3, -0.6])
    expect(simulation.advance(2).status).toBe('ok')
    expect(simulation.solver.name).toBe('redmax')
    expect(simulation.state.q[0]).toBeCloseTo(0.3, 1)
    expect(simulation.state.q[1]).toBeCloseTo(-0.6, 1)
    expect(Math.max(...simulation.state.v.map(Math.abs))).toBeLessThan(1e-3)
  })
})

describe.each(Object.keys(solvers))('under %s', (solver) => {
  it('a ball bounces by one line', () => {
    const model = read('<body pos="0 0 1"><freejoint/><geom size="0.1" contype="0" conaffinity="0"/></body>')
    const simulation = createSimulation(model, { solver })
    const { state } = simulation
    const tops: number[] = [0]
    for (let k = 0; k < 1500; k++) {
      expect(simulation.step().status).toBe('ok')
      if (state.q[2] < 0.1 && state.v[5] < 0) {
        state.v[5] *= -0.8
        tops.push(0)
      }
      tops[tops.length - 1] = Math.max(tops[tops.length - 1] ?? 0, state.q[2])
    }
    // each top is 0.64 of the one before, above the ground; first-order solvers are late by a step at each bounce
    expect(tops.length).toBeGreaterThan(3)
    for (const k of [1, 2]) expect((tops[k] - 0.1) / (tops[k - 1] - 0.1)).toBeCloseTo(0.64, 1)
  })

  it('a body is teleported and kicked by one line each', () => {
    const model = read('<body pos="0 0 1"><freejoint/><geom size="0.1" contype="0" conaffinity="0"/></body>', '', 'gravity="0 0 0"')
    const simulation = createSimulation(model, { solver })
    simulation.step()
    simulation.state.q[0] = 5
    simulation.step()
    expect(simulation.state.q[0]).toBeCloseTo(5, 12)
    simulation.state.v[3] += 2
    simulation.advance(1)
    expect(simulation.state.q[0]).toBeCloseTo(7, 9)
  })
})

describe('robots', () => {
  it.each(['quadruped', 'humanoid'])('a %s stands ten seconds at its keyframe in three lines', (name) => {
    const simulation = createSimulation(buildModel(loadSpec(robot(name))))
    simulation.reset(simulation.model.keyframes[0])
    const report = simulation.advance(10)

    expect(report.status).toBe('ok')
    const { q, v } = simulation.state
    const start = simulation.model.keyframes[0].q
    expect(Math.abs(q[2] - start[2])).toBeLessThan(0.02)
    // upright, and at rest
    expect(q[3]).toBeGreaterThan(0.999)
    expect(Math.max(...v.map(Math.abs))).toBeLessThan(1e-2)
    expect(simulation.warnings()).toEqual([])
  })
})

describe('a mechanism that will fall is told so', () => {
  const ball = (geom: string, pos = '0 0 1'): string => `<body name="ball" pos="${pos}"><freejoint/><geom size="0.1" ${geom}/></body>`
  const told = (world: string, rest = '', option = ''): string => withoutFooting(read(world, rest, option)).join('\n')

  it.each([
    ['no shape of it touches', ground + ball('contype="0" conaffinity="0"'), /^'ball' will fall: it has no shape that can touch/],
    ['there is no ground', ball(''), /^'ball' will fall: there is no ground/],
    [
      'the ground does not touch',
      `<geom type="plane" size="1 1 1" contype="0" conaffinity="0"/>${ball('')}`,
      /there is no ground that can touch/,
    ],
    ['bits keep them apart', ground.replace('/>', ' contype="2" conaffinity="2"/>') + ball(''), /none of its shapes may touch the ground/],
    ['there are more of them', ball('') + ball('').replace('"ball"', '"other"'), /^'ball' \(and 1 more\) will fall/],
  ])('%s', (_, world, message) => {
    expect(told(world)).toMatch(message)
    // the most important first, and once
    const warnings = createSimulation(read(world)).warnings()
    expect(warnings[0]).toMatch(message)
    expect(new Set(warnings).size).toBe(warnings.length)
  })

  it('and one that will not is left in peace', () => {
    expect(told(ground + ball(''))).toBe('')
    expect(told(ball(''), '', 'gravity="0 0 0"')).toBe('')
    expect(told(ball(''), '<equality><connect body1="ball" anchor="0 0 0"/></equality>')).toBe('')
    expect(told(pendulum)).toBe('')
    // it stands on what stands on the ground
    const stack = `${ground.replace('/>', ' contype="2" conaffinity="2"/>')}<body name="table" pos="0 0 0.5"><freejoint/><geom size="0.3" contype="3" conaffinity="3"/></body>`
    expect(told(stack + ball(''))).toBe('')
  })
})

describe('warnings', () => {
  const world = `${ground}<body name="ball" pos="0 0 1"><freejoint/><geom size="0.1"/><site name="a"/></body><body pos="1 0 1"><joint name="j" range="-1 1" limited="true" stiffness="1 2"/><geom size="0.1"/></body>`

  it('tell in the library what the file asks for and does not get', () => {
    const model = read(world)
    expect(model.notes.join('\n')).toMatch(/terms of stiffness beyond the linear one \(.*\): affects motion/)
    const warnings = createSimulation(model).warnings()
    expect(warnings.join('\n')).toMatch(/affects motion/)
    expect(new Set(warnings).size).toBe(warnings.length)
    // what the solver leaves out comes before
    const lists = createSimulation(model, { solver: 'ode' }).warnings()
    expect(lists.findIndex((x) => x.includes('left out by ode'))).toBeLessThan(lists.findIndex((x) => x.includes('affects motion')))
  })
})

it('a step longer than the time to advance is made shorter', () => {
  for (const solver of ['auto', ...Object.keys(solvers)]) {
    const simulation = createSimulation(read(pendulum), { solver, timestep: 0.5 })
    expect(simulation.advance(0.01).status).toBe('ok')
    expect(simulation.state.t).toBe(0.01)
    expect(simulation.state.v[0]).not.toBe(0)
    simulation.advance(1e-12)
    expect(simulation.state.t).toBeGreaterThan(0.01)
  }
})
