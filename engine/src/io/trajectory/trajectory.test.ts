import { McapIndexedReader } from '@mcap/core'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../test/random.js'
import { ModelError } from '../../model/model-error.js'
import { readCsv, writeCsv } from './csv.js'
import { readMcap, writeMcap } from './mcap.js'
import { readNpy, writeNpy } from './npy.js'
import { createNumbers } from './numbers.js'
import { createRecorder } from './recorder.js'
import { checkRecording, type RecordedModel, type Recording } from './recording.js'
import { readTrajectoryJson, writeTrajectoryJson } from './trajectory-json.js'

const MODEL: RecordedModel = {
  name: 'arm, "left"',
  joints: [
    { name: 'root', type: 'free', iq: 0, nq: 7, iv: 0, nv: 6 },
    { name: 'a.q1, "b"', type: 'revolute', iq: 7, nq: 1, iv: 6, nv: 1 },
    { name: 'ball', type: 'spherical', iq: 8, nq: 4, iv: 7, nv: 3 },
  ],
  bodies: ['world', 'base', 'arm', 'hand'],
}

function sample(frames = 5): Recording {
  const random = createRandom(3).unit
  const fill = (n: number) => Float64Array.from({ length: n }, () => (random() - 0.5) * 10 ** Math.floor(20 * random() - 10))
  const poses = new Float64Array(frames * 28)
  for (let i = 0; i < frames * 4; i++) {
    const world = i % 4 === 0
    poses.set(world ? [0, 0, 0, 1, 0, 0, 0] : [random(), random(), random(), 0.5, -0.5, 0.5, 0.5], 7 * i)
  }
  return {
    model: MODEL,
    times: Float64Array.from({ length: frames }, (_, i) => i * 0.1),
    q: fill(frames * 12),
    v: fill(frames * 10),
    poses,
    energy: fill(frames * 2),
  }
}

describe('csv', () => {
  it('reads back bit for bit, with quoted names', () => {
    const { poses: _, ...expected } = sample()
    expect(readCsv(writeCsv(sample()), MODEL)).toEqual(expected)
  })

  it('labels the columns by joint', () => {
    const header = writeCsv(sample()).split('\n')[0]
    expect(header).toMatch(/^t,root\.q0,.*,root\.q6,"a\.q1, ""b""\.q",ball\.q0,.*,ball\.v2,kinetic,potential$/)
  })

  it('recovers the layout from the labels alone', () => {
    const { joints } = readCsv(writeCsv(sample())).model
    expect(joints).toEqual(MODEL.joints.map((joint) => ({ ...joint, type: 'unknown' })))
  })

  it.each([
    ['', "expected a column 't'"],
    ['t,x\n1\n', 'line 2: expected 2 columns, got 1'],
    ['t,a.q\n1,two\n', 'expected a number in column \'a.q\', got "two"'],
    ['t,"a\n', "expected '\"'"],
  ])('says what is wrong with %j', (text, message) => {
    expect(() => readCsv(text)).toThrow(message)
  })
})

describe('json', () => {
  it('reads back bit for bit', () => {
    expect(readTrajectoryJson(writeTrajectoryJson(sample()))).toEqual(sample())
  })

  it('is strict about its shape', () => {
    expect(() => readTrajectoryJson('{')).toThrow(ModelError)
    expect(() => readTrajectoryJson('{"format": "other"}')).toThrow(ModelError)
    const text = writeTrajectoryJson(sample()).replace('"times": [0, ', '"times": [')
    expect(() => readTrajectoryJson(text)).toThrow('expected 4 frames')
  })

  it('reads the same from bytes, and from pieces that end anywhere', () => {
    const bytes = new TextEncoder().encode(writeTrajectoryJson({ ...sample(2), model: { ...MODEL, name: 'é 😀 "\\' } }))
    const whole = readTrajectoryJson(bytes)
    expect(whole.model.name).toBe('é 😀 "\\')
    for (const size of [1, 2, 3, 7, 64]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, k) => bytes.subarray(k * size, (k + 1) * size))
      expect(readTrajectoryJson(pieces)).toEqual(whole)
    }
  })

  it('takes keys in any order and others, once each, as JSON is', () => {
    const { model, ...rest } = JSON.parse(writeTrajectoryJson(sample())) as Record<string, unknown>
    const turned = JSON.stringify({ 'made by': [{ a: { b: [] }, c: 'x\\"]}' }, {}, true, null, -1.5e-3], ...rest, model }, null, 1)
    expect(readTrajectoryJson(turned)).toEqual(sample())
    const refused: readonly (readonly [string, RegExp])[] = [
      [turned.replace('{', '{"times": [],'), /times: expected it once/],
      [turned.replace('"v"', '"w"'), /v: expected it, got none/],
      [`${turned}1`, /expected the end of the file/],
      [turned.slice(0, -40), /got the end of the file at character \d+/],
      [turned.replace('"version": 1', '"version": 2'), /version: expected 1, got 2/],
    ]
    for (const [text, message] of refused) expect(() => readTrajectoryJson(text)).toThrow(message)
    const small = (list: string) =>
      `{"format":"limber-trajectory","version":1,"model":{"name":"","joints":[],"bodies":[]},"times":${list},"q":[[]],"v":[[]]}`
    expect([...readTrajectoryJson(small('[-0]')).times]).toEqual([-0])
    expect([...readTrajectoryJson(small('[null]')).times]).toEqual([Number.NaN])
    for (const bad of [
      '[01]',
      '[1.]',
      '[.5]',
      '[+1]',
      '[1e]',
      '[-]',
      '[nul]',
      '[1,]',
      '[,1]',
      '[1 2]',
      '[[1]]',
      '["1"]',
      '1',
      '[',
      '[NaN]',
    ])
      expect(() => readTrajectoryJson(small(bad)), bad).toThrow(ModelError)
    expect(() => readTrajectoryJson(small(`[1], "x": ${'['.repeat(101)}`))).toThrow('at most 100 brackets')
  })

  it('names the row that is not as long as the others, and the columns that the model does not have', () => {
    const recording = JSON.parse(writeTrajectoryJson(sample())) as { v: number[][]; q: number[][] }
    recording.v[3].pop()
    expect(() => readTrajectoryJson(JSON.stringify(recording))).toThrow('v/3: expected 10 numbers, got 9')
    recording.v = recording.v.map((row) => [...row.slice(0, 9), 0, 0])
    expect(() => readTrajectoryJson(JSON.stringify(recording))).toThrow('v/0: expected 10 numbers, got 11')
  })

  it('ends where there are too many numbers', () => {
    const numbers = createNumbers(1000)
    const add = (count: number) => {
      for (let k = 0; k < count; k++) numbers.add(k)
    }
    add(600)
    expect(numbers.take()).toEqual(Float64Array.from({ length: 600 }, (_, k) => k))
    expect(() => add(2000)).toThrow('expected at most 1,000 numbers, got more; record fewer frames')
  })
})

describe('npy', () => {
  it('has the header of format 1.0, padded to 64 bytes', () => {
    const bytes = writeNpy(sample(3))
    expect([...bytes.subarray(0, 8)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0])
    const length = bytes[8] + 256 * bytes[9]
    expect((10 + length) % 64).toBe(0)
    const header = new TextDecoder().decode(bytes.subarray(10, 10 + length))
    expect(header).toMatch(/^\{'descr': '<f8', 'fortran_order': False, 'shape': \(3, 23\), \} *\n$/)
    expect(bytes.length).toBe(10 + length + 8 * 3 * 23)
  })

  it('reads back bit for bit, at any offset of a larger buffer', () => {
    const { poses: _, energy: __, ...expected } = sample()
    const bytes = writeNpy(sample())
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    expect(readNpy(shifted.subarray(3), MODEL)).toEqual(expected)
  })

  it('refuses other models, types and cut files', () => {
    const bytes = writeNpy(sample())
    expect(() => readNpy(bytes, { ...MODEL, joints: [] })).toThrow('shape: expected shape (frames, 1 + 0 + 0)')
    expect(() => readNpy(bytes.subarray(0, 200), MODEL)).toThrow('cut short')
    expect(() => readNpy(new Uint8Array(30), MODEL)).toThrow('expected a NumPy array')
  })
})

describe('mcap', () => {
  it('reads back bit for bit', async () => {
    expect(await readMcap(await writeMcap(sample()))).toEqual(sample())
  })

  it('gives equal bytes for equal runs, with an index and the simulation times', async () => {
    const bytes = await writeMcap(sample())
    expect(await writeMcap(sample())).toEqual(bytes)
    const readable = {
      size: async () => BigInt(bytes.length),
      read: async (offset: bigint, size: bigint) => bytes.subarray(Number(offset), Number(offset + size)),
    }
    const reader = await McapIndexedReader.Initialize({ readable })
    expect(reader.statistics?.messageCount).toBe(10n)
    expect(reader.statistics?.messageEndTime).toBe(400_000_000n)
    expect(reader.chunkIndexes.length).toBeGreaterThan(0)
    expect([...reader.channelsById.values()].map(({ topic, messageEncoding }) => [topic, messageEncoding])).toEqual([
      ['/state', 'json'],
      ['/tf', 'json'],
    ])
    expect([...reader.schemasById.values()].map(({ name }) => name)).toEqual(['limber.State', 'foxglove.FrameTransforms'])
    for await (const message of reader.readMessages({ topics: ['/tf'] })) {
      const { transforms } = JSON.parse(new TextDecoder().decode(message.data))
      expect(transforms).toHaveLength(3)
      expect(Object.keys(transforms[0])).toEqual(['timestamp', 'parent_frame_id', 'child_frame_id', 'translation', 'rotation'])
    }
  })

  it('gives a ModelError for other bytes and 200 damaged files, seed 5', async () => {
    await expect(readMcap(new Uint8Array(100))).rejects.toBeInstanceOf(ModelError)
    const good = await writeMcap(sample(2))
    const random = createRandom(5).unit
    for (let k = 0; k < 200; k++) {
      const bytes = good.slice(0, random() < 0.3 ? Math.floor(random() * good.length) : good.length)
      for (let j = 0; j < 3; j++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      const result = await readMcap(bytes).catch((error: unknown) => error)
      if (result instanceof Error) expect(result).toBeInstanceOf(ModelError)
    }
  })

  it('refuses times that cannot be stamped', async () => {
    await expect(writeMcap({ ...sample(1), times: Float64Array.of(-1) })).rejects.toThrow('times/0: expected a time from 0')
  })
})

describe('createRecorder', () => {
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
  const X_WB = [identity, [0, -1, 0, 1, 0, 0, 0, 0, 1, 4, 5, 6], identity, identity].flat()
  const frame = (t: number) => ({
    t,
    q: new Float64Array(12).fill(t),
    v: new Float64Array(10).fill(-t),
    X_WB,
    energy: { kinetic: t, potential: 2 * t },
  })

  it('keeps every frame and turns matrices into quaternions', () => {
    const recorder = createRecorder(MODEL)
    for (let k = 0; k < 1000; k++) recorder.record(frame(k))
    const recording = recorder.recording()
    checkRecording(recording)
    expect(recorder.frames).toBe(1000)
    expect(recording.times[999]).toBe(999)
    expect(recording.q[999 * 12 + 11]).toBe(999)
    expect(recording.energy?.[1999]).toBe(1998)
    const pose = [...(recording.poses as Float64Array).subarray(7, 14)]
    for (const [k, x] of [4, 5, 6, Math.SQRT1_2, 0, 0, Math.SQRT1_2].entries()) expect(pose[k]).toBeCloseTo(x, 14)
  })

  it('stays inside maxFrames and covers the whole time evenly', () => {
    const recorder = createRecorder(MODEL, { maxFrames: 100 })
    for (let k = 0; k < 12_345; k++) recorder.record(frame(k))
    const { times } = recorder.recording()
    expect(times.length).toBeLessThanOrEqual(100)
    expect(times.length).toBeGreaterThanOrEqual(50)
    const step = times[1] - times[0]
    for (let k = 0; k < times.length; k++) expect(times[k]).toBe(k * step)
    expect(12_345 - times[times.length - 1]).toBeLessThanOrEqual(step)
  })

  it('takes one frame an interval', () => {
    const recorder = createRecorder(MODEL, { interval: 0.1, poses: false, energy: false })
    for (let k = 0; k <= 1000; k++) recorder.record(frame(k * 0.001))
    const recording = recorder.recording()
    expect(recording.times.length).toBe(11)
    expect(recording.poses).toBeUndefined()
  })

  it('goes on from the frames of another recorder as if they were its own', () => {
    const whole = createRecorder(MODEL)
    const half = createRecorder(MODEL)
    for (let k = 0; k < 300; k++) whole.record(frame(k))
    for (let k = 0; k < 200; k++) half.record(frame(k))
    const rest = createRecorder(MODEL)
    rest.append(half.rows(0).subarray(0, 50 * 53))
    rest.append(half.rows(50))
    for (let k = 200; k < 300; k++) rest.record(frame(k))
    expect(rest.recording()).toEqual(whole.recording())
    expect(whole.rows(300).length).toBe(0)
    expect(() => rest.append(new Float64Array(54))).toThrow('expected frames of 53 numbers, got 54')
    expect(() => createRecorder(MODEL, { maxFrames: 10 }).append(new Float64Array(53))).toThrow('maxFrames')
  })

  it('refuses arrays that do not fit the model', () => {
    expect(() => createRecorder(MODEL).record({ t: 0, q: [], v: [], X_WB: identity })).toThrow('expected X_WB with 48 numbers, got 12')
    expect(() => checkRecording({ ...sample(), q: new Float64Array(3) })).toThrow('q: expected 5 frames × 12 = 60 numbers, got 3')
  })
})
