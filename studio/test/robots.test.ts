/**
 * The first hour with a robot: it is dropped, commanded, posed, plotted, pushed and passed on, by mouse, by keys and on a phone; and what happens
 * when something is wrong.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { clock, desk, download, dropFiles, noBrowser, patience, runFor, slowly, small, useStudio } from './harness.js'
import { robot } from './robot.js'

/** A robot that stands in the tests of library and command, with instruments. */
const stander = (name: string) =>
  readFileSync(new URL(`../../engine/test/robots/${name}.xml`, import.meta.url), 'utf8')
    .replace(/model="\w+"/, 'model="stander"')
    .replace(/<freejoint[^>]*>/, '$&<site name="box"/>')
    .replace('</mujoco>', '<sensor><accelerometer name="felt" site="box"/><gyro name="turn" site="box"/></sensor></mujoco>')

describe.skipIf(noBrowser)('a robot in the studio', { timeout: patience }, () => {
  const studio = useStudio()

  const row = (page: Page, part: 'actuators' | 'joints', name: string) =>
    page
      .locator('#panel-control .sliders')
      .nth(part === 'actuators' ? 0 : 1)
      .locator('.slider-row', { has: page.getByText(name, { exact: true }) })
  const number = async (page: Page, part: 'actuators' | 'joints', name: string) =>
    Number(await row(page, part, name).locator('input[type=number]').inputValue())
  async function openRobot(page: Page): Promise<void> {
    await dropFiles(page, [{ name: 'dog.xml', text: robot }])
    await page.locator('#title', { hasText: 'dog' }).waitFor({ state: 'attached' })
    await page.keyboard.press('1')
    await row(page, 'actuators', 'fl_knee').waitFor()
  }
  /** Moves a slider as a hand would. */
  const slide = (page: Page, part: 'actuators' | 'joints', name: string, value: number) =>
    row(page, part, name)
      .locator('input[type=range]')
      .evaluate((slider, to) => {
        if (!(slider instanceof HTMLInputElement)) return
        slider.value = String(to)
        slider.dispatchEvent(new Event('input'))
        slider.dispatchEvent(new Event('change'))
      }, value)

  /** Closes the panels and pushes what stands in the middle: somewhere around it, in steps of so many pixels across, there is some part of the robot. */
  async function pushSomewhere(page: Page, across: number): Promise<void> {
    await page.locator('#tools-toggle').click()
    await page.locator('#side-toggle').click()
    await page.keyboard.press('f')
    await page.locator('#tool').selectOption('push')
    let tries = 0
    const pushed = async () => {
      const [dx, dy] = [across * ((tries % 5) - 2), 30 * ((Math.floor(tries / 5) % 5) - 2)]
      tries++
      await page.mouse.click(desk.width / 2 + dx, desk.height / 2 + dy)
      return page.locator('#toast').textContent()
    }
    await expect.poll(pushed, slowly).toContain('Pushed')
  }

  it('is dropped, put to a keyframe, commanded, plotted, pushed, exported and shared', async () => {
    await studio.visit(desk, async (page) => {
      await openRobot(page)
      // a mesh that is missing is told and does not keep the robot from opening
      await page.locator('#messages.remark', { hasText: 'shell.stl' }).waitFor()
      expect(await page.locator('#messages details[open]').count()).toBe(0)
      await page.locator('#dismiss').click()
      // it stands at its first keyframe, with the other one in the menu
      expect(await page.locator('#panel-control select option').allTextContents()).toEqual(['initial position', 'stand', 'low'])
      await runFor(page, 1)
      await expect.poll(() => number(page, 'joints', 'fl_knee'), slowly).toBeCloseTo(-1.4, 0)
      await page.locator('#panel-control select').selectOption('low')
      await expect.poll(() => number(page, 'actuators', 'fl_knee'), slowly).toBeCloseTo(-2.2, 5)
      await page.waitForURL(/start=low/)
      await page.locator('#panel-control select').selectOption('stand')
      await expect.poll(() => number(page, 'actuators', 'fl_knee'), slowly).toBeCloseTo(-1.4, 5)

      // an actuator, and the joint it moves
      await slide(page, 'actuators', 'fl_knee', -2)
      await expect.poll(() => number(page, 'joints', 'fl_knee'), slowly).toBeLessThan(-1.8)
      await page.locator('#tab-plots').click()
      const plots = page.locator('#panel-plots select')
      const chosen = await clock(page)
      await page.locator('#panel-plots input[type=search]').fill('fl_knee')
      await plots.first().selectOption('q:fl_knee')
      await page.locator('.u-title', { hasText: 'Joint position: fl_knee (rad)' }).waitFor()
      await plots.nth(1).selectOption('f:fl_knee')
      await page.locator('.u-title', { hasText: 'Actuator force: fl_knee (N m)' }).waitFor()
      await page.waitForURL(/plots=q%3Afl_knee,f%3Afl_knee/)
      await runFor(page, 0.5)
      const plotted = async () => {
        const { bytes } = await download(page, () => page.locator('#panel-plots').getByRole('button', { name: 'CSV' }).click())
        return bytes.toString().trim().split('\n')
      }
      await expect.poll(async () => (await plotted()).length, slowly).toBeGreaterThan(10)
      const lines = await plotted()
      expect(lines[0]).toBe('time,"q:fl_knee","f:fl_knee"')
      // the past is there as well, from before it was chosen
      expect(Number(lines[1].split(',')[0])).toBeLessThan(chosen)
      expect(Number(lines.at(-1)?.split(',')[1])).toBeLessThan(-1.5)

      // a push, and what it does
      await pushSomewhere(page, 40)
      await runFor(page, 0.5)

      await page.keyboard.press('7')
      const motion = await download(page, () => page.locator('#panel-export').getByRole('button', { name: 'CSV' }).click())
      expect(motion.bytes.toString()).toContain('fl_knee')

      // the link holds the model itself, and says what it does not hold
      await page.locator('#share').click()
      await page.locator('#toast', { hasText: 'Not part of it: the controls' }).waitFor()
      const link = page.url()
      expect(link).toContain('model=')
      await page.goto('about:blank')
      await page.goto(link)
      await page.locator('#title', { hasText: 'dog' }).waitFor({ state: 'attached' })
      await runFor(page, 0.3)
      expect(await page.locator('#messages.error').isVisible()).toBe(false)
    })
  })

  it.each([
    ['humanoid', 'pelvis'],
    ['quadruped', 'trunk'],
  ])('a %s stands ten seconds where it was dropped, shows its sensors, and is pushed over or not', async (name, base) => {
    await studio.visit(desk, async (page) => {
      await dropFiles(page, [{ name: 'stander.xml', text: stander(name) }])
      await page.locator('#title', { hasText: 'stander' }).waitFor({ state: 'attached' })
      await page.locator('#toast', { hasText: "Starts at keyframe 'stand'" }).waitFor()
      await page.keyboard.press('2')
      await page.locator('#panel-plots input[type=search]').fill('felt')
      await page.locator('#panel-plots select').first().selectOption('s:felt.z')
      await page.locator('.u-title', { hasText: 'Sensor: felt.z (m/s²)' }).waitFor()
      await page.locator('#panel-plots input[type=search]').fill(base)
      await page.locator('#panel-plots select').nth(1).selectOption(`z:${base}`)
      await page.locator('.u-title', { hasText: `Height of body: ${base} (m)` }).waitFor()
      // times, what the accelerometer feels, height of the trunk
      const plotted = async () => {
        const { bytes } = await download(page, () => page.locator('#panel-plots').getByRole('button', { name: 'CSV' }).click())
        const lines = bytes.toString().trim().split('\n').slice(1)
        return lines.map((line) => line.split(',').map(Number))
      }
      await page.waitForFunction(() => Number.parseFloat(document.getElementById('clock')?.textContent ?? '') > 10.2)
      await expect.poll(async () => (await plotted()).at(-1)?.[0] ?? 0, slowly).toBeGreaterThan(10)
      const rows = await plotted()
      const heights = rows.map(([, , z]) => z)
      expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(0.02)
      expect(rows.at(-1)?.[1]).toBeCloseTo(9.81, 1)
      // nothing of this file is left out, and its feet stand on the floor at the keyframe: no message
      expect(await page.locator('#messages').isVisible()).toBe(false)

      // pushed hard it moves; whether it then stands or lies, the page says nothing false
      await pushSomewhere(page, 25)
      const from = await clock(page)
      await runFor(page, 3)
      await page.keyboard.press('t')
      const after = (await plotted()).filter(([t]) => t > from)
      expect(after.length).toBeGreaterThan(10)
      expect(after.every((row) => row.every(Number.isFinite))).toBe(true)
      const trunk = after.map(([, , z]) => z)
      expect(Math.max(...trunk) - Math.min(...trunk)).toBeGreaterThan(1e-4)
      // neither in the ground nor in the air; half of the trunk is 0.05 m high, of which soft contacts give 9 mm in a hard fall, and 0.1 mm at rest
      expect(Math.min(...trunk)).toBeGreaterThan(0.035)
      expect(Math.max(...trunk)).toBeLessThan(1.1)
      expect(await page.locator('#messages').isVisible()).toBe(false)
    })
  })

  it('is posed joint by joint while it stands', async () => {
    await studio.visit(desk, async (page) => {
      await openRobot(page)
      await runFor(page, 0.2)
      // pause and poses follow each other at once, faster than the numbers of a running mechanism are told; the last pose is what stays
      await page.locator('#play').click()
      const poses = Array.from({ length: 12 }, (_, k) => -0.5 - 0.1 * k)
      for (const angle of poses) await slide(page, 'joints', 'fl_knee', angle)
      await slide(page, 'joints', 'br_hip', 1.5)
      const shown = async () => [await number(page, 'joints', 'fl_knee'), await number(page, 'joints', 'br_hip')]
      const close = async () => Math.max(...(await shown()).map((x, k) => Math.abs(x - [-1.6, 1.5][k])))
      // to the step of the slider
      await expect.poll(close, slowly).toBeLessThan(0.01)
      const at = await clock(page)
      await page.waitForTimeout(500)
      expect(await close()).toBeLessThan(0.01)
      expect(await clock(page)).toBe(at)

      // a number that is written counts as well, and the inspector shows the same pose
      const field = row(page, 'joints', 'fl_knee').locator('input[type=number]')
      await field.fill('-2.1')
      await field.press('Enter')
      await page.locator('#tab-inspect').click()
      await page.getByRole('button', { name: 'fl_shin', exact: true }).click()
      const angle = page.locator('#panel-inspect dt', { hasText: 'fl_knee (' })
      const inspected = async () => Number.parseFloat((await angle.evaluate((term) => term.nextElementSibling?.textContent)) ?? '')
      await expect.poll(inspected, slowly).toBeCloseTo(-2.1, 5)
      await page.getByLabel('Set fl_knee').fill('-1')
      await page.getByLabel('Set fl_knee').press('Enter')
      await expect.poll(inspected, slowly).toBeCloseTo(-1, 5)

      // from there it runs on, and the servo takes the knee back
      await page.locator('#play').click()
      await page.locator('#tab-control').click()
      await expect.poll(() => number(page, 'joints', 'fl_knee'), slowly).toBeLessThan(-1.2)
    })
  })

  it('lets a joint without a servo be pulled while its slider is held', async () => {
    await studio.visit({ ...desk, hash: '#scene=chain&links=1&length=1&angle=0&panel=control' }, async (page) => {
      const slider = page.locator('#panel-control .slider-row input[type=range]').first()
      await slider.waitFor()
      const angle = async () => Number(await page.locator('#panel-control .slider-row input[type=number]').first().inputValue())
      const box = await slider.boundingBox()
      if (!box) throw new Error('the slider is not on the page')
      const at = (share: number) => [box.x + share * box.width, box.y + box.height / 2] as const
      // the handle is in the middle: held to the right the rod swings up, though its weight pulls it down
      await page.mouse.move(...at(0.5))
      await page.mouse.down()
      await page.mouse.move(...at(0.65))
      await runFor(page, 1)
      // the number is where the hand is; what the rod does is told by another panel
      expect(await angle()).toBeGreaterThan(0.5)
      const heights = async () => {
        const { bytes } = await download(page, () => page.locator('#panel-plots').getByRole('button', { name: 'CSV' }).click())
        return bytes
          .toString()
          .trim()
          .split('\n')
          .map((line) => Number(line.split(',')[1]))
      }
      await page.mouse.up()
      const swings = async () => {
        const first = await angle()
        await runFor(page, 0.2)
        return Math.abs((await angle()) - first)
      }
      await expect.poll(swings, slowly).toBeGreaterThan(0.05)
      // a hand that goes back to where it took the slider makes no change, and yet lets go
      await slider.evaluate((held: HTMLInputElement) => {
        held.dispatchEvent(new PointerEvent('pointerdown'))
        held.value = '1.2'
        held.dispatchEvent(new Event('input'))
      })
      await runFor(page, 1)
      expect(await angle()).toBeCloseTo(1.2, 1)
      await slider.evaluate((held) => held.dispatchEvent(new PointerEvent('pointerup')))
      await expect.poll(swings, slowly).toBeGreaterThan(0.05)
      await page.locator('#tab-plots').click()
      await page.locator('#panel-plots select').first().selectOption('q:joint1')
      await page.locator('.u-title', { hasText: 'Joint position' }).waitFor()
      await expect.poll(async () => Math.max(...(await heights()).filter(Number.isFinite)), slowly).toBeGreaterThan(0.5)

      // an arrow key that is held pulls as well
      await page.locator('#tab-control').click()
      await page.locator('#play').click()
      await page.locator('#reset').click()
      await expect.poll(angle, slowly).toBe(0)
      await page.locator('#play').click()
      await slider.focus()
      await page.keyboard.down('End')
      await runFor(page, 0.5)
      await page.keyboard.up('End')
      await expect.poll(angle, slowly).toBeGreaterThan(0.3)
    })
  })

  it('is driven by keys alone', async () => {
    await studio.visit(desk, async (page) => {
      await page.locator('#picture').focus()
      await page.keyboard.press('g')
      await page.locator('.card[data-scene=quadruped]').waitFor()
      await page.locator('.card[data-scene=quadruped]').focus()
      await page.keyboard.press('Enter')
      await page.locator('#title', { hasText: 'Quadruped' }).waitFor()
      await page.keyboard.press('1')
      const list = page.locator('#panel-control select')
      await page.locator('.slider-row').first().waitFor()
      await list.focus()
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => number(page, 'actuators', 'front-left-knee'), slowly).toBeCloseTo(-2.2, 5)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      const at = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
      expect(at).toMatch(/front-left-roll/)
      await row(page, 'actuators', 'front-left-roll').locator('input[type=range]').focus()
      const before = await number(page, 'actuators', 'front-left-roll')
      for (let k = 0; k < 20; k++) await page.keyboard.press('ArrowRight')
      await expect.poll(() => number(page, 'actuators', 'front-left-roll'), slowly).toBeGreaterThan(before + 0.05)
      // space plays and pauses also from a slider's neighbours, and after the mouse was used
      await page.locator('#speed').selectOption('0.5')
      await page.getByRole('button', { name: 'Step' }).click()
      await page.locator('#play', { hasText: 'Play' }).waitFor()
      await page.keyboard.press(' ')
      await page.locator('#play', { hasText: 'Pause' }).waitFor()
      await page.keyboard.press('r')
      await expect.poll(() => number(page, 'actuators', 'front-left-roll'), slowly).toBeCloseTo(0, 5)
      await page.keyboard.press('c')
      await page.waitForURL(/follow=1/)
    })
  })

  it('fits a phone of 390 pixels: nothing lies over a control', async () => {
    await studio.visit({ width: 390, height: 780, touch: true }, async (page) => {
      await dropFiles(page, [{ name: 'dog.xml', text: robot }])
      const message = page.locator('#messages')
      await message.waitFor()
      const over = async (id: string) => {
        const [a, b] = await Promise.all([message.boundingBox(), page.locator(id).boundingBox()])
        return a && b && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
      }
      for (const id of ['#head', '#controls']) await expect.poll(() => over(id), { ...slowly, message: `a message over ${id}` }).toBe(false)
      await page.locator('#tools-toggle').tap()
      await page.locator('#tab-control').tap()
      await row(page, 'actuators', 'fl_hip').waitFor()
      await expect.poll(() => over('#tools'), slowly).toBe(false)
      await slide(page, 'actuators', 'fl_hip', 1.2)
      await expect.poll(() => number(page, 'joints', 'fl_hip'), slowly).toBeGreaterThan(0.9)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      for (const id of ['#head', '#controls', '#tools', '#share']) {
        const box = await page.locator(id).boundingBox()
        expect(box && box.x >= 0 && box.x + box.width <= 390, `${id} reaches outside`).toBe(true)
      }
    })
  })

  it('reaches for the ball that one drags, which is then the picked body', async () => {
    // seen from the side, the ball in the middle
    await studio.visit(
      { ...small, hash: '#scene=arm&y=0&x=0.6&z=0.6&camera=0.6,-1.2,0.6,0.6,0,0.6&plots=z:flange,u:shoulder' },
      async (page) => {
        await runFor(page, 2)
        await page.mouse.move(small.width / 2, small.height / 2)
        await page.mouse.down()
        for (let dy = 0; dy <= 80; dy += 10) await page.mouse.move(small.width / 2, small.height / 2 - dy)
        await runFor(page, 2)
        await page.mouse.up()
        await page.keyboard.press('3')
        await page.locator('#panel-inspect h3', { hasText: 'ball' }).waitFor()
        const height = async (body: string) => {
          await page.getByRole('button', { name: body, exact: true }).click()
          await page.locator('#panel-inspect h3', { hasText: body }).waitFor()
          const text = page.locator('#panel-inspect dt', { hasText: 'position' })
          return Number((await text.evaluate((term) => term.nextElementSibling?.textContent))?.split(/\s+/)[2])
        }
        await expect.poll(() => height('ball'), slowly).toBeGreaterThan(0.65)
        await runFor(page, 1)
        const ball = await height('ball')
        expect(Math.abs((await height('flange')) - ball)).toBeLessThan(0.13)
      },
    )
  })

  it('says what is wrong with a link, and offers the gallery', async () => {
    await studio.visit({ ...desk, hash: '#scene=nowhere' }, async (page) => {
      const message = page.locator('#messages.error', { hasText: "no scene 'nowhere'" })
      await message.waitFor()
      await message.getByRole('button', { name: 'Gallery' }).click()
      await page.locator('.card[data-scene=arm]').click()
      await page.locator('#title', { hasText: 'Arm' }).waitFor()
      expect(await page.locator('#messages').isVisible()).toBe(false)
    })
    await studio.visit({ ...desk, hash: '#model=broken' }, async (page) => {
      await page.locator('#messages.error', { hasText: 'damaged' }).waitFor()
    })
    const page = await studio.browser.newPage({ viewport: desk })
    page.setDefaultTimeout(slowly.timeout)
    await page.goto(`${studio.url}#scene=chain&links=-4`)
    await page.locator('#messages.error', { hasText: 'links: expected' }).waitFor(slowly)
    expect(await page.locator('#title').textContent()).not.toContain('Loading')
    await page.getByRole('button', { name: 'Hanging chain as it is' }).click()
    await page.locator('#title', { hasText: 'Hanging chain' }).waitFor(slowly)
    expect(await page.locator('#messages').isVisible()).toBe(false)
    await page.close()
  })

  it('lets an alert go with its cause, whose remedy is a button', async () => {
    const hash = '#scene=chain&links=20&solver=ode&solver.method=euler&timestep=0.2'
    await studio.visit({ ...desk, hash }, async (page) => {
      const alert = page.locator('#messages.error', { hasText: 'stopped' })
      await alert.waitFor()
      await page.getByRole('button', { name: 'Reset', exact: true }).first().click()
      await alert.waitFor({ state: 'hidden' })
      await page.locator('#play').click()
      await alert.waitFor()
      await alert.getByRole('button', { name: /redmax/ }).click()
      await alert.waitFor({ state: 'hidden' })
      // the alert goes when the other solver is there, not before
      expect(await page.locator('#solver select[name=solver]').inputValue()).toBe('redmax')
      await runFor(page, 1)
      expect(await alert.isVisible()).toBe(false)
      // how fast it runs is told in numbers
      await page.locator('#pace', { hasText: /^\d+\.\d+×$/ }).waitFor()
    })
  })

  it('takes pictures with their background, in twice the pixels of the page', async () => {
    await studio.visit({ ...small, hash: '#scene=quadruped&panel=export' }, async (page) => {
      const { bytes } = await download(page, () => page.locator('#panel-export').getByRole('button', { name: 'PNG' }).click())
      const found = await page.evaluate(async (base64) => {
        const blob = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: 'image/png' })
        const bitmap = await createImageBitmap(blob)
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
        context?.drawImage(bitmap, 0, 0)
        const { data } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? { data: [] }
        let clear = 0
        for (let k = 3; k < data.length; k += 4) if (data[k] < 255) clear++
        return { width: bitmap.width, clear }
      }, bytes.toString('base64'))
      expect(found.width).toBe(2 * small.width)
      expect(found.clear).toBe(0)
    })
  })
})
