import { describe, expect, it } from 'vitest'
import { buildModel } from './build/build-model.js'
import type { Spec } from './build/spec.js'
import { createSimulation } from './create-simulation.js'
import { writeGlb } from './io/gltf/write-glb.js'
import { readCsv, writeCsv } from './io/trajectory/csv.js'
import { createByteSink, type FrameSource, recordingBlocks, rowLayout } from './io/trajectory/frames.js'
import { readMcap, writeMcap } from './io/trajectory/mcap.js'
import { writeNpy } from './io/trajectory/npy.js'
import type { RecordedModel, Recording } from './io/trajectory/recording.js'
import { readTrajectoryJson, writeTrajectoryJson } from './io/trajectory/trajectory-json.js'
import { bytesOfRow, recordingFormats, writeFrames } from './io/trajectory/write-frames.js'
import { createSampler, recordBytes } from './record.js'

const spec: Spec = {
  name: 'throw',
  timestep: 0.01,
  bodies: [
    {
      name: 'thrown',
      joints: [{ name: 'root', type: 'free' }],
      geoms: [{ shape: 'box', size: [0.1, 0.2, 0.3], mass: 1 }],
    },
    {
      name: 'arm',
      parent: 'thrown',
      joints: [{ name: 'elbow', type: 'revolute', axis: [1, 0, 0] }],
      geoms: [{ shape: 'sphere', radius: 0.1, mass: 0.3, position: [0, 0.2, 0.4] }],
    },
  ],
}

function thrown(timestep: number) {
  const simulation = createSimulation(buildModel(spec), { solver: 'ode', method: 'rk4', timestep })
  simulation.state.v.set([2, -1, 3, 0.5, 0, 4, 1])
  return simulation
}

/** Rows of so many seconds, kept in memory. */
function rowsOf(timestep: number, seconds: number, fps: number): { model: RecordedModel; rows: Float64Array[] } {
  const simulation = thrown(timestep)
  const sampler = createSampler(simulation, { fps })
  const rows: Float64Array[] = []
  const sample = (): void => sampler.sample((row) => void rows.push(row))
  sample()
  simulation.advance(seconds, () => {
    sample()
    return undefined
  })
  return { model: sampler.model, rows }
}

function sourceOf({ model, rows }: ReturnType<typeof rowsOf>): FrameSource {
  const all = Float64Array.from(rows.flatMap((row) => [...row]))
  const { stride } = rowLayout(model)
  return { model, frames: rows.length, read: (first, count) => all.slice(first * stride, (first + count) * stride) }
}

describe('a sampler', () => {
  it.each([0.01, 0.0123, 1 / 60, 0.1])('takes frame k at k / fps exactly, from t = 0, with steps of %d s', (h) => {
    const { rows } = rowsOf(h, 1, 60)
    expect(rows.map((row) => row[0])).toEqual(Array.from({ length: 61 }, (_, k) => k / 60))
  })

  it('leaves the steps as they are', () => {
    const plain = thrown(0.0123)
    plain.advance(1)
    const recorded = thrown(0.0123)
    const sampler = createSampler(recorded, { fps: 77 })
    recorded.advance(1, () => {
      sampler.sample(() => undefined)
      return undefined
    })
    expect([...recorded.state.q, ...recorded.state.v]).toEqual([...plain.state.q, ...plain.state.v])
  })

  it('lies between two steps where the motion is, the closer the smaller they are', () => {
    const exact = rowsOf(1 / 6000, 0.5, 60).rows
    const error = (h: number): number => {
      const { rows } = rowsOf(h, 0.5, 60)
      let most = 0
      for (const [f, row] of rows.entries())
        for (let k = 1; k < 9; k++) most = Math.max(most, Math.abs((row[k] ?? 0) - (exact[f]?.[k] ?? 0)))
      return most
    }
    // about 10 rad/s²; the turning of a free body is met to the third order only
    expect(error(0.0123)).toBeLessThan(2e-4)
    expect(error(0.0123) / error(0.0041)).toBeGreaterThan(8)
  })

  it('keeps quaternions at unit length', () => {
    for (const row of rowsOf(0.0123, 0.5, 60).rows) expect(Math.hypot(...row.subarray(4, 8))).toBeCloseTo(1, 12)
  })

  it('draws no curve through a step that jumps', () => {
    const simulation = thrown(0.1)
    const sampler = createSampler(simulation, { fps: 100 })
    const z: number[] = []
    sampler.sample(() => undefined)
    simulation.state.v.fill(0)
    simulation.state.v[5] = -10
    sampler.mark()
    // an impact: the body has gone down, and comes up
    simulation.state.t = 0.1
    simulation.state.q[2] = -0.5
    simulation.state.v[5] = 5
    sampler.sample((row) => z.push(row[3] ?? 0))
    for (const [k, height] of z.entries()) expect(height).toBeCloseTo((-0.5 * (k + 1)) / 10, 12)
    expect(z).toHaveLength(10)
  })

  it('goes on from frames that were taken before', () => {
    const { rows } = rowsOf(0.0123, 1, 60)
    const simulation = thrown(0.0123)
    const first = createSampler(simulation, { fps: 60 })
    const got: Float64Array[] = []
    first.sample((row) => void got.push(row))
    for (let k = 0; k < 30; k++) {
      simulation.step()
      first.sample((row) => void got.push(row))
    }
    const second = createSampler(simulation, { fps: 60, start: 0, frames: first.frames })
    const goOn = (): undefined => {
      second.sample((row) => void got.push(row))
      return undefined
    }
    simulation.advance(1, goOn, { t: 0, steps: 30 })
    expect(got).toEqual(rows)
  })

  it('refuses a rate that is none', () => {
    expect(() => createSampler(thrown(0.01), { fps: 0 })).toThrow(/fps: expected a positive number/)
  })
})

describe('frames in several blocks', () => {
  const taken = rowsOf(0.01, 4, 2000)
  const source = sourceOf(taken)
  const whole = (): Recording => {
    const parts = [...recordingBlocks(source)]
    expect(parts.length).toBeGreaterThan(1)
    const join = (key: 'times' | 'q' | 'v' | 'poses' | 'energy'): Float64Array =>
      Float64Array.from(parts.flatMap((part) => [...(part[key] ?? [])]))
    return { model: source.model, times: join('times'), q: join('q'), v: join('v'), poses: join('poses'), energy: join('energy') }
  }
  const recording = whole()
  const text = (written: string): Uint8Array => new TextEncoder().encode(written)
  const writers = {
    csv: () => text(writeCsv(recording)),
    json: () => text(writeTrajectoryJson(recording)),
    npy: () => writeNpy(recording),
    mcap: () => writeMcap(recording),
    glb: () => writeGlb(spec, recording),
  }

  it.each(recordingFormats)('give the bytes of one recording as %s, and no more than was reckoned', async (format) => {
    const sink = createByteSink()
    const length = await writeFrames(format, source, sink, spec)
    const wanted = await writers[format]()
    expect(Buffer.compare(sink.bytes(length), wanted)).toBe(0)
    const empty = await writeFrames(format, { ...source, frames: 0 }, createByteSink(), spec)
    const bytesOf = bytesOfRow(format, source.model)
    const reckoned = taken.rows.reduce((sum, row) => sum + bytesOf(row), 2 * empty + 1000 * source.model.bodies.length + 8192)
    expect(length).toBeLessThanOrEqual(reckoned)
  })
})

describe('recordBytes', () => {
  it('gives a file in one line, in every format', async () => {
    const options = { seconds: 0.5, fps: 20 }
    expect(readCsv(new TextDecoder().decode(await recordBytes(thrown(0.01), 'csv', options))).times).toHaveLength(11)
    expect(readTrajectoryJson(new TextDecoder().decode(await recordBytes(thrown(0.01), 'json', options))).times).toHaveLength(11)
    expect((await readMcap(await recordBytes(thrown(0.01), 'mcap', options))).times).toHaveLength(11)
    expect(new TextDecoder().decode((await recordBytes(thrown(0.01), 'glb', options)).subarray(0, 4))).toBe('glTF')
    expect((await recordBytes(thrown(0.01), 'npy', options))[0]).toBe(0x93)
  })

  it('lets the program drive and end the recording', async () => {
    let steps = 0
    const bytes = await recordBytes(thrown(0.01), 'csv', { seconds: 10, fps: 100, onStep: () => ++steps < 20 })
    expect(readCsv(new TextDecoder().decode(bytes)).times).toHaveLength(21)
  })

  it('refuses what cannot be, before the work', async () => {
    await expect(recordBytes(thrown(0.01), 'avi' as 'csv', { seconds: 1 })).rejects.toThrow(/csv, json, npy, mcap, glb, got 'avi'/)
    await expect(recordBytes(thrown(0.01), 'csv', { seconds: 0 })).rejects.toThrow(/positive number of seconds/)
    const copy = createSimulation(structuredClone(buildModel(spec)))
    await expect(recordBytes(copy, 'glb', { seconds: 1 })).rejects.toThrow(/give the spec/)
  })
})
