/** Records keep their numbers and their addresses stay right, however often the arena moves; routines see what JavaScript sees. */
import { describe, expect, it } from 'vitest'
import { createContactArena } from '../contact/arena.js'
import { type FactorSpace } from '../contact/solve/block-product.js'
import { createForestMatrix } from '../contact/solve/forest-matrix.js'
import { addBlock, createConvexProblem, INTERVAL, ROWS, STILL } from '../contact/solve/problem.js'
import { createConvexSolver, solveConvex } from '../contact/solve/solve.js'
import { resize, takeRecord } from './records.js'

describe('records', () => {
  it('hold zeros at first, and what is resized keeps its numbers', () => {
    const arena = createContactArena()
    const one = takeRecord<FactorSpace>(arena, 'FactorSpace', { inverse: 3, JGJ: 2, GJ: 0 })
    const other = takeRecord<FactorSpace>(arena, 'FactorSpace', { inverse: 2, JGJ: 1, GJ: 1 })
    expect([...one.inverse, ...one.JGJ, ...other.GJ]).toEqual([0, 0, 0, 0, 0, 0])
    one.inverse.set([1, 2, 3])
    other.inverse.set([4, 5])
    const { block } = arena
    // more than the room of any arena: all records move
    resize(one, { inverse: 3_000_000 })
    expect(arena.block).not.toBe(block)
    expect([...one.inverse.subarray(0, 4), ...other.inverse]).toEqual([1, 2, 3, 0, 4, 5])
    expect(one.inverse.buffer).toBe(arena.block.buffer)
    expect(other.JGJ.buffer).toBe(arena.block.buffer)
    // less is no reason to do anything
    const { inverse } = one
    resize(one, { inverse: 10 })
    expect(one.inverse).toBe(inverse)
  })

  it('say what they lack', () => {
    const arena = createContactArena()
    expect(() => takeRecord(arena, 'Nothing', {})).toThrow("no routine takes a 'Nothing'")
    expect(() => takeRecord(arena, 'FactorSpace', { inverse: 1, JGJ: 1 })).toThrow('how long is FactorSpace.GJ?')
    expect(() => takeRecord(arena, 'Contacts', { point: 1 })).toThrow(/Contacts/)
  })

  it('are seen by routines where they are now: a problem that moves between two solves has the same answer', () => {
    const arena = createContactArena()
    const unknowns = { n: 2, start: Int32Array.of(0, 2), treeOf: new Int32Array(2) }
    const matrix = createForestMatrix(unknowns, Int32Array.of(0, 0), arena)
    const p = createConvexProblem(unknowns, Float64Array.of(1), arena)
    const solver = createConvexSolver(p, matrix)
    p.number[STILL] = 1e-9
    matrix.A.value.set([2, 0.5, 3])
    p.b.set([-1, 0.5])
    const b = addBlock(p, INTERVAL, 1, 1)
    p.column[p.first[b]] = 0
    p.J[p.entry[b]] = 1
    p.mobility[b] = 0.5
    p.Rn[b] = 1e-8
    expect(solveConvex(solver)).toBe(true)
    // held at zero, the other one goes its own way
    const answer = [...p.x, p.gamma[ROWS * b]]
    expect(answer[0]).toBeCloseTo(0, 9)
    expect(answer[1]).toBeCloseTo(0.5 / 3, 9)
    expect(answer[2]).toBeCloseTo(1 + 0.5 * (0.5 / 3), 6)
    const before = arena.block
    resize(p, { J: 3_000_000 })
    expect(arena.block).not.toBe(before)
    expect(p.count).toBe(1)
    p.x.fill(0)
    p.hat.fill(0)
    expect(solveConvex(solver)).toBe(true)
    expect([...p.x, p.gamma[ROWS * b]]).toEqual(answer)
  })
})
