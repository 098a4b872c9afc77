/** Scenes under every solver and files through every reader: the same bits in Node and in Chromium. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstDifference } from './difference.mjs'
import { hasChromium, openEngines } from './engines.mjs'
import { readerSamples } from './reader-samples.mjs'

/** of each scene; `npm run same-bits` takes more */
const STEPS = 3
/** crowds of thousands of joints take a minute, meshes that are reduced some seconds: one of these is enough here */
const LONG = new Set(['crowd', 'flower', 'letters', 'station', 'oak'])

describe.skipIf(!hasChromium())('Node and Chromium', () => {
  let engines: Awaited<ReturnType<typeof openEngines>>
  beforeAll(async () => {
    engines = await openEngines()
  })
  afterAll(() => engines.close())

  it('have the same bits in every scene under every solver', async () => {
    const { node, chromium } = engines
    const scenes: string[] = await node.call('sceneNames')
    const solvers: string[] = await node.call('solverNames')
    let count = 0
    for (const scene of scenes.filter((name) => !LONG.has(name))) {
      for (const solver of solvers) {
        const [a, b] = await Promise.all([node.call('hashScene', scene, solver, STEPS), chromium.call('hashScene', scene, solver, STEPS)])
        expect(b ?? undefined, `npm run same-bits -- --scene ${scene} --solver ${solver} --steps ${STEPS}`).toBe(a)
        if (a !== undefined) count++
      }
    }
    expect(count).toBeGreaterThan(70)
  })

  it('have the same bits of every file', async () => {
    const { node, chromium } = engines
    const { samples, files } = readerSamples()
    let read = 0
    for (const sample of samples) {
      const [a, b] = await Promise.all([node.call('hashFile', sample, files), chromium.call('hashFile', sample, files)])
      expect(b, sample.name).toBe(a)
      if (!String(a).startsWith('refused')) read++
    }
    expect(read).toBeGreaterThan(0.9 * samples.length)
  })

  it('tell one state from another', async () => {
    const { node } = engines
    expect(await node.call('hashScene', 'chain', 'ode', 3)).not.toBe(await node.call('hashScene', 'chain', 'ode', 4))
    expect(await node.call('hashScene', 'chain', 'ode', 3)).not.toBe(await node.call('hashScene', 'chain', 'redmax', 3))
  })

  it('name the first step, body and field that differ', async () => {
    const { node } = engines
    const a = await node.call('trace', 'double-pendulum', 'ode', 4)
    expect(firstDifference(a, a)).toBeUndefined()
    const b = structuredClone(a)
    const k = b.labels.findIndex((label: string) => /joint '.*', v\[0\]/.test(label))
    // the last bit of a velocity in the third step
    b.rows[2][k] = (BigInt(`0x${a.rows[2][k]}`) ^ 1n).toString(16)
    const found = firstDifference(a, b)
    expect(found).toMatchObject({ step: 3, field: b.labels[k] })
    expect(found?.field).toMatch(/^body '.*', joint '.*', v\[0\]$/)
  })
})
