/**
 * Names that elements outside the tree use: looked up with the prefix of an attached model, and copied for every replica when
 * something that an element refers to was replicated (as MuJoCo does). A replica of a replica has the suffix of the inner copy, then
 * that of the outer; what stands in the outer only, or in neither, is meant with the end of the suffix that it has.
 */
import { addProblem, readString, type XmlElement } from '../../xml.js'
import type { NamedKind, Tree } from '../compile/tree.js'
import { ignore, ignoreElement, LACKS_MOTION, type Scope } from './context.js'

export interface Reference {
  readonly kind: NamedKind
  readonly attribute: string
  readonly element: XmlElement
}

/**
 * Suffixes for which every reference of an element resolves: [''] as a rule, one per replica for replicated targets, none when something is
 * missing. The missing is a problem, except in an attached model, of which only a part may have come along.
 */
export function instancesOf(tree: Tree, scope: Scope, e: XmlElement, references: readonly Reference[]): string[] {
  const wanted: { reference: Reference; name: string }[] = []
  for (const reference of references) {
    const name = readString(tree.shared.reader, reference.element, reference.attribute)
    if (name !== undefined && name !== '') wanted.push({ reference, name: fullName(scope, reference.kind, name) })
  }
  const missing = wanted.filter(({ reference, name }) => !tree.names[reference.kind].has(name))
  if (missing.length === 0) {
    noteLookalikes(tree, wanted)
    return ['']
  }
  const replicas = missing.map(({ reference, name }) => tree.replicas[reference.kind].get(name) ?? [])
  const innermost = replicas.reduce((a, b) => ((b[0]?.length ?? 0) > (a[0]?.length ?? 0) ? b : a))
  const found = innermost.filter((suffix) =>
    wanted.every(({ reference, name }) => name === 'world' || nameIn(tree, reference.kind, name, suffix) !== undefined),
  )
  for (const suffix of found) {
    noteLookalikes(
      tree,
      wanted.map(({ reference, name }) => ({ reference, name: nameIn(tree, reference.kind, name, suffix) ?? name })),
    )
  }
  if (found.length === 0 && missing.some(({ name }) => isLost(tree, name))) leaveOut(tree, scope, e, missing)
  else if (found.length === 0 && scope.attached) tree.shared.skipped.add(e)
  else if (found.length === 0) {
    for (const { reference, name } of missing) {
      const { kind, element, attribute } = reference
      const replicated = tree.replicas[kind].has(name) ? ' (it is in a replicate, whose copies have suffixes)' : ''
      addProblem(tree.shared.reader, element, `unknown ${kind} '${name}'${replicated}`, attribute)
    }
  }
  return found
}

/**
 * Remembers a `composite` or `flexcomp` that is left out: elements elsewhere in the file may use the names of what it makes (`B_first`,
 * `J_3`, `S_last`, `G2` after the prefix of a composite; the name of a flexcomp and a number).
 */
export function loseGenerated(tree: Tree, scope: Scope, e: XmlElement): void {
  const own = `${scope.prefix}${readString(tree.shared.reader, e, e.name === 'composite' ? 'prefix' : 'name') ?? ''}`
  if (e.name === 'composite') tree.lost.composites.add(own)
  else tree.lost.flexcomps.add(own)
}

/** Whether a name is one that a composite or flexcomp would have made. */
function isGenerated({ lost: { composites, flexcomps } }: Tree, name: string): boolean {
  if (composites.size > 0) {
    for (const { index } of name.matchAll(/[BJSG](?=_?(first|last|\d))/g)) if (composites.has(name.slice(0, index))) return true
  }
  if (flexcomps.size > 0) for (const { index } of name.matchAll(/_(?=\d)/g)) if (flexcomps.has(name.slice(0, index))) return true
  return false
}

function isLost(tree: Tree, name: string): boolean {
  return tree.lost.names.has(name) || isGenerated(tree, name)
}

/** What stands on something that was left out is left out too. */
function leaveOut(tree: Tree, scope: Scope, e: XmlElement, missing: readonly { reference: Reference; name: string }[]): void {
  const places = [...new Set(missing.map(({ reference, name }) => `${reference.kind} '${name}'`))].join(', ')
  const made = missing.some(({ name }) => isGenerated(tree, name))
  lose(tree, scope, e, `${e.name} on ${places}`, `it stands on a ${made ? 'composite or flexcomp' : 'tendon'} that is left out`)
}

/** Leaves an element out, and its name with it. */
export function lose(tree: Tree, scope: Scope, e: XmlElement, what: string, why: string): void {
  const name = readString(tree.shared.reader, e, 'name')
  if (name) tree.lost.names.add(scope.prefix + name)
  ignoreElement(tree.shared, e, what, `${LACKS_MOTION}: ${why}`)
}

/** MuJoCo takes joint `j10` for a replica of `j1` wherever a replica has the suffix `0`, and copies what refers to `j1`. */
function noteLookalikes(tree: Tree, wanted: readonly { reference: Reference; name: string }[]): void {
  if (!wanted.some(({ reference, name }) => lookalikes(tree, reference.kind).has(name))) return
  for (const suffix of tree.suffixes) {
    const alike = wanted.find(({ reference, name }) => name !== 'world' && tree.names[reference.kind].has(name + suffix))
    if (!alike) continue
    const { name, reference } = alike
    ignore(
      tree.shared,
      reference.element,
      `a copy for ${reference.kind} '${name}${suffix}', whose name is that of a replica of '${name}'`,
      `affects motion in MuJoCo, which copies what refers to '${name}'; here it stands once: rename one of the two`,
    )
  }
}

/** Names of a kind that are another's without the suffix of some replica. Asked for when the tree is read. */
function lookalikes(tree: Tree, kind: NamedKind): Set<string> {
  const known = tree.lookalikes.get(kind)
  if (known) return known
  const found = new Set<string>()
  const lengths = new Set([...tree.suffixes].map((suffix) => suffix.length))
  for (const name of tree.names[kind].keys()) {
    for (const length of lengths) if (tree.suffixes.has(name.slice(name.length - length))) found.add(name.slice(0, name.length - length))
  }
  tree.lookalikes.set(kind, found)
  return found
}

/** The name with as much of the end of the suffix as something is called by. */
function nameIn(tree: Tree, kind: NamedKind, name: string, suffix: string): string | undefined {
  for (let k = 0; k <= suffix.length; k++) if (tree.names[kind].has(name + suffix.slice(k))) return name + suffix.slice(k)
  return undefined
}

function fullName(scope: Scope, kind: NamedKind, name: string): string {
  return kind === 'body' && name === 'world' ? name : scope.prefix + name
}

/** What an attribute refers to, in one of the instances; undefined when absent. */
export function lookUp<T>(tree: Tree, scope: Scope, kind: NamedKind, e: XmlElement, attribute: string, suffix: string): T | undefined {
  const name = readString(tree.shared.reader, e, attribute)
  if (name === undefined || name === '') return undefined
  const full = fullName(scope, kind, name)
  return tree.names[kind].get((full === 'world' ? full : nameIn(tree, kind, full, suffix)) ?? full) as T | undefined
}
