/** A chain of rods on universal joints that hangs from the world, and what a batch is asked to tell of it. */
import type { BodySpec, Spec } from 'limber'
import { POINTS } from './protocol.js'

const LINKS = POINTS - 1
/** m, kg */
const LENGTH = 0.12
const MASS = 0.1
const THICKNESS = 0.02

export const chain: Spec = {
  name: 'chain',
  gravity: [0, 0, -9.81],
  timestep: 1 / 240,
  bodies: Array.from(
    { length: LINKS },
    (_, k): BodySpec => ({
      name: `link${k}`,
      parent: k === 0 ? 'world' : `link${k - 1}`,
      position: [0, 0, k === 0 ? 0 : -LENGTH],
      joints: [{ name: `joint${k}`, type: 'universal', axis: [0, 1, 0], axis2: [1, 0, 0], damping: 0.002 }],
      geoms: [{ shape: 'box', size: [THICKNESS, THICKNESS, LENGTH], position: [0, 0, -LENGTH / 2], mass: MASS, collide: false }],
    }),
  ),
  sites: [{ name: 'end', body: `link${LINKS - 1}`, position: [0, 0, -LENGTH] }],
}

/** Positions of the points, from the first joint to the end. */
export const pointNames = [...Array.from({ length: LINKS }, (_, k) => `position of link${k}`), 'position of end']
