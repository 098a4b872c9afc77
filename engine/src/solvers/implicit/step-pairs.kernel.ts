/** The ground step with contacts among the bodies: `step.kernel` with coupling rows. */
import type { Tree, Work } from '../../model/tables.js'
import { settleBalls } from './balls.kernel.js'
import { advance } from './integrate.kernel.js'
import { flat, full, type Kind, slanted } from './kinds.kernel.js'
import { newton } from './newton.kernel.js'
import { detectPairs, pairsOf } from './pairs.kernel.js'
import { begin } from './step.kernel.js'
import { storeForces } from './store.kernel.js'
import type { Ground, GroundStep } from './tables.js'

function solve(kind: Kind, among: Kind, m: Tree, d: Work, g: Ground, s: GroundStep): void {
  begin(kind, m, d, g, s)
  detectPairs(among, m, d, g, s)
  newton(kind, pairsOf(among), m, d, g, s)
  if (g.storesForces === 1) storeForces(m, g, s)
  settleBalls(g, s)
}

/** On horizontal planes. @kernel */
export function solveFlatPairs(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solve(flat, slanted, m, d, g, s)
}

/** On any planes and a height field. @kernel */
export function solveSlantedPairs(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solve(slanted, slanted, m, d, g, s)
}

/** With torsional and rolling friction. @kernel */
export function solveFullPairs(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solve(full, full, m, d, g, s)
}

/** @kernel */
export function stepFlatPairs(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solveFlatPairs(m, d, g, s)
  advance(m, g, s)
}

/** @kernel */
export function stepSlantedPairs(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solveSlantedPairs(m, d, g, s)
  advance(m, g, s)
}

/** @kernel */
export function stepFullPairs(m: Tree, d: Work, g: Ground, s: GroundStep): void {
  solveFullPairs(m, d, g, s)
  advance(m, g, s)
}
