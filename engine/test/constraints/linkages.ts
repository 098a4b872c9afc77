/**
 * Closed linkages as specs: trees of bodies with constraints that close them.
 */
import type { BodySpec, ConstraintSpec, Quat, Spec, Vec3 } from '../../src/build/spec.js'

const bar = (length: number) => ({ mass: 1, com: [length / 2, 0, 0] as const, tensor: [0.01, 0.1, 0.1, 0, 0, 0] as const })

/** A bar along x that turns about y at `position` of its parent. */
function turning(name: string, parent: string, position: Vec3, length: number, angle: number): BodySpec {
  return { name, parent, position, inertia: bar(length), joints: [{ name, type: 'revolute', axis: [0, 1, 0], initial: angle }] }
}

/** Crank, coupler and rocker of these lengths over a base of length d in the plane x z; angles are turns down from the parent's x. */
export function fourBar(
  lengths: readonly [number, number, number],
  d: number,
  angles: readonly [number, number, number],
  closure: 'point' | 'hinge' = 'point',
): Spec {
  const [a, b, c] = lengths
  const bodies = [
    turning('crank', 'world', [0, 0, 0], a, angles[0]),
    turning('coupler', 'crank', [a, 0, 0], b, angles[1]),
    turning('rocker', 'coupler', [b, 0, 0], c, angles[2]),
  ]
  const tip = { body: 'rocker', point: [c, 0, 0] as const }
  const base = { body: 'world', point: [d, 0, 0] as const }
  const close: ConstraintSpec =
    closure === 'point'
      ? { name: 'loop', type: 'point', a: tip, b: base }
      : { name: 'loop', type: 'hinge', a: { ...tip, axis: [0, 1, 0] }, b: { ...base, axis: [0, 1, 0] } }
  return { bodies, constraints: [close] }
}

export const parallelogram = (angle: number): Spec => fourBar([1, 2, 1], 2, [angle, -angle, Math.PI + angle])

/** Crank of 0.5, rod of 1.5, slider along x. */
export function sliderCrank(crank: number, rod: number, slider: number): Spec {
  return {
    bodies: [
      turning('crank', 'world', [0, 0, 0], 0.5, crank),
      turning('rod', 'crank', [0.5, 0, 0], 1.5, rod),
      { name: 'slider', inertia: bar(0.2), joints: [{ name: 'slider', type: 'prismatic', axis: [1, 0, 0], initial: slider }] },
    ],
    constraints: [{ name: 'pin', type: 'point', a: { body: 'rod', point: [1.5, 0, 0] }, b: { body: 'slider' } }],
  }
}

/** Six legs of a universal and a prismatic joint under a free plate. */
export function stewart(): Spec {
  const bodies: BodySpec[] = []
  const constraints: ConstraintSpec[] = []
  const height = 1.2
  for (let k = 0; k < 6; k++) {
    const at = (radius: number, spread: number): Vec3 => {
      const angle = (Math.PI / 3) * (k - (k % 2)) + (k % 2 === 0 ? -spread : spread)
      return [radius * Math.cos(angle), radius * Math.sin(angle), 0]
    }
    const foot = at(1, 0.25)
    const tip = at(0.6, 0.7)
    const along: Vec3 = [tip[0] - foot[0], tip[1] - foot[1], height]
    bodies.push(
      {
        name: `foot${k}`,
        position: foot,
        quaternion: turnFromZ(along),
        inertia: { mass: 1, com: [0, 0, 0.3], tensor: [0.05, 0.05, 0.01, 0, 0, 0] },
        joints: [{ type: 'universal' }],
      },
      {
        name: `leg${k}`,
        parent: `foot${k}`,
        position: [0, 0, 0.5],
        inertia: { mass: 0.5, com: [0, 0, 0.2], tensor: [0.02, 0.02, 0.01, 0, 0, 0] },
        joints: [{ name: `leg${k}`, type: 'prismatic' }],
      },
    )
    constraints.push({
      name: `ball${k}`,
      type: 'point',
      a: { body: `leg${k}`, point: [0, 0, Math.hypot(...along) - 0.5] },
      b: { body: 'plate', point: tip },
    })
  }
  bodies.push({ name: 'plate', position: [0, 0, height], inertia: { mass: 5, tensor: [0.5, 0.5, 1, 0, 0, 0] }, joints: [{ type: 'free' }] })
  return { bodies, constraints }
}

/** The turn that takes z to a direction with positive z. */
function turnFromZ(direction: Vec3): Quat {
  const length = Math.hypot(...direction)
  const [x, y, z] = direction.map((c) => c / length)
  // half way between the two: (1 + z, −y, x, 0)
  const norm = Math.hypot(1 + z, x, y)
  return [(1 + z) / norm, -y / norm, x / norm, 0]
}

/** Bennett's skew four-hinge loop, which moves though counting says it should not: lengths in the ratio of the sines of the twists. */
export function bennett(angles: Vec3): Spec {
  const [a, alpha, beta] = [1, 0.6, 1.1]
  const b = (a * Math.sin(beta)) / Math.sin(alpha)
  const turned = (twist: number): Quat => [Math.cos(twist / 2), Math.sin(twist / 2), 0, 0]
  const inertia = { mass: 1, com: [0.5, 0, 0], tensor: [0.05, 0.1, 0.1, 0, 0, 0] } as const
  return {
    bodies: [
      { name: 'l1', inertia, joints: [{ type: 'revolute', initial: angles[0] }] },
      {
        name: 'l2',
        parent: 'l1',
        position: [a, 0, 0],
        quaternion: turned(alpha),
        inertia,
        joints: [{ type: 'revolute', initial: angles[1] }],
      },
      {
        name: 'l3',
        parent: 'l2',
        position: [b, 0, 0],
        quaternion: turned(beta),
        inertia,
        joints: [{ type: 'revolute', initial: angles[2] }],
      },
    ],
    constraints: [
      {
        name: 'bennett',
        type: 'hinge',
        a: { body: 'l3', point: [a, 0, 0], axis: [0, -Math.sin(alpha), Math.cos(alpha)] },
        b: { body: 'world', point: [-b, 0, 0], axis: [0, Math.sin(beta), Math.cos(beta)] },
      },
    ],
  }
}
