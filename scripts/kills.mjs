/**
 * Ends programs that write by SIGKILL, at random moments and in the middle of changes of files, and counts what they leave: outputs that lie (neither what was
 * there before nor whole), good files that are gone or spoilt, and work that did not go on to the same bits. Then SIGINT, after which a recording must hold the
 * first frames of the whole one. The tests have a short form of this.
 *
 *   npm run kills [-- --kills 300] [--interrupts 40] [--seed 1] [--json FILE]
 *
 * Ends with exit code 1 where anything is counted. Needs the built command line (npx tsc -b).
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readCheckpoint } from '../cli/dist/checkpoint.js'
import { readFrames } from '../cli/dist/frames-file.js'
import { readCsv, readMcap, readNpy, readTrajectoryJson } from '../engine/dist/index.js'
import { at } from './lib.mjs'

const option = (name, fallback) => {
  const k = process.argv.indexOf(`--${name}`)
  return k < 0 ? fallback : process.argv[k + 1]
}
const wanted = Number(option('kills', 300))
const interrupts = Number(option('interrupts', 40))
const seed = Number(option('seed', 1))

const folder = mkdtempSync(join(tmpdir(), 'limber-kills-'))
const limber = at('cli/bin/limber.js')
const killAt = new URL('../cli/test/kill-at.mjs', import.meta.url).href
const OLD = 'what was there before\n'
const PART = /\.limber-[\w-]+-\d+-\d+-\d+\.part$/
const CHECKPOINT = 'run.checkpoint'

/** numbers from 0 to 1, the same for the same seed */
function seeded(start) {
  let x = start >>> 0
  return () => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    return x / 2 ** 32
  }
}

const counts = []
const problems = []

/** The counts of one kind of writer. */
function tally(writer) {
  const row = { writer, kills: 0, atWork: 0, lies: 0, destroyed: 0, diverged: 0 }
  counts.push(row)
  const blame = (kind) => (text) => {
    row[kind]++
    problems.push(`${writer}: ${kind}: ${text}`)
  }
  return { row, lies: blame('lies'), destroyed: blame('destroyed'), diverged: blame('diverged') }
}

/**
 * Runs a program to its end, or to the moment of its signal: `after` milliseconds, counted from its first new file where it is to be met at work, or in its n-th
 * change of a file.
 */
function start(args, { cwd, after = Infinity, change, atWork = false, by = 'SIGKILL', program = [limber] }) {
  const node = change === undefined ? [] : ['--import', killAt]
  const files = () => `${readdirSync(cwd)}${existsSync(join(cwd, 'table')) ? readdirSync(join(cwd, 'table')) : ''}`
  const before = files()
  const child = spawn(process.execPath, [...node, ...program, ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: undefined, ...(change > 0 ? { LIMBER_KILL_AT: String(change) } : {}) },
  })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (said[name] += text))
  const begin = performance.now()
  let working = Infinity
  const timer = setInterval(() => {
    const now = performance.now()
    if (working === Infinity && files() !== before) working = now
    if (now - (atWork ? working : begin) >= after && !child.killed) child.kill(by)
  }, 2)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearInterval(timer)
      const end = performance.now()
      resolve({ code, signal, ...said, milliseconds: end - begin, work: Math.max(0, end - working) })
    })
  })
}

/** What a program does that nobody disturbs: its time, its changes of files. */
async function calm(args, cwd, program) {
  mkdirSync(cwd, { recursive: true })
  const ended = await start(args, { cwd, program })
  if (ended.code !== 0) throw new Error(`limber ${args.join(' ')}: exit code ${ended.code}: ${ended.stderr}`)
  const again = `${cwd}-counted`
  mkdirSync(again, { recursive: true })
  const counted = await start(args, { cwd: again, change: 0, program })
  return { ...ended, changes: Number(/(\d+) changes/.exec(counted.stderr)?.[1] ?? 0) }
}

/** Where to end it next: in a change of a file, while it works on files, at any time. */
function moments(random, { milliseconds, work, changes }) {
  let k = 0
  return () => {
    const kind = ++k % 3
    if (kind === 0) return { after: random() * milliseconds }
    return kind === 1 && changes > 0 ? { change: 1 + Math.floor(random() * changes) } : { after: random() * work, atWork: true }
  }
}

const bytesOf = (file) => (existsSync(file) ? readFileSync(file) : undefined)
const leftovers = (cwd) => readdirSync(cwd).filter((name) => PART.test(name))

/** Programs that write one file and have nothing to go on from: it is old or new, and the next attempt makes it. */
async function once(writer, kills, cases, random) {
  const { row, lies, destroyed, diverged } = tally(writer)
  for (const [n, { args, out, program, setup = () => {} }] of cases.entries()) {
    const name = `${writer.replace(/\W+/g, '-')}-${n}`
    const first = join(folder, `${name}-calm`)
    for (const cwd of [first, `${first}-counted`]) setup(cwd)
    const next = moments(random, await calm(args, first, program))
    const whole = readFileSync(join(first, out))
    const share = Math.ceil(((n + 1) * kills) / cases.length)
    for (let attempt = 0; row.kills < share && attempt < 20 * kills; attempt++) {
      const cwd = join(folder, `${name}-${attempt}`)
      mkdirSync(cwd)
      setup(cwd)
      const before = random() < 0.5
      if (before) writeFileSync(join(cwd, out), OLD)
      const { signal } = await start(args, { cwd, program, ...next() })
      if (signal === 'SIGKILL') row.kills++
      if (leftovers(cwd).length > 0) row.atWork++
      const found = bytesOf(join(cwd, out))
      const isWhole = found?.equals(whole)
      if (before && !found) destroyed(`${out} is gone`)
      else if (before && !isWhole && String(found) !== OLD) destroyed(`${out} is neither the old file nor the new one`)
      else if (!before && found && !isWhole) lies(`${out} is not whole`)
      // a second one is not disturbed by what the first left; every fifth time, because it proves the same
      if (attempt % 5 === 0) {
        const { code, stderr } = await start(args, { cwd, program })
        if (code !== 0 || !bytesOf(join(cwd, out))?.equals(whole)) diverged(`${out}: the next attempt: exit code ${code}: ${stderr}`)
      }
      rmSync(cwd, { recursive: true })
    }
  }
}

const resultOf = ({ code, stdout }) => {
  if (code !== 0) return undefined
  const { wall: _, ...result } = JSON.parse(stdout)
  return result
}

/** Runs with checkpoints, killed again and again until they come to their end. */
async function checkpointed(writer, kills, { args, out }, random) {
  const { row, lies, destroyed, diverged } = tally(writer)
  const name = writer.replace(/\W+/g, '-')
  const alone = join(folder, `${name}-alone`)
  const result = resultOf(await calm(['run', ...args, '--out', out, '--json'], alone))
  const whole = readFileSync(join(alone, out))
  const begin = ['run', ...args, '--out', out, '--checkpoint', CHECKPOINT, '--checkpoint-every', '0.02', '--json']
  const goOn = ['run', args[0], '--resume', CHECKPOINT, '--json']
  const next = moments(random, await calm(begin, join(folder, `${name}-calm`)))
  const cwd = join(folder, `${name}-killed`)
  let before = false
  const fresh = () => {
    rmSync(cwd, { recursive: true, force: true })
    mkdirSync(cwd)
    before = random() < 0.5
    if (before) writeFileSync(join(cwd, out), OLD)
  }
  /** 'absent', 'stepping' or 'finished': what there is to go on from */
  const look = () => {
    const found = bytesOf(join(cwd, out))
    if (before && !found) destroyed(`${out} is gone`)
    if (found && !found.equals(whole) && !(before && String(found) === OLD))
      (before ? destroyed : lies)(`${out} is neither the old file nor the new one`)
    for (const file of readdirSync(cwd))
      if (file !== out && !/^run\.checkpoint(\.frames-[ab])?$/.test(file) && !PART.test(file)) lies(`${file} is no name of ours`)
    if (!existsSync(join(cwd, CHECKPOINT))) return 'absent'
    try {
      const stored = readCheckpoint(join(cwd, CHECKPOINT))
      if (stored.finished) {
        if (!found?.equals(whole)) lies(`the checkpoint says that ${out} is finished`)
        return 'finished'
      }
      let bytes = 0
      for (const rows of readFrames(join(cwd, CHECKPOINT), stored.recording)) bytes += rows.byteLength
      if (bytes !== stored.recording.bytes) lies(`the checkpoint has ${bytes} bytes of frames`)
      return 'stepping'
    } catch (error) {
      destroyed(`the checkpoint cannot be read: ${error.message}`)
      return 'absent'
    }
  }
  const finish = async () => {
    const stands = look()
    const ended = await start(stands === 'absent' ? begin : goOn, { cwd })
    if (!isDeepStrictEqual(resultOf(ended), result)) diverged(`the result is another: ${ended.stdout}${ended.stderr}`)
    else if (!bytesOf(join(cwd, out))?.equals(whole)) diverged(`${out} is another`)
  }
  fresh()
  let inARow = 0
  for (let attempt = 0; row.kills < kills && attempt < 20 * kills; attempt++) {
    const ended = await start(look() === 'absent' ? begin : goOn, { cwd, ...next() })
    const stands = look()
    if (ended.signal === 'SIGKILL') row.kills++
    else if (ended.code !== 0) diverged(`it failed: ${ended.stderr}`)
    if (stands === 'stepping' && ended.signal === 'SIGKILL') row.atWork++
    // after some kills it is left to end
    if (ended.signal === 'SIGKILL' && ++inARow < 4 && stands !== 'finished') continue
    await finish()
    inARow = 0
    fresh()
  }
  await finish()
}

const timeless = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { wall: _, ...rest } = JSON.parse(line)
      return rest
    })

/** Sweeps, killed until they are complete: rows are never lost, and the tables are those of one that was not killed. */
async function swept(writer, kills, random) {
  const { row, lies, destroyed, diverged } = tally(writer)
  const sweep = [
    'sweep',
    'chain',
    '--vary',
    'links=2:6:5',
    '--vary',
    'angle=0.1:1.2:6',
    '--duration',
    '0.5',
    '--threads',
    '2',
    '--out',
    'table',
  ]
  const first = join(folder, 'sweep-calm')
  const next = moments(random, await calm(sweep, first))
  const whole = timeless(readFileSync(join(first, 'table/results.jsonl'), 'utf8'))
  const columns = (text) => {
    const lines = text.trimEnd().split('\n')
    const clock = lines[0].split(',').indexOf('wall')
    return lines.map((line) => line.split(',').filter((_, k) => k !== clock))
  }
  const csv = columns(readFileSync(join(first, 'table/results.csv'), 'utf8'))
  const journal = (cwd) => {
    const text = bytesOf(join(cwd, 'table/journal.jsonl'))?.toString() ?? ''
    const lines = text.split('\n').slice(0, -1)
    return lines.map((line) => line.slice(line.indexOf(' ') + 1))
  }
  for (let k = 0; row.kills < kills && k < 20 * kills; k++) {
    const cwd = join(folder, `sweep-${k}`)
    mkdirSync(cwd)
    let seen = []
    for (let inARow = 0; ; inARow++) {
      const left = row.kills < kills && inARow < 5
      const ended = await start(sweep, { cwd, ...(left ? next() : {}) })
      const tables = { jsonl: bytesOf(join(cwd, 'table/results.jsonl')), csv: bytesOf(join(cwd, 'table/results.csv')) }
      if (tables.jsonl && !isDeepStrictEqual(timeless(tables.jsonl.toString()), whole)) lies('results.jsonl is not whole')
      if (tables.csv && !isDeepStrictEqual(columns(tables.csv.toString()), csv)) lies('results.csv is not whole')
      if (ended.signal !== 'SIGKILL') {
        if (ended.code !== 0 || !tables.jsonl || !tables.csv) diverged(`the sweep ended with exit code ${ended.code}: ${ended.stderr}`)
        break
      }
      row.kills++
      const rows = journal(cwd)
      // where all was done the journal is no longer needed
      if (tables.jsonl && tables.csv && rows.length === 0) continue
      if (rows.length > seen.length) row.atWork++
      if (!isDeepStrictEqual(rows.slice(0, seen.length), seen)) destroyed('rows of the journal are lost')
      for (const text of timeless(rows.join('\n')))
        if (!whole.some((other) => isDeepStrictEqual(other, text))) lies('a row of the journal is another')
      seen = rows
    }
    rmSync(cwd, { recursive: true })
  }
}

const readers = {
  csv: (bytes) => readCsv(bytes.toString()),
  json: (bytes) => readTrajectoryJson(bytes.toString()),
  npy: (bytes, model) => readNpy(bytes, model),
  mcap: (bytes) => readMcap(bytes),
}

/** Ctrl-C: the recording has the first frames of the whole one, and a run with checkpoints goes on to all of it. */
async function interrupted(total, random) {
  const { row, lies, destroyed, diverged } = tally('SIGINT of run --out')
  const duration = '20'
  const args = (out) => ['run', 'double-pendulum', '--duration', duration, '--out', out, '--json']
  const wholes = new Map()
  for (const suffix of Object.keys(readers)) {
    const cwd = join(folder, `sigint-${suffix}`)
    mkdirSync(cwd)
    const ended = await start(args(`a.${suffix}`), { cwd })
    const bytes = readFileSync(join(cwd, `a.${suffix}`))
    wholes.set(suffix, { bytes, next: moments(random, { ...ended, changes: 0 }) })
  }
  const { model } = readTrajectoryJson(wholes.get('json').bytes.toString())
  for (let k = 0; row.kills < total && k < 10 * total; k++) {
    const suffix = Object.keys(readers)[k % 4]
    const { bytes: whole, next } = wholes.get(suffix)
    const out = `a.${suffix}`
    const cwd = join(folder, `sigint-${k}`)
    mkdirSync(cwd)
    const before = random() < 0.5
    if (before) writeFileSync(join(cwd, out), OLD)
    const resumes = k % 8 >= 4
    const checkpoint = resumes ? ['--checkpoint', CHECKPOINT, '--checkpoint-every', '0.02'] : []
    const ended = await start([...args(out), ...checkpoint], { cwd, by: 'SIGINT', ...next() })
    if (ended.code !== 0) row.kills++
    const found = bytesOf(join(cwd, out))
    if (before && !found) destroyed(`${out} is gone`)
    if (found && !(before && found.toString() === OLD)) {
      try {
        const [a, b] = [await readers[suffix](found, model), await readers[suffix](whole, model)]
        const frames = a.times.length
        const same = (x, y) => x.every((value, n) => Object.is(value, y[n]))
        if (!same(a.times, b.times) || !same(a.q, b.q) || !same(a.v, b.v)) lies(`${out}: ${frames} frames are not the first of the whole`)
        if (ended.code !== 0 && frames < b.times.length) row.atWork++
        if (ended.code === 0 && !found.equals(whole)) lies(`${out}: not whole, with exit code 0`)
      } catch (error) {
        ;(before ? destroyed : lies)(`${out} cannot be read: ${error.message}`)
      }
    }
    if (resumes && ended.code !== 0 && existsSync(join(cwd, CHECKPOINT))) {
      const last = await start(['run', 'double-pendulum', '--resume', CHECKPOINT, '--json'], { cwd })
      if (last.code !== 0 || !bytesOf(join(cwd, out))?.equals(whole)) diverged(`${out}: exit code ${last.code}: ${last.stderr}`)
    }
    rmSync(cwd, { recursive: true })
  }
}

const share = (part) => Math.round(part * wanted)
const recorder = `import { buildModel, createSimulation, parseScene } from ${JSON.stringify(new URL('../engine/dist/index.js', import.meta.url).href)}
import { record } from ${JSON.stringify(new URL('../engine/dist/node.js', import.meta.url).href)}
import { readFileSync } from 'node:fs'
await record(createSimulation(buildModel(parseScene(readFileSync('model.json', 'utf8')))), 'motion.csv', { seconds: 10 })`
const model = JSON.stringify({
  bodies: [
    {
      name: 'b',
      position: [0, 0, 1],
      geoms: [{ shape: 'box', size: [0.4, 0.1, 0.1], position: [0.4, 0, 0], mass: 1 }],
      joints: [{ name: 'j', type: 'revolute', axis: [0, 1, 0] }],
    },
  ],
})
const mesh = `v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`
const put = (name, text) => (cwd) => {
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, name), text)
}
const formats = ['csv', 'json', 'npy', 'mcap', 'glb']
const runs = formats.map((suffix) => ({ args: ['run', 'double-pendulum', '--duration', '5', '--out', `m.${suffix}`], out: `m.${suffix}` }))
const checkpoints = [
  { args: ['chain', '--solver', 'ode', '--set', 'method=gear', '--duration', '2.0005'], out: 'gear.csv' },
  { args: ['double-pendulum', '--solver', 'ode', '--set', 'method=rk4', '--duration', '3'], out: 'rk4.npy' },
  { args: ['four-bar', '--solver', 'redmax', '--duration', '1.5'], out: 'redmax.mcap' },
  { args: ['chain', '--solver', 'position', '--timestep', '0.01', '--duration', '2.003'], out: 'position.json' },
  { args: ['chain', '--solver', 'ode', '--set', 'method=bdf', '--duration', '1'], out: 'bdf.glb' },
  { args: ['humanoid-on-ground', '--duration', '0.3'], out: 'contact.csv' },
]
const writers = [
  { args: ['scene', 'chain', '--set', 'links=60', '--out', 'chain.json'], out: 'chain.json' },
  { args: ['convert', 'model.json', 'model.xml'], out: 'model.xml', setup: put('model.json', model) },
  { args: ['convert', 'model.json', 'model.urdf'], out: 'model.urdf', setup: put('model.json', model) },
  {
    args: ['reduce', 'mesh.obj', '--voxels', '4', '--fix', '-1,-1,-1,0.1,2,2', '--modes', '3', '--out', 'a.reduced'],
    out: 'a.reduced',
    setup: put('mesh.obj', mesh),
  },
]
const library = [{ args: [], out: 'motion.csv', setup: put('model.json', model), program: ['--input-type=module', '--eval', recorder] }]

const begin = performance.now()
const random = (k) => seeded(1000 * seed + k)
const work = [
  () => once('run --out', share(0.25), runs, random(1)),
  ...checkpoints.map((one, k) => () => checkpointed(`run --checkpoint, ${one.out}`, share(0.4 / checkpoints.length), one, random(10 + k))),
  () => swept('sweep', share(0.15), random(2)),
  () => once('scene, convert, reduce', share(0.12), writers, random(3)),
  () => once('record of limber/node', wanted - share(0.25) - 6 * share(0.4 / 6) - share(0.15) - share(0.12), library, random(4)),
  () => (interrupts > 0 ? interrupted(interrupts, random(5)) : undefined),
]
// two at a time
const serve = async () => {
  for (let next = work.shift(); next; next = work.shift()) await next()
}
try {
  await Promise.all([serve(), serve()])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0)
const killed = counts.filter(({ writer }) => !writer.startsWith('SIGINT'))
const width = Math.max(...counts.map(({ writer }) => writer.length))
console.log(`${'writer'.padEnd(width)}  kills  at work  lie  destroyed  diverged`)
for (const row of counts)
  console.log(
    `${row.writer.padEnd(width)}  ${String(row.kills).padStart(5)}  ${String(row.atWork).padStart(7)}  ${String(row.lies).padStart(3)}  ${String(row.destroyed).padStart(9)}  ${String(row.diverged).padStart(8)}`,
  )
for (const problem of problems.slice(0, 50)) console.log(problem)
const seconds = Math.round((performance.now() - begin) / 1000)
console.log(
  `${sum(killed, 'kills')} kills of seed ${seed} in ${seconds} s: ${sum(killed, 'lies')} outputs that lie, ${sum(killed, 'destroyed')} good files destroyed, ${sum(killed, 'diverged')} that did not go on to the same bits`,
)
if (option('json')) writeFileSync(option('json'), `${JSON.stringify({ seed, seconds, rows: counts, problems }, null, 2)}\n`)
process.exit(problems.length === 0 && sum(killed, 'kills') >= wanted ? 0 : 1)
