/**
 * Meshes as files give them, turned into meshes as models use them: `transformMesh` applies MuJoCo's refpos, refquat and scale, in that
 * order and in double precision; `fitMesh` gives the primitive that stands for a mesh when a geom names both (as MuJoCo 3.14 does).
 */

import type { Quat, Vec3 } from '../spec.js'
import type { MeshMass, Triangles } from './mesh-mass.js'
import { matrixOf } from './principal-axes.js'

export interface MeshPlacement {
  /** subtracted first */
  readonly position?: Vec3
  /** vertices are turned by its inverse */
  readonly quaternion?: Quat
  /** last; a mirroring scale turns the faces over, so that they stay outward */
  readonly scale?: Vec3
}

export function transformMesh(mesh: Triangles, placement: MeshPlacement): { vertices: number[]; faces: number[] } {
  const { position: p = [0, 0, 0], quaternion: q = [1, 0, 0, 0], scale: s = [1, 1, 1] } = placement
  const n = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  const still = n === 0 || (q[0] === 1 && q[1] === 0 && q[2] === 0 && q[3] === 0)
  const R = still ? [1, 0, 0, 0, 1, 0, 0, 0, 1] : matrixOf([q[0] / n, q[1] / n, q[2] / n, q[3] / n])
  const r = (k: number): number => R[k] as number
  const vertices: number[] = []
  for (let k = 0; k + 2 < mesh.vertices.length; k += 3) {
    const x = (mesh.vertices[k] as number) - p[0]
    const y = (mesh.vertices[k + 1] as number) - p[1]
    const z = (mesh.vertices[k + 2] as number) - p[2]
    vertices.push((r(0) * x + r(3) * y + r(6) * z) * s[0], (r(1) * x + r(4) * y + r(7) * z) * s[1], (r(2) * x + r(5) * y + r(8) * z) * s[2])
  }
  const faces = mesh.faces.slice()
  if (s[0] * s[1] * s[2] < 0) {
    for (let k = 0; k + 2 < faces.length; k += 3) {
      const j = faces[k + 1] as number
      faces[k + 1] = faces[k + 2] as number
      faces[k + 2] = j
    }
  }
  return { vertices, faces }
}

export type FittedShape = 'sphere' | 'capsule' | 'cylinder' | 'ellipsoid' | 'box'

export interface FittedGeom {
  /** in MuJoCo's sense: radius; radius and half length; half edges */
  readonly size: Vec3
  /** pose of the primitive in the mesh frame */
  readonly position: Vec3
  readonly quaternion: Quat
}

/** The primitive for a mesh. `aabb`: from its bounds along the principal axes (compiler fitaabb); otherwise take the box of equal inertia. `scale`: geom fitscale. */
export function fitMesh(mesh: Triangles, mass: MeshMass, shape: FittedShape, aabb: boolean, scale = 1): FittedGeom {
  const { com, quaternion } = mass
  if (!aabb) {
    const [a, b, c] = mass.box
    const radius = (a + b) / 2
    const size: Record<FittedShape, Vec3> = {
      sphere: [(a + b + c) / 3, 0, 0],
      capsule: [radius, Math.max(0, c - radius / 2), 0],
      cylinder: [radius, c, 0],
      ellipsoid: [a, b, c],
      box: [a, b, c],
    }
    return { size: times(size[shape], scale), position: com, quaternion }
  }

  // vertices in the principal frame, and the middle of their bounds
  const v = transformMesh(mesh, { position: com, quaternion }).vertices
  const low = [Infinity, Infinity, Infinity]
  const high = [-Infinity, -Infinity, -Infinity]
  for (let k = 0; k < v.length; k++) {
    low[k % 3] = Math.min(low[k % 3] as number, v[k] as number)
    high[k % 3] = Math.max(high[k % 3] as number, v[k] as number)
  }
  const middle = low.map((x, k) => (x + (high[k] as number)) / 2) as [number, number, number]
  const half = middle.map((x, k) => (high[k] as number) - x) as [number, number, number]

  const R = matrixOf(quaternion)
  const position = com.map((x, i) => x + middle.reduce((sum, m, k) => sum + (R[3 * i + k] as number) * m, 0)) as [number, number, number]
  const [a, b, c] = half
  const radius = Math.max(a, b)
  const size: Record<FittedShape, Vec3> = {
    sphere: [Math.max(a, b, c), 0, 0],
    capsule: [radius, Math.max(0, c - radius), 0],
    cylinder: [radius, c, 0],
    ellipsoid: half,
    box: half,
  }
  return { size: times(size[shape], scale), position, quaternion }
}

function times(v: Vec3, s: number): Vec3 {
  return [v[0] * s, v[1] * s, v[2] * s]
}
