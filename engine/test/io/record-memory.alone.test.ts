/**
 * A recording goes to the disk: what it takes of memory does not grow with its length.
 */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, it } from 'vitest'
import { buildModel } from '../../src/build/build-model.js'
import type { Spec } from '../../src/build/spec.js'
import { createSimulation } from '../../src/create-simulation.js'
import type { RecordedModel } from '../../src/io/trajectory/recording.js'
import { readTrajectoryJson } from '../../src/io/trajectory/trajectory-json.js'
import { writeFrames } from '../../src/io/trajectory/write-frames.js'
import { readPieces } from '../../src/model-files.js'
import { record } from '../../src/record-file.js'

const folder = mkdtempSync(join(tmpdir(), 'limber-memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const links = 60
// at rest: only the frames matter
const spec: Spec = {
  gravity: [0, 0, 0],
  bodies: Array.from({ length: links }, (_, k) => ({
    name: `link ${k}`,
    ...(k > 0 ? { parent: `link ${k - 1}`, position: [0.1, 0, 0] as const } : {}),
    joints: [{ name: `joint ${k}`, type: 'revolute', axis: [0, 1, 0] as const }],
    geoms: [{ shape: 'box' as const, size: [0.1, 0.02, 0.02] as const, mass: 0.1 }],
  })),
}
/** bytes; young garbage counts too */
const slack = 48 * 2 ** 20

function used(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** What is used when garbage is gone: how much of that there may be is for the JavaScript engine to say. */
const live = (() => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  return (): number => {
    gc()
    return used()
  }
})()

it('stays below what the frames would take, by far', async () => {
  const simulation = createSimulation(buildModel(spec), { solver: 'ode', method: 'semi-implicit', timestep: 0.001 })
  const before = used()
  let most = 0
  let steps = 0
  const { frames } = await record(simulation, join(folder, 'long.npy'), {
    ...{ seconds: 30, fps: 1000 },
    onStep: () => {
      if (++steps % 500 === 0) most = Math.max(most, used())
    },
  })
  most = Math.max(most, used())
  const taken = 8 * frames * (3 + 2 * links + 7 * (links + 1))
  expect(frames).toBe(30_001)
  expect(taken).toBeGreaterThan(2 * slack)
  expect(most - before).toBeLessThan(slack)
  expect(statSync(join(folder, 'long.npy')).size).toBeGreaterThan(8 * frames * (1 + 2 * links))
})

it('JSON of very many frames is written in pieces, and read with memory for its numbers alone', async () => {
  const model: RecordedModel = {
    name: 'pendulum',
    joints: [{ name: 'hinge', type: 'revolute', iq: 0, nq: 1, iv: 0, nv: 1 }],
    bodies: ['world', 'arm'],
  }
  const frames = 150_000
  const stride = 1 + 1 + 1 + 14 + 2
  // all digits of a double
  const at = (k: number): number => (k * 0.6180339887498949) % 1
  const block = new Float64Array(1 << 17)
  const source = {
    ...{ model, frames },
    read(first: number, count: number) {
      for (let k = 0; k < count * stride; k++) block[k] = at(first * stride + k)
      return block.subarray(0, count * stride)
    },
  }
  const file = join(folder, 'long.json')
  const fd = openSync(file, 'w')
  let before = live()
  let most = 0
  let looks = 0
  const look = (): void => {
    if (++looks % 100 === 0) most = Math.max(most, live())
  }
  const length = await writeFrames('json', source, {
    write(bytes, place) {
      look()
      writeSync(fd, bytes, 0, bytes.length, place)
    },
  })
  closeSync(fd)
  expect(length).toBeGreaterThan(slack)
  expect(statSync(file).size).toBe(length)
  expect(most - before).toBeLessThan(slack / 4)

  function* watched(): Generator<Uint8Array> {
    for (const piece of readPieces(file)) {
      look()
      yield piece
    }
  }
  before = live()
  most = 0
  const { times, q, poses, energy } = readTrajectoryJson(watched())
  expect(times).toHaveLength(frames)
  expect([times[frames - 1], q[7], poses?.[14 * 9 + 3], energy?.at(-1)]).toEqual(
    [(frames - 1) * stride, 7 * stride + 1, 9 * stride + 3 + 3, frames * stride - 1].map(at),
  )
  // the numbers, and those of one part a second time while they are joined
  expect(most - before).toBeLessThan(2 * 8 * frames * stride + slack / 4)
})
