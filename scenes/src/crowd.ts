/**
 * A crowd of puppets on strings: two hundred of them have 19,000 degrees of freedom. Own design; shows large forests of small trees.
 *
 * A puppet has 34 segments: a free pelvis, a spine of six, neck, head and jaw, two arms of four with four fingers each, two legs of
 * four, all by spherical joints but jaw, knees and toes, which are hinges: 6 + 28 · 3 + 5 = 95 degrees of freedom.
 */
import type { BodySpec, GeomSpec, JointSpec, Spec, SpringSpec, Vec3 } from 'limber'
import { cloth, skin, steel } from './colors.js'
import { defineScene } from './scene.js'

const spacing = 1.6
const barHeight = 2.6

export const crowd = defineScene({
  name: 'crowd',
  title: 'Crowd of puppets',
  description: 'Puppets of 95 degrees of freedom hang on strings side by side and swing; two hundred of them have 19,000.',
  parameters: {
    puppets: { default: 24, integer: true, min: 1, max: 2000, description: 'number of puppets' },
    swing: { default: 0.35, unit: 'rad', min: -1.5, max: 1.5, description: 'tilt of the puppets at the start' },
    damping: { default: 0.05, unit: 'N m s', min: 0, max: 100, description: 'damping of every joint' },
  },
  build({ puppets, swing, damping }): Spec {
    const columns = Math.ceil(Math.sqrt(2 * puppets))
    const bodies: BodySpec[] = []
    const springs: SpringSpec[] = []
    for (let k = 0; k < puppets; k++) {
      const place: Vec3 = [((k % columns) - (columns - 1) / 2) * spacing, Math.floor(k / columns) * spacing, 0]
      addPuppet(bodies, springs, `p${k + 1}`, place, swing * Math.sin(1 + 2.4 * k), damping)
    }
    return {
      name: 'crowd',
      gravity: [0, 0, -9.81],
      timestep: 0.004,
      solver: { name: 'ode', options: { method: 'semi-implicit' } },
      bodies,
      springs,
      world: { geoms: [{ shape: 'plane' }] },
    }
  },
})

function addPuppet(bodies: BodySpec[], springs: SpringSpec[], id: string, [x, y]: Vec3, tilt: number, damping: number): void {
  const ball = (name: string): JointSpec => ({ name: `${id}-${name}`, type: 'spherical', damping, stiffness: 3, armature: 0.002 })
  const hinge = (name: string): JointSpec => ({
    name: `${id}-${name}`,
    type: 'revolute',
    axis: [0, 1, 0],
    damping,
    stiffness: 3,
    armature: 0.002,
  })
  const add = (name: string, parent: string, position: Vec3, joint: JointSpec, geom: GeomSpec) =>
    bodies.push({ name: `${id}-${name}`, parent: `${id}-${parent}`, position, joints: [joint], geoms: [{ ...geom, collide: false }] })

  bodies.push({
    name: `${id}-pelvis`,
    position: [x, y, 1],
    quaternion: [Math.cos(tilt / 2), 0, Math.sin(tilt / 2), 0],
    joints: [{ name: `${id}-root`, type: 'free' }],
    // bones overlap at the joints and hang clear of the ground: they are drawn, not touched
    geoms: [{ ...bone(0.09, 0.12, 4, cloth, [0, 1, 0]), collide: false }],
  })
  // spine of six, neck, head, jaw
  let last = 'pelvis'
  for (let k = 1; k <= 6; k++) {
    add(`spine${k}`, last, [0, 0, k === 1 ? 0.07 : 0.075], ball(`spine${k}`), bone(0.07, 0.08, 2.5, cloth, [0, 1, 0]))
    last = `spine${k}`
  }
  add('neck', last, [0, 0, 0.08], ball('neck'), bone(0.04, 0.05, 1, skin))
  add('head', 'neck', [0, 0, 0.09], ball('head'), { shape: 'sphere', radius: 0.1, position: [0, 0, 0.08], mass: 4, color: skin })
  add('jaw', 'head', [0.06, 0, 0.03], hinge('jaw'), box([0.07, 0.08, 0.03], 0.3))
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    // arm: shoulder blade, upper arm, forearm, hand, four fingers
    add(`${side}-blade`, last, [0, sign * 0.1, 0.04], ball(`${side}-blade`), bone(0.04, 0.05, 1, cloth, [0, 1, 0]))
    add(`${side}-upper-arm`, `${side}-blade`, [0, sign * 0.08, 0], ball(`${side}-shoulder`), bone(0.04, 0.2, 2, cloth))
    add(`${side}-forearm`, `${side}-upper-arm`, [0, 0, -0.28], ball(`${side}-elbow`), bone(0.033, 0.18, 1.2, skin))
    add(`${side}-hand`, `${side}-forearm`, [0, 0, -0.25], ball(`${side}-wrist`), bone(0.03, 0.04, 0.5, skin))
    for (let f = 1; f <= 4; f++) {
      const place: Vec3 = [0.02 * (f - 2.5), 0, -0.07]
      add(`${side}-finger${f}`, `${side}-hand`, place, ball(`${side}-finger${f}`), bone(0.012, 0.05, 0.1, skin))
    }
    // leg: thigh, shin, foot, toes
    add(`${side}-thigh`, 'pelvis', [0, sign * 0.09, -0.06], ball(`${side}-hip`), bone(0.06, 0.3, 7, cloth))
    add(`${side}-shin`, `${side}-thigh`, [0, 0, -0.42], hinge(`${side}-knee`), bone(0.045, 0.3, 3.5, skin))
    add(`${side}-foot`, `${side}-shin`, [0, 0, -0.4], ball(`${side}-ankle`), box([0.16, 0.08, 0.05], 0.8))
    add(`${side}-toes`, `${side}-foot`, [0.08, 0, 0], hinge(`${side}-toes`), box([0.07, 0.08, 0.04], 0.2))
    springs.push({
      name: `${id}-${side}-string`,
      a: { body: 'world', point: [x, y + sign * 0.3, barHeight] },
      b: { body: `${id}-spine6`, point: [0, sign * 0.12, 0.06] },
      stiffness: 2500,
      damping: 40,
    })
  }
}

/** A capsule that hangs from the joint, or lies across it along `axis`. */
function bone(radius: number, length: number, mass: number, color: NonNullable<GeomSpec['color']>, axis?: Vec3): GeomSpec {
  const half = Math.SQRT1_2
  return axis
    ? { shape: 'capsule', radius, length, quaternion: [half, half, 0, 0], mass, color }
    : { shape: 'capsule', radius, length, position: [0, 0, -0.5 * length - radius], mass, color }
}

function box(size: Vec3, mass: number): GeomSpec {
  return { shape: 'box', size, position: [0.5 * size[0] - 0.04, 0, -0.02], mass, color: steel }
}
