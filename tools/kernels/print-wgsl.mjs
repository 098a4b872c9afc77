/**
 * Prints kernels as functions of a WGSL compute module: f32, one environment an invocation.
 *
 * The text is the same for all models. Whatever the model determines is a `const` or a function of the head that the host puts in front
 * (`engine/src/batch/gpu/head`), so that the driver drops branches and loops which a model does not need:
 *
 *   Gnv, DX_WB       word of a table: a whole number, or the first number of a column; a letter for the table: T tree, D work space of the
 *                    tree algorithms, G group, P work space of the step
 *   Tparent_(k)      whole number k of I;  Ginertia_(k, e): number k of a column that may vary
 *   N, C             environments in the state buffer, in the work space
 *
 * Buffers: S[a N + e] is number a of the state of environment e, W[a C + i] number a of the work space of invocation i, M and I hold the model.
 * A column of lanes that is a parameter lies in S or in W: a kernel is printed once for each combination that is called.
 */
import { actual, Column } from './graph.mjs'
import { Table } from './shapes.mjs'

const INFIX = { add: ['+', 1], sub: ['-', 1], mul: ['*', 2], div: ['/', 2], iadd: ['+', 1], isub: ['-', 1], imul: ['*', 2] }
const TESTS = { lt: '<', le: '<=', gt: '>', ge: '>=', eq: '==', ne: '!=' }
const TYPE = { f: 'f32', i: 'i32', m: 'bool', b: 'bool' }
/** of the parameters of an entry, in their order */
const LETTERS = ['T', 'D', 'G', 'P']
const STATE = 'G'
const LARGEST = 3.4028234663852886e38

export function numberText(x) {
  if (Object.is(x, -0)) return '(-0f)'
  const f = Math.fround(x)
  if (Number.isNaN(f)) return 'nan()'
  // WGSL cannot write an infinity
  const text = Math.abs(f) === Number.POSITIVE_INFINITY ? `${Math.sign(f) * LARGEST}f` : `${shortest(f)}f`
  return f < 0 ? `(${text})` : text
}

/** The shortest text that gives this f32. */
function shortest(f) {
  for (let digits = 1; digits < 10; digits++) {
    const x = Number(f.toPrecision(digits))
    if (Math.fround(x) === f) return `${x}`.replace(/^(-?)0\./, '$1.').replace('e+', 'e')
  }
  return `${f}`
}

const wholeText = (x) => (x < 0 ? `(${x})` : `${x}`)

/**
 * Functions that these entries need: name → text, in the order of first use. An entry has the four tables of a group as its parameters.
 * `fused`: products and sums in one rounding wherever a driver may do so, for tests.
 */
export function printWgsl(kernels, entries, { fused = false } = {}) {
  const byName = new Map(kernels.map((k) => [k.name, k]))
  const printed = new Map()
  const functionOf = (name, given) => {
    const kernel = byName.get(name)
    if (!kernel) throw new Error(`no kernel '${name}' to print as WGSL`)
    const own = [name, ...given.filter((_, k) => kernel.parameters[k] instanceof Column).map((g) => g.space ?? g)].join('_')
    if (!printed.has(own)) {
      // callees stand in front, and this name is taken before they are printed
      printed.set(own, '')
      const text = printFunction(kernel, own, given, functionOf, fused)
      printed.delete(own)
      printed.set(own, text)
    }
    return own
  }
  functionOf.parametersOf = (called) => byName.get(called)?.parameters ?? []
  for (const name of entries) functionOf(name, LETTERS)
  return printed
}

/** `given`: of each parameter the letter of a table, the space of a column, or undefined for a whole number. */
function printFunction({ parameters, body }, own, given, functionOf, fused) {
  const lines = []
  const name = (k) => `p${k}`
  const tableOf = (k) => (parameters[k] instanceof Table ? parameters[k] : undefined)
  const fieldOf = ({ param, index }) => `${given[param]}${[...tableOf(param).fields.keys()][index]}`
  /** What holds a column: S, W, M or I, or the function of a column that may vary. */
  const spaceOf = (column) => {
    if (column.width === 'int') return 'I'
    if (column.width === 'shared') return 'M'
    if (column.slot < 0) return given[column.param]
    if (column.width === 'varied') return `${given[column.param]}${column.name}`
    return given[column.param] === STATE ? 'S' : 'W'
  }
  const lanes = { S: ['N', 'e'], W: ['C', 'i'] }
  const isPlain = (n) => n.op === 'param' || n.op === 'word' || n.op === 'const'

  const whole = (node, binds = 0) => {
    const n = actual(node)
    return n.op === 'const' && typeof n.value === 'number' ? wholeText(n.value) : text(n, binds)
  }
  const text = (node, binds = 0) => {
    const n = actual(node)
    if (n.op === 'const') return typeof n.value === 'boolean' ? `${n.value}` : numberText(n.value)
    if (n.local !== undefined && !isPlain(n)) return `${n.op === 'variable' ? 'v' : 't'}${n.local}`
    return expression(n, binds)
  }
  const product = (node) => {
    const n = actual(node)
    return fused && n.op === 'mul' && n.local === undefined ? n.args.map((x) => text(x, 3)).join() : undefined
  }
  const expression = (n, binds = 0) => {
    const [a, b, c] = n.args
    if (n.op === 'add' && product(b)) return `fma(${product(b)},${text(a)})`
    if (n.op === 'add' && product(a)) return `fma(${product(a)},${text(b)})`
    if (n.op === 'sub' && product(b)) return `fma(-${product(b)},${text(a)})`
    if (INFIX[n.op]) {
      const [sign, tight] = INFIX[n.op]
      const put = n.op[0] === 'i' ? whole : text
      const infix = `${put(a, tight)}${sign}${put(b, tight + 1)}`
      return tight < binds ? `(${infix})` : infix
    }
    if (TESTS[n.op]) return `(${text(a, 1)}${TESTS[n.op]}${text(b, 1)})`
    if (n.op[0] === 'i' && TESTS[n.op.slice(1)]) return `(${whole(a, 1)}${TESTS[n.op.slice(1)]}${whole(b, 1)})`
    switch (n.op) {
      case 'neg':
        return `(-${text(a, 3)})`
      case 'param':
        return name(n.param)
      case 'word':
        return fieldOf(n)
      case 'address': {
        const stride = n.column.stride === 1 ? whole(b, 1) : `${whole(b, 2)}*${n.column.stride}`
        const at = actual(b).value === 0 ? whole(a, 1) : `${whole(a, 1)}+${stride}`
        const lane = lanes[spaceOf(n.column)]
        return lane ? `(${at})*${lane[0]}+${lane[1]}`.replace(/^\((\w+)\)/, '$1') : binds > 1 ? `(${at})` : at
      }
      case 'load':
        return place(n.column, a, n.offset)
      case 'lookup':
        return `M[${whole(a, 1)}+i32(${text(b)})]`
      case 'select':
        return `select(${text(c)},${text(b)},${text(a)})`
      case 'and':
        return `(${text(a)}&&${text(b)})`
      case 'or':
        return `(${text(a)}||${text(b)})`
      case 'not':
        return `!${text(a)}`
      case 'any':
        return text(a)
      case 'max':
        return `hi(${text(a)},${text(b)})`
      case 'min':
        return `lo(${text(a)},${text(b)})`
      case 'finite':
        return `finite(${text(a)})`
      default:
        return `${n.op}(${n.args.map((x) => text(x)).join()})`
    }
  }
  const place = (column, address, offset) => {
    const space = spaceOf(column)
    const at = whole(address, 1)
    const further = offset === 0 ? at : `${at}+${offset}`
    if (lanes[space]) return `${space}[${further}${offset === 0 ? '' : `*${lanes[space][0]}`}]`
    if (space === 'M' || (space === 'I' && column.slot < 0)) return `${space}[${further}]`
    if (space === 'I') return `${given[column.param]}${column.name}_(${further})`
    return `${space}_(${further},e)`
  }

  const argument = (parameter, node) => {
    const n = actual(node)
    if (parameter === 'int') return { text: whole(n) }
    if (parameter instanceof Table) return { given: given[n.param] }
    // a column: where it begins, and what holds it
    const column = n.op === 'word' ? [...tableOf(n.param).fields.values()][n.index] : parameters[n.param]
    const space = column.width === 'int' ? 'I' : spaceOf(column)
    return { text: text(n), given: space }
  }

  const print = (list) => {
    for (const s of list) {
      const put = s.node?.kind === 'i' ? whole : text
      if (s.op === 'set' && isPlain(s.node)) continue
      if (s.op === 'set') lines.push(`let t${s.node.local}=${expression(s.node)};`)
      else if (s.op === 'let')
        lines.push(`var v${s.node.local}${s.value ? `:${TYPE[s.node.kind]}=${put(s.value)}` : `:${TYPE[s.node.kind]}`};`)
      else if (s.op === 'copy') lines.push(`let v${s.local}=${text(s.node)};`)
      else if (s.op === 'assign') lines.push(`v${s.node.local}=${put(s.value)};`)
      else if (s.op === 'store') lines.push(`${place(s.column, s.address, s.offset)}=${text(s.value)};`)
      else if (s.op === 'call') {
        const callee = functionOf.parametersOf(s.name)
        const passed = s.args.map((a, k) => argument(callee[k], a))
        const called = functionOf(
          s.name,
          passed.map((p) => p.given),
        )
        lines.push(`${called}(${['e,i', ...passed.flatMap((p) => (p.text === undefined ? [] : [p.text]))].join()});`)
      } else if (s.op === 'test') lines.push(`if(!${text(s.node, 3)}){break;}`)
      else {
        lines.push(s.op === 'loop' ? 'loop{' : `if${text(s.test).replace(/^(?!\()(.*)$/, '($1)')}{`)
        print(s.bodies[0])
        if (s.bodies[1]?.length > 0) {
          lines.push('}else{')
          print(s.bodies[1])
        }
        lines.push('}')
      }
    }
  }
  print(body)
  const own_ = parameters.flatMap((p, k) => (p instanceof Table ? [] : [`${name(k)}:i32`]))
  return `fn ${own}(${['e:i32,i:i32', ...own_].join()}){\n${lines.join('\n')}\n}`
}
