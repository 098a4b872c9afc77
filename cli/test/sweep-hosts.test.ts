import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeHosts } from './hosts.js'
import { limber, temporaryFolder } from './limber.js'
import { noNats, startNats } from './nats.js'
import { csvOf, journalOf, type Process, rowsOf, sleep, start, timeless, until } from './sweeps.js'

const folder = temporaryFolder()
const hosts = noNats ? noNats : makeHosts()
if (typeof hosts === 'string') console.warn(`skipped: ${hosts}`)
else afterAll(() => hosts.remove())

const jobs = 60
const ask = ['sweep', 'chain', '--vary', 'links=4:12:5', '--vary', 'angle=0.1:1.2:12', '--duration', '8', '--timestep', '0.001']
/** seconds without a cable */
const CUT = 5

describe.skipIf(typeof hosts === 'string')('a sweep over two hosts', { timeout: 120_000 }, () => {
  it('loses nothing and does nothing twice when a worker is killed and the cable is taken out for a while', async () => {
    if (typeof hosts === 'string') return
    const { on, addresses, cable } = hosts
    const url = `nats://${addresses.a}:4222`
    const out = join(folder.path, 'far')
    const server = await startNats(join(folder.path, 'store'), addresses.a, 4222, on.a)
    const worker = (prefix: readonly string[]): Process =>
      start([...prefix, 'limber', 'worker', '--nats', url, '--threads', '1', '--idle', '30', '--json'])
    const [near, far, victim] = [worker(on.a), worker(on.b), worker(on.b)]
    const coordinator = start([...on.a, 'limber', ...ask, '--out', out, '--nats', url, '--retry-after', '2'])
    const said = (): string => `${journalOf(out).length} rows; ${[coordinator, near, far, victim].map(({ stderr }) => stderr()).join('')}`
    const rows = (): number => journalOf(out).length

    await until(() => rows() >= 8, said)
    victim.child.kill('SIGKILL')
    await until(() => rows() >= 14, said)
    cable('down')
    const cut = performance.now()
    const before = rows()
    // the host that is not cut off goes on, and then leaves the rest to the other one
    await until(() => rows() >= before + 5, said)
    near.child.kill('SIGTERM')
    expect(await near.ended, near.stderr()).toBe(0)
    await sleep(1000 * CUT - (performance.now() - cut))
    expect(rows()).toBeLessThan(jobs)
    cable('up')
    expect(await coordinator.ended, said()).toBe(0)

    const table = rowsOf(out)
    expect(table.map(({ job }) => job)).toEqual(Array.from({ length: jobs }, (_, k) => k + 1))
    expect(await limber([...ask, '--threads', '2', '--out', join(folder.path, 'calm')])).toMatchObject({ code: 0 })
    expect(timeless(table)).toEqual(timeless(rowsOf(join(folder.path, 'calm'))))
    expect(csvOf(out)).toEqual(csvOf(join(folder.path, 'calm')))

    // both hosts had a part in it
    await until(() => far.stderr().includes('has ended'), far.stderr, 30)
    far.child.kill('SIGTERM')
    expect(await far.ended, far.stderr()).toBe(0)
    for (const process of [near, far]) expect((JSON.parse(process.stdout()) as { jobs: number }).jobs).toBeGreaterThan(0)
    server.child.kill()
    await server.ended
  })
})
