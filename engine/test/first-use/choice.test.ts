/** `auto` by what a model can come to: shapes that may really touch, forces that are stiff for the step. */
import {
  buildModel,
  chooseSolver,
  createData,
  createSimulation,
  energy,
  leftOut,
  type Model,
  parseMjcf,
  type Simulation,
  solvers,
} from 'limber'
import { describe, expect, it } from 'vitest'

const read = (world: string, rest = '', step = 0.002): Model =>
  buildModel(
    parseMjcf(
      `<mujoco><compiler angle="radian"/><option timestep="${step}"/><worldbody>${world}</worldbody><actuator>${rest}</actuator></mujoco>`,
    ),
  )

const link = (child: string, joint = 'axis="0 1 0"', place = '0 0 -0.5'): string =>
  `<body pos="${place}"><joint ${joint}/><geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/>${child}</body>`
const pendulum = link(link(''), 'axis="0 1 0"', '0 0 2')

function total({ model, state }: Simulation): number {
  const { kinetic, potential } = energy(model, createData(model), state)
  return kinetic + potential
}

describe('shapes', () => {
  const far: [string, string][] = [
    ['of neighbours', ''],
    ['and a ground that is out of reach', '<geom type="plane" size="5 5 0.1"/>'],
    ['and a box that is out of reach', '<geom type="box" size="9 9 0.1"/>'],
    ['and a ball that is out of reach', '<geom type="sphere" size="0.2" pos="0 0 0.5"/>'],
    ['of two pendulums that are apart', pendulum.replace('0 0 2', '2.2 0 2')],
    ['on a post that does not move', '<body pos="0 0 0.3"><geom type="box" size="0.1 0.1 0.3"/></body>'],
  ]
  it.each(far)('%s are no reason for an implicit step, and the double pendulum keeps its energy', (_, others) => {
    const model = read(others + pendulum)
    expect(chooseSolver(model).name).toBe('ode')
    expect(leftOut(model, solvers.ode)).toEqual([])
    const simulation = createSimulation(model)
    simulation.reset({ q: Float64Array.from({ length: model.nq }, (_, k) => 1.5 - 0.7 * k) })
    const before = total(simulation)
    simulation.advance(10)
    expect(Math.abs(total(simulation) - before)).toBeLessThan(1e-4 * before)
  })

  const near: [string, string][] = [
    ['a ground that the tip gets to', `<geom type="plane" size="5 5 0.1" pos="0 0 1.01"/>${pendulum}`],
    ['a box that the tip gets to', `<geom type="box" size="9 9 0.1" pos="0 0 0.95"/>${pendulum}`],
    ['links that fold onto each other', link(link(link('')), 'axis="0 1 0"', '0 0 2')],
    ['two pendulums side by side', pendulum + pendulum.replace('0 0 2', '1.9 0 2')],
    ['a box on a bracket', `<body pos="0 0 2"><geom type="box" size="0.1 0.1 0.1" pos="0.7 0 0"/></body>${pendulum}`],
    ['something that flies', `${pendulum}<body pos="9 9 9"><freejoint/><geom size="0.1"/></body>`],
    ['something that slides', `${pendulum}<body pos="9 9 9"><joint type="slide" axis="1 1 1"/><geom size="0.1"/></body>`],
  ]
  it.each(near)('that may touch are one: %s', (_, world) => {
    const model = read(world)
    expect(chooseSolver(model)).toMatchObject({ name: 'redmax', why: expect.stringContaining('shapes that may touch') })
    expect(leftOut(model, solvers.ode).join()).toContain('contact between')
  })

  it('move around joints whose axes do not pass through the body origin, and around several', () => {
    // the axis is half a metre from the frame: the shape reaches 1.5 m, not 1 m
    const geom = '<geom type="sphere" size="0.1" pos="-0.9 0 0"/>'
    const arm = (joints: string, ball: number): Model =>
      read(`<body>${joints}${geom}</body><geom type="sphere" size="0.1" pos="${0.5 + ball} 0 0"/>`)
    expect(chooseSolver(arm('<joint axis="0 1 0" pos="0.5 0 0"/>', 1.55)).name).toBe('redmax')
    expect(chooseSolver(arm('<joint axis="0 1 0" pos="0.5 0 0"/>', 1.65)).name).toBe('ode')
    expect(chooseSolver(arm('<joint type="ball" pos="0.5 0 0"/>', 1.55)).name).toBe('redmax')
    expect(chooseSolver(arm('<joint axis="0 1 0" pos="0.5 0 0"/><joint axis="0 0 1" pos="0.6 0 0"/>', 1.65)).name).toBe('redmax')
  })
})

describe('servos', () => {
  const servo = (kp: number, kv: number, more = ''): string =>
    ['a', 'b'].map((joint) => `<position joint="${joint}" kp="${kp}" kv="${kv}" ${more}/>`).join('')
  const arm = link(link('', 'name="b" axis="0 1 0"'), 'name="a" axis="0 1 0"', '0 0 2')

  it.each([0.001, 0.005, 0.02])('with kp 200 do not diverge at steps of %f s, whatever their damping', (step) => {
    for (const kv of [0, 2, 20, 200]) {
      const simulation = createSimulation(read(arm, servo(200, kv), step))
      simulation.state.control.set([0.5, -0.4])
      const report = simulation.advance(4)
      expect(report.status, `kv ${kv}: ${report.message}`).toBe('ok')
      for (const x of simulation.state.q) expect(Math.abs(x)).toBeLessThan(2)
      // weight leaves them a little short
      if (kv > 0) expect(simulation.state.q[0]).toBeCloseTo(0.5, 1)
    }
  })

  it('count by the inertia they move, against the step that is asked for, also at the end of their force', () => {
    const soft = read(arm, servo(2, 0.1))
    expect(chooseSolver(soft).name).toBe('ode')
    expect(createSimulation(soft, { timestep: 0.5 }).solver.name).toBe('redmax')
    for (const more of ['', 'forcerange="-0.001 0.001"', 'gear="10"']) {
      const { name, why } = chooseSolver(read(arm, servo(more.includes('gear') ? 2e3 : 2e5, 0, more)))
      expect([more, name]).toEqual([more, 'redmax'])
      expect(why).toMatch(/actuators as fast as \S+\/s, stiff for steps of 0.002 s/)
    }
  })

  it('on ball joints are held by implicit steps', () => {
    const ball = link('', 'name="ball" type="ball"', '0 0 2')
    const three = ['1 0 0', '0 1 0', '0 0 1'].map((gear) => `<position joint="ball" gear="${gear}" kp="5000" kv="500"/>`).join('')
    for (const scheme of ['auto', 'linear', 'second-order']) {
      const simulation = createSimulation(read(ball, three, 0.01), { solver: 'redmax', scheme })
      simulation.state.control.set([0.2, 0.3, -0.1])
      expect(simulation.advance(3).status).toBe('ok')
      const half = Math.hypot(0.2, 0.3, 0.1) / 2
      const { q } = simulation.state
      for (const [k, u] of [0.2, 0.3, -0.1].entries()) expect(q[1 + k]).toBeCloseTo((Math.sin(half) * u) / (2 * half), 3)
    }
  })

  it('are named among springs and dampers, each by its own stiffness', () => {
    const spring = read('<body pos="0 0 2"><joint axis="0 1 0" stiffness="1e6"/><geom size="0.1" pos="0 0 -0.3"/></body>')
    expect(chooseSolver(spring).why).toContain('joint springs as fast as')
    const damped = read('<body pos="0 0 2"><joint axis="0 1 0" damping="1e3"/><geom size="0.1" pos="0 0 -0.3"/></body>')
    expect(chooseSolver(damped).why).toContain('joint dampers as fast as')
  })
})
