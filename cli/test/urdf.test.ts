/** Robots from URDF files on the command line: how their base stands, a floor, actuators. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { limber, type Result, temporaryFolder } from './limber.js'

const robots = fileURLToPath(new URL('../../engine/test/robots/urdf', import.meta.url))
const folder = temporaryFolder()
const at = (...args: string[]) => limber(args, { cwd: robots })

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await at(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

interface Run {
  readonly state: { readonly q: readonly number[]; readonly v: readonly number[] }
  readonly warnings: readonly string[]
}

interface Info {
  readonly joints: readonly { readonly name: string; readonly type: string }[]
  readonly actuators: readonly { readonly name: string }[]
  readonly ignored: readonly { readonly what: string; readonly why: string }[]
}

const legs = ['fl', 'fr', 'bl', 'br']
const stance = (hip: number, knee: number) =>
  legs.flatMap((leg) => ['--control', `${leg}_pitch=${hip}`, '--control', `${leg}_knee=${knee}`])
const standing = ['--base', 'free', '--floor', '--actuators', 'position']

describe('a URDF from the shell', () => {
  it.each(['cylinder-arm.urdf', 'mesh-arm.urdf'])('%s holds its pose and moves its first joint', async (file) => {
    const held = await json<Run>('run', file, '--actuators', 'position', '--duration', '0.5')
    for (const q of held.state.q) expect(Math.abs(q)).toBeLessThan(1e-3)
    const moved = await json<Run>('run', file, '--actuators', 'position', '--control', 'joint1=0.5', '--duration', '2')
    expect(moved.state.q[0]).toBeCloseTo(0.5, 2)
    for (const warning of moved.warnings) expect(warning).toMatch(/without effect on the free motion/)
  })

  it('stands on four legs on a floor, higher or lower', async () => {
    const high = await json<Run>('run', 'quadruped.urdf', ...standing, ...stance(0.7, -1.4), '--duration', '2')
    const low = await json<Run>('run', 'quadruped.urdf', ...standing, ...stance(1.1, -2.2), '--duration', '2')
    expect(Math.abs((high.state.q[2] ?? 0) - 0.4 * Math.cos(0.7) - 0.022)).toBeLessThan(0.03)
    expect(Math.abs((low.state.q[2] ?? 0) - 0.4 * Math.cos(1.1) - 0.022)).toBeLessThan(0.03)
  })

  it('is shown, evaluated and converted as it would run', async () => {
    const info = await json<Info>('info', 'quadruped.urdf', ...standing)
    expect(info.joints[0]?.type).toBe('free')
    expect(info.actuators).toHaveLength(12)
    expect(info.ignored).toContainEqual(expect.objectContaining({ what: "visual mesh of link 'trunk'" }))
    const shown: Result = await at('info', 'quadruped.urdf', ...standing)
    expect(shown.stdout).toContain('limber run quadruped.urdf --base free --floor --actuators position --duration 10')
    expect((await json<Info>('info', 'quadruped.urdf')).joints).toHaveLength(12)

    const { nv } = await json<{ nv: number }>('eval', 'quadruped.urdf', '--base', 'free')
    expect(nv).toBe(18)

    const out = join(folder.path, 'dog.json')
    await json('convert', 'quadruped.urdf', out, ...standing)
    const scene = JSON.parse(readFileSync(out, 'utf8')) as { world: { geoms: { name: string }[] }; actuators: unknown[] }
    expect(scene.world.geoms.map(({ name }) => name)).toEqual(['floor'])
    expect(scene.actuators).toHaveLength(12)
  })

  it('comes through a pipe as well', async () => {
    const text = readFileSync(join(robots, 'quadruped.urdf'), 'utf8')
    const { code, stdout } = await limber(['info', '-', '--base', 'free', '--json'], { cwd: robots, input: text })
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as Info).joints).toHaveLength(13)
  })

  it('is what the options are for: they are refused elsewhere, and wrong values by their names', async () => {
    const fails = async (args: string[], message: RegExp) => {
      const { code, stderr } = await at(...args)
      expect(code).toBe(2)
      expect(stderr).toMatch(message)
    }
    await fails(['run', 'chain', '--base', 'free'], /--base free: expected a URDF file, got the built-in scene chain; leave the option out/)
    await fails(['sweep', 'chain', '--vary', 'links=1,2', '--floor', '--out', folder.path], /--floor: expected a URDF file/)
    await fails(['run', '../quadruped.xml', '--floor'], /quadruped\.xml: option floor: expected a URDF, got MJCF/)
    await fails(['run', 'quadruped.urdf', '--base', 'loose'], /--base.*'loose' is invalid.*free, fixed/)
    await fails(['run', 'quadruped.urdf', '--actuators', 'servo'], /--actuators.*position, velocity, motor/)
  })
})
