/**
 * Work with a running mechanism: drag, push, pin, join, other solvers, going back in time, comparing.
 */

import { solvers } from 'limber'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { changes, clock, desk, dropFiles, noBrowser, patience, runFor, seek, slowly, small, useStudio } from './harness.js'

/** a pendulum that hangs at rest in the middle of the picture, seen from the side */
const resting = '#scene=chain&links=1&length=1&angle=0&camera=0,-4,-0.5,0,0,-0.5'

describe.skipIf(noBrowser)('working with a mechanism', { timeout: patience }, () => {
  const studio = useStudio()
  const middle = { x: small.width / 2, y: small.height / 2 }

  /** Live numbers of the first joint, as the inspector shows them. */
  async function angle(page: Page): Promise<number> {
    const row = page.locator('#panel-inspect .numbers dt', { hasText: ' q' }).first()
    await row.waitFor({ state: 'attached' })
    const text = await row.evaluate((term) => term.nextElementSibling?.textContent)
    return Number.parseFloat(text ?? '')
  }
  async function inspect(page: Page): Promise<void> {
    await page.mouse.click(middle.x, middle.y)
    await page.locator('#panel-inspect h3', { hasText: 'link1' }).waitFor()
    await page.locator('#tools-toggle').click()
  }

  it.each([false, true])('drags a body, which follows (fingers: %s)', async (touch) => {
    await studio.visit({ ...small, hash: resting, touch }, async (page) => {
      await inspect(page)
      expect(Math.abs(await angle(page))).toBeLessThan(1e-3)
      const client = await page.context().newCDPSession(page)
      const point = (dx: number) => [{ x: middle.x + dx, y: middle.y }]
      if (touch) await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(0) })
      else {
        await page.mouse.move(middle.x, middle.y)
        await page.mouse.down()
      }
      for (let dx = 0; dx <= 120; dx += 20) {
        if (touch) await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(dx) })
        else await page.mouse.move(middle.x + dx, middle.y)
      }
      await runFor(page, 1)
      // to the right in the picture is +x: the rod that hangs down turns about +y by a negative angle
      await expect.poll(() => angle(page), slowly).toBeLessThan(-0.3)
      if (touch) await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      else await page.mouse.up()
      await runFor(page, 0.3)
    })
  })

  it('pushes, pins and joins two points with a spring', async () => {
    await studio.visit({ ...small, hash: '#scene=chain&links=2&length=1&angle=0&camera=0,-6,-1,0,0,-1' }, async (page) => {
      const upper = { x: middle.x, y: middle.y - 50 }
      const lower = { x: middle.x, y: middle.y + 50 }
      await page.locator('#tool').selectOption('push')
      await page.mouse.click(upper.x, upper.y)
      await page.locator('#toast', { hasText: 'Pushed' }).waitFor()
      await page.locator('#tool').selectOption('pin')
      await page.mouse.click(lower.x, lower.y)
      await page.locator('#toast', { hasText: 'Pinned' }).waitFor()
      await page.locator('#tool').selectOption('spring')
      await page.mouse.click(upper.x, upper.y)
      await page.locator('#toast', { hasText: 'other end' }).waitFor()
      await page.mouse.click(lower.x, lower.y)
      await page.locator('#toast', { hasText: 'N/m added' }).waitFor()
      await runFor(page, 0.5)
    })
  })

  it('changes method, step and tolerance while it runs', async () => {
    await studio.visit({ ...desk, hash: '#scene=chain' }, async (page) => {
      const before = await clock(page)
      await page.locator('#solver select[name=method]').selectOption('gear')
      await page.waitForURL(/solver\.method=gear/)
      await page.locator('#solver input[name=timestep]').fill('0.01')
      await page.locator('#solver input[name=timestep]').press('Tab')
      await page.waitForURL(/timestep=0\.01/)
      await page.locator('#solver input[name=rtol]').fill('0.001')
      await page.locator('#solver input[name=rtol]').press('Tab')
      await runFor(page, 0.5)
      expect(await clock(page)).toBeGreaterThan(before + 0.4)
      const others = await page.locator('#solver select[name=solver] option:not([disabled])').allTextContents()
      for (const name of others) {
        await page.locator('#solver select[name=solver]').selectOption(name)
        await page.waitForURL(new RegExp(`solver=${name}`))
        await runFor(page, 0.2)
      }
      await expect(page.locator('#messages.error').isVisible()).resolves.toBe(false)
    })
  })

  it('goes back and forth in time with identical bits, and again when it runs on from there', async () => {
    await studio.visit({ ...small, hash: '#scene=humanoid' }, async (page) => {
      await runFor(page, 1)
      await page.getByRole('button', { name: 'Pause' }).click()
      const early = await seek(page, 10)
      const late = await seek(page, 30)
      expect(late).not.toBe(early)
      expect(await seek(page, 10)).toBe(early)
      expect(await seek(page, 30)).toBe(late)
      // from the early moment the simulation itself comes to the late one
      await seek(page, 10)
      await page.getByRole('button', { name: 'Play' }).click()
      await page.waitForFunction(() => Number((document.getElementById('timeline') as HTMLInputElement).value) > 35)
      await page.getByRole('button', { name: 'Pause' }).click()
      expect(await seek(page, 30)).toBe(late)
    })
  })

  it('goes back across a change of solver', async () => {
    await studio.visit({ ...desk, hash: '#scene=double-pendulum' }, async (page) => {
      await runFor(page, 0.5)
      const bits = await seek(page, 5)
      await page.getByRole('button', { name: 'Play' }).click()
      await runFor(page, 0.2)
      await page.locator('#solver select[name=method]').selectOption('rkf45')
      await runFor(page, 0.3)
      expect(await seek(page, 5)).toBe(bits)
      await expect.poll(() => page.locator('#solver select[name=method]').inputValue(), slowly).not.toBe('rkf45')
    })
  })

  it('compares two solvers on one clock, with their difference and cost', async () => {
    await studio.visit({ ...desk, hash: '#scene=double-pendulum&panel=compare' }, async (page) => {
      await page.getByRole('button', { name: 'Add a lane' }).click()
      await page.locator('.lane').waitFor()
      await page.getByRole('button', { name: 'Start together' }).click()
      const row = page.locator('.results tbody tr').nth(1)
      await expect.poll(async () => Number.parseFloat((await row.locator('td').nth(2).textContent()) ?? ''), slowly).toBeGreaterThan(0)
      await expect.poll(async () => Number.parseFloat((await row.locator('td').nth(3).textContent()) ?? ''), slowly).toBeGreaterThan(0)
      // ghosts in one view, then two views of their own, both drawn and both moving
      await page.getByLabel('side by side').check()
      await page.waitForURL(/arrangement=side/)
      await expect.poll(() => page.locator('#captions span').allTextContents(), slowly).toHaveLength(2)
      await runFor(page, 0.3)
      const areas = await page.locator('#captions div').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()))
      const looks = areas.map(
        ({ x, y, width, height }) =>
          () =>
            page.screenshot({ clip: { x, y: y + 40, width, height: height - 40 } }),
      )
      const before = await Promise.all(looks.map((look) => look()))
      await changes(looks[1], before[0])
      for (const [k, look] of looks.entries()) await changes(look, before[k])
      await page.locator('#tab-plots').click()
      await page.locator('#panel-plots select').first().selectOption('difference')
      await page.locator('.u-title', { hasText: 'Difference' }).waitFor()
      await page.waitForURL(/solver2=/)
    })
  })

  it('shows contacts and their forces where bodies touch', async () => {
    await studio.visit({ ...desk, hash: '#scene=humanoid-on-ground&panel=show&show=contacts' }, async (page) => {
      const text = async () => (await page.locator('#panel-show p').textContent()) ?? ''
      await expect.poll(text, slowly).toMatch(/^[1-9]\d* contacts? in [1-9]\d* patch(es)?; the strongest arrow is [1-9]/)
      // no solver here divides bodies into groups, so no colours by groups are offered
      expect(await page.locator('#panel-show option[value^="group:"]').count()).toBe(0)
      await page.locator('#panel-show input[name=contacts]').uncheck()
      await expect.poll(text, slowly).toBe('')
      await page.waitForURL(({ hash }) => !hash.includes('show='))
    })
  })

  it('draws where a box stands as one patch, with its weight to scale', async () => {
    await studio.visit({ ...desk, hash: '#scene=chain&links=2&panel=show' }, async (page) => {
      await dropFiles(page, [{ name: 'box.xml', text: box }])
      await page.locator('#title', { hasText: 'box' }).waitFor({ state: 'attached' })
      await runFor(page, 0.5)
      await page.keyboard.press('4')
      expect(await pinkPixels(page)).toBe(0)
      await page.locator('#panel-show input[name=contacts]').check()
      // 2 kg
      const text = async () => (await page.locator('#panel-show p').textContent()) ?? ''
      await expect.poll(text, slowly).toBe('4 contacts in 1 patch; the strongest arrow is 19.6 N.')
      await expect.poll(() => page.locator('#scale').textContent(), slowly).toMatch(/^\d+ (mm|cm|m) of arrow: [\d.]+ N, strongest 20 N$/)
      expect(await page.locator('#scale i').evaluate((bar) => bar.clientWidth)).toBeGreaterThan(20)
      // the face, its edge and the arrow
      await expect.poll(() => pinkPixels(page), slowly).toBeGreaterThan(300)
      await page.locator('#panel-show input[name=contacts]').uncheck()
      await expect.poll(() => pinkPixels(page), slowly).toBe(0)
      await page.locator('#scale').waitFor({ state: 'hidden' })
    })
  })

  it('shows a level of detail only for a solver that has one', async () => {
    await studio.visit({ ...desk, hash: '#scene=crowd&characters=2&solver=ode&panel=plots' }, async (page) => {
      expect(await page.locator('#detail').isVisible()).toBe(false)
      await page.locator('.u-title', { hasText: 'Step time' }).waitFor({ state: 'attached' })
    })
  })

  it.skipIf(!Object.hasOwn(solvers, 'adaptive'))('sets how many joints move, and shows what that neglects', async () => {
    await studio.visit({ ...desk, hash: '#scene=crowd&characters=3&solver=adaptive&solver.budget=20&panel=plots' }, async (page) => {
      const numbers = page.locator('#detail dd')
      await expect.poll(() => numbers.first().textContent(), slowly).toMatch(/^\d+$/)
      expect(Number(await numbers.first().textContent())).toBeLessThanOrEqual(20)
      // neglected acceleration is plotted below the energy
      await page.locator('.u-title', { hasText: 'Neglected acceleration' }).waitFor({ state: 'attached' })
      await expect.poll(async () => Number.parseFloat((await numbers.nth(1).textContent()) ?? ''), slowly).toBeGreaterThan(0)
      await page.locator('#detail input[name=color-active]').check()
      await page.waitForURL(/colors=group/)
      await page.locator('#detail input[name=budget-share]').focus()
      await page.keyboard.press('End')
      await page.waitForURL(/solver\.budget=0/)
      await expect.poll(async () => Number.parseFloat((await numbers.nth(1).textContent()) ?? ''), slowly).toBeLessThan(1e-6)
    })
  })

  it('draws two hundred characters of 19,000 degrees of freedom in a few calls', { timeout: 3 * patience }, async () => {
    await studio.visit({ ...small, hash: '#scene=crowd&characters=200' }, async (page) => {
      await page.locator('#facts dd', { hasText: '19,000' }).waitFor({ state: 'attached' })
      await page.keyboard.press('d')
      const calls = page.locator('#debug', { hasText: /\d+ draw calls/ })
      await calls.waitFor()
      // the first pictures have more, while shapes are sorted by their size
      await expect
        .poll(async () => Number(/(\d+) draw calls/.exec((await calls.textContent()) ?? '')?.[1]), { timeout: patience })
        .toBeLessThan(60)
    })
  })
})

const box = `<mujoco model="box"><worldbody><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .15 .1" rgba=".5 .5 .5 1" mass="2"/></body></worldbody></mujoco>`

/** Pixels of the picture that have the colour of contacts, also where grey shines through. */
async function pinkPixels(page: Page): Promise<number> {
  const bytes = await page.locator('#picture').screenshot()
  return page.evaluate(async (base64) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: 'image/png' }))
    // between the panels
    const [x, y, width, height] = [0.3, 0.25, 0.4, 0.5].map((share, k) => Math.round(share * (k % 2 ? bitmap.height : bitmap.width)))
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context?.drawImage(bitmap, x, y, width, height, 0, 0, width, height)
    const { data } = context?.getImageData(0, 0, width, height) ?? { data: [] }
    let pink = 0
    for (let k = 0; k < data.length; k += 4) if (data[k] > 1.35 * data[k + 1] && data[k + 2] > 1.02 * data[k + 1]) pink++
    return pink
  }, bytes.toString('base64'))
}
