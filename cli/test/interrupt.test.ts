/**
 * Ctrl-C, SIGTERM and SIGKILL at random moments of a run that records: what is left is a recording that its own readers take, with the frames of a run that
 * was never interrupted, up to one of them; or nothing.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateBytes } from 'gltf-validator'
import {
  buildModel,
  createSampler,
  createSimulation,
  type Recording,
  readCsv,
  readMcap,
  readNpy,
  readTrajectoryJson,
  recordedModel,
} from 'limber'
import { loadSpec } from 'limber/node'
import { describe, expect, it } from 'vitest'
import { type Ended, limberBeside, limberSignalled, pendulum, temporaryFolder } from './limber.js'

const folder = temporaryFolder()
folder.put('pendulum.xml', pendulum)
const built = buildModel(loadSpec(join(folder.path, 'pendulum.xml')))
const model = recordedModel(built)
const fps = 50

/** The frames of a run that nobody stops, as many as are asked for. */
const whole = (() => {
  const simulation = createSimulation(built)
  const sampler = createSampler(simulation, { fps })
  const q: number[] = []
  return (frames: number): ArrayLike<number> => {
    for (; q.length < frames; simulation.step()) sampler.sample((row) => void q.push(row[1] ?? Number.NaN))
    return q
  }
})()

/** times of the frames, and what there is of q, by the reader of the format */
const readers: Readonly<Record<string, (bytes: Buffer) => Promise<{ times: ArrayLike<number>; q?: Float64Array }>>> = {
  csv: async (bytes) => readCsv(bytes.toString()),
  json: async (bytes) => readTrajectoryJson(bytes.toString()),
  npy: async (bytes) => readNpy(bytes, model),
  mcap: async (bytes): Promise<Recording> => readMcap(bytes),
  glb: async (bytes) => {
    const { issues } = (await validateBytes(new Uint8Array(bytes))) as { issues: { numErrors: number } }
    expect(issues.numErrors).toBe(0)
    return { times: animationTimes(bytes) }
  },
}

/** The times of the animation of a .glb file. */
function animationTimes(bytes: Buffer): Float32Array {
  const length = bytes.readUInt32LE(12)
  const { animations, accessors, bufferViews } = JSON.parse(bytes.toString('utf8', 20, 20 + length)) as {
    animations?: { samplers: { input: number }[] }[]
    accessors: { bufferView: number; count: number }[]
    bufferViews: { byteOffset: number }[]
  }
  const input = accessors[animations?.[0]?.samplers[0]?.input ?? -1]
  // a single frame does not move
  if (!input) return new Float32Array(1)
  const from = 28 + length + (bufferViews[input.bufferView]?.byteOffset ?? 0)
  return Float32Array.from({ length: input.count }, (_, k) => bytes.readFloatLE(from + 4 * k))
}

/** numbers from 0 to 1 that are the same in every run of the tests */
function seeded(seed: number): () => number {
  let x = seed
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return x / 2 ** 32
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGINT', 'SIGTERM', 'SIGKILL', 'SIGINT', 'SIGTERM'] as const
/** simulated; none comes to its end before it is stopped */
const endless = '1e6'
/** milliseconds that a run is given */
const longest = 700

describe('a run that is stopped at a random moment', () => {
  it.each(Object.entries(readers).map(([suffix, read], k) => [suffix, k + 1, read] as const))(
    'leaves a .%s that is whole up to a frame, or none; seed %i',
    async (suffix, seed, read) => {
      const random = seeded(seed)
      const found = { whole: 0, absent: 0 }
      const one = async (name: NodeJS.Signals, k: number): Promise<void> => {
        const cwd = join(folder.path, `${suffix}-${k}`)
        mkdirSync(cwd)
        const out = `motion.${suffix}`
        const args = ['run', '../pendulum.xml', '--duration', endless, '--fps', String(fps), '--out', out, '--json']
        // every fourth one at any time, the others from when it records
        const moment = k % 4 === 3 ? {} : { since: () => readdirSync(cwd).length > 0 }
        const ended = await limberSignalled(args, name, random() * longest, { cwd, ...moment })
        if (!existsSync(join(cwd, out))) {
          found.absent++
          expectNothing(ended, name, readdirSync(cwd))
          return
        }
        found.whole++
        // nobody can catch this one
        expect(name).not.toBe('SIGKILL')
        const bytes = readFileSync(join(cwd, out))
        const { times, q } = await read(bytes)
        expect(times.length).toBeGreaterThan(0)
        const exactly = (f: number): number => (suffix === 'glb' ? Math.fround(f / fps) : f / fps)
        expect(Array.from(times).findIndex((t, f) => t !== exactly(f))).toBe(-1)
        const wanted = whole(times.length)
        if (q) for (let f = 0; f < times.length; f++) if (!Object.is(q[f], wanted[f])) expect([f, q[f]]).toEqual([f, wanted[f]])
        // it says what is there
        const { warnings, time } = JSON.parse(ended.stdout) as { warnings: string[]; time: number }
        expect(ended.code).toBe(1)
        expect(warnings.at(-1)).toMatch(/^interrupted at t = [\d.]+ s; motion\.\w+ holds \d+ frames?, up to t = [\d.]+ s$/)
        expect(warnings.at(-1)).toContain(`holds ${times.length} frame`)
        expect(time - (times.length - 1) / fps).toBeLessThan(1 / fps + 1e-9)
        expect(readdirSync(cwd)).toEqual([out])
      }
      // two at a time, as there are cores
      const left = signals.map((name, k) => [name, k] as const)
      const serve = async (): Promise<void> => {
        for (let next = left.shift(); next; next = left.shift()) await one(...next)
      }
      await Promise.all([serve(), serve()])
      expect(found.whole + found.absent).toBe(signals.length)
      // stops that find nothing begun prove little
      expect(found.whole).toBeGreaterThan(0)
    },
  )
})

describe('a run with checkpoints that is stopped by Ctrl-C', () => {
  it('leaves its recording so far, and goes on to the whole one', async () => {
    const cwd = join(folder.path, 'checkpoint')
    mkdirSync(cwd)
    const args = [
      'run',
      '../pendulum.xml',
      '--duration',
      '60',
      '--fps',
      String(fps),
      '--out',
      'motion.npy',
      '--checkpoint',
      'run.checkpoint',
    ]
    const since = (): boolean => existsSync(join(cwd, 'run.checkpoint'))
    const { code, stderr } = await limberSignalled(args, 'SIGINT', 60, { cwd, since })
    expect(stderr).toMatch(
      /interrupted at t = [\d.]+ s; motion\.npy holds \d+ frames?, .*; the last checkpoint is run\.checkpoint; continue with: limber run/,
    )
    expect(code).toBe(1)
    const part = readNpy(readFileSync(join(cwd, 'motion.npy')), model).times.length
    expect(part).toBeLessThan(60 * fps)
    const { code: end } = await limberBeside(['run', '../pendulum.xml', '--resume', 'run.checkpoint'], { cwd })
    expect(end).toBe(0)
    const { times, q } = readNpy(readFileSync(join(cwd, 'motion.npy')), model)
    expect(times).toHaveLength(60 * fps + 1)
    const wanted = whole(times.length)
    expect(q.findIndex((x, f) => !Object.is(x, wanted[f]))).toBe(-1)
  })
})

describe('record of limber/node', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('leaves a whole file at %s, says so, and ends as the signal asks', async (name) => {
    const cwd = join(folder.path, name)
    mkdirSync(cwd)
    const from = (file: string): string => JSON.stringify(new URL(`../../engine/dist/${file}`, import.meta.url).href)
    const program = `import { buildModel, createSimulation } from ${from('index.js')}
import { loadSpec, record } from ${from('node.js')}
await record(createSimulation(buildModel(loadSpec('../pendulum.xml'))), 'motion.npy', { seconds: 1e6, fps: 50 })
console.log('not reached')`
    const ended = await limberBeside([], {
      ...{ cwd, by: name, killAfter: 300, since: () => readdirSync(cwd).length > 0 },
      program: ['--input-type=module', '--eval', program],
    })
    expect({ signal: ended.signal, stdout: ended.stdout }).toEqual({ signal: name, stdout: '' })
    const { times, q } = readNpy(readFileSync(join(cwd, 'motion.npy')), model)
    expect(ended.stderr).toMatch(`limber: ${name}; motion.npy holds ${times.length} frames up to t = `)
    const wanted = whole(times.length)
    expect(q.findIndex((x, f) => !Object.is(x, wanted[f]))).toBe(-1)
    expect(readdirSync(cwd)).toEqual(['motion.npy'])
  })
})

/** Nothing but what is named as half made, and the process ended by the signal, or before it began to record. */
function expectNothing({ code, signal }: Ended, name: NodeJS.Signals, files: readonly string[]): void {
  expect(signal === name || code === 1).toBe(true)
  for (const file of files) expect(file).toMatch(/\.limber-[\w-]+-\d+-\d+-\d+\.part$/)
}
