/**
 * The core is small: what a page loads to build and simulate, minified and compressed.
 *
 * The bound is for `limber/core`, whole: from math to the solvers of the explicit family, of which kernels as WebAssembly take 23 kB; and for what a
 * page begins with that has every family on demand. A page that names another family loads that besides; `createSimulation`, which takes solvers by name at once, needs the table of
 * all. These have budgets of their own so that an accident shows. In one file, what is fetched on demand is inside as well: each module that both begin with is
 * then wrapped in a function.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as all from 'limber'
import * as core from 'limber/core'
import type * as onDemand from 'limber/on-demand'
import { describe, expect, it } from 'vitest'
import { f32x4 } from '../../src/printed/batch-f32x4.js'
import { f64x2 } from '../../src/printed/batch-f64x2.js'
import { f32x4 as trajectories32 } from '../../src/printed/trajectories-f32x4.js'
import { f64x2 as trajectories64 } from '../../src/printed/trajectories-f64x2.js'
import { bundle, bundleInParts } from './bundle.js'

/** kilobytes after gzip that a page with these may load */
const budgets = [
  { what: 'the core, whole', lines: ["export * from 'limber/core'"], least: 40, most: 146 },
  {
    what: 'the core and the position-based solver',
    lines: ["export * from 'limber/core'", "export { position } from 'limber'"],
    least: 50,
    most: 179,
  },
  { what: 'the core and redmax', lines: ["export * from 'limber/core'", "export { redmax } from 'limber'"], least: 70, most: 302 },
  {
    what: 'the core and every solver by name',
    lines: ["export * from 'limber/core'", "export { createSimulation } from 'limber'"],
    least: 90,
    most: 494,
  },
]

const kilobytes = (code: string): number => gzipSync(code, { level: 9 }).length / 1000

describe('bundle', () => {
  it.each(budgets)('of $what is under $most kB gzip and needs no other package', async ({ lines, least, most }) => {
    const code = await bundle({ text: lines.join('\n') }, 'minified')
    expect(code).not.toMatch(/\brequire\(|\bimport\b/)
    const size = kilobytes(code)
    // less would mean that something was shaken off that is needed
    expect(size).toBeGreaterThan(least)
    expect(size).toBeLessThan(most)
  })

  it('of the core and every solver on demand begins with less than 153 kB gzip, fetches the rest and simulates', async () => {
    const parts = await bundleInParts("export * from 'limber/core'\nexport * from 'limber/on-demand'")
    const [first, later] = [true, false].map((wanted) => parts.filter((part) => part.first === wanted).map((part) => part.code))
    expect(kilobytes(first.join('\n'))).toBeGreaterThan(40)
    expect(kilobytes(first.join('\n'))).toBeLessThan(153)
    // what comes later is the families, and not the core once more
    expect(kilobytes(later.join('\n'))).toBeGreaterThan(60)
    expect(first.join('\n')).toContain('rkf45')
    expect(later.join('\n')).not.toContain('rkf45')

    const folder = mkdtempSync(join(tmpdir(), 'limber-parts-'))
    try {
      for (const { file, code } of parts) {
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), code)
      }
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
      const entry = parts.find((part) => part.entry)?.file ?? ''
      const page = (await import(/* @vite-ignore */ pathToFileURL(join(folder, entry)).href)) as typeof core & typeof onDemand
      const rod = { mass: 1, com: [0, 0, -1], tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const
      const model = page.buildModel({
        bodies: [{ name: 'arm', inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 1 }] }],
      })
      for (const solver of Object.keys(all.solvers)) {
        const simulation = await page.loadSimulation(model, { solver })
        expect(simulation.advance(0.1).status, solver).toBe('ok')
        expect(simulation.state.q[0], solver).toBeLessThan(0.99)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('of batches fetches their kernels when one is made', async () => {
    const parts = await bundleInParts("export * from 'limber/core'\nexport { createBatch } from 'limber'")
    const first = parts.filter((part) => part.first).map((part) => part.code)
    expect(kilobytes(first.join('\n'))).toBeLessThan(172)
    for (const form of [f64x2, f32x4, trajectories64, trajectories32]) {
      expect(first.some((code) => code.includes(form))).toBe(false)
      expect(parts.filter(({ code }) => code.includes(form))).toHaveLength(1)
    }
  })

  it('of the core simulates by itself', async () => {
    const text = `
      import { buildModel, createSimulationWith, energy, createData, ode } from 'limber/core'
      const model = buildModel({ bodies: [{ name: 'arm', parent: 'world', inertia: { mass: 1, com: [0, 0, -1], tensor: [0.1, 0.1, 0.1, 0, 0, 0] }, joints: [{ type: 'revolute', axis: [0, 1, 0] }] }] })
      const simulation = createSimulationWith(model, ode, { method: 'rkf45' })
      simulation.reset({ q: Float64Array.of(1) })
      const before = energy(model, createData(model), simulation.state)
      simulation.advance(1)
      const after = energy(model, createData(model), simulation.state)
      export const moved = Math.abs(simulation.state.q[0] - 1)
      export const lost = Math.abs(after.kinetic + after.potential - before.kinetic - before.potential)`
    const code = await bundle({ text }, 'module')
    const { moved, lost } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { moved: number; lost: number }
    expect(moved).toBeGreaterThan(0.1)
    expect(lost).toBeLessThan(1e-3)
  })
})

describe('limber', () => {
  it('has every name of its core, and they are the same things', () => {
    const things = Object.entries(core)
    expect(things.length).toBeGreaterThan(25)
    for (const [name, thing] of things) expect(Reflect.get(all, name), name).toBe(thing)
  })
})
