/**
 * The table of solvers, for the command line and the studio.
 */
import { adaptive } from './adaptive/adaptive.js'
import { implicit } from './implicit/implicit.js'
import { ode } from './ode/ode.js'
import { position } from './position/position.js'
import { redmax } from './redmax/redmax.js'
import type { Solver } from './solver.js'
import { substructuring } from './substructuring/substructuring.js'

export const solvers: Readonly<Record<string, Solver>> = { ode, redmax, implicit, position, adaptive, substructuring }
