/** Every kind of constraint in one mechanism that keeps moving: loops, couplings, motions, limits that are struck, dry friction, contact. */
import { type BodySpec, buildModel, type JointSpec, type Model } from 'limber'

const bar = { mass: 1, com: [0.5, 0, 0], tensor: [0.01, 0.1, 0.1, 0, 0, 0] } as const
const wheel = { mass: 1, tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const

/** A body on a hinge about y. */
function hinged(name: string, parent: string, position: readonly [number, number, number], joint: Partial<JointSpec> = {}): BodySpec {
  return { name, parent, position, inertia: bar, joints: [{ name, type: 'revolute', axis: [0, 1, 0], ...joint }] }
}

export function constrainedMechanism(): Model {
  return buildModel({
    timestep: 0.01,
    bodies: [
      hinged('crank', 'world', [0, 0, 3], { initial: 0.3 }),
      hinged('rod', 'crank', [1, 0, 0], { initial: -0.3 }),
      hinged('rocker', 'rod', [1, 0, 0], { initial: Math.PI + 0.3 }),
      { ...hinged('driver', 'world', [0, 2, 3]), inertia: wheel },
      { ...hinged('driven', 'world', [0, 3, 3], { friction: 0.01 }), inertia: wheel },
      hinged('pendulum', 'world', [0, 4, 3], { limits: [0.5, 2.2], initial: 0.6 }),
      hinged('roped', 'world', [0, 5, 3], { initial: 0.4 }),
      {
        name: 'ball',
        position: [0, 6, 3],
        inertia: { ...wheel, com: [0, 0, -0.5] },
        joints: [{ type: 'spherical', limits: [0, 0.5], initial: [0.97, 0.2, 0.1, 0] }],
      },
      { name: 'slider', position: [0, 7, 3], inertia: wheel, joints: [{ name: 'slide', type: 'prismatic', axis: [0, 0, 1] }] },
      { name: 'carried', position: [3, 0, 3], inertia: wheel, joints: [{ type: 'free' }] },
      {
        name: 'table',
        position: [0, -3, 1],
        joints: [{ name: 'shake', type: 'prismatic', axis: [1, 0, 0] }],
        geoms: [{ shape: 'box', size: [2, 2, 0.2], mass: 1 }],
      },
      {
        name: 'box',
        position: [0, -3, 1.25],
        joints: [{ type: 'free' }],
        geoms: [{ shape: 'box', size: [0.3, 0.3, 0.3], mass: 1, friction: 0.3 }],
      },
      { name: 'pebble', position: [0.6, -2.5, 1.25], joints: [{ type: 'free' }], geoms: [{ shape: 'sphere', radius: 0.1, mass: 1 }] },
    ],
    tendons: [
      {
        name: 'rope',
        path: [
          { body: 'world', point: [0, 5, 4] },
          { body: 'roped', point: [1, 0, 0] },
        ],
        limits: [0, 1.6],
      },
      { name: 'turn', joints: [{ joint: 'driver', coefficient: 1 }] },
      { name: 'lift', joints: [{ joint: 'slide', coefficient: 1 }] },
    ],
    constraints: [
      { type: 'point', a: { body: 'rocker', point: [1, 0, 0] }, b: { body: 'world', point: [1, 0, 3] } },
      { type: 'motion', joint: 'driver', amplitude: 0.5, frequency: 1 },
      { type: 'coupling', joint: 'driven', of: 'driver', polynomial: [0, 2] },
      { type: 'tendon-coupling', tendon: 'lift', of: 'turn', polynomial: [0, 0.3] },
      { type: 'motion', joint: 'shake', amplitude: 0.1, frequency: 1.5 },
      { type: 'motion', body: 'carried', direction: [1, 0, 0], amplitude: 0.2, frequency: 1 },
      { type: 'motion', body: 'carried', direction: [0, 1, 0] },
      { type: 'motion', body: 'carried', direction: [0, 0, 1], rise: { size: 0.5, duration: 1 } },
      { type: 'motion', body: 'carried', axis: [0, 0, 1], amplitude: 0.5, frequency: 0.7 },
    ],
  })
}
