/**
 * What the parts of the MJCF reader share: the log of problems and of things left out, and the scope in which an element is read
 * (compiler settings, default classes, name prefix and suffix).
 */
import type { Ignored } from '../../../build/spec.js'
import { markUsed, type XmlElement, type XmlReader } from '../../xml.js'
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
  /** elements made so far: a bound on what replicate can make */
  created: number
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
