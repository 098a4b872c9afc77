/**
 * Why a step was given up, by name: where what is left of it is largest, what pulls hardest there, and what lies far from the rest of the
 * model; and what to try. All of this allocates: the run ends here.
 */

import { type LimitRows, limitName } from '../../../constraints/rows/limits.js'
import type { Rows } from '../../../constraints/rows/rows.js'
import { nearlyTaut } from '../../../constraints/taut/taut.js'
import type { Contacts } from '../../../contact/contacts.js'
import { ROWS } from '../../../contact/solve/problem.js'
import type { Vec } from '../../../math/types.js'
import { CONSTRAINT_MOTION } from '../../../model/constraints.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { jacobianProduct } from '../../../tree/jacobian.js'

/** A row that pulls: its name with its force, and what to do about it. */
export interface Pull {
  readonly name: string
  readonly force: number
  readonly remedy: string
}

// masses further apart are worth a word
const FAR_APART = 1e5
// names of what pulls; those with less of the strongest force say nothing
const MOST_PULLS = 2
const LEAST_SHARE = 1e-3

/** The rows that pull hardest: equalities, from row `first` on limits, from row `touch` on contacts; λ is force × span. */
export function strongestPulls(
  m: Model,
  equalities: Rows,
  limits: LimitRows,
  contacts: Contacts,
  lambda: Vec,
  first: number,
  touch: number,
  span: number,
): Pull[] {
  const found = new Map<string, Pull>()
  const add = (name: string, force: number, remedy: string): void => {
    if (force > (found.get(name)?.force ?? 0)) found.set(name, { name, force, remedy })
  }
  const h = span > 0 ? span : 1
  for (let r = 0; r < equalities.count; r++) {
    const k = equalities.source[r]
    const name = `constraint '${m.constraints.names[k]}'`
    const moves = m.constraints.kind[k] >= CONSTRAINT_MOTION
    add(name, Math.abs(lambda[r]) / h, moves ? `let ${name} move less or slower` : `check what ${name} pulls at`)
  }
  for (let r = 0; r < limits.count; r++) {
    const name = `the ${limitName(limits, m, r)}`
    add(name, Math.abs(lambda[first + r]) / h, `widen ${name}`)
  }
  for (let k = 0; k < contacts.count; k++) {
    const pair = `${nameOf(m, contacts.bodyA[k])} and ${nameOf(m, contacts.bodyB[k])}`
    add(`the contact of ${pair}`, Math.abs(lambda[touch + ROWS * k]) / h, `keep ${pair} apart or exclude the pair`)
  }
  const list = [...found.values()].sort((a, b) => b.force - a.force)
  return list.filter(({ force }) => force > LEAST_SHARE * list[0].force).slice(0, MOST_PULLS)
}

/**
 * `x`: what is left of the step, as a velocity; Data holds the poses. `q`, `t`: where it started; `span`: the shortest part that was tried. Empty
 * where x is not a number, which is another matter.
 */
export function explainStop(m: Model, d: Data, x: Vec, pulls: readonly Pull[], q: Vec, t: number, span: number): string {
  if (!x.every(Number.isFinite)) return ''
  const i = liveliest(m, d, x)
  const joint = m.joints.find(({ body }) => body === i)
  const place = joint ? `joint '${joint.name}' of body '${m.bodies[i].name}'` : `body '${m.bodies[i].name}'`
  const pulled = pulls.map(({ name, force }) => `${name} (${force.toPrecision(2)} N or N m)`)
  const parts = [
    `the step at t = ${t.toPrecision(6)} s did not converge, not even in parts of ${span.toPrecision(2)} s: ${place} strays most`,
  ]
  if (pulled.length > 0) parts.push(`${pulled.join(' and ')} pull${pulled.length > 1 ? '' : 's'} hardest`)
  const suspects = [...stretchedAt(m, q, t), ...suspectsOf(m, i)]
  parts.push(...suspects.map(({ name }) => name))
  const remedies = [...pulls.map(({ remedy }) => remedy), ...suspects.map(({ remedy }) => remedy), 'take a smaller timestep']
  return `${parts.join('; ')}; ${remedies.slice(0, -1).join(', ')}${remedies.length > 1 ? ', or ' : ''}${remedies.at(-1)}`
}

/** Adds to what is wrong with the constraints, if anything is, which loops are at the end of their reach there, and what moves them. Allocates. */
export function explainTrouble(m: Model, trouble: string, q: Vec, t: number): string {
  const stretched = trouble === '' ? [] : stretchedAt(m, q, t)
  if (stretched.length === 0) return trouble
  const [{ name, remedy }] = stretched
  const { kind, active, names } = m.constraints
  const motions = names.filter((_, k) => active[k] === 1 && kind[k] >= CONSTRAINT_MOTION).map((motion) => `'${motion}'`)
  const asked = motions.length > 0 ? `, or let ${motions.slice(0, MOST_PULLS).join(' and ')} ask for less` : ''
  return `${trouble}; ${name}; ${remedy}${asked}`
}

/** The constraints that are stretched, as one entry; or none. */
function stretchedAt(m: Model, q: Vec, t: number): { name: string; remedy: string }[] {
  const stretched = nearlyTaut(m, q, Float64Array.of(t)).map((name) => `'${name}'`)
  if (stretched.length === 0) return []
  const [names, are, their] =
    stretched.length > 1 ? [`constraints ${stretched.join(', ')}`, 'are', 'their'] : [`constraint ${stretched[0]}`, 'is', 'its']
  return [{ name: `${names} ${are} nearly at full stretch`, remedy: `keep ${names} short of the end of ${their} reach` }]
}

/** Adds to what the linear solver says of the matrix what may have made it so. */
export function explainMatrix(m: Model, trouble: string): string {
  const suspects = suspectsOf(m, -1)
  return suspects.length === 0 ? trouble : `${trouble}: ${suspects.map(({ name, remedy }) => `${name}; ${remedy}`).join('; ')}`
}

/** The body with most kinetic energy in the velocity x; of one without a joint the nearest above that has some. */
function liveliest(m: Model, d: Data, x: Vec): number {
  const V = new Float64Array(6 * m.nbody)
  jacobianProduct(m, d, V, x)
  let best = 1
  let most = -1
  for (let i = 1; i < m.nbody; i++) {
    const [mass, cx, cy, cz, ...I] = m.inertia.subarray(10 * i, 10 * i + 10)
    const [wx, wy, wz, vx, vy, vz] = V.subarray(6 * i, 6 * i + 6)
    const turning = I[0] * wx * wx + I[3] * wy * wy + I[5] * wz * wz + 2 * (I[1] * wx * wy + I[2] * wx * wz + I[4] * wy * wz)
    const mixed = vx * (wy * cz - wz * cy) + vy * (wz * cx - wx * cz) + vz * (wx * cy - wy * cx)
    const energy = turning + mass * (vx * vx + vy * vy + vz * vz) + 2 * mixed
    if (energy > most) {
      most = energy
      best = i
    }
  }
  while (m.parent[best] > 0 && m.ivEnd[best] === m.iv[best]) best = m.parent[best]
  return best
}

/** The stiffest spring at body i (anywhere for −1), and masses that lie far apart. */
function suspectsOf(m: Model, i: number): { name: string; remedy: string }[] {
  const list: { name: string; remedy: string }[] = []
  const { springs } = m
  let stiffest = -1
  for (let k = 0; k < springs.count; k++) {
    if (i >= 0 && springs.bodyA[k] !== i && springs.bodyB[k] !== i) continue
    if (springs.stiffness[k] > (stiffest < 0 ? 0 : springs.stiffness[stiffest])) stiffest = k
  }
  if (stiffest >= 0) {
    const name = `spring '${springs.names[stiffest]}'`
    list.push({ name: `${name} has ${springs.stiffness[stiffest].toPrecision(3)} N/m`, remedy: `soften or damp ${name}` })
  }
  let light = -1
  let heavy = -1
  for (let k = 1; k < m.nbody; k++) {
    const mass = m.inertia[10 * k]
    if (!(mass > 0)) continue
    if (light < 0 || mass < m.inertia[10 * light]) light = k
    if (heavy < 0 || mass > m.inertia[10 * heavy]) heavy = k
  }
  if (light > 0 && m.inertia[10 * heavy] > FAR_APART * m.inertia[10 * light]) {
    const show = (k: number): string => `${m.inertia[10 * k].toPrecision(2)} kg ('${m.bodies[k].name}')`
    list.push({
      name: `masses reach from ${show(light)} to ${show(heavy)}`,
      remedy: `bring the masses of '${m.bodies[light].name}' and '${m.bodies[heavy].name}' nearer`,
    })
  }
  return list
}

// pairs of bodies that are worth a name
const CROWDED = 4

/** Why the work of a step was not enough, where that is because much touches: the pair with the most contacts. Empty where it is not. Allocates. */
export function explainWork(m: Model, contacts: Contacts | undefined, t: number, h: number): string {
  const pairs = new Map<string, number>()
  const bodies = new Set<number>()
  for (let k = 0; k < (contacts?.count ?? 0); k++) {
    const { bodyA, bodyB } = contacts as Contacts
    const pair = `${nameOf(m, bodyA[k])} and ${nameOf(m, bodyB[k])}`
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
    bodies.add(bodyA[k]).add(bodyB[k])
  }
  const [most] = [...pairs].sort((a, b) => b[1] - a[1])
  if (!most || pairs.size < CROWDED) return ''
  const touches = `${contacts?.count} contacts or more between ${bodies.size} bodies, ${most[1]} of them between ${most[0]}`
  return `the step of ${h} s at t = ${t.toFixed(5)} s takes more work than a step may, with ${touches}; start with bodies apart, let fewer shapes touch${MORE_WORK}`
}

/** end of a message where the work of a step was spent */
export const MORE_WORK = ', or set work=10 for ten times the work that a step may do'

const nameOf = (m: Model, i: number): string => (i === 0 ? 'the world' : `'${m.bodies[i].name}'`)
