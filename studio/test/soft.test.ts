/**
 * Bodies that deform, in a real browser: the shader against the engine, and a hand on a flower.
 */

import { createSkins } from 'limber'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createTable, deformText, type SkinLayout, shapeTable } from '../src/view/soft/tables.js'
import { beam, beams } from './beams.js'
import { desk, noBrowser, patience, runFor, slowly, useStudio } from './harness.js'

/** single precision of lengths below 1 m, summed over six modes */
const TOLERANCE = 1e-6

interface Feed {
  readonly text: string
  readonly count: number
  readonly instances: number
  readonly tables: Readonly<Record<string, { width: number; height: number; data: number[] }>>
  readonly attributes: Readonly<Record<string, { size: number; data: number[] }>>
}

/** Runs the vertex shader alone and reads back what it makes: shift and normal of every vertex of every instance. */
function runShader({ text, count, instances, tables, attributes }: Feed): number[] {
  const gl = document.createElement('canvas').getContext('webgl2')
  if (!gl) throw new Error('no WebGL 2')
  const shader = (type: number, source: string) => {
    const made = gl.createShader(type) as WebGLShader
    gl.shaderSource(made, `#version 300 es\nprecision highp float;\nprecision highp int;\n${source}`)
    gl.compileShader(made)
    if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made) ?? '')
    return made
  }
  const program = gl.createProgram()
  gl.attachShader(
    program,
    shader(
      gl.VERTEX_SHADER,
      `out vec3 shift;\nout vec3 turned;\n${text}\nvoid main() { softDeform(); shift = softShift; turned = softNormal; }`,
    ),
  )
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER, 'out vec4 color; void main() { color = vec4(1.0); }'))
  gl.transformFeedbackVaryings(program, ['shift', 'turned'], gl.INTERLEAVED_ATTRIBS)
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? '')
  gl.useProgram(program)
  Object.entries(tables).forEach(([name, { width, height, data }], unit) => {
    gl.activeTexture(gl.TEXTURE0 + unit)
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture())
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, height, 0, gl.RGBA, gl.FLOAT, Float32Array.from(data))
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    gl.uniform1i(gl.getUniformLocation(program, name), unit)
    gl.uniform1i(gl.getUniformLocation(program, `${name}Width`), width)
  })
  for (const [name, { size, data }] of Object.entries(attributes)) {
    const place = gl.getAttribLocation(program, name)
    if (place < 0) continue
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer())
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(data), gl.STATIC_DRAW)
    gl.enableVertexAttribArray(place)
    gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0)
  }
  const out = gl.createBuffer()
  gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, out)
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 24 * count * instances, gl.STATIC_READ)
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out)
  gl.enable(gl.RASTERIZER_DISCARD)
  gl.beginTransformFeedback(gl.POINTS)
  gl.drawArraysInstanced(gl.POINTS, 0, count, instances)
  gl.endTransformFeedback()
  const result = new Float32Array(6 * count * instances)
  gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, result)
  if (gl.getError() !== gl.NO_ERROR) throw new Error('WebGL error')
  return [...result]
}

describe.skipIf(noBrowser)('bodies that deform', { timeout: patience }, () => {
  const studio = useStudio()

  it.each([true, false])(
    'puts vertices where the engine does, and turns their normals, on the graphics card (smooth: %s)',
    async (smooth) => {
      const skin = createSkins(beams)(beams.bodies[0])[0].skin()
      const count = skin.positions.length / 3
      const instances = 3
      const layout: SkinLayout = { modes: 6, smooth, slots: 2 }
      const q = (instance: number, l: number) => 0.05 * Math.sin(1 + 3 * instance + l)
      const modes = createTable(instances * 2)
      for (let i = 0; i < instances; i++) for (let l = 0; l < 6; l++) modes.data[8 * i + l] = q(i, l)
      const fixes = createTable(instances * 2)
      fixes.data.forEach((_, k) => {
        fixes.data[k] = 0.01 * k
      })
      const slots = Array.from({ length: count }, (_, v) => (v < 2 ? v : -1))
      const plain = ({ width, height, data }: ReturnType<typeof createTable>) => ({ width, height, data: [...data] })
      const page = await studio.browser.newPage()
      const result = await page.evaluate(runShader, {
        text: deformText(layout),
        ...{ count, instances },
        tables: { softShapes: plain(shapeTable(skin, layout)), softModes: plain(modes), softFixes: plain(fixes) },
        attributes: {
          softTangent: { size: 3, data: [...skin.tangents[0]] },
          softBitangent: { size: 3, data: [...skin.tangents[1]] },
          softSlot: { size: 1, data: slots },
        },
      })
      await page.close()
      let [moved, turned] = [0, 0]
      for (let i = 0; i < instances; i++) {
        for (let v = 0; v < count; v++) {
          const sum = (rows: Float64Array, a: number) => {
            let total = 0
            for (let l = 0; l < 6; l++) total += q(i, l) * rows[l * skin.positions.length + 3 * v + a]
            return total
          }
          const got = result.slice(6 * (i * count + v), 6 * (i * count + v) + 6)
          const t = [0, 1, 2].map((a) => skin.tangents[0][3 * v + a] + (smooth ? sum(skin.tangentShapes[0], a) : 0))
          const u = [0, 1, 2].map((a) => skin.tangents[1][3 * v + a] + (smooth ? sum(skin.tangentShapes[1], a) : 0))
          for (let a = 0; a < 3; a++) {
            const fix = v < 2 ? 0.01 * (4 * (2 * i + v) + a) : 0
            // by the vertex of the domain itself, not by the numbers of the skin
            let shift = fix
            for (let l = 0; l < 6; l++) shift += q(i, l) * beam.shapes[l * beam.vertices.length + 3 * skin.sources[v] + a]
            expect(Math.abs(got[a] - shift)).toBeLessThan(TOLERANCE)
            const [b, c] = [(a + 1) % 3, (a + 2) % 3]
            expect(Math.abs(got[3 + a] - (t[b] * u[c] - t[c] * u[b]))).toBeLessThan(TOLERANCE)
            moved = Math.max(moved, Math.abs(got[a]))
            turned = Math.max(turned, Math.abs(got[3 + a] - skin.normals[3 * v + a]))
          }
        }
      }
      expect(moved).toBeGreaterThan(0.02)
      if (smooth) expect(turned).toBeGreaterThan(0.05)
    },
  )

  it('draws a flower, says how fast it runs, and lets a hand pull at it', async () => {
    await studio.visit({ ...desk, hash: '#scene=flower&push=0&panel=inspect' }, async (page) => {
      await expect.poll(() => page.locator('#rate dd').first().textContent(), slowly).toMatch(/^\d/)
      const { body, x, y } = await findDomain(page)
      await expect.poll(async () => (await coordinates(page)).length, slowly).toBe(20)
      const before = await coordinates(page)
      await page.mouse.move(x, y)
      await page.mouse.down()
      for (let k = 1; k <= 6; k++) await page.mouse.move(x + 15 * k, y - 5 * k)
      await runFor(page, 0.3)
      const change = async () => Math.hypot(...(await coordinates(page)).map((q, k) => q - before[k]))
      await expect.poll(change, slowly).toBeGreaterThan(1e-4)
      await page.mouse.up()
      expect(body).toMatch(/petal|leaf|stem/)
    })
  })
})

/** where the picture shows nothing but the sky */
const nowhere = { x: 480, y: 70 }

/** Clicks over the picture until a domain is under the pointer. */
async function findDomain(page: Page): Promise<{ body: string; x: number; y: number }> {
  const title = page.locator('#panel-inspect h3')
  // begins on a leaf, which stays where it is: petals swing, and a place on one of them is empty a moment later
  for (let y = 370; y > 100; y -= 60) {
    for (let x = 385; x < 650; x += 60) {
      await page.mouse.click(x, y)
      // the picture answers from its own thread
      await page.waitForTimeout(400)
      const body = (await title.count()) > 0 ? ((await title.first().textContent()) ?? '') : ''
      if (!/petal|leaf|stem/.test(body)) continue
      // on a busy machine that may be the answer to an earlier click: from nothing picked, this place must pick it again
      const leave = async () => {
        await page.mouse.click(nowhere.x, nowhere.y)
        return title.first().textContent()
      }
      await expect.poll(leave, { ...slowly, interval: 1000 }).toBe('Nothing picked')
      await page.mouse.click(x, y)
      const again = expect.poll(() => title.first().textContent(), { timeout: 10_000 }).toMatch(/petal|leaf|stem/)
      if (await again.then(() => true).catch(() => false)) return { body, x, y }
    }
  }
  throw new Error('no domain in the picture')
}

async function coordinates(page: Page): Promise<number[]> {
  const rows = page.locator('#panel-inspect .numbers dt', { hasText: / q/ })
  const texts = await rows.evaluateAll((all) => all.map((term) => term.nextElementSibling?.textContent ?? ''))
  return texts.flatMap((text) =>
    text
      .split(/[\s,]+/)
      .filter((word) => word !== '')
      .map(Number),
  )
}
