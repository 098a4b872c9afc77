import type { Spec } from 'limber'
import { Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { listShapes, standIns } from './shapes.js'

const spec: Spec = { bodies: [{ name: 'a', geoms: [{ shape: 'sphere', radius: 1 }] }, { name: 'b' }, { name: 'c' }] }
const index = new Map([
  ['world', 0],
  ['a', 1],
  ['b', 2],
  ['c', 3],
])
// the world and c have no inertia
const boxes = new Float64Array(15 * 4)
boxes.set([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1], 15)
boxes.set([1, 2, 3, 0, -1, 0, 1, 0, 0, 0, 0, 1, 4, 2, 0], 30)

describe('standIns', () => {
  it('gives bodies without a shape the box of their inertia, and no other', () => {
    const found = standIns(listShapes(spec, index), boxes, 4)
    expect(found.map(({ body }) => body)).toEqual([2])
    const corner = new Vector3(0.5, 0.5, 0.5).applyMatrix4(found[0].matrix)
    // edges 4 and 2 turned about z; one of no length is still seen
    expect([corner.x, corner.y, corner.z].map((x) => Number(x.toFixed(9)))).toEqual([0, 4, 3.04])
  })

  it('takes the place of dots', () => {
    const bare: Spec = { bodies: [{ name: 'a' }, { name: 'b' }] }
    expect(listShapes(bare, index)).toHaveLength(2)
    expect(standIns(listShapes(bare, index, false, false), boxes, 3).map(({ body }) => body)).toEqual([1, 2])
  })
})
