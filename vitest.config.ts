import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { printKernels } from './tools/kernels/build.mjs'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Tests that measure time or memory: they run when all others are done, one file at a time. */
const ALONE = '**/*.alone.test.ts'

/** files that are not listed are short */
const seconds = JSON.parse(readFileSync(source('scripts/test-seconds.json'), 'utf8')) as Readonly<Record<string, number>>

/** The longest file first, so that no core waits long for another's last one. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ({ project }: TestSpecification): number => project.config.sequence.groupOrder
    const time = ({ moduleId }: TestSpecification): number => seconds[moduleId.slice(this.ctx.config.root.length + 1)] ?? 0
    return files.toSorted((a, b) => order(a) - order(b) || time(b) - time(a))
  }
}

const shared = {
  resolve: {
    // tests run on the sources, so that they need no build
    alias: [
      { find: /^limber$/, replacement: source('engine/src/index.ts') },
      { find: /^limber\/core$/, replacement: source('engine/src/core.ts') },
      { find: /^limber\/js-kernels$/, replacement: source('engine/src/js-kernels.ts') },
      { find: /^limber\/node$/, replacement: source('engine/src/node.ts') },
      { find: /^limber\/on-demand$/, replacement: source('engine/src/on-demand.ts') },
      { find: /^limber\/parallel$/, replacement: source('engine/src/parallel.ts') },
      { find: /^limber-scenes$/, replacement: source('scenes/src/index.ts') },
      { find: /^limber-scenes\/rigid$/, replacement: source('scenes/src/rigid.ts') },
      { find: /^limber-scenes\/robots$/, replacement: source('scenes/src/robots/index.ts') },
      { find: /^limber-scenes\/deformable$/, replacement: source('scenes/src/deformable/index.ts') },
      { find: /^limber-bench$/, replacement: source('bench/src/index.ts') },
    ],
  },
} satisfies TestProjectInlineConfiguration

/**
 * Files that run together share the modules of their worker: each would spend a second or more on loading the engine again. So no test
 * changes what another file can see: globals and environment are put back (`vi.unstubAllEnvs`), and modules hold nothing but constants,
 * scratch memory and caches that no result depends on. A file that cannot keep to that belongs in a project of its own, with
 * `isolate: true` and the reason. Files that run alone measure time and memory, which depend on what ran before in the same process:
 * each has a process of its own.
 */
const together = { isolate: false }
const alone = { isolate: true, maxWorkers: 1 }

const test = {
  include: ['{engine,scenes,cli,bench,studio,docs,tools,examples}/**/*.test.ts'],
  exclude: ['**/node_modules/**', '**/dist/**'],
  // a loaded machine is no failure; what hangs still ends
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // routines in JavaScript, with every index checked
  setupFiles: process.env.LIMBER_CHECKED === '1' ? [source('tools/kernels/checked-setup.ts')] : [],
}

// tests run on the sources, and printed kernels are some of them
printKernels()

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      { ...shared, test: { ...test, name: 'together', ...together, exclude: [...test.exclude, ALONE], sequence: { groupOrder: 0 } } },
      { ...shared, test: { ...test, name: 'alone', include: [ALONE], ...alone, sequence: { groupOrder: 1 } } },
    ],
  },
})
