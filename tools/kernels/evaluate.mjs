/**
 * The front of the kernel compiler: runs the source of a kernel on symbols. Functions and closures are called on the spot, tuples and
 * records fall apart into numbers, loops with constant bounds are unrolled; what is left goes to the graph.
 *
 * A value is a Node, a tuple or record of values, a Closure, a Table or a Column.
 */
import ts from 'typescript'
import { KernelError } from './error.mjs'
import { Column, fits, Graph, isConst, isTest, NO_TEST } from './graph.mjs'
import { schedule } from './schedule.mjs'
import { isInt, layoutOf, parameterOf, Table } from './shapes.mjs'
import { Closure, isData, isLeaf, isPlain, Scope, zip } from './values.mjs'

const ARITHMETIC = { '+': 'add', '-': 'sub', '*': 'mul', '/': 'div' }
const TESTS = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '===': 'eq', '!==': 'ne' }
const MATH = new Set(['sqrt', 'floor', 'abs', 'min', 'max'])
/** loops with constant bounds may have so many turns */
const MOST_TURNS = 64
const MOST_CALLS = 60

/** what each name in the source stands for: functions are run many times over */
const declarations = new WeakMap()

export function isKernel(node) {
  if (!ts.getJSDocTags(node).some((t) => t.tagName.text === 'kernel')) return false
  if (!ts.isFunctionDeclaration(node)) throw new KernelError(node, 'a kernel is a function: write `export function`')
  return true
}

/** names that the JavaScript form uses itself */
const TAKEN = /^(\$F|\$I|Math|[tv][0-9]+)$/
const ONE_NUMBER = 'numbers only: for tuples and records use add, sub, scale, negate'
const INSTEAD = {
  [ts.SyntaxKind.WhileStatement]: 'no while: write for (let n = 0; any(open) && n < most; n++)',
  [ts.SyntaxKind.DoStatement]: 'no do: write for (let n = 0; any(open) && n < most; n++)',
  [ts.SyntaxKind.BreakStatement]: 'no break: put the condition in the test of the loop',
  [ts.SyntaxKind.SwitchStatement]: 'no switch: write if and else',
  [ts.SyntaxKind.ForOfStatement]: 'no for of: count with for (let i = 0; i < n; i++)',
  [ts.SyntaxKind.FunctionDeclaration]: 'functions inside of others are arrow functions',
}
/** Whether a declaration is the language's own: in math/values. */
const inFile = (declaration, name) => declaration.getSourceFile().fileName.endsWith(`/math/values/${name}`)
const CHANGES = 'values never change: write a whole record to a column, or make a new value'

/** Kernel → { name, names, parameters, calls, body, locals } for the printers. `single`: for forms in single precision. */
export function compileKernel(checker, kernel, { single = false } = {}) {
  const graph = new Graph()
  if (!kernel.name || !kernel.body) throw new KernelError(kernel, 'a kernel has a name and a body')
  for (const { name } of [kernel, ...kernel.parameters])
    if (TAKEN.test(name.getText())) throw new KernelError(name, 'the printed form uses this name itself: take another')
  const parameters = kernel.parameters.map((p, k) => parameterOf(checker, p, k))
  const columns = parameters.flatMap((p) =>
    p instanceof Column ? [p] : p instanceof Table ? [...p.fields.values()].filter((f) => f instanceof Column) : [],
  )
  const laneColumns = columns.filter((c) => c.width === 'lane')
  const globals = new Map()
  /** the calls of other kernels, by their names */
  const calls = new Map()
  /** of each branch under way: the variables assigned in it, with their values before */
  const journals = []
  let depth = 0
  let here = kernel

  const fail = (node, why) => {
    throw new KernelError(node, why)
  }

  // names

  const declarationOf = (identifier) => {
    if (declarations.has(identifier)) return declarations.get(identifier)
    let symbol = checker.getSymbolAtLocation(identifier)
    if (ts.isShorthandPropertyAssignment(identifier.parent)) symbol = checker.getShorthandAssignmentValueSymbol(identifier.parent)
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
    const declaration = symbol?.valueDeclaration ?? fail(identifier, 'unknown name')
    declarations.set(identifier, declaration)
    return declaration
  }

  const bind = (scope, pattern, value) => {
    if (ts.isIdentifier(pattern)) {
      // a whole number with a name is read there, not again in every turn of a loop that uses it
      const isWhole = value?.op === 'later' && value.kind === 'i'
      scope.cells.set(pattern.parent, {
        value: isWhole ? graph.settle(value) : value,
        whole: isInt(pattern.parent.type),
        born: graph.count,
      })
      return
    }
    pattern.elements.forEach((e, k) => {
      if (ts.isOmittedExpression(e)) return
      if (e.dotDotDotToken || e.initializer) fail(e, 'no rest and no default in a pattern')
      bind(scope, e.name, ts.isArrayBindingPattern(pattern) ? part(e, value, k) : member(e, value, (e.propertyName ?? e.name).text))
    })
  }

  /** The variable of a name; `within`: of the function at hand only. */
  const cellOf = (identifier, scope, within = false) => {
    const declaration = declarationOf(identifier)
    for (let s = scope; s; s = within && s.isFunction ? null : s.parent) if (s.cells.has(declaration)) return s.cells.get(declaration)
    return undefined
  }

  const lookUp = (identifier, scope) => {
    const cell = cellOf(identifier, scope)
    if (cell) return cell.value
    const declaration = declarationOf(identifier)
    if (ts.isFunctionDeclaration(declaration)) return new Closure(declaration, null)
    if (!ts.isVariableDeclaration(declaration) || !(declaration.parent.flags & ts.NodeFlags.Const))
      fail(identifier, 'only constants and functions may come from outside a kernel: make it a parameter, a column or a const')
    if (!declaration.initializer) fail(identifier, 'no value is known for this name')
    if (inFile(declaration, 'form.ts') && declaration.name.getText() === 'SINGLE') return graph.constant(single)
    if (!globals.has(declaration)) globals.set(declaration, evaluate(declaration.initializer, null))
    return globals.get(declaration)
  }

  const assignTo = (identifier, value, scope) => {
    if (!isPlain(value)) fail(identifier, 'variables that change hold numbers, tuples and records: name functions and columns with const')
    const cell = cellOf(identifier, scope, true)
    if (!cell) fail(identifier, 'a function does not assign to what lies outside of it: return the value')
    setCell(cell, value)
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
    checkIndex(node, index)
    const numbers = []
    const flatten = (shape, v) => {
      if (v === undefined) fail(node, `'${column.name}' needs every part of its record`)
      if (shape === 'number') numbers.push(isLeaf(v) ? v : fail(node, `'${column.name}' has numbers here`))
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
    return isData(of) && !isLeaf(of) && Object.hasOwn(of, name) ? of[name] : fail(node, `no part '${name}' here`)
  }

  const part = (node, of, k) => (Array.isArray(of) && of[k] !== undefined ? of[k] : fail(node, `a tuple without part ${k}`))

  const checkIndex = (node, index) => {
    if (!isLeaf(index) || !fits('i', index)) fail(node, 'an index is a whole number: Int, a counter, or from Ints')
  }

  const element = (node, of, index) => {
    if (of instanceof Column) {
      checkIndex(node, index)
      return read(of, index)
    }
    if (!isLeaf(index) || !isConst(index)) fail(node, 'the index of a tuple is a constant: use a loop with constant bounds, or a column')
    return part(node, of, index.value)
  }

  // control flow

  const settle = (value) => (isPlain(value) ? zip((x) => graph.settle(x), value) : value)

  /** Kind of a variable that is one of two nodes. `whole`: it is declared so; a literal does not tell. */
  const kindOf = (node, x, y, whole) => {
    const literal = typeof x.value === 'boolean' ? 'b' : whole ? 'i' : 'f'
    const kind = !isConst(x) ? x.kind : !isConst(y) ? y.kind : literal
    if (!fits(kind, x) || !fits(kind, y)) fail(node, 'one side is a whole number or a test, the other is not: they do not mix')
    return kind
  }

  /** One of two sides; what they leave in variables, and their values, are merged. */
  const branch = (node, test, sides) => {
    if (!isLeaf(test) || !isTest(test)) fail(node, NO_TEST)
    if (isConst(test)) return sides[test.value ? 0 : 1]()
    const item = graph.item('if', node, { test })
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
    const merge = (a, b, whole) => {
      if (a === b) return a
      if (!isPlain(a) || !isPlain(b)) return fail(node, 'the sides of a branch on numbers give numbers')
      return zip(
        (x, y) => {
          if (x === y) return x
          const v = graph.variable(kindOf(node, x, y, whole), item)
          v.from = [
            [x, item.blocks[0]],
            [y, item.blocks[1]],
          ]
          return v
        },
        a,
        b,
      )
    }
    const [yes, no] = ends
    if ((yes.result === undefined) !== (no.result === undefined)) fail(node, 'either every path returns a value, or none')
    const result = yes.result === undefined ? undefined : merge(yes.result, no.result)
    // what is declared inside of a side ends there
    for (const cell of new Set([...yes.left.keys(), ...no.left.keys()]))
      if (cell.born <= item.id)
        setCell(cell, merge(yes.left.get(cell) ?? settle(cell.value), no.left.get(cell) ?? settle(cell.value), cell.whole))
    graph.block.items.push(item)
    return result
  }

  /** Cells of variables from outside that a loop assigns to. */
  const assignedCells = (loop, scope) => {
    const cells = new Set()
    const mark = (target) => {
      if (ts.isArrayLiteralExpression(target)) target.elements.forEach(mark)
      if (!ts.isIdentifier(target)) return
      const cell = cellOf(target, scope)
      if (cell) cells.add(cell)
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
    const list = s.initializer
    if (!list || !ts.isVariableDeclarationList(list) || !s.condition || !s.incrementor)
      fail(s, 'a loop declares its counter, tests it and moves it: for (let i = 0; i < n; i++)')
    if (contains(s.statement, ts.isReturnStatement)) fail(s, 'no return from inside a loop: keep the result in a variable')
    const scope = new Scope(outer)
    declare(list, scope)
    for (const cell of scope.cells.values()) {
      if (!isLeaf(cell.value) || !fits('i', cell.value)) fail(s, 'what a loop declares is a counter, a whole number')
      cell.whole = true
    }
    const counters = new Set(scope.cells.values())
    const { writes } = graph
    const constant = [...counters].every((cell) => isConst(cell.value)) && isConst(evaluate(s.condition, scope))
    if (graph.writes !== writes) fail(s.condition, 'the test of a loop does not write')
    // `let open = true` is a constant before the first turn only
    const changed = assignedCells(s, scope)
    const tested = (n) => ts.isIdentifier(n) && [...changed].some((cell) => !counters.has(cell) && cell === cellOf(n, scope))
    if (constant && !contains(s.condition, tested)) unroll(s, scope)
    else repeat(s, scope, changed)
  }

  const unroll = (s, scope) => {
    for (let turns = 0; ; turns++) {
      const test = evaluate(s.condition, scope)
      if (!isConst(test) || !isTest(test))
        fail(s.condition, 'this test is a constant at first and later not: begin the counter with an Int of a table')
      if (!test.value) return
      if (turns === MOST_TURNS) fail(s, `more than ${MOST_TURNS} turns to unroll: take the bound from a table`)
      runBlock(s.statement, scope)
      run(s.incrementor, scope)
    }
  }

  const repeat = (s, scope, changed) => {
    const item = graph.item('loop', s)
    const cells = [...changed]
    const starts = cells.map((cell) =>
      isPlain(cell.value) ? settle(cell.value) : fail(s, 'a loop changes variables that hold numbers only'),
    )
    const variables = cells.map((cell, k) =>
      // a test that begins as a literal may differ from lane to lane later on
      zip((x) => graph.variable(cell.whole ? 'i' : !isConst(x) ? x.kind : typeof x.value === 'boolean' ? 'm' : 'f', item), starts[k]),
    )
    cells.forEach((cell, k) => setCell(cell, variables[k]))
    const versions = new Map(graph.versions)
    graph.forget(laneColumns)
    const outside = graph.block
    let ends
    const body = graph.inside(item, (block) => {
      const test = evaluate(s.condition, scope)
      if (!isLeaf(test) || !isTest(test)) fail(s.condition, NO_TEST)
      block.items.push({ op: 'test', source: s.condition, test })
      runBlock(s.statement, scope)
      run(s.incrementor, scope)
      ends = cells.map((cell) => settle(cell.value))
    })
    item.blocks.push(body)
    graph.versions = versions
    graph.forget(body.stored)
    cells.forEach((cell, k) => {
      cell.value = zip(
        (v, start, end) => {
          if (v === end) {
            v.same = start
            return start
          }
          if (!fits(v.kind, start) || !fits(v.kind, end))
            fail(
              s,
              'a loop makes a whole number or a test of a variable that was none, or the other way round: declare whole ones as `let k: Int`, begin tests of whole ones with one',
            )
          v.from = [
            [start, outside],
            [end, body],
          ]
          return v
        },
        variables[k],
        starts[k],
        ends[k],
      )
    })
    graph.block.items.push(item)
  }

  /** Whether any part of a statement passes, but for functions and loops inside. */
  const contains = (s, test) =>
    test(s) || (!ts.isFunctionLike(s) && !ts.isForStatement(s) && ts.forEachChild(s, (c) => contains(c, test) || undefined) === true)
  /** whether a statement may skip what follows it */
  const jumps = (s) => contains(s, (n) => ts.isReturnStatement(n) || ts.isContinueStatement(n))

  const declare = (list, scope) => {
    if (!(list.flags & ts.NodeFlags.BlockScoped)) fail(list, 'no var: write const or let')
    for (const d of list.declarations) {
      if (!d.initializer) fail(d, 'a variable begins with a value')
      bind(scope, d.name, evaluate(d.initializer, scope))
    }
  }

  const runBlock = (s, scope, after) => runStatements(ts.isBlock(s) ? s.statements : [s], 0, new Scope(scope), after)

  /** What a return among these statements gives; `after` is what follows where none of them jumps away. */
  const runStatements = (list, k, scope, after) => {
    if (k === list.length) return after?.()
    const s = list[k]
    here = s
    const next = () => runStatements(list, k + 1, scope, after)
    if (ts.isReturnStatement(s)) return s.expression && run(s.expression, scope)
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
    else if (ts.isVariableStatement(s)) declare(s.declarationList, scope)
    else if (ts.isExpressionStatement(s)) run(s.expression, scope)
    else if (!ts.isEmptyStatement(s))
      fail(s, INSTEAD[s.kind] ?? 'not in the language of kernels: const, let, assignment, for, if, continue and return are')
    return next()
  }

  const assign = (target, value, scope) => {
    if (ts.isIdentifier(target)) assignTo(target, value, scope)
    else if (ts.isArrayLiteralExpression(target))
      target.elements.forEach((t, k) => !ts.isOmittedExpression(t) && assign(t, part(target, value, k), scope))
    else if (ts.isElementAccessExpression(target)) {
      const column = evaluate(target.expression, scope)
      if (!(column instanceof Column)) fail(target, CHANGES)
      write(target, column, evaluate(target.argumentExpression, scope), value)
    } else fail(target, CHANGES)
  }

  // functions

  const invoke = (node, f, args) => {
    if (!(f instanceof Closure)) fail(node, 'not a function')
    const { declaration, scope } = f
    if (declaration !== kernel && isKernel(declaration)) return callKernel(node, declaration, args)
    const numberByNumber = (inFile(declaration, 'columns.ts') || inFile(declaration, 'form.ts')) && BUILT_IN[declaration.name?.text]
    if (numberByNumber) return numberByNumber(node, args)
    if (!declaration.body) fail(node, 'no source is known for this function')
    if (depth === MOST_CALLS) fail(node, 'a function does not call itself: write a loop')
    depth++
    const inner = new Scope(scope, true)
    declaration.parameters.forEach((p, k) => {
      if (p.dotDotDotToken || p.initializer || p.questionToken) fail(p, 'every parameter is given: no rest, no default')
      bind(inner, p.name, args[k])
    })
    const { body } = declaration
    const result = ts.isBlock(body) ? runStatements(body.statements, 0, inner) : run(body, inner)
    depth--
    return result
  }

  /** Another kernel stays a function of its own, which may write to any column. */
  const callKernel = (node, declaration, args) => {
    const addresses = declaration.parameters.map((p, k) => {
      const wanted = parameterOf(checker, p, k)
      const a = args[k]
      if (wanted === 'int') return isLeaf(a) && fits('i', a) ? graph.settle(a) : fail(node, `'${p.name.text}' is a whole number`)
      if (!(a instanceof Table || a instanceof Column) || layoutOf(a) !== layoutOf(wanted))
        fail(node, `'${p.name.text}' has another layout: give a kernel the very table or column that it asks for`)
      return a instanceof Table || a.slot < 0 ? graph.parameter(a.param) : graph.word(a.param, a.slot)
    })
    const { text } = declaration.name
    if (kernel.parameters.some((p) => p.name.text === text))
      fail(node, `a parameter of '${kernel.name.text}' has the same name: take another`)
    calls.set(text, node)
    for (const column of laneColumns) graph.block.stored.add(column)
    graph.forget(laneColumns)
    graph.writes++
    graph.block.items.push({ op: 'call', id: graph.count++, name: text, args: addresses })
  }

  const BUILT_IN = {
    add: (_, args) => args.reduce((x, y) => zip((p, q) => graph.arithmetic('add', p, q), x, y)),
    sub: (_, [x, y]) => zip((p, q) => graph.arithmetic('sub', p, q), x, y),
    scale: (_, [s, x]) => zip((p) => graph.arithmetic('mul', s, p), x),
    negate: (_, [x]) => zip((p) => graph.negate(p), x),
    lookup: (node, [column, at]) =>
      column instanceof Column && column.width === 'shared' && column.stride === 1 && isLeaf(at) && fits('f', at)
        ? graph.lookup(column, at)
        : fail(node, 'lookup takes a column Shared<number> and a number'),
    isFinite: (node, [x]) => (isLeaf(x) ? graph.finite(x) : fail(node, ONE_NUMBER)),
    any: (node, [test]) => (!isTest(test) ? fail(node, NO_TEST) : test.kind === 'm' ? graph.make('any', [test], 'b') : test),
  }

  // expressions

  const choose = (node, scope) => {
    const test = evaluate(node.condition, scope)
    const sides = [node.whenTrue, node.whenFalse].map((side) => () => run(side, scope))
    if (test.kind !== 'm') return branch(node, test, sides)
    const { writes } = graph
    const [yes, no] = sides.map((side) => side())
    if (graph.writes !== writes)
      fail(node, 'both sides of a choice between numbers are worked out: neither may write. Write what is chosen')
    return zip((x, y) => (x === y ? x : graph.make('select', [test, x, y], kindOfChoice(node, x, y))), yes, no)
  }

  const kindOfChoice = (node, x, y) => {
    const kind = isTest(x) ? 'm' : 'f'
    return fits(kind, x) && fits(kind, y)
      ? kind
      : fail(node, 'a test on numbers chooses between numbers: whole ones are the same in all lanes')
  }

  const unary = (node, scope) => {
    const sign = ts.tokenToString(node.operator)
    const x = evaluate(node.operand, scope)
    if (!isLeaf(x)) fail(node, ONE_NUMBER)
    if (sign === '-') return graph.negate(x)
    if (sign === '!') return graph.not(x)
    if (sign === '++' || sign === '--')
      return assign(node.operand, graph.arithmetic(sign === '++' ? 'add' : 'sub', x, graph.constant(1)), scope)
    return fail(node, `'${sign}' is not in the language of kernels`)
  }

  const binary = (node, scope) => {
    const sign = node.operatorToken.getText()
    if (sign === '=') return assign(node.left, evaluate(node.right, scope), scope)
    const x = evaluate(node.left, scope)
    const { writes } = graph
    const y = evaluate(node.right, scope)
    if (!isLeaf(x) || !isLeaf(y)) fail(node, ONE_NUMBER)
    if ((sign === '&&' || sign === '||') && graph.writes !== writes) fail(node, 'both sides of && and || are worked out: neither may write')
    if (TESTS[sign]) return graph.compare(TESTS[sign], x, y)
    if (sign === '&&' || sign === '||') return graph.logic(sign === '&&' ? 'and' : 'or', x, y)
    const op = ARITHMETIC[sign.length === 2 && sign[1] === '=' ? sign[0] : sign]
    if (!op) fail(node, `'${sign}' is not in the language of kernels`)
    const value = graph.arithmetic(op, x, y)
    return sign.length === 2 ? assign(node.left, value, scope) : value
  }

  const call = (node, scope) => {
    const f = node.expression
    const args = node.arguments.map((a) => evaluate(a, scope))
    if (ts.isPropertyAccessExpression(f) && f.expression.getText() === 'Math') {
      if (!args.every(isLeaf)) fail(node, ONE_NUMBER)
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
        if (!ts.isPropertyAssignment(p) || ts.isComputedPropertyName(p.name)) fail(p, 'a record holds values by their names')
        return [[p.name.text, evaluate(p.initializer, scope)]]
      }),
    )

  const evaluate = (node, scope) =>
    run(node, scope) ?? fail(node, 'no value here: an assignment and a call that returns nothing are statements of their own')

  /** The value of an expression, undefined where it has none. */
  const run = (node, scope) => {
    const around = here
    here = node
    const value = expression(node, scope)
    here = around
    return value
  }

  const expression = (node, scope) => {
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node))
      return run(node.expression, scope)
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
    if (ts.isSpreadElement(node)) fail(node, 'no spread: give every part by itself')
    return fail(node, 'not in the language of kernels: numbers, tuples, records, tests, arithmetic, ?:, calls and arrow functions are')
  }

  const args = parameters.map((p, k) => (p === 'int' ? graph.parameter(k) : p))
  try {
    if (invoke(kernel, new Closure(kernel, null), args) !== undefined) fail(kernel, 'a kernel returns nothing: write to a column')
  } catch (e) {
    if (e instanceof KernelError) throw e
    throw new KernelError(here, e.message, e)
  }
  const names = kernel.parameters.map((p) => p.name.getText())
  return { name: kernel.name.text, names, parameters, calls, ...schedule(graph) }
}
