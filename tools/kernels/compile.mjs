/** Kernels of a set of source files: type-checked, compiled, ready for the printers. */
import ts from 'typescript'
import { KernelError } from './error.mjs'
import { compileKernel, isKernel } from './evaluate.mjs'
import { Column } from './graph.mjs'
import { layoutOf, Table } from './shapes.mjs'

/** Throws with TypeScript's messages where types are wrong, a KernelError where a kernel leaves the language. */
export const compile = (files, options, host) => compileFiles(checkedProgram(files, options, host), files)

export function checkedProgram(files, options, host) {
  const program = ts.createProgram(files, { ...options, noEmit: true }, host)
  const problems = ts.getPreEmitDiagnostics(program)
  if (problems.length > 0) {
    throw new Error(
      ts.formatDiagnostics(problems, { getCanonicalFileName: (f) => f, getCurrentDirectory: () => '', getNewLine: () => '\n' }),
    )
  }
  return program
}

/** Kernels of files whose types are right; `wanted`: of which, default all. */
export function compileFiles(program, files, { single = false, wanted = () => true } = {}) {
  const checker = program.getTypeChecker()
  const kernels = files.flatMap((path) =>
    program
      .getSourceFile(path)
      .statements.filter((node) => isKernel(node) && wanted(node.name?.text))
      .map((node) => ({ file: path, node, ...compileKernel(checker, node, { single }) })),
  )
  const byName = new Map()
  for (const kernel of kernels) {
    if (byName.has(kernel.name)) throw new KernelError(kernel.node, `two kernels are called '${kernel.name}'`)
    byName.set(kernel.name, kernel)
  }
  const follow = (kernel, above) => {
    for (const [name, node] of kernel.calls) {
      if (above.includes(name)) throw new KernelError(node, 'a kernel does not call itself, also not by way of others: write a loop')
      if (byName.has(name)) follow(byName.get(name), [...above, name])
    }
  }
  for (const kernel of kernels) follow(kernel, [kernel.name])
  return kernels
}

/** Tables by the names of their interfaces: [name, 'Int' | 'Ints' | 'Shared' | 'Varied' | 'Lanes', numbers a record] of each word. */
export function tablesOf(kernels) {
  const found = new Map()
  const layouts = new Map()
  for (const kernel of kernels) {
    for (const table of kernel.parameters) {
      if (!(table instanceof Table)) continue
      if ((layouts.get(table.name) ?? layoutOf(table)) !== layoutOf(table))
        throw new KernelError(kernel.node, `another table is called '${table.name}' and has other words`)
      layouts.set(table.name, layoutOf(table))
      const words = [...table.fields.values()].map((f) =>
        f instanceof Column
          ? [f.name, { int: 'Ints', shared: 'Shared', varied: 'Varied', lane: 'Lanes' }[f.width], f.stride]
          : [f.name, 'Int', 1],
      )
      found.set(table.name, words)
    }
  }
  return found
}
