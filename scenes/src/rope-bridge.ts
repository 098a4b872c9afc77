/**
 * A rope bridge: planks that bend and twist against each other between two banks, a hand rope on either side, and hangers between.
 * Three chains, three closures; someone walks over, a little left of the middle.
 */
import type { BodySpec, JointSpec, Spec, SpringSpec, Vec3 } from 'limber'
import { type Arc, arcOfLinks } from './arc.js'
import { cloth, warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { defineScene } from './scene.js'

const span = 12
const sag = 1.2
const height = 4
const width = 1.2
const rail = 1
const across: Vec3 = [0, -1, 0]
const sides = [
  ['left', 1],
  ['right', -1],
] as const

export const ropeBridge = defineScene({
  name: 'rope-bridge',
  title: 'Rope bridge',
  description: 'Planks and two hand ropes hang between two banks, tied together by hangers, while someone walks over.',
  parameters: {
    planks: { default: 16, integer: true, min: 4, max: 10_000, description: 'planks, and pieces of each hand rope' },
    walker: { default: 75, unit: 'kg', min: 0, max: 1e5, description: 'who walks over the bridge in ten seconds; 0 is nobody' },
  },
  build({ planks: n, walker }): Spec {
    const arc = arcOfLinks(n, span, -sag)
    const b = arc.link
    const planks = chain('plank', n, arc, [-span / 2, 0, height], (k) => ({
      joint: { type: 'universal', axis: across, axis2: [1, 0, 0], ...(k === 0 ? {} : { stiffness: 5 }), damping: 1 },
      geom: {
        shape: 'box',
        size: [0.85 * b, width, 0.06],
        position: [b / 2, 0, 0],
        density: 600,
        color: warmShade(0.35 + 0.1 * (k % 2)),
        collide: false,
      },
    }))
    const ropes = sides.map(([side, sign]) =>
      chain(`${side}-rope`, n, arc, [-span / 2, (sign * width) / 2, height + rail], () => ({
        joint: { type: 'universal', axis: across, axis2: [0, 0, 1], damping: 0.02 },
        geom: {
          shape: 'capsule',
          radius: 0.03,
          length: b,
          position: [b / 2, 0, 0],
          quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0],
          density: 900,
          color: [0.8, 0.7, 0.5, 1],
          collide: false,
        },
      })),
    )
    const along = planks.map(({ name }) => ({ body: name, from: [0, 0.2, 0.03], to: [b, 0.2, 0.03] }) as const)
    return {
      name: 'rope-bridge',
      gravity: [0, 0, -9.81],
      timestep: 0.01,
      solver: { name: 'redmax' },
      bodies: [...planks, ...ropes.flat()],
      world: { geoms: [backdrop(0), ...banks()] },
      springs: sides.flatMap(([side, sign]) => hangers(side, sign, n, b)),
      ...(walker > 0 ? { loads: [{ name: 'walker', force: [0, 0, -9.81 * walker], moving: { duration: 10, along } }] } : {}),
      constraints: [
        {
          type: 'hinge',
          name: 'far-plank',
          a: { body: `plank${n}`, point: [b, 0, 0], axis: across },
          b: { body: 'world', point: [span / 2, 0, height], axis: across },
        },
        ...sides.map(([side, sign]) => ({
          type: 'point' as const,
          name: `far-${side}-rope`,
          a: { body: `${side}-rope${n}`, point: [b, 0, 0] as const },
          b: { body: 'world', point: [span / 2, (sign * width) / 2, height + rail] as const },
        })),
      ],
    }
  },
})

type Link = { readonly joint: JointSpec; readonly geom: NonNullable<BodySpec['geoms']>[number] }

function chain(name: string, n: number, arc: Arc, start: Vec3, link: (k: number) => Link): BodySpec[] {
  return Array.from({ length: n }, (_, k) => {
    const { joint, geom } = link(k)
    return {
      name: `${name}${k + 1}`,
      parent: k === 0 ? 'world' : `${name}${k}`,
      position: k === 0 ? start : [arc.link, 0, 0],
      quaternion: arc.orientation(k),
      joints: [{ name: `${name}-joint${k + 1}`, ...joint }],
      geoms: [geom],
      damping: { linear: 0.5, angular: 0.05 },
    }
  })
}

/** From the middle of each plank's edge to the middle of the rope above it. */
function hangers(side: string, sign: number, n: number, b: number): SpringSpec[] {
  return Array.from({ length: n }, (_, k) => ({
    name: `${side}-hanger${k + 1}`,
    a: { body: `plank${k + 1}`, point: [b / 2, (sign * width) / 2, 0] },
    b: { body: `${side}-rope${k + 1}`, point: [b / 2, 0, 0] },
    stiffness: 2e4,
    damping: 20,
  }))
}

function banks() {
  return [-1, 1].flatMap((end) => [
    {
      shape: 'box' as const,
      size: [1.5, 2.4, height] as const,
      position: [end * (span / 2 + 0.78), 0, height / 2] as const,
      color: cloth,
      collide: false,
    },
    ...sides.map(([, sign]) => ({
      shape: 'cylinder' as const,
      radius: 0.07,
      length: rail,
      position: [end * (span / 2 + 0.03), (sign * width) / 2, height + rail / 2] as const,
      color: warmShade(0.8),
      collide: false,
    })),
  ])
}
