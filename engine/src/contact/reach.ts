/**
 * Whether any two shapes of a model can ever touch: a bound by how far bodies reach, taken once, from the tree alone.
 *
 * A turn leaves the points of its axis where they are. So a body that only turns keeps each of its points within
 *   ρ = |p₁ p₂| + … + |pₙ x|
 * of p₁, with p₁ … pₙ on its axes in order and x the point; p₁ is fixed in the parent. Carried up the tree this puts a shape inside a ball
 * that is fixed in any ancestor, and two shapes whose balls in their common ancestor are apart never meet. What slides or flies has no such
 * ball. Limits of joints are not looked at.
 */

import { jointTypes, updateJoints } from '../joints/index.js'
import { hypot, norm } from '../math/own.js'
import type { Vec } from '../math/types.js'
import { createData } from '../model/data.js'
import type { Model } from '../model/model.js'
import { BOX, FIELD, PLANE } from '../model/shapes.js'
import { transformPoint } from '../printed/arrays.js'
import { mayTouch } from './may-touch.js'

/** For each body: a point of its first axis and of its last, in its own frame, and the way between them; NaN where it slides, or its parent deforms. */
interface Pivots {
  readonly first: Vec
  readonly last: Vec
  readonly way: Vec
  /** of the bodies in their parents as drawn */
  readonly X_PB: Vec
}

/** Whether some pair of shapes on different bodies may come to touch. */
export function mayMeet(m: Model): boolean {
  return meetingPairs(m, () => true, 1).length > 0
}

/**
 * Pairs of shapes on different bodies that may come to touch and are `wanted`, at most `most` of them. Pairs whose balls in the world are apart
 * are passed over by sorting these along x, so that many mechanisms beside each other cost no more than a sort.
 */
export function meetingPairs(m: Model, wanted: (i: number, j: number) => boolean, most = Number.POSITIVE_INFINITY): [number, number][] {
  const found: [number, number][] = []
  const { shapes: g } = m
  // shapes without any bit meet nothing but those they are paired with
  const isPaired = (k: number): boolean => g.pairs.start[k + 1] > g.pairs.start[k]
  const live = Array.from({ length: g.count }, (_, k) => k).filter((k) => g.category[k] !== 0 || g.mask[k] !== 0 || isPaired(k))
  if (live.length < 2) return found
  const pivots = findPivots(m)
  const least = new Float64Array(g.count)
  const last = new Float64Array(g.count)
  for (const k of live) {
    let ball = ballOf(m, k)
    while (ball.body > 0) ball = inParent(m, pivots, ball)
    // what slides or flies gets anywhere
    const radius = Number.isNaN(ball.radius) ? Number.POSITIVE_INFINITY : ball.radius
    least[k] = ball.x[0] - radius
    last[k] = ball.x[0] + radius
  }
  live.sort((i, j) => least[i] - least[j] || i - j)
  // where the next shape of another body stands: one body may have 100,000, which never meet each other
  const nextBody = new Int32Array(live.length).fill(live.length)
  for (let e = live.length - 2; e >= 0; e--) nextBody[e] = g.body[live[e]] === g.body[live[e + 1]] ? nextBody[e + 1] : e + 1
  for (let e = 0; e < live.length; e++) {
    const i = live[e]
    const skips = !isPaired(i)
    for (let f = skips ? nextBody[e] : e + 1; f < live.length && least[live[f]] <= last[i]; f++) {
      const j = live[f]
      if (skips && g.body[j] === g.body[i]) {
        f = nextBody[f] - 1
        continue
      }
      if (!mayTouch(g, i, j) || (g.shape[i] <= FIELD && g.shape[j] <= FIELD) || !wanted(i, j) || !withinReach(m, pivots, i, j)) continue
      found.push([i, j])
      if (found.length >= most) return found
    }
  }
  return found
}

function findPivots(m: Model): Pivots {
  const { nbody, iv, ivEnd } = m
  const d = createData(m)
  const q = new Float64Array(m.nq)
  for (let j = 0; j < m.njoint; j++) jointTypes[m.jointType[j]].neutral(m, j, q)
  d.S.set(m.S0)
  updateJoints(m, d, q)
  const first = new Float64Array(3 * nbody)
  const last = new Float64Array(3 * nbody)
  const way = new Float64Array(nbody)
  for (let i = 1; i < nbody; i++) {
    if (m.modes.frame[i] >= 0) way[i] = Number.NaN
    for (let k = iv[i]; k < ivEnd[i]; k++) {
      // of a screw (a; u) that turns without a pitch, a × u is on the axis
      const [ax, ay, az, ux, uy, uz] = d.S.subarray(6 * k, 6 * k + 6)
      const turns = Math.abs(ax * ax + ay * ay + az * az - 1) < UNIT && Math.abs(ax * ux + ay * uy + az * uz) < UNIT
      const p = [ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux]
      if (!turns) way[i] = Number.NaN
      else if (k === iv[i]) first.set(p, 3 * i)
      else way[i] += hypot(p[0] - last[3 * i], p[1] - last[3 * i + 1], p[2] - last[3 * i + 2])
      last.set(p, 3 * i)
    }
  }
  return { first, last, way, X_PB: d.X_PB }
}

// of axes, which have length 1
const UNIT = 1e-9

/** Whether shapes i and j can come to touch; what is not known counts as so. */
function withinReach(m: Model, pivots: Pivots, i: number, j: number): boolean {
  const { shapes: g } = m
  let [a, b] = [ballOf(m, i), ballOf(m, j)]
  while (a.body !== b.body) {
    // parents have lower numbers
    if (a.body > b.body) a = inParent(m, pivots, a)
    else b = inParent(m, pivots, b)
    if (Number.isNaN(a.radius) || Number.isNaN(b.radius)) return true
  }
  // exact where one of them is on that body itself
  if (!a.moved && g.body[i] === a.body) return gap(m, i, b) <= b.radius
  if (!b.moved && g.body[j] === b.body) return gap(m, j, a) <= a.radius
  if (!Number.isFinite(g.radius[i]) || !Number.isFinite(g.radius[j])) return true
  return hypot(a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]) <= a.radius + b.radius
}

/** All that a shape can get to, in the frame of a body. */
interface Ball {
  readonly body: number
  readonly x: Vec
  readonly radius: number
  /** false: it is fixed to that body */
  readonly moved: boolean
}

function ballOf({ shapes: g }: Model, k: number): Ball {
  return { body: g.body[k], x: g.X_BG.slice(12 * k + 9, 12 * k + 12), radius: g.radius[k], moved: false }
}

function inParent(m: Model, { first, last, way, X_PB }: Pivots, { body: i, x, radius, moved }: Ball): Ball {
  const out = new Float64Array(3)
  const turns = m.ivEnd[i] > m.iv[i]
  transformPoint(out, 0, X_PB, 12 * i, turns ? first : x, turns ? 3 * i : 0)
  const reach = turns ? hypot(x[0] - last[3 * i], x[1] - last[3 * i + 1], x[2] - last[3 * i + 2]) : 0
  return { body: m.parent[i], x: out, radius: radius + way[i] + reach, moved: moved || turns }
}

/** How far the centre of a ball is from shape k, both in the frame of the shape's body: at most, as far as is known. */
function gap({ shapes: g }: Model, k: number, { x }: Ball): number {
  const X = g.X_BG.subarray(12 * k, 12 * k + 12)
  const local = [0, 1, 2].map((c) => [0, 1, 2].reduce((sum, r) => sum + X[3 * r + c] * (x[r] - X[9 + r]), 0))
  const size = g.size.subarray(3 * k, 3 * k + 3)
  if (g.shape[k] === PLANE) return local[2]
  if (g.shape[k] === FIELD) return local[2] - size[2]
  if (g.shape[k] === BOX) return norm(local.map((y, r) => Math.max(0, Math.abs(y) - size[r])))
  return norm(local) - g.radius[k]
}
