/**
 * Where the camera must stand to see a mechanism.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import type { BodyFrames } from './instances.js'

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

/** The space a mechanism will move in: down to the floor where that is near, to the side where it is tall, and as far to the other side of the origin when it starts near it. */
export function roomFor(box: THREE.Box3, floor: number): THREE.Box3 {
  const size = box.getSize(new THREE.Vector3()).length()
  const low = box.min.z - floor < 0.6 * size ? floor : box.min.z - 0.1 * size
  const room = box.clone().expandByPoint(new THREE.Vector3(box.min.x, box.min.y, low))
  // what is tall falls or swings to the side
  const { x, y, z } = box.getSize(new THREE.Vector3())
  if (z > 2 * Math.max(x, y)) room.expandByVector(new THREE.Vector3(0.45 * z, 0.2 * z, 0))
  const near = box.clone().expandByScalar(0.2 * size)
  if (near.min.x < 0 && near.max.x > 0 && near.min.y < 0 && near.max.y > 0) {
    room.expandByPoint(new THREE.Vector3(-box.min.x, -box.min.y, low)).expandByPoint(new THREE.Vector3(-box.max.x, -box.max.y, low))
  }
  return room
}

/** most links of a pendulum that is given room to turn over */
const pendulumMost = 3

/** Room for a pendulum of few links on a fixed point, which may swing all the way round. */
export function expandBySwing(box: THREE.Box3, { bodies, constraints = [] }: Spec, X: BodyFrames): THREE.Box3 {
  const roots = bodies.filter(({ parent = 'world' }) => parent === 'world')
  const joints = roots[0]?.joints ?? []
  const isPendulum = roots.length === 1 && bodies.length <= pendulumMost && joints.length > 0 && constraints.length === 0
  if (!isPendulum || joints.some(({ type }) => !/revolute|spherical|universal/.test(type))) return box
  const pivot = new THREE.Vector3(X[12 + 9], X[12 + 10], X[12 + 11])
  const far = new THREE.Vector3(
    Math.max(box.max.x - pivot.x, pivot.x - box.min.x),
    Math.max(box.max.y - pivot.y, pivot.y - box.min.y),
    Math.max(box.max.z - pivot.z, pivot.z - box.min.z),
  )
  const reach = far.length()
  // what does not leave its plane needs no room across it
  const flat = far.y < 0.1 * reach
  const room = new THREE.Vector3(reach, flat ? 0 : reach, reach)
  return box.clone().expandByPoint(pivot.clone().add(room)).expandByPoint(pivot.clone().sub(room))
}
