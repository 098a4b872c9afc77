/**
 * XML text as a plain tree whose every node knows its place, and readers of attributes that collect problems.
 *
 * Lenient where the robotics world is: a byte order mark, blank lines or comments before the declaration, `--` inside comments,
 * a bare `&` anywhere, `<` inside quotes, no space between attributes. Strict elsewhere: malformed text is one `ModelError` with line and column. Depth is bounded, so that no input overflows the stack.
 */
import { XmlElement as ParsedElement, parseXml as parse, XmlError } from '@rgrove/parse-xml'
import { MOST_HINTS, suggest } from '../build/problems.js'
import { isExhausted, LIMITS } from '../model/limits.js'
import { ModelError, type Place, type Problem } from '../model/model-error.js'
import { checkSize } from './guarded.js'
import { cleanText, findTagEnd, originalOffset, restoreText } from './xml-clean.js'

export interface XmlElement {
  readonly name: string
  /** no prototype: any name is safe to look up */
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** character data directly inside the element */
  readonly text: string
  readonly place: Place
  /** names from the root, numbered from 1 among siblings of one name: `mujoco/worldbody[1]/body[2]`; the root has no number */
  readonly path: string
  /** name of the nearest body or link around it: `body 'arm'`; empty where there is none */
  readonly owner: string
  /** where attributes are looked up for their places */
  readonly source: XmlSource
  readonly start: number
}

export interface XmlSource {
  readonly file: string | undefined
  readonly text: string
  readonly lineStarts: readonly number[]
}

/** What a reader has found wrong, and which attributes it has looked at. */
export interface XmlReader {
  /** an empty list of numbers counts as absent */
  readonly emptyIsAbsent: boolean
  readonly problems: Problem[]
  readonly used: Map<XmlElement, Set<string>>
}

/** Parses text to its root element. Throws `ModelError` with the place of the first malformed spot. */
export function parseXml(text: string, file?: string): XmlElement {
  checkSize(file, text)
  const source: XmlSource = { file, text, lineStarts: findLineStarts(text) }
  const fail = (offset: number, message: string): never => {
    throw new ModelError([{ path: '', message, place: placeAt(source, offset) }])
  }
  const { cleaned, inserted } = cleanText(text, fail)
  try {
    const root = parse(cleaned, { includeOffsets: true }).root
    if (!root) return fail(0, 'expected an XML document with a root element, got none')
    // stand-ins are rare: most texts need not be searched for them
    const restore = cleaned === text ? asItIs : restoreText
    return convert(root, source, inserted, restore, '', '', 0)
  } catch (error) {
    if (error instanceof ModelError) throw error
    if (error instanceof XmlError) {
      const said = (error.message.split('\n')[0] ?? '').replace(/ \(line \d+, column \d+\)$/, '')
      const message = said.startsWith('Root element')
        ? missingRoot(text)
        : said.replace(/^Missing end tag for element (\S+)$/, '$&; add </$1> before this place')
      const at: Place = { ...(file === undefined ? {} : { file }), line: error.line, column: error.column }
      throw new ModelError([{ path: '', message: `malformed XML: ${message}`, place: at }])
    }
    if (isExhausted(error)) return fail(0, 'elements nested too deeply: expected a flatter document')
    return fail(0, `malformed XML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** No element at all: most likely not XML, or not in an encoding that XML readers share. */
function missingRoot(text: string): string {
  // eslint-disable-next-line no-control-regex
  const binary = /[\0\uFFFD]/.test(text.slice(0, 1000))
  if (binary) return 'expected text, got binary data or another encoding; save the file as UTF-8'
  return text.trim() === ''
    ? 'expected a root element such as <mujoco> or <robot>, got an empty file'
    : `expected a root element such as <mujoco> or <robot>, got '${text.trim().slice(0, 20)}'; is this an XML file?`
}

const asItIs = (text: string): string => text
const childless: readonly XmlElement[] = []
/** elements whose names tell where in a robot a problem is */
const OWNERS: ReadonlySet<string> = new Set(['body', 'link'])

function convert(
  parsed: ParsedElement,
  source: XmlSource,
  inserted: readonly number[],
  restore: (text: string) => string,
  parentPath: string,
  owner: string,
  number: number,
): XmlElement {
  const path = parentPath === '' ? parsed.name : `${parentPath}/${parsed.name}[${number}]`
  const own = OWNERS.has(parsed.name) ? parsed.attributes.name : undefined
  const inside = own === undefined || own === '' ? owner : `${parsed.name} '${restore(own)}'`
  let children: XmlElement[] | undefined
  let counts: Map<string, number> | undefined
  let text = ''
  for (const child of parsed.children) {
    if (child instanceof ParsedElement) {
      counts ??= new Map()
      const n = (counts.get(child.name) ?? 0) + 1
      counts.set(child.name, n)
      children ??= []
      children.push(convert(child, source, inserted, restore, path, inside, n))
    } else if (child.type === 'text' || child.type === 'cdata') text += (child as { text?: string }).text ?? ''
  }
  const { name, attributes } = parsed
  if (restore !== asItIs) for (const key in attributes) attributes[key] = restore(attributes[key] as string)
  const start = originalOffset(parsed.start, inserted)
  return {
    name,
    attributes,
    children: children ?? childless,
    text: restore(text),
    place: placeAt(source, start),
    path,
    owner,
    source,
    start,
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return starts
}

function placeAt(source: XmlSource, offset: number): Place {
  let low = 0
  let high = source.lineStarts.length - 1
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if ((source.lineStarts[mid] as number) <= offset) low = mid
    else high = mid - 1
  }
  const { file } = source
  const column = offset - (source.lineStarts[low] as number) + 1
  return file === undefined ? { line: low + 1, column } : { file, line: low + 1, column }
}

/** Place of an attribute's name inside its element's start tag; the element's own place if the attribute is not written there. */
export function attributePlace(element: XmlElement, attribute: string): Place {
  const { source, start } = element
  const tag = source.text.slice(start, findTagEnd(source.text, start))
  for (const match of tag.matchAll(/([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
    if (match[1] === attribute) return placeAt(source, start + match.index)
  }
  return element.place
}

export function createXmlReader(options: { readonly emptyIsAbsent?: boolean } = {}): XmlReader {
  return { emptyIsAbsent: options.emptyIsAbsent ?? false, problems: [], used: new Map() }
}

/** Notes a problem at an element, or at one of its attributes. */
export function addProblem(reader: XmlReader, element: XmlElement, message: string, attribute?: string): void {
  // of what nobody will be told, the place of the element is enough: an attribute is looked for in the whole tag
  const isTold = reader.problems.length < LIMITS.problems
  const place = attribute === undefined || !isTold ? element.place : attributePlace(element, attribute)
  const path = attribute === undefined ? element.path : `${element.path}/@${attribute}`
  reader.problems.push({ path, message: isTold ? withNames(element, message) : message, place })
}

/** The message with the names of the element and of the body around it, where it has them not: `expected …, got … (joint 'elbow' of body 'arm')`. */
function withNames({ name: kind, attributes: { name }, owner }: XmlElement, message: string): string {
  const own = name === undefined || name === '' || message.includes(`'${name}'`) ? '' : `${kind} '${name}'`
  const around = owner === '' || message.includes(owner.slice(owner.indexOf("'"))) ? '' : owner
  // a body without a name is not the one around it
  const names = OWNERS.has(kind) && !name && around !== '' ? `in ${around}` : [own, around].filter((part) => part !== '').join(' of ')
  return names === '' ? message : `${message} (${names})`
}

/** The known name nearest to a misspelt one, as a hint; nothing once so much is wrong that nobody reads on. */
export function suggestFor(reader: XmlReader, name: string, known: Iterable<string>): string {
  return reader.problems.length < MOST_HINTS ? suggest(name, known) : ''
}

/** Throws `ModelError` if any problem was noted. */
export function throwProblems(reader: XmlReader): void {
  if (reader.problems.length > 0) throw new ModelError(reader.problems)
}

/** Marks an attribute as looked at, where it is written: readers ask for many that are not. */
export function markUsed(reader: XmlReader, element: XmlElement, attribute: string): void {
  if (element.attributes[attribute] === undefined) return
  const set = reader.used.get(element)
  if (set) set.add(attribute)
  else reader.used.set(element, new Set([attribute]))
}

/** Attributes written on the element that no reader has looked at. */
export function unusedAttributes(reader: XmlReader, element: XmlElement): string[] {
  const set = reader.used.get(element)
  return Object.keys(element.attributes).filter((name) => !set?.has(name))
}

export function hasAttribute(element: XmlElement, name: string): boolean {
  return element.attributes[name] !== undefined
}

/** The attribute as written, or undefined. */
export function readString(reader: XmlReader, element: XmlElement, name: string): string | undefined {
  markUsed(reader, element, name)
  return element.attributes[name]
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/

/** One finite number as text, or NaN: no hexadecimal, no `inf`, no rest. */
export function parseNumber(text: string): number {
  if (!NUMBER.test(text)) return Number.NaN
  const value = Number(text)
  return Number.isFinite(value) ? value : Number.NaN
}

const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text)

/** Numbers separated by white space; between `min` and `max` of them. Undefined when absent or wrong (then a problem is noted). */
export function readNumbers(reader: XmlReader, element: XmlElement, name: string, min: number, max: number = min): number[] | undefined {
  const text = readString(reader, element, name)
  if (text === undefined) return undefined
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0 && reader.emptyIsAbsent) return undefined
  const values = words.map(parseNumber)
  if (values.length < min || values.length > max || values.some(Number.isNaN)) {
    const count = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `${min} or more` : `${min} to ${max}`
    const remedy = text.includes(',')
      ? '; separate numbers by spaces, without commas'
      : /\bpi\b/i.test(text)
        ? '; write π out, 3.14159'
        : ''
    addProblem(reader, element, `expected ${count} finite number${max === 1 ? '' : 's'}, got '${excerpt(text)}'${remedy}`, name)
    return undefined
  }
  return values
}

/** Exactly three numbers. */
export function readVec3(reader: XmlReader, element: XmlElement, name: string): [number, number, number] | undefined {
  const v = readNumbers(reader, element, name, 3)
  return v && [v[0] as number, v[1] as number, v[2] as number]
}

export function readNumber(reader: XmlReader, element: XmlElement, name: string): number | undefined {
  return readNumbers(reader, element, name, 1)?.[0]
}

export function readInteger(reader: XmlReader, element: XmlElement, name: string): number | undefined {
  const value = readNumber(reader, element, name)
  if (value === undefined || Number.isInteger(value)) return value
  addProblem(reader, element, `expected a whole number, got '${value}'`, name)
  return undefined
}

/** One of the given words. */
export function readEnum<T extends string>(reader: XmlReader, element: XmlElement, name: string, words: readonly T[]): T | undefined {
  const text = readString(reader, element, name)?.trim()
  if (text === undefined) return undefined
  const found = words.find((word) => word === text)
  if (found === undefined)
    addProblem(reader, element, `expected one of ${words.join(', ')}, got '${excerpt(text)}'${suggestFor(reader, text, words)}`, name)
  return found
}

export function readBoolean(reader: XmlReader, element: XmlElement, name: string): boolean | undefined {
  const word = readEnum(reader, element, name, ['true', 'false'])
  return word === undefined ? undefined : word === 'true'
}
