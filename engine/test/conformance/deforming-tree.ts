/** Random mechanisms with bodies that deform, and the same without modes where there is one. */
import { type BodySpec, buildModel, createData, type ModeSpec, type Spec, type Vec3 } from 'limber'
import { poisonData } from '../../src/model/data.js'
import { createRandom, type Random } from '../random.js'
import { type RandomTree, randomSpec, randomState, type TreeOptions } from './random-tree.js'

/** Every other body has one to three modes over five points; frames of children shift and turn with them, but for some that stay. */
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
        ...(own > 0 ? { deformation: { points: points(random), modes: Array.from({ length: own }, () => mode(random)) } } : {}),
        ...(above > 0 && random.unit() < 0.8
          ? { frameShapes: Array.from({ length: above }, () => ({ translation: random.vec3(0.5), rotation: random.vec3(0.5) })) }
          : {}),
      }
    }),
  }
}

const POINTS = 5

function points(random: Random): { mass: number; position: Vec3 }[] {
  return Array.from({ length: POINTS }, () => ({ mass: random.between(0.1, 0.5), position: random.vec3(0.4) }))
}

function mode(random: Random): ModeSpec {
  return { shape: Array.from({ length: POINTS }, () => random.vec3(1)), stiffness: random.between(1, 20), initial: random.spread(0.2) }
}
