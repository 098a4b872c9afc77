/**
 * The page as such: it moves soon, shows every scene, restores a link, fits a phone, can be used without a mouse.
 */
import { scenes } from 'limber-scenes'
import { describe, expect, it } from 'vitest'
import { changes, clock, desk, moving, noBrowser, patience, runFor, slowly, small, useStudio } from './harness.js'

describe.skipIf(noBrowser)('the studio page', { timeout: patience }, () => {
  const studio = useStudio()

  it('loads less than 370 kB compressed until the mechanism moves', async () => {
    const { gzipSync } = await import('node:zlib')
    await studio.visit(desk, async (page) => {
      const addresses = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      let total = 0
      for (const address of [studio.url, ...addresses]) {
        if (/\.(webp|png|svg)$/.test(address)) continue
        const response = await fetch(address)
        total += gzipSync(Buffer.from(await response.arrayBuffer())).length
      }
      // the worker's own script is not in the list of the page
      expect(addresses.filter((address) => address.includes('worker'))).toHaveLength(2)
      expect(total).toBeGreaterThan(100_000)
      expect(total).toBeLessThan(370_000)
    })
  })

  it('shows a mechanism that moves, and stands still when paused', async () => {
    await studio.visit(small, async (page) => {
      const picture = () => page.locator('#picture').screenshot()
      const first = await picture()
      await runFor(page, 0.5)
      await changes(picture, first)

      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('button', { name: 'Play' }).waitFor()
      // frames that were under way still arrive; a mechanism that runs moves its clock in every second
      const rest = async () => {
        const before = await clock(page)
        await page.waitForTimeout(1000)
        return (await clock(page)) === before
      }
      await expect.poll(rest, slowly).toBe(true)
      expect(await rest()).toBe(true)

      await page.getByRole('button', { name: 'Step' }).click()
      await page.getByRole('button', { name: 'Reset' }).click()
      await page
        .locator('#clock')
        .filter({ hasText: /^0\.00/ })
        .waitFor()
    })
  })

  it('opens the gallery and runs each scene for two seconds', { timeout: 4 * patience }, async () => {
    const failures: string[] = []
    const watch = (part: typeof scenes) =>
      studio.visit(small, async (page) => {
        for (const { name, title } of part) {
          await page.getByRole('button', { name: 'Gallery' }).click()
          await page.locator(`.card[data-scene="${name}"] small`, { hasText: 'DoF' }).waitFor()
          expect(await page.locator(`.card[data-scene="${name}"] :is(img, canvas)`).count(), `picture of ${name}`).toBe(1)
          await page.locator(`.card[data-scene="${name}"]`).click()
          await page.locator('#title', { hasText: title }).waitFor({ state: 'attached' })
          await moving(page)
          // two seconds of watching: a large scene may run slower than the clock
          await page.waitForTimeout(2000)
          expect(await clock(page)).toBeGreaterThan(0)
          const error = page.locator('#messages.error')
          if (await error.isVisible()) failures.push(`${name}: ${await error.textContent()}`)
        }
      })
    const half = Math.ceil(scenes.length / 2)
    await Promise.all([watch(scenes.slice(0, half)), watch(scenes.slice(half))])
    expect(failures).toEqual([])
  })

  it('rebuilds with a parameter and refuses a bad one', async () => {
    await studio.visit({ ...desk, hash: '#scene=chain' }, async (page) => {
      await page.locator('input[name=links]').fill('4')
      await page.locator('input[name=links]').press('Tab')
      await page.locator('#facts dd', { hasText: /^4$/ }).first().waitFor()
      await page.waitForURL(/links=4/)
      await page.locator('input[name=links]').fill('-3')
      await page.locator('input[name=links]').press('Tab')
      expect(await page.locator('input[name=links]:invalid').count()).toBe(1)
      expect(await page.locator('#facts dd').first().textContent()).toBe('4')
    })
  })

  it('restores everything from a link', async () => {
    const hash =
      '#scene=chain&links=7&joint=spherical&solver=ode&solver.method=gear&solver.rtol=0.0001&timestep=0.01&speed=0.5&show=axes,inertia&colors=tree&panel=show&plots=order,cost&theme=dark'
    await studio.visit({ ...desk, hash }, async (page) => {
      const fields = {
        'select[name=joint]': 'spherical',
        '#solver select[name=method]': 'gear',
        '#solver input[name=timestep]': '0.01',
        '#solver input[name=rtol]': '0.0001',
        '#speed': '0.5',
        '#panel-show select': 'tree',
      }
      const check = async () => {
        await expect.poll(() => page.locator('#facts dd').allTextContents(), slowly).toEqual(['7', '21'])
        for (const [field, value] of Object.entries(fields))
          await expect.poll(() => page.locator(field).inputValue(), { ...slowly, message: field }).toBe(value)
        expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
        await page.locator('#panel-show input[name=axes]:checked').waitFor()
        await page.locator('#panel-show input[name=inertia]:checked').waitFor()
        await page.locator('#tab-plots').click()
        await page.locator('#panel-plots .u-title').first().waitFor()
        const plots = () => page.locator('#panel-plots select').evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value))
        await expect.poll(plots, slowly).toEqual(['order', 'cost'])
        await page.locator('#tab-show').click()
        await page.waitForURL(/panel=show/)
      }
      await check()
      // the camera is in the link as well, once the page has written it
      await page.waitForURL(/camera=/)
      const link = page.url()
      await page.goto('about:blank')
      await page.goto(link)
      await moving(page)
      await check()
      expect(new URL(page.url()).hash).toContain('solver.method=gear')
    })
  })

  it('fits a narrow screen and answers to fingers', async () => {
    await studio.visit({ width: 360, height: 640, touch: true }, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      const inside = async (id: string) => {
        const box = await page.locator(id).boundingBox()
        expect(box && box.x >= 0 && box.x + box.width <= 360 && box.y + box.height <= 640, `${id} reaches outside`).toBe(true)
      }
      for (const id of ['#head', '#controls', '#clock', '#theme', '#help-open']) await inside(id)
      // nothing hangs out of the bar
      const [bar, time] = await Promise.all(['#controls', '#clock'].map((id) => page.locator(id).boundingBox()))
      expect((time?.x ?? 0) + (time?.width ?? 0)).toBeLessThanOrEqual((bar?.x ?? 0) + (bar?.width ?? 0))
      await page.locator('#side-toggle').tap()
      await inside('#side')
      await page.locator('#tools-toggle').tap()
      await inside('#tools')
      expect(await page.locator('#side').isVisible()).toBe(false)
    })
  })

  it('names every control and can be driven by keys', async () => {
    await studio.visit(desk, async (page) => {
      const nameless = await page.evaluate(() => {
        const controls = [...document.querySelectorAll('button, select, input, textarea')] as HTMLElement[]
        return controls
          .filter((control) => control.offsetParent !== null)
          .filter((control) => {
            const label = control.closest('label')?.textContent?.trim() || control.getAttribute('aria-label') || control.textContent?.trim()
            return !label
          })
          .map((control) => control.outerHTML)
      })
      expect(nameless).toEqual([])
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('gallery-open')
      await page.locator('#picture').focus()
      await page.keyboard.press(' ')
      await page.getByRole('button', { name: 'Play' }).waitFor()
      await page.keyboard.press('?')
      await page.locator('#help[open]').waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('d')
      await page.locator('#debug', { hasText: 'worker step' }).waitFor()
    })
  })

  it('greets a newcomer with three steps, once', async () => {
    const page = await studio.browser.newPage({ viewport: desk })
    page.setDefaultTimeout(slowly.timeout)
    await page.goto(studio.url)
    await expect.poll(() => page.locator('#hint li').count(), slowly).toBe(3)
    await page.getByRole('button', { name: 'Got it' }).click()
    await page.reload()
    await moving(page)
    expect(await page.locator('#hint').isVisible()).toBe(false)
    await page.close()
  })
})
