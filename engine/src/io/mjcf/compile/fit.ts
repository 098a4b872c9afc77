/**
 * A primitive in place of a mesh: a geom that names a mesh but has another type. By the box of equal inertia, or, with
 * `compiler fitaabb`, by the bounding box along the principal axes.
 */
import type { Vec3 } from '../../../build/spec.js'
import { conjugate, type Pose, rotateVec, subVec, transformPoint } from '../../pose.js'
import { addProblem } from '../../xml.js'
import type { GeomType } from '../elements/geoms.js'
import { type MjcfMesh, meshData, meshMass } from '../elements/meshes.js'
import type { Scope } from '../syntax/context.js'

/** Sizes as MJCF counts them, and the pose of the shape in the frame of the mesh; undefined where the mesh has none, which was said. */
export function fitToMesh(scope: Scope, mesh: MjcfMesh, type: GeomType, scale: number): { size: number[]; pose: Pose } | undefined {
  const data = meshData(scope, mesh, true)
  const unit = meshMass(scope, mesh)
  if (!data || !unit) return undefined
  const principal: Pose = { position: unit.com, quaternion: unit.quaternion }
  let size: number[]
  let pose = principal

  if (scope.compiler.fitaabb) {
    const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    const high = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const back = conjugate(principal.quaternion)
    for (let k = 0; k + 2 < data.vertices.length; k += 3) {
      const vertex: Vec3 = [data.vertices[k] as number, data.vertices[k + 1] as number, data.vertices[k + 2] as number]
      const p = rotateVec(back, subVec(vertex, principal.position))
      for (let i = 0; i < 3; i++) {
        low[i] = Math.min(low[i] as number, p[i] as number)
        high[i] = Math.max(high[i] as number, p[i] as number)
      }
    }
    const [hx, hy, hz] = low.map((x, i) => ((high[i] as number) - x) / 2) as [number, number, number]
    const [cx, cy, cz] = low.map((x, i) => ((high[i] as number) + x) / 2) as [number, number, number]
    pose = { position: transformPoint(principal, [cx, cy, cz]), quaternion: principal.quaternion }
    const r = Math.max(hx, hy)
    if (type === 'sphere') size = [Math.max(r, hz), 0, 0]
    else if (type === 'capsule') size = [r, Math.max(0, hz - r), 0]
    else if (type === 'cylinder') size = [r, hz, 0]
    else size = [hx, hy, hz]
  } else {
    const [a, b, c] = unit.box
    const r = (a + b) / 2
    if (type === 'sphere') size = [(a + b + c) / 3, 0, 0]
    else if (type === 'capsule') size = [r, Math.max(0, c - r / 2), 0]
    else if (type === 'cylinder') size = [r, c, 0]
    else size = [a, b, c]
  }
  if (type === 'plane') addProblem(scope.shared.reader, mesh.element, `a plane cannot be fitted to mesh '${mesh.name}'`)
  return { size: size.map((x) => x * scale), pose }
}
