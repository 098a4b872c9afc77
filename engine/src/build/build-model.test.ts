/** Spec → Model: every problem at once, each with its place. */
import { describe, expect, it } from 'vitest'
import { energy, forwardDynamics } from '../forces/dynamics.js'
import { createData } from '../model/data.js'
import { ModelError, type Problem } from '../model/model-error.js'
import { createState } from '../model/state.js'
import { buildModel } from './build-model.js'
import type { BodySpec, GeomSpec, JointSpec, Spec } from './spec.js'

const inertia = { mass: 1, com: [0, 0, -0.5], tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const
const hinge: JointSpec = { type: 'revolute' as const, axis: [0, 1, 0] }
const body = (name: string, more: Partial<BodySpec> = {}): BodySpec => ({ name, inertia, joints: [hinge], ...more })

function problems(spec: Spec): readonly Problem[] {
  try {
    buildModel(spec)
  } catch (error) {
    if (error instanceof ModelError) return error.problems
    throw error
  }
  return []
}

/** The one problem of a spec. */
function problem(spec: Spec): string {
  const found = problems(spec)
  expect(found.length, found.map((p) => `${p.path}: ${p.message}`).join('\n')).toBe(1)
  return `${found[0].path}: ${found[0].message}`
}

/** What a spec from a file may hold, whatever the types say. */
const raw = (spec: unknown): Spec => spec as Spec

describe('bodies', () => {
  it('must have names of their own', () => {
    expect(problem({ bodies: [body('a'), body('a', { joints: [{ ...hinge, name: 'j' }] })] })).toBe(
      "bodies/1/name: expected a unique name, got 'a' again (first at bodies/0); rename one",
    )
    expect(problem({ bodies: [body('world')] })).toMatch(/^bodies\/0\/name: the name 'world' is taken/)
    expect(problem({ bodies: [body('')] })).toMatch(/^bodies\/0\/name: expected a name, got none/)
  })

  it('must hang on bodies that exist, and a near name is suggested', () => {
    expect(problem({ bodies: [body('forearm'), body('hand', { parent: 'forarm' })] })).toBe(
      "bodies/1/parent: expected the name of a body, got 'forarm'; did you mean 'forearm'? (body 'hand')",
    )
    expect(problem({ bodies: [body('forearm'), body('hand', { parent: 'xyz' })] })).toBe(
      "bodies/1/parent: expected the name of a body, got 'xyz'; add that body, or take 'world' (body 'hand')",
    )
  })

  it('must not hang on themselves, however long the way round', () => {
    expect(problem({ bodies: [body('a', { parent: 'a' })] })).toBe(
      "bodies/0/parent: expected a tree, got a cycle: a → a; close loops with a constraint (body 'a')",
    )
    const cycle = [body('a', { parent: 'c' }), body('b', { parent: 'a' }), body('c', { parent: 'b' }), body('d', { parent: 'b' })]
    expect(problem({ bodies: cycle })).toMatch(/got a cycle: a → c → b → a/)
  })

  it('a list that is none is a problem, an empty one is not', () => {
    expect(problem(raw({}))).toBe('bodies: expected a list of bodies, got undefined; give one, if need be empty')
    const empty = buildModel({ bodies: [] })
    expect([empty.nbody, empty.nq, empty.nv]).toEqual([1, 0, 0])
    const data = createData(empty)
    forwardDynamics(empty, data, createState(empty))
    expect(energy(empty, data, createState(empty))).toEqual({ kinetic: 0, potential: 0 })
  })

  it('have poses of finite numbers and quaternions that are not zero', () => {
    expect(problem({ bodies: [body('a', { position: [0, Number.NaN, 0] })] })).toBe(
      "bodies/0/position/1: expected a finite number of body 'a', got NaN; check what it was computed from",
    )
    expect(problem({ bodies: [body('a', { quaternion: [0, 0, 0, 0] })] })).toMatch(/^bodies\/0\/quaternion: expected a quaternion w x y z/)
    expect(problem(raw({ bodies: [body('a', { position: [0, 0, 0, 0] as never })] }))).toBe(
      "bodies/0/position: expected 3 numbers, got 4; give 3, or leave it out (body 'a')",
    )
    expect(problem(raw({ bodies: [{ ...body('a'), position: 'there' }] }))).toBe(
      "bodies/0/position: expected 3 numbers, got 'there'; give 3, or leave it out (body 'a')",
    )
  })

  it.each([[[0, 0, 0, 0]], [[1, 2]], ['there'], [null]])('with a free joint and the position %j name it, and do not crash', (position) => {
    const free = { name: 'a', inertia, joints: [{ type: 'free' as const }], position }
    expect(problem(raw({ bodies: [free] }))).toMatch(/^bodies\/0\/position: expected 3 numbers/)
    expect(problem(raw({ bodies: [{ ...free, position: [0, 0, 0], quaternion: position }] }))).toMatch(/^bodies\/0\/quaternion: expected/)
  })
})

describe('inertias', () => {
  const massless = { name: 'a', joints: [hinge] }

  it('a joint that moves no mass is refused, unless it has armature or a child with mass', () => {
    expect(problem({ bodies: [massless] })).toMatch(
      /^bodies\/0\/joints\/0: expected mass on body 'a' or below it, got none: joint 'a' would/,
    )
    expect(problem({ bodies: [{ ...massless, inertia: { mass: 0 } }] })).toMatch(/expected mass on body 'a'/)
    expect(problems({ bodies: [{ ...massless, joints: [{ ...hinge, armature: 0.1 }] }] })).toEqual([])
    expect(problems({ bodies: [massless, body('b', { parent: 'a', position: [0, 0, -1] })] })).toEqual([])
    expect(problems({ bodies: [{ name: 'frame' }] })).toEqual([])
  })

  it.each([
    ['on the axis itself', [0, 0, 0], [0, 1, 0]],
    ['on an axis off the origin', [0.1, 0.7, 0.3], [0, 1, 0]],
    ['on a slanted axis off the origin', [0.3, -0.2, 0.7], [1, 2, -0.5]],
  ] as const)('a point mass %s is refused: the joint does not feel it', (_name, point, axis) => {
    const bodies = [{ name: 'a', inertia: { mass: 2, com: point }, joints: [{ type: 'revolute' as const, axis, anchor: point }] }]
    expect(problem({ bodies })).toMatch(/^bodies\/0\/joints\/0: expected an inertia about joint 'a' of body 'a', got none/)
  })

  it('two joints about one axis are named where they are, not at the root', () => {
    const twice = { ...body('b', { parent: 'a', position: [0, 0, -1] }), joints: [hinge, { ...hinge, name: 'again' }] }
    expect(problem({ bodies: [body('a'), twice] })).toMatch(/^bodies\/1\/joints\/1: .*body 'b'.*another joint turns about the same axis/)
  })

  it('a light body far from its axis is not taken for a point', () => {
    const tensor = [1e-9, 1e-9, 1e-9, 0, 0, 0] as const
    const bodies = [
      {
        name: 'a',
        inertia: { mass: 1e-3, com: [0.3, -0.2, 0.7], tensor },
        joints: [{ type: 'revolute' as const, anchor: [0.3, -0.2, 0.7] }],
      },
    ] as const
    expect(problems({ bodies })).toEqual([])
  })

  it('must be positive definite and finite', () => {
    const negative = { mass: 1, tensor: [0.1, -0.1, 0.1, 0, 0, 0] } as const
    expect(problem({ bodies: [body('a', { inertia: negative })] })).toMatch(
      /^bodies\/0\/inertia\/tensor: expected a positive definite inertia tensor of body 'a'/,
    )
    // moments positive, products too large
    expect(problem({ bodies: [body('a', { inertia: { mass: 1, tensor: [0.1, 0.1, 0.1, 0.2, 0, 0] } })] })).toMatch(/positive definite/)
    expect(problem({ bodies: [body('a', { inertia: { mass: Number.NaN, tensor: [1, 1, 1, 0, 0, 0] } })] })).toBe(
      "bodies/0/inertia/mass: expected a non-negative finite number of body 'a', got NaN; check what it was computed from",
    )
    expect(problem({ bodies: [body('a', { inertia: { mass: -1, tensor: [1, 1, 1, 0, 0, 0] } })] })).toMatch(/got -1; give the mass in kg/)
    expect(
      problem({ bodies: [body('a', { inertia: { mass: 1, com: [0, 0, Number.POSITIVE_INFINITY], tensor: [1, 1, 1, 0, 0, 0] } })] }),
    ).toBe("bodies/0/inertia/com/2: expected a finite number of body 'a', got Infinity; check what it was computed from")
  })

  it('of a geom that is no shape is a problem, on bodies and in the world', () => {
    // as programs without types write it
    const geom = { type: 'box', size: [1, 1, 1] } as unknown as GeomSpec
    expect(problem({ bodies: [{ name: 'a', geoms: [geom] }] })).toMatch(
      /^bodies\/0\/geoms\/0\/shape: expected one of sphere.*, got nothing/,
    )
    expect(problem({ bodies: [{ name: 'a' }], world: { geoms: [{ ...geom, shape: 'cube' } as unknown as GeomSpec] } })).toMatch(
      /^world\/geoms\/0\/shape: expected one of .*, got 'cube'/,
    )
  })

  it('of geoms add up, and a missing mesh is a problem', () => {
    const box = { shape: 'box', size: [1, 2, 3], mass: 6 } as const
    const one = buildModel({ bodies: [{ name: 'a', geoms: [box], joints: [{ type: 'free' as const }] }] })
    expect(Array.from(one.inertia.subarray(10, 20))).toEqual([6, 0, 0, 0, 6.5, 0, 0, 5, 0, 2.5])
    const two = buildModel({
      bodies: [
        {
          name: 'a',
          geoms: [
            { ...box, position: [1, 0, 0] },
            { ...box, position: [-1, 0, 0] },
          ],
          joints: [{ type: 'free' as const }],
        },
      ],
    })
    expect(Array.from(two.inertia.subarray(10, 20))).toEqual([12, 0, 0, 0, 13, 0, 0, 22, 0, 17])
    expect(problem({ bodies: [{ name: 'a', geoms: [{ shape: 'mesh', mesh: 'gone', density: 1 }] }] })).toMatch(
      /^bodies\/0\/geoms\/0\/mesh: expected the name of a mesh, got 'gone'/,
    )
    expect(problem({ bodies: [body('a', { geoms: [{ ...box, mass: -1 }] }), { name: 'b', geoms: [{ ...box, mass: -1 }] }] })).toMatch(
      /^bodies\/1\/geoms\/0\/mass: expected a non-negative finite number of box 1 of body 'b', got -1; give the mass in kg; bodies without any need no inertia/,
    )
    const round = { name: 'a', geoms: [{ shape: 'sphere', radius: Number.NaN, mass: 1 }], joints: [{ type: 'free' as const }] } as const
    expect(problems({ bodies: [round] }).map((p) => p.path)).toContain('bodies/0/geoms/0/radius')
    expect(problem({ bodies: [{ name: 'a', geoms: [{ shape: 'sphere', radius: -1 }] }] })).toMatch(/^bodies\/0\/geoms\/0.*got -1/)
  })
})

describe('joints', () => {
  const with_ = (joint: unknown): Spec => raw({ bodies: [body('a', { joints: [joint as JointSpec] })] })

  it('have a type of the table, and a near one is suggested', () => {
    expect(problem(with_({ type: 'revolut' }))).toMatch(
      /^bodies\/0\/joints\/0\/type: expected one of fixed, revolute, .*got 'revolut'; did you mean 'revolute'\? \(body 'a'\)$/,
    )
    expect(problem(with_({}))).toMatch(/got 'undefined'/)
  })

  it.each([
    [
      { ...hinge, stiffness: -1 },
      "stiffness: expected a non-negative finite number of body 'a', got -1; give its size, or 0 for none; what pushes away from rest is a load, an actuator or a force of your own",
    ],
    [
      { ...hinge, damping: -2 },
      "damping: expected a non-negative finite number of body 'a', got -2; give its size, or 0 for none; what drives is an actuator, a motion or a load",
    ],
    [{ ...hinge, armature: Number.NaN }, "armature: expected a finite number of body 'a', got NaN; check what it was computed from"],
    [{ ...hinge, friction: -1 }, "friction: expected a non-negative finite number of body 'a', got -1; give its size, or 0 for none"],
    [{ ...hinge, axis: [0, 0, 0] }, "axis: expected an axis of non-zero length, got 0 0 0; give a direction such as 0 0 1 (body 'a')"],
    [{ ...hinge, anchor: [0, 0] }, "anchor: expected 3 numbers, got 2; give 3, or leave it out (body 'a')"],
    [{ ...hinge, limits: [1, -1] }, "limits: expected lower ≤ upper, got 1 -1; swap them, or leave them out (body 'a')"],
    [{ ...hinge, initial: [1, 2] }, "initial: expected 1 number, got 2; give 1, or leave it out (body 'a')"],
    [{ ...hinge, initial: 'up' }, "initial: expected 1 number, got 'up'; give 1, or leave it out (body 'a')"],
    [
      { type: 'universal' as const, axis: [1, 0, 0], axis2: [-2, 0, 0] },
      "axis2: expected an axis that is not parallel to the first one; give one at right angles to it (body 'a')",
    ],
    [
      { type: 'helical' as const, pitch: Number.NaN },
      "pitch: expected a finite number of body 'a', got NaN; check what it was computed from",
    ],
    [
      { type: 'spherical' as const, initial: [0, 0, 0, 0] },
      "initial: expected a quaternion w x y z of length one, got zero; no turn is 1 0 0 0 (body 'a')",
    ],
    [{ type: 'spherical' as const, reference: 1 }, "reference: a spherical joint has no reference; turn the body instead (body 'a')"],
    [
      { type: 'spherical' as const, stiffness: [1, 2, 3] },
      "stiffness: a spherical joint takes one stiffness for all directions; give one number, or springs between bodies (body 'a')",
    ],
  ])('%j is a problem', (joint, message) => {
    expect(problem(with_(joint))).toBe(`bodies/0/joints/0/${message}`)
  })

  it('free joints stand alone on their body', () => {
    expect(problem({ bodies: [body('a', { joints: [{ type: 'free' as const }, { ...hinge, name: 'h' }] })] })).toMatch(
      /^bodies\/0\/joints\/0: expected a free joint to be the only joint of body 'a', got 2 joints/,
    )
  })

  it('have names of their own', () => {
    const bodies = [body('a', { joints: [{ ...hinge, name: 'j' }] }), body('b', { joints: [{ ...hinge, name: 'j' }] })]
    expect(problem({ bodies })).toBe(
      "bodies/1/joints/0/name: expected a unique name, got 'j' again (first at bodies/0/joints/0); rename one (body 'b')",
    )
  })

  it('keep the file’s order and their own numbers', () => {
    const model = buildModel({
      bodies: [
        body('a', {
          joints: [
            { ...hinge, name: 'x' },
            { type: 'spherical' as const, name: 'y', anchor: [1, 0, 0] },
            { type: 'prismatic' as const, name: 'z', axis: [1, 0, 0] },
          ],
        }),
        body('b', { parent: 'a', joints: [{ type: 'free' as const }] }),
      ],
    })
    expect(model.joints.map(({ name, type, body: i, iq, nq, iv, nv }) => [name, type, i, iq, nq, iv, nv])).toEqual([
      ['x', 'revolute', 1, 0, 1, 0, 1],
      ['y', 'spherical', 1, 1, 4, 1, 3],
      ['z', 'prismatic', 1, 5, 1, 4, 1],
      ['b', 'free', 2, 6, 7, 5, 6],
    ])
    expect([model.nq, model.nv, model.nbody, model.njoint]).toEqual([13, 11, 3, 4])
  })

  it('a free joint starts at its body’s pose, others at their reference', () => {
    const model = buildModel({
      bodies: [
        body('a', { joints: [{ type: 'free' as const }], position: [1, 2, 3], quaternion: [0, 2, 0, 0] }),
        body('b', { joints: [{ ...hinge, reference: 0.7 }] }),
        body('c', { joints: [{ ...hinge, reference: 0.7, initial: 0.2 }] }),
      ],
    })
    expect(Array.from(model.q0)).toEqual([1, 2, 3, 0, 1, 0, 0, 0.7, 0.2])
  })
})

describe('what joins bodies', () => {
  const two = [body('a'), body('b')]
  const ends = { a: { body: 'a' }, b: { body: 'b' } }

  it.each([
    [
      { springs: [{ ...ends, stiffness: -1 }] },
      'springs/0/stiffness: expected a non-negative finite number, got -1; give its size, or 0 for none; what pushes away from rest is a load, an actuator or a force of your own',
    ],
    [
      { springs: [{ ...ends, stiffness: 1, rest: Number.NaN }] },
      'springs/0/rest: expected a non-negative finite number, got NaN; check what it was computed from',
    ],
    [
      { springs: [{ a: { body: 'a' }, b: { body: 'a' }, stiffness: 1 }] },
      "springs/0: expected two different bodies, got 'a' twice; tie it to another body, or to 'world'",
    ],
    [
      { springs: [{ a: { body: 'aa' }, b: { body: 'b' }, stiffness: 1 }] },
      "springs/0/a/body: expected the name of a body or 'world', got 'aa'; did you mean 'a'?",
    ],
    [
      { springs: [{ a: { body: 'a', point: [0, 0] }, b: { body: 'b' }, stiffness: 1 }] },
      'springs/0/a/point: expected 3 numbers, got 2; give 3, or leave it out',
    ],
    [
      { tendons: [{}] },
      "tendons/0: expected either 'path' or 'joints'; give the points that the tendon runs through, or the joints whose sum it is",
    ],
    [
      { tendons: [{ joints: [{ joint: 'a', coefficient: 1 }], rest: [2, 1] }] },
      'tendons/0/rest: expected lower ≤ upper, got 2 1; swap them',
    ],
    [
      { tendons: [{ joints: [{ joint: 'A', coefficient: 1 }] }] },
      "tendons/0/joints/0/joint: expected the name of a joint, got 'A'; did you mean 'a'?",
    ],
    [
      { tendons: [{ path: [{ body: 'a' }, { pulley: 0 }] }] },
      'tendons/0/path/1/pulley: expected a positive finite number, got 0; check its sign',
    ],
    [
      { loads: [{ body: 'c', force: [1, 0, 0] }] },
      "loads/0/body: expected the name of a body or 'world', got 'c'; there are 'world', 'a', 'b'",
    ],
    [
      { loads: [{ body: 'a', force: [1, 0, Number.NaN] }] },
      'loads/0/force/2: expected a finite number, got NaN; check what it was computed from',
    ],
    [{ actuators: [{}] }, 'actuators/0: expected exactly one of joint, tendon, site, got 0; name what the actuator drives'],
    [
      { actuators: [{ joint: 'a', site: 's' }] },
      'actuators/0: expected exactly one of joint, tendon, site, got 2; name what the actuator drives',
    ],
    [{ actuators: [{ joint: 'a', controlRange: [1, 0] }] }, 'actuators/0/controlRange: expected lower ≤ upper, got 1 0; swap them'],
    [{ actuators: [{ tendon: 'none' }] }, "actuators/0/tendon: expected the name of a tendon, got 'none'; the model has none"],
    [{ keyframes: [{ q: [1] }] }, 'keyframes/0/q: expected 2 numbers, got 1; give 2, or leave it out'],
    [{ gravity: [0, 0] }, 'gravity: expected 3 numbers, got 2; give 3, or leave it out'],
    [{ gravity: [0, 0, Number.NaN] }, 'gravity/2: expected a finite number, got NaN; check what it was computed from'],
    [{ timestep: 0 }, 'timestep: expected a positive finite number, got 0; give the step in seconds, such as 0.01'],
    [{ medium: { density: -1 } }, 'medium/density: expected a non-negative finite number, got -1; check its sign'],
  ])('%j is a problem', (part, message) => {
    expect(problem(raw({ bodies: two, ...part }))).toBe(message)
  })

  it('a fixed tendon takes joints with one number each', () => {
    const bodies = [body('a', { joints: [{ type: 'spherical' as const }] })]
    expect(problem({ bodies, tendons: [{ joints: [{ joint: 'a', coefficient: 1 }] }] })).toMatch(
      /expected a joint with one degree of freedom, got spherical 'a'/,
    )
  })
})

describe('problems', () => {
  const spec = raw({
    gravity: [0, Number.NaN, 0],
    timestep: -1,
    bodies: [
      { name: 'a', parent: 'nowhere', inertia: { mass: Number.NaN } },
      { name: 'a', inertia, joints: [{ type: 'hinge' }, { type: 'revolute' as const, stiffness: -1 }] },
      { name: 'c', parent: 'd', inertia, joints: [hinge] },
      { name: 'd', parent: 'c', inertia, joints: [hinge] },
    ],
    springs: [{ a: { body: 'x' }, b: { body: 'a' }, stiffness: Number.NaN }],
    actuators: [{ joint: 'y' }],
    keyframes: [{ time: Number.NaN }],
    places: {
      'bodies/1': { file: 'robot.xml', line: 7, column: 3 },
      'bodies/1/joints/1': { file: 'robot.xml', line: 9, column: 5 },
      springs: { line: 20, column: 1 },
    },
  })

  it('are all reported at once', () => {
    const paths = problems(spec).map((p) => p.path)
    const expected = [
      'gravity/1',
      'timestep',
      'bodies/0/parent',
      'bodies/1/name',
      'bodies/1/joints/0/type',
      'bodies/1/joints/1/stiffness',
      'bodies/2/parent',
      'springs/0/a/body',
      'springs/0/stiffness',
      'actuators/0/joint',
      'keyframes/0/time',
    ]
    for (const path of expected) expect(paths).toContain(path)
  })

  it('carry the place of the nearest part that has one', () => {
    const place = (path: string): unknown => problems(spec).find((p) => p.path === path)?.place
    expect(place('bodies/1/joints/1/stiffness')).toEqual({ file: 'robot.xml', line: 9, column: 5 })
    expect(place('bodies/1/joints/0/type')).toEqual({ file: 'robot.xml', line: 7, column: 3 })
    expect(place('springs/0/stiffness')).toEqual({ line: 20, column: 1 })
    expect(place('timestep')).toBeUndefined()
    expect(() => buildModel(spec)).toThrow(
      "robot.xml:9:5: bodies/1/joints/1/stiffness: expected a non-negative finite number of body 'a', got -1; give its size, or 0 for none; what pushes away from rest is a load, an actuator or a force of your own",
    )
  })
})
