/**
 * Numbers the bodies: world first, then depth first, siblings in the order of the file, so that every subtree is a range of numbers.
 * Coordinates keep the order of the file, a parent's always before those of its children.
 */

import { placeSpec } from './geometry/segment.js'
import type { Problems } from './problems.js'
import type { PlacedBodySpec as BodySpec, Spec } from './spec.js'

export interface BodyTree {
  /** entry k is body k + 1 of the model; `at` is its index in spec.bodies */
  readonly bodies: readonly { readonly spec: BodySpec; readonly at: number; readonly parent: number }[]
  /** one past the last body of each subtree */
  readonly subtreeEnd: Int32Array
  /** numbers of the bodies in the order of the file, a parent before its children; the world first */
  readonly bodyOrder: Int32Array
  /** number of a body by name; `world` is 0 */
  readonly index: ReadonlyMap<string, number>
}

export function orderBodies(spec: Spec, problems: Problems): BodyTree {
  const at = new Map<string, number>()
  spec.bodies.forEach((body, k) => {
    if (typeof body.name !== 'string' || body.name === '')
      problems.add(`bodies/${k}/name`, 'expected a name, got none; give every body a name')
    else if (body.name === 'world') problems.add(`bodies/${k}/name`, "the name 'world' is taken by the ground; choose another")
    else if (at.has(body.name))
      problems.add(
        `bodies/${k}/name`,
        `expected a unique name, got '${body.name}' again (first at bodies/${at.get(body.name)}); rename one`,
      )
    else at.set(body.name, k)
  })

  // in the order of the file, but a parent before its children
  const order: number[] = []
  const placed = new Uint8Array(spec.bodies.length)

  // those that are driven come last: the coordinates of a robot stay what they are without them
  const rank = (k: number): number => Number(spec.bodies[k].driven === true)
  const wanted = [...spec.bodies.keys()].sort((a, b) => rank(a) - rank(b))

  wanted.forEach((first) => {
    // climb to the nearest ancestor that has its place, then take the way back down
    const way: number[] = []
    const climbing = new Set<number>()
    let k: number | undefined = first
    while (k !== undefined && placed[k] === 0) {
      if (climbing.has(k)) {
        const names = way.slice(way.indexOf(k)).map((b) => spec.bodies[b].name)
        problems.add(`bodies/${k}/parent`, `expected a tree, got a cycle: ${cycleOf(names)}; close loops with a constraint`)
        for (const b of way) placed[b] = 2
        return
      }
      climbing.add(k)
      way.push(k)
      const parent: string = spec.bodies[k].parent ?? 'world'
      if (parent === 'world') break
      const next = at.get(parent)
      if (next === undefined) {
        problems.add(
          `bodies/${k}/parent`,
          `expected the name of a body, got '${parent}'${suggestParent(problems, parent, spec.bodies[k].name, at)}`,
        )
        for (const b of way) placed[b] = 2
        return
      }
      k = next
    }
    if (k !== undefined && placed[k] === 2) {
      for (const b of way) placed[b] = 2
      return
    }
    for (const b of way.reverse()) {
      order.push(b)
      placed[b] = 1
    }
  })
  return numberBodies(spec, order, at)
}

/** Depth first over entries of spec.bodies that are given in order, a parent before its children; `at` finds them by name. */
function numberBodies(given: Spec, order: readonly number[], at: ReadonlyMap<string, number>): BodyTree {
  const spec = placeSpec(given)
  const roots: number[] = []
  const children: number[][] = spec.bodies.map(() => [])
  for (const b of order) {
    const parent = at.get(spec.bodies[b].parent ?? 'world')
    const siblings = parent === undefined ? roots : children[parent]
    siblings.push(b)
  }

  // with a stack: chains nest deep
  const index = new Map<string, number>([['world', 0]])
  const bodies: { spec: BodySpec; at: number; parent: number }[] = []
  const stack = roots.toReversed()
  for (let b = stack.pop(); b !== undefined; b = stack.pop()) {
    const body = spec.bodies[b]
    bodies.push({ spec: body, at: b, parent: index.get(body.parent ?? 'world') ?? 0 })
    // one without a name is reported above
    if (typeof body.name === 'string') index.set(body.name, bodies.length)
    for (const child of children[b].toReversed()) stack.push(child)
  }

  const subtreeEnd = Int32Array.from({ length: bodies.length + 1 }, (_, i) => i + 1)
  for (let i = bodies.length; i > 0; i--) {
    const { parent } = bodies[i - 1]
    subtreeEnd[parent] = Math.max(subtreeEnd[parent], subtreeEnd[i])
  }
  const number = new Map(bodies.map(({ at }, k) => [at, k + 1]))
  return { bodies, index, subtreeEnd, bodyOrder: Int32Array.from([0, ...order.map((b) => number.get(b) ?? 0)]) }
}

/** A long way round is told by its beginning. */
function cycleOf(names: readonly string[]): string {
  const most = 8
  return [...names.slice(0, most), ...(names.length > most ? ['…'] : []), names[0]].join(' → ')
}

/** The nearest name but the body's own, or what else to do. */
function suggestParent(problems: Problems, parent: string, own: string, at: ReadonlyMap<string, number>): string {
  const others = function* (): Generator<string> {
    for (const name of at.keys()) if (name !== own) yield name
  }
  return problems.suggest(parent, others()) || `; add that body, or take 'world'`
}
