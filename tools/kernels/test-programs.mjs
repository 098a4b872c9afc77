/** Random programs in the language of kernels, and random numbers to run them on. */

/** Numbers from 0 to 1 [mulberry32]. */
export function random(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const RECORDS = 40

/** What all programs share. Two kernels are there to be called. */
export const HEAD = `import { add, any, type Int, type Ints, type Lanes, negate, scale, type Shared, sub } from '../math/values/columns.js'
type Two = readonly [number, number]
export type Pair = { readonly a: number; readonly b: Two }
export interface Fixed { readonly n: Int; readonly h: number; readonly at: Ints; readonly K: Shared<Pair>; readonly down: Ints; readonly u: Pair; readonly one: Int; readonly g: Shared<number> }
export interface Work { readonly x: Lanes<number>; readonly y: Lanes<Pair>; readonly z: Lanes<Pair> }
const HALF = 1 / 2
const NONE: Pair = { b: [0, -0], a: 0 }
const TURN: Two = [HALF - 1, 3 * 0.25]
const pairOf = (p: Pair): Pair => p
const make = (a: number, b: number, c: number): Pair => ({ b: [b, c], a })
const flip = ({ a, b: [u, v] }: Pair): Pair => ({ a: -a, b: [v, u] })
const apply = <T>(f: (p: T) => T, p: T): T => f(p)
const eq = (a: number, b: number): boolean => a === b
const ne = (a: number, b: number): boolean => a !== b
const clamp = (x: number): number => Math.max(-4, Math.min(4, x))
const tame = ({ a, b }: Pair): Pair => ({ b: [clamp(b[0]), clamp(b[1])], a: clamp(a) })
function pick(m: Fixed, i: Int, p: Pair, q: Pair): Pair {
  let r = p
  if (m.at[i] > 2) {
    if (m.at[i] === 6) return negate(p)
    else if (m.at[i] === 7) {
      r = scale(HALF, q)
      if (m.one === 2) return r
    }
  }
  if (m.at[i] < 5) return r
  if (m.at[i] < 9) return add(r, q, p)
  return q
}
function total(m: Fixed, x: Lanes<number>, from: Int, to: Int): number {
  if (from > to) return -1
  let sum = 0
  let before = 1
  for (let k = from; k < to; k++) {
    if (m.at[k] === 4) continue
    ;[sum, before] = [sum + x[k], sum]
  }
  return sum - before
}
/** Writes through a column that it is given. */
const put = (x: Lanes<number>, k: Int, value: number): void => {
  if (k === 7) return
  x[k] = value
}
/** @kernel */
export function bump(m: Fixed, x: Lanes<number>, k: Int): void {
  for (let i = k; i < m.n; i++) x[i] = clamp(x[i] + 0.25 * m.g[i])
}
/** @kernel */
export function mix(y: Lanes<Pair>, k: Int, d: Work, m: Fixed): void {
  y[k] = tame(add(y[k + 1], d.z[k]))
  bump(m, d.x, k)
}
`

/** One kernel. Whole numbers are at most 27. `scalar`: it may branch on numbers that differ from lane to lane. */
export function program(name, r, scalar) {
  let next = 0
  const fresh = (p) => `${p}${next++}`
  const one = (list) => list[Math.floor(r() * list.length)]
  const chance = (p) => r() < p
  const some = (...makers) => one(makers)()

  const literal = () => one(['0', '1', '-1', '-0', '0.5', '2', 'HALF', 'TURN[0]', 'TURN[1]', '(HALF - 0.5)', '(3 * 0.25)', r().toFixed(3)])
  // few places, by several names, so that stores and loads often meet
  const place = (s) => (chance(0.5) ? one(['q', '3', '1', 'm.one']) : index(s))
  const index = (s) =>
    some(
      () => one(s.ints),
      () => one(s.ints),
      () => `m.at[${one(s.ints)}]`,
      () => `${one(s.ints)} + ${one([0, 1, 2])}`,
      () => `${one(s.ints)} + 3 - ${one([1, 2])}`,
      () => `m.at[${one(s.ints)} + 1]`,
      () => `m.n - ${one([1, 2, 5])}`,
      () => `q + ${one(s.ints)} - 2`,
      () => `${one([2, 0, 1])} * m.at[${one(s.ints)}] + 1`,
      () => `m.n - -2`,
      () => `(${wholeTest(s)} ? ${one(s.ints)} : m.at[${one(s.ints)}])`,
      () => one(['0', '1', '5', '30', '2 + 3']),
    )
  const sign = () => one(['<', '>', '<=', '>=', '===', '!=='])
  const wholeTest = (s, depth = 0) =>
    some(
      () => `${index(s)} ${one(['<', '>', '<=', '>='])} ${one(s.ints)}`,
      () => `${one(s.ints)} ${sign()} m.at[${one(s.ints)}]`,
      () => `m.at[${one(s.ints)}] ${sign()} ${one([3, 6, 9])}`,
      () => (depth > 1 ? 'm.n > 4' : `(${wholeTest(s, depth + 1)} ${one(['&&', '||'])} ${wholeTest(s, depth + 1)})`),
      () => `!(m.at[${one(s.ints)}] > 5)`,
      () => (s.wholeTests.length > 0 ? one(s.wholeTests) : 'q === 3'),
      () => (s.tests.length > 0 ? `any(${one(s.tests)} && false)` : 'm.one === 1'),
    )
  const test = (s, depth = 0) =>
    some(
      () => `${number(s, 2)} ${one(['<', '>', '<=', '>='])} ${number(s, 2)}`,
      () => `${one(['eq', 'ne'])}(${number(s, 3)}, ${number(s, 3)})`,
      () => (s.tests.length > 0 ? one(s.tests) : `d.x[2] < ${literal()}`),
      () => (depth > 1 ? `${one(s.numbers)} > 0` : `(${test(s, depth + 1)} ${one(['&&', '||'])} ${test(s, depth + 1)})`),
      () => `!(${one(s.numbers)} < ${literal()})`,
      () =>
        depth > 1
          ? `${one(s.numbers)} < 0`
          : `(${test(s, depth + 1)} ? ${test(s, depth + 1)} : ${one(['true', 'false', `${one(s.numbers)} > 1`])})`,
    )
  const number = (s, depth = 0) => {
    const n = () => number(s, depth + 1)
    if (depth > 2 || chance(0.3)) return chance(0.6) ? one(s.numbers) : literal()
    return some(
      () => `(${n()} ${one(['+', '-', '*'])} ${n()})`,
      () => `(${n()} ${one(['+', '-', '*'])} ${n()})`,
      () => `(${n()} ${one(['+', '-'])} ${n()} * ${n()})`,
      () => `-${one(s.numbers)}`,
      () => `-(${n()} * ${n()})`,
      () => `${n()} / (2 + Math.abs(${n()}))`,
      () => `${n()} / ${one(['2', '1', '-1', '0.3'])}`,
      () => `Math.sqrt(Math.abs(${n()}))`,
      () => `Math.floor(${n()})`,
      () => `Math.${one(['min', 'max'])}(${n()}, ${n()})`,
      () => `Math.${one(['min', 'max'])}(${n()}, ${n()}, ${n()})`,
      () => `(${test(s)} ? ${n()} : ${n()})`,
      () => `(${wholeTest(s)} ? ${n()} : ${n()})`,
      () => `${pair(s, depth + 1)}.${one(['a', 'b[0]', 'b[1]'])}`,
      () => `${one(['d.x', 'w'])}[${place(s)}]`,
      () => `m.K[${index(s)}].${one(['a', 'b[0]', 'b[1]'])}`,
      () => one([`m.g[${index(s)}]`, 'm.h', 'm.u.b[1]']),
      () => `total(m, ${one(['d.x', 'w'])}, ${one(s.ints)}, ${one(['m.n', one(s.ints)])})`,
      () => (s.numberMakers.length > 0 ? `${one(s.numberMakers)}(${n()}, ${index(s)})` : n()),
    )
  }
  const pair = (s, depth = 0) => {
    const p = () => pair(s, depth + 1)
    const n = () => number(s, depth + 2)
    if (depth > 1 || chance(0.3)) return one(s.pairs)
    return some(
      () => `add(${p()}, ${p()})`,
      () => `add(${p()}, ${p()}, ${p()})`,
      () => `sub(${p()}, scale(${n()}, ${p()}))`,
      () => `scale(${n()}, ${p()})`,
      () => `negate(${p()})`,
      () => `flip(${p()})`,
      () => `make(${n()}, ${n()}, ${n()})`,
      () => `pairOf({ b: [${n()}, ${literal()}], a: ${n()} })`,
      () => `pairOf({ ...${p()}, a: ${n()} })`,
      () => `(${wholeTest(s)} ? ${p()} : ${p()})`,
      () => `(${test(s)} ? ${p()} : ${p()})`,
      () => `d.${one(['y', 'z'])}[${place(s)}]`,
      () => `m.K[${index(s)}]`,
      () => 'm.u',
      () => `apply((p) => add(p, ${p()}), ${p()})`,
      () => `apply(flip, ${p()})`,
      () => `pick(m, ${index(s)}, ${p()}, ${p()})`,
      () => (s.pairMakers.length > 0 ? `${one(s.pairMakers)}(${p()}, ${index(s)}, ${n()})` : p()),
    )
  }

  const copy = (s) => Object.fromEntries(Object.entries(s).map(([k, list]) => [k, Array.isArray(list) ? [...list] : list]))
  const without = (s, name) =>
    Object.fromEntries(Object.entries(s).map(([k, list]) => [k, Array.isArray(list) ? list.filter((x) => x !== name) : list]))

  /** A closure with statements and returns of its own; it reads what is around it. */
  const closure = (s, depth, isPair) => {
    const own = { ...copy(s), lets: [], pairLets: [], intLets: [], testLets: [], inLoop: false, returns: true }
    const value = (t) => (isPair ? pair(t, 1) : number(t, 1))
    const [p, k, x] = [fresh('p'), fresh('k'), fresh('x')]
    own.ints.push(k)
    own.numbers.push(x)
    if (isPair) own.pairs.push(p)
    const body = [
      ...block(own, depth + 1, 2),
      ...(chance(0.6) ? [`if (${wholeTest(own)}) return ${value(own)}`] : []),
      ...(chance(0.4)
        ? [
            `if (${wholeTest(own)}) {`,
            ...block(own, depth + 1, 1),
            `if (${wholeTest(own)}) return ${value(own)}`,
            ...block(own, depth + 1, 1),
            '}',
          ]
        : []),
      `return ${value(own)}`,
    ]
    return [isPair ? `(${p}: Pair, ${k}: Int, ${x}: number): Pair => {` : `(${x}: number, ${k}: Int): number => {`, ...body, '}']
  }

  const loop = (s, depth) => {
    const i = fresh('i')
    const inner = { ...copy(s), inLoop: true }
    const [head, seen] = some(
      () => [`for (let ${i} = m.at[${one(s.ints)}]; ${i} < m.n; ${i}++) {`, i],
      () => [`for (let ${i} = m.n - 1; ${i} >= 2; ${i}--) {`, i],
      () => [`for (let ${i} = 0; ${i} < ${one([1, 2, 3])}; ${i}++) {`, i],
      () => [`for (let ${i} = 4; ${i} > 0; ${i} -= 2) {`, i],
      () => [`for (let ${i} = m.n; m.down[${i}] > 0; ${i} = m.down[${i}]) {`, i],
      () => [`for (let ${i} = -2; ${i} < m.one; ${i} += 1) {`, `(${i} + 3)`],
      () => [`for (let ${i} = q, e${i} = m.n; ${i} < e${i}; ${i}++) {`, i],
    )
    inner.ints.push(seen)
    const guard = chance(0.3)
      ? [`if (${wholeTest(inner)}) continue`]
      : chance(0.3)
        ? [
            `if (${wholeTest(inner)}) {`,
            ...block(inner, depth + 2, 1),
            `if (${wholeTest(inner)}) continue`,
            ...block(inner, depth + 2, 1),
            '}',
          ]
        : []
    return [head, ...guard, '{', ...block(inner, depth + 1, 1 + Math.floor(r() * 4)), '}', '}']
  }

  /** Every lane ends in its own turn. */
  const iteration = (s) => {
    const [open, n, l] = [fresh('open'), fresh('n'), one(s.lets)]
    return [
      `let ${open} = ${chance(0.5) ? 'true' : test(s)}`,
      `for (let ${n} = 0; any(${open}) && ${n} < 5; ${n}++) {`,
      `const next = ${open} ? clamp(${number(s, 2)}) : ${l}`,
      `${l} = next`,
      `${open} = ${open} && ${l} < 0.5`,
      '}',
    ]
  }

  const block = (s, depth, room) => {
    const own = copy(s)
    const out = []
    const isNew = { lets: [], pairLets: [] }
    const push = (kind, name, also) => {
      own[kind].push(name)
      if (also) own[also].push(name)
      isNew[also]?.push(name)
    }
    if (depth > 0 && room > 1 && chance(0.3) && own.pairLets.length > 0) {
      // an inner variable that hides an outer one
      const hidden = one(own.pairLets)
      out.push(`let ${hidden}: Pair = ${pair(without(own, hidden))}`)
    }
    const statements = [
      () => {
        const c = fresh('c')
        out.push(`const ${c} = ${number(own)}`)
        push('numbers', c)
      },
      () => {
        const c = fresh('c')
        out.push(`const ${c}: Pair = ${pair(own)}`)
        push('pairs', c)
      },
      () => {
        // loads that wait
        const [c, p] = [fresh('c'), fresh('c')]
        out.push(`const ${c} = ${one(['d.x', 'w'])}[${place(own)}]`, `const ${p}: Pair = d.${one(['y', 'z'])}[${place(own)}]`)
        for (let k = 0; k < 3; k++) push('numbers', c)
        for (let k = 0; k < 3; k++) push('pairs', p)
      },
      () => {
        const [a, b, e] = [fresh('c'), fresh('c'), fresh('c')]
        out.push(
          one([
            `const { b: [${a}, ${b}], a: ${e} } = ${pair(own)}`,
            `const [${a}, , ${b}, ${e}] = [${number(own)}, 3, ${number(own)}, ${number(own, 2)}]`,
          ]),
        )
        for (const c of [a, b, e]) push('numbers', c)
      },
      () => {
        const l = fresh('l')
        out.push(`let ${l}: number = ${number(own)}`)
        push('numbers', l, 'lets')
      },
      () => {
        const l = fresh('l')
        out.push(`let ${l}: Pair = ${pair(own)}`)
        push('pairs', l, 'pairLets')
      },
      () => {
        const k = fresh('k')
        out.push(`let ${k}: Int = ${one(['0', '2', 'q', `m.at[${one(own.ints)}]`])}`)
        push('ints', k, 'intLets')
      },
      () => {
        const t = fresh('b')
        const whole = chance(0.4)
        out.push(`const ${t}: boolean = ${whole ? wholeTest(own) : test(own)}`)
        push(whole ? 'wholeTests' : 'tests', t)
      },
      () => {
        const t = fresh('b')
        out.push(`let ${t}: boolean = ${test(own)}`)
        push('tests', t, 'testLets')
      },
      () => own.lets.length > 0 && out.push(`${one(own.lets)} ${one(['=', '+=', '-=', '*='])} clamp(${number(own)})`),
      () => own.lets.length > 0 && out.push(`${one(own.lets)}${one(['++', '--'])}`),
      () => own.pairLets.length > 0 && out.push(`${one(own.pairLets)} = tame(${pair(own)})`),
      () => own.intLets.length > 0 && out.push(`${one(own.intLets)} = ${one([one(['0', '1', '4']), `m.at[${one(own.ints)}]`])}`),
      () => own.testLets.length > 0 && out.push(`${one(own.testLets)} = ${test(own)}`),
      () => out.push(`${one(['d.x', 'w'])}[${place(own)}] = ${one(['0.5 * ', '', '-'])}clamp(${number(own)})`),
      () => out.push(`${one(['d.x', 'w'])}[${place(own)}] ${one(['+=', '-=', '*='])} ${literal()}`),
      () => out.push(`put(${one(['d.x', 'w'])}, ${index(own)}, clamp(${number(own)}))`),
      () => out.push(`d.${one(['y', 'z'])}[${place(own)}] = tame(${pair(own)})`),
      () => {
        // a record whose parts change places
        const [c, i] = [one(['y', 'z']), one(own.ints)]
        out.push(`d.${c}[${i}] = flip(d.${c}[${chance(0.7) ? i : index(own)}])`)
      },
      () => depth < 3 && out.push(...loop(own, depth)),
      () => depth < 3 && out.push(...loop(own, depth)),
      () => {
        if (depth > 2) return
        out.push(`if (${wholeTest(own)}) {`, ...block(own, depth + 1, 1 + Math.floor(r() * 3)))
        if (chance(0.6)) out.push('} else {', ...block(own, depth + 1, 1 + Math.floor(r() * 3)))
        out.push('}')
      },
      () => {
        if (!scalar || depth > 2) return
        out.push(`if (${test(own)}) {`, ...block(own, depth + 1, 2), '} else {', ...block(own, depth + 1, 1), '}')
      },
      () => {
        const [a, b] = [one(own.pairLets), one(own.pairLets)]
        if (a && a !== b) out.push(`;[${a}, ${b}] = [${b}, ${chance(0.5) ? a : `scale(0.5, ${a})`}]`)
      },
      () => {
        const [a, b] = [one(own.lets), one(own.lets)]
        if (a && a !== b) out.push(`;[${a}, ${b}] = [${b}, ${a}]`)
      },
      () => {
        if (own.lets.length === 0) return
        const [t, l] = [fresh('b'), one(own.lets)]
        out.push(`const ${t}: boolean = ${test(own)}`, `if (any(${t})) ${l} = ${t} ? ${number(own)} : ${l}`)
      },
      () => own.lets.length > 0 && out.push('{', ...iteration(own), '}'),
      () => {
        if (depth > 1) return
        const f = fresh('f')
        const isPair = chance(0.5)
        out.push(`const ${f} = ${closure(own, depth, isPair).join('\n')}`)
        push(isPair ? 'pairMakers' : 'numberMakers', f)
      },
      () => out.push(one([`bump(m, w, ${one(own.ints)})`, `bump(m, d.x, ${index(own)})`, `mix(d.y, ${one(own.ints)}, d, m)`])),
      () => own.inLoop && chance(0.4) && out.push(`if (${wholeTest(own)}) continue`),
      () => !own.inLoop && !own.returns && chance(0.2) && out.push(`if (${wholeTest(own)}) return`),
    ]
    // closures write nothing: a choice between numbers works out both sides
    const allowed = own.returns
      ? statements.filter((f) => !/d\.\$|'d\.x'|bump|out\.push\(`put/.test(f.toString()) || /loop\(/.test(f.toString()))
      : statements
    for (let k = 0; k < room; k++) one(allowed)()
    if (own.returns) return out
    // what was computed is seen
    for (const l of isNew.lets) out.push(`d.x[${one(own.ints)} + 2] += clamp(${l})`)
    for (const l of isNew.pairLets) out.push(`d.z[${one(own.ints)} + 2] = tame(${l})`)
    return out
  }
  const start = {
    numbers: ['d.x[1]', 'n0', 'w[2]', 'm.h'],
    lets: ['n0'],
    pairs: ['d.y[1]', 'm.K[0]', 'r0', 'r1', 'r2', 'NONE'],
    pairLets: ['r0', 'r1', 'r2'],
    ints: ['m.n', 'm.one', 'q'],
    intLets: [],
    tests: [],
    wholeTests: [],
    testLets: [],
    numberMakers: [],
    pairMakers: [],
    inLoop: false,
    returns: false,
  }
  return `/** @kernel */
export function ${name}(m: Fixed, d: Work, w: Lanes<number>, q: Int): void {
let n0 = d.x[3]
let r0: Pair = d.y[2]
let r1: Pair = d.z[2]
let r2: Pair = { b: [w[1], d.x[1]], a: d.y[1].a }
${block(start, 0, 8).join('\n')}
w[31] = n0
w[32] = d.x[3] - 2 * d.x[1] + w[2] + 3 * w[m.one]
d.z[36] = add(d.y[1], scale(2, d.z[3]), scale(3, d.y[2]))
d.z[37] = tame(r0)
d.z[38] = tame(r1)
d.z[39] = tame(r2)
}
`
}

/** Programs without their types, to follow HEAD: the TypeScript compiler takes longer than all the rest. */
export function sourceOf(programs) {
  const untyped = programs.join('\n').replaceAll(/: (Pair|Int|number|boolean|void|Fixed|Work|Lanes<number>)(?=[ ,)])/g, '')
  return `const { add, any, negate, scale, sub } = require('../math/values/columns.js')\n${untyped.replaceAll(/^export function (\w+)/gm, ';exports.$1 = function')}`
}

/** What `program` and the kernels of HEAD are run on. */
export function inputs(seed) {
  const r = random(seed)
  const list = (length, f) => Array.from({ length }, f)
  const lanes = (size) => list(4, () => list(RECORDS * size, () => Math.fround(2 * r() - 1)))
  return {
    m: {
      n: 8,
      h: [0.75],
      at: list(RECORDS, () => Math.floor(r() * 12)),
      K: list(RECORDS * 3, () => Math.fround(r() - 0.5)),
      down: list(RECORDS, (_, i) => Math.max(0, i - 1 - Math.floor(r() * 3))),
      u: [0.5, -0.25, 2],
      one: 1,
      g: list(RECORDS, () => (r() < 0.3 ? 0 : Math.fround(r()))),
    },
    d: { x: lanes(1), y: lanes(3), z: lanes(3) },
    w: lanes(1),
    q: 3,
  }
}
