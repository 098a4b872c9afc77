/** The core is small: what a page loads to build and simulate, from `math` to `solvers`, minified and compressed. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundle } from './bundle.js'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** in the order of the house: each imports only those before it; `simulation` drives them */
const core = ['math', 'linalg', 'model', 'joints', 'tree', 'forces', 'constraints', 'deformable', 'build', 'solvers', 'simulation.js']

/** what the issue allows, kilobytes after gzip */
const MOST = 60

describe('bundle', () => {
  it(`of all that the core exports is under ${MOST} kB gzip and needs no other package`, async () => {
    // the lines of the public API that come from the core's folders
    const api = readFileSync(`${source}index.ts`, 'utf8')
    const lines = [...api.matchAll(/^export (?!type)[^;]*? from '\.\/([^/']+)[^']*'$/gm)].filter(([, folder]) => core.includes(folder))
    expect(lines.length).toBeGreaterThan(10)
    const text = lines.map(([line]) => line.replace("'./", `'${source}`)).join('\n')
    expect(text).toContain('createSimulation')
    expect(text).toContain('buildModel')
    const code = await bundle({ text }, 'minified')
    const size = gzipSync(code, { level: 9 }).length / 1000
    expect(code).not.toMatch(/\brequire\(|\bimport\b/)
    expect(size).toBeGreaterThan(10)
    expect(size).toBeLessThan(MOST)
  })
})
