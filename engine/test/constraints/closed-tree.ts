/**
 * Random trees with random loops, couplings and motions, closed where they start: the same for the same seed.
 */
import { buildModel, type ConstraintSpec, createData, createState, forwardKinematics, type Model, type Spec, type Vec3 } from 'limber'
import { randomSpec, type TreeOptions } from '../conformance/random-tree.js'
import { createRandom, type Random } from '../random.js'

export const LOOPS = ['point', 'axes', 'hinge', 'planar', 'weld', 'distance'] as const
export type LoopKind = (typeof LOOPS)[number]

export interface ClosedTreeOptions extends TreeOptions {
  readonly loops: number
  /** default: all */
  readonly kinds?: readonly LoopKind[]
  /** each loop is there twice */
  readonly twice?: boolean
  /** a coupling and motions, besides the loops; default true */
  readonly driven?: boolean
  /** no end of a loop in the world */
  readonly inside?: boolean
}

export function closedTree(options: ClosedTreeOptions): { readonly spec: Spec; readonly model: Model; readonly random: Random } {
  const random = createRandom(options.seed)
  const tree = randomSpec(options, random)
  // names, to refer to
  const spec: Spec = {
    ...tree,
    bodies: tree.bodies.map((body) => ({
      ...body,
      joints: (body.joints ?? []).map((joint, j) => ({ ...joint, name: `${body.name} ${j}` })),
    })),
  }
  const open = buildModel(spec)
  const data = createData(open)
  const state = createState(open)
  forwardKinematics(open, data, state.q, state.v)
  const count = spec.bodies.length

  /** A point, or a direction, of the world as a body sees it. */
  const seen = (name: string, x: Vec3, isPoint: boolean): Vec3 => {
    const o =
      12 *
      Math.max(
        0,
        open.bodies.findIndex((body) => body.name === name),
      )
    const d = x.map((value, r) => value - (isPoint ? data.X_WB[o + 9 + r] : 0))
    const column = (c: number): number => data.X_WB[o + c] * d[0] + data.X_WB[o + 3 + c] * d[1] + data.X_WB[o + 6 + c] * d[2]
    return [column(0), column(1), column(2)]
  }
  const constraints: ConstraintSpec[] = []
  for (let k = 0; k < options.loops; k++) {
    const type = random.pick(options.kinds ?? LOOPS)
    const first = random.below(count)
    const second = random.below(count)
    const a = `b${first}`
    const b = second === first || (!options.inside && random.unit() < 0.2) ? 'world' : `b${second}`
    const at = random.vec3(1)
    const axis = random.axis()
    const ends = { a: { body: a, point: seen(a, at, true) }, b: { body: b, point: seen(b, at, true) } }
    const name = `${type} ${k}`
    const loop = ((): ConstraintSpec => {
      if (type === 'weld') return { name, type, a, b }
      if (type === 'distance') return { name, type, a: { body: a, point: random.vec3(0.3) }, b: { body: b, point: random.vec3(0.3) } }
      if (type === 'planar') return { name, type, ...ends, normal: seen(a, axis, false) }
      if (type === 'hinge')
        return { name, type, a: { ...ends.a, axis: seen(a, axis, false) }, b: { ...ends.b, axis: seen(b, axis, false) } }
      return { name, type: 'point', ...ends, ...(type === 'axes' ? { axes: [axis] } : {}) }
    })()
    constraints.push(loop)
    if (options.twice) constraints.push({ ...loop, name: `${name} again` })
  }
  if (options.driven ?? true) {
    const single = open.joints.filter(({ nv, type }) => nv === 1 && type !== 'helical')
    if (single.length > 1) {
      const [joint, of] = [single[0].name, single[single.length - 1].name]
      constraints.push({ name: 'gear', type: 'coupling', joint, of, polynomial: [0, random.spread(2), random.spread(1), random.spread(1)] })
    }
    const last = `b${count - 1}`
    if (random.unit() < 0.5)
      constraints.push({ name: 'place', type: 'motion', body: last, direction: random.axis(), amplitude: 0.2, frequency: 0.7 })
    else constraints.push({ name: 'turn', type: 'motion', body: last, axis: random.axis(), speed: 0.4, amplitude: 0.1, frequency: 0.5 })
  }
  const closed = { ...spec, constraints }
  return { spec: closed, model: buildModel(closed), random }
}
