/** A program that starts a thread, waits for it where it is to run out of memory, stops nothing, and ends. */
import { startThreads } from 'limber/node'

const [, , thread, act] = process.argv
const { link } = await startThreads({ processors: 2, capacity: 8, task: { act, rank: 1 }, thread })
process.stdout.write('ready\n')
if (act === 'out of memory') {
  const x = new Float64Array(1)
  link.send(1, x, 0, 1)
  try {
    link.receive(1, x, 0, 1)
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
  }
}
