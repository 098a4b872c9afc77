/**
 * Position trajectories in batches against the solver `position`, one at a time: all joints and forces, both precisions, any number of threads; and
 * how long they wait for each other.
 */
import {
  type Batch,
  buildModel,
  type CallKind,
  callKinds,
  createBatch,
  createSimulation,
  type Model,
  recordBatch,
  type Spec,
  useKernels,
} from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { startThread } from 'limber/node'
import { findScene } from 'limber-scenes'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createRandom } from '../random.js'
import { modelOf, startOf, trajectoryCases } from './trajectory-cases.js'

afterEach(() => useKernels('wasm'))

const COUNT = 5
const STEPS = 8

async function batchOf(model: Model, rows: Float64Array, options: object): Promise<Batch> {
  const batch = await createBatch(model, { count: rows.length / (model.nq + model.nv), solver: 'position', ...options })
  batch.writeState(rows)
  batch.writeControl(new Float64Array(batch.count * model.nu).fill(0.3))
  return batch
}

const statesOf = (batch: Batch): Float64Array => batch.readState(new Float64Array(batch.count * (batch.model.nq + batch.model.nv)))

/** States after `steps` steps of simulations, each of which is one trajectory. */
function alone(model: Model, rows: Float64Array, timestep: number, steps: number): Float64Array {
  const { nq, nv } = model
  const out = new Float64Array(rows.length)
  const simulation = createSimulation(model, { solver: 'position', timestep, tolerance: 1e-11, iterations: 1000 })
  for (let e = 0; e < rows.length / (nq + nv); e++) {
    const row = rows.subarray(e * (nq + nv), (e + 1) * (nq + nv))
    simulation.reset()
    simulation.state.q.set(row.subarray(0, nq))
    simulation.state.v.set(row.subarray(nq))
    simulation.state.control.fill(0.3)
    expect(simulation.step(steps).status).toBe('ok')
    out.set(simulation.state.q, e * (nq + nv))
    out.set(simulation.state.v, e * (nq + nv) + nq)
  }
  return out
}

/** largest difference of coordinates and of velocities */
function compare(model: Model, a: Float64Array, b: Float64Array): { q: number; v: number } {
  const most = { q: 0, v: 0 }
  for (let k = 0; k < a.length; k++) {
    const which = k % (model.nq + model.nv) < model.nq ? 'q' : 'v'
    const difference = Math.abs(a[k] - b[k])
    most[which] = difference <= most[which] ? most[which] : difference
  }
  return most
}

describe.each(trajectoryCases.map((one) => [one.name, one] as const))('%s', (_, one) => {
  const model = modelOf(one)
  const rows = startOf(model, COUNT, 1)
  const exact = { timestep: one.h, tolerance: 1e-11, iterations: 1000 }

  it.each(['newton', 'lm'] as const)('moves as the solver does, by %s', async (optimizer) => {
    const batch = await batchOf(model, rows, { ...exact, optimizer })
    // a penalty is not the contact of shapes, which is said
    expect(batch.leftOut.filter((line) => !line.includes('but for the penalty'))).toEqual([])
    expect(batch.step(STEPS)).toBe(0)
    const found = compare(model, statesOf(batch), alone(model, rows, one.h, STEPS))
    // the last step of a search that converges linearly is a share of how far it is off
    expect(found.q).toBeLessThan(1e-9)
    expect(found.v).toBeLessThan(1e-7)
  })

  it('agrees in single precision', async () => {
    const single = await batchOf(model, rows, { timestep: one.h, precision: 'f32' })
    expect([single.step(STEPS), single.lanes]).toEqual([0, 4])
    const double = await batchOf(model, rows, exact)
    double.step(STEPS)
    const found = compare(model, statesOf(single), statesOf(double))
    // of radians and metres up to a few
    expect(found.q).toBeLessThan(1e-5)
    expect(found.v).toBeLessThan(1e-3)
  })

  it('has the same bits one at a time, in WebAssembly and in JavaScript, and step by step', async () => {
    const batch = await batchOf(model, rows, { timestep: one.h })
    batch.step(STEPS)
    const expected = statesOf(batch)
    const steps = await batchOf(model, rows, { timestep: one.h })
    for (let n = 0; n < STEPS; n++) steps.step()
    expect(statesOf(steps)).toEqual(expected)
    const refused = vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('no SIMD'))
    try {
      for (const form of ['wasm', jsKernels] as const) {
        useKernels(form)
        const single = await batchOf(model, rows, { timestep: one.h })
        expect(single.lanes).toBe(1)
        single.step(STEPS)
        expect(statesOf(single)).toEqual(expected)
      }
    } finally {
      refused.mockRestore()
    }
  })
})

it('feels the ground in the case that has one', async () => {
  const one = trajectoryCases.find(({ name }) => name === 'contact with friction')
  if (!one) throw new Error('no such case')
  const rows = startOf(modelOf(one), COUNT, 1)
  const [firm, none] = [one.spec, { ...one.spec, contact: { stiffness: 0 } }].map((spec) => modelOf({ ...one, spec }))
  const [touching, passing] = [await batchOf(firm, rows, { timestep: one.h }), await batchOf(none, rows, { timestep: one.h })]
  expect([touching.step(STEPS), passing.step(STEPS)]).toEqual([0, 0])
  expect(compare(firm, statesOf(touching), statesOf(passing)).q).toBeGreaterThan(1e-3)
})

/** Chains of hinges in pairs, as in [Pan and Manocha 2018] figure 4. */
function chain(links: number): Model {
  const scene = findScene('chain')
  if (!scene) throw new Error('no such scene')
  return buildModel(scene.build({ links, joint: 'universal', length: 0.2, mass: 0.1, angle: 1 }))
}

/** Rows of chains at rest, each bent in its own way. */
function bent(model: Model, count: number, seed = 7): Float64Array {
  const random = createRandom(seed)
  const { nq, nv } = model
  return Float64Array.from({ length: count * (nq + nv) }, (_, k) => (k % (nq + nv) < nq ? model.q0[k % (nq + nv)] + random.spread(0.2) : 0))
}

describe('a hundred chains', () => {
  const TRAJECTORIES = 100
  const TEN = 10

  it.each([10, 20, 40])('of %d links end where the solver ends', async (links) => {
    const model = chain(links)
    const rows = bent(model, TRAJECTORIES)
    const expected = alone(model, rows, 0.05, TEN)
    const double = await batchOf(model, rows, { timestep: 0.05, tolerance: 1e-11 })
    expect(double.step(TEN)).toBe(0)
    expect(compare(model, statesOf(double), expected).q).toBeLessThan(1e-9)
    const single = await batchOf(model, rows, { timestep: 0.05, precision: 'f32' })
    expect(single.step(TEN)).toBe(0)
    expect(compare(model, statesOf(single), expected).q).toBeLessThan(1e-5)
  })

  it.each(['f64', 'f32'] as const)('take a fifth fewer calls in %s than if they waited for each other', async (precision) => {
    // the slowest of a hundred is a matter of luck: four hundreds of three lengths
    let [calls, waiting] = [0, 0]
    for (const links of [10, 20, 40]) {
      const model = chain(links)
      for (const seed of [1, 2, 3, 4]) {
        const rows = bent(model, TRAJECTORIES, seed)
        const batch = await batchOf(model, rows, { timestep: 0.05, precision })
        const other = await batchOf(model, rows, { timestep: 0.05, precision })
        expect(batch.step(TEN)).toBe(0)
        calls += batch.searches?.calls ?? 0
        for (let n = 0; n < TEN; n++) {
          other.step()
          waiting += other.searches?.calls ?? 0
        }
        expect(statesOf(other)).toEqual(statesOf(batch))
      }
    }
    expect(calls).toBeGreaterThan(0)
    expect(calls / waiting).toBeLessThanOrEqual(0.8)
  })

  it('loses no digits in single precision as steps become shorter', async () => {
    const model = chain(10)
    const rows = bent(model, 8)
    for (const h of [0.05, 0.01, 0.0025, 0.001, 0.0002]) {
      const [double, single] = [await batchOf(model, rows, { timestep: h }), await batchOf(model, rows, { timestep: h, precision: 'f32' })]
      expect([double.step(50), single.step(50)]).toEqual([0, 0])
      expect(compare(model, statesOf(single), statesOf(double)).q, `h = ${h}`).toBeLessThan(1e-5)
    }
  })

  it('have the same bits on any number of threads', async () => {
    const model = chain(10)
    const rows = bent(model, 30)
    const expected = await batchOf(model, rows, { timestep: 0.05 })
    expected.step(TEN)
    for (const threads of [2, 3]) {
      const batch = await batchOf(model, rows, { timestep: 0.05, threads, startThread })
      expect([batch.threads, batch.step(TEN)]).toEqual([threads, 0])
      expect(statesOf(batch)).toEqual(statesOf(expected))
      batch.close()
    }
  })

  it('are traced call by call without changing', async () => {
    const model = chain(10)
    const rows = bent(model, 9)
    const plain = await batchOf(model, rows, { timestep: 0.05 })
    plain.step(TEN)
    const traced = await batchOf(model, rows, { timestep: 0.05, trace: true })
    traced.step(TEN)
    expect(statesOf(traced)).toEqual(statesOf(plain))
    const { searches } = traced
    if (!searches) throw new Error('no searches')
    expect(searches.trace).toHaveLength(searches.calls)
    expect(plain.searches?.calls).toBe(searches.calls)
    for (let e = 0; e < 9; e++) {
      const did = searches.trace.map((row) => callKinds[row[e]])
      const count = (kind: CallKind): number => did.filter((one) => one === kind).length
      const { evaluations, iterations, halvings, refused } = searches.of(e)
      expect(count('step')).toBe(TEN)
      expect(did.length - count('idle')).toBe(evaluations)
      expect(searches.callsOf(e)).toBe(evaluations)
      expect(count('step') + count('direction')).toBe(iterations)
      expect([count('halved'), count('refused')]).toEqual([halvings, refused])
    }
  })
})

describe('a batch of trajectories', () => {
  const one = trajectoryCases.find(({ name }) => name === 'motors with limits')
  if (!one) throw new Error('no such case')
  const model = modelOf(one)
  const rows = startOf(model, COUNT, 3)

  it('goes on from a snapshot and from a reset with the same bits', async () => {
    const first = await batchOf(model, rows, { timestep: 0.05 })
    first.step(4)
    const kept = first.snapshot()
    first.step(4)
    const second = await batchOf(model, new Float64Array(rows.length), { timestep: 0.05 })
    second.step(3)
    second.restore(kept)
    second.step(4)
    expect(statesOf(second)).toEqual(statesOf(first))
    second.reset()
    second.writeState(rows)
    second.writeControl(new Float64Array(COUNT * model.nu).fill(0.3))
    expect([second.time(0), second.searches?.of(0).evaluations]).toEqual([0, 0])
    second.step(8)
    expect(statesOf(second)).toEqual(statesOf(first))
  })

  it('takes velocities that are written between steps', async () => {
    const batch = await batchOf(model, rows, { timestep: 0.05, tolerance: 1e-11 })
    batch.step(3)
    const simulation = createSimulation(model, { solver: 'position', timestep: 0.05, tolerance: 1e-11 })
    simulation.state.q.set(rows.subarray(0, model.nq))
    simulation.state.v.set(rows.subarray(model.nq, model.nq + model.nv))
    simulation.state.control.fill(0.3)
    simulation.step(3)
    batch.v(0).set(1, 2)
    simulation.state.v[1] = 2
    batch.step(3)
    simulation.step(3)
    for (let k = 0; k < model.nq; k++) expect(batch.q(0).get(k)).toBeCloseTo(simulation.state.q[k], 9)
  })

  it('lets masses, springs and motors differ from trajectory to trajectory', async () => {
    const vary = ['gravity', 'inertia', 'armature', 'damping', 'stiffness', 'rest', 'gain', 'bias'] as const
    const batch = await batchOf(model, rows, { timestep: 0.05, vary, tolerance: 1e-11 })
    batch.scaleMass(1, 2, 3)
    batch.parameter('stiffness', 1).set(0, 5)
    batch.parameter('gain', 1).set(3, 4)
    const { spec } = one
    const heavier = buildModel({
      ...spec,
      bodies: spec.bodies.map((body, k) => ({
        ...body,
        ...(k === 1 && body.inertia && 'tensor' in body.inertia
          ? { inertia: { ...body.inertia, mass: 3 * body.inertia.mass, tensor: [0.03, 0.03, 0.006, 0, 0, 0] as const } }
          : {}),
        joints: (body.joints ?? []).map((joint) => (k === 0 ? { ...joint, stiffness: 5 } : joint)),
      })),
      actuators: (spec.actuators ?? []).map((actuator, n) => (n === 1 ? { ...actuator, gain: [4, 0, 0] as const } : actuator)),
    })
    expect(batch.step(STEPS)).toBe(0)
    const width = model.nq + model.nv
    const expected = alone(heavier, rows.slice(width, 2 * width), 0.05, STEPS)
    const plain = alone(model, rows.slice(0, width), 0.05, STEPS)
    expect(compare(model, statesOf(batch).slice(width, 2 * width), expected).q).toBeLessThan(1e-9)
    expect(compare(model, statesOf(batch).slice(0, width), plain).q).toBeLessThan(1e-9)
  })

  it('leaves a trajectory that fails where it was, says why, and none of the others alone', async () => {
    const batch = await batchOf(model, rows, { timestep: 0.05 })
    const clean = await batchOf(model, rows, { timestep: 0.05 })
    batch.v(2).set(1, 1e200)
    expect([batch.step(4), clean.step(4)]).toEqual([1, 0])
    expect(Array.from({ length: COUNT }, (_, e) => batch.failed(e))).toEqual([false, false, true, false, false])
    expect([batch.time(2), batch.v(2).get(1), batch.time(3)]).toEqual([0, 1e200, 0.2])
    expect(batch.failure(2)).toMatch(
      /environment 2: the step of 0.05 s at t = 0.00000 s did not converge .* 'j1' of body 'l1', at 1.00e\+200/,
    )
    for (const e of [0, 1, 3, 4]) expect(batch.q(e).read(new Float64Array(model.nq))).toEqual(clean.q(e).read(new Float64Array(model.nq)))
    batch.reset(Int32Array.of(2))
    expect(batch.step()).toBe(0)
    const hurried = await batchOf(model, rows, { timestep: 0.05, iterations: 1 })
    expect(hurried.step()).toBe(COUNT)
    batch.control(1).set(0, Number.NaN)
    expect(batch.step()).toBe(1)
    expect(batch.failure(1)).toContain('control')
  })

  it('is recorded', async () => {
    const batch = await batchOf(model, rows, { timestep: 0.05 })
    const recording = recordBatch(batch, [1], { fps: 20 })
    batch.step(4)
    recording.stop()
    expect(recording.frames(1).frames).toBe(5)
    const clean = await batchOf(model, rows, { timestep: 0.05 })
    clean.step(4)
    expect(statesOf(clean)).toEqual(statesOf(batch))
  })

  it('says before the first step what it leaves out', async () => {
    const spec: Spec = {
      ...one.spec,
      bodies: one.spec.bodies.map((body, k) => ({
        ...body,
        geoms: [{ shape: 'sphere', radius: 0.1 }],
        joints: (body.joints ?? []).map((joint) => (k === 0 ? { ...joint, limits: [-1, 1] as const, friction: 0.1 } : joint)),
      })),
      world: { geoms: [{ shape: 'plane' }] },
      loads: [{ body: 'l1', force: [0, 0, 1], torque: [0, 1, 0], frame: 'body' }],
      medium: { density: 1000 },
      tendons: [{ name: 'rope', path: [{ body: 'world' }, { body: 'l2' }], stiffness: 5 }],
    }
    const batch = await createBatch(buildModel(spec), { count: 1, solver: 'position' })
    const said = batch.leftOut.join('\n')
    for (const what of ['1 joint limit', 'dry friction of 1 joint', 'contact between', 'a load that turns', 'medium', 'tendons'])
      expect(said).toContain(what)
    await expect(createBatch(buildModel(spec), { count: 1, solver: 'position', strict: true })).rejects.toThrow('a load that turns')
  })

  it.each([
    [{ optimizer: 'lbfgs' }, /optimizer: batches have newton and lm, got 'lbfgs'/],
    [{ tolerance: 0 }, /tolerance: expected 1e-14 … 1, got 0/],
    [{ iterations: 0.5 }, /iterations: expected a whole number/],
    [{ contact: true }, /contact: trajectories of `position` have the penalty/],
    [{ method: 'rk4' }, /method: belongs to `solver: 'ode'`/],
    [{ observe: ['q'] }, /observe: batches with contact have it/],
    [{ vary: ['friction'] }, /vary: 'friction' belongs to the ground step/],
    [{ solver: 'ode', tolerance: 1e-3 }, /tolerance: belongs to trajectories; give `solver: 'position'`/],
  ])('refuses %o', async (options, message) => {
    await expect(createBatch(model, { count: 1, solver: 'position', ...(options as object) })).rejects.toThrow(message)
  })

  it('has no accelerations', async () => {
    const batch = await batchOf(model, rows, {})
    for (const ask of [() => batch.forwardDynamics(), () => batch.forward(), () => batch.a(0), () => batch.readAccelerations(rows)])
      expect(ask).toThrow('trajectories of `position` have no accelerations')
  })
})

it('turns balls by joint forces as the solver does', async () => {
  const model = buildModel({
    bodies: [
      { name: 'ball', inertia: { mass: 1, com: [0, 0, -0.5], tensor: [0.4, 0.4, 0.1, 0, 0, 0] }, joints: [{ type: 'spherical' }] },
      { name: 'free', inertia: { mass: 1, com: [0.1, 0, 0], tensor: [0.1, 0.2, 0.3, 0, 0, 0] }, joints: [{ type: 'free' }] },
    ],
  })
  const rows = startOf(model, 2, 5)
  const tau = Float64Array.from({ length: 2 * model.nv }, (_, k) => 0.3 * (k % 4) - 0.4)
  const batch = await batchOf(model, rows, { timestep: 0.02, tolerance: 1e-11 })
  batch.writeTau(tau)
  expect(batch.step(STEPS)).toBe(0)
  const simulation = createSimulation(model, { solver: 'position', timestep: 0.02, tolerance: 1e-11 })
  simulation.state.q.set(rows.subarray(0, model.nq))
  simulation.state.v.set(rows.subarray(model.nq, model.nq + model.nv))
  simulation.state.tau.set(tau.subarray(0, model.nv))
  expect(simulation.step(STEPS).status).toBe('ok')
  for (let k = 0; k < model.nq; k++) expect(batch.q(0).get(k)).toBeCloseTo(simulation.state.q[k], 9)
})
