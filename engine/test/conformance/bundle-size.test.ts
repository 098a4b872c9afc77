/**
 * The core is small: what a page loads to build and simulate, minified and compressed.
 *
 * The bound is for the dynamics with the explicit solver. The other families are loaded by those who name them; `createSimulation`, which takes
 * solvers by name, needs the table of all of them, and has a budget of its own so that an accident shows.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundle } from './bundle.js'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

/** kilobytes after gzip: what the issue allows, and what all solvers together may grow to */
const CORE = 60
const ALL_SOLVERS = 150

/** in the order of the house: each imports only those before it; `simulation` drives them */
const folders = ['math', 'linalg', 'model', 'joints', 'tree', 'forces', 'constraints', 'deformable', 'build', 'solvers', 'simulation.js']

/** Minified and compressed, in kilobytes; the code must stand alone. */
async function sizeOf(text: string): Promise<number> {
  const code = await bundle({ text }, 'minified')
  expect(code).not.toMatch(/\brequire\(|\bimport\b/)
  return gzipSync(code, { level: 9 }).length / 1000
}

describe('bundle', () => {
  it(`of the dynamics and the explicit solver, taken from the public api, is under ${CORE} kB gzip`, async ({ annotate }) => {
    const names = 'buildModel createState createData forwardDynamics inverseDynamics massMatrix energy createSimulationWith ode'.split(' ')
    const size = await sizeOf(`export { ${names.join(', ')} } from '${source}index.ts'`)
    await annotate(`${size.toFixed(1)} kB`)
    // less would mean that something was shaken off that is needed
    expect(size).toBeGreaterThan(30)
    expect(size).toBeLessThan(CORE)
  })

  it(`of all that math to solvers export is under ${ALL_SOLVERS} kB gzip and needs no other package`, async ({ annotate }) => {
    // the lines of the public API that come from the core's folders
    const api = readFileSync(`${source}index.ts`, 'utf8')
    const lines = [...api.matchAll(/^export (?!type)[^;]*? from '\.\/([^/']+)[^']*'$/gm)].filter(([, folder]) => folders.includes(folder))
    const text = lines.map(([line]) => line.replace("'./", `'${source}`)).join('\n')
    for (const name of ['createSimulation', 'buildModel', 'solvers']) expect(text).toContain(name)
    const size = await sizeOf(text)
    await annotate(`${size.toFixed(1)} kB`)
    expect(size).toBeLessThan(ALL_SOLVERS)
  })
})
