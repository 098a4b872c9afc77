/**
 * The kinematic tree as read: bodies with their joints, geoms and sites, and who is called what.
 */

import type { Pose } from '../../pose.js'
import { addProblem, type XmlElement } from '../../xml.js'
import type { Assets } from '../elements/assets.js'
import type { MjcfGeom } from '../elements/geoms.js'
import type { MjcfJoint } from '../elements/joints.js'
import type { Scope, Shared } from '../syntax/context.js'
import type { Weight } from './inertia.js'

export interface MjcfBody {
  name: string
  readonly named: boolean
  readonly element: XmlElement
  readonly scope: Scope
  readonly parent: MjcfBody | undefined
  readonly children: MjcfBody[]
  /** in the parent */
  pose: Pose
  readonly joints: MjcfJoint[]
  geoms: MjcfGeom[]
  sites: MjcfSite[]
  /** from an `inertial` element */
  inertial: Weight | undefined
  weight: Weight
  gravcomp: number
  mocap: boolean
}

export interface MjcfSite {
  readonly name: string
  readonly element: XmlElement
  pose: Pose
  readonly body: MjcfBody
  /** what it looks like, which touch sensors ask for */
  readonly shape: string
  readonly size: readonly number[]
}

export type NamedKind = 'body' | 'joint' | 'geom' | 'site' | 'tendon' | 'actuator' | 'equality' | 'frame' | 'key'

export interface Tree {
  readonly shared: Shared
  readonly assets: Assets
  readonly world: MjcfBody
  /** depth first, without the world */
  readonly bodies: MjcfBody[]
  readonly names: Record<NamedKind, Map<string, unknown>>
  /** names inside `replicate` before the suffix, and the suffixes they got */
  readonly replicas: Record<NamedKind, Map<string, string[]>>
  /** of all replicas, named or not */
  readonly suffixes: Set<string>
  /** models being attached: a model that attaches itself would never end */
  readonly attaching: Set<string>
  /** names that something left out would have: of what `composite` and `flexcomp` make, and of all that stands on it */
  readonly lost: { readonly names: Set<string>; readonly composites: Set<string>; readonly flexcomps: Set<string> }
  /** files of attached models, by path; undefined where one could not be read */
  readonly models: Map<string, XmlElement | undefined>
  /** names that end in the suffix of a replica, without it, by kind: made when something first asks */
  readonly lookalikes: Map<NamedKind, Set<string>>
  /** `attach` calls this, so that a model file is read once by who knows how */
  readonly attached: AttachedModel[]
  /** the same, by the `attach` that asked for them and the prefix of their names */
  readonly attachedBy: Map<XmlElement, Map<string, AttachedModel>>
}

export interface AttachedModel {
  readonly root: XmlElement
  readonly scope: Scope
}

function record<T>(make: () => T): Record<NamedKind, T> {
  return {
    body: make(),
    joint: make(),
    geom: make(),
    site: make(),
    tendon: make(),
    actuator: make(),
    equality: make(),
    frame: make(),
    key: make(),
  }
}

export function createTree(shared: Shared, assets: Assets, world: MjcfBody): Tree {
  const names = record(() => new Map<string, unknown>())
  names.body.set('world', world)
  return {
    shared,
    assets,
    world,
    bodies: [],
    names,
    replicas: record(() => new Map<string, string[]>()),
    suffixes: new Set(),
    attaching: new Set(),
    lost: { names: new Set(), composites: new Set(), flexcomps: new Set() },
    models: new Map(),
    lookalikes: new Map(),
    attached: [],
    attachedBy: new Map(),
  }
}

/** Enters a name; a second one of the kind is a problem. */
export function register(tree: Tree, scope: Scope, kind: NamedKind, e: XmlElement, name: string | undefined, value: unknown): void {
  if (name === undefined) return
  const names = tree.names[kind]
  if (names.has(name)) {
    addProblem(tree.shared.reader, e, `${kind} name '${name}' is taken: names must differ`, 'name')
    return
  }
  names.set(name, value)
  if (scope.suffix !== '') {
    const plain = name.slice(0, name.length - scope.suffix.length)
    const suffixes = tree.replicas[kind].get(plain)
    if (suffixes) suffixes.push(scope.suffix)
    else tree.replicas[kind].set(plain, [scope.suffix])
  }
}

/** A name with a number that no one has yet. */
export function freshName(taken: ReadonlyMap<string, unknown>, stem: string, number: number): string {
  let name = `${stem}${number}`
  while (taken.has(name)) name += '_'
  return name
}
