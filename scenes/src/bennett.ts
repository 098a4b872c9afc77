/**
 * Bennett's linkage: four links, four hinges, no two axes parallel or meeting, and yet it moves. Counting gives −2 degrees of freedom.
 *
 * Opposite links have equal length and twist, (a, α) and (b, β), with sin α/a = sin β/b. In Denavit–Hartenberg's frames opposite
 * hinge angles add up to a full turn, and neighbouring ones obey tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2)/sin((β − α)/2).
 */

import type { BodySpec, Spec, Vec3 } from 'limber'
import { cloth, warmShade } from './colors.js'
import { barAlongX, drive } from './linkage.js'
import { asin, atan, cos, sin, tan } from './portable.js'
import { turn } from './rotations.js'
import { defineScene } from './scene.js'

const a = 0.5
const b = 0.8
const alpha = 0.6
const beta = asin((b / a) * sin(alpha))
const base: Vec3 = [0, 0, 1]

export const bennett = defineScene({
  name: 'bennett',
  title: "Bennett's linkage",
  description: 'A spatial loop of four hinges that should be rigid by counting, and moves because of its proportions.',
  parameters: {
    angle: { default: 1.2, unit: 'rad', min: 0.05, max: 3.09, description: 'first hinge at the start' },
    speed: { default: 0, unit: 'rad/s', min: -1000, max: 1000, description: 'of a motor in the first hinge; 0 is no motor' },
    damping: { default: 0, unit: 'N m s', min: 0, max: 1e3, description: 'of each hinge' },
  },
  build({ angle, speed, damping }): Spec {
    const second = 2 * atan(sin((beta + alpha) / 2) / sin((beta - alpha) / 2) / tan(angle / 2))
    const hinges = [angle, second, -angle]
    const links = [
      [a, alpha],
      [b, beta],
      [a, alpha],
    ] as const
    const bodies: BodySpec[] = links.map(([length], k) => {
      const before = links[k - 1]
      return {
        name: `link${k + 1}`,
        parent: k === 0 ? 'world' : `link${k}`,
        position: before ? [before[0], 0, 0] : base,
        ...(before ? { quaternion: turn('x', before[1]) } : {}),
        joints: [{ name: `hinge${k + 1}`, type: 'revolute', axis: [0, 0, 1], initial: hinges[k] ?? 0, damping }],
        geoms: [barAlongX(length, 0.05, warmShade(k / 2))],
      }
    })
    return {
      name: 'bennett',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax' },
      bodies,
      // the fourth link stands still: it leads from the last axis back to the first
      world: {
        geoms: [{ shape: 'box', size: [b, 0.05, 0.05], position: [base[0] - b / 2, base[1], base[2]], color: cloth, collide: false }],
      },
      constraints: [
        {
          type: 'hinge',
          name: 'last-hinge',
          a: { body: 'link3', point: [a, 0, 0], axis: [0, -sin(alpha), cos(alpha)] },
          b: { body: 'world', point: [base[0] - b, base[1], base[2]], axis: [0, sin(beta), cos(beta)] },
        },
        ...drive('hinge1', angle, speed),
      ],
    }
  },
})
