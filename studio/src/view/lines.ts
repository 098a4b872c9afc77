/**
 * Springs and the straight pieces of tendons: thin rods between points of bodies.
 */
import type { PointSpec, Spec, Vec3 } from 'limber'
import * as THREE from 'three'

interface End {
  readonly body: number
  readonly point: Vec3
}

export interface Lines {
  readonly object: THREE.InstancedMesh
  update(bodies: readonly THREE.Object3D[]): void
}

/** Undefined when there is nothing to draw. `index` gives the number of a body by its name. */
export function drawLines(spec: Spec, index: ReadonlyMap<string, number>, thickness: number): Lines | undefined {
  const pieces = listPieces(spec, index)
  if (pieces.length === 0) return undefined
  const geometry = new THREE.CylinderGeometry(thickness, thickness, 1, 10).rotateX(Math.PI / 2)
  const object = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial({ color: 0x4fa39c, roughness: 0.7 }), pieces.length)
  object.castShadow = true
  object.frustumCulled = false
  const from = new THREE.Vector3()
  const to = new THREE.Vector3()
  const direction = new THREE.Vector3()
  const turn = new THREE.Quaternion()
  const scale = new THREE.Vector3(1, 1, 1)
  const matrix = new THREE.Matrix4()
  const along = new THREE.Vector3(0, 0, 1)
  return {
    object,
    update(bodies) {
      pieces.forEach(([a, b], i) => {
        locate(from, a, bodies)
        locate(to, b, bodies)
        direction.subVectors(to, from)
        scale.z = Math.max(direction.length(), 1e-9)
        turn.setFromUnitVectors(along, direction.divideScalar(scale.z))
        object.setMatrixAt(i, matrix.compose(from.add(to).multiplyScalar(0.5), turn, scale))
      })
      object.instanceMatrix.needsUpdate = true
    },
  }
}

function locate(out: THREE.Vector3, { body, point }: End, bodies: readonly THREE.Object3D[]): void {
  out.set(...point)
  const frame = bodies[body]
  if (frame) out.applyQuaternion(frame.quaternion).add(frame.position)
}

function listPieces(spec: Spec, index: ReadonlyMap<string, number>): (readonly [End, End])[] {
  const end = ({ body, point = [0, 0, 0] }: PointSpec): End => ({ body: index.get(body) ?? 0, point })
  const pieces: (readonly [End, End])[] = (spec.springs ?? []).map(({ a, b }) => [end(a), end(b)] as const)
  for (const { path = [] } of spec.tendons ?? []) {
    for (const [k, to] of path.entries()) {
      const from = path[k - 1]
      if (from && 'body' in from && 'body' in to) pieces.push([end(from), end(to)])
    }
  }
  return pieces
}
