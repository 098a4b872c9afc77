/** A chain of rods on universal joints that hangs from the world, and what a batch is asked to tell of it. */
import type { BodySpec, Observation, Spec } from 'limber'
import { POINTS } from './protocol.js'

const LINKS = POINTS - 1
/** m, kg */
const LENGTH = 0.12
const MASS = 0.1
const THICKNESS = 0.02

const nameOf = (k: number): string => `link${k}`

export const chain: Spec = {
  name: 'chain',
  gravity: [0, 0, -9.81],
  timestep: 1 / 240,
  bodies: Array.from(
    { length: LINKS },
    (_, k): BodySpec => ({
      name: nameOf(k),
      parent: k === 0 ? 'world' : nameOf(k - 1),
      position: [0, 0, k === 0 ? 0 : -LENGTH],
      joints: [{ name: `joint${k}`, type: 'universal', axis: [0, 1, 0], axis2: [1, 0, 0], damping: 0.002 }],
      geoms: [{ shape: 'box', size: [THICKNESS, THICKNESS, LENGTH], position: [0, 0, -LENGTH / 2], mass: MASS, collide: false }],
      ...(k === LINKS - 1 ? { sites: [{ name: 'end', position: [0, 0, -LENGTH] }] } : {}),
    }),
  ),
}

/** Positions of the points, from the first joint to the end. */
export const pointNames: readonly Observation[] = [
  ...Array.from({ length: LINKS }, (_, k): Observation => `position of ${nameOf(k)}`),
  'position of end',
]
