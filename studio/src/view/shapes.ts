/**
 * Geoms of a Spec as three.js meshes.
 */
import type { GeomSpec, MeshSpec, Spec } from 'limber'
import * as THREE from 'three'

const plain = [0.72, 0.74, 0.78, 1] as const

export interface ShapeSource {
  readonly meshes: ReadonlyMap<string, MeshSpec>
  /** meshes are used many times */
  readonly made: Map<string, THREE.BufferGeometry>
}

export function shapeSource(spec: Spec): ShapeSource {
  return { meshes: new Map((spec.meshes ?? []).map((mesh) => [mesh.name, mesh])), made: new Map() }
}

/** The mesh of a geom in its body's frame; undefined for what is not drawn. */
export function drawGeom(geom: GeomSpec, source: ShapeSource): THREE.Mesh | undefined {
  if (geom.visible === false) return undefined
  const geometry = drawShape(geom, source)
  if (!geometry) return undefined
  const [r, g, b, alpha] = geom.color ?? plain
  const material = new THREE.MeshStandardMaterial({
    roughness: 0.55,
    metalness: 0.05,
    side: geom.shape === 'mesh' ? THREE.DoubleSide : THREE.FrontSide,
  })
  material.color.setRGB(r, g, b, THREE.SRGBColorSpace)
  if (alpha < 1) {
    material.transparent = true
    material.opacity = Math.max(alpha, 0.05)
  }
  const mesh = new THREE.Mesh(geometry, material)
  if (geom.position) mesh.position.set(...geom.position)
  if (geom.quaternion) {
    const [w, x, y, z] = geom.quaternion
    mesh.quaternion.set(x, y, z, w).normalize()
  }
  mesh.castShadow = alpha >= 0.5 && geom.shape !== 'plane'
  mesh.receiveShadow = true
  return mesh
}

function drawShape(geom: GeomSpec, source: ShapeSource): THREE.BufferGeometry | undefined {
  switch (geom.shape) {
    case 'sphere':
      return new THREE.SphereGeometry(geom.radius, 32, 20)
    case 'capsule':
      return new THREE.CapsuleGeometry(geom.radius, geom.length, 10, 24).rotateX(Math.PI / 2)
    case 'cylinder':
      return new THREE.CylinderGeometry(geom.radius, geom.radius, geom.length, 32).rotateX(Math.PI / 2)
    case 'box':
      return new THREE.BoxGeometry(...geom.size)
    case 'ellipsoid':
      return new THREE.SphereGeometry(1, 32, 20).scale(...geom.radii)
    case 'plane':
      return new THREE.PlaneGeometry(geom.size?.[0] || 20, geom.size?.[1] || 20)
    case 'mesh':
      return drawMesh(geom.mesh, source)
    case 'heightfield':
      return drawHeights(geom)
  }
}

function drawMesh(name: string, { meshes, made }: ShapeSource): THREE.BufferGeometry | undefined {
  const known = made.get(name)
  const mesh = meshes.get(name)
  if (known || !mesh) return known
  const indexed = new THREE.BufferGeometry()
  indexed.setAttribute('position', new THREE.BufferAttribute(Float32Array.from(mesh.vertices), 3))
  indexed.setIndex([...mesh.faces])
  // flat faces: machine parts have sharp edges
  const geometry = indexed.toNonIndexed()
  geometry.computeVertexNormals()
  made.set(name, geometry)
  return geometry
}

function drawHeights(geom: Extract<GeomSpec, { shape: 'heightfield' }>): THREE.BufferGeometry {
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
