/**
 * A mechanism in the picture: instanced shapes, lines for springs and tendons, poses set from a frame.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import type { BodyPoint, SpringInfo } from '../worker/protocol.js'
import { bonesOf } from './bones.js'
import { type BodyFrames, createInstances, type Eye } from './instances.js'
import { drawLines, type Lines } from './lines.js'
import { listShapes, type Shape, standIns, typicalLength } from './shapes.js'
import type { DrawSoftBodies, SoftBodies } from './soft/soft-bodies.js'

export interface Pick extends BodyPoint {
  readonly world: THREE.Vector3
}

export interface Mechanism {
  readonly root: THREE.Group
  /** where the bodies are, 12 numbers each: rotation row by row, position */
  readonly frames: BodyFrames
  readonly shapes: readonly Shape[]
  readonly lines: Lines | undefined
  /** bodies that deform */
  readonly soft: SoftBodies | undefined
  /** the point where it is now in its body, for those that move with modes */
  settle(point: BodyPoint): BodyPoint
  /** `modes` is where their coordinates begin; `eye`: from where it will be looked at */
  setPoses(block: Float64Array, start: number, modes: number, eye?: Eye): void
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
  /** the first mode of each body in a frame, −1 for those that do not deform */
  readonly modeStart: readonly number[]
  /** what draws them; absent where there are none */
  readonly drawSoft?: DrawSoftBodies
}

/** so many shapes are drawn without shadows */
const shadowsMost = 30_000

export function drawMechanism(spec: Spec, bodies: readonly string[], springs: readonly SpringInfo[], options: DrawOptions): Mechanism {
  const { ghost, coarse, boxes } = options
  const root = new THREE.Group()
  const index = new Map(bodies.map((name, i) => [name, i]))
  const known = listShapes(spec, index, coarse, boxes === undefined)
  const domains = new Set(spec.bodies.flatMap(({ name, domain }) => (domain ? [index.get(name) ?? 0] : [])))
  const shapes = boxes ? [...known, ...standIns(known, boxes, bodies.length, domains)] : known
  const look = { ...(ghost === undefined ? {} : { ghost }), shadows: shapes.length + domains.size <= shadowsMost, coarse }
  const instances = createInstances(shapes, look)
  const soft = domains.size > 0 ? options.drawSoft?.(spec, index, options.modeStart, look) : undefined
  const lines = drawLines(spec, [...springs], bonesOf(spec, index, shapes), index, 0.025 * typicalLength(spec), options)
  // one by one: three.js complains of a call with none, as for a model without shapes
  for (const mesh of [...instances.meshes, ...(soft?.meshes ?? [])]) root.add(mesh)
  if (lines) root.add(lines.object)
  const frames = new Float64Array(12 * bodies.length)
  setIdentities(frames)

  return {
    root,
    frames,
    shapes,
    lines,
    soft,
    settle: (point) => soft?.settle(point) ?? point,
    setPoses(block, start, modes, eye) {
      writeFrames(frames, block, start)
      instances.update(frames, eye)
      soft?.update(frames, block, modes)
      lines?.update(frames)
    },
    pick(ray) {
      root.updateMatrixWorld(true)
      for (const mesh of instances.meshes) mesh.boundingSphere = null
      const deformed = soft?.pick(ray)
      for (const { object, instanceId, point, distance } of ray.intersectObjects([...instances.meshes], false)) {
        const body = instances.bodyOf(object, instanceId ?? -1)
        if (body < 0) continue
        if (deformed && deformed.distance < distance) break
        const world = root.worldToLocal(point.clone())
        return { body, point: toBody(frames, body, world), world: point }
      }
      return deformed
    },
    paint(color) {
      instances.paint(color)
      soft?.paint(color)
    },
    bounds() {
      const box = new THREE.Box3()
      const still = new THREE.Box3()
      const place = new THREE.Matrix4()
      const known = new Map<string, THREE.Box3>()
      for (const { key, matrix, body, castsShadow, geometry } of shapes) {
        if (!castsShadow) continue
        const part = known.get(key) ?? boundsOf(geometry())
        known.set(key, part)
        const into = body === 0 ? still : box
        into.union(part.clone().applyMatrix4(place.multiplyMatrices(matrixOf(frames, body), matrix)))
      }
      soft?.expand(box)
      for (let i = 1; i < bodies.length; i++) box.expandByPoint(new THREE.Vector3(...frames.subarray(12 * i + 9, 12 * i + 12)))
      // what stands in the world counts unless it is a floor or a hall beside which the mechanism is small
      const across = (one: THREE.Box3) => one.getSize(new THREE.Vector3()).length()
      if (!still.isEmpty() && (box.isEmpty() || across(still.clone().union(box)) < 3 * Math.max(across(box), 1e-6))) box.union(still)
      return box.isEmpty() ? new THREE.Box3(new THREE.Vector3(-0.5, -0.5, -0.5), new THREE.Vector3(0.5, 0.5, 0.5)) : box
    },
    dispose() {
      soft?.dispose()
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

/** metres; squares of more are no numbers for a graphics card */
const farthest = 1e15

/** Rotation matrices from the quaternions of a frame. */
function writeFrames(X: BodyFrames, block: Float64Array, start: number): void {
  for (let i = 0, s = start; 12 * i < X.length; i++, s += 7) {
    const o = 12 * i
    // what has flown beyond all numbers stays where it was seen last
    if (!(Math.abs(block[s]) + Math.abs(block[s + 1]) + Math.abs(block[s + 2]) < farthest)) continue
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
