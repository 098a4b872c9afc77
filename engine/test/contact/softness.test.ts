/**
 * Softness of an imported model: solref and solimp of geoms, limits and equalities let it settle as deep as in MuJoCo. Each case runs in both
 * engines for 3 s on the same text; depth counts from where hard constraints would hold the model.
 */
import { readFileSync } from 'node:fs'
import type { MainModule } from '@mujoco/mujoco'
import { buildModel, createSimulation, parseMjcf } from 'limber'
import { beforeAll, describe, expect, it } from 'vitest'
import { mujoco } from '../io/mujoco.js'

let module: MainModule
beforeAll(async () => {
  module = await mujoco()
})

const SECONDS = 3
/** of the depth: MuJoCo takes the inertia that a constraint feels from an estimate at the start, and friction takes part in it */
const SHARE = 0.1
/** m or rad: what hard contact leaves open or closes by itself */
const LEAST = 2e-5

interface Course {
  readonly end: Float64Array
  /** the least that the coordinate which is watched ever was */
  readonly lowest: number
}

function inMujoco(text: string, watch: number): Course {
  const model = module.MjModel.from_xml_string(text)
  const data = new module.MjData(model)
  try {
    if (model.nkey > 0) module.mj_resetDataKeyframe(model, data, 0)
    const steps = Math.round(SECONDS / model.opt.timestep)
    let lowest = Number.POSITIVE_INFINITY
    for (let k = 0; k < steps; k++) {
      module.mj_step(model, data)
      lowest = Math.min(lowest, data.qpos[watch])
    }
    return { end: Float64Array.from(data.qpos as Float64Array), lowest }
  } finally {
    data.delete()
    model.delete()
  }
}

function inLimber(text: string, watch: number, options: object = {}): Course & { readonly evaluations: number } {
  const model = buildModel(parseMjcf(text))
  const simulation = createSimulation(model, { solver: 'redmax', ...options })
  if (model.keyframes.length > 0) simulation.reset(model.keyframes[0])
  const steps = Math.round(SECONDS / model.timestep)
  let lowest = Number.POSITIVE_INFINITY
  for (let k = 0; k < steps; k++) {
    const { status, message } = simulation.step()
    if (status !== 'ok') expect.fail(`t = ${simulation.state.t}: ${message || status}`)
    lowest = Math.min(lowest, simulation.state.q[watch])
  }
  return { end: simulation.state.q, lowest, evaluations: simulation.report.evaluations }
}

/** Compares one coordinate at the end: `rest` is where hard constraints would hold it. */
function settles(text: string, watch: number, rest: number): void {
  const theirs = inMujoco(text, watch).end[watch]
  const ours = inLimber(text, watch).end[watch]
  const depth = Math.abs(theirs - rest)
  // the case shows nothing where MuJoCo is hard as well
  expect(depth).toBeGreaterThan(5 * LEAST)
  expect(Math.abs(ours - theirs), `depth ${depth} in MuJoCo, ${Math.abs(ours - rest)} here`).toBeLessThan(SHARE * depth + LEAST)
}

const free = (name: string, z: number, geom: string): string => `<body name="${name}" pos="0 0 ${z}"><freejoint/><geom ${geom}/></body>`
const onPlane = (bodies: string, defaults = ''): string =>
  `<mujoco><compiler angle="radian"/><default>${defaults}</default><worldbody><geom type="plane" size="0 0 1"/>${bodies}</worldbody></mujoco>`

const STIFF = 'solref="-20000 -400"'
const SLOW = 'solref="0.06 1"'
const WEAK = 'solimp="0.6 0.8 0.01"'

describe('on a plane', () => {
  it.each([
    ['a ball of 1 kg', 'type="sphere" size="0.1" mass="1"', ''],
    ['a ball of 100 kg', 'type="sphere" size="0.1" mass="100"', ''],
    ['a slow ball', 'type="sphere" size="0.1" mass="1"', `<geom ${SLOW}/>`],
    ['a weak ball', 'type="sphere" size="0.1" mass="1"', `<geom ${WEAK}/>`],
    ['a ball of given stiffness', 'type="sphere" size="0.1" mass="1"', '<geom solref="-1000 -60"/>'],
    ['a box', 'type="box" size="0.1 0.1 0.1" mass="1"', ''],
    ['a weak box', 'type="box" size="0.1 0.1 0.1" mass="5"', `<geom ${WEAK}/>`],
    ['a capsule', 'type="capsule" size="0.1 0.2" euler="0 1.5707963 0" mass="2"', ''],
    ['a ball without friction', 'type="sphere" size="0.1" mass="1" condim="1"', ''],
  ])('%s settles as deep', (_, geom, defaults) => {
    settles(onPlane(free('body', 0.1, geom), defaults), 2, 0.1)
  })

  it('a ball that is stiff settles less deep than 0.1 mm in both', () => {
    const text = onPlane(free('body', 0.1, 'type="sphere" size="0.1" mass="1"'), `<geom ${STIFF}/>`)
    for (const { end } of [inMujoco(text, 2), inLimber(text, 2)]) expect(Math.abs(end[2] - 0.1)).toBeLessThan(1e-4)
  })

  it.each([0.02, 0.1])('a ball dropped from %s m goes as deep', (fall) => {
    const text = onPlane(free('body', 0.1 + fall, 'type="sphere" size="0.1" mass="1"'))
    const [theirs, ours] = [inMujoco(text, 2).lowest, inLimber(text, 2).lowest]
    // a step at this speed is a quarter of the depth
    expect(Math.abs(ours - theirs)).toBeLessThan(0.3 * (0.1 - theirs))
  })

  it.each([0, 1, 2])('box %i of three on each other stands as low', (k) => {
    const boxes = [0, 1, 2].map((n) => free(`box${n}`, 0.1 + 0.2 * n, 'type="box" size="0.1 0.1 0.1" mass="1"'))
    settles(onPlane(boxes.join('')), 7 * k + 2, 0.1 + 0.2 * k)
  })

  it('a margin lets it float as high', () => {
    const text = onPlane(free('body', 0.12, 'type="sphere" size="0.1" mass="1" margin="0.02"'))
    settles(text, 2, 0.1)
  })
})

describe('on a slope of 15 degrees, below that of friction,', () => {
  const slope = (option: string, geom: string): string => `<mujoco><option gravity="2.539 0 -9.476" ${option}/>
    <worldbody><geom type="plane" size="0 0 1"/>${free('body', 0.1, `size="0.1 0.1 0.1" mass="1" ${geom}`)}</worldbody></mujoco>`

  it.each([
    ['', 'type="box"'],
    ['impratio="10"', 'type="box"'],
    ['cone="elliptic"', 'type="box"'],
    ['cone="elliptic" impratio="10"', 'type="box"'],
    ['cone="elliptic" impratio="10"', 'type="box" friction="0.6"'],
    ['cone="elliptic" impratio="10"', 'type="box" condim="6"'],
    ['cone="elliptic" impratio="100"', `type="box" ${WEAK}`],
  ])('with option %s a %s creeps as far', (option, geom) => {
    settles(slope(option, geom), 0, 0)
  })

  it.each(['', 'cone="elliptic"'])('with option noslip_iterations="5" %s a box creeps in neither', (option) => {
    const text = slope(`${option} noslip_iterations="5"`, 'type="box"')
    for (const { end } of [inMujoco(text, 0), inLimber(text, 0)]) expect(Math.abs(end[0])).toBeLessThan(2e-4)
    // without it does
    expect(inLimber(slope(option, 'type="box"'), 0).end[0]).toBeGreaterThan(1e-3)
  })
})

describe('a ball that slides, spins and rolls', () => {
  it.each([
    [4, ''],
    [4, 'cone="elliptic" impratio="100"'],
    [6, 'cone="elliptic"'],
    [6, 'cone="elliptic" impratio="100"'],
  ])('with condim %i and option %s goes as far, by two evaluations a step', (condim, option) => {
    const text = `<mujoco><option ${option}/><worldbody><geom type="plane" size="0 0 1"/>
      ${free('ball', 0.1, `type="sphere" size="0.1" mass="1" condim="${condim}" friction="0.8 0.02 0.01" priority="1"`)}</worldbody>
      <keyframe><key qpos="0 0 0.0999 1 0 0 0" qvel="1 0 0 0 0 3"/></keyframe></mujoco>`
    const theirs = inMujoco(text, 0).end[0]
    const { end, evaluations } = inLimber(text, 0)
    expect(Math.abs(end[0] - theirs)).toBeLessThan(0.005 * theirs)
    // moments of contacts that are found anew within a step were lost once: it then took more than a hundred
    expect(evaluations).toBeLessThan(2.2 * (SECONDS / 0.002))
  })
})

describe('a ball deep in a soft floor', () => {
  // a ball that has sunk in by half its radius touches half-way between the two surfaces, about which it does not slide
  it.each([1, 100])('that rolls about the place where it touches, with impratio %i, is pushed as in MuJoCo', (impratio) => {
    const text = `<mujoco><option timestep="1e-5" cone="elliptic" impratio="${impratio}"/><worldbody><geom type="plane" size="0 0 1"/>
      ${free('ball', 0.1, 'type="sphere" size="0.1" mass="1"')}</worldbody>
      <keyframe><key qpos="0 0 0.05 1 0 0 0" qvel="1.5 0 0 0 20 0"/></keyframe></mujoco>`
    const m = module.MjModel.from_xml_string(text)
    const d = new module.MjData(m)
    module.mj_resetDataKeyframe(m, d, 0)
    module.mj_forward(m, d)
    const [normal, x, y] = d.efc_force as Float64Array
    d.delete()
    m.delete()
    const model = buildModel(parseMjcf(text))
    const simulation = createSimulation(model, { solver: 'redmax' })
    simulation.reset(model.keyframes[0])
    // the first step has no contact before it that it could go on from
    simulation.step(2)
    const [{ force }] = simulation.contacts()
    expect(Math.abs(force[2] / normal - 1)).toBeLessThan(0.01)
    // friction was that of sliding once, a force of the normal's size: the place was on the ball's surface before the step, and half-way after it
    expect(Math.abs(Math.hypot(force[0], force[1]) - Math.hypot(x, y))).toBeLessThan(0.01 * normal)
  })
})

describe('a quadruped on its feet', () => {
  const text = readFileSync(new URL('../robots/quadruped.xml', import.meta.url), 'utf8')

  it('stands as low as in MuJoCo, within 0.5 mm, and its joints within 5 mrad', () => {
    const [theirs, ours] = [inMujoco(text, 2).end, inLimber(text, 2).end]
    expect(Math.abs(ours[2] - theirs[2])).toBeLessThan(5e-4)
    for (let k = 7; k < theirs.length; k++) expect(Math.abs(ours[k] - theirs[k]), `joint ${k - 7}`).toBeLessThan(5e-3)
    expect(Math.hypot(ours[0] - theirs[0], ours[1] - theirs[1])).toBeLessThan(5e-3)
  })
})

describe('a limit pressed by gravity', () => {
  const arm = (limit: string, mass = 1): string => `<mujoco><compiler angle="radian"/><worldbody><body pos="0 0 1">
    <joint name="arm" axis="0 1 0" limited="true" range="-1 0.3" damping="0.2" ${limit}/>
    <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03" mass="${mass}"/></body></worldbody></mujoco>`
  const slide = (limit: string): string => `<mujoco><worldbody><body pos="0 0 1">
    <joint type="slide" axis="0 0 1" limited="true" range="-0.2 1" damping="1" ${limit}/><geom type="sphere" size="0.05" mass="2"/></body></worldbody></mujoco>`

  it.each([
    ['by default', ''],
    ['slow', 'solreflimit="0.06 1"'],
    ['weak', 'solimplimit="0.6 0.8 0.05"'],
    ['of given stiffness', 'solreflimit="-500 -30"'],
  ])('of a hinge, %s, gives way as far', (_, limit) => {
    settles(arm(limit), 0, 0.3)
  })

  it.each([
    ['by default', ''],
    ['slow', 'solreflimit="0.06 1"'],
  ])('of a slide, %s, gives way as far', (_, limit) => {
    settles(slide(limit), 0, -0.2)
  })
})

describe('a limit of a tendon', () => {
  it('pressed by gravity gives way as far', () => {
    const text = `<mujoco><compiler angle="radian"/><worldbody><body pos="0 0 1"><joint name="a" axis="0 1 0" damping="0.2"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/></body></worldbody>
      <tendon><fixed limited="true" range="-0.1 0.1"><joint joint="a" coef="0.5"/></fixed></tendon></mujoco>`
    settles(text, 0, 0.2)
  })
})

describe('an equality under load', () => {
  const load = `<body name="load" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="3"/></body>`
  const arm = `<body pos="0 0 1"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/></body>
    <body pos="0 1 1"><joint name="b" axis="0 1 0" armature="0.2" stiffness="30" damping="2"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03" mass="1"/></body>`
  it.each([
    ['weld', load, '<weld body1="load"/>', 2],
    ['connect', load, '<connect body1="load" anchor="0 0 0.1"/>', 2],
    ['slow connect', load, '<connect body1="load" anchor="0 0 0.1" solref="0.05 1"/>', 2],
    ['connect by stiffness', load, '<connect body1="load" anchor="0 0 0.1" solref="-2000 -100"/>', 2],
    ['weld that turns', load, '<weld body1="load" relpose="0.2 0 1 1 0 0 0" solimp="0.5 0.6 0.01"/>', 2],
    ['joints', arm, '<joint joint1="a" joint2="b" polycoef="0 0.5"/>', 0],
  ])('sags as in MuJoCo: %s', (_, bodies, equality, place) => {
    const text = `<mujoco><compiler angle="radian"/><worldbody>${bodies}</worldbody><equality>${equality}</equality></mujoco>`
    settles(text, place, place === 2 ? 1 : 0)
  })

  it('holds exactly where softness is not asked for', () => {
    const text = `<mujoco><worldbody>${load}</worldbody><equality><connect body1="load" anchor="0 0 0.1"/></equality></mujoco>`
    expect(inMujoco(text, 2).end[2]).toBeLessThan(1 - 1e-4)
    expect(Math.abs(inLimber(text, 2, { soft: false }).end[2] - 1)).toBeLessThan(1e-9)
  })
})
