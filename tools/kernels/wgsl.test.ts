/** WGSL of the kernels: it packs without loss, stays small, and is as exact where a driver rounds products and sums once. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildModel, createBatch } from 'limber'
import { findScene } from 'limber-scenes'
import { afterAll, describe, expect, it } from 'vitest'
import { createGpuBatch } from '../../engine/src/batch/gpu/gpu-batch.js'
import { unpackShader } from '../../engine/src/batch/gpu/unpack.js'
import { wgsl } from '../../engine/src/printed/wgsl.js'
import { wgsl as pairs } from '../../engine/src/printed/wgsl-pairs.js'
import { wgsl as trajectories } from '../../engine/src/printed/wgsl-trajectories.js'
import { distance, NO_ADAPTER, openTestGpu, type TestGpu } from '../../engine/test/gpu/device.js'
import { options } from './build.mjs'
import { checkedProgram, compileFiles } from './compile.mjs'
import { packWgsl } from './pack-wgsl.mjs'
import { numberText, printWgsl } from './print-wgsl.mjs'

const source = fileURLToPath(new URL('../../engine/src', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => join(source, file))
  .filter((file) => file.endsWith('.kernel.ts'))
  .sort()
const ENTRIES = ['groupDynamics', 'stepSemiImplicit', 'stepRungeKutta', 'stepFlat', 'stepFullPairs', 'observe', 'iterateTrajectories']
const kernels = compileFiles(checkedProgram(files, options), files, { single: true })

/** Locals by the order in which they appear: packing gives them other names. */
const renamed = (text: string): string =>
  text
    .split(/\n(?=fn )/)
    .map((source) => {
      const names = new Map<string, string>()
      return source.replaceAll(/\b[tv]\d+\b/g, (name) => {
        if (!names.has(name)) names.set(name, `x${names.size}`)
        return names.get(name) ?? ''
      })
    })
    .join('\n')

describe('printed WGSL', () => {
  it('is what was printed when it is unpacked', () => {
    const functions = printWgsl(kernels, ENTRIES)
    expect(renamed(unpackShader(packWgsl(functions)))).toBe(renamed([...functions.values()].join('\n')))
  })

  it.each([
    // a text that lost half of it would be small too
    ['explicit steps and the ground step', wgsl, 27_000, 250_000],
    ['the ground step with contacts among bodies', pairs, 27_000, 250_000],
    ['position trajectories', trajectories, 18_000, 100_000],
  ])('of %s is small when it travels', (_, text, most, least) => {
    expect(gzipSync(JSON.stringify(text), { level: 9 }).length).toBeLessThan(most)
    expect(unpackShader(text).length).toBeGreaterThan(least)
  })

  it('writes numbers as the f32 that is nearest, and infinities as the largest', () => {
    expect([1 / 3, -0.1, 1e10, 2, -0, Number.POSITIVE_INFINITY].map(numberText)).toEqual([
      '.33333334f',
      '(-.1f)',
      '10000000000f',
      '2f',
      '(-0f)',
      '3.4028234663852886e+38f',
    ])
  })
})

/**
 * x y + z in one rounding, but for a last bit now and then: the software driver rounds its `fma` twice. Parts of 12 bits have exact products; what
 * compilers must not see through goes by way of a uniform that is 0. It is no function of its own to who splits the text: it begins with a space.
 */
const ONE_ROUNDING = `
 fn opaque(x:f32)->f32{return bitcast<f32>(bitcast<u32>(x)^bitcast<u32>(R.y));}
 fn oneRounding(x:f32,y:f32,z:f32)->f32{
let a=bitcast<f32>(bitcast<u32>(x)&0xfffff000u);
let b=bitcast<f32>(bitcast<u32>(y)&0xfffff000u);
let p=opaque(x*y);
let e=((opaque(a*b)-p)+opaque(a*(y-b))+opaque((x-a)*b))+(x-a)*(y-b);
let s=opaque(p+z);
let q=opaque(s-p);
let t=(p-opaque(s-q))+(z-q);
return s+(t+e);
}`

const found = await openTestGpu()
const gpu = found as TestGpu

describe.skipIf(!found)(`WGSL with fma wherever a driver may contract${found ? '' : `: ${NO_ADAPTER}`}`, () => {
  afterAll(() => {
    expect(gpu.problems).toEqual([])
    gpu.close()
  })

  it('is as far from f64 as without', async () => {
    const scene = findScene('chain')
    if (!scene) throw new Error('the scene chain is gone')
    const model = buildModel(scene.build({ links: 20, joint: 'universal', length: 0.2, mass: 0.1, angle: 1 }))
    const count = 32
    const errors: number[] = []
    const double = await createBatch(model, { count })
    const start = { noise: 0.5, seed: 3 }
    double.reset(undefined, start)
    double.step(50)
    const states: ArrayLike<number>[] = []
    for (const fused of [false, true]) {
      const printed = [...printWgsl(kernels, ['groupDynamics', 'stepSemiImplicit'], { fused }).values()].join('\n')
      expect(printed.includes('fma(')).toBe(fused)
      const text = fused ? printed.replaceAll('fma(', 'oneRounding(') + ONE_ROUNDING : printed
      const batch = await createGpuBatch(model, { count, device: await gpu.device() }, { lanes: createBatch, text: async () => text })
      batch.reset(undefined, start)
      batch.step(50)
      states.push(await batch.readState())
      errors.push(distance(states[states.length - 1], double.readState(new Float64Array(count * (model.nq + model.nv)))))
      batch.close()
    }
    const [plain, contracted] = errors
    expect(states[0]).not.toEqual(states[1])
    expect(plain).toBeGreaterThan(0)
    expect(contracted).toBeLessThan(3 * plain)
    expect(plain).toBeLessThan(1e-3)
  })
})
