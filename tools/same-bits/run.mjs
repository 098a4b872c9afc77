/**
 * The same bits in Node and in Chromium: hashes of every scene under every solver and of every reader sample, and where two runs part the first step, body and field
 * in which they do.
 *
 *   npm run same-bits [-- --scene NAME] [--solver NAME] [--steps 20] [--json FILE]
 *
 * Ends with exit code 1 where anything differs.
 */
import { writeFileSync } from 'node:fs'
import { firstDifference } from './difference.mjs'
import { hasChromium, openEngines } from './engines.mjs'
import { readerSamples } from './reader-samples.mjs'

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]
}
if (!hasChromium()) {
  console.error('same-bits: no Chromium; install it, or name it in CHROMIUM_PATH')
  process.exit(2)
}
const steps = Number(option('steps', 20))
const engines = await openEngines()
const { node, chromium } = engines
const scenes = option('scene') ? [option('scene')] : await node.call('sceneNames')
const solvers = option('solver') ? [option('solver')] : await node.call('solverNames')
const rows = []
let different = 0

for (const scene of scenes) {
  for (const solver of solvers) {
    const [a, b] = await Promise.all([node.call('hashScene', scene, solver, steps), chromium.call('hashScene', scene, solver, steps)])
    if (a === undefined && (b === undefined || b === null)) continue
    rows.push({ what: `scene ${scene}`, how: solver, steps: await node.call('stepsOf', scene, steps), node: a, chromium: b })
    if (a === b) continue
    different++
    const traces = await Promise.all([node.call('trace', scene, solver, steps), chromium.call('trace', scene, solver, steps)])
    const found = firstDifference(...traces)
    console.log(
      found
        ? `${scene}, ${solver}: step ${found.step}, ${found.field}: ${found.values[0]} in ${node.name}, ${found.values[1]} in ${chromium.name}`
        : `${scene}, ${solver}: hashes differ, traces do not`,
    )
  }
}
if (!option('scene')) {
  const { samples, files } = readerSamples()
  for (const sample of samples) {
    const [a, b] = await Promise.all([node.call('hashFile', sample, files), chromium.call('hashFile', sample, files)])
    rows.push({ what: `file ${sample.name}`, how: sample.format, node: a, chromium: b })
    if (a === b) continue
    different++
    console.log(`${sample.name} (${sample.format}): ${a} in ${node.name}, ${b} in ${chromium.name}`)
  }
}
await engines.close()
console.log(`${rows.length} hashes in ${node.name} and ${chromium.name}: ${rows.length - different} equal, ${different} differ`)
if (option('json'))
  writeFileSync(option('json'), `${JSON.stringify({ steps, engines: [node.name, chromium.name], different, rows }, null, 2)}\n`)
process.exit(different === 0 && rows.length > 0 ? 0 : 1)
