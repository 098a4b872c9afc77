/**
 * Prints the kernels of the engine, every `*.kernel.ts` below engine/src, in all forms, to engine/src/printed.
 *
 *   node tools/kernels/build.mjs [--force]        LIMBER_NAMES=1: functions have their names in profiles
 *                                                 LIMBER_CHECKED=1: routines in JavaScript check every index
 *
 * Nothing is done where the sources and this compiler are as they were at the last run.
 *
 * Kernels go to modules by folder, so that a page loads only those of the solvers it uses. Of each module `NAME.ts` has the types and the
 * names, `NAME-js.ts` the JavaScript form, `NAME-f64.ts` the WebAssembly one, and where batches need it, `NAME-f64x2.ts` and
 * `NAME-f32x4.ts` the lanes, `…-fused.ts` with products and sums in one rounding.
 *
 * What batches run is also printed as WGSL: `wgsl.ts`, `wgsl-pairs.ts`, `wgsl-trajectories.ts`.
 *
 * Routines, functions marked `@routine` in any file, are one module, `contact`, in both forms (`routines/front`).
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { checkedProgram, compileFiles, tablesOf } from './compile.mjs'
import { Column } from './graph.mjs'
import { packWgsl } from './pack-wgsl.mjs'
import { printJs, printOverArrays } from './print-js.mjs'
import { printWasm } from './print-wasm.mjs'
import { printWgsl } from './print-wgsl.mjs'
import { readRoutines } from './routines/front.mjs'
import { printRoutinesJs } from './routines/print-js.mjs'
import { printRoutines } from './routines/print-wasm.mjs'
import { Table } from './shapes.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const source = join(here, '../../engine/src')
const out = join(source, 'printed')

/** What single values need outside of kernels, over arrays that may lie anywhere: `printed/arrays`, `printed/linalg`. */
const ARRAYS = ['arrays', 'linalg']

/** Module of a kernel, by the folder of its file. */
const MODULES = [
  // not as kernels but as functions over arrays
  [/^(math\/|joints\/curved)/, 'arrays'],
  // apart, since a page that begins with the core does not need it
  [/^linalg\//, 'linalg'],
  // only batches call it, and a page without them does not carry it
  [/^joints\/integrate\.kernel/, 'batch'],
  [/^(tree\/dca|solvers\/adaptive)\//, 'adaptive'],
  [/^(joints|tree|forces)\//, 'tree'],
  [/^(elimination|solvers\/redmax)\//, 'redmax'],
  // contact among bodies and observations apart: who does not ask for them does not load them
  [/^solvers\/implicit\/(step-)?pairs/, 'pairs'],
  [/^solvers\/implicit\/(observe|rays)/, 'observe'],
  [/^solvers\/implicit\//, 'ground'],
  // trajectories of a batch apart: the solver alone does not need them
  [/^solvers\/position\/lanes\//, 'trajectories'],
  [/^solvers\/position\//, 'position'],
  [/^batch\//, 'batch'],
  [/^parallel\//, 'parallel'],
]
const named = process.env.LIMBER_NAMES === '1'
const checked = process.env.LIMBER_CHECKED === '1'
/** modules whose kernels also run in lanes */
const LANES = ['batch', 'ground', 'pairs', 'observe', 'trajectories']

export const options = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  lib: ['lib.es2023.d.ts'],
  types: [],
  skipLibCheck: true,
}

const filesBelow = (folder) => readdirSync(folder, { recursive: true }).map((f) => join(folder, f).replaceAll('\\', '/'))

const pathOf = (file) => relative(source, file).replaceAll('\\', '/')

function moduleOf(file) {
  const found = MODULES.find(([folder]) => folder.test(pathOf(file)))
  if (!found) throw new Error(`${file}: no module takes kernels of this folder; add it to MODULES in tools/kernels/build.mjs`)
  return found[1]
}

/** Printable characters that need no escape in a string, but for the last two, which lead to the rarer bytes. */
const CHARACTERS = Array.from({ length: 95 }, (_, k) => String.fromCharCode(32 + k)).filter((c) => !"'\\`$".includes(c))

/**
 * Bytes as text that compresses well: the more frequent half of the byte values take one character each, the others two. It begins with the
 * bytes by frequency, in hexadecimal. `decode` of kernels/instance reads it.
 */
function encode(bytes) {
  const count = new Array(256).fill(0)
  for (const byte of bytes) count[byte]++
  const order = [...count.keys()].sort((a, b) => count[b] - count[a] || a - b)
  const one = CHARACTERS.length - 2
  const text = new Array(256)
  for (const [k, byte] of order.entries())
    text[byte] = k < one ? CHARACTERS[k] : CHARACTERS[one + Math.floor((k - one) / one)] + CHARACTERS[(k - one) % one]
  return Buffer.from(order).toString('hex') + Array.from(bytes, (byte) => text[byte]).join('')
}

/**
 * `called`: kernels of other modules that these call, and those call; WebAssembly has them inside. `directly`: those that JavaScript imports.
 * `single`: kernels of forms in single precision.
 */
function printModule(name, kernels, called, directly, single) {
  const signature = (k) => `  ${k.name}(${k.names.map((p) => `${p}: number`).join(', ')}): void`
  const byName = kernels.map((k) => k.name)
  return {
    [`${name}.ts`]: [
      `import { f64 } from './${name}-f64.js'`,
      '',
      `export interface ${name[0].toUpperCase()}${name.slice(1)}Kernels {`,
      ...kernels.map(signature),
      '}',
      '',
      `export const ${name}Module = { name: '${name}', kernels: ${JSON.stringify(byName)}, f64 } as const`,
      '',
    ].join('\n'),
    [`${name}-js.ts`]: [...importsOf(directly), ...kernels.map(printJs)].join('\n'),
    ...Object.fromEntries(
      (LANES.includes(name) ? ['f64', 'f64x2', 'f32x4', 'f64x2-fused', 'f32x4-fused'] : ['f64']).map((file) => {
        const [form, fused] = file.split('-')
        const own = [...called, ...kernels]
        const given = form === 'f32x4' ? own.map((k) => single.find((s) => s.name === k.name)) : own
        const bytes = printWasm(given, form, { fused: fused !== undefined, named })
        return [`${name}-${file}.ts`, `export const ${form} = '${encode(bytes)}'\n`]
      }),
    ),
  }
}

function importsOf(called) {
  const modules = [...new Set(called.map((k) => moduleOf(k.file)))]
  return modules.map((name) => {
    const names = called.filter((k) => moduleOf(k.file) === name).map((k) => k.name)
    return `import { ${names.join(', ')} } from './${name}-js.js'\n`
  })
}

const ROUTINES = 'contact'

/** A class, so that all records of a name have one shape that the compiler of JavaScript knows; whole numbers are read and written in memory. */
function printRecord({ name, fields }) {
  const lines = fields.map(([field, kind], slot) =>
    kind === 'i'
      ? `  get ${field}(): number { return this.$I[(this.at >> 2) + ${slot}] }\n  set ${field}(x: number) { this.$I[(this.at >> 2) + ${slot}] = x }`
      : `  ${field}: unknown = undefined`,
  )
  const own = [
    `  at = 0`,
    `  $I = new Int32Array(0)`,
    `  $arena: unknown = undefined`,
    `  $name = '${name}'`,
    `  $room = {}`,
    `  arena: unknown = undefined`,
  ]
  return [`class ${name}Record {`, ...own, ...lines, '}', ''].join('\n')
}

/** The module of all routines; kernels must have been written, for routines may call what is printed over arrays. */
function printRoutineModule(files) {
  const marked = files.filter((f) => readFileSync(f, 'utf8').includes('@routine'))
  const { functions, records, statics } = readRoutines(ts.createProgram(marked, { ...options, noEmit: true }), marked)
  const entries = functions.filter((f) => f.entry)
  const signature = (f) => {
    const given = f.parameters.map((p, k) => `${p.name === 'record' ? `record${k}` : p.name}: number`)
    return `  ${f.name}(${given.join(', ')}): ${f.result === 'void' ? 'void' : 'number'}`
  }
  const kind = (t) => (t === 'i' ? 'i' : t.array ? t.array.toUpperCase() : t.record.name)
  const layouts = [...records.values()].map((r) => ({ name: r.name, fields: [...r.fields].map(([name, f]) => [name, kind(f.type)]) }))
  const known = { name: ROUTINES, kernels: entries.map((f) => f.name), statics: statics.size, data: statics.data }
  const type = `${ROUTINES[0].toUpperCase()}${ROUTINES.slice(1)}Routines`
  const outside = functions.filter((f) => f.outside)
  const imports = outside.map(
    (f) =>
      `import { ${f.name} } from '../${relative(source, f.declared.getSourceFile().fileName).replaceAll('\\', '/').replace(/\.ts$/, '.js')}'`,
  )
  return {
    [`${ROUTINES}.ts`]: [
      "import type { RoutineModule } from '../kernels/records.js'",
      `import { f64 } from './${ROUTINES}-f64.js'`,
      ...imports,
      '',
      `export interface ${type} {`,
      ...entries.map(signature),
      '}',
      '',
      ...layouts.map(printRecord),
      `const records = { ${layouts.map((r) => `${r.name}: { fields: ${JSON.stringify(r.fields)}, make: () => new ${r.name}Record() }`).join(', ')} }`,
      `const known = ${JSON.stringify(known)}`,
      `export const ${ROUTINES}Module: RoutineModule = { ...(known as unknown as Omit<RoutineModule, 'records' | 'f64' | 'outside'>), outside: { ${outside.map((f) => f.name).join(', ')} }, records: records as unknown as RoutineModule['records'], f64 }`,
      '',
    ].join('\n'),
    [`${ROUTINES}-f64.ts`]: `export const f64 = '${encode(printRoutines(functions, { named }))}'\n`,
    [`${ROUTINES}-js.ts`]: [...imports, printRoutinesJs(functions, { checked })].join('\n'),
  }
}

/** Texts for the GPU, and the files whose kernels with the tables of a group they have: a page fetches the one that it runs. */
const SHADERS = {
  wgsl: /^(batch\/step|solvers\/implicit\/(step|observe))\./,
  'wgsl-pairs': /^solvers\/implicit\/(step-pairs|observe)\./,
  'wgsl-trajectories': /^solvers\/position\/lanes\//,
}

function printShaders(kernels) {
  const isEntry = (k) => k.parameters.length === 4 && k.parameters.every((p) => p instanceof Table)
  return Object.fromEntries(
    Object.entries(SHADERS).map(([name, files]) => {
      const entries = kernels.filter((k) => files.test(pathOf(k.file)) && isEntry(k))
      const functions = printWgsl(
        kernels,
        entries.map((k) => k.name),
      )
      return [`${name}.ts`, `export const wgsl = ${JSON.stringify(packWgsl(functions))}\n`]
    }),
  )
}

/** Tables that only the kernels of these modules are given lie apart, so that the core does not carry them. */
const TABLES_APART = { trajectories: ['trajectories'], ground: ['ground', 'pairs', 'observe'] }

function printTables(all, kernels, others) {
  const known = new Set(tablesOf(others).keys())
  const lines = [...tablesOf(kernels)]
    .filter(([name]) => all || !known.has(name))
    .map(([name, words]) => `  ${name}: ${JSON.stringify(words)},`)
  const type = 'Readonly<Record<string, readonly (readonly [string, string, number])[]>>'
  return `/** Words of each table: name, what it is, numbers in a record. */\nexport const tables = {\n${lines.join('\n')}\n} as const satisfies ${type}\n`
}

/** For the source form of a kernel, which sees records: the shape of every column. No part of the engine reads it. */
function printShapes(kernels) {
  const columnOf = ({ width, shape, single }) => ({ width, shape, ...(single ? { single } : {}) })
  const tables = {}
  const parameters = {}
  for (const kernel of kernels) {
    parameters[kernel.name] = kernel.parameters.map((p) => (p === 'int' ? 'int' : p instanceof Column ? columnOf(p) : p.name))
    for (const p of kernel.parameters) {
      if (!(p instanceof Table)) continue
      tables[p.name] = Object.fromEntries([...p.fields.values()].map((f) => [f.name, f instanceof Column ? columnOf(f) : 'int']))
    }
  }
  return `export const shapes = ${JSON.stringify({ tables, parameters }, null, 1)} as const\n`
}

/** True if anything was printed. */
export function printKernels({ force = false } = {}) {
  const files = filesBelow(source)
    .filter((f) => f.endsWith('.kernel.ts'))
    .sort()
  const sources = filesBelow(source).filter(
    (f) => f.endsWith('.ts') && !/[./-]test[.-]/.test(f) && !f.startsWith(`${out.replaceAll('\\', '/')}/`),
  )
  const read = [...sources, ...filesBelow(here)].filter((f) => /\.(ts|mjs)$/.test(f) && !/[./-]test[.-]/.test(f)).sort()
  const hash = createHash('sha256').update(`${named} ${checked}`)
  for (const file of read) hash.update(file.slice(source.length)).update(readFileSync(file))
  const stamp = hash.digest('hex')
  const stampFile = join(out, 'sources.txt')
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false

  const program = checkedProgram(files, options)
  const kernels = compileFiles(program, files)
  const inLanes = kernels.filter((k) => LANES.includes(moduleOf(k.file)))
  const ofLanes = new Set([...inLanes.map((k) => k.name), ...calledBy(inLanes, kernels)])
  const single = compileFiles(program, files, { single: true, wanted: (name) => ofLanes.has(name) })
  const modules = new Map()
  for (const kernel of kernels) {
    const name = moduleOf(kernel.file)
    modules.set(name, [...(modules.get(name) ?? []), kernel])
  }
  const inModules = (names) => kernels.filter((kernel) => names.includes(moduleOf(kernel.file)))
  const common = kernels.filter((kernel) => !inModules(Object.values(TABLES_APART).flat()).includes(kernel))
  const printed = { 'tables.ts': printTables(true, common, []), 'shapes.ts': printShapes(kernels), ...printShaders(single) }
  for (const [name, names] of Object.entries(TABLES_APART)) printed[`${name}-tables.ts`] = printTables(false, inModules(names), common)
  for (const [name, list] of modules) {
    if (ARRAYS.includes(name)) {
      printed[`${name}.ts`] = ['type Int = number\n', ...list.map(printOverArrays)].join('\n')
      continue
    }
    const outside = (names) => kernels.filter((k) => names.has(k.name) && !list.includes(k))
    Object.assign(printed, printModule(name, list, outside(calledBy(list, kernels)), outside(calledBy(list, [])), single))
  }
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  write(printed, 'the *.kernel.ts files')
  write(printRoutineModule(sources), 'functions marked @routine')
  writeFileSync(stampFile, stamp)
  return true
}

function write(printed, what) {
  for (const [name, text] of Object.entries(printed))
    writeFileSync(join(out, name), `// Printed by tools/kernels from ${what}: change those.\n${text}`)
}

/** Names of the kernels that these call, and those among `all` call, and so on. */
function calledBy(list, all) {
  const found = new Set()
  const visit = (kernel) => {
    for (const name of kernel.calls.keys()) {
      if (found.has(name)) continue
      found.add(name)
      const callee = all.find((k) => k.name === name)
      if (callee) visit(callee)
    }
  }
  list.forEach(visit)
  return found
}

if (process.argv[1] && basename(process.argv[1]) === 'build.mjs' && dirname(process.argv[1]) === here) {
  try {
    if (printKernels({ force: process.argv.includes('--force') })) console.log('kernels: printed')
  } catch (e) {
    console.error(e.message)
    process.exitCode = 1
  }
}
