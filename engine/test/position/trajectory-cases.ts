/** Models for position trajectories: every joint, every force that they have, and states to start from. */
import { buildModel, jointTypes, type Model, type Spec } from 'limber'
import { randomSpec, randomState } from '../conformance/random-tree.js'
import { createRandom } from '../random.js'

/** The armature of free joints has a force of its own, which batches leave out. */
const free = (spec: Spec): Spec => ({
  ...spec,
  bodies: spec.bodies.map((body) => ({
    ...body,
    joints: (body.joints ?? []).map((joint) => (joint.type === 'free' ? { ...joint, armature: 0 } : joint)),
  })),
})
const tree = free(randomSpec({ seed: 7, bodies: 6, floating: true }, createRandom(7)))
const grounded = free(randomSpec({ seed: 12, bodies: 7, types: jointTypes.filter((type) => !type.absolute) }, createRandom(12)))
const everyBody = (spec: Spec, extra: object): Spec => ({ ...spec, bodies: spec.bodies.map((body) => ({ ...body, ...extra })) })
const everyJoint = (spec: Spec, extra: object): Spec => ({
  ...spec,
  bodies: spec.bodies.map((body) => ({ ...body, joints: (body.joints ?? []).map((joint) => ({ ...joint, ...extra })) })),
})

const hinges = (links: number, joint: object): Spec => ({
  gravity: [0, 0, -9.81],
  bodies: Array.from({ length: links }, (_, k) => ({
    name: `l${k}`,
    parent: k === 0 ? 'world' : `l${k - 1}`,
    position: k === 0 ? [0, 0, 1] : [0, 0, -0.3],
    inertia: { mass: 1, com: [0, 0, -0.15], tensor: [0.01, 0.01, 0.002, 0, 0, 0] },
    joints: [{ name: `j${k}`, type: 'revolute', axis: k % 2 === 0 ? [0, 1, 0] : [1, 0, 0], initial: 0.5, ...joint }],
  })),
})

/** Steps are those of `h`; tolerance of the comparison in f64 where the matrix is not exact, so that searches end elsewhere below their own. */
export interface TrajectoryCase {
  readonly name: string
  readonly spec: Spec
  readonly h: number
}

const oneType = (name: string): TrajectoryCase => ({
  name: `${name} joints`,
  spec: free(randomSpec({ seed: 3, bodies: 4, types: jointTypes.filter((type) => type.name === name) }, createRandom(3))),
  h: 0.02,
})

export const trajectoryCases: readonly TrajectoryCase[] = [
  { name: 'hinges in a chain', spec: hinges(6, {}), h: 0.05 },
  ...jointTypes.filter(({ nv }) => nv > 0).map(({ name }) => oneType(name)),
  { name: 'a tree that floats', spec: tree, h: 0.02 },
  { name: 'a tree with all joints', spec: grounded, h: 0.02 },
  { name: 'joint springs, dampers, armature', spec: everyJoint(hinges(5, {}), { stiffness: 7, damping: 0.2, armature: 0.1 }), h: 0.05 },
  { name: 'the same of all joints', spec: everyJoint(grounded, { stiffness: 7, damping: 0.2, armature: 0.1 }), h: 0.02 },
  { name: 'gravity compensation', spec: everyBody(hinges(4, {}), { gravityCompensation: 0.7 }), h: 0.05 },
  {
    name: 'springs and loads',
    spec: {
      ...hinges(5, {}),
      springs: [{ a: { body: 'world', point: [0.5, 0, 0] }, b: { body: 'l3' }, stiffness: 30, damping: 4, rest: 0.2 }],
      loads: [{ body: 'l2', point: [0.1, 0.2, 0], force: [3, 2, 1] }],
    },
    h: 0.05,
  },
  {
    name: 'springs between bodies',
    spec: {
      ...hinges(5, {}),
      springs: [{ a: { body: 'l0' }, b: { body: 'l3', point: [0, 0.1, 0.2] }, stiffness: 20, damping: 1, rest: 0.1 }],
    },
    h: 0.05,
  },
  {
    name: 'drag',
    spec: { ...everyBody(tree, { drag: [1, 5, 8], damping: { angular: 0.1, linear: 0.2 } }), medium: { wind: [1, 2, 3] } },
    h: 0.02,
  },
  {
    name: 'motors with limits',
    spec: {
      ...hinges(4, { damping: 0.1 }),
      actuators: [
        { joint: 'j0', gain: [20, 0, 0], bias: [0, -20, -1], forceRange: [-2, 2] },
        { joint: 'j1', gain: [3, 0, 0], gear: [2, 0, 0, 0, 0, 0] },
        { joint: 'j2', gain: [5, 0, 0], bias: [0, -5, 0] },
      ],
    },
    h: 0.05,
  },
  {
    name: 'contact with friction',
    spec: {
      ...everyBody(hinges(4, {}), { geoms: [{ shape: 'sphere', radius: 0.1, position: [0, 0, -0.3] }] }),
      world: {
        geoms: [
          { shape: 'plane', position: [0, 0, 0.1] },
          { shape: 'box', size: [0.2, 0.2, 0.2], position: [0.5, 0, 0.3] },
          { shape: 'sphere', radius: 0.2, position: [-0.4, 0, 0.4] },
        ],
      },
      contact: { stiffness: 400, friction: 0.7, slip: 0.05 },
    },
    h: 0.01,
  },
]

/** q and v of `count` trajectories, row by row, in reach of the model's start. */
export function startOf(model: Model, count: number, seed: number): Float64Array {
  const random = createRandom(seed)
  const rows = new Float64Array(count * (model.nq + model.nv))
  for (let e = 0; e < count; e++) {
    const { q, v } = randomState(model, random)
    rows.set(q, e * (model.nq + model.nv))
    rows.set(v, e * (model.nq + model.nv) + model.nq)
  }
  return rows
}

export const modelOf = ({ spec }: TrajectoryCase): Model => buildModel(spec)
