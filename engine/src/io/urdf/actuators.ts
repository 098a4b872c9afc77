/**
 * Actuators for the joints of a URDF, which has none of its own: one for each joint with an effort limit that mimics no other.
 *
 *   position   force = kp (u − q) − kd q̇,   kp = effort / (range / 5), kd = kp / 10
 *   velocity   force = kv (u − q̇),          kv = effort / speed
 *   motor      force = effort · u
 * each held to the effort. Without a range that of π rad or 1 m counts, without a speed limit 1 rad/s or 1 m/s.
 */
import type { ActuatorSpec, BodySpec, ConstraintSpec, JointSpec } from '../../build/spec.js'

export type UrdfActuation = 'position' | 'velocity' | 'motor'

const KINDS: readonly string[] = ['position', 'velocity', 'motor'] satisfies UrdfActuation[]

export function urdfActuators(
  bodies: readonly BodySpec[],
  constraints: readonly ConstraintSpec[],
  kind: UrdfActuation,
): { readonly actuators?: readonly ActuatorSpec[] } {
  if (!KINDS.includes(kind)) throw new RangeError(`actuators: expected one of ${KINDS.join(', ')}, got '${kind}'`)
  const mimics = new Set(constraints.flatMap((constraint) => (constraint.type === 'coupling' ? [constraint.joint] : [])))
  const actuators = bodies.flatMap(({ joints = [] }) =>
    joints.flatMap((joint) =>
      joint.name !== undefined && joint.forceRange && !mimics.has(joint.name) ? [actuate(joint, joint.name, kind)] : [],
    ),
  )
  return actuators.length > 0 ? { actuators } : {}
}

function actuate({ type, limits, forceRange = [0, 0], velocityLimit = 1 }: JointSpec, name: string, kind: UrdfActuation): ActuatorSpec {
  const effort = forceRange[1]
  if (kind === 'motor') return { name, joint: name, gain: [effort, 0, 0], controlRange: [-1, 1], forceRange }
  if (kind === 'velocity') {
    const kv = effort / velocityLimit
    return { name, joint: name, gain: [kv, 0, 0], bias: [0, 0, -kv], controlRange: [-velocityLimit, velocityLimit], forceRange }
  }
  const range = limits && Number.isFinite(limits[1] - limits[0]) ? limits[1] - limits[0] : type === 'prismatic' ? 1 : Math.PI
  const kp = (5 * effort) / range
  return { name, joint: name, gain: [kp, 0, 0], bias: [0, -kp, -kp / 10], ...(limits ? { controlRange: limits } : {}), forceRange }
}
