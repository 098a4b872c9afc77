/**
 * `contact`: pairs of bodies that never touch, and pairs of geoms that do, whatever their types, affinities and bodies say.
 */
import type { ContactPairSpec } from '../../../build/spec.js'
import { addProblem, hasAttribute, readNumber, readNumbers, readString, type XmlElement } from '../../xml.js'
import type { MjcfBody, Tree } from '../compile/tree.js'
import { classOf, type DefaultClass, fromClass, mainClass } from '../syntax/classes.js'
import { CONTACT_ONLY, ignoreElement, type Scope } from '../syntax/context.js'
import { instancesOf, lookUp } from '../syntax/references.js'
import { type MjcfGeom, readCondim } from './geoms.js'
import { writtenName } from './joints.js'
import { applySoftness, createRawSoftness, overlay, type RawSoftness, toSoftnessSpec } from './softness.js'

interface RawPair {
  condim: number
  friction: number[]
  softness: RawSoftness
  margin: number
  gap: number
}

interface Pair {
  readonly element: XmlElement
  readonly geoms: readonly [MjcfGeom, MjcfGeom]
  readonly raw: RawPair
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
        const [a, b] = names.map((attribute) => lookUp<{ geom: MjcfGeom }>(tree, inner, kind, e, attribute, suffix)?.geom)
        if (a && b) {
          a.paired = true
          b.paired = true
          contacts.pairs.push({ element: e, geoms: [a, b], raw: readPair(scope, e) })
        }
      }
    }
  }
}

const FRICTION: readonly number[] = [1, 1, 0.005, 0.0001, 0.0001]

function createRawPair(): RawPair {
  return { condim: 3, friction: [...FRICTION], softness: createRawSoftness(), margin: 0, gap: 0 }
}

function applyPair(scope: Scope, pair: RawPair, e: XmlElement): void {
  const { reader } = scope.shared
  pair.condim = readCondim(scope, e) ?? pair.condim
  overlay(pair.friction, readNumbers(reader, e, 'friction', 1, 5))
  applySoftness(scope, pair.softness, e)
  pair.margin = readNumber(reader, e, 'margin') ?? pair.margin
  pair.gap = readNumber(reader, e, 'gap') ?? pair.gap
}

/** What a default class says of pairs. */
export function pairDefaults(scope: Scope, cls: DefaultClass): RawPair {
  return fromClass(cls, 'pair', createRawPair, (pair, from) => applyPair(scope, pair, from))
}

function readPair(scope: Scope, e: XmlElement): RawPair {
  const pair = pairDefaults(scope, classOf(scope, e, mainClass(scope)))
  applyPair(scope, pair, e)
  return pair
}

export function toPairSpec({ geoms: [a, b], raw: { condim, friction, softness, margin, gap } }: Pair): ContactPairSpec {
  return {
    a: a.name as string,
    b: b.name as string,
    ...(condim !== 3 ? { condim: condim as NonNullable<ContactPairSpec['condim']> } : {}),
    ...(friction.some((x, k) => x !== FRICTION[k])
      ? { friction: [...friction] as unknown as NonNullable<ContactPairSpec['friction']> }
      : {}),
    ...toSoftnessSpec(softness),
    ...(margin !== 0 ? { margin } : {}),
    ...(gap !== 0 ? { gap } : {}),
  }
}

/** A geom may have been left out with its mesh; that is no reason to refuse the file. */
function isAbsent(tree: Tree, scope: Scope, e: XmlElement, attribute: string): boolean {
  const name = scope.prefix + (readString(tree.shared.reader, e, attribute) ?? '')
  return !tree.names.geom.has(name) && !tree.replicas.geom.has(name)
}
