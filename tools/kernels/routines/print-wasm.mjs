/** Prints routines as one WebAssembly module over an imported memory. */
import { wordType } from './front.mjs'

const I32 = 0x7f
const F64 = 0x7c
const EMPTY = 0x40
const typeByte = (t) => (wordType(t) === 'f' ? F64 : I32)

const WHOLE = { add: 0x6a, sub: 0x6b, mul: 0x6c, rem: 0x6f, and: 0x71, or: 0x72, xor: 0x73, shl: 0x74, shr: 0x75, ushr: 0x76 }
const REAL = { add: 0xa0, sub: 0xa1, mul: 0xa2, div: 0xa3 }
const COMPARE = {
  i: { eq: 0x46, ne: 0x47, lt: 0x48, gt: 0x4a, le: 0x4c, ge: 0x4e },
  f: { eq: 0x61, ne: 0x62, lt: 0x63, gt: 0x64, le: 0x65, ge: 0x66 },
}
const MATH = { neg: 0x9a, abs: 0x99, sqrt: 0x9f, floor: 0x9c, ceil: 0x9b, trunc: 0x9d, min: 0xa4, max: 0xa5 }

const unsigned = (x) => {
  const out = []
  for (; x > 127; x = Math.floor(x / 128)) out.push((x & 127) | 128)
  return [...out, x]
}
const signed = (x) => {
  const out = []
  for (; x < -64 || x > 63; x >>= 7) out.push((x & 127) | 128)
  return [...out, x & 127]
}
const vector = (list) => [...unsigned(list.length), ...list.flat()]
const name = (s) => vector([...new TextEncoder().encode(s)])
const section = (id, content) => [id, ...unsigned(content.length), ...content]
/** bytes in front of an array at which its length stands */
const LENGTH = 8
const bits = (x) => [...new Uint8Array(Float64Array.of(x).buffer)]

/** Functions that are one expression are put where they are called. */
const isInline = (f) => !f.entry && f.body.length === 1 && f.body[0].s === 'return' && f.body[0].v

function printFunction(f, indexOf) {
  const code = []
  const locals = [...f.locals]
  const parameters = f.parameters.length
  // depth of blocks around what is printed, and of those that a break and a continue lead out of
  let depth = 0
  const loops = []
  const emit = (...bytes) => {
    for (const b of bytes) code.push(b)
  }
  const get = (i) => emit(0x20, ...unsigned(i))
  const set = (i) => emit(0x21, ...unsigned(i))
  const tee = (i) => emit(0x22, ...unsigned(i))
  const whole = (x) => emit(0x41, ...signed(x))

  /** Pushes an address; the constant part of the place in bytes is returned. */
  const address = (a, index, shift, env) => {
    if (index.k === 'const') {
      put(a, env)
      return index.v << shift
    }
    let rest = index
    let offset = 0
    while (rest.k === 'bin' && rest.op === 'add' && rest.b.k === 'const' && rest.b.v >= 0) {
      offset += rest.b.v << shift
      rest = rest.a
    }
    put(a, env)
    put(rest, env)
    whole(shift)
    emit(0x74, 0x6a)
    return offset
  }
  const load = (e, offset) => (e === 'f' ? emit(0x2b, 3, ...unsigned(offset)) : emit(0x28, 2, ...unsigned(offset)))
  const store = (e, offset) => (e === 'f' ? emit(0x39, 3, ...unsigned(offset)) : emit(0x36, 2, ...unsigned(offset)))
  const shiftOf = (e) => (e === 'f' ? 3 : 2)

  /** `env`: registers of the locals of an inlined function */
  const put = (x, env) => {
    const at = (i) => (env ? env[i] : i)
    switch (x.k) {
      case 'const':
        if (wordType(x.t) === 'f') emit(0x44, ...bits(x.v))
        else whole(x.v)
        return
      case 'local':
        return get(at(x.i))
      case 'word':
        put(x.a, env)
        return emit(0x28, 2, ...unsigned(4 * x.slot))
      case 'length':
        put(x.a, env)
        whole(LENGTH)
        emit(0x6b)
        return load('i', 0)
      case 'load':
        return load(x.t, address(x.a, x.index, shiftOf(x.t), env))
      case 'at':
        get(at(x.place))
        return load(x.t, 0)
      case 'widen':
        put(x.a, env)
        return emit(0xb7)
      case 'narrow':
        put(x.a, env)
        return emit(0xfc, 2)
      case 'bin':
        put(x.a, env)
        put(x.b, env)
        return emit(x.t === 'f' ? REAL[x.op] : WHOLE[x.op])
      case 'compare':
        put(x.a, env)
        put(x.b, env)
        return emit(COMPARE[x.of][x.op])
      case 'math':
        for (const a of x.args) put(a, env)
        return emit(MATH[x.op])
      case 'not':
        put(x.a, env)
        return emit(0x45)
      case 'isNaN':
        put(x.a, env)
        tee(at(x.i))
        get(at(x.i))
        return emit(0x62)
      case 'both':
      case 'either':
        put(x.a, env)
        emit(0x04, I32)
        depth++
        if (x.k === 'both') put(x.b, env)
        else whole(1)
        emit(0x05)
        if (x.k === 'both') whole(0)
        else put(x.b, env)
        depth--
        return emit(0x0b)
      case 'choose':
        // what is at hand is chosen without a branch
        if (isPlain(x.a) && isPlain(x.b)) {
          put(x.a, env)
          put(x.b, env)
          put(x.c, env)
          return emit(0x1b)
        }
        put(x.c, env)
        emit(0x04, typeByte(x.t))
        depth++
        put(x.a, env)
        emit(0x05)
        put(x.b, env)
        depth--
        return emit(0x0b)
      case 'wholeChoice':
        put(x.a, env)
        tee(at(x.i))
        put(x.b, env)
        tee(at(x.j))
        get(at(x.i))
        get(at(x.j))
        return emit(COMPARE.i[x.op === 'min' ? 'lt' : 'gt'], 0x1b)
      case 'step':
        get(at(x.i))
        if (!x.first) get(at(x.i))
        whole(x.delta)
        emit(0x6a)
        return x.first ? tee(at(x.i)) : set(at(x.i))
      case 'stepWord': {
        put({ k: 'word', a: x.a, slot: x.slot }, env)
        if (x.first) {
          whole(x.delta)
          emit(0x6a)
        }
        put(x.a, env)
        put({ k: 'word', a: x.a, slot: x.slot }, env)
        whole(x.delta)
        emit(0x6a, 0x36, 2, ...unsigned(4 * x.slot))
        return
      }
      case 'stepLoad': {
        const offset = address(x.a, x.index, 2, env)
        if (offset > 0) {
          whole(offset)
          emit(0x6a)
        }
        tee(at(x.place))
        load('i', 0)
        if (x.first) {
          whole(x.delta)
          emit(0x6a)
        }
        get(at(x.place))
        get(at(x.place))
        load('i', 0)
        whole(x.delta)
        emit(0x6a)
        return store('i', 0)
      }
      case 'call': {
        if (isInline(x.f)) {
          const inner = x.f.locals.map((t) => {
            locals.push(t)
            return locals.length - 1
          })
          for (const a of x.args) put(a, env)
          for (let k = x.args.length - 1; k >= 0; k--) set(inner[k])
          return put(x.f.body[0].v, inner)
        }
        for (const a of x.args) put(a, env)
        return emit(0x10, ...unsigned(indexOf(x.f)))
      }
      default:
        throw new Error(`routines: ${x.k}`)
    }
  }
  const isPlain = (x) => x.k === 'local' || x.k === 'const' || (x.k === 'math' && x.op === 'neg' && isPlain(x.args[0]))

  const print = (list) => {
    for (const s of list) {
      switch (s.s) {
        case 'set':
          put(s.v)
          set(s.i)
          break
        case 'store': {
          const offset = address(s.a, s.index, shiftOf(s.e))
          put(s.v)
          store(s.e, offset)
          break
        }
        case 'storeWord':
          put(s.a)
          put(s.v)
          emit(0x36, 2, ...unsigned(4 * s.slot))
          break
        case 'update': {
          const offset = address(s.a, s.index, shiftOf(s.e))
          if (offset > 0) {
            whole(offset)
            emit(0x6a)
          }
          tee(s.place)
          put(s.v)
          store(s.e, 0)
          break
        }
        case 'fill': {
          const bytes = s.e === 'f' ? 8 : 4
          put(s.v)
          set(s.value)
          for (const [to, index] of [
            [s.place, s.from],
            [s.end, s.to],
          ]) {
            put(s.a)
            put(index)
            whole(shiftOf(s.e))
            emit(0x74, 0x6a)
            set(to)
          }
          emit(0x02, EMPTY, 0x03, EMPTY)
          get(s.place)
          get(s.end)
          emit(0x4f, 0x0d, 1)
          get(s.place)
          get(s.value)
          store(s.e, 0)
          get(s.place)
          whole(bytes)
          emit(0x6a)
          set(s.place)
          emit(0x0c, 0, 0x0b, 0x0b)
          break
        }
        case 'effect':
          put(s.v)
          if (s.v.t !== 'void') emit(0x1a)
          break
        case 'if':
          put(s.c)
          emit(0x04, EMPTY)
          depth++
          print(s.a)
          if (s.b.length > 0) {
            emit(0x05)
            print(s.b)
          }
          depth--
          emit(0x0b)
          break
        case 'loop': {
          // block (if not c break) loop (block body end) next (if c again) end end: one jump a turn
          emit(0x02, EMPTY)
          depth++
          const out = depth
          if (s.c) {
            put(s.c)
            emit(0x45, 0x0d, 0)
          }
          emit(0x03, EMPTY)
          depth++
          const top = depth
          const continues = hasContinue(s.body)
          if (continues) {
            emit(0x02, EMPTY)
            depth++
          }
          loops.push({ out, next: continues ? depth : undefined })
          print(s.body)
          loops.pop()
          if (continues) {
            depth--
            emit(0x0b)
          }
          print(s.next)
          if (s.c) {
            put(s.c)
            emit(0x0d, ...unsigned(depth - top))
          } else emit(0x0c, ...unsigned(depth - top))
          depth -= 2
          emit(0x0b, 0x0b)
          break
        }
        case 'break':
          emit(0x0c, ...unsigned(depth - loops.at(-1).out))
          break
        case 'continue':
          emit(0x0c, ...unsigned(depth - loops.at(-1).next))
          break
        case 'return':
          if (s.v) put(s.v)
          emit(0x0f)
          break
        default:
          throw new Error(`routines: ${s.s}`)
      }
    }
  }
  print(f.body)
  // every path has returned
  if (f.result !== 'void') emit(0x00)
  const own = locals.slice(parameters)
  // runs of one type
  const runs = []
  for (const t of own) {
    if (runs.length > 0 && runs.at(-1)[0] === t) runs.at(-1)[1]++
    else runs.push([t, 1])
  }
  const content = [...vector(runs.map(([t, n]) => [...unsigned(n), typeByte(t)])), ...code, 0x0b]
  return [...unsigned(content.length), ...content]
}

function hasContinue(list) {
  return list.some((s) => s.s === 'continue' || (s.s === 'if' && (hasContinue(s.a) || hasContinue(s.b))))
}

/** The names of all functions, for profiles. */
const nameSection = (printed) =>
  section(0, [...name('name'), 1, ...vector(vector(printed.map((f, k) => [...unsigned(k), ...name(f.name)])))])

/** Bytes of a module that imports env.memory and exports the entries. `named`: with the names of all functions, which profilers show. */
export function printRoutines(functions, { named = false } = {}) {
  const printed = functions.filter((f) => !isInline(f))
  const index = new Map(printed.map((f, k) => [f, k]))
  const types = new Map()
  const typeOf = (f) => {
    const bytes = [0x60, ...vector(f.parameters.map((p) => [typeByte(p.type)])), ...(f.result === 'void' ? [0] : [1, typeByte(f.result)])]
    const key = bytes.join()
    if (!types.has(key)) types.set(key, { index: types.size, bytes })
    return types.get(key).index
  }
  const declared = printed.map((f) => unsigned(typeOf(f)))
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([...types.values()].map((t) => t.bytes))),
    ...section(2, [1, ...name('env'), ...name('memory'), 2, 0, 1]),
    ...section(3, vector(declared)),
    ...section(7, vector(printed.filter((f) => f.entry).map((f) => [...name(f.name), 0, ...unsigned(index.get(f))]))),
    ...section(10, vector(printed.map((f) => printFunction(f, (g) => index.get(g))))),
    ...(named ? nameSection(printed) : []),
  ])
}
