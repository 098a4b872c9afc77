/**
 * A hand of four fingers, each closed by one tendon over three joints and opened by springs, that takes a ball, lifts it, turns the wrist and
 * shakes it. One motor a finger for three joints: the finger bends where it meets least, and so lays itself round what it holds.
 */
import type { BodySpec, GeomSpec, Spec, TendonSpec } from 'limber'
import { steel, warmShade } from '../colors.js'
import { cos, sin } from '../portable.js'
import { defineScene } from '../scene.js'
import { blend } from './blend.js'
import { servo } from './servo.js'

/** angle of each finger about the axis of the palm: three together, and the thumb opposite */
const fingers = [
  ['index', 0.75],
  ['middle', 0],
  ['ring', -0.75],
  ['thumb', Math.PI],
] as const
/** lengths of the three parts, and metres of tendon that a radian of each joint takes up */
const parts = [
  ['proximal', 0.046, 0.01],
  ['middle', 0.03, 0.008],
  ['tip', 0.022, 0.006],
] as const
const range = { lift: [-0.3, 0.05], wrist: [-1.7, 1.7], bend: [-0.15, 1.6] } as const
const height = 0.4
const out = 0.04
/** of the palm above the floor when the fingers close */
const reach = 0.125
/** metres by which a tendon is pulled in a closed hand */
const pull = 0.025
/** seconds of one round */
const round = 9

export const hand = defineScene({
  name: 'hand',
  title: 'Hand with tendons',
  description:
    'Four fingers, a tendon in each, close round a ball, lift it, turn it over and shake it; in Control you pull the tendons yourself.',
  parameters: {
    mass: { default: 0.15, unit: 'kg', min: 0.01, max: 3, description: 'mass of the ball' },
    radius: { default: 0.033, unit: 'm', min: 0.025, max: 0.04, description: 'radius of the ball' },
    friction: { default: 0.9, min: 0, max: 3, description: 'coefficient of friction' },
    tension: { default: 40, unit: 'N', min: 1, max: 500, description: 'largest pull of a tendon' },
  },
  drive: ({ actuators: { names } }) => {
    const index = (name: string): number => names.indexOf(name)
    const [lift, wrist] = [index('lift'), index('wrist')]
    const tendons = fingers.map(([name]) => index(name))
    return ({ t, control }) => {
      const s = t % round
      const down = blend(s, 0.2, 1.2) - blend(s, 2.2, 3.2) + blend(s, 6.6, 7.6) - blend(s, 8.2, 8.9)
      const shut = blend(s, 1.3, 2) - blend(s, 7.7, 8)
      const shaking = blend(s, 4.4, 4.7) - blend(s, 5.4, 5.7)
      control[lift] = (reach - height) * down + 0.02 * shaking * sin(6 * Math.PI * (s - 4.4))
      control[wrist] = 1.4 * (blend(s, 3.2, 4.3) - blend(s, 5.6, 6.5))
      for (const k of tendons) control[k] = pull * shut
    }
  },
  build({ mass, radius, friction, tension }): Spec {
    const bodies = fingers.flatMap(([name, angle], f) =>
      parts.map(([part, length], k): BodySpec => {
        const geoms: GeomSpec[] = [
          {
            ...{ shape: 'capsule', radius: 0.0085 - 0.0005 * k, length: length - 0.01, position: [0, 0, -length / 2] },
            ...{ mass: 0.03 - 0.008 * k, friction, color: warmShade(0.15 * f + 0.2 * k) },
          },
        ]
        return {
          name: `${name} ${part}`,
          parent: k === 0 ? 'palm' : `${name} ${parts[k - 1][0]}`,
          position: k === 0 ? [out * cos(angle), out * sin(angle), -0.012] : [0, 0, -parts[k - 1][1]],
          ...(k === 0 ? { quaternion: [cos(angle / 2), 0, 0, sin(angle / 2)] as const } : {}),
          joints: [
            {
              ...{ name: `${name} ${part}`, type: 'revolute', axis: [0, 1, 0], limits: range.bend },
              // the spring that opens it is slack beyond its limit
              ...{ stiffness: 0.08, rest: -0.4, damping: 0.004, armature: 0.0002, initial: range.bend[0] },
            },
          ],
          geoms,
        }
      }),
    )
    const tendons = fingers.map(
      ([name]): TendonSpec => ({ name, joints: parts.map(([part, , arm]) => ({ joint: `${name} ${part}`, coefficient: arm })) }),
    )
    return {
      name: 'hand',
      gravity: [0, 0, -9.81],
      timestep: 0.004,
      solver: { name: 'redmax' },
      bodies: [
        {
          name: 'arm',
          position: [0, 0, height],
          joints: [{ name: 'lift', type: 'prismatic', axis: [0, 0, 1], limits: range.lift, damping: 5 }],
          geoms: [{ shape: 'cylinder', radius: 0.018, length: 0.2, position: [0, 0, 0.12], mass: 0.6, collide: false, color: steel }],
        },
        {
          name: 'palm',
          parent: 'arm',
          joints: [{ name: 'wrist', type: 'revolute', axis: [0, 1, 0], limits: range.wrist, damping: 0.2, armature: 0.01 }],
          geoms: [{ shape: 'box', size: [0.09, 0.085, 0.022], mass: 0.5, friction, color: steel }],
        },
        ...bodies,
        {
          name: 'ball',
          position: [0, 0, radius],
          joints: [{ name: 'ball', type: 'free' }],
          geoms: [{ shape: 'sphere', radius, mass, friction, color: [0.3, 0.5, 0.85, 1] }],
        },
      ],
      tendons,
      actuators: [
        servo('lift', 4000, 300, range.lift),
        servo('wrist', 60, 3, range.wrist),
        ...fingers.map(([name]) => ({
          ...{ name, tendon: name, gain: [4000, 0, 0] as const, bias: [0, -4000, -20] as const },
          // tendons pull and never push
          ...{ controlRange: [-0.01, 0.04] as const, forceRange: [0, tension] as const },
        })),
      ],
      world: { geoms: [{ shape: 'plane', friction }] },
    }
  },
})
