/** Every attack of the corpus is refused with a ModelError, or read, within a second of processor time on a quiet machine. */
import { ModelError } from 'limber'
import { describe, expect, it } from 'vitest'
import { attacks } from './attacks.mjs'

/** seconds; twice what `npm run fuzz` allows, because other tests run beside these */
const LONGEST = 2

const cpuTime = (): number => process.cpuUsage().user / 1e6

describe('attacks on readers', () => {
  it.each(attacks.map((attack) => [attack.name, attack] as const))('%s', async (_, { expect: wanted, run }) => {
    const start = cpuTime()
    let outcome = 'read'
    try {
      await run()
    } catch (error) {
      if (!(error instanceof ModelError)) throw error
      outcome = 'refused'
      expect(error.problems.length).toBeGreaterThan(0)
      // a message that people can read, whatever the file held
      expect(error.message.length).toBeLessThan(500_000)
    }
    expect(cpuTime() - start).toBeLessThan(LONGEST)
    if (wanted !== 'either') expect(outcome).toBe(wanted)
  })
})
