/**
 * Two specs as one: the second is attached to the first, with all that it has.
 */
import { fixedNeighbours } from '../../build/neighbours.js'
import { hintAt } from '../../build/problems.js'
import type { Ignored, MeshSpec, Quat, Spec, Vec3 } from '../../build/spec.js'
import { ModelError, type Problem } from '../../model/model-error.js'
import { IDENTITY, mulPose, normalizeQuat, type Pose } from '../pose.js'
import { mergeKeyframes } from './merged-keyframes.js'
import { moveSpec } from './moved-spec.js'

export interface MergeOptions {
  /**
   * Where the world of the second spec stands in the first: a body or a site by name, or a pose in a body (default: the world). Default: both worlds
   * are one
   */
  readonly at?: string | { readonly body?: string; readonly position?: Vec3; readonly quaternion?: Quat }
  /** before every name of the second spec: `left/`. Default none; names that both have are then refused */
  readonly prefix?: string
}

/**
 * Attaches spec b to spec a. Bodies, joints, shapes, sites, springs, tendons, loads, actuators, constraints, meshes, domains, sensors, pairs,
 * exclusions and keyframes of b all come along, after those of a. What b fixes to its world is fixed to that body, and directions that b gives in its
 * world turn with the pose; gravity does not. Settings (gravity, medium, contact, softFriction, solver) are those of a; where b asks for others, `ignored`
 * says so. The step is the smaller one. Keyframes of one name become one. Throws `ModelError` on names that both have, and RangeError where `at` is not there.
 */
export function mergeSpecs(a: Spec, b: Spec, { at = {}, prefix = '' }: MergeOptions = {}): Spec {
  const { body, pose } = placeOf(a, at)
  const place = { body, pose, prefix, tendons: a.tendons?.length ?? 0, actuators: a.actuators?.length ?? 0 }
  const { geoms, sites, bodies, meshes, domains, ...rest } = moveSpec(b, place)
  // meshes and domains with equal numbers may be shared
  const newMeshes = meshes.filter((mesh) => !a.meshes?.some((other) => isSame(other, mesh)))
  const newDomains = domains.filter((domain) => !a.domains?.some(({ name, data }) => name === domain.name && data === domain.data))
  const lists = { ...rest, meshes: newMeshes, domains: newDomains }
  checkNames(a, { ...lists, geoms, sites, bodies }, prefix)

  const merged: Record<string, unknown> = { ...a, bodies: [...a.bodies, ...bodies] }
  delete merged.places
  delete merged.keyframes
  if (geoms.length + sites.length > 0) {
    const extended = <T extends { readonly geoms?: readonly object[]; readonly sites?: readonly object[] }>(owner: T): T => ({
      ...owner,
      ...(geoms.length > 0 ? { geoms: [...(owner.geoms ?? []), ...geoms] } : {}),
      ...(sites.length > 0 ? { sites: [...(owner.sites ?? []), ...sites] } : {}),
    })
    if (body === 'world') merged.world = extended(a.world ?? {})
    else merged.bodies = [...a.bodies.map((own) => (own.name === body ? extended(own) : own)), ...bodies]
  }
  for (const [key, list] of Object.entries(lists)) {
    if (list.length > 0) merged[key] = [...((a[key as keyof Spec] as readonly unknown[] | undefined) ?? []), ...list]
  }
  if (a.touchFixedParents || b.touchFixedParents) {
    merged.touchFixedParents = true
    // those of the other spec stay apart
    const apart = a.touchFixedParents ? (b.touchFixedParents ? [] : [...fixedNeighbours(bodies)]) : [...fixedNeighbours(a.bodies)]
    if (apart.length > 0) merged.exclude = [...((merged.exclude as Spec['exclude']) ?? []), ...apart]
  }
  const steps = [a.timestep, b.timestep].filter((h) => h !== undefined)
  if (steps.length > 0) merged.timestep = Math.min(...steps)
  const ignored = [...(a.ignored ?? []), ...(b.ignored ?? []), ...otherSettings(a, b)]
  if (ignored.length > 0) merged.ignored = ignored
  const whole = merged as unknown as Spec
  const keyframes = mergeKeyframes(a, b, whole, prefix, pose)
  return keyframes.length > 0 ? { ...whole, keyframes } : whole
}

/** A body, a site or a pose of spec a. */
function placeOf(a: Spec, at: NonNullable<MergeOptions['at']>): { readonly body: string; readonly pose: Pose } {
  const owners = [{ name: 'world', sites: a.world?.sites }, ...a.bodies]
  const known = owners.map(({ name }) => name)
  if (typeof at !== 'string') {
    const { body = 'world', position = IDENTITY.position, quaternion = IDENTITY.quaternion } = at
    if (!known.includes(body))
      throw new RangeError(`at: expected the name of a body of the first spec, got '${body}'${hintAt(body, known)}`)
    return { body, pose: { position, quaternion: normalizeQuat(quaternion) } }
  }
  if (known.includes(at)) return { body: at, pose: IDENTITY }
  for (const { name, sites } of owners) {
    const site = sites?.find((candidate) => candidate.name === at)
    if (site)
      return { body: name, pose: mulPose(IDENTITY, { position: site.position ?? [0, 0, 0], quaternion: site.quaternion ?? [1, 0, 0, 0] }) }
  }
  const names = [...known, ...owners.flatMap(({ sites = [] }) => sites.map(({ name }) => name))]
  throw new RangeError(`at: expected the name of a body or a site of the first spec, got '${at}'${hintAt(at, names)}`)
}

type Named = { readonly name?: string }
type Owner = { readonly geoms?: readonly Named[]; readonly sites?: readonly Named[]; readonly joints?: readonly Named[] }

/** Throws on names that both have, each kind by itself; `b` is moved and renamed already. */
function checkNames(a: Spec, b: Readonly<Record<string, readonly object[]>>, prefix: string): void {
  const inBodies = (list: readonly object[], key: keyof Owner): readonly Named[] => list.flatMap((owner) => (owner as Owner)[key] ?? [])
  const problems: Problem[] = []
  const check = (kind: string, first: readonly Named[], second: readonly object[]): void => {
    const known = new Set(first.flatMap(({ name }) => name ?? []))
    for (const { name } of second as readonly Named[]) {
      if (name === undefined || !known.has(name)) continue
      const remedy = prefix === '' ? `give mergeSpecs a prefix, { prefix: 'b/' }` : `give mergeSpecs another prefix than '${prefix}'`
      problems.push({ path: kind, message: `both specs have '${name}'; ${remedy}` })
    }
  }
  check('bodies', [{ name: 'world' }, ...a.bodies], b.bodies)
  for (const key of ['joints', 'geoms', 'sites'] as const) {
    const ofWorld = key === 'joints' ? [] : (a.world?.[key] ?? [])
    check(key, [...ofWorld, ...inBodies(a.bodies, key)], [...(b[key] ?? []), ...inBodies(b.bodies, key)])
  }
  for (const key of ['springs', 'tendons', 'loads', 'actuators', 'constraints', 'meshes', 'domains', 'sensors'] as const) {
    check(key, a[key] ?? [], b[key] ?? [])
  }
  if (problems.length > 0) throw new ModelError(problems)
}

function isSame(a: MeshSpec, b: MeshSpec): boolean {
  const same = (x: readonly number[], y: readonly number[]): boolean =>
    x === y || (x.length === y.length && x.every((value, k) => value === y[k]))
  return a.name === b.name && same(a.vertices, b.vertices) && same(a.faces, b.faces)
}

const SETTINGS = ['gravity', 'medium', 'contact', 'softFriction', 'solver'] as const
const GRAVITY: Vec3 = [0, 0, -9.81]

/** What b asks for in another way than a. */
function otherSettings(a: Spec, b: Spec): Ignored[] {
  return SETTINGS.flatMap((key) => {
    const [ours, theirs] = key === 'gravity' ? [a.gravity ?? GRAVITY, b.gravity ?? GRAVITY] : [a[key], b[key]]
    if (JSON.stringify(ours) === JSON.stringify(theirs)) return []
    if (theirs === undefined && key !== 'medium' && key !== 'contact') return []
    const why = key === 'solver' ? 'a suggestion; that of the first spec counts' : 'affects motion: the first spec counts for both'
    return [{ path: key, what: `${key} of '${b.name ?? 'the second spec'}'`, why }]
  })
}
