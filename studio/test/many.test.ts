/** The gallery's page of thousands of chains: one batch, in lanes where there is no GPU. */
import { describe, expect, it } from 'vitest'
import { changes, noBrowser, patience, slowly, useStudio } from './harness.js'

describe.skipIf(noBrowser)('the page of many chains', { timeout: patience }, () => {
  const studio = useStudio()

  it('is in the gallery, says where it runs and why, swings, stands still and starts anew', async () => {
    const context = await studio.browser.newContext({ viewport: { width: 640, height: 480 } })
    const page = await context.newPage()
    page.setDefaultTimeout(patience / 2)
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(studio.url)
    await page.locator('#gallery-open').click()
    await page.locator('a[data-scene="many"]').click()
    await page.waitForURL(/many\.html/)
    // fewer than the gallery's, for a machine that draws in software; what the link says stays in it
    await page.selectOption('#count', '256')
    await page.waitForURL(/count=256/)
    const time = () => page.locator('html').getAttribute('data-time').then(Number)
    const picture = () => page.locator('#picture').screenshot()
    await expect.poll(time, slowly).toBeGreaterThan(0.2)
    expect(await page.locator('#where').textContent()).toMatch(/^processor: four chains an instruction/)
    expect(await page.locator('#note').textContent()).toMatch(/device: lanes are taken/)
    expect(await page.locator('#rate').textContent()).toMatch(/steps a second/)
    await changes(picture, await picture())

    await page.locator('#play').click()
    const stood = async () => {
      const before = await time()
      await page.waitForTimeout(200)
      return (await time()) - before
    }
    await expect.poll(stood, slowly).toBe(0)
    const still = await time()
    await page.locator('#again').click()
    await expect.poll(time, slowly).toBe(0)
    expect(still).toBeGreaterThan(0.2)

    await page.locator('#play').click()
    await page.locator('#gust').click()
    await page.selectOption('#device', 'cpu')
    await expect.poll(time, slowly).toBeGreaterThan(0.1)
    await expect.poll(() => page.locator('#note').isVisible(), slowly).toBe(false)
    expect(complaints).toEqual([])
    await context.close()
  })
})
