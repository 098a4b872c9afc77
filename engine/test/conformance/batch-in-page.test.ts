/** Batches in a real browser: the bits of Node, in one thread and in two; one thread and a word about it where a page may not share memory. */
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildModel, createBatch } from 'limber'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../random.js'
import { bundleInParts, type Part } from './bundle.js'
import { randomSpec } from './random-tree.js'

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const patience = 180_000

const page = `
  import { buildModel, createBatch } from 'limber'
  globalThis.simulate = async (spec, precision, threads) => {
    const model = buildModel(spec)
    const batch = await createBatch(model, { count: 9, precision, threads, timestep: 0.002 })
    for (let e = 0; e < 9; e++) batch.v(e).set(0, e)
    for (let n = 0; n < 20; n++) batch.step(2)
    const state = Array.from(batch.readState(new Float64Array(9 * (model.nq + model.nv))))
    batch.close()
    return { state, threads: batch.threads, lanes: batch.lanes, warnings: batch.warnings }
  }`

interface Answer {
  readonly state: readonly number[]
  readonly threads: number
  readonly lanes: number
  readonly warnings: readonly string[]
}

const spec = randomSpec({ seed: 3, bodies: 12, floating: true }, createRandom(3))

function serve(parts: readonly Part[], isolated: boolean): Promise<Server> {
  const entry = parts.find((part) => part.entry)?.file ?? ''
  const headers = isolated ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } : {}
  const server = createServer(({ url = '/' }, answer) => {
    const part = parts.find(({ file }) => `/${file}` === url)
    answer.writeHead(200, { ...headers, 'Content-Type': part ? 'text/javascript' : 'text/html' })
    answer.end(part?.code ?? `<!doctype html><script type="module" src="/${entry}"></script>`)
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

describe.skipIf(!existsSync(chromiumPath))('batches in a page', () => {
  let browser: Browser
  const servers: Server[] = []

  beforeAll(async () => {
    const parts = await bundleInParts(page)
    for (const isolated of [true, false]) servers.push(await serve(parts, isolated))
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: patience })
  }, patience)

  afterAll(async () => {
    await browser?.close()
    for (const server of servers) server.close()
  }, patience)

  const visit = async (isolated: boolean, precision: string, threads: number): Promise<Answer> => {
    const opened = await browser.newPage()
    const { port } = servers[isolated ? 0 : 1].address() as AddressInfo
    await opened.goto(`http://127.0.0.1:${port}/`, { timeout: patience })
    await opened.waitForFunction('globalThis.simulate !== undefined', undefined, { timeout: patience })
    const answer = (await opened.evaluate(`simulate(${JSON.stringify(spec)}, '${precision}', ${threads})`)) as Answer
    await opened.close()
    return answer
  }

  it.each(['f64', 'f32'] as const)(
    'have the bits of Node in %s, in one thread and in two',
    async (precision) => {
      const model = buildModel(spec)
      const batch = await createBatch(model, { count: 9, precision, timestep: 0.002 })
      for (let e = 0; e < 9; e++) batch.v(e).set(0, e)
      expect(batch.step(40)).toBe(0)
      const state = [...batch.readState(new Float64Array(9 * (model.nq + model.nv)))]
      for (const threads of [1, 2])
        expect(await visit(true, precision, threads)).toEqual({ state, threads, lanes: precision === 'f64' ? 2 : 4, warnings: [] })
    },
    patience,
  )

  it(
    'take one thread where memory is not shared, and say what to do',
    async () => {
      const { threads, warnings } = await visit(false, 'f64', 2)
      expect(threads).toBe(1)
      expect(warnings.join()).toMatch(/no shared memory; a page must be served with Cross-Origin-Opener-Policy/)
    },
    patience,
  )
})
