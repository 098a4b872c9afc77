/**
 * A coupler on three parallel cranks, and each closure a full hinge: ten rows where three are enough. The mechanism moves all the
 * same, with one degree of freedom, which a solver must find out instead of failing on the seven rows too many.
 */
import type { BodySpec, Spec, Vec3 } from 'limber'
import { cloth, steel, warmShade } from './colors.js'
import { barAlongX, drive } from './linkage.js'
import { defineScene } from './scene.js'

const crank = 0.5
const spacing = 0.6
const height = 1.2
const axis: Vec3 = [0, -1, 0]

export const parallelogram = defineScene({
  name: 'parallelogram',
  title: 'Redundant parallelogram',
  description: 'A bar swings on three parallel cranks with full hinges at every joint: two loops with seven superfluous rows.',
  parameters: {
    angle: { default: -0.5, unit: 'rad', min: -3.2, max: 3.2, description: 'cranks at the start, from the line of their bearings' },
    speed: { default: 0, unit: 'rad/s', min: -1000, max: 1000, description: 'of a motor in the first crank; 0 is no motor' },
    damping: { default: 0, unit: 'N m s', min: 0, max: 1e3, description: 'of each hinge' },
  },
  build({ angle, speed, damping }): Spec {
    const hinge = (name: string, initial: number) => [{ name: `${name}-hinge`, type: 'revolute' as const, axis, initial, damping }]
    const cranks: BodySpec[] = [0, 1, 2].map((k) => ({
      name: `crank${k + 1}`,
      position: [k * spacing, 0, height],
      joints: hinge(`crank${k + 1}`, angle),
      geoms: [barAlongX(crank, 0.05, warmShade(k / 2))],
    }))
    const coupler: BodySpec = {
      name: 'coupler',
      parent: 'crank1',
      position: [crank, 0.07, 0],
      joints: hinge('coupler', -angle),
      geoms: [barAlongX(2 * spacing, 0.05, steel)],
    }
    return {
      name: 'parallelogram',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax' },
      bodies: [...cranks, coupler],
      world: {
        geoms: [{ shape: 'box', size: [2 * spacing + 0.2, 0.1, 0.06], position: [spacing, -0.12, height], color: cloth, collide: false }],
      },
      constraints: [
        ...[1, 2].map((k) => ({
          type: 'hinge' as const,
          name: `pin${k + 1}`,
          a: { body: 'coupler', point: [k * spacing, 0, 0] as const, axis },
          b: { body: `crank${k + 1}`, point: [crank, 0.07, 0] as const, axis },
        })),
        ...drive('crank1-hinge', angle, speed),
      ],
    }
  },
})
