/** Batches against simulations of their own: the same bits in f64, close in f32; what they refuse and what they leave out. */
import { setFlagsFromString } from 'node:v8'
import {
  type Batch,
  type BatchMethod,
  buildModel,
  createBatch,
  createData,
  createSimulation,
  createState,
  forwardDynamics,
  type JointSpec,
  jointTypes,
  type Model,
  ModelError,
  type Spec,
  type StartThread,
  type State,
  useKernels,
} from 'limber'
import { jsKernels } from 'limber/js-kernels'
import { startThread } from 'limber/node'
import { findScene } from 'limber-scenes'
import { describe, expect, it, vi } from 'vitest'
import { everyForce } from '../../test/conformance/every-force.js'
import { randomSpec, randomState } from '../../test/conformance/random-tree.js'
import { createRandom, type Random } from '../../test/random.js'
import { mayFuse } from './lanes.js'

/** A random tree of all joint types with everything in its joints that a batch simulates. */
function randomModel(seed: number, bodies: number): Model {
  const random = createRandom(seed)
  const plain = randomSpec({ seed, bodies, floating: seed % 2 === 0 }, random)
  const actuators: NonNullable<Spec['actuators']>[number][] = []
  const dress = (joint: JointSpec, name: string): JointSpec => {
    const type = jointTypes.find((t) => t.name === joint.type)
    const nv = type?.nv ?? 0
    if (nv > 0 && random.unit() < 0.7) {
      const gear = Array.from({ length: type?.linear === true ? 1 : nv }, () => random.spread(2))
      const ranges = random.unit() < 0.5 ? { controlRange: [-0.5, 0.5] as const, forceRange: [-1, 2] as const } : {}
      // motor, position servo, velocity servo, and one whose gain depends on length and rate
      const law = random.pick([
        {},
        { gain: [4, 0, 0] as const, bias: [0, -4, -0.2] as const },
        { gain: [2, 0, 0] as const, bias: [0, 0, -2] as const },
        { gain: [1, 0.3, 0.1] as const, bias: [0.5, 0, 0] as const },
      ])
      actuators.push({ joint: name, gear, ...law, ...ranges })
    }
    const one = nv === 1 && random.unit() < 0.3
    return {
      ...joint,
      name,
      ...(random.unit() < 0.7 ? { stiffness: random.between(1, 10), damping: random.between(0.1, 0.5) } : {}),
      ...(one ? { forceRange: [-0.7, 0.7] as const } : {}),
      ...(joint.type === 'free' ? { armature: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] } : {}),
    }
  }
  return buildModel({
    ...plain,
    bodies: plain.bodies.map((body, i) => ({ ...body, joints: (body.joints ?? []).map((joint, n) => dress(joint, `j${i}-${n}`)) })),
    actuators,
  })
}

const humanoid = buildModel(findScene('humanoid')?.build({ support: 'none', stiffness: 1, damping: 1 }) as Spec)

/** States, joint forces and controls that differ from environment to environment. */
function randomStates(model: Model, count: number, random: Random): State[] {
  return Array.from({ length: count }, () => {
    const state = randomState(model, random)
    state.control.set(random.array(model.nu, 1))
    return state
  })
}

function setAll(batch: Batch, states: readonly State[]): void {
  for (const [e, { q, v, tau, control }] of states.entries()) {
    batch.q(e).write(q)
    batch.v(e).write(v)
    batch.tau(e).write(tau)
    batch.control(e).write(control)
  }
}

/** What each would do alone, q then v. */
function alone(model: Model, states: readonly State[], method: BatchMethod, timestep: number, steps: number): Float64Array {
  return Float64Array.from(
    states.flatMap((start) => {
      const simulation = createSimulation(model, { solver: 'ode', method, timestep })
      simulation.reset(start)
      expect(simulation.step(steps).status).toBe('ok')
      return [...simulation.state.q, ...simulation.state.v]
    }),
  )
}

const stateOf = (batch: Batch): Float64Array => batch.readState(new Float64Array(batch.count * (batch.model.nq + batch.model.nv)))

const COUNT = 5
const STEP = 0.002

describe.each([1, 2, 3, 4, 5, 6])('a batch of random trees of all joints, seed %i', (seed) => {
  const model = randomModel(seed, 14)
  const states = randomStates(model, COUNT, createRandom(100 + seed))

  it.each(['semi-implicit', 'rk4', 'euler'] as const)('has the bits of a simulation each, after 200 steps of %s', async (method) => {
    const batch = await createBatch(model, { count: COUNT, method, timestep: STEP })
    expect(batch.lanes).toBe(2)
    setAll(batch, states)
    expect(batch.step(200)).toBe(0)
    expect(stateOf(batch)).toEqual(alone(model, states, method, STEP, 200))
    expect(batch.time(COUNT - 1)).toBeCloseTo(0.4, 12)
  })

  it('has the bits of forwardDynamics each', async () => {
    const batch = await createBatch(model, { count: COUNT })
    setAll(batch, states)
    batch.forwardDynamics()
    const data = createData(model)
    const expected = states.flatMap((state) => {
      forwardDynamics(model, data, state, state.tau)
      return [...data.a]
    })
    expect(batch.readAccelerations(new Float64Array(COUNT * model.nv))).toEqual(Float64Array.from(expected))
  })

  it('is close to it in f32', async () => {
    const batch = await createBatch(model, { count: COUNT, precision: 'f32', timestep: STEP })
    expect(batch.lanes).toBe(4)
    setAll(batch, states)
    expect(batch.step(20)).toBe(0)
    const [a, b] = [stateOf(batch), alone(model, states, 'semi-implicit', STEP, 20)]
    for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-4 * Math.max(1, Math.abs(b[k])))
  })
})

describe('a batch of humanoids', () => {
  const states = randomStates(humanoid, 7, createRandom(7))

  it('has the bits of a simulation each, after 200 steps', async () => {
    const batch = await createBatch(humanoid, { count: 7 })
    setAll(batch, states)
    expect(batch.step(200)).toBe(0)
    expect(stateOf(batch)).toEqual(alone(humanoid, states, 'semi-implicit', humanoid.timestep, 200))
  })

  it.each([2, 3])('has the same bits in %i threads, in f64 and in f32', async (threads) => {
    for (const precision of ['f64', 'f32'] as const) {
      const results: Float64Array[] = []
      for (const n of [1, threads]) {
        const batch = await createBatch(humanoid, { count: 41, precision, threads: n, startThread })
        expect(batch.warnings).toEqual([])
        expect(batch.threads).toBe(n)
        setAll(batch, randomStates(humanoid, 41, createRandom(8)))
        for (let k = 0; k < 10; k++) batch.step(3)
        results.push(stateOf(batch))
        batch.close()
        expect(() => batch.step()).toThrow(/closed/)
      }
      expect(results[1]).toEqual(results[0])
    }
  })

  it('takes one thread where nothing starts another, and says so', async () => {
    const batch = await createBatch(humanoid, { count: 2, threads: 2 })
    expect(batch.threads).toBe(1)
    expect(batch.warnings.join()).toMatch(/one is taken: nothing starts threads here; in Node pass startThread of limber\/node/)
    const failing = await createBatch(humanoid, { count: 2, threads: 2, startThread: () => Promise.reject(new Error('no room')) })
    expect(failing.threads).toBe(1)
    expect(failing.warnings).toEqual(['threads did not start, one is taken: no room'])
    expect(failing.step()).toBe(0)
  })

  describe('whose thread ends', () => {
    const prelude = (act: string): string => `
      const { Instance } = WebAssembly
      WebAssembly.Instance = function (module, imports) {
        const { exports } = new Instance(module, imports)
        return { exports: Object.fromEntries(Object.keys(exports).map((name) => [name, () => { ${act} }])) }
      }`
    /** Threads that do this instead of the first step. */
    const startDying =
      (act: string): StartThread =>
      (script, task) =>
        startThread(prelude(act) + script, task)

    it.each([
      ['by an error of its own', "throw new RangeError('no more')", /^thread 2 of 2 ended in the middle of a step: RangeError: no more;/],
      ['without a word', 'process.exit()', /^1 of 2 threads ended in the middle of a step, without a word: terminated from outside/],
    ])('%s in the middle of a step: says so, now and later', async (_, act, message) => {
      const batch = await createBatch(humanoid, { count: 400, threads: 2, startThread: startDying(act) })
      expect(batch.warnings).toEqual([])
      expect(() => batch.step(20)).toThrow(message)
      expect(() => batch.step()).toThrow(/make another, and restore a snapshot$/)
      batch.close()
    })

    it('between two steps: says so at the next', async () => {
      let stop = (): void => {}
      const start: StartThread = async (script, task) => {
        const thread = await startThread(script, task)
        stop = thread.stop
        return thread
      }
      const batch = await createBatch(humanoid, { count: 40, threads: 2, startThread: start })
      batch.step()
      stop()
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(() => batch.step()).toThrow(/^thread 2 of 2 ended between two steps: exit code 1;/)
    })
  })

  it.each(['wasm', 'js'] as const)('runs one at a time where there are no lanes, in the form %s, with the same bits', async (name) => {
    const refused = vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('no SIMD'))
    useKernels(name === 'js' ? jsKernels : 'wasm')
    try {
      const batch = await createBatch(humanoid, { count: 3, precision: 'f32', threads: 2, startThread, vary: ['inertia'] })
      expect([batch.lanes, batch.threads, batch.precision]).toEqual([1, 1, 'f64'])
      expect(batch.warnings).toEqual(['no WebAssembly with SIMD here: environments are computed one at a time, in f64, in one thread'])
      setAll(batch, states.slice(0, 3))
      batch.step(50)
      expect(stateOf(batch)).toEqual(alone(humanoid, states.slice(0, 3), 'semi-implicit', humanoid.timestep, 50))
    } finally {
      useKernels('wasm')
      refused.mockRestore()
    }
  })

  it('tells what it leaves out, or refuses it', async () => {
    const batch = await createBatch(humanoid, { count: 1 })
    expect(batch.leftOut.join('\n')).toMatch(/21 joint limits: left out by batches/)
    await expect(createBatch(humanoid, { count: 1, strict: true })).rejects.toThrow(ModelError)
    const all = await createBatch(buildModel(everyForce(9, {}, 0.1)), { count: 1 })
    for (const what of ['gravity compensation', 'springs', 'tendons', 'loads', 'armature of tendons', '2 actuators on tendons or sites'])
      expect(all.leftOut.join('\n')).toContain(`${what}: left out by batches`)
  })
})

describe('products and sums in one rounding', () => {
  // Node 20 has it behind a flag
  setFlagsFromString('--experimental-wasm-relaxed-simd')
  const known = mayFuse()

  it.skipIf(!known).each([
    ['f64', 1e-12],
    ['f32', 1e-4],
  ] as const)(
    `are close to two roundings after a step in %s${known ? '' : ' (skipped: this engine has no relaxed SIMD)'}`,
    async (precision, tolerance) => {
      for (const [seed, model] of [humanoid, randomModel(1, 14), randomModel(2, 14)].entries()) {
        const states = randomStates(model, COUNT, createRandom(50 + seed))
        const [one, two] = await Promise.all(
          [true, false].map(async (fused) => {
            const batch = await createBatch(model, { count: COUNT, precision, timestep: STEP, fused })
            expect([batch.fused, batch.precision, batch.warnings]).toEqual([fused, precision, []])
            setAll(batch, states)
            expect(batch.step()).toBe(0)
            return stateOf(batch)
          }),
        )
        expect(one).not.toEqual(two)
        for (let k = 0; k < one.length; k++) expect(Math.abs(one[k] - two[k])).toBeLessThan(tolerance * Math.max(1, Math.abs(two[k])))
      }
    },
  )

  it.skipIf(!known)('have the same bits in two threads', async () => {
    const results: Float64Array[] = []
    for (const threads of [1, 2]) {
      const batch = await createBatch(humanoid, { count: 41, threads, startThread, fused: true })
      expect([batch.fused, batch.threads]).toEqual([true, threads])
      setAll(batch, randomStates(humanoid, 41, createRandom(8)))
      batch.step(30)
      results.push(stateOf(batch))
      batch.close()
    }
    expect(results[1]).toEqual(results[0])
  })

  it('are not had where the engine does not know them, and the batch says so', async () => {
    const refused = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false)
    try {
      const batch = await createBatch(humanoid, { count: 3, fused: true })
      expect([batch.fused, batch.lanes]).toEqual([false, 2])
      expect(batch.warnings.join()).toMatch(/^fused: no relaxed SIMD here, .*Node 20 with --experimental-wasm-relaxed-simd/)
      const states = randomStates(humanoid, 3, createRandom(7))
      setAll(batch, states)
      batch.step(20)
      expect(stateOf(batch)).toEqual(alone(humanoid, states, 'semi-implicit', humanoid.timestep, 20))
    } finally {
      refused.mockRestore()
    }
  })
})

describe('parameters of environments', () => {
  it('are those of a model that has them', async () => {
    const spec = findScene('humanoid')?.build({ support: 'none', stiffness: 1, damping: 1 }) as Spec
    const other = buildModel({
      ...spec,
      gravity: [0, 1, -2],
      bodies: spec.bodies.map((body) => ({
        ...body,
        joints: (body.joints ?? []).map((joint) =>
          joint.type === 'free' ? joint : { ...joint, stiffness: 3, damping: 0.5, armature: 0.05, rest: 0.3 },
        ),
      })),
    })
    const vary = ['gravity', 'inertia', 'armature', 'damping', 'stiffness', 'rest'] as const
    const batch = await createBatch(humanoid, { count: 3, vary })
    const states = randomStates(humanoid, 3, createRandom(3))
    setAll(batch, states)
    for (const name of vary) batch.parameter(name, 1).write(other[name])
    batch.step(100)
    const width = humanoid.nq + humanoid.nv
    const rows = stateOf(batch)
    expect(rows.slice(0, width)).toEqual(alone(humanoid, states.slice(0, 1), 'semi-implicit', humanoid.timestep, 100))
    expect(rows.slice(width, 2 * width)).toEqual(alone(other, states.slice(1, 2), 'semi-implicit', humanoid.timestep, 100))
    expect(rows.slice(2 * width)).toEqual(alone(humanoid, states.slice(2), 'semi-implicit', humanoid.timestep, 100))
  })

  it('scale masses of bodies, and give motors their own strength', async () => {
    const model = buildModel({
      gravity: [0, 0, 0],
      bodies: [
        { name: 'cart', inertia: { mass: 2, tensor: [1, 1, 1, 0, 0, 0] }, joints: [{ name: 'x', type: 'prismatic', axis: [1, 0, 0] }] },
      ],
      actuators: [{ joint: 'x' }],
    })
    const batch = await createBatch(model, { count: 2, vary: ['inertia', 'gain'] })
    batch.writeControl(Float32Array.of(1, 1))
    batch.scaleMass(0, 1, 2)
    batch.parameter('gain', 1).set(0, 3)
    batch.forwardDynamics()
    expect([batch.a(0).get(0), batch.a(1).get(0)]).toEqual([0.25, 1.5])
    expect(() => batch.scaleMass(0, 2, 1)).toThrow('scaleMass: expected a body 1 … 1, got 2')
  })

  it('refuses options that it does not have, and suggests the nearest', async () => {
    const slip = { count: 1, thread: 2 }
    await expect(createBatch(humanoid, slip)).rejects.toThrow(
      /^option of a batch: expected one of count, .*, got 'thread'; did you mean 'threads'\?$/,
    )
    await expect(createBatch(humanoid, Object.assign({ count: 1 }, { dt: 0.01 }))).rejects.toThrow("got 'dt'")
  })

  it('are refused where they do not vary, or are none', async () => {
    const batch = await createBatch(humanoid, { count: 1 })
    expect(() => batch.parameter('damping', 0)).toThrow("vary: ['damping']")
    await expect(createBatch(humanoid, { count: 1, vary: ['colour' as 'damping'] })).rejects.toThrow(
      /vary: expected some of gravity, .* got 'colour'/,
    )
    await expect(createBatch(humanoid, { count: 1, vary: ['friction'] })).rejects.toThrow("vary: 'friction' belongs to steps with contact")
  })
})

describe('a batch', () => {
  const fall = (): Promise<Batch> => createBatch(humanoid, { count: 6, timestep: 0.001 })

  it('goes back to the start where the mask says so, or to states that are given', async () => {
    const batch = await fall()
    batch.step(5)
    const width = humanoid.nq + humanoid.nv
    const moved = stateOf(batch)
    batch.reset([1, 0, true, false, 0, 0])
    const rows = stateOf(batch)
    const start = [...humanoid.q0, ...new Float64Array(humanoid.nv)]
    for (const e of [0, 2]) expect([...rows.slice(e * width, (e + 1) * width)]).toEqual(start)
    for (const e of [1, 3, 4, 5]) expect(rows.slice(e * width, (e + 1) * width)).toEqual(moved.slice(e * width, (e + 1) * width))
    expect([batch.time(0), batch.time(1)]).toEqual([0, 0.005])
    batch.reset(undefined, { v: Float64Array.from({ length: 6 * humanoid.nv }, (_, k) => k) })
    expect(batch.v(4).get(2)).toBe(4 * humanoid.nv + 2)
    expect(() => batch.reset([1])).toThrow('mask: expected 6 numbers, got 1')
    expect(() => batch.reset(undefined, { q: [1] })).toThrow(/q: expected 28 numbers for all environments, or 168/)
  })

  it('goes on from a snapshot with the same bits, also in another batch', async () => {
    const first = await fall()
    setAll(first, randomStates(humanoid, 6, createRandom(1)))
    first.step(10)
    const kept = first.snapshot()
    first.step(10)
    const second = await fall()
    second.restore(kept)
    second.step(10)
    expect(second.snapshot()).toEqual(first.snapshot())
    const other = await createBatch(humanoid, { count: 5 })
    expect(() => other.restore(kept)).toThrow(/snapshot: expected one of a batch of the same model/)
  })

  it('leaves an environment that fails where it was, and the others alone', async () => {
    const batch = await fall()
    const clean = await fall()
    batch.v(3).set(0, 1e200)
    expect(batch.step(4)).toBe(1)
    clean.step(4)
    expect(Array.from({ length: 6 }, (_, e) => batch.failed(e))).toEqual([false, false, false, true, false, false])
    expect(batch.v(3).get(0)).toBe(1e200)
    expect([batch.time(2), batch.time(3)]).toEqual([0.004, 0])
    for (const e of [0, 2, 5]) expect(batch.q(e).read([...humanoid.q0])).toEqual(clean.q(e).read([...humanoid.q0]))
    batch.reset([0, 0, 0, 1, 0, 0])
    expect(batch.step()).toBe(0)
  })

  it('writes and reads flat arrays of both kinds, and refuses wrong lengths and places', async () => {
    const batch = await fall()
    const rows = createRandom(5).array(6 * (humanoid.nq + humanoid.nv), 1)
    batch.writeState(rows)
    expect(stateOf(batch)).toEqual(rows)
    expect(batch.readState(new Float32Array(rows.length))).toEqual(Float32Array.from(rows))
    batch.writeTau(new Float64Array(6 * humanoid.nv).fill(1))
    expect(batch.tau(5).get(26)).toBe(1)
    expect(() => batch.writeState(new Float64Array(3))).toThrow('writeState: expected 330 numbers, got 3')
    expect(() => batch.q(6)).toThrow('environment: expected 0 … 5, got 6')
    expect(() => batch.q(0).get(28)).toThrow('q: expected a number 0 … 27, got 28')
    expect(() => batch.step(0.5)).toThrow(/whole number of steps/)
  })

  it.each([
    [{ count: 0 }, /count: expected a whole number/],
    [{ count: 1e7 }, /count: the batch takes \d+ MB, and a memory holds 4096; make several batches/],
    [{ count: 1, threads: 0 }, /threads: expected/],
    [{ count: 1, method: 'gear' as 'rk4' }, /method: expected one of semi-implicit, rk4, euler, got 'gear'/],
    [{ count: 1, solver: 'redmax' as 'ode' }, /solver: batches have ode and implicit, got 'redmax'/],
    [{ count: 1, precision: 'f16' as 'f32' }, /precision: expected f64 or f32/],
    [{ count: 1, timestep: -1 }, /timestep: expected a positive number of seconds, got -1/],
    [{ count: 1, timestep: '0.01' as unknown as number }, /timestep: expected a positive number of seconds, got '0.01'/],
    [{ count: '3' as unknown as number }, /count: expected a whole number of environments from 1, got '3'/],
    [{ count: 1, dt: 0.01 } as { count: number }, /got 'dt'; did you mean 'timestep'\?/],
    [
      { count: 1, contact: { sefl: true } as object },
      /contact: expected some of self, tolerance, iterations, got 'sefl'; did you mean 'self'\?/,
    ],
    [{ count: 1, contact: { tolerance: 0 } }, /contact.tolerance: expected a positive number, got 0/],
    [{ count: 1, contact: { iterations: 0.5 } }, /contact.iterations: expected a whole number from 1, got 0.5/],
    [{ count: 1, contact: 'yes' as unknown as boolean }, /contact: expected true, false or an object, got 'yes'/],
  ])('refuses %o', async (options, message) => {
    await expect(createBatch(humanoid, options)).rejects.toThrow(message)
  })

  it('begins as a state does', async () => {
    const batch = await fall()
    const state = createState(humanoid)
    expect(batch.q(5).read(new Float64Array(humanoid.nq))).toEqual(state.q)
    expect(batch.v(5).read(new Float64Array(humanoid.nv))).toEqual(state.v)
  })
})
