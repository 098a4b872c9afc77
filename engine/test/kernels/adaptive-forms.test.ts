/** The kernels of adaptive dynamics give the same bits as WebAssembly and as JavaScript: whole steps with choices, contact and both modes. */
import { buildModel, createSimulation, type Spec, useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { findScene } from 'limber-scenes'
import { afterEach, describe, expect, it } from 'vitest'
import { adaptiveModule } from '../../src/printed/adaptive.js'
import { randomTree } from '../conformance/random-tree.js'

afterEach(() => useKernels('wasm'))

const crowd = (): Spec => findScene('crowd')?.build({ characters: 2 }) as Spec
const cases: [string, () => Spec, object][] = [
  ['crowd', crowd, { budget: 40, every: 3 }],
  ['crowd, all joints', crowd, { budget: 0 }],
  ['tree of all joints', () => randomTree({ seed: 5, bodies: 20 }).spec, { budget: 8, every: 2 }],
  ['tree of all joints, truncated', () => randomTree({ seed: 6, bodies: 20 }).spec, { threshold: 5, every: 2, mode: 'truncated' }],
]

function run(spec: Spec, options: object): number[] {
  const sim = createSimulation(buildModel(spec), { solver: 'adaptive', timestep: 0.001, ...options })
  for (let k = 0; k < 12; k++) expect(sim.step().status).toBe('ok')
  const { q, v, s } = sim.state
  return [...q, ...v, ...s, (sim.report as unknown as { neglected: number }).neglected]
}

describe('kernels of adaptive dynamics', () => {
  it.each(cases)('have the same bits in both forms: %s', (_, spec, options) => {
    const wasm = run(spec(), options)
    useKernels(jsKernels)
    expect(run(spec(), options)).toEqual(wasm)
  })

  it('are all there in both forms', () => {
    expect(Object.keys(jsKernels.adaptive).sort()).toEqual([...adaptiveModule.kernels].sort())
  })
})
