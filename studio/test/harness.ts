/**
 * The served page in a real browser, as a person meets it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { servePlainly } from './plain-server.js'

const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
/** a software renderer on a busy machine is slow, and a runner may be several times slower than ours; nothing here depends on how fast */
export const patience = 180_000
/** for what is asked again and again */
export const slowly = { timeout: patience / 2 }
export const noBrowser = !existsSync(chromiumPath)
const built = fileURLToPath(new URL('../dist', import.meta.url))
const limber = fileURLToPath(new URL('../../cli/bin/limber.js', import.meta.url))

/** containers have little shared memory, and a drawing process that gets no time is slow, not dead */
const launch = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu-watchdog']

/** What a driver says about its own speed is no fault of the page. */
const harmless = /GL Driver Message|GPU stall/

export const desk = { width: 1000, height: 600 }
/** where the picture is free of panels */
export const small = { width: 640, height: 480 }

export interface Visit {
  readonly width: number
  readonly height: number
  readonly hash?: string
  /** the address of another server */
  readonly at?: string
  readonly touch?: boolean
  /** the page draws, as where a worker cannot */
  readonly inPage?: boolean
  /** the page has no shared memory, as on a plain web server */
  readonly unshared?: boolean
  /** what the console may complain about */
  readonly expected?: RegExp
}

export interface Studio {
  readonly url: string
  readonly browser: Browser
  /** Opens the page, hands it over when it moves, and fails on anything the console complains about. */
  visit(options: Visit, use: (page: Page) => Promise<void>): Promise<void>
}

/** One server and one browser for the tests of a file. */
export function useStudio(): Studio {
  let server: ChildProcess
  let browser: Browser
  let url = ''

  beforeAll(async () => {
    server = spawn(process.execPath, [limber, 'studio', '--port', '0', '--no-open', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
    url = await firstAddress(server)
    browser = await chromium.launch({ executablePath: chromiumPath, args: launch, timeout: patience })
  }, patience)

  afterAll(async () => {
    await browser?.close()
    if (!server || server.exitCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill()
    await ended
  }, patience)

  return {
    get url() {
      return url
    },
    get browser() {
      return browser
    },
    async visit({ width, height, hash = '', at = url, touch = false, inPage = false, unshared = false, expected }, use) {
      const plain = unshared ? await servePlainly(built) : undefined
      const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch, acceptDownloads: true })
      // the hint for newcomers has its own test
      await context.addInitScript(() => {
        if (location.protocol.startsWith('http')) localStorage.setItem('limber-hint-seen', '1')
      })
      if (inPage) await context.addInitScript(() => Reflect.deleteProperty(HTMLCanvasElement.prototype, 'transferControlToOffscreen'))
      const page = await context.newPage()
      page.setDefaultTimeout(patience / 2)
      const complaints: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !harmless.test(message.text())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      try {
        await page.goto((plain?.url ?? at) + hash)
        await moving(page)
        await use(page)
      } catch (error) {
        // what the page itself says of its trouble
        const said = await page
          .locator('#messages, #toast')
          .allTextContents()
          .catch(() => ['nothing any more'])
        if (error instanceof Error) error.message += `\nthe page says: ${[...said, ...complaints].join('\n')}`
        throw error
      } finally {
        await context.close()
        await plain?.close()
      }
      expect(complaints.filter((text) => !expected?.test(text))).toEqual([])
    },
  }
}

/** Waits until the mechanism moves, in numbers and in the picture. */
export async function moving(page: Page): Promise<void> {
  await page
    .locator('#clock')
    .filter({ hasNotText: /^0\.00/ })
    .waitFor()
  await page.locator('html[data-moving]').waitFor({ state: 'attached' })
}

export const clock = async (page: Page) => Number.parseFloat((await page.locator('#clock').textContent()) ?? '')

export async function runFor(page: Page, seconds: number): Promise<void> {
  const start = await clock(page)
  await page.waitForFunction((t) => Number.parseFloat(document.getElementById('clock')?.textContent ?? '') > t, start + seconds)
}

/** Waits until a picture differs from one taken before: how long drawing takes is up to the machine. */
export async function changes(look: () => Promise<Buffer>, before: Buffer): Promise<void> {
  await expect.poll(async () => (await look()).equals(before), slowly).toBe(false)
}

/** Moves the timeline as its keys would, and waits for the bits of that moment. */
export async function seek(page: Page, frame: number): Promise<string> {
  await page.locator('#clock').evaluate((clockNow) => {
    delete clockNow.dataset['frame']
  })
  await page.locator('#timeline').evaluate((slider, value) => {
    if (!(slider instanceof HTMLInputElement)) return
    slider.value = String(value)
    slider.dispatchEvent(new Event('input'))
    slider.dispatchEvent(new Event('change'))
  }, frame)
  await page.locator(`#clock[data-frame="${frame}"]`).waitFor()
  return (await page.locator('#clock').getAttribute('data-hash')) ?? ''
}

/** Puts files on the page as if they were dropped. */
export async function dropFiles(page: Page, files: readonly { name: string; text?: string; base64?: string }[]): Promise<void> {
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer()
    for (const { name, text, base64 } of list) {
      const bytes = base64 === undefined ? (text ?? '') : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
      data.items.add(new File([bytes], name))
    }
    return data
  }, files)
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}

/** Drops files and folders of this disk, as a file manager would. */
export async function dropPaths(page: Page, files: readonly string[]): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
  await client.detach()
}

/** Presses a button of a panel and returns the bytes of the file it saves. */
export async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  const stream = await file.createReadStream()
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return { name: file.suggestedFilename(), bytes: Buffer.concat(parts) }
}

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
