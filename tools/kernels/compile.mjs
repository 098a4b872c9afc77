/** Kernels of a set of source files: type-checked, compiled, ready for the printers. */
import ts from 'typescript'
import { compileKernel, isKernel } from './evaluate.mjs'
import { Column } from './graph.mjs'
import { Table } from './shapes.mjs'

/** Throws with the compiler's messages where types are wrong, a KernelError where a kernel leaves the language. */
export function compile(files, options) {
  const program = ts.createProgram(files, { ...options, noEmit: true })
  const problems = ts.getPreEmitDiagnostics(program)
  if (problems.length > 0) {
    throw new Error(
      ts.formatDiagnostics(problems, { getCanonicalFileName: (f) => f, getCurrentDirectory: () => '', getNewLine: () => '\n' }),
    )
  }
  const checker = program.getTypeChecker()
  return files.flatMap((path) => {
    const file = program.getSourceFile(path)
    return file.statements.filter(isKernel).map((kernel) => ({ file: path, ...compileKernel(checker, kernel) }))
  })
}

/** Tables by the names of their interfaces: [name, 'Int' | 'Ints' | 'Shared' | 'Lanes', numbers a record] of each word. */
export function tablesOf(kernels) {
  const found = new Map()
  for (const kernel of kernels) {
    for (const table of kernel.parameters) {
      if (!(table instanceof Table)) continue
      const words = [...table.fields.values()].map((f) =>
        f instanceof Column ? [f.name, { int: 'Ints', shared: 'Shared', lane: 'Lanes' }[f.width], f.stride] : [f.name, 'Int', 1],
      )
      found.set(table.name, words)
    }
  }
  return found
}
