/**
 * Contacts: a dot at each point, and a line along the force on the second body, as long as the force is large compared with the largest of late.
 */
import * as THREE from 'three'
import { contactSize } from './view-protocol.js'

const most = 1024
const pressed = new THREE.Color(0xff3d8b)
const idle = new THREE.Color(0x9aa5b8)

export interface ContactMarks {
  readonly object: THREE.Group
  /** ten numbers each: point, normal, force, gap */
  set(list: Float64Array): void
  update(shown: boolean, size: number): void
  readonly count: number
  /** N of the longest line */
  readonly largest: number
  dispose(): void
}

export function createContactMarks(): ContactMarks {
  const geometry = new THREE.BufferGeometry()
  const ends = new THREE.BufferAttribute(new Float32Array(6 * most), 3)
  geometry.setAttribute('position', ends)
  const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: pressed, depthTest: false, transparent: true }))
  const ball = new THREE.SphereGeometry(1, 10, 8)
  const dots = new THREE.InstancedMesh(ball, new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }), most)
  for (const object of [lines, dots]) {
    object.frustumCulled = false
    object.renderOrder = 4
  }
  const group = new THREE.Group()
  group.add(lines, dots)
  const matrix = new THREE.Matrix4()
  let list: Float64Array = new Float64Array(0)
  let largest = 0

  return {
    object: group,
    get count() {
      return group.visible ? dots.count : 0
    },
    get largest() {
      return largest
    },
    set(next) {
      list = next
      if (next.length === 0) largest = 0
    },
    update(shown, size) {
      group.visible = shown
      if (!shown) return
      const count = Math.min(most, list.length / contactSize)
      let strongest = 0
      for (let k = 0; k < count; k++) strongest = Math.max(strongest, strength(list, k))
      // the scale follows slowly, so that lines do not flicker
      largest = Math.max(strongest, 0.98 * largest)
      for (let k = 0; k < count; k++) {
        const o = contactSize * k
        const force = strength(list, k)
        const length = largest > 0 ? (0.25 * size) / largest : 0
        ends.setXYZ(2 * k, list[o], list[o + 1], list[o + 2])
        ends.setXYZ(2 * k + 1, list[o] + length * list[o + 6], list[o + 1] + length * list[o + 7], list[o + 2] + length * list[o + 8])
        const radius = 0.008 * size
        dots.setMatrixAt(k, matrix.makeScale(radius, radius, radius).setPosition(list[o], list[o + 1], list[o + 2]))
        dots.setColorAt(k, force > 1e-9 * largest ? pressed : idle)
      }
      dots.count = count
      geometry.setDrawRange(0, 2 * count)
      ends.needsUpdate = true
      dots.instanceMatrix.needsUpdate = true
      if (dots.instanceColor) dots.instanceColor.needsUpdate = true
    },
    dispose() {
      geometry.dispose()
      ball.dispose()
      dots.dispose()
    },
  }
}

function strength(list: Float64Array, k: number): number {
  const o = contactSize * k + 6
  return Math.hypot(list[o], list[o + 1], list[o + 2])
}
