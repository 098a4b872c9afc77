/**
 * A mechanism in the picture: instanced shapes, lines for springs and tendons, poses set from a frame.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import type { BodyPoint, SpringInfo } from '../worker/protocol.js'
import { type BodyFrames, createInstances, type Eye } from './instances.js'
import { drawLines, type Lines } from './lines.js'
import { listShapes, type Shape, standIns, typicalLength } from './shapes.js'

export interface Pick extends BodyPoint {
  readonly world: THREE.Vector3
}

export interface Mechanism {
  readonly root: THREE.Group
  /** where the bodies are, 12 numbers each: rotation row by row, position */
  readonly frames: BodyFrames
  readonly shapes: readonly Shape[]
  readonly lines: Lines | undefined
  /** `eye`: from where it will be looked at */
  setPoses(block: Float64Array, start: number, eye?: Eye): void
  /** the nearest body along the ray, and where it was hit */
  pick(ray: THREE.Raycaster): Pick | undefined
  paint(color: (body: number) => THREE.Color | undefined): void
  /** what is drawn, at the poses set last; the endless planes left out */
  bounds(): THREE.Box3
  dispose(): void
}

export interface DrawOptions {
  readonly ghost?: THREE.ColorRepresentation
  /** simple shapes and shading, for a slow renderer */
  readonly coarse: boolean
  /** draws bodies that have no shape as these, 15 numbers each: centre of mass, principal axes, edges */
  readonly boxes?: Float64Array
}

/** so many shapes are drawn without shadows */
const shadowsMost = 30_000

export function drawMechanism(spec: Spec, bodies: readonly string[], springs: readonly SpringInfo[], options: DrawOptions): Mechanism {
  const { ghost, coarse, boxes } = options
  const root = new THREE.Group()
  const index = new Map(bodies.map((name, i) => [name, i]))
  const known = listShapes(spec, index, coarse, boxes === undefined)
  const shapes = boxes ? [...known, ...standIns(known, boxes, bodies.length)] : known
  const instances = createInstances(shapes, { ...(ghost === undefined ? {} : { ghost }), shadows: shapes.length <= shadowsMost, coarse })
  const lines = drawLines(spec, springs, index, 0.025 * typicalLength(spec), options)
  root.add(...instances.meshes)
  if (lines) root.add(lines.object)
  const frames = new Float64Array(12 * bodies.length)
  setIdentities(frames)

  return {
    root,
    frames,
    shapes,
    lines,
    setPoses(block, start, eye) {
      writeFrames(frames, block, start)
      instances.update(frames, eye)
      lines?.update(frames)
    },
    pick(ray) {
      root.updateMatrixWorld(true)
      for (const mesh of instances.meshes) mesh.boundingSphere = null
      for (const { object, instanceId, point } of ray.intersectObjects([...instances.meshes], false)) {
        const body = instances.bodyOf(object, instanceId ?? -1)
        if (body < 0) continue
        const world = root.worldToLocal(point.clone())
        return { body, point: toBody(frames, body, world), world: point }
      }
      return undefined
    },
    paint: (color) => instances.paint(color),
    bounds() {
      const box = new THREE.Box3()
      const place = new THREE.Matrix4()
      const known = new Map<string, THREE.Box3>()
      for (const { key, matrix, body, castsShadow, geometry } of shapes) {
        if (!castsShadow) continue
        const part = known.get(key) ?? boundsOf(geometry())
        known.set(key, part)
        box.union(part.clone().applyMatrix4(place.multiplyMatrices(matrixOf(frames, body), matrix)))
      }
      for (let i = 1; i < bodies.length; i++) box.expandByPoint(new THREE.Vector3(...frames.subarray(12 * i + 9, 12 * i + 12)))
      return box.isEmpty() ? new THREE.Box3(new THREE.Vector3(-0.5, -0.5, -0.5), new THREE.Vector3(0.5, 0.5, 0.5)) : box
    },
    dispose() {
      root.traverse((object) => {
        if (!(object instanceof THREE.Mesh || object instanceof THREE.LineSegments)) return
        object.geometry.dispose()
        for (const material of [object.material].flat()) (material as THREE.Material).dispose()
        if (object instanceof THREE.InstancedMesh) object.dispose()
      })
    },
  }
}

function boundsOf(geometry: THREE.BufferGeometry): THREE.Box3 {
  geometry.computeBoundingBox()
  return geometry.boundingBox ?? new THREE.Box3()
}

export function matrixOf(X: BodyFrames, body: number): THREE.Matrix4 {
  const [a, b, c, d, e, f, g, h, i, x, y, z] = X.subarray(12 * body, 12 * body + 12)
  return new THREE.Matrix4().set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1)
}

function toBody(X: BodyFrames, body: number, world: THREE.Vector3): [number, number, number] {
  const { x, y, z } = world.clone().applyMatrix4(matrixOf(X, body).invert())
  return [x, y, z]
}

function setIdentities(X: BodyFrames): void {
  for (let o = 0; o < X.length; o += 12) X[o] = X[o + 4] = X[o + 8] = 1
}

/** Rotation matrices from the quaternions of a frame. */
function writeFrames(X: BodyFrames, block: Float64Array, start: number): void {
  for (let i = 0, s = start; 12 * i < X.length; i++, s += 7) {
    const o = 12 * i
    const w = block[s + 3]
    const x = block[s + 4]
    const y = block[s + 5]
    const z = block[s + 6]
    X[o] = 1 - 2 * (y * y + z * z)
    X[o + 1] = 2 * (x * y - w * z)
    X[o + 2] = 2 * (x * z + w * y)
    X[o + 3] = 2 * (x * y + w * z)
    X[o + 4] = 1 - 2 * (x * x + z * z)
    X[o + 5] = 2 * (y * z - w * x)
    X[o + 6] = 2 * (x * z - w * y)
    X[o + 7] = 2 * (y * z + w * x)
    X[o + 8] = 1 - 2 * (x * x + y * y)
    X[o + 9] = block[s]
    X[o + 10] = block[s + 1]
    X[o + 11] = block[s + 2]
  }
}
