import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limber, temporaryFolder } from './limber.js'
import { freePort, noNats, purgeQueues, startNats, streamsOn } from './nats.js'
import { journalOf, type Process, rowsOf, sleep, start, timeless, until } from './sweeps.js'

const folder = temporaryFolder()
const at = (name: string): string => join(folder.path, name)

describe.skipIf(noNats !== '')('sweeps over NATS, in trouble,', { timeout: 120_000 }, () => {
  it('end a job that kills its workers with a failed row', async () => {
    const port = await freePort()
    const url = `nats://127.0.0.1:${port}`
    const server = await startNats(at('poison-store'), '127.0.0.1', port)
    // nobody waits for the end of the first job
    const poison = ['sweep', 'chain', '--vary', 'duration=1e6,0.1', '--set', 'links=20', '--out', at('poison')]
    const coordinator = start(['limber', ...poison, '--nats', url, '--retry-after', '1'])
    let over = false
    void coordinator.ended.then(() => (over = true))
    // the first worker lives until it has done the other job: on a busy machine that, too, would die with its worker every time
    const isDone = (): boolean => over || journalOf(at('poison')).length > 0
    while (!over) {
      const worker = start(['limber', 'worker', '--nats', url, '--threads', '2'])
      await until(() => over || worker.stderr().includes('working for the sweep'), worker.stderr)
      await until(isDone, coordinator.stderr)
      for (let tick = 0; tick < 15 && !over; tick++) await sleep(100)
      worker.child.kill('SIGKILL')
      await worker.ended
    }
    expect(await coordinator.ended, coordinator.stderr()).toBe(0)
    expect(rowsOf(at('poison')).map(({ status }) => status)).toEqual([
      'given up: it was handed out 5 times, and each time its worker died or was cut off',
      'ok',
    ])
    server.child.kill()
    await server.ended
  })

  it('cut models and rows that are larger than a message, and publish again what a server has forgotten', async () => {
    const port = await freePort()
    const url = `nats://127.0.0.1:${port}`
    folder.put('small.conf', `listen: "127.0.0.1:${port}"\nmax_payload: 8192\njetstream { store_dir: "${at('forgetful')}" }\n`)
    const serve = async (): Promise<Process> => {
      const server = start(['nats-server', '-c', at('small.conf')])
      await until(() => server.stderr().includes('Server is ready'), server.stderr, 20)
      return server
    }
    let server = await serve()
    expect(await limber(['scene', 'chain', '--set', 'links=400', '--out', at('long.json')])).toMatchObject({ code: 0 })
    const large = ['sweep', at('long.json'), '--vary', 'gravity=1:9:16', '--duration', '0.05', '--out']
    const worker = start(['limber', 'worker', '--nats', url, '--threads', '1'])
    const coordinator = start(['limber', ...large, at('large'), '--nats', url, '--retry-after', '2'])
    await until(() => journalOf(at('large')).length >= 4, coordinator.stderr)
    server.child.kill('SIGKILL')
    await server.ended
    rmSync(at('forgetful'), { recursive: true })
    server = await serve()
    expect(await coordinator.ended, coordinator.stderr()).toBe(0)
    expect(await limber([...large, at('large-calm'), '--threads', '1'])).toMatchObject({ code: 0 })
    expect(timeless(rowsOf(at('large')))).toEqual(timeless(rowsOf(at('large-calm'))))
    // several messages each
    const row = readFileSync(join(at('large'), 'results.jsonl'), 'utf8').split('\n')[0] ?? ''
    expect(gzipSync(row).length).toBeGreaterThan(8192)
    expect(gzipSync(readFileSync(at('long.json'))).length).toBeGreaterThan(4096)
    for (const { child } of [worker, server]) child.kill('SIGTERM')
    await Promise.all([worker.ended, server.ended])
  })

  it('do not mix with others on the same server, and queue jobs again that have vanished', async () => {
    const port = await freePort()
    const url = `nats://127.0.0.1:${port}`
    const server = await startNats(at('queues'), '127.0.0.1', port)
    const asked = [3, 5].map((links) => [
      'sweep',
      'chain',
      '--set',
      `links=${links}`,
      '--vary',
      'angle=0.1:1:8',
      '--duration',
      '0.1',
      '--out',
      at(`n${links}`),
    ])
    const coordinators = asked.map((ask) => start(['limber', ...ask, '--nats', url, '--retry-after', '2']))
    const said = (): string => coordinators.map(({ stderr }) => stderr()).join('')
    let purged = 0
    await until(async () => (purged += await purgeQueues(port)) >= 16, said)
    const worker = start(['limber', 'worker', '--nats', url, '--threads', '2'])
    for (const { ended } of coordinators) expect(await ended, said()).toBe(0)
    for (const ask of asked) {
      const out = ask.at(-1) ?? ''
      expect(await limber([...ask.slice(0, -1), `${out}-calm`])).toMatchObject({ code: 0 })
      expect(timeless(rowsOf(out))).toEqual(timeless(rowsOf(`${out}-calm`)))
    }
    expect(await streamsOn(port)).toEqual([])
    for (const { child } of [worker, server]) child.kill('SIGTERM')
    await Promise.all([worker.ended, server.ended])
  })
})
