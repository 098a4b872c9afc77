/** Bytes and operations of a step on the GPU, which docs/gpu.md states. */
import { buildModel, type Model } from 'limber'
import { findScene } from 'limber-scenes'
import { expect, it } from 'vitest'
import { gpuImage } from '../../src/batch/gpu/image.js'
import { readShaderText, wordsUsed } from '../../src/batch/gpu/shader.js'
import { unpackShader } from '../../src/batch/gpu/unpack.js'
import { programOf } from '../../src/batch/programs.js'
import { wgsl } from '../../src/printed/wgsl.js'
import { modelOf, situations } from '../implicit/robots.js'
import { countTraffic } from './count.js'

const scene = (name: string, options: Readonly<Record<string, string | number>>): Model => {
  const found = findScene(name)
  if (!found) throw new Error(`the scene ${name} is gone`)
  return buildModel(found.build(options))
}
const chain = (links: number) => scene('chain', { links, joint: 'revolute', length: 0.2, mass: 0.1 })
const text = readShaderText(unpackShader(wgsl))

/** bytes of the state and of the work space, and operations, of a step from the start */
const counted = {
  'chain of 10': [chain(10), {}, 532, 10_344, 6_869],
  'chain of 40': [chain(40), {}, 2_092, 42_024, 27_779],
  humanoid: [scene('humanoid', { support: 'none', stiffness: 1, damping: 1 }), {}, 1_432, 17_840, 13_490],
  'humanoid on the ground': [modelOf(situations['humanoid standing']), { contact: { self: false } }, 2_516, 20_428, 13_731],
  'quadruped on the ground': [modelOf(situations['quadruped standing']), { contact: { self: false } }, 1_844, 21_128, 13_945],
} as const

it.each(Object.entries(counted))(
  'a step of a %s moves and computes what the page says',
  async (_, [model, options, state, work, flops]) => {
    const program = programOf(model, options, { count: 1, timestep: model.timestep, precision: 'f32', vary: [] })
    const kernel = program.kernels[1]
    const image = gpuImage(program, wordsUsed(text, [kernel]))
    const states = image.state.slice()
    states.set(model.keyframes[0]?.q ?? model.q0, image.fields['q'].at)
    const seen = await countTraffic(text, kernel, image, states)
    expect(states[image.fields['steps'].at]).toBe(1)
    // a change of the kernels by more than this is to be said on the page
    for (const [now, said] of [
      [seen.state, state],
      [seen.work, work],
      [seen.flops, flops],
    ]) {
      expect(now).toBeGreaterThan(0.97 * said)
      expect(now).toBeLessThan(1.03 * said)
    }
  },
)
