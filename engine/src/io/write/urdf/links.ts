/**
 * Links in URDF: inertia, visuals and collisions, moved into the link frame; materials and mesh files.
 */
import { geomMassProperties, sumMassProperties } from '../../../build/geometry/mass-properties.js'
import type { PlacedGeomSpec as GeomSpec, MeshSpec, Quat, PlacedSpec as Spec, Vec3 } from '../../../build/spec.js'
import { heightfieldGeometry, sphereGeometry } from '../../gltf/geometry.js'
import { IDENTITY, mulPose, normalizeQuat, type Pose, subVec } from '../../pose.js'
import { createNames } from '../names.js'
import { fileName, writeObj } from '../obj.js'
import type { TreeBody } from '../spec-tree.js'
import type { IgnoredList, WrittenFile } from '../written.js'
import { element, type XmlNode } from '../xml-writer.js'
import { originElement } from './joints.js'
import type { Urdf } from './write-urdf.js'

export interface UrdfGeoms {
  readonly files: WrittenFile[]
  /** definitions of all colours used so far */
  materials(): XmlNode[]
  /** name of the material of a colour */
  material(color: readonly number[]): string
  /** shapes, each with its pose in the geom's frame; none when URDF has no such shape */
  shapes(geom: GeomSpec, path: string): readonly { readonly geometry: XmlNode; readonly pose: Pose }[]
}

/** A link; `offset` is where its frame stands in the body frame, `body` is missing for the world. */
export function urdfLink(
  out: Urdf,
  name: string,
  geoms: readonly GeomSpec[],
  body: TreeBody | undefined,
  offset: Vec3,
  path: string,
): XmlNode {
  const parts: XmlNode[] = []
  for (const [k, geom] of geoms.entries()) {
    const place: Pose = { position: subVec(geom.position ?? [0, 0, 0], offset), quaternion: normalizeQuat(geom.quaternion ?? [1, 0, 0, 0]) }
    if (geom.friction !== undefined) out.ignored.add(`${path}/geoms/${k}`, 'friction of a geom', 'URDF has no contact friction')
    for (const { geometry, pose } of out.geoms.shapes(geom, `${path}/geoms/${k}`)) {
      const children = [originElement(mulPose(place, pose)), element('geometry', {}, [geometry])]
      if (geom.visible !== false) {
        const look = geom.color ? [element('material', { name: out.geoms.material(geom.color) })] : []
        parts.push(element('visual', { name: geom.name }, [...children, ...look]))
      }
      if (geom.collide !== false) parts.push(element('collision', { name: geom.name }, children))
    }
  }
  const collides = parts.some(({ tag }) => tag === 'collision')
  return element('link', { name }, [...(body ? inertial(out, body, offset, collides) : []), ...parts])
}

/** Readers make up a mass for links that have shapes and state none: those without mass say so. */
function inertial(out: Urdf, body: TreeBody, offset: Vec3, collides: boolean): XmlNode[] {
  const { inertia, geoms = [] } = body.spec
  const meshes = new Map((out.spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))
  const {
    mass,
    com = [0, 0, 0],
    tensor = [0, 0, 0, 0, 0, 0],
  } = inertia ?? sumMassProperties(geoms.map((geom) => geomMassProperties(geom, meshes)))
  if (mass === 0 && tensor.every((x) => x === 0) && !collides) return []
  const [ixx, iyy, izz, ixy, ixz, iyz] = tensor
  return [
    element('inertial', {}, [
      originElement({ ...IDENTITY, position: subVec(com, offset) }),
      element('mass', { value: mass }),
      element('inertia', { ixx, iyy, izz, ixy, ixz, iyz }),
    ]),
  ]
}

export function createUrdfGeoms(spec: Spec, ignored: IgnoredList): UrdfGeoms {
  const files: WrittenFile[] = []
  const fileNames = createNames([])
  const paths = new Map<string, string>()
  const colors = new Map<string, { readonly name: string; readonly rgba: readonly number[] }>()
  const meshes = new Map((spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))

  /** path of the file of a mesh, written once */
  function meshFile(key: string, wish: string, mesh: () => Pick<MeshSpec, 'vertices' | 'faces'>): string {
    let path = paths.get(key)
    if (path === undefined) {
      path = `meshes/${fileNames.make(fileName(wish, ''))}.obj`
      paths.set(key, path)
      files.push({ path, text: writeObj(mesh()) })
    }
    return path
  }

  function shapes(geom: GeomSpec, path: string): { geometry: XmlNode; pose: Pose }[] {
    const one = (geometry: XmlNode, pose: Pose = IDENTITY) => [{ geometry, pose }]
    switch (geom.shape) {
      case 'sphere':
        return one(element('sphere', { radius: geom.radius }))
      case 'box':
        return one(element('box', { size: geom.size }))
      case 'cylinder':
        return one(element('cylinder', { radius: geom.radius, length: geom.length }))
      case 'capsule': {
        const { radius, length } = geom
        const ball = (z: number) => one(element('sphere', { radius }), at([0, 0, z]))
        if (length === 0) return ball(0)
        return [...one(element('cylinder', { radius, length })), ...ball(length / 2), ...ball(-length / 2)]
      }
      case 'ellipsoid': {
        const filename = meshFile('sphere', 'unit_sphere', unitSphere)
        return one(element('mesh', { filename, scale: geom.radii }))
      }
      case 'mesh': {
        const mesh = meshes.get(geom.mesh)
        if (mesh) return one(element('mesh', { filename: meshFile(`mesh ${geom.mesh}`, geom.mesh, () => mesh) }))
        ignored.add(path, `geom of mesh ${geom.mesh}`, 'there is no such mesh')
        return []
      }
      case 'heightfield': {
        const { size, rows, columns, heights } = geom
        const key = `heightfield ${JSON.stringify([size, rows, columns, heights])}`
        const surface = () => {
          const { positions, indices } = heightfieldGeometry(size, rows, columns, heights)
          return { vertices: positions, faces: indices }
        }
        return one(element('mesh', { filename: meshFile(key, geom.name ?? 'heightfield', surface) }))
      }
      case 'plane':
        ignored.add(path, 'plane', 'URDF has no planes')
        return []
    }
  }

  return {
    files,
    shapes,
    material(color) {
      const key = color.join(' ')
      const known = colors.get(key) ?? { name: `color_${colors.size + 1}`, rgba: color }
      colors.set(key, known)
      return known.name
    },
    materials: () => [...colors.values()].map(({ name, rgba }) => element('material', { name }, [element('color', { rgba })])),
  }
}

function at(position: Vec3): Pose {
  return { position, quaternion: [1, 0, 0, 0] as Quat }
}

/** The sphere that is drawn, its seam and poles joined so that it is closed. */
function unitSphere(): { vertices: number[]; faces: number[] } {
  const { positions, indices } = sphereGeometry()
  const numbers = new Map<string, number>()
  const vertices: number[] = []
  const faces = indices.map((i) => {
    const point = positions.slice(3 * i, 3 * i + 3)
    const key = point.map((x) => Math.round(x * 1e9)).join()
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = vertices.push(...point) / 3 - 1
    numbers.set(key, number)
    return number
  })
  return { vertices, faces }
}
