/**
 * Contacts: the patch where two shapes touch as a translucent face with an edge, and an arrow along the force on the second body, to scale,
 * from where it acts.
 */
import * as THREE from 'three'
import { createPatch, outlinePatch, type Patch, type PatchSizes } from './contact-patches.js'
import { contactAt, contactSize } from './view-protocol.js'

/** arrows at most */
const most = 1024
const pressed = new THREE.Color(0xff3d8b)
const idle = new THREE.Color(0x9aa5b8)
const faceOpacity = 0.35
const edgeOpacity = 0.95
/** of arrows inside of bodies and behind them */
const hiddenOpacity = 0.6
/** of the size of the picture's marks: the longest arrow, its thickness */
const longest = 0.25
const thickness = 0.004
/** of the longest arrow: when all are shorter, the scale changes; neighbouring scales are at most 1 : 2.5, so that it does not change back */
const shortest = 0.35
const along = new THREE.Vector3(0, 1, 0)

export interface ContactMarks {
  readonly object: THREE.Group
  /** as `contactAt` says */
  set(list: Float64Array): void
  update(shown: boolean, size: number): void
  readonly count: number
  readonly patches: number
  /** N, of the strongest patch of late */
  readonly largest: number
  /** N that a metre of arrow stands for */
  readonly scale: number
  dispose(): void
}

export function createContactMarks(): ContactMarks {
  // from the origin along y, one long
  const rod = new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0)
  // its tip at the origin
  const head = new THREE.ConeGeometry(2.6, headLength, 10).translate(0, -headLength / 2, 0)
  const clear = new THREE.MeshBasicMaterial({ transparent: true, color: pressed })
  const hidden = new THREE.MeshBasicMaterial({
    transparent: true,
    color: pressed,
    opacity: hiddenOpacity,
    depthTest: false,
    depthWrite: false,
  })
  const rods = new THREE.InstancedMesh(rod, clear, most)
  const heads = new THREE.InstancedMesh(head, clear, most)
  const hiddenRods = new THREE.InstancedMesh(rod, hidden, 0)
  const hiddenHeads = new THREE.InstancedMesh(head, hidden, 0)
  hiddenRods.instanceMatrix = rods.instanceMatrix
  hiddenHeads.instanceMatrix = heads.instanceMatrix
  const arrowParts = [hiddenRods, hiddenHeads, rods, heads]
  const faces = createFaces()
  const group = new THREE.Group()
  group.add(faces.object, ...arrowParts)
  for (const object of arrowParts) {
    object.frustumCulled = false
    object.renderOrder = 5
    object.count = 0
  }
  const matrix = new THREE.Matrix4()
  const from = new THREE.Vector3()
  const direction = new THREE.Vector3()
  const turn = new THREE.Quaternion()
  const stretch = new THREE.Vector3()
  const patch = createPatch()
  let list: Float64Array = new Float64Array(0)
  let largest = 0
  let scale = 0
  let patches = 0

  /** A rod and a head within the length that the force has on this scale. */
  const placeArrow = (k: number, { center, force, strength }: Patch, radius: number) => {
    const length = strength / scale
    direction.set(force[0], force[1], force[2]).divideScalar(strength)
    turn.setFromUnitVectors(along, direction)
    // a short arrow is a thin one
    const thick = radius * Math.min(1, length / (1.5 * headLength * radius))
    from.set(center[0], center[1], center[2])
    rods.setMatrixAt(k, matrix.compose(from, turn, stretch.set(thick, length - 0.9 * headLength * thick, thick)))
    heads.setMatrixAt(k, matrix.compose(from.addScaledVector(direction, length), turn, stretch.set(thick, thick, thick)))
  }

  return {
    object: group,
    get count() {
      return group.visible ? list.length / contactSize : 0
    },
    get patches() {
      return group.visible ? patches : 0
    },
    get largest() {
      return largest
    },
    get scale() {
      return scale
    },
    set(next) {
      list = next
      if (next.length === 0) largest = scale = 0
    },
    update(shown, size) {
      group.visible = shown
      if (!shown) return
      const sizes = patchSizes(size)
      const count = list.length / contactSize
      let strongest = 0
      for (let k = 0; k < count; k = endOfPatch(list, k)) strongest = Math.max(strongest, strengthOf(list, k, endOfPatch(list, k)))
      // slowly, so that a blow is seen as one
      largest = Math.max(strongest, 0.98 * largest)
      scale = chooseScale(scale, largest, longest * size)
      patches = 0
      let arrows = 0
      faces.begin()
      for (let k = 0, end = 0; k < count; k = end) {
        end = endOfPatch(list, k)
        outlinePatch(patch, list, k, end, sizes)
        const felt = patch.strength > 1e-6 * largest
        faces.add(patch, felt ? pressed : idle)
        patches++
        if (felt && arrows < most) placeArrow(arrows++, patch, thickness * size)
      }
      faces.end()
      for (const object of arrowParts) object.count = arrows
      rods.instanceMatrix.needsUpdate = heads.instanceMatrix.needsUpdate = true
    },
    dispose() {
      faces.dispose()
      for (const part of [rod, head, clear, hidden]) part.dispose()
      for (const object of arrowParts) object.dispose()
    },
  }
}

/** of a head, compared with the radius of its rod */
const headLength = 7

/** The first contact that does not belong to the patch of contact k. */
function endOfPatch(list: Float64Array, k: number): number {
  const patch = list[contactSize * k + contactAt.patch]
  let end = k + 1
  while (contactSize * end < list.length && list[contactSize * end + contactAt.patch] === patch) end++
  return end
}

/** Of the sum of forces. */
function strengthOf(list: Float64Array, begin: number, end: number): number {
  let x = 0
  let y = 0
  let z = 0
  for (let k = begin; k < end; k++) {
    const o = contactSize * k + contactAt.force
    x += list[o]
    y += list[o + 1]
    z += list[o + 2]
  }
  return Math.hypot(x, y, z)
}

/** N a metre, a round number: stays while the longest arrow is neither too long nor short, so that lengths can be compared. */
function chooseScale(scale: number, largest: number, room: number): number {
  if (!(largest > 0)) return scale
  const share = largest / (scale * room)
  return scale > 0 && share <= 1 && share >= shortest ? scale : roundUp(largest / room)
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x))
  const digit = x / power
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10)
}

const sizes = { slop: 0, radius: 0, edge: 0 }
function patchSizes(size: number): PatchSizes {
  sizes.slop = 2e-4 * size
  sizes.radius = 0.014 * size
  sizes.edge = 0.003 * size
  return sizes
}

/** All faces and edges in one mesh, whose buffers grow with what there is. */
function createFaces() {
  const material = new THREE.MeshBasicMaterial({ vertexColors: true, transparent: true, depthTest: false, side: THREE.DoubleSide })
  const geometry = new THREE.BufferGeometry()
  const object = new THREE.Mesh(geometry, material)
  object.frustumCulled = false
  object.renderOrder = 4
  // three vertices a corner: of the face, and inside and outside of the edge
  let position = new Float32Array(0)
  let color = new Float32Array(0)
  let index = new Uint32Array(0)
  let corners = 0
  let used = 0

  const grow = (least: number) => {
    const room = 2 * least
    const [oldPosition, oldColor, oldIndex] = [position, color, index]
    position = new Float32Array(9 * room)
    color = new Float32Array(12 * room)
    index = new Uint32Array(9 * room)
    position.set(oldPosition)
    color.set(oldColor)
    index.set(oldIndex)
    // a buffer on the graphics card keeps its size: others take its place
    geometry.dispose()
    geometry.setAttribute('position', new THREE.BufferAttribute(position, 3).setUsage(THREE.DynamicDrawUsage))
    geometry.setAttribute('color', new THREE.BufferAttribute(color, 4).setUsage(THREE.DynamicDrawUsage))
    geometry.setIndex(new THREE.BufferAttribute(index, 1).setUsage(THREE.DynamicDrawUsage))
  }
  grow(64)

  const addVertex = (v: number, from: Float64Array, k: number, { r, g, b }: THREE.Color, opacity: number) => {
    for (let i = 0; i < 3; i++) position[3 * v + i] = from[3 * k + i]
    color[4 * v] = r
    color[4 * v + 1] = g
    color[4 * v + 2] = b
    color[4 * v + 3] = opacity
  }
  const addTriangle = (a: number, b: number, c: number) => {
    index[used++] = a
    index[used++] = b
    index[used++] = c
  }

  return {
    object,
    begin() {
      corners = 0
      used = 0
    },
    add({ count, corners: inner, outer }: Patch, shade: THREE.Color) {
      if (9 * (corners + count) > position.length) grow(corners + count)
      const first = 3 * corners
      for (let k = 0; k < count; k++) {
        const v = first + 3 * k
        const next = first + 3 * ((k + 1) % count)
        addVertex(v, inner, k, shade, faceOpacity)
        addVertex(v + 1, inner, k, shade, edgeOpacity)
        addVertex(v + 2, outer, k, shade, edgeOpacity)
        if (k > 0 && k < count - 1) addTriangle(first, v, next)
        addTriangle(v + 1, v + 2, next + 2)
        addTriangle(v + 1, next + 2, next + 1)
      }
      corners += count
    },
    end() {
      geometry.setDrawRange(0, used)
      object.visible = used > 0
      const { position: at, color: shade } = geometry.attributes
      at.needsUpdate = shade.needsUpdate = true
      if (geometry.index) geometry.index.needsUpdate = true
    },
    dispose() {
      geometry.dispose()
      material.dispose()
    },
  }
}
