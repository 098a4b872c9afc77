/**
 * The deployable umbrella of Baxter's thesis (section 4.2): eight ribs hang from the tip of a fixed tube, eight stretchers push them
 * open as a runner slides up, weightless. Ribs and stretchers are chains of universal joints; the canopy is springs between ribs.
 *
 * The source is y-up; here its y is z. Each stretcher ends at the centre of the middle body of its rib, held along the radius and
 * along z only: across them symmetry keeps it in place. The springs are stated by strain (k/L, d/L).
 */

import type { BodySpec, ConstraintSpec, Spec, SpringSpec, Vec3 } from 'limber'
import { cloth, steel, warmShade } from './colors.js'
import { atan2, cos, hypot, sin } from './portable.js'
import { compose, turn } from './rotations.js'
import { defineScene } from './scene.js'

const ribs = 8
const ribLength = 50
const tip = 60
/** from straight down */
const folded = (10 * Math.PI) / 180
const wire = 0.3
const density = 1
const stiffness = 1e5
const runner = { height: 10, radius: 1, length: 5, force: 5e3 }

export const umbrella = defineScene({
  name: 'umbrella',
  title: 'Deployable umbrella',
  description:
    'A runner is pushed up a tube and opens eight ribs through eight stretchers: eight closed loops, and springs for the canopy.',
  parameters: {
    segments: { default: 4, integer: true, min: 2, max: 10_000, description: 'bodies of a rib; a stretcher has half as many' },
    canopy: { default: 1, unit: 'N', min: 0, max: 1e6, description: 'stiffness of the canopy, as force at a strain of 1' },
  },
  build({ segments: nr, canopy }): Spec {
    const ns = Math.floor(nr / 2)
    const part = ribLength / nr
    const middle = Math.ceil(nr / 2)
    // where a stretcher meets its rib: distance from the axis, and height over the runner
    const reach = (middle - 0.5) * part
    const out = reach * sin(folded)
    const up = tip - reach * cos(folded) - runner.height
    const stretch = hypot(out, up) / ns

    const bodies: BodySpec[] = [
      {
        name: 'runner',
        position: [0, 0, runner.height],
        joints: [{ name: 'slide', type: 'prismatic', axis: [0, 0, 1] }],
        geoms: [{ shape: 'cylinder', radius: runner.radius, length: runner.length, density, color: steel, collide: false }],
      },
    ]
    const constraints: ConstraintSpec[] = []
    for (let r = 0; r < ribs; r++) {
      const azimuth = (2 * Math.PI * r) / ribs
      const radius: Vec3 = [cos(azimuth), sin(azimuth), 0]
      bodies.push(
        ...wires(`rib${r + 1}`, 'world', [0, 0, tip], azimuth, Math.PI - folded, nr, part, 0),
        ...wires(`stretcher${r + 1}`, 'runner', [0, 0, 0], azimuth, atan2(out, up), ns, stretch, 1),
      )
      constraints.push({
        type: 'point',
        name: `pin${r + 1}`,
        a: { body: `stretcher${r + 1}.${ns}`, point: [0, 0, stretch] },
        b: { body: `rib${r + 1}.${middle}`, point: [0, 0, part / 2] },
        axes: [radius, [0, 0, 1]],
      })
    }
    return {
      name: 'umbrella',
      gravity: [0, 0, 0],
      timestep: 0.01,
      solver: { name: 'redmax' },
      bodies,
      world: { geoms: [{ shape: 'cylinder', radius: 0.5, length: tip, position: [0, 0, tip / 2], color: steel, collide: false }] },
      springs: canopy > 0 ? canopySprings(nr, part, canopy) : [],
      loads: [{ name: 'push', body: 'runner', force: [0, 0, runner.force] }],
      constraints,
    }
  },
})

/** A chain of cylinders along their own z, the first turned out by `tilt` from z in the plane of the azimuth. */
function wires(
  name: string,
  root: string,
  position: Vec3,
  azimuth: number,
  tilt: number,
  n: number,
  length: number,
  shade: number,
): BodySpec[] {
  return Array.from({ length: n }, (_, k) => ({
    name: `${name}.${k + 1}`,
    parent: k === 0 ? root : `${name}.${k}`,
    position: k === 0 ? position : [0, 0, length],
    ...(k === 0 ? { quaternion: compose(turn('z', azimuth), turn('y', tilt)) } : {}),
    // the first joint is a bearing without a spring
    joints: [
      {
        name: `${name}.joint${k + 1}`,
        type: 'universal',
        axis: [1, 0, 0],
        axis2: [0, 1, 0],
        ...(k === 0 ? {} : { stiffness }),
        damping: 1,
      },
    ],
    geoms: [
      {
        shape: 'cylinder',
        radius: wire,
        length,
        position: [0, 0, length / 2],
        density,
        color: shade === 1 ? cloth : warmShade(n > 1 ? k / (n - 1) : 0),
        collide: false,
      },
    ],
  }))
}

/** Between the centres of equal bodies of neighbouring ribs. */
function canopySprings(nr: number, part: number, strength: number): SpringSpec[] {
  const springs: SpringSpec[] = []
  for (let r = 0; r < ribs; r++) {
    for (let k = 0; k < nr; k++) {
      const length = 2 * (k + 0.5) * part * sin(folded) * sin(Math.PI / ribs)
      springs.push({
        a: { body: `rib${r + 1}.${k + 1}`, point: [0, 0, part / 2] },
        b: { body: `rib${((r + 1) % ribs) + 1}.${k + 1}`, point: [0, 0, part / 2] },
        stiffness: strength / length,
        damping: 1 / length,
      })
    }
  }
  return springs
}
