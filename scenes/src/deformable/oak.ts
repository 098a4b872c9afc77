/**
 * The oak of J. Barbic, Y. Zhao, Real-time Large-deformation Substructuring (2011), Figure 1 and Table 1: 41 branches of 20 modes in five classes, 1,394 leaves
 * of 8 modes that share one mesh, 1,435 domains with 11,972 modes in the wind.
 */

import type { GustSpec, Spec, Vec3 } from 'limber'
import { backdrop } from '../ground.js'
import { cos, hypot, pow, sin, squared } from '../portable.js'
import { rotate } from '../rotations.js'
import { defineScene } from '../scene.js'
import { type Assembly, createAssembly } from './assembly.js'
import { domainsOf, type Part, part } from './classes.js'
import { type LoftShape, loft, round } from './loft.js'
import { facing, join, type Pose, plus, scaled } from './pose.js'

const wood = { young: 1e9, poisson: 0.3, density: 650 }
const green = { young: 1e7, poisson: 0.35, density: 110 }
const branchModes = 20
const leafModes = 8
const golden = Math.PI * (3 - Math.sqrt(5))
const above: Vec3 = [0, 0, 1]

/** A generation of branches is a class. */
interface Generation {
  readonly name: string
  readonly rings: number
  readonly length: number
  /** at its foot and at its tip */
  readonly radius: readonly [number, number]
  readonly bend: number
  /** of a branch alone, held at its foot */
  readonly hertz: number
  readonly count: number
  /** first the parents all get one at the first of these rings, then at the next; it leans that far away from the parent. Limbs: one each */
  readonly from: readonly (readonly [ring: number, lean: number])[]
  /** the first ring that has leaves */
  readonly leaves?: number
}

const generations: readonly Generation[] = [
  { name: 'trunk', rings: 9, length: 1.7, radius: [0.2, 0.16], bend: 0.06, hertz: 8, from: [], count: 1 },
  {
    ...{ name: 'limb', rings: 9, length: 1.35, radius: [0.115, 0.07], bend: 0.2, hertz: 8, count: 4, leaves: 7 },
    from: [
      [9, 0.5],
      [8, 0.95],
      [9, 0.6],
      [7, 1.1],
    ],
  },
  {
    ...{ name: 'bough', rings: 8, length: 1, radius: [0.068, 0.042], bend: 0.25, hertz: 8, count: 8, leaves: 4 },
    from: [
      [9, 0.45],
      [5, 0.95],
    ],
  },
  {
    ...{ name: 'branch', rings: 8, length: 0.75, radius: [0.042, 0.024], bend: 0.2, hertz: 7.5, count: 12, leaves: 2 },
    from: [
      [8, 0.5],
      [5, 0.95],
    ],
  },
  {
    ...{ name: 'twig', rings: 7, length: 0.55, radius: [0.024, 0.01], bend: 0.15, hertz: 7, count: 16, leaves: 2 },
    from: [
      [8, 0.5],
      [4, 0.95],
    ],
  },
]

function branchClass({ name, rings, length, radius: [from, to], bend }: Generation): Part {
  const taper = round(from, to)
  // the foot of the trunk spreads to the ground
  const flare = (t: number): number => (name === 'trunk' ? 1 + 0.55 * pow(1 - t, 8) : 1)
  const section: LoftShape['section'] = (u, v, t) => {
    const [x, y] = taper(u, v, t)
    return [flare(t) * x, flare(t) * y]
  }
  return part(name, loft({ cells: [2, 2, rings], length, bend, section }), wood, branchModes)
}

/** Half widths along an oak leaf: a stalk, then three lobes. */
const lobes = [0.05, 0.05, 0.22, 0.18, 0.36, 0.26, 0.4, 0.27, 0.12] as const
const leafLength = 0.3

function leafClass(): Part {
  const levels = lobes.length - 1
  const section: LoftShape['section'] = (u, v, t) => {
    const half = 0.75 * leafLength * lobes[Math.round(levels * t)]
    return [half * u, 0.0022 * v + 0.25 * half * u * u]
  }
  return part('leaf', loft({ cells: [2, 1, levels], length: leafLength, bend: -0.4, section }), green, leafModes)
}

/** The same numbers from 0 to 1 every time (D. H. Lehmer's generator with the modulus 2³¹ − 1). */
function createChance(): () => number {
  let seed = 20110807
  return () => {
    seed = (seed * 48271) % 2147483647
    return seed / 2147483647
  }
}

export const oak = defineScene({
  name: 'oak',
  title: 'Oak in the wind',
  description:
    'An oak of 41 branches in five classes and 1,394 leaves that share one mesh: 1,435 reduced domains with 11,972 modes, in gusts of wind.',
  parameters: {
    leaves: { default: 1394, integer: true, min: 0, max: 20_000, description: 'number of leaves, of 8 modes each' },
    wind: { default: 5, unit: 'm/s', min: 0, max: 30, description: 'mean speed of the wind; gusts reach twice as much' },
  },
  size: { bodies: 1435, dof: 11_972 },
  camera: [5.2, -6.6, 3.2, 0, 0, 2.5],
  build({ leaves, wind }): Spec {
    const classes = generations.map(branchClass)
    const leaf = leafClass()
    const assembly = createAssembly()
    const chance = createChance()
    const spots = growBranches(assembly, classes, chance)
    growLeaves(assembly, leaf, spots, leaves, chance)
    return {
      name: 'oak',
      gravity: [0, 0, -9.81],
      timestep: 1 / 60,
      // leaves and branches are damped by the air
      solver: { name: 'substructuring', options: { iterations: 1 } },
      domains: domainsOf([...classes, leaf]),
      bodies: assembly.bodies,
      world: { geoms: [backdrop(0)] },
      medium: { wind: [wind, 0.3 * wind, 0], gusts: gustsOf(wind) },
    }
  },
})

interface Grown {
  readonly name: string
  readonly of: Part
  readonly scale: number
  readonly azimuth: number
}

/** A ring where leaves grow. */
interface Spot extends Grown {
  readonly ring: number
}

/** Returns where leaves grow. */
function growBranches({ add, pose }: Assembly, classes: readonly Part[], chance: () => number): Spot[] {
  const spots: Spot[] = []
  let parents: Grown[] = []
  generations.forEach(({ name, count, from, hertz, rings, radius, leaves }, g) => {
    const of = classes[g]
    const grown = Array.from({ length: count }, (_, k): Grown => {
      const own = count > 1 ? `${name}${k + 1}` : name
      const shade = 0.9 + 0.2 * chance()
      const look = { hertz, color: [0.42 * shade, 0.31 * shade, 0.22 * shade, 1] as const, damping: 0.05 }
      const drag: Vec3 = [20 * radius[0], 20 * radius[0], 2 * radius[0]]
      if (g === 0) {
        add(own, { position: [0, 0, 0], quaternion: [1, 0, 0, 0] }, of, look, undefined, { drag })
        return { name: own, of, scale: 1, azimuth: 0 }
      }
      const parent = parents[k % parents.length]
      const [ring, lean] = from[g === 1 ? k : Math.floor(k / parents.length)]
      const scale = parent.scale * (0.92 + 0.16 * chance())
      const azimuth = g === 1 ? (Math.PI / 2) * k + 0.5 * chance() : parent.azimuth + golden * (k + 1)
      const start = join(pose(parent.name), scaled(parent.of.ring(ring), parent.scale))
      const along = outward(start, leaning(start, lean, azimuth))
      // from a little inside the parent, so that the bark is closed
      const foot = plus(start.position, [-0.02 * along[0], -0.02 * along[1], -0.02 * along[2]])
      const place = { position: foot, quaternion: facing(along, above) }
      add(own, place, of, { ...look, scale }, { parent: parent.name, attach: `ring${ring}` }, { drag })
      return { name: own, of, scale, azimuth }
    })
    if (leaves) for (const branch of grown) for (let ring = leaves; ring <= rings; ring++) spots.push({ ...branch, ring })
    parents = grown
  })
  return spots
}

/** Spread evenly over the rings, to all sides. */
function growLeaves({ add, pose }: Assembly, of: Part, spots: readonly Spot[], count: number, chance: () => number): void {
  for (let k = 0; k < count; k++) {
    const { name, of: branch, scale, ring } = spots[Math.floor(spots.length * ((0.618034 * k) % 1))]
    const start = join(pose(name), scaled(branch.ring(ring), scale))
    const along = leaning(start, 0.5 + 0.9 * chance(), 2 * Math.PI * chance())
    const [a, b, c] = rotate(start.quaternion, [0, 0, 0.12 * (chance() - 0.5)])
    const place = plus(start.position, [a + 0.015 * along[0], b + 0.015 * along[1], c + 0.015 * along[2]])
    const up: Vec3 = [chance() - 0.5, chance() - 0.5, 0.8]
    const size = 0.85 + 0.5 * chance()
    const shade = chance()
    const color = [0.2 + 0.22 * shade, 0.46 + 0.16 * shade, 0.14 + 0.06 * shade, 1] as const
    const look = { scale: size, hertz: 2.8 / size, color, damping: 0.06 }
    const drag: Vec3 = [0.002 * squared(size), 0.025 * squared(size), 0.002 * squared(size)]
    const quaternion = facing(along, up)
    // gusts travel with the wind
    const phase = -gustWave * (place[0] + 0.3 * place[1]) + 0.8 * chance()
    add(`leaf${k + 1}`, { position: place, quaternion }, of, { ...look, phase }, { parent: name, attach: `ring${ring}` }, { drag })
  }
}

/** rad of phase a metre */
const gustWave = 1.2

function gustsOf(wind: number): GustSpec[] {
  return [
    { velocity: [0.7 * wind, 0.1 * wind, 0], frequency: 0.35 },
    { velocity: [0.3 * wind, 0.35 * wind, 0.1 * wind], frequency: 0.9, phase: 1 },
    { velocity: [0.1 * wind, 0.15 * wind, 0.2 * wind], frequency: 2.3, phase: 2 },
  ]
}

/** A direction of the world that leans away from z of a frame, to the side of its azimuth. */
function leaning({ quaternion }: Pose, lean: number, azimuth: number): Vec3 {
  return rotate(quaternion, [sin(lean) * cos(azimuth), sin(lean) * sin(azimuth), cos(lean)])
}

/** A direction turned away from the axis of the tree, and a little up. */
function outward({ position: [x, y] }: Pose, [a, b, c]: Vec3): Vec3 {
  const s = spread / Math.max(0.3, hypot(x, y))
  const [p, q, r] = [a + s * x, b + s * y, c + lift]
  const n = hypot(p, q, r)
  return [p / n, q / n, r / n]
}

const spread = 0.5
const lift = 0.12
