/**
 * Softness that stays: in scheme linear, which made soft contacts and limits hard, and where a program writes to the state between steps or resets
 * it, which moved joints back onto soft limits.
 */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createSimulation, parseMjcf, type Simulation } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

/** One coordinate, step by step. */
function inMujoco(text: string, steps: number, watch: number): Float64Array {
  const model = module.MjModel.from_xml_string(text)
  const data = new module.MjData(model)
  const course = Float64Array.from({ length: steps }, () => {
    module.mj_step(model, data)
    return data.qpos[watch]
  })
  data.delete()
  model.delete()
  return course
}

const LINEAR = { solver: 'redmax', scheme: 'linear' } as const

function start(text: string, options: object = {}): Simulation {
  return createSimulation(buildModel(parseMjcf(text)), { solver: 'redmax', ...options })
}

const STEPS = 500
const free = (z: number, geom: string): string => `<body pos="0 0 ${z}"><freejoint/><geom ${geom}/></body>`
const onPlane = (bodies: string): string =>
  `<mujoco><compiler angle="radian"/><worldbody><geom type="plane" size="0 0 1"/>${bodies}</worldbody></mujoco>`
const arm = (limit = ''): string => `<mujoco><compiler angle="radian"/><worldbody><body pos="0 0 1">
  <joint name="arm" axis="0 1 0" limited="true" range="-1 0.3" damping="0.2" ${limit}/>
  <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/></body></worldbody></mujoco>`

describe('scheme linear', () => {
  it.each([
    ['a ball', free(0.12, 'type="sphere" size="0.1" mass="1"'), 0.1],
    ['a slow ball', free(0.12, 'type="sphere" size="0.1" mass="1" solref="0.06 1" solimp="0.9 0.95 0.001" priority="1"'), 0.1],
    ['a box', free(0.11, 'type="box" size="0.1 0.1 0.1" mass="1"'), 0.1],
    ['a ball without friction', free(0.12, 'type="sphere" size="0.1" mass="1" condim="1"'), 0.1],
    ['a ball that rolls and spins', free(0.12, 'type="sphere" size="0.1" mass="1" condim="6"'), 0.1],
  ])('lets %s sink in as MuJoCo and the default do', (_, body, hard) => {
    const text = onPlane(body)
    const theirs = inMujoco(text, STEPS, 2)[STEPS - 1]
    const [ours, usual] = [start(text, LINEAR), start(text)]
    for (const simulation of [ours, usual]) simulation.step(STEPS)
    expect(hard - theirs).toBeGreaterThan(1e-4)
    for (const simulation of [ours, usual]) {
      expect(simulation.report.status).toBe('ok')
      expect(Math.abs(simulation.state.q[2] - theirs)).toBeLessThan(0.1 * (hard - theirs))
    }
  })

  it('stops a falling ball with the force of the default, not with a blow', () => {
    const peak = (options: object): number => {
      const simulation = start(onPlane(free(0.15, 'type="sphere" size="0.1" mass="1"')), options)
      let most = 0
      for (let k = 0; k < STEPS; k++) {
        simulation.step()
        for (const { force } of simulation.contacts()) most = Math.max(most, Math.hypot(...force))
      }
      return most
    }
    expect(peak(LINEAR) / peak({})).toBeGreaterThan(0.8)
    expect(peak(LINEAR) / peak({})).toBeLessThan(1.25)
    // a hard floor takes the whole momentum, 1 N s, in one step of 2 ms
    expect(peak({ ...LINEAR, soft: false })).toBeGreaterThan(3 * peak(LINEAR))
  })

  it.each([
    ['by default', ''],
    ['slow', 'solreflimit="0.06 1"'],
    ['of given stiffness', 'solreflimit="-500 -30"'],
  ])('lets a limit, %s, give way', (_, limit) => {
    const theirs = inMujoco(arm(limit), 2 * STEPS, 0)[2 * STEPS - 1]
    const ours = start(arm(limit), LINEAR)
    ours.step(2 * STEPS)
    expect(theirs - 0.3).toBeGreaterThan(5e-4)
    expect(Math.abs(ours.state.q[0] - theirs)).toBeLessThan(0.1 * (theirs - 0.3))
  })

  it('makes all of it hard where that is asked for', () => {
    const ball = start(onPlane(free(0.12, 'type="sphere" size="0.1" mass="1"')), { ...LINEAR, soft: false })
    ball.step(STEPS)
    expect(Math.abs(ball.state.q[2] - 0.1)).toBeLessThan(1e-5)
  })
})

describe('a joint pressed into a soft limit', () => {
  const schemes = ['auto', 'newton', 'linear', 'second-order'] as const
  const pressed = arm('solreflimit="0.1 1"')

  it.each(schemes)('stays there when the state is written as it is: scheme=%s', (scheme) => {
    const simulation = start(pressed, { scheme })
    simulation.step(2 * STEPS)
    const [deep] = simulation.state.q
    expect(deep - 0.3).toBeGreaterThan(5e-3)
    for (let k = 0; k < 20; k++) {
      // a nudge of a nanoradian a second is a write, and nothing else
      simulation.state.v[0] += 1e-9
      expect(simulation.step().status).toBe('ok')
      expect(Math.abs(simulation.state.q[0] - deep)).toBeLessThan(1e-5)
      expect(Math.abs(simulation.state.v[0])).toBeLessThan(1e-3)
    }
  })

  it.each(schemes)('stays there after a reset to where it is: scheme=%s', (scheme) => {
    const simulation = start(pressed, { scheme })
    simulation.step(2 * STEPS)
    const { t, q, v } = simulation.state
    const [deep] = q
    simulation.reset({ t, q: q.slice(), v: v.slice() })
    expect(simulation.state.q[0]).toBe(deep)
    simulation.step()
    expect(Math.abs(simulation.state.q[0] - deep)).toBeLessThan(1e-5)
    expect(simulation.warnings()).toEqual([])
  })

  it('stays there while a driven body moves', () => {
    const guide = '<body name="guide" mocap="true" pos="2 0 0"><geom type="sphere" size="0.1"/></body>'
    const simulation = createSimulation(
      buildModel(parseMjcf(pressed.replace('</worldbody>', `${guide}</worldbody>`), { mocap: 'driven' })),
      { solver: 'redmax' },
    )
    simulation.step(2 * STEPS)
    const [deep] = simulation.state.q
    for (let k = 1; k <= 10; k++) {
      simulation.body('guide').moveTo([2 + 0.01 * k, 0, 0])
      simulation.step()
      expect(Math.abs(simulation.state.q[0] - deep)).toBeLessThan(1e-5)
    }
  })

  it('is pushed back by the limit as in MuJoCo where it starts beyond', () => {
    const text = arm()
    const beyond = 0.4
    const model = module.MjModel.from_xml_string(text)
    const data = new module.MjData(model)
    const simulation = start(text)
    data.qpos[0] = beyond
    simulation.state.q[0] = beyond
    for (let k = 0; k < 100; k++) {
      module.mj_step(model, data)
      expect(simulation.step().status).toBe('ok')
      expect(Math.abs(simulation.state.q[0] - data.qpos[0]), `step ${k}`).toBeLessThan(5e-3)
    }
    data.delete()
    model.delete()
  })

  it('is moved to the limit, which is then hard, where nothing is to be soft', () => {
    const simulation = start(arm(), { soft: false })
    simulation.state.q[0] = 0.4
    simulation.step()
    expect(simulation.state.q[0]).toBeCloseTo(0.3, 6)
    expect(simulation.warnings()).toEqual([expect.stringContaining("joint 'arm' started beyond the limits")])
  })
})

describe('a body that hangs in a soft equality', () => {
  const block = '<geom type="box" size="0.05 0.05 0.05" mass="1"/>'
  const soft = 'solref="0.1 1" solimp="0.5 0.5 0.01"'
  const holder = '<body name="holder" mocap="true" pos="0 0 1"><geom size="0.01" contype="0" conaffinity="0"/></body>'
  const hangs = (equality: string, before = ''): string =>
    `<mujoco><worldbody>${before}<body name="block" pos="0 0 1"><freejoint/>${block}</body></worldbody><equality>${equality}</equality></mujoco>`
  const models = [
    ['a weld to the world', hangs(`<weld body1="block" ${soft}/>`)],
    ['a connect to the world', hangs(`<connect body1="block" anchor="0 0 0" ${soft}/>`)],
    ['a weld to a mocap body', hangs(`<weld body1="holder" body2="block" relpose="0 0 0 1 0 0 0" ${soft}/>`, holder)],
  ] as const
  const schemes = ['auto', 'newton', 'linear', 'second-order'] as const
  const driven = (text: string, scheme: string): Simulation =>
    createSimulation(buildModel(parseMjcf(text, { mocap: 'driven' })), { solver: 'redmax', scheme })
  const height = (simulation: Simulation): number => simulation.body('block').position()[2] ?? Number.NaN

  it.each(models.flatMap(([name, text]) => schemes.map((scheme) => [name, scheme, text] as const)))(
    '%s sinks as in MuJoCo and stays there through a write and a reset: scheme=%s',
    (_, scheme, text) => {
      const simulation = driven(text, scheme)
      simulation.step(2 * STEPS)
      const theirs = inMujoco(text, 2 * STEPS, 2)[2 * STEPS - 1] ?? Number.NaN
      expect(1 - theirs).toBeGreaterThan(0.04)
      expect(Math.abs(height(simulation) - theirs)).toBeLessThan(1e-5)

      for (let k = 0; k < 10; k++) {
        simulation.state.v[2] += 1e-9
        expect(simulation.step().status).toBe('ok')
        expect(Math.abs(height(simulation) - theirs)).toBeLessThan(1e-5)
      }
      const { t, q, v } = simulation.state
      simulation.reset({ t, q: q.slice(), v: v.slice() })
      simulation.step()
      expect(Math.abs(height(simulation) - theirs)).toBeLessThan(1e-5)
      expect(simulation.warnings()).toEqual([])
    },
  )

  it('follows a mocap body that moves, and is not put where it is', () => {
    const simulation = driven(models[2][1], 'auto')
    simulation.body('holder').setPose([0.1, 0, 1])
    simulation.step()
    expect(Math.abs(simulation.body('block').position()[0] ?? 1)).toBeLessThan(0.01)
    simulation.step(STEPS)
    expect(simulation.body('block').position()[0]).toBeCloseTo(0.1, 2)
  })

  it('is pulled, as in MuJoCo, where two of them contradict each other', () => {
    const text = hangs(`<weld body1="block" relpose="0 0 -0.5 1 0 0 0" ${soft}/><weld body1="block" relpose="0 0 -1 1 0 0 0" ${soft}/>`)
    const simulation = driven(text, 'auto')
    const { status, message } = simulation.step(2 * STEPS)
    expect(status, message).toBe('ok')
    expect(Math.abs(height(simulation) - (inMujoco(text, 2 * STEPS, 2)[2 * STEPS - 1] ?? Number.NaN))).toBeLessThan(1e-4)
  })
})
