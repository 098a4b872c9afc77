/**
 * What a file says of friction means here what it means in MuJoCo: how the values of two geoms combine, priority, condim, pairs, exclusions and
 * bits. A body is set in motion on the ground in both engines; where it ends tells which coefficient was taken.
 */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const SECONDS = 2
/** of the way: MuJoCo's friction is soft, and its contact lifts what slides; the coefficients in question differ by half and more */
const SHARE = 0.05

interface Motion {
  /** in the world, m/s, and about the axes of the body, which are those of the world at the start */
  readonly linear?: readonly number[]
  readonly angular?: readonly number[]
}

interface End {
  readonly place: readonly number[]
  readonly turn: readonly number[]
}

const none = [0, 0, 0]

function inMujoco(text: string, { linear = none, angular = none }: Motion): End {
  const model = module.MjModel.from_xml_string(text)
  const data = new module.MjData(model)
  try {
    ;(data.qvel as Float64Array).set([...linear, ...angular])
    while (data.time < SECONDS - 1e-9) module.mj_step(model, data)
    return { place: [...data.qpos.slice(0, 3)], turn: [...data.qvel.slice(3, 6)] }
  } finally {
    data.delete()
    model.delete()
  }
}

function inLimber(text: string, { linear = none, angular = none }: Motion): End {
  const simulation = createSimulation(buildModel(parseMjcf(text)), { solver: 'redmax' })
  const { state } = simulation
  state.v.set([...angular, ...linear])
  while (state.t < SECONDS - 1e-9) {
    const { status, message } = simulation.step()
    if (status !== 'ok') expect.fail(`t = ${state.t}: ${message || status}`)
  }
  return { place: [...state.q.subarray(0, 3)], turn: [...state.v.subarray(0, 3)] }
}

const scene = (floor: string, body: string, more = ''): string => `<mujoco><option timestep="0.002"/><worldbody>
  <geom name="floor" type="plane" size="0 0 1" ${floor}/>
  <body name="body" pos="0 0 0.1"><freejoint/><geom name="body" ${body} mass="1"/></body></worldbody>${more}</mujoco>`

/** wide, so that it does not tip over */
const BOX = 'type="box" size="0.3 0.3 0.1"'
const BALL = 'type="sphere" size="0.1"'
const pair = (words: string): string => `<contact><pair geom1="floor" geom2="body" ${words}/></contact>`

describe('a box that slides from 2 m/s ends where it does in MuJoCo', () => {
  it.each([
    ['the larger friction counts', 'friction="0.6"', 'friction="0.2"', '', 0.6],
    ['whichever of the two it is', 'friction="0.2"', 'friction="0.6"', '', 0.6],
    ['that of the higher priority, if smaller', 'friction="0.25" priority="1"', 'friction="0.9"', '', 0.25],
    ['that of the higher priority, of the body', 'friction="0.9"', 'friction="0.3" priority="2"', '', 0.3],
    ['the larger condim counts', 'friction="0.4" condim="1"', 'friction="0.4" condim="3"', '', 0.4],
    ['the condim of the higher priority', 'friction="0.4" condim="1" priority="1"', 'friction="0.4" condim="3"', '', 0],
    ['no friction with condim 1', 'friction="0.8" condim="1"', 'friction="0.8" condim="1"', '', 0],
    ['that of a pair', 'friction="1"', 'friction="1"', pair('friction="0.3 0.3 0.005 0.0001 0.0001"'), 0.3],
    ['that of a pair whose geoms would not touch', 'contype="0" conaffinity="0"', '', pair('friction="0.5 0.5"'), 0.5],
    ['the default of a pair', 'friction="0.2"', 'friction="0.2"', pair(''), 1],
    ['a pair without friction', 'friction="1"', 'friction="1"', pair('condim="1"'), 0],
  ])('%s', (_, floor, body, more, friction) => {
    const text = scene(floor, `${BOX} ${body}`, more)
    const motion = { linear: [2, 0, 0] }
    const [theirs, ours] = [inMujoco(text, motion), inLimber(text, motion)]
    const way = friction === 0 ? 2 * SECONDS : 4 / (2 * friction * 9.81)
    // MuJoCo agrees that this is the coefficient
    expect(Math.abs(theirs.place[0] / way - 1)).toBeLessThan(SHARE)
    expect(Math.abs(ours.place[0] / way - 1), `went ${ours.place[0]} m of ${way}`).toBeLessThan(SHARE)
  })
})

describe('what may touch', () => {
  it.each([
    ['bits that do not meet', 'contype="1" conaffinity="1"', 'contype="2" conaffinity="2"', ''],
    ['a body that is excluded', '', '', '<contact><exclude body1="world" body2="body"/></contact>'],
  ])('falls through the floor: %s', (_, floor, body, more) => {
    const text = scene(floor, `${BOX} ${body}`, more)
    for (const { place } of [inMujoco(text, {}), inLimber(text, {})]) expect(place[2]).toBeCloseTo(0.1 - 0.5 * 9.81 * SECONDS ** 2, 0)
  })

  it.each([
    ['one bit in one direction', 'contype="1" conaffinity="0"', 'contype="0" conaffinity="1"', ''],
    ['the other direction', 'contype="0" conaffinity="2"', 'contype="2" conaffinity="0"', ''],
  ])('rests on the floor: %s', (_, floor, body, more) => {
    const text = scene(floor, `${BOX} ${body}`, more)
    for (const { place } of [inMujoco(text, {}), inLimber(text, {})]) expect(Math.abs(place[2] - 0.1)).toBeLessThan(2e-3)
  })
})

describe('friction against turning and rolling', () => {
  it('condim 4: a ball that spins about the normal slows down as in MuJoCo', () => {
    const words = 'condim="4" friction="0.8 0.02 0.0001"'
    const text = scene(words, `${BALL} ${words}`)
    // τ = μ m g on 0.004 kg m²: 49 rad/s² for μ = 0.02 m
    const motion = { angular: [0, 0, 150] }
    const [theirs, ours] = [inMujoco(text, motion), inLimber(text, motion)]
    expect(theirs.turn[2]).toBeLessThan(60)
    expect(Math.abs(ours.turn[2] - theirs.turn[2])).toBeLessThan(SHARE * 150)
  })

  it('condim 3: it spins on', () => {
    const text = scene('condim="3"', `${BALL} condim="3"`)
    expect(inLimber(text, { angular: [0, 0, 50] }).turn[2]).toBeCloseTo(50, 1)
  })

  it('condim 6: a ball that rolls stops where it does in MuJoCo', () => {
    const words = 'condim="6" friction="0.8 0.02 0.01"'
    const text = scene(words, `${BALL} ${words}`)
    const motion = { linear: [1, 0, 0], angular: [0, 10, 0] }
    const [theirs, ours] = [inMujoco(text, motion), inLimber(text, motion)]
    // (7/5) m a = μ m g / r
    const way = 1 / (2 * ((5 / 7) * 0.01 * 9.81 * 10))
    expect(Math.abs(theirs.place[0] / way - 1)).toBeLessThan(0.2)
    // theirs is a pyramid of forces; a cone is nearer to the closed form
    expect(Math.abs(ours.place[0] / way - 1)).toBeLessThan(0.05)
  })

  it('condim 3: it rolls on', () => {
    const text = scene('condim="3"', `${BALL} condim="3"`)
    const { place } = inLimber(text, { linear: [1, 0, 0], angular: [0, 10, 0] })
    expect(place[0]).toBeCloseTo(SECONDS, 2)
  })
})
