/**
 * Parts that the linkages share.
 */
import type { ConstraintSpec, GeomSpec } from 'limber'

/** A flat bar from the body's origin along x, of steel. */
export function barAlongX(length: number, width: number, color: NonNullable<GeomSpec['color']>): GeomSpec {
  return { shape: 'box', size: [length, width, width], position: [length / 2, 0, 0], density: 7800, color, collide: false }
}

/** A motor that turns a joint at constant speed from its start; none at speed 0. */
export function drive(joint: string, start: number, speed: number): ConstraintSpec[] {
  return speed === 0 ? [] : [{ type: 'motion', name: `${joint}-motor`, joint, offset: start, speed }]
}
