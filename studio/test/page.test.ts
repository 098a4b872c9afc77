/**
 * The served page in a real browser: it moves, it can be stopped, it opens files and says what is wrong with them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** a software renderer on a busy machine is slow; nothing here depends on how fast */
const patience = 180_000
const limber = fileURLToPath(new URL('../../cli/bin/limber.js', import.meta.url))

/** What a driver says about its own speed, and a browser about its own policies, is no fault of the page. */
const harmless = /GL Driver Message|GPU stall/

describe.skipIf(!existsSync(chromiumPath))('the studio page', { timeout: patience }, () => {
  let server: ChildProcess
  let browser: Browser
  let url: string

  beforeAll(async () => {
    server = spawn(process.execPath, [limber, 'studio', '--port', '0', '--no-open', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
    url = await firstAddress(server)
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'], timeout: patience })
  }, patience)

  afterAll(async () => {
    await browser?.close()
    if (server?.exitCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill()
    await ended
  }, patience)

  /** Opens the page, hands it over, and fails on anything the console complains about. */
  async function visit(options: { width: number; height: number; query?: string }, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage({ viewport: options })
    page.setDefaultTimeout(patience)
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !harmless.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(url + (options.query ?? ''))
    await page
      .locator('#clock')
      .filter({ hasNotText: /^0\.00/ })
      .waitFor()
    await use(page)
    await page.close()
    expect(complaints).toEqual([])
  }

  const clock = async (page: Page) => Number.parseFloat((await page.locator('#clock').textContent()) ?? '')
  const picture = (page: Page) => page.locator('#picture').screenshot()
  const desk = { width: 660, height: 480 }

  it('shows a mechanism that moves, and stands still when paused', async () => {
    await visit(desk, async (page) => {
      const first = await picture(page)
      const start = await clock(page)
      await page.waitForFunction((t) => Number.parseFloat(document.getElementById('clock')?.textContent ?? '') > t + 0.5, start)
      expect((await picture(page)).equals(first)).toBe(false)

      await page.getByRole('button', { name: 'Pause' }).click()
      await page.waitForTimeout(300)
      const stopped = await clock(page)
      await page.waitForTimeout(300)
      expect(await clock(page)).toBe(stopped)

      await page.getByRole('button', { name: 'Step' }).click()
      await page.getByRole('button', { name: 'Reset' }).click()
      await page
        .locator('#clock')
        .filter({ hasText: /^0\.00/ })
        .waitFor()
    })
  })

  it('keeps the energy of an undamped chain', async () => {
    await visit({ ...desk, query: '?scene=chain' }, async (page) => {
      await page.waitForFunction(() => Number.parseFloat(document.getElementById('clock')?.textContent ?? '') > 1)
      const change = await page.locator('#energy dd').last().textContent()
      expect(Math.abs(Number.parseFloat(change ?? ''))).toBeLessThan(0.01)
    })
  })

  it('changes the model with a parameter and refuses a bad one', async () => {
    await visit({ ...desk, query: '?scene=chain' }, async (page) => {
      await page.locator('input[name=links]').fill('4')
      await page.locator('input[name=links]').press('Tab')
      await page.locator('#facts dd', { hasText: /^4$/ }).first().waitFor()
    })
  })

  it('opens a file and lists what it leaves out', async () => {
    const model = `<mujoco model="dropped"><visual><global offwidth="800"/></visual><worldbody><body><joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/></body></worldbody></mujoco>`
    await visit(desk, async (page) => {
      await page.locator('#file').setInputFiles({ name: 'model.xml', mimeType: 'text/xml', buffer: Buffer.from(model) })
      await page.locator('#title', { hasText: 'dropped' }).waitFor()
      await page.locator('#messages li').first().waitFor()
      await page.locator('#file').setInputFiles({ name: 'bad.xml', mimeType: 'text/xml', buffer: Buffer.from('<mujoco>\n <oops/>') })
      await page.locator('#messages.error li', { hasText: 'bad.xml:' }).first().waitFor()
    })
  })

  it('fits a narrow screen', async () => {
    await visit({ width: 360, height: 640 }, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      for (const id of ['#head', '#controls', '#clock', '#theme', '#side']) {
        const box = await page.locator(id).boundingBox()
        expect(box && box.x >= 0 && box.x + box.width <= 360, `${id} reaches outside`).toBe(true)
      }
    })
  })
})

/** The address that the server prints, as JSON, once it listens. */
function firstAddress(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    server.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      try {
        resolve((JSON.parse(text) as { url: string }).url)
      } catch {
        // not all of it has arrived
      }
    })
    server.once('exit', (code) => reject(new Error(`limber studio ended with exit code ${code}: is it built?`)))
  })
}
