/**
 * Writes docs/trust.md: what is promised about hostile files, damaged bytes, faults and bits, with the counts of a run on this machine. Takes some minutes.
 *
 *   node scripts/trust.mjs [--count 100000] [--seed 1] [--steps 10]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../engine/dist/model/limits.js'
import { at, root } from './lib.mjs'

const option = (name, fallback) => {
  const k = process.argv.indexOf(`--${name}`)
  return k < 0 ? fallback : process.argv[k + 1]
}
const folder = mkdtempSync(join(tmpdir(), 'limber-trust-'))
const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
const json = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

node(at('tools/fuzz/run.mjs'), '--count', option('count', '100000'), '--seed', option('seed', '1'), '--json', join(folder, 'fuzz.json'))
node(at('tools/same-bits/run.mjs'), '--steps', option('steps', '10'), '--json', join(folder, 'bits.json'))
const fuzz = json('fuzz.json')
const { corpus } = fuzz
const bits = json('bits.json')
rmSync(folder, { recursive: true })

const n = (x) => String(x).replace(/\B(?=(\d{3})+$)/g, ',')
const megabytes = (x) => `${Math.round(x / 1e6)} MB`
const row = (cells) => `| ${cells.join(' | ')} |`
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
const slowest = corpus.rows.reduce((a, b) => (b.seconds > a.seconds ? b : a))
const faults = corpus.rows.filter(({ fault }) => fault !== undefined)
const badSteps = corpus.steps.filter(({ fault }) => fault !== undefined)
const total = (rows, key) => rows.reduce((sum, row) => sum + row[key], 0)
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
  pairs: 'pairs that overlap',
  numbers: 'numbers of a recording as JSON',
  key: 'characters of a key',
  string: 'characters of a string of a recording',
  problems: 'problems that are told',
  message: 'characters of a message',
  path: 'characters of a path',
}
const regress = readdirSync(at('engine/test/regress')).filter((name) => name.endsWith('.test.ts')).length
const families = [...new Set(bits.rows.filter(({ what }) => what.startsWith('scene')).map(({ how }) => how))]
const scenes = [...new Set(bits.rows.filter(({ what }) => what.startsWith('scene')).map(({ what }) => what.slice(6)))]
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

**Attacks** (\`tools/fuzz/attacks.mjs\`, part of \`npm test\`): ${corpus.rows.length} files that cost much for their size, lie about it, or aim at a weakness; ${corpus.rows.filter(({ outcome }) => outcome === 'refused').length} refused, ${corpus.rows.filter(({ outcome }) => outcome === 'read').length} read, ${faults.length} otherwise. The slowest, ${slowest.name}, took ${slowest.seconds.toFixed(2)} s.

**Mutated files** (\`npm run fuzz -- --seed ${fuzz.seed} --count ${fuzz.inputs}\`; ${n(3000)} in \`npm test\`): ${n(fuzz.inputs)} inputs, ${fuzz.faults.length} faults: no process ended, nothing but a \`ModelError\` was thrown, no answer took 2 s or 1 GB. The largest process had ${megabytes(fuzz.largest)}.

${table(
  ['format', 'inputs', 'read', 'refused', 'faults', 'slowest, s'],
  fuzz.rows.map((r) => [r.format, n(r.inputs), n(r.read), n(r.refused), r.faults, r.slowest.toFixed(2)]),
)}

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
\`npm run same-bits\` compares a hash of ${bits.steps} steps of every scene under every solver, and of what every reader makes of a file, between ${bits.engines.join(' and ')}, and names the first step, body and field that
differ: ${bits.rows.length} hashes, ${bits.rows.length - bits.different} equal, ${bits.different} different. \`npm test\` compares fewer steps.

${table(
  ['scene', ...families],
  scenes.map((scene) => [
    scene,
    ...families.map((how) => bits.rows.find((r) => r.what === `scene ${scene}` && r.how === how)?.node.slice(0, 8) ?? '–'),
  ]),
)}

Files (${files.length}): ${files.map((r) => `${r.what.slice(5)} \`${r.node.startsWith('refused') ? 'refused' : r.node.slice(0, 8)}\``).join(', ')}.

## Faults

Every output is written beside its target and renamed. Tests end runs by SIGKILL at random moments and in every change of a file, by SIGINT and SIGTERM, fill disks, write to folders that may only be read, and close the pipes
that are written to (\`cli/test/kill*.test.ts\`, \`interrupt\`, \`full-disk\`, \`unwritable\`): what is left is whole or what was there before, and \`--resume\` goes on to the same bits.

## Bugs that were found

Each has a test in \`engine/test/regress\` (${regress} files) or in the corpus of attacks.
`
writeFileSync(at('docs/trust.md'), text)
if (faults.length + fuzz.faults.length + bits.different > 0) process.exitCode = 1
