/**
 * Prints a kernel as typed JavaScript over two views of one memory, $F for numbers and $I for whole ones: parameters are byte addresses and
 * whole numbers. Or over arrays, of which each column is one and a place in it: `f(out, o, x, i)`.
 */
import { KernelError } from './error.mjs'
import { actual, isConst, isTest } from './graph.mjs'

const INFIX = { add: ['+', 1], sub: ['-', 1], mul: ['*', 2], div: ['/', 2] }
const TESTS = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '===', ne: '!==' }

export function printJs({ name, names, body }) {
  const lines = printBody(body, names, {
    start: (column, bytes) => `(${bytes} >> ${column.width === 'int' ? 2 : 3})`,
    array: (column) => (column.width === 'int' ? '$I' : '$F'),
    beside: (place, offset) => `(${place} + ${offset}) | 0`,
    plain: () => false,
  })
  // a kernel over parameters alone reads no table
  const whole = lines.some((line) => line.includes('$I')) ? '$I' : '_$I'
  const parameters = ['$F: Float64Array', `${whole}: Int32Array`, ...names.map((p) => `${p}: number`)].join(', ')
  return `export function ${name}(${parameters}): void {\n${lines.join('\n')}\n}\n`
}

/** Of a kernel that reads before it writes, without branches between: arrays may then be one and the same, and what is read may be what is written. */
export function printOverArrays({ name, names, parameters, body, node }) {
  const nested = (list) => list.some((s) => s.op === 'call' || s.bodies?.some((b) => b.some((x) => x.op === 'store') || nested(b)))
  if (nested(body))
    throw new KernelError(node, 'over arrays a kernel writes at its end: no stores in branches or loops, no calls of kernels')
  const at = names.map((p, k) => (parameters[k] === 'int' ? p : `${p}At`))
  // values that are not at hand are worked out before the first is written
  const early = []
  const stores = []
  for (const s of body) {
    if (s.op !== 'store') early.push(s)
    else if (isConst(s.value) || (s.value.local !== undefined && s.value.op !== 'variable')) stores.push(s)
    else {
      const local = `s${stores.length}`
      early.push({ op: 'copy', local, node: s.value })
      stores.push({ ...s, value: { op: 'variable', local } })
    }
  }
  const lines = printBody([...early, ...stores], at, {
    start: (_, place) => place,
    array: (column) => names[column.param],
    beside: (place, offset) => `${place} + ${offset}`,
    plain: (n) => n.op === 'param' || (n.op === 'address' && actual(n.args[1]).value === 0),
  })
  const typed = names.flatMap((p, k) => (parameters[k] === 'int' ? [`${p}: Int`] : [`${p}: Float64Array`, `${p}At: Int`]))
  return `export function ${name}(${typed.join(', ')}): void {\n${lines.join('\n')}\n}\n`
}

/** `start`: place of the first record of a column, of the text of its parameter; `array`: what it is a place in; `beside`: a place further on; `plain`: what needs no name. */
function printBody(body, names, { start, array, beside, plain }) {
  const lines = []

  /** `binds`: how tightly the surroundings do */
  const text = (node, binds = 0) => {
    const n = actual(node)
    if (n.op === 'const') return Object.is(n.value, -0) ? '(-0)' : n.value < 0 ? `(${n.value})` : `${n.value}`
    if (n.local !== undefined && !plain(n)) return `${n.op === 'variable' ? 'v' : 't'}${n.local}`
    return expression(n, binds)
  }
  const expression = (n, binds = 0) => {
    const [a, b, c] = n.args
    if (INFIX[n.op]) {
      const [sign, own] = INFIX[n.op]
      const infix = `${text(a, own)} ${sign} ${text(b, own + 1)}`
      return own < binds ? `(${infix})` : infix
    }
    const test = TESTS[n.op] ?? (n.op.startsWith('i') ? TESTS[n.op.slice(1)] : undefined)
    if (test) return `(${text(a)} ${test} ${text(b)})`
    switch (n.op) {
      case 'neg':
        return `(-${text(a, 3)})`
      case 'iadd':
        return `((${text(a)} + ${text(b)}) | 0)`
      case 'isub':
        return `((${text(a)} - ${text(b)}) | 0)`
      case 'imul':
        return `Math.imul(${text(a)}, ${text(b)})`
      case 'param':
        return names[n.param]
      case 'word':
        return `$I[((${names[n.param]} >> 2) + ${n.index}) | 0]`
      case 'address': {
        const first = start(n.column, text(a))
        if (actual(b).value === 0) return first
        const index = n.column.stride === 1 ? text(b) : `Math.imul(${text(b)}, ${n.column.stride})`
        return `((${first} + ${index}) | 0)`
      }
      case 'load':
        return place(n.column, a, n.offset)
      case 'lookup':
        return `${array(n.column)}[(${text(a)} + ${text(b)}) | 0]`
      case 'select':
        return `(${text(a)} ? ${text(b)} : ${text(c)})`
      case 'and':
        return `(${text(a)} && ${text(b)})`
      case 'or':
        return `(${text(a)} || ${text(b)})`
      case 'not':
        return `!${text(a)}`
      case 'any':
        return text(a)
      case 'finite':
        return `(Math.abs(${text(a)}) < Infinity)`
      default:
        return `Math.${n.op}(${n.args.map((x) => text(x)).join(', ')})`
    }
  }
  const place = (column, at, offset) => `${array(column)}[${offset === 0 ? text(at) : beside(text(at), offset)}]`

  const print = (list, pad) => {
    for (const s of list) {
      if (s.op === 'set' && plain(s.node)) continue
      if (s.op === 'set') lines.push(`${pad}const t${s.node.local}${isTest(s.node) ? ': boolean' : ''} = ${expression(s.node)}`)
      else if (s.op === 'let')
        lines.push(`${pad}let v${s.node.local} = ${s.value ? text(s.value) : s.node.kind === 'm' || s.node.kind === 'b' ? 'false' : '0'}`)
      else if (s.op === 'copy') lines.push(`${pad}const v${s.local} = ${text(s.node)}`)
      else if (s.op === 'assign') lines.push(`${pad}v${s.node.local} = ${text(s.value)}`)
      else if (s.op === 'store') lines.push(`${pad}${place(s.column, s.address, s.offset)} = ${text(s.value)}`)
      else if (s.op === 'call') lines.push(`${pad}${s.name}(${['$F', '$I', ...s.args.map((a) => text(a))].join(', ')})`)
      else if (s.op === 'test') lines.push(`${pad}if (!${text(s.node)}) break`)
      else {
        lines.push(`${pad}${s.op === 'loop' ? 'for (;;)' : `if (${text(s.test)})`} {`)
        print(s.bodies[0], `${pad}  `)
        if (s.bodies[1]?.length > 0) {
          lines.push(`${pad}} else {`)
          print(s.bodies[1], `${pad}  `)
        }
        lines.push(`${pad}}`)
      }
    }
  }
  print(body, '  ')
  return lines
}
