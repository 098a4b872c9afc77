import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limber, limberAlone, pendulum, type Result, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
folder.put('pendulum.xml', pendulum)
const at = (...args: string[]) => limber(args, { cwd: folder.path })
const alone = (...args: string[]) => limberAlone(args, { cwd: folder.path })
const read = (name: string) => readFileSync(join(folder.path, name))

/** Runs a command that must succeed and print one JSON document and nothing else. */
async function json<T>(...args: string[]): Promise<T> {
  return document<T>(await at(...args, '--json'))
}

/** As `json`, in a process of its own. */
function jsonAlone<T>(...args: string[]): T {
  return document<T>(alone(...args, '--json'))
}

function document<T>({ code, stdout, stderr }: Result): T {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

interface Run {
  readonly model: string
  readonly solver: string
  readonly timestep: number
  readonly steps: number
  readonly time: number
  readonly wall: number
  readonly energy: Record<'initial' | 'final', { kinetic: number; potential: number }>
  readonly state: { t: number; q: number[]; v: number[] }
  readonly statistics: { evaluations: number; steps: number; rejected: number; iterations: number }
  readonly warnings: string[]
}

describe('run', () => {
  it('prints the documented result', () => {
    const run = jsonAlone<Run>('run', 'pendulum.xml', '--duration', '0.5')
    expect(Object.keys(run)).toEqual(['model', 'solver', 'timestep', 'steps', 'time', 'wall', 'energy', 'state', 'statistics', 'warnings'])
    expect(run).toMatchObject({ model: 'pendulum', solver: 'ode', timestep: 0.002, steps: 250 })
    expect(run.time).toBeCloseTo(0.5, 12)
    expect(run.state.t).toBe(run.time)
    // four calls of the dynamics a step is what rk4 is
    expect(run.statistics).toMatchObject({ evaluations: 1000, steps: 250, rejected: 0 })
    expect(run.wall).toBeGreaterThan(0)
  })

  it('calls a model without a name after its file', async () => {
    folder.put('swing.v2.xml', pendulum.replace('model="pendulum"', ''))
    expect(await json<Run>('run', 'swing.v2.xml', '--duration', '0.01')).toMatchObject({ model: 'swing.v2' })
    expect((await json<{ model: string }>('info', 'swing.v2.xml')).model).toBe('swing.v2')
  })

  it('keeps the energy of a pendulum, which swings through its lowest point', async () => {
    const { energy, state } = await json<Run>('run', 'pendulum.xml', '--duration', '2', '--timestep', '0.001')
    const total = ({ kinetic, potential }: { kinetic: number; potential: number }) => kinetic + potential
    expect(Math.abs(total(energy.final) - total(energy.initial))).toBeLessThan(1e-9)
    expect(Math.abs(state.v[0] ?? 0)).toBeGreaterThan(0.1)
  })

  it('gives the same bits twice', () => {
    // two processes: nothing the first one left may be what makes them agree
    const [first, second] = [1, 2].map(() => jsonAlone<Run>('run', 'chain', '--duration', '0.2').state)
    expect(first).toEqual(second)
  })

  it('takes step, method and duration from the options, and ends at the duration when the step does not divide it', async () => {
    const run = await json<Run>('run', 'pendulum.xml', '--timestep', '0.03', '--duration', '0.1', '--set', 'method=semi-implicit')
    expect(run.timestep).toBe(0.03)
    expect(run.time).toBeCloseTo(0.1, 12)
    expect(run.statistics.evaluations).toBe(run.steps)
  })

  it('starts from a state file, whose tau acts throughout', async () => {
    folder.put('still.json', JSON.stringify({ q: [Math.PI / 2], v: [0], tau: [0] }))
    const hanging = await json<Run>('run', 'pendulum.xml', '--state', 'still.json', '--duration', '0.3')
    expect(hanging.state.q[0]).toBeCloseTo(Math.PI / 2, 6)
    folder.put('pushed.json', JSON.stringify({ q: [Math.PI / 2], tau: [1] }))
    const pushed = await json<Run>('run', 'pendulum.xml', '--state', 'pushed.json', '--duration', '0.3')
    expect(pushed.state.q[0]).toBeGreaterThan(Math.PI / 2 + 0.05)
  })

  it('reads a model from a pipe, whatever its format', async () => {
    const spec = (await limber(['scene', 'chain', '--set', 'links=3'])).stdout
    const urdf = (await at('convert', 'pendulum.xml', 'pendulum.urdf')).code === 0 ? read('pendulum.urdf').toString() : ''
    for (const [input, nv] of [
      [spec, 3],
      [pendulum, 1],
      [urdf, 1],
      [`\uFEFF${pendulum.replaceAll('\n', '\r\n')}`, 1],
    ] as const) {
      const { code, stdout } = limberAlone(['eval', '-', '--json'], { input })
      expect(code).toBe(0)
      expect((JSON.parse(stdout) as { nv: number }).nv).toBe(nv)
    }
    expect(limberAlone(['eval', '-'], { input: '' })).toMatchObject({ code: 2, stderr: expect.stringContaining('stdin') })
  })

  it('says where an option is known that the solver does not know', async () => {
    expect((await at('run', 'chain', '--set', 'links=5')).stderr).toContain('limber scene chain --set links=5 --out chain.json')
    expect((await at('run', 'pendulum.xml', '--solver', 'ode', '--set', 'scheme=linear')).stderr).toContain('add --solver redmax')
    expect((await at('run', 'pendulum.xml', '--solver', 'ode', '--set', 'metod=rk4')).stderr).toContain('did you mean method?')
  })

  it('ends with exit code 1 and says where when the motion blows up', async () => {
    folder.put('fast.json', JSON.stringify({ v: [1e200] }))
    const { code, stderr, stdout } = alone('run', 'pendulum.xml', '--state', 'fast.json', '--timestep', '10', '--duration', '100', '--json')
    expect(code).toBe(1)
    expect(stderr).toMatch(/hinge|timestep/)
    expect((JSON.parse(stdout) as Run).warnings.join()).toMatch(/step/)
    const plain = await at('run', 'pendulum.xml', '--state', 'fast.json', '--timestep', '10', '--duration', '100')
    expect(plain.stderr).toContain('--solver redmax is implicit')
    // once for both streams
    expect(`${plain.stdout}${plain.stderr}`.match(/diverged/g)).toHaveLength(1)
  })

  it('writes plain text without escape codes when nobody watches', () => {
    const { stdout, stderr } = alone('run', 'pendulum.xml', '--duration', '0.1')
    expect(stdout + stderr).not.toContain('\u001b')
    expect(stdout).toMatch(/pendulum: 0\.1 s simulated/)
    expect(stderr).toBe('')
  })

  it.each([
    [
      'motion.csv',
      (bytes: Buffer) =>
        expect(bytes.toString().split('\n').slice(0, 2).join('\n')).toMatch(/^t,hinge\.q,hinge\.v,kinetic,potential\n0,0,0,0,/),
    ],
    ['motion.json', (bytes: Buffer) => expect(JSON.parse(bytes.toString())).toBeTypeOf('object')],
    ['motion.npy', (bytes: Buffer) => expect(bytes.subarray(1, 6).toString()).toBe('NUMPY')],
    ['motion.mcap', (bytes: Buffer) => expect(bytes.subarray(1, 5).toString()).toBe('MCAP')],
    ['motion.glb', (bytes: Buffer) => expect(bytes.subarray(0, 4).toString()).toBe('glTF')],
  ])('records %s', async (name, check) => {
    await json('run', 'pendulum.xml', '--duration', '0.2', '--out', name)
    check(read(name))
  })

  it('records at the rate asked for, the first and the last state included', async () => {
    await json('run', 'pendulum.xml', '--duration', '1', '--fps', '10', '--out', 'slow.csv')
    const rows = read('slow.csv').toString().trim().split('\n').slice(1)
    expect(rows).toHaveLength(11)
    rows.forEach((row, k) => expect(Number(row.split(',')[0])).toBeCloseTo(k / 10, 9))
  })
})

describe('eval', () => {
  interface Evaluation {
    readonly nq: number
    readonly nv: number
    readonly joints: { name: string }[]
    readonly a: number[]
    readonly tau: number[]
    readonly mass: number[][]
    readonly bias: number[]
    readonly energy: { kinetic: number; potential: number }
    readonly bodies: { name: string; position: number[]; quaternion: number[] }[]
  }

  it('prints the documented result: mass · a + bias = tau', async () => {
    const e = await json<Evaluation>('eval', 'chain')
    expect(Object.keys(e)).toEqual(['nq', 'nv', 'joints', 'a', 'tau', 'mass', 'bias', 'energy', 'bodies'])
    e.mass.forEach((row, i) => {
      const force = row.reduce((sum, m, k) => sum + m * (e.a[k] ?? 0), e.bias[i] ?? 0)
      expect(force).toBeCloseTo(e.tau[i] ?? 0, 10)
    })
    expect(e.bodies).toHaveLength(10)
    expect(e.bodies[0]).toMatchObject({ name: 'link1', position: [0, 0, 0] })
  })

  it('says which constraints are not in its numbers', async () => {
    const { code, stderr } = await limber(['eval', 'four-bar', '--json'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/1 constraint: not in a, tau, mass and bias/)
  })

  it('leaves a mass matrix out that no document could hold', async () => {
    const input = (await limber(['scene', 'chain', '--set', 'links=3001'])).stdout
    const { code, stdout, stderr } = await limber(['eval', '-', '--json'], { input })
    expect(code).toBe(0)
    expect(stderr).toContain('3001 × 3001')
    expect(JSON.parse(stdout)).toMatchObject({ nv: 3001, mass: null })
  })

  it('gives joint forces for the accelerations of the state file', async () => {
    folder.put('accelerate.json', JSON.stringify({ q: [0.3], v: [1], a: [2] }))
    const e = await json<Evaluation>('eval', 'pendulum.xml', '--state', 'accelerate.json')
    expect(e.tau[0]).toBeCloseTo((e.mass[0]?.[0] ?? 0) * 2 + (e.bias[0] ?? 0), 12)
  })

  it('gives accelerations for the joint forces of the state file', async () => {
    folder.put('push.json', JSON.stringify({ tau: [3] }))
    const e = await json<Evaluation>('eval', 'pendulum.xml', '--state', 'push.json')
    expect((e.mass[0]?.[0] ?? 0) * (e.a[0] ?? 0) + (e.bias[0] ?? 0)).toBeCloseTo(3, 12)
  })
})

describe('info', () => {
  it('lists bodies, totals, what was ignored and the solvers', async () => {
    folder.put('rich.xml', pendulum.replace('<worldbody>', '<visual><headlight ambient="1 1 1"/></visual>\n  <worldbody>'))
    const info = await json<{
      nbody: number
      mass: number
      ignored: { path: string }[]
      solvers: { name: string; runs: boolean }[]
      auto: { why: string }
    }>('info', 'rich.xml')
    expect(info.nbody).toBe(2)
    expect(info.mass).toBeCloseTo(1, 12)
    expect(info.ignored.some(({ path }) => path.includes('visual'))).toBe(true)
    expect(info.solvers).toContainEqual(expect.objectContaining({ name: 'ode', runs: true }))
    expect(info.auto.why).toBeTruthy()
    const { stdout } = await at('info', 'rich.xml', '--all')
    for (const word of ['arm', 'hinge', 'revolute', 'Ignored', 'visual', 'auto takes ode']) expect(stdout).toContain(word)
  })
})

describe('convert', () => {
  it.each(['model.json', 'model.mjcf', 'model.urdf'])('to %s and back keeps the dynamics', async (name) => {
    await json('convert', 'pendulum.xml', name)
    const [first, second] = await Promise.all(['pendulum.xml', name].map((file) => json<{ a: number[]; mass: number[][] }>('eval', file)))
    expect(second?.a[0]).toBeCloseTo(first?.a[0] ?? 0, 9)
    expect(second?.mass[0]?.[0]).toBeCloseTo(first?.mass[0]?.[0] ?? 0, 9)
  })

  it.each(['model.glb', 'model.gltf'])('to %s', async (name) => {
    expect((await json<{ format: string }>('convert', 'chain', name)).format).toMatch(/glTF/)
    expect(existsSync(join(folder.path, name))).toBe(true)
  })

  it('says what the target cannot express', async () => {
    folder.put(
      'ball.json',
      JSON.stringify({ bodies: [{ name: 'a', joints: [{ type: 'spherical' }], geoms: [{ shape: 'sphere', radius: 0.1, mass: 1 }] }] }),
    )
    const { stdout, code } = await at('convert', 'ball.json', 'ball.urdf')
    expect(code).toBe(0)
    expect(stdout).toMatch(/not expressible in URDF/)
  })
})

describe('scene', () => {
  it('lists the scenes with parameters, defaults and units', async () => {
    const { stdout, code } = await at('scene')
    expect(code).toBe(0)
    for (const word of ['chain', 'humanoid', '--set links=10', 'in kg']) expect(stdout).toContain(word)
  })

  it('writes a scene that runs', async () => {
    await json('scene', 'chain', '--set', 'links=5', '--set', 'joint=spherical', '--out', 'chain.json')
    const run = await json<Run>('run', 'chain.json', '--duration', '0.1')
    expect(run.state.q).toHaveLength(20)
    expect(run.solver).toBe('ode')
  })

  it('prints the scene on stdout, also with --json', async () => {
    expect((await json<{ bodies: unknown[] }>('scene', 'double-pendulum')).bodies).toHaveLength(2)
  })
})

describe('every command', () => {
  it.each(['run', 'eval', 'info', 'convert', 'scene', 'schema', 'reduce', 'reproduce', 'bench', 'studio'])(
    '%s has help with examples',
    async (name) => {
      const { stdout, code } = await at(name, '--help')
      expect(code).toBe(0)
      expect(stdout).toMatch(/Examples:\n {2}\S/)
      expect(stdout).toContain('--json')
    },
  )

  it('shows help and version of the whole with exit code 0', () => {
    expect(alone('--help').code).toBe(0)
    expect(alone('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('schema', () => {
  it('is a JSON Schema that knows bodies', async () => {
    const schema = await json<{ $schema: string; properties: object }>('schema')
    expect(schema.$schema).toMatch(/json-schema/)
    expect(Object.keys(schema.properties)).toContain('bodies')
  })
})

describe('bench', () => {
  it('measures every model and states what holds, in a short version', { timeout: 300_000 }, () => {
    interface Bench {
      readonly forwardDynamics: { name: string; limber: { minimum: number; median: number }; ratio?: number; difference?: number }[]
      readonly claims: { claim: string; measured: number; holds: boolean }[]
    }
    const { forwardDynamics, claims } = jsonAlone<Bench>('bench', '--quick')
    const ofGround = claims.filter(({ claim }) => claim.startsWith('ground'))
    const others = claims.filter((one) => !ofGround.includes(one))
    const [ofBatches, ofDynamics] = [true, false].map((wanted) => others.filter(({ claim }) => claim.startsWith('f') === wanted))
    expect(forwardDynamics.map((row) => row.name)).toContain('humanoid')
    for (const { limber: time } of forwardDynamics) expect(time.median).toBeGreaterThanOrEqual(time.minimum)
    // the same mechanism in both engines: the accelerations agree, and each ratio is judged
    for (const { ratio, difference } of forwardDynamics) {
      expect(ratio).toBeGreaterThan(0)
      expect(difference).toBeLessThan(1e-8)
    }
    expect(ofDynamics).toHaveLength(forwardDynamics.length + 1)
    expect(ofBatches).toHaveLength(4)
    expect(ofGround).toHaveLength(7)
  })

  it('times steps with contact against MuJoCo on the same file, and both stay at the same height', { timeout: 300_000 }, () => {
    interface Figures {
      readonly mean: number
      readonly worst: number
      readonly first: number
      readonly contacts: number
      readonly height: number
    }
    interface Bench {
      readonly contact: { name: string; steps: number; limber: Figures; mujoco: Figures; ratio: { mean: number } }[]
      readonly claims: { claim: string }[]
    }
    const { contact, claims } = jsonAlone<Bench>('bench', '--contact', '--quick', '--only', 'quadruped')
    expect(contact.map(({ name }) => name)).toEqual(['quadruped standing'])
    const [{ limber, mujoco, ratio, steps }] = contact
    expect(steps).toBe(600)
    expect(ratio.mean).toBeCloseTo(limber.mean / mujoco.mean, 12)
    for (const one of [limber, mujoco]) expect(one.worst).toBeGreaterThanOrEqual(one.mean)
    // four feet on the ground in both; hard or soft, they sink by millimetres
    expect([limber.contacts, mujoco.contacts]).toEqual([4, 4])
    expect(Math.abs(limber.height - mujoco.height)).toBeLessThan(0.005)
    expect(claims).toHaveLength(3)
  })

  it('times createSimulation against new MjData in fresh processes, with a verdict for each bar', { timeout: 300_000 }, () => {
    interface Times {
      readonly first: number
      readonly step: number
      readonly again: number
    }
    interface Bench {
      readonly start: { name: string; limber: Times; mujoco: Times; ratio: { first: number; whole: number; again: number } }[]
      readonly claims: { claim: string; measured: number; limit: number; holds: boolean }[]
    }
    const { start, claims } = jsonAlone<Bench>('bench', 'start', '--quick')
    expect(start.map(({ name }) => name)).toEqual(['cart-pole', 'quadruped', 'humanoid'])
    for (const { limber, mujoco, ratio } of start) {
      expect(ratio.first).toBeCloseTo(limber.first / mujoco.first, 12)
      expect(ratio.whole).toBeCloseTo((limber.first + limber.step) / (mujoco.first + mujoco.step), 12)
      for (const { first, step, again } of [limber, mujoco]) expect(Math.min(first, step, again)).toBeGreaterThan(0)
    }
    expect(claims.map(({ limit }) => limit)).toEqual([1, 5])
  })

  it.each([
    [['batch', '--contact'], 'expected none beside --contact'],
    [['--only', 'humanoid'], 'expected with --contact'],
    [['--contact', '--only', 'octopus'], "'humanoid lying'"],
    [['--model', 'robot.xml'], 'expected with --contact'],
    [['--contact', '--model', 'nowhere.xml'], 'no such file'],
  ])('refuses %j', async (words, why) => {
    const { stderr, code } = await at('bench', ...words)
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })
})
