/** Prints routines as typed JavaScript over two views of one memory, $F for numbers and $I for whole ones: arrays and records are byte addresses. */
const INFIX = { add: '+', sub: '-', mul: '*', div: '/', rem: '%', and: '&', or: '|', xor: '^', shl: '<<', shr: '>>', ushr: '>>>' }
const TESTS = { eq: '===', ne: '!==', lt: '<', le: '<=', gt: '>', ge: '>=' }

/** `checked`: every index is compared with the length of its array, and one beyond it throws. */
export function printRoutinesJs(functions, { checked = false } = {}) {
  const printed = functions.filter((f) => !f.outside).map((f) => printFunction(f, checked))
  return [...(checked ? [CHECK] : []), ...printed].join('\n')
}

const CHECK = `function $at($I: Int32Array, array: number, index: number, shift: number, where: string): number {
  if (!(index >= 0 && index < $I[(array >> 2) - 2])) throw new RangeError(where + ': index ' + index + ' of ' + $I[(array >> 2) - 2])
  return ((array >> shift) + index) | 0
}
`

function printFunction(f, checked) {
  const lines = []
  const local = (i) => `v${i}`
  const unchecked = (a, index, e) => `((${text(a)} >> ${e === 'f' ? 3 : 2}) + ${text(index)}) | 0`
  const place = (a, index, e) =>
    checked ? `$at($I, ${text(a)}, ${text(index)}, ${e === 'f' ? 3 : 2}, '${f.name}')` : unchecked(a, index, e)
  const view = (e) => (e === 'f' ? '$F' : '$I')
  const word = (a, slot) => `$I[((${text(a)} >> 2) + ${slot}) | 0]`

  const text = (x) => {
    switch (x.k) {
      case 'const':
        if (x.t === 'b') return x.v ? 'true' : 'false'
        if (Object.is(x.v, -0)) return '(-0)'
        return x.v < 0 ? `(${x.v})` : `${x.v}`
      case 'local':
        return local(x.i)
      case 'word':
        return word(x.a, x.slot)
      case 'length':
        return `$I[((${text(x.a)} >> 2) - 2) | 0]`
      case 'load':
        return `${view(x.t)}[${place(x.a, x.index, x.t)}]`
      case 'at':
        return `${view(x.t)}[${local(x.place)}]`
      case 'widen':
        return text(x.a)
      case 'narrow':
        return `(${text(x.a)} | 0)`
      case 'bin':
        if (x.t === 'f') return `(${text(x.a)} ${INFIX[x.op]} ${text(x.b)})`
        if (x.op === 'mul') return `Math.imul(${text(x.a)}, ${text(x.b)})`
        return `((${text(x.a)} ${INFIX[x.op]} ${text(x.b)}) | 0)`
      case 'compare':
        return `(${text(x.a)} ${TESTS[x.op]} ${text(x.b)})`
      case 'math':
        return x.op === 'neg' ? `(-${text(x.args[0])})` : `Math.${x.op}(${x.args.map(text).join(', ')})`
      case 'not':
        return `!${text(x.a)}`
      case 'isNaN':
        return `Number.isNaN(${text(x.a)})`
      case 'both':
        return `(${text(x.a)} && ${text(x.b)})`
      case 'either':
        return `(${text(x.a)} || ${text(x.b)})`
      case 'choose':
        return `(${text(x.c)} ? ${text(x.a)} : ${text(x.b)})`
      case 'wholeChoice':
        return `Math.${x.op}(${text(x.a)}, ${text(x.b)})`
      case 'step':
        return x.first ? `(${local(x.i)} += ${x.delta})` : x.delta > 0 ? `${local(x.i)}++` : `${local(x.i)}--`
      case 'stepWord':
        return `(${word(x.a, x.slot)} += ${x.delta})${x.first ? '' : ` - ${x.delta}`}`
      case 'stepLoad':
        return `($I[${place(x.a, x.index, 'i')}] += ${x.delta})${x.first ? '' : ` - ${x.delta}`}`
      case 'call': {
        if (x.f.outside) return `${x.f.name}(${x.args.map(text).join(', ')})`
        const called = `${x.f.name}(${['$F', '$I', ...x.args.map(text)].join(', ')})`
        return x.t === 'b' ? `(${called} !== 0)` : called
      }
      default:
        throw new Error(`routines: ${x.k}`)
    }
  }

  const print = (list, pad) => {
    for (const s of list) {
      if (s.s === 'set') lines.push(`${pad}${local(s.i)} = ${text(s.v)}`)
      else if (s.s === 'store') lines.push(`${pad}${view(s.e)}[${place(s.a, s.index, s.e)}] = ${text(s.v)}`)
      else if (s.s === 'storeWord') lines.push(`${pad}${word(s.a, s.slot)} = ${text(s.v)}`)
      else if (s.s === 'update') {
        lines.push(`${pad}${local(s.place)} = ${place(s.a, s.index, s.e)}`)
        lines.push(`${pad}${view(s.e)}[${local(s.place)}] = ${text(s.v)}`)
      } else if (s.s === 'fill')
        lines.push(`${pad}${view(s.e)}.fill(${text(s.v)}, ${unchecked(s.a, s.from, s.e)}, ${unchecked(s.a, s.to, s.e)})`)
      else if (s.s === 'effect') lines.push(`${pad};${text(s.v).replace(/ - -?1$/, '')}`)
      else if (s.s === 'if') {
        lines.push(`${pad}if (${text(s.c)}) {`)
        print(s.a, `${pad}  `)
        if (s.b.length > 0) {
          lines.push(`${pad}} else {`)
          print(s.b, `${pad}  `)
        }
        lines.push(`${pad}}`)
      } else if (s.s === 'loop') {
        lines.push(`${pad}for (; ${s.c ? text(s.c) : ''}; ${s.next.map(inline).join(', ')}) {`)
        print(s.body, `${pad}  `)
        lines.push(`${pad}}`)
      } else if (s.s === 'return') {
        if (!s.v) lines.push(`${pad}return`)
        else lines.push(`${pad}return ${f.result === 'b' ? `${text(s.v)} ? 1 : 0` : text(s.v)}`)
      } else lines.push(`${pad}${s.s}`)
    }
  }
  /** What follows a turn of a loop, as an expression. */
  const inline = (s) => {
    if (s.s === 'set') return `${local(s.i)} = ${text(s.v)}`
    if (s.s === 'effect') return text(s.v)
    throw new Error('routines: the end of a loop counts')
  }
  print(f.body, '  ')
  const truths = new Set(f.truths)
  const declared = f.locals
    .slice(f.parameters.length)
    .map((_, k) => f.parameters.length + k)
    .filter((i) => lines.some((line) => new RegExp(`\\bv${i}\\b`).test(line)))
    .map((i) => (truths.has(i) ? `${local(i)} = false` : `${local(i)} = 0`))
  const head = declared.length > 0 ? [`  let ${declared.join(', ')}`] : []
  const given = f.parameters.map((p, k) => `${local(k)}: ${p.type === 'b' ? 'boolean' : 'number'}`)
  const result = f.result === 'void' ? 'void' : 'number'
  const uses = (name) => lines.some((line) => line.includes(name))
  const views = [`${uses('$F') ? '' : '_'}$F: Float64Array`, `${uses('$I') ? '' : '_'}$I: Int32Array`]
  return `${f.entry ? 'export ' : ''}function ${f.name}(${[...views, ...given].join(', ')}): ${result} {\n${[...head, ...lines].join('\n')}\n}\n`
}
