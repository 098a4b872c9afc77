/** Updates of constraint rows allocate nothing, not even a boxed number. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../conformance/bundle.js'
import type { Measured } from './allocation-probe.js'

/** reading the heap itself leaves a few hundred bytes in a window of 500 calls */
const OWN = 8

let results: readonly Measured[] = []
const folder = mkdtempSync(join(tmpdir(), 'limber-constraints-'))

beforeAll(async () => {
  const file = join(folder, 'probe.mjs')
  writeFileSync(file, await bundle({ path: fileURLToPath(new URL('./allocation-probe.ts', import.meta.url)) }, 'module'))
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']
  results = JSON.parse(execFileSync(process.execPath, [...flags, file], { encoding: 'utf8' })) as Measured[]
}, 120_000)

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('allocation in constraints', () => {
  it('is measured: a call that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerCall).toBeGreaterThan(10)
  })

  it('is zero in every update, reduction and projection', () => {
    const measured = results.filter(({ name }) => name !== 'control')
    expect(measured.length).toBe(6)
    expect(measured.filter(({ bytesPerCall }) => !(bytesPerCall <= OWN))).toEqual([])
  })
})
