/** Bodies that deform in the space of points: against sums over the points themselves, and the residual against its energy. */
import { describe, expect, it } from 'vitest'
import { deformingTree } from '../../../../test/conformance/deforming-tree.js'
import { createRandom } from '../../../../test/random.js'
import { buildModel } from '../../../build/build-model.js'
import { integrate, jointTypes } from '../../../joints/index.js'
import { createData } from '../../../model/data.js'
import { updatePoses } from '../../../tree/kinematics.js'
import { INERTIAL, POTENTIAL } from './part.kernel.js'
import { createPointSystem, evaluate } from './point-system.js'
import { createShapeMomentum, E, keepMomentum } from './shape-momentum.js'
import { extrapolateShapes, type ShapeMotion, startShapes } from './shape-motion.js'

/** central differences of energies of order 1e3, 1/h² times what bodies weigh */
const STEP = 1e-5
const DIFFERENCES = 1e-6

/** what a search leaves that ends with a round of 1e-9 */
const LEFT = 1e-10

const H = 0.05

describe.each([1, 2, 3, 4, 5, 6])('a step of a random tree with bodies that deform, seed %i', (seed) => {
  it('has the gradient of its energy for a residual', () => {
    // armature on a free joint turns with its body, and is no part of this energy
    const { model, state, random } = deformingTree(seed, 5, { types: jointTypes.filter(({ absolute }) => !absolute) })
    const p = createPointSystem(model)
    const { system, trial } = p
    const { data: d } = system
    const shapes = p.shapes as ShapeMotion
    const rates = d.wrenches
    system.step[0] = H
    p.q0.set(state.q)
    p.v0.set(random.array(model.nv, 1))
    rates.set(random.array(6 * model.nbody, 1))
    shapes.held.set(random.array(model.modes.count, 3))
    updatePoses(model, d, p.q0)
    p.X0.set(d.X_WB)
    startShapes(shapes, d)
    system.kernels.extrapolate(p.free, d.poses, p.Y.byteOffset, p.X0.byteOffset, rates.byteOffset, system.step.byteOffset)
    extrapolateShapes(shapes, p.Y, p.X0, p.q0, rates, p.v0, system.step)

    const q = p.q0.slice()
    integrate(model, q, random.array(model.nv, 2), H)
    const at = (k: number, x: number): number => {
      const xi = new Float64Array(model.nv)
      xi[k] = x
      trial.q.set(q)
      integrate(model, trial.q, xi, 1)
      evaluate(p)
      return p.E[INERTIAL] + p.E[POTENTIAL]
    }
    at(0, 0)
    const residual = Array.from(system.b, (b, k) => -(b + model.armature[k] * (trial.v[k] - p.v0[k])) / H)
    // the forces that held modes are taken back beside the energy
    model.modes.iv.forEach((k, l) => {
      residual[k] -= shapes.held[l]
    })
    const size = Math.max(...residual.map(Math.abs))
    for (let k = 0; k < model.nv; k++) {
      const slope = (at(k, STEP) - at(k, -STEP)) / (2 * STEP)
      expect(Math.abs(residual[k] - slope)).toBeLessThan(DIFFERENCES * size)
    }
  })
})

describe('a body of points', () => {
  const random = createRandom(4)
  const points = Array.from({ length: 7 }, () => ({ mass: random.between(0.1, 0.4), position: random.vec3(0.5) }))
  const shapes = Array.from({ length: 3 }, () => points.map(() => random.vec3(0.4)))
  const model = buildModel({
    bodies: [
      {
        name: 'cloud',
        inertia: { mass: 0 },
        joints: [{ type: 'free' }],
        deformation: { points, modes: shapes.map((shape) => ({ shape, stiffness: 1 })) },
      },
    ],
  })

  /** where points are from their centre of mass */
  function centred(q: ArrayLike<number>): number[][] {
    const x = points.map(({ position }, k) => position.map((c, r) => shapes.reduce((sum, shape, l) => sum + shape[k][r] * q[7 + l], c)))
    const mass = points.reduce((sum, point) => sum + point.mass, 0)
    const c = [0, 1, 2].map((r) => points.reduce((sum, point, k) => sum + (point.mass * x[k][r]) / mass, 0))
    return x.map((point) => point.map((value, r) => value - c[r]))
  }
  const turned = (R: ArrayLike<number>, x: readonly number[]): number[] =>
    [0, 1, 2].map((r) => R[3 * r] * x[0] + R[3 * r + 1] * x[1] + R[3 * r + 2] * x[2])
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k], 0)
  const cross = (a: readonly number[], b: readonly number[]): number[] => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ]

  it.each([0.02, 0.2])('keeps the momentum of its turn and of its modes, by %d rad in a step', (angle) => {
    const d = createData(model)
    const q0 = model.q0.slice()
    q0.set([0.1, -0.05, 0.08], 7)
    updatePoses(model, d, q0)
    const s = createShapeMomentum(model, d)
    s.G0.set(d.G)
    for (let k = 0; k < 10; k++) s.I0[k] = model.inertia[10 + k] + d.dI[k]
    s.held.set([0.5, -1, 0.3])
    const h = 0.01
    const rates = new Float64Array(12)
    const axis = [0.6, -0.48, 0.64]
    rates.set(
      axis.map((x) => (x * angle) / h),
      6,
    )
    const v0 = new Float64Array(model.nv)
    v0.set([0.4, -0.7, 0.5], 6)
    keepMomentum(s, 0, q0, v0, rates, Float64Array.of(h))

    const [before, now, after] = [q0.map((x, k) => (k < 7 ? x : x - h * v0[k - 1])), q0, s.q].map(centred)
    // the turn back by Rodrigues' formula
    const back = (x: readonly number[]): number[] => {
      const [c, sine] = [Math.cos(angle), -Math.sin(angle)]
      const k = cross(axis, x)
      return x.map((value, r) => value * c + k[r] * sine + axis[r] * dot(axis, x) * (1 - c))
    }
    const sum = (each: (k: number) => number): number => points.reduce((total, { mass }, k) => total + mass * each(k), 0)
    for (let r = 0; r < 3; r++) {
      const moment = sum((k) => cross(now[k], turned(E, after[k]))[r] + cross(now[k], back(before[k]))[r])
      expect(Math.abs(moment)).toBeLessThan(LEFT)
    }
    shapes.forEach((shape, l) => {
      const change = sum((k) => dot(shape[k], turned(E, after[k])) - 2 * dot(shape[k], now[k]) + dot(shape[k], back(before[k])))
      expect(Math.abs(change - h * h * s.held[l])).toBeLessThan(LEFT)
    })
  })
})
