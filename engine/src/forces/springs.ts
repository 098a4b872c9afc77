/**
 * Springs and dampers between points of two bodies, with rest length:
 *   x = x_B − x_A, l = |x|, n = x/l, tension t = k (l − L) + d l̇; force t n on A, −t n on B; energy ½ k (l − L)².
 * At zero length the direction is undefined and the pull is zero.
 */

import { current } from '../kernels/tables.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addStiffEntry, openStiffRow, type StiffTerms } from '../model/stiff-terms.js'
import { cross } from '../printed/arrays.js'
import { sumOf } from './energy.js'
import { addPointRow } from './points.js'
import { SHORTEST } from './springs.kernel.js'

const n = new Float64Array(3)
/** place of the length after the three of x in data.lines */
const LENGTH = 3

/** Writes data.lines. */
const measure = (m: Model, d: Data): void =>
  d.kernels.measureSprings(current(d.tables.springs, m.springs), d.X_WB.byteOffset, d.lines.byteOffset)

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

/** Adds the pulls on the bodies from … to − 1 to d.f. Writes the energy of their springs to d.energy. */
const pull = (m: Model, d: Data, from: number, to: number): void =>
  d.kernels.pullSprings(current(d.tables.springs, m.springs), d.work, d.lines.byteOffset, d.energy.byteOffset, from, to)

export const springs: Force = {
  name: 'springs',
  apply: (m, d, _s, from = 1, to = m.nbody) => pull(m, d, from, to),
  applyWithEnergy(m, d, _s, out, o) {
    pull(m, d, 1, m.nbody)
    out[o] += d.energy[0]
  },
  linearize(m, d, _s, terms) {
    const { count, bodyA, bodyB, pointA, pointB, stiffness, damping, rest } = m.springs
    measure(m, d)
    for (let k = 0; k < count; k++) {
      const length = d.lines[4 * k + LENGTH]
      if (length < SHORTEST) {
        // no direction: k in all three
        for (let r = 0; r < 3; r++) {
          for (let c = 0; c < 3; c++) n[c] = c === r ? 1 : 0
          addLine(d, terms, bodyA[k], pointA, bodyB[k], pointB, k, n, 0)
          terms.stiffness[terms.count - 1] = stiffness[k]
        }
        continue
      }
      for (let r = 0; r < 3; r++) n[r] = d.lines[4 * k + r] / length
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
    measure(m, d)
    for (let k = 0; k < count; k++) {
      if (part === 'unstretched' && rest[k] !== 0) continue
      const length = d.lines[4 * k + LENGTH]
      if (!(length > 0)) continue
      const share = (stiffness[k] * (length - rest[k])) / length
      for (let r = 0; r < 3; r++) n[r] = -share * d.lines[4 * k + r]
      addArm(W, d.X_WB, bodyA[k], pointA, 3 * k, part)
      for (let r = 0; r < 3; r++) n[r] = -n[r]
      addArm(W, d.X_WB, bodyB[k], pointB, 3 * k, part)
    }
  },
  addEnergy(m, d, _s, out, o) {
    const { count, stiffness, rest } = m.springs
    let twice = 0
    measure(m, d)
    for (let k = 0; k < count; k++) {
      const e = d.lines[4 * k + LENGTH] - rest[k]
      twice += stiffness[k] * e * e
    }
    out[o] += 0.5 * twice
  },
  energy: (m, d, s) => sumOf(springs, m, d, s),
}
