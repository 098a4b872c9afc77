/**
 * A gripper with soft fingers: each is a reduced domain on an ordinary hinge at a rigid palm, with rigid pads at two of its sections, which touch. Springs in
 * the hinges close it on a box, then the palm is raised.
 */

import type { BodySpec, ConstraintSpec, Spec, Vec3 } from 'limber'
import { steel } from '../colors.js'
import { cos, sin } from '../portable.js'
import { defineScene } from '../scene.js'
import { domainsOf, instance, part } from './classes.js'
import { type LoftShape, loft } from './loft.js'
import { facing, join } from './pose.js'

const rubber = { young: 1e6, poisson: 0.4, density: 1100 }
const finger = { rings: 8, length: 0.16, modes: 12 }
const box = { edge: 0.07 }
/** radius of the palm, where the hinges are, and their height */
const palm = { radius: 0.075, height: 0.2 }
const open = -0.35
/** of the hinges, at which their springs are slack: well inside the box, so that they press */
const shut = 0.75
const lift = { size: 0.12, start: 1, duration: 2, steepness: 10 }

const orange = [0.93, 0.5, 0.2, 1] as const
const dark = [0.22, 0.23, 0.26, 1] as const

/** Thick at the hinge, thin at the tip, and ribbed on its back. */
const section: LoftShape['section'] = (u, v, t) => {
  const rib = v > 0 && Math.round(finger.rings * t) % 2 === 1 ? 1.5 : 1
  return [(0.018 - 0.005 * t) * u, (0.013 - 0.006 * t) * rib * v]
}

export const softGripper = defineScene({
  name: 'soft-gripper',
  title: 'Soft gripper',
  description: 'Fingers of rubber, each a reduced domain on a hinge, close on a box, hold it by friction and lift it.',
  parameters: {
    fingers: { default: 4, integer: true, min: 2, max: 8, description: 'number of fingers around the palm' },
    mass: { default: 0.2, unit: 'kg', min: 0.01, max: 5, description: 'mass of the box' },
    grip: { default: 0.5, unit: 'N m/rad', min: 0, max: 20, description: 'stiffness of the springs that close the hinges' },
    friction: { default: 1, min: 0, max: 5, description: 'coefficient of friction of pads and box' },
    hertz: { default: 16, unit: 'Hz', min: 5, max: 200, description: 'lowest frequency of a finger that is held at its hinge' },
  },
  size: { bodies: 14, dof: 59 },
  camera: [0.5, -0.66, 0.4, 0, 0, 0.17],
  build({ fingers, mass, grip, friction, hertz }): Spec {
    const soft = part('finger', loft({ cells: [2, 2, finger.rings], length: finger.length, section }), rubber, finger.modes)
    const domain = instance(soft, { hertz, color: orange, damping: 0.1 })
    const bodies: BodySpec[] = [
      {
        name: 'palm',
        position: [0, 0, palm.height],
        joints: [{ name: 'lift', type: 'prismatic', axis: [0, 0, 1] }],
        geoms: [
          { shape: 'cylinder', radius: palm.radius, length: 0.02, position: [0, 0, 0.012], mass: 0.5, color: dark, collide: false },
          { shape: 'cylinder', radius: 0.02, length: 0.16, position: [0, 0, 0.1], color: steel, collide: false },
        ],
      },
    ]
    for (let k = 1; k <= fingers; k++) {
      const azimuth = (2 * Math.PI * (k - 1)) / fingers
      const out: Vec3 = [cos(azimuth), sin(azimuth), 0]
      bodies.push({
        name: `finger${k}`,
        parent: 'palm',
        position: [palm.radius * out[0], palm.radius * out[1], 0],
        quaternion: facing([0, 0, -1], out),
        joints: [
          { name: `hinge${k}`, type: 'revolute', axis: [1, 0, 0], initial: open, rest: shut, stiffness: grip, damping: 0.25 * grip },
        ],
        domain,
      })
      // on the inner side of the finger
      for (const [name, ring] of [
        ['middle', 5],
        ['tip', 8],
      ] as const) {
        const at = join(soft.ring(ring), { position: [0, -0.006, 0], quaternion: [1, 0, 0, 0] })
        bodies.push({
          name: `${name}-pad${k}`,
          parent: `finger${k}`,
          attach: `ring${ring}`,
          ...at,
          geoms: [{ shape: 'sphere', radius: 0.011, mass: 0.004, color: dark, friction }],
        })
      }
    }
    bodies.push({
      name: 'box',
      position: [0, 0, box.edge / 2],
      joints: [{ name: 'box', type: 'free' }],
      geoms: [{ shape: 'box', size: [box.edge, box.edge, box.edge], mass, color: [0.3, 0.5, 0.75, 1], friction }],
    })
    const raise: ConstraintSpec = { type: 'motion', name: 'raise', joint: 'lift', rise: lift }
    return {
      name: 'soft-gripper',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax', options: { scheme: 'linear' } },
      domains: domainsOf([soft]),
      bodies,
      constraints: [raise],
      world: { geoms: [{ shape: 'plane', friction }] },
    }
  },
})
