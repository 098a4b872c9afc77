/**
 * Which geoms of a domain are skins. By itself, for those who draw no skins.
 */
import type { BodySpec, GeomSpec } from '../../build/spec.js'

/** Whether a geom deforms with its body: a mesh without mass on a domain, in the frame and size of the mesh of the domain. */
export function isEmbedded({ domain }: BodySpec, geom: GeomSpec): boolean {
  return domain !== undefined && geom.shape === 'mesh' && geom.mass === undefined && geom.density === undefined
}
