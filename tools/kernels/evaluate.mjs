/**
 * The front of the kernel compiler: runs the source of a kernel on symbols. Functions and closures are called on the spot, tuples and
 * records fall apart into numbers, loops with constant bounds are unrolled; what is left goes to the graph.
 *
 * A value is a Node, a tuple or record of values, a Closure, a Table or a Column.
 */
import ts from 'typescript'
import { Column, Graph, isConst } from './graph.mjs'
import { schedule } from './schedule.mjs'
import { isInt, parameterOf, Table } from './shapes.mjs'

const ARITHMETIC = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div' }
const TESTS = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '===': 'eq', '!==': 'ne' }
const MATH = new Set(['sqrt', 'floor', 'abs', 'min', 'max'])
/** loops with constant bounds may have so many turns */
const MOST_TURNS = 64
const MOST_CALLS = 60

class Closure {
  constructor(declaration, scope) {
    Object.assign(this, { declaration, scope })
  }
}

/** Variables by their declaration, so that a name that hides another is another variable. */
class Scope {
  constructor(parent, isFunction = false) {
    Object.assign(this, { parent, isFunction, cells: new Map() })
  }
}

export const isKernel = (node) => ts.isFunctionDeclaration(node) && ts.getJSDocTags(node).some((t) => t.tagName.text === 'kernel')

/** An error at a place in the source. */
export class KernelError extends Error {
  constructor(node, why) {
    const file = node.getSourceFile()
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart())
    super(`${file.fileName}:${line + 1}:${character + 1}: ${why}\n    ${node.getText().split('\n')[0].slice(0, 100)}`)
  }
}

const isLeaf = (v) => v.op !== undefined

/** f of the numbers at the same place of all values. Parts go by name: records may be written in any order. */
function zip(f, a, ...others) {
  if (isLeaf(a)) return f(a, ...others)
  if (Array.isArray(a)) return a.map((x, k) => zip(f, x, ...others.map((o) => o[k])))
  return Object.fromEntries(Object.keys(a).map((k) => [k, zip(f, a[k], ...others.map((o) => o[k]))]))
}

const isData = (v) => v !== undefined && !(v instanceof Closure || v instanceof Table || v instanceof Column)

/** True if the value is made of numbers only. */
const isPlain = (v) => isData(v) && (isLeaf(v) || Object.values(v).every(isPlain))

/** Kernel → { name, parameters, body, locals } for the printers. */
export function compileKernel(checker, kernel) {
  const graph = new Graph()
  const parameters = kernel.parameters.map((p, k) => parameterOf(checker, p, k))
  const columns = parameters.flatMap((p) =>
    p instanceof Column ? [p] : p instanceof Table ? [...p.fields.values()].filter((f) => f instanceof Column) : [],
  )
  const laneColumns = columns.filter((c) => c.width === 'lane')
  const globals = new Map()
  /** of each branch under way: the variables assigned in it, with their values before */
  const journals = []
  let depth = 0
  let here = kernel

  const fail = (node, why) => {
    throw new KernelError(node, why)
  }

  // names

  const declarationOf = (identifier) => {
    let symbol = checker.getSymbolAtLocation(identifier)
    if (ts.isShorthandPropertyAssignment(identifier.parent)) symbol = checker.getShorthandAssignmentValueSymbol(identifier.parent)
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
    return symbol?.valueDeclaration ?? fail(identifier, 'unknown name')
  }

  const bind = (scope, pattern, value) => {
    if (ts.isIdentifier(pattern)) {
      // a whole number with a name is read there, not again in every turn of a loop that uses it
      const isWhole = value?.op === 'later' && value.kind === 'i'
      scope.cells.set(pattern.parent, { value: isWhole ? graph.settle(value) : value })
      return
    }
    pattern.elements.forEach((e, k) => {
      if (ts.isOmittedExpression(e)) return
      if (e.dotDotDotToken || e.initializer) fail(e, 'no rest and no default in a pattern')
      bind(scope, e.name, ts.isArrayBindingPattern(pattern) ? part(e, value, k) : member(e, value, (e.propertyName ?? e.name).text))
    })
  }

  const lookUp = (identifier, scope) => {
    const declaration = declarationOf(identifier)
    for (let s = scope; s; s = s.parent) {
      const cell = s.cells.get(declaration)
      if (cell) return cell.value
    }
    if (ts.isFunctionDeclaration(declaration)) return new Closure(declaration, null)
    if (!ts.isVariableDeclaration(declaration) || !(declaration.parent.flags & ts.NodeFlags.Const))
      fail(identifier, 'only constants and functions may come from outside a kernel')
    if (!declaration.initializer) fail(identifier, 'no value is known for this name')
    if (!globals.has(declaration)) globals.set(declaration, evaluate(declaration.initializer, null))
    return globals.get(declaration)
  }

  const assignTo = (identifier, value, scope) => {
    const declaration = declarationOf(identifier)
    for (let s = scope; s; s = s.parent) {
      const cell = s.cells.get(declaration)
      if (cell) return setCell(cell, value)
      if (s.isFunction) break
    }
    return fail(identifier, 'a function does not assign to what lies outside of it: return the value')
  }

  const setCell = (cell, value) => {
    const journal = journals.at(-1)
    if (journal && !journal.has(cell)) journal.set(cell, cell.value)
    cell.value = value
  }

  // memory

  const read = (column, index) => {
    let k = 0
    const of = (shape) => {
      if (shape === 'number') return graph.load(column, index, k++)
      if (typeof shape === 'number') return graph.constant(shape)
      return Array.isArray(shape) ? shape.map(of) : Object.fromEntries(Object.entries(shape).map(([name, s]) => [name, of(s)]))
    }
    return of(column.shape)
  }

  const write = (node, column, index, value) => {
    const numbers = []
    const flatten = (shape, v) => {
      if (v === undefined) fail(node, `'${column.name}' needs every part of its record`)
      if (shape === 'number') numbers.push(v)
      else if (typeof shape !== 'number') for (const name of Object.keys(shape)) flatten(shape[name], v[name])
    }
    flatten(column.shape, value)
    graph.store(column, index, numbers)
  }

  const member = (node, of, name) => {
    if (of instanceof Table) {
      const field = of.fields.get(name)
      if (!field) fail(node, 'no such column')
      if (!(field instanceof Column)) return graph.word(of.param, field.slot)
      return field.single ? read(field, graph.constant(0)) : field
    }
    if (Array.isArray(of) && name === 'length') return graph.constant(of.length)
    if (isLeaf(of) || of[name] === undefined) fail(node, `no part '${name}' here`)
    return of[name]
  }

  const part = (node, of, k) => (Array.isArray(of) && of[k] !== undefined ? of[k] : fail(node, `a tuple without part ${k}`))

  const element = (node, of, index) => {
    if (of instanceof Column) {
      if (index.kind !== 'i' && !(isConst(index) && Number.isInteger(index.value)))
        fail(node, 'an index is a whole number: Int, a counter, or from Ints')
      return read(of, index)
    }
    if (!isConst(index)) fail(node, 'the index of a tuple is a constant: use a loop with constant bounds, or a column')
    return part(node, of, index.value)
  }

  // control flow

  const settle = (value) => (isPlain(value) ? zip((x) => graph.settle(x), value) : value)
  const kindOf = (a, b = a) => (a.kind !== 'c' ? a.kind : b.kind !== 'c' ? b.kind : typeof a.value === 'boolean' ? 'b' : 'f')

  /** One of two sides; what they leave in variables, and their values, are merged. */
  const branch = (node, test, sides) => {
    if (isConst(test)) return sides[test.value ? 0 : 1]()
    const item = { op: 'if', id: graph.count++, test: graph.settle(test), variables: [], needs: new Set(), blocks: [] }
    const versions = new Map(graph.versions)
    const ends = sides.map((side) => {
      graph.versions = new Map(versions)
      const journal = new Map()
      journals.push(journal)
      let result
      const left = new Map()
      item.blocks.push(
        graph.inside(item, () => {
          result = settle(side())
          for (const cell of journal.keys()) left.set(cell, settle(cell.value))
        }),
      )
      journals.pop()
      for (const [cell, before] of journal) cell.value = before
      return { result, left }
    })
    graph.versions = versions
    for (const block of item.blocks) graph.forget(block.stored)
    const merge = (a, b) => {
      if (a === b) return a
      if (!isPlain(a) || !isPlain(b)) return fail(node, 'the sides of a branch on numbers give numbers')
      return zip(
        (x, y) => {
          if (x === y) return x
          const v = graph.variable(kindOf(x, y))
          v.from = [
            [x, item.blocks[0]],
            [y, item.blocks[1]],
          ]
          item.variables.push(v)
          return v
        },
        a,
        b,
      )
    }
    const [yes, no] = ends
    if ((yes.result === undefined) !== (no.result === undefined)) fail(node, 'either every path returns a value, or none')
    const result = yes.result === undefined ? undefined : merge(yes.result, no.result)
    for (const cell of new Set([...yes.left.keys(), ...no.left.keys()])) {
      if (!isPlain(cell.value)) continue
      setCell(cell, merge(yes.left.get(cell) ?? settle(cell.value), no.left.get(cell) ?? settle(cell.value)))
    }
    graph.block.items.push(item)
    return result
  }

  /** Cells of variables from outside that a loop assigns to. */
  const assignedCells = (loop, scope) => {
    const cells = new Map()
    const mark = (target) => {
      if (ts.isArrayLiteralExpression(target)) target.elements.forEach(mark)
      if (!ts.isIdentifier(target)) return
      const declaration = declarationOf(target)
      for (let s = scope; s; s = s.parent) {
        const cell = s.cells.get(declaration)
        if (cell) return void cells.set(cell, declaration)
      }
    }
    const visit = (n) => {
      if (
        ts.isBinaryExpression(n) &&
        n.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
        n.operatorToken.kind <= ts.SyntaxKind.LastAssignment
      )
        mark(n.left)
      else if (
        (ts.isPostfixUnaryExpression(n) || ts.isPrefixUnaryExpression(n)) &&
        (n.operator === ts.SyntaxKind.PlusPlusToken || n.operator === ts.SyntaxKind.MinusMinusToken)
      )
        mark(n.operand)
      ts.forEachChild(n, visit)
    }
    ts.forEachChild(loop, visit)
    return cells
  }

  const runFor = (s, outer) => {
    if (!s.initializer || !ts.isVariableDeclarationList(s.initializer) || !s.condition || !s.incrementor)
      fail(s, 'a loop declares its counter, tests it and moves it')
    if (contains(s.statement, ts.isReturnStatement)) fail(s, 'no return from inside a loop')
    const scope = new Scope(outer)
    for (const d of s.initializer.declarations) bind(scope, d.name, evaluate(d.initializer, scope))
    const [counter] = scope.cells.values()
    if (isConst(counter.value) && isConst(evaluate(s.condition, scope))) {
      for (let turns = 0; evaluate(s.condition, scope).value; turns++) {
        if (turns === MOST_TURNS) fail(s, `more than ${MOST_TURNS} turns to unroll`)
        runBlock(s.statement, scope)
        evaluate(s.incrementor, scope)
      }
      return
    }
    const item = { op: 'loop', id: graph.count++, variables: [], needs: new Set(), blocks: [] }
    const cells = [...assignedCells(s, scope)]
    const starts = cells.map(([cell]) => settle(cell.value))
    const variables = cells.map(([cell, declaration], k) => {
      if (!isPlain(cell.value)) fail(s, 'a loop changes variables that hold numbers only')
      const whole = scope.cells.has(declaration) || isInt(declaration.type)
      return zip((x) => graph.variable(whole ? 'i' : kindOf(x)), starts[k])
    })
    cells.forEach(([cell], k) => setCell(cell, variables[k]))
    const versions = new Map(graph.versions)
    graph.forget(laneColumns)
    const outside = graph.block
    let ends
    const body = graph.inside(item, (block) => {
      block.items.push({ op: 'test', test: graph.settle(evaluate(s.condition, scope)) })
      runBlock(s.statement, scope)
      evaluate(s.incrementor, scope)
      ends = cells.map(([cell]) => settle(cell.value))
    })
    item.blocks.push(body)
    graph.versions = versions
    graph.forget(body.stored)
    cells.forEach(([cell], k) => {
      cell.value = zip(
        (v, start, end) => {
          if (v === end) {
            v.same = start
            return start
          }
          if (v.kind === 'f' && end.kind === 'i') fail(s, 'a whole number that a loop changes is declared as `let k: Int`')
          v.from = [
            [start, outside],
            [end, body],
          ]
          item.variables.push(v)
          return v
        },
        variables[k],
        starts[k],
        ends[k],
      )
    })
    graph.block.items.push(item)
  }

  const contains = (s, test) => test(s) || (!ts.isFunctionLike(s) && ts.forEachChild(s, (c) => contains(c, test) || undefined) === true)
  /** whether a statement may skip what follows it */
  const jumps = (s) => !ts.isForStatement(s) && contains(s, (n) => ts.isReturnStatement(n) || ts.isContinueStatement(n))

  const runBlock = (s, scope, after) => runStatements(ts.isBlock(s) ? s.statements : [s], 0, new Scope(scope), after)

  /** What a return among these statements gives; `after` is what follows where none of them jumps away. */
  const runStatements = (list, k, scope, after) => {
    if (k === list.length) return after?.()
    const s = list[k]
    here = s
    const next = () => runStatements(list, k + 1, scope, after)
    if (ts.isReturnStatement(s)) return s.expression && evaluate(s.expression, scope)
    if (ts.isContinueStatement(s)) return undefined
    if (ts.isIfStatement(s)) {
      const rest = jumps(s) ? next : undefined
      const sides = [s.thenStatement, s.elseStatement].map((side) => () => (side ? runBlock(side, scope, rest) : rest?.()))
      const result = branch(s, evaluate(s.expression, scope), sides)
      return rest ? result : next()
    }
    if (ts.isBlock(s)) {
      if (jumps(s)) return runBlock(s, scope, next)
      runBlock(s, scope)
    } else if (ts.isForStatement(s)) runFor(s, scope)
    else if (ts.isVariableStatement(s)) {
      for (const d of s.declarationList.declarations) {
        if (!d.initializer) fail(d, 'a variable begins with a value')
        bind(scope, d.name, evaluate(d.initializer, scope))
      }
    } else if (ts.isExpressionStatement(s)) evaluate(s.expression, scope)
    else if (!ts.isEmptyStatement(s)) fail(s, 'not in the language of kernels: const, let, assignment, for, if, continue and return are')
    return next()
  }

  const assign = (target, value, scope) => {
    if (ts.isIdentifier(target)) assignTo(target, value, scope)
    else if (ts.isArrayLiteralExpression(target)) target.elements.forEach((t, k) => assign(t, part(target, value, k), scope))
    else if (ts.isElementAccessExpression(target)) {
      const column = evaluate(target.expression, scope)
      if (!(column instanceof Column)) fail(target, 'values never change: write a whole record to a column, or make a new value')
      write(target, column, evaluate(target.argumentExpression, scope), value)
    } else fail(target, 'values never change: write a whole record to a column, or make a new value')
  }

  // functions

  const invoke = (node, f, args) => {
    if (!(f instanceof Closure)) fail(node, 'not a function')
    const { declaration, scope } = f
    if (declaration !== kernel && isKernel(declaration)) return callKernel(node, declaration, args)
    const numberByNumber = declaration.getSourceFile().fileName.endsWith('/values/columns.ts') && BUILT_IN[declaration.name?.text]
    if (numberByNumber) return numberByNumber(node, args)
    if (depth === MOST_CALLS) fail(node, 'a function does not call itself')
    depth++
    const inner = new Scope(scope, true)
    declaration.parameters.forEach((p, k) => {
      if (p.dotDotDotToken || p.initializer || p.questionToken) fail(p, 'every parameter is given: no rest, no default')
      bind(inner, p.name, args[k])
    })
    const { body } = declaration
    const result = ts.isBlock(body) ? runStatements(body.statements, 0, inner) : evaluate(body, inner)
    depth--
    return result
  }

  /** Another kernel stays a function of its own, which may write to any column. */
  const callKernel = (node, declaration, args) => {
    const addresses = args.map((a) => {
      if (a instanceof Table) return graph.parameter(a.param)
      if (a instanceof Column) return a.slot < 0 ? graph.parameter(a.param) : graph.word(a.param, a.slot)
      return a.kind === 'i' || isConst(a) ? graph.settle(a) : fail(node, 'a kernel takes tables, columns and whole numbers')
    })
    for (const column of laneColumns) graph.block.stored.add(column)
    graph.forget(laneColumns)
    graph.block.items.push({ op: 'call', id: graph.count++, name: declaration.name.text, args: addresses })
  }

  const BUILT_IN = {
    add: (_, args) => args.reduce((x, y) => zip((p, q) => graph.arithmetic('add', p, q), x, y)),
    sub: (_, [x, y]) => zip((p, q) => graph.arithmetic('sub', p, q), x, y),
    scale: (_, [s, x]) => zip((p) => graph.arithmetic('mul', s, p), x),
    negate: (_, [x]) => zip((p) => graph.negate(p), x),
    any: (_, [test]) => (test.kind === 'm' ? graph.make('any', [test], 'b') : test),
  }

  // expressions

  const choose = (node, scope) => {
    const test = evaluate(node.condition, scope)
    const sides = [node.whenTrue, node.whenFalse].map((side) => () => evaluate(side, scope))
    if (test.kind !== 'm') return branch(node, test, sides)
    const { clock } = graph
    const [yes, no] = sides.map((side) => side())
    if (graph.clock !== clock) fail(node, 'both sides of a choice between numbers are worked out: neither may write')
    return zip((x, y) => (x === y ? x : graph.make('select', [test, x, y], 'f')), yes, no)
  }

  const unary = (node, scope) => {
    const sign = ts.tokenToString(node.operator)
    const x = evaluate(node.operand, scope)
    if (sign === '-') return graph.negate(x)
    if (sign === '!') return graph.not(x)
    if (sign === '++' || sign === '--')
      return assign(node.operand, graph.arithmetic(sign === '++' ? 'add' : 'sub', x, graph.constant(1)), scope)
    return fail(node, 'not in the language of kernels')
  }

  const binary = (node, scope) => {
    const sign = node.operatorToken.getText()
    if (sign === '=') return assign(node.left, evaluate(node.right, scope), scope)
    const x = evaluate(node.left, scope)
    const y = evaluate(node.right, scope)
    if (TESTS[sign]) return graph.compare(TESTS[sign], x, y)
    if (sign === '&&' || sign === '||') return graph.logic(sign === '&&' ? 'and' : 'or', x, y)
    const op = ARITHMETIC[sign.length === 2 && sign[1] === '=' ? sign[0] : sign]
    if (!op) fail(node, `'${sign}' is not in the language of kernels`)
    if (!isLeaf(x) || !isLeaf(y)) fail(node, 'numbers only: for tuples and records use add, sub, scale')
    const value = graph.arithmetic(op, x, y)
    return sign.length === 2 ? assign(node.left, value, scope) : value
  }

  const call = (node, scope) => {
    const f = node.expression
    const args = node.arguments.map((a) => (ts.isSpreadElement(a) ? fail(a, 'no spread') : evaluate(a, scope)))
    if (ts.isPropertyAccessExpression(f) && f.expression.getText() === 'Math') {
      return MATH.has(f.name.text)
        ? graph.call(f.name.text, args)
        : fail(
            node,
            `Math.${f.name.text} differs between engines: of Math use ${[...MATH].join(', ')}; sine and cosine are in math/values/trig`,
          )
    }
    return invoke(node, evaluate(f, scope), args)
  }

  const record = (node, scope) =>
    Object.fromEntries(
      node.properties.flatMap((p) => {
        if (ts.isSpreadAssignment(p)) return Object.entries(evaluate(p.expression, scope))
        if (ts.isShorthandPropertyAssignment(p)) return [[p.name.text, lookUp(p.name, scope)]]
        return ts.isPropertyAssignment(p) ? [[p.name.text, evaluate(p.initializer, scope)]] : fail(p, 'a record holds values')
      }),
    )

  function evaluate(node, scope) {
    here = node
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return evaluate(node.expression, scope)
    if (ts.isNumericLiteral(node)) return graph.constant(Number(node.text))
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
      return graph.constant(node.kind === ts.SyntaxKind.TrueKeyword)
    if (ts.isIdentifier(node)) return lookUp(node, scope)
    if (ts.isArrowFunction(node)) return new Closure(node, scope)
    if (ts.isArrayLiteralExpression(node)) return node.elements.map((e) => evaluate(e, scope))
    if (ts.isObjectLiteralExpression(node)) return record(node, scope)
    if (ts.isPropertyAccessExpression(node)) return member(node, evaluate(node.expression, scope), node.name.text)
    if (ts.isElementAccessExpression(node)) return element(node, evaluate(node.expression, scope), evaluate(node.argumentExpression, scope))
    if (ts.isConditionalExpression(node)) return choose(node, scope)
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return unary(node, scope)
    if (ts.isBinaryExpression(node)) return binary(node, scope)
    if (ts.isCallExpression(node)) return call(node, scope)
    return fail(node, 'not in the language of kernels')
  }

  const args = parameters.map((p, k) => (p === 'int' ? graph.parameter(k) : p))
  try {
    invoke(kernel, new Closure(kernel, null), args)
  } catch (e) {
    if (e instanceof KernelError || !(e instanceof Error) || e instanceof TypeError) throw e
    fail(here, e.message)
  }
  const names = kernel.parameters.map((p) => p.name.getText())
  return { name: kernel.name.text, names, parameters, ...schedule(graph) }
}
