/**
 * Springs and dampers between points of two bodies, with rest length:
 *   x = x_B − x_A, l = |x|, n = x/l, tension t = k (l − L) + d l̇; force t n on A, −t n on B; energy ½ k (l − L)².
 * At zero length the direction is undefined and the pull is zero.
 */

import { dot6 } from '../math/dot6.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addStiffEntry, openStiffRow, type StiffTerms } from '../model/stiff-terms.js'
import { addScaled6, cross } from '../printed/arrays.js'
import { sumOf } from './energy.js'
import { addPointRow, pointWrench } from './points.js'

// shorter than any mechanism; below it n = x/l is noise
export const SHORTEST = 1e-12

const n = new Float64Array(4)
/** place of the length after the three of the direction */
export const LENGTH = 3
// unit wrenches on the two bodies, what stretches a spring, and an energy that nobody asked for
const g = new Float64Array(12)
const tension = new Float64Array(1)
const unused = new Float64Array(1)

/** out (4) ← x_B − x_A of spring k, and its length. */
export function springLine(out: Vec, m: Model, d: Data, k: number): void {
  const { bodyA, bodyB, pointA, pointB } = m.springs
  const X = d.X_WB
  const i = 12 * bodyA[k]
  const j = 12 * bodyB[k]
  const ax = pointA[3 * k]
  const ay = pointA[3 * k + 1]
  const az = pointA[3 * k + 2]
  const bx = pointB[3 * k]
  const by = pointB[3 * k + 1]
  const bz = pointB[3 * k + 2]
  const x = X[j + 9] + (X[j] * bx + X[j + 1] * by + X[j + 2] * bz) - (X[i + 9] + (X[i] * ax + X[i + 1] * ay + X[i + 2] * az))
  const y = X[j + 10] + (X[j + 3] * bx + X[j + 4] * by + X[j + 5] * bz) - (X[i + 10] + (X[i + 3] * ax + X[i + 4] * ay + X[i + 5] * az))
  const z = X[j + 11] + (X[j + 6] * bx + X[j + 7] * by + X[j + 8] * bz) - (X[i + 11] + (X[i + 6] * ax + X[i + 7] * ay + X[i + 8] * az))
  out[0] = x
  out[1] = y
  out[2] = z
  out[LENGTH] = Math.sqrt(x * x + y * y + z * z)
}

const t = new Float64Array(6)

/** Opens the row of the distance between the two points along w[o …]: body A backwards, body B forwards. */
function addLine(d: Data, terms: StiffTerms, bodyA: number, pointA: Vec, bodyB: number, pointB: Vec, k: number, w: Vec, o: number): void {
  openStiffRow(terms)
  if (bodyA > 0) addPointRow(terms.J, addStiffEntry(terms, bodyA), d, bodyA, pointA, 3 * k, -1, w, o)
  if (bodyB > 0) addPointRow(terms.J, addStiffEntry(terms, bodyB), d, bodyB, pointB, 3 * k, 1, w, o)
}

/** Two unit vectors across the unit vector a. */
function normals(a: Vec, out: Vec): void {
  // start from the axis that a is farthest from
  const x = Math.abs(a[0])
  const y = Math.abs(a[1])
  const z = Math.abs(a[2])
  const k = x <= y && x <= z ? 0 : y <= z ? 1 : 2
  for (let r = 0; r < 3; r++) out[r] = (r === k ? 1 : 0) - a[k] * a[r]
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2])
  for (let r = 0; r < 3; r++) out[r] /= length
  cross(out, 3, a, 0, out, 0)
}

/** Reads −F in the world, in n. Adds −F (x;1)ᵀ, or its 3 × 3 part, in body axes. */
function addArm(W: Vec, X: Vec, body: number, x: Vec, i: number, part: 'moments' | 'unstretched'): void {
  if (body === 0) return
  const o = 12 * body
  for (let r = 0; r < 3; r++) {
    const f = X[o + r] * n[0] + X[o + 3 + r] * n[1] + X[o + 6 + r] * n[2]
    W[o + 3 * r] += f * x[i]
    W[o + 3 * r + 1] += f * x[i + 1]
    W[o + 3 * r + 2] += f * x[i + 2]
    if (part === 'unstretched') W[o + 9 + r] += f
  }
}

/** Adds the pulls on the bodies from … to − 1 to d.f, and the energy of their springs to out[o]. */
function pull(m: Model, d: Data, out: Vec, o: number, from: number, to: number): void {
  const { count, bodyA, bodyB, pointA, pointB, stiffness, damping, rest } = m.springs
  const { X_WB: X, V, f } = d
  let twice = 0
  for (let k = 0; k < count; k++) {
    const atA = bodyA[k] >= from && bodyA[k] < to
    const atB = bodyB[k] >= from && bodyB[k] < to
    if (!atA && !atB) continue
    springLine(n, m, d, k)
    const length = n[LENGTH]
    const stretch = length - rest[k]
    const elastic = stiffness[k] * stretch
    twice += elastic * stretch
    if (length < SHORTEST) continue
    const inverse = 1 / length
    n[0] *= inverse
    n[1] *= inverse
    n[2] *= inverse
    // a force of one newton along the line: its wrench on either body is also what makes the rate of the length of a motion
    pointWrench(g, 0, X, bodyA[k], pointA, 3 * k, n)
    pointWrench(g, 6, X, bodyB[k], pointB, 3 * k, n)
    const i = 6 * bodyA[k]
    const j = 6 * bodyB[k]
    tension[0] = elastic + damping[k] * (dot6(g, 6, V, j) - dot6(g, 0, V, i))
    if (atA) addScaled6(f, i, tension, 0, g, 0)
    tension[0] = -tension[0]
    if (atB) addScaled6(f, j, tension, 0, g, 6)
  }
  out[o] += 0.5 * twice
}

export const springs: Force = {
  name: 'springs',
  apply: (m, d, _s, from = 1, to = m.nbody) => pull(m, d, unused, 0, from, to),
  applyWithEnergy: (m, d, _s, out, o) => pull(m, d, out, o, 1, m.nbody),
  linearize(m, d, _s, terms) {
    const { count, bodyA, bodyB, pointA, pointB, stiffness, damping, rest } = m.springs
    for (let k = 0; k < count; k++) {
      springLine(n, m, d, k)
      const length = n[LENGTH]
      if (length < SHORTEST) {
        // no direction: k in all three
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) n[c] = c === r ? 1 : 0
          addLine(d, terms, bodyA[k], pointA, bodyB[k], pointB, k, n, 0)
          terms.stiffness[terms.count - 1] = stiffness[k]
        }
        continue
      }
      n[0] /= length
      n[1] /= length
      n[2] /= length
      addLine(d, terms, bodyA[k], pointA, bodyB[k], pointB, k, n, 0)
      terms.stiffness[terms.count - 1] = stiffness[k]
      terms.damping[terms.count - 1] = damping[k]

      // across the line a taut spring holds with its tension
      const across = (stiffness[k] * (length - rest[k])) / length
      if (!(across > 0)) continue
      normals(n, t)
      for (let r = 0; r < 6; r += 3) {
        if (terms.still >= 0 && Math.abs(t[r + terms.still]) === 1) continue
        addLine(d, terms, bodyA[k], pointA, bodyB[k], pointB, k, t, r)
        terms.stiffness[terms.count - 1] = across
      }
    }
  },
  addArms(m, d, _s, W, part) {
    const { count, bodyA, bodyB, pointA, pointB, stiffness, rest } = m.springs
    for (let k = 0; k < count; k++) {
      if (part === 'unstretched' && rest[k] !== 0) continue
      springLine(n, m, d, k)
      const length = n[LENGTH]
      if (!(length > 0)) continue
      const share = (stiffness[k] * (length - rest[k])) / length
      for (let r = 0; r < 3; r++) n[r] *= -share
      addArm(W, d.X_WB, bodyA[k], pointA, 3 * k, part)
      for (let r = 0; r < 3; r++) n[r] = -n[r]
      addArm(W, d.X_WB, bodyB[k], pointB, 3 * k, part)
    }
  },
  addEnergy(m, d, _s, out, o) {
    const { count, stiffness, rest } = m.springs
    let twice = 0
    for (let k = 0; k < count; k++) {
      springLine(n, m, d, k)
      const e = n[LENGTH] - rest[k]
      twice += stiffness[k] * e * e
    }
    out[o] += 0.5 * twice
  },
  energy: (m, d, s) => sumOf(springs, m, d, s),
}
