/**
 * Runs the corpus of attacks, each within a second, then reads mutated files of every format and steps the models among them, and says what no file may do: end the
 * process, throw anything but a ModelError, take long or fill the memory; have a step that throws, takes 2 s, or calls a state good that is none.
 *
 *   npm run fuzz [-- --seed 1] [--count 100000] [--minutes 60] [--processes 2] [--only 1234] [--json FILE]
 *
 * `--only` reads one input and prints it; `--count 0` runs the attacks alone. Ends with exit code 1 where there was a fault.
 */
import { execFileSync, fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const text = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]
}
const number = (name, fallback) => {
  const value = Number(text(name, fallback))
  if (Number.isFinite(value) && value >= 0) return value
  console.error(`fuzz: --${name}: expected a number, got '${text(name)}'`)
  process.exit(2)
}
const seed = number('seed', 1)
const count = number('count', 100_000)
const minutes = number('minutes', 60)
const processes = number('processes', Math.max(1, availableParallelism()))
const only = text('only')
const json = text('json')

/** what an answer may take: seconds of processor time, bytes of the process */
const LONGEST = 2
const LARGEST = 1e9
/** of a process, in megabytes: what needs more ends it */
const HEAP = 900
/** seconds without a word after which a process hangs */
const PATIENCE = 30
const BATCH = 250

if (only !== undefined) {
  const { inputOf, tryInput } = await import('./inputs.mjs')
  const { ModelError } = await import('limber')
  const input = inputOf(seed, Number(only))
  process.stdout.write(Buffer.from(input.bytes))
  const { outcome, fault, seconds, steps } = await tryInput(input, (error) => error instanceof ModelError)
  console.error(`\n${input.format.name}: ${outcome}, ${seconds.toFixed(3)} s${steps ? `, ${steps}` : ''}`, fault ?? '')
  process.exit(outcome === 'fault' ? 1 : 0)
}

// alone, before other processes take the processors
const corpus = JSON.parse(
  execFileSync(process.execPath, [fileURLToPath(new URL('run-attacks.mjs', import.meta.url))], { encoding: 'utf8', maxBuffer: 1 << 26 }),
)
const bad = [...corpus.rows, ...corpus.steps].filter(({ fault }) => fault !== undefined)
for (const { name, fault } of bad) console.log(`fault: ${name}: ${fault}`)
const slowest = corpus.rows.reduce((a, b) => (b.seconds > a.seconds ? b : a))
console.log(
  `${corpus.rows.length} attacks and ${corpus.steps.length} models that were found: ${bad.length} faults, slowest attack ${slowest.seconds.toFixed(2)} s (${slowest.name})`,
)

const start = performance.now()
const end = start + minutes * 60_000
const table = new Map()
const faults = []
let next = 0
let done = 0
let largest = 0

const rowOf = (format) => {
  const known = table.get(format)
  if (known) return known
  const row = { format, inputs: 0, read: 0, refused: 0, stepped: 0, stopped: 0, faults: 0, slowest: 0 }
  table.set(format, row)
  return row
}

function blame(k, format, why) {
  rowOf(format).faults++
  faults.push({ input: k, format, why })
  console.log(`fault: input ${k} (${format}): ${why.split('\n').slice(0, 3).join(' | ')}\n  npm run fuzz -- --seed ${seed} --only ${k}`)
}

/** Runs one process until nothing is left, or it ends; true when nothing is left. */
function serve(from) {
  return new Promise((finish) => {
    const child = fork(fileURLToPath(new URL('child.mjs', import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${HEAP}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let at
    let timer
    let batch = from
    let why = 'ended the process'
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        why = `took more than ${PATIENCE} s`
        child.kill('SIGKILL')
      }, PATIENCE * 1000)
    }
    const leave = (rest) => {
      clearTimeout(timer)
      child.removeAllListeners()
      child.kill('SIGKILL')
      finish(rest)
    }
    wait()
    child.on('message', (message) => {
      wait()
      if (message.ready) {
        if (batch === undefined && (next >= count || performance.now() > end)) return leave(undefined)
        if (batch === undefined) {
          batch = { first: next, count: Math.min(BATCH, count - next) }
          next += batch.count
        }
        child.send({ seed, ...batch })
        batch = { ...batch }
      } else if (message.done === undefined) at = message
      else {
        const { done: k, format, outcome, message: said, seconds, steps, bytes, rss } = message
        at = undefined
        done++
        largest = Math.max(largest, rss)
        const row = rowOf(format)
        row.inputs++
        row.slowest = Math.max(row.slowest, seconds)
        if (outcome === 'fault') blame(k, format, said)
        else row[outcome]++
        if (steps === 'stepped' || steps === 'stopped') row[steps]++
        if (outcome !== 'fault' && seconds > LONGEST) blame(k, format, `took ${seconds.toFixed(1)} s for ${bytes} bytes`)
        if (rss > LARGEST) blame(k, format, `the process grew to ${Math.round(rss / 1e6)} MB`)
        if (rss > LARGEST) {
          // a fresh process for the rest
          const rest = { first: k + 1, count: batch.first + batch.count - k - 1 }
          return leave(rest.count > 0 ? rest : 'next')
        }
        if (k + 1 === batch.first + batch.count) batch = undefined
      }
    })
    child.on('exit', () => {
      clearTimeout(timer)
      const k = at?.at
      if (k === undefined) {
        console.error('fuzz: a process ended without reading; is the engine built? (npx tsc -b)')
        process.exit(2)
      }
      done++
      rowOf(at.format).inputs++
      blame(k, at.format, why)
      const rest = { first: k + 1, count: batch.first + batch.count - k - 1 }
      finish(rest.count > 0 ? rest : 'next')
    })
  })
}

async function work() {
  for (let rest; ; ) {
    const left = await serve(rest)
    if (left === undefined) return
    rest = left === 'next' ? undefined : left
  }
}

const told = setInterval(
  () => console.error(`${done} of ${count} inputs, ${faults.length} faults, ${Math.round((performance.now() - start) / 1000)} s`),
  60_000,
)
await Promise.all(Array.from({ length: processes }, work))
clearInterval(told)

const rows = [...table.values()].sort((a, b) => b.inputs - a.inputs)
const width = Math.max(0, ...rows.map(({ format }) => format.length), 6)
console.log(`${'format'.padEnd(width)}  inputs    read  refused  stepped  stopped  faults  slowest s`)
for (const row of rows)
  console.log(
    `${row.format.padEnd(width)}  ${String(row.inputs).padStart(6)}  ${String(row.read).padStart(6)}  ${String(row.refused).padStart(7)}  ${String(row.stepped).padStart(7)}  ${String(row.stopped).padStart(7)}  ${String(row.faults).padStart(6)}  ${row.slowest.toFixed(2).padStart(9)}`,
  )
const seconds = Math.round((performance.now() - start) / 1000)
console.log(`${done} inputs of seed ${seed} in ${seconds} s: ${faults.length} faults, largest process ${Math.round(largest / 1e6)} MB`)
if (json) writeFileSync(json, `${JSON.stringify({ seed, inputs: done, seconds, largest, rows, faults, corpus }, null, 2)}\n`)
process.exit(faults.length + bad.length === 0 && (done > 0 || count === 0) ? 0 : 1)
