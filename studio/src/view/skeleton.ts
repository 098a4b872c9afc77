/**
 * Lines from each body to its parent, for mechanisms so long that their bodies are thinner than a pixel: a line never is.
 */
import * as THREE from 'three'
import type { BodyInfo } from '../worker/protocol.js'
import type { BodyFrames } from './instances.js'
import type { Shape } from './shapes.js'

/** thickness over size below which bodies cannot be seen */
const leastShare = 0.002

export interface Skeleton {
  readonly object: THREE.LineSegments
  update(frames: BodyFrames): void
}

/** Undefined where bodies can be seen as they are. `size` is that of the whole mechanism. */
export function drawSkeleton(bodies: readonly BodyInfo[], shapes: readonly Shape[], size: number): Skeleton | undefined {
  const thickness = shapes.filter(({ body }) => body > 0).map(thicknessOf)
  const typical = thickness.sort((a, b) => a - b)[thickness.length >> 1] ?? 0
  if (typical > leastShare * size) return undefined
  const ends = bodies.flatMap(({ parent }, body) => (body > 0 && parent > 0 ? [parent, body] : []))
  const colors = new Map(shapes.map(({ body, color }) => [body, color]))
  const geometry = new THREE.BufferGeometry()
  const position = new THREE.BufferAttribute(new Float32Array(3 * ends.length), 3)
  const paint = ends.flatMap((_, k) => (colors.get(ends[k | 1]) ?? new THREE.Color(0xf2a93c)).toArray())
  geometry.setAttribute('position', position)
  geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(paint), 3))
  const object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }))
  object.frustumCulled = false
  return {
    object,
    update(X) {
      ends.forEach((body, k) => position.setXYZ(k, X[12 * body + 9], X[12 * body + 10], X[12 * body + 11]))
      position.needsUpdate = true
    },
  }
}

function thicknessOf({ matrix }: Shape): number {
  const { x, y, z } = new THREE.Vector3().setFromMatrixScale(matrix)
  return 2 * Math.min(x, y, z)
}
