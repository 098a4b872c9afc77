/**
 * A person of 75 kg and 1.75 m, own design: a free pelvis and 21 hinges, with soft joint springs and dampers.
 *
 * x is forward, y left, z up. Segment masses and lengths are rounded from common adult proportions: trunk and head a half of the
 * weight, a leg a sixth, an arm a twentieth.
 */

import type { BodySpec, GeomSpec, JointSpec, Spec, SpringSpec, Vec3 } from 'limber'
import { cloth, skin, steel } from './colors.js'
import { limb as capsule } from './limb.js'
import { cos, sin } from './portable.js'
import { defineScene } from './scene.js'

const thigh = 0.42
const shin = 0.42
const upperArm = 0.29
const forearm = 0.26
const hipHeight = 1
const sides = [
  ['left', 1],
  ['right', -1],
] as const

export const humanoid = defineScene({
  name: 'humanoid',
  title: 'Humanoid',
  description: 'A person with a free pelvis and 21 hinges, hanging by both hands from two elastic ropes, or floating free.',
  parameters: {
    support: { default: 'ropes', choices: ['ropes', 'none'], description: 'hang from two elastic ropes, or nothing holds the body' },
    stiffness: { default: 1, min: 0, max: 1e3, description: 'factor on the springs of the joints' },
    damping: { default: 1, min: 0, max: 1e3, description: 'factor on the dampers of the joints' },
  },
  build({ support, stiffness, damping }): Spec {
    const hang = support === 'ropes'
    const hinge = (name: string, axis: Vec3, lower: number, upper: number, strength: number, initial = 0): JointSpec => ({
      name,
      type: 'revolute',
      axis,
      limits: [lower, upper],
      stiffness: stiffness * strength,
      damping: damping * 0.03 * strength,
      armature: 0.01,
      initial,
      rest: initial,
    })
    const bodies: BodySpec[] = [
      {
        name: 'pelvis',
        position: [hang ? -0.9 : 0, 0, hang ? hipHeight + 0.2 : hipHeight],
        quaternion: hang ? [cos(0.28), 0, sin(0.28), 0] : [1, 0, 0, 0],
        joints: [{ name: 'root', type: 'free' }],
        geoms: [
          limb(0.09, [0, -0.07, 0], [0, 0.07, 0], 8, cloth),
          { shape: 'sphere', radius: 0.085, position: [-0.01, 0, 0.08], mass: 3, color: cloth },
        ],
      },
      {
        name: 'torso',
        parent: 'pelvis',
        position: [0, 0, 0.13],
        joints: [
          hinge('waist-turn', [0, 0, 1], -0.8, 0.8, 60),
          hinge('waist-bend', [0, 1, 0], -1.3, 0.5, 80),
          hinge('waist-side', [1, 0, 0], -0.6, 0.6, 80),
        ],
        geoms: [
          { shape: 'ellipsoid', radii: [0.11, 0.17, 0.24], position: [0, 0, 0.22], mass: 22, color: cloth },
          limb(0.07, [0, -0.13, 0.37], [0, 0.13, 0.37], 4, cloth),
        ],
      },
      {
        name: 'head',
        parent: 'torso',
        position: [0, 0, 0.5],
        geoms: [
          { shape: 'sphere', radius: 0.105, position: [0.01, 0, 0.11], mass: 4.3, color: skin },
          limb(0.045, [0, 0, -0.06], [0, 0, 0.02], 0.7, skin),
        ],
      },
    ]

    // depth first, as MJCF numbers its bodies; hinges about x and z are mirrored, so that equal numbers mean mirrored poses
    for (const [side, sign] of sides) {
      bodies.push(
        {
          name: `${side}-upper-arm`,
          parent: 'torso',
          position: [0, sign * 0.2, 0.37],
          joints: [
            hinge(`${side}-shoulder-swing`, [0, 1, 0], -3.1, 1, 25, hang ? -2.9 : 0),
            hinge(`${side}-shoulder-side`, [sign, 0, 0], -0.3, 1.8, 25, hang ? -0.15 : 0.1),
          ],
          geoms: [limb(0.045, [0, 0, 0], [0, 0, -upperArm], 2.1, cloth)],
        },
        {
          name: `${side}-forearm`,
          parent: `${side}-upper-arm`,
          position: [0, 0, -upperArm],
          joints: [hinge(`${side}-elbow`, [0, 1, 0], -2.5, 0, 15, hang ? -0.2 : 0)],
          geoms: [
            limb(0.036, [0, 0, 0], [0, 0, -forearm + 0.04], 1.1, skin),
            { shape: 'sphere', radius: 0.048, position: [0, 0, -forearm], mass: 0.4, color: skin },
          ],
        },
      )
    }
    for (const [side, sign] of sides) {
      bodies.push(
        {
          name: `${side}-thigh`,
          parent: 'pelvis',
          position: [0, sign * 0.1, -0.04],
          joints: [
            hinge(`${side}-hip-side`, [sign, 0, 0], -0.4, 0.9, 40, hang ? 0.08 : 0),
            hinge(`${side}-hip-turn`, [0, 0, sign], -0.8, 0.8, 30),
            hinge(`${side}-hip-bend`, [0, 1, 0], -2, 0.5, 50, hang ? -0.25 : 0),
          ],
          geoms: [limb(0.065, [0, 0, 0], [0, -sign * 0.01, -thigh], 8.5, cloth)],
        },
        {
          name: `${side}-shin`,
          parent: `${side}-thigh`,
          position: [0, -sign * 0.01, -thigh],
          joints: [hinge(`${side}-knee`, [0, 1, 0], 0, 2.4, 40, hang ? 0.4 : 0)],
          geoms: [limb(0.048, [0, 0, 0], [0, 0, -shin + 0.02], 3.5, skin)],
        },
        {
          name: `${side}-foot`,
          parent: `${side}-shin`,
          position: [0, 0, -shin],
          joints: [
            hinge(`${side}-ankle-bend`, [0, 1, 0], -0.7, 0.9, 20, hang ? 0.4 : 0),
            hinge(`${side}-ankle-side`, [sign, 0, 0], -0.5, 0.5, 20),
          ],
          geoms: [{ shape: 'box', size: [0.25, 0.09, 0.06], position: [0.06, 0, -0.03], mass: 1.1, color: steel }],
        },
      )
    }

    return {
      name: 'humanoid',
      gravity: [0, 0, -9.81],
      timestep: 0.002,
      solver: { name: 'ode', options: { method: 'rk4' } },
      bodies,
      world: { geoms: [{ shape: 'plane' }, ...(hang ? [bar()] : [])] },
      ...(hang ? { springs: [rope('left', 1), rope('right', -1)] } : {}),
    }
  },
})

const barHeight = 3

function rope(side: string, sign: number): SpringSpec {
  return {
    name: `${side}-rope`,
    a: { body: 'world', point: [0, sign * 0.3, barHeight] },
    b: { body: `${side}-forearm`, point: [0, 0, -forearm] },
    stiffness: 6000,
    damping: 8,
    rest: 0.8,
  }
}

function bar(): GeomSpec {
  const half = Math.SQRT1_2
  // the capsule lies along y
  return { shape: 'capsule', radius: 0.025, length: 1, position: [0, 0, barHeight], quaternion: [half, half, 0, 0], color: steel }
}

function limb(radius: number, from: Vec3, to: Vec3, mass: number, color: NonNullable<GeomSpec['color']>): GeomSpec {
  return { ...capsule(radius, from, to), mass, color }
}
