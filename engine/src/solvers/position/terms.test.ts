import { buildModel, type Force, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'
import { derivative, dot, moved, unitVector } from '../../../test/conformance/check.js'
import { randomSpec, randomState } from '../../../test/conformance/random-tree.js'
import { createRandom } from '../../../test/random.js'
import { takeNumbers } from '../../model/data.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { createStepProblem } from './energy/step-problem.js'
import { stepTerms, termsRoom } from './energy/step-terms.js'
import { createMinimizer, evaluate, minimizerRoom } from './euler/minimize.js'
import { addNewtonMatrix, gradientPass, SCALE } from './euler/newton-factor.js'

const random = createRandom(5)
const plain = randomSpec({ seed: 5, bodies: 5, sequences: false, floating: true }, random)
const tip = {
  name: 'tip',
  parent: 'b2',
  position: [0.1, 0.2, 0.3],
  inertia: { mass: 1, com: [0.1, 0, 0.2], tensor: [0.1, 0.1, 0.1, 0, 0, 0] },
  joints: [{ name: 'hinge', type: 'revolute', axis: [0, 1, 0] }],
} as const

// the armature that the generator adds would not be exact on joints without plain coordinates
const bare = plain.bodies.map((body) => ({ ...body, joints: (body.joints ?? []).map((joint) => ({ ...joint, armature: 0 })) }))
const withTip: Spec = { ...plain, bodies: [...bare, tip] }
const everyBody = (extra: object): Spec => ({ ...withTip, bodies: withTip.bodies.map((body) => ({ ...body, ...extra })) })
/** Every joint but the free one, whose armature has a part that is no gradient. */
const everyJoint = (extra: object): Spec => ({
  ...withTip,
  bodies: withTip.bodies.map((body) => ({
    ...body,
    joints: (body.joints ?? []).map((joint) => (joint.type === 'free' ? joint : { ...joint, ...extra })),
  })),
})
const energyOfUser: Force = {
  name: 'user',
  apply(m, d) {
    // of ½ Σ |p|² over the bodies
    for (let i = 1; i < m.nbody; i++) {
      const x = 12 * i
      for (let c = 0; c < 3; c++) {
        let sum = 0
        for (let r = 0; r < 3; r++) sum -= d.X_WB[x + 3 * r + c] * d.X_WB[x + 9 + r]
        d.f[6 * i + 3 + c] += sum
      }
    }
  },
  energy(m, d) {
    let sum = 0
    for (let i = 1; i < m.nbody; i++) for (let r = 0; r < 3; r++) sum += 0.5 * d.X_WB[12 * i + 9 + r] ** 2
    return sum
  },
}

interface Case {
  readonly name: string
  readonly model: Model
  readonly forces?: readonly Force[]
  /** its second derivative is in the tree's matrices */
  readonly exact: boolean
}

const cases: Case[] = [
  { name: 'weight', model: buildModel(withTip), exact: true },
  { name: 'carried weight', model: buildModel(everyBody({ gravityCompensation: 0.4 })), exact: true },
  { name: 'joint springs', model: buildModel(everyJoint({ stiffness: 7 })), exact: false },
  { name: 'joint dampers', model: buildModel(everyJoint({ damping: 3 })), exact: false },
  { name: 'armature', model: buildModel(everyJoint({ armature: 0.5 })), exact: false },
  { name: 'body damping', model: buildModel(everyBody({ damping: { angular: 2, linear: 3 } })), exact: true },
  { name: 'drag along axes', model: buildModel({ ...everyBody({ drag: [1, 5, 8] }), medium: { wind: [1, 2, 3] } }), exact: true },
  { name: 'medium', model: buildModel({ ...withTip, medium: { density: 20, viscosity: 0.5, wind: [1, 0, 2] } }), exact: true },
  {
    name: 'spring to the world',
    model: buildModel({
      ...withTip,
      springs: [{ a: { body: 'world', point: [1, 0, 0] }, b: { body: 'tip', point: [0, 0.2, 0] }, stiffness: 30, damping: 4, rest: 0.2 }],
    }),
    exact: true,
  },
  {
    name: 'spring between bodies',
    model: buildModel({ ...withTip, springs: [{ a: { body: 'b1' }, b: { body: 'tip' }, stiffness: 30, damping: 4, rest: 0.1 }] }),
    exact: false,
  },
  {
    name: 'tendon',
    model: buildModel({
      ...withTip,
      tendons: [{ path: [{ body: 'world' }, { body: 'b1' }, { body: 'tip' }], stiffness: 9, damping: 2, rest: 0.1 }],
    }),
    exact: false,
  },
  { name: 'load', model: buildModel({ ...withTip, loads: [{ body: 'tip', point: [0.1, 0.2, 0], force: [3, 2, 1] }] }), exact: true },
  {
    name: 'motor',
    model: buildModel({ ...withTip, actuators: [{ joint: 'hinge', gear: [2], gain: [5, 0, 0], bias: [0.3, -4, -2] }] }),
    exact: true,
  },
  {
    name: 'contact',
    model: buildModel({
      ...withTip,
      bodies: withTip.bodies.map((body) => ({ ...body, geoms: [{ shape: 'sphere', radius: 0.1, position: [0.1, 0.2, 0] }] })),
      world: { geoms: [{ shape: 'plane', position: [0, 0, 5] }] },
      contact: { stiffness: 40, friction: 0.7, slip: 0.5 },
    } as Spec),
    exact: true,
  },
  { name: 'energy of the user', model: buildModel(withTip), forces: [energyOfUser], exact: false },
]

const h = 0.1

function setUp({ model, forces = [] }: Case) {
  const draw = createRandom(9)
  const state = randomState(model, draw)
  state.tau.fill(0)
  const p = createStepProblem(model, forces, minimizerRoom(model) + termsRoom(model) + 2 * model.nv ** 2)
  const v0 = state.v.slice()
  const terms = stepTerms(p, v0)
  const z = createMinimizer(p, terms, 'newton')
  p.h[0] = h
  p.q0.set(state.q)
  if (model.nu > 0) p.trial.control = new Float64Array(model.nu).fill(0.3)
  forwardKinematics(model, p.d, state.q, state.v)
  p.X0.set(p.d.X_WB)
  z.Y.set(p.X0)
  for (const term of terms) term.begin?.(p)
  const q = moved(model, state.q, draw.array(model.nv, 1), 0.15)
  const value = (x: Float64Array): number => {
    p.trial.q.set(x)
    evaluate(z)
    return p.E[0] + p.E[1]
  }
  const gradient = (x: Float64Array): Float64Array => {
    value(x)
    const g = new Float64Array(model.nv)
    gradientPass(model, p.d, z.work, p.W, p.joint, g)
    return g
  }
  return { p, z, q, value, gradient }
}

describe.each(cases)('$name', (given) => {
  const { model, exact } = given
  it('has the gradient of its energy', () => {
    const { q, value, gradient } = setUp(given)
    const g = gradient(q)
    const scale = Math.max(...g.map(Math.abs))
    for (let k = 0; k < model.nv; k++) {
      const [fd] = derivative((s) => [value(moved(model, q, unitVector(model.nv, k), s))], 1e-3)
      expect(Math.abs(fd - g[k]) / scale).toBeLessThan(1e-7)
    }
  })

  it('has the second derivative of its energy', () => {
    const { p, z, q, value, gradient } = setUp(given)
    const n = model.nv
    const g = gradient(q)
    z.work.scale[SCALE] = 1 / (h * h)
    const H = takeNumbers(p.d, n * n)
    addNewtonMatrix(p.d, z.work, p.W, p.bodies, p.joints, z.factor, H, 0, n)
    const scale = Math.max(...H.map(Math.abs))
    const draw = createRandom(3)
    // what does not fit the tree enters Newton's steps by products
    expect(z.krylov === undefined).toBe(exact)
    z.q.set(q)
    z.grad.set(g)
    for (let trial = 0; trial < 6; trial++) {
      const x = draw.array(n, 1)
      const f = (s: number): number => value(moved(model, q, x, s * 1e-3))
      const second = (-f(2) + 16 * f(1) - 30 * f(0) + 16 * f(-1) - f(-2)) / (12 * 1e-6)
      const Hx = Float64Array.from({ length: n }, (_, r) => dot(H.subarray(r * n, (r + 1) * n), x))
      z.krylov?.operator.apply(Hx, x)
      expect(Math.abs(second - dot(x, Hx)) / (scale * dot(x, x))).toBeLessThan(1e-7)
    }
  })
})
