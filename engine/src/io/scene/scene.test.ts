import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { FULL_SPEC } from '../../../test/io/sample-specs.js'
import { createRandom } from '../../../test/random.js'
import type { Spec } from '../../build/spec.js'
import { ModelError } from '../../model/model-error.js'
import { parseScene } from './parse-scene.js'
import { sceneJsonSchema } from './scene-json-schema.js'
import { JOINT_TYPES, sceneSchema } from './scene-schema.js'
import { writeScene } from './write-scene.js'

function problemsOf(text: string): string[] {
  try {
    parseScene(text, { file: 'a.json' })
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return error.message.split('\n')
  }
  return []
}

function withoutPlaces(spec: Spec): Spec {
  const { places: _, ...rest } = spec
  return rest
}

describe('parseScene', () => {
  it('accepts comments, trailing commas, a byte order mark and a $schema key', () => {
    const spec = parseScene('\uFEFF// arm\n{ "$schema": "x", /* one */ "bodies": [{ "name": "a", },], }')
    expect(withoutPlaces(spec)).toEqual({ bodies: [{ name: 'a' }], ignored: [] })
  })

  it('gives the place of every element of a list', () => {
    const spec = parseScene(
      '{\n  "bodies": [\n    { "name": "a" },\n    { "name": "b",\n      "joints": [{ "type": "free" }] }\n  ],\n  "springs": [ { "a": { "body": "a" }, "b": { "body": "b" }, "stiffness": 1 } ]\n}',
      { file: 'm.json' },
    )
    expect(spec.places?.['bodies/0']).toEqual({ file: 'm.json', line: 3, column: 5 })
    expect(spec.places?.['bodies/1']).toEqual({ file: 'm.json', line: 4, column: 5 })
    expect(spec.places?.['bodies/1/joints/0']).toEqual({ file: 'm.json', line: 5, column: 18 })
    expect(spec.places?.['springs/0']).toEqual({ file: 'm.json', line: 7, column: 16 })
  })

  it('lists every problem at once, each with line and column', () => {
    const text = `{
  "gravity": [0, 0],
  "bodies": [
    { "nam": "a", "inertia": { "mass": "heavy" } },
    { "name": "b", "joints": [{ "type": "hinge" }], "geoms": [{ "shape": "sphre" }, { "shape": "sphere", "radius": -1 }] }
  ],
  "tendons": [{ "path": [{ "body": "a", "pont": [0, 0, 0] }], "rest": "long" }],
  "timestep": 1e999
}`
    expect(problemsOf(text)).toEqual([
      'a.json:2:14: gravity: expected a list of 3 (m/s². Default 0 0 -9.81), got a list of 2',
      'a.json:4:5: bodies/0/name: expected a string, got nothing; give one',
      "a.json:4:7: bodies/0: unknown key 'nam'; did you mean 'name'?",
      'a.json:4:40: bodies/0/inertia/mass: expected a number, got the string "heavy"; write a number, without quotes',
      `a.json:5:41: bodies/1/joints/0/type: expected one of ${JOINT_TYPES.join(', ')}, got the string "hinge"; that is 'revolute' here (body 'b')`,
      'a.json:5:74: bodies/1/geoms/0/shape: expected one of sphere, capsule, cylinder, box, ellipsoid, plane, mesh, heightfield, ' +
        "got the string \"sphre\"; did you mean 'sphere'? (body 'b')",
      "a.json:5:116: bodies/1/geoms/1/radius: expected a number at least 0 of sphere 1 of body 'b', got -1; check its sign",
      "a.json:7:41: tendons/0/path/0: unknown key 'pont'; did you mean 'point'?",
      'a.json:7:71: tendons/0/rest: expected a number or a list, got the string "long"; write a number, without quotes',
      'a.json:8:15: timestep: expected a number, got a number too large for double precision',
    ])
  })

  it.each([
    ['', 'a.json:1:1: expected a value, got the end of the file'],
    ['{ "bodies": [ }', "a.json:1:15: expected a value, got '}'"],
    ["{ 'bodies': [] }", "a.json:1:3: expected a key in double quotes, got ''bodies''; write \"bodies\""],
    ['{ bodies: [] }', 'a.json:1:3: expected a key in double quotes, got \'bodies\'; write "bodies"'],
    [
      '{ "gravity": [0, 0, -Infinity], "bodies": [] }',
      "a.json:1:21: expected a finite number, got '-Infinity'; check what it was computed from",
    ],
    [
      '{ "gravity": [0, 0, -.5], "bodies": [] }',
      "a.json:1:21: expected a value (number, string in double quotes, true, false, list or object), got '-.5'; write -0.5",
    ],
    ['{ "gravity": [0, 0, 1 }', "a.json:1:23: expected ',' or ']', got '}'"],
    ['{ "bodies": [], "gravity": 9.81 }', 'a.json:1:28: gravity: expected a list, got 9.81; write [9.81]'],
    ['[]', 'a.json:1:1: expected an object, got an empty list'],
    ['{ "bodies": [], "bodies": [] }', 'a.json:1:17: bodies: expected each key once, got it twice'],
    ['{ "bodies": [], "__proto__": { "name": "x" } }', "a.json:1:17: __proto__: unknown key '__proto__'"],
    [
      '{ "bodies": [{ "name": "a", "quaternion": [0, 0, 0, 0] }] }',
      "a.json:1:43: bodies/0/quaternion: expected a quaternion w x y z, got all zeros (body 'a')",
    ],
    [
      '{ "bodies": [], "meshes": [{ "name": "m", "vertices": [1], "faces": [] }] }',
      "a.json:1:55: meshes/0/vertices: expected three numbers x y z of every vertex, got 1 numbers in all (mesh 'm')",
    ],
    [
      '{ "bodies": [{ "name": "a", "joints": [{ "type": "revolute", "limits": [1, 0] }] }] }',
      "a.json:1:72: bodies/0/joints/0/limits: expected a lower and an upper bound, got [1,0]; swap them? (body 'a')",
    ],
  ])('says what is wrong with %s', (text, message) => {
    expect(problemsOf(text)[0]).toBe(message)
  })

  it('refuses nesting that would cost stack', () => {
    expect(problemsOf('['.repeat(100_000))[0]).toContain('expected fewer nested brackets')
    expect(problemsOf('{"a":'.repeat(100_000))[0]).toContain('expected fewer nested brackets')
  })

  it('gives a ModelError or a Spec for 1,000 mutations, seed 20', () => {
    const random = createRandom(20).unit
    const original = writeScene(FULL_SPEC)
    let parsed = 0
    for (let k = 0; k < 1000; k++) {
      const text = mutate(original, random)
      try {
        parseScene(text)
        parsed++
      } catch (error) {
        expect(error, text).toBeInstanceOf(ModelError)
        expect((error as ModelError).problems.length).toBeGreaterThan(0)
      }
    }
    // both outcomes must be met, or the mutations test nothing
    expect(parsed).toBeGreaterThan(20)
    expect(parsed).toBeLessThan(980)
  })
})

describe('writeScene', () => {
  it('is undone by parseScene on a mechanism with every feature', () => {
    const text = writeScene(FULL_SPEC)
    expect(withoutPlaces(parseScene(text))).toEqual(FULL_SPEC)
    expect(writeScene(parseScene(text))).toBe(text)
  })

  it('keeps every double exactly', () => {
    fc.assert(
      fc.property(fc.tuple(number(), number(), number()), (gravity) => {
        const back = parseScene(writeScene({ gravity, bodies: [] }))
        expect(back.gravity).toEqual(gravity)
      }),
      { seed: 7 },
    )
  })

  it('keeps short parts on one line and fills long lists', () => {
    const vertices = Array.from({ length: 300 }, (_, i) => i / 8)
    const text = writeScene({ bodies: [{ name: 'a', position: [1, 2, 3] }], meshes: [{ name: 'm', vertices, faces: [0, 1, 2] }] })
    expect(text).toContain('"bodies": [{ "name": "a", "position": [1, 2, 3] }]')
    expect(text.split('\n').length).toBeLessThan(40)
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
  })

  it('does not depend on the order in which keys were set', () => {
    expect(writeScene({ bodies: [{ name: 'a', parent: 'world' }], name: 'x' })).toBe(
      writeScene({ name: 'x', bodies: [{ parent: 'world', name: 'a' }] }),
    )
  })

  it('refuses numbers that JSON cannot hold', () => {
    expect(() => writeScene({ bodies: [], gravity: [0, Number.NaN, 0] })).toThrow('gravity/1: expected a finite number, got NaN')
  })
})

describe('constraints', () => {
  const spec: Spec = {
    bodies: [{ name: 'a', joints: [{ name: 'j', type: 'revolute' }] }, { name: 'b' }],
    constraints: [
      {
        type: 'point',
        name: 'pin',
        a: { body: 'a', point: [1, 0, 0] },
        b: { body: 'b' },
        axes: [
          [1, 0, 0],
          [0, 0, 1],
        ],
      },
      { type: 'hinge', a: { body: 'a', point: [1, 0, 0], axis: [0, 1, 0] }, b: { body: 'b' } },
      { type: 'planar', a: { body: 'world' }, b: { body: 'b' }, normal: [0, 1, 0], active: false },
      { type: 'motion', joint: 'j', offset: 0.1, speed: 2, amplitude: 0.5, frequency: 1.5, phase: 0.2 },
    ],
  }

  it('of loops and motions survive a round trip', () => {
    expect(withoutPlaces(parseScene(writeScene(spec)))).toEqual({ ...spec, ignored: [] })
  })

  it('with a direction of no length are refused at their place', () => {
    const text = '{ "bodies": [], "constraints": [{ "type": "planar", "a": { "body": "a" }, "b": { "body": "b" }, "normal": [0, 0, 0] }] }'
    expect(problemsOf(text)).toEqual([expect.stringContaining('constraints/0/normal: expected a direction x y z, got all zeros')])
  })
})

// optional fields included: an interface that gained one would otherwise still fit
type Plain<T> = T extends object ? { readonly [K in keyof T]-?: Plain<T[K]> } : T
type Fits<A, B> = [A] extends [B] ? true : never
type Format = Omit<z.output<typeof sceneSchema>, '$schema' | 'domains'>
// domains are files, or text, in a scene and numbers in a Spec
type Mechanism = Omit<Spec, 'places' | 'domains'>

/** Field by field: as a whole the types have become too deep for the compiler. */
type FitsByField<A, B> = { readonly [K in keyof A]: K extends keyof B ? Fits<A[K], B[K]> : never }[keyof A]

describe('sceneSchema', () => {
  it('is the interface Spec, both ways, or this file does not compile', () => {
    const agree: [Fits<Format, Mechanism>, Fits<Plain<Format>, Plain<Mechanism>>, FitsByField<Plain<Mechanism>, Plain<Format>>] = [
      true,
      true,
      true,
    ]
    expect(agree).toEqual([true, true, true])
    expect(Object.keys(sceneSchema.shape)).toContain('bodies')
  })
})

describe('sceneJsonSchema', () => {
  it('is a draft 2020-12 schema with a description on every field', () => {
    const schema = sceneJsonSchema() as {
      $schema: string
      $id: string
      title: string
      properties: Record<string, { description?: string }>
    }
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.$id).toMatch(/^urn:/)
    const missing: string[] = []
    collectUndescribed(schema, '', missing)
    expect(missing).toEqual([])
    expect(Object.keys(schema.properties)).toContain('$schema')
  })

  it('names the same keys as the format', () => {
    const text = JSON.stringify(sceneJsonSchema())
    for (const key of ['gravityCompensation', 'tendon-coupling', 'heightfield', 'controlRange', 'pulley'])
      expect(text).toContain(`"${key}"`)
    expect(text).not.toContain('"places"')
  })
})

function collectUndescribed(node: unknown, path: string, missing: string[]): void {
  if (typeof node !== 'object' || node === null) return
  const { properties } = node as { properties?: Record<string, Record<string, unknown>> }
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (!('description' in value) && !('$ref' in value) && !('const' in value)) missing.push(`${path}/${key}`)
  }
  for (const [key, value] of Object.entries(node)) collectUndescribed(value, `${path}/${key}`, missing)
}

function number(): fc.Arbitrary<number> {
  return fc.double({ noNaN: true, noDefaultInfinity: true })
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '//',
  '/*',
  '*/',
  '\\',
  'null',
  'true',
  '1e999',
  '-',
  '0',
  'NaN',
  '""',
  '{}',
  '[]',
  '\u0000',
  '\uD800',
  '"__proto__": 1,',
  '"x": 1,',
  '-1',
  '"free"',
]

function mutate(text: string, random: () => number): string {
  let result = text
  const count = 1 + Math.floor(random() * 3)
  for (let k = 0; k < count; k++) {
    const at = Math.floor(random() * result.length)
    const length = Math.floor(random() ** 3 * 40)
    const kind = Math.floor(random() * 5)
    if (kind === 0) result = result.slice(0, at) + result.slice(at + length)
    else if (kind === 1) result = result.slice(0, at) + PIECES[Math.floor(random() * PIECES.length)] + result.slice(at)
    else if (kind === 2) result = result.slice(0, at) + result.slice(at, at + length).repeat(2) + result.slice(at + length)
    else if (kind === 3) result = result.replace(/\d+/g, (digits) => (random() < 0.005 ? String(-Number(digits)) : digits))
    else result = swapToken(result, at, random)
  }
  return result
}

function swapToken(text: string, at: number, random: () => number): string {
  const tokens = [...text.matchAll(/"[^"\n]*"|-?\d[\d.e-]*|true|false/g)]
  const a = tokens.find((token) => (token.index ?? 0) >= at) ?? tokens[0]
  const b = tokens[Math.floor(random() * tokens.length)]
  if (!a || !b) return text
  return text.slice(0, a.index) + b[0] + text.slice((a.index ?? 0) + a[0].length)
}
