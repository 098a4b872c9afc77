/** Models that were found to step badly, one after the other: what the fuzzer calls a fault is none of them any more. */
import { ModelError } from 'limber'
import { expect, it } from 'vitest'
import { found } from './found.mjs'
import { tryInput } from './inputs.mjs'
import { LONGEST_STEP } from './step.mjs'

/** seconds; twice what `npm run fuzz` allows, because other tests run beside these */
const LONGEST = 2 * LONGEST_STEP

it.each(found.map(({ name, input }) => [name, input] as const))('%s', async (_, input) => {
  const { outcome, fault, steps } = await tryInput(input, (error: unknown) => error instanceof ModelError, LONGEST)
  expect(fault).toBeUndefined()
  expect(outcome).toBe('read')
  expect(steps).toMatch(/^(stepped|stopped)$/)
})
