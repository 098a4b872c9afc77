/**
 * Names that elements outside the tree use: looked up with the prefix of an attached model, and copied for every replica when
 * all that an element refers to was replicated (as MuJoCo does).
 */
import { addProblem, readString, type XmlElement } from '../xml.js'
import type { Scope } from './context.js'
import type { NamedKind, Tree } from './tree.js'

export interface Reference {
  readonly kind: NamedKind
  readonly attribute: string
  readonly element: XmlElement
}

/**
 * Suffixes for which every reference resolves: [''] as a rule, one per replica for replicated targets, none when something is
 * missing. The missing is a problem, except in an attached model, of which only a part may have come along.
 */
export function instancesOf(tree: Tree, scope: Scope, references: readonly Reference[]): string[] {
  const wanted: { reference: Reference; name: string }[] = []
  for (const reference of references) {
    const name = readString(tree.shared.reader, reference.element, reference.attribute)
    if (name !== undefined && name !== '') wanted.push({ reference, name: fullName(scope, reference.kind, name) })
  }
  const missing = wanted.filter(({ reference, name }) => !tree.names[reference.kind].has(name))
  const first = missing[0]
  if (!first) return ['']
  const suffixes = tree.replicas[first.reference.kind].get(first.name) ?? []
  const found = suffixes.filter((suffix) =>
    wanted.every(({ reference, name }) => name === 'world' || tree.names[reference.kind].has(name + suffix)),
  )
  if (found.length === 0 && scope.prefix === '') {
    for (const { reference, name } of missing) {
      const { kind, element, attribute } = reference
      const replicated = tree.replicas[kind].has(name) ? ' (it is in a replicate, whose copies have suffixes)' : ''
      addProblem(tree.shared.reader, element, `unknown ${kind} '${name}'${replicated}`, attribute)
    }
  }
  return found
}

function fullName(scope: Scope, kind: NamedKind, name: string): string {
  return kind === 'body' && name === 'world' ? name : scope.prefix + name
}

/** What an attribute refers to, in one of the instances; undefined when absent. */
export function lookUp<T>(tree: Tree, scope: Scope, kind: NamedKind, e: XmlElement, attribute: string, suffix: string): T | undefined {
  const name = readString(tree.shared.reader, e, attribute)
  if (name === undefined || name === '') return undefined
  const full = fullName(scope, kind, name)
  return (tree.names[kind].get(full === 'world' ? full : full + suffix) ?? tree.names[kind].get(full)) as T | undefined
}
