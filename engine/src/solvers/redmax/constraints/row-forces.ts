/**
 * What the forces of the last solve do: impulses on velocities, how loops pull at bodies, their work, and what people see of them.
 */

import { contactAt } from '../../../contact/rows.js'
import { ROWS } from '../../../contact/solve/problem.js'
import type { Vec } from '../../../math/types.js'
import { touchingNames } from '../../../model/shape-name.js'
import type { Contact } from '../../../model/shapes.js'
import { SLOT } from './contact-memory.js'
import { type Pull, strongestPulls } from './explain-stop.js'
import type { StepConstraints } from './step-constraints.js'
import { addWork } from './step-impulses.js'
import { probeAll } from './unilateral.js'
import { WORK } from './unilateral-rows.js'

/** b += Gᵀ λ of the equalities in the last solve */
export function addImpulses(c: StepConstraints, b: Vec): void {
  const { m, isEliminated, eliminated, equalities, lambda } = c
  if (isEliminated) return eliminated?.loops.addForces(b, lambda)
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
  const { rows, count } = c.equalities
  out[o] = c.isConvex && count === 0 ? unilateral.number[WORK] : 0
  if (count === 0) return
  for (let r = 0; r < rows.count; r++) out[o] += c.lambda[r] * rows.target[r]
  if (c.isConvex) addWork(convex, unilateral, out, o, v)
}

/** What pulled hardest. Allocates. */
export function listPulls({ m, equalities, unilateral: { limits, contacts, rubbing }, lambda, span }: StepConstraints): Pull[] {
  const touch = equalities.count + limits.count + rubbing.length
  return strongestPulls(m, equalities.rows, limits, contacts, lambda, equalities.count, touch, span[0])
}

/** Contacts of the last step, with their forces; those between bodies at rest come last. Allocates. */
export function listContacts(c: StepConstraints): Contact[] {
  const { m, equalities, unilateral, lambda, span } = c
  const { limits, contacts, rubbing } = unilateral
  const names = touchingNames(m.geoms)
  const first = equalities.count + limits.count + rubbing.length
  const list = Array.from({ length: contacts.count }, (_, k) => contactAt(contacts, names, k, lambda, first + ROWS * k, span[0]))
  if (contacts.resting === 0) return list
  const { still } = contacts
  // some that were found may have come to rest in the same step
  return [...list.filter(({ bodyA, bodyB }) => still[bodyA] === 0 || still[bodyB] === 0), ...listResting(c, names)]
}

/** Contacts within what rests, which no step looks for: they are found here, with the forces that State.s has of them. */
function listResting({ unilateral: u, d }: StepConstraints, names: readonly string[]): Contact[] {
  const { probe } = u
  probeAll(u, d.X_WB, u.margin[0])
  const { slots, asleep } = u
  const { still } = u.contacts
  const forces = new Map(Array.from({ length: asleep }, (_, k) => [slots[SLOT * k], slots.subarray(SLOT * k + 1, SLOT * k + 4)]))
  const none = new Float64Array(3)
  return Array.from(probe.key.subarray(0, probe.count), (key, k) => ({ k, force: forces.get(key) ?? none }))
    .filter(({ k }) => still[probe.bodyA[k]] === 1 && still[probe.bodyB[k]] === 1)
    .map(({ k, force: [x, y, z] }) => ({ ...contactAt(probe, names, k, none, 0, 0), force: [x, y, z] }))
}
