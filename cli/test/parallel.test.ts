/** `limber run --parallel`: the same results whoever takes part, also where a run goes on elsewhere, or one of them dies. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { limberAlone, type Result, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))
const mpi = '/usr/bin/mpirun.openmpi'
const noMpi = existsSync(mpi) ? undefined : 'skipped: apt-get install openmpi-bin libopenmpi-dev'
const gear = ['--set', 'method=gear', '--set', 'rtol=1e-6']

const at = (...args: string[]): Result => limberAlone(args, { cwd: folder.path })

interface Summary {
  readonly solver: string
  readonly state: { readonly t: number; readonly q: number[]; readonly v: number[] }
  readonly statistics: object
}

/** What a run found, without the time that it took. */
function found({ code, stdout }: Pick<Result, 'code' | 'stdout'>): Omit<Summary, 'wall'> {
  expect(code).toBe(0)
  const { solver, state, statistics } = JSON.parse(stdout) as Summary
  return { solver, state, statistics }
}

/** n processes of `limber`. */
function mpirun(n: number, args: readonly string[]): Promise<Result> {
  const words = ['--allow-run-as-root', '--oversubscribe', '--bind-to', 'none', '-n', String(n), process.execPath, program, ...args]
  const child = spawn(mpi, words, { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const timer = setTimeout(() => child.kill('SIGTERM'), 60_000)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, stdout, stderr })
    })
  })
}

beforeAll(() => {
  expect(at('scene', 'mobile', '--set', 's=2', '--set', 'l=4', '--set', 'o=5', '--out', 'mobile.json').code).toBe(0)
  expect(at('scene', 'chain', '--set', 'links=1400', '--out', 'chain.json').code).toBe(0)
})

describe('run --parallel', () => {
  it('has the results of one processor on 1, 2, 3 and 7 threads', () => {
    const run = ['run', 'mobile.json', '--duration', '0.5', ...gear, '--json']
    const serial = found(at(...run))
    for (const n of [1, 2, 3, 7]) expect(found(at(...run, '--parallel', 'threads', '--processors', String(n)))).toEqual(serial)
  })

  it('has the same results of a long chain on 1, 2 and 3 threads', () => {
    const run = ['run', 'chain.json', '--duration', '0.05', ...gear, '--json', '--parallel', 'threads', '--processors']
    const one = found(at(...run, '1'))
    for (const n of ['2', '3']) expect(found(at(...run, n))).toEqual(one)
  })

  it.skipIf(noMpi)(`has them on 1, 2, 3 and 7 processes of MPI ${noMpi ?? ''}`, async () => {
    const run = ['run', 'mobile.json', '--duration', '0.5', ...gear, '--json']
    const serial = found(at(...run))
    for (const n of [1, 2, 3, 7]) expect(found(await mpirun(n, [...run, '--parallel', 'mpi']))).toEqual(serial)
  })

  it('runs redmax on threads, and says with which options', () => {
    const run = ['run', 'tree', '--duration', '0.2', '--json', '--set', 'scheme=linear', '--set', 'linear=pcg', '--set', 'tolerance=1e-12']
    const { state } = found(at(...run))
    const two = at(...run, '--parallel', 'threads', '--processors', '2')
    for (const [k, x] of found(two).state.q.entries()) expect(Math.abs(x - (state.q[k] ?? 0))).toBeLessThan(1e-9)
    expect(at('run', 'tree', '--duration', '0.01', '--parallel', 'threads').stdout).toContain('scheme=linear, linear=pcg')
  })

  it('auto says what it takes and why', () => {
    const said = (...args: string[]): string => at('run', ...args, '--duration', '0.01', '--parallel', 'auto').stdout
    expect(said('mobile.json', ...gear)).toContain('one processor: 24 bodies are too few for threads to gain much')
    expect(said('chain.json')).toContain('several need method=gear, and rk4 would run')
    expect(said('tree')).toContain('several would change the scheme of redmax')
    expect(said('chain.json', ...gear, '--processors', '1')).toContain('one processor: no more are at hand')
  })

  it('refuses what several processors cannot do, with the remedy', () => {
    const refused = (...args: string[]): string => {
      const { code, stderr } = at('run', ...args)
      expect(code).toBe(2)
      return stderr
    }
    expect(refused('mobile.json', '--processors', '3')).toContain('add --parallel threads, mpi or auto')
    expect(refused('mobile.json', '--parallel', 'threads', '--set', 'method=rk4')).toContain(
      'several processors need method=gear, not method=rk4',
    )
    expect(refused('mobile.json', '--parallel', 'threads', '--solver', 'position')).toContain('add --solver ode')
    expect(refused('mobile.json', '--parallel', 'mpi')).toContain('mpirun -n 4 limber run')
    expect(refused('mobile.json', '--parallel', 'gpu')).toContain('none, threads, mpi, auto')
  })
})

describe('checkpoints of several processors', () => {
  const run = ['run', 'mobile.json', '--duration', '0.5', ...gear, '--json', '--out', 'motion.csv']

  it('go on with another number of them, or one, to the same bits and the same recording', () => {
    const serial = found(at(...run))
    const recorded = readFileSync(join(folder.path, 'motion.csv'))
    for (const [first, then] of [
      ['2', ['--parallel', 'threads', '--processors', '3']],
      ['3', []],
    ] as const) {
      rmSync(join(folder.path, 'motion.csv'))
      const part = spawnAndKill([
        ...run,
        '--parallel',
        'threads',
        '--processors',
        first,
        '--checkpoint',
        'half',
        '--checkpoint-every',
        '0.05',
      ])
      expect(part).toBe(true)
      expect(existsSync(join(folder.path, 'motion.csv'))).toBe(false)
      expect(found(at('run', 'mobile.json', '--resume', 'half', '--json', ...then))).toEqual(serial)
      expect(readFileSync(join(folder.path, 'motion.csv')).equals(recorded)).toBe(true)
    }
  })

  it.skipIf(noMpi)(`are there when a process of MPI is killed ${noMpi ?? ''}`, async () => {
    rmSync(join(folder.path, 'rank'), { force: true })
    const long = ['run', 'mobile.json', '--duration', '20', ...gear, '--json']
    const running = mpirun(3, [...long, '--parallel', 'mpi', '--checkpoint', 'rank', '--checkpoint-every', '0.1'])
    const timer = setInterval(() => {
      if (!existsSync(join(folder.path, 'rank'))) return
      clearInterval(timer)
      process.kill(ranks().at(-1) ?? 0, 'SIGKILL')
    }, 20)
    const { code } = await running
    expect(code).toBeGreaterThan(0)
    expect(existsSync(join(folder.path, 'rank'))).toBe(true)
    // what was written is whole, and goes on in one process to the bits of a run that was never disturbed
    expect(found(at('run', 'mobile.json', '--resume', 'rank', '--json'))).toEqual(found(at(...long)))
  })
})

/** Processes of `limber` that this test has started, below mpirun. */
function ranks(pid = process.pid): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number) : []
  const isRank = readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`${process.execPath}\0${program}`)
  return [...(isRank ? [pid] : []), ...children.flatMap((child) => ranks(child))]
}

/** Runs the command until its first checkpoints are there, and kills it; false: it ended before. */
function spawnAndKill(args: readonly string[]): boolean {
  rmSync(join(folder.path, 'half'), { force: true })
  const script = `
    const { spawn } = require('node:child_process')
    const { existsSync, statSync } = require('node:fs')
    const child = spawn(process.execPath, ${JSON.stringify([program, ...args])}, { stdio: 'ignore' })
    let first
    const timer = setInterval(() => {
      if (!existsSync('half')) return
      const at = statSync('half').mtimeMs
      first ??= at
      if (at === first) return
      clearInterval(timer)
      child.kill('SIGKILL')
    }, 1)
    child.on('close', (code, signal) => process.exit(signal === 'SIGKILL' ? 0 : 1))`
  return spawnSync(process.execPath, ['-e', script], { cwd: folder.path }).status === 0
}
