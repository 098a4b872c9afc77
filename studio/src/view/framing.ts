/**
 * Where the camera must stand to see a mechanism.
 */
import * as THREE from 'three'

/** from where the camera looks at first: from the right, a little from the front and from above */
export const outlook = new THREE.Vector3(0.62, -1, 0.3).normalize()

/** From how far the camera must look along `outlook` to see every corner, with a margin, in an area whose edges have these tangents. */
export function distanceFor(box: THREE.Box3, center: THREE.Vector3, wide: number, tall: number): number {
  const right = new THREE.Vector3(0, 0, 1).cross(outlook).normalize()
  const up = outlook.clone().cross(right)
  const corner = new THREE.Vector3()
  let most = 0
  for (let k = 0; k < 8; k++) {
    corner.set(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(center)
    const needed = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall)
    most = Math.max(most, needed + corner.dot(outlook))
  }
  return Math.max(1.2 * most, 1e-3)
}

/** The space a mechanism will move in: down to the floor where that is near, and as far to the other side of the origin when it starts near it. */
export function roomFor(box: THREE.Box3, floor: number): THREE.Box3 {
  const size = box.getSize(new THREE.Vector3()).length()
  const low = box.min.z - floor < 0.6 * size ? floor : box.min.z - 0.1 * size
  const room = box.clone().expandByPoint(new THREE.Vector3(box.min.x, box.min.y, low))
  const near = box.clone().expandByScalar(0.2 * size)
  if (near.min.x < 0 && near.max.x > 0 && near.min.y < 0 && near.max.y > 0) {
    room.expandByPoint(new THREE.Vector3(-box.min.x, -box.min.y, low)).expandByPoint(new THREE.Vector3(-box.max.x, -box.max.y, low))
  }
  return room
}
