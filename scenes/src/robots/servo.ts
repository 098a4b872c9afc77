/**
 * A motor that holds its joint at the angle or place it is told.
 */
import type { ActuatorSpec } from 'limber'

export function servo(joint: string, stiffness: number, damping: number, range: readonly [number, number], most = Infinity): ActuatorSpec {
  return {
    name: joint,
    joint,
    gain: [stiffness, 0, 0],
    bias: [0, -stiffness, -damping],
    controlRange: range,
    ...(Number.isFinite(most) ? { forceRange: [-most, most] as const } : {}),
  }
}
