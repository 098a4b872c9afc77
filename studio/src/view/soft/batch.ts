/**
 * All bodies that wear one skin, as one instanced draw call: their poses as matrices, their modes as a texture.
 */
import type { Skin } from 'limber'
import * as THREE from 'three'
import type { BodyFrames, Look } from '../instances.js'
import type { Fixes, Joined } from './joins.js'
import { createTable, deformText, type SkinLayout, shapeTable, type Table } from './tables.js'

/** A body with this skin. */
export interface Wearer {
  readonly body: number
  readonly scale: number
  /** its first mode in a frame, −1 for one that has none */
  readonly start: number
  readonly color: THREE.Color
}

export interface Batch extends Joined {
  readonly wearers: readonly Wearer[]
  /** in the size of the mesh: q/s of each instance, `modes` numbers each */
  readonly coordinates: Float32Array
  /** reads poses and the modes that begin at `start` */
  place(frames: BodyFrames, block: Float64Array, start: number): void
  /** made once the joins are known */
  mesh(look: Look, smooth: boolean, alpha: number, fixes: Fixes | undefined): THREE.InstancedMesh
  paint(color: (body: number) => THREE.Color | undefined): void
  /** sends what `place` and the joins have written */
  send(): void
  dispose(): void
}

export function createBatch(skin: Skin, wearers: readonly Wearer[]): Batch {
  const { modes, positions: X, shapes: U } = skin
  const size = X.length
  const places = wearers.length
  const coordinates = new Float32Array(modes * places)
  const modeTable = createTable(places * Math.ceil(modes / 4))
  const matrices = new THREE.InstancedBufferAttribute(new Float32Array(16 * places), 16)
  const textures: THREE.DataTexture[] = []
  const changing: THREE.DataTexture[] = []
  const materials: THREE.Material[] = []
  let made: THREE.InstancedMesh | undefined
  matrices.setUsage(THREE.DynamicDrawUsage)

  const texture = (table: Table, changes: boolean) => {
    const made = new THREE.DataTexture(table.data, table.width, table.height, THREE.RGBAFormat, THREE.FloatType)
    made.needsUpdate = true
    textures.push(made)
    if (changes) changing.push(made)
    return made
  }

  const batch: Batch = {
    skin,
    places,
    wearers,
    coordinates,
    vertexAt(out, place, v) {
      let [x, y, z] = [X[3 * v], X[3 * v + 1], X[3 * v + 2]]
      for (let l = 0; l < modes; l++) {
        const q = coordinates[modes * place + l]
        const o = l * size + 3 * v
        x += q * U[o]
        y += q * U[o + 1]
        z += q * U[o + 2]
      }
      return out.set(x, y, z)
    },
    matrixAt: (out, place) => out.fromArray(matrices.array, 16 * place),
    place(frames, block, first) {
      wearers.forEach(({ body, scale, start }, k) => {
        writeMatrix(matrices.array, 16 * k, frames, 12 * body, scale)
        for (let l = 0; l < modes; l++) {
          const q = start < 0 ? 0 : block[first + start + l] / scale
          coordinates[modes * k + l] = q
          modeTable.data[4 * k * Math.ceil(modes / 4) + l] = q
        }
      })
    },
    mesh({ ghost, shadows, coarse }, smooth, alpha, fixes) {
      const layout: SkinLayout = { modes, smooth, slots: fixes?.count ?? 0 }
      const [shapes, modeValues] = [texture(shapeTable(skin, layout), false), texture(modeTable, true)]
      const fixValues = texture(fixes?.table ?? createTable(1), fixes !== undefined)
      const uniforms = {
        ...{ softShapes: { value: shapes }, softModes: { value: modeValues }, softFixes: { value: fixValues } },
        softShapesWidth: { value: shapes.image.width },
        softModesWidth: { value: modeValues.image.width },
        softFixesWidth: { value: fixValues.image.width },
      }
      const geometry = new THREE.BufferGeometry()
      geometry.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(X), 3))
      geometry.setAttribute('normal', new THREE.BufferAttribute(Float32Array.from(skin.normals), 3))
      geometry.setAttribute('softTangent', new THREE.BufferAttribute(Float32Array.from(skin.tangents[0]), 3))
      geometry.setAttribute('softBitangent', new THREE.BufferAttribute(Float32Array.from(skin.tangents[1]), 3))
      geometry.setAttribute('softSlot', new THREE.BufferAttribute(fixes?.slots ?? new Float32Array(size / 3).fill(-1), 1))
      geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(skin.triangles), 1))
      const look = { flatShading: !smooth }
      const material = coarse
        ? new THREE.MeshLambertMaterial(look)
        : new THREE.MeshStandardMaterial({ ...look, roughness: 0.6, metalness: 0.02 })
      const opacity = ghost === undefined ? alpha : Math.min(alpha, 0.4)
      if (opacity < 1) Object.assign(material, { transparent: true, opacity: Math.max(opacity, 0.05), depthWrite: ghost === undefined })
      const depth = new THREE.MeshDepthMaterial()
      for (const one of [material, depth]) deformIn(one, layout, uniforms)
      materials.push(material, depth)
      made = new THREE.InstancedMesh(geometry, material, places)
      made.instanceMatrix = matrices
      made.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * places), 3)
      made.customDepthMaterial = depth
      made.frustumCulled = false
      made.castShadow = shadows && opacity >= 0.5
      made.receiveShadow = shadows
      return made
    },
    paint(color) {
      const colors = made?.instanceColor
      if (!colors) return
      wearers.forEach(({ body, color: own }, k) => (color(body) ?? own).toArray(colors.array, 3 * k))
      colors.needsUpdate = true
    },
    send() {
      matrices.needsUpdate = true
      for (const one of changing) one.needsUpdate = true
    },
    dispose() {
      for (const one of textures) one.dispose()
      for (const one of materials) one.dispose()
    },
  }
  return batch
}

/** Puts the deformation into the vertex shader of a material. */
function deformIn(material: THREE.Material, layout: SkinLayout, uniforms: Readonly<Record<string, { value: unknown }>>): void {
  const { modes, smooth, slots } = layout
  material.customProgramCacheKey = () => `soft ${modes} ${smooth} ${slots}`
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms)
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${deformText(layout)}`)
      .replace('#include <uv_vertex>', '#include <uv_vertex>\n  softDeform();')
      .replace('#include <beginnormal_vertex>', smooth ? 'vec3 objectNormal = softNormal;' : '#include <beginnormal_vertex>')
      .replace('#include <begin_vertex>', 'vec3 transformed = position + softShift;')
  }
}

/** Column by column, the rotation times s. */
function writeMatrix(out: ArrayLike<number> & { [k: number]: number }, o: number, X: BodyFrames, x: number, s: number): void {
  for (let c = 0; c < 3; c++) {
    for (let r = 0; r < 3; r++) out[o + 4 * c + r] = s * X[x + 3 * r + c]
    out[o + 4 * c + 3] = 0
    out[o + 12 + c] = X[x + 9 + c]
  }
  out[o + 15] = 1
}
