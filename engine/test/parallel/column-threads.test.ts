/** Threads that share the columns of a step: the real ones, of the built engine. */
import { spawnSync } from 'node:child_process'
import { buildModel, createSimulation, type Model } from 'limber'
import { redmaxWithWorkers } from 'limber/workers'
import { scenes } from 'limber-scenes'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ladder } from '../redmax/ladder.js'
import { DIST, loadBuilt } from './dist.js'

type Built = Awaited<ReturnType<typeof loadBuilt>>
type StartThreads = Built['startColumnThreads']

let built: Built
beforeAll(async () => {
  built = await loadBuilt()
})

const scene = (name: string, values: Readonly<Record<string, string | number>>): ReturnType<(typeof scenes)[number]['build']> => {
  const found = scenes.find((one) => one.name === name)
  if (!found) throw new Error(`no scene ${name}`)
  return found.build(values)
}

const ways = [
  { what: 'umbrella', spec: scene('umbrella', { segments: 8 }), linear: 'pcg', scheme: 'linear' },
  { what: 'umbrella', spec: scene('umbrella', { segments: 8 }), linear: 'pcg', scheme: 'auto' },
  { what: 'bridge', spec: scene('bridge', { bodies: 60, towers: 'flexible' }), linear: 'pcg', scheme: 'linear' },
  { what: 'rope ladder with limits', spec: ladder(40, 5), linear: 'recursive', scheme: 'auto' },
] as const

/** The threads of the engine, and how many columns came from them. */
function counted(start: StartThreads): { start: StartThreads; taken: () => number } {
  let taken = 0
  return {
    taken: () => taken,
    start(task, model, count) {
      const threads = start(task, model, count)
      return {
        get ready() {
          return threads.ready
        },
        get trouble() {
          return threads.trouble
        },
        write: threads.write,
        open: threads.open,
        take: threads.take,
        has: threads.has,
        fetch(x, k) {
          const iterations = threads.fetch(x, k)
          if (iterations > 0) taken++
          return iterations
        },
      }
    },
  }
}

describe('threads', () => {
  it.each(ways)('leave every bit as it is, 0 to 3 of them: $what, linear=$linear, scheme=$scheme', ({ spec, linear, scheme }) => {
    const options = { linear, scheme, timestep: 0.01 }
    const model = built.buildModel(spec)
    const runs = [1, 2, 3].map((workers) => {
      const { start, taken } = counted(built.startColumnThreads)
      return { taken, simulation: built.createSimulation(model, { solver: built.redmaxWith(start), workers, ...options }) }
    })
    const alone = built.createSimulation(model, { solver: 'redmax', ...options })
    // until each has had help; threads that are late, or not up yet, are not waited for
    for (let k = 0; k < 30 || (k < 3000 && runs.some(({ taken }) => taken() < 20)); k++) {
      alone.step()
      for (const { simulation } of runs) simulation.step()
    }
    expect(alone.report.status).toBe('ok')
    for (const { simulation, taken } of runs) {
      expect(taken()).toBeGreaterThanOrEqual(20)
      expect(simulation.snapshot()).toEqual(alone.snapshot())
      expect(simulation.report.iterations).toBe(alone.report.iterations)
      expect(simulation.warnings()).toEqual(alone.warnings())
    }
  })

  it('that cannot be loaded leave one thread, and a word about it', async () => {
    // from the sources: there is no file to start a thread from
    const model: Model = buildModel(ways[0].spec)
    const simulation = createSimulation(model, { solver: redmaxWithWorkers, linear: 'pcg', workers: 1 })
    const told = (): string => simulation.warnings().join()
    for (let k = 0; k < 600 && told() === ''; k++) {
      expect(simulation.step().status).toBe('ok')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(told()).toMatch(/one thread: a thread failed/)
  })
})

describe('without shared memory', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  it('one thread does it all, and says what a page needs', () => {
    vi.stubGlobal('SharedArrayBuffer', undefined)
    const options = { linear: 'pcg', scheme: 'linear', timestep: 0.01 }
    const model = buildModel(ways[0].spec)
    const simulation = createSimulation(model, { solver: redmaxWithWorkers, workers: 1, ...options })
    const alone = createSimulation(model, { solver: 'redmax', ...options })
    simulation.step(10)
    alone.step(10)
    expect(simulation.report.status).toBe('ok')
    expect(simulation.snapshot()).toEqual(alone.snapshot())
    expect(simulation.warnings()).toEqual([expect.stringMatching(/in one thread: .*cross-origin-embedder-policy/)])
  })
})

/** What a process of its own prints that uses the built engine. */
function run(text: string, ...flags: string[]): string {
  const program = `
    import { buildModel, createSimulation } from ${JSON.stringify(new URL('index.js', DIST).href)}
    import { redmaxWithWorkers } from ${JSON.stringify(new URL('workers.js', DIST).href)}
    import { redmaxWith } from ${JSON.stringify(new URL('solvers/redmax/redmax.js', DIST).href)}
    import { startColumnThreads } from ${JSON.stringify(new URL('parallel/column-threads.js', DIST).href)}
    const model = buildModel(${JSON.stringify(ways[0].spec)})
    const start = (options) => createSimulation(model, { solver: redmaxWithWorkers, linear: 'pcg', scheme: 'linear', timestep: 0.01, ...options })
    ${text}`
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 120_000,
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout.trim()
}

describe('a process with threads', () => {
  it('ends when it has nothing more to do', () => {
    expect(run(`const simulation = start({ workers: 2 }); simulation.step(50); console.log(simulation.report.status)`)).toBe('ok')
  })

  it.runIf(process.platform === 'linux')('has them no longer when nothing refers to the simulation', () => {
    const printed = run(
      `import { readdirSync } from 'node:fs'
      const count = () => readdirSync('/proc/self/task').length
      const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      const before = count()
      let simulation = start({ workers: 3 })
      simulation.step(5)
      const during = count()
      simulation = undefined
      let after = during
      for (let k = 0; k < 300 && after > before; k++) {
        gc()
        await wait(100)
        after = count()
      }
      console.log(JSON.stringify([during - before, after - before]))`,
      '--expose-gc',
    )
    const [during, after] = JSON.parse(printed) as [number, number]
    expect(during).toBeGreaterThanOrEqual(3)
    expect(after).toBeLessThanOrEqual(0)
  })

  it('allocates nothing in a step', () => {
    const printed = run(
      `let taken = 0
      const solver = redmaxWith((...given) => {
        const threads = startColumnThreads(...given)
        const fetch = (x, k) => {
          const iterations = threads.fetch(x, k)
          if (iterations > 0) taken++
          return iterations
        }
        return Object.assign(Object.create(threads), { fetch })
      })
      const simulation = start({ solver, workers: 1 })
      const used = () => process.memoryUsage().heapUsed
      let reading = 0
      for (let k = 0; k < 100; k++) { const before = used(); reading = used() - before }
      for (let k = 0; k < 400 || (k < 4000 && taken < 50); k++) simulation.step()
      let least = Infinity
      for (let window = 0; window < 40 && least > 25; window++) {
        gc()
        for (let k = 0; k < 20; k++) simulation.step()
        const before = used()
        for (let k = 0; k < 50; k++) simulation.step()
        least = Math.min(least, Math.max(0, used() - before - reading))
      }
      console.log(JSON.stringify([taken, least / 50]))`,
      // as of test/allocation/run-probe.ts
      ...['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded', '--interrupt-budget=20000'],
    )
    const [taken, bytes] = JSON.parse(printed) as [number, number]
    expect(taken).toBeGreaterThanOrEqual(50)
    // one boxed number a step would be 12 to 16
    expect(bytes).toBeLessThanOrEqual(2)
  })
})
