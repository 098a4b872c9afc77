/**
 * A spring from any point of a body that deforms to a target in the world, as a force of one's own: the hand that drags it. The point need not be
 * known when the model is built.
 *
 * With x = s X + Σ φ_l η_l in the body, F = k (target − x) − c ẋ acts on the body as (x × F; F) and on mode l as φ_l · F. Implicit solvers get a row
 * for each of three axes n: (x × n; n) on the body, φ_l · n on its modes.
 */
import { squared } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { Data } from '../model/data.js'
import type { Force } from '../model/force.js'
import type { Model } from '../model/model.js'
import { addStiffEntry, openStiffRow } from '../model/stiff-terms.js'
import { cross, rotate, rotateBack } from '../printed/arrays.js'

export interface VertexSpring extends Force {
  /** in the world; to be written at any time */
  readonly target: Vec
  /** 0: lets go; to be written at any time */
  stiffness: number
  damping: number
}

/** Body by number; vertex among its points (`Bases.points`). Throws a RangeError where there is none. */
export function createVertexSpring(m: Model, body: number, vertex: number, stiffness: number, damping = 0): VertexSpring {
  const { row, start, iq, iv, basis, scale, bases } = m.modes
  const n = row[body] ?? -1
  const points = n < 0 ? new Float64Array(0) : bases.points[basis[n]]
  if (!(vertex >= 0 && 3 * vertex < points.length)) {
    const name = m.bodies[body]?.name ?? body
    throw new RangeError(
      n < 0
        ? `vertex spring: body '${name}' does not deform; take a force on a point of it`
        : `vertex spring: expected a vertex of '${name}' from 0 to ${points.length / 3 - 1}, got ${vertex}`,
    )
  }
  const shapes = bases.shapes[basis[n]]
  const r = start[n + 1] - start[n]
  const q0 = iq[start[n]]
  const v0 = iv[start[n]]
  /** φ_l, 3 each */
  const phi = Float64Array.from({ length: 3 * r }, (_, k) => shapes[Math.floor(k / 3) * points.length + 3 * vertex + (k % 3)])
  const x = new Float64Array(3)
  const rate = new Float64Array(3)
  const pull = new Float64Array(6)

  /** x and its rate, in body axes; F in `pull`. */
  const measure = (d: Data, q: Vec, v: Vec): void => {
    for (let a = 0; a < 3; a++) x[a] = scale[n] * points[3 * vertex + a]
    for (let l = 0; l < r; l++) for (let a = 0; a < 3; a++) x[a] += q[q0 + l] * phi[3 * l + a]
    cross(rate, 0, d.V, 6 * body, x, 0)
    for (let a = 0; a < 3; a++) rate[a] += d.V[6 * body + 3 + a]
    for (let l = 0; l < r; l++) for (let a = 0; a < 3; a++) rate[a] += v[v0 + l] * phi[3 * l + a]
    rotate(pull, 0, d.X_WB, 12 * body, x, 0)
    for (let a = 0; a < 3; a++) pull[a] = force.target[a] - pull[a] - d.X_WB[12 * body + 9 + a]
    rotateBack(pull, 3, d.X_WB, 12 * body, pull, 0)
    for (let a = 0; a < 3; a++) pull[3 + a] = force.stiffness * pull[3 + a] - force.damping * rate[a]
    cross(pull, 0, x, 0, pull, 3)
  }

  const force: VertexSpring = {
    name: `spring at vertex ${vertex} of ${m.bodies[body].name}`,
    // three of 1 + r entries each
    rows: 3 * (1 + Math.ceil(r / 2)),
    damped: true,
    target: new Float64Array(3),
    stiffness,
    damping,
    apply(_m, d, { q, v }, from = 1, to = m.nbody) {
      if (force.stiffness === 0 || body < from || body >= to) return
      measure(d, q, v)
      for (let k = 0; k < 6; k++) d.f[6 * body + k] += pull[k]
      for (let l = 0; l < r; l++) for (let a = 0; a < 3; a++) d.qf[v0 + l] += phi[3 * l + a] * pull[3 + a]
    },
    linearize(_m, d, { q, v }, terms) {
      if (force.stiffness === 0) return
      measure(d, q, v)
      for (let a = 0; a < 3; a++) {
        const at = openStiffRow(terms)
        const o = addStiffEntry(terms, body)
        terms.J[o + 3 + a] = 1
        cross(terms.J, o, x, 0, terms.J, o + 3)
        for (let l = 0; l < r; l++) terms.J[addStiffEntry(terms, -1 - v0 - l)] = phi[3 * l + a]
        terms.stiffness[at] = force.stiffness
        terms.damping[at] = force.damping
      }
    },
    energy(_m, d, { q, v }) {
      measure(d, q, v)
      let square = 0
      for (let a = 0; a < 3; a++) square += squared((pull[3 + a] + force.damping * rate[a]) / (force.stiffness || 1))
      return 0.5 * force.stiffness * square
    },
  }
  return force
}
