/**
 * Parts put on parts by where they are in the world.
 */
import type { BodySpec, DomainSpec } from 'limber'
import { instance, type Look } from './classes.js'
import { type Pose, within } from './pose.js'

export interface Assembly {
  readonly bodies: readonly BodySpec[]
  /** of a body in the world */
  pose(name: string): Pose
  /** A part on an interface of another one, or on the world where `on` is left out. Returns its pose. */
  add(name: string, pose: Pose, of: DomainSpec, look: Look, on?: Holder, more?: Partial<BodySpec>): Pose
}

export interface Holder {
  readonly parent: string
  readonly attach: string
}

const world: Pose = { position: [0, 0, 0], quaternion: [1, 0, 0, 0] }

export function createAssembly(): Assembly {
  const bodies: BodySpec[] = []
  const poses = new Map<string, Pose>()
  const pose = (name: string): Pose => poses.get(name) as Pose
  return {
    bodies,
    pose,
    add(name, at, of, look, on, more) {
      const placed = on ? { ...on, ...within(pose(on.parent), at) } : within(world, at)
      bodies.push({ name, ...placed, ...more, domain: instance(of, look) })
      poses.set(name, at)
      return at
    },
  }
}
