/**
 * Contacts as points that move with their bodies: what touches in one pose, seen from another one. The normal stays as it was in the world. Of
 * balls and capsules it is the point on the axis, so that they may turn: gap = n · (x_B − x_A) − ρ_A − ρ_B, ρ the radius or 0.
 */
import type { Vec } from '../../math/types.js'
import type { Int } from '../../math/values/columns.js'
import { CAPSULE, type Shapes, SPHERE } from '../../model/shapes.js'
import type { Contacts } from '../contacts.js'

const x = new Float64Array(3)
// radii of the two shapes
const round = new Float64Array(2)

/** Reads contacts from `first` on, found at the poses X of bodies (12 each). Writes their points in the bodies. */
export function markPoints(c: Contacts, g: Shapes, X: Vec, first: Int): void {
  const { bodyA, bodyB, pointA, pointB } = c
  for (let k = first; k < c.count; k++) {
    placeInside(c, g, k, -1)
    intoFrame(pointA, 3 * k, X, 12 * bodyA[k])
    placeInside(c, g, k, 1)
    intoFrame(pointB, 3 * k, X, 12 * bodyB[k])
  }
}

/** The same for contact k, found at the poses X_WG of the shapes. */
export function markShapePoints(c: Contacts, g: Shapes, X_WG: Vec, k: Int): void {
  const { geomA, geomB, pointA, pointB } = c
  placeInside(c, g, k, -1)
  intoFrame(pointA, 3 * k, X_WG, 12 * geomA[k])
  outOfFrame(pointA, 3 * k, g.X_BG, 12 * geomA[k])
  placeInside(c, g, k, 1)
  intoFrame(pointB, 3 * k, X_WG, 12 * geomB[k])
  outOfFrame(pointB, 3 * k, g.X_BG, 12 * geomB[k])
}

/** Reads the points in their bodies, from contact `first` on, and poses X of bodies. Writes point and gap. Where one is round, it touches below its own axis. */
export function movePoints(c: Contacts, g: Shapes, X: Vec, first: Int): void {
  const { point, gap } = c
  for (let k = first; k < c.count; k++) {
    gap[k] = findPlace(c, g, X, k)
    for (let r = 0; r < 3; r++) point[3 * k + r] = x[r]
  }
}

/** x ← where contact k is at the poses X of bodies: half-way between the two surfaces, of what is round below its axis. Its gap along the normal. */
function findPlace(c: Contacts, g: Shapes, X: Vec, k: Int): number {
  const { bodyA, bodyB, pointA, pointB, normal } = c
  const o = 3 * k
  radii(c, g, k)
  outOf(xa, pointA, o, X, 12 * bodyA[k])
  outOf(xb, pointB, o, X, 12 * bodyB[k])
  let distance = -round[0] - round[1]
  for (let r = 0; r < 3; r++) distance += normal[o + r] * (xb[r] - xa[r])
  const below = round[1] + 0.5 * distance
  const above = round[0] + 0.5 * distance
  for (let r = 0; r < 3; r++) {
    if (round[1] > 0) x[r] = xb[r] - below * normal[o + r]
    else if (round[0] > 0) x[r] = xa[r] + above * normal[o + r]
    else x[r] = 0.5 * (xa[r] + xb[r])
  }
  return distance
}

const xa = new Float64Array(3)
const xb = new Float64Array(3)

/** out ← the point p[o …] of the frame X[i …] */
function outOf(out: Vec, p: Vec, o: Int, X: Vec, i: Int): void {
  for (let r = 0; r < 3; r++) out[r] = X[i + 9 + r] + X[i + 3 * r] * p[o] + X[i + 3 * r + 1] * p[o + 1] + X[i + 3 * r + 2] * p[o + 2]
}

/** out[o] ← the gap of contact k at other poses X of its bodies, along its normal. */
export function gapBefore(out: Vec, o: Int, c: Contacts, g: Shapes, X: Vec, k: Int): void {
  const { pointA, pointB, normal } = c
  const a = 12 * c.bodyA[k]
  const b = 12 * c.bodyB[k]
  const e = 3 * k
  radii(c, g, k)
  outOf(xa, pointA, e, X, a)
  outOf(xb, pointB, e, X, b)
  // between balls along the line of their centres then: along that of now they would seem nearer, and sink in as they roll
  const balls = g.shape[c.geomA[k]] === SPHERE && g.shape[c.geomB[k]] === SPHERE
  let distance = 0
  for (let r = 0; r < 3; r++) distance += (xb[r] - xa[r]) * (balls ? xb[r] - xa[r] : normal[e + r])
  out[o] = (balls ? Math.sqrt(distance) : distance) - round[0] - round[1]
}

/**
 * out[o …] ← how fast the two bodies of contact k part and slide at an earlier moment, and turn against each other: along the normal and tangents of
 * `frame`, and about them (6 numbers). X and V are poses and twists of bodies then, and the contact is where its points were (`findPlace`).
 */
export function ratesBefore(out: Vec, o: Int, c: Contacts, g: Shapes, X: Vec, V: Vec, k: Int, frame: Vec): void {
  findPlace(c, g, X, k)
  relative.fill(0, 0, 6)
  addTwist(X, V, c.bodyB[k], 1)
  addTwist(X, V, c.bodyA[k], -1)
  for (let r = 0; r < 3; r++) {
    const i = 3 * r
    out[o + r] = frame[i] * relative[0] + frame[i + 1] * relative[1] + frame[i + 2] * relative[2]
    out[o + 3 + r] = frame[i] * relative[3] + frame[i + 1] * relative[4] + frame[i + 2] * relative[5]
  }
}

/** velocity at x, then turning, in the world */
const relative = new Float64Array(6)

/** relative += sign times the motion of a body at the point x. */
function addTwist(X: Vec, V: Vec, body: Int, sign: number): void {
  if (body === 0) return
  const i = 12 * body
  const v = 6 * body
  for (let r = 0; r < 3; r++) {
    const e = i + 3 * r
    relative[r] += sign * (X[e] * V[v + 3] + X[e + 1] * V[v + 4] + X[e + 2] * V[v + 5])
    turn[r] = sign * (X[e] * V[v] + X[e + 1] * V[v + 1] + X[e + 2] * V[v + 2])
    relative[3 + r] += turn[r]
  }
  const rx = x[0] - X[i + 9]
  const ry = x[1] - X[i + 10]
  const rz = x[2] - X[i + 11]
  relative[0] += turn[1] * rz - turn[2] * ry
  relative[1] += turn[2] * rx - turn[0] * rz
  relative[2] += turn[0] * ry - turn[1] * rx
}

const turn = new Float64Array(3)

function radii(c: Contacts, g: Shapes, k: Int): void {
  const a = c.geomA[k]
  const b = c.geomB[k]
  round[0] = g.shape[a] === SPHERE || g.shape[a] === CAPSULE ? g.size[3 * a] : 0
  round[1] = g.shape[b] === SPHERE || g.shape[b] === CAPSULE ? g.size[3 * b] : 0
}

/** x ← the point of contact k on the surface or the axis of A (side −1) or B (side 1). */
function placeInside(c: Contacts, g: Shapes, k: Int, side: Int): void {
  radii(c, g, k)
  const way = side * (0.5 * c.gap[k] + round[side < 0 ? 0 : 1])
  for (let r = 0; r < 3; r++) x[r] = c.point[3 * k + r] + way * c.normal[3 * k + r]
}

/** out[o …] ← x in the frame X[i …] */
function intoFrame(out: Vec, o: Int, X: Vec, i: Int): void {
  const a = x[0] - X[i + 9]
  const b = x[1] - X[i + 10]
  const c = x[2] - X[i + 11]
  for (let r = 0; r < 3; r++) out[o + r] = X[i + r] * a + X[i + 3 + r] * b + X[i + 6 + r] * c
}

/** out[o …] ← the point out[o …] of the frame X[i …] */
function outOfFrame(out: Vec, o: Int, X: Vec, i: Int): void {
  const a = out[o]
  const b = out[o + 1]
  const c = out[o + 2]
  for (let r = 0; r < 3; r++) out[o + r] = X[i + 9 + r] + X[i + 3 * r] * a + X[i + 3 * r + 1] * b + X[i + 3 * r + 2] * c
}
