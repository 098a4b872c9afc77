/**
 * Contacts: a dot at each point, and an arrow along the force on the second body, as long as the force is large compared with the largest of late.
 */
import * as THREE from 'three'
import { contactSize } from './view-protocol.js'

const most = 1024
const pressed = new THREE.Color(0xff3d8b)
const idle = new THREE.Color(0x9aa5b8)
/** of the size of the mechanism: the longest arrow, its thickness, a dot */
const longest = 0.25
const thickness = 0.006
const dotSize = 0.01
const along = new THREE.Vector3(0, 1, 0)

export interface ContactMarks {
  readonly object: THREE.Group
  /** ten numbers each: point, normal, force, gap */
  set(list: Float64Array): void
  update(shown: boolean, size: number): void
  readonly count: number
  /** N of the longest arrow */
  readonly largest: number
  dispose(): void
}

export function createContactMarks(): ContactMarks {
  const ball = new THREE.SphereGeometry(1, 10, 8)
  // from the origin along y, one long
  const rod = new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0)
  const head = new THREE.ConeGeometry(2.6, 6, 10).translate(0, 3, 0)
  const material = (color?: THREE.Color) =>
    new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, ...(color ? { color } : {}) })
  const dots = new THREE.InstancedMesh(ball, material(), most)
  const rods = new THREE.InstancedMesh(rod, material(pressed), most)
  const heads = new THREE.InstancedMesh(head, material(pressed), most)
  const group = new THREE.Group()
  for (const object of [rods, heads, dots]) {
    object.frustumCulled = false
    object.renderOrder = 4
    object.count = 0
    group.add(object)
  }
  const matrix = new THREE.Matrix4()
  const from = new THREE.Vector3()
  const direction = new THREE.Vector3()
  const turn = new THREE.Quaternion()
  const scale = new THREE.Vector3()
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
      // the scale follows slowly, so that arrows do not flicker
      largest = Math.max(strongest, 0.98 * largest)
      const radius = thickness * size
      let arrows = 0
      for (let k = 0; k < count; k++) {
        const o = contactSize * k
        const force = strength(list, k)
        from.set(list[o], list[o + 1], list[o + 2])
        const felt = force > 1e-9 * largest
        dots.setMatrixAt(k, matrix.makeScale(dotSize * size, dotSize * size, dotSize * size).setPosition(from))
        dots.setColorAt(k, felt ? pressed : idle)
        if (!felt) continue
        const length = (longest * size * force) / largest
        direction.set(list[o + 6], list[o + 7], list[o + 8]).divideScalar(force)
        turn.setFromUnitVectors(along, direction)
        rods.setMatrixAt(arrows, matrix.compose(from, turn, scale.set(radius, length, radius)))
        // a short arrow has a small head
        const tip = radius * Math.min(1, length / (8 * radius))
        heads.setMatrixAt(arrows, matrix.compose(from.addScaledVector(direction, length), turn, scale.set(tip, tip, tip)))
        arrows++
      }
      dots.count = count
      rods.count = heads.count = arrows
      for (const { instanceMatrix } of [dots, rods, heads]) instanceMatrix.needsUpdate = true
      if (dots.instanceColor) dots.instanceColor.needsUpdate = true
    },
    dispose() {
      for (const geometry of [ball, rod, head]) geometry.dispose()
      for (const object of [dots, rods, heads]) object.dispose()
    },
  }
}

function strength(list: Float64Array, k: number): number {
  const o = contactSize * k + 6
  return Math.hypot(list[o], list[o + 1], list[o + 2])
}
