/**
 * Candidates below their surface become contacts: the slots of each body are filled from the first, in all lanes together; lanes that do not
 * touch have q = 0 there.
 */
import { add, any, type Int, lookup, scale, sub } from '../../math/values/columns.js'
import { cross, dot, type Mat3, type Pose, rotate, rotateBack, type Vec3, ZERO } from '../../math/values/spatial.js'
import type { Work } from '../../model/tables.js'
import { firstAcross, type Kind } from './kinds.kernel.js'
import { soften } from './softness.kernel.js'
import { type Ground, type GroundStep, POINT, RIM } from './tables.js'

/** Bilinear interpolation between the four heights around (x, y), and its slopes. */
function interpolate(g: Ground, x: number, y: number) {
  const { x0, y0, z0, perX, perY, lastX, lastY, columns } = g.terrain[0]
  const [offsetX, offsetY] = g.terrainOffset[0]
  const fx = (x + offsetX - x0) * perX
  const fy = (y + offsetY - y0) * perY
  const ix = Math.floor(Math.min(Math.max(fx, 0), lastX))
  const iy = Math.floor(Math.min(Math.max(fy, 0), lastY))
  const u = fx - ix
  const v = fy - iy
  const at = iy * columns + ix
  const a = lookup(g.heights, at)
  const b = lookup(g.heights, at + 1)
  const c = lookup(g.heights, at + columns)
  const d = lookup(g.heights, at + columns + 1)
  const low = a + u * (b - a)
  const high = c + u * (d - c)
  return {
    isInside: fx >= 0 && fx <= lastX + 1 && fy >= 0 && fy <= lastY + 1,
    height: z0 + (low + v * (high - low)),
    slopeX: (b - a + v * (d - c - (b - a))) * perX,
    slopeY: (high - low) * perY,
  }
}

/** above everything: nothing is below a point outside the field */
const FAR_ABOVE = 1e30

function fieldAt(g: Ground, x: Vec3): Face {
  const { isInside, height, slopeX, slopeY } = interpolate(g, x[0], x[1])
  const length = 1 / Math.sqrt(1 + slopeX * slopeX + slopeY * slopeY)
  return { n: [-slopeX * length, -slopeY * length, length], height: (isInside ? 0 : FAR_ABOVE) + length * (x[2] - height) }
}

/** Height of the ground at (x, y): the highest of the field and of the planes that face upward; −1e30 where there is none. */
export function surfaceHeight(g: Ground, x: number, y: number): number {
  let most = -FAR_ABOVE
  for (let f = 0; f < g.surfaceCount; f++) {
    if (g.hasField === 1 && f === 0) {
      const { isInside, height } = interpolate(g, x, y)
      most = isInside ? Math.max(most, height) : most
    } else {
      const { n, offset } = g.surface[f]
      const isUpward = n[2] > 0
      most = isUpward ? Math.max(most, (offset - n[0] * x - n[1] * y) / (isUpward ? n[2] : 1)) : most
    }
  }
  return most
}

/** Where a candidate is, relative to the body's origin along world axes, where n points away from the surface. */
function pointOf(g: Ground, X: Pose, c: Int, n: Vec3): Vec3 {
  const { at, radius, M } = g.candidate[c]
  const x = rotate(X.R, at)
  const kind = g.candidateKind[c]
  if (kind === POINT) return x
  if (kind === RIM) return add(x, rimPoint(X.R, M, radius, n))
  // lowest point of an ellipsoid with half axes M: −M Mᵀ n/|Mᵀ n|
  const local = rotateBack(M, rotateBack(X.R, n))
  return sub(x, rotate(X.R, scale(1 / Math.sqrt(dot(local, local)), rotate(M, local))))
}

/** A point of a cylinder's rim: on the lower or the upper cap, on the radius that goes down or at an angle to it. */
function rimPoint(R: Mat3, M: Mat3, radius: number, n: Vec3): Vec3 {
  const axis = rotate(R, M[0])
  const [cap, along, side] = M[1]
  const up = dot(axis, n)
  const square = dot(axis, axis)
  // down along the cap; where the cap lies flat, a fixed radius
  const steep = sub(scale(up / square, axis), n)
  const length = Math.sqrt(dot(steep, steep))
  const isFlat = length < 1e-7
  const fixed = rotate(R, M[2])
  const down: Vec3 = isFlat ? fixed : scale(1 / (isFlat ? 1 : length), steep)
  const beside = scale(1 / Math.sqrt(square), cross(axis, down))
  return add(scale(up > 0 ? -cap : cap, axis), add(scale(radius * along, down), scale(radius * side, beside)))
}

type Face = { readonly n: Vec3; readonly height: number }

/** Normal of surface f at x and the height of x above it. Surface 0 is the height field where there is one. */
function faceAt(kind: Kind, g: Ground, f: Int, x: Vec3): Face {
  const { n, offset } = g.surface[f]
  if (kind.isFlat) return { n: UP, height: x[2] - offset }
  if (g.hasField === 1 && f === 0) return fieldAt(g, x)
  return { n, height: dot(n, x) - offset }
}

const UP: Vec3 = [0, 0, 1]

/** q along tangents of an elliptic cone, or along the edges of a pyramid; 0 without friction. */
export function tangentStiffness(g: Ground, q: number, mu: number): number {
  const perImpratio = g.perImpratio[0]
  const hasFriction = mu > 0
  const edge = 2 * (mu * mu) * (1 + mu * mu) * perImpratio
  const share = g.elliptic === 1 ? perImpratio : hasFriction ? edge : 1
  return hasFriction ? q / share : 0
}

/** Fills slot n from candidate c of body i where it touches surface f in any lane; returns the next free slot. */
function touch(kind: Kind, d: Work, g: Ground, s: GroundStep, i: Int, f: Int, c: Int, n: Int): Int {
  const X = d.X_WB[i]
  const { radius, margin, M } = g.candidate[c]
  const ball = g.candidateKind[c] === POINT ? radius : 0
  const x = pointOf(g, X, c, g.candidateKind[c] === POINT ? UP : faceAt(kind, g, f, X.p).n)
  const { n: up, height } = faceAt(kind, g, f, add(X.p, x))
  const gap = height - ball
  const depth = gap - margin
  const touches = depth < 0
  if (any(touches)) {
    const V = d.VW[i]
    const { pull, b, q } = soften(g, g.candidateSoft[c], depth, g.softness[0])
    const r = sub(x, scale(ball + 0.5 * gap, up))
    const keep = g.perStep[0] - b
    const mu = g.candidateDim[c] === 1 ? 0 : Math.max(g.friction[g.candidateFrictionA[c]], g.friction[g.candidateFrictionB[c]])
    const stiffness = touches ? q : 0
    const hat = sub(scale(keep, add(V.v, cross(V.w, r))), scale(pull, up))
    s.spot[n] = { r, hat, q: stiffness, qt: tangentStiffness(g, stiffness, mu), mu, w: g.candidateSoft[c].w }
    const [torsion, rolling] = g.candidateMoments[c]
    const perMu = 1 / (mu > 0 ? mu : 1)
    kind.setSpin(s, n, { hat: scale(keep, V.w), torsion: torsion * perMu, rolling: rolling * perMu })
    kind.setNormal(s, n, up)
    if (g.elliptic === 0) kind.setFirst(s, n, firstAcross(kind, up, g.candidateKind[c] === POINT ? rotate(X.R, M[0]) : ZERO))
    s.source[n] = { candidate: g.candidateNumber[c], gap }
    s.grip[n] = stiffness
    s.branch[n] = -1
    return n + 1
  }
  return n
}

/** Reads X_WB, VW. Writes spot, grip, touch, and what else a slot holds. */
export function detect(kind: Kind, d: Work, g: Ground, s: GroundStep): void {
  for (let e = 0; e < g.touchCount; e++) {
    const i = g.touchBody[e]
    let n: Int = g.slotStart[i]
    for (let p = g.patchStart[i]; p < g.patchStart[i + 1]; p++) {
      const f = g.patchSurface[p]
      const { n: normal, offset } = g.surface[f]
      const above = dot(kind.isFlat ? UP : normal, d.X_WB[i].p) - offset
      if (any(above < g.patchReach[p])) {
        for (let c = g.candidateStart[p]; c < g.candidateStart[p + 1]; c++) n = touch(kind, d, g, s, i, f, c, n)
      }
    }
    if (n < g.slotStart[i + 1]) s.grip[n] = 0
    s.touch[i] = n > g.slotStart[i] ? 1 : 0
  }
}
