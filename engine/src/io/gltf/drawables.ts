/**
 * What to draw of a mechanism: every visible geom, and sticks for bodies that have none, so that any model shows something.
 */

import type { PlacedGeomSpec as GeomSpec, Quat, PlacedSpec as Spec, Vec3 } from '../../build/spec.js'
import { hypot, norm } from '../../math/own.js'
import { rotateVec, subVec, zAxisQuat } from '../pose.js'
import { isEmbedded } from '../skin/is-embedded.js'
import { createSkins } from '../skin/skins-of.js'
import type { SpecTree, TreeBody } from '../write/spec-tree.js'
import {
  boxGeometry,
  capsuleGeometry,
  cylinderGeometry,
  type Geometry,
  heightfieldGeometry,
  planeGeometry,
  sphereGeometry,
} from './geometry.js'
import { meshGeometry } from './mesh-normals.js'
import { skinGeometry } from './skin-geometry.js'

export type Color = readonly [number, number, number, number]

export interface Drawable {
  readonly name: string
  /** equal keys, equal geometry */
  readonly key: string
  readonly geometry: () => Geometry
  readonly position: Vec3
  readonly quaternion: Quat
  readonly scale: Vec3
  /** sRGB; undefined: the palette's */
  readonly color: Color | undefined
  /** open surfaces are seen from both sides */
  readonly open: boolean
  /** deforms with the modes of its body */
  readonly deforms?: boolean
}

const ORIGIN: Vec3 = [0, 0, 0]
const UPRIGHT: Quat = [1, 0, 0, 0]

/** sticks are this share of the mechanism's extent thick */
const STICK = 0.015

/** What is drawn on a body (its name), or on the world. */
export function drawablesOf(spec: Spec, tree: SpecTree): ReadonlyMap<string, readonly Drawable[]> {
  const extent = extentOf(tree)
  const meshes = new Map((spec.meshes ?? []).map((mesh) => [mesh.name, mesh]))
  const draw = (geoms: readonly GeomSpec[], owner: string) =>
    visible(geoms).flatMap((geom, k) => {
      const shape = shapeOf(geom, meshes, extent)
      if (!shape) return []
      const { position = ORIGIN, quaternion = UPRIGHT, color } = geom
      return [{ name: geom.name ?? `${owner} geom ${k + 1}`, position, quaternion, color, open: false, scale: [1, 1, 1] as Vec3, ...shape }]
    })

  const result = new Map<string, readonly Drawable[]>([['world', draw(spec.world?.geoms ?? [], 'world')]])
  const skins = createSkins(spec)
  for (const { spec: body } of tree.bodies) {
    const rigid = (body.geoms ?? []).filter((geom) => !isEmbedded(body, geom))
    const scale = body.domain?.scale ?? 1
    const soft = skins(body).map(({ name, key, skin, color }): Drawable => {
      const place = { position: ORIGIN, quaternion: UPRIGHT, scale: [scale, scale, scale] as Vec3 }
      return { name, key: `skin ${key}`, geometry: () => skinGeometry(skin()), ...place, color, open: false, deforms: true }
    })
    result.set(body.name, [...soft, ...draw(rigid, body.name)])
  }
  const bare = [...result.values()].every((list) => list.length === 0)
  for (const body of tree.bodies) {
    if (result.get(body.spec.name)?.length) continue
    // frames fixed to something that is drawn need no stick
    const frame = body.joints.length === 0 && !body.spec.inertia
    if (bare || !frame) result.set(body.spec.name, sticks(body, STICK * extent))
  }
  return result
}

/** Geoms to look at; where there are only others, those. */
function visible(geoms: readonly GeomSpec[]): readonly GeomSpec[] {
  const seen = geoms.filter((geom) => geom.visible !== false)
  return seen.length > 0 ? seen : geoms
}

type Shape = Pick<Drawable, 'key' | 'geometry'> & Partial<Pick<Drawable, 'scale' | 'open'>>

function shapeOf(
  geom: GeomSpec,
  meshes: ReadonlyMap<string, { vertices: readonly number[]; faces: readonly number[] }>,
  extent: number,
): Shape | undefined {
  switch (geom.shape) {
    case 'sphere':
      return { key: 'sphere', geometry: sphereGeometry, scale: [geom.radius, geom.radius, geom.radius] }
    case 'ellipsoid':
      return { key: 'sphere', geometry: sphereGeometry, scale: geom.radii }
    case 'capsule':
      return capsule(geom.radius, geom.length)
    case 'cylinder':
      return { key: 'cylinder', geometry: cylinderGeometry, scale: [geom.radius, geom.radius, geom.length] }
    case 'box':
      return { key: 'box', geometry: boxGeometry, scale: geom.size }
    case 'plane': {
      const [x, y] = geom.size ?? [4 * extent, 4 * extent]
      return { key: 'plane', geometry: planeGeometry, scale: [x, y, 1], open: true }
    }
    case 'mesh': {
      const mesh = meshes.get(geom.mesh)
      if (!mesh) return undefined
      return { key: `mesh ${geom.mesh}`, geometry: () => meshGeometry(mesh.vertices, mesh.faces), open: true }
    }
    case 'heightfield': {
      const { size, rows, columns, heights } = geom
      const key = `heightfield ${JSON.stringify([size, rows, columns, heights])}`
      return { key, geometry: () => heightfieldGeometry(size, rows, columns, heights), open: true }
    }
  }
}

function capsule(radius: number, length: number): Shape {
  const ratio = length / radius
  return { key: `capsule ${ratio}`, geometry: () => capsuleGeometry(ratio), scale: [radius, radius, radius] }
}

/** From the joint to the joints of the children and to the centre of mass; a ball where there is nowhere to go. */
function sticks(body: TreeBody, radius: number): Drawable[] {
  const { name, inertia, joints } = body.spec
  const start = joints?.[0]?.anchor ?? ORIGIN
  const ends = body.children.map(({ pose, spec }) => {
    const anchor = rotateVec(pose.quaternion, spec.joints?.[0]?.anchor ?? ORIGIN)
    return pose.position.map((x, k) => x + anchor[k]) as unknown as Vec3
  })
  if (ends.length === 0 && inertia?.com) ends.push(inertia.com)
  const drawables: Drawable[] = []
  for (const end of ends) {
    const along = subVec(end, start)
    const length = norm(along)
    if (length < 2 * radius) continue
    const middle = start.map((x, k) => x + along[k] / 2) as unknown as Vec3
    const shape = { scale: [1, 1, 1] as Vec3, ...capsule(radius, length) }
    drawables.push({ name: `${name} stick`, ...shape, position: middle, quaternion: zAxisQuat(along), color: undefined, open: false })
  }
  const ball = 2 * radius
  const tip = drawables.length > 0 && body.children.length === 0 ? (inertia?.com ?? start) : start
  const marker = { key: 'sphere', geometry: sphereGeometry, scale: [ball, ball, ball] as Vec3 }
  drawables.push({ name: `${name} marker`, ...marker, position: tip, quaternion: UPRIGHT, color: undefined, open: false })
  return drawables
}

/** Largest distance of a body or its centre of mass from their middle; one metre when all coincide. */
function extentOf(tree: SpecTree): number {
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const high = low.map((x) => -x)
  for (const { referencePose, spec } of tree.bodies) {
    const com = rotateVec(referencePose.quaternion, spec.inertia?.com ?? ORIGIN)
    for (let k = 0; k < 3; k++) {
      const x = referencePose.position[k]
      low[k] = Math.min(low[k], x, x + com[k])
      high[k] = Math.max(high[k], x, x + com[k])
    }
  }
  const diagonal = hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2])
  return diagonal > 1e-6 && Number.isFinite(diagonal) ? diagonal : 1
}
