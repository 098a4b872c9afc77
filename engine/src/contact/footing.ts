/**
 * What will fall: mechanisms on a free joint under gravity that nothing holds and that cannot touch the ground, or what stands on it. People
 * should hear of it before they watch it.
 */
import { jointTypes } from '../joints/index.js'
import { ACTUATOR_SITE, type Model } from '../model/model.js'
import { FIELD } from '../model/shapes.js'
import { mayTouch } from './may-touch.js'

/** A mechanism by its first body, and its shapes. */
interface Falling {
  readonly root: number
  readonly own: readonly number[]
}

/** One sentence a cause; empty where all that is free has something to stand on, or nothing pulls. */
export function withoutFooting(m: Model): string[] {
  if (m.gravity.every((g) => g === 0)) return []
  const trees = freeTrees(m)
  if (trees.length === 0) return []
  const { shapes: g } = m
  const held = heldTrees(m)
  const still: number[] = []
  for (let k = 0; k < g.count; k++) if (g.group[g.body[k]] === 0) still.push(k)
  const shapes = shapesByBody(m)
  const loose: Falling[] = []
  const standing: number[] = []
  for (const root of trees) {
    const own: number[] = []
    for (let i = root; i < m.subtreeEnd[root]; i++) own.push(...shapes[i])
    if (held[root] === 1 || meets(m, own, still)) standing.push(...own)
    else loose.push({ root, own })
  }
  // on what stands itself
  const falling = loose.filter(({ own }) => !meets(m, own, standing))
  return sentences(m, falling, still.length > 0)
}

function sentences(m: Model, falling: readonly Falling[], ground: boolean): string[] {
  const causes: readonly (readonly [cause: string, applies: (f: Falling) => boolean])[] = [
    [
      'it has no shape that can touch (one with contype and conaffinity 0 does not, nor a flat mesh); give it spheres, capsules or boxes',
      ({ own }) => own.length === 0,
    ],
    [
      'there is no ground that can touch (a plane with contype and conaffinity 0 does not); add a plane to the world, or take gravity away',
      () => !ground,
    ],
    [
      'none of its shapes may touch the ground; check contype and conaffinity (category and mask), pairs, exclude, and which shapes meet',
      () => true,
    ],
  ]
  const list: string[] = []
  let rest = falling
  for (const [cause, applies] of causes) {
    const found = rest.filter(applies)
    rest = rest.filter((f) => !applies(f))
    if (found.length === 0) continue
    const more = found.length > 1 ? ` (and ${found.length - 1} more)` : ''
    list.push(`'${m.bodies[found[0].root].name}'${more} will fall: ${cause}`)
  }
  return list
}

/** Bodies on a free joint in the world that have mass and weight. */
function freeTrees(m: Model): number[] {
  const found: number[] = []
  for (let i = 1; i < m.nbody; i++) {
    const free = m.parent[i] === 0 && m.ijEnd[i] > m.ij[i] && jointTypes[m.jointType[m.ij[i]]].absolute
    if (free && m.gravityCompensation[i] < 1) found.push(i)
  }
  return found
}

/** 1 for trees, by their first bodies, that something else than contact may hold up: what joins them to others, loads, thrusters, obstacles. */
function heldTrees(m: Model): Int32Array {
  const held = new Int32Array(m.nbody)
  const root = new Int32Array(m.nbody)
  for (let i = 1; i < m.nbody; i++) root[i] = m.parent[i] === 0 ? i : root[m.parent[i]]
  const join = (a: number, b: number): void => {
    if (a < 0 || b < 0 || root[a] === root[b]) return
    held[root[a]] = 1
    held[root[b]] = 1
  }
  const { constraints: c, springs, tendons, loads, actuators, penalty } = m
  for (let k = 0; k < c.count; k++) if (c.active[k] !== 0) join(c.bodyA[k], c.bodyB[k])
  for (let k = 0; k < springs.count; k++) join(springs.bodyA[k], springs.bodyB[k])
  for (let k = 0; k < tendons.count; k++) {
    for (let e = tendons.pathStart[k] + 1; e < tendons.pathStart[k + 1]; e++) join(tendons.pathBody[e - 1], tendons.pathBody[e])
  }
  const push = (i: number): void => join(i, 0)
  loads.body.forEach(push)
  loads.moving.body.forEach(push)
  for (let k = 0; k < actuators.count; k++) if (actuators.kind[k] === ACTUATOR_SITE) push(actuators.target[k])
  if (penalty.obstacles > 0) penalty.body.forEach(push)
  return held
}

function shapesByBody({ nbody, shapes: g }: Model): number[][] {
  const list: number[][] = Array.from({ length: nbody }, () => [])
  for (let k = 0; k < g.count; k++) list[g.body[k]].push(k)
  return list
}

/** Whether some pair of the two lists may touch. */
function meets({ shapes: g }: Model, a: readonly number[], b: readonly number[]): boolean {
  for (const i of a) for (const j of b) if (mayTouch(g, i, j) && (g.shape[i] > FIELD || g.shape[j] > FIELD)) return true
  return false
}
