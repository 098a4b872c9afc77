/**
 * Kernels in a browser: the bits of Node, as WebAssembly and as JavaScript, and on a page whose policy refuses WebAssembly.
 */
import { existsSync } from 'node:fs'
import { runInThisContext } from 'node:vm'
import { buildModel, type Spec } from 'limber'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../conformance/bundle.js'
import { randomSpec } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'

const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
const patience = 180_000

/** Accelerations, forces, mass matrices and 50 steps of every family on each model, as text that tells all bits apart. */
const PROGRAM = `
import { buildModel, createData, createSimulation, createState, forwardDynamics, inverseDynamics, massMatrix, useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'

export { jsKernels, useKernels }

export function isCompiled(spec: never): boolean {
  return createData(buildModel(spec)).block.wasm !== undefined
}

export function bits(specs: never[]): string[] {
  const text = (x: Float64Array) => Array.from(new BigUint64Array(x.slice().buffer), (n) => n.toString(36)).join(' ')
  return specs.map((spec) => {
    const model = buildModel(spec)
    const data = createData(model)
    const state = createState(model)
    state.v.forEach((_, k) => {
      state.v[k] = Math.fround((7 * k) % 5) / 4 - 0.5
    })
    forwardDynamics(model, data, state)
    const out = [text(data.a), text(data.X_WB)]
    inverseDynamics(model, data, state, state.v)
    out.push(text(data.tau))
    const M = new Float64Array(model.nv * model.nv)
    massMatrix(model, data, state, M)
    out.push(text(M))
    for (const solver of ['ode', 'redmax', 'position']) {
      const simulation = createSimulation(model, { solver, timestep: 0.002 })
      simulation.step(50)
      out.push(text(simulation.state.q), text(simulation.state.v))
    }
    return out.join('; ')
  })
}
`

interface Program {
  bits(specs: readonly Spec[]): string[]
  isCompiled(spec: Spec): boolean
  useKernels(form: unknown, options?: { whenRefused: boolean }): void
  readonly jsKernels: unknown
}

declare const limber: Program

const specs = Array.from({ length: 12 }, (_, k) => randomSpec({ seed: k + 1, bodies: 3 + (k % 8) }, createRandom(k + 1)))

describe.skipIf(!existsSync(path))('kernels in Chromium', () => {
  let browser: Browser
  let code = ''
  let expected: string[] = []

  const open = async (policy: string): Promise<Page> => {
    const page = await browser.newPage()
    await page.setContent(`<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src ${policy}"><title>kernels</title>`)
    await page.addScriptTag({ content: code })
    return page
  }

  beforeAll(async () => {
    code = await bundle({ text: PROGRAM }, 'minified')
    expected = (runInThisContext(`${code}; limber`) as Program).bits(specs)
    browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: patience })
  }, patience)

  afterAll(async () => browser?.close(), patience)

  it('have the bits of Node, in both forms', async () => {
    for (const spec of specs) expect(buildModel(spec).nv).toBeGreaterThan(0)
    const page = await open("'unsafe-inline' 'wasm-unsafe-eval'")
    expect(await page.evaluate((given) => limber.isCompiled(given[0]), specs)).toBe(true)
    expect(await page.evaluate((given) => limber.bits(given), specs)).toEqual(expected)
    const js = await page.evaluate((given) => {
      limber.useKernels(limber.jsKernels)
      return limber.isCompiled(given[0]) ? [] : limber.bits(given)
    }, specs)
    expect(js).toEqual(expected)
  })

  it('run as JavaScript, with the same bits, where a policy refuses WebAssembly, and say so without it', async () => {
    const page = await open("'unsafe-inline'")
    const refused = await page.evaluate((given) => {
      try {
        limber.bits(given)
        return ''
      } catch (e) {
        return String(e)
      }
    }, specs)
    expect(refused).toMatch(/WebAssembly is refused.*useKernels\(jsKernels\)/)
    const js = await page.evaluate((given) => {
      limber.useKernels(limber.jsKernels, { whenRefused: true })
      return limber.bits(given)
    }, specs)
    expect(js).toEqual(expected)
  })
})
