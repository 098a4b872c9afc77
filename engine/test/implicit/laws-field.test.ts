/**
 * Height fields: bodies come to rest as high as in MuJoCo. The surface is bilinear between four heights here and two triangles there, which
 * differ by up to a quarter of the twist of a cell; a point of a shape touches at the height below it here, and with its nearest point there.
 */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { inLimber, inMujoco } from './twins.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const CELLS = 40
const HALF = 2

/** heights are divided by the largest one, so that a corner of 1 keeps them as they are */
function onField(height: (x: number, y: number) => number, geom: string, q: string): string {
  const places = Array.from({ length: CELLS + 1 }, (_, k) => -HALF + (2 * HALF * k) / CELLS)
  const heights = places.flatMap((y) => places.map((x) => height(x, y)))
  heights[0] = 0
  heights[heights.length - 1] = 1
  return `<mujoco><compiler angle="radian"/><asset>
    <hfield name="hills" nrow="${CELLS + 1}" ncol="${CELLS + 1}" size="${HALF} ${HALF} 1 0.5" elevation="${heights.join(' ')}"/></asset>
    <worldbody><geom type="hfield" hfield="hills" pos="0.1 0.2 0.3"/><body><freejoint/><geom ${geom}/></body></worldbody>
    <keyframe><key qpos="${q}"/></keyframe></mujoco>`
}

const bowl = (x: number, y: number): number => 0.05 + 0.125 * (x * x + y * y)
const saddle = (x: number, y: number): number => 0.5 + 0.02 * x * y
const level = (): number => 0.3

/** m: a quarter of the twist of a cell of the saddle is 0.05 mm, and the edges of a box span cells */
const HEIGHT = 5e-4

const SHAPES = [
  ['ball', 'type="sphere" size="0.1" mass="1" condim="6" friction="1 0.1 0.05"'],
  ['box', 'type="box" size="0.15 0.1 0.05" mass="1"'],
  ['capsule', 'type="capsule" size="0.05 0.2" euler="0 1.57 0" mass="1" condim="6" friction="1 0.1 0.05"'],
  ['cylinder', 'type="cylinder" size="0.1 0.05" mass="1"'],
  ['ellipsoid', 'type="ellipsoid" size="0.1 0.12 0.06" mass="1" condim="6" friction="1 0.1 0.05"'],
] as const
const FIELDS = [
  ['bowl', bowl],
  ['saddle', saddle],
  ['level field', level],
] as const

describe.each(FIELDS)('on a %s', (_, height) => {
  it.each(SHAPES)('a %s comes to rest as high', (_, geom) => {
    const text = onField(height, geom, `0.27 0.33 ${0.3 + height(0.17, 0.13) + 0.13} 1 0 0 0`)
    const [ours, theirs] = [inLimber(text, { seconds: 3 }), inMujoco(module, text, { seconds: 3 })].map((course) => course.at(-1))
    expect(Math.abs((ours?.[2] ?? 0) - (theirs?.[2] ?? 1))).toBeLessThan(HEIGHT)
  })
})

describe('a body outside a field', () => {
  it('falls, as in MuJoCo', () => {
    const text = onField(level, 'type="sphere" size="0.1"', '2.5 0 1 1 0 0 0')
    for (const course of [inLimber(text, { seconds: 1 }), inMujoco(module, text, { seconds: 1 })])
      expect(course.at(-1)?.[2]).toBeLessThan(-3)
  })
})

describe('a field without slope', () => {
  it('is a plane to the rounding', () => {
    const geom = 'type="box" size="0.15 0.1 0.05" mass="1"'
    const field = onField(level, geom, '0 0 0.7 0.9 0.3 0.2 0.25')
    const plane = field.replace('<geom type="hfield" hfield="hills" pos="0.1 0.2 0.3"/>', '<geom type="plane" size="0 0 1" pos="0 0 0.6"/>')
    const [a, b] = [field, plane].map((text) => {
      const model = buildModel(parseMjcf(text))
      const simulation = createSimulation(model, { solver: 'implicit' })
      simulation.reset(model.keyframes[0])
      simulation.step(300)
      return simulation.state.q
    })
    for (const [k, x] of a.entries()) expect(Math.abs(x - b[k])).toBeLessThan(1e-6)
  })
})
