/**
 * The space station of J. Barbic, Y. Zhao, Real-time Large-deformation Substructuring (2011), Table 1: 48 domains with 921 modes in free flight. Here 9 modules
 * of 20 modes; 8 segments of a truss, 8 wings of 3 solar panels, 4 radiators and 3 antennas of 19 each.
 */

import { type DomainSpec, type LoadSpec, type Spec, tetrahedra, type Vec3, voxelGrid } from 'limber'
import { pow } from '../portable.js'
import { defineScene } from '../scene.js'
import { createAssembly, type Holder } from './assembly.js'
import { domainsOf, type Part, part, reduceOnce } from './classes.js'
import { disc, loft } from './loft.js'
import { facing, join, type Pose, plus, scaled } from './pose.js'

/** light for their size: hulls and lattices, filled with little */
const hull = { young: 5e7, poisson: 0.3, density: 90 }
const lattice = { young: 5e7, poisson: 0.3, density: 120 }
const foil = { young: 5e7, poisson: 0.3, density: 60 }
const moduleModes = 20
const otherModes = 19

const cube = 4
const module = { length: 6, radius: 2 }
const truss = { length: 8, half: 1.1, cells: 9 }
const panel = { length: 5, half: 1.9 }

const white = [0.9, 0.9, 0.88, 1] as const
const grey = [0.6, 0.62, 0.65, 1] as const
const blue = [0.13, 0.2, 0.48, 1] as const
const gold = [0.85, 0.68, 0.3, 1] as const

/** directions of the world that parts grow along, their y up where it can be */
const ahead = facing([1, 0, 0], [0, 0, 1])
const astern = facing([-1, 0, 0], [0, 0, 1])
const up = facing([0, 0, 1], [0, 1, 0])
const down = facing([0, 0, -1], [0, 1, 0])
/** with its width along the truss */
const hanging = facing([0, 0, -1], [1, 0, 0])
const hands = [
  { hand: 'port', sign: 1, heading: facing([0, 1, 0], [0, 0, 1]) },
  { hand: 'starboard', sign: -1, heading: facing([0, -1, 0], [0, 0, 1]) },
] as const
const ways = [
  ['fore', 1, ahead],
  ['rear', -1, astern],
] as const

/** The middle: free, with an interface on each of its faces. */
function coreClass(): DomainSpec {
  const h = cube / 2
  const mesh = tetrahedra(voxelGrid({ size: [4, 4, 4], edge: cube / 4, origin: [-h, -h, -h] }))
  const box = (axis: number, at: number) => ({
    min: [0, 1, 2].map((a) => (a === axis ? at : -h)) as unknown as Vec3,
    max: [0, 1, 2].map((a) => (a === axis ? at : h)) as unknown as Vec3,
  })
  const interfaces = { front: box(0, h), back: box(0, -h), port: box(1, h), starboard: box(1, -h), top: box(2, h), bottom: box(2, -h) }
  return { name: 'core', data: reduceOnce(mesh, { material: hull, interfaces, modes: moduleModes }) }
}

function moduleClass(): Part {
  // ends taper to the size of a hatch
  const section = (u: number, v: number, t: number): readonly [number, number] => {
    const radius = module.radius * (t === 0 || t === 1 ? 0.62 : 1)
    const [x, y] = disc(u, v)
    return [radius * x, radius * y]
  }
  return part('module', loft({ cells: [4, 4, 6], length: module.length, section }), hull, moduleModes)
}

/** Four longerons with a frame around them every other cell. */
function trussClass(): Part {
  const edge = (i: number): boolean => i !== 1
  const filled = (i: number, j: number, k: number): boolean => (edge(i) && edge(j)) || (k % 2 === 0 && (edge(i) || edge(j)))
  const section = (u: number, v: number): readonly [number, number] => [truss.half * thin(u), truss.half * thin(v)]
  return part('truss', loft({ cells: [3, 3, truss.cells], filled, length: truss.length, section }), lattice, otherModes)
}

/** moves the inner lines of a grid of three cells outward, so that the outer cells are thinner */
const thin = (u: number): number => (Math.abs(u) < 0.9 ? 2.1 * u : u)

/** A plate; the first of a wing begins with a mast. */
function panelClass(name: string, mast: boolean): Part {
  const section = (u: number, v: number, t: number): readonly [number, number] => [panel.half * (mast && t < 0.2 ? 0.12 : 1) * u, 0.06 * v]
  return part(name, loft({ cells: [4, 1, 6], length: panel.length, section }), foil, otherModes)
}

/** A mast with a dish. */
function antennaClass(): Part {
  const section = (u: number, v: number, t: number): readonly [number, number] => {
    const radius = t < 0.7 ? 0.18 : 0.18 + 1.5 * pow((t - 0.7) / 0.3, 0.6)
    const [x, y] = disc(u, v)
    return [radius * x, radius * y]
  }
  return part('antenna', loft({ cells: [2, 2, 9], length: 4, section }), lattice, otherModes)
}

export const station = defineScene({
  name: 'station',
  title: 'Space station',
  description:
    'Modules, a truss, solar wings, radiators and antennas in free flight: 48 reduced domains with 921 modes. A docking bump makes the wings flap.',
  parameters: {
    bump: { default: 60, unit: 'kN', min: 0, max: 1000, description: 'force of the docking bump at the front, during half a second' },
    hertz: { default: 0.35, unit: 'Hz', min: 0.05, max: 20, description: 'lowest frequency of a solar panel that is held at its root' },
  },
  size: { bodies: 48, dof: 927 },
  camera: [42, -52, 36, 2, 0, 0],
  build({ bump, hertz }): Spec {
    const core = coreClass()
    const [tube, beam, first, next, antenna] = [
      moduleClass(),
      trussClass(),
      panelClass('first-panel', true),
      panelClass('panel', false),
      antennaClass(),
    ]
    const { bodies, pose: poseOf, add } = createAssembly()
    const at = (position: Vec3, quaternion: Pose['quaternion']): Pose => ({ position, quaternion })
    const on = (parent: string, attach: string): Holder => ({ parent, attach })
    const flight = { joints: [{ name: 'flight', type: 'free' as const }] }
    add('core', at([0, 0, 0], up), core, { hertz: 12, color: white, damping: 0.01 }, undefined, flight)

    const cabin = { hertz: 4, color: white, damping: 0.01 }
    const h = cube / 2
    const front = add('front', at([h, 0, 0], ahead), tube, cabin, on('core', 'front'))
    add('nose', join(front, tube.ring(6)), tube, cabin, on('front', 'tip'))
    const aft = add('aft', at([-h, 0, 0], astern), tube, cabin, on('core', 'back'))
    const tail = add('tail', join(aft, tube.ring(6)), tube, { ...cabin, color: gold }, on('aft', 'tip'))
    add('zenith', at([0, 0, h], up), tube, { ...cabin, scale: 0.7 }, on('core', 'top'))
    add('nadir', at([0, 0, -h], down), tube, { ...cabin, scale: 0.7 }, on('core', 'bottom'))
    for (const { hand, sign, heading } of hands) {
      const place: Vec3 = [h + 1.5 * module.length, 0.8 * sign * module.radius, 0]
      add(`${hand}-lab`, at(place, heading), tube, { ...cabin, scale: 0.85 }, on('nose', 'ring3'))
    }

    for (const { hand, sign, heading } of hands) {
      let holder = on('core', hand)
      let pose = at([0, sign * h, 0], heading)
      for (let k = 1; k <= 4; k++) {
        const name = `${hand}-truss${k}`
        add(name, pose, beam, { hertz: 3, color: grey, damping: 0.01 }, holder)
        const middle = join(pose, beam.ring(5)).position
        if (k >= 3) {
          for (const [way, dir, turned] of ways) {
            let [by, start] = [on(name, 'ring5'), at(plus(middle, [dir * truss.half, 0, 0]), turned)]
            for (let p = 1; p <= 3; p++) {
              const own = `${hand}-${way}-wing${k - 2}-panel${p}`
              const of = p === 1 ? first : next
              add(own, start, of, { hertz, color: blue, damping: 0.01 }, by)
              ;[by, start] = [on(own, 'tip'), join(start, of.ring(6))]
            }
          }
        } else {
          const look = { scale: 0.8, hertz: 2 * hertz, color: white, damping: 0.01 }
          add(`${hand}-radiator${k}`, at(plus(middle, [0, 0, -truss.half]), hanging), first, look, on(name, 'ring5'))
        }
        ;[holder, pose] = [on(name, 'tip'), join(pose, beam.ring(truss.cells))]
      }
    }
    const dish = { hertz: 1.5, color: gold, damping: 0.01 }
    const hatch = scaled(tube.ring(6), 0.7)
    add('top-antenna', join(poseOf('zenith'), hatch), antenna, dish, on('zenith', 'tip'))
    add('nadir-antenna', join(poseOf('nadir'), hatch), antenna, { ...dish, scale: 0.7 }, on('nadir', 'tip'))
    const roof = plus(join(tail, tube.ring(3)).position, [0, 0, 0.9 * module.radius])
    add('tail-antenna', at(roof, up), antenna, { ...dish, scale: 0.8 }, on('tail', 'ring3'))
    return {
      name: 'station',
      gravity: [0, 0, 0],
      timestep: 1 / 60,
      solver: { name: 'substructuring' },
      domains: domainsOf([core, tube, beam, first, next, antenna]),
      bodies,
      loads: bump > 0 ? [docking(1000 * bump)] : [],
    }
  },
})

/** From below, against the hatch of the foremost module. */
function docking(force: number): LoadSpec {
  return {
    name: 'docking',
    force: [-0.3 * force, 0.25 * force, force],
    moving: { duration: 0.5, along: [{ body: 'nose', from: [0, 0, 0], to: [0, 0, 0.01] }] },
  }
}
