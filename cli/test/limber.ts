/**
 * Runs the built command in a folder of its own.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))
const killAt = new URL('./kill-at.mjs', import.meta.url).href
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

export interface Ended extends Result {
  readonly signal: NodeJS.Signals | null
  readonly milliseconds: number
  /** of these, the milliseconds after `since` */
  readonly after: number
}

interface Killed {
  readonly killAfter?: number
  /** Default SIGKILL */
  readonly by?: NodeJS.Signals
  readonly since?: () => boolean
  readonly node?: readonly string[]
  /** what is run in place of the command */
  readonly program?: readonly string[]
}

/**
 * As `limberAlone`, beside others; after `killAfter` milliseconds it is killed, unless it ended before; with `since` they are counted from when that is
 * true. `node`: options of the runtime.
 */
export function limberBeside(
  args: readonly string[],
  {
    cwd = '.',
    env = {},
    killAfter = Number.POSITIVE_INFINITY,
    by = 'SIGKILL',
    since = () => true,
    node = [],
    program: started = [program],
  }: Surroundings & Killed = {},
): Promise<Ended> {
  const begin = performance.now()
  const child = spawn(process.execPath, [...node, ...started, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: undefined, ...env },
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  let from = Number.POSITIVE_INFINITY
  const timer = setInterval(() => {
    if (from === Number.POSITIVE_INFINITY && since()) from = performance.now()
    // once: the second Ctrl-C does not wait
    if (performance.now() - from >= killAfter && !child.killed) child.kill(by)
  }, 2)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearInterval(timer)
      const end = performance.now()
      resolve({ code, signal, ...said, milliseconds: end - begin, after: Math.max(0, end - from) })
    })
  })
}

/** As `limberBeside`, stopped by this signal after so many milliseconds. */
export function limberSignalled(
  args: readonly string[],
  by: NodeJS.Signals,
  killAfter: number,
  options: Surroundings & Pick<Killed, 'since'>,
): Promise<Ended> {
  return limberBeside(args, { ...options, killAfter, by })
}

/** As `limberBeside`, killed in the middle of its n-th change of a file, or its n-th call of one function of node:fs; see kill-at.mjs. */
export function limberKilledAt(n: number | undefined, args: readonly string[], surroundings: Surroundings, call?: string): Promise<Ended> {
  const env = { ...(n === undefined ? {} : { LIMBER_KILL_AT: String(n) }), ...(call === undefined ? {} : { LIMBER_KILL_CALL: call }) }
  return limberBeside(args, { ...surroundings, env: { ...surroundings.env, ...env }, node: ['--import', killAt] })
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
