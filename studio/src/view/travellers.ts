/**
 * Loads that travel over bodies, as small cars: one sees where the weight is.
 */
import type { Spec } from 'limber'
import * as THREE from 'three'
import type { BodyFrames } from './instances.js'
import { locate } from './lines.js'

export interface Travellers {
  readonly object: THREE.Group
  update(t: number, frames: BodyFrames): void
}

interface Leg {
  readonly body: number
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly length: number
}

/** Undefined where nothing travels. `size` is that of the whole mechanism. */
export function drawTravellers(spec: Spec, index: ReadonlyMap<string, number>, size: number): Travellers | undefined {
  const cars = (spec.loads ?? []).flatMap(({ moving }) => {
    if (!moving) return []
    const legs: Leg[] = moving.along.map(({ body, from, to }) => ({
      body: index.get(body) ?? 0,
      from,
      to,
      length: Math.hypot(...to.map((x, r) => x - from[r])),
    }))
    return [
      {
        start: moving.start ?? 0,
        duration: moving.duration,
        legs,
        total: legs.reduce((sum, { length }) => sum + length, 0),
        object: drawCar(0.05 * size),
      },
    ]
  })
  if (cars.length === 0) return undefined
  const object = new THREE.Group()
  object.add(...cars.map((car) => car.object))
  const back = new THREE.Vector3()
  const front = new THREE.Vector3()
  const z = new THREE.Vector3(0, 0, 1)
  const y = new THREE.Vector3()
  const basis = new THREE.Matrix4()
  return {
    object,
    update(t, frames) {
      for (const { start, duration, legs, total, object: car } of cars) {
        let left = ((t - start) / duration) * total
        car.visible = left >= 0 && left <= total
        if (!car.visible) continue
        const leg = legs.find(({ length }) => (left <= length ? true : ((left -= length), false))) ?? legs[legs.length - 1]
        const part = leg.length > 0 ? left / leg.length : 0
        locate(back, { body: leg.body, point: [leg.from[0], leg.from[1], leg.from[2]] }, frames)
        locate(front, { body: leg.body, point: [leg.to[0], leg.to[1], leg.to[2]] }, frames)
        car.position.lerpVectors(back, front, part)
        front.sub(back).normalize()
        y.crossVectors(z, front).normalize()
        car.quaternion.setFromRotationMatrix(basis.makeBasis(front, y, back.crossVectors(front, y)))
      }
    },
  }
}

/** A car that stands on its origin and looks along x. */
function drawCar(length: number): THREE.Group {
  const paint = new THREE.MeshLambertMaterial({ color: 0xd8432f })
  const dark = new THREE.MeshLambertMaterial({ color: 0x20242c })
  const part = (geometry: THREE.BufferGeometry, material: THREE.Material, x: number, y: number, z: number) => {
    const mesh = new THREE.Mesh(geometry, material)
    mesh.position.set(x * length, y * length, z * length)
    mesh.castShadow = true
    return mesh
  }
  const box = (x: number, y: number, z: number) => new THREE.BoxGeometry(x * length, y * length, z * length)
  const wheel = new THREE.CylinderGeometry(0.1 * length, 0.1 * length, 0.08 * length, 14)
  const car = new THREE.Group()
  car.add(part(box(1, 0.46, 0.2), paint, 0, 0, 0.26), part(box(0.5, 0.4, 0.18), dark, -0.06, 0, 0.45))
  for (const x of [-0.3, 0.3]) for (const y of [-0.22, 0.22]) car.add(part(wheel, dark, x, y, 0.16))
  return car
}
