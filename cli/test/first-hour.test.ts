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
