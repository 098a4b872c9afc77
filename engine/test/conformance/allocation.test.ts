/** Nothing is allocated in a step once it is warm: not by the dynamics, not by the method, with every joint and force. */
import { adaptiveMethods } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { runProbe } from '../allocation/run-probe.js'
import type { Measured } from './allocation-probe.js'

/** reading the heap itself leaves a few hundred bytes in a window of 1,000 steps; one boxed number a step would be 12 to 16 */
const OWN = 2

/** a boxed number and its padding */
const ONE = 16

let results: readonly Measured[] = []

beforeAll(async () => {
  results = (await runProbe(new URL('./allocation-probe.ts', import.meta.url))) as Measured[]
}, 240_000)

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
