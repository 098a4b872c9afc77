/**
 * The start from a taut pose: the pose, velocities that keep it, and what to tell of it.
 */

import { createPivotedLdl, factorPivoted, solvePivoted } from '../../linalg/dense/pivoted-ldl.js'
import { hypot } from '../../math/own.js'
import type { Vec } from '../../math/types.js'
import { CONSTRAINT_COUPLING } from '../../model/constraints.js'
import type { Model } from '../../model/model.js'
import { rotate } from '../../printed/arrays.js'
import { aba } from '../../tree/aba.js'
import { forwardKinematics } from '../../tree/kinematics.js'
import { solveInertia } from '../../tree/solve.js'
import { reduceRows } from '../rows/reduce.js'
import { updateRows } from '../rows/rows.js'
import { createTaut, settleTaut, type Taut } from './taut.js'

export interface TautStart {
  readonly held: boolean
  /** a sentence for every row that is singular */
  readonly notes: readonly string[]
}

const NOT_TAUT: TautStart = { held: false, notes: [] }
// m or rad: rows that are not singular are closed
const CLOSED = 1e-9

/** Whether an active constraint is anything but a coupling of joints in fixed proportion, whose row is the same at every pose. */
function mayCurve({ constraints: { count, active, kind, polynomial, polynomialStart } }: Model): boolean {
  for (let k = 0; k < count; k++) {
    if (active[k] === 0) continue
    if (kind[k] !== CONSTRAINT_COUPLING) return true
    for (let e = polynomialStart[k] + 2; e < polynomialStart[k + 1]; e++) if (polynomial[e] !== 0) return true
  }
  return false
}

/** Where q is at a taut pose, or near one: moves q onto it, and v onto the rates it allows, in the metric of the mass matrix. */
export function closeTaut(m: Model, q: Vec, v: Vec, t: number): TautStart {
  if (!mayCurve(m)) return NOT_TAUT
  const taut = createTaut(m)
  const time = Float64Array.of(t)
  const pose = q.slice()
  if (!settleTaut(taut, pose, time)) return NOT_TAUT
  forwardKinematics(m, taut.d, pose, v)
  updateRows(taut.rows, m, taut.d, pose, time)
  if (taut.rows.g.some((g, r) => taut.skip[r] === 0 && !(Math.abs(g) < CLOSED))) return NOT_TAUT
  q.set(pose)
  projectRates(taut, v)
  return { held: true, notes: noteTaut(taut) }
}

/** v ← v − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁺ (A v − target), with the rows and the rates that are held in A; Data holds the kinematics. */
function projectRates(taut: Taut, v: Vec): void {
  const { m, d, rows, reduced, skip, count, U } = taut
  const { nv } = m
  reduced.count = 0
  reduceRows(reduced, rows, m, d)
  const n = rows.count + count
  const A = new Float64Array(n * nv)
  A.set(reduced.G.subarray(0, rows.count * nv))
  A.set(U.subarray(0, count * nv), rows.count * nv)
  for (let r = 0; r < rows.count; r++) if (skip[r] === 1) A.fill(0, r * nv, (r + 1) * nv)
  const rest = new Float64Array(nv)
  d.f.fill(0)
  aba(m, d, rest, rest, new Float64Array(nv))
  const Y = new Float64Array(n * nv)
  for (let r = 0; r < n; r++) solveInertia(m, d, Y, r * nv, A, r * nv)
  const dot = (a: Vec, i: number, b: Vec, j: number): number => {
    let sum = 0
    for (let k = 0; k < nv; k++) sum += a[i + k] * b[j + k]
    return sum
  }
  const K = Float64Array.from({ length: n * n }, (_, e) => dot(A, Math.floor(e / n) * nv, Y, (e % n) * nv))
  const b = Float64Array.from({ length: n }, (_, r) => dot(A, r * nv, v, 0) - (r < rows.count && skip[r] === 0 ? rows.target[r] : 0))
  const ldl = createPivotedLdl(n)
  factorPivoted(ldl, K, 0, n)
  const lambda = new Float64Array(n)
  solvePivoted(ldl, lambda, 0, b, 0)
  for (let r = 0; r < n; r++) for (let k = 0; k < nv; k++) v[k] -= lambda[r] * Y[r * nv + k]
}

function noteTaut(taut: Taut): string[] {
  const { m, rows, skip, count } = taut
  const list: string[] = []
  const seen = new Set<number>()
  for (let r = 0; r < rows.count; r++) {
    const k = rows.source[r]
    if (skip[r] === 0 || seen.has(k)) continue
    seen.add(k)
    const rates = count === 1 ? 'one direction' : `${count} directions`
    list.push(
      `constraint '${m.constraints.names[k]}': ${stretched(m, k)} stretched to full length; its row${along(taut, r)} is singular at this pose and what it would pull is not determined. The mechanism is held in ${rates} that it cannot move in; give the loop some slack if it should move`,
    )
  }
  return list
}

/** The bodies between the ends of constraint k. */
function stretched(m: Model, k: number): string {
  const { bodyA, bodyB, target } = m.constraints
  if (target[k] >= 0) return 'what it couples is'
  const path: number[] = []
  let [a, b] = [bodyA[k], bodyB[k]]
  const tail: number[] = []
  while (a !== b) {
    if (a > b) {
      path.push(a)
      a = m.parent[a]
    } else {
      tail.push(b)
      b = m.parent[b]
    }
  }
  const way = [...path, ...tail.reverse()]
  if (way[0] > way[way.length - 1]) way.reverse()
  const names = way.map((i) => `'${m.bodies[i].name}'`)
  if (names.length < 2) return `what ties ${names.join('')} is`
  return names.length === 2 ? `${names.join(' and ')} are` : `the chain from ${names[0]} to ${names.at(-1)} is`
}

/** The direction of row r in the world, with the rows of the same constraint that it depends on. */
function along({ d, rows, echelon, scale }: Taut, r: number): string {
  const { n, W } = echelon
  const u = new Float64Array(3)
  const sum = new Float64Array(3)
  for (let s = 0; s < n; s++) {
    if (rows.source[s] !== rows.source[r] || W[r * n + s] === 0 || rows.bodyStart[s] === rows.bodyStart[s + 1]) continue
    const e = rows.bodyStart[s]
    rotate(u, 0, d.X_WB, 12 * rows.body[e], rows.J, 6 * e + 3)
    for (let x = 0; x < 3; x++) sum[x] += (W[r * n + s] / scale[s]) * u[x]
  }
  const size = hypot(sum[0], sum[1], sum[2])
  if (!(size > 0)) return ''
  const text = Array.from(sum, (x) => Number((x / size).toFixed(3)) + 0).join(', ')
  return ` along (${text})`
}
