/**
 * Signed distance of two convex shapes by brute force, from their support functions alone:
 *   gap = max over unit n of ( min_{b in B} n·b − max_{a in A} n·a ),
 * which is the distance when they are apart and minus the depth when they overlap. Directions are sampled all over the sphere, the best ones
 * refined by ever smaller random turns. Shares no code and no idea with the engine.
 */
import type { ShapeSpec } from '../../src/build/spec.js'
import { createRandom, type Numbers, type Pose, rotateBy } from './bodies.js'

/** max over the shape of n·x */
export function supportOf(shape: ShapeSpec, X: Pose, n: Numbers): number {
  const local = [0, 1, 2].map((k) => X[k] * n[0] + X[3 + k] * n[1] + X[6 + k] * n[2])
  const middle = X[9] * n[0] + X[10] * n[1] + X[11] * n[2]
  const length = Math.hypot(...local)
  switch (shape.shape) {
    case 'sphere':
      return middle + shape.radius * length
    case 'capsule':
      return middle + shape.radius * length + 0.5 * shape.length * Math.abs(local[2])
    case 'cylinder':
      return middle + shape.radius * Math.hypot(local[0], local[1]) + 0.5 * shape.length * Math.abs(local[2])
    case 'box':
      return middle + shape.size.reduce((sum, edge, k) => sum + 0.5 * edge * Math.abs(local[k]), 0)
    case 'ellipsoid':
      return middle + Math.hypot(...shape.radii.map((r, k) => r * local[k]))
    default:
      throw new Error(`no support function for a ${shape.shape}`)
  }
}

const SAMPLES = 600
const KEPT = 6
const TURNS = 24

export function bruteForceGap(a: ShapeSpec, Xa: Pose, b: ShapeSpec, Xb: Pose): { gap: number; normal: Numbers } {
  const separation = (n: Numbers): number =>
    -supportOf(
      b,
      Xb,
      n.map((x) => -x),
    ) - supportOf(a, Xa, n)
  // features lie along the axes of the shapes and their cross products
  const axes = [Xa, Xb].flatMap((X) =>
    [0, 1, 2].map((k) =>
      rotateBy(
        X,
        [0, 1, 2].map((r) => (r === k ? 1 : 0)),
      ),
    ),
  )
  const crosses = axes
    .slice(0, 3)
    .flatMap((p) => axes.slice(3).map((q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]))
  return bruteForceMaximum(separation, [...axes, ...crosses])
}

/** Largest value of a function of unit vectors, looked for from all over the sphere and from the given axes. */
export function bruteForceMaximum(separation: (n: Numbers) => number, axes: readonly Numbers[]): { gap: number; normal: Numbers } {
  const tried: { gap: number; normal: number[] }[] = []
  for (let k = 0; k < SAMPLES; k++) {
    // points of a spiral over the sphere
    const z = 1 - (2 * k + 1) / SAMPLES
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    const r = Math.sqrt(1 - z * z)
    const normal = [r * Math.cos(angle), r * Math.sin(angle), z]
    tried.push({ gap: separation(normal), normal })
  }
  for (const axis of axes) {
    const length = Math.hypot(...axis)
    if (length < 1e-6) continue
    for (const sign of [1, -1]) {
      const normal = axis.map((x) => (sign * x) / length)
      tried.push({ gap: separation(normal), normal })
    }
  }
  tried.sort((p, q) => q.gap - p.gap)
  const random = createRandom(1)
  let best = tried[0]
  for (const start of tried.slice(0, KEPT)) {
    let current = start
    let size = 0.2
    while (size > 1e-10) {
      let improved = false
      for (let k = 0; k < TURNS; k++) {
        const turned = current.normal.map((x) => x + size * random.between(-1, 1))
        const length = Math.hypot(...turned)
        const normal = turned.map((x) => x / length)
        const gap = separation(normal)
        if (gap > current.gap) {
          current = { gap, normal }
          improved = true
        }
      }
      if (!improved) size *= 0.5
    }
    if (current.gap > best.gap) best = current
  }
  return best
}
