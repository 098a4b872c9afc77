/**
 * The ground step: implicit in velocities, soft contact with the world, limits and dry friction, as one convex problem whose Hessian has the
 * pattern of the tree.
 *
 *   place → linearise → detect → rows → solve → store → integrate
 */
import { placeJoints } from '../../joints/place.kernel.js'
import type { Tree, Work } from '../../model/tables.js'
import { settleBalls, turnBalls } from './balls.kernel.js'
import { detect } from './detect.kernel.js'
import { advance } from './integrate.kernel.js'
import { flat, full, type Kind, slanted } from './kinds.kernel.js'
import { linearise } from './linearise.kernel.js'
import { newton, uncoupled } from './newton.kernel.js'
import { placeBodies } from './place.kernel.js'
import { measure } from './respond.kernel.js'
import { setRows } from './rows.kernel.js'
import { storeForces } from './store.kernel.js'
import type { Ground, GroundStep } from './tables.js'

/** Poses, forces and rows of the current state, and rates at the accelerations of the last step. */
export function begin(kind: Kind, m: Tree, d: Work, g: Ground, s: GroundStep): void {
  placeJoints(m, d, g.q, 1, m.nbody)
  linearise(m, d, g, s)
  placeBodies(m, d, g, s)
  turnBalls(d, g, s)
  detect(kind, d, g, s)
  setRows(g, s)
  measure(kind, d, g, s)
}

/** Accelerations over the step from the current state, and the contact forces where they are observed. */
function solve(kind: Kind, m: Tree, d: Work, g: Ground, s: GroundStep): void {
  begin(kind, m, d, g, s)
  newton(kind, uncoupled, m, d, g, s)
  if (g.storesForces === 1) storeForces(m, g, s)
  settleBalls(g, s)
}

/** Contacts with horizontal planes. @kernel */
export function solveFlat(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solve(flat, m, d, g, s)
}

/** Contacts with any planes and a height field. @kernel */
export function solveSlanted(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solve(slanted, m, d, g, s)
}

/** The same with torsional and rolling friction. @kernel */
export function solveFull(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solve(full, m, d, g, s)
}

/** @kernel */
export function stepFlat(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solveFlat(m, d, g, s)
  advance(m, g, s)
}

/** @kernel */
export function stepSlanted(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solveSlanted(m, d, g, s)
  advance(m, g, s)
}

/** @kernel */
export function stepFull(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solveFull(m, d, g, s)
  advance(m, g, s)
}
