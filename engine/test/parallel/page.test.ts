/** Links in a real browser: threads of a page exchange the messages of Node; without the headers for shared memory a page is told what to do. */
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { buildModel, createSimulation } from 'limber'
import { createInProcessLinks, parallelInOneThread } from 'limber/parallel'
import { findScene } from 'limber-scenes'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle, bundleInParts } from '../conformance/bundle.js'
import { CAPACITY, takeTurns } from './messages.js'

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const patience = 180_000
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const page = `
  import { buildModel, createSimulation } from 'limber'
  import { startProcessors, startThreads } from 'limber/parallel'
  import { CAPACITY, sumsOfMessages } from '${here('./messages.ts')}'
  globalThis.simulate = async (processors, spec, options) => {
    const model = buildModel(spec)
    const simulation = createSimulation(model, { ...options, solver: await startProcessors(model, { processors, always: true }) })
    const { status, message } = simulation.step(10)
    const q = Array.from(simulation.state.q)
    simulation.close()
    return status === 'ok' ? q : message
  }
  globalThis.exchange = async (processors, task, thread) => {
    try {
      const { link, stop } = await startThreads({ processors, capacity: CAPACITY, task, ...(thread ? { thread } : {}) })
      if (task.act) {
        const x = new Float64Array(1)
        link.send(1, x, 0, 1)
        try { link.receive(1, x, 0, 1) } finally { stop() }
      }
      const answer = thread ? sumsOfMessages(link, task.seed) : 'started'
      stop()
      return answer
    } catch (error) {
      return error.message
    }
  }`

describe.skipIf(!existsSync(chromiumPath))('links in a page', () => {
  let browser: Browser
  const servers: Server[] = []
  let files: { readonly file: string; readonly code: string; readonly entry: boolean }[] = []

  const serve = (isolated: boolean): Promise<Server> => {
    const entry = files.find((part) => part.entry)?.file ?? ''
    const headers = isolated ? { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } : {}
    const server = createServer(({ url = '/' }, answer) => {
      const part = files.find(({ file }) => `/${file}` === url)
      answer.writeHead(part || url === '/' ? 200 : 404, { ...headers, 'Content-Type': part ? 'text/javascript' : 'text/html' })
      answer.end(part?.code ?? `<!doctype html><script type="module" src="/${entry}"></script>`)
    })
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
  }

  beforeAll(async () => {
    const thread = await bundle({ path: here('./thread-program.ts') }, 'module')
    files = [...(await bundleInParts(page)), { file: 'thread.js', code: thread, entry: false }]
    for (const isolated of [true, false]) servers.push(await serve(isolated))
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: patience })
  }, patience)

  afterAll(async () => {
    await browser?.close()
    for (const server of servers) server.close()
  }, patience)

  const exchange = async (isolated: boolean, processors: number, task: object, thread = '/thread.js'): Promise<unknown> => {
    const opened = await browser.newPage()
    const { port } = servers[isolated ? 0 : 1].address() as AddressInfo
    await opened.goto(`http://127.0.0.1:${port}/`, { timeout: patience })
    await opened.waitForFunction('globalThis.exchange !== undefined', undefined, { timeout: patience })
    const answer = await opened.evaluate(`exchange(${processors}, ${JSON.stringify(task)}, ${JSON.stringify(thread)})`)
    await opened.close()
    return answer
  }

  it.each([1, 2, 3])('carry the messages of Node between %i processors', async (processors) => {
    expect(await exchange(true, processors, { seed: 5, sums: 1 })).toEqual(takeTurns(createInProcessLinks(processors, CAPACITY), 5))
  })

  it.each([1, 2, 3])('one simulation on %i threads of a page has the bits of one thread in Node', async (processors) => {
    const spec = findScene('mobile')?.build({ s: 2, l: 4, o: 5, elongation: 0.5 }) ?? { bodies: [] }
    const options = { timestep: 0.005, method: 'gear', rtol: 1e-5, atol: 1e-7 }
    const model = buildModel(spec)
    const here = createSimulation(model, { ...options, solver: parallelInOneThread(model, 1) })
    here.step(10)
    const opened = await browser.newPage()
    await opened.goto(`http://127.0.0.1:${(servers[0].address() as AddressInfo).port}/`, { timeout: patience })
    await opened.waitForFunction('globalThis.simulate !== undefined', undefined, { timeout: patience })
    expect(await opened.evaluate(`simulate(${processors}, ${JSON.stringify(spec)}, ${JSON.stringify(options)})`)).toEqual(
      Array.from(here.state.q),
    )
    await opened.close()
  })

  it('find the module of their threads through a bundler', async () => {
    expect(await exchange(true, 2, {}, '')).toBe('started')
  })

  it('tell the main thread, which may not sleep, why another one failed', async () => {
    expect(await exchange(true, 2, { act: 'throw', rank: 1 })).toMatch(/^processor 1 is gone: out of paper/)
  })

  it('say that their module is missing', async () => {
    expect(await exchange(true, 2, {}, '/nowhere.js')).toMatch(/thread of processor 1 did not start: its module could not be loaded/)
  })

  it('say which headers a page needs', async () => {
    expect(await exchange(false, 2, { seed: 5, sums: 1 })).toMatch(
      /threads: no shared memory; a page must be served with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp/,
    )
  })
})
