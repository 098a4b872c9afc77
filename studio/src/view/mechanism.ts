/**
 * A mechanism in the picture: one group a body, lines for springs and tendons, poses set from a frame.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import { isGround } from '../floor.js'
import { drawLines } from './lines.js'
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
    const child = new THREE.SphereGeometry(0.15 * typicalLength(spec), 16, 12)
    for (const group of groups.slice(1)) add(group, new THREE.Mesh(child, new THREE.MeshStandardMaterial({ color: 0xf2a93c })))
  }

  const lines = drawLines(spec, index, 0.025 * typicalLength(spec))
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
        if (!(object instanceof THREE.Mesh)) return
        object.geometry.dispose()
        for (const material of [object.material].flat()) (material as THREE.Material).dispose()
      })
    },
  }
}

function add(group: THREE.Group | undefined, mesh: THREE.Mesh | undefined): void {
  if (group && mesh) group.add(mesh)
}

/** Mean distance between a body and its parent. */
function typicalLength(spec: Spec): number {
  const lengths = spec.bodies.map(({ position = [0, 0, 0] }) => Math.hypot(...position)).filter((length) => length > 0)
  return lengths.length > 0 ? lengths.reduce((sum, length) => sum + length, 0) / lengths.length : 0.3
}
