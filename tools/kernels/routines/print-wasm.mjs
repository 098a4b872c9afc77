/** Prints routines as one WebAssembly module over an imported memory. */
import { name, nameSection, section, signed, unsigned, vector } from '../print-wasm.mjs'
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

/** bytes in front of an array at which its length stands */
const LENGTH = 8
const bits = (x) => [...new Uint8Array(Float64Array.of(x).buffer)]

// nodes of a function that is put where it is called: a call costs about as much as its arguments; and of one that is called from one place only
const SMALL = 45
const ONCE = 100

/** Nodes of statements and expressions below x. */
function sizeOf(x) {
  if (Array.isArray(x)) return x.reduce((sum, y) => sum + sizeOf(y), 0)
  if (typeof x !== 'object' || x === null || (x.k === undefined && x.s === undefined)) return 0
  let sum = 1
  for (const [name, part] of Object.entries(x)) if (name !== 'f' && name !== 't') sum += sizeOf(part)
  return sum
}

/** Every call of f, from `functions`. */
function callsOf(x, found) {
  if (Array.isArray(x)) for (const y of x) callsOf(y, found)
  else if (typeof x === 'object' && x !== null && (x.k !== undefined || x.s !== undefined)) {
    if (x.k === 'call') found.set(x.f, (found.get(x.f) ?? 0) + 1)
    for (const [name, part] of Object.entries(x)) if (name !== 'f' && name !== 't') callsOf(part, found)
  }
  return found
}

/** Functions that are put where they are called: no engine does that for us. */
function chooseInline(functions) {
  const calls = callsOf(
    functions.map((f) => f.body),
    new Map(),
  )
  return new Set(functions.filter((f) => !f.entry && !f.outside && sizeOf(f.body) <= (calls.get(f) === 1 ? ONCE : SMALL)))
}

function printFunction(f, indexOf, inline) {
  const code = []
  const locals = [...f.locals]
  const parameters = f.parameters.length
  // registers of the locals of the function that is printed in the place of its call, and where its returns lead; the function itself has its own
  let frame = { at: (i) => i, out: undefined, result: undefined }
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
  const address = (a, index, shift) => {
    if (index.k === 'const') {
      put(a)
      return index.v << shift
    }
    let rest = index
    let offset = 0
    while (rest.k === 'bin' && rest.op === 'add' && rest.b.k === 'const' && rest.b.v >= 0) {
      offset += rest.b.v << shift
      rest = rest.a
    }
    put(a)
    put(rest)
    whole(shift)
    emit(0x74, 0x6a)
    return offset
  }
  const load = (e, offset) => (e === 'f' ? emit(0x2b, 3, ...unsigned(offset)) : emit(0x28, 2, ...unsigned(offset)))
  const store = (e, offset) => (e === 'f' ? emit(0x39, 3, ...unsigned(offset)) : emit(0x36, 2, ...unsigned(offset)))
  const shiftOf = (e) => (e === 'f' ? 3 : 2)

  const put = (x) => {
    const { at } = frame
    switch (x.k) {
      case 'const':
        if (wordType(x.t) === 'f') emit(0x44, ...bits(x.v))
        else whole(x.v)
        return
      case 'local':
        return get(at(x.i))
      case 'word':
        put(x.a)
        return emit(0x28, 2, ...unsigned(4 * x.slot))
      case 'length':
        put(x.a)
        whole(LENGTH)
        emit(0x6b)
        return load('i', 0)
      case 'load':
        return load(x.t, address(x.a, x.index, shiftOf(x.t)))
      case 'at':
        get(at(x.place))
        return load(x.t, 0)
      case 'widen':
        put(x.a)
        return emit(0xb7)
      case 'narrow':
        put(x.a)
        return emit(0xfc, 2)
      case 'bin':
        put(x.a)
        put(x.b)
        return emit(x.t === 'f' ? REAL[x.op] : WHOLE[x.op])
      case 'compare':
        put(x.a)
        put(x.b)
        return emit(COMPARE[x.of][x.op])
      case 'math':
        for (const a of x.args) put(a)
        return emit(MATH[x.op])
      case 'not':
        put(x.a)
        return emit(0x45)
      case 'isNaN':
        put(x.a)
        tee(at(x.i))
        get(at(x.i))
        return emit(0x62)
      case 'both':
      case 'either':
        put(x.a)
        emit(0x04, I32)
        depth++
        if (x.k === 'both') put(x.b)
        else whole(1)
        emit(0x05)
        if (x.k === 'both') whole(0)
        else put(x.b)
        depth--
        return emit(0x0b)
      case 'choose':
        // what is at hand is chosen without a branch
        if (isPlain(x.a) && isPlain(x.b)) {
          put(x.a)
          put(x.b)
          put(x.c)
          return emit(0x1b)
        }
        put(x.c)
        emit(0x04, typeByte(x.t))
        depth++
        put(x.a)
        emit(0x05)
        put(x.b)
        depth--
        return emit(0x0b)
      case 'wholeChoice':
        put(x.a)
        tee(at(x.i))
        put(x.b)
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
        put({ k: 'word', a: x.a, slot: x.slot })
        if (x.first) {
          whole(x.delta)
          emit(0x6a)
        }
        put(x.a)
        put({ k: 'word', a: x.a, slot: x.slot })
        whole(x.delta)
        emit(0x6a, 0x36, 2, ...unsigned(4 * x.slot))
        return
      }
      case 'stepLoad': {
        const offset = address(x.a, x.index, 2)
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
      case 'call':
        for (const a of x.args) put(a)
        return inline.has(x.f) ? printInside(x.f) : emit(0x10, ...unsigned(indexOf(x.f)))
      default:
        throw new Error(`routines: ${x.k}`)
    }
  }
  /** The body of g in the place of a call; arguments are on the stack, and its result is left there. */
  const printInside = (g) => {
    const own = g.locals.map((t) => {
      locals.push(t)
      return locals.length - 1
    })
    for (let k = g.parameters.length - 1; k >= 0; k--) set(own[k])
    const outer = frame
    const before = loops.length
    frame = { at: (i) => own[i], out: undefined, result: g.result }
    const last = g.body.at(-1)
    const isStraight = countReturns(g.body) <= (last?.s === 'return' ? 1 : 0)
    if (isStraight) {
      // one return, at the end: what is left there is the result
      print(last?.s === 'return' ? g.body.slice(0, -1) : g.body)
      if (last?.s === 'return' && last.v) put(last.v)
    } else {
      emit(0x02, g.result === 'void' ? EMPTY : typeByte(g.result))
      depth++
      frame.out = depth
      print(g.body)
      // every path has returned
      if (g.result !== 'void') emit(0x00)
      depth--
      emit(0x0b)
    }
    loops.length = before
    frame = outer
  }
  const isPlain = (x) => x.k === 'local' || x.k === 'const' || (x.k === 'math' && x.op === 'neg' && isPlain(x.args[0]))

  const print = (list) => {
    for (const s of list) {
      switch (s.s) {
        case 'set':
          put(s.v)
          set(frame.at(s.i))
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
          tee(frame.at(s.place))
          put(s.v)
          store(s.e, 0)
          break
        }
        case 'fill': {
          const bytes = s.e === 'f' ? 8 : 4
          const [place, end, value] = [s.place, s.end, s.value].map(frame.at)
          put(s.v)
          set(value)
          for (const [to, index] of [
            [place, s.from],
            [end, s.to],
          ]) {
            put(s.a)
            put(index)
            whole(shiftOf(s.e))
            emit(0x74, 0x6a)
            set(to)
          }
          emit(0x02, EMPTY, 0x03, EMPTY)
          get(place)
          get(end)
          emit(0x4f, 0x0d, 1)
          get(place)
          get(value)
          store(s.e, 0)
          get(place)
          whole(bytes)
          emit(0x6a)
          set(place)
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
          if (frame.out === undefined) emit(0x0f)
          else emit(0x0c, ...unsigned(depth - frame.out))
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

/** Returns among statements. */
function countReturns(list) {
  return list.reduce(
    (sum, s) =>
      sum + (s.s === 'return' ? 1 : s.s === 'if' ? countReturns(s.a) + countReturns(s.b) : s.s === 'loop' ? countReturns(s.body) : 0),
    0,
  )
}

function hasContinue(list) {
  return list.some((s) => s.s === 'continue' || (s.s === 'if' && (hasContinue(s.a) || hasContinue(s.b))))
}

/** A routine that does nothing for each list of parameters and result: `compileWrappers` of kernels/instance calls them. */
function idle(entries) {
  const kinds = new Map(
    entries.map((f) => [[...f.parameters.map((p) => wordType(p.type)), f.result === 'void' ? '' : wordType(f.result)].join(), f]),
  )
  return [...kinds.values()].map(({ parameters, result }, k) => ({
    ...{ name: `$${k}`, entry: true, parameters, result, locals: parameters.map((p) => wordType(p.type)) },
    body: result === 'void' ? [] : [{ s: 'return', v: { k: 'const', t: result, v: 0 } }],
  }))
}

/** Bytes of a module that imports env.memory and exports the entries. `named`: with the names of all functions, which profilers show. */
export function printRoutines(functions, { named = false } = {}) {
  const inline = chooseInline(functions)
  const outside = functions.filter((f) => f.outside)
  const printed = [...functions.filter((f) => !inline.has(f) && !f.outside), ...idle(functions.filter((f) => f.entry))]
  const index = new Map([...outside, ...printed].map((f, k) => [f, k]))
  const types = new Map()
  const typeOf = (f) => {
    const bytes = [0x60, ...vector(f.parameters.map((p) => [typeByte(p.type)])), ...(f.result === 'void' ? [0] : [1, typeByte(f.result)])]
    const key = bytes.join()
    if (!types.has(key)) types.set(key, { index: types.size, bytes })
    return types.get(key).index
  }
  const declared = printed.map((f) => unsigned(typeOf(f)))
  const imported = outside.map((f) => [...name('env'), ...name(f.name), 0, ...unsigned(typeOf(f))])
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([...types.values()].map((t) => t.bytes))),
    ...section(2, vector([...imported, [...name('env'), ...name('memory'), 2, 0, 1]])),
    ...section(3, vector(declared)),
    ...section(7, vector(printed.filter((f) => f.entry).map((f) => [...name(f.name), 0, ...unsigned(index.get(f))]))),
    ...section(10, vector(printed.map((f) => printFunction(f, (g) => index.get(g), inline)))),
    ...(named ? nameSection([...outside, ...printed]) : []),
  ])
}
