/**
 * What the forces of the last solve do: impulses on velocities, how loops pull at bodies, their work, and what people see of them.
 */

import { contactAt } from '../../../contact/rows.js'
import { ROWS } from '../../../contact/solve/problem.js'
import type { Vec } from '../../../math/types.js'
import { touchingNames } from '../../../model/shape-name.js'
import type { Contact } from '../../../model/shapes.js'
import { type Pull, strongestPulls } from './explain-stop.js'
import type { StepConstraints } from './step-constraints.js'
import { addImpulsesOf, addWork } from './step-impulses.js'

/** b += Gᵀ λ of the last solve */
export function addImpulses(c: StepConstraints, b: Vec): void {
  const { m, isEliminated, eliminated, equalities, unilateral, convex } = c
  if (unilateral.rows > 0) addImpulsesOf(convex, unilateral, b)
  if (isEliminated) return eliminated?.loops.addForces(b, c.lambda)
  if (equalities.count === 0) return
  const { lambda } = c
  const { G } = c.work
  for (let r = 0; r < equalities.count; r++) {
    if (lambda[r] !== 0) for (let e = G.start[r]; e < G.start[r + 1]; e++) b[G.dof[e]] += lambda[r] * G.G[r * m.nv + G.dof[e]]
  }
}

/** W −= F (x;1)ᵀ: how the equalities pull at points of bodies, in body axes (12 a body: 3 × 3 row by row, force) */
export function addPulls({ m, equalities: { rows }, lambda, span }: StepConstraints, W: Vec): void {
  const { bodyStart, body, J, source } = rows
  const { pointA, pointB, bodyA } = m.constraints
  for (let r = 0; r < rows.count; r++) {
    const force = lambda[r] / span[0]
    const k = source[r]
    for (let e = bodyStart[r]; e < bodyStart[r + 1]; e++) {
      const i = body[e]
      if (i === 0) continue
      const x = e === bodyStart[r] && i === bodyA[k] ? pointA : pointB
      for (let a = 0; a < 3; a++) {
        const f = force * J[6 * e + 3 + a]
        W[12 * i + 9 + a] -= f
        for (let b = 0; b < 3; b++) W[12 * i + 3 * a + b] -= f * x[3 * k + b]
      }
    }
  }
}

/** out[o] ← work of prescribed motions, limits and contacts that the last solve put in, with the velocity v */
export function measureWork(c: StepConstraints, out: Vec, o: number, v: Vec): void {
  const { unilateral, convex } = c
  const { rows } = c.equalities
  out[o] = 0
  for (let r = 0; r < rows.count; r++) out[o] += c.lambda[r] * rows.target[r]
  if (unilateral.rows > 0) addWork(convex, unilateral, out, o, v)
}

/** What pulled hardest. Allocates. */
export function listPulls({ m, equalities, unilateral: { limits, contacts, rubbing }, lambda, span }: StepConstraints): Pull[] {
  const touch = equalities.count + limits.count + rubbing.length
  return strongestPulls(m, equalities.rows, limits, contacts, lambda, equalities.count, touch, span[0])
}

/** Contacts of the last step, with their forces. Allocates. */
export function listContacts({ m, equalities, unilateral, lambda, span }: StepConstraints): Contact[] {
  const { limits, contacts, rubbing } = unilateral
  const names = touchingNames(m.geoms)
  const first = equalities.count + limits.count + rubbing.length
  return Array.from({ length: contacts.count }, (_, k) => contactAt(contacts, names, k, lambda, first + ROWS * k, span[0]))
}
