/**
 * Few WebAssembly locals for many scheduled ones: two share a register when one is never read again after the other is written. Modules are
 * smaller for it, since the number of a register takes a byte or two wherever it is used.
 */
import { actual, isConst } from './graph.mjs'

/** Registers of the locals of a kernel, and the types of all registers in order. `typeOf`: of a local's kind. */
export function assignRegisters(body, locals, typeOf) {
  const { first, last } = findLives(body, locals.length)
  const order = [...locals.keys()].filter((k) => first[k] !== undefined).sort((a, b) => first[a] - first[b])
  const types = []
  const free = new Map()
  const busy = []
  const register = []
  for (const k of order) {
    // what is read for the last time before this place gives its register back
    for (let b = busy.length - 1; b >= 0; b--) {
      const done = busy[b]
      if (last[done] >= first[k]) continue
      free.set(types[register[done]], [...(free.get(types[register[done]]) ?? []), register[done]])
      busy.splice(b, 1)
    }
    const type = typeOf(locals[k])
    const unused = free.get(type) ?? []
    register[k] = unused.length > 0 ? unused.splice(unused.indexOf(Math.min(...unused)), 1)[0] : types.push(type) - 1
    busy.push(k)
  }
  return sortByType(register, types)
}

/** First and last statement at which each local is written or read, statements counted in the order in which they are printed. */
function findLives(body, count) {
  const first = new Array(count)
  const last = new Array(count)
  let at = 0
  const touch = (k) => {
    first[k] ??= at
    last[k] = Math.max(last[k] ?? 0, at)
  }
  const read = (node, top = false) => {
    const n = actual(node)
    if (isConst(n)) return
    if (n.local !== undefined && !top) touch(n.local)
    else n.args.forEach((a) => read(a))
  }
  const walk = (list) => {
    for (const s of list) {
      at++
      if (s.op === 'set') read(s.node, true)
      if (s.op === 'test' || s.op === 'copy') read(s.node)
      for (const node of [s.value, s.address, s.op === 'if' ? s.test : undefined, ...(s.args ?? [])]) if (node) read(node)
      if (s.op === 'set' || s.op === 'let' || s.op === 'assign') touch(s.node.local)
      if (s.op === 'copy') touch(s.local)
      const start = at
      for (const inner of s.bodies ?? []) walk(inner)
      // what a loop reads from before it is read again in its next turn
      if (s.op === 'loop') {
        at++
        for (let k = 0; k < count; k++) if (first[k] < start && last[k] > start) last[k] = at
      }
    }
  }
  walk(body)
  return { first, last }
}

/** Registers of a type stand together: one entry of the module declares them all. */
function sortByType(register, types) {
  const order = [...types.keys()].sort((a, b) => types[a] - types[b] || a - b)
  const place = new Map(order.map((r, k) => [r, k]))
  return { register: register.map((r) => place.get(r)), types: order.map((r) => types[r]) }
}
