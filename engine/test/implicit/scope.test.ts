/** What of a model the ground step leaves out or does in another way is said before the first step, by name. */
import { buildModel, chooseSolver, createBatch, createSimulation, type Force, leftOut, parseMjcf, solvers } from 'limber'
import { describe, expect, it } from 'vitest'

const doc = (world: string, more = '', option = ''): string =>
  `<mujoco><compiler angle="radian"/><option ${option}/><worldbody><geom name="floor" type="plane" size="0 0 1"/>${world}</worldbody>${more}</mujoco>`
const model = (...text: Parameters<typeof doc>) => buildModel(parseMjcf(doc(...text)))
const BALL = '<body name="ball" pos="0 0 1"><freejoint/><geom name="ball" type="sphere" size="0.1"/><site name="tip" pos="0 0 0.1"/></body>'
const CRATE =
  '<body name="crate" pos="1 0 1"><freejoint/><geom name="crate" type="box" size="0.1 0.1 0.1"/><site name="lid" pos="0 0 0.1"/></body>'
const ARM = `<body name="arm" pos="0 0 2"><joint name="elbow" axis="0 1 0"/><geom name="arm" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" contype="0" conaffinity="0"/>
  <site name="hand" pos="0.3 0 0"/></body>`
const sphere = (points: number): string =>
  Array.from({ length: points }, (_, k) => {
    const z = 1 - (2 * k + 1) / points
    const [r, a] = [Math.sqrt(1 - z * z), k * Math.PI * (3 - Math.sqrt(5))]
    return [r * Math.cos(a), r * Math.sin(a), z].map((x) => (0.1 * x).toFixed(5)).join(' ')
  }).join(' ')
const path = (attributes: string): string =>
  `<tendon><spatial name="cord" ${attributes}><site site="tip"/><site site="hand"/></spatial></tendon>`
const fixed = (attributes: string): string => `<tendon><fixed name="sum" ${attributes}><joint joint="elbow" coef="1"/></fixed></tendon>`
const FIELD = '<asset><hfield name="hills" nrow="2" ncol="2" size="1 1 1 0.1" elevation="0 0 0 1"/></asset>'

/** shapes are named with their line in the file, which is one here */
const withoutLines = (sentence: string): string => sentence.replaceAll(' (line 1)', '')

describe('nothing is said', () => {
  it.each([
    ['of balls and capsules on a plane', BALL + ARM, ''],
    ['of a box on two planes', `${CRATE}<geom type="plane" size="0 0 1" zaxis="1 0 1"/>`, ''],
    [
      'of servos, springs and limits',
      `${BALL}<body><joint name="j" limited="true" range="-1 1" stiffness="3" frictionloss="1" springref="1"/>
      <geom type="capsule" size="0.01 0.1" contype="0" conaffinity="0"/></body>`,
      '<actuator><position joint="j" kp="3"/></actuator>',
    ],
    ['of a fixed tendon', BALL + ARM, fixed('stiffness="3"')],
  ])('%s', (_, world, more) => {
    expect(createSimulation(model(world, more), { solver: 'implicit' }).warnings()).toEqual([])
  })
})

describe('a sentence names', () => {
  it.each([
    [
      'a wall',
      `${BALL}<geom name="wall" type="box" size="1 1 1" pos="3 0 0"/>`,
      '',
      "contact with shape 'wall': left out by implicit, where planes and one upright height field of the world are touched; take redmax to have it",
    ],
    [
      'boxes that touch each other',
      `${CRATE}${BALL}`,
      '',
      "contact between shape 'crate' and shape 'ball': left out by implicit, where spheres and capsules touch each other; give these bodies spheres or capsules, or take redmax to have it",
    ],
    [
      'a tilted height field',
      `${BALL}<geom name="hills" type="hfield" hfield="hills" euler="0.3 0 0"/>`,
      FIELD,
      "contact with shape 'hills': left out by implicit",
    ],
    [
      'a second height field',
      `${BALL}<geom name="hills" type="hfield" hfield="hills"/><geom name="more" type="hfield" hfield="hills" pos="2 0 0"/>`,
      FIELD,
      "contact with shape 'more': left out by implicit",
    ],
    [
      'boxes on a height field',
      `${CRATE}<geom name="hills" type="hfield" hfield="hills"/>`,
      FIELD,
      "contact of shape 'crate' with shape 'hills': corners, ends and points of rims touch, and hills between them go in",
    ],
    [
      'a hull with many vertices',
      '<body><freejoint/><geom name="rock" type="mesh" mesh="rock"/></body>',
      `<asset><mesh name="rock" vertex="${sphere(60)}"/></asset>`,
      "hulls of shape 'rock': 2",
    ],
    [
      'an equality',
      `${BALL}${ARM}`,
      '<equality><connect name="grip" body1="ball" body2="arm" anchor="0 0 0"/></equality>',
      "constraint 'grip': left out by implicit; take redmax to have it",
    ],
    [
      'a tendon with a path',
      `${BALL}${ARM}`,
      path('stiffness="3"'),
      "spring and damper of tendon 'cord': left out by implicit; take redmax to have it",
    ],
    [
      'a limit of a tendon',
      `${BALL}${ARM}`,
      fixed('limited="true" range="-1 1"'),
      "limit of tendon 'sum': left out by implicit; take redmax to have it",
    ],
    ['dry friction of a tendon', `${BALL}${ARM}`, fixed('frictionloss="1"'), "dry friction of tendon 'sum': left out by implicit"],
    ['armature of a tendon', `${BALL}${ARM}`, fixed('armature="1"'), "armature of tendon 'sum': left out by implicit"],
    [
      'an actuator on a site',
      BALL,
      '<actuator><motor name="rotor" site="tip" gear="0 0 1 0 0 0"/></actuator>',
      "actuator on a site 'rotor': left out by implicit; take redmax to have it",
    ],
    [
      'an actuator on a path',
      `${BALL}${ARM}`,
      `${path('')}<actuator><motor name="winch" tendon="cord"/></actuator>`,
      "actuator on a tendon with a path 'winch': left out by implicit",
    ],
    [
      'a muscle',
      `${BALL}${ARM}`,
      '<actuator><muscle name="biceps" joint="elbow" lengthrange="0.1 1"/></actuator>',
      "muscle 'biceps': left out by implicit; take redmax to have it",
    ],
    [
      'gravity compensation by actuators',
      `${BALL}${ARM.replace('name="arm"', 'name="arm" gravcomp="1"').replace('name="elbow"', 'name="elbow" actuatorgravcomp="true" actuatorfrcrange="-1 1"')}`,
      '',
      "gravity compensation by actuators of joint 'elbow': acts beside the range of their forces",
    ],
    [
      'friction by direction',
      BALL,
      '<contact><pair geom1="ball" geom2="floor" friction="1 0.1 0.01 0.01 0.01"/></contact>',
      "friction by direction between shape 'floor' and shape 'ball': the first coefficient counts in both directions",
    ],
  ])('%s', (_, world, more, sentence) => {
    const found = createSimulation(model(world, more), { solver: 'implicit' }).warnings().map(withoutLines)
    expect(
      found.filter((line) => line.startsWith(sentence)),
      found.join('\n'),
    ).toHaveLength(1)
  })

  it('a medium', () => {
    expect(leftOut(model(BALL, '', 'density="1.2"'), solvers.implicit)).toEqual(['medium: left out by implicit; take redmax to have it'])
  })

  it('noslip iterations with pyramids alone', () => {
    const of = (cone: string): string[] => leftOut(model(BALL, '', `noslip_iterations="3" cone="${cone}"`), solvers.implicit)
    expect(of('pyramidal')).toEqual([
      'noslip_iterations with pyramids: contacts creep as without; take cone="elliptic", or take redmax to have it',
    ])
    expect(of('elliptic')).toEqual([])
  })

  it('springs, loads and hard contacts of a scene', () => {
    const scene = buildModel({
      bodies: [
        {
          name: 'a',
          position: [0, 0, 1],
          joints: [{ type: 'free' }],
          geoms: [{ name: 'foot', shape: 'sphere', radius: 0.1, mass: 1, friction: 1 }],
        },
        {
          name: 'b',
          position: [1, 0, 1],
          joints: [{ name: 'knee', type: 'revolute', axis: [0, 1, 0], limits: [-1, 1] }],
          inertia: { mass: 1, com: [0.1, 0, 0] },
        },
      ],
      world: { geoms: [{ name: 'floor', shape: 'plane', friction: 1 }] },
      springs: [{ name: 'strut', a: { body: 'a' }, b: { body: 'b' }, stiffness: 10 }],
      loads: [{ body: 'a', force: [0, 0, 1] }],
    })
    expect(leftOut(scene, solvers.implicit)).toEqual([
      "spring 'strut': left out by implicit; take redmax to have it",
      'loads: left out by implicit; take redmax to have it',
      "hard contacts of shape 'foot': compliant, with a time constant of two steps; give them softness, or take redmax to have it",
      "hard limits and friction of joint 'knee': compliant, with a time constant of two steps; take redmax to have it",
    ])
  })

  it('three things at most, and how many more there are', () => {
    const crates = [1, 2, 3, 4, 5].map((k) => `<geom name="wall ${k}" type="box" size="1 1 1" pos="${3 * k} 0 0"/>`)
    const [sentence] = leftOut(model(BALL + crates.join('')), solvers.implicit)
    expect(withoutLines(sentence)).toMatch(/^contact with shape 'wall \d', shape 'wall \d', shape 'wall \d' and 2 more: left out/)
  })
})

describe('shapes that cannot meet', () => {
  it('are not mentioned', () => {
    const far = `${BALL.replace('<freejoint/>', '<joint axis="0 1 0"/>')}<geom type="box" size="1 1 1" pos="30 0 0"/>`
    expect(leftOut(model(far), solvers.implicit)).toEqual([])
  })
})

describe('batches with contact', () => {
  it('say the same with their own remedy', async () => {
    const batch = await createBatch(model(`${BALL}<geom name="wall" type="box" size="1 1 1" pos="3 0 0"/>`), { count: 2, contact: true })
    expect(batch.leftOut.map(withoutLines)).toEqual([
      "contact with shape 'wall': left out by batches, where planes and one upright height field of the world are touched; take createSimulation with redmax to have it",
    ])
    batch.close()
  })
})

describe('refused are', () => {
  it('forces of the user’s own, by name', () => {
    const wind: Force = { name: 'wind', apply: () => {} } as unknown as Force
    expect(() => createSimulation(model(BALL), { solver: 'implicit', forces: [wind] })).toThrow(
      "forces: expected none under solver implicit, got 'wind'; take redmax, or add joint forces to state.tau before each step",
    )
  })
})

describe('auto', () => {
  it('takes other solvers', () => {
    expect(chooseSolver(model(BALL)).name).not.toBe('implicit')
  })
})
