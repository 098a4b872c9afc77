/**
 * What the parts of the URDF reader share: problems, the list of what is not taken over, and readers of small pieces.
 */
import type { Ignored, Vec3 } from '../../build/spec.js'
import { eulerQuat } from '../orientation.js'
import type { Pose } from '../pose.js'
import { addProblem, markUsed, readNumber, readString, readVec3, unusedAttributes, type XmlElement, type XmlReader } from '../xml.js'

export interface UrdfContext {
  readonly reader: XmlReader
  readonly ignored: Ignored[]
  /** elements whose meaning is taken over */
  readonly known: Set<XmlElement>
  /** elements listed as a whole */
  readonly skipped: Set<XmlElement>
}

/** A link that exists, with its element. */
export interface UrdfLink {
  readonly name: string
  readonly element: XmlElement
}

export interface UrdfJoint {
  readonly name: string
  readonly type: string
  readonly element: XmlElement
  readonly parent: string
  readonly child: string
}

/** Lists something as not taken over. */
export function ignore(context: UrdfContext, element: XmlElement, what: string, why: string): void {
  context.ignored.push({ path: pathOf(element), what, why })
}

/** The same for an element with all that is in it. */
export function ignoreElement(context: UrdfContext, element: XmlElement, why: string): void {
  if (context.skipped.has(element)) return
  context.skipped.add(element)
  ignore(context, element, element.name, why)
}

function pathOf(element: XmlElement): string {
  const { file, line, column } = element.place
  return `${element.path} (${file ? `${file}:` : ''}${line}:${column})`
}

/** The first child of that name; further ones are listed. */
export function onlyChild(context: UrdfContext, element: XmlElement, name: string): XmlElement | undefined {
  const found = element.children.filter((child) => child.name === name)
  found.slice(1).forEach((child) => ignoreElement(context, child, `a ${element.name} has one ${name}: the first counts`))
  const first = found[0]
  if (first) context.known.add(first)
  return first
}

/** A name that must be there. */
export function readName(context: UrdfContext, element: XmlElement, attribute = 'name'): string {
  const name = readString(context.reader, element, attribute)?.trim() ?? ''
  if (name === '') addProblem(context.reader, element, `expected ${attribute}="…" on ${element.name}, got none`)
  return name
}

/** Three numbers; an empty attribute counts as none, as exporters write it. */
export function readVector(context: UrdfContext, element: XmlElement, name: string): [number, number, number] | undefined {
  return isBlank(context, element, name) ? undefined : readVec3(context.reader, element, name)
}

/** One number, or none as above. */
export function readScalar(context: UrdfContext, element: XmlElement, name: string): number | undefined {
  return isBlank(context, element, name) ? undefined : readNumber(context.reader, element, name)
}

function isBlank(context: UrdfContext, element: XmlElement, name: string): boolean {
  if (element.attributes[name]?.trim() !== '') return false
  markUsed(context.reader, element, name)
  return true
}

/** Pose of `<origin xyz rpy>` inside the element; roll, pitch, yaw about fixed x, y, z. Identity when absent. */
export function readOrigin(context: UrdfContext, element: XmlElement): Pose {
  const origin = onlyChild(context, element, 'origin')
  const position = (origin && readVector(context, origin, 'xyz')) ?? [0, 0, 0]
  const angles: Vec3 = (origin && readVector(context, origin, 'rpy')) ?? [0, 0, 0]
  return { position, quaternion: angles.every((x) => x === 0) ? [1, 0, 0, 0] : eulerQuat(angles, 'XYZ') }
}

/** Lists every element and attribute that no part of the reader has looked at. */
export function listLeftovers(context: UrdfContext, element: XmlElement): void {
  for (const attribute of unusedAttributes(context.reader, element)) {
    if (!attribute.startsWith('xmlns')) ignore(context, element, `attribute ${attribute}`, 'not part of URDF as this reader knows it')
  }
  for (const child of element.children) {
    if (context.skipped.has(child)) continue
    if (context.known.has(child)) listLeftovers(context, child)
    else ignore(context, child, child.name, 'not part of URDF as this reader knows it')
  }
}
