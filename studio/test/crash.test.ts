/**
 * The worker that simulates ends by itself: the page brings back what was there, and does not run into the same trouble for ever.
 */
import { buildModel, createSimulation, readCsv } from 'limber'
import { findScene } from 'limber-scenes'
import type { Page, Worker } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { changes, clock, desk, download, dropFiles, moving, noBrowser, patience, runFor, slowly, useStudio } from './harness.js'
import { robot } from './robot.js'

const expected = /struck by a test/
const scene = { ...desk, hash: '#scene=double-pendulum&panel=export&solver=ode&solver.method=rk4&timestep=0.004&speed=0.5', expected }

describe.skipIf(noBrowser)('a simulation that crashes', { timeout: patience }, () => {
  const studio = useStudio()
  const alert = (page: Page, text: string) => page.locator('#messages.error', { hasText: text })

  /** The worker that simulates, not the one that draws. */
  function simulating(page: Page): Worker {
    const found = page.workers().filter((worker) => /\/worker-[^/]*\.js$/.test(worker.url()))
    if (found.length !== 1) throw new Error(`${found.length} workers simulate`)
    return found[0]
  }
  const strike = (page: Page) =>
    simulating(page).evaluate(() => {
      setTimeout(() => {
        throw new Error('struck by a test')
      })
    })

  /** What the clock shows from now on. */
  const noteClock = (page: Page) =>
    page.evaluate(() => {
      const shown: string[] = []
      Object.assign(window, { shown })
      const output = document.getElementById('clock')
      if (output)
        new MutationObserver(() => shown.push(output.textContent ?? '')).observe(output, {
          childList: true,
          characterData: true,
          subtree: true,
        })
    })
  const noted = async (page: Page) => (await page.evaluate(() => (window as unknown as { shown: string[] }).shown)).map(Number.parseFloat)

  /** The motion on the timeline is that of a simulation that was never interrupted; where it begins. */
  async function expectWhole(page: Page): Promise<number> {
    const { bytes } = await download(page, () => page.locator('#panel-export').getByRole('button', { name: 'CSV', exact: true }).click())
    const spec = findScene('double-pendulum')?.build({})
    if (!spec) throw new Error('the scene is gone')
    const model = buildModel(spec)
    const { times, q, v } = readCsv(bytes.toString())
    const simulation = createSimulation(model, { solver: 'ode', method: 'rk4', timestep: 0.004 })
    expect(times.length).toBeGreaterThan(5)
    times.forEach((t, k) => {
      while (simulation.state.t < t - 1e-9) simulation.step()
      const now = (all: Float64Array, n: number) => [...all.subarray(k * n, (k + 1) * n)]
      expect([...simulation.state.q], `q at ${t} s`).toEqual(now(q, model.nq))
      expect([...simulation.state.v], `v at ${t} s`).toEqual(now(v, model.nv))
    })
    return times[0]
  }

  it.each([
    ['meets an error', strike, 'It met an error: struck by a test.'],
    ['is ended by the browser', (page: Page) => simulating(page).evaluate(() => self.close()), 'The browser ended it'],
  ])('that %s is back with time, pose and settings, stands, and goes on', async (_, end, reason) => {
    await studio.visit(scene, async (page) => {
      await runFor(page, 0.5)
      await noteClock(page)
      await runFor(page, 0.2)
      await end(page)
      await alert(page, reason).waitFor()
      await page.locator('#play', { hasText: 'Play' }).waitFor()
      // what was shown is there, and nothing goes on by itself
      await page.waitForTimeout(1000)
      const shown = await noted(page)
      const stands = await clock(page)
      // a picture comes by shared memory, and may be a frame ahead of the state that was kept
      expect(Math.max(...shown) - stands).toBeLessThan(0.04)
      const before = shown.slice(0, -1)
      expect(before.toSorted((a, b) => a - b)).toEqual(before)
      expect(stands).toBeGreaterThan(0.7)
      expect(await alert(page, `at ${stands.toFixed(2)} s`).isVisible()).toBe(true)
      expect(await page.locator('#solver select[name=method]').inputValue()).toBe('rk4')
      expect(await page.locator('#speed').inputValue()).toBe('0.5')
      const still = await page.locator('#picture').screenshot()

      await alert(page, 'crashed').getByRole('button', { name: 'Continue' }).click()
      await page.locator('#messages').waitFor({ state: 'hidden' })
      await runFor(page, 0.5)
      await expect.poll(async () => (await page.locator('#picture').screenshot()).equals(still), slowly).toBe(false)
      expect(await expectWhole(page)).toBeCloseTo(stands, 2)
    })
  })

  it('that does not answer can be stopped, and is back where it was', async () => {
    await studio.visit(scene, async (page) => {
      await runFor(page, 0.3)
      await simulating(page).evaluate(() => {
        setTimeout(() => {
          for (;;);
        })
      })
      const remark = page.locator('#messages.remark', { hasText: 'does not answer' })
      await remark.waitFor()
      const stands = await clock(page)
      await remark.getByRole('button', { name: 'Stop it' }).click()
      await alert(page, 'It did not answer, and was stopped').waitFor()
      // the play button does what Continue does
      await page.locator('#play').click()
      await page.locator('#messages').waitFor({ state: 'hidden' })
      await runFor(page, 0.3)
      expect(await expectWhole(page)).toBeCloseTo(stands, 2)
    })
  })

  it('again at once is offered from its start, and after a third time not at all', async () => {
    await studio.visit(scene, async (page) => {
      await runFor(page, 0.3)
      await strike(page)
      await alert(page, 'crashed').getByRole('button', { name: 'Continue' }).click()
      await runFor(page, 0.1)
      await strike(page)
      const again = alert(page, 'crashed again')
      await again.waitFor()
      expect(await again.getByRole('button').allTextContents()).toEqual(['✕', 'From the start', 'Gallery'])
      await again.getByRole('button', { name: 'From the start' }).click()
      await page.locator('#clock', { hasText: /^0\.00/ }).waitFor()
      expect(await page.locator('#messages').isVisible()).toBe(false)
      await page.locator('#play').click()
      await runFor(page, 0.2)
      expect(await expectWhole(page)).toBe(0)
      await strike(page)
      const reload = alert(page, 'cannot run').getByRole('button', { name: 'Reload the page' })
      await reload.waitFor()
      // what stands after a crash is paused, and the address says so soon; whoever reads the message before that button is pressed wants it to run
      await page.waitForURL(({ hash }) => hash.includes('paused'))
      await reload.click()
      await moving(page)
    })
  })

  it('of a dropped robot keeps its file, its commands and the picked body; of a recording the moment that was shown', async () => {
    await studio.visit({ ...desk, hash: '#scene=double-pendulum&speed=0.5', expected }, async (page) => {
      await dropFiles(page, [{ name: 'dog.xml', text: robot }])
      await page.locator('#title', { hasText: 'dog' }).waitFor({ state: 'attached' })
      await page.keyboard.press('1')
      const knee = page
        .locator('#panel-control .sliders')
        .first()
        .locator('.slider-row', { has: page.getByText('fl_knee', { exact: true }) })
      await knee.locator('input[type=number]').fill('-2')
      await knee.locator('input[type=number]').press('Enter')
      await page.keyboard.press('Escape')
      await page.locator('#tab-inspect').click()
      await page.getByRole('button', { name: 'fl_shin', exact: true }).click()
      const angle = async () => {
        const term = page.locator('#panel-inspect dt', { hasText: 'fl_knee (' })
        return Number.parseFloat((await term.evaluate((row) => row.nextElementSibling?.textContent)) ?? '')
      }
      // the weight keeps it from -2: it comes to rest at -1.884
      await expect.poll(angle, slowly).toBeLessThan(-1.8)
      await strike(page)
      await alert(page, 'It is back where it was').getByRole('button', { name: 'Continue' }).click()
      await runFor(page, 0.5)
      // the servo still holds the knee where it was told to, and the inspector goes on
      expect(await angle()).toBeLessThan(-1.8)
      expect(await page.locator('#title').textContent()).toBe('dog')
      await page.locator('#tab-control').click()
      expect(Number(await knee.locator('input[type=number]').inputValue())).toBeCloseTo(-2, 5)

      // long after that, so that it is no trouble that comes again
      await page.waitForTimeout(10_000)
      await page.locator('#tab-export').click()
      const { bytes } = await download(page, () => page.locator('#panel-export').getByRole('button', { name: 'CSV', exact: true }).click())
      await dropFiles(page, [{ name: 'walk.csv', text: bytes.toString() }])
      await page.locator('#title', { hasText: 'walk.csv' }).waitFor({ state: 'attached' })
      await moving(page)
      const begin = await clock(page)
      await runFor(page, 0.5)
      await strike(page)
      await alert(page, 'It is back where it was').waitFor()
      await page.locator('#title', { hasText: 'walk.csv' }).waitFor({ state: 'attached' })
      await expect.poll(() => clock(page), slowly).toBeGreaterThan(begin + 0.5)
      await page.locator('#play').click()
      await runFor(page, 0.3)
    })
  })

  it('is back as well where there is no shared memory and the page draws', async () => {
    await studio.visit({ ...scene, inPage: true, unshared: true }, async (page) => {
      await runFor(page, 0.3)
      await strike(page)
      await alert(page, 'It is back where it was').waitFor()
      const stands = await clock(page)
      await page.locator('#play').click()
      const before = await page.locator('#picture').screenshot()
      await runFor(page, 0.3)
      await changes(() => page.locator('#picture').screenshot(), before)
      expect(await expectWhole(page)).toBeCloseTo(stands, 2)
    })
  })

  it('while it opens something else leaves what was there', async () => {
    await studio.visit(scene, async (page) => {
      await runFor(page, 0.3)
      // the other scene is more than this worker can bear
      await simulating(page).evaluate(() => {
        self.addEventListener('message', ({ data }) => {
          if ((data as { type: string }).type === 'scene') throw new Error('struck by a test')
        })
      })
      await page.keyboard.press('g')
      await page.locator('.card[data-scene=arm]').click()
      await alert(page, 'It is back where it was').waitFor()
      await page.locator('#description', { hasText: findScene('double-pendulum')?.description ?? '' }).waitFor()
      expect(await page.locator('#title').textContent()).toBe('Double pendulum')
      await page.waitForURL(/scene=double-pendulum.*solver\.method=rk4/)
      await page.keyboard.press(' ')
      await runFor(page, 0.3)
      // and the other one opens, if it can
      await page.keyboard.press('g')
      await page.locator('.card[data-scene=arm]').click()
      await page.locator('#title', { hasText: 'Arm' }).waitFor()
      await moving(page)
    })
  })
})
