/**
 * A crowd that is pushed away from the camera, after figure 1 of S. Redon, N. Galoppo, M. Lin, Adaptive Dynamics of Articulated Bodies:
 * Implementation Details (2005): two hundred characters have 17,800 rigid bodies and 19,000 degrees of freedom. Nothing weighs: they stand in rows
 * until a wave from the camera reaches them, and then drift.
 *
 * A joint's spring k towards the standing pose has a damper τ k and an armature k / ω². No mode of a person is then faster than ω, nor more
 * damped than τ ω², since the armatures alone are a part of the mass matrix: semi-implicit steps h are stable for h² ω² + 2 h τ ω² < 4, which
 * holds up to 1/70 s. A limb that swings at 10 rad/s is made heavier by a twenty-fifth.
 */

import type { BodySpec, JointSpec, LoadSpec, PlacedGeomSpec, Spec, Vec3 } from 'limber'
import { bodyMass, type Dress, type Segment, segments } from './anatomy.js'
import { hypot, sin, squared } from './portable.js'
import { turn } from './rotations.js'
import { defineScene } from './scene.js'

/** rad/s */
const fastest = 50
/** s */
const lag = 0.02

/** of the camera, and of what it looks at: from a little above the eyes of the first row into the depth of the crowd */
const camera: Vec3 = [0.9, -5.2, 2.3]
const target: Vec3 = [0, 4, 0.75]
/** metres between neighbours, and between rows */
const spacing = [1.35, 1.5] as const
const firstRow = 5
/** seconds that the wave pushes each of them, and metres a second at which it travels */
const pushTime = 0.15
const waveSpeed = 12
/** of the push: at the chest, the rest at the pelvis; and of its direction, upward */
const atChest = 0.12
const rise = 0.18

type Color = NonNullable<PlacedGeomSpec['color']>
const wardrobe: Readonly<Record<Dress, readonly Color[]>> = {
  shirt: [
    [0.72, 0.22, 0.2, 1],
    [0.2, 0.4, 0.65, 1],
    [0.92, 0.9, 0.84, 1],
    [0.24, 0.5, 0.36, 1],
    [0.9, 0.68, 0.24, 1],
    [0.42, 0.32, 0.55, 1],
    [0.86, 0.5, 0.38, 1],
    [0.3, 0.33, 0.38, 1],
  ],
  trousers: [
    [0.16, 0.2, 0.3, 1],
    [0.25, 0.24, 0.24, 1],
    [0.5, 0.44, 0.35, 1],
    [0.28, 0.36, 0.48, 1],
    [0.36, 0.3, 0.27, 1],
  ],
  skin: [
    [0.87, 0.67, 0.54, 1],
    [0.78, 0.56, 0.42, 1],
    [0.56, 0.38, 0.28, 1],
    [0.94, 0.76, 0.65, 1],
    [0.4, 0.27, 0.2, 1],
  ],
  hair: [
    [0.13, 0.1, 0.09, 1],
    [0.3, 0.2, 0.13, 1],
    [0.55, 0.4, 0.22, 1],
    [0.5, 0.48, 0.46, 1],
    [0.22, 0.13, 0.1, 1],
  ],
  shoes: [
    [0.12, 0.12, 0.13, 1],
    [0.3, 0.2, 0.15, 1],
    [0.75, 0.75, 0.74, 1],
  ],
}

export const crowd = defineScene({
  name: 'crowd',
  title: 'Crowd',
  description:
    'People of 89 bodies and 95 degrees of freedom each stand in rows, weightless, and are pushed away from the camera by a wave.',
  parameters: {
    characters: {
      default: 24,
      integer: true,
      min: 1,
      max: 2000,
      description: 'number of people; two hundred have 19,000 degrees of freedom',
    },
    push: { default: 1.6, unit: 'm/s', min: 0, max: 50, description: 'speed that the wave gives to each of them' },
    stiffness: { default: 1, min: 0, max: 10, description: 'factor on springs and dampers of the joints' },
  },
  camera: [...camera, ...target],
  build({ characters, push, stiffness }): Spec {
    const people = Array.from({ length: characters }, (_, k) => {
      const place = placeOf(k, characters)
      return { name: `p${k + 1}`, place, distance: hypot(place[0] - camera[0], place[1] - camera[1]) }
    })
    const nearest = Math.min(...people.map(({ distance }) => distance))
    return {
      name: 'crowd',
      gravity: [0, 0, 0],
      timestep: 0.005,
      solver: { name: 'adaptive', options: { budget: 10 * characters } },
      bodies: people.flatMap(({ name, place }, k) => person(name, place, k, stiffness)),
      loads: push > 0 ? people.flatMap(({ name, place, distance }, k) => wave(name, place, k, push, (distance - nearest) / waveSpeed)) : [],
      world: { geoms: [{ shape: 'plane', collide: false }] },
    }
  },
})

/** Each row has a place more than the one before it, which is how wide the camera sees: sixteen rows hold two hundred. */
function placeOf(k: number, count: number): Vec3 {
  let row = 0
  let first = 0
  while (first + firstRow + row <= k) first += firstRow + row++
  const wide = Math.min(firstRow + row, count - first)
  return [(k - first - (wide - 1) / 2) * spacing[0], row * spacing[1], 0]
}

/** Someone who faces the camera. */
function person(id: string, place: Vec3, k: number, factor: number): BodySpec[] {
  return segments.map((segment): BodySpec => {
    const { name, parent, at, axes, stiffness, mass, shapes } = segment
    const above = parent === undefined ? undefined : byName.get(parent)
    const pose = above
      ? { parent: `${id}-${parent}`, position: minus(at, above.at) }
      : { position: [place[0], place[1], at[2]] as const, quaternion: turn('z', -Math.PI / 2) }
    return {
      name: `${id}-${name}`,
      ...pose,
      joints: [jointOf(`${id}-${name}`, axes, factor * stiffness)],
      geoms: shapes.map(([dress, shape], s): PlacedGeomSpec => {
        const weight = s === 0 ? { mass: (mass / 100) * bodyMass } : {}
        return { ...shape, ...weight, position: minus(shape.position ?? [0, 0, 0], at), color: colorOf(dress, k), collide: false }
      }),
    }
  })
}

const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
const byName: ReadonlyMap<string, Segment> = new Map(segments.map((segment) => [segment.name, segment]))

function jointOf(name: string, [axis, axis2]: readonly Vec3[], stiffness: number): JointSpec {
  if (!axis) return { name, type: 'free' }
  const soft = { stiffness, damping: lag * stiffness, armature: stiffness / squared(fastest) }
  return axis2 ? { name, type: 'universal', axis, axis2, ...soft } : { name, type: 'revolute', axis, ...soft }
}

/** Neighbours differ, and the same crowd comes every time: steps of the golden ratio through each list. */
function colorOf(dress: Dress, k: number): Color {
  const list = wardrobe[dress]
  const salt = Object.keys(wardrobe).indexOf(dress)
  return list[Math.floor(list.length * ((0.618034 * (k + 1) * (salt + 1) + 0.37 * salt) % 1))]
}

/** A wave from the camera over the ground: it runs across chest and pelvis, and from which side is another matter for each of them. */
function wave(id: string, [x, y]: Vec3, k: number, push: number, start: number): LoadSpec[] {
  const [dx, dy] = [x - camera[0], y - camera[1]]
  const distance = hypot(dx, dy)
  const size = (bodyMass * push) / (pushTime * hypot(1, rise))
  const across = 0.006 * sin(2.4 * k)
  const at = (body: string, share: number): LoadSpec => ({
    name: `${id}-push-${body}`,
    force: [(share * size * dx) / distance, (share * size * dy) / distance, share * size * rise],
    moving: { start, duration: pushTime, along: [{ body: `${id}-${body}`, from: [0, across - 0.003, 0], to: [0, across + 0.003, 0] }] },
  })
  return [at('T6', atChest), at('pelvis', 1 - atChest)]
}
