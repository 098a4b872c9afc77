/**
 * Geoms of a Spec as shapes to draw: a geometry that equal geoms share, and where it stands in its body.
 */
import { type BodySpec, type GeomSpec, isEmbedded, type MeshSpec, type PlacedGeomSpec, placeGeom, type Spec } from 'limber'
import * as THREE from 'three'
import { isGround } from './floor.js'

export interface Shape {
  readonly body: number
  /** equal for shapes that share a geometry */
  readonly key: string
  geometry(): THREE.BufferGeometry
  /** with as few facets as will do for a few pixels; absent: as it is */
  roughGeometry?(): THREE.BufferGeometry
  /** in the body frame, with the size */
  readonly matrix: THREE.Matrix4
  readonly color: THREE.Color
  readonly alpha: number
  readonly doubleSided: boolean
  readonly castsShadow: boolean
}

interface Form {
  readonly key: string
  readonly scale: readonly [number, number, number]
  make(): THREE.BufferGeometry
  rough?(): THREE.BufferGeometry
}

const roughFacets = 5
const plain = [0.72, 0.74, 0.78, 1] as const

/** Of a body whose file gives it no colour: neighbours in number are far apart in hue, all of them pale. */
export function linkColor(body: number): THREE.Color {
  return new THREE.Color().setHSL((0.58 + body * 0.618) % 1, 0.42, 0.66, THREE.SRGBColorSpace)
}

/** All that is visible, `coarse` for a slow renderer; a mechanism without geoms gets a dot at each body, so that it can be seen, unless `dots` is false. */
export function listShapes(spec: Spec, index: ReadonlyMap<string, number>, coarse = false, dots = true): Shape[] {
  const meshes = new Map((spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))
  const count = spec.bodies.reduce((sum, body) => sum + (body.geoms?.length ?? 0), 0)
  // fewer facets where there are many shapes, and fewer still where a processor draws them
  const fine = count > 120 ? 14 : 24
  const detail = coarse ? Math.round((count > 120 ? 0.6 : 0.8) * fine) : fine
  const shapes: Shape[] = []
  const add = (body: number, given: GeomSpec) => {
    const geom = placeGeom(given)
    const form = geom.visible === false ? undefined : formOf(geom, meshes, detail)
    if (form) shapes.push(shapeOf(body, geom, form))
  }
  for (const geom of spec.world?.geoms ?? []) if (!isGround(geom)) add(0, geom)
  for (const body of spec.bodies) {
    // what deforms with its body is drawn with it
    for (const geom of body.geoms ?? []) if (!isEmbedded(body, geom)) add(index.get(body.name) ?? 0, geom)
  }
  if (count === 0 && dots && !spec.bodies.some(({ domain }) => domain)) {
    const radius = 0.1 * typicalLength(spec)
    for (const body of spec.bodies) add(index.get(body.name) ?? 0, { shape: 'sphere', radius, color: [0.95, 0.66, 0.24, 1] })
  } else if (dots) {
    // some bodies have no shape: a joint that can be seen and taken
    const drawn = new Set(shapes.map(({ body }) => body))
    const radius = 0.05 * typicalLength(spec)
    for (const body of spec.bodies) {
      const i = index.get(body.name) ?? 0
      if (!drawn.has(i) && hasBone(body)) add(i, { shape: 'sphere', radius })
    }
  }
  return shapes
}

function shapeOf(body: number, geom: PlacedGeomSpec, form: Form): Shape {
  const [x, y, z] = geom.position ?? [0, 0, 0]
  const [w, a, b, c] = geom.quaternion ?? [1, 0, 0, 0]
  const turn = new THREE.Quaternion(a, b, c, w).normalize()
  const [r, g, blue, alpha] = geom.color ?? plain
  return {
    body,
    key: form.key,
    geometry: form.make,
    ...(form.rough ? { roughGeometry: form.rough } : {}),
    matrix: new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), turn, new THREE.Vector3(...form.scale)),
    color: geom.color || body === 0 ? new THREE.Color().setRGB(r, g, blue, THREE.SRGBColorSpace) : linkColor(body),
    alpha,
    doubleSided: geom.shape === 'mesh' || geom.shape === 'plane',
    castsShadow: geom.shape !== 'plane',
  }
}

function formOf(geom: PlacedGeomSpec, meshes: ReadonlyMap<string, MeshSpec>, detail: number): Form | undefined {
  switch (geom.shape) {
    case 'sphere':
      return ball(geom.radius, geom.radius, geom.radius, detail)
    case 'ellipsoid':
      return ball(...geom.radii, detail)
    case 'capsule': {
      const ratio = geom.length / geom.radius
      const { radius: r } = geom
      const make = () => new THREE.CapsuleGeometry(1, ratio, Math.max(2, detail >> 2), detail).rotateX(Math.PI / 2)
      // open at the ends, and as long as looks the same
      const rough = () => new THREE.CylinderGeometry(0.88, 0.88, ratio + 1.3, roughFacets, 1, true).rotateX(Math.PI / 2)
      return { key: `capsule ${ratio.toPrecision(9)}`, scale: [r, r, r], make, rough }
    }
    case 'cylinder': {
      const { radius: r, length } = geom
      return {
        key: 'cylinder',
        scale: [r, r, length],
        make: () => new THREE.CylinderGeometry(1, 1, 1, detail).rotateX(Math.PI / 2),
        rough: () => new THREE.CylinderGeometry(1, 1, 1, roughFacets).rotateX(Math.PI / 2),
      }
    }
    case 'box':
      return { key: 'box', scale: [...geom.size], make: () => new THREE.BoxGeometry(1, 1, 1) }
    case 'plane':
      return { key: 'plane', scale: [geom.size?.[0] || 20, geom.size?.[1] || 20, 1], make: () => new THREE.PlaneGeometry(1, 1) }
    case 'mesh': {
      const mesh = meshes.get(geom.mesh)
      return mesh && { key: `mesh ${geom.mesh}`, scale: [1, 1, 1], make: () => meshGeometry(mesh) }
    }
    case 'heightfield':
      return { key: `field ${geom.name ?? ''} ${geom.size.join()}`, scale: [1, 1, 1], make: () => fieldGeometry(geom) }
  }
}

function ball(x: number, y: number, z: number, detail: number): Form {
  return {
    key: 'ball',
    scale: [x, y, z],
    make: () => new THREE.SphereGeometry(1, detail, Math.max(4, Math.round((2 * detail) / 3))),
    rough: () => new THREE.SphereGeometry(1.06, roughFacets, 3),
  }
}

function meshGeometry(mesh: MeshSpec): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry()
  indexed.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(mesh.vertices), 3))
  indexed.setIndex([...mesh.faces])
  // flat faces: machine parts have sharp edges
  const geometry = indexed.toNonIndexed()
  geometry.computeVertexNormals()
  return geometry
}

function fieldGeometry(geom: Extract<GeomSpec, { shape: 'heightfield' }>): THREE.BufferGeometry {
  const { rows, columns, heights, size } = geom
  const geometry = new THREE.PlaneGeometry(size[0], size[1], columns - 1, rows - 1)
  const position = geometry.getAttribute('position')
  for (let r = 0; r < rows; r++) {
    // PlaneGeometry starts at the far row
    for (let c = 0; c < columns; c++) position.setZ(r * columns + c, heights[(rows - 1 - r) * columns + c] ?? 0)
  }
  geometry.computeVertexNormals()
  return geometry
}

/** Boxes of the same inertia, half seen through, for bodies that have no shape, are not among `others`, and have mass enough to have such a box. */
export function standIns(shapes: readonly Shape[], boxes: Float64Array, count: number, others: Iterable<number> = []): Shape[] {
  const drawn = new Set([...shapes.map(({ body }) => body), ...others])
  return Array.from({ length: count }, (_, body) => body).flatMap((body) => {
    const [x, y, z, a, b, c, d, e, f, g, h, i, ...edges] = boxes.subarray(15 * body, 15 * body + 15)
    const most = Math.max(...edges)
    if (body === 0 || drawn.has(body) || !(most > 0)) return []
    const [p, q, r] = edges.map((edge) => Math.max(edge, 0.02 * most))
    const matrix = new THREE.Matrix4().set(a * p, b * q, c * r, x, d * p, e * q, f * r, y, g * p, h * q, i * r, z, 0, 0, 0, 1)
    const geometry = () => new THREE.BoxGeometry(1, 1, 1)
    const color = linkColor(body)
    return [{ body, key: 'box', geometry, matrix, color, alpha: 0.6, doubleSided: false, castsShadow: true }]
  })
}

/** Whether a body without shapes is a link of its own: it has weight and hangs on its parent at some distance. */
export function hasBone({ position = [0, 0, 0], inertia, domain }: BodySpec): boolean {
  return inertia !== undefined && domain === undefined && Math.hypot(...position) > 1e-6
}

/** Mean distance between a body and its parent. */
export function typicalLength(spec: Spec): number {
  const lengths = spec.bodies.map(({ position = [0, 0, 0] }) => Math.hypot(...position)).filter((length) => length > 0)
  return lengths.length > 0 ? lengths.reduce((sum, length) => sum + length, 0) / lengths.length : 0.3
}
