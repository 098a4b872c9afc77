/**
 * Signed distance of two convex shapes by brute force, from their support functions alone:
 *   gap = max over unit n of ( min_{b in B} n·b − max_{a in A} n·a ),
 * which is the distance when they are apart and minus the depth when they overlap. Directions are sampled all over the sphere, the best ones
 * refined by ever smaller random turns. Shares no code and no idea with the engine.
 */
import { convexHull } from '../../src/build/geometry/convex-hull.js'
import type { MeshSpec, ShapeSpec } from '../../src/build/spec.js'
import { createRandom, type Numbers, type Pose, type Random, rotateBy } from './bodies.js'

/** max over the shape of n·x; called millions of times, so it makes no arrays */
export function supportOf(shape: ShapeSpec, X: Pose, n: Numbers, meshes: readonly MeshSpec[] = []): number {
  return support(shape, X, n[0], n[1], n[2], meshes)
}

function support(shape: ShapeSpec, X: Pose, nx: number, ny: number, nz: number, meshes: readonly MeshSpec[] = []): number {
  // the direction in the axes of the body
  const x = X[0] * nx + X[3] * ny + X[6] * nz
  const y = X[1] * nx + X[4] * ny + X[7] * nz
  const z = X[2] * nx + X[5] * ny + X[8] * nz
  const middle = X[9] * nx + X[10] * ny + X[11] * nz
  switch (shape.shape) {
    case 'sphere':
      return middle + shape.radius * length(x, y, z)
    case 'capsule':
      return middle + shape.radius * length(x, y, z) + 0.5 * shape.length * Math.abs(z)
    case 'cylinder':
      return middle + shape.radius * length(x, y, 0) + 0.5 * shape.length * Math.abs(z)
    case 'box':
      return middle + 0.5 * (shape.size[0] * Math.abs(x) + shape.size[1] * Math.abs(y) + shape.size[2] * Math.abs(z))
    case 'ellipsoid':
      return middle + length(shape.radii[0] * x, shape.radii[1] * y, shape.radii[2] * z)
    case 'mesh': {
      const { vertices } = meshes.find(({ name }) => name === shape.mesh) as MeshSpec
      let most = Number.NEGATIVE_INFINITY
      for (let k = 0; k < vertices.length; k += 3) most = Math.max(most, vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z)
      return middle + most
    }
    default:
      throw new Error(`no support function for a ${shape.shape}`)
  }
}

/** How far a point is from a shape, at least as far as it says; not above 0 inside. */
export function outside(shape: ShapeSpec, X: Pose, point: Numbers, meshes: readonly MeshSpec[] = []): number {
  const [x, y, z] = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, r) => sum + X[3 * r + k] * (point[r] - X[9 + r]), 0))
  switch (shape.shape) {
    case 'sphere':
      return length(x, y, z) - shape.radius
    case 'capsule':
      return length(x, y, Math.max(0, Math.abs(z) - shape.length / 2)) - shape.radius
    case 'cylinder':
      return Math.max(length(x, y, 0) - shape.radius, Math.abs(z) - shape.length / 2)
    case 'box':
      return Math.max(...[x, y, z].map((t, k) => Math.abs(t) - shape.size[k] / 2))
    case 'ellipsoid': {
      const [a, b, c] = shape.radii
      return (length(x / a, y / b, z / c) - 1) * Math.min(a, b, c)
    }
    case 'mesh': {
      const { vertices } = meshes.find(({ name }) => name === shape.mesh) as MeshSpec
      const hull = convexHull(vertices)
      const { faces } = hull as { readonly faces: number[] }
      let most = Number.NEGATIVE_INFINITY
      for (let f = 0; f < faces.length; f += 3) {
        const [p, u, v] = [0, 1, 2].map((k) =>
          [0, 1, 2].map((r) => vertices[3 * faces[f + k] + r] - (k > 0 ? vertices[3 * faces[f] + r] : 0)),
        )
        const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        most = Math.max(most, (n[0] * (x - p[0]) + n[1] * (y - p[1]) + n[2] * (z - p[2])) / length(n[0], n[1], n[2]))
      }
      return most
    }
    default:
      throw new Error(`no inside of a ${shape.shape}`)
  }
}

/** of numbers near one: hypot guards against overflow, and takes ten times as long */
function length(x: number, y: number, z: number): number {
  return Math.sqrt(x * x + y * y + z * z)
}

const SAMPLES = 600
const KEPT = 6
const TURNS = 24

export function bruteForceGap(a: ShapeSpec, Xa: Pose, b: ShapeSpec, Xb: Pose): { gap: number; normal: Numbers } {
  return bruteForceOf(([x, y, z]) => -support(b, Xb, -x, -y, -z) - support(a, Xa, x, y, z), [Xa, Xb])
}

/** The same of any function of unit vectors, for shapes at two poses. */
export function bruteForceOf(gapAlong: (n: Numbers) => number, [Xa, Xb]: readonly Pose[]): { gap: number; normal: Numbers } {
  const separation: Separation = (x, y, z) => gapAlong([x, y, z])
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

type Separation = (x: number, y: number, z: number) => number

/** Largest value of a function of unit vectors, looked for from all over the sphere and from the given axes. */
function bruteForceMaximum(separation: Separation, axes: readonly Numbers[]): { gap: number; normal: Numbers } {
  const tried: { gap: number; normal: Numbers }[] = []
  const add = (x: number, y: number, z: number) => void tried.push({ gap: separation(x, y, z), normal: [x, y, z] })
  for (let k = 0; k < SAMPLES; k++) {
    // points of a spiral over the sphere
    const z = 1 - (2 * k + 1) / SAMPLES
    const angle = k * Math.PI * (3 - Math.sqrt(5))
    const r = Math.sqrt(1 - z * z)
    add(r * Math.cos(angle), r * Math.sin(angle), z)
  }
  for (const [x, y, z] of axes) {
    const size = length(x, y, z)
    if (size < 1e-6) continue
    add(x / size, y / size, z / size)
    add(-x / size, -y / size, -z / size)
  }
  tried.sort((p, q) => q.gap - p.gap)
  const random = createRandom(1)
  let best = tried[0]
  for (const start of tried.slice(0, KEPT)) {
    const refined = climb(separation, start, random)
    if (refined.gap > best.gap) best = refined
  }
  return best
}

/** The best direction that ever smaller random turns lead to. */
function climb(separation: Separation, start: { gap: number; normal: Numbers }, random: Random): { gap: number; normal: Numbers } {
  let { gap } = start
  let [x, y, z] = start.normal
  let size = 0.2
  while (size > 1e-10) {
    let improved = false
    for (let k = 0; k < TURNS; k++) {
      const u = x + size * random.between(-1, 1)
      const v = y + size * random.between(-1, 1)
      const w = z + size * random.between(-1, 1)
      const scale = 1 / length(u, v, w)
      const here = separation(u * scale, v * scale, w * scale)
      if (here > gap) {
        gap = here
        x = u * scale
        y = v * scale
        z = w * scale
        improved = true
      }
    }
    if (!improved) size *= 0.5
  }
  return { gap, normal: [x, y, z] }
}
