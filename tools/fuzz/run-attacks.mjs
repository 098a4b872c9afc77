/** Runs the corpus of attacks and prints, as JSON, what became of each: outcome, seconds of processor time. */
import { ModelError } from 'limber'
import { attacks } from './attacks.mjs'

const rows = []
for (const { name, expect, run } of attacks) {
  const start = process.cpuUsage()
  let outcome = 'read'
  try {
    await run()
  } catch (error) {
    outcome = error instanceof ModelError ? 'refused' : `fault: ${error}`
  }
  const { user } = process.cpuUsage(start)
  rows.push({ name, expect, outcome, seconds: user / 1e6 })
}
console.log(JSON.stringify({ rows, largest: process.resourceUsage().maxRSS * 1024 }))
