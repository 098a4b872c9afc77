/**
 * Links behind fixed joints become part of the link that carries them: shapes, inertia and children move over, and a site of the
 * link's name keeps its frame.
 */
import { MASSLESS, moveMassProperties, sumMassProperties } from '../../build/geometry/mass-properties.js'
import type { PlacedBodySpec as BodySpec, PlacedGeomSpec as GeomSpec, InertiaSpec, SiteSpec } from '../../build/spec.js'
import { mulPose, type Pose } from '../pose.js'

interface Merged {
  readonly keep: string
  /** of the link in the body that it becomes part of */
  readonly pose: Pose
}

/** Bodies in order, parents before children; those without joints and with a parent other than the world go. */
export function mergeFixed(bodies: readonly BodySpec[]): { bodies: BodySpec[]; into: ReadonlyMap<string, string> } {
  const merged = new Map<string, Merged>()
  const kept = new Map<string, { body: BodySpec; geoms: GeomSpec[]; sites: SiteSpec[]; parts: InertiaSpec[] }>()
  for (const body of bodies) {
    const own: Pose = { position: body.position ?? [0, 0, 0], quaternion: body.quaternion ?? [1, 0, 0, 0] }
    const parent = merged.get(body.parent ?? 'world')
    const pose = parent ? mulPose(parent.pose, own) : own
    const host = parent?.keep ?? body.parent ?? 'world'
    const into = kept.get(host)
    if ((body.joints?.length ?? 0) > 0 || !into) {
      const moved: BodySpec = { ...body, parent: host, position: pose.position, quaternion: pose.quaternion }
      kept.set(body.name, { body: moved, geoms: [...(body.geoms ?? [])], sites: [], parts: body.inertia ? [body.inertia] : [] })
      continue
    }
    merged.set(body.name, { keep: host, pose })
    into.sites.push({ name: body.name, position: pose.position, quaternion: pose.quaternion })
    for (const geom of body.geoms ?? []) {
      const at = mulPose(pose, { position: geom.position ?? [0, 0, 0], quaternion: geom.quaternion ?? [1, 0, 0, 0] })
      into.geoms.push({ ...geom, position: at.position, quaternion: at.quaternion })
    }
    if (body.inertia) into.parts.push(moveMassProperties({ ...MASSLESS, ...body.inertia }, pose.position, pose.quaternion))
  }
  const out: BodySpec[] = []
  for (const { body, geoms, sites, parts } of kept.values()) {
    const inertia = parts.length > 1 ? sumMassProperties(parts.map((part) => ({ ...MASSLESS, ...part }))) : parts[0]
    out.push({ ...body, ...(inertia ? { inertia } : {}), ...(geoms.length > 0 ? { geoms } : {}), ...(sites.length > 0 ? { sites } : {}) })
  }
  return { bodies: out, into: new Map([...merged].map(([name, { keep }]) => [name, keep])) }
}
