/**
 * Prints kernels as one WebAssembly module over an imported memory. Forms: f64, one mechanism; f64x2 and f32x4, a lane for each of two or
 * four. In lanes a column of Lanes or Varied holds the numbers of all lanes side by side; Shared and Ints are the same for all.
 *
 * Bytes as in the specification of WebAssembly, binary format, https://webassembly.github.io/spec/core/binary.
 */
import { KernelError } from './error.mjs'
import { actual } from './graph.mjs'
import { assignRegisters } from './registers.mjs'

const I32 = 0x7f
const F64 = 0x7c
const V128 = 0x7b
const EMPTY = 0x40
const simd = (...code) => [0xfd, ...code]

/** `bytes`: of a number in a column of Lanes or Varied, `element`: in a column of Shared. Loads and stores are followed by their offset. `whole`, `number`: index and load of a `lookup`. */
const FORMS = {
  f64: {
    type: F64,
    bytes: 8,
    element: 8,
    load: [0x2b, 3],
    spread: [0x2b, 3],
    store: [0x39, 3],
    add: [0xa0],
    sub: [0xa1],
    mul: [0xa2],
    div: [0xa3],
    neg: [0x9a],
    abs: [0x99],
    sqrt: [0x9f],
    floor: [0x9c],
    min: [0xa4],
    max: [0xa5],
    eq: [0x61],
    ne: [0x62],
    lt: [0x63],
    gt: [0x64],
    le: [0x65],
    ge: [0x66],
    and: [0x71],
    or: [0x72],
    not: [0x45],
    select: [0x1b],
    any: [],
    whole: [0xfc, 2],
    number: [0x2b, 3, 0],
  },
  f64x2: {
    type: V128,
    bytes: 16,
    element: 8,
    load: simd(0, 4),
    spread: simd(10, 3),
    store: simd(11, 4),
    add: simd(0xf0, 1),
    sub: simd(0xf1, 1),
    mul: simd(0xf2, 1),
    div: simd(0xf3, 1),
    neg: simd(0xed, 1),
    abs: simd(0xec, 1),
    sqrt: simd(0xef, 1),
    floor: simd(0x75),
    min: simd(0xf4, 1),
    max: simd(0xf5, 1),
    eq: simd(0x47),
    ne: simd(0x48),
    lt: simd(0x49),
    gt: simd(0x4a),
    le: simd(0x4b),
    ge: simd(0x4c),
    and: simd(0x4e),
    or: simd(0x50),
    not: simd(0x4d),
    select: simd(0x52),
    any: simd(0x53),
    fma: simd(0x87, 2),
    fnma: simd(0x88, 2),
    extract: simd(0x21),
    whole: [0xfc, 2],
    number: [0x2b, 3, 0],
    splat: simd(0x14),
    replace: simd(0x22),
  },
  f32x4: {
    type: V128,
    bytes: 16,
    element: 4,
    load: simd(0, 4),
    spread: simd(9, 2),
    store: simd(11, 4),
    add: simd(0xe4, 1),
    sub: simd(0xe5, 1),
    mul: simd(0xe6, 1),
    div: simd(0xe7, 1),
    neg: simd(0xe1, 1),
    abs: simd(0xe0, 1),
    sqrt: simd(0xe3, 1),
    floor: simd(0x68),
    min: simd(0xe8, 1),
    max: simd(0xe9, 1),
    eq: simd(0x41),
    ne: simd(0x42),
    lt: simd(0x43),
    gt: simd(0x44),
    le: simd(0x45),
    ge: simd(0x46),
    and: simd(0x4e),
    or: simd(0x50),
    not: simd(0x4d),
    select: simd(0x52),
    any: simd(0x53),
    fma: simd(0x85, 2),
    fnma: simd(0x86, 2),
    extract: simd(0x1f),
    whole: [0xfc, 0],
    number: [0x2a, 2, 0],
    splat: simd(0x13),
    replace: simd(0x20),
  },
}
const WHOLE = { iadd: 0x6a, isub: 0x6b, imul: 0x6c, ieq: 0x46, ine: 0x47, ilt: 0x48, igt: 0x4a, ile: 0x4c, ige: 0x4e }
const LOGIC = { and: 0x71, or: 0x72, not: 0x45 }

export const unsigned = (x) => {
  const out = []
  for (; x > 127; x = Math.floor(x / 128)) out.push((x & 127) | 128)
  return [...out, x]
}
export const signed = (x) => {
  const out = []
  for (; x < -64 || x > 63; x >>= 7) out.push((x & 127) | 128)
  return [...out, x & 127]
}
export const name = (s) => vector([...new TextEncoder().encode(s)])
export const vector = (list) => [...unsigned(list.length), ...list.flat()]
export const section = (id, content) => [id, ...unsigned(content.length), ...content]

function constant(form, x) {
  const bytes = [...new Uint8Array((form.element === 4 ? Float32Array : Float64Array).of(x).buffer)]
  if (form.type === F64) return [0x44, ...bytes]
  return simd(12, ...Array.from({ length: 16 / bytes.length }, () => bytes).flat())
}

function printFunction(form, { names, body, locals }, indexOf, fused) {
  const code = []
  const lanes = form.type === V128
  const { register, types } = assignRegisters(body, locals, (kind) =>
    kind === 'f' || (kind === 'm' && form.type === V128) ? form.type : I32,
  )
  const local = (k) => unsigned(names.length + register[k])
  const ofLanes = ({ width }) => width === 'lane' || width === 'varied'
  const bytesOf = (column) => (column.width === 'int' ? 4 : ofLanes(column) ? form.bytes : form.element)

  /** `whole`: a constant here is a whole number or a test on such */
  const put = (node, whole = false) => {
    const n = actual(node)
    if (n.op === 'const') {
      if (whole) code.push(0x41, ...signed(Number(n.value)))
      else if (typeof n.value === 'boolean')
        code.push(...(lanes ? simd(12, ...new Array(16).fill(n.value ? 255 : 0)) : [0x41, Number(n.value)]))
      else code.push(...constant(form, n.value))
    } else if (n.local !== undefined) code.push(0x20, ...local(n.local))
    else expression(n)
  }
  const product = (node) => {
    const n = actual(node)
    return fused && form.fma && n.op === 'mul' && n.local === undefined ? n : undefined
  }
  const expression = (n) => {
    const [a, b, c] = n.args
    if (n.op === 'param') code.push(0x20, ...unsigned(n.param))
    else if (n.op === 'word') code.push(0x20, ...unsigned(n.param), 0x28, 2, ...unsigned(4 * n.index))
    else if (n.op === 'address') {
      put(a)
      if (actual(b).value === 0) return
      put(b, true)
      code.push(0x41, ...signed(n.column.stride * bytesOf(n.column)), 0x6c, 0x6a)
    } else if (n.op === 'load') {
      put(a)
      const load = n.column.width === 'int' ? [0x28, 2] : ofLanes(n.column) ? form.load : form.spread
      code.push(...load, ...unsigned(n.offset * bytesOf(n.column)))
    } else if (n.op === 'lookup') {
      for (let lane = 0; lane < form.bytes / form.element; lane++) {
        put(a)
        put(b)
        if (lanes) code.push(...form.extract, lane)
        code.push(...form.whole, 0x41, ...signed(form.element), 0x6c, 0x6a, ...form.number)
        if (lanes) code.push(...(lane === 0 ? form.splat : [...form.replace, lane]))
      }
    } else if (n.op === 'select') {
      put(b)
      put(c)
      put(a)
      code.push(...form.select)
    } else if (WHOLE[n.op] !== undefined) {
      put(a, true)
      put(b, true)
      code.push(WHOLE[n.op])
    } else if (n.op === 'finite') {
      put(a)
      code.push(...form.abs, ...constant(form, Number.POSITIVE_INFINITY), ...form.lt)
    } else if (n.kind === 'b' && n.op !== 'any') {
      for (const x of n.args) put(x, true)
      code.push(LOGIC[n.op])
    } else if (n.op === 'add' && product(b)) {
      // a + x y in one rounding
      for (const x of [...product(b).args, a]) put(x)
      code.push(...form.fma)
    } else if (n.op === 'add' && product(a)) {
      for (const x of [...product(a).args, b]) put(x)
      code.push(...form.fma)
    } else if (n.op === 'sub' && product(b)) {
      for (const x of [...product(b).args, a]) put(x)
      code.push(...form.fnma)
    } else {
      for (const x of n.args) put(x)
      code.push(...form[n.op])
    }
  }
  const perLane = (test) => lanes && actual(test).kind === 'm'

  const print = (list) => {
    for (const s of list) {
      const whole = s.node !== undefined && (s.node.kind === 'i' || s.node.kind === 'b')
      if (s.op === 'set') {
        expression(s.node)
        code.push(0x21, ...local(s.node.local))
      } else if (s.op === 'copy') {
        put(s.node)
        code.push(0x21, ...local(s.local))
      } else if (s.op === 'let' || s.op === 'assign') {
        if (!s.value) continue
        put(s.value, whole)
        code.push(0x21, ...local(s.node.local))
      } else if (s.op === 'store') {
        put(s.address)
        put(s.value)
        code.push(...form.store, ...unsigned(s.offset * form.bytes))
      } else if (s.op === 'call') {
        for (const a of s.args) put(a, true)
        code.push(0x10, ...unsigned(indexOf(s.name)))
      } else if (s.op === 'test') {
        if (perLane(s.node)) throw new KernelError(s.source, 'a loop ends at another turn in each lane: test any(…) and choose with ?:')
        put(s.node, true)
        code.push(0x45, 0x0d, 1)
      } else if (s.op === 'loop') {
        code.push(0x02, EMPTY, 0x03, EMPTY)
        print(s.bodies[0])
        code.push(0x0c, 0, 0x0b, 0x0b)
      } else {
        if (perLane(s.test)) throw new KernelError(s.source, 'a branch differs from lane to lane: test any(…), or choose with ?:')
        put(s.test, true)
        code.push(0x04, EMPTY)
        print(s.bodies[0])
        if (s.bodies[1].length > 0) code.push(0x05)
        print(s.bodies[1])
        code.push(0x0b)
      }
    }
  }
  print(body)
  const declared = [...new Set(types)].map((type) => [...unsigned(types.filter((t) => t === type).length), type])
  const whole = [...vector(declared), ...code, 0x0b]
  return [...unsigned(whole.length), ...whole]
}

/** The names of all functions, for profiles. */
export const nameSection = (functions) =>
  section(0, [...name('name'), 1, ...vector(vector(functions.map((f, k) => [...unsigned(k), ...name(f.name)])))])

/** A kernel that does nothing for each number of parameters: `compileWrappers` of kernels/instance calls them. */
const idle = (kernels) =>
  [...new Set(kernels.map((k) => k.names.length))].map((n) => ({
    ...{ name: `$${n}`, names: Array.from({ length: n }, (_, k) => `p${k}`), body: [], locals: [], calls: new Map() },
  }))

/** Bytes of a module that imports env.memory. `named`: with the names of all functions, which profilers show. `fused`: in lanes, products and sums in one rounding, other bits. `shared`: the memory is shared by threads. */
export function printWasm(given, formName, { fused = false, shared = false, named = false } = {}) {
  const form = FORMS[formName]
  const kernels = formName === 'f64' ? [...given, ...idle(given)] : given
  for (const kernel of kernels)
    for (const [called, node] of kernel.calls)
      if (!kernels.some((k) => k.name === called)) throw new KernelError(node, `'${called}' is not in this module`)
  const indexOf = (called) => kernels.findIndex((k) => k.name === called)
  const counts = [...new Set(kernels.map((k) => k.names.length))]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(counts.map((n) => [0x60, ...vector(Array.from({ length: n }, () => [I32])), 0]))),
    ...section(2, [1, ...name('env'), ...name('memory'), 2, ...(shared ? [3, 1, ...unsigned(65536)] : [0, 1])]),
    ...section(3, vector(kernels.map((k) => unsigned(counts.indexOf(k.names.length))))),
    ...section(7, vector(kernels.map((k, index) => [...name(k.name), 0, ...unsigned(index)]))),
    ...section(10, vector(kernels.map((k) => printFunction(form, k, indexOf, fused)))),
    ...(named ? nameSection(kernels) : []),
  ])
}
