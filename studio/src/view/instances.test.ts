import type { Spec } from 'limber'
import { Color, type InstancedMesh, Matrix4, Vector3 } from 'three'
import { describe, expect, it } from 'vitest'
import { createInstances } from './instances.js'
import { listShapes } from './shapes.js'

/** so many bodies in a row along x, a metre apart, each a ball with a small one on it */
function row(count: number) {
  const bodies = Array.from({ length: count }, (_, k) => ({
    name: `b${k}`,
    geoms: [
      { shape: 'sphere', radius: 0.2, color: [1, 0, 0, 1] },
      { shape: 'sphere', radius: 0.02, position: [0, 0, 0.2], color: [0, 0, 1, 1] },
    ],
  })) as Spec['bodies']
  const index = new Map(bodies.map(({ name }, k) => [name, k + 1]))
  const frames = new Float64Array(12 * (count + 1))
  for (let i = 0; i <= count; i++) frames.set([1, 0, 0, 0, 1, 0, 0, 0, 1, i - 1, 0, 0], 12 * i)
  return { instances: createInstances(listShapes({ bodies }, index), { shadows: false, coarse: false }), frames }
}
const counts = (meshes: readonly InstancedMesh[]) => meshes.map(({ count }) => count)
const facets = ({ geometry }: InstancedMesh) => (geometry.index?.count ?? 0) / 3
const eye = { position: new Vector3(-5, 0, 0), focal: 1000 }

describe('createInstances', () => {
  it('draws few shapes in full, from wherever one looks', () => {
    const { instances, frames } = row(100)
    instances.update(frames, eye)
    expect(counts(instances.meshes)).toEqual([200])
  })

  it('draws many by their size in the picture: far ones with few facets, small ones that are far not at all', () => {
    const { instances, frames } = row(300)
    instances.update(frames, eye)
    const [full, rough] = instances.meshes
    expect(facets(full)).toBeGreaterThan(5 * facets(rough))
    // a ball of 0.2 m has six pixels at 33 m, and a small one 0.8 at 25 m; those of facets are a little smaller
    expect(full.count).toBeGreaterThan(25)
    expect(full.count).toBeLessThan(30)
    const small = full.count + rough.count - 300
    expect(small).toBeGreaterThan(18)
    expect(small).toBeLessThan(23)
    // without an eye there is nothing to measure by
    instances.update(frames)
    expect(counts(instances.meshes)).toEqual([600, 0])
  })

  it('knows the body and the colour of an instance whatever is drawn', () => {
    const { instances, frames } = row(300)
    instances.paint((body) => (body === 200 ? new Color(0, 1, 0) : undefined))
    instances.update(frames, eye)
    const [, rough] = instances.meshes
    const at = new Matrix4()
    const color = new Color()
    for (let k = 0; k < rough.count; k++) {
      rough.getMatrixAt(k, at)
      rough.getColorAt(k, color)
      const body = instances.bodyOf(rough, k)
      expect(at.elements[12]).toBe(body - 1)
      const small = at.elements[0] < 0.1
      expect(color.toArray()).toEqual(body === 200 ? [0, 1, 0] : small ? [0, 0, 1] : [1, 0, 0])
    }
  })
})
