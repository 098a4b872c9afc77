/**
 * Geoms of all bodies as few instanced meshes: equal shapes share one, whatever their size and colour. Six thousand bodies are then
 * a handful of draw calls.
 */
import * as THREE from 'three'
import type { Shape } from './shapes.js'

/** 12 numbers a body: rotation row by row, position. */
export type BodyFrames = Float64Array

export interface Instances {
  readonly meshes: readonly THREE.InstancedMesh[]
  /** moves every instance to its body */
  update(frames: BodyFrames): void
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

interface Batch {
  readonly mesh: THREE.InstancedMesh
  readonly bodies: Int32Array
  /** 4 × 3 affine of each instance in its body */
  readonly local: Float64Array
  readonly colors: readonly THREE.Color[]
}

export function createInstances(shapes: readonly Shape[], look: Look): Instances {
  const groups = new Map<string, Shape[]>()
  for (const shape of shapes) {
    const key = `${shape.key}|${shape.alpha}`
    const group = groups.get(key)
    if (group) group.push(shape)
    else groups.set(key, [shape])
  }
  const batches = [...groups.values()].map((group) => createBatch(group, look))
  const byMesh = new Map<THREE.Object3D, Batch>(batches.map((batch) => [batch.mesh, batch]))
  return {
    meshes: batches.map(({ mesh }) => mesh),
    update(frames) {
      for (const batch of batches) place(batch, frames)
    },
    bodyOf: (mesh, instance) => byMesh.get(mesh)?.bodies[instance] ?? -1,
    paint(color) {
      for (const { mesh, bodies, colors } of batches) {
        if (!mesh.instanceColor) continue
        for (let k = 0; k < bodies.length; k++) (color(bodies[k]) ?? colors[k]).toArray(mesh.instanceColor.array, 3 * k)
        mesh.instanceColor.needsUpdate = true
      }
    },
  }
}

function createBatch(group: readonly Shape[], { ghost, shadows, coarse }: Look): Batch {
  const [first] = group
  const side = first.doubleSided ? THREE.DoubleSide : THREE.FrontSide
  const material = coarse
    ? new THREE.MeshLambertMaterial({ side })
    : new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, side })
  const opacity = ghost === undefined ? first.alpha : Math.min(first.alpha, 0.4)
  if (opacity < 1) Object.assign(material, { transparent: true, opacity: Math.max(opacity, 0.05), depthWrite: ghost === undefined })
  const mesh = new THREE.InstancedMesh(first.geometry(), material, group.length)
  mesh.frustumCulled = false
  mesh.castShadow = shadows && first.castsShadow && opacity >= 0.5
  mesh.receiveShadow = shadows
  mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage)
  const colors = group.map(({ color }) => (ghost === undefined ? color : new THREE.Color(ghost)))
  colors.forEach((color, k) => mesh.setColorAt(k, color))
  const local = new Float64Array(12 * group.length)
  group.forEach(({ matrix: { elements: e } }, k) => {
    for (let r = 0; r < 3; r++) for (let c = 0; c < 4; c++) local[12 * k + 4 * r + c] = e[4 * c + r]
  })
  return { mesh, bodies: Int32Array.from(group, ({ body }) => body), local, colors }
}

/** instance = body × local, written column by column as WebGL wants it. */
function place({ mesh, bodies, local }: Batch, X: BodyFrames): void {
  const out = mesh.instanceMatrix.array
  for (let k = 0; k < bodies.length; k++) {
    const b = 12 * bodies[k]
    const l = 12 * k
    const o = 16 * k
    for (let r = 0; r < 3; r++) {
      const x = X[b + 3 * r]
      const y = X[b + 3 * r + 1]
      const z = X[b + 3 * r + 2]
      out[o + r] = x * local[l] + y * local[l + 4] + z * local[l + 8]
      out[o + 4 + r] = x * local[l + 1] + y * local[l + 5] + z * local[l + 9]
      out[o + 8 + r] = x * local[l + 2] + y * local[l + 6] + z * local[l + 10]
      out[o + 12 + r] = x * local[l + 3] + y * local[l + 7] + z * local[l + 11] + X[b + 9 + r]
    }
    out[o + 15] = 1
  }
  mesh.instanceMatrix.needsUpdate = true
}
