/** One process of the fuzzer: reads the inputs it is sent, says which one it is at, and how each ended. */
import { ModelError } from 'limber'
import { inputOf, tryInput } from './inputs.mjs'

const isRefusal = (error) => error instanceof ModelError && error.problems.length > 0

async function read({ seed, first, count }) {
  for (let k = first; k < first + count; k++) {
    const input = inputOf(seed, k)
    process.send({ at: k, format: input.format.name })
    const { outcome, fault, seconds, steps } = await tryInput(input, isRefusal)
    const message = fault === undefined ? undefined : `${fault?.stack ?? fault}`.slice(0, 600)
    process.send({
      done: k,
      format: input.format.name,
      outcome,
      message,
      seconds,
      steps,
      bytes: input.bytes.length,
      rss: process.resourceUsage().maxRSS * 1024,
    })
  }
  process.send({ ready: true })
}
process.on('message', (batch) => void read(batch))
process.send({ ready: true })
