/**
 * Mass, centre of mass and inertia tensor of shapes, and their sum over the parts of a body.
 *
 * Solids by the textbook formulas, shells by adding up faces; the shell of an ellipsoid has no closed form: its area is Thomsen's
 * approximation (p = 1.6075, within 1.1 %) and its tensor the difference between two ellipsoids, as in MuJoCo.
 * Build time only: small plain arrays, freely allocated.
 */

import { norm, pow, squared } from '../../math/own.js'
import type { PlacedGeomSpec as GeomSpec, MeshSpec, Quat, ShapeSpec, Tensor, Vec3 } from '../spec.js'
import { type MeshMass, meshMassProperties } from './mesh-mass.js'

/** `com` in the frame at hand; `tensor` about `com`, in that frame's axes */
export interface MassProperties {
  readonly mass: number
  readonly com: Vec3
  readonly tensor: Tensor
}

/** Volume (area for a shell) and the tensor of a unit mass, about the origin of the shape, which is its centre of mass. */
interface UnitShape {
  readonly measure: number
  readonly diagonal: Vec3
}

export const MASSLESS: MassProperties = { mass: 0, com: [0, 0, 0], tensor: [0, 0, 0, 0, 0, 0] }

const THOMSEN = 1.6075

/** thickness of an ellipsoid's shell in metres, as in MuJoCo: with the limit 0 the moments differ by up to 1e-4 on small ones */
const ELLIPSOID_WALL = 1e-6

/** Solid primitive: volume and inertia per unit mass. Planes and height fields weigh nothing; meshes are not primitives. */
export function solidShape(shape: ShapeSpec): UnitShape {
  switch (shape.shape) {
    case 'sphere': {
      const i = (2 / 5) * squared(shape.radius)
      return { measure: (4 / 3) * Math.PI * pow(shape.radius, 3), diagonal: [i, i, i] }
    }
    case 'ellipsoid': {
      const [a, b, c] = shape.radii
      return {
        measure: (4 / 3) * Math.PI * a * b * c,
        diagonal: [(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5],
      }
    }
    case 'box': {
      const [a, b, c] = shape.size
      return { measure: a * b * c, diagonal: [(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12] }
    }
    case 'cylinder': {
      const { radius: r, length: h } = shape
      const i = (3 * r * r + h * h) / 12
      return { measure: Math.PI * r * r * h, diagonal: [i, i, (r * r) / 2] }
    }
    case 'capsule': {
      // cylinder plus a sphere cut in two, each half carried out by h/2; its centroid is 3r/8 from the cut
      const { radius: r, length: h } = shape
      const measure = Math.PI * r * r * (h + (4 / 3) * r)
      const ball = measure > 0 ? (4 * r) / (4 * r + 3 * h) : 0
      const rod = 1 - ball
      const i = rod * ((3 * r * r + h * h) / 12) + ball * ((2 / 5) * r * r + (h * h) / 4 + (3 / 8) * h * r)
      return { measure, diagonal: [i, i, rod * ((r * r) / 2) + ball * (2 / 5) * r * r] }
    }
    default:
      return { measure: 0, diagonal: [0, 0, 0] }
  }
}

/** Hollow primitive with a thin wall: area and inertia per unit mass. */
export function shellShape(shape: ShapeSpec): UnitShape {
  switch (shape.shape) {
    case 'sphere': {
      const i = (2 / 3) * squared(shape.radius)
      return { measure: 4 * Math.PI * squared(shape.radius), diagonal: [i, i, i] }
    }
    case 'ellipsoid': {
      const [a, b, c] = shape.radii
      const mean = (pow(a * b, THOMSEN) + pow(b * c, THOMSEN) + pow(c * a, THOMSEN)) / 3
      // between the ellipsoid and one with radii longer by e, V = abc and w = (a+e)(b+e)(c+e) − abc, both without 4π/3
      const e = ELLIPSOID_WALL
      const w = e * (a * b + b * c + c * a + e * (a + b + c + e))
      const second = (y: number, z: number): number => (squared(y + e) + squared(z + e) + (a * b * c * 2 * e * (y + z + e)) / w) / 5
      return {
        measure: 4 * Math.PI * pow(mean, 1 / THOMSEN),
        diagonal: [second(b, c), second(c, a), second(a, b)],
      }
    }
    case 'box': {
      const [a, b, c] = shape.size
      const area = 2 * (a * b + b * c + c * a)
      const about = (x: number, y: number, z: number): number => {
        // faces normal to x, y and z, each pair; inertia about x
        const nx = 2 * y * z * ((y * y + z * z) / 12)
        const ny = 2 * x * z * ((z * z) / 12 + (y * y) / 4)
        const nz = 2 * x * y * ((y * y) / 12 + (z * z) / 4)
        return (nx + ny + nz) / area
      }
      return { measure: area, diagonal: [about(a, b, c), about(b, c, a), about(c, a, b)] }
    }
    case 'cylinder': {
      const { radius: r, length: h } = shape
      const lid = Math.PI * r * r
      const wall = 2 * Math.PI * r * h
      const area = 2 * lid + wall
      const i = (wall * ((6 * r * r + h * h) / 12) + 2 * lid * ((r * r) / 4 + (h * h) / 4)) / area
      return { measure: area, diagonal: [i, i, (wall * r * r + lid * r * r) / area] }
    }
    case 'capsule': {
      const { radius: r, length: h } = shape
      const ball = 4 * Math.PI * r * r
      const wall = 2 * Math.PI * r * h
      const area = ball + wall
      // a hemisphere shell has its centroid r/2 from the cut
      const i = (wall * ((6 * r * r + h * h) / 12) + ball * ((2 / 3) * r * r + (h * h) / 4 + (h * r) / 2)) / area
      return { measure: area, diagonal: [i, i, (wall * r * r + ball * (2 / 3) * r * r) / area] }
    }
    default:
      return { measure: 0, diagonal: [0, 0, 0] }
  }
}

/** Mass properties of a primitive in its own frame, from a mass or from a density (per volume; per area for a shell). */
export function shapeMassProperties(shape: ShapeSpec, amount: { mass?: number; density?: number }, shell = false): MassProperties {
  const unit = shell ? shellShape(shape) : solidShape(shape)
  const mass = amount.mass ?? (amount.density ?? 0) * unit.measure
  if (mass === 0 || unit.measure === 0) return MASSLESS
  const [x, y, z] = unit.diagonal
  return { mass, com: [0, 0, 0], tensor: [mass * x, mass * y, mass * z, 0, 0, 0] }
}

// of the meshes of a model that is being built: many geoms may weigh the same one
const weighed = new WeakMap<ReadonlyMap<string, MeshSpec>, Map<MeshSpec, MeshMass>>()

function unitMass(mesh: MeshSpec, meshes: ReadonlyMap<string, MeshSpec>): MeshMass {
  let known = weighed.get(meshes)
  if (!known) weighed.set(meshes, (known = new Map()))
  let mass = known.get(mesh)
  if (!mass) known.set(mesh, (mass = meshMassProperties(mesh, 'exact')))
  return mass
}

/** Mass properties of a geom in the frame of its body; massless when it states neither mass nor density. */
export function geomMassProperties(geom: GeomSpec, meshes: ReadonlyMap<string, MeshSpec>): MassProperties {
  const { mass, density } = geom
  if (!mass && !density) return MASSLESS
  let part: MassProperties
  if (geom.shape === 'mesh') {
    const mesh = meshes.get(geom.mesh)
    if (!mesh) return MASSLESS
    const unit = unitMass(mesh, meshes)
    if (!(unit.volume > 0)) return MASSLESS
    const scale = mass === undefined ? (density as number) : mass / unit.volume
    part = { mass: scale * unit.volume, com: unit.com, tensor: scaleTensor(unit.tensor, scale) }
  } else {
    part = shapeMassProperties(geom, mass === undefined ? { density: density as number } : { mass })
  }
  return moveMassProperties(part, geom.position ?? [0, 0, 0], geom.quaternion ?? [1, 0, 0, 0])
}

/** The same part seen from the frame in which it stands at this pose. */
export function moveMassProperties(part: MassProperties, position: Vec3, quaternion: Quat): MassProperties {
  const R = rotationMatrix(quaternion)
  const [x, y, z] = rotate(R, part.com)
  return {
    mass: part.mass,
    com: [x + position[0], y + position[1], z + position[2]],
    tensor: rotateTensor(R, part.tensor),
  }
}

/** All parts as one body: masses add, tensors add about the common centre of mass (parallel axes). */
export function sumMassProperties(parts: readonly MassProperties[]): MassProperties {
  let mass = 0
  let cx = 0
  let cy = 0
  let cz = 0
  for (const part of parts) {
    mass += part.mass
    cx += part.mass * part.com[0]
    cy += part.mass * part.com[1]
    cz += part.mass * part.com[2]
  }
  const com: Vec3 = mass > 0 ? [cx / mass, cy / mass, cz / mass] : [0, 0, 0]
  const sum: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0]
  for (const part of parts) {
    const moved = tensorAbout(part, com)
    for (let k = 0; k < 6; k++) sum[k] = (sum[k] as number) + (moved[k] as number)
  }
  return { mass, com, tensor: sum }
}

/** Tensor of the part about another point, in the same axes. */
export function tensorAbout(part: MassProperties, point: Vec3): Tensor {
  const { mass: m, tensor: t } = part
  const x = part.com[0] - point[0]
  const y = part.com[1] - point[1]
  const z = part.com[2] - point[2]
  return [
    t[0] + m * (y * y + z * z),
    t[1] + m * (x * x + z * z),
    t[2] + m * (x * x + y * y),
    t[3] - m * x * y,
    t[4] - m * x * z,
    t[5] - m * y * z,
  ]
}

export function scaleTensor(t: Tensor, s: number): Tensor {
  return [t[0] * s, t[1] * s, t[2] * s, t[3] * s, t[4] * s, t[5] * s]
}

/** Row-major 3 × 3 of a quaternion, which need not be normalised. */
export type Matrix3 = readonly [number, number, number, number, number, number, number, number, number]

export function rotationMatrix(quaternion: Quat): Matrix3 {
  const n = norm(quaternion)
  if (n === 0) return [1, 0, 0, 0, 1, 0, 0, 0, 1]
  const w = quaternion[0] / n
  const x = quaternion[1] / n
  const y = quaternion[2] / n
  const z = quaternion[3] / n
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ]
}

function rotate(R: Matrix3, v: Vec3): Vec3 {
  return [R[0] * v[0] + R[1] * v[1] + R[2] * v[2], R[3] * v[0] + R[4] * v[1] + R[5] * v[2], R[6] * v[0] + R[7] * v[1] + R[8] * v[2]]
}

/** R T Rᵀ */
export function rotateTensor(R: Matrix3, t: Tensor): Tensor {
  const columns: Vec3[] = [rotate(R, [t[0], t[3], t[4]]), rotate(R, [t[3], t[1], t[5]]), rotate(R, [t[4], t[5], t[2]])]
  // row i of (R T), times row j of R
  const entry = (i: number, j: number): number => {
    let s = 0
    for (let k = 0; k < 3; k++) s += ((columns[k] as Vec3)[i] as number) * (R[3 * j + k] as number)
    return s
  }
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}
