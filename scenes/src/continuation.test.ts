/**
 * A snapshot holds all that the future depends on: what is restored from it, in a simulation that has no past, goes on with the same bits.
 */
import { buildModel, createSimulation } from 'limber'
import { describe, expect, it } from 'vitest'
import { scenes } from './index.js'

/** far enough on both sides for solvers that look at themselves every so many steps */
const BEFORE = 37
const AFTER = 60
/** large crowds only cost time here */
const SMALLER: Readonly<Record<string, Record<string, number>>> = { crowd: { characters: 2 } }

describe.each(scenes)('scene $name', (scene) => {
  it('continues from a snapshot with the same bits', () => {
    const model = buildModel(scene.build(SMALLER[scene.name] ?? {}))
    const one = createSimulation(model)
    one.step(BEFORE)
    expect(one.report.status).toBe('ok')
    const other = createSimulation(model)
    other.restore(one.snapshot())
    one.step(AFTER)
    other.step(AFTER)
    expect(one.report.status).toBe('ok')
    expect([...other.state.q]).toEqual([...one.state.q])
    expect([...other.state.v]).toEqual([...one.state.v])
    expect(other.state.t).toBe(one.state.t)
  }, 60_000)
})
