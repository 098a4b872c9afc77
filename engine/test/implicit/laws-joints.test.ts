/** Limits, dry friction, dampers, springs, armature and gravity compensation, as in MuJoCo, step by step. */
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createSimulation } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'
import { agree, agreeInTheLimit, apart, inMujoco } from './twins.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const RUN = { seconds: 1 }
const doc = (bodies: string): string =>
  `<mujoco><compiler angle="radian"/><option integrator="implicitfast"/><worldbody>${bodies}</worldbody></mujoco>`

const arm = (upper: string, lower: string, body = ''): string =>
  doc(`<body pos="0 0 1"><joint axis="0 1 0" ${upper}/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="1"/>
    <body pos="0.5 0 0" ${body}><joint axis="0 1 0" ${lower}/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="0.7"/></body></body>`)
const slide = (joint: string): string =>
  doc(`<body pos="0 0 1"><joint type="slide" axis="0 0 1" ${joint}/><geom type="sphere" size="0.05" mass="2"/></body>`)
const ball = (joint: string): string =>
  doc(`<body pos="0 0 1"><joint type="ball" ${joint}/><geom type="box" pos="0.2 0.03 0" size="0.2 0.05 0.03" mass="1"/></body>`)

/** rad or m: attributes that change the course by less show nothing */
const VISIBLE = 1e-4

/** The course agrees with MuJoCo's and is another one than that of the second text. */
function differs(text: string, other: string): void {
  expect(apart(agree(module, text, RUN), inMujoco(module, other, RUN))).toBeGreaterThan(VISIBLE)
}

describe('a limit', () => {
  it.each([
    '',
    'solreflimit="0.06 1"',
    'solreflimit="-500 -30"',
    'solimplimit="0.6 0.8 0.05"',
    'solimplimit="0.5 0.8 0.05 0.4 3"',
    'margin="0.1"',
    'armature="0.3"',
    'range="-0.02 0.02"',
  ])('of hinges and of a slide gives way as far: %s', (attributes) => {
    const own = (range: string): string => (attributes.includes('range') ? attributes : `range="${range}" ${attributes}`)
    differs(arm(`limited="true" ${own('-1 0.3')}`, `limited="true" ${own('-0.1 0.2')}`), arm('', ''))
    // MuJoCo leaves the armature out of the inertia of a body on nothing but slides, by which softness is scaled
    if (!attributes.includes('armature')) differs(slide(`limited="true" ${own('-0.2 1')}`), slide(''))
  })
})

describe('a limit of a ball joint', () => {
  it.each([
    'range="0 0.4"',
    'range="0 0.4" margin="0.2"',
    'range="0 0.4" solreflimit="0.06 1"',
    'range="0 0.4" solimplimit="0.5 0.8 0.05 0.4 3"',
    'range="0 0.4" armature="0.05"',
    'range="0 2.9"',
  ])('gives way as far: %s', (attributes) => {
    differs(ball(`limited="true" ${attributes}`), ball(attributes.includes('armature') ? 'armature="0.05"' : ''))
  })

  it('gives way as far where the body spins about it', () => {
    const spinning = ball('limited="true" range="0 0.5"').replace(
      '</mujoco>',
      '<keyframe><key qpos="0.995 0.05 0.06 0.07" qvel="3 -2 5"/></keyframe></mujoco>',
    )
    agree(module, spinning, RUN)
  })

  it('and a limit of a ball on it give way as far, with a floor below', () => {
    const text = `<mujoco><compiler angle="radian"/><worldbody><geom type="plane" size="0 0 1" pos="0 0 -0.6" conaffinity="1"/>
      <body><joint type="ball" limited="true" range="0 0.7"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1" conaffinity="0"/>
        <body pos="0.4 0 0"><joint type="ball" limited="true" range="0 0.5"/>
          <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="0.5" conaffinity="0"/></body></body></worldbody>
      <keyframe><key qvel="0.5 0 3 0 0 -6"/></keyframe></mujoco>`
    agree(module, text, RUN)
  })
})

/** rad: damping takes part in the problem of a limit here and follows it in MuJoCo, which is of first order in the step of 2 ms */
const DAMPED = 2e-3

describe('a limit with a damper', () => {
  it('gives way as far', () => {
    const joint = 'limited="true" range="-1 0.3" damping="0.2"'
    const end = agree(module, arm(joint, joint), RUN, DAMPED).at(-1)
    expect(end?.[0]).toBeGreaterThan(0.3)
  })
})

describe('dry friction', () => {
  it.each([
    'frictionloss="0.5"',
    'frictionloss="5"',
    'frictionloss="1" solreffriction="0.1 1"',
    'frictionloss="1" solimpfriction="0.5 0.6 0.01"',
    'frictionloss="1" solreffriction="-100 -10"',
    'frictionloss="1" limited="true" range="-1 0.3"',
  ])('brakes hinges and slides as much: %s', (attributes) => {
    differs(arm(attributes, attributes), arm('', ''))
    differs(slide(attributes.replace('-1 0.3', '-0.2 1')), slide(''))
  })

  it('holds an arm that it is strong enough for', () => {
    // it creeps, as friction is soft
    const end = agree(module, arm('frictionloss="20"', 'frictionloss="20"'), RUN).at(-1)
    expect(Math.abs(end?.[0] ?? 1)).toBeLessThan(0.1)
  })

  it('brakes a ball joint as much', () => {
    differs(ball('frictionloss="0.3"'), ball(''))
  })
})

describe('a damper, armature or gravity compensation', () => {
  it.each(['damping="0.5"', 'damping="5"', 'armature="0.2"', 'armature="0.2" damping="3"'])('slows an arm as much: %s', (attributes) => {
    differs(arm(attributes, attributes), arm('', ''))
  })

  it.each(['gravcomp="1"', 'gravcomp="0.5"'])('carries as much: %s', (attributes) => {
    differs(arm('', 'damping="0.1"', attributes), arm('', 'damping="0.1"'))
  })

  // MuJoCo steps a ball by its damping afterwards
  it('slows a ball joint as much', () => {
    differs(ball('damping="0.5"'), ball(''))
  })
})

/**
 * rad: springs are implicit here and explicit in MuJoCo, which is a difference of first order in the step; what is left without it is of second
 * order: (h ω)² of the fastest vibration, 80 rad/s
 */
const SECOND_ORDER = 4e-3
const STEP = 0.001

describe('a spring', () => {
  it.each([
    'stiffness="5"',
    'stiffness="5" springref="0.5" ref="0.2"',
    'stiffness="5" damping="1" armature="0.1"',
    'stiffness="500" damping="3"',
  ])('pulls an arm as far: %s', (attributes) => {
    const course = agreeInTheLimit(module, arm(attributes, attributes), RUN, STEP, SECOND_ORDER)
    expect(apart(course, inMujoco(module, arm('', ''), { ...RUN, timestep: STEP }))).toBeGreaterThan(100 * SECOND_ORDER)
  })

  it('turns a ball joint as far', () => {
    agreeInTheLimit(module, ball('damping="0.1" stiffness="2"'), RUN, STEP, SECOND_ORDER)
  })

  it('and armature and damping slow a free body as much', () => {
    const text = doc(`<body pos="0 0 1"><joint type="free" damping="0.3" armature="0.2"/>
      <geom type="box" pos="0.2 0 0" size="0.2 0.05 0.03" mass="1"/></body>`)
    const moving = text.replace('</mujoco>', '<keyframe><key qpos="0 0 1 1 0 0 0" qvel="1 2 3 1 2 3"/></keyframe></mujoco>')
    agreeInTheLimit(module, moving, RUN, STEP, SECOND_ORDER)
  })
})

describe('a free joint on a body that moves', () => {
  // MuJoCo has none
  it('moves as under ode', () => {
    const model = buildModel({
      bodies: [
        {
          name: 'arm',
          joints: [{ type: 'revolute', axis: [0, 1, 0] }],
          inertia: { mass: 1, com: [0.3, 0, 0], tensor: [0.01, 0.02, 0.02, 0, 0, 0] },
        },
        {
          name: 'bird',
          parent: 'arm',
          position: [0.5, 0, 0],
          joints: [{ type: 'free' }],
          inertia: { mass: 0.5, tensor: [0.01, 0.02, 0.03, 0, 0, 0] },
        },
      ],
    })
    const [ours, exact] = (['implicit', 'ode'] as const).map((solver) => {
      const simulation = createSimulation(model, { solver, timestep: 2e-5 })
      simulation.state.v.set([2, 1, 2, 3, 0.5, -0.5, 1])
      simulation.advance(0.5)
      return simulation.state.q
    })
    // a step of first order at 0.02 ms
    for (const [k, x] of exact.entries()) expect(Math.abs(ours[k] - x)).toBeLessThan(2.2e-4)
  })
})
