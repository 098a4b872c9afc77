/**
 * What is seen of a body that is a domain: the meshes embedded in it, or else its own surface.
 */
import type { BodySpec, GeomSpec, Spec } from '../../build/spec.js'
import type { Reduced } from '../../deformable/reduced.js'
import { transformPoint } from '../pose.js'
import { isEmbedded } from './is-embedded.js'
import { meshSkin, type Skin, surfaceSkin } from './skin.js'

export interface BodySkin {
  readonly name: string
  /** equal keys, equal skins */
  readonly key: string
  readonly skin: () => Skin
  /** sRGB and opacity, 0 to 1 */
  readonly color: readonly [number, number, number, number] | undefined
}

export type SkinsOf = (body: BodySpec) => readonly BodySkin[]

/** For the bodies of one Spec; none for those that are no domain. */
export function createSkins({ domains = [], meshes = [] }: Spec): SkinsOf {
  const data = new Map(domains.map((domain) => [domain.name, domain.data]))
  const shapes = new Map(meshes.map((mesh) => [mesh.name, mesh]))
  const made = new Map<string, Skin>()
  const once = (key: string, make: () => Skin) => (): Skin => {
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known
  }
  const embedded = (name: string, domain: Reduced, geom: GeomSpec, color: BodySkin['color']): BodySkin[] => {
    const mesh = geom.shape === 'mesh' && geom.visible !== false ? shapes.get(geom.mesh) : undefined
    if (!mesh) return []
    const { position = [0, 0, 0], quaternion = [1, 0, 0, 0] } = geom
    const key = JSON.stringify([name, mesh.name, position, quaternion])
    const make = () => meshSkin(domain, placed(mesh.vertices, { position, quaternion }), mesh.faces)
    return [{ name: geom.name ?? mesh.name, key, skin: once(key, make), color: geom.color ?? color }]
  }
  return (body) => {
    const use = body.domain
    const domain = use && data.get(use.name)
    if (!use || !domain) return []
    const finer = (body.geoms ?? []).filter((geom) => isEmbedded(body, geom)).flatMap((geom) => embedded(use.name, domain, geom, use.color))
    if (finer.length > 0) return finer
    const key = JSON.stringify([use.name])
    return [{ name: `${body.name} surface`, key, skin: once(key, () => surfaceSkin(domain)), color: use.color }]
  }
}

function placed(vertices: readonly number[], pose: Parameters<typeof transformPoint>[0]): number[] {
  const out: number[] = []
  for (let k = 0; k < vertices.length; k += 3) out.push(...transformPoint(pose, [vertices[k], vertices[k + 1], vertices[k + 2]]))
  return out
}
