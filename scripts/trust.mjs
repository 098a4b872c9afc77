/**
 * Writes docs/trust.md: what is promised about hostile files, damaged bytes, faults and bits, with the counts of a run on this machine. Takes some minutes.
 *
 *   node scripts/trust.mjs [--count 100000] [--seed 1] [--steps 10] [--kills 300] [--interrupts 40] [--frames 2000000] [--results FOLDER]
 *
 * In a folder that is given the results of each part stay, and are taken where they are there.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LIMITS } from '../engine/dist/model/limits.js'
import { at, root } from './lib.mjs'

const option = (name, fallback) => {
  const k = process.argv.indexOf(`--${name}`)
  return k < 0 ? fallback : process.argv[k + 1]
}
const given = option('results')
const folder = given ?? mkdtempSync(join(tmpdir(), 'limber-trust-'))
mkdirSync(folder, { recursive: true })

/** What a part wrote, now or, in a folder that was given, before. */
function results(name, script, ...args) {
  const file = join(folder, `${name}.json`)
  if (!existsSync(file))
    spawnSync(process.execPath, [at(script), ...args, '--json', file], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  return JSON.parse(readFileSync(file, 'utf8'))
}

const fuzz = results('fuzz', 'tools/fuzz/run.mjs', '--count', option('count', '100000'), '--seed', option('seed', '1'))
const { corpus } = fuzz
const bits = results('bits', 'tools/same-bits/run.mjs', '--steps', option('steps', '10'))
const kills = results('kills', 'scripts/kills.mjs', '--kills', option('kills', '300'), '--interrupts', option('interrupts', '40'))
const long = measureRecording(Number(option('frames', '2000000')))
if (given === undefined) rmSync(folder, { recursive: true })

/** Writes a pendulum's recording as JSON, of so many frames and of a tenth, and reads it back: bytes of the file and, at most, of the processes. */
function measureRecording(frames) {
  const kept = join(folder, 'recording.json')
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8'))
  const model =
    '<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1"/></body></worldbody></mujoco>'
  writeFileSync(join(folder, 'pendulum.xml'), model)
  const told = 'data:text/javascript,process.on("exit",()=>process.stderr.write("maxRSS "+process.resourceUsage().maxRSS))'
  const largest = (...args) => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', told, ...args], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${args.join(' ')}: exit code ${status}: ${stderr}`)
    return 1024 * Number(/maxRSS (\d+)/.exec(stderr)?.[1])
  }
  const write = (count, file) =>
    largest(at('cli/bin/limber.js'), 'run', 'pendulum.xml', '--duration', String((count - 0.5) / 500), '--fps', '500', '--out', file)
  const tenth = write(frames / 10, 'tenth.json')
  const written = write(frames, 'long.json')
  const program = `import { loadTrajectoryJson } from ${JSON.stringify(pathToFileURL(at('engine/dist/node.js')).href)}
const { times, q, v, poses, energy } = loadTrajectoryJson('long.json')
if (times.length !== ${frames}) throw new Error('got ' + times.length + ' frames')`
  const read = largest('--input-type=module', '--eval', program)
  // times, q, v, poses of two bodies, two energies
  const measured = { frames, bytes: statSync(join(folder, 'long.json')).size, numbers: 8 * 19 * frames, tenth, written, read }
  for (const name of ['pendulum.xml', 'tenth.json', 'long.json']) rmSync(join(folder, name))
  writeFileSync(kept, JSON.stringify(measured))
  return measured
}

const n = (x) => String(x).replace(/\B(?=(\d{3})+$)/g, ',')
const megabytes = (x) => `${Math.round(x / 1e6)} MB`
const row = (cells) => `| ${cells.join(' | ')} |`
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
const slowest = corpus.rows.reduce((a, b) => (b.seconds > a.seconds ? b : a))
const faults = corpus.rows.filter(({ fault }) => fault !== undefined)
const badSteps = corpus.steps.filter(({ fault }) => fault !== undefined)
const total = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0)
const killed = kills.rows.filter(({ writer }) => !writer.startsWith('SIGINT'))
const meanings = {
  bytes: 'bytes of a file',
  totalBytes: 'bytes of all files of a model',
  elements: 'elements of an XML file',
  values: 'values of a JSON file',
  groups: 'lists and objects of a JSON file',
  depth: 'elements inside one another',
  brackets: 'brackets inside one another',
  fileDepth: 'files that include or attach one another',
  files: 'files that are included or attached',
  objects: 'objects that `replicate`, `attach` and instances make',
  vertices: 'vertices, triangles and cells of fields',
  hull: 'tests of points to find the convex hull of a mesh, of which a triangle counts as 50',
  hulls: 'the same for all meshes of a model',
  pairs: 'pairs that overlap',
  numbers: 'numbers of a recording as JSON',
  key: 'characters of a key',
  string: 'characters of a string of a recording',
  problems: 'problems that are told',
  message: 'characters of a message',
  path: 'characters of a path',
}
/** a list of what is wrong; empty where nothing is */
const listed = (lines) => (lines.length === 0 ? '' : `\n${lines.map((line) => `- ${line}`).join('\n')}\n`)
const regress = readdirSync(at('engine/test/regress')).filter((name) => name.endsWith('.test.ts')).length
const families = [...new Set(bits.rows.filter(({ what }) => what.startsWith('scene')).map(({ how }) => how))]
const scenes = [...new Set(bits.rows.filter(({ what }) => what.startsWith('scene')).map(({ what }) => what.slice(6)))]
const few = new Map(bits.rows.filter(({ steps }) => steps < bits.steps).map(({ what, steps }) => [what.slice(6), steps]))
const fewer = few.size === 0 ? '' : ` (${[...few].map(([scene, steps]) => `${steps} of ${scene}`).join(', ')})`
const files = bits.rows.filter(({ what }) => what.startsWith('file'))

const text = `# Trust

What Limber does with files that are wrong, hostile or damaged, with processes that die, and whether it gives the same answer twice. Written by \`node scripts/trust.mjs\`,
which ran all that is counted here.

## Hostile files

Every reader works in bounded time and memory. What goes wrong is a \`ModelError\` with its place: nothing else is thrown, and nothing is read beyond one set of limits
(\`engine/src/model/limits.ts\`):

${table(
  ['limit', 'of'],
  Object.entries(LIMITS).map(([key, value]) => [n(value), meanings[key] ?? key]),
)}

**Attacks** (\`tools/fuzz/attacks.mjs\`, part of \`npm test\`): ${corpus.rows.length} files that cost much for their size, lie about it, or aim at a weakness; ${corpus.rows.filter(({ outcome }) => outcome === 'refused').length} refused, ${corpus.rows.filter(({ outcome }) => outcome === 'read').length} read, ${faults.length} otherwise. The slowest, ${slowest.name}, took ${slowest.seconds.toFixed(2)} s of the second that \`npm run fuzz\` allows.

**Mutated files** (\`npm run fuzz -- --seed ${fuzz.seed} --count ${fuzz.inputs}\`; ${n(3000)} in \`npm test\`): ${n(fuzz.inputs)} inputs, ${fuzz.faults.length} faults. A fault is a process that ends, anything but a \`ModelError\` that is thrown, an answer that
takes 2 s or 1 GB. Models are stepped by what \`auto\` takes, up to 20 steps: ${n(total(fuzz.rows, 'stepped'))} went through, ${n(total(fuzz.rows, 'stopped'))} ended early and said why; a step that throws, takes 2 s, or leaves a state that is no
number is a fault too. The largest process had ${megabytes(fuzz.largest)}.

${table(
  ['format', 'inputs', 'read', 'refused', 'stepped', 'ended early', 'faults', 'slowest to read, s'],
  fuzz.rows.map((r) => [r.format, n(r.inputs), n(r.read), n(r.refused), n(r.stepped), n(r.stopped), r.faults, r.slowest.toFixed(2)]),
)}
${listed(fuzz.faults.map(({ input, format, why }) => `input ${input} (${format}): ${why.split('\n')[0]}`))}
Models whose steps were found to be bad are kept (\`tools/fuzz/found\`) and stepped in every run: ${corpus.steps.length}, of which ${badSteps.length} still are.
${listed(badSteps.map(({ name, fault }) => `${name}: ${fault}`))}
What we write we can read: a chain of up to ${LIMITS.depth - 2} bodies as MJCF, which nests them (MuJoCo's own reader ends at 500), of any length as URDF and scene; beyond that the writer refuses.

## Confinement

\`loadSpec\` and the command line let a model read files below its folder only, or below the project that the folder is in: the nearest of four folders above it with a
\`package.xml\`, \`manifest.xml\`, \`model.config\` or a licence, never the home of a user or what is above it. Packages of ROS are read where the environment (\`ROS_PACKAGE_PATH\`, \`AMENT_PREFIX_PATH\`) or
a \`package.xml\` says that they are some. \`..\`, absolute paths, \`file://\`, \`package://\` and symbolic links are all held to that. What was not read is told, never what was in it; \`--allow-outside\`, or
\`loadSpec(path, { outside: true })\`, lets a model that you trust read everything. In pages \`resolve\` decides.

## Nonsense

Refused with its place: moments of inertia that no body has (but for 1 %, by which those of thin bodies are rounded), faces out of range, two meshes of one name, quaternions of zeros, limits and pitch of
joints that have none, shapes without size. Robots that have such things in their URDF are read, and \`spec.ignored\` says so; moments are then marked \`"unchecked": true\`.

## Damaged bytes

Snapshots (of simulations and of batches), checkpoints and reduced domains carry their length and a checksum. Of 2,000 damaged snapshots of each solver and of a batch none is restored
(\`engine/test/regress/damaged-snapshots.test.ts\`); the simulation stays as it was.

## The same bits

Readers, builder, solvers and scenes use sines, powers and hypotenuses of our own, since those of \`Math\` differ between browsers: \`0.9 ** 3\` does between Node 20 and Chromium 156. A check holds that.
\`npm run same-bits\` compares a hash of ${bits.steps} steps of every scene${fewer} under every solver, and of what every reader makes of a file, between ${bits.engines.join(' and ')}, and names the first step, body and field that
differ: ${bits.rows.length} hashes, ${bits.rows.length - bits.different} equal, ${bits.different} different. \`npm test\` compares fewer steps.

${table(
  ['scene', ...families],
  scenes.map((scene) => [
    scene,
    ...families.map((how) => bits.rows.find((r) => r.what === `scene ${scene}` && r.how === how)?.node.slice(0, 8) ?? '–'),
  ]),
)}

Files (${files.length}): ${files.map((r) => `${r.what.slice(5)} \`${r.node.startsWith('refused') ? 'refused' : r.node.slice(0, 8)}\``).join(', ')}.

## Recordings

Recordings are written piece by piece, and JSON and CSV are read so. Of ${n(long.frames)} frames of a pendulum, ${megabytes(long.bytes)} of JSON, \`limber run --out\` took ${megabytes(long.written)} in all, and of ${n(long.frames / 10)} ${megabytes(long.tenth)};
\`loadTrajectoryJson\` took ${megabytes(long.read)} for ${megabytes(long.numbers)} of numbers. More than ${n(LIMITS.numbers)} numbers are refused. A test holds both with fewer frames (\`engine/test/io/record-memory.alone.test.ts\`).

## Faults

\`npm run kills\` ends programs by SIGKILL at random moments, while they work on files, and in the middle of changes of files, and looks at what they leave. Of ${n(total(killed, 'kills'))} kills (${n(total(killed, 'atWork'))} of which met them at
work) ${total(killed, 'lies')} left an output that lies, ${total(killed, 'destroyed')} destroyed a good file, and ${total(killed, 'diverged')} led to work that did not go on to the same bits; SIGINT is counted alike.

${table(
  ['ended', 'times', 'at work', 'outputs that lie', 'good files destroyed', 'went on to other bits'],
  kills.rows.map((r) => [
    r.writer.startsWith('SIGINT') ? r.writer : `SIGKILL of ${r.writer}`,
    r.kills,
    r.atWork,
    r.lies,
    r.destroyed,
    r.diverged,
  ]),
)}
${listed(kills.problems)}
Every output is written beside its target and renamed. Tests end runs by SIGKILL at random moments and in every change of a file, by SIGINT and SIGTERM, fill disks, write to folders that may only be read, and close the pipes
that are written to (\`cli/test/kill*.test.ts\`, \`interrupt\`, \`full-disk\`, \`unwritable\`): what is left is whole or what was there before, and \`--resume\` goes on to the same bits.

## Bugs that were found

Each has a test in \`engine/test/regress\` (${regress} files) or in the corpus of attacks.
`
writeFileSync(at('docs/trust.md'), text)
if (faults.length + badSteps.length + fuzz.faults.length + bits.different + kills.problems.length > 0) process.exitCode = 1
