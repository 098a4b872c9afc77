import { describe, expect, it } from 'vitest'
import { limber, temporaryFolder } from './limber.js'

interface Info {
  readonly parallel?: { processors: number; time: number; speedup: number }[]
  readonly partition?: {
    processors: number
    cores: number
    costs: { cmptm: number; roitm: number }
    sources: { cmptm: string; roitm: string }
    bodies: number[]
    cuts: { body: string; processor: number; parent: string; parentProcessor: number }[]
    blocks: string[]
  }
}

const folder = temporaryFolder()
const at = (...args: string[]) => limber(args, { cwd: folder.path })
const paper = ['--cmptm', '4e-4', '--roitm', '1.5e-3']

async function info(...args: string[]): Promise<Required<Info>> {
  const { code, stdout, stderr } = await at('info', ...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Required<Info>
}

async function scene(name: string, ...settings: string[]): Promise<string> {
  const file = `${[name, ...settings].join('-').replaceAll('=', '')}.json`
  const { code } = await at('scene', name, ...settings.flatMap((setting) => ['--set', setting]), '--out', file)
  expect(code).toBe(0)
  return file
}

describe('info --processors', () => {
  it('predicts the speed-up of the mobile of 455 joints as the paper has it, for every number of processors', async () => {
    const { parallel, partition } = await info(await scene('mobile', 's=3', 'l=5', 'o=9'), '--processors', '100', ...paper)
    expect(parallel.map(({ processors }) => processors)).toEqual(Array.from({ length: 100 }, (_, k) => k + 1))
    for (const entry of parallel) expect(Object.keys(entry)).toEqual(['processors', 'time', 'speedup'])
    expect(parallel[0]).toMatchObject({ processors: 1, speedup: 1 })
    expect(parallel[0]?.time).toBeCloseTo(0.182, 12)
    expect(parallel[31]?.speedup).toBeCloseTo(9.33, 2)
    expect(parallel[99]?.time).toBeCloseTo(0.018, 12)
    expect(partition).toMatchObject({ processors: 51, costs: { cmptm: 4e-4, roitm: 1.5e-3 }, sources: { cmptm: 'given', roitm: 'given' } })
    expect(partition.bodies).toHaveLength(51)
    expect(partition.bodies.reduce((sum, n) => sum + n, 0)).toBe(455)
    for (const { processor, parentProcessor } of partition.cuts) expect(processor).not.toBe(parentProcessor)
    expect(new Set(partition.cuts.map(({ processor }) => processor)).size).toBe(50)
  })

  it('says who gets what, what pays, and that cores are few', async () => {
    const file = await scene('mobile', 's=3', 'l=5', 'o=9')
    const { code, stdout } = await at('info', file, '--processors', '64', ...paper)
    expect(code).toBe(0)
    expect(stdout).toContain('2 processors: 1.8 ×; 51 processors: 10.1 ×; more than 51 do not pay')
    expect(stdout).toMatch(/Partition over 51 processors/)
    expect(stdout).toMatch(/link5\.2\.1 \(from 0\)/)
    const { partition } = await info(file, '--processors', '64', ...paper)
    if (partition.cores < 64) expect(stdout).toMatch(/this machine has \d+ cores?/)
  })

  it('measures what is not given', async () => {
    const { parallel, partition } = await info('mobile', '--processors', '2')
    expect(partition.sources).toEqual({ cmptm: 'measured', roitm: 'assumed' })
    expect(partition.costs.cmptm).toBeGreaterThan(1e-9)
    expect(parallel[0]?.time).toBeCloseTo(124 * partition.costs.cmptm, 12)
    const { stdout } = await at('info', 'mobile', '--processors', '2')
    expect(stdout).toMatch(/CMPTM, measured\)\n.*ROITM, assumed/)
  })

  it('cuts a long chain, and leaves a short one whole', async () => {
    const long = await info(await scene('chain', 'links=2000'), '--processors', '8', ...paper)
    expect(long.partition.blocks.length).toBeGreaterThan(1)
    expect(long.parallel[7]?.speedup).toBeGreaterThan(2)
    const short = await info('chain', '--processors', '8', ...paper)
    expect(short.partition).toMatchObject({ processors: 1, cuts: [], blocks: [] })
    expect(short.parallel[7]?.speedup).toBe(1)
    expect((await at('info', 'chain', '--processors', '8', ...paper)).stdout).toContain('one processor is best')
  })

  it('is left out when nobody asks', async () => {
    const { parallel, partition } = (await info('chain')) as Info
    expect([parallel, partition]).toEqual([undefined, undefined])
  })

  it.each([
    [['--processors', '0'], /whole number from 1 on/],
    [['--processors', '1000000'], /at most 65536/],
    [['--cmptm', '1e-6'], /--cmptm: is about processors; give --processors as well/],
    [['--processors', '2', '--roitm', 'fast'], /positive number/],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await at('info', 'chain', ...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})
