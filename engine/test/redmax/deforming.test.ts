/**
 * Bodies that deform in implicit steps: they converge to what the explicit solver finds, loops through them stay shut, they rest on the ground,
 * and steps are what steps of rigid bodies are: the same bits again, from a snapshot too, and nothing where one cannot be made.
 */
import type { Force, Simulation, Spec, State } from 'limber'
import {
  buildModel,
  createData,
  createSimulation,
  createState,
  energy,
  forwardKinematics,
  inverseDynamics,
  jacobianTransposeProduct,
  massMatrix,
  momentum,
  solvers,
} from 'limber'
import { describe, expect, it } from 'vitest'
import { createResidual, type Residual } from '../../src/constraints/rows/residual.js'
import { completeOptions } from '../../src/solvers/options.js'
import { createLinear } from '../../src/solvers/redmax/matrix/auto.js'
import { applySystem, assemble, createSystem } from '../../src/solvers/redmax/matrix/system.js'
import { deformingTree } from '../conformance/deforming-tree.js'
import { beam, branches, domains, foot, hungRod, portal, tripod } from './beams.js'

const schemes = ['linear', 'auto', 'newton', 'second-order'] as const
type Scheme = (typeof schemes)[number]

function start(spec: Spec, scheme: Scheme, timestep: number, options: Record<string, string | number> = {}): Simulation {
  return createSimulation(buildModel(spec), { solver: 'redmax', scheme, timestep, ...options })
}

/** where the tip bodies are, and how fast: 3 + 6 numbers each */
function tips({ model, state }: Simulation, names: readonly string[]): number[] {
  const d = createData(model)
  forwardKinematics(model, d, state.q, state.v)
  return names.flatMap((name) => {
    const i = model.bodies.findIndex((body) => body.name === name)
    return [...d.X_WB.subarray(12 * i + 9, 12 * i + 12), ...d.V.subarray(6 * i, 6 * i + 6)]
  })
}

const distance = (a: readonly number[], b: readonly number[]): number => Math.hypot(...a.map((x, k) => x - b[k]))

describe.each(schemes)('scheme %s', (scheme) => {
  const T = 0.2
  const order = solvers.redmax.order({ scheme })

  /** log2 of how much the error falls with half the step */
  function fall(spec: Spec, names: readonly string[], reference: readonly number[]): number {
    const error = (n: number): number => {
      const simulation = start(spec, scheme, T / n, { tolerance: 1e-9 })
      expect(simulation.step(n).status).toBe('ok')
      return distance(tips(simulation, names), reference)
    }
    const [coarse, fine] = [error(200), error(400)]
    expect(fine).toBeLessThan(0.05 * Math.hypot(...reference))
    return Math.log2(coarse / fine)
  }

  function explicit(spec: Spec, names: readonly string[]): number[] {
    const simulation = createSimulation(buildModel(spec), { solver: 'ode', method: 'rk4', timestep: T / 2000 })
    expect(simulation.step(2000).status).toBe('ok')
    return tips(simulation, names)
  }

  it('converges to rk4 with its order: branches that bend, with a spring between them', () => {
    const names = ['left', 'a', 'b']
    const found = fall(branches(), names, explicit(branches(), names))
    expect(found).toBeGreaterThan(order - 0.15)
    expect(found).toBeLessThan(order + 0.3)
  })

  it('converges to rk4 with its order: a rod that a closure hangs on a beam', () => {
    const names = ['rod', 'hook']
    const found = fall(hungRod(true), names, explicit(hungRod(false), names))
    expect(found).toBeGreaterThan(order - 0.15)
    expect(found).toBeLessThan(order + 0.3)
  })

  it('converges to gear with its order: domains with an elastic energy of degree four, and a spring between them', () => {
    const names = ['upper', 'a', 'b']
    const spec = domains()
    const reference = createSimulation(buildModel(spec), { solver: 'ode', method: 'gear', rtol: 1e-9, atol: 1e-11, timestep: T })
    expect(reference.step().status).toBe('ok')
    const found = fall(spec, names, tips(reference, names))
    expect(found).toBeGreaterThan(order - 0.15)
    expect(found).toBeLessThan(order + 0.3)
  })

  it('keeps a loop through two beams shut', () => {
    const simulation = start(portal(), scheme, 0.01)
    const { model, state } = simulation
    const residual = createResidual(model) as Residual
    const d = createData(model)
    let open = 0
    let bent = 0
    for (let k = 0; k < 100; k++) {
      expect(simulation.step().message ?? '').toBe('')
      forwardKinematics(model, d, state.q, state.v)
      open = Math.max(open, residual(d, state))
      bent = Math.max(bent, Math.abs(state.q[model.modes.iq[2]]))
    }
    expect(bent).toBeGreaterThan(1e-3)
    // gaps of scheme linear close at a rate, those of the others in every step
    expect(open).toBeLessThan(scheme === 'linear' ? 1e-2 : 1e-9)
  })

  it.each([['pcg'], ['auto']])('gives the same bits again, and from a snapshot, linear=%s', (linear) => {
    for (const spec of [branches(), portal(), tripod(60)]) {
      const bits = ({ state: { t, q, v, s } }: Simulation): number[] => [t, ...q, ...v, ...s]
      const one = start(spec, scheme, 0.01, { linear })
      one.step(15)
      const bytes = one.snapshot()
      one.step(15)
      const two = start(spec, scheme, 0.01, { linear })
      two.step(30)
      expect(bits(two)).toEqual(bits(one))
      const fresh = start(spec, scheme, 0.01, { linear })
      fresh.restore(bytes)
      fresh.step(15)
      expect(bits(fresh)).toEqual(bits(one))
    }
  })

  it('leaves the state alone where a force on modes is no number, and names them', () => {
    const model = buildModel(branches())
    const k = model.modes.iv[2]
    const breaks: Force = {
      name: 'breaks',
      apply(_m, d, { t }) {
        if (t > 0.035) d.qf[k] = Number.NaN
      },
    }
    const stepper = solvers.redmax.create(model, completeOptions(solvers.redmax, { scheme }), [breaks])
    const state = createState(model)
    stepper.init(state)
    const bits = ({ t, q, v, s }: State): number[] => [t, ...q, ...v, ...s]
    let before: number[] = []
    let report = stepper.report
    for (let n = 0; n < 10 && report.status === 'ok'; n++) {
      before = bits(state)
      report = stepper.step(state, 0.01)
    }
    expect(report.status).toBe('diverged')
    expect(model.joints[report.joint].name).toBe('left.modes')
    expect(bits(state)).toEqual(before)
    expect(state.t).toBeGreaterThan(0.025)
    expect(state.t).toBeLessThan(0.045)
  })
})

describe('the matrix of a step', () => {
  it.each([1, 2, 3, 4])('is the mass matrix with stiffness and damping at modes, and pcg solves it, seed %i', (seed) => {
    const { model, state, random } = deformingTree(seed, 7)
    const { nv, modes } = model
    const stiff = random.array(modes.block[modes.bodies.length], 1)
    const shapes: Force = {
      name: 'shapes',
      jointsOnly: true,
      apply() {},
      linearize(_m, _d, _s, terms) {
        // symmetric, with a diagonal that makes them positive
        for (let n = 0; n < modes.bodies.length; n++) {
          const r = modes.start[n + 1] - modes.start[n]
          for (let l = 0; l < r; l++) {
            for (let p = 0; p < r; p++) {
              const x = 0.5 * (stiff[modes.block[n] + l * r + p] + stiff[modes.block[n] + p * r + l]) + (l === p ? 10 : 0)
              terms.modeStiffness[modes.block[n] + l * r + p] += x
              terms.modeDamping[modes.block[n] + l * r + p] += 0.1 * x
            }
          }
        }
      },
    }
    const s = createSystem(model, [shapes])
    const h = 0.1
    s.step[0] = h
    assemble(s, state)
    const M = new Float64Array(nv * nv)
    massMatrix(model, createData(model), state, M)
    for (let k = 0; k < nv; k++) M[k * nv + k] += h * s.terms.jointDamping[k] + h * h * s.terms.jointStiffness[k]
    for (let n = 0; n < modes.bodies.length; n++) {
      const r = modes.start[n + 1] - modes.start[n]
      const k = modes.iv[modes.start[n]]
      for (let l = 0; l < r; l++) {
        for (let p = 0; p < r; p++) {
          const e = modes.block[n] + l * r + p
          M[(k + l) * nv + k + p] += h * s.terms.modeDamping[e] + h * h * s.terms.modeStiffness[e]
        }
      }
    }
    const x = random.array(nv, 1)
    const product = new Float64Array(nv)
    applySystem(s, product, x)
    const dense = Array.from(x, (_, r) => x.reduce((sum, value, c) => sum + M[r * nv + c] * value, 0))
    const size = Math.max(...dense.map(Math.abs))
    for (let k = 0; k < nv; k++) expect(Math.abs(product[k] - dense[k])).toBeLessThan(1e-11 * size)
    for (const name of ['recursive', 'pcg', 'auto']) {
      const linear = createLinear(s, name, 1e-12)
      const solved = new Float64Array(nv)
      expect(linear.prepare() && linear.solve(solved, product)).toBe(true)
      for (let k = 0; k < nv; k++) expect(solved[k]).toBeCloseTo(x[k], 8)
    }
  })

  it('is solved by the recursion, or by iteration where a spring joins branches; the factorisation refuses', () => {
    const used = (spec: Spec): string => {
      const model = buildModel(spec)
      const s = createSystem(model)
      s.step[0] = 0.01
      assemble(s, createState(model))
      const linear = createLinear(s, 'auto', 1e-6)
      expect(linear.prepare()).toBe(true)
      return linear.name
    }
    expect(used({ ...branches(), springs: [] })).toBe('recursive')
    expect(used(branches())).toBe('pcg')
    expect(() => start(branches(), 'auto', 0.01, { linear: 'direct' })).toThrow(/'trunk'.*use linear=auto, recursive or pcg/)
    const refused = start(branches(), 'auto', 0.01, { linear: 'recursive' })
    expect(refused.step().message).toMatch(/use linear=pcg or auto/)
  })
})

describe('free motion', () => {
  /** A beam in free flight that spins, without weight: what is left of energy and angular momentum in 2 s. */
  function flight(scheme: Scheme, stiffness: number, h: number) {
    const flying = beam('beam', { joints: [{ type: 'free' }], stiffness, damping: 0 })
    const simulation = start({ gravity: [0, 0, 0], bodies: [flying] }, scheme, h)
    const { model, state } = simulation
    const d = createData(model)
    const turning = (): number => {
      const out = new Float64Array(6)
      forwardKinematics(model, d, state.q, state.v)
      momentum(model, d, out)
      return Math.hypot(out[0], out[1], out[2])
    }
    const total = (): number => {
      const { kinetic, potential } = energy(model, d, state)
      return kinetic + potential
    }
    // about its centre of mass, which rests
    const c = (0.2 * 0.1 + 0.9 * 0.625) / (0.2 + 0.9)
    simulation.reset({ v: Float64Array.from({ length: model.nv }, (_, k) => [0.3, 0.4, 6, 0, -6 * c, 0.4 * c][k] ?? 0) })
    const before = { energy: total(), turning: turning() }
    expect(simulation.advance(2).status).toBe('ok')
    return { energy: total() / before.energy, turning: turning() / before.turning }
  }

  it.each([0.002, 0.01])('a stiff beam spins on, h = %d', (h) => {
    const { energy: left, turning } = flight('auto', 1e4, h)
    expect(Math.abs(left - 1)).toBeLessThan(5e-3)
    // the velocity that is shown is that of the chord, as of a rigid body
    expect(Math.abs(turning - 1)).toBeLessThan(8 * h)
  })

  it('keeps energy and angular momentum to second order with scheme second-order', () => {
    const [coarse, fine] = [0.01, 0.005].map((h) => flight('second-order', 50, h))
    expect(Math.abs(fine.energy - 1)).toBeLessThan(2e-3)
    expect(Math.abs(coarse.turning - 1) / Math.abs(fine.turning - 1)).toBeGreaterThan(3)
    expect(Math.abs(fine.turning - 1)).toBeLessThan(2e-3)
  })
})

describe('contact and limits', () => {
  it.each(['linear', 'auto', 'second-order'] as const)('a tripod of beams rests on the ground, scheme %s', (scheme) => {
    const simulation = start(tripod(60), scheme, 0.01)
    const { model, state } = simulation
    for (let k = 0; k < 800; k++) expect(simulation.step().message ?? '').toBe('')
    const mass = 1 + 3 * (0.2 + 0.9 + 0.3)
    expect(Math.max(...state.v.map(Math.abs))).toBeLessThan(1e-3)
    const force = simulation.contacts().reduce((sum, { force: [, , z] }) => sum + Math.abs(z), 0)
    expect(Math.abs(force / (9.81 * mass) - 1)).toBeLessThan(1e-3)
    expect(Math.max(...simulation.contacts().map(({ gap }) => -gap))).toBeLessThan(1e-4)
    // every leg bends under a third of what it carries: the same, and upwards at the tip
    const bent = Array.from({ length: 3 }, (_, n) => state.q[model.modes.iq[model.modes.start[n]]])
    for (const eta of bent) expect(Math.abs(eta / bent[0] - 1)).toBeLessThan(1e-2)
    expect(bent[0]).toBeGreaterThan(0.02)
  })

  it('stiffness and deflection of a leg at rest are what the forces on its mode ask for', () => {
    const simulation = start(tripod(600), 'auto', 0.01)
    for (let k = 0; k < 600; k++) simulation.step()
    const { model, state } = simulation
    // inverse dynamics at rest: what holds each velocity beside the model's own forces are the contacts
    const d = createData(model)
    forwardKinematics(model, d, state.q, state.v)
    const pull = new Float64Array(model.nv)
    const F = new Float64Array(6 * model.nbody)
    for (const { bodyA, bodyB, point, force } of simulation.contacts()) {
      const [i, sign] = bodyA === 0 ? [bodyB, 1] : [bodyA, -1]
      const X = d.X_WB.subarray(12 * i, 12 * i + 12)
      const arm = point.map((x, r) => x - X[9 + r])
      const wrench = [
        arm[1] * force[2] - arm[2] * force[1],
        arm[2] * force[0] - arm[0] * force[2],
        arm[0] * force[1] - arm[1] * force[0],
        ...force,
      ].map((x) => sign * x)
      for (let b = 0; b < 2; b++) {
        for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) F[6 * i + 3 * b + c] += X[3 * r + c] * wrench[3 * b + r]
      }
    }
    jacobianTransposeProduct(model, d, pull, F)
    inverseDynamics(model, d, state, new Float64Array(model.nv))
    for (let k = 0; k < model.nv; k++) expect(Math.abs(d.tau[k] - pull[k])).toBeLessThan(0.02)
  })

  it('a joint on the tip of a beam stops at its limit, and dry friction holds it', () => {
    const swinging = (joint: object): Spec => ({
      bodies: [
        beam('arm', { stiffness: 300, damping: 2 }),
        foot('rod', 'arm', [{ type: 'revolute', axis: [0, 1, 0], damping: 0.02, ...joint }]),
      ],
    })
    const limited = start(swinging({ limits: [-0.3, 0.2] }), 'auto', 0.005)
    for (let k = 0; k < 400; k++) {
      expect(limited.step().message ?? '').toBe('')
      expect(limited.state.q[2]).toBeLessThan(0.2 + 1e-4)
    }
    expect(limited.state.q[2]).toBeCloseTo(0.2, 3)
    const stuck = start(swinging({ friction: 1 }), 'auto', 0.005)
    stuck.advance(2)
    expect(Math.abs(stuck.state.q[2])).toBeLessThan(1e-3)
    expect(Math.abs(stuck.state.q[0])).toBeGreaterThan(1e-3)
  })
})
