/**
 * What a JSON Schema allows at a place: names of properties, or values.
 */
import type { JsonPlace } from './json-place.js'

export interface Completion {
  /** as shown */
  readonly label: string
  /** as written into the text */
  readonly text: string
  readonly description: string
}

interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema | boolean
  readonly prefixItems?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

export function complete(root: object, place: JsonPlace): Completion[] {
  const schema = root as Schema
  const here = follow(schema, place)
  const wanted = place.prefix.toLowerCase()
  const all = place.expects === 'key' ? keys(schema, here, place.taken) : values(here)
  const seen = new Set<string>()
  return all.filter(({ label }) => {
    if (seen.has(label) || !label.toLowerCase().includes(wanted)) return false
    seen.add(label)
    return true
  })
}

/** Every schema that may hold at the place. */
function follow(root: Schema, { path }: JsonPlace): Schema[] {
  let now = expand(root, [root])
  for (const step of path) {
    const next = now.flatMap((schema) => {
      if (typeof step === 'string') return schema.properties?.[step] ?? []
      const items = schema.prefixItems?.[step] ?? schema.items
      return typeof items === 'object' ? items : []
    })
    now = expand(root, next)
  }
  return now
}

function expand(root: Schema, schemas: readonly Schema[], depth = 0): Schema[] {
  if (depth > 8) return []
  return schemas.flatMap((schema) => {
    const name = schema.$ref?.replace('#/$defs/', '')
    const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
    const referred = name ? (root.$defs?.[name] ?? []) : []
    return [schema, ...expand(root, [referred, parts].flat(), depth + 1)]
  })
}

function keys(root: Schema, here: readonly Schema[], taken: readonly string[]): Completion[] {
  return here.flatMap(({ properties = {} }) =>
    Object.entries(properties)
      .filter(([name]) => !taken.includes(name) && !name.startsWith('$'))
      .map(([name, schema]) => ({
        label: name,
        text: `"${name}": ${starter(expand(root, [schema]))}`,
        description: schema.description ?? '',
      })),
  )
}

/** Something to write over: an empty list, object or string. */
function starter(schemas: readonly Schema[]): string {
  const type = schemas.find((schema) => schema.type)?.type
  return { array: '[', object: '{', string: '"' }[type ?? ''] ?? ''
}

function values(here: readonly Schema[]): Completion[] {
  const found = here.flatMap((schema) => [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])])
  const flags = here.some(({ type }) => type === 'boolean') ? [true, false] : []
  return [...found, ...flags].map((value) => ({ label: String(value), text: JSON.stringify(value), description: '' }))
}
