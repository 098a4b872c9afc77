/**
 * A four-bar linkage of Grashof's kind: the crank goes round, the rocker swings. One planar loop, closed where coupler and rocker meet.
 */

import type { BodySpec, Spec, Vec3 } from 'limber'
import { cloth, steel, warmShade } from './colors.js'
import { barAlongX, drive } from './linkage.js'
import { acos, atan2, cos, hypot, sin } from './portable.js'
import { defineScene } from './scene.js'

const base = 1
const crank = 0.3
const coupler = 0.9
const rocker = 0.7
const height = 1
const axis: Vec3 = [0, -1, 0]

export const fourBar = defineScene({
  name: 'four-bar',
  title: 'Four-bar linkage',
  description: 'Crank, coupler and rocker close one loop in a plane; the crank falls from its start, or a motor turns it.',
  parameters: {
    angle: { default: 1, unit: 'rad', min: -3.2, max: 3.2, description: 'crank at the start, from the line of the two bearings' },
    speed: { default: 0, unit: 'rad/s', min: -1000, max: 1000, description: 'of a motor in the crank; 0 is no motor' },
    damping: { default: 0, unit: 'N m s', min: 0, max: 1e3, description: 'of each hinge' },
  },
  build({ angle, speed, damping }): Spec {
    // the coupler's end is on the circle of the rocker, above the line from the crank's end to the rocker's bearing
    const end: readonly [number, number] = [crank * cos(angle), crank * sin(angle)]
    const d = hypot(base - end[0], -end[1])
    const line = atan2(-end[1], base - end[0])
    const couplerAngle = line + acos((d * d + coupler * coupler - rocker * rocker) / (2 * d * coupler))
    const pin: readonly [number, number] = [end[0] + coupler * cos(couplerAngle), end[1] + coupler * sin(couplerAngle)]
    const rockerAngle = atan2(pin[1], pin[0] - base)

    const hinge = (name: string, initial: number) => [{ name: `${name}-hinge`, type: 'revolute' as const, axis, initial, damping }]
    const bodies: BodySpec[] = [
      { name: 'crank', position: [0, 0, height], joints: hinge('crank', angle), geoms: [barAlongX(crank, 0.05, warmShade(0))] },
      {
        name: 'coupler',
        parent: 'crank',
        position: [crank, 0.07, 0],
        joints: hinge('coupler', couplerAngle - angle),
        geoms: [barAlongX(coupler, 0.04, steel)],
      },
      { name: 'rocker', position: [base, 0, height], joints: hinge('rocker', rockerAngle), geoms: [barAlongX(rocker, 0.05, warmShade(1))] },
    ]
    return {
      name: 'four-bar',
      gravity: [0, 0, -9.81],
      timestep: 0.005,
      solver: { name: 'redmax' },
      bodies,
      world: {
        geoms: [{ shape: 'box', size: [base + 0.2, 0.1, 0.06], position: [base / 2, -0.12, height], color: cloth, collide: false }],
      },
      constraints: [
        {
          type: 'point',
          name: 'pin',
          a: { body: 'coupler', point: [coupler, 0, 0] },
          b: { body: 'rocker', point: [rocker, 0, 0] },
          axes: [
            [1, 0, 0],
            [0, 0, 1],
          ],
        },
        ...drive('crank-hinge', angle, speed),
      ],
    }
  },
})
