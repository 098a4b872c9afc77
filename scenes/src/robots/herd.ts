/**
 * Quadrupeds that trot to and fro on hills: what the ground step of batches does, drawn as one model.
 */

import type { Model, Spec, State, Vec3 } from 'limber'
import { moss } from '../colors.js'
import { cos, sin, squared } from '../portable.js'
import { type Drive, defineScene } from '../scene.js'
import { legs, makeQuadruped, poses, standing } from './quadruped.js'

/** metres between neighbours, and from the last of them to the edge of the field, whose outer half rises so that none falls off */
const spacing = 1.5
const edge = 2.4
/** cells a metre of the height field */
const fineness = 3
/** strides a second; seconds of a way to and fro; rad: swing of a hip, bend of a knee in the air, legs apart */
const gait = { strides: 2.2, turns: 8, swing: 0.18, lift: 0.4, straddle: 0.12 } as const
/** golden ratio less one: phases of neighbours are never alike */
const GOLDEN = 0.6180339887498949

export const herd = defineScene({
  name: 'herd',
  title: 'Quadrupeds on hills',
  description:
    'Sixty-four quadrupeds trot to and fro on a height field, each in a rhythm of its own. Contact is that of batches, where thousands run side by side.',
  parameters: {
    robots: { default: 64, integer: true, min: 1, max: 400, description: 'number of quadrupeds' },
    hills: { default: 0.2, unit: 'm', min: 0, max: 2, description: 'height of the hills' },
    friction: { default: 0.9, min: 0, max: 5, description: 'coefficient of friction of the ground' },
  },
  camera: [-3.5, -8.6, 2.6, 0.3, -2.2, 0.2],
  drive: trot,
  build({ robots, hills, friction }): Spec {
    const side = Math.ceil(Math.sqrt(robots))
    const half = (spacing * (side - 1)) / 2 + edge
    const places = Array.from({ length: robots }, (_, k): Vec3 => {
      const [x, y] = [spacing * (k % side) - half + edge, spacing * Math.floor(k / side) - half + edge]
      return [x, y, highestNear(x, y, hills) + standing('stand')]
    })
    const all = places.map((position, k) =>
      makeQuadruped({ prefix: `r${k + 1} `, position, stiffness: 90, damping: 3, friction, shade: (GOLDEN * k) % 1 }),
    )
    const lines = Math.round(2 * half * fineness) + 1
    const at = (k: number): number => -half + (2 * half * k) / (lines - 1)
    const rim = (x: number): number => squared(Math.max(0, Math.abs(x) - half + edge / 2))
    const heights = Array.from({ length: lines * lines }, (_, k) => {
      const [x, y] = [at(k % lines), at(Math.floor(k / lines))]
      return heightAt(x, y, hills) + Math.max(rim(x), rim(y))
    })
    return {
      name: 'herd',
      gravity: [0, 0, -9.81],
      timestep: 0.004,
      solver: { name: 'implicit', options: { self: false } },
      bodies: all.flatMap(({ bodies }) => bodies),
      actuators: all.flatMap(({ actuators }) => actuators),
      world: {
        geoms: [{ shape: 'heightfield', size: [2 * half, 2 * half], rows: lines, columns: lines, heights, friction, color: moss }],
      },
    }
  },
})

/** Hills of two sizes. */
function heightAt(x: number, y: number, hills: number): number {
  return hills * (0.35 * (sin(0.9 * x) + cos(0.8 * y + 0.5 * x)) + 0.15 * sin(2.3 * x + 0.4) * cos(2.1 * y))
}

/** Of the ground below a robot that stands at (x, y). */
function highestNear(x: number, y: number, hills: number): number {
  const around = [-0.2, 0, 0.2]
  return Math.max(...around.flatMap((dx) => around.map((dy) => heightAt(x + dx, y + dy, hills))))
}

/** Diagonal legs in turn, to and fro about the start; longer strides on the side away from x, where all head. */
function trot({ nu, joints, q0 }: Model): Drive {
  const each = 3 * legs.length
  const roots = joints.filter(({ type }) => type === 'free')
  const [, hip, knee] = poses.stand
  return ({ t, q, control }: State) => {
    for (let k = 0; k < nu / each; k++) {
      const own = (GOLDEN * k) % 1
      const { iq } = roots[k]
      const back = (q0[iq] - q[iq]) / spacing
      const way = Math.min(Math.max(sin(2 * Math.PI * (t / gait.turns + own)) + back, -1), 1)
      const turned = 2 * (q[iq + 3] * q[iq + 6] + q[iq + 4] * q[iq + 5])
      for (const [n, [, along, side]] of legs.entries()) {
        const phase = 2 * Math.PI * (gait.strides * t + own + (along * side > 0 ? 0 : 0.5))
        const lift = gait.lift * Math.max(0, sin(phase))
        const first = each * k + 3 * n
        control[first] = gait.straddle
        control[first + 1] = hip - gait.swing * (way + side * turned) * cos(phase) + lift / 2
        control[first + 2] = knee - lift
      }
    }
  }
}
