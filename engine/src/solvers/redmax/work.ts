/**
 * The bound on the work of a step.
 *
 * Work is counted where it is done, not timed, so that a run goes the same way on every machine. The unit is about a nanosecond of a processor of
 * 2020 with compiled code: 40 bodies have 0.2 s, of which a step takes a hundredth as a rule. A step whose work is spent uses the solution of its last iteration if energy
 * has not grown, else that of one more solve (`solveLast`), and counts in the report.
 */
import type { Contacts } from '../../contact/contacts.js'
import { MOST, SPENT } from '../../contact/solve/problem.js'
import type { Vec } from '../../math/types.js'
import type { Model } from '../../model/model.js'

const LEAST = 4e7
const A_BODY = 4e6
// kinematics, forces and their sums; a product with A; finding a contact, and two convex shapes by the general way; a row in a solve
const EVALUATION = 1000
const PRODUCT = 200
const CONTACT = 3000
const TEST = 10_000
const ROW = 3000

// of the bound: what the rest of a step may take that is made in parts, and how often
const EXTENSION = 0.25
const EXTENSIONS = 4
const EXTENDED = 2
// 1: one last solve may end the step
const MAY_END = 3

/** work[SPENT] of work[MOST]; `times`: of what is usual, 0 for no bound */
export const createWork = ({ nbody, modes }: Model, times: number): Vec =>
  Float64Array.of(0, times > 0 ? times * (LEAST + A_BODY * (nbody + modes.count)) : Number.POSITIVE_INFINITY, 0, 1)

/** `mayEnd`: false where the step is made of steps of another scheme, so that not every one of them takes a last solve. */
export function startWork(work: Vec, mayEnd = true): void {
  work[SPENT] = 0
  work[EXTENDED] = 0
  work[MAY_END] = mayEnd ? 1 : 0
}

/** A part has ended, and the rest of the step is to be made at once: some work for that. False where there is none left. */
export function extendWork(work: Vec): boolean {
  if (work[EXTENDED] === EXTENSIONS) return false
  work[EXTENDED]++
  work[SPENT] = (1 - EXTENSION) * work[MOST]
  return true
}

/** Work for one more solve, after which a step ends in any case. */
export function allowLast(work: Vec): void {
  work[SPENT] = Math.min(work[SPENT], (1 - EXTENSION) * work[MOST])
  work[MAY_END] = 1
}

export const mayEnd = (work: Vec): boolean => work[MAY_END] === 1

export const isSpent = (work: Vec): boolean => work[SPENT] > work[MOST]

export function addEvaluation(work: Vec, { nbody }: Model): void {
  work[SPENT] += EVALUATION * nbody
}

export function addProduct(work: Vec, { nbody }: Model): void {
  work[SPENT] += PRODUCT * nbody
}

/** Of finding those found last; tests are counted from now on. */
export function takeContactWork(c: Contacts): number {
  // beyond the whole numbers of a routine
  const found: number = c.count + c.overflow
  const tests: number = c.tests
  c.tests = 0
  return CONTACT * found + TEST * tests
}

export function addContacts(work: Vec, c: Contacts): void {
  work[SPENT] += takeContactWork(c)
}

export function addRows(work: Vec, rows: number): void {
  work[SPENT] += ROW * rows
}

/** What users should know of steps that were ended so. Allocates. */
export const workNote = (bounded = 0): string[] =>
  bounded === 0
    ? []
    : [
        `${bounded === 1 ? 'a step' : `${bounded} steps`} did not converge within the work of a step and used the last solution found: bodies may overlap a little there; take a smaller timestep, or set work=10 for ten times the work`,
      ]
