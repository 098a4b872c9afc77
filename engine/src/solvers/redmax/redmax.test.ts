/**
 * RedMax: the printed step of RP1, agreement of the linear solvers, orders, conservation, stiffness beyond explicit steps.
 */
import { type BodySpec, buildModel, createData, createSimulation, createState, energy, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const m = 10
const inertia = {
  mass: m,
  com: [0, -0.5, 0],
  tensor: [(m * 1.01) / 12, (m * 0.05) / 12, (m * 1.04) / 12, 0, 0, 0],
} satisfies BodySpec['inertia']

const rp1: Spec = {
  gravity: [0, -9.8, 0],
  bodies: [
    { name: 'b0', inertia, joints: [{ type: 'revolute', axis: [0, 0, 1] }] },
    { name: 'b1', parent: 'b0', position: [0, -1, 0], inertia, joints: [{ type: 'universal' }] },
    { name: 'b2', parent: 'b0', position: [0.1, -1, 0], inertia, joints: [{ type: 'revolute', axis: [1, 0, 0] }] },
  ],
  springs: [{ a: { body: 'b1', point: [0, -1, 0] }, b: { body: 'b2', point: [0, -1, 0] }, stiffness: 200, rest: 0.05 }],
}

/** A chain whose link i is tied to link n − 1 − i. */
function tiedChain(n: number, stiffness: number, extra: Partial<Spec> = {}): Spec {
  return {
    bodies: Array.from({ length: n }, (_, k) => ({
      name: `b${k}`,
      parent: k === 0 ? 'world' : `b${k - 1}`,
      position: [k === 0 ? 0 : 0.1, 0, 0] as const,
      inertia: { mass: 0.1, com: [0.05, 0, 0] as const, tensor: [1e-5, 1e-4, 1e-4, 0, 0, 0] as const },
      joints: [{ type: 'revolute', axis: [0, 1, k % 2] as const, damping: 0.01, initial: 0.3 }],
    })),
    springs: Array.from({ length: n >> 1 }, (_, k) => ({
      a: { body: `b${k}`, point: [0.05, 0, 0] as const },
      b: { body: `b${n - 1 - k}`, point: [0.05, 0, 0] as const },
      stiffness,
      damping: 1,
    })),
    ...extra,
  }
}

function run(spec: Spec, options: Record<string, unknown>, seconds: number) {
  const sim = createSimulation(buildModel(spec), { solver: 'redmax', ...options })
  const report = sim.advance(seconds)
  expect(report.message).toBe('')
  return sim
}

const difference = (a: Float64Array, b: Float64Array): number => Math.max(...a.map((x, k) => Math.abs(x - b[k])))

describe('redmax', () => {
  it.each(['pcg', 'direct'])('takes the printed step of RP1, %s', (linear) => {
    const model = buildModel(rp1)
    const sim = createSimulation(model, { solver: 'redmax', scheme: 'linear', linear, tolerance: 1e-12, timestep: 0.01 })
    const state = createState(model)
    state.q.set([0.3, 0.2, -0.4, 0.5])
    state.v.set([1, -0.5, 0.8, 0.3])
    sim.reset(state)
    sim.step()
    const printed = [0.978584324, -0.381344349, 0.808635624, 0.07139843]
    printed.forEach((x, k) => {
      expect(sim.state.v[k]).toBeCloseTo(x, 8)
    })
  })

  it.each(['linear', 'second-order'])('gives one answer with pcg, direct and auto, scheme %s', (scheme) => {
    const spec = tiedChain(12, 1e4)
    const tolerance = 1e-9
    const runs = ['pcg', 'direct', 'auto'].map((linear) => run(spec, { scheme, linear, tolerance, timestep: 0.01 }, 0.2).state)
    for (const other of runs.slice(1)) expect(difference(runs[0].q, other.q)).toBeLessThan(1e-6)
  })

  it('gives one answer with recursive, pcg and direct where springs go to the ground', () => {
    const spec = tiedChain(8, 0, {
      springs: [
        { a: { body: 'world', point: [0.3, 0, 0.5] }, b: { body: 'b5', point: [0.05, 0, 0] }, stiffness: 5, damping: 0.2, rest: 0.4 },
      ],
    })
    const runs = ['recursive', 'pcg', 'direct'].map((linear) =>
      run(spec, { scheme: 'linear', linear, tolerance: 1e-12, timestep: 0.002 }, 0.1),
    )
    for (const other of runs.slice(1)) expect(difference(runs[0].state.q, other.state.q)).toBeLessThan(1e-9)
    // one product: the preconditioner is the matrix
    expect(runs[1].report.iterations).toBe(runs[1].report.steps)
  })

  it('refuses the recursion by name where a spring joins two branches', () => {
    const sim = createSimulation(buildModel(tiedChain(4, 100)), { solver: 'redmax', scheme: 'linear', linear: 'recursive', timestep: 0.01 })
    const before = sim.state.q.slice()
    const report = sim.step()
    expect(report.status).not.toBe('ok')
    expect(report.message).toContain('recursive')
    expect(Array.from(sim.state.q)).toEqual(Array.from(before))
  })

  it.each([
    ['linear', 1],
    ['second-order', 2],
  ] as const)('scheme %s has order %i', (scheme, order) => {
    const spec = tiedChain(3, 50)
    const reference = createSimulation(buildModel(spec), { solver: 'ode', method: 'rk4', timestep: 1e-4 })
    reference.advance(0.4)
    const errors = [0.004, 0.002, 0.001].map((timestep) =>
      difference(run(spec, { scheme, timestep, linear: 'direct' }, 0.4).state.q, reference.state.q),
    )
    const found = Math.log2(errors[1] / errors[2])
    expect(found).toBeGreaterThan(order - 0.25)
    expect(found).toBeLessThan(order + 0.35)
  })

  it('keeps the second order on quaternion joints', () => {
    const spec: Spec = {
      bodies: [
        {
          name: 'top',
          inertia: { mass: 1, com: [0, 0, 0.3], tensor: [0.02, 0.03, 0.01, 0, 0, 0] },
          joints: [{ type: 'spherical', initial: [0.95, 0.3, 0.1, 0], stiffness: 1 }],
        },
      ],
    }
    const start = { v: Float64Array.of(0.3, -0.2, 6) }
    const model = buildModel(spec)
    const at = (solver: string, timestep: number, options: Record<string, unknown>): Float64Array => {
      const sim = createSimulation(model, { solver, timestep, ...options })
      sim.reset(start)
      sim.advance(0.4)
      return sim.state.q
    }
    const exact = at('ode', 1e-4, { method: 'rk4' })
    const errors = [0.004, 0.002].map((h) => difference(at('redmax', h, { scheme: 'second-order' }), exact))
    expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(1.75)
  })

  it('holds springs a hundred times stiffer than those that defeat the explicit solver', () => {
    const timestep = 0.01
    const explicit = createSimulation(buildModel(tiedChain(10, 1e4)), { solver: 'ode', method: 'rk4', timestep })
    const failed = explicit.advance(2)
    const model = buildModel(tiedChain(10, 1e6))
    const sim = createSimulation(model, { solver: 'redmax', scheme: 'linear', timestep })
    const data = createData(model)
    const e0 = energy(model, data, sim.state)
    sim.advance(2)
    const e1 = energy(model, data, sim.state)
    expect(failed.status === 'ok' && Math.max(...explicit.state.v.map(Math.abs)) < 1e3).toBe(false)
    expect(e1.kinetic + e1.potential).toBeLessThan(e0.kinetic + e0.potential + 1e-6)
  })

  it.each([
    [30, false],
    [20, true],
  ])('gains no energy on a coiled chain of %i links at h = 0.02, tied by stiff springs: %s', (n, tied) => {
    const { springs, ...rest } = tiedChain(n, 1e5)
    const spec: Spec = { ...rest, springs: tied ? (springs ?? []).map((spring) => ({ ...spring, damping: 10 })) : [] }
    const model = buildModel(spec)
    const data = createData(model)
    const sim = createSimulation(model, { solver: 'redmax', timestep: 0.02 })
    const total = (): number => {
      const { kinetic, potential } = energy(model, data, sim.state)
      return kinetic + potential
    }
    const start = total()
    let most = start
    for (let k = 0; k < 250; k++) {
      expect(sim.step().message).toBeFalsy()
      most = Math.max(most, total())
    }
    expect(most).toBeLessThan(start + 0.05 * Math.abs(start))
  })

  it('holds motors with a hundred times the gains at which the explicit solver fails', () => {
    const n = 6
    const link = { mass: 1, com: [0, 0, -0.15], tensor: [0.01, 0.01, 0.002, 0, 0, 0] } as const
    const arm = (kp: number) =>
      buildModel({
        bodies: Array.from({ length: n }, (_, k) => ({
          name: `b${k}`,
          parent: k === 0 ? 'world' : `b${k - 1}`,
          position: [0, 0, k === 0 ? 0 : -0.3] as const,
          inertia: link,
          joints: [{ name: `j${k}`, type: 'revolute', axis: [0, 1, 0] as const }],
        })),
        actuators: Array.from({ length: n }, (_, k) => ({ name: `m${k}`, joint: `j${k}`, gain: [kp, 0, 0], bias: [0, -kp, -kp / 20] })),
      })
    const holds = (kp: number, solver: Record<string, string>): boolean => {
      const sim = createSimulation(arm(kp), { ...solver, timestep: 0.01 })
      sim.reset({ control: new Float64Array(n).fill(0.3) })
      return sim.advance(5).status === 'ok' && sim.state.v.every((v) => Math.abs(v) < 1)
    }
    const explicit = { solver: 'ode', method: 'semi-implicit' }
    let kp = 2
    while (holds(kp, explicit)) kp *= 2
    for (const scheme of ['auto', 'newton', 'linear', 'second-order']) {
      expect(holds(100 * kp, { solver: 'redmax', scheme }), `${scheme}, gain ${100 * kp}`).toBe(true)
    }
  })

  it.each(['auto', 'newton'])('comes to rest at a joint limit with scheme %s', (scheme) => {
    const limited = buildModel({
      gravity: [0, -9.81, 0],
      bodies: [
        { name: 'arm', inertia: { ...inertia, com: [0.5, 0, 0] }, joints: [{ type: 'revolute', axis: [0, 0, 1], limits: [-1, 1] }] },
      ],
    })
    const sim = createSimulation(limited, { solver: 'redmax', scheme, timestep: 0.02 })
    expect(sim.step(300).status).toBe('ok')
    expect(sim.state.q[0]).toBeCloseTo(-1, 6)
    expect(sim.state.v[0]).toBeCloseTo(0, 6)
  })
})
