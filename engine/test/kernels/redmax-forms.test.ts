/** The kernels of redmax give the same bits as WebAssembly and as JavaScript: whole steps of every scheme and linear solver. */
import { buildModel, createSimulation, type Spec, useKernels } from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { scenes } from 'limber-scenes'
import { afterEach, describe, expect, it } from 'vitest'
import { redmaxModule } from '../../src/printed/redmax.js'

afterEach(() => useKernels('wasm'))

function scene(name: string, values: Readonly<Record<string, string | number>>): Spec {
  const found = scenes.find((one) => one.name === name)
  if (!found) throw new Error(`no scene ${name}`)
  return found.build(values)
}

// in a plane and in space, with and without loops, with contact, by handles and by parts
const cases: [string, Spec, object][] = [
  ['tied chain', scene('spring-chain', { links: 12 }), {}],
  ['tied chain, pcg', scene('spring-chain', { links: 12 }), { linear: 'pcg' }],
  ['bridge', scene('bridge', { bodies: 12, towers: 'flexible' }), {}],
  ['bridge, direct', scene('bridge', { bodies: 12, towers: 'flexible' }), { scheme: 'linear', linear: 'direct' }],
  ['rope bridge', scene('rope-bridge', { planks: 6 }), { linear: 'direct' }],
  ['umbrella', scene('umbrella', { segments: 2 }), { scheme: 'linear', linear: 'direct' }],
  ['tree, second order', scene('tree', { levels: 4 }), { scheme: 'second-order', linear: 'direct' }],
  ['humanoid', scene('humanoid-on-ground', {}), {}],
]

function run(spec: Spec, options: object): number[] {
  const sim = createSimulation(buildModel(spec), { solver: 'redmax', timestep: 0.01, ...options })
  for (let k = 0; k < 12; k++) expect(sim.step().status).toBe('ok')
  const { q, v, s } = sim.state
  return [...q, ...v, ...s]
}

describe('kernels of redmax', () => {
  it.each(cases)('have the same bits in both forms: %s', (_, spec, options) => {
    const wasm = run(spec, options)
    useKernels(jsKernels)
    expect(run(spec, options)).toEqual(wasm)
  })

  it('are all there in both forms', () => {
    expect(Object.keys(jsKernels.redmax).sort()).toEqual([...redmaxModule.kernels].sort())
  })
})
