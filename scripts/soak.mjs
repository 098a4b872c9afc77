/**
 * Models that come and go for a long time: builds, simulates under every solver, takes snapshots, drops everything, and watches the memory of
 * the process. Ends with exit code 1 where it grows.
 *
 *   node --expose-gc scripts/soak.mjs [--minutes 10] [--json]
 */
import { buildModel, createBatch, createSimulation } from '../engine/dist/index.js'
import { scenes } from '../scenes/dist/index.js'

const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const minutes = option('minutes', 10)
/** of the run, before anything is compared: compilers and caches fill up */
const WARM_UP = 0.3
/** what a process may grow by and still be flat, as a share, and in megabytes */
const NOISE = 0.08
const GRAIN = 8

const names = ['chain', 'humanoid', 'hinge-tree', 'tied-chain', 'swinging-chain']
const models = names.map((name) => scenes.find((scene) => scene.name === name)).filter((scene) => scene !== undefined)
const megabytes = (bytes) => Math.round(bytes / 1e5) / 10

async function round(k) {
  const model = buildModel(models[k % models.length].build({}))
  for (const solver of ['ode', 'redmax', 'position', 'adaptive']) {
    const simulation = createSimulation(model, { solver, timestep: 0.005 })
    simulation.step(3)
    const snapshot = simulation.snapshot()
    simulation.step(2)
    simulation.restore(snapshot)
    simulation.close()
  }
  if (k % 5 === 0) {
    const batch = await createBatch(model, { count: 8, timestep: 0.001 })
    batch.step(2)
    batch.close()
  }
}

if (typeof gc !== 'function') {
  console.error('soak: run it as node --expose-gc scripts/soak.mjs')
  process.exit(2)
}
const start = performance.now()
const end = start + minutes * 60_000
const samples = []
let rounds = 0
let next = start
while (performance.now() < end) {
  await round(rounds++)
  if (performance.now() < next) continue
  next = performance.now() + (minutes * 60_000) / 60
  // memories of WebAssembly are given back a little after they were found unused
  gc()
  await new Promise((resolve) => setTimeout(resolve, 20))
  gc()
  const { heapUsed, external, rss } = process.memoryUsage()
  samples.push({
    at: (performance.now() - start) / 1000,
    heap: megabytes(heapUsed),
    external: megabytes(external),
    resident: megabytes(rss),
  })
}
const later = samples.filter(({ at }) => at > WARM_UP * minutes * 60)
const half = Math.floor(later.length / 2)
const most = (list, key) => Math.max(...list.map((sample) => sample[key]))
const growth = Object.fromEntries(
  ['heap', 'external', 'resident'].map((key) => [key, most(later.slice(half), key) / most(later.slice(0, half), key) - 1]),
)
const flat = Object.entries(growth).every(([key, share]) => share < NOISE || share * most(later.slice(0, half), key) < GRAIN)
const report = { minutes, rounds, flat, growth, last: samples.at(-1) }
if (process.argv.includes('--json')) console.log(JSON.stringify(report))
else console.log(`${rounds} rounds in ${minutes} minutes, memory ${flat ? 'is flat' : 'grows'}:`, growth, samples.at(-1))
process.exitCode = flat ? 0 : 1
