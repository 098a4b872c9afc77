/**
 * A recording goes to the disk: what it takes of memory does not grow with its length.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { buildModel } from '../../src/build/build-model.js'
import type { Spec } from '../../src/build/spec.js'
import { createSimulation } from '../../src/create-simulation.js'
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

it('stays below what the frames would take, by far', async () => {
  const simulation = createSimulation(buildModel(spec), { solver: 'ode', method: 'semi-implicit', timestep: 0.001 })
  const used = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
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
