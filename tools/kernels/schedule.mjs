/**
 * Puts the nodes of a graph in order: a list of statements with expression trees, the same for all printers.
 *
 * A node that is used once is printed in its place; one that is used again, or in a block further in, gets a local. Loads wait until their
 * first use, so that few numbers are held at a time, but never past a store to their column.
 *
 * Statements: set (a local), let (a variable), assign, copy, store, call, test (leave the loop unless), loop, if.
 */
import { actual, isConst } from './graph.mjs'

export function schedule(graph) {
  countUses(graph.root)
  const locals = []
  const newLocal = (kind) => locals.push(kind) - 1

  const emit = (block, finish) => {
    const out = []
    const setLocal = (n) => {
      n.local = newLocal(n.kind)
      out.push({ op: 'set', node: n })
    }
    /** Everything that n is made of, ready to be printed. */
    const need = (node) => {
      const n = actual(node)
      n.placed++
      if (isConst(n) || n.local !== undefined) return n
      n.args.forEach(need)
      if (n.uses > 1) setLocal(n)
      return n
    }
    const needLocal = (n) => {
      if (n.local !== undefined) return
      n.args.forEach(need)
      setLocal(n)
    }
    /** Loads that were made before this item, are still to be used, and would read something else after it. */
    const loadBefore = (item, clashes) => {
      for (const n of block.loads) if (n.used && n.local === undefined && n.placed < n.uses && n.id < item.id && clashes(n)) needLocal(n)
    }

    const emitStore = (item) => {
      const address = need(item.address)
      const value = need(item.value)
      loadBefore(item, (n) => n.column === item.column && (actual(n.args[0]) !== address || n.offset === item.offset))
      out.push({ op: 'store', column: item.column, address, offset: item.offset, value })
    }

    const emitInner = (item) => {
      for (const n of [...item.needs].sort((a, b) => a.id - b.id)) if (n.op !== 'variable') needLocal(n)
      loadBefore(item, (n) => item.blocks.some((b) => b.stored.has(n.column)))
      const variables = item.variables.filter((v) => v.used && !v.same)
      const test = item.op === 'if' ? need(item.test) : undefined
      for (const v of variables) {
        const start = item.op === 'loop' ? need(v.from[0][0]) : undefined
        v.local = newLocal(v.kind)
        out.push({ op: 'let', node: v, value: start })
      }
      const bodies = item.blocks.map((inner, side) =>
        emit(inner, (list, tools) => {
          const values = variables.map((v) => tools.need(v.from[item.op === 'loop' ? 1 : side][0]))
          if (item.op === 'loop' && variables.length > 1) keepOld(variables, values, list, tools.setLocal)
          variables.forEach((v, k) => {
            if (values[k] !== v) list.push({ op: 'assign', node: v, value: values[k] })
          })
        }),
      )
      out.push({ op: item.op, source: item.source, test, bodies })
    }

    /** All new values exist before the first variable changes. */
    const keepOld = (variables, values, list, setInner) => {
      values.forEach((n, k) => {
        if (!isConst(n) && n.local === undefined) setInner(n)
        else if (n !== variables[k] && variables.includes(n)) {
          const local = newLocal(n.kind)
          list.push({ op: 'copy', node: n, local })
          values[k] = Object.assign(Object.create(n), { local })
        }
      })
    }

    for (const item of block.items) {
      if (item.op === 'store') emitStore(item)
      else if (item.op === 'test') out.push({ op: 'test', source: item.source, node: need(item.test) })
      else if (item.op === 'call') {
        const args = item.args.map(need)
        loadBefore(item, (n) => n.column.width === 'lane')
        out.push({ op: 'call', name: item.name, args })
      } else if (item.live) emitInner(item)
    }
    finish?.(out, { need, setLocal })
    return out
  }
  return { body: emit(graph.root), locals }
}

/**
 * Which nodes a store or a call depends on, how often each is used, and which are needed inside an item but made outside of it. A branch or
 * a loop is live where something inside writes, or where something live needs a variable that it leaves.
 */
function countUses(root) {
  const visit = (node, at) => {
    const n = actual(node)
    if (isConst(n)) return
    n.uses++
    if (n.block !== at) {
      let inner = at
      while (inner.parent !== n.block) inner = inner.parent
      inner.owner.needs.add(n)
    }
    if (n.used) return
    n.used = true
    for (const a of n.args) visit(a, n.block)
    if (n.op !== 'variable') return
    enliven(n.item)
    for (const [x, block] of n.from) visit(x, block)
  }
  const enliven = (item) => {
    if (!item || item.live) return
    item.live = true
    enliven(item.around.owner)
    if (item.op === 'if') visit(item.test, item.around)
    else for (const inner of item.blocks[0].items) if (inner.op === 'test') visit(inner.test, item.blocks[0])
  }
  const collect = (block) => {
    for (const item of block.items) {
      if (item.op === 'store' || item.op === 'call') {
        enliven(block.owner)
        for (const n of item.op === 'call' ? item.args : [item.address, item.value]) visit(n, block)
      }
      for (const inner of item.blocks ?? []) collect(inner)
    }
  }
  collect(root)
}
