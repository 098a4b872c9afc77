/** One simulation has the same bits on any number of processors, in one thread, in several, over MPI, and on two hosts. */
import { createSimulation, type Force, type Model, solvers } from 'limber'
import { startProcessors } from 'limber/node'
import { parallelInOneThread } from 'limber/parallel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundled, bundled } from './bundled.js'
import { mpirun, noMpi } from './mpirun.js'
import { LONGEST, models, runModel } from './run-model.js'
import { noTwoHosts, withTwoHosts } from './two-hosts.js'

const { ode } = solvers
const names = Object.keys(models)
/** those without long chains: one processor has the bits of the serial solver */
const uncut = ['mobile', 'tree of all joints', 'every force']
const expected = new Map<string, string>()

beforeAll(() => {
  for (const name of names) {
    const model = models[name]()
    expected.set(name, runModel(model, parallelInOneThread(model, 1, { longest: LONGEST })))
  }
})

it.each(uncut)('%s: one processor is the serial solver', (name) => {
  expect(runModel(models[name](), ode)).toBe(expected.get(name))
})

it.each(names)('%s: 2, 3 and 7 processors in one thread', (name) => {
  const model = models[name]()
  for (const processors of [2, 3, 7])
    expect(runModel(model, parallelInOneThread(model, processors, { longest: LONGEST }))).toBe(expected.get(name))
})

describe('threads', () => {
  let thread: Bundled
  beforeAll(async () => {
    thread = await bundled('../../src/parallel/thread-main.ts')
  })
  afterAll(() => thread?.remove())
  const start = (model: Model, processors: number, forces?: string) =>
    startProcessors(model, {
      ...{ processors, always: true, longest: LONGEST, thread: `file://${thread.path}` },
      ...(forces === undefined ? {} : { forces }),
    })

  it.each(names)('%s: 1, 2, 3 and 7 threads', async (name) => {
    const model = models[name]()
    for (const processors of [1, 2, 3, 7]) expect(runModel(model, await start(model, processors))).toBe(expected.get(name))
  })

  it.each(uncut)('%s: a snapshot half-way, of two threads and restored there, leads to the same bits', async (name) => {
    const model = models[name]()
    expect(runModel(model, await start(model, 2), true)).toBe(expected.get(name))
  })

  it('a snapshot of the serial solver goes on with three threads, and back', async () => {
    const model = models.mobile()
    const options = { timestep: 0.005, method: 'gear', rtol: 1e-5, atol: 1e-7 }
    const serial = createSimulation(model, { solver: ode, ...options })
    serial.step(5)
    const three = createSimulation(model, { solver: await start(model, 3), ...options })
    three.restore(serial.snapshot())
    three.step(5)
    const again = createSimulation(model, { solver: ode, ...options })
    again.restore(three.snapshot())
    again.step(5)
    three.close()
    serial.step(10)
    expect(again.state.q).toEqual(serial.state.q)
    expect(again.state.v).toEqual(serial.state.v)
  })

  it('forces of the user come from a module that every thread loads, and cannot be functions', async () => {
    const model = models.mobile()
    const module = new URL('./own-forces.mjs', import.meta.url)
    const { forces } = (await import(module.href)) as { forces: Force[] }
    const options = { timestep: 0.005, method: 'gear', rtol: 1e-5, atol: 1e-7 }
    const serial = createSimulation(model, { solver: ode, ...options, forces })
    const [plain, two] = [await start(model, 2), await start(model, 2, module.href)]
    const parallel = createSimulation(model, { solver: two, ...options })
    for (const { step } of [serial, parallel]) step(5)
    expect(parallel.state.q).toEqual(serial.state.q)
    expect(() => createSimulation(model, { solver: plain, ...options, forces })).toThrow(/'wind' is a function.*startProcessors/)
    parallel.close()
    createSimulation(model, { solver: plain, ...options }).close()
  })

  it('a thread that ends in the middle of a run ends it, with its reason', async () => {
    const model = models.mobile()
    const solver = await startProcessors(model, {
      ...{ processors: 3, always: true, thread: `file://${thread.path}` },
      forces: new URL('./force-that-throws.mjs', import.meta.url).href,
    })
    const simulation = createSimulation(model, { solver, timestep: 0.005, method: 'gear', rtol: 1e-5, atol: 1e-7 })
    const { status, message } = simulation.step(50)
    expect(status).toBe('lost')
    expect(message).toMatch(/processor [12] is gone: the wind broke it; this run cannot go on/)
    expect(simulation.state.q.every(Number.isFinite)).toBe(true)
    // again, without waiting for ever
    expect(simulation.step().status).toBe('lost')
    simulation.close()
  })

  it('a state that is written between two steps is taken up', async () => {
    const model = models.mobile()
    const options = { timestep: 0.005, method: 'gear', rtol: 1e-5, atol: 1e-7 }
    const both = [
      createSimulation(model, { solver: ode, ...options }),
      createSimulation(model, { solver: await start(model, 2), ...options }),
    ]
    for (const { state, step } of both) {
      step(3)
      state.v[2] += 1
      step(3)
      state.tau[1] = 0.1
      step(3)
    }
    both[1].close()
    expect(both[1].state.q).toEqual(both[0].state.q)
  })
})

const mpiNames = ['mobile', 'chain', 'tree of all joints']
const hosts = noTwoHosts()

describe.skipIf(noMpi)(`MPI ${noMpi ?? ''}`, () => {
  let program: Bundled
  beforeAll(async () => {
    program = await bundled('./mpi-simulation.ts')
  })
  afterAll(() => program?.remove())
  const all = (): (string | undefined)[] => mpiNames.map((name) => expected.get(name))

  it.each([1, 2, 3, 7])('%i processes', async (processors) => {
    const { code, stdout, stderr } = await mpirun(processors, [process.execPath, program.path, ...mpiNames])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(all())
  })

  it.skipIf(hosts)(`two hosts, over TCP ${hosts ?? ''}`, async () => {
    const { code, stdout, crossed } = await withTwoHosts(async (two) => {
      const before = two.crossed()
      const result = await two.mpirun(3, [process.execPath, program.path, ...mpiNames])
      return { ...result, crossed: two.crossed() - before }
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(all())
    expect(crossed).toBeGreaterThan(10_000)
  })
})
