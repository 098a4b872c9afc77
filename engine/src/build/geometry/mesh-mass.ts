/**
 * Mass properties of a triangle mesh at unit density, as MuJoCo computes them (user_mesh.cc).
 *
 * Each triangle spans a pyramid with the area-weighted centroid of the surface; pyramids add up to the volume and its centre,
 * then, about that centre, to the second moments ∫ x xᵀ by the exact formula for tetrahedra [Mirtich]. Modes:
 *   exact   signed volumes; the faces must be oriented consistently
 *   legacy  absolute volumes: right for star-shaped meshes, too much elsewhere, indifferent to orientation
 *   convex  exact, on the convex hull
 *   shell   the surface itself: area, not volume
 * A mesh without faces stands for its convex hull.
 */
import { ModelError } from '../../model/model-error.js'
import type { Quat, Tensor, Vec3 } from '../spec.js'
import { convexHull, type HullBudget, SIMPLIFY_HULL, TOO_MUCH_WORK } from './convex-hull.js'
import { principalAxes, tensorOf } from './principal-axes.js'

export type MeshInertia = 'convex' | 'exact' | 'legacy' | 'shell'

export interface Triangles {
  readonly vertices: readonly number[]
  readonly faces: readonly number[]
}

export interface MeshMass {
  /** m³; for mode shell the area, m² */
  readonly volume: number
  /** in the mesh frame */
  readonly com: Vec3
  /** about the centre of mass, mesh axes, density one */
  readonly tensor: Tensor
  /** principal moments in falling order, and the principal frame in the mesh frame */
  readonly moments: Vec3
  readonly quaternion: Quat
  /** half edges of the box of the same mass and inertia, in the principal frame */
  readonly box: Vec3
  /** corners of the convex hull where that was weighed instead of the faces, else 0 */
  readonly hullCorners: number
}

/** below this area and volume MuJoCo refuses a mesh */
const MIN_VALUE = 1e-15

/** as MuJoCo: axes of nearly symmetric meshes stay where they are; the tensor is then that much off */
const AXES_TOLERANCE = 1e-7

/** Throws ModelError (path empty: the caller knows the place) for meshes without area or volume, or with faces turned both ways. */
export function meshMassProperties(mesh: Triangles, mode: MeshInertia, budget?: HullBudget): MeshMass {
  const v = mesh.vertices
  const ofHull = mode === 'convex' || mesh.faces.length === 0
  const faces = ofHull ? hullFaces(mesh, budget) : mesh.faces
  if (mode === 'exact' && mesh.faces.length > 0) checkOrientation(mesh)

  // the tip of all pyramids: centroid of the surface, of the faces as given
  const surface = mesh.faces.length === 0 ? faces : mesh.faces
  const tip: [number, number, number] = [0, 0, 0]
  let area = 0
  forEachTriangle(v, surface, (a, _n, c) => {
    for (let k = 0; k < 3; k++) (tip[k] as number) += a * (c[k] as number)
    area += a
  })
  if (!(area >= MIN_VALUE)) fail('mesh surface area is too small: expected a mesh of some extent; check its scale')
  for (let k = 0; k < 3; k++) (tip[k] as number) /= area

  const com = centre(v, faces, tip, mode)
  const { total, tensor } = secondMoments(v, faces, com, mode)
  const axes = principalAxes(tensor, AXES_TOLERANCE)
  checkMoments(axes.moments)
  const [A, B, C] = axes.moments
  const half = (x: number): number => 0.5 * Math.sqrt(Math.max(0, (6 * x) / total))
  const box: Vec3 = [half(B + C - A), half(A + C - B), half(A + B - C)]
  return { volume: total, com, tensor: tensorOf(axes), ...axes, box, hullCorners: ofHull ? new Set(faces).size : 0 }
}

function hullFaces(mesh: Triangles, budget: HullBudget | undefined): number[] {
  const hull = convexHull(mesh.vertices, budget)
  if ('faces' in hull) return hull.faces
  if (hull.failure === TOO_MUCH_WORK) return fail(`mesh has no convex hull here, ${TOO_MUCH_WORK}: ${SIMPLIFY_HULL}`)
  return fail(`mesh has no convex hull, ${hull.failure}: expected four points that span a volume; a thin primitive may serve instead`)
}

/** Centre of mass, and a volume that is worth having. */
function centre(v: readonly number[], faces: readonly number[], tip: Vec3, mode: MeshInertia): Vec3 {
  if (mode === 'shell') return tip
  const sum: [number, number, number] = [0, 0, 0]
  let total = 0
  forEachTriangle(v, faces, (a, n, c) => {
    let volume = (((c[0] - tip[0]) * n[0] + (c[1] - tip[1]) * n[1] + (c[2] - tip[2]) * n[2]) * a) / 3
    if (mode === 'legacy') volume = Math.abs(volume)
    total += volume
    for (let k = 0; k < 3; k++) (sum[k] as number) += volume * ((c[k] as number) * 0.75 + (tip[k] as number) * 0.25)
  })
  if (!(total >= MIN_VALUE)) {
    if (total < 0) fail('mesh volume is negative: expected faces counter-clockwise seen from outside; turn the mesh inside out')
    fail(`mesh volume is too small (${total} m³): expected a closed surface; use inertia="shell" for a sheet, or check the scale`)
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total]
}

/** Volume (or area) and inertia about the centre of mass. */
function secondMoments(v: readonly number[], faces: readonly number[], com: Vec3, mode: MeshInertia): { total: number; tensor: Tensor } {
  const P = [0, 0, 0, 0, 0, 0]
  let total = 0
  const centred = v.map((x, k) => x - (com[k % 3] as number))
  forEachTriangle(centred, faces, (a, n, c, d, e, f) => {
    let volume = mode === 'shell' ? a : ((c[0] * n[0] + c[1] * n[1] + c[2] * n[2]) * a) / 3
    if (mode === 'legacy') volume = Math.abs(volume)
    total += volume
    const w = volume / (mode === 'shell' ? 12 : 20)
    for (let m = 0; m < 6; m++) {
      const i = pairs[2 * m] as number
      const j = pairs[2 * m + 1] as number
      const D = d + i
      const E = e + i
      const F = f + i
      const at = (k: number): number => centred[k] as number
      const s = (at(D) + at(E) + at(F)) * (at(d + j) + at(e + j) + at(f + j))
      ;(P[m] as number) += w * (s + at(D) * at(d + j) + at(E) * at(e + j) + at(F) * at(f + j))
    }
  })
  const [xx, yy, zz, xy, xz, yz] = P as [number, number, number, number, number, number]
  return { total, tensor: [yy + zz, xx + zz, xx + yy, -xy, -xz, -yz] }
}

const pairs = [0, 0, 1, 1, 2, 2, 0, 1, 0, 2, 1, 2]

/** Calls back with area, unit normal, centre and the offsets of the three corners. The arrays are reused. */
function forEachTriangle(
  v: readonly number[],
  faces: readonly number[],
  visit: (area: number, normal: [number, number, number], centre: [number, number, number], d: number, e: number, f: number) => void,
): void {
  const n: [number, number, number] = [0, 0, 0]
  const c: [number, number, number] = [0, 0, 0]
  const at = (k: number): number => v[k] as number
  for (let k = 0; k + 2 < faces.length; k += 3) {
    const d = 3 * (faces[k] as number)
    const e = 3 * (faces[k + 1] as number)
    const f = 3 * (faces[k + 2] as number)
    const ux = at(e) - at(d)
    const uy = at(e + 1) - at(d + 1)
    const uz = at(e + 2) - at(d + 2)
    const wx = at(f) - at(d)
    const wy = at(f + 1) - at(d + 1)
    const wz = at(f + 2) - at(d + 2)
    n[0] = uy * wz - uz * wy
    n[1] = uz * wx - ux * wz
    n[2] = ux * wy - uy * wx
    for (let i = 0; i < 3; i++) c[i] = (at(d + i) + at(e + i) + at(f + i)) / 3
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])

    // MuJoCo counts no smaller face
    if (length < MIN_VALUE) visit(0, n, c, d, e, f)
    else {
      for (let i = 0; i < 3; i++) (n[i] as number) /= length
      visit(length / 2, n, c, d, e, f)
    }
  }
}

/** No directed edge may occur twice among the faces that are not slivers. */
function checkOrientation(mesh: Triangles): void {
  const count = mesh.vertices.length / 3
  const edges = new Set<number>()
  forEachTriangle(mesh.vertices, mesh.faces, (area, _n, _c, d, e, f) => {
    if (!(area > Math.sqrt(MIN_VALUE))) return
    for (const [a, b] of [
      [d, e],
      [e, f],
      [f, d],
    ] as const) {
      const key = (a / 3) * count + b / 3
      if (edges.has(key)) {
        fail(
          `faces of the mesh are turned both ways at vertices ${a / 3 + 1} and ${b / 3 + 1}: expected one orientation; ` +
            'make the normals consistent, or use inertia="convex"',
        )
      }
      edges.add(key)
    }
  })
}

function checkMoments(moments: Vec3): void {
  const [A, B, C] = moments
  if (!(C > 0)) fail('mesh inertia has a moment that is not positive: expected a closed surface')
  const below = (x: number, y: number): boolean => x < y * (1 - 1e-6) - 1e-9
  if (below(A + B, C) || below(A + C, B) || below(B + C, A)) {
    fail('moments of the mesh violate A + B ≥ C: expected a closed surface with faces turned one way; inertia="convex" may serve')
  }
}

function fail(message: string): never {
  throw new ModelError([{ path: '', message }])
}
