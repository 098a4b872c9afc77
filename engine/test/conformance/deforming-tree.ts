/** Random mechanisms with bodies that deform, and the same without modes where there is one. */
import { type AttachSpec, type BodySpec, buildModel, createData, type DeformationSpec, type Spec } from 'limber'
import { poisonData } from '../../src/model/data.js'
import { createRandom, type Random } from '../random.js'
import { type RandomTree, randomSpec, randomState, type TreeOptions } from './random-tree.js'

/**
 * Every other body has one to three modes over five points; frames of children follow all five, three of them, which is a planar interface, or
 * are shifted with one, but for some that stay.
 */
export function deformingTree(seed: number, bodies: number, options: Partial<TreeOptions> = {}): RandomTree {
  const random = createRandom(seed)
  const spec = deform(randomSpec({ seed, bodies, ...options }, random), random)
  const model = buildModel(spec)
  const data = createData(model)
  poisonData(data, model)
  return { spec, model, data, state: randomState(model, random), random }
}

/** The same bodies, of which the first and about half of the others deform. */
export function deform(spec: Spec, random: Random): Spec {
  const counts = new Map(spec.bodies.map((body) => [body.name, random.unit() < 0.5 ? 1 + random.below(3) : 0]))
  counts.set(spec.bodies[0].name, 2)
  return {
    ...spec,
    bodies: spec.bodies.map((body): BodySpec => {
      const own = counts.get(body.name) ?? 0
      const above = counts.get(body.parent ?? 'world') ?? 0
      return {
        ...body,
        ...(own > 0 ? { deformation: deformation(random, own) } : {}),
        ...(above > 0 && random.unit() < 0.8 ? { attach: random.pick(ATTACHMENTS) } : {}),
      }
    }),
  }
}

/** near these, so that no three are nearly on one line */
const CORNERS = [
  [0.3, 0.3, 0.3],
  [0.3, -0.3, -0.3],
  [-0.3, 0.3, -0.3],
  [-0.3, -0.3, 0.3],
  [0, 0, 0],
] as const
const ATTACHMENTS: readonly AttachSpec[] = [
  { points: [0, 1, 2, 3, 4] },
  { points: [0, 1, 2, 3, 4] },
  { points: [0, 2, 3] },
  { points: [4, 1, 2] },
  { vertex: 3 },
]

/** Shapes are turns with a little else, and stiff enough to carry their weight, so that no interface is turned inside out. */
function deformation(random: Random, modes: number): DeformationSpec {
  const points = CORNERS.map((corner) => {
    const [x, y, z] = random.vec3(0.1)
    return { mass: random.between(0.1, 0.5), position: [corner[0] + x, corner[1] + y, corner[2] + z] as const }
  })
  return {
    points,
    modes: Array.from({ length: modes }, () => {
      const shift = random.vec3(0.3)
      const [a, b, c] = random.vec3(1)
      return {
        shape: points.map(({ position: [x, y, z] }) => {
          const [u, v, w] = random.vec3(0.03)
          return [shift[0] + b * z - c * y + u, shift[1] + c * x - a * z + v, shift[2] + a * y - b * x + w]
        }),
        stiffness: random.between(20, 60),
        initial: random.spread(0.2),
      }
    }),
  }
}
