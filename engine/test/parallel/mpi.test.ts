/** Links over MPI: the messages of one thread, nothing left behind by jobs that fail, and what to do where MPI is missing. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMpi } from 'limber/node'
import { createInProcessLinks } from 'limber/parallel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundled, bundled } from './bundled.js'
import { CAPACITY, takeTurns } from './messages.js'
import { type MpiResult, type MpiRunOptions, mpirun, noMpi } from './mpirun.js'

/** a job that fails is over after so many seconds, start and a loaded machine included */
const OVER_WITHIN = 30

describe.skipIf(noMpi)(`links over MPI ${noMpi ?? ''}`, () => {
  let program: Bundled

  beforeAll(async () => {
    program = await bundled('./mpi-program.ts')
  })
  afterAll(() => program?.remove())

  const run = (n: number, args: readonly string[], options?: MpiRunOptions): Promise<MpiResult> =>
    mpirun(n, [process.execPath, program.path, ...args], options)
  const answer = async (n: number, args: readonly string[], options?: MpiRunOptions): Promise<unknown> => {
    const { code, stdout, stderr } = await run(n, args, options)
    expect(stderr).toBe('')
    expect(code).toBe(0)
    return JSON.parse(stdout)
  }

  it.each([1, 2, 3, 7])('have the messages of one thread, %i processors', async (processors) => {
    const expected = [1, 2, 3].map((seed) => takeTurns(createInProcessLinks(processors, CAPACITY), seed))
    expect(await answer(processors, ['messages', '1', '2', '3'])).toEqual(expected)
  })

  it('carry them over TCP too', async () => {
    const expected = [takeTurns(createInProcessLinks(3, CAPACITY), 4)]
    expect(await answer(3, ['messages', '4'], { options: ['--mca', 'btl', 'tcp,self'] })).toEqual(expected)
  })

  it.each(['vader,self', 'tcp,self'])('let all send to all at once, much more than is under way otherwise, over %s', async (btl) => {
    expect(await answer(3, ['at once'], { options: ['--mca', 'btl', btl] })).toEqual([0, 1, 2])
  })

  it('take some microseconds for the four messages over an edge', async () => {
    const seconds = await answer(2, ['round trip', '30'])
    expect(seconds).toBeGreaterThan(1e-8)
    expect(seconds).toBeLessThan(1e-1)
  })

  it.each([
    ['throw', /limber: processor 1 of 3: Error: out of paper\n {4}at [\s\S]*all others are ended too/],
    ['fail', /limber: processor 1 of 3: out of ink; all others are ended too/],
    ['exit', /limber: processor 1 of 3: ended with exit code 0 before the run was over; all others are ended too/],
    ['length', /processor 2 sent 3 numbers where 2 were expected; the programs of the two do not fit/],
  ])('end all where one does this: %s', async (act, message) => {
    const { code, stderr, seconds } = await run(3, [act])
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(message)
    expect(seconds).toBeLessThan(OVER_WITHIN)
  })

  it.each(['a processor', 'mpirun'])('leave no process behind where %s is killed', async (victim) => {
    const pids: number[] = []
    const { code, seconds } = await run(3, ['wait'], {
      onOutput(child, stdout) {
        const lines = stdout.split('\n').filter((line) => line !== '')
        if (lines.length < 3 || pids.length > 0) return
        const processes = lines.map((line) => JSON.parse(line) as { rank: number; pid: number; sees: number })
        for (const { pid, sees } of processes) pids.push(sees === 3 ? pid : Number.NaN)
        process.kill(victim === 'mpirun' ? (child.pid ?? 0) : pids[1], 'SIGKILL')
      },
    })
    expect(code).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(OVER_WITHIN)
    expect(pids).toHaveLength(3)
    // those of a killed mpirun notice by themselves
    const patience = performance.now() + 10_000
    while (pids.some(alive) && performance.now() < patience) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(pids.filter(alive)).toEqual([])
  })

  it('take no memory for a message', async () => {
    const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded', '--interrupt-budget=20000']
    const { code, stdout } = await mpirun(2, [process.execPath, ...flags, program.path, 'allocation'])
    expect(code).toBe(0)
    // one boxed number would be 12 to 16
    expect(JSON.parse(stdout)).toBeLessThanOrEqual(2)
  })
})

describe('MPI, asked for where it is not', () => {
  let program: Bundled

  beforeAll(async () => {
    program = await bundled('./mpi-program.ts')
  })
  afterAll(() => program?.remove())

  /** What a process says that was started as if by mpirun. */
  const lastWords = (path: string, env: Readonly<Record<string, string>> = {}): string =>
    spawnSync(process.execPath, [path, 'messages'], { encoding: 'utf8', env: { OMPI_COMM_WORLD_SIZE: '1', ...env } }).stderr

  it('says which package is missing', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'limber-no-koffi-'))
    try {
      copyFileSync(program.path, join(elsewhere, 'program.mjs'))
      expect(lastWords(join(elsewhere, 'program.mjs'))).toMatch(
        /mpi: the package koffi, which calls MPI, is missing; install it: npm install koffi/,
      )
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
    }
  })

  it('says which library is missing', () => {
    writeFileSync(join(program.folder, 'libmpi.so.40'), '')
    expect(lastWords(program.path, { LD_LIBRARY_PATH: program.folder })).toMatch(
      /mpi: the library of Open MPI cannot be loaded \(.*\); install it: apt-get install openmpi-bin libopenmpi-dev/,
    )
  })

  it('is refused outside mpirun, with what to type', async () => {
    await expect(openMpi({ capacity: 4 })).rejects.toThrow(
      /mpi: this program was not started by mpirun of Open MPI; start it as `mpirun -n 4 limber/,
    )
  })
})

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
