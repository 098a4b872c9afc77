/**
 * Springs, the straight pieces of tendons, and bones: thin rods between points of bodies, plain or coloured by the force they carry.
 */
import type { PointSpec, Spec } from 'limber'
import * as THREE from 'three'
import type { BodyPoint, SpringInfo } from '../worker/protocol.js'
import type { BodyFrames } from './instances.js'
import type { DrawOptions } from './mechanism.js'

interface Piece {
  readonly a: BodyPoint
  readonly b: BodyPoint
  readonly spring?: SpringInfo
  readonly color?: THREE.Color
}

/** From a body to its parent. */
export interface Bone {
  readonly a: BodyPoint
  readonly b: BodyPoint
  readonly color: THREE.Color
}

export interface Lines {
  readonly object: THREE.InstancedMesh
  colorByForce: boolean
  update(frames: BodyFrames): void
  /** largest force of the last update, N */
  readonly largest: number
}

const plain = new THREE.Color(0x4fa39c)
const pulled = new THREE.Color(0xd8432f)
const pushed = new THREE.Color(0x2f6fd8)
const slack = new THREE.Color(0xb9c0cb)

/** Undefined when there is nothing to draw. `index` gives the number of a body by its name. */
export function drawLines(
  spec: Spec,
  springs: readonly SpringInfo[],
  bones: readonly Bone[],
  index: ReadonlyMap<string, number>,
  thickness: number,
  { ghost, coarse }: DrawOptions,
): Lines | undefined {
  const pieces: readonly Piece[] = [
    ...springs.map((spring): Piece => ({ a: spring.a, b: spring.b, spring })),
    ...tendonPieces(spec, index),
    ...bones,
  ]
  if (pieces.length === 0) return undefined
  const geometry = new THREE.CylinderGeometry(thickness, thickness, 1, coarse || pieces.length > 500 ? 5 : 10).rotateX(Math.PI / 2)
  const material = coarse ? new THREE.MeshLambertMaterial() : new THREE.MeshStandardMaterial({ roughness: 0.7 })
  if (ghost !== undefined) Object.assign(material, { transparent: true, opacity: 0.35, depthWrite: false })
  const object = new THREE.InstancedMesh(geometry, material, pieces.length)
  object.castShadow = ghost === undefined
  object.frustumCulled = false
  const basic = ghost === undefined ? plain : new THREE.Color(ghost)
  const own = ({ color: given }: Piece) => (ghost === undefined ? (given ?? basic) : basic)
  pieces.forEach((piece, i) => object.setColorAt(i, own(piece)))

  const from = new THREE.Vector3()
  const to = new THREE.Vector3()
  const direction = new THREE.Vector3()
  const turn = new THREE.Quaternion()
  const scale = new THREE.Vector3(1, 1, 1)
  const matrix = new THREE.Matrix4()
  const along = new THREE.Vector3(0, 0, 1)
  const color = new THREE.Color()
  const forces = new Float64Array(pieces.length)
  let painted = false
  let largest = 0

  const paint = () => {
    pieces.forEach((_, i) => {
      const part = largest > 0 ? forces[i] / largest : 0
      object.setColorAt(i, color.lerpColors(slack, part < 0 ? pushed : pulled, Math.min(1, Math.abs(part))))
    })
    if (object.instanceColor) object.instanceColor.needsUpdate = true
  }

  const lines: Lines = {
    object,
    colorByForce: false,
    get largest() {
      return largest
    },
    update(frames) {
      let most = 0
      pieces.forEach(({ a, b, spring }, i) => {
        locate(from, a, frames)
        locate(to, b, frames)
        direction.subVectors(to, from)
        scale.z = Math.max(direction.length(), 1e-9)
        forces[i] = spring ? spring.stiffness * (scale.z - spring.rest) : 0
        most = Math.max(most, Math.abs(forces[i]))
        turn.setFromUnitVectors(along, direction.divideScalar(scale.z))
        object.setMatrixAt(i, matrix.compose(from.add(to).multiplyScalar(0.5), turn, scale))
      })
      object.instanceMatrix.needsUpdate = true
      // the scale follows slowly, so that colours do not flicker
      largest = Math.max(most, 0.98 * largest)
      if (lines.colorByForce) paint()
      else if (painted) {
        pieces.forEach((piece, i) => object.setColorAt(i, own(piece)))
        if (object.instanceColor) object.instanceColor.needsUpdate = true
      }
      painted = lines.colorByForce
    },
  }
  return lines
}

/** A point of a body in the world. */
export function locate(out: THREE.Vector3, { body, point: [x, y, z] }: BodyPoint, X: BodyFrames): THREE.Vector3 {
  const o = 12 * body
  const row = (r: number) => X[o + 3 * r] * x + X[o + 3 * r + 1] * y + X[o + 3 * r + 2] * z + X[o + 9 + r]
  return out.set(row(0), row(1), row(2))
}

function tendonPieces(spec: Spec, index: ReadonlyMap<string, number>): Piece[] {
  const end = ({ body, point = [0, 0, 0] }: PointSpec): BodyPoint => ({ body: index.get(body) ?? 0, point })
  const pieces: Piece[] = []
  for (const { path = [] } of spec.tendons ?? []) {
    for (const [k, to] of path.entries()) {
      const from = path[k - 1]
      if (from && 'body' in from && 'body' in to) pieces.push({ a: end(from), b: end(to) })
    }
  }
  return pieces
}
