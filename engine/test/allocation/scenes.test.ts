/** Nothing is allocated in a step of any scene once it is warm: with its own solver, and with every scheme and linear solver of redmax. */
import { scenes } from 'limber-scenes'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Measured } from './bytes-per-call.js'
import { runProbe } from './run-probe.js'

/** one boxed number a step would be 12 to 16 */
const OWN = 2

let results: readonly Measured[] = []

beforeAll(async () => {
  results = (await runProbe(new URL('./scenes-probe.ts', import.meta.url))) as Measured[]
}, 400_000)

describe('allocation in scenes', () => {
  it('is measured: a step that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerCall).toBeGreaterThan(10)
  })

  it('is zero in every one', () => {
    expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(scenes.map(({ name }) => name)))
    expect(results.filter(({ name, bytesPerCall }) => name !== 'control' && !(bytesPerCall <= OWN))).toEqual([])
  })
})
