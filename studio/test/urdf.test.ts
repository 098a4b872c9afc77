/**
 * Robots from URDF files: dropped with their meshes, held by servos, moved by sliders, and set free on a floor.
 */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { desk, dropFiles, noBrowser, patience, runFor, slowly, useStudio } from './harness.js'

const read = (name: string) => readFileSync(new URL(`../../engine/test/robots/urdf/${name}`, import.meta.url), 'utf8')

describe.skipIf(noBrowser)('a URDF in the studio', { timeout: patience }, () => {
  const studio = useStudio()

  const drop = async (page: Page, ...names: readonly string[]) => {
    await dropFiles(
      page,
      names.map((name) => ({ name, text: read(name) })),
    )
    await page.locator('#parameters select[name=base]').waitFor({ state: 'attached' })
    // the panel of sliders
    await page.keyboard.press('1')
  }
  const choose = (page: Page, name: string, value: string) => page.locator(`#parameters select[name=${name}]`).selectOption(value)
  const chosen = (page: Page) =>
    page.locator('#parameters select').evaluateAll((all) => all.map((one) => (one instanceof HTMLSelectElement ? one.value : '')))
  const row = (page: Page, part: 'actuators' | 'joints', name: string) =>
    page
      .locator('#panel-control .sliders')
      .nth(part === 'actuators' ? 0 : 1)
      .locator('.slider-row', { has: page.getByText(name, { exact: true }) })
  const slide = (page: Page, name: string, value: number) =>
    row(page, 'actuators', name)
      .locator('input[type=range]')
      .evaluate((slider, to) => {
        if (!(slider instanceof HTMLInputElement)) return
        slider.value = String(to)
        slider.dispatchEvent(new Event('input'))
        slider.dispatchEvent(new Event('change'))
      }, value)
  const angle = async (page: Page, name: string) => Number(await row(page, 'joints', name).locator('input[type=number]').inputValue())
  const heightOf = async (page: Page) => {
    const text = page.locator('#panel-inspect dt', { hasText: 'position' }).first()
    return Number((await text.evaluate((term) => term.nextElementSibling?.textContent))?.split(/\s+/)[2])
  }

  it.each([
    ['cylinders', ['cylinder-arm.urdf']],
    ['meshes', ['mesh-arm.urdf', 'meshes/cover.obj']],
  ])('an arm of %s holds its pose and goes where its sliders are', async (_, names) => {
    await studio.visit(desk, async (page) => {
      await drop(page, ...names)
      expect(await chosen(page)).toEqual(['fixed', 'no', 'position'])
      await row(page, 'actuators', 'joint1').waitFor()
      await runFor(page, 0.5)
      for (const joint of ['joint1', 'joint2', 'joint4']) expect(Math.abs(await angle(page, joint))).toBeLessThan(0.01)
      await slide(page, 'joint1', 0.5)
      await expect.poll(() => angle(page, 'joint1'), slowly).toBeCloseTo(0.5, 1)
      // without actuators it falls, and the choice is kept in the form
      await choose(page, 'actuators', 'none')
      await page.locator('#panel-control', { hasText: 'This model has no actuators' }).waitFor()
      expect(await chosen(page)).toEqual(['fixed', 'no', 'none'])
    })
  })

  it('an arm on the ground by a joint cannot be set free, and stays as it was', async () => {
    await studio.visit(desk, async (page) => {
      const inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
      const text = `<robot name="crane"><link name="world"/><link name="boom">${inertial}</link>
        <joint name="slew" type="continuous"><parent link="world"/><child link="boom"/></joint></robot>`
      await dropFiles(page, [{ name: 'crane.urdf', text }])
      await page.locator('#title', { hasText: 'crane' }).waitFor()
      await choose(page, 'base', 'free')
      await page.locator('#messages.error li', { hasText: "joint 'slew' (continuous)" }).waitFor()
      expect(await chosen(page)).toEqual(['fixed', 'no', 'position'])
    })
  })

  it('a quadruped is set free, stands on the floor that it gets, and crouches', async () => {
    await studio.visit(desk, async (page) => {
      await drop(page, 'quadruped.urdf')
      await page.locator('#messages li', { hasText: 'not-published.stl' }).first().waitFor()
      // it waits for its first pose: at 0 its legs would not carry it
      await page.locator('#play').click()
      await choose(page, 'base', 'free')
      await expect.poll(() => chosen(page), slowly).toEqual(['free', 'yes', 'position'])
      // what was said of the file is not said again
      await page.locator('#messages').waitFor({ state: 'hidden' })
      await row(page, 'actuators', 'fl_knee').waitFor()
      // a servo shows a target inside its range
      expect(Number(await row(page, 'actuators', 'fl_knee').locator('input[type=number]').inputValue())).toBe(-0.9)
      const stand = async (hip: number, knee: number) => {
        await page.locator('#tab-control').click()
        for (const leg of ['fl', 'fr', 'bl', 'br']) {
          await slide(page, `${leg}_pitch`, hip)
          await slide(page, `${leg}_knee`, knee)
        }
        await page.locator('#tab-inspect').click()
        await page.getByRole('button', { name: 'trunk', exact: true }).click()
        await page.locator('#panel-inspect h3', { hasText: 'trunk' }).waitFor()
      }
      await stand(0.7, -1.4)
      await page.locator('#play').click()
      await expect.poll(() => heightOf(page), slowly).toBeGreaterThan(0.28)
      await runFor(page, 1)
      expect(await heightOf(page)).toBeGreaterThan(0.28)
      await stand(1.1, -2.2)
      await expect.poll(() => heightOf(page), slowly).toBeLessThan(0.23)
      await runFor(page, 0.5)
      expect(await heightOf(page)).toBeGreaterThan(0.15)

      // without the floor it falls, and that is said
      await choose(page, 'floor', 'no')
      await page.locator('#messages li', { hasText: /fall/ }).first().waitFor()
      expect(await chosen(page)).toEqual(['free', 'no', 'position'])
      // another model has no such form
      await dropFiles(page, [{ name: 'other.json', text: '{ "name": "other", "bodies": [] }' }])
      await page.locator('#title', { hasText: 'other' }).waitFor()
      expect(await page.locator('#parameters select').count()).toBe(0)
    })
  })
})
