/** Mechanisms with one force each, and with every joint type: what derivatives of steps are tested on. */
import { type Force, jointTypes, type Spec } from 'limber'
import { randomSpec } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'

const plain = randomSpec({ seed: 12, bodies: 4, floating: true }, createRandom(12))
export const tip = {
  name: 'tip',
  parent: 'b2',
  inertia: { mass: 1, com: [0.1, 0, 0.2], tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
  joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0] }],
} as const
/** The armature of a free joint has a part that is no gradient. */
const still = (spec: Spec): Spec => ({
  ...spec,
  bodies: spec.bodies.map((body) => ({
    ...body,
    joints: (body.joints ?? []).map((joint) => (joint.type === 'free' ? { ...joint, armature: 0 } : joint)),
  })),
})
export const tree: Spec = still({ ...plain, bodies: [...plain.bodies, tip] })
const everyBody = (extra: object): Spec => ({ ...tree, bodies: tree.bodies.map((body) => ({ ...body, ...extra })) })
const everyJoint = (extra: object): Spec =>
  still({ ...tree, bodies: tree.bodies.map((body) => ({ ...body, joints: (body.joints ?? []).map((joint) => ({ ...joint, ...extra })) })) })
const pull: Force = {
  name: 'pull',
  apply(_m, d) {
    d.qf[0] -= 2
  },
}
const touching = {
  ...everyBody({ geoms: [{ shape: 'sphere', radius: 0.1, position: [0.1, 0.2, 0] }] }),
  world: { geoms: [{ shape: 'plane', position: [0, 0, 2] }] },
  contact: { stiffness: 40, friction: 0.7, slip: 0.5 },
} as Spec

export interface StepCase {
  readonly name: string
  readonly spec: Spec
  readonly forces?: readonly Force[]
  /** the O(n) way holds */
  readonly recursive: boolean
}

export const stepCases: StepCase[] = [
  ...jointTypes
    .filter((type) => type.nv > 0)
    .map((type) => ({
      name: `joints of type ${type.name}`,
      spec: still(randomSpec({ seed: 31, bodies: 3, types: [type], sequences: false }, createRandom(31))),
      recursive: true,
    })),
  { name: 'joints in sequence', spec: still(randomSpec({ seed: 7, bodies: 6, sequences: true }, createRandom(7))), recursive: true },
  { name: 'joint springs', spec: everyJoint({ stiffness: 7 }), recursive: true },
  { name: 'joint dampers', spec: everyJoint({ damping: 3 }), recursive: true },
  { name: 'armature', spec: everyJoint({ armature: 0.3 }), recursive: true },
  { name: 'drag', spec: { ...everyBody({ drag: [1, 5, 8] }), medium: { wind: [1, 2, 3] } }, recursive: true },
  { name: 'body damping', spec: everyBody({ damping: { angular: 2, linear: 3 } }), recursive: true },
  { name: 'a medium', spec: { ...tree, medium: { density: 20, viscosity: 0.5, wind: [1, 0, 2] } }, recursive: true },
  {
    name: 'springs between bodies',
    spec: { ...tree, springs: [{ a: { body: 'b1' }, b: { body: 'tip' }, stiffness: 30, damping: 4, rest: 0.1 }] },
    recursive: true,
  },
  { name: 'contact', spec: touching, recursive: true },
  {
    name: 'motors',
    spec: { ...tree, actuators: [{ joint: 'hinge', gear: [2], gain: [5, 1, 0.5], bias: [0.3, -4, -2] }] },
    recursive: true,
  },
  {
    name: 'a damped tendon',
    spec: { ...tree, tendons: [{ path: [{ body: 'world' }, { body: 'b1' }, { body: 'tip' }], stiffness: 9, damping: 2, rest: 0.1 }] },
    recursive: false,
  },
  { name: 'a force without energy', spec: tree, forces: [pull], recursive: false },
]
