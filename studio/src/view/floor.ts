/**
 * Where to draw the ground.
 */
import type { GeomSpec, Spec } from 'limber'

/** A level plane of the world: drawn as the ground, with a grid, and not as a sheet. */
export function isGround(geom: GeomSpec): boolean {
  const [, x, y] = geom.quaternion ?? [1, 0, 0, 0]
  return geom.shape === 'plane' && Math.hypot(x, y) < 1e-9
}

/** Height of the ground: the model's own, else zero or the lowest drawn point. */
export function groundHeight(spec: Spec, lowest: number): number {
  const ground = spec.world?.geoms?.find(isGround)
  return ground ? (ground.position?.[2] ?? 0) : Math.min(0, lowest)
}
