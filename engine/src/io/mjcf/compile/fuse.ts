/**
 * `compiler fusestatic`. MuJoCo makes a body without joints part of the body that carries it, unless the file refers to it by name (or
 * measures the force on one of its sites). Here every body stays with its name, but its mass goes over: what becomes part of the ground
 * does not count, the rest has the drag and the gravity compensation of the body that it became part of.
 */

import { IDENTITY, mulPose, mulQuat, type Pose, transformPoint } from '../../pose.js'
import type { XmlElement } from '../../xml.js'
import type { Scope } from '../syntax/context.js'
import { sumWeights, WEIGHTLESS, type Weight } from './inertia.js'
import type { AttachedModel, MjcfBody, MjcfSite, NamedKind, Tree } from './tree.js'

/** attributes that name bodies; `objname` and `refname` do where the type beside them says so */
const NAMING = ['body', 'body1', 'body2', 'target', 'subtree1', 'subtree2', 'node'] as const
const TYPED = [
  ['objname', 'objtype'],
  ['refname', 'reftype'],
] as const

/** Writes weights and compensation of bodies. To be called when the whole tree is read. */
export function fuseStatic(tree: Tree, models: readonly Pick<AttachedModel, 'root' | 'scope'>[]): void {
  const referred: Referred = { named: new Set(), measured: new Set() }
  for (const { root, scope } of models) collectReferred(tree, scope, root, referred)
  const { named, measured } = referred
  // MuJoCo stops as soon as the number of a body that is named, as it was at first, exceeds that of the bodies that are left
  const last = tree.bodies.reduce((most, body, k) => (named.has(body) ? k + 1 : most), 0)
  let left = tree.bodies.length + 1

  // one after another, in the order of the file: axes of equal moments depend on it
  const hosts = new Map<MjcfBody, { host: MjcfBody; pose: Pose }>([[tree.world, { host: tree.world, pose: IDENTITY }]])
  for (const body of tree.bodies) {
    const above = hosts.get(body.parent as MjcfBody)
    const stays = body.joints.length > 0 || body.mocap || named.has(body) || measured.has(body) || last >= left
    if (stays || !above) {
      hosts.set(body, { host: body, pose: IDENTITY })
      continue
    }
    left--
    const { host } = above
    const pose = mulPose(above.pose, body.pose)
    hosts.set(body, { host, pose })
    if (host !== tree.world) host.weight = sumWeights([host.weight, movedWeight(pose, body.weight)]) ?? host.weight
    body.weight = WEIGHTLESS
    body.gravcomp = 0
  }
}

function movedWeight(pose: Pose, weight: Weight): Weight {
  return { ...weight, com: transformPoint(pose, weight.com), quaternion: mulQuat(pose.quaternion, weight.quaternion) }
}

interface Referred {
  readonly named: Set<MjcfBody>
  /** carry a site at which a force is measured */
  readonly measured: Set<MjcfBody>
}

function collectReferred(tree: Tree, scope: Scope, element: XmlElement, into: Referred): void {
  // a class is no reference, and what is attached is named in its own file
  if (element.name === 'default' || element.name === 'attach') return
  const { attributes } = element
  const keep = (text: string | undefined): void => {
    for (const name of text?.split(/\s+/) ?? []) for (const body of called<MjcfBody>(tree, scope, 'body', name)) into.named.add(body)
  }
  for (const attribute of NAMING) keep(attributes[attribute])
  for (const [name, type] of TYPED) if (attributes[type] === 'body' || attributes[type] === 'xbody') keep(attributes[name])
  if ((element.name === 'force' || element.name === 'torque') && attributes['site'])
    for (const site of called<MjcfSite>(tree, scope, 'site', attributes['site'])) into.measured.add(site.body)
  for (const child of element.children) collectReferred(tree, scope, child, into)
}

/** What is called so, in every replica. */
function called<T>(tree: Tree, scope: Scope, kind: NamedKind, name: string): T[] {
  const full = scope.prefix + name
  const suffixes = ['', ...(tree.replicas[kind].get(full) ?? [])]
  return suffixes.flatMap((suffix) => (tree.names[kind].has(full + suffix) ? [tree.names[kind].get(full + suffix) as T] : []))
}
