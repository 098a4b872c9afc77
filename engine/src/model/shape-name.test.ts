import { describe, expect, it } from 'vitest'
import { shapeAt, shapeName } from './shape-name.js'

const geoms = [{ shape: 'box' }, { shape: 'sphere' }, { shape: 'box' }, { shape: 'box', name: 'foot' }]

describe('what shapes are called', () => {
  it('counts those of a kind in a body, unless they have a name', () => {
    expect(geoms.map((_, k) => shapeName(geoms, k, 'crate'))).toEqual([
      "box 1 of body 'crate'",
      "sphere 1 of body 'crate'",
      "box 2 of body 'crate'",
      "shape 'foot'",
    ])
    expect(shapeName([{ shape: 'plane', name: '' }], 0, undefined)).toBe('plane 1 of the world')
    expect(shapeName(geoms, 2, 'crate', { line: 7, column: 3 })).toBe("box 2 of body 'crate' (line 7)")
    expect(shapeName(geoms, 3, 'crate', { file: 'a.xml', line: 7, column: 3 })).toBe("shape 'foot' (a.xml:7)")
  })

  it('finds them along a path, and nothing where a document holds none', () => {
    const spec = { bodies: [{ name: 'a' }, { name: 'b', geoms }], world: { geoms: [{ shape: 'plane' }] } }
    expect(shapeAt(spec, 'bodies/1/geoms/2/size')).toBe("box 2 of body 'b'")
    expect(shapeAt(spec, 'world/geoms/0')).toBe('plane 1 of the world')
    for (const path of ['bodies/0/geoms/0', 'bodies/1/geoms/4', 'bodies/7/geoms/0', 'bodies/1', 'springs/0/geoms/0']) {
      expect(shapeAt(spec, path), path).toBe('')
    }
    for (const broken of [
      {},
      { bodies: 3 },
      { bodies: [null] },
      { bodies: [{ geoms: [null] }] },
      { bodies: [{ geoms: [{ shape: 4 }] }] },
    ]) {
      expect(shapeAt(broken, 'bodies/0/geoms/0'), JSON.stringify(broken)).toBe('')
    }
  })
})
