import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limber, temporaryFolder } from './limber.js'
import { freePort, noNats, startNats, streamsOn } from './nats.js'
import { csvOf, journalOf, type Process, rowsOf, sleep, start, timeless, until } from './sweeps.js'

const folder = temporaryFolder()
const at = (name: string): string => join(folder.path, name)
const jobs = 48
const ask = ['sweep', 'chain', '--vary', 'links=4:10:4', '--vary', 'angle=0.1:1.2:12', '--duration', '8', '--timestep', '0.001']
const calm = async (): Promise<{ rows: object[]; csv: string[][] }> => {
  expect(await limber([...ask, '--threads', '2', '--out', at('calm')])).toMatchObject({ code: 0 })
  return { rows: timeless(rowsOf(at('calm'))), csv: csvOf(at('calm')) }
}

describe.skipIf(noNats !== '')('sweeps over NATS', { timeout: 120_000 }, () => {
  it('lose nothing and do nothing twice when a worker, the coordinator and the server are killed', async () => {
    const port = await freePort()
    const url = `nats://127.0.0.1:${port}`
    let server = await startNats(at('store'), '127.0.0.1', port)
    const out = at('far')
    const worker = (): Process => start(['limber', 'worker', '--nats', url, '--threads', '1', '--idle', '20', '--json'])
    const coordinator = (): Process => start(['limber', ...ask, '--out', out, '--nats', url, '--retry-after', '2'])
    const rows = (): number => journalOf(out).length

    const [victim, survivor] = [worker(), worker()]
    const first = coordinator()
    const said = (): string => `${rows()} rows; ${first.stderr()}${survivor.stderr()}`
    await until(() => rows() >= 6, said)
    victim.child.kill('SIGKILL')
    await until(() => rows() >= 12, said)
    first.child.kill('SIGKILL')
    await first.ended
    const before = journalOf(out)
    // rows come in while no coordinator is there
    await sleep(700)

    const second = coordinator()
    await until(() => rows() >= before.length + 8, second.stderr)
    server.child.kill('SIGKILL')
    await server.ended
    await sleep(1500)
    server = await startNats(at('store'), '127.0.0.1', port)
    expect(await second.ended, second.stderr()).toBe(0)
    expect(second.stderr()).toContain(`${before.length} of ${jobs} jobs were done before`)

    expect({ rows: timeless(rowsOf(out)), csv: csvOf(out) }).toEqual(await calm())
    for (const row of before) expect(rowsOf(out)[row.job - 1]).toEqual(row)
    expect(readdirSync(out).sort()).toEqual(['results.csv', 'results.jsonl', 'sweep.json'])
    expect(await streamsOn(port)).toEqual([])
    survivor.child.kill('SIGTERM')
    expect(await survivor.ended).toBe(0)
    expect((JSON.parse(survivor.stdout()) as { jobs: number }).jobs).toBeGreaterThanOrEqual(jobs / 2)
    server.child.kill()
    await server.ended
  })

  it('never show or write a password, and do without workers when given threads', async () => {
    const port = await freePort()
    const store = at('secret-store')
    const server = start(['nats-server', '-js', '-sd', store, '-a', '127.0.0.1', '-p', String(port), '--user', 'ann', '--pass', 's3cret'])
    await until(() => server.stderr().includes('Server is ready'), server.stderr, 20)
    const args = ['limber', 'sweep', 'chain', '--vary', 'angle=0.1,0.2', '--set', 'links=2', '--threads', '1', '--out', at('secret')]
    const stranger = start([...args, '--nats', `nats://ann:wrong-s3cret@127.0.0.1:${port}`])
    expect(await stranger.ended).toBe(2)
    expect(stranger.stderr()).toMatch(/nats:\/\/127\.0\.0\.1:\d+: cannot connect: /)
    const good = start([...args, '--nats', `nats://ann:s3cret@127.0.0.1:${port}`])
    expect(await good.ended, good.stderr()).toBe(0)
    const fromEnvironment = start(['limber', 'worker', '--nats', `127.0.0.1:${port}`, '--idle', '0.1'], {
      NATS_USER: 'ann',
      NATS_PASSWORD: 's3cret',
    })
    expect(await fromEnvironment.ended, fromEnvironment.stderr()).toBe(0)
    const files = readdirSync(at('secret')).map((name) => readFileSync(join(at('secret'), name), 'utf8'))
    const all = [...files, ...[stranger, good, fromEnvironment].flatMap((process) => [process.stderr(), process.stdout()])].join('\n')
    expect(all).not.toContain('s3cret')
    expect(rowsOf(at('secret'))).toHaveLength(2)
    server.child.kill()
    await server.ended
  })

  it('say what is missing: a server, JetStream', async () => {
    const port = await freePort()
    const nobody = await limber(['worker', '--nats', `127.0.0.1:${port}`])
    expect(nobody).toMatchObject({ code: 2 })
    expect(nobody.stderr).toContain('cannot connect')
    const plain = start(['nats-server', '-a', '127.0.0.1', '-p', String(port)])
    await until(() => plain.stderr().includes('Server is ready'), plain.stderr, 20)
    const without = await limber(['worker', '--nats', `127.0.0.1:${port}`])
    expect(without).toMatchObject({ code: 2 })
    expect(without.stderr).toContain('nats-server -js')
    plain.child.kill()
    await plain.ended
  })
})
