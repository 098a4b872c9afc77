/** The first hour at the shell: `info` that fits a screen, robots that stand, what cannot work is told before it happens. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { limber, pendulum, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
const at = (...args: string[]) => limber(args, { cwd: folder.path })
const robot = (name: string): string => fileURLToPath(new URL(`../../engine/test/robots/${name}.xml`, import.meta.url))
const quadruped = readFileSync(robot('quadruped'), 'utf8')
folder.put('pendulum.xml', pendulum)
folder.put('silent.xml', quadruped.replace('<geom name="floor"', '<geom name="floor" contype="0" conaffinity="0"'))
folder.put('bent.xml', pendulum.replace('<joint', '<joint stiffness="1 2"'))
folder.put('mad.json', '{ "v": [1e200] }')
folder.put('damped.xml', pendulum.replace('<joint', '<joint damping="20"'))

describe.each(['quadruped', 'humanoid'])('a %s', (name) => {
  it('is told on one screen: what moves, what touches, what is left out, which solver and why', async () => {
    const { code, stdout } = await at('info', robot(name))
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(25)
    const order = ['moves', 'touches', 'left out', 'solver'].map((word) => lines.findIndex((line) => line.startsWith(`  ${word}`)))
    expect(order).toEqual([1, 2, 3, 4])
    expect(stdout).toMatch(/touches .*foot.* on floor/)
    expect(stdout).toMatch(/left out +nothing that changes the motion/)
    expect(stdout).toMatch(/auto takes redmax with scheme=second-order: the model has joint limits/)
    const all = (await at('info', robot(name), '--all')).stdout
    for (const word of ['Bodies', 'Actuators', 'Keyframes', '--set scheme=auto']) expect(all).toContain(word)
  })

  it('stands ten seconds at its keyframe in one command', async () => {
    const { code, stdout, stderr } = await at('run', robot(name), '--keyframe', 'stand', '--duration', '10', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { state, warnings } = JSON.parse(stdout) as { state: { q: number[]; v: number[] }; warnings: string[] }
    expect(warnings).toEqual([])
    expect(state.q[3]).toBeGreaterThan(0.999)
    expect(Math.max(...state.v.map(Math.abs))).toBeLessThan(1e-2)
  })
})

it('a robot without a ground is told so before it falls, and once', async () => {
  const { code, stdout, stderr } = await at('run', 'silent.xml', '--keyframe', 'stand', '--duration', '0.01')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^limber: silent\.xml: 'trunk' will fall: there is no ground that can touch/)
  expect(stdout).not.toContain('will fall')
  expect((await at('info', 'silent.xml')).stdout).toMatch(/left out +'trunk' will fall/)
  const { warnings } = JSON.parse((await at('run', 'silent.xml', '--duration', '0.01', '--json')).stdout) as { warnings: string[] }
  expect(warnings.filter((warning) => warning.includes('will fall'))).toHaveLength(1)
})

it('what the file asks for and does not get is told once', async () => {
  const { stdout } = await at('run', 'bent.xml', '--duration', '0.01', '--json')
  const { warnings } = JSON.parse(stdout) as { warnings: string[] }
  expect(warnings.filter((warning) => /terms of stiffness beyond the linear one/.test(warning))).toHaveLength(1)
  expect(new Set(warnings).size).toBe(warnings.length)
  expect((await at('info', 'bent.xml')).stdout).toMatch(/left out +.*terms of stiffness beyond the linear one/)
})

it.each(['csv', 'json', 'npy', 'mcap', 'glb'])('a run that fails at its first step writes no .%s', async (suffix) => {
  const { code, stdout, stderr } = await at('run', 'pendulum.xml', '--state', 'mad.json', '--out', `lost.${suffix}`)
  expect(code).toBe(1)
  expect(stderr).toContain(`lost.${suffix}: not written, no step was made`)
  expect(stdout).not.toContain('recorded')
  expect(existsSync(join(folder.path, `lost.${suffix}`))).toBe(false)
})

it('a step longer than the duration is made shorter', async () => {
  const { stdout } = await at('run', 'pendulum.xml', '--timestep', '0.5', '--duration', '0.01', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ time: 0.01, steps: 1 })
})

describe('info names, before the first step,', () => {
  const off = 'contype="0" conaffinity="0"'
  folder.put(
    'paired.xml',
    `<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1" ${off}/>
      <body name="ball" pos="0 0 .4"><freejoint/><geom name="ball" size=".1" ${off}/></body></worldbody>
      <contact><pair geom1="floor" geom2="ball"/></contact></mujoco>`,
  )
  folder.put(
    'pedestal.xml',
    `<mujoco><worldbody><body name="base"><geom name="base" type="cylinder" size=".1 .2"/>
      <body name="arm" pos="0 0 .15"><joint axis="0 1 0"/><geom name="arm" type="capsule" size=".06 .15" pos="0 0 .15"/></body></body></worldbody></mujoco>`,
  )

  it('shapes that touch by a pair alone', async () => {
    const { stdout } = await at('info', 'paired.xml')
    expect(stdout).toMatch(/touches +ball on floor/)
    expect(stdout).toMatch(/left out +nothing that changes the motion/)
    expect(stdout).toMatch(/auto takes redmax/)
  })

  it('an arm inside its pedestal, which MuJoCo lets touch', async () => {
    expect((await at('info', 'pedestal.xml')).stdout).toMatch(/shape '\w+' .*and shape '\w+' .*overlap by \d+ mm at the start/)
  })
})

it('a run that explodes fails, names the joint and the step to take, and prints the last good state', async () => {
  const run = ['run', 'damped.xml', '--solver', 'ode', '--timestep', '0.1', '--duration', '5']
  const { code, stdout, stderr } = await at(...run)
  expect(code).toBe(1)
  expect(stderr).toMatch(/damped\.xml: the motion grows without bound at joint '\w+' .* take steps of at most [\d.e-]+ s, or solver redmax/)
  expect(stdout).not.toContain('NaN')
  const { state, energy, warnings } = JSON.parse((await at(...run, '--json')).stdout) as {
    state: { v: number[] }
    energy: { final: { kinetic: number } }
    warnings: string[]
  }
  expect(energy.final.kinetic).toBeLessThan(10)
  expect(state.v.every(Number.isFinite)).toBe(true)
  expect(warnings).toContainEqual(expect.stringMatching(/^joint dampers at joint '\w+' decay at .* too fast for rk4 in steps of 0\.1 s/))
})

it('an energy that overflows is not printed as a number of joules', async () => {
  for (const command of ['eval', 'run']) {
    const { stdout } = await at(command, 'pendulum.xml', '--state', 'mad.json')
    expect(stdout).toContain('kinetic not finite')
    expect(stdout).not.toMatch(/(NaN|Infinity) J/)
  }
})
