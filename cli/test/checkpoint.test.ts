/**
 * `limber run --checkpoint` and `--resume`: what is taken from a checkpoint, what is refused, and what disks that are full do to a run.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModelError } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { howToContinue, readCheckpoint } from '../src/checkpoint.js'
import { limber, limberKilledAt, pendulum, type Result, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
const program = fileURLToPath(new URL('../bin/limber.js', import.meta.url))
const at = (...args: string[]) => limber(args, { cwd: folder.path })
const path = (name: string) => join(folder.path, name)
const read = (name: string) => readFileSync(path(name))

/** A pendulum that can be driven. */
const driven = pendulum.replace(
  '</worldbody>',
  `</worldbody>
  <actuator><motor name="drive" joint="hinge"/></actuator>
  <keyframe><key name="up" qpos="-1.5" ctrl="0.1"/><key name="side" qpos="0.2"/></keyframe>`,
)
folder.put('driven.xml', driven)
folder.put('pendulum.xml', pendulum)
folder.put(
  'cube.obj',
  'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nf 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n',
)
folder.put('start.json', '{ "v": [0.5] }')
folder.put('copy.json', '{ "v": [0.5] }')
folder.put('other.json', '{ "v": [0.25] }')

/** Prints one document and ends well; without the time it took. */
function resultOf({ code, stdout }: Result): Record<string, unknown> {
  expect(code).toBe(0)
  const { wall: _, ...result } = JSON.parse(stdout) as Record<string, unknown>
  return result
}

/** A copy of the run that was killed half-way, under other names. */
function copyOf(name: string): string {
  copyFileSync(path('half'), path(name))
  copyFileSync(path('half.frames-a'), path(`${name}.frames-a`))
  return name
}

const options = [
  ...['--keyframe', 'up', '--state', 'start.json', '--control', 'drive=0.3'],
  ...['--solver', 'ode', '--set', 'method=gear', '--set', 'rtol=1e-9', '--timestep', '0.01', '--duration', '0.505', '--fps', '30'],
]
let whole: Record<string, unknown> = {}

beforeAll(async () => {
  whole = resultOf(await at('run', 'driven.xml', ...options, '--out', 'whole.csv', '--json'))
  // the fourth checkpoint is not put in place: the run stands at the third
  const args = ['run', 'driven.xml', ...options, '--out', 'half.csv', '--checkpoint', 'half', '--checkpoint-every', '0.1']
  expect((await limberKilledAt(4, args, { cwd: folder.path }, 'renameSync')).signal).toBe('SIGKILL')
  expect(readCheckpoint(path('half'))).toMatchObject({ finished: false, taken: 20, every: 0.1 })
})

describe('--resume', () => {
  it('takes what is left out from the checkpoint, and comes to the same bits', async () => {
    const run = await at('run', 'driven.xml', '--resume', copyOf('plain'), '--json')
    expect(run.stderr).toBe('')
    expect(resultOf(run)).toEqual(whole)
    expect(read('half.csv')).toEqual(read('whole.csv'))
    expect(existsSync(path('plain.frames-a'))).toBe(false)
    rmSync(path('half.csv'))
  })

  it('takes the same options again, and others for what does not change the run', async () => {
    const again = ['--solver', 'auto', ...options.slice(options.indexOf('--set'))]
    const given = ['--keyframe', '0', '--state', 'start.json', '--control', '0=0.3', ...again]
    const rest = ['--out', 'again.json', '--checkpoint', 'elsewhere', '--checkpoint-every', '0.05', '--json']
    expect(resultOf(await at('run', 'driven.xml', ...given, ...rest, '--resume', copyOf('same')))).toEqual(whole)
    expect(readCheckpoint(path('elsewhere'))).toMatchObject({ finished: true, every: 0.05 })
    // the one that it began with is as it was, its frames too
    expect(read('same')).toEqual(read('half'))
    expect(read('same.frames-a')).toEqual(read('half.frames-a'))
    await at('run', 'driven.xml', ...options, '--out', 'whole.json', '--json')
    expect(read('again.json')).toEqual(read('whole.json'))
  })

  it('can be asked for from another folder: the recording goes where it was to go', async () => {
    mkdirSync(path('below'))
    const run = await limber(['run', '../driven.xml', '--resume', `../${copyOf('moved')}`, '--json'], { cwd: path('below') })
    expect(resultOf(run)).toEqual(whole)
    expect(read('half.csv')).toEqual(read('whole.csv'))
    expect(readdirSync(path('below'))).toEqual([])
    rmSync(path('half.csv'))
  })

  it.each([
    [['--solver', 'redmax'], /--solver redmax: the run of half was begun with ode; leave this out, or begin anew/],
    [['--set', 'rtol=1e-8'], /--set rtol=1e-8: .*begun with 1e-9/],
    [['--set', 'method=rk4'], /--set method=rk4: .*begun with gear/],
    [['--set', 'maxorder=5'], /--set maxorder=5: .*begun with 12/],
    [['--set', 'metod=rk4'], /--set metod: the solver ode has no such option; did you mean method/],
    [['--timestep', '0.02'], /--timestep 0.02: .*begun with 0.01/],
    [['--duration', '1'], /--duration 1: .*begun with 0.505/],
    [['--fps', '60'], /--fps 60: .*begun with 30/],
    [['--keyframe', 'side'], /--keyframe side: .*begun with up/],
    [['--state', 'other.json'], /--state other.json: .*begun with other numbers/],
    [['--control', 'drive=0.2'], /--control drive=0.2: .*begun with 0.3/],
    [['--out', 'copy.json', '--state', 'copy.json'], /--out copy.json: it would overwrite copy.json/],
  ])('refuses %j by its name', async (args, message) => {
    const { code, stdout, stderr } = await at('run', 'driven.xml', '--resume', 'half', ...args)
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('refuses another model, a recording that was not begun, and what is no checkpoint', async () => {
    const fails = async (args: string[], message: RegExp) => {
      const { code, stderr } = await at('run', ...args)
      expect(stderr).toMatch(message)
      expect(code).toBe(2)
    }
    await fails(['pendulum.xml', '--resume', 'half'], /half: the checkpoint is of another model, or the model was changed/)
    await at('run', 'pendulum.xml', '--duration', '0.1', '--checkpoint', 'silent')
    await fails(['pendulum.xml', '--resume', 'silent', '--out', 'x.csv'], /--out x.csv: .*begun without a recording/)
    await fails(['driven.xml', '--resume', 'absent'], /absent: no such checkpoint/)
    await fails(['driven.xml', '--resume', 'driven.xml'], /driven.xml: expected a checkpoint/)
    await fails(['driven.xml', '--checkpoint', 'pendulum.xml'], /pendulum.xml: a file of this name is there and is no checkpoint/)
    await fails(['driven.xml', '--checkpoint', 'driven.xml'], /would overwrite driven.xml/)
    await fails(['driven.xml', '--checkpoint', 'no/such'], /folder no is not there/)
    await fails(['driven.xml', '--checkpoint-every', '1'], /--checkpoint-every: add --checkpoint FILE/)
  })

  it('prints the result of a finished run again, and writes nothing', async () => {
    const args = ['run', 'driven.xml', ...options, '--out', 'done.csv', '--checkpoint', 'done', '--json']
    const { stdout } = await at(...args)
    const names = readdirSync(folder.path)
    const before = read('done')
    rmSync(path('done.csv'))
    const again = await at('run', 'driven.xml', '--resume', 'done', '--json')
    expect(again).toEqual({ code: 0, stdout, stderr: 'limber: done: the run is finished; this is its result\n' })
    expect(read('done')).toEqual(before)
    expect(readdirSync(folder.path).sort()).toEqual(names.filter((name) => name !== 'done.csv').sort())
    expect((await at('run', 'driven.xml', '--resume', 'done', '--out', 'new.csv')).stderr).toMatch(
      /finished, and recorded in done.csv; begin anew/,
    )
  })

  it('tells what the start of the run told', async () => {
    const rod = { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.1, 0.1, 0, 0, 0] }
    const joints = [{ name: 'a', type: 'revolute', axis: [0, 1, 0], limits: [-0.2, 0.2] }]
    folder.put('limited.json', JSON.stringify({ bodies: [{ name: 'a', inertia: rod, joints }] }))
    folder.put('beyond.json', '{ "q": [0.9] }')
    const args = ['run', 'limited.json', '--solver', 'redmax', '--state', 'beyond.json', '--duration', '0.3', '--json']
    const all = resultOf(await at(...args))
    expect(all['warnings']).toEqual([expect.stringContaining("joint 'a' started beyond the limits")])
    expect((await limberKilledAt(4, [...args, '--checkpoint', 'limited'], { cwd: folder.path }, 'renameSync')).signal).toBe('SIGKILL')
    // it rests at its limit, where steps need not be made: a run that is continued makes one before it knows
    const { statistics, ...told } = resultOf(await at('run', 'limited.json', '--resume', 'limited', '--json'))
    const { statistics: whole, ...first } = all
    expect(told).toEqual(first)
    expect(statistics).toMatchObject({ steps: 150, rejected: 0 })
    expect(whole).toMatchObject({ steps: 150, rejected: 0 })
  })

  it('says what a new run replaces', async () => {
    const run = await at('run', 'pendulum.xml', '--duration', '0.1', '--checkpoint', copyOf('replaced'))
    expect(run.stderr).toMatch(/replaced: replaced; it was of a run that had come to t = 0.2 s, which --resume continues/)
    expect(run.code).toBe(0)
    expect(existsSync(path('replaced.frames-a'))).toBe(false)
  })

  it('keeps the checkpoint of a run that blows up, and ends as it did', async () => {
    folder.put('fast.json', JSON.stringify({ v: [1e200] }))
    const args = ['run', 'pendulum.xml', '--state', 'fast.json', '--timestep', '10', '--duration', '100', '--json']
    const [one, two] = [await at(...args), await at(...args, '--checkpoint', 'fast')]
    const again = await at('run', 'pendulum.xml', '--resume', 'fast', '--json')
    for (const run of [one, two, again]) {
      expect(run.code).toBe(1)
      expect({ ...(JSON.parse(run.stdout) as object), wall: 0 }).toEqual({ ...(JSON.parse(one.stdout) as object), wall: 0 })
    }
  })
})

describe('a damaged checkpoint', () => {
  const expectRefused = (bytes: Uint8Array, message: RegExp) => {
    writeFileSync(path('damaged'), bytes)
    let thrown: unknown
    try {
      readCheckpoint(path('damaged'))
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ModelError)
    expect((thrown as Error).message).toMatch(message)
  }

  it('is refused whichever of its bytes is changed', () => {
    const bytes = read('half')
    for (let k = 0; k < bytes.length; k++) {
      const changed = Buffer.from(bytes)
      changed[k] = (changed[k] ?? 0) ^ (1 << (k % 8))
      expectRefused(changed, /damaged|expected a checkpoint/)
    }
  })

  it('is refused wherever it is cut, or when something follows it', () => {
    const bytes = read('half')
    for (let k = 0; k < bytes.length; k++) expectRefused(bytes.subarray(0, k), /cut short|expected a checkpoint/)
    expectRefused(Buffer.concat([bytes, Buffer.of(0)]), /expected \d+ bytes, got \d+/)
  })

  it('ends the command with exit code 2 and what to do', async () => {
    writeFileSync(path('damaged'), read('half').subarray(0, -9))
    const { code, stdout, stderr } = await at('run', 'driven.xml', '--resume', 'damaged')
    expect(stderr).toMatch(
      /damaged: the checkpoint is cut short or damaged: expected \d+ bytes, got \d+; take an earlier one, or begin anew/,
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('is told by its frames too; what follows them does not count', async () => {
    const frames = `${copyOf('frames')}.frames-a`
    // the run was killed before what it had written last did count
    const good = read(frames)
    const counted = readCheckpoint(path('half')).recording?.bytes ?? 0
    expect(good.length).toBeGreaterThan(counted)
    const resume = () => at('run', 'driven.xml', '--resume', 'frames', '--json')
    const changed = Buffer.from(good)
    changed[100] = (changed[100] ?? 0) ^ 1
    for (const [bytes, message] of [
      [changed, /frames-a[^}]*the frames of the recording so far are damaged/],
      [good.subarray(0, counted - 1), /frames-a[^}]*the frames of the recording so far are cut short/],
    ] as const) {
      writeFileSync(path(frames), bytes)
      expect(await resume()).toMatchObject({ code: 2, stdout: expect.stringMatching(message) })
    }
    rmSync(path(frames))
    expect(await resume()).toMatchObject({ code: 2, stdout: expect.stringMatching(/cannot be read: .*beside the checkpoint/) })
    writeFileSync(path(frames), good)
    appendFileSync(path(frames), 'half a frame')
    expect(resultOf(await resume())).toEqual(whole)
    expect(read('half.csv')).toEqual(read('whole.csv'))
  })
})

describe('where there is no space', () => {
  /** Runs the command where no file may become longer than this many blocks of 512 bytes. */
  const limited = (blocks: number, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -f ${blocks} && exec "$@"`, 'sh', process.execPath, program, ...args],
      {
        cwd: folder.path,
        encoding: 'utf8',
      },
    )
    return { code: status, stdout, stderr }
  }

  it('a recording leaves the old one as it was, and the run goes on when there is space', async () => {
    writeFileSync(path('large.csv'), 'old')
    const { code, stderr } = limited(40, 'run', 'pendulum.xml', '--duration', '4', '--out', 'large.csv', '--checkpoint', 'large')
    expect(stderr).toMatch(
      /large.*: cannot be written: there is no space left for it \(EFBIG\); make room, or write elsewhere\. What was there/,
    )
    expect(stderr).toContain('the last checkpoint is large; continue with: limber run pendulum.xml --resume large')
    expect(code).toBe(1)
    expect(read('large.csv').toString()).toBe('old')
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([])
    const run = resultOf(await at('run', 'pendulum.xml', '--resume', 'large', '--json'))
    expect(run).toEqual(resultOf(await at('run', 'pendulum.xml', '--duration', '4', '--out', 'large-whole.csv', '--json')))
    expect(read('large.csv')).toEqual(read('large-whole.csv'))
  })

  it.each([
    ['run', ['run', 'chain', '--out', 'full.csv']],
    ['run --checkpoint', ['run', 'chain', '--set', 'method=gear', '--out', 'full.csv', '--checkpoint', 'full.checkpoint']],
    ['convert', ['convert', 'humanoid', 'full.xml']],
    ['scene', ['scene', 'humanoid', '--out', 'full.json']],
    ['schema', ['schema', '--out', 'full.schema.json']],
    ['reduce', ['reduce', 'cube.obj', '--voxels', '3', '--modes', '6', '--no-cache', '--threads', '1', '--out', 'full.limber']],
  ])('%s ends with exit code 1, and no file', (_name, args) => {
    const before = readdirSync(folder.path)
    const { code, stderr } = limited(2, ...args)
    expect(stderr).toMatch(/full\S*: cannot be written: there is no space left for it/)
    expect(code).toBe(1)
    expect(readdirSync(folder.path)).toEqual(before)
  })
})

describe('a folder without the right to write', () => {
  it('is told of before the run, with exit code 1', ({ skip }) => {
    mkdirSync(path('closed'))
    writeFileSync(path('closed/old.csv'), 'old')
    chmodSync(path('closed'), 0o555)
    chmodSync(folder.path, 0o755)
    // the system's administrator may write everywhere: asked as somebody else
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {}
    const ask = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8', ...user })
    if (ask(program, '--version').status !== 0) skip('another user may not run the command where this repository is')
    for (const file of ['closed/old.csv', 'closed/new.csv']) {
      const { status, stdout, stderr } = ask(program, 'run', 'pendulum.xml', '--duration', '1e9', '--out', file)
      expect(stderr).toMatch(/closed\/\w+\.csv: cannot be written: there is no right to write there \(EACCES\)/)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    }
    chmodSync(path('closed'), 0o755)
    expect(readdirSync(path('closed'))).toEqual(['old.csv'])
  })
})

describe('--control', () => {
  it('tells an actuator what to do, over a keyframe and a state file', async () => {
    folder.put('push.json', '{ "control": [9] }')
    const drive = async (...args: string[]) =>
      (resultOf(await at('run', 'driven.xml', '--duration', '0.2', '--json', ...args)) as { state: unknown }).state
    folder.put('one.json', '{ "control": [1] }')
    const wanted = await drive('--state', 'one.json')
    expect(await drive('--control', 'drive=1')).toEqual(wanted)
    expect(await drive('--control', '0=1')).toEqual(wanted)
    expect(await drive('--state', 'push.json', '--control', 'drive=1')).toEqual(wanted)
    expect(await drive('--control', 'drive=0.5')).not.toEqual(wanted)
  })

  it.each([
    [['--control', 'driv=1'], /--control driv: the model has no actuator of this name; did you mean drive\? Known: drive/],
    [['--control', 'drive'], /NAME=VALUE/],
    [['--control', 'drive=fast'], /NAME=VALUE, the value a number/],
    [['--control', 'drive=1', '--control', 'drive=2'], /drive was given twice/],
    [['--control', 'drive=1', '--control', '0=2'], /--control 0|--control drive/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await at('run', 'driven.xml', ...args)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })

  it('says that a model has no actuators', async () => {
    expect((await at('run', 'pendulum.xml', '--control', 'drive=1')).stderr).toMatch(/--control drive: the model has no actuators/)
  })
})

describe('howToContinue', () => {
  it('is a command that a shell takes', () => {
    expect(howToContinue('chain', 'a/b.checkpoint')).toBe(
      'the last checkpoint is a/b.checkpoint; continue with: limber run chain --resume a/b.checkpoint',
    )
    expect(howToContinue("it's.xml", 'my run')).toContain("limber run 'it'\\''s.xml' --resume 'my run'")
    expect(howToContinue('-', 'c')).toContain('the same model through the pipe')
  })
})
