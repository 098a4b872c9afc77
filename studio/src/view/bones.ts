/**
 * Bones: rods from bodies without shapes to their parents, so that every link is seen.
 */
import type { Spec, Vec3 } from 'limber'
import type { BodyPoint } from '../worker/protocol.js'
import type { Bone } from './lines.js'
import { hasBone, linkColor, type Shape } from './shapes.js'

const at = (body: number, point: Vec3 = [0, 0, 0]): BodyPoint => ({ body, point })

/** For bodies that have nothing to show but the dot of their joint. */
export function bonesOf(spec: Spec, index: ReadonlyMap<string, number>, shapes: readonly Shape[]): Bone[] {
  const own = new Set(spec.bodies.filter(({ geoms = [] }) => geoms.some(({ visible }) => visible !== false)).map(({ name }) => name))
  // where no body has a shape the dots alone would not tell what hangs on what
  const bare = own.size === 0
  const parents = new Set(spec.bodies.map(({ parent = 'world' }) => parent))
  const boxed = new Set(shapes.filter(({ alpha }) => alpha < 1).map(({ body }) => body))
  return spec.bodies.flatMap((body) => {
    const { name, parent = 'world' } = body
    const i = index.get(name) ?? 0
    const p = index.get(parent) ?? 0
    if (own.has(name) || boxed.has(i) || body.domain) return []
    const color = linkColor(i)
    // what lies between two joints moves with the first
    const up = p === 0 || !(bare || hasBone(body)) ? [] : [{ a: at(i), b: at(p), color: linkColor(p) }]
    // the last link of a chain has no joint to end at: it reaches to where its weight is
    const weight = body.inertia?.com
    const isLast = weight && Math.hypot(...weight) > 1e-6 && !parents.has(name)
    return isLast && (bare || hasBone(body)) ? [...up, { a: at(i), b: at(i, weight), color }] : up
  })
}
