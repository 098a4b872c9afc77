/**
 * A mechanism in the picture: one group a body, lines for springs and tendons, poses set from a frame.
 */
import type { PointSpec, Spec, Vec3 } from 'limber'
import * as THREE from 'three'
import { isGround } from '../floor.js'
import { drawGeom, shapeSource } from './shapes.js'

export interface Mechanism {
  readonly root: THREE.Group
  setPoses(poses: Float64Array): void
  /** what is drawn, at the poses set last; the endless planes left out */
  bounds(): THREE.Box3
  dispose(): void
}

export function drawMechanism(spec: Spec, bodies: readonly string[]): Mechanism {
  const root = new THREE.Group()
  const source = shapeSource(spec)
  const groups = bodies.map((name) => Object.assign(new THREE.Group(), { name }))
  const index = new Map(bodies.map((name, i) => [name, i]))
  if (groups.length > 0) root.add(...groups)

  // geoms; a body that has none gets a dot at its origin, so that it can be seen
  for (const geom of spec.world?.geoms ?? []) if (!isGround(geom)) add(groups[0], drawGeom(geom, source))
  for (const body of spec.bodies) {
    const group = groups[index.get(body.name) ?? -1]
    for (const geom of body.geoms ?? []) add(group, drawGeom(geom, source))
  }
  if (!spec.bodies.some((body) => body.geoms?.length)) {
    const size = dotSize(spec)
    const child = new THREE.SphereGeometry(size, 16, 12)
    for (const group of groups.slice(1)) add(group, new THREE.Mesh(child, new THREE.MeshStandardMaterial({ color: 0xf2a93c })))
  }

  const lines = drawLines(spec, index)
  if (lines) root.add(lines.object)

  return {
    root,
    setPoses(poses) {
      groups.forEach((group, i) => {
        const [x = 0, y = 0, z = 0, w = 1, a = 0, b = 0, c = 0] = poses.subarray(7 * i, 7 * i + 7)
        group.position.set(x, y, z)
        group.quaternion.set(a, b, c, w)
      })
      lines?.update(groups)
    },
    bounds() {
      root.updateMatrixWorld(true)
      const box = new THREE.Box3()
      for (const group of groups) {
        for (const child of group.children) {
          if (child instanceof THREE.Mesh && !(child.geometry instanceof THREE.PlaneGeometry)) box.expandByObject(child)
        }
        if (group !== groups[0]) box.expandByPoint(group.position)
      }
      return box.isEmpty() ? new THREE.Box3(new THREE.Vector3(-0.5, -0.5, -0.5), new THREE.Vector3(0.5, 0.5, 0.5)) : box
    },
    dispose() {
      root.traverse((object) => {
        if (!(object instanceof THREE.Mesh || object instanceof THREE.LineSegments)) return
        object.geometry.dispose()
        for (const material of [object.material].flat()) (material as THREE.Material).dispose()
      })
    },
  }
}

function add(group: THREE.Group | undefined, mesh: THREE.Mesh | undefined): void {
  if (group && mesh) group.add(mesh)
}

/** A fraction of the typical distance between a body and its parent. */
function dotSize(spec: Spec): number {
  const sum = spec.bodies.reduce((total, { position = [0, 0, 0] }) => total + Math.hypot(...position), 0)
  return spec.bodies.length > 0 && sum > 0 ? (0.15 * sum) / spec.bodies.length : 0.05
}

/** Springs and the straight pieces of tendons as line segments between points of bodies. */
function drawLines(spec: Spec, index: ReadonlyMap<string, number>) {
  const ends: { readonly body: number; readonly point: Vec3 }[] = []
  const end = ({ body, point = [0, 0, 0] }: PointSpec) => ({ body: index.get(body) ?? 0, point })
  for (const { a, b } of spec.springs ?? []) ends.push(end(a), end(b))
  for (const { path = [] } of spec.tendons ?? []) {
    for (const [k, to] of path.entries()) {
      const from = path[k - 1]
      if (from && 'body' in from && 'body' in to) ends.push(end(from), end(to))
    }
  }
  if (ends.length === 0) return undefined
  const geometry = new THREE.BufferGeometry()
  const position = new THREE.BufferAttribute(new Float32Array(3 * ends.length), 3)
  geometry.setAttribute('position', position)
  const object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0x5aa9a3 }))
  object.frustumCulled = false
  const at = new THREE.Vector3()
  return {
    object,
    update(groups: readonly THREE.Group[]) {
      ends.forEach(({ body, point }, i) => {
        const group = groups[body]
        if (!group) return
        at.set(...point)
          .applyQuaternion(group.quaternion)
          .add(group.position)
        position.setXYZ(i, at.x, at.y, at.z)
      })
      position.needsUpdate = true
    },
  }
}
