/**
 * Default classes. A class starts as a copy of its parent as it then is; the elements written in it apply in order, and an object of
 * that class starts from the result. Values are overlaid number by number, as MuJoCo does: `size="0.1"` over a default of
 * three keeps the other two.
 */
import { addProblem, readString, type XmlElement } from '../../xml.js'
import type { Scope, Shared } from './context.js'

export interface DefaultClass {
  readonly name: string
  readonly parent: DefaultClass | undefined
  /** how many of the parent's elements there were when the class began, by kind: later ones do not count */
  readonly inherited: ReadonlyMap<string, number>
  /** elements of its own, by kind */
  readonly elements: Map<string, XmlElement[]>
  /** by kind: entry k is the object with the parent's elements and the first k of its own applied */
  readonly made: Map<string, unknown[]>
}

const ACTUATORS = new Set(
  'general motor position velocity intvelocity orientation pid damper cylinder muscle adhesion dcmotor plugin'.split(' '),
)

/** All actuator tags write into one default. */
function kindOf(tag: string): string {
  if (tag === 'fixed' || tag === 'spatial') return 'tendon'
  return ACTUATORS.has(tag) ? 'actuator' : tag
}

function createClass(name: string, parent: DefaultClass | undefined): DefaultClass {
  const inherited = new Map<string, number>()
  if (parent) for (const [kind, list] of parent.elements) inherited.set(kind, list.length)
  return { name, parent, inherited, elements: new Map(), made: new Map() }
}

/** Reads the `default` sections in order. The class `main` always exists. */
export function readClasses(shared: Shared, sections: readonly XmlElement[]): Map<string, DefaultClass> {
  const classes = new Map<string, DefaultClass>([['main', createClass('main', undefined)]])

  const visit = (element: XmlElement, parent: DefaultClass | undefined): void => {
    const name = readString(shared.reader, element, 'class') ?? ''
    let current = classes.get('main') as DefaultClass
    if (!parent) {
      if (name !== '' && name !== 'main') {
        addProblem(
          shared.reader,
          element,
          `the outermost default class is 'main' and cannot be named '${name}': put this class inside it`,
          'class',
        )
      }
    } else {
      if (name === '') addProblem(shared.reader, element, 'a nested default needs a class name: add class="…"')
      else if (classes.has(name)) addProblem(shared.reader, element, `default class '${name}' is defined twice`, 'class')
      current = createClass(name, parent)
      classes.set(name, current)
    }
    // own elements first: nested classes inherit them wherever they stand
    for (const child of element.children) {
      if (child.name === 'default' || !shared.known.has(child)) continue
      const kind = kindOf(child.name)
      const list = current.elements.get(kind)
      if (list) list.push(child)
      else current.elements.set(kind, [child])
    }
    for (const child of element.children) {
      if (child.name === 'default' && shared.known.has(child)) visit(child, current)
    }
  }
  for (const section of sections) visit(section, undefined)
  return classes
}

/** The class that an element names, or the one inherited from its surroundings. */
export function classOf(scope: Scope, element: XmlElement, inherited: DefaultClass, attribute = 'class'): DefaultClass {
  const name = readString(scope.shared.reader, element, attribute)
  if (name === undefined || name === '') return inherited
  const found = scope.classes.get(name)
  if (!found) addProblem(scope.shared.reader, element, `unknown default class '${name}'`, attribute)
  return found ?? inherited
}

export function mainClass(scope: Scope): DefaultClass {
  return scope.classes.get('main') as DefaultClass
}

/** A fresh object of the class: `create` gives MuJoCo's own defaults, `apply` overlays what an element writes. */
export function fromClass<T>(cls: DefaultClass, kind: string, create: () => T, apply: (object: T, element: XmlElement) => void): T {
  // from the outermost class on, so that each element is applied once for all classes that inherit it
  const chain: { cls: DefaultClass; count: number }[] = []
  for (let at: DefaultClass | undefined = cls, count = cls.elements.get(kind)?.length ?? 0; at; ) {
    chain.push({ cls: at, count })
    if (madeOf(at, kind).length > count) break
    count = at.inherited.get(kind) ?? 0
    at = at.parent
  }
  let object: T | undefined
  for (const { cls: at, count } of chain.reverse()) {
    const made = madeOf(at, kind) as T[]
    if (made.length === 0) made.push(object ?? create())
    for (let k = made.length; k <= count; k++) {
      const next = clonePlain(made[k - 1] as T)
      apply(next, (at.elements.get(kind) as XmlElement[])[k - 1] as XmlElement)
      made.push(next)
    }
    object = made[count]
  }
  return clonePlain(object as T)
}

function madeOf(cls: DefaultClass, kind: string): unknown[] {
  const known = cls.made.get(kind)
  if (known) return known
  const made: unknown[] = []
  cls.made.set(kind, made)
  return made
}

/** Far quicker than `structuredClone` on the small objects here. */
function clonePlain<T>(value: T): T {
  if (Array.isArray(value)) return value.slice() as T
  if (typeof value !== 'object' || value === null) return value
  const copy = { ...value }
  for (const key in copy) if (typeof copy[key] === 'object') copy[key] = clonePlain(copy[key])
  return copy
}
