/** Prints a kernel as typed JavaScript over two views of one memory, $F for numbers and $I for whole ones. Parameters are byte addresses and whole numbers. */
import { actual } from './graph.mjs'

const INFIX = { add: ['+', 1], sub: ['-', 1], mul: ['*', 2], div: ['/', 2] }
const TESTS = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '===', ne: '!==' }

export function printJs({ name, names, body }) {
  const lines = []
  const address = (column, bytes) => `${bytes} >> ${column.width === 'int' ? 2 : 3}`

  /** `binds`: how tightly the surroundings do */
  const text = (node, binds = 0) => {
    const n = actual(node)
    if (n.op === 'const') return Object.is(n.value, -0) ? '(-0)' : n.value < 0 ? `(${n.value})` : `${n.value}`
    if (n.local !== undefined) return `${n.op === 'variable' ? 'v' : 't'}${n.local}`
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
        const start = `(${address(n.column, text(a))})`
        if (actual(b).value === 0) return start
        const index = n.column.stride === 1 ? text(b) : `Math.imul(${text(b)}, ${n.column.stride})`
        return `((${start} + ${index}) | 0)`
      }
      case 'load':
        return place(n.column, a, n.offset)
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
      default:
        return `Math.${n.op}(${n.args.map((x) => text(x)).join(', ')})`
    }
  }
  const place = (column, at, offset) =>
    `${column.width === 'int' ? '$I' : '$F'}[${offset === 0 ? text(at) : `(${text(at)} + ${offset}) | 0`}]`

  const print = (list, pad) => {
    for (const s of list) {
      if (s.op === 'set') lines.push(`${pad}const t${s.node.local} = ${expression(s.node)}`)
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
  // a kernel over parameters alone reads no table
  const whole = lines.some((line) => line.includes('$I')) ? '$I' : '_$I'
  const parameters = ['$F: Float64Array', `${whole}: Int32Array`, ...names.map((p) => `${p}: number`)].join(', ')
  return `export function ${name}(${parameters}): void {\n${lines.join('\n')}\n}\n`
}
