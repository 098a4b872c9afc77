import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GeomSpec, MeshSpec, Quat, ShapeSpec, Tensor, Vec3 } from '../spec.js'
import {
  geomMassProperties,
  moveMassProperties,
  rotateTensor,
  rotationMatrix,
  shapeMassProperties,
  shellShape,
  solidShape,
  sumMassProperties,
  tensorAbout,
} from './mass-properties.js'

const shapes: ShapeSpec[] = [
  { shape: 'sphere', radius: 0.7 },
  { shape: 'capsule', radius: 0.3, length: 1.1 },
  { shape: 'cylinder', radius: 0.4, length: 0.9 },
  { shape: 'box', size: [0.5, 0.8, 1.3] },
  { shape: 'ellipsoid', radii: [0.3, 0.5, 0.9] },
]

/** distance from the surface, positive inside, good enough to integrate over */
function inside(shape: ShapeSpec, x: number, y: number, z: number): boolean {
  switch (shape.shape) {
    case 'sphere':
      return x * x + y * y + z * z < shape.radius ** 2
    case 'capsule': {
      const h = Math.max(0, Math.abs(z) - shape.length / 2)
      return x * x + y * y + h * h < shape.radius ** 2
    }
    case 'cylinder':
      return x * x + y * y < shape.radius ** 2 && Math.abs(z) < shape.length / 2
    case 'box':
      return 2 * Math.abs(x) < shape.size[0] && 2 * Math.abs(y) < shape.size[1] && 2 * Math.abs(z) < shape.size[2]
    case 'ellipsoid':
      return (x / shape.radii[0]) ** 2 + (y / shape.radii[1]) ** 2 + (z / shape.radii[2]) ** 2 < 1
    default:
      return false
  }
}

/** grown by e on all sides */
function grown(shape: ShapeSpec, e: number): ShapeSpec {
  switch (shape.shape) {
    case 'sphere':
      return { ...shape, radius: shape.radius + e }
    case 'capsule':
      return { ...shape, radius: shape.radius + e }
    case 'cylinder':
      return { ...shape, radius: shape.radius + e, length: shape.length + 2 * e }
    case 'box':
      return { ...shape, size: [shape.size[0] + 2 * e, shape.size[1] + 2 * e, shape.size[2] + 2 * e] }
    case 'ellipsoid':
      return { ...shape, radii: [shape.radii[0] + e, shape.radii[1] + e, shape.radii[2] + e] }
    default:
      return shape
  }
}

describe('primitives', () => {
  it.each(shapes)('solid $shape agrees with a sum over a fine grid', (shape) => {
    const n = 100
    const reach = 1
    const step = (2 * reach) / n
    let volume = 0
    const moments = [0, 0, 0]
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        for (let k = 0; k < n; k++) {
          const [x, y, z] = [i, j, k].map((m) => -reach + (m + 0.5) * step) as [number, number, number]
          if (!inside(shape, x, y, z)) continue
          volume++
          moments[0] = (moments[0] as number) + y * y + z * z
          moments[1] = (moments[1] as number) + x * x + z * z
          moments[2] = (moments[2] as number) + x * x + y * y
        }
    const exact = solidShape(shape)
    // the grid misses the surface by part of a cell
    expect(volume * step ** 3).toBeCloseTo(exact.measure, 1)
    expect(volume * step ** 3 - exact.measure).toBeLessThan(0.05 * exact.measure)
    moments.forEach((m, k) => expect(Math.abs(m / volume / (exact.diagonal[k] as number) - 1)).toBeLessThan(0.05))
  })

  it.each(shapes)('shell of $shape is what a thin layer adds to the solid', (shape) => {
    const e = 1e-6
    const a = solidShape(shape)
    const b = solidShape(grown(shape, e))
    const shell = shellShape(shape)
    // Thomsen's area of an ellipsoid is itself good to a percent, and a layer of even growth is thinner than e at the flanks
    const area = (b.measure - a.measure) / e
    if (shape.shape !== 'ellipsoid') expect(area / shell.measure).toBeCloseTo(1, 4)
    b.diagonal.forEach((m, k) => {
      const layer = (b.measure * m - a.measure * (a.diagonal[k] as number)) / (b.measure - a.measure)
      expect(layer / (shell.diagonal[k] as number)).toBeCloseTo(1, 4)
    })
  })

  it('a mass wins over a density, and planes weigh nothing', () => {
    const box: ShapeSpec = { shape: 'box', size: [1, 2, 3] }
    expect(shapeMassProperties(box, { mass: 12, density: 99 })).toEqual({ mass: 12, com: [0, 0, 0], tensor: [13, 10, 5, 0, 0, 0] })
    expect(shapeMassProperties(box, { density: 2 }).mass).toBe(12)
    expect(shapeMassProperties({ shape: 'plane' }, { mass: 5 }).mass).toBe(0)
  })
})

const number = fc.double({ min: -2, max: 2, noNaN: true })
const quaternion = fc
  .tuple(number, number, number, number)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q as Quat)
const part = fc
  .tuple(fc.constantFrom(...shapes), fc.double({ min: 0.1, max: 5, noNaN: true }), fc.tuple(number, number, number), quaternion)
  .map(([shape, mass, position, q]) => moveMassProperties(shapeMassProperties(shape, { mass }), position as Vec3, q))

const near = (a: readonly number[], b: readonly number[]): void => a.forEach((x, k) => expect(x).toBeCloseTo(b[k] as number, 9))

describe('sums', () => {
  it('do not depend on how the parts are grouped', () => {
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const all = sumMassProperties([a, b, c])
        const stepwise = sumMassProperties([sumMassProperties([a, b]), c])
        near([all.mass, ...all.com, ...all.tensor], [stepwise.mass, ...stepwise.com, ...stepwise.tensor])
      }),
    )
  })

  it('commute with moving all parts together', () => {
    fc.assert(
      fc.property(part, part, fc.tuple(number, number, number), quaternion, (a, b, p, q) => {
        const first = moveMassProperties(sumMassProperties([a, b]), p as Vec3, q)
        const last = sumMassProperties([a, b].map((x) => moveMassProperties(x, p as Vec3, q)))
        near([...first.com, ...first.tensor], [...last.com, ...last.tensor])
      }),
    )
  })

  it('of nothing weigh nothing', () => {
    expect(sumMassProperties([])).toEqual({ mass: 0, com: [0, 0, 0], tensor: [0, 0, 0, 0, 0, 0] })
  })

  it('two halves of a box make the box', () => {
    const half = shapeMassProperties({ shape: 'box', size: [1, 2, 1.5] }, { mass: 6 })
    const halves = [-0.75, 0.75].map((z) => moveMassProperties(half, [0, 0, z], [1, 0, 0, 0]))
    near(sumMassProperties(halves).tensor, [13, 10, 5, 0, 0, 0])
  })
})

it('a tensor about a point is least about the centre of mass', () => {
  const ball = moveMassProperties(shapeMassProperties({ shape: 'sphere', radius: 1 }, { mass: 5 }), [1, 0, 0], [1, 0, 0, 0])
  expect(tensorAbout(ball, [0, 0, 0])).toEqual([2, 7, 7, -0, -0, -0].map((x) => x + 0))
})

it('a tensor turned by a quaternion keeps its trace and turns its axes', () => {
  const t: Tensor = [1, 2, 3, 0, 0, 0]
  // a quarter turn about z swaps x and y
  near(rotateTensor(rotationMatrix([1, 0, 0, 1]), t), [2, 1, 3, 0, 0, 0])
})

it('a geom is weighed in the frame of its body, meshes included', () => {
  const cube: MeshSpec = {
    name: 'cube',
    vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1],
    faces: [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5],
  }
  const meshes = new Map([['cube', cube]])
  const geom: GeomSpec = { shape: 'mesh', mesh: 'cube', density: 6, position: [0, 0, 1], quaternion: [1, 0, 0, 1] }
  const got = geomMassProperties(geom, meshes)
  near([got.mass, ...got.com, ...got.tensor], [6, -0.5, 0.5, 1.5, 1, 1, 1, 0, 0, 0])
  expect(geomMassProperties({ shape: 'sphere', radius: 1 }, meshes).mass).toBe(0)
})
