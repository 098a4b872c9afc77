/** Nothing is allocated in a step once it is warm: not by the dynamics, not by the method, with every joint and force. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adaptiveMethods } from 'limber'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Measured } from './allocation-probe.js'
import { bundle } from './bundle.js'

/** reading the heap itself leaves a few hundred bytes in a window of 1,000 steps; one boxed number a step would be 12 to 16 */
const OWN = 2

/** a boxed number and its padding */
const ONE = 16

let results: readonly Measured[] = []
const folder = mkdtempSync(join(tmpdir(), 'limber-allocation-'))

beforeAll(async () => {
  const probe = fileURLToPath(new URL('./allocation-probe.ts', import.meta.url))
  const file = join(folder, 'probe.mjs')
  writeFileSync(file, await bundle({ path: probe }, 'module'))
  // a young generation so large that no collection falls into a window: what heapUsed shows is all that was allocated
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
  results = JSON.parse(execFileSync(process.execPath, [...flags, file], { encoding: 'utf8' })) as Measured[]
}, 240_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('allocation', () => {
  it('is measured: a step that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerStep).toBeGreaterThan(10)
  })

  const toTolerance = ({ name }: Measured): boolean => adaptiveMethods.some((method) => new RegExp(`^ode ${method}[ ,]`).test(name))
  // a row across branches: the review of its linear solver, every so many steps, boxes numbers
  const implicit = ({ name }: Measured): boolean => name.startsWith('redmax ') && name.endsWith('everything')

  it('is zero at a fixed step and in the dynamics, on a chain and on a mechanism with everything', () => {
    const measured = results.filter((one) => one.name !== 'control' && !toTolerance(one) && !implicit(one))
    expect(measured.length).toBeGreaterThan(10)
    expect(measured.filter(({ bytesPerStep }) => !(bytesPerStep <= OWN))).toEqual([])
  })

  it('is less than one boxed number a step in redmax with rows across branches', () => {
    const measured = results.filter(implicit)
    expect(measured.length).toBeGreaterThan(0)
    expect(measured.filter(({ bytesPerStep }) => !(bytesPerStep < ONE))).toEqual([])
  })

  it('is zero in methods that choose their own steps, in such a step and between them', () => {
    const measured = results.filter(toTolerance)
    expect(measured.length).toBe(4 * adaptiveMethods.length)
    expect(measured.filter(({ bytesPerStep }) => !(bytesPerStep <= OWN))).toEqual([])
  })
})
