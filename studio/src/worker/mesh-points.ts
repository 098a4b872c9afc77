/**
 * Points of bodies that deform: a point of a mesh is at Σ w (s X + U q) in the frame of its body, moves there with Σ w U q̇, and a force f at
 * it acts on the modes as (Σ w U)ᵀ f. For a body that does not deform, or a point that names no vertices, nothing of this is there.
 */
import type { Model } from 'limber'
import type { BodyPoint } from './protocol.js'

type Triple = [number, number, number]

/** Where the point is in the frame of its body. */
export function pointInBody(model: Model, q: Float64Array, at: BodyPoint): Triple {
  const on = meshOf(model, at)
  if (!on) return [at.point[0], at.point[1], at.point[2]]
  const { n, vertices, weights } = on
  const { basis, scale, bases } = model.modes
  const out = alongModes(model, model.modes.iq, q, at)
  const X = bases.points[basis[n]]
  vertices.forEach((v, k) => {
    for (let a = 0; a < 3; a++) out[a] += weights[k] * scale[n] * X[3 * v + a]
  })
  return out
}

/** Its velocity in that frame, but for the motion of the frame itself. */
export function velocityInBody(model: Model, v: Float64Array, at: BodyPoint): Triple {
  return alongModes(model, model.modes.iv, v, at)
}

/** tau += what a force at the point, in the frame of its body, does to the modes. */
export function addModeForce(model: Model, tau: Float64Array, at: BodyPoint, force: readonly number[]): void {
  forEachMode(model, at, (l, shape) => {
    tau[model.modes.iv[l]] += shape[0] * force[0] + shape[1] * force[1] + shape[2] * force[2]
  })
}

/** Σ_l x[index_l] Σ w U_l */
function alongModes(model: Model, index: Int32Array, x: Float64Array, at: BodyPoint): Triple {
  const out: Triple = [0, 0, 0]
  forEachMode(model, at, (l, shape) => {
    for (let a = 0; a < 3; a++) out[a] += x[index[l]] * shape[a]
  })
  return out
}

/** Calls back with each mode of the point's body and how it moves the point. */
function forEachMode(model: Model, at: BodyPoint, use: (mode: number, shape: Triple) => void): void {
  const on = meshOf(model, at)
  if (!on) return
  const { n, vertices, weights } = on
  const { start, basis, bases } = model.modes
  const U = bases.shapes[basis[n]]
  const size = bases.points[basis[n]].length
  for (let l = start[n]; l < start[n + 1]; l++) {
    const o = (l - start[n]) * size
    const shape: Triple = [0, 0, 0]
    vertices.forEach((v, k) => {
      for (let a = 0; a < 3; a++) shape[a] += weights[k] * U[o + 3 * v + a]
    })
    use(l, shape)
  }
}

function meshOf(
  model: Model,
  { body, mesh }: BodyPoint,
): { n: number; vertices: readonly number[]; weights: readonly number[] } | undefined {
  const n = model.modes.row[body]
  return mesh && n >= 0 ? { n, ...mesh } : undefined
}
