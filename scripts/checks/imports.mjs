/**
 * Who may import whom. Inside engine/src a folder imports itself and the folders before it, `import type` included; a solver
 * folder never imports another; the other packages take `limber` by its name; cli and studio never meet.
 */
import { posix } from 'node:path'
import ts from 'typescript'
import { lineOf, listFiles, read } from './files.mjs'

const order = [
  ...[
    'math',
    'printed',
    'kernels',
    'linalg',
    'model',
    'joints',
    'tree',
    'elimination',
    'forces',
    'contact',
    'constraints',
    'deformable',
    'build',
    'solvers',
  ],
  ...[
    'parallel',
    'batch',
    'control',
    'io',
    'handles',
    'snapshot.ts',
    'simulation.ts',
    'create-simulation.ts',
    'record.ts',
    'record-batch.ts',
    'record-file.ts',
    'core.ts',
    'js-kernels.ts',
    'on-demand.ts',
    'parallel.ts',
    'index.ts',
    'model-files.ts',
    'node.ts',
  ],
]
/** up to here the engine has no runtime dependency */
const lastBare = order.indexOf('solvers')
/** the only places in the engine for files, threads and processes: what `limber/node` reaches */
export const nodeFiles = /^engine\/src\/(node|model-files|record-file|parallel\/(mpi|node-threads|node-processors|page-processors))\.ts$/
/** what each workspace may import by package name, besides its declared dependencies */
const forbidden = {
  cli: ['limber-studio'],
  studio: ['limber-cli'],
  scenes: ['limber-cli', 'limber-studio', 'limber-bench'],
  bench: ['limber-cli', 'limber-studio'],
}

export function checkImports() {
  const problems = []
  for (const path of listFiles(/^(engine|scenes|cli|studio|bench)\/.*\.(ts|js|mjs)$/)) {
    const text = read(path)
    for (const { fileName, pos } of ts.preProcessFile(text, true, true).importedFiles) {
      const why = path.startsWith('engine/src/') ? refuseInEngine(path, fileName) : refuseOutside(path, fileName)
      if (why) problems.push(`${path}:${lineOf(text, pos)}: imports ${fileName}: ${why}`)
    }
  }
  return problems
}

function refuseInEngine(path, name) {
  const test = path.endsWith('.test.ts')
  const from = rank(path)
  if (from < 0) return `its folder is not in the list of scripts/checks/imports.mjs; add it at its place`
  if (!name.startsWith('.')) {
    if (test || nodeFiles.test(path)) return undefined
    if (name.startsWith('node:'))
      return 'the engine has no Node API outside node.ts, model-files.ts, record-file.ts and the files of limber/node in parallel/'
    return from <= lastBare ? 'math to solvers have no runtime dependency' : undefined
  }
  const target = posix.join(posix.dirname(path), name)
  if (!target.startsWith('engine/src/')) return test && target.startsWith('engine/') ? undefined : 'leaves the package; import it by name'
  if (test) return undefined
  const to = rank(target.replace(/\.js$/, '.ts'))
  if (to > from) return `${order[from]} comes before ${order[to]}; what both need moves up the list`
  const [solver, other] = [path, target].map((p) => p.match(/^engine\/src\/solvers\/([^/]+)\//)?.[1])
  if (solver && other && solver !== other) return 'a solver folder never imports another; move the shared part to tree or linalg'
  return undefined
}

/** Place of a file in the order; a test counts as the file it tests. */
function rank(path) {
  return order.indexOf(
    path
      .slice('engine/src/'.length)
      .replace(/^([\w-]+)\.test\.ts$/, '$1.ts')
      .split('/')[0],
  )
}

function refuseOutside(path, name) {
  const workspace = path.split('/')[0]
  if (name.startsWith('.')) {
    const target = posix.join(posix.dirname(path), name)
    // the tests of the engine package are part of it
    return target.startsWith(`${workspace}/`) || target === '..' ? undefined : `leaves ${workspace}; import it by package name`
  }
  if (/^limber\/(?!(core|js-kernels|node|on-demand|parallel)$)/.test(name))
    return 'only limber and its core, js-kernels, node, on-demand and parallel are public'
  return forbidden[workspace]?.includes(name) ? `${workspace} does not depend on ${name}` : undefined
}
