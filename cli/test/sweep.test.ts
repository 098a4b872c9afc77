import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createPool } from '../dist/sweep/pool.js'
import { limber, type Result, temporaryFolder } from './limber.js'
import { csvOf, journalOf, rowsOf, start, timeless, until } from './sweeps.js'

const folder = temporaryFolder()
folder.put(
  'arm.xml',
  `<mujoco model="arm">
  <option timestep="0.002"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1"/>
      <body name="lower" pos="0.5 0 0">
        <joint name="elbow" type="hinge" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.02" mass="0.5"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="lift" joint="shoulder"/></actuator>
  <keyframe><key name="up" qpos="1 0.5" qvel="0 0"/></keyframe>
</mujoco>
`,
)
const at = (name: string): string => join(folder.path, name)
const sweep = (...args: string[]): Promise<Result> => limber(['sweep', ...args], { cwd: folder.path })
const good = async (...args: string[]): Promise<Result> => {
  const result = await sweep(...args)
  expect(result).toMatchObject({ code: 0 })
  return result
}
const short = ['--duration', '0.1', '--threads', '1']

describe('limber sweep', () => {
  it('writes a row for every combination, with the bits of limber run', async () => {
    const { stdout } = await good(
      'arm.xml',
      '--vary',
      'q.elbow=0.1,0.2',
      '--vary',
      'timestep=0.001,0.002',
      ...short,
      '--out',
      'bits',
      '--json',
    )
    expect(JSON.parse(stdout)).toMatchObject({ jobs: 4, done: 4, failed: 0, out: 'bits' })
    const rows = rowsOf(at('bits'))
    expect(rows.map(({ job, values, status }) => ({ job, values, status }))).toEqual([
      { job: 1, values: { 'q.elbow': 0.1, timestep: 0.001 }, status: 'ok' },
      { job: 2, values: { 'q.elbow': 0.1, timestep: 0.002 }, status: 'ok' },
      { job: 3, values: { 'q.elbow': 0.2, timestep: 0.001 }, status: 'ok' },
      { job: 4, values: { 'q.elbow': 0.2, timestep: 0.002 }, status: 'ok' },
    ])
    writeFileSync(at('bent.json'), '{ "q": [0, 0.2] }')
    const run = await limber(['run', 'arm.xml', '--state', 'bent.json', '--timestep', '0.001', '--duration', '0.1', '--json'], {
      cwd: folder.path,
    })
    const { state, energy } = JSON.parse(run.stdout) as { state: { q: number[]; v: number[]; t: number }; energy: object }
    expect(rows[2]).toMatchObject({ q: state.q, v: state.v, time: state.t, energy })
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(4)
    expect(readdirSync(at('bits')).sort()).toEqual(['results.csv', 'results.jsonl', 'sweep.json'])
  })

  it('writes the same numbers as CSV', async () => {
    await good('arm.xml', '--vary', 'gravity=1,9.81', ...short, '--out', 'csv')
    const [head, ...lines] = csvOf(at('csv'))
    expect(head?.join()).toBe(
      'job,gravity,status,solver,timestep,time,kinetic_initial,potential_initial,kinetic_final,potential_final,evaluations,steps,rejected,iterations,hash',
    )
    const rows = rowsOf(at('csv')) as unknown as { job: number; hash: string; energy: { final: { kinetic: number } } }[]
    expect(lines.map((line) => [Number(line[0]), Number(line[8]), line.at(-1)])).toEqual(
      rows.map((row) => [row.job, row.energy.final.kinetic, row.hash]),
    )
    expect(JSON.parse(readFileSync(join(at('csv'), 'sweep.json'), 'utf8'))).toMatchObject({
      model: 'arm.xml',
      jobs: 2,
      ensemble: { variations: [{ key: 'gravity', values: [1, 9.81] }] },
      options: { duration: 0.1 },
    })
  })

  it.each([
    ['gravity=1,9'],
    ['gravity.x=0,5'],
    ['mass.lower=0.5,5'],
    ['damping.elbow=0,2'],
    ['stiffness.shoulder=0,50'],
    ['armature.elbow=0,1'],
    ['q.shoulder=0,1'],
    ['v.elbow=0,3'],
    ['control.lift=0,4'],
    ['method=rk4,semi-implicit'],
    ['solver=ode,redmax'],
    ['duration=0.1,0.2'],
  ])('moves the model otherwise with %s', async (vary) => {
    const name = `key-${vary.replaceAll(/\W/g, '-')}`
    const length = vary.startsWith('duration') ? [] : ['--duration', '0.05']
    await good('arm.xml', '--vary', vary, '--threads', '1', ...length, '--out', name)
    const [a, b] = rowsOf(at(name))
    expect([a?.status, b?.status]).toEqual(['ok', 'ok'])
    expect(a?.hash).not.toBe(b?.hash)
  })

  it('varies parameters of scenes, options of solvers with --set beside them', async () => {
    await good('chain', '--vary', 'links=2:6:3', '--set', 'method=semi-implicit', '--set', 'joint=spherical', ...short, '--out', 'links')
    expect(rowsOf(at('links')).map((row) => row.v?.length)).toEqual([6, 12, 18])
  })

  it('starts from keyframes and state files', async () => {
    await good('arm.xml', '--keyframe', 'up', '--vary', 'v.elbow=0,1', '--duration', '1e-9', '--threads', '1', '--out', 'up')
    expect(rowsOf(at('up'))[1]?.q?.[0]).toBeCloseTo(1, 6)
    writeFileSync(at('start.json'), '{ "q": [0.25, 0], "v": [0, 2] }')
    await good('arm.xml', '--state', 'start.json', '--vary', 'q.elbow=0,1', '--duration', '1e-9', '--threads', '1', '--out', 'state')
    const [, row] = rowsOf(at('state'))
    for (const [k, x] of [0.25, 1].entries()) expect(row?.q?.[k]).toBeCloseTo(x, 6)
    expect(row?.v?.[1]).toBeCloseTo(2, 6)
  })

  it('gives the same rows on one, two and three threads', async () => {
    const tables = []
    for (const threads of ['1', '2', '3']) {
      await good(
        'arm.xml',
        '--vary',
        'q.elbow=-1:1:6',
        '--vary',
        'mass.lower=0.1:10:3:log',
        '--duration',
        '0.1',
        '--threads',
        threads,
        '--out',
        `t${threads}`,
      )
      tables.push({ rows: timeless(rowsOf(at(`t${threads}`))), csv: csvOf(at(`t${threads}`)) })
    }
    expect(tables[0]?.rows).toHaveLength(18)
    expect(tables[1]).toEqual(tables[0])
    expect(tables[2]).toEqual(tables[0])
  })

  it('draws the same samples from the same seed', async () => {
    const draw = async (seed: string, out: string): Promise<object[]> => {
      await good('chain', '--random', '5', '--seed', seed, '--vary', 'links=1:9', '--vary', 'length=0.1:1:log', ...short, '--out', out)
      return timeless(rowsOf(at(out)))
    }
    const first = await draw('3', 'seed-a')
    expect(await draw('3', 'seed-b')).toEqual(first)
    expect(await draw('4', 'seed-c')).not.toEqual(first)
    expect(first.every((row) => Number.isInteger((row as { values: { links: number } }).values.links))).toBe(true)
  })

  it('has a row for a simulation that fails, and fails itself only if all do', async () => {
    const stiff = [
      'arm.xml',
      '--solver',
      'ode',
      '--set',
      'method=euler',
      '--vary',
      'stiffness.elbow=0,1e9',
      '--duration',
      '2',
      '--threads',
      '1',
    ]
    const { stdout } = await good(...stiff, '--out', 'one-fails', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ jobs: 2, done: 2, failed: 1 })
    const [, bad] = rowsOf(at('one-fails'))
    expect(bad?.status).toMatch(/grows without bound at joint 'shoulder'/)
    expect(bad?.time).toBeLessThan(2)
    expect(csvOf(at('one-fails'))[2]?.[2]).toBe(`"${bad?.status}"`)
    const all = await sweep(
      'arm.xml',
      '--solver',
      'ode',
      '--set',
      'method=euler',
      '--vary',
      'stiffness.elbow=1e9,1e10',
      '--duration',
      '2',
      '--threads',
      '1',
      '--out',
      'all-fail',
    )
    expect(all.code).toBe(1)
    expect(all.stdout).toContain('2 failed')
    // and says so again when asked again
    expect(await sweep('--resume', '--out', 'all-fail')).toMatchObject({ code: 1 })
  })

  it('has a row for a model that cannot be built', async () => {
    await good('arm.xml', '--vary', 'mass.lower=-1,1', ...short, '--out', 'no-mass')
    expect(rowsOf(at('no-mass')).map(({ status }) => status)).toEqual([expect.stringContaining('mass: expected'), 'ok'])
  })

  it.each([
    ['a mistyped joint', ['arm.xml', '--vary', 'q.elbwo=0,1'], 'q.elbwo: there is no joint of this name; did you mean q.elbow?'],
    ['a mistyped body', ['arm.xml', '--vary', 'mass.uper=0,1'], 'did you mean mass.upper?'],
    ['a mistyped key', ['chain', '--vary', 'lnks=1,2'], 'lnks: there is no such key; did you mean links?'],
    ['an actuator that is not there', ['chain', '--vary', 'control.a=1,2'], 'control.a: the model has no actuators'],
    ['one number for several', ['humanoid', '--vary', 'q.root=1,2'], 'name one of them: q.root.0 to q.root.6'],
    [
      'an option of another solver',
      ['chain', '--vary', 'tolerance=1e-3,1e-4'],
      'redmax and implicit and position have it: add --solver redmax',
    ],
    ['a value out of range', ['arm.xml', '--vary', 'rtol=1e-3,-1'], 'rtol=-1: option rtol of solver ode: expected'],
    ['half a link', ['chain', '--vary', 'links=1:4:3'], 'links=2.5: expected a whole number'],
    ['a word for a number', ['arm.xml', '--vary', 'q.elbow=far,1'], 'q.elbow=far: expected a number'],
    ['a step of nothing', ['arm.xml', '--vary', 'timestep=0,1'], 'timestep=0: expected a positive number'],
    ['a solver that is not there', ['arm.xml', '--vary', 'solver=ode,rdmax'], 'did you mean redmax?'],
    ['a key that varies twice', ['arm.xml', '--vary', 'gravity=1,2', '--vary', 'gravity=3,4'], 'this key varies already'],
    ['a key that is also fixed', ['arm.xml', '--vary', 'timestep=1,2', '--timestep', '1'], '--timestep gives one value'],
    ['nothing that varies', ['arm.xml'], '--vary: expected at least one'],
    ['no model', ['--vary', 'gravity=1,2'], 'MODEL: expected a model file'],
    ['too much', ['arm.xml', '--vary', 'gravity=1:2:9999', '--vary', 'q.elbow=1:2:9999'], 'expected at most 10000000 jobs'],
    ['an address that is none', ['arm.xml', '--vary', 'gravity=1,2', '--nats', 'http://ann:hidden@host'], '--nats: expected an address'],
  ])('refuses %s before anything runs', async (_, args, message) => {
    const { code, stderr, stdout } = await sweep(...args, '--out', 'refused')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hidden')
    expect(existsSync(at('refused'))).toBe(false)
  })

  it('lists keys in its help', async () => {
    const { stdout } = await sweep('--help')
    for (const key of ['timestep', 'gravity', 'mass.BODY', 'damping.JOINT', 'q.JOINT', 'control.NAME']) expect(stdout).toContain(key)
  })
})

describe('a folder of results', () => {
  it('that is complete is left as it is', async () => {
    await good('arm.xml', '--vary', 'gravity=1,2', ...short, '--out', 'complete')
    const before = readFileSync(join(at('complete'), 'results.jsonl'), 'utf8')
    const again = await good('arm.xml', '--vary', 'gravity=1,2', ...short, '--out', 'complete')
    expect(again.stderr).toContain('is complete already')
    expect((await good('--resume', '--out', 'complete', '--json')).stdout).toContain('"done": 2')
    expect(readFileSync(join(at('complete'), 'results.jsonl'), 'utf8')).toBe(before)
  })

  it('of another sweep is refused, with what differs', async () => {
    await good('arm.xml', '--vary', 'gravity=1,2', ...short, '--out', 'mine')
    const other = await sweep('arm.xml', '--vary', 'gravity=1,3', ...short, '--out', 'mine')
    expect(other).toMatchObject({ code: 2 })
    expect(other.stderr).toContain('holds another sweep: what varies differs')
    const model = readFileSync(at('arm.xml'), 'utf8').replace('mass="0.5"', 'mass="0.6"')
    mkdirSync(at('elsewhere'))
    writeFileSync(join(at('elsewhere'), 'arm.xml'), model)
    const changed = await limber(['sweep', 'arm.xml', '--vary', 'gravity=1,2', ...short, '--out', at('mine')], { cwd: at('elsewhere') })
    expect(changed.stderr).toContain('holds another sweep: the model differs')
    folder.put('results.csv', '')
    expect((await sweep('arm.xml', '--vary', 'gravity=1,2', ...short, '--out', '.')).stderr).toContain(
      'it is not known what they belong to',
    )
  })

  it('without a sweep is not resumed', async () => {
    mkdirSync(at('empty'))
    expect(await sweep('--resume', '--out', 'empty')).toMatchObject({ code: 2 })
    expect((await sweep('arm.xml', '--vary', 'gravity=1,2', '--resume', '--out', 'empty')).stderr).toContain('there is no sweep to resume')
  })

  it('belongs to one process at a time; a lock of a process that is gone is none', async () => {
    mkdirSync(at('locked'))
    const lock = (owner: object): void => writeFileSync(join(at('locked'), 'lock'), JSON.stringify(owner))
    lock({ host: hostname(), pid: process.pid, started: '' })
    const args = ['arm.xml', '--vary', 'gravity=1,2', ...short, '--out', 'locked']
    expect(await sweep(...args)).toMatchObject({ code: 2 })
    expect((await sweep(...args)).stderr).toContain(`another sweep, process ${process.pid}, works on it`)
    lock({ host: 'elsewhere', pid: 1, started: '' })
    expect((await sweep(...args)).stderr).toContain('process 1 on elsewhere works on it; if that one is gone, remove')
    // numbers of processes are used again: the time of its start tells a later one apart
    lock({ host: hostname(), pid: process.pid, started: '1' })
    await good(...args)
    expect(existsSync(join(at('locked'), 'lock'))).toBe(false)
  })

  it('is left resumable by Ctrl-C, which says how', async () => {
    const args = ['arm.xml', '--vary', 'q.elbow=0:1:200', '--duration', '1', '--threads', '1', '--out', at('stopped')]
    const first = start(['limber', 'sweep', at('arm.xml'), ...args.slice(1)])
    await until(() => journalOf(at('stopped')).length > 2, first.stderr)
    first.child.kill('SIGINT')
    expect(await first.ended).toBe(1)
    expect(first.stderr()).toMatch(/interrupted with \d+ of 200 jobs done; go on with the same command, or: limber sweep --resume --out/)
    expect(first.stdout()).toBe('')
    const done = journalOf(at('stopped'))
    expect(existsSync(join(at('stopped'), 'lock'))).toBe(false)
    expect(existsSync(join(at('stopped'), 'results.csv'))).toBe(false)
    const { stderr } = await good('--resume', '--out', 'stopped')
    expect(stderr).toContain(`${done.length} of 200 jobs were done before`)
    // what was done is not done again: the clock of each row is the one of then
    const rows = rowsOf(at('stopped'))
    expect(rows.map(({ job }) => job)).toEqual(Array.from({ length: 200 }, (_, k) => k + 1))
    for (const row of done) expect(rows[row.job - 1]).toEqual(row)
  })
})

describe('threads', () => {
  it('that die give their job to another, and a job that kills them all becomes a failed row', async () => {
    const script = fileURLToPath(new URL('./dying-thread.mjs', import.meta.url))
    const task = { limber: '', file: '', model: { scene: '' }, keys: ['a'], fixed: {} }
    const pool = await createPool(task, at('died-once'), 2, script)
    const results = await Promise.all([1, 2, 3, 4, 5, 6].map((job) => pool.run(job, [job / 2])))
    await pool.close()
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false, true, true, true])
    expect(existsSync(at('died-once'))).toBe(true)
    expect(JSON.parse(results[2]?.text ?? '')).toEqual({
      job: 3,
      values: { a: 1.5 },
      status: 'the thread that ran it ended 3 times: worker exited with code: 8',
    })
  })
})
