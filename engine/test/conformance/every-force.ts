/** A random tree with every joint type that carries every force of a scene: for tests that ask something of all of them at once. */
import type { BodySpec, Spec } from 'limber'
import { createRandom } from '../random.js'
import { randomSpec } from './random-tree.js'

/** takes up the medium where the other bodies have the boxes of their inertias */
const fin = { shape: 'ellipsoid', radii: [0.1, 0.3, 0.05], position: [0.2, 0, 0], collide: false, fluid: [0.5, 0.25, 1.5, 1, 1] } as const

const inertia = { mass: 1, com: [0.1, 0, -0.2], tensor: [0.1, 0.1, 0.1, 0, 0, 0] } as const

/** `extra` is added to every body of the tree, of which there are at least seven; `armature` to the tendons. */
export function everyForce(bodies: number, extra: Partial<BodySpec> = {}, armature = 0): Spec {
  const plain = randomSpec({ seed: 11, bodies, sequences: true }, createRandom(11))
  const hinge = {
    name: 'hinge',
    parent: 'b2',
    inertia,
    joints: [{ name: 'h', type: 'revolute' as const }],
    sites: [{ name: 'tip' }],
    geoms: [fin],
  }
  return {
    ...plain,
    bodies: [
      ...plain.bodies.map((body) => ({
        ...body,
        ...extra,
        damping: { angular: 0.1, linear: 0.1 },
        gravityCompensation: 0.5,
        joints: (body.joints ?? []).map((joint) => ({ ...joint, stiffness: 5, damping: 0.5 })),
      })),
      hinge,
    ],
    medium: { density: 1, viscosity: 0.1, wind: [1, 0, 0] },
    springs: [{ a: { body: 'b1' }, b: { body: 'hinge' }, stiffness: 10, damping: 1, rest: 0.2 }],
    tendons: [
      {
        name: 'rope',
        path: [{ body: 'world' }, { body: 'b3' }, { pulley: 2 }, { body: 'b4' }, { body: 'hinge' }],
        stiffness: 5,
        damping: 1,
        armature,
      },
      { name: 'sum', joints: [{ joint: 'h', coefficient: 2 }], stiffness: 1, armature: 2 * armature },
    ],
    loads: [
      { body: 'b5', force: [0, 0, 1] },
      { body: 'b6', force: [0, 0, 1], torque: [0, 1, 0], frame: 'body' },
    ],
    actuators: [
      { joint: 'h', gain: [2, 0, 0], bias: [0, -2, -1] },
      { tendon: 'rope', name: 'pull' },
      { site: 'tip', name: 'push', gear: [1, 0, 0, 0, 0, 1] },
    ],
  }
}
