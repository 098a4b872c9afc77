/** A batch on the GPU of a page: the bits of f32 lanes on the software driver of Chromium, which a page that asks for a GPU is refused. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from 'playwright-core'
import { expect, it } from 'vitest'
import { bundleInParts } from '../conformance/bundle.js'

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const patience = 300_000

const page = `
  import { buildModel, createBatch } from 'limber'
  import { findScene } from 'limber-scenes'
  globalThis.simulate = async () => {
    const adapter = await navigator.gpu?.requestAdapter()
    if (!adapter) return undefined
    const model = buildModel(findScene('chain').build({ links: 10, joint: 'revolute', length: 0.2, mass: 0.1 }))
    const refused = await createBatch(model, { count: 70, device: 'gpu' }).catch((error) => error.message)
    const auto = await createBatch(model, { count: 4096, device: 'auto' })
    const batch = await createBatch(model, { count: 70, device: await adapter.requestDevice() })
    const lanes = await createBatch(model, { count: 70, precision: 'f32' })
    for (const each of [batch, lanes]) {
      each.reset(undefined, { noise: 0.3, seed: 2 })
      each.step(30)
    }
    return {
      refused, auto: [auto.device, ...auto.warnings],
      device: batch.device,
      gpu: Array.from(await batch.readState()),
      lanes: Array.from(lanes.readState(new Float32Array(70 * 20))),
    }
  }`

interface Answer {
  readonly refused: string
  readonly auto: readonly string[]
  readonly device: string
  readonly gpu: readonly number[]
  readonly lanes: readonly number[]
}

it.skipIf(!existsSync(chromiumPath))(
  'a batch on the GPU of Chromium has the bits of f32 lanes',
  async ({ skip }) => {
    const parts = await bundleInParts(page)
    const entry = parts.find((part) => part.entry)?.file ?? ''
    const server = createServer(({ url = '/' }, answer) => {
      const part = parts.find(({ file }) => `/${file}` === url)
      answer.writeHead(200, { 'Content-Type': part ? 'text/javascript' : 'text/html' })
      answer.end(part?.code ?? `<!doctype html><script type="module" src="/${entry}"></script>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader']
    const browser = await chromium.launch({ executablePath: chromiumPath, args, timeout: patience })
    try {
      const opened = await browser.newPage()
      await opened.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { timeout: patience })
      await opened.waitForFunction('globalThis.simulate !== undefined', undefined, { timeout: patience })
      const answer = (await opened.evaluate('simulate()')) as Answer | undefined
      if (answer === undefined) return skip('this Chromium has no WebGPU adapter')
      expect(answer.device).toBe('gpu')
      expect(answer.gpu).toEqual(answer.lanes)
      expect(answer.refused).toMatch(/^device: the only adapter, .*swiftshader.*, is a software driver, slower than lanes/)
      expect(answer.auto).toEqual(['lanes', expect.stringMatching(/^device: lanes are taken: the only adapter/)])
    } finally {
      await browser.close()
      server.close()
    }
  },
  patience,
)
