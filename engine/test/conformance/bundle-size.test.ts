/** The core is small: what a page loads to simulate, from `math` to `solvers`, minified and compressed. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundle } from './bundle.js'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** in the order of the house: each imports only those before it */
const core = ['math', 'linalg', 'model', 'joints', 'tree', 'forces', 'constraints', 'deformable', 'build', 'solvers']

/** what the issue allows, kilobytes after gzip */
const MOST = 60

describe('bundle', () => {
  it(`of the core, every export of every file kept, is under ${MOST} kB gzip and needs no other package`, async () => {
    const present = readdirSync(source, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && core.includes(entry.name))
      .map((entry) => entry.name)
    expect(present).toEqual(expect.arrayContaining(['math', 'model', 'joints', 'tree', 'forces', 'build', 'solvers']))
    const files = present.flatMap((folder) =>
      readdirSync(source + folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
        .map((file) => `${source}${folder}/${file}`),
    )
    const text = files.map((file, k) => `export * as m${k} from ${JSON.stringify(file)}`).join('\n')
    const code = await bundle({ text }, true)
    const size = gzipSync(code, { level: 9 }).length / 1000
    // no import that the bundle does not satisfy, and something in it
    expect(code).not.toMatch(/\bimport\b[^.(]*['"]/)
    expect(size).toBeGreaterThan(10)
    expect(size).toBeLessThan(MOST)
  })
})
