/**
 * Jung's mobiles: chains of wedge-shaped bodies that end in plateaus, on whose brims further chains hang [Jung].
 */

import type { BodySpec, MeshSpec, Quat, Spec, Vec3 } from 'limber'
import { warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { cos, pow, sin } from './portable.js'
import { defineScene } from './scene.js'
import { type Wedge, wedgeInertia, wedgeMesh } from './wedge.js'

export const mobile = defineScene({
  name: 'mobile',
  title: 'Mobile',
  description:
    'Stages of chains that end in plateaus and carry further chains on their brims, the test bodies of Jung. Only the topmost joint is turned at the start; with no turn at all the mobile hangs at rest.',
  parameters: {
    a: { default: 0.2, unit: 'm', min: 1e-6, max: 1e3, description: 'half length of the upper edge of each body' },
    b: { default: 0.1, unit: 'm', min: 0, max: 1e3, description: 'half length of the straight part of the bottom of each link' },
    c: { default: 0.2, unit: 'm', min: 1e-6, max: 1e3, description: 'radius of the round sides of the bottom of each link' },
    h: { default: 0.5, unit: 'm', min: 1e-6, max: 1e3, description: 'height of each body' },
    s: { default: 3, integer: true, min: 1, max: 8, description: 'stages' },
    l: { default: 4, integer: true, min: 1, max: 100_000, description: 'links in each chain, the plateau included' },
    o: { default: 5, integer: true, min: 1, max: 1000, description: 'chains on each plateau' },
    p: { default: 2, unit: 'm', min: 1e-6, max: 1e3, description: 'spacing of the chains, from which the radius of a plateau follows' },
    rho: { default: 2, unit: 'kg/m³', min: 1e-9, max: 1e9, description: 'density' },
    elongation: { default: 0.8, unit: 'rad', min: -3.2, max: 3.2, description: 'turn of the topmost joint at the start' },
    damping: { default: 0, unit: 'N m s', min: 0, max: 1e9, description: 'viscous damping of every joint' },
    radius: {
      default: 'printed',
      choices: ['printed', 'arc', 'scaled'],
      description: 'radius of a plateau with k stages below it: (p o/π)^k as printed, (p o/2π)^k, or (p/2)(o/π)^k',
    },
  },
  build({ a, b, c, h, s, l, o, p, rho, elongation, damping, radius }): Spec {
    const bodies: BodySpec[] = []
    const meshes: MeshSpec[] = []
    const shapes = new Map<string, Wedge>()
    const shape = (name: string, wedge: Wedge): string => {
      if (!shapes.has(name)) {
        shapes.set(name, wedge)
        meshes.push(wedgeMesh(name, wedge))
      }
      return name
    }
    const plateauRadius = (below: number): number => {
      if (below === 0) return c + b
      if (radius === 'printed') return pow((p * o) / Math.PI, below)
      if (radius === 'arc') return pow((p * o) / (2 * Math.PI), below)
      return (p / 2) * pow(o / Math.PI, below)
    }
    const depth = s * l
    /** One chain that starts at this place on `parent`, and everything on its plateau. */
    const hang = (prefix: string, parent: string, place: Vec3, turn: Quat, stage: number): void => {
      let above = parent
      for (let k = 1; k <= l; k++) {
        const last = k === l
        const below = s - stage
        const name = `${prefix}${k}`
        const wedge = last ? { a, b: 0, c: plateauRadius(below), h } : { a, b, c, h }
        const mesh = shape(last ? `plateau${below}` : 'link', wedge)
        bodies.push({
          name,
          parent: above,
          position: k === 1 ? place : [0, 0, -h],
          ...(k === 1 && stage > 1 && { quaternion: turn }),
          inertia: wedgeInertia(wedge, rho),
          joints: [
            {
              name: `${name}-joint`,
              type: 'revolute',
              axis: [1, 0, 0],
              initial: bodies.length === 0 ? elongation : 0,
              ...(damping > 0 && { damping }),
            },
          ],
          geoms: [{ shape: 'mesh', mesh, collide: false, color: warmShade(((stage - 1) * l + k - 1) / Math.max(1, depth - 1)) }],
        })
        above = name
      }
      if (stage === s) return
      const brim = plateauRadius(s - stage) - a
      for (let i = 0; i < o; i++) {
        const angle = (2 * Math.PI * i) / o
        const at: Vec3 = [brim * cos(angle), brim * sin(angle), -h]
        hang(`${prefix}${l}.${i + 1}.`, above, at, [cos(angle / 2), 0, 0, sin(angle / 2)], stage + 1)
      }
    }
    hang('link', 'world', [0, 0, 0], [1, 0, 0, 0], 1)
    return {
      name: 'mobile',
      gravity: [0, 0, -9.81],
      timestep: 1 / 60,
      solver: {
        name: 'ode',
        options: damping > 0 ? { method: 'bdf', rtol: 1e-4, atol: 1e-4 } : { method: 'gear', rtol: 1e-4, atol: 1e-4 },
      },
      meshes,
      bodies,
      world: { geoms: [backdrop(-1.1 * depth * h)] },
    }
  },
})
