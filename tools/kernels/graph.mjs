/**
 * The middle of the kernel compiler: pure nodes in nested blocks, and the stores, branches and loops that order them.
 *
 * A node is an operation on other nodes. It is made once: the same operation on the same operands is looked up in the block at hand and in
 * those around it. Constants fold, and products with zeros and ones that types know vanish. A sum is never regrouped, so that every printed
 * form does the same operations on the same operands in the same order and gives the same bits.
 *
 * Memory has a version for each column. A load may be shared, or wait until it is needed, as long as its column has the same version.
 *
 * Kinds: f a number (one a lane), i a whole number (the same in all lanes), m a test on numbers (one a lane), b a test on whole numbers,
 * c a constant, which takes the kind of its partner.
 */

/** Records of one shape in memory. `width`: int, shared, varied or lane; `slot` < 0 where a parameter itself is the address. */
export class Column {
  constructor(name, width, shape, param, slot) {
    Object.assign(this, { name, width, shape, param, slot, stride: sizeOf(shape) })
  }
}

/** Numbers in a value of this shape: 'number', a literal that types fix, a tuple or a record of shapes. */
export const sizeOf = (shape) =>
  shape === 'number' ? 1 : typeof shape === 'number' ? 0 : Object.values(shape).reduce((n, s) => n + sizeOf(s), 0)

export class Node {
  constructor(id, op, args, kind, block) {
    Object.assign(this, { id, op, args, kind, block })
    this.uses = 0
    this.placed = 0
  }
}

export const isConst = (n) => n.op === 'const'
export const isTest = (n) => n.kind === 'm' || n.kind === 'b' || typeof n.value === 'boolean'
const isWhole = (x) => Number.isInteger(x) && Math.abs(x) < 2 ** 31
const is = (n, x) => n.op === 'const' && n.value === x

/** A variable that no turn of its loop changes is what it began as. */
export function actual(n) {
  while (n.same) n = n.same
  return n
}

/** Whether a node may stand where this kind is wanted: constants take the kind of their place. */
export function fits(kind, n) {
  if (!isConst(n)) return n.kind === kind
  return kind === 'i' ? isWhole(n.value) : typeof n.value === (kind === 'f' ? 'number' : 'boolean')
}

class Block {
  constructor(parent, owner) {
    Object.assign(this, { parent, owner, items: [], made: new Map(), loads: [], stored: new Set() })
  }
}

export const NO_TEST = 'a test is a comparison: write `x !== 0`'

/** what operations on numbers and comparisons do */
export const FOLD = { add: (a, b) => a + b, sub: (a, b) => a - b, mul: (a, b) => a * b, div: (a, b) => a / b }
export const TEST = {
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
}

export class Graph {
  count = 0
  clock = 0
  /** stores and calls so far */
  writes = 0
  versions = new Map()
  constants = new Map()
  root = new Block(null, null)
  block = this.root

  /** Runs `work` inside a new block that belongs to `owner`. */
  inside(owner, work) {
    const block = new Block(this.block, owner)
    this.block = block
    work(block)
    this.block = block.parent
    for (const column of block.stored) block.parent.stored.add(column)
    return block
  }

  make(op, operands, kind, more = {}, key = '') {
    const args = operands.map((a) => this.settle(a))
    const ids = args.map((a) => a.id)
    if (op === 'add' || op === 'mul') ids.sort((a, b) => a - b)
    const name = `${op} ${ids} ${key}`
    for (let b = this.block; b !== null; b = b.parent) {
      const found = b.made.get(name)
      if (found) return found
    }
    const node = Object.assign(new Node(this.count++, op, args, kind, this.block), more)
    this.block.made.set(name, node)
    return node
  }

  constant(value) {
    // 0 and −0 are different constants
    const key = Object.is(value, -0) ? 'minus zero' : value
    let node = this.constants.get(key)
    if (!node) {
      node = Object.assign(new Node(this.count++, 'const', [], 'c', null), { value })
      this.constants.set(key, node)
    }
    return node
  }

  /** Parameter `param`: a whole number, or an address. */
  parameter(param) {
    return this.atRoot(() => this.make('param', [], 'i', { param }, `${param}`))
  }

  /** Word `index` of the table that a parameter points to. */
  word(param, index) {
    return this.atRoot(() => this.make('word', [], 'i', { param, index }, `${param} ${index}`))
  }

  atRoot(work) {
    const { block } = this
    this.block = this.root
    const node = work()
    this.block = block
    return node
  }

  arithmetic(op, a, b) {
    if (isConst(a) && isConst(b)) return this.constant(FOLD[op](a.value, b.value))
    if (a.kind === 'i' || b.kind === 'i') return this.whole(op, a, b)
    if (op === 'add') {
      if (is(a, 0)) return b
      if (is(b, 0)) return a
      if (b.op === 'neg') return this.arithmetic('sub', a, b.args[0])
      if (a.op === 'neg') return this.arithmetic('sub', b, a.args[0])
    } else if (op === 'sub') {
      if (is(b, 0)) return a
      if (is(a, 0)) return this.negate(b)
      if (b.op === 'neg') return this.arithmetic('add', a, b.args[0])
    } else {
      if (op === 'mul' && (is(a, 0) || is(b, 0))) return this.constant(0)
      if (op === 'mul' && is(a, 1)) return b
      if (is(b, 1)) return a
      if (op === 'mul' && is(a, -1)) return this.negate(b)
      if (is(b, -1)) return this.negate(a)
      if (a.op === 'neg') return this.negate(this.arithmetic(op, a.args[0], b))
      if (b.op === 'neg') return this.negate(this.arithmetic(op, a, b.args[0]))
    }
    return this.make(op, [a, b], 'f')
  }

  whole(op, a, b) {
    if (a.kind === 'f' || b.kind === 'f')
      throw new Error('whole numbers and others do not mix; of two literals write `test ? k + 3 : k`, not `k + (test ? 3 : 0)`')
    this.checkWhole(a, b)
    if (op === 'div') throw new Error('whole numbers are not divided; keep the quotient in a column of the model')
    if (op === 'sub' && isConst(b)) return this.whole('add', a, this.constant(-b.value))
    if (op === 'add' && isConst(a)) return this.whole('add', b, a)
    if (op === 'add' && is(b, 0)) return a
    if (op === 'mul' && is(a, 1)) return b
    if (op === 'mul' && is(b, 1)) return a
    // (k + 2) + 3 is k + 5: constant parts of an index become offsets
    if (op === 'add' && isConst(b) && a.op === 'iadd' && isConst(a.args[1]))
      return this.whole('add', a.args[0], this.constant(a.args[1].value + b.value))
    return this.make(`i${op}`, [a, b], 'i')
  }

  checkWhole(...nodes) {
    for (const n of nodes)
      if (!fits('i', n)) throw new Error(`${n.value ?? 'this'} is no whole number, its partner is one: they do not mix`)
  }

  negate(a) {
    if (isConst(a)) return this.constant(-a.value)
    if (a.kind === 'i') return this.make('isub', [this.constant(0), a], 'i')
    return a.op === 'neg' ? a.args[0] : this.make('neg', [a], 'f')
  }

  /** sqrt, floor, abs, min, max: the same in all forms. */
  call(op, args) {
    if (args.every(isConst)) return this.constant(Math[op](...args.map((a) => a.value)))
    if (args.some((a) => a.kind === 'i')) throw new Error(`Math.${op} takes numbers, not whole ones`)
    if (args.length === 1 && (op === 'min' || op === 'max')) return args[0]
    return args.length > 2 ? args.reduce((x, y) => this.call(op, [x, y])) : this.make(op, args, 'f')
  }

  /** Whether a number is neither NaN nor infinite. */
  finite(x) {
    if (x.kind === 'i') throw new Error('isFinite takes numbers, not whole ones')
    return isConst(x) ? this.constant(Number.isFinite(x.value)) : this.make('finite', [x], 'm')
  }

  compare(op, a, b) {
    if (isTest(a) || isTest(b)) throw new Error('numbers are compared; of tests write `a && b`, `a || b` or `!a`')
    if (isConst(a) && isConst(b)) return this.constant(TEST[op](a.value, b.value))
    const whole = a.kind === 'i' || b.kind === 'i'
    if (whole) this.checkWhole(a, b)
    return this.make(whole ? `i${op}` : op, [a, b], whole ? 'b' : 'm')
  }

  logic(op, a, b) {
    if (!isTest(a) || !isTest(b)) throw new Error(NO_TEST)
    if (isConst(a)) return a.value === (op === 'and') ? b : a
    if (isConst(b)) return b.value === (op === 'and') ? a : b
    if (a.kind !== b.kind) throw new Error('tests on whole numbers and on others do not mix; nest two `if`s')
    return this.make(op, [a, b], a.kind)
  }

  not(a) {
    if (!isTest(a)) throw new Error(NO_TEST)
    return isConst(a) ? this.constant(!a.value) : this.make('not', [a], a.kind)
  }

  // memory

  /** Address of a record; what is constant about it is left as an offset in numbers. */
  place(column, index) {
    const start = column.slot < 0 ? this.parameter(column.param) : this.word(column.param, column.slot)
    let k = index
    let offset = 0
    if (isConst(k) && k.value < 0) throw new Error('an index is not below zero')
    if (isConst(k))
      return { address: this.make('address', [start, this.constant(0)], 'i', { column }, column.name), offset: k.value * column.stride }
    // offsets in WebAssembly are not below zero
    if (k.op === 'iadd' && isConst(k.args[1]) && k.args[1].value > 0) {
      offset = k.args[1].value * column.stride
      k = k.args[0]
    }
    return { address: this.make('address', [start, k], 'i', { column }, column.name), offset }
  }

  /** Number `part` of a record. What the model fixes is loaded where it is used, not where it is named: sides of a branch load their own. */
  load(column, index, part) {
    if (column.width === 'lane') return this.loadNow(column, index, part)
    return Object.assign(new Node(-1, 'later', [], column.width === 'int' ? 'i' : 'f', null), { column, index, part })
  }

  settle(n) {
    return n.op === 'later' ? this.loadNow(n.column, n.index, n.part) : n
  }

  loadNow(column, index, part) {
    const { address, offset } = this.place(column, index)
    const version = this.versions.get(column) ?? 0
    const node = this.make(
      'load',
      [address],
      column.width === 'int' ? 'i' : 'f',
      { column, offset: offset + part },
      loadKey(column, offset + part, version),
    )
    if (node.op === 'load' && !node.listed) {
      node.listed = true
      node.block.loads.push(node)
    }
    return node
  }

  /** Number `at` of a shared column, another one in each lane. Operands stand twice, so that they get locals: lanes read them one by one. */
  lookup(column, at) {
    const { address } = this.place(column, this.constant(0))
    return this.make('lookup', [address, at, address, at], 'f', { column })
  }

  store(column, index, given) {
    if (column.width !== 'lane') throw new Error(`'${column.name}' is read only`)
    const { address, offset } = this.place(column, index)
    const values = given.map((value) => this.settle(value))
    for (const value of values) if (!fits('f', value)) throw new Error(`'${column.name}' holds numbers, not whole ones or tests`)
    this.writes++
    this.versions.set(column, ++this.clock)
    this.block.stored.add(column)
    const id = this.count++
    values.forEach((value, part) => {
      this.block.items.push({ op: 'store', id, column, address, offset: offset + part, value })
      // until the next store to this column, a load of the same place gives the value
      this.block.made.set(`load ${address.id} ${loadKey(column, offset + part, this.clock)}`, value)
    })
  }

  /** What was read from these columns may have changed. */
  forget(columns) {
    for (const column of columns) this.versions.set(column, ++this.clock)
  }

  /** A branch or a loop, to be filled and put into the block at hand. `source`: where it stands. */
  item(op, source, more) {
    return { op, source, id: this.count++, variables: [], needs: new Set(), blocks: [], around: this.block, ...more }
  }

  /** A value that an item leaves: one of its two sides', or that of a loop's last turn. */
  variable(kind, item) {
    const v = Object.assign(new Node(this.count++, 'variable', [], kind, this.block), { item, from: [] })
    item.variables.push(v)
    return v
  }
}

const loadKey = (column, offset, version) => `${column.param}.${column.name} ${offset} @${version}`
