/**
 * Rigid groups of bodies, and which of them are neighbours across a joint.
 *
 * Bodies that are fixed to each other are one group; groups that a joint connects never touch. All that is fixed to the world is one group
 * with it, and a robot must be able to touch the floor. So of what is fixed to the world only the base counts as a neighbour: the bodies
 * that hang together without the world between them. A free joint connects nothing.
 */
import type { BodySpec } from './spec.js'

interface TreeBody {
  readonly spec: Pick<BodySpec, 'joints' | 'driven'>
  /** number of the parent: 0 is the world, k + 1 the body at k */
  readonly parent: number
}

export interface RigidGroups {
  /** first body of the group of each body, 0 for what is fixed to the world */
  readonly group: Int32Array
  /** first body of the base that a body fixed to the world belongs to; 0 for the world itself and for what moves */
  readonly base: Int32Array
  /** the group that each body's group is jointed to, −1 for what is fixed to the world */
  readonly parentGroup: Int32Array
  /** base that each body's group is jointed to, 0 for none */
  readonly parentBase: Int32Array
}

export function rigidGroups(bodies: readonly TreeBody[]): RigidGroups {
  const nbody = bodies.length + 1
  const [group, base, parentBase] = [new Int32Array(nbody), new Int32Array(nbody), new Int32Array(nbody)]
  const parentGroup = new Int32Array(nbody).fill(-1)
  bodies.forEach(({ spec: { joints = [], driven }, parent }, k) => {
    const i = k + 1
    // what is driven touches neither the world nor others of its kind: nothing could give way
    if (!driven && joints.some(({ type }) => type !== 'fixed')) {
      group[i] = i
      parentGroup[i] = group[parent]
      parentBase[i] = joints.some(({ type }) => type === 'free') ? 0 : base[parent]
      return
    }
    group[i] = group[parent]
    parentGroup[i] = parentGroup[parent]
    parentBase[i] = parentBase[parent]
    if (group[i] === 0) base[i] = driven || parent === 0 ? i : base[parent]
  })
  return { group, base, parentGroup, parentBase }
}

/** Pairs of bodies with solid shapes, of a base fixed to the world and of a group that is jointed to it. Parents come before their children. */
export function* fixedNeighbours(bodies: readonly BodySpec[]): Generator<readonly [string, string]> {
  const numbers = new Map(bodies.map(({ name }, k) => [name, k + 1]))
  const { base, parentBase } = rigidGroups(bodies.map((spec) => ({ spec, parent: numbers.get(spec.parent ?? 'world') ?? 0 })))
  const solid = (k: number): boolean => (bodies[k].geoms ?? []).some(({ collide }) => collide !== false)
  const bases = new Map<number, string[]>()
  for (const [k, { name }] of bodies.entries()) {
    const first = base[k + 1]
    if (first === 0 || !solid(k)) continue
    const own = bases.get(first)
    if (own) own.push(name)
    else bases.set(first, [name])
  }
  for (const [k, { name }] of bodies.entries()) {
    const others = bases.get(parentBase[k + 1])
    if (others && solid(k)) for (const other of others) yield [other, name]
  }
}
