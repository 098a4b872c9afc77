/**
 * `contact`: pairs of bodies that never touch, and pairs of geoms that do, whatever their types and affinities say.
 *
 * A Spec knows categories and masks, but no list of pairs. A bit that no geom uses says the same: it goes to the category of one geom
 * and to the masks of all its partners, so that it joins those and no others. Robots that name their pairs do so with few geoms (feet,
 * a floor, a torso), and as many bits are enough.
 */
import { addProblem, hasAttribute, readString, type XmlElement } from '../../xml.js'
import type { MjcfBody, Tree } from '../compile/tree.js'
import { CONTACT_ONLY, ignoreElement, type Scope } from '../syntax/context.js'
import { instancesOf, lookUp } from '../syntax/references.js'
import type { MjcfGeom } from './geoms.js'
import { writtenName } from './joints.js'

interface Side {
  readonly geom: MjcfGeom
  readonly body: MjcfBody
}

interface Pair {
  readonly element: XmlElement
  readonly sides: readonly [Side, Side]
}

export interface Contacts {
  readonly excluded: (readonly [MjcfBody, MjcfBody])[]
  readonly pairs: Pair[]
}

export function readContact(tree: Tree, scope: Scope, section: XmlElement, contacts: Contacts): void {
  const { shared } = scope
  for (const e of section.children) {
    if (!shared.known.has(e)) continue
    const kind = e.name === 'exclude' ? 'body' : 'geom'
    const names = [`${kind}1`, `${kind}2`] as const
    for (const attribute of names) if (!hasAttribute(e, attribute)) addProblem(shared.reader, e, `expected ${attribute}="…"`)
    if (kind === 'geom' && names.some((attribute) => isAbsent(tree, scope, e, attribute))) {
      ignoreElement(shared, e, 'contact pair of a geom that is not there', CONTACT_ONLY)
      continue
    }
    const references = names.map((attribute) => ({ kind, attribute, element: e }) as const)
    for (const suffix of instancesOf(tree, scope, e, references)) {
      const inner = { ...scope, suffix }
      writtenName(inner, e)
      if (kind === 'body') {
        const [a, b] = names.map((attribute) => lookUp<MjcfBody>(tree, inner, kind, e, attribute, suffix))
        if (a && b) contacts.excluded.push([a, b])
      } else {
        const [a, b] = names.map((attribute) => lookUp<Side>(tree, inner, kind, e, attribute, suffix))
        if (a && b) contacts.pairs.push({ element: e, sides: [a, b] })
      }
    }
    readString(shared.reader, e, 'class')
  }
}

/** A geom may have been left out with its mesh; that is no reason to refuse the file. */
function isAbsent(tree: Tree, scope: Scope, e: XmlElement, attribute: string): boolean {
  const name = scope.prefix + (readString(tree.shared.reader, e, attribute) ?? '')
  return !tree.names.geom.has(name) && !tree.replicas.geom.has(name)
}

/** Bits of the categories and masks of a Spec; the last one is the sign. */
const BITS = 31

/** Gives the geoms of pairs the bits by which they touch, and says which pairs go without. */
export function joinPairs(tree: Tree, { pairs, excluded }: Contacts): void {
  const { shared } = tree
  let taken = 0
  for (const { geoms } of [tree.world, ...tree.bodies]) for (const { raw } of geoms) taken |= raw.contype | raw.conaffinity
  const free = Array.from({ length: BITS }, (_, k) => 1 << k).filter((bit) => (taken & bit) === 0)

  const separate = new Set(excluded.flatMap(([a, b]) => [key(a, b), key(b, a)]))
  let open: Pair[] = []
  for (const pair of pairs) {
    const [a, b] = pair.sides
    if ((a.geom.raw.contype & b.geom.raw.conaffinity) !== 0 || (b.geom.raw.contype & a.geom.raw.conaffinity) !== 0) continue
    if (neverTouch(a.body, b.body) || separate.has(key(a.body, b.body))) {
      ignoreElement(shared, pair.element, 'contact pair of geoms that are joined, neighbours or excluded', CONTACT_ONLY)
    } else open.push(pair)
  }
  for (const bit of free) {
    const hub = busiest(open)
    if (!hub) return
    hub.pairBits.category |= bit
    for (const { sides } of open) {
      const [a, b] = sides
      if (a.geom === hub) b.geom.pairBits.mask |= bit
      else if (b.geom === hub) a.geom.pairBits.mask |= bit
    }
    open = open.filter(({ sides }) => sides.every(({ geom }) => geom !== hub))
  }
  for (const { element } of open) ignoreElement(shared, element, 'contact pair beyond those that bits are left for', CONTACT_ONLY)
}

function busiest(pairs: readonly Pair[]): MjcfGeom | undefined {
  const counts = new Map<MjcfGeom, number>()
  for (const { sides } of pairs) for (const { geom } of sides) counts.set(geom, (counts.get(geom) ?? 0) + 1)
  let best: MjcfGeom | undefined
  for (const [geom, count] of counts) if (count > (best ? (counts.get(best) ?? 0) : 0)) best = geom
  return best
}

const key = (a: MjcfBody, b: MjcfBody): string => `${a.name}\n${b.name}`

/** As the engine sees it: bodies without a joint between them are one, and do not touch the one they are jointed to, world apart. */
function neverTouch(a: MjcfBody, b: MjcfBody): boolean {
  const [x, y] = [carrier(a), carrier(b)]
  if (x === y) return true
  return isBelow(x, y) || isBelow(y, x)
}

/** The body whose joints move this one; the world for what stands still. */
function carrier(body: MjcfBody): MjcfBody {
  return body.parent && body.joints.length === 0 ? carrier(body.parent) : body
}

function isBelow(upper: MjcfBody, lower: MjcfBody): boolean {
  return upper.parent !== undefined && lower.parent !== undefined && carrier(lower.parent) === upper
}
