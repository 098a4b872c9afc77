/** Nothing is allocated in a step once it is warm: not by the dynamics, not by the method, with every joint and force. */
import { adaptiveMethods } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Measured } from '../allocation/bytes-per-call.js'
import { runProbe } from '../allocation/run-probe.js'

/** one boxed number a step would be 12 to 16 */
const OWN = 2

let results: readonly Measured[] = []

beforeAll(async () => {
  results = (await runProbe(new URL('./allocation-probe.ts', import.meta.url))) as Measured[]
}, 240_000)

describe('allocation', () => {
  it('is measured: a step that makes one small object is seen', () => {
    expect(results.find(({ name }) => name === 'control')?.bytesPerCall).toBeGreaterThan(10)
  })

  const toTolerance = ({ name }: Measured): boolean => adaptiveMethods.some((method) => new RegExp(`^ode ${method}[ ,]`).test(name))

  it('is zero at a fixed step and in the dynamics, on a chain and on a mechanism with everything', () => {
    const measured = results.filter((one) => one.name !== 'control' && !toTolerance(one))
    expect(measured.length).toBeGreaterThan(10)
    expect(measured.filter(({ bytesPerCall }) => !(bytesPerCall <= OWN))).toEqual([])
  })

  it('is zero in methods that choose their own steps, in such a step and between them', () => {
    const measured = results.filter(toTolerance)
    expect(measured.length).toBe(4 * adaptiveMethods.length)
    expect(measured.filter(({ bytesPerCall }) => !(bytesPerCall <= OWN))).toEqual([])
  })
})
