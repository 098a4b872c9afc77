/** Nothing is allocated in a step of `position` once it is warm: whatever the order, the optimiser, the forces. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../conformance/bundle.js'
import type { Measured } from './allocation-probe.js'

/** reading the heap itself leaves a few hundred bytes in a window of 100 steps or more; one boxed number a step would be 12 to 16 */
const OWN = 4

let results: readonly Measured[] = []
const folder = mkdtempSync(join(tmpdir(), 'limber-position-'))

beforeAll(async () => {
  const probe = fileURLToPath(new URL('./allocation-probe.ts', import.meta.url))
  const file = join(folder, 'probe.mjs')
  writeFileSync(file, await bundle({ path: probe }, 'module'))
  // a young generation so large that no collection falls into a window: what heapUsed shows is all that was allocated
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
  results = JSON.parse(execFileSync(process.execPath, [...flags, file], { encoding: 'utf8' })) as Measured[]
}, 400_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('allocation', () => {
  it('is measured: a step that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerStep).toBeGreaterThan(10)
  })

  it('is zero for every order and optimiser, on chains and on a mechanism with everything', () => {
    const measured = results.filter((one) => one.name !== 'control')
    expect(measured.length).toBe(20)
    expect(measured.filter(({ bytesPerStep }) => !(bytesPerStep <= OWN))).toEqual([])
  })
})
