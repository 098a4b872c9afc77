/**
 * Files in and out: models, broken models, archives, trajectories, the editor, and every export, checked by readers of its format.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { validateBytes } from 'gltf-validator'
import { readCsv, readMcap, readTrajectoryJson, writeNpy } from 'limber'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { changes, desk, download, dropFiles, dropPaths, moving, noBrowser, patience, runFor, slowly, useStudio } from './harness.js'

const mjcf = `<mujoco model="dropped"><visual><global offwidth="800"/></visual><worldbody><body><joint name="hinge" axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/></body></worldbody></mujoco>`
const tetrahedron = 'v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'
const urdf = `<robot name="arm"><link name="base"/><link name="tip"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"
  ixy="0" ixz="0" iyz="0"/></inertial><visual><geometry><mesh filename="package://arm/meshes/part.obj"/></geometry></visual></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/></joint></robot>`

interface GlbReport {
  readonly issues: { readonly numErrors: number }
  readonly info: { readonly animationCount: number }
}

describe.skipIf(noBrowser)('files', { timeout: patience }, () => {
  const studio = useStudio()
  const open = (page: Page, name: string) => page.locator('#title', { hasText: name }).waitFor()

  it('opens a dropped MJCF, lists what it leaves out, and says what is wrong with a broken one', async () => {
    await studio.visit(desk, async (page) => {
      await dropFiles(page, [{ name: 'model.xml', text: mjcf }])
      await open(page, 'dropped')
      await page.locator('#messages.remark li').first().waitFor()
      await dropFiles(page, [{ name: 'bad.xml', text: '<mujoco>\n <oops/>' }])
      await page.locator('#messages.error li', { hasText: 'bad.xml:' }).first().waitFor()
      // the good one is still there, under its own name
      await open(page, 'dropped')
      expect(await page.locator('#description').textContent()).toBe('model.xml')
      await dropFiles(page, [{ name: 'notes.txt', text: 'hello' }])
      await page.locator('#messages.error li', { hasText: 'drop an MJCF' }).first().waitFor()
    })
  })

  it('opens a URDF with its meshes from a zip archive', async () => {
    await studio.visit(desk, async (page) => {
      const base64 = zip({ 'arm/urdf/arm.urdf': urdf, 'arm/meshes/part.obj': tetrahedron }).toString('base64')
      await dropFiles(page, [{ name: 'arm.zip', base64 }])
      await open(page, 'arm')
      await expect(page.locator('#messages li', { hasText: 'part.obj' }).count()).resolves.toBe(0)
      await dropFiles(page, [{ name: 'half.zip', base64: base64.slice(0, 200) }])
      await page.locator('#messages.error', { hasText: 'zip' }).waitFor()
    })
  })

  it('opens a URDF with its meshes from a folder, and only what was dropped', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'limber-drop-'))
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    put('arm/urdf/arm.urdf', urdf)
    put('arm/meshes/part.obj', tetrahedron)
    put('bare/arm.urdf', urdf)
    put('elsewhere/meshes/part.obj', tetrahedron)
    try {
      await studio.visit(desk, async (page) => {
        await dropPaths(page, [join(folder, 'arm')])
        await open(page, 'arm')
        await moving(page)
        await expect(page.locator('#messages li', { hasText: 'part.obj' }).count()).resolves.toBe(0)
        // a mesh beside the folder exists, but was not dropped
        await dropPaths(page, [join(folder, 'bare')])
        await page.locator('#messages li', { hasText: 'part.obj' }).first().waitFor()
        await page.locator('#messages li', { hasText: 'drop them together with it' }).waitFor()
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('edits the scene with completion, shows mistakes in place, and builds what is right', async () => {
    await studio.visit({ ...desk, hash: '#scene=chain&links=2&panel=edit' }, async (page) => {
      const area = page.locator('.editor textarea')
      await expect.poll(() => area.inputValue(), slowly).toContain('"bodies"')
      await area.fill('{ "name": "edited", "bodies": [{ "name": "rod", "inertia": { "mass": 1, "tensor": [1, 1, 1, 0, 0, 0] }, ')
      await area.press('End')
      await area.pressSequentially('"jo')
      await page.locator('.completions li', { hasText: 'joints' }).waitFor()
      await area.press('Enter')
      await area.pressSequentially('{ "type": "revolut", "axis": [0, 1, 0] }] }] }')
      await page.locator('.problems li', { hasText: 'revolut' }).waitFor()
      expect(await page.locator('.editor mark').count()).toBeGreaterThan(0)
      await area.fill((await area.inputValue()).replace('revolut"', 'revolute"'))
      await open(page, 'edited')
      expect(await page.locator('.problems li').count()).toBe(0)
    })
  })

  it('exports the motion in every format, and plays it again', async () => {
    await studio.visit({ ...desk, hash: '#scene=double-pendulum&panel=export' }, async (page) => {
      await runFor(page, 0.5)
      await page.getByRole('button', { name: 'Pause' }).click()
      const take = (name: string) => download(page, () => page.locator('#panel-export').getByRole('button', { name, exact: true }).click())

      const picture = await take('PNG')
      expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG')
      expect(picture.bytes.length).toBeGreaterThan(5000)

      const glb = await take('GLB')
      const report = (await validateBytes(new Uint8Array(glb.bytes))) as GlbReport
      expect(report.issues.numErrors).toBe(0)
      expect(report.info.animationCount).toBe(1)

      const csv = await take('CSV')
      const recording = readCsv(csv.bytes.toString())
      expect(recording.times.length).toBeGreaterThan(10)
      expect(recording.q.every(Number.isFinite)).toBe(true)

      const mcap = await readMcap(new Uint8Array((await take('MCAP')).bytes))
      expect([...mcap.q]).toEqual([...recording.q])
      const json = await take('JSON')
      expect([...readTrajectoryJson(json.bytes.toString()).q]).toEqual([...recording.q])

      const html = await take('HTML')
      await playOffline(html.bytes.toString())

      await page.getByRole('button', { name: 'Play' }).click()
      await page.locator('#panel-export').getByRole('button', { name: 'WebM' }).click()
      // long enough for some pictures wherever drawing is slow
      await page.waitForTimeout(1500)
      await runFor(page, 0.5)
      const film = await download(page, () => page.getByRole('button', { name: 'Stop filming' }).click())
      // the mark of EBML, in which WebM is written
      expect(film.bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3')
      // in full, though the picture has fewer pixels where drawing is slow, and with the background of the page
      const { wide, tall, corner } = await lookOfFilm(page, film.bytes.toString('base64'))
      expect([wide, tall]).toEqual([desk.width, desk.height])
      expect(Math.min(...corner)).toBeGreaterThan(180)

      await dropFiles(page, [{ name: csv.name, text: csv.bytes.toString() }])
      await open(page, csv.name)
      await moving(page)
      const npy = Buffer.from(writeNpy(recording)).toString('base64')
      await dropFiles(page, [{ name: 'motion.npy', base64: npy }])
      await open(page, 'motion.npy')
      await moving(page)
      await dropFiles(page, [{ name: 'other.csv', text: 't,x.q,x.v\n0,1,2\n' }])
      await page
        .locator('#messages.error li', { hasText: 'other.csv' })
        .or(page.locator('#messages.error li', { hasText: 'column' }))
        .first()
        .waitFor()
    })
  })

  it.each([
    ['in a worker', false],
    ['in the page', true],
  ])('films what stands from the first picture on, drawn %s, though the film is asked for before there is a scene', async (_, here) => {
    const page = await studio.browser.newPage({ viewport: desk })
    page.setDefaultTimeout(slowly.timeout)
    if (here)
      await page.addInitScript(() => {
        Reflect.deleteProperty(HTMLCanvasElement.prototype, 'transferControlToOffscreen')
      })
    let letGo = () => {}
    const asked = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route(/\/worker-[^/]*\.js$/, async (route) => {
      await asked
      await route.continue()
    })
    await page.goto(`${studio.url}#scene=quadruped&panel=export&paused=1`)
    await page.locator('#panel-export').getByRole('button', { name: 'WebM' }).click()
    expect(await page.locator('#title').textContent()).toBe('Loading…')
    // long enough for pictures of nothing
    await page.waitForTimeout(1000)
    letGo()
    await page.getByRole('button', { name: 'Stop filming' }).waitFor()
    await page.waitForTimeout(2500)
    const film = await download(page, () => page.getByRole('button', { name: 'Stop filming' }).click())
    const { first, others } = await bodyInFilm(page, film.bytes.toString('base64'))
    // some thousand pixels are of the trunk and the legs, from the first picture to the last, none finer than the others
    expect(first).toBeGreaterThan(1000)
    expect(others.length).toBeGreaterThan(3)
    for (const pixels of others) expect(Math.abs(pixels / first - 1)).toBeLessThan(0.05)
    await page.close()
  })

  it('saves the plots as a table and as a picture', async () => {
    await studio.visit({ ...desk, hash: '#scene=double-pendulum&panel=plots' }, async (page) => {
      await runFor(page, 0.3)
      await page.locator('.uplot').first().waitFor()
      const button = (name: string) => page.locator('#panel-plots').getByRole('button', { name })
      const table = await download(page, () => button('CSV').click())
      const [head, ...rows] = table.bytes.toString().trim().split('\n')
      expect(head).toContain('kinetic')
      expect(rows.length).toBeGreaterThan(3)
      const picture = await download(page, () => button('PNG').click())
      expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG')
    })
  })

  /** Size of a film and the colour of a corner of it, from a browser that plays it. */
  const lookOfFilm = (page: Page, base64: string) =>
    page.evaluate(async (text) => {
      const video = document.createElement('video')
      video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'video/webm' }))
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve
        video.onerror = () => reject(new Error(video.error?.message))
      })
      const { videoWidth: wide, videoHeight: tall } = video
      // a browser decodes nothing of a film that neither plays nor is on a page
      video.muted = true
      await video.play()
      await new Promise((resolve) => video.requestVideoFrameCallback(() => video.requestVideoFrameCallback(resolve)))
      const context = new OffscreenCanvas(wide, tall).getContext('2d')
      context?.drawImage(video, 0, 0)
      return { wide, tall, corner: [...(context?.getImageData(4, 4, 1, 1).data ?? [])].slice(0, 3) }
    }, base64)

  /** Pixels in strong colours, which only bodies have: in the picture that a film shows before it plays, and in those that follow. */
  const bodyInFilm = (page: Page, base64: string) =>
    page.evaluate(async (text) => {
      const video = document.createElement('video')
      video.muted = true
      // a browser decodes nothing of a film that is on no page
      document.body.append(video)
      video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'video/webm' }))
      const shown = () => new Promise((resolve) => video.requestVideoFrameCallback(resolve))
      await shown()
      const { videoWidth: wide, videoHeight: tall } = video
      const context = new OffscreenCanvas(wide, tall).getContext('2d', { willReadFrequently: true })
      const count = () => {
        context?.drawImage(video, 0, 0)
        const { data } = context?.getImageData(0, 0, wide, tall) ?? { data: [] }
        let found = 0
        for (let k = 0; k < data.length; k += 4) if (data[k] - data[k + 2] > 60) found++
        return found
      }
      const first = count()
      const others: number[] = []
      const over = new Promise<boolean>((resolve) => {
        video.onended = () => resolve(true)
      })
      // slowly, so that none is left out
      video.playbackRate = 0.5
      await video.play()
      while (!(await Promise.race([over, shown().then(() => false)]))) others.push(count())
      return { first, others }
    }, base64)

  /** The exported page works without any network, and moves. */
  async function playOffline(html: string): Promise<void> {
    const context = await studio.browser.newContext({ viewport: { width: 480, height: 320 }, offline: true })
    const page = await context.newPage()
    page.setDefaultTimeout(slowly.timeout)
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.setContent(html)
    await page.waitForFunction(() => Number.parseFloat(document.querySelector('output')?.textContent ?? '') > 0.05)
    const colors = await page.evaluate(() => {
      const canvas = document.querySelector('canvas')
      const gl = canvas?.getContext('webgl2')
      return canvas && gl ? [gl.getError(), canvas.width] : []
    })
    expect(colors[0]).toBe(0)
    const look = () => page.locator('canvas').screenshot()
    await changes(look, await look())
    await context.close()
    expect(complaints).toEqual([])
  }
})

/** A zip archive: the first file stored, the others deflated. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  Object.entries(files).forEach(([name, text], k) => {
    const data = Buffer.from(text)
    const packed = k === 0 ? data : deflateRawSync(data)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(k === 0 ? 0 : 8, 4)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(data.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const central = Buffer.alloc(16)
    central.writeUInt32LE(at, 12)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields.subarray(0, 24), central.subarray(0, 16), Buffer.from(name)]))
    parts.push(local)
    at += local.length
  })
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
