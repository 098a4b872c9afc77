/** For the tests: sources in memory to kernels, and kernels to their results in every form, on memory that is watched. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import ts from 'typescript'
import { options } from './build.mjs'
import { actual, Column, FOLD, TEST } from './graph.mjs'
import { printJs } from './print-js.mjs'
import { printWasm } from './print-wasm.mjs'

/** sources of tests seem to lie in this folder, so that they import the engine's values */
const folder = join(dirname(fileURLToPath(import.meta.url)), '../../engine/src/tested').replaceAll('\\', '/')
export const pathOf = (name) => `${folder}/${name}.ts`

const parsed = new Map()

/** A host of the TypeScript compiler for { name: text }. */
export function hostOf(texts) {
  const own = new Map(Object.entries(texts).map(([name, text]) => [pathOf(name), text]))
  const host = ts.createCompilerHost(options)
  const fromDisk = host.getSourceFile
  host.getSourceFile = (path, target) => {
    if (own.has(path)) return ts.createSourceFile(path, own.get(path), target, true)
    if (!parsed.has(path)) parsed.set(path, fromDisk(path, target))
    return parsed.get(path)
  }
  const { fileExists, readFile } = host
  host.fileExists = (path) => own.has(path) || fileExists(path)
  host.readFile = (path) => own.get(path) ?? readFile(path)
  return host
}

/** What the source of a module exports, run as it is. `more`: JavaScript at its end. */
export function runSource(path, text = readFileSync(path, 'utf8'), more = '') {
  const { outputText } = ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } })
  const found = {}
  const require = (name) => runSource(join(dirname(path), name.replace(/\.js$/, '.ts')))
  compileFunction(outputText + more, ['exports', 'require'])(found, require)
  return found
}

const LANES = { source: 1, js: 1, f64: 1, f64x2: 2, f32x4: 4 }

/** Functions of all kernels in one form, over a memory of its own. `name` → (...addresses). */
function openForm(form, kernels, more = {}) {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const { buffer } = memory
  if (form === 'source') return { form, buffer, run: more.source }
  if (form === 'js') {
    const untyped = (text) =>
      text
        .replace(/^export function .*$/m, (head) => head.slice('export '.length).replaceAll(/: \w+/g, ''))
        .replaceAll(/^( *const t\d+): boolean/gm, '$1')
    const found = compileFunction(`${kernels.map((k) => untyped(printJs(k))).join('\n')}\nreturn { ${kernels.map((k) => k.name)} }`)()
    const [F, I] = [new Float64Array(buffer), new Int32Array(buffer)]
    return {
      form,
      buffer,
      run: Object.fromEntries(kernels.map(({ name }) => [name, (...addresses) => found[name](F, I, ...addresses)])),
    }
  }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(printWasm(kernels, form, more)), { env: { memory } })
  return { form, buffer, run: exports }
}

const fieldsOf = (p) => (p === 'int' ? [] : p instanceof Column ? [p] : [...p.fields.values()])

/**
 * Puts what a kernel is given into the memory of a form: a number for each Int, a list of numbers for Ints and Shared, a list for each lane for
 * Lanes; a table is a record of these. Returns the arguments, the columns of Lanes by their names, and how to read them.
 */
function fill({ form, buffer }, kernel, given) {
  const lanes = LANES[form]
  const Numbers = form === 'f32x4' ? Float32Array : Float64Array
  new Uint8Array(buffer).fill(0xff)
  // so far from the beginning that an index below zero with its offset still has an address
  let end = 1024
  const take = (bytes) => {
    const at = end
    end = (end + bytes + 15) & ~15
    return at
  }
  const columns = new Map()
  const put = (column, values, key) => {
    if (column.width === 'int') {
      const at = take(4 * values.length)
      new Int32Array(buffer, at, values.length).set(values)
      return at
    }
    const copies = column.width === 'lane' ? lanes : 1
    const length = (column.width === 'lane' ? values[0] : values).length
    const at = take(Numbers.BYTES_PER_ELEMENT * copies * length)
    const view = new Numbers(buffer, at, copies * length)
    for (let l = 0; l < copies; l++) (column.width === 'lane' ? values[l] : values).forEach((x, k) => (view[k * copies + l] = x))
    if (column.width === 'lane') columns.set(key, view)
    return at
  }
  const args = kernel.parameters.map((p, k) => {
    const name = kernel.names[k]
    if (p === 'int') return given[name]
    if (p instanceof Column) return put(p, given[name], name)
    const table = take(4 * p.fields.size)
    const words = fieldsOf(p).map((f) => (f instanceof Column ? put(f, given[name][f.name], `${name}.${f.name}`) : given[name][f.name]))
    new Int32Array(buffer, table, words.length).set(words)
    return table
  })
  if (end > buffer.byteLength) throw new Error('more data than one page')
  const lane = (l) =>
    new Map([...columns].map(([key, view]) => [key, Numbers.from({ length: view.length / lanes }, (_, k) => view[k * lanes + l])]))
  return { args, columns, lane }
}

/** A column as the source sees it, every index and every part checked. */
function watched(column, view) {
  const read = (shape, at) => {
    let k = at
    const of = (s) => {
      if (s === 'number') return view[k++]
      if (typeof s === 'number') return s
      return Array.isArray(s) ? s.map(of) : Object.fromEntries(Object.entries(s).map(([name, part]) => [name, of(part)]))
    }
    return of(shape)
  }
  const flat = (shape, value) => {
    if (shape === 'number' && typeof value === 'number') return [value]
    if (typeof shape === 'number' && value === shape) return []
    if (typeof shape !== 'object' || typeof value !== 'object') throw new Error(`${column.name}: ${value} is not ${JSON.stringify(shape)}`)
    return Object.keys(shape).flatMap((name) => flat(shape[name], value[name]))
  }
  const indexOf = (key) => {
    const index = Number(key)
    if (!Number.isInteger(index) || index < 0 || (index + 1) * column.stride > view.length)
      throw new Error(`${column.name}[${String(key)}]`)
    return index * column.stride
  }
  if (column.single) return read(column.shape, 0)
  return new Proxy(
    {},
    {
      get: (_, key) => read(column.shape, indexOf(key)),
      set: (_, key, value) => {
        if (column.width !== 'lane') throw new Error(`${column.name} is read only`)
        view.set(flat(column.shape, value), indexOf(key))
        return true
      },
    },
  )
}

function sourceArgs(kernel, given, columns) {
  const see = (field, value, key) => (field instanceof Column ? watched(field, columns.get(key) ?? value) : value)
  return kernel.parameters.map((p, k) => {
    const name = kernel.names[k]
    if (p === 'int' || p instanceof Column) return see(p, given[name], name)
    return Object.fromEntries(fieldsOf(p).map((f) => [f.name, see(f, given[name][f.name], `${name}.${f.name}`)]))
  })
}

/** All forms of some kernels; of those that `inLanes` is true of, also the lanes. `source`: what their source exports. `more`: options of the lanes. */
export function openForms(kernels, source, inLanes = () => true, more = {}) {
  const some = kernels.filter(inLanes)
  return {
    kernels,
    source: openForm('source', kernels, { source }),
    js: openForm('js', kernels),
    f64: openForm('f64', kernels),
    f64x2: openForm('f64x2', some, more),
    f32x4: openForm('f32x4', some, more),
    inLanes,
  }
}

/** Where two results differ first. `exact`: 0 and −0 differ too. */
function difference(a, b, exact) {
  for (const [name, x] of a) {
    const y = b.get(name)
    for (let k = 0; k < x.length; k++)
      if (!Object.is(x[k], y[k]) && (exact || x[k] !== y[k])) return `${name} ${k}: ${x[k]} and ${Object.is(y[k], -0) ? '-0' : y[k]}`
  }
  return undefined
}

/**
 * Runs a kernel in all forms on four lanes of data. The results of JavaScript for the first two of them, and how other forms differ from it:
 * WebAssembly in nothing, the source in no more than the sign of zeros; f32x4 from what `interpret` finds.
 */
export function runForms(forms, kernel, given) {
  const only = (lane) => {
    const pick = (field, value) => (field instanceof Column && field.width === 'lane' ? [value[lane]] : value)
    const entries = kernel.parameters.map((p, k) => {
      const value = given[kernel.names[k]]
      if (p === 'int' || p instanceof Column) return [kernel.names[k], pick(p, value)]
      return [kernel.names[k], Object.fromEntries(fieldsOf(p).map((f) => [f.name, pick(f, value[f.name])]))]
    })
    return Object.fromEntries(entries)
  }
  const differ = []
  const compare = (form, a, b, exact) => {
    const why = difference(a, b, exact)
    if (why) differ.push(`${kernel.name} ${form}: ${why}`)
  }
  const results = [0, 1].map((lane) => runForm(forms.js, kernel, only(lane))[0])
  results.forEach((expected, lane) => {
    compare('source', expected, runForm(forms.source, kernel, only(lane))[0], false)
    compare('f64', expected, runForm(forms.f64, kernel, only(lane))[0], true)
  })
  if (forms.inLanes(kernel)) {
    const two = runForm(forms.f64x2, kernel, given)
    results.forEach((expected, lane) => compare('f64x2', expected, two[lane], true))
    const single = runForm(forms.f32x4, kernel, given, (...args) => interpret(forms.kernels, kernel.name, forms.f32x4.buffer, args))
    runForm(forms.f32x4, kernel, given).forEach((four, lane) => compare('f32x4', single[lane], four, true))
  }
  return { results, differ }
}

/** Runs one kernel; results are a Map of columns for each lane. Throws where it wrote anywhere else. */
function runForm(opened, kernel, given, run = opened.run[kernel.name]) {
  const { args, columns, lane } = fill(opened, kernel, given)
  const before = new Uint8Array(opened.buffer).slice()
  run(...(opened.form === 'source' ? sourceArgs(kernel, given, columns) : args))
  const after = new Uint8Array(opened.buffer).slice()
  for (const view of columns.values())
    for (const bytes of [before, after]) bytes.fill(0, view.byteOffset, view.byteOffset + view.byteLength)
  if (Buffer.compare(before, after) !== 0) throw new Error(`${kernel.name} ${opened.form} wrote outside of its columns`)
  return Array.from({ length: LANES[opened.form] }, (_, l) => lane(l))
}

const OPS = {
  ...FOLD,
  ...TEST,
  neg: (a) => -a,
  and: (a, b) => a && b,
  or: (a, b) => a || b,
  not: (a) => !a,
  select: (a, b, c) => (a ? b : c),
}

/** Does what the statements of a kernel say, four lanes at a time, every number rounded to single precision: what f32x4 must give. */
function interpret(kernels, name, buffer, args) {
  const I = new Int32Array(buffer)
  const F = new Float32Array(buffer)
  const kernel = kernels.find((k) => k.name === name)
  const locals = []
  const round = (x) => (typeof x === 'number' ? Math.fround(x) : x)
  const each = (f, xs) => [0, 1, 2, 3].map((l) => round(f(...xs.map((x) => round(Array.isArray(x) ? x[l] : x)))))
  const valueOf = (node) => {
    const n = actual(node)
    if (n.op === 'const') return n.value
    return n.local === undefined ? work(n) : locals[n.local]
  }
  const work = (n) => {
    if (n.op === 'param') return args[n.param]
    if (n.op === 'word') return I[args[n.param] / 4 + n.index]
    const xs = n.args.map(valueOf)
    if (n.op === 'address') return xs[0] / 4 + xs[1] * n.column.stride * (n.column.width === 'lane' ? 4 : 1)
    if (n.op === 'load' && n.column.width === 'int') return I[xs[0] + n.offset]
    if (n.op === 'load' && n.column.width === 'shared') return [0, 0, 0, 0].fill(F[xs[0] + n.offset])
    if (n.op === 'load') return [...F.subarray(xs[0] + 4 * n.offset, xs[0] + 4 * n.offset + 4)]
    if (n.op === 'any') return [xs[0]].flat().some(Boolean)
    if (n.op === 'finite') return each(Number.isFinite, xs)
    if (n.op === 'imul') return Math.imul(...xs)
    if (n.kind === 'i' || n.kind === 'b') return OPS[n.op.replace(/^i/, '')](...xs)
    return each(OPS[n.op] ?? Math[n.op], xs)
  }
  const perform = (list) => {
    for (const s of list) {
      if (s.op === 'set') locals[s.node.local] = work(s.node)
      else if (s.op === 'copy') locals[s.local] = valueOf(s.node)
      else if (s.op === 'store') {
        const value = valueOf(s.value)
        F.set(Array.isArray(value) ? value : [value, value, value, value], valueOf(s.address) + 4 * s.offset)
      } else if (s.op === 'let' || s.op === 'assign') locals[s.node.local] = s.value && valueOf(s.value)
      else if (s.op === 'call') interpret(kernels, s.name, buffer, s.args.map(valueOf))
      else if (s.op === 'test') {
        if (!valueOf(s.node)) return false
      } else if (s.op === 'if') perform(s.bodies[valueOf(s.test) ? 0 : 1])
      else while (perform(s.bodies[0]));
    }
    return true
  }
  perform(kernel.body)
}
