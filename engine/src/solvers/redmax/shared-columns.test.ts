import { buildModel, createSimulation, type Model, type Simulation } from 'limber'
import { scenes } from 'limber-scenes'
import { describe, expect, it } from 'vitest'
import { ladder } from '../../../test/redmax/ladder.js'
import { createColumnSolver, FAILED, memorySize, viewMemory, writeMatrix, writeModel } from './column-task.js'
import { redmaxWith } from './redmax.js'
import { type ColumnThreads, LATE, type StartThreads } from './shared-columns.js'

const sceneModel = (name: string, values: Readonly<Record<string, string | number>>): Model => {
  const scene = scenes.find((one) => one.name === name)
  if (!scene) throw new Error(`no scene ${name}`)
  return buildModel(scene.build(values))
}
const umbrella = sceneModel('umbrella', { segments: 4 })

/** What a made-up thread answers for a column that it was given: what it takes, or something else. */
type Answer = (solved: number, column: number) => number

interface Tally {
  opened: number
  taken: number
}

/** A thread that has every other column done at once, by the functions and in the memory that real ones have. */
function everyOther(tally: Tally, answer: Answer = (solved) => solved): StartThreads {
  return (task, model): ColumnThreads => {
    const memory = viewMemory(task, new SharedArrayBuffer(memorySize(task)))
    writeModel(memory, model)
    const solve = createColumnSolver(task, memory, () => false)
    const y = new Float64Array(task.nv)
    let left = 0
    return {
      ready: 1,
      trouble: '',
      write: (s, factor, iterative) => writeMatrix(memory, s, factor, iterative),
      open(b, first, count) {
        tally.opened++
        left = count
        for (let k = 0; k < count; k++) memory.G.set(b[first + k], k * task.nv)
      },
      take() {
        while (left > 0) if (--left % 2 === 0) return left
        return -1
      },
      fetch(x, k) {
        tally.taken++
        const iterations = answer(solve(y, k), k)
        if (iterations !== LATE) x.set(y)
        return iterations
      },
      has: () => false,
    }
  }
}

const ways = [
  { linear: 'pcg', scheme: 'linear', model: umbrella },
  { linear: 'pcg', scheme: 'auto', model: umbrella },
  { linear: 'pcg', scheme: 'second-order', model: umbrella },
  { linear: 'pcg', scheme: 'auto', model: buildModel(ladder(40, 5)) },
  { linear: 'recursive', scheme: 'auto', model: buildModel(ladder(40, 5)) },
] as const

/** Runs both, and compares all bytes. */
function expectSame(one: Simulation, other: Simulation, steps: number): void {
  for (let k = 0; k < steps; k++) {
    one.step()
    other.step()
    expect(other.report.status).toBe(one.report.status)
    expect(other.report.iterations).toBe(one.report.iterations)
  }
  expect(one.report.status).toBe('ok')
  expect(one.state.s.every(Number.isFinite)).toBe(true)
  expect(other.snapshot()).toEqual(one.snapshot())
}

describe('columns that another thread solves', () => {
  it.each(ways)('have the same bits: $linear, scheme=$scheme, $model.name', ({ linear, scheme, model }) => {
    const tally = { opened: 0, taken: 0 }
    const options = { linear, scheme, timestep: 0.01 }
    const alone = createSimulation(model, { solver: 'redmax', ...options })
    expectSame(alone, createSimulation(model, { solver: redmaxWith(everyOther(tally)), workers: 1, ...options }), 20)
    expect(tally.taken).toBeGreaterThan(20)
  })

  it('are solved here where they do not come, and fewer and fewer are asked for', () => {
    const tally = { opened: 0, taken: 0 }
    const options = { linear: 'pcg', scheme: 'linear', timestep: 0.01 }
    const alone = createSimulation(umbrella, { solver: 'redmax', ...options })
    const late = everyOther(tally, () => LATE)
    expectSame(alone, createSimulation(umbrella, { solver: redmaxWith(late), workers: 1, ...options }), 100)
    // in steps 1 to 9, then 11, 15, 23, 39, 71
    expect(tally.opened).toBe(14)
  })

  it('that fail there are handled as if they had failed here', () => {
    const tally = { opened: 0, taken: 0 }
    const options = { linear: 'pcg', scheme: 'linear', timestep: 0.01 }
    const alone = createSimulation(umbrella, { solver: 'redmax', ...options })
    const failing = everyOther(tally, (solved, k) => (k === 7 ? FAILED : solved))
    expectSame(alone, createSimulation(umbrella, { solver: redmaxWith(failing), workers: 1, ...options }), 10)
    expect(tally.opened).toBe(10)
  })

  it('are not asked for where that cannot pay', () => {
    const tally = { opened: 0, taken: 0 }
    const model = sceneModel('four-bar', {})
    createSimulation(model, { solver: redmaxWith(everyOther(tally)), workers: 1, linear: 'pcg' }).step(20)
    expect(tally.opened).toBe(0)
  })

  it('are spoken of where there is one thread only', () => {
    const options = { linear: 'pcg', workers: 2 }
    expect(createSimulation(umbrella, { solver: 'redmax', ...options }).warnings()).toEqual([
      expect.stringMatching(/in one thread: .*redmaxWithWorkers/),
    ])
    expect(createSimulation(umbrella, { solver: 'redmax', ...options, workers: 0 }).warnings()).toEqual([])
    const own = { name: 'brake', apply: () => {}, jacobianProduct: () => {} }
    const model = buildModel(ladder(20), { forces: [own] })
    const warnings = createSimulation(model, { solver: redmaxWith(everyOther({ opened: 0, taken: 0 })), ...options }).warnings()
    expect(warnings).toEqual([expect.stringMatching(/in one thread: force 'brake'/)])
  })
})
