/** Environments of a task: a quadruped that is to stand. The same rows for the same seed, and episodes that end and begin as stated. */
import { readFileSync } from 'node:fs'
import { type Autoreset, buildModel, createEnvironments, type Environments, type EnvironmentsOptions, parseMjcf, type Task } from 'limber'
import { startThread } from 'limber/node'
import { describe, expect, it } from 'vitest'

const model = buildModel(parseMjcf(readFileSync(new URL('../robots/quadruped.xml', import.meta.url), 'utf8')))
const COUNT = 6

const standing: Task = {
  model,
  substeps: 5,
  observe: ['gravity of trunk', 'position of trunk', 'q', 'v', 'touch of front left shin'],
  episode: 0.2,
  vary: ['friction'],
  memory: 1,
  start: { keyframe: 'stand', noise: 0.05 },
  begin(row, random) {
    row.memory[0] = random.between(0.2, 0.3)
    row.parameter('friction').set(0, random.between(0.5, 1))
  },
  action: { scale: 0.3, limit: 1 },
  reward: (row) => 1 - Math.abs(row.of('position of trunk')[2] - row.memory[0]) - 0.01 * Math.abs(row.action[0] - row.lastAction[0]),
  terminated: (row) => row.of('position of trunk')[2] < 0.1,
}

const open = (options: Partial<EnvironmentsOptions> = {}, task: Partial<Task> = {}): Promise<Environments> =>
  createEnvironments({ ...standing, ...task }, { count: COUNT, seed: 5, ...options })

/** Actions that differ by environment and step. */
const actionsAt = (n: number, count = COUNT): Float32Array =>
  Float32Array.from({ length: count * model.nu }, (_, k) => Math.sin(0.7 * n + 1.3 * (k % model.nu) + Math.floor(k / model.nu)))

/** All rows of some steps, over several episodes. */
function run(environments: Environments, steps = 30): number[][] {
  const rows = [[...environments.reset().observation]]
  for (let n = 0; n < steps; n++) {
    const { observation, reward, terminated, truncated } = environments.step(actionsAt(n, environments.count))
    rows.push([...observation, ...reward, ...terminated, ...truncated])
  }
  return rows
}

describe.each(['f32', 'f64'] as const)('the same seed in %s', (precision) => {
  it('gives the same rows on one and two threads, and after another reset', async () => {
    const one = await open({ precision })
    const expected = run(one)
    const two = await open({ precision, threads: 2, startThread })
    expect(two.batch.threads).toBe(2)
    expect(run(two)).toEqual(expected)
    two.close()
    one.reset({ seed: 5 })
    // the second reset goes on with the random numbers
    const again = await open({ precision })
    again.reset()
    expect(run(again)).toEqual(run(one))
    expect(run(await open({ precision, seed: 6 }))).not.toEqual(expected)
  })

  it('gives an environment the same rows among fewer', async () => {
    const many = run(await open({ precision }))
    const few = run(await open({ precision, count: 3 }))
    const width = many[0].length / COUNT
    for (let n = 0; n <= 30; n++) expect(few[n].slice(0, 3 * width)).toEqual(many[n].slice(0, 3 * width))
  })
})

describe('episodes', () => {
  const LAST = 20

  it.each(['next-step', 'same-step', 'disabled'] as Autoreset[])('end by the time limit and begin again: %s', async (autoreset) => {
    const environments = await open({ autoreset })
    const size = environments.observationSize
    const first = environments.reset().observation.slice()
    for (let n = 1; n < LAST; n++) {
      const { truncated, info } = environments.step(actionsAt(n))
      expect([...truncated, ...info.ended]).toEqual(Array<number>(2 * COUNT).fill(0))
    }
    const end = environments.step(actionsAt(LAST))
    expect([...end.truncated]).toEqual(Array<number>(COUNT).fill(1))
    expect([...end.terminated]).toEqual(Array<number>(COUNT).fill(0))
    expect([...end.info.episodeLength]).toEqual(Array<number>(COUNT).fill(LAST))
    expect(end.info.episodeReward[0]).toBeGreaterThan(10)
    const last = (autoreset === 'same-step' ? end.info.finalObservation : end.observation).slice()
    // at the start the trunk is at the height of the keyframe, at the end it has sunk
    const height = (rows: Float32Array): number => rows[5]
    expect(height(first)).toBeCloseTo(0.3, 6)
    expect(height(last)).toBeLessThan(0.299)
    if (autoreset === 'same-step') expect(height(end.observation)).toBeCloseTo(0.3, 6)
    const next = environments.step(actionsAt(LAST + 1))
    if (autoreset === 'next-step') {
      expect([...next.reward]).toEqual(Array<number>(COUNT).fill(0))
      expect([...next.truncated, ...next.info.ended]).toEqual(Array<number>(2 * COUNT).fill(0))
      expect(height(next.observation)).toBeCloseTo(0.3, 6)
      expect(next.observation.slice(0, size)).not.toEqual(first.slice(0, size))
    } else if (autoreset === 'disabled') {
      expect([...next.truncated]).toEqual(Array<number>(COUNT).fill(1))
      const mask = [0, 1, 0, 0, 0, 0]
      const before = next.observation.slice()
      const { observation } = environments.reset({ mask })
      expect(observation[size + 5]).toBeCloseTo(0.3, 6)
      expect(observation.slice(0, size)).toEqual(before.slice(0, size))
      expect([...environments.step(actionsAt(1)).truncated]).toEqual([1, 0, 1, 1, 1, 1])
    } else expect([...next.truncated]).toEqual(Array<number>(COUNT).fill(0))
  })

  it('that end for good are terminated, not truncated, and only they begin again', async () => {
    const falls = { terminated: ({ environment, time }: { environment: number; time: number }) => environment === 2 && time > 0.045 }
    const environments = await open({ autoreset: 'same-step' }, falls)
    environments.reset()
    for (let n = 1; n < 5; n++) expect([...environments.step(actionsAt(n)).info.ended]).toEqual([0, 0, 0, 0, 0, 0])
    const { terminated, truncated, info } = environments.step(actionsAt(5))
    expect([[...terminated], [...truncated]]).toEqual([
      [0, 0, 1, 0, 0, 0],
      [0, 0, 0, 0, 0, 0],
    ])
    expect([...info.episodeLength]).toEqual([0, 0, 5, 0, 0, 0])
    expect([environments.batch.time(1) > 0.04, environments.batch.time(2)]).toEqual([true, 0])
  })

  it('that fail are terminated, with the cause', async () => {
    const environments = await open()
    environments.reset()
    environments.batch.v(1).set(8, 1e38)
    const { terminated, info } = environments.step(actionsAt(0))
    expect([...terminated]).toEqual([0, 1, 0, 0, 0, 0])
    expect(info.failures).toHaveLength(1)
    expect(info.failures[0]).toMatch(/^environment 1: .*joint 'front left knee'/)
    const next = environments.step(actionsAt(1))
    expect([next.info.failures, next.info.ended[1], environments.batch.failed(1)]).toEqual([[], 0, false])
    for (const x of next.observation) expect(Number.isFinite(x)).toBe(true)
  })
})

describe('a task', () => {
  it('maps actions by offset, scale and limit, and writes its own observations', async () => {
    const observation = {
      size: 2,
      write: (row: { time: number; action: Float32Array }, out: Float32Array) => out.set([row.time, row.action[3]]),
    }
    const environments = await open({}, { observation })
    expect([environments.observationSize, environments.actionSize, environments.timestep]).toEqual([2, 12, 0.01])
    environments.reset()
    const { observation: rows } = environments.step(new Float32Array(COUNT * 12).fill(2))
    expect([...rows.slice(2, 4)]).toEqual([Math.fround(0.01), 2])
    // of the keyframe, and 0.3 of an action that is clamped to 1
    expect(environments.batch.control(1).get(1)).toBeCloseTo(1.1, 6)
  })

  it('observes contact forces from the start', async () => {
    const environments = await open({}, { start: { keyframe: 'stand' }, begin: (row) => void (row.q[2] = 0.26) })
    const { observation } = environments.reset()
    expect(observation[environments.observationSize - 1]).toBeGreaterThan(1)
  })

  it('is refused where it, its options or actions are wrong, with a suggestion', async () => {
    await expect(open({ autoreset: 'sometimes' as 'disabled' })).rejects.toThrow(
      'autoreset: expected one of next-step, same-step, disabled',
    )
    await expect(open({ seeds: 1 } as object)).rejects.toThrow("did you mean 'seed'?")
    await expect(open({}, { rewrad: 1 } as object)).rejects.toThrow("did you mean 'reward'?")
    await expect(open({}, { substeps: 0 })).rejects.toThrow('substeps: expected a whole number from 1, got 0')
    await expect(open({}, { start: { keyframe: 'stant' } })).rejects.toThrow("did you mean 'stand'?")
    const environments = await open({}, { reward: (row) => row.of('position of trunc')[2] })
    expect(() => environments.step(actionsAt(0))).toThrow('expected a call of reset first')
    environments.reset()
    expect(() => environments.step(actionsAt(0))).toThrow("did you mean 'position of trunk'?")
    expect(() => environments.step(new Float32Array(3))).toThrow('actions: expected 6 rows of 12 numbers, 72, got 3')
    const bad = actionsAt(0)
    bad[26] = Number.NaN
    expect(() => environments.step(bad)).toThrow("actions: environment 2, actuator 'front left knee': expected a finite number, got NaN")
  })
})
