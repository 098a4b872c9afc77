/** Keys of a Spec that is given as an object: those of the file format, and no others. */
import { buildModel, ModelError, type Spec, sceneJsonSchema } from 'limber'
import { describe, expect, it } from 'vitest'
import { type Keys, SPEC_KEYS } from './spec-keys.js'

/** What buildModel says of a spec, as programs without types may give one. */
function problems(spec: unknown): string[] {
  try {
    buildModel(spec as Spec)
  } catch (error) {
    if (error instanceof ModelError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('a spec given as an object', () => {
  it('has every unknown key refused at once, with the nearest known one and the name of the body', () => {
    const spec = {
      dt: 0.01,
      bodies: [
        { nmae: 'base' },
        {
          name: 'upper-arm',
          joint: [],
          inertia: { mass: 1, centre: [0, 0, 0] },
          joints: [{ type: 'revolute', name: 'elbow', axiss: [0, 1, 0] }],
          geoms: [{ shape: 'box', size: [1, 1, 1], radius: 1 }],
        },
      ],
      world: { geoms: [{ shape: 'plane', name: 'floor', pos: [0, 0, 0] }] },
      springs: [{ name: 'cable', a: { body: 'base', at: [0, 0, 0] }, b: { body: 'world' }, stiffness: 1 }],
    }
    const found = problems(spec)
    const wanted = [
      "unknown key 'dt'; did you mean 'timestep'?",
      "bodies/0: unknown key 'nmae'; did you mean 'name'?",
      "bodies/1: unknown key 'joint'; did you mean 'joints'? (body 'upper-arm')",
      "bodies/1/inertia: unknown key 'centre'; known keys are mass, com, tensor, axes, unchecked (body 'upper-arm')",
      "bodies/1/joints/0: unknown key 'axiss'; did you mean 'axis'? (joint 'elbow' of body 'upper-arm')",
      "world/geoms/0: unknown key 'pos'; did you mean 'position'? (shape 'floor')",
      "springs/0/a: unknown key 'at'; known keys are body, point, vertex (spring 'cable')",
      'bodies/0/name: expected a name, got none; give every body a name',
    ]
    for (const line of wanted) expect(found).toContain(line)
    expect(found.find((line) => line.startsWith('bodies/1/geoms/0'))).toMatch(
      /^bodies\/1\/geoms\/0: unknown key 'radius'.* \(body 'upper-arm'\)$/,
    )
    expect(found.length).toBeGreaterThanOrEqual(9)
  })

  it('has objects and lists where they belong, and is no other thing', () => {
    expect(problems({ bodies: { name: 'a' } })).toEqual(['bodies: expected a list, got an object; write [ … ]'])
    expect(problems({ bodies: [{ name: 'a', inertia: 5 }, 3] })).toEqual([
      "bodies/0/inertia: expected an object, got 5 (body 'a')",
      'bodies/1: expected an object, got 3',
    ])
    expect(problems('arm.xml')).toEqual(["expected an object, got 'arm.xml'"])
    expect(problems(undefined)).toEqual(['expected an object, got nothing'])
  })

  it('shows a number that was written as a string with its quotes', () => {
    expect(problems({ timestep: '0.01', bodies: [] })).toEqual([
      "timestep: expected a positive finite number, got '0.01'; write a number, without quotes",
    ])
    expect(problems({ bodies: [{ name: 'arm', inertia: { mass: '2' } }] })).toEqual([
      "bodies/0/inertia/mass: expected a non-negative finite number of body 'arm', got '2'; write a number, without quotes",
    ])
  })

  it('may hold keys without a value, those of readers, and the address of the schema', () => {
    const spec = { $schema: 'x.json', bodies: [{ name: 'a', joints: undefined, colour: undefined }], ignored: [], places: {} }
    expect(problems(spec)).toEqual([])
  })

  it('knows the keys of the schema of files', () => {
    const schema = sceneJsonSchema() as Schema
    expect(keysOfTable(SPEC_KEYS)).toEqual(keysOfSchema(schema, schema))
  })
})

type Tree = { readonly [key: string]: Tree | 'value' }

interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly const?: string
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Nested keys of the table; of objects with variants one entry for each. */
function keysOfTable({ known, by, variants }: Keys): Tree {
  if (by !== undefined) return Object.fromEntries(Object.entries(variants ?? {}).map(([tag, keys]) => [`${by} ${tag}`, keysOfTable(keys)]))
  return Object.fromEntries([...known].map(([key, nested]) => [key, nested ? keysOfTable(nested.keys) : 'value']))
}

/** The same of the schema. Places are for objects alone; the numbers of a domain come from its file. */
function keysOfSchema(schema: Schema, root: Schema): Tree {
  const found = objectKeys(schema, root)
  if (found === 'value') throw new Error('the schema has no keys')
  const { domains: _, ...others } = found
  return { ...others, places: 'value', domains: { name: 'value', data: 'value' } }
}

function objectKeys(schema: Schema, root: Schema): Tree | 'value' {
  const { $ref, items, properties } = schema
  if ($ref !== undefined) return objectKeys(root.$defs?.[$ref.split('/').at(-1) ?? ''] as Schema, root)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) {
    const tag = ['shape', 'type'].find((key) => branches.every((branch) => branch.properties?.[key]?.const !== undefined))
    const trees = branches.map((branch) => [branch.properties?.[tag ?? '']?.const, objectKeys(branch, root)] as const)
    if (tag !== undefined) return Object.fromEntries(trees.map(([value, tree]) => [`${tag} ${value}`, tree]))
    const objects = trees.map(([, tree]) => tree).filter((tree) => tree !== 'value')
    return objects.length === 0 ? 'value' : Object.assign({}, ...objects)
  }
  if (items) return objectKeys(items, root)
  if (!properties) return 'value'
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, objectKeys(value, root)]))
}
