/**
 * What the parts of the MJCF writer share: the tree, names in use, sites asked for, elements that land in other sections.
 */
import type { PointSpec, Quat, ShapeSpec, PlacedSpec as Spec, Vec3 } from '../../../build/spec.js'
import { createNames, type Names } from '../names.js'
import { createSpecTree, type SpecTree, type TreeJoint } from '../spec-tree.js'
import { createIgnored, type IgnoredList, type WrittenFile } from '../written.js'
import type { XmlNode } from '../xml-writer.js'

export interface MjcfOptions {
  /** meshes inside the document, or as .obj files beside it. Default inline */
  readonly meshes?: 'inline' | 'obj'
}

export interface ExtraSite {
  readonly name: string
  readonly position: Vec3
  readonly quaternion?: Quat
}

export interface Mjcf {
  readonly spec: Spec
  readonly options: MjcfOptions
  readonly tree: SpecTree
  readonly ignored: IgnoredList
  readonly files: WrittenFile[]
  readonly jointNames: Names
  readonly siteNames: Names
  readonly tendonNames: Names
  readonly heightfields: XmlNode[]
  readonly extraTendons: XmlNode[]
  readonly extraEquality: XmlNode[]
  /** sites made for points of springs, tendons and constraints: by body */
  readonly extraSites: Map<string, ExtraSite[]>
  /** shapes of sites that sensors of touch ask for */
  readonly zones: Map<string, ShapeSpec>
  /** meshes that MuJoCo takes, and whether it can make a convex hull of them */
  readonly meshes: Map<string, { readonly solid: boolean }>
  /** names of the MJCF joints of a joint, one a part */
  readonly partNames: Map<TreeJoint, readonly string[]>
}

export function createMjcf(spec: Spec, options: MjcfOptions): Mjcf {
  const tree = createSpecTree(spec)
  const bodies = spec.bodies
  const out: Mjcf = {
    spec,
    options,
    tree,
    ignored: createIgnored(spec),
    files: [],
    jointNames: createNames(bodies.flatMap((body) => (body.joints ?? []).map((joint) => joint.name))),
    siteNames: createNames([...bodies.flatMap((body) => body.sites ?? []), ...(spec.world?.sites ?? [])].map((site) => site.name)),
    tendonNames: createNames((spec.tendons ?? []).map((tendon) => tendon.name)),
    heightfields: [],
    extraTendons: [],
    extraEquality: [],
    extraSites: new Map(),
    zones: new Map(),
    meshes: new Map(),
    partNames: new Map(),
  }
  for (const body of tree.bodies)
    for (const joint of body.joints) out.partNames.set(joint, namesOfParts(out, joint, body.parent !== undefined))
  return out
}

/** The joint's own name for a single part (and the turn of a helical one), numbered names for several. Unnamed ones get '' . */
function namesOfParts(out: Mjcf, joint: TreeJoint, below: boolean): string[] {
  const { spec, parts } = joint
  const { name } = spec
  if (parts.some(({ pitch }) => pitch !== undefined)) {
    const turn = name ?? out.jointNames.make('helical')
    return [turn, out.jointNames.make(`${turn}_slide`)]
  }
  const count = parts[0]?.kind === 'free' && below ? 4 : parts.length
  if (count === 1 || name === undefined) return Array.from({ length: count }, () => name ?? '')
  return Array.from({ length: count }, (_, k) => out.jointNames.make(`${name}_${k + 1}`))
}

/**
 * Name of a site at this point: one of the body's own when it stands there, else a new one; never `except`, for MuJoCo refuses a tendon
 * that names one site twice in a row.
 */
export function siteAt(out: Mjcf, point: PointSpec, except?: string): string {
  const position = point.point ?? [0, 0, 0]
  const world = point.body === 'world'
  const own = (world ? out.spec.world?.sites : out.tree.byName.get(point.body)?.spec.sites) ?? []
  const match = own.find((site) => site.name !== except && same(site.position ?? [0, 0, 0], position))
  if (match) return match.name
  let extra = out.extraSites.get(point.body)
  if (!extra) {
    extra = []
    out.extraSites.set(point.body, extra)
  }
  const made = extra.find((site) => site.name !== except && site.quaternion === undefined && same(site.position, position))
  if (made) return made.name
  const name = out.siteNames.make(`${point.body}_point`)
  extra.push({ name, position })
  return name
}

/** Whether the spec has this body; if not the builder will say so, and the writer leaves the part out. */
export function knows(out: Mjcf, point: PointSpec): boolean {
  return point.body === 'world' || out.tree.byName.has(point.body)
}

function same(a: Vec3, b: Vec3): boolean {
  return a[0] === b[0] && a[1] === b[1] && a[2] === b[2]
}
