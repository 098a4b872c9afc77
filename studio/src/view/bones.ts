/**
 * Bones: rods from bodies without shapes to their parents, so that every link is seen.
 */
import type { Spec } from 'limber'
import type { Bone } from './lines.js'
import { hasBone, linkColor, type Shape } from './shapes.js'

/** For bodies that have nothing to show but the dot of their joint. */
export function bonesOf(spec: Spec, index: ReadonlyMap<string, number>, shapes: readonly Shape[]): Bone[] {
  const own = new Set(spec.bodies.filter(({ geoms = [] }) => geoms.some(({ visible }) => visible !== false)).map(({ name }) => name))
  // where no body has a shape the dots alone would not tell what hangs on what
  const bare = own.size === 0
  const boxed = new Set(shapes.filter(({ alpha }) => alpha < 1).map(({ body }) => body))
  return spec.bodies.flatMap((body) => {
    const { name, parent = 'world' } = body
    const i = index.get(name) ?? 0
    const p = index.get(parent) ?? 0
    if (own.has(name) || boxed.has(i) || body.domain || p === 0 || !(bare || hasBone(body))) return []
    return [{ a: { body: i, point: [0, 0, 0] as const }, b: { body: p, point: [0, 0, 0] as const }, color: linkColor(i) }]
  })
}
