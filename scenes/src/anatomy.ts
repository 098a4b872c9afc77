/**
 * A person of 1.75 m and 75 kg as 89 segments with 95 degrees of freedom: a free pelvis, 87 hinges, and a universal joint below the skull.
 *
 * Lengths and heights are fractions of the stature H by R. Drillis and R. Contini (1966, as in D. Winter, Biomechanics and Motor Control of Human
 * Movement, figure 4.1): ankle 0.039, knee 0.285, hip 0.530, shoulder 0.818, chin 0.870; upper arm 0.186, forearm 0.146, hand 0.108, foot
 * 0.152. Masses are percentages of the body's by P. de Leva (1996, men): head and neck 6.94, upper trunk 15.96, middle trunk 16.33, lower trunk
 * 11.17, upper arm 2.71, forearm 1.62, hand 0.61, thigh 14.16, shank 4.33, foot 1.37. Bones of the fingers are fractions of the length of the hand
 * by B. Buchholz, T. Armstrong and S. Goldstein (1992); regions of the spine measure 180, 280 and 125 mm (Gray's Anatomy). How a segment of
 * these tables is shared out between several bodies, widths and radii are own estimates.
 *
 * Joints of three degrees of freedom are hinges one after the other, each with a part of the limb between them: a hip abducts its upper end and
 * flexes the thigh; shoulder and forearm turn about their own axes half-way down, as radius and ulna do; vertebrae bend or turn by level.
 * The person stands with x forward, y left and z up; coordinates are those of the standing body, in metres.
 */

import type { PlacedGeomSpec, Vec3 } from 'limber'
import { limb } from './limb.js'
import { norm, squared } from './portable.js'
import { turnTo } from './rotations.js'

export const stature = 1.75
export const bodyMass = 75

export type Dress = 'shirt' | 'trousers' | 'skin' | 'hair' | 'shoes'

export interface Segment {
  readonly name: string
  /** undefined for the pelvis, which is free */
  readonly parent: string | undefined
  /** centre of the joint */
  readonly at: Vec3
  /** one axis, a hinge; two, a universal joint */
  readonly axes: readonly Vec3[]
  /** N m/rad towards the standing pose */
  readonly stiffness: number
  /** percentage of the mass of the body, in the first shape */
  readonly mass: number
  readonly shapes: readonly (readonly [Dress, PlacedGeomSpec])[]
}

const x: Vec3 = [1, 0, 0]
const y: Vec3 = [0, 1, 0]
const z: Vec3 = [0, 0, 1]

const ball = (position: Vec3, ...radii: Vec3): PlacedGeomSpec => ({ shape: 'ellipsoid', radii, position })
const between = (a: Vec3, b: Vec3, t: number): Vec3 => [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])]
/** the point so far from `from` in this direction */
const along = (from: Vec3, direction: Vec3, length: number): Vec3 =>
  between(from, [from[0] + direction[0], from[1] + direction[1], from[2] + direction[2]], length / norm(direction))

// trunk and head

/** height; then of the trunk there: half its breadth, half its depth, and how far the spine lies behind the middle */
const outline = [
  [0.92, 0.168, 0.115, 0.05],
  [1.0, 0.164, 0.112, 0.045],
  [1.06, 0.15, 0.104, 0.035],
  [1.13, 0.14, 0.098, 0.03],
  [1.21, 0.147, 0.103, 0.045],
  [1.3, 0.16, 0.114, 0.065],
  [1.38, 0.162, 0.112, 0.065],
  [1.43, 0.14, 0.094, 0.05],
  [1.465, 0.1, 0.074, 0.035],
  [1.49, 0.068, 0.062, 0.03],
  [1.54, 0.057, 0.058, 0.02],
  [1.62, 0.052, 0.056, 0.015],
] as const

function outlineAt(height: number): Vec3 {
  const k = outline.findIndex(([top]) => top >= height)
  const [below, above] = [outline[k - 1] ?? outline[0], outline[k] ?? outline[0]]
  const t = (height - below[0]) / (above[0] - below[0] || 1)
  return between([below[1], below[2], below[3]], [above[1], above[2], above[3]], t)
}

interface Level {
  readonly name: string
  /** of its lower face */
  readonly height: number
  readonly thick: number
  readonly axis: Vec3
  readonly stiffness: number
  readonly dress: Dress
}

/** Vertebrae from below; the axes are those in which each region mostly moves. */
function region(letter: string, base: number, size: number, axes: readonly Vec3[], stiffness: number, dress: Dress): Level[] {
  const thick = size / axes.length
  return axes.map((axis, k) => ({ name: `${letter}${axes.length - k}`, height: base + k * thick, thick, axis, stiffness, dress }))
}

const lumbar = region('L', 1.03, 0.18, [y, x, y, x, y], 900, 'shirt')
const thoracic = region('T', 1.21, 0.28, [z, x, y, z, x, y, z, x, y, z, x, y], 1200, 'shirt')
// the atlas turns on the axis
const cervical = region('C', 1.49, 0.125, [y, x, y, x, y, x, z], 40, 'skin')

/** Slices of the trunk around these vertebrae, which share a mass by their volumes. */
function slices(levels: readonly Level[], base: string, mass: number): Segment[] {
  const volumes = levels.map(({ height, thick }) => {
    const [breadth, depth] = outlineAt(height + thick / 2)
    return breadth * depth * thick
  })
  const all = volumes.reduce((sum, volume) => sum + volume, 0)
  return levels.map(({ name, height, thick, axis, stiffness, dress }, k) => {
    const middle = height + thick / 2
    const [breadth, depth, behind] = outlineAt(middle)
    return {
      name,
      parent: levels[k - 1]?.name ?? base,
      at: [-behind, 0, height],
      axes: [axis],
      stiffness,
      mass: (mass * volumes[k]) / all,
      // taller than the slice, so that the outline is smooth, but no collar up to the chin
      shapes: [[dress, ball([0, 0, middle], depth, breadth, Math.min(3 * thick, 0.55 * breadth))]],
    }
  })
}

const shoulderGirdle = { clavicle: 0.6, scapula: 1.2 }

const trunk: readonly Segment[] = [
  {
    name: 'pelvis',
    parent: undefined,
    at: [0, 0, 0.96],
    axes: [],
    stiffness: 0,
    mass: 9.47,
    shapes: [['trousers', ball([0, 0, 0.965], 0.113, 0.166, 0.095)]],
  },
  ...slices(lumbar.slice(0, 1), 'pelvis', 11.17 - 9.47),
  ...slices([...lumbar.slice(1), ...thoracic.slice(0, 3)], 'L5', 16.33),
  ...slices(thoracic.slice(3), 'T10', 15.96 - 2 * (shoulderGirdle.clavicle + shoulderGirdle.scapula)),
  ...slices(cervical, 'T1', 1.5),
  {
    name: 'skull',
    parent: 'C1',
    at: [-0.015, 0, 1.615],
    axes: [y, x],
    stiffness: 12,
    mass: 6.94 - 1.5 - 0.3,
    shapes: [
      ['skin', ball([0.012, 0, 1.64], 0.095, 0.074, 0.106)],
      ['hair', ball([-0.02, 0, 1.668], 0.092, 0.08, 0.082)],
      // nose and eyes
      ['skin', ball([0.104, 0, 1.618], 0.016, 0.012, 0.02)],
      ['hair', ball([0.092, 0.03, 1.645], 0.009, 0.012, 0.007)],
      ['hair', ball([0.092, -0.03, 1.645], 0.009, 0.012, 0.007)],
    ],
  },
  {
    name: 'jaw',
    parent: 'skull',
    at: [0.015, 0, 1.595],
    axes: [y],
    stiffness: 0.4,
    mass: 0.3,
    shapes: [['skin', ball([0.05, 0, 1.562], 0.048, 0.05, 0.039)]],
  },
]

// left limbs; the right ones mirror them

const shoulder: Vec3 = [-0.01, 0.185, 0.818 * stature]
const elbow = along(shoulder, [-0.04, 0.1, -1], 0.186 * stature)
const wrist = along(elbow, [0.2, 0.03, -1], 0.146 * stature)
const hand = 0.108 * stature
/** the fingers point down and a little inward, the palm faces the thigh */
const down: Vec3 = [0.1, -0.08, -1]
const knuckleLine = 0.446 * hand

/** Finger: how far its knuckle is in front of that of the middle finger and above it, radius, and lengths of three bones over the hand's. */
const fingers = {
  index: [0.021, 0.003, 0.0085, 0.245, 0.143, 0.097],
  middle: [0, 0, 0.0085, 0.266, 0.17, 0.108],
  ring: [-0.02, 0.004, 0.0082, 0.244, 0.165, 0.107],
  little: [-0.038, 0.012, 0.0072, 0.204, 0.117, 0.093],
} as const
/** kg/m³ of the hand */
const density = 1160
/** flexion of the fingers, and of the thumb across the palm */
const curl: Vec3 = [-1, 0, 0]
const oppose: Vec3 = [-0.77, 0, -0.64]
const phalanges = ['proximal', 'middle', 'distal'] as const

/** Bones one after the other from this point, each an ellipsoid a little longer than the bone. */
function digit(name: string, parent: string, start: Vec3, direction: Vec3, radius: number, bones: readonly Bone[]): Segment[] {
  let at = start
  let before = parent
  return bones.map(({ part, length, axis, stiffness }, k) => {
    const end = along(at, direction, length)
    const thin = radius * (1 - 0.09 * k)
    const segment: Segment = {
      name: `${name}-${part}`,
      parent: before,
      at,
      axes: [axis],
      stiffness,
      mass: (100 * density * Math.PI * squared(thin) * length) / bodyMass,
      shapes: [['skin', { ...ball(between(at, end, 0.5), thin, thin, 0.5 * length + 0.3 * thin), quaternion: turnTo(direction) }]],
    }
    at = end
    before = segment.name
    return segment
  })
}

interface Bone {
  readonly part: string
  readonly length: number
  readonly axis: Vec3
  readonly stiffness: number
}

const digits: readonly Segment[] = [
  ...digit('thumb', 'palm', along(along(wrist, down, 0.02), [1, -0.2, 0], 0.022), [0.62, -0.2, -0.76], 0.0105, [
    { part: 'metacarpal', length: 0.251 * hand, axis: y, stiffness: 0.08 },
    { part: 'proximal', length: 0.196 * hand, axis: oppose, stiffness: 0.015 },
    { part: 'distal', length: 0.158 * hand, axis: oppose, stiffness: 0.003 },
  ]),
  ...Object.entries(fingers).flatMap(([name, [forward, up, radius, ...bones]]) => {
    const knuckle = along(wrist, down, knuckleLine - up)
    const start: Vec3 = [knuckle[0] + forward, knuckle[1], knuckle[2]]
    return digit(
      name,
      'palm',
      start,
      [down[0] + 2 * forward, down[1] - 0.12, down[2]],
      radius,
      bones.map((share, k) => ({ part: phalanges[k], length: share * hand, axis: curl, stiffness: [0.025, 0.005, 0.0012][k] })),
    )
  }),
]
const digitMass = digits.reduce((sum, { mass }) => sum + mass, 0)

const upperArmTurn = between(shoulder, elbow, 0.55)
const forearmTurn = between(elbow, wrist, 0.5)
const palmCentre = along(wrist, down, 0.056)
const arm: readonly Segment[] = [
  row('clavicle', 'T2', [0.03, 0.03, 1.44], z, 80, shoulderGirdle.clavicle, [
    ['shirt', limb(0.04, [0, 0.06, 1.437], [-0.015, 0.145, 1.437])],
  ]),
  row('scapula', 'clavicle', [-0.03, 0.15, 1.45], x, 80, shoulderGirdle.scapula, [
    ['shirt', ball([-0.06, 0.11, 1.375], 0.042, 0.065, 0.085)],
  ]),
  row('shoulder', 'scapula', shoulder, x, 35, 0.8, [['shirt', ball(along(shoulder, [0, 0.1, -1], 0.03), 0.054, 0.05, 0.072)]]),
  row('upper-arm', 'shoulder', shoulder, y, 35, 1.1, [['shirt', limb(0.044, between(shoulder, upperArmTurn, 0.25), upperArmTurn)]]),
  row('lower-upper-arm', 'upper-arm', upperArmTurn, [-0.04, 0.1, -1], 5, 0.81, [
    ['skin', limb(0.038, upperArmTurn, between(upperArmTurn, elbow, 0.95))],
  ]),
  row('forearm', 'lower-upper-arm', elbow, y, 7, 0.95, [['skin', limb(0.037, elbow, forearmTurn)]]),
  row('lower-forearm', 'forearm', forearmTurn, [0.2, 0.03, -1], 0.7, 0.67, [
    ['skin', limb(0.029, forearmTurn, between(forearmTurn, wrist, 0.95))],
  ]),
  row('carpus', 'lower-forearm', wrist, y, 1, 0.08, [['skin', ball(along(wrist, down, 0.012), 0.03, 0.019, 0.026)]]),
  row('palm', 'carpus', along(wrist, down, 0.018), curl, 0.9, 0.61 - 0.08 - digitMass, [['skin', ball(palmCentre, 0.043, 0.016, 0.05)]]),
  ...digits,
]

const hip: Vec3 = [-0.01, 0.088, 0.53 * stature]
const knee: Vec3 = [0, 0.084, 0.285 * stature]
const ankle: Vec3 = [-0.02, 0.08, 0.039 * stature]
const heel = ankle[0] - 0.055
const toes = heel + 0.152 * stature
const leg: readonly Segment[] = [
  row('hip', 'pelvis', hip, x, 110, 3.6, [['trousers', ball([-0.015, 0.086, 0.875], 0.092, 0.079, 0.095)]]),
  row('thigh', 'hip', hip, y, 110, 10.56, [
    ['trousers', limb(0.06, between(hip, knee, 0.3), between(hip, knee, 0.97))],
    ['trousers', ball([-0.005, 0.087, 0.76], 0.08, 0.073, 0.18)],
  ]),
  row('shank', 'thigh', knee, y, 30, 4.33, [
    ['trousers', limb(0.045, knee, between(knee, ankle, 0.95))],
    ['trousers', ball([-0.02, 0.082, 0.37], 0.057, 0.053, 0.14)],
  ]),
  row('hindfoot', 'shank', ankle, y, 2.5, 0.62, [['shoes', ball([heel + 0.075, 0.08, 0.042], 0.075, 0.036, 0.042)]]),
  row('forefoot', 'hindfoot', [0.05, 0.082, 0.035], x, 1.5, 0.57, [['shoes', ball([toes - 0.105, 0.084, 0.029], 0.078, 0.045, 0.029)]]),
  row('big-toe', 'forefoot', [toes - 0.06, 0.066, 0.018], y, 0.08, 0.08, [
    ['shoes', ball([toes - 0.034, 0.066, 0.018], 0.034, 0.019, 0.018)],
  ]),
  row('small-toes', 'forefoot', [toes - 0.065, 0.1, 0.016], y, 0.08, 0.1, [
    ['shoes', ball([toes - 0.05, 0.099, 0.016], 0.034, 0.028, 0.016)],
  ]),
]

function row(name: string, parent: string, at: Vec3, axis: Vec3, stiffness: number, mass: number, shapes: Segment['shapes']): Segment {
  return { name, parent, at, axes: [axis], stiffness, mass, shapes }
}

/** Mirrored, equal angles mean mirrored poses: an axis is a pseudovector. */
function onSide(side: 'left' | 'right', limbs: readonly Segment[]): Segment[] {
  const names = new Set(limbs.map(({ name }) => name))
  const sign = side === 'left' ? 1 : -1
  return limbs.map((segment) => ({
    ...segment,
    name: `${side}-${segment.name}`,
    parent: names.has(segment.parent ?? '') ? `${side}-${segment.parent}` : segment.parent,
    at: [segment.at[0], sign * segment.at[1], segment.at[2]],
    axes: segment.axes.map(([a, b, c]): Vec3 => [sign * a, b, sign * c]),
    shapes: segment.shapes.map(([dress, shape]) => [dress, sign > 0 ? shape : mirror(shape)] as const),
  }))
}

function mirror(shape: PlacedGeomSpec): PlacedGeomSpec {
  const [a, b, c] = shape.position ?? [0, 0, 0]
  const [w, i, j, k] = shape.quaternion ?? [1, 0, 0, 0]
  return { ...shape, position: [a, -b, c], quaternion: [w, -i, j, -k] }
}

/** Parents before children. */
export const segments: readonly Segment[] = [...trunk, ...onSide('left', [...arm, ...leg]), ...onSide('right', [...arm, ...leg])]
