/** Links over MPI between two hosts: network namespaces of the test's own, joined by TCP. */
import { spawnSync } from 'node:child_process'
import { createInProcessLinks } from 'limber/parallel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundled, bundled } from './bundled.js'
import { CAPACITY, takeTurns } from './messages.js'
import { noTwoHosts, withTwoHosts } from './two-hosts.js'

const skipped = noTwoHosts()

describe.skipIf(skipped)(`two hosts ${skipped ?? ''}`, () => {
  let program: Bundled

  beforeAll(async () => {
    program = await bundled('./mpi-program.ts')
  })
  afterAll(() => program?.remove())

  it.each([2, 3])('exchange the messages of one thread, with %i processors', async (processors) => {
    const { code, stdout, stderr } = await withTwoHosts(({ mpirun }) =>
      mpirun(processors, [process.execPath, program.path, 'messages', '1', '2']),
    )
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([1, 2].map((seed) => takeTurns(createInProcessLinks(processors, CAPACITY), seed)))
  })

  it('are two: each has a name of its own, and what they say crosses the cable', async () => {
    await withTwoHosts(async ({ mpirun, crossed }) => {
      const names = (await mpirun(2, ['hostname'])).stdout.trim().split('\n').toSorted()
      expect(names.map((name) => name.at(-1))).toEqual(['a', 'b'])
      const before = crossed()
      expect((await mpirun(2, [process.execPath, program.path, 'at once'])).stdout).toBe('[0,1]\n')
      // 64,000 numbers of 8 bytes
      expect(crossed() - before).toBeGreaterThan(8 * 64_000)
    })
  })

  it('leave nothing behind where a processor on the other one is killed', async () => {
    const pids: number[] = []
    const { code, seconds } = await withTwoHosts(({ mpirun }) =>
      mpirun(2, [process.execPath, program.path, 'wait'], {
        onOutput(_, stdout) {
          const lines = stdout.split('\n').filter((line) => line !== '')
          if (lines.length < 2 || pids.length > 0) return
          const processes = lines.map((line) => JSON.parse(line) as { rank: number; pid: number })
          for (const rank of [0, 1]) pids.push(processes.find((one) => one.rank === rank)?.pid ?? Number.NaN)
          process.kill(pids[1], 'SIGKILL')
        },
      }),
    )
    expect(code).toBeGreaterThan(0)
    expect(seconds).toBeLessThan(30)
    expect(pids).toHaveLength(2)
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
    expect(spawnSync('/sbin/ip', ['netns', 'list'], { encoding: 'utf8' }).stdout).not.toMatch(`limber-${process.pid}-`)
  })
})
