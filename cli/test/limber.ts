/**
 * Runs the real command in a folder of its own.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))

export interface Result {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Surroundings {
  readonly cwd?: string
  readonly env?: Record<string, string>
  /** what comes through the pipe; none: there is none */
  readonly input?: string
}

/** Runs `limber` with these arguments and no terminal. */
export function limber(args: readonly string[], { cwd = '.', env = {}, input }: Surroundings = {}): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...(input === undefined ? {} : { input }),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: undefined, ...env },
  })
  return { code: status, stdout, stderr }
}

/** A folder that is removed after the tests of the file, and a way to put files into it. */
export function temporaryFolder(): { readonly path: string; put(name: string, content: string): string } {
  const path = mkdtempSync(join(tmpdir(), 'limber-cli-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    put(name, content) {
      writeFileSync(join(path, name), content)
      return name
    },
  }
}

export const pendulum = `<mujoco model="pendulum">
  <option timestep="0.002"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" type="hinge" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1"/>
    </body>
  </worldbody>
</mujoco>
`
