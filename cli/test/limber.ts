/**
 * Runs the built command in a folder of its own.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))
const sharedProgram = fileURLToPath(new URL('./shared-process.mjs', import.meta.url))

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

/** Runs `limber` with these arguments and no terminal, in a process of its own: as a person starts it, exit code and pipes included. */
export function limberAlone(args: readonly string[], { cwd = '.', env = {}, input }: Surroundings = {}): Result {
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

type Reply = Result & { readonly id: number; readonly failed?: string }

interface Shared {
  readonly child: ChildProcess
  readonly waiting: Map<number, (reply: Reply | Error) => void>
}

let shared: Shared | undefined
let asked = 0

/**
 * As `limberAlone`, but in one process for all calls: most of the time of a short command is loading the engine. For what does not ask how the
 * process itself starts and ends.
 */
export function limber(args: readonly string[], { cwd = '.', env = {}, input }: Surroundings = {}): Promise<Result> {
  shared ??= startShared()
  const { child, waiting } = shared
  const id = ++asked
  return new Promise((resolve, reject) => {
    waiting.set(id, (reply) => {
      if (reply instanceof Error) reject(reply)
      else if (reply.failed) reject(new Error(`limber ${args.join(' ')}: ${reply.failed}`))
      else resolve({ code: reply.code, stdout: reply.stdout, stderr: reply.stderr })
    })
    child.send({ id, args, cwd, env, input })
  })
}

function startShared(): Shared {
  const child = fork(sharedProgram, [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: { ...process.env, FORCE_COLOR: undefined } })
  const waiting: Shared['waiting'] = new Map()
  // what comes here was not caught as the output of a command: it is of the process itself
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  child.on('close', (code) => {
    shared = undefined
    for (const settle of waiting.values()) settle(new Error(`the shared process ended with exit code ${code}: ${said}`))
  })
  // it ends when its parent does, and keeps nobody waiting
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) (stream as { unref?: () => void } | null)?.unref?.()
  return { child, waiting }
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
