/**
 * How a robot stands in the world. URDF does not say: its root link is fixed to the ground for an arm, and free for what walks, rolls or flies.
 */
import { addProblem } from '../xml.js'
import type { UrdfContext, UrdfJoint } from './context.js'

export type UrdfBase = 'free' | 'fixed'

const BASES: readonly string[] = ['free', 'fixed'] satisfies UrdfBase[]

export function checkBase(base: UrdfBase | undefined): void {
  if (base !== undefined && !BASES.includes(base)) throw new RangeError(`base: expected one of ${BASES.join(', ')}, got '${base}'`)
}

/**
 * How a link on the ground is joined to it: `free`, `fixed`, or `file`, as the file has it. `joint` is the one that leads to the link, none for
 * the root.
 */
export function groundJoint(
  context: UrdfContext,
  link: string,
  joint: UrdfJoint | undefined,
  base: UrdfBase | undefined,
): UrdfBase | 'file' {
  if (base === undefined || link === 'world' || (joint && joint.parent !== 'world')) return 'file'
  const type = joint?.type ?? 'fixed'
  if (base === 'fixed') return type === 'floating' ? 'fixed' : 'file'
  if (type === 'fixed') return 'free'
  if (joint && type !== 'floating') {
    const message = `base 'free': expected a root link, or one fixed to the ground, got link '${link}' on the ground by joint '${joint.name}' (${type})`
    addProblem(context.reader, joint.element, `${message}; leave base out, or give the robot a link of its own below that joint`)
  }
  return 'file'
}
