/**
 * Runs the corpus of attacks, and steps the models that were found to step badly; prints, as JSON, what became of each: outcome, seconds of processor time (of an
 * attack the least of three, where the first takes long: other programs may run beside it), and what is wrong with that.
 */
import { ModelError } from 'limber'
import { attacks } from './attacks.mjs'
import { found } from './found.mjs'
import { tryInput } from './inputs.mjs'

/** seconds that an attack may take */
const LONGEST = 1
/** from here on it is looked at more closely */
const LONG = 0.6
const ATTEMPTS = 3

async function attempt(run) {
  const start = process.cpuUsage()
  let outcome = 'read'
  try {
    await run()
  } catch (error) {
    outcome = error instanceof ModelError ? 'refused' : `fault: ${error}`
  }
  return { outcome, seconds: process.cpuUsage(start).user / 1e6 }
}

const rows = []
for (const { name, expect, run } of attacks) {
  let best = await attempt(run)
  for (let k = 1; k < ATTEMPTS && best.seconds > LONG; k++) {
    const again = await attempt(run)
    if (again.seconds < best.seconds) best = again
  }
  const { outcome, seconds } = best
  const isExpected = !outcome.startsWith('fault') && (expect === 'either' || outcome === expect)
  const fault = isExpected ? (seconds > LONGEST ? `took ${seconds.toFixed(2)} s` : undefined) : `${outcome}, expected ${expect}`
  rows.push({ name, expect, outcome, seconds, ...(fault ? { fault } : {}) })
}

const steps = []
for (const { name, input } of found) {
  const result = await tryInput(input, (error) => error instanceof ModelError)
  steps.push({
    name,
    outcome: result.steps ?? result.outcome,
    ...(result.fault ? { fault: `${result.fault?.message ?? result.fault}` } : {}),
  })
}
console.log(JSON.stringify({ rows, steps, largest: process.resourceUsage().maxRSS * 1024 }))
