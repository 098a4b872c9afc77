/**
 * Ellipsoids that a medium acts on, from geoms with `fluid`; see forces/ellipsoid-drag.
 *
 * What moves along with an ellipsoid (H. Lamb, Hydrodynamics, 1932, §§ 114–115) by the integrals
 *   κ_x = a b c ∫₀^∞ dλ / √((a² + λ)³ (b² + λ) (c² + λ)),  the others by turns
 *   M_x = Λ κ_x / (2 − κ_x),   J_x = Λ/5 (b² − c²)² |κ_z − κ_y| / |2 (b² − c²) + (b² + c²) (κ_y − κ_z)|
 * by 15 points of Gauss and Kronrod over x, λ ∝ x³/(1 − x)², with eight digits of points and weights, as [MuJoCo] has them.
 */

import { BOX_SIZE } from '../forces/drag.js'
import { ELLIPSOID_SIZE } from '../forces/ellipsoid-drag.js'
import { norm, pow, squared } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { Ellipsoids, Gusts } from '../model/model.js'
import { rotationMatrix } from './geometry/mass-properties.js'
import type { Problems } from './problems.js'
import type { PlacedGeomSpec as GeomSpec, Quat, PlacedSpec as Spec, Vec3 } from './spec.js'
import type { BodyTree } from './tree.js'

/** points x of the lower half of [0, 1], and weights; the upper half mirrors them */
const POINTS = [
  [0.00427231, 0.01146766],
  [0.02544604, 0.03154605],
  [0.06756779, 0.05239501],
  [0.12923441, 0.07032663],
  [0.20695638, 0.08450236],
  [0.29707742, 0.09517529],
  [0.39610752, 0.10221647],
] as const
const MIDDLE = 0.10474107

/** what MuJoCo divides by at least, and the least mass that feels a medium */
const LEAST = 1e-14
const LEAST_MASS = 1e-15

/** The ellipsoids of bodies that have mass. Takes the boxes away from bodies that have any. */
export function buildEllipsoids(tree: BodyTree, inertia: Vec, boxes: Vec, problems: Problems): Ellipsoids {
  const bodies: number[] = []
  const poses: number[] = []
  const numbers: number[] = []
  tree.bodies.forEach(({ spec, at }, k) => {
    spec.geoms?.forEach((geom, g) => {
      if (geom.fluid === undefined) return
      const path = `bodies/${at}/geoms/${g}/fluid`
      const coefficients = problems.vector(path, geom.fluid, 5, [0, 0, 0, 0, 0])
      const axes = halfAxes(geom)
      if (!axes) problems.add(path, `expected a sphere, capsule, cylinder, ellipsoid or box of some size; a ${geom.shape} has no such drag`)
      if (!axes || !(inertia[10 * (k + 1)] >= LEAST_MASS)) return
      bodies.push(k + 1)
      poses.push(...rotationMatrix(normalized(geom.quaternion ?? [1, 0, 0, 0])), ...(geom.position ?? [0, 0, 0]))
      numbers.push(...axes, ...coefficients, ...addedMass(axes))
      boxes.fill(0, BOX_SIZE * (k + 1), BOX_SIZE * (k + 2))
    })
  })
  if (numbers.length !== ELLIPSOID_SIZE * bodies.length) throw new Error('numbers of ellipsoids do not match their count')
  return { count: bodies.length, body: Int32Array.from(bodies), X: Float64Array.from(poses), numbers: Float64Array.from(numbers) }
}

function halfAxes(geom: GeomSpec): Vec3 | undefined {
  const axes = axesOf(geom)
  return axes?.every((a) => a > 0) ? axes : undefined
}

function axesOf(geom: GeomSpec): Vec3 | undefined {
  switch (geom.shape) {
    case 'sphere':
      return [geom.radius, geom.radius, geom.radius]
    case 'capsule':
      return [geom.radius, geom.radius, geom.length / 2 + geom.radius]
    case 'cylinder':
      return [geom.radius, geom.radius, geom.length / 2]
    case 'ellipsoid':
      return geom.radii
    case 'box':
      return [geom.size[0] / 2, geom.size[1] / 2, geom.size[2] / 2]
    default:
      return undefined
  }
}

function normalized(q: Quat): Quat {
  const length = norm(q)
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : [1, 0, 0, 0]
}

function addedMass(axes: Vec3): number[] {
  const volume = (4 / 3) * Math.PI * axes[0] * axes[1] * axes[2]
  const kappa = [0, 1, 2].map((i) => integral(axes[i] as number, axes[(i + 1) % 3] as number, axes[(i + 2) % 3] as number))
  const M = kappa.map((k) => (volume * k) / Math.max(LEAST, 2 - k))
  const J = [0, 1, 2].map((i) => {
    const b = squared(axes[(i + 1) % 3] as number)
    const c = squared(axes[(i + 2) % 3] as number)
    const kb = kappa[(i + 1) % 3] as number
    const kc = kappa[(i + 2) % 3] as number
    return ((volume / 5) * squared(b - c) * Math.abs(kc - kb)) / Math.max(LEAST, Math.abs(2 * (b - c) + (b + c) * (kb - kc)))
  })
  return [...M, ...J]
}

function integral(a: number, b: number, c: number): number {
  // λ in units of the axes, so that far points count alike for all sizes
  const scale = pow(a * a * a * b * c, 0.4)
  const share = (x: number, weight: number): number => {
    const lambda = (scale * pow(x, 3)) / squared(1 - x)
    const slope = (scale * x * x * (3 - x)) / pow(1 - x, 3)
    const A = 1 + lambda / (a * a)
    return (weight * slope) / (A * Math.sqrt(A * (1 + lambda / (b * b)) * (1 + lambda / (c * c))))
  }
  let sum = share(0.5, MIDDLE)
  for (const [x, weight] of POINTS) sum += share(x, weight) + share(1 - x, weight)
  return sum / (a * a)
}

export function buildGusts(spec: Spec, problems: Problems): Gusts {
  const gusts = spec.medium?.gusts ?? []
  const path = (k: number, key: string): string => `medium/gusts/${k}/${key}`
  return {
    count: gusts.length,
    velocity: Float64Array.from(gusts.flatMap(({ velocity }, k) => problems.vector(path(k, 'velocity'), velocity, 3, [0, 0, 0]))),
    frequency: Float64Array.from(gusts, ({ frequency }, k) => problems.number(path(k, 'frequency'), frequency, 'non-negative')),
    phase: Float64Array.from(gusts, ({ phase = 0 }, k) => problems.number(path(k, 'phase'), phase)),
  }
}
