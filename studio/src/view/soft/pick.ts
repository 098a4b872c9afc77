/**
 * What a ray hits of a deformed skin: spheres that hold each instance first, then its triangles where they are now.
 */
import * as THREE from 'three'
import type { Batch } from './batch.js'

export interface SoftHit {
  readonly place: number
  readonly distance: number
  readonly world: THREE.Vector3
  /** in the body frame */
  readonly point: readonly [number, number, number]
  /** vertices of the domain that the point moves with */
  readonly mesh: { readonly vertices: number[]; readonly weights: number[] }
}

export function pickBatch(batch: Batch, ray: THREE.Ray): SoftHit | undefined {
  const { skin, places, wearers, coordinates } = batch
  const { modes, triangles } = skin
  const rest = new THREE.Sphere().setFromPoints(pointsOf(skin.positions))
  const reach = reachOf(batch)
  const [matrix, back] = [new THREE.Matrix4(), new THREE.Matrix4()]
  const local = new THREE.Ray()
  const [a, b, c, hit] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()]
  let best: SoftHit | undefined
  for (let place = 0; place < places; place++) {
    let radius = rest.radius
    for (let l = 0; l < modes; l++) radius += Math.abs(coordinates[modes * place + l]) * reach[l]
    local.copy(ray).applyMatrix4(back.copy(batch.matrixAt(matrix, place)).invert())
    local.direction.normalize()
    if (local.distanceSqToPoint(rest.center) > radius * radius) continue
    const moved = Array.from({ length: skin.positions.length / 3 }, (_, v) => batch.vertexAt(new THREE.Vector3(), place, v))
    for (let f = 0; f < triangles.length; f += 3) {
      const [i, j, k] = [triangles[f], triangles[f + 1], triangles[f + 2]]
      if (!local.intersectTriangle(a.copy(moved[i]), b.copy(moved[j]), c.copy(moved[k]), false, hit)) continue
      const world = hit.clone().applyMatrix4(matrix)
      const distance = world.distanceTo(ray.origin)
      if (best && best.distance <= distance) continue
      const share = THREE.Triangle.getBarycoord(hit, a, b, c, new THREE.Vector3()) ?? new THREE.Vector3(1, 0, 0)
      const { x, y, z } = hit.clone().multiplyScalar(wearers[place].scale)
      best = { place, distance, world, point: [x, y, z], mesh: meshPoint(batch, [i, j, k], share.toArray()) }
    }
  }
  return best
}

/** Vertices of the domain, each once, for a point between vertices of the skin. */
function meshPoint({ skin: { width, sources, weights } }: Batch, corners: readonly number[], share: readonly number[]): SoftHit['mesh'] {
  const sum = new Map<number, number>()
  corners.forEach((v, k) => {
    for (let c = width * v; c < width * (v + 1); c++) sum.set(sources[c], (sum.get(sources[c]) ?? 0) + share[k] * weights[c])
  })
  const parts = [...sum].filter(([, weight]) => weight !== 0)
  return { vertices: parts.map(([v]) => v), weights: parts.map(([, weight]) => weight) }
}

/** How far each mode moves any vertex for a coordinate of 1. */
function reachOf({ skin: { modes, shapes, positions } }: Batch): number[] {
  const size = positions.length
  return Array.from({ length: modes }, (_, l) => {
    let most = 0
    for (let o = l * size; o < (l + 1) * size; o += 3) most = Math.max(most, Math.hypot(shapes[o], shapes[o + 1], shapes[o + 2]))
    return most
  })
}

export function pointsOf(numbers: ArrayLike<number>): THREE.Vector3[] {
  return Array.from({ length: numbers.length / 3 }, (_, v) => new THREE.Vector3(numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2]))
}
