/**
 * Routines: plain functions over arrays and whole numbers, as they stand in the engine, for code that a kernel cannot say: loops that end early,
 * lists that grow, whole numbers that are written, branches that depend on everything.
 *
 * A function with `@routine` in its comment is one; whatever it calls is taken along, from any file. Nothing is inlined but one-line functions, and nothing is moved:
 * what is printed does the same operations in the same order as the source, so that the bits are the same.
 *
 * A function with `@outside` is called as it is, in JavaScript.
 *
 * This file turns the syntax tree into one of typed expressions and statements. Types: i whole number, f number, b truth; { array: 'f' | 'i' }
 * and { record } are addresses. A record is an interface with `@record` in its comment, of arrays, `Int`s and other records: a table of words in memory.
 */
import ts from 'typescript'
import { KernelError } from '../error.mjs'
import { createConstants } from './constants.mjs'

const isArray = (type) => typeof type === 'object' && type.array !== undefined
const isRecord = (type) => typeof type === 'object' && type.record !== undefined
export const wordType = (type) => (type === 'f' ? 'f' : 'i')

const MATH = { sqrt: 1, floor: 1, ceil: 1, trunc: 1, abs: 1, min: 2, max: 2 }
const CONSTANTS = {
  'Number.POSITIVE_INFINITY': Number.POSITIVE_INFINITY,
  'Number.NEGATIVE_INFINITY': Number.NEGATIVE_INFINITY,
  'Number.EPSILON': Number.EPSILON,
  'Number.MAX_VALUE': Number.MAX_VALUE,
  'Number.NaN': Number.NaN,
  'Math.PI': Math.PI,
  'Math.LN2': Math.LN2,
  'Math.SQRT2': Math.SQRT2,
  'Math.SQRT1_2': Math.SQRT1_2,
}
const ARITHMETIC = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'rem' }
const BITS = { '&': 'and', '|': 'or', '^': 'xor', '<<': 'shl', '>>': 'shr', '>>>': 'ushr' }
const COMPARE = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '===': 'eq', '!==': 'ne' }
const ASSIGN = { '+=': '+', '-=': '-', '*=': '*', '/=': '/', '|=': '|', '&=': '&', '^=': '^', '<<=': '<<', '>>=': '>>' }

const hasTag = (node, name) => ts.isFunctionDeclaration(node) && ts.getJSDocTags(node).some((tag) => tag.tagName.text === name)

export const isRoutine = (node) => hasTag(node, 'routine')
/** A function of JavaScript that routines call. */
const isOutside = (node) => hasTag(node, 'outside')

/** All routines of the files and what they call: { functions, records, statics }. The bytes up to `start` are not theirs. */
export function readRoutines(program, files, start = 16) {
  const checker = program.getTypeChecker()
  const functions = new Map()
  const names = new Set()
  const marked = files.flatMap((path) => program.getSourceFile(path).statements.filter(isRoutine))
  const entries = new Set(marked.map((node) => node.name.text))
  const records = new Map()
  const refuse = (node, why) => {
    throw new KernelError(node, why)
  }

  const symbolOf = (node) => {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node)
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  const { constantOf, staticOf, groupOf, memberOf, staticOfDeclaration, statics } = createConstants({
    named: CONSTANTS,
    symbolOf,
    refuse,
    start,
  })

  // --- types

  const referredName = (node) => (node && ts.isTypeReferenceNode(node) ? node.typeName.getText() : '')

  const typeOfNode = (node, at) => {
    if (!node) refuse(at, 'a parameter, a result and a field of a record says its type: Int, number, boolean, Vec, Int32Array or a record')
    if (node.kind === ts.SyntaxKind.NumberKeyword) return 'f'
    if (node.kind === ts.SyntaxKind.BooleanKeyword) return 'b'
    if (node.kind === ts.SyntaxKind.VoidKeyword) return 'void'
    if (ts.isUnionTypeNode(node) && node.types.every((t) => t.kind === ts.SyntaxKind.NumberKeyword)) return 'f'
    const name = referredName(node)
    if (name === 'Int') return 'i'
    if (name === 'Vec' || name === 'Float64Array') return { array: 'f' }
    if (name === 'Int32Array') return { array: 'i' }
    return { record: recordOf(checker.getTypeFromTypeNode(node), node) }
  }

  const recordOf = (type, at) => {
    const name = (type.aliasSymbol ?? type.symbol)?.name
    if (!isRecordType(type)) refuse(at, 'is no number, array of numbers or record: an interface with @record in its comment')
    const known = records.get(name)
    if (known && known.type !== type) refuse(at, `two records are called ${name}`)
    if (known) return known
    const record = { name, type, fields: new Map() }
    records.set(name, record)
    for (const p of checker.getPropertiesOfType(type)) {
      const declared = p.valueDeclaration
      // fields that no routine can see take no word
      const field = fieldType(declared)
      if (field) record.fields.set(p.name, { slot: record.fields.size, type: field })
    }
    if (record.fields.size === 0) refuse(at, `${name} has nothing that a routine could see: Int, Vec, Int32Array`)
    return record
  }

  const isRecordType = (type) =>
    (type.symbol?.declarations ?? []).some(
      (d) => ts.isInterfaceDeclaration(d) && ts.getJSDocTags(d).some((tag) => tag.tagName.text === 'record'),
    )

  const fieldType = (declared) => {
    if (!declared || !ts.isPropertySignature(declared) || !declared.type || declared.questionToken) return undefined
    const name = referredName(declared.type)
    if (name === 'Int') return 'i'
    if (name === 'Vec' || name === 'Float64Array') return { array: 'f' }
    if (name === 'Int32Array') return { array: 'i' }
    const type = name === '' ? undefined : checker.getTypeFromTypeNode(declared.type)
    return type && isRecordType(type) ? { record: recordOf(type, declared) } : undefined
  }

  // --- functions

  const functionOf = (node) => {
    let declared = symbolOf(node)?.valueDeclaration
    if (declared && ts.isVariableDeclaration(declared) && declared.initializer && ts.isArrowFunction(declared.initializer))
      declared = declared.initializer
    if (!declared || !(ts.isFunctionDeclaration(declared) || ts.isArrowFunction(declared)) || !declared.body)
      refuse(node, 'is no function that a routine can call: one with a body, of the engine')
    return functions.get(declared) ?? addFunction(declared)
  }

  const addFunction = (declared) => {
    const own = (declared.name ?? declared.parent.name).text
    const entry = isRoutine(declared)
    if (entry && names.has(own)) refuse(declared, `two routines are called '${own}'`)
    // routines keep their names, others have a number where theirs is taken
    let name = own
    for (let k = 2; !entry && (names.has(name) || entries.has(name)); k++) name = `${own}${k}`
    names.add(name)
    const f = { name, declared, entry, state: 'open' }
    functions.set(declared, f)
    f.result = typeOfNode(declared.type, declared)
    f.parameters = declared.parameters.map((p) => ({
      node: p,
      type: typeOfNode(p.type, p),
      name: ts.isIdentifier(p.name) ? p.name.text : 'record',
    }))
    for (const p of f.parameters) if (p.type === 'void') refuse(p.node, 'is no parameter of a routine')
    if (isOutside(declared)) {
      if (f.parameters.some(({ type }) => type !== 'i' && type !== 'f')) refuse(declared, 'a function outside takes numbers only')
      if (name !== own) refuse(declared, `'${own}' is the name of a routine`)
      return Object.assign(f, { outside: true, state: 'done', locals: [], body: [], calls: new Set() })
    }
    Object.assign(f, compileBody(f))
    f.state = 'done'
    return f
  }

  const compileBody = (f) => {
    const { declared } = f
    const locals = f.parameters.map((p) => wordType(p.type))
    const variables = new Map()
    const truths = []
    const newLocal = (type) => {
      const i = locals.push(wordType(type)) - 1
      if (type === 'b') truths.push(i)
      return i
    }
    const types = inferTypes(f)
    const calls = new Set()

    const local = (index, type) => ({ k: 'local', i: index, t: type })
    const number = (value, type) => ({ k: 'const', t: type, v: value })

    const declare = (name, type) => {
      const v = { i: newLocal(type), t: type }
      variables.set(symbolOf(name), v)
      return v
    }

    const coerce = (x, type, node) => {
      if (x.t === type) return x
      if (x.t === 'i' && type === 'f') return x.k === 'const' ? number(x.v, 'f') : { k: 'widen', t: 'f', a: x }
      if (isArray(type) && isArray(x.t) && x.t.array === type.array) return x
      if (isRecord(type) && isRecord(x.t)) {
        if (x.t.record !== type.record) refuse(node, `is a ${x.t.record.name}, not a ${type.record.name}: their words differ`)
        return x
      }
      const say = (t) =>
        isArray(t)
          ? `an array of ${t.array === 'f' ? 'numbers' : 'whole numbers'}`
          : isRecord(t)
            ? t.record.name
            : { i: 'a whole number', f: 'a number', b: 'a truth', void: 'nothing' }[t]
      return refuse(node, `is ${say(x.t)} where ${say(type)} belongs${x.t === 'f' && type === 'i' ? ': (x | 0) makes one' : ''}`)
    }

    /** A whole number is true unless it is 0. */
    const condition = (node) => {
      const x = expression(node)
      return x.t === 'i' ? { k: 'compare', op: 'ne', t: 'b', of: 'i', a: x, b: number(0, 'i') } : coerce(x, 'b', node)
    }

    const expression = (node) => {
      const known = constantOf(node)
      if (known) return number(known.value, known.type)
      if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) return expression(node.expression)
      if (node.kind === ts.SyntaxKind.TrueKeyword) return number(1, 'b')
      if (node.kind === ts.SyntaxKind.FalseKeyword) return number(0, 'b')
      if (ts.isIdentifier(node)) {
        const symbol = symbolOf(node)
        const v = variables.get(symbol)
        if (v) return local(v.i, v.t)
        const fixed = staticOf(node)
        if (fixed) return { k: 'const', t: fixed.type, v: fixed.address }
        return refuse(node, 'is not known here: parameters, locals, numbers and arrays of modules that are const')
      }
      if (ts.isPropertyAccessExpression(node)) {
        const fixed = staticOf(node)
        if (fixed) return { k: 'const', t: fixed.type, v: fixed.address }
        const a = expression(node.expression)
        if (isArray(a.t) && node.name.text === 'length') return { k: 'length', t: 'i', a }
        const field = isRecord(a.t) ? a.t.record.fields.get(node.name.text) : undefined
        if (!field) refuse(node, 'is no field that a routine can see: Int, Vec, Int32Array')
        return { k: 'word', t: field.type, a, slot: field.slot }
      }
      if (ts.isElementAccessExpression(node)) {
        const { base, index, t } = element(node)
        return { k: 'load', t, a: base, index }
      }
      if (ts.isCallExpression(node)) return call(node)
      if (ts.isConditionalExpression(node)) {
        const c = condition(node.condition)
        const [a, b] = [expression(node.whenTrue), expression(node.whenFalse)]
        const t = a.t === 'f' || b.t === 'f' ? 'f' : a.t
        return { k: 'choose', t, c, a: coerce(a, t, node), b: coerce(b, t, node) }
      }
      if (ts.isPrefixUnaryExpression(node)) {
        if (node.operator === ts.SyntaxKind.ExclamationToken) return { k: 'not', t: 'b', a: condition(node.operand) }
        if (node.operator === ts.SyntaxKind.MinusToken) {
          const a = expression(node.operand)
          return a.t === 'i'
            ? { k: 'bin', op: 'sub', t: 'i', a: number(0, 'i'), b: a }
            : { k: 'math', op: 'neg', t: 'f', args: [coerce(a, 'f', node)] }
        }
        if (node.operator === ts.SyntaxKind.TildeToken)
          return { k: 'bin', op: 'xor', t: 'i', a: coerce(expression(node.operand), 'i', node), b: number(-1, 'i') }
        if (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken) return step(node, true)
      }
      if (ts.isPostfixUnaryExpression(node)) return step(node, false)
      if (ts.isBinaryExpression(node)) return binary(node)
      return refuse(node, 'is not in the language of routines')
    }

    /** x++ and the like, of a local or a field that holds a whole number. */
    const step = (node, first) => {
      const delta = node.operator === ts.SyntaxKind.PlusPlusToken ? 1 : -1
      const x = expression(node.operand)
      if (x.t !== 'i') refuse(node, 'counts whole numbers')
      if (x.k === 'local') return { k: 'step', t: 'i', i: x.i, delta, first }
      if (x.k === 'word') return { k: 'stepWord', t: 'i', a: x.a, slot: x.slot, delta, first }
      if (x.k === 'load') return { k: 'stepLoad', t: 'i', a: x.a, index: x.index, delta, first, place: newLocal('i') }
      return refuse(node, 'counts up a local, a field of a record or a number of an array')
    }

    const element = (node) => {
      const base = expression(node.expression)
      if (!isArray(base.t)) refuse(node.expression, 'is no array of numbers')
      return { base, index: coerce(expression(node.argumentExpression), 'i', node.argumentExpression), t: base.t.array }
    }

    const operate = (op, a, b, node) => {
      if (ARITHMETIC[op]) {
        const t = op !== '/' && a.t === 'i' && b.t === 'i' ? 'i' : 'f'
        if (op === '%' && t === 'f') refuse(node, 'is of whole numbers only')
        return { k: 'bin', op: ARITHMETIC[op], t, a: coerce(a, t, node), b: coerce(b, t, node) }
      }
      if (op === '|' && a.t === 'f' && b.k === 'const' && b.v === 0) return { k: 'narrow', t: 'i', a }
      if (BITS[op]) return { k: 'bin', op: BITS[op], t: 'i', a: coerce(a, 'i', node), b: coerce(b, 'i', node) }
      if (COMPARE[op]) {
        const t = a.t === 'f' || b.t === 'f' ? 'f' : a.t
        return { k: 'compare', op: COMPARE[op], t: 'b', of: wordType(t), a: coerce(a, t, node), b: coerce(b, t, node) }
      }
      return refuse(node, `${op} is not in the language of routines`)
    }

    const binary = (node) => {
      const op = node.operatorToken.getText()
      if (op === '&&' || op === '||')
        return { k: op === '&&' ? 'both' : 'either', t: 'b', a: condition(node.left), b: condition(node.right) }
      return operate(op, expression(node.left), expression(node.right), node)
    }

    const call = (node) => {
      const name = node.expression.getText()
      if (name.startsWith('Math.')) {
        const op = name.slice(5)
        const args = node.arguments.map(expression)
        if (op === 'imul') return { k: 'bin', op: 'mul', t: 'i', a: coerce(args[0], 'i', node), b: coerce(args[1], 'i', node) }
        if (!MATH[op]) refuse(node, 'is not in the language of routines: sqrt, floor, ceil, trunc, abs, min, max, imul')
        if ((op === 'min' || op === 'max') && args.every((x) => x.t === 'i')) return wholeChoice(op, args)
        if (MATH[op] === 2) return args.map((x) => coerce(x, 'f', node)).reduce((a, b) => ({ k: 'math', op, t: 'f', args: [a, b] }))
        return { k: 'math', op, t: 'f', args: [coerce(args[0], 'f', node)] }
      }
      if (name === 'Number.isNaN') {
        const v = newLocal('f')
        return { k: 'isNaN', t: 'b', a: coerce(expression(node.arguments[0]), 'f', node), i: v }
      }
      const f = functionOf(node.expression)
      if (f.state === 'open') refuse(node, 'calls itself, also by way of others: write a loop')
      if (node.arguments.length !== f.parameters.length) refuse(node, 'gets every parameter: none is left out')
      calls.add(f)
      const args = node.arguments.map((x, k) => coerce(expression(x), f.parameters[k].type, x))
      return { k: 'call', t: f.result, f, args }
    }

    /** The least or largest whole number: of two that are worked out once each. */
    const wholeChoice = (op, args) => args.reduce((a, b) => ({ k: 'wholeChoice', op, t: 'i', a, b, i: newLocal('i'), j: newLocal('i') }))

    // --- statements

    const block = (node) => (ts.isBlock(node) ? node.statements.flatMap(statement) : statement(node))

    const statement = (node) => {
      if (ts.isBlock(node)) return block(node)
      if (ts.isEmptyStatement(node)) return []
      if (ts.isVariableStatement(node)) return declarations(node.declarationList)
      if (ts.isExpressionStatement(node)) return effect(node.expression)
      if (ts.isIfStatement(node))
        return [
          { s: 'if', c: condition(node.expression), a: block(node.thenStatement), b: node.elseStatement ? block(node.elseStatement) : [] },
        ]
      if (ts.isForStatement(node)) {
        const start = node.initializer
          ? ts.isVariableDeclarationList(node.initializer)
            ? declarations(node.initializer)
            : effect(node.initializer)
          : []
        const c = node.condition ? condition(node.condition) : undefined
        const next = node.incrementor ? effect(node.incrementor) : []
        return [...start, { s: 'loop', c, body: block(node.statement), next }]
      }
      if (ts.isWhileStatement(node)) return [{ s: 'loop', c: condition(node.expression), body: block(node.statement), next: [] }]
      if (ts.isBreakStatement(node) && !node.label) return [{ s: 'break' }]
      if (ts.isContinueStatement(node) && !node.label) return [{ s: 'continue' }]
      if (ts.isReturnStatement(node)) {
        if (!node.expression) return [{ s: 'return' }]
        // `return f(…)` of a function that returns nothing
        if (f.result === 'void') return [...effect(node.expression), { s: 'return' }]
        return [{ s: 'return', v: coerce(expression(node.expression), f.result, node.expression) }]
      }
      return refuse(node, 'is not in the language of routines')
    }

    const declarations = (list) =>
      list.declarations.flatMap((d) => {
        if (ts.isObjectBindingPattern(d.name)) {
          const group = groupOf(d.initializer)
          return group ? unpackGroup(d.name, group) : unpack(d.name, expression(d.initializer))
        }
        const type = types.get(symbolOf(d.name))
        const v = declare(d.name, type)
        // a variable of a loop's body starts anew in every turn
        const value = d.initializer
          ? coerce(expression(d.initializer), type, d.initializer)
          : number(0, type === 'b' ? 'b' : wordType(type))
        return [{ s: 'set', i: v.i, v: value }]
      })

    /** const { a, b: c } = record */
    const unpack = (pattern, from) =>
      pattern.elements.flatMap((e) => {
        if (e.dotDotDotToken || e.initializer || !ts.isIdentifier(e.name)) refuse(e, 'is a field of a record, by name')
        const field = isRecord(from.t) ? from.t.record.fields.get((e.propertyName ?? e.name).text) : undefined
        if (!field) refuse(e, 'is no field that a routine can see: Int, Vec, Int32Array')
        const v = declare(e.name, field.type)
        return [{ s: 'set', i: v.i, v: { k: 'word', t: field.type, a: from, slot: field.slot } }]
      })

    /** const { a, b: c } = a group of scratch arrays */
    const unpackGroup = (pattern, group) =>
      pattern.elements.map((e) => {
        const fixed = staticOfDeclaration(memberOf(group, (e.propertyName ?? e.name).text))
        if (!fixed) refuse(e, 'is no scratch array of its group')
        return { s: 'set', i: declare(e.name, fixed.type).i, v: { k: 'const', t: fixed.type, v: fixed.address } }
      })

    const effect = (node) => {
      if (ts.isParenthesizedExpression(node)) return effect(node.expression)
      if (ts.isVoidExpression(node)) return effect(node.expression)
      if (ts.isCallExpression(node)) {
        if (ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'fill') return fill(node)
        const v = call(node)
        return [{ s: 'effect', v }]
      }
      if (ts.isPostfixUnaryExpression(node) || ts.isPrefixUnaryExpression(node)) return [{ s: 'effect', v: expression(node) }]
      if (ts.isBinaryExpression(node)) {
        const op = node.operatorToken.getText()
        if (op === ',') return [...effect(node.left), ...effect(node.right)]
        if (op === '=') return assign(node)
        if (ASSIGN[op]) return update(node, ASSIGN[op])
      }
      return refuse(node, 'does nothing')
    }

    /** x.fill(value, from, to) */
    const fill = (node) => {
      const base = expression(node.expression.expression)
      if (!isArray(base.t) || node.arguments.length !== 3) refuse(node, 'fills an array: x.fill(value, from, to)')
      const [value, from, to] = node.arguments
      return [
        {
          s: 'fill',
          a: base,
          e: base.t.array,
          v: coerce(expression(value), base.t.array, value),
          from: coerce(expression(from), 'i', from),
          to: coerce(expression(to), 'i', to),
          ...{ place: newLocal('i'), end: newLocal('i'), value: newLocal(base.t.array) },
        },
      ]
    }

    const assign = (node) => {
      const { left, right } = node
      if (ts.isIdentifier(left)) {
        const v = variables.get(symbolOf(left)) ?? refuse(left, 'is no local')
        return [{ s: 'set', i: v.i, v: coerce(expression(right), v.t, right) }]
      }
      if (ts.isElementAccessExpression(left)) {
        const { base, index, t } = element(left)
        return [{ s: 'store', e: t, a: base, index, v: coerce(expression(right), t, right) }]
      }
      const x = expression(left)
      if (x.k !== 'word' || x.t !== 'i')
        refuse(left, 'is nothing that a routine can write: locals, numbers of arrays, whole numbers of records')
      return [{ s: 'storeWord', a: x.a, slot: x.slot, v: coerce(expression(right), 'i', right) }]
    }

    const update = (node, op) => {
      const { left, right } = node
      if (ts.isIdentifier(left)) {
        const v = variables.get(symbolOf(left)) ?? refuse(left, 'is no local')
        return [{ s: 'set', i: v.i, v: coerce(operate(op, local(v.i, v.t), expression(right), node), v.t, node) }]
      }
      if (ts.isElementAccessExpression(left)) {
        const { base, index, t } = element(left)
        const place = newLocal('i')
        const old = { k: 'at', t, place }
        return [{ s: 'update', e: t, a: base, index, place, v: coerce(operate(op, old, expression(right), node), t, node) }]
      }
      const x = expression(left)
      if (x.k !== 'word' || x.t !== 'i')
        refuse(left, 'is nothing that a routine can write: locals, numbers of arrays, whole numbers of records')
      return [{ s: 'storeWord', a: x.a, slot: x.slot, v: coerce(operate(op, x, expression(right), node), 'i', node) }]
    }

    const start = f.parameters.flatMap(({ node, type }, k) => {
      if (ts.isObjectBindingPattern(node.name)) return unpack(node.name, local(k, type))
      variables.set(symbolOf(node.name), { i: k, t: type })
      return []
    })
    const body = ts.isBlock(declared.body)
      ? declared.body.statements.flatMap(statement)
      : f.result === 'void'
        ? effect(declared.body)
        : [{ s: 'return', v: coerce(expression(declared.body), f.result, declared.body) }]
    return { locals, truths, body: [...start, ...body], calls }
  }

  /** Types of all locals of a function: those of their first values; a `let` that starts as a whole number and is given another one later is a number. */
  const inferTypes = (f) => {
    const types = new Map()
    for (const { node, type } of f.parameters) if (ts.isIdentifier(node.name)) types.set(symbolOf(node.name), type)
    const bind = (pattern, record) => {
      for (const e of pattern.elements) {
        const field = record?.record?.fields.get((e.propertyName ?? e.name).text)
        if (field) types.set(symbolOf(e.name), field.type)
      }
    }
    const bindGroup = (pattern, group) => {
      for (const e of pattern.elements) {
        const fixed = staticOfDeclaration(memberOf(group, (e.propertyName ?? e.name).text))
        if (fixed) types.set(symbolOf(e.name), fixed.type)
      }
    }
    for (const { node, type } of f.parameters) if (ts.isObjectBindingPattern(node.name)) bind(node.name, type)

    const typeOf = (node) => {
      const known = constantOf(node)
      if (known) return known.type
      if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) return typeOf(node.expression)
      if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) return 'b'
      if (ts.isIdentifier(node)) return types.get(symbolOf(node)) ?? staticOf(node)?.type
      if (ts.isPropertyAccessExpression(node)) {
        const fixed = staticOf(node)
        if (fixed) return fixed.type
        const of = typeOf(node.expression)
        return of?.array && node.name.text === 'length' ? 'i' : of?.record?.fields.get(node.name.text)?.type
      }
      if (ts.isElementAccessExpression(node)) return typeOf(node.expression)?.array
      if (ts.isConditionalExpression(node)) return wider(typeOf(node.whenTrue), typeOf(node.whenFalse))
      if (ts.isCallExpression(node)) {
        const name = node.expression.getText()
        if (name === 'Math.imul') return 'i'
        if (name === 'Math.min' || name === 'Math.max') return node.arguments.map(typeOf).reduce(wider)
        if (name.startsWith('Math.')) return 'f'
        if (name === 'Number.isNaN') return 'b'
        return functionOf(node.expression).result
      }
      if (ts.isPrefixUnaryExpression(node)) return node.operator === ts.SyntaxKind.ExclamationToken ? 'b' : typeOf(node.operand)
      if (ts.isPostfixUnaryExpression(node)) return typeOf(node.operand)
      if (ts.isBinaryExpression(node)) {
        const op = node.operatorToken.getText()
        if (COMPARE[op] || op === '&&' || op === '||') return 'b'
        if (BITS[op]) return 'i'
        if (op === '/') return 'f'
        if (ARITHMETIC[op]) return wider(typeOf(node.left), typeOf(node.right))
        return typeOf(node.left)
      }
      return undefined
    }
    const wider = (a, b) => (a === 'f' || b === 'f' ? 'f' : (a ?? b))

    let changed = true
    const widen = (name, type) => {
      const symbol = symbolOf(name)
      if (type === 'f' && types.get(symbol) === 'i') {
        types.set(symbol, 'f')
        changed = true
      }
    }
    const visit = (node) => {
      if (ts.isVariableDeclaration(node)) {
        const group = ts.isObjectBindingPattern(node.name) ? groupOf(node.initializer) : undefined
        if (group) bindGroup(node.name, group)
        else if (ts.isObjectBindingPattern(node.name)) bind(node.name, typeOf(node.initializer))
        else {
          const symbol = symbolOf(node.name)
          const isLet = !(node.parent.flags & ts.NodeFlags.Const)
          const type = node.type ? typeOfNode(node.type, node) : node.initializer && typeOf(node.initializer)
          if (!type) refuse(node, 'has a type that is not known: say it')
          if (!types.has(symbol) || (!isLet && types.get(symbol) !== type)) {
            if (types.has(symbol)) changed = true
            types.set(symbol, type)
          } else if (isLet && !node.type) widen(node.name, type)
        }
      }
      if (ts.isBinaryExpression(node) && ts.isIdentifier(node.left)) {
        const op = node.operatorToken.getText()
        if (op === '=') widen(node.left, typeOf(node.right))
        else if (op === '/=') widen(node.left, 'f')
        else if (ASSIGN[op] && !BITS[ASSIGN[op]]) widen(node.left, typeOf(node.right))
      }
      ts.forEachChild(node, visit)
    }
    while (changed) {
      changed = false
      visit(f.declared.body)
    }
    return types
  }

  for (const node of marked) if (!functions.has(node)) addFunction(node)
  return { functions: [...functions.values()], records, statics }
}
