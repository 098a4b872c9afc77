/**
 * What the parts of the MJCF reader share: the log of problems and of things left out, and the scope in which an element is read
 * (compiler settings, default classes, name prefix and suffix).
 */
import type { HullBudget } from '../../../build/geometry/convex-hull.js'
import type { Ignored } from '../../../build/spec.js'
import { grouped, LIMITS } from '../../../model/limits.js'
import type { ModelError } from '../../../model/model-error.js'
import type { MeshData } from '../../mesh/mesh-data.js'
import { addProblem, markUsed, throwProblems, type XmlElement, type XmlReader } from '../../xml.js'
import type { DefaultClass } from './classes.js'
import type { Compiler } from './compiler.js'
import type { Origins, Resolve } from './include.js'
import type { Checked } from './schema.js'

export interface Shared {
  readonly reader: XmlReader
  readonly resolve: Resolve | undefined
  readonly origins: Origins
  /** known to the schema; others are not read */
  readonly known: Set<XmlElement>
  /** accounted for as a whole: the final sweep does not look inside */
  readonly skipped: Set<XmlElement>
  readonly ignored: Ignored[]
  /** elements made so far: a bound on what replicate and attach can make */
  created: number
  /** vertices and triangles of meshes and cells of fields so far */
  vertices: number
  /** work that is left for convex hulls */
  readonly hulls: HullBudget
  /** meshes by their paths, or what is wrong with the file; undefined where there is none */
  readonly meshFiles: Map<string, MeshData | ModelError | undefined>
  /** reference poses of meshes, by scale and file */
  readonly poses: Map<string, string>
  /** bodies, frames, replicas and attached models around what is being read */
  depth: number
}

export interface Scope {
  readonly shared: Shared
  readonly compiler: Compiler
  readonly classes: ReadonlyMap<string, DefaultClass>
  /** of names, in an attached model */
  readonly prefix: string
  /** of an attached model, of which only a part may have come along */
  readonly attached?: true
  /** of names, in a replica */
  readonly suffix: string
}

/** Counts what is made of an element, and gives up at once when there is no end to it. What the files write is no more than their size allows. */
export function countCreated(shared: Shared, e: XmlElement, count = 1): void {
  shared.created += count
  checkCreated(shared, e, 0)
}

/** Gives up where so many more are too many. */
export function checkCreated(shared: Shared, e: XmlElement, more: number): void {
  if (shared.created + more > LIMITS.objects + shared.known.size)
    giveUp(shared, e, `more than ${grouped(LIMITS.objects)} objects that the file does not write: lower the counts of replicate`)
}

/** The same for vertices, triangles and cells. */
export function countVertices(shared: Shared, e: XmlElement, count: number): void {
  shared.vertices += count
  if (shared.vertices > LIMITS.vertices)
    giveUp(shared, e, `more than ${grouped(LIMITS.vertices)} vertices and cells in all: simplify the meshes and fields`)
}

/** Notes what cannot be read to its end, and throws all that is noted. */
export function giveUp(shared: Shared, e: XmlElement, message: string): never {
  addProblem(shared.reader, e, message)
  throwProblems(shared.reader)
  throw new Error('no problem was noted')
}

/** Left out, and it cannot change how the mechanism moves. */
export const NO_MOTION = 'does not affect motion'
/** Left out, and motion lacks it. */
export const LACKS_MOTION = 'affects motion: not supported, the dynamics lack it'
/** Left out, and it matters only for contact, limits or other solver rows. */
export const SOLVER_ONLY = "setting of MuJoCo's constraint solver: free motion does not depend on it"
/** Left out, and it is about how MuJoCo steps and reports. */
export const STEPPING_ONLY = "setting of MuJoCo's stepping and reports: the mechanism does not depend on it"
export const CONTACT_ONLY = 'setting of contact: free motion does not depend on it'
export const ACTUATION_ONLY = 'affects actuation only: passive motion does not depend on it'

export function pathOf(element: XmlElement): string {
  const { file, line, column } = element.place
  return `${element.path} (${file ? `${file}:` : ''}${line}:${column})`
}

/** Notes what is not taken over. */
export function ignore(shared: Shared, element: XmlElement, what: string, why: string): void {
  shared.ignored.push({ path: pathOf(element), what, why })
}

/** Notes what is not taken over (empty: all) of a thing of some kind with a name (empty: it has none). */
export function ignoreOf(shared: Shared, element: XmlElement, kind: string, name: string, what: string, why: string): void {
  const thing = name === '' ? kind : `${kind} '${name}'`
  ignore(shared, element, what === '' ? thing : `${thing}: ${what}`, why)
}

/** Notes a whole element with all that is in it. */
export function ignoreElement(shared: Shared, element: XmlElement, what: string, why: string): void {
  shared.skipped.add(element)
  ignore(shared, element, what, why)
}

/** Takes over what the vocabulary says of a file. */
export function takeChecked(shared: Shared, { known, passed }: Checked): void {
  for (const element of known) shared.known.add(element)
  for (const { element, name, message } of passed) {
    if (name !== undefined) markUsed(shared.reader, element, name)
    ignore(shared, element, message, 'MuJoCo passes over it inside a frame or replicate, and so does this')
  }
}
