/**
 * The pages of the guide to three.js, as a reader would make them: type-checked, bundled, and looked at in a browser.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import ts from 'typescript'
import { build } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { servePlainly } from '../studio/test/plain-server.js'
import { readBlocks } from './snippets.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const patience = 180_000

// inside the repository, so that packages are found; git ignores it
mkdirSync(join(root, '.limber'), { recursive: true })
const folder = mkdtempSync(join(root, '.limber/three-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const files = readBlocks(readFileSync(join(root, 'docs/three.md'), 'utf8')).flatMap(({ file, code }) => (file ? [{ file, code }] : []))
for (const { file, code } of files) writeFileSync(join(folder, file), code)
const ways = ['in-page', 'in-worker']
for (const way of ways)
  writeFileSync(join(folder, `${way}.html`), `<!doctype html><title>${way}</title><script type="module" src="./${way}.ts"></script>`)

describe('the guide to three.js', () => {
  it('has programs that compile in strict mode', () => {
    const program = ts.createProgram({
      rootNames: files.map(({ file }) => join(folder, file)),
      options: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
        types: [],
      },
    })
    const said = ts.getPreEmitDiagnostics(program)
    expect(said.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)).toEqual([])
  })

  it.skipIf(!existsSync(chromiumPath))(
    'has pages that show a robot which moves, in the page and from a worker',
    { timeout: patience },
    async () => {
      await build({
        root: folder,
        configFile: false,
        logLevel: 'error',
        base: './',
        worker: { format: 'es' },
        build: {
          target: 'es2022',
          chunkSizeWarningLimit: 5000,
          rolldownOptions: { input: ways.map((way) => join(folder, `${way}.html`)) },
        },
      })
      const server = await servePlainly(join(folder, 'dist'))
      const browser = await chromium.launch({
        executablePath: chromiumPath,
        args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu-watchdog'],
        timeout: patience,
      })
      try {
        for (const way of ways) {
          const page = await browser.newPage({ viewport: { width: 400, height: 300 } })
          page.setDefaultTimeout(patience / 2)
          const complaints: string[] = []
          page.on('pageerror', (error) => complaints.push(error.message))
          page.on(
            'console',
            (message) => message.type() === 'error' && !/favicon|404/.test(message.text()) && complaints.push(message.text()),
          )
          await page.goto(`${server.url}${way}.html`)
          await page.locator('canvas').waitFor()
          const look = () => page.locator('canvas').screenshot()
          const patient = { timeout: patience / 2, message: way }
          // the colours of the two links are in the picture
          const seen = async () => colors(await look(), page)
          await expect.poll(seen, patient).toEqual({ orange: true, blue: true })
          const before = await look()
          await expect.poll(async () => (await look()).equals(before), patient).toBe(false)
          expect(complaints, way).toEqual([])
          await page.close()
        }
      } finally {
        await browser.close()
        await server.close()
      }
    },
  )
})

/** Whether the upper arm and the forearm are in a picture, by their colours. */
function colors(png: Buffer, page: import('playwright-core').Page): Promise<{ orange: boolean; blue: boolean }> {
  return page.evaluate(async (base64) => {
    const blob = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: 'image/png' })
    const bitmap = await createImageBitmap(blob)
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] }
    const count = { orange: 0, blue: 0 }
    for (let k = 0; k < data.length; k += 4) {
      if (data[k] > 1.3 * data[k + 1] && data[k + 1] > 1.3 * data[k + 2]) count.orange++
      if (data[k + 2] > 1.3 * data[k + 1] && data[k + 1] > 1.3 * data[k]) count.blue++
    }
    return { orange: count.orange > 100, blue: count.blue > 100 }
  }, png.toString('base64'))
}
