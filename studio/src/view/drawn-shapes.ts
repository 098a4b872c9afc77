/**
 * The shapes of a mechanism as plain numbers, for the page that plays offline.
 */
import * as THREE from 'three'
import type { Mechanism } from './mechanism.js'
import type { DrawnShapes, ViewScene } from './view-protocol.js'

/** so many shapes have few facets */
const manyShapes = 2000

export function drawnShapes(mechanism: Mechanism, { springs }: ViewScene, camera: readonly number[]): DrawnShapes {
  const numbers = new Map<string, number>()
  const forms: DrawnShapes['forms'][number][] = []
  const many = mechanism.shapes.length > manyShapes
  const parts = mechanism.shapes.map(({ key, geometry, roughGeometry, matrix, color, alpha, body }) => {
    let form = numbers.get(key)
    if (form === undefined) {
      form = forms.length
      numbers.set(key, form)
      forms.push(formOf((many && roughGeometry?.()) || geometry()))
    }
    const { r, g, b } = color.clone().convertLinearToSRGB()
    return { body, form, matrix: matrix.toArray().map(round), color: [r, g, b, alpha].map(round) }
  })
  return {
    forms,
    parts,
    lines: springs.map(({ a, b }) => [a.body, ...a.point, b.body, ...b.point]),
    camera,
    reach: round(mechanism.bounds().getSize(new THREE.Vector3()).length()),
  }
}

function formOf(geometry: THREE.BufferGeometry): DrawnShapes['forms'][number] {
  const position = geometry.getAttribute('position')
  return {
    position: Float32Array.from(position.array),
    normal: Float32Array.from(geometry.getAttribute('normal').array),
    triangles: geometry.index ? Uint32Array.from(geometry.index.array) : Uint32Array.from({ length: position.count }, (_, i) => i),
  }
}

function round(x: number): number {
  return Number(x.toPrecision(6))
}
