/**
 * Geoms of all bodies as few instanced meshes: equal shapes share one, whatever their size and colour. Eighteen thousand bodies are then
 * a few dozen draw calls.
 *
 * Where there are many, what is small in the picture is drawn with few facets, and details of a few pixels, beside the larger parts of
 * the same mechanism, not at all: most of a crowd is far away.
 */
import * as THREE from 'three'
import type { Shape } from './shapes.js'

/** 12 numbers a body: rotation row by row, position. */
export type BodyFrames = Float64Array

/** From where a picture is taken. */
export interface Eye {
  readonly position: THREE.Vector3
  /** pixels of what is as long as it is far away */
  readonly focal: number
}

export interface Instances {
  readonly meshes: readonly THREE.InstancedMesh[]
  /** moves every instance to its body; without an eye all are drawn in full */
  update(frames: BodyFrames, eye?: Eye): void
  /** body of an instance of a mesh */
  bodyOf(mesh: THREE.Object3D, instance: number): number
  /** colour by body; undefined gives each geom its own */
  paint(color: (body: number) => THREE.Color | undefined): void
}

export interface Look {
  /** drawn over with this colour and see-through: a ghost */
  readonly ghost?: THREE.ColorRepresentation
  readonly shadows: boolean
  /** plain shading, for a slow renderer */
  readonly coarse: boolean
}

/** so many shapes are drawn by their size in the picture */
const many = 400
/** half of a shape's size, in pixels: below this it has few facets; below that a detail is left out */
const fewFacetsAt = 6
const leftOutAt = 0.8
/** share of the largest shape below which another is a detail */
const detailShare = 0.35

interface Batch {
  /** in full, and with few facets */
  readonly meshes: readonly THREE.InstancedMesh[]
  /** for each mesh: which shape each of its instances is */
  readonly shown: readonly Int32Array[]
  readonly bodies: Int32Array
  /** 4 × 3 affine of each shape in its body */
  readonly local: Float64Array
  /** mean of half the edges of its box */
  readonly size: Float64Array
  readonly own: readonly THREE.Color[]
  /** r g b of each shape now */
  readonly tint: Float32Array
}

export function createInstances(shapes: readonly Shape[], look: Look): Instances {
  const groups = new Map<string, Shape[]>()
  for (const shape of shapes) {
    const key = `${shape.key}|${shape.alpha}`
    const group = groups.get(key)
    if (group) group.push(shape)
    else groups.set(key, [shape])
  }
  const bySize = shapes.length > many
  const batches = [...groups.values()].map((group) => createBatch(group, look, bySize))
  const largest = batches.reduce((most, { size }) => size.reduce((a, b) => Math.max(a, b), most), 0)
  const detail = detailShare * largest
  const place = new Map<THREE.Object3D, readonly [Batch, number]>()
  for (const batch of batches) batch.meshes.forEach((mesh, level) => place.set(mesh, [batch, level]))
  return {
    meshes: batches.flatMap(({ meshes }) => meshes),
    update(frames, eye) {
      for (const batch of batches) placeBatch(batch, frames, bySize ? eye : undefined, detail)
    },
    bodyOf(mesh, instance) {
      const [batch, level] = place.get(mesh) ?? []
      return batch && level !== undefined ? (batch.bodies[batch.shown[level][instance] ?? -1] ?? -1) : -1
    },
    paint(color) {
      for (const batch of batches) {
        const { bodies, own, tint } = batch
        for (let k = 0; k < bodies.length; k++) (color(bodies[k]) ?? own[k]).toArray(tint, 3 * k)
        colorBatch(batch)
      }
    },
  }
}

function createBatch(group: readonly Shape[], { ghost, shadows, coarse }: Look, bySize: boolean): Batch {
  const [first] = group
  const side = first.doubleSided ? THREE.DoubleSide : THREE.FrontSide
  const material = coarse
    ? new THREE.MeshLambertMaterial({ side })
    : new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, side })
  const opacity = ghost === undefined ? first.alpha : Math.min(first.alpha, 0.4)
  if (opacity < 1) Object.assign(material, { transparent: true, opacity: Math.max(opacity, 0.05), depthWrite: ghost === undefined })
  const full = first.geometry()
  const rough = bySize ? first.roughGeometry?.() : undefined
  const meshes = [full, ...(rough ? [rough] : [])].map((geometry) => {
    const mesh = new THREE.InstancedMesh(geometry, material, group.length)
    mesh.frustumCulled = false
    mesh.castShadow = shadows && first.castsShadow && opacity >= 0.5
    mesh.receiveShadow = shadows
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage)
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * group.length), 3)
    return mesh
  })
  full.computeBoundingBox()
  const edges = (full.boundingBox ?? new THREE.Box3()).getSize(new THREE.Vector3())
  const own = group.map(({ color }) => (ghost === undefined ? color : new THREE.Color(ghost)))
  const local = new Float64Array(12 * group.length)
  const size = new Float64Array(group.length)
  group.forEach(({ matrix }, k) => {
    const { elements: e } = matrix
    for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) local[12 * k + 4 * r + c] = e[4 * c + r]
    size[k] = 0.5 * Math.cbrt(Math.abs(matrix.determinant()) * edges.x * edges.y * edges.z)
  })
  const batch: Batch = {
    meshes,
    shown: meshes.map(() => Int32Array.from(group, (_, k) => k)),
    bodies: Int32Array.from(group, ({ body }) => body),
    local,
    size,
    own,
    tint: Float32Array.from(own.flatMap((color) => color.toArray())),
  }
  colorBatch(batch)
  return batch
}

/** instance = body × local, written column by column as WebGL wants it. */
function placeBatch(batch: Batch, X: BodyFrames, eye: Eye | undefined, detail: number): void {
  const { meshes, shown, bodies, local, size } = batch
  const last = meshes.length - 1
  let inFull = 0
  let few = 0
  let moved = false
  for (let k = 0; k < bodies.length; k++) {
    const b = 12 * bodies[k]
    const l = 12 * k
    const x = X[b] * local[l + 3] + X[b + 1] * local[l + 7] + X[b + 2] * local[l + 11] + X[b + 9]
    const y = X[b + 3] * local[l + 3] + X[b + 4] * local[l + 7] + X[b + 5] * local[l + 11] + X[b + 10]
    const z = X[b + 6] * local[l + 3] + X[b + 7] * local[l + 7] + X[b + 8] * local[l + 11] + X[b + 11]
    let level = 0
    if (eye) {
      const { position: at, focal } = eye
      const pixels = (focal * size[k]) / Math.sqrt((x - at.x) ** 2 + (y - at.y) ** 2 + (z - at.z) ** 2)
      if (pixels < leftOutAt && size[k] < detail) continue
      level = pixels < fewFacetsAt ? last : 0
    }
    const slot = level === 0 ? inFull++ : few++
    if (shown[level][slot] !== k) {
      shown[level][slot] = k
      moved = true
    }
    const out = meshes[level].instanceMatrix.array
    const o = 16 * slot
    for (let r = 0; r < 3; r++) {
      const a = X[b + 3 * r]
      const c = X[b + 3 * r + 1]
      const d = X[b + 3 * r + 2]
      out[o + r] = a * local[l] + c * local[l + 4] + d * local[l + 8]
      out[o + 4 + r] = a * local[l + 1] + c * local[l + 5] + d * local[l + 9]
      out[o + 8 + r] = a * local[l + 2] + c * local[l + 6] + d * local[l + 10]
    }
    out[o + 12] = x
    out[o + 13] = y
    out[o + 14] = z
    out[o + 15] = 1
  }
  if (moved) colorBatch(batch)
  meshes.forEach((mesh, level) => {
    mesh.count = level === 0 ? inFull : few
    mesh.instanceMatrix.clearUpdateRanges()
    mesh.instanceMatrix.addUpdateRange(0, 16 * mesh.count)
    mesh.instanceMatrix.needsUpdate = true
  })
}

function colorBatch({ meshes, shown, tint }: Batch): void {
  meshes.forEach(({ instanceColor }, level) => {
    if (!instanceColor) return
    const { array } = instanceColor
    const shapes = shown[level]
    for (let slot = 0; slot < shapes.length; slot++) {
      const k = 3 * shapes[slot]
      array[3 * slot] = tint[k]
      array[3 * slot + 1] = tint[k + 1]
      array[3 * slot + 2] = tint[k + 2]
    }
    instanceColor.needsUpdate = true
  })
}
