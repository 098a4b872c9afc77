/**
 * The flower of J. Barbic, Y. Zhao, Real-time Large-deformation Substructuring (2011), Table 1: 12 domains of 20 modes, after its Figure 7 pushed aside.
 * Here a stem of two parts in a pot, two leaves on it, and a rigid heart with eight petals.
 */

import type { BodySpec, Spec } from 'limber'
import { backdrop } from '../ground.js'
import { cos, pow, sin } from '../portable.js'
import { compose, turn } from '../rotations.js'
import { defineScene } from '../scene.js'
import { domainsOf, instance, type Part, part } from './classes.js'
import { loft, round } from './loft.js'

const plant = { young: 2e6, poisson: 0.35, density: 700 }
const modes = 20
const petals = 8
const pot = { height: 0.2, radius: 0.13 }
/** of the heart, rigid, and how far its petals stand out */
const heart = { radius: 0.045, height: 0.03, mass: 0.02 }

/** which ring of the lower stem they grow from, and to which side */
const leaves = [
  [4, 1.2],
  [8, -1.7],
] as const

const green = [0.33, 0.55, 0.22, 1] as const
const leafGreen = [0.27, 0.6, 0.24, 1] as const
const rose = (k: number) => [0.93, 0.4 + 0.1 * (k % 2), 0.55 + 0.06 * (k % 2), 1] as const

/** A stem 2 × 2 cells across, of which the lower part is straight and the upper one bows its head. */
function stem(name: string, from: number, to: number, bend: number): Part {
  return part(name, loft({ cells: [2, 2, 10], length: 0.3, bend, section: round(from, to) }), plant, modes)
}

/** A blade that is widest at `widest` of its length, dished across and thin at its rim. */
function blade(name: string, length: number, width: number, widest: number, bend: number, dish: number): Part {
  const section = (u: number, v: number, t: number): readonly [number, number] => {
    const s = t < widest ? 0.5 * (t / widest) : 0.5 + 0.46 * pow((t - widest) / (1 - widest), 1.5)
    const half = width * Math.max(sin(Math.PI * s), 0.14)
    return [half * u, 0.018 * length * v * (1.1 - 0.5 * t) - dish * width * u * u * sin(Math.PI * s)]
  }
  return part(name, loft({ cells: [4, 1, 7], length, bend, section }), plant, modes)
}

export const flower = defineScene({
  name: 'flower',
  title: 'Flower',
  description:
    'A flower in a pot: stem, leaves and petals are 12 reduced domains of 20 modes each. A push bends it aside, and it swings back.',
  parameters: {
    push: { default: 1, unit: 'N', min: 0, max: 20, description: 'force on the heart of the flower during the first third of a second' },
    stiffness: { default: 1, min: 0.2, max: 20, description: 'factor on the stiffness of stem, leaves and petals' },
  },
  size: { bodies: 13, dof: 240 },
  camera: [0.75, -1.15, 1, 0.02, 0, 0.55],
  build({ push, stiffness }): Spec {
    const lower = stem('lower-stem', 0.013, 0.01, 0)
    const upper = stem('upper-stem', 0.01, 0.008, -0.7)
    const petal = blade('petal', 0.17, 0.05, 0.62, -0.7, 0.25)
    const leaf = blade('leaf', 0.26, 0.05, 0.45, 0.9, -0.3)
    const classes = [lower, upper, petal, leaf]
    const factor = Math.sqrt(stiffness)
    const use = (of: Part, hertz: number, color: readonly [number, number, number, number]): Pick<BodySpec, 'domain'> => ({
      domain: instance(of, { hertz: factor * hertz, color, damping: 0.04 }),
    })
    const bodies: BodySpec[] = [
      { name: 'lower-stem', position: [0, 0, pot.height], ...use(lower, 17, green) },
      { name: 'upper-stem', parent: 'lower-stem', attach: 'tip', ...lower.ring(10), ...use(upper, 15, green) },
      {
        name: 'heart',
        parent: 'upper-stem',
        attach: 'tip',
        ...upper.ring(10),
        geoms: [
          {
            ...{ shape: 'ellipsoid', radii: [heart.radius, heart.radius, 0.6 * heart.radius], position: [0, 0, 0.4 * heart.height] },
            ...{ mass: heart.mass, color: [0.95, 0.75, 0.15, 1], collide: false },
          },
        ],
      },
    ]
    for (let k = 0; k < petals; k++) {
      const turned = turn('z', (2 * Math.PI * k) / petals)
      const [x, y] = [-sin((2 * Math.PI * k) / petals), cos((2 * Math.PI * k) / petals)]
      const out = 0.85 * heart.radius
      bodies.push({
        name: `petal${k + 1}`,
        parent: 'heart',
        position: [out * x, out * y, 0.2 * heart.height + 0.002 * (k % 2)],
        quaternion: compose(turned, turn('x', -1.35)),
        ...use(petal, 5, rose(k)),
      })
    }
    leaves.forEach(([ring, azimuth], k) => {
      const { position } = lower.ring(ring)
      const quaternion = compose(turn('z', azimuth), turn('x', -0.75))
      bodies.push({ name: `leaf${k + 1}`, parent: 'lower-stem', attach: `ring${ring}`, position, quaternion, ...use(leaf, 4, leafGreen) })
    })
    return {
      name: 'flower',
      gravity: [0, 0, -9.81],
      timestep: 1 / 120,
      solver: { name: 'substructuring' },
      domains: domainsOf(classes),
      bodies,
      loads: push > 0 ? [{ name: 'push', force: [push, 0.4 * push, 0], moving: { duration: 0.3, along: [onHeart] } }] : [],
      world: {
        geoms: [
          backdrop(0),
          {
            shape: 'cylinder',
            radius: pot.radius,
            length: 0.9 * pot.height,
            position: [0, 0, 0.45 * pot.height],
            color: clay,
            collide: false,
          },
          {
            ...{ shape: 'cylinder', radius: 1.12 * pot.radius, length: 0.16 * pot.height, position: [0, 0, 0.9 * pot.height] },
            ...{ color: clay, collide: false },
          },
          {
            shape: 'cylinder',
            radius: pot.radius,
            length: 0.01,
            position: [0, 0, pot.height - 0.005],
            color: [0.25, 0.17, 0.12, 1],
            collide: false,
          },
        ],
      },
    }
  },
})

const clay = [0.74, 0.38, 0.26, 1] as const
const onHeart = { body: 'heart', from: [0, 0, 0], to: [0, 0, 0.001] } as const
