import { buildModel, createData, createState, type Detail, forwardKinematics } from 'limber'
import { describe, expect, it } from 'vitest'
import { followCamera, importanceAt } from './importance.js'

describe('importanceAt', () => {
  it('is 1 up to the distance from which a tree fills the picture, and falls with the square of the distance beyond', () => {
    expect([0, 1, 3].map((d) => importanceAt(d, 3))).toEqual([1, 1, 1])
    expect(importanceAt(6, 3)).toBeCloseTo(1 / 4, 12)
    expect(importanceAt(30, 3)).toBeCloseTo(1 / 100, 12)
  })
})

describe('followCamera', () => {
  // two pairs of bodies, a metre apart each, the second pair ten metres behind the first
  const pair = (name: string, x: number) => [
    {
      name: `${name}1`,
      position: [x, 0, 0] as const,
      inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] as const },
      joints: [{ type: 'free' as const }],
    },
    {
      name: `${name}2`,
      parent: `${name}1`,
      position: [0, 0, 1] as const,
      inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] as const },
      joints: [{ type: 'revolute' as const }],
    },
  ]
  const model = buildModel({ bodies: [...pair('a', 0), ...pair('b', -10)] })
  const data = createData(model)
  const { q, v } = createState(model)
  forwardKinematics(model, data, q, v)
  const detail: Detail = { treeOf: Int32Array.of(-1, 0, 0, 1, 1), importance: new Float64Array(2).fill(1) }

  it('counts a tree that is farther away less, by the distances from their middles', () => {
    followCamera(detail, data, [10, 0, 0.5])
    const [near, far] = detail.importance
    expect(near).toBeLessThan(1)
    expect(near / far).toBeCloseTo(4, 12)
  })

  it('counts what fills the picture in full', () => {
    // a tree of one metre fills a view of 40° from 1.37 m
    followCamera(detail, data, [1.37, 0, 0.5])
    expect(detail.importance[0]).toBe(1)
    followCamera(detail, data, [1.38, 0, 0.5])
    expect(detail.importance[0]).toBeLessThan(1)
  })

  it('counts all alike where no camera is followed', () => {
    followCamera(detail, data, [10, 0, 0])
    followCamera(detail, data, undefined)
    expect([...detail.importance]).toEqual([1, 1])
  })
})
