/**
 * Four rods on three hinges under water: drag is larger across a rod than along it, and motors send a wave from head to tail.
 *
 * After Z. Pan, D. Manocha (2018), section 6.2: nine degrees of freedom. Drag that is the same in all directions cannot move the centre of
 * mass of a swimmer that starts at rest; set `along` equal to `across` to see it.
 */

import type { ActuatorSpec, BodySpec, Spec } from 'limber'
import { warmShade } from './colors.js'
import { backdrop } from './ground.js'
import { sin } from './portable.js'
import { defineScene } from './scene.js'

const LINKS = 4
// bent at the start: soft springs in the hinges straighten it also while the motors are idle
const BENT = [0.6, 0, -0.6]

export const swimmer = defineScene({
  name: 'swimmer',
  title: 'Four-link swimmer',
  description:
    'Four rods joined by three hinges swim: their motors send a wave from head to tail, and drag is larger across a rod than along it. Left alone they straighten.',
  parameters: {
    length: { default: 0.5, unit: 'm', min: 1e-3, max: 100, description: 'length of one rod' },
    mass: { default: 1, unit: 'kg', min: 1e-6, max: 1e6, description: 'mass of one rod' },
    along: { default: 1, unit: 'N s/m', min: 0, max: 1e6, description: 'drag of one rod along its axis' },
    across: { default: 8, unit: 'N s/m', min: 0, max: 1e6, description: 'drag of one rod across its axis' },
    stiffness: { default: 20, unit: 'N m/rad', min: 0, max: 1e6, description: 'how firmly a motor holds its angle' },
    damping: { default: 1, unit: 'N m s/rad', min: 0, max: 1e6, description: 'damping of a motor' },
  },
  drive: () => (state) => {
    // begins gently
    const part = Math.min(1, state.t)
    swimmerGait(state.t).forEach((angle, k) => {
      state.control[k] = part * angle
    })
  },
  build({ length, mass, along, across, stiffness, damping }): Spec {
    const bodies: BodySpec[] = []
    const actuators: ActuatorSpec[] = []
    for (let i = 0; i < LINKS; i++) {
      bodies.push({
        name: `rod${i + 1}`,
        parent: i === 0 ? 'world' : `rod${i}`,
        position: i === 0 ? [0, 0, 0] : [-length, 0, 0],
        joints:
          i === 0
            ? [{ name: 'root', type: 'free' }]
            : [{ name: `hinge${i}`, type: 'revolute', axis: [0, 0, 1], initial: BENT[i - 1], rest: 0, stiffness: 1 }],
        drag: [along, across, across],
        geoms: [
          {
            shape: 'box',
            size: [length, 0.12 * length, 0.12 * length],
            position: [-0.5 * length, 0, 0],
            mass,
            color: warmShade(i / (LINKS - 1)),
            // all solvers are to show the same motion, and not all keep bodies apart
            collide: false,
          },
        ],
      })
      if (i > 0) actuators.push({ name: `motor${i}`, joint: `hinge${i}`, gain: [stiffness, 0, 0], bias: [0, -stiffness, -damping] })
    }
    return {
      name: 'swimmer',
      gravity: [0, 0, 0],
      timestep: 0.05,
      solver: { name: 'position', options: { order: '2' } },
      bodies,
      actuators,
      world: { geoms: [backdrop(-2 * length)] },
    }
  },
})

/** Angles that the motors are to take at time t: a wave that travels from head to tail. */
export function swimmerGait(t: number, amplitude = 0.7, frequency = 1, lag = 2): [number, number, number] {
  const angle = (k: number): number => amplitude * sin(2 * Math.PI * frequency * t - lag * k)
  return [angle(0), angle(1), angle(2)]
}
