/** Contact beside what joints do: loops, dry friction that stands, and servos at the end of their force. */
import { type BodySpec, buildModel, createData, createResidual, forwardKinematics, type GeomSpec, type Simulation, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { ball, energyOf, G, largestRise, moved, onFloor, overlapOf, run, start } from './course.js'

const H = 0.005
/** m: loops are held to the tolerance of the step */
const OPEN = 1e-6

/** Two cranks of 0.3 m upright and a bar of 0.6 m across, 0.5 m above the ground. */
function fourBar(friction = 0, lean = 0): Spec {
  const s = Math.sin(lean)
  const c = Math.cos(lean)
  const joint = (name: string) => ({ name, type: 'revolute', axis: [0, 1, 0], friction }) as const
  const rod = (name: string, x: number, z: number): GeomSpec[] => {
    const length = Math.hypot(x, z)
    const half = Math.atan2(x, z) / 2
    return [
      {
        shape: 'capsule',
        name,
        radius: 0.02,
        length,
        position: [x / 2, 0, z / 2],
        quaternion: [Math.cos(half), 0, Math.sin(half), 0],
        mass: 1,
        friction: 0.5,
        collide: name === 'bar',
      },
    ]
  }
  return onFloor(
    [
      { name: 'left', position: [0, 0, 0.5], joints: [joint('left')], geoms: rod('left', 0.3 * s, 0.3 * c) },
      { name: 'bar', parent: 'left', position: [0.3 * s, 0, 0.3 * c], joints: [joint('bar')], geoms: rod('bar', 0.6, 0) },
      { name: 'right', parent: 'bar', position: [0.6, 0, 0], joints: [joint('right')], geoms: rod('right', -0.3 * s, -0.3 * c) },
    ],
    0.5,
    {
      constraints: [{ type: 'point', a: { body: 'right', point: [-0.3 * s, 0, -0.3 * c] }, b: { body: 'world', point: [0.6, 0, 0.5] } }],
    },
  )
}

function openingOf({ model, state }: Simulation): () => number {
  const data = createData(model)
  const residual = createResidual(model)
  return () => {
    forwardKinematics(model, data, state.q, state.v)
    return residual?.(data, state) ?? 0
  }
}

describe('a four-bar linkage', () => {
  it('hit by a ball of 2 kg stays closed, is not passed through, and gains nothing', () => {
    const spec = fourBar()
    const simulation = start({ ...spec, bodies: [...spec.bodies, ball('ball', [0.2, 0, 1], 2, 0.5, 0.05)] }, H)
    const opening = openingOf(simulation)
    const total = energyOf(simulation)
    run(simulation, H)
    let least = total()
    run(simulation, 3, () => {
      expect(opening()).toBeLessThan(OPEN)
      expect(overlapOf(simulation)).toBeLessThan(1e-4)
      const now = total()
      expect(now - least).toBeLessThan(1e-3)
      least = Math.min(least, now)
    })
  })

  it('that leans by 0.4 rad stands by dry friction of 2 N m in its joints', () => {
    // 1 kg at half, 1 and again half a kilogram's worth on cranks of 0.3 m: 2 g · 0.3 · sin 0.4 = 2.3 N m in all, of 6 that friction can hold
    const simulation = start(fourBar(2, 0.4), H)
    const opening = openingOf(simulation)
    const before = simulation.state.q.slice()
    run(simulation, 10, () => expect(opening()).toBeLessThan(OPEN))
    expect(moved(simulation, before) / 10).toBeLessThan(1e-8)
  })

  it('swings with dry friction of 0.2 N m and loses what friction takes on the way', () => {
    const simulation = start(fourBar(0.2, 0.4), 0.001)
    const total = energyOf(simulation)
    const first = total()
    const { q } = simulation.state
    let way = 0
    let last = q.slice()
    let turned = 0
    run(simulation, 0.4, () => {
      for (let k = 0; k < 3; k++) way += Math.abs(q[k] - last[k])
      turned = Math.max(turned, Math.abs(q[0]))
      last = q.slice()
    })
    expect(turned).toBeGreaterThan(0.3)
    // the scheme is of first order: a share of h beside the work of friction
    expect((first - total()) / (0.2 * way)).toBeGreaterThan(0.98)
    expect((first - total()) / (0.2 * way)).toBeLessThan(1.1)
  })

  it('that lies with its bar on a block, dry friction in its joints, is still', () => {
    const spec = fourBar(0.5, 1)
    const top = 0.5 + 0.3 * Math.cos(1) - 0.02
    const geoms = [
      ...(spec.world?.geoms ?? []),
      { shape: 'box', size: [0.2, 0.2, top], position: [0.55, 0, top / 2], friction: 0.5 } as const,
    ]
    const simulation = start({ ...spec, world: { geoms } }, H)
    run(simulation, 1)
    const before = simulation.state.q.slice()
    run(simulation, 5)
    expect(moved(simulation, before) / 5).toBeLessThan(1e-7)
  })
})

describe('dry friction in a joint', () => {
  const arm = (friction: number): Spec => ({
    bodies: [
      {
        name: 'arm',
        joints: [{ name: 'arm', type: 'revolute', axis: [0, 1, 0], friction }],
        inertia: { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.02, 0.02, 0, 0, 0] },
      },
    ],
  })

  it('larger than the load holds it for good', () => {
    const simulation = start(arm(5), H)
    run(simulation, 10)
    expect(Math.abs(simulation.state.q[0]) / 10).toBeLessThan(1e-9)
  })

  it('smaller than the load takes its part of the torque', () => {
    const simulation = start(arm(2), 1e-4)
    run(simulation, 0.01)
    expect(simulation.state.v[0] / 0.01).toBeCloseTo((0.5 * G - 2) / (0.02 + 0.25), 2)
  })

  it('keeps a table with four hinged legs standing on the ground', () => {
    const legs = [
      [0.3, 0.2],
      [0.3, -0.2],
      [-0.3, 0.2],
      [-0.3, -0.2],
    ]
    const spec = onFloor(
      [
        {
          name: 'top',
          position: [0, 0, 0.52],
          joints: [{ type: 'free' }],
          geoms: [{ shape: 'box', size: [0.7, 0.5, 0.04], mass: 10 }],
        },
        ...legs.map(
          ([x, y], k): BodySpec => ({
            name: `leg${k}`,
            parent: 'top',
            position: [x, y, 0],
            joints: [{ name: `leg${k}`, type: 'revolute', axis: [k % 2, 1 - (k % 2), 0], friction: 3 }],
            geoms: [
              { shape: 'capsule', radius: 0.02, length: 0.46, position: [0, 0, -0.25], mass: 1, friction: 0.8, collide: false },
              { shape: 'sphere', radius: 0.02, position: [0, 0, -0.5], mass: 0.1, friction: 0.8 },
            ],
          }),
        ),
      ],
      0.8,
    )
    const simulation = start(spec, H)
    run(simulation, 1)
    const before = simulation.state.q.slice()
    run(simulation, 9)
    expect(moved(simulation, before) / 9).toBeLessThan(1e-7)
    expect(before[2]).toBeCloseTo(0.52, 5)
  })
})

describe('a servo at the end of its force', () => {
  const gain = { gain: [1e4, 0, 0], bias: [0, -1e4, -100] } as const
  const hung = (limit: 'joint' | 'actuator', most: number): Spec => ({
    gravity: [0, 0, -G],
    bodies: [
      {
        name: 'load',
        position: [0, 0, 1],
        joints: [
          { name: 'lift', type: 'prismatic', axis: [0, 0, 1], ...(limit === 'joint' ? { forceRange: [-most, most] as const } : {}) },
        ],
        geoms: [{ shape: 'sphere', radius: 0.05, mass: 2 }],
      },
    ],
    world: { geoms: [{ shape: 'plane' }] },
    actuators: [{ name: 'lift', joint: 'lift', ...gain, ...(limit === 'actuator' ? { forceRange: [-most, most] as const } : {}) }],
  })

  it.each(['joint', 'actuator'] as const)('limited at the %s carries exactly its weight without drift', (limit) => {
    const simulation = start(hung(limit, 2 * G), H)
    simulation.state.control[0] = 1
    run(simulation, 10)
    expect(Math.abs(simulation.state.q[0])).toBeLessThan(1e-9)
  })

  it.each(['joint', 'actuator'] as const)('limited at the %s to less sinks with what is missing', (limit) => {
    const simulation = start(hung(limit, 2 * G - 1), H)
    simulation.state.control[0] = 1
    run(simulation, 1)
    expect(simulation.state.v[0]).toBeCloseTo(-0.5, 9)
  })

  it.each(['joint', 'actuator'] as const)('limited at the %s presses on the floor with its limit', (limit) => {
    const spec = hung(limit, 30)
    const simulation = start({ ...spec, bodies: [{ ...spec.bodies[0], position: [0, 0, 0.05] }] }, H)
    simulation.state.control[0] = -1
    run(simulation, 2)
    const pressed = simulation.contacts().reduce((sum, { force }) => sum + Math.abs(force[2]), 0)
    expect(pressed).toBeCloseTo(30 + 2 * G, 3)
    expect(Math.abs(simulation.state.q[0])).toBeLessThan(1e-6)
  })
})

describe('a wheel driven by a saturated motor', () => {
  it('rolls without slipping where friction allows, and gains what the motor gives', () => {
    // a wheel of 1 kg and 0.1 m, disc about y, on a carriage of 1 kg that cannot turn
    const spec = onFloor(
      [
        {
          name: 'carriage',
          position: [0, 0, 0.1],
          joints: [
            { name: 'along', type: 'prismatic', axis: [1, 0, 0] },
            { name: 'up', type: 'prismatic', axis: [0, 0, 1] },
          ],
          inertia: { mass: 1 },
        },
        {
          name: 'wheel',
          parent: 'carriage',
          joints: [{ name: 'wheel', type: 'revolute', axis: [0, 1, 0] }],
          geoms: [{ shape: 'sphere', radius: 0.1, friction: 0.8 }],
          inertia: { mass: 1, tensor: [0.005, 0.005, 0.005, 0, 0, 0] },
        },
      ],
      0.8,
      { actuators: [{ name: 'motor', joint: 'wheel', gain: [1, 0, 0], forceRange: [-0.5, 0.5] }] },
    )
    const simulation = start(spec, H)
    simulation.state.control[0] = 10
    run(simulation, 1)
    const { v } = simulation.state
    // (2 + I/r²) a = τ/r
    expect(v[0]).toBeCloseTo(5 / 2.5, 3)
    expect(v[2] * 0.1).toBeCloseTo(v[0], 4)
  })
})

describe('a chain that falls on the ground', () => {
  it.each([0.002, 0.01])('loses energy all the time and comes to rest, h = %s', (h) => {
    const bodies = Array.from(
      { length: 8 },
      (_, k): BodySpec => ({
        name: `link${k}`,
        ...(k === 0 ? {} : { parent: `link${k - 1}` }),
        position: k === 0 ? [0, 0, 0.4] : [0.2, 0, 0],
        joints: [
          k === 0 ? { type: 'free' } : { type: 'revolute', axis: k % 2 === 0 ? [0, 1, 0] : [0, 0, 1], damping: 0.02, limits: [-1.5, 1.5] },
        ],
        geoms: [
          {
            shape: 'capsule',
            radius: 0.03,
            length: 0.12,
            position: [0.1, 0, 0],
            quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
            mass: 0.5,
            friction: 0.6,
          },
        ],
      }),
    )
    const spec = onFloor(bodies, 0.6)
    const simulation = start(spec, h)
    const { q, v } = simulation.state
    // it points upwards, and falls over
    q.set([Math.cos(0.3), 0, -Math.sin(0.3), 0], 3)
    v[1] = 3
    expect(buildModel(spec).nv).toBe(13)
    expect(largestRise(simulation, 6)).toBeLessThan(1e-3)
    expect(Math.hypot(...v)).toBeLessThan(1e-3)
  })
})
