import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  resolve: {
    // tests run on the sources, so that they need no build
    alias: [
      { find: /^limber$/, replacement: source('engine/src/index.ts') },
      { find: /^limber\/core$/, replacement: source('engine/src/core.ts') },
      { find: /^limber\/node$/, replacement: source('engine/src/node.ts') },
      { find: /^limber\/on-demand$/, replacement: source('engine/src/on-demand.ts') },
      { find: /^limber-scenes$/, replacement: source('scenes/src/index.ts') },
      { find: /^limber-bench$/, replacement: source('bench/src/index.ts') },
    ],
  },
  test: {
    include: ['{engine,scenes,cli,bench,studio,docs}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // a loaded machine is no failure; what hangs still ends
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
