import { describe, expect, it } from 'vitest'
import { suggest } from '../build/problems.js'
import { ModelError } from '../model/model-error.js'
import {
  addProblem,
  attributePlace,
  createXmlReader,
  parseXml,
  readBoolean,
  readEnum,
  readInteger,
  readNumber,
  readNumbers,
  readString,
  readVec3,
  throwProblems,
  unusedAttributes,
  type XmlElement,
} from './xml.js'

function problemOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof ModelError) return error.problems[0]
    throw error
  }
  throw new Error('expected a ModelError')
}

describe('parseXml', () => {
  it('gives every element its place and a numbered path', () => {
    const root = parseXml('<a>\n  <b/>\n  <c x="1"/><b y="2"/>\n</a>', 'f.xml')
    expect(root.children.map((child) => child.path)).toEqual(['a/b[1]', 'a/c[1]', 'a/b[2]'])
    expect(root.children[2]?.place).toEqual({ file: 'f.xml', line: 3, column: 13 })
    expect(root.path).toBe('a')
  })

  it('tolerates a byte order mark, a late declaration, doubled dashes in comments and astral characters', () => {
    const root = parseXml(
      '\uFEFF\n<!-- a -- b <x> "c -->\n<?xml version="1.0"?>\n<!-- 🤖 --><a>\n<b t="🤖"/><!-- -- --><c/></a>\n<!-- end -->',
    )
    expect(root.children.map((child) => child.name)).toEqual(['b', 'c'])
    expect(root.children[1]?.place).toEqual({ line: 5, column: 23 })
  })

  it('tolerates zero bytes at the end', () => {
    expect(parseXml('<a/>\r\n\0\0').name).toBe('a')
    expect(() => parseXml('<a/>\0<b/>')).toThrow(/malformed XML/)
  })

  it('keeps what looks like a comment inside an attribute', () => {
    expect(parseXml('<a t="x &lt;!-- y --> z"/>').attributes['t']).toBe('x <!-- y --> z')
  })

  it('takes stray ampersands, < in quotes and touching attributes, and still knows every place', () => {
    const root = parseXml('<a>R&D &amp; more<b n="x&y<z &lt;"m=\'"\'k="1"/><c/>\n<d x="1"y="2"/><e/></a>')
    expect(root.text).toBe('R&D & more\n')
    expect({ ...root.children[0]?.attributes }).toEqual({ n: 'x&y<z <', m: '"', k: '1' })
    expect(root.children.map((child) => child.place.column)).toEqual([18, 47, 1, 16])
    expect(attributePlace(root.children[2] as XmlElement, 'y')).toEqual({ line: 2, column: 9 })
  })

  it('reports malformed text with line and column', () => {
    for (const [text, line] of [
      ['<a>\n<b>\n</a>', 3],
      ['<a x="1" x="2"/>', 1],
      ['<a>\n<b x=1/></a>', 2],
      ['', 1],
      ['<a>\n<!-- never closed', 2],
      ['plain words', 1],
      ['<a/>\n<b/>', 2],
      ['<?xml version="1.0"', 1],
      ['<a><![CDATA[ x', 1],
    ] as const) {
      const problem = problemOf(() => parseXml(text, 'bad.xml'))
      expect(problem?.place?.line, text).toBe(line)
      expect(problem?.place?.file).toBe('bad.xml')
    }
  })

  it('refuses trees deep enough to overflow the stack, in an error of its own', () => {
    expect(problemOf(() => parseXml('<a>'.repeat(100_000)))?.message).toMatch(/nested deeper/)
  })
})

describe('attribute readers', () => {
  const root = parseXml('<a n="1e-3" v="1 2\n 3" s="1 2" bad="1 x" inf="inf" nan="nan" hex="0x10" i="2.5" b="true" e="sphre" t=" w "/>')

  it('read numbers, vectors, words and note nothing', () => {
    const reader = createXmlReader()
    expect(readNumber(reader, root, 'n')).toBe(1e-3)
    expect(readVec3(reader, root, 'v')).toEqual([1, 2, 3])
    expect(readNumbers(reader, root, 's', 1, 3)).toEqual([1, 2])
    expect(readBoolean(reader, root, 'b')).toBe(true)
    expect(readString(reader, root, 't')).toBe(' w ')
    expect(readNumber(reader, root, 'absent')).toBeUndefined()
    expect(() => throwProblems(reader)).not.toThrow()
  })

  it.each([
    ['0, 0, 1', 'separate numbers by spaces, without commas'],
    ['0 0 pi/2', 'write π out, 3.14159'],
  ])('say what to write in place of %s', (text, remedy) => {
    const reader = createXmlReader()
    readVec3(reader, parseXml(`<a p="${text}"/>`), 'p')
    expect(reader.problems.map(({ message }) => message)).toEqual([`expected 3 finite numbers, got '${text}'; ${remedy}`])
  })

  it('collect every problem with the place of the attribute', () => {
    const reader = createXmlReader()
    for (const name of ['bad', 'inf', 'nan', 'hex']) expect(readNumbers(reader, root, name, 1, 2)).toBeUndefined()
    readVec3(reader, root, 's')
    readInteger(reader, root, 'i')
    readEnum(reader, root, 'e', ['sphere', 'box'])
    expect(reader.problems).toHaveLength(7)
    expect(reader.problems[4]).toEqual({
      path: 'a/@s',
      message: "expected 3 finite numbers, got '1 2'",
      place: { line: 2, column: 5 },
    })
    expect(reader.problems[6]?.message).toBe("expected one of sphere, box, got 'sphre'; did you mean 'sphere'?")
    expect(() => throwProblems(reader)).toThrow(ModelError)
  })

  it('remember what was looked at', () => {
    const reader = createXmlReader()
    const element = parseXml('<g x="1" y="2" z="3"/>')
    readNumber(reader, element, 'y')
    expect(unusedAttributes(reader, element)).toEqual(['x', 'z'])
  })

  it('place a problem at the element when the attribute is not written', () => {
    const reader = createXmlReader()
    addProblem(reader, root, 'missing', 'file')
    expect(reader.problems[0]?.place).toEqual({ line: 1, column: 1 })
    expect(attributePlace(root, 'n')).toEqual({ line: 1, column: 4 })
  })
})

it('suggest offers the nearest word, and none when all are far', () => {
  expect(suggest('massx', ['density', 'mass'])).toBe("; did you mean 'mass'?")
  expect(suggest('q', ['density', 'mass'])).toBe('')
})
