/**
 * The page that lists every key of a Spec: tables from the JSON Schema of scene files, with values from scenes that use all of them.
 */

/** Sections of the schema: objects, and unions of objects, in the order in which the root refers to them. */
function listSections(schema) {
  const sections = new Map()
  const visit = (node, name) => {
    const target = resolve(schema, node)
    const named = namedBranches(target)
    if (named) {
      for (const branch of named) visit(branch, name)
      return
    }
    const variants = variantsOf(schema, target)
    if (variants.length === 0) return
    const title = nameOf(node) ?? name
    if (sections.has(title)) return
    const section = { title, description: title === 'Spec' ? '' : (target.description ?? ''), variants, keys: new Map() }
    sections.set(title, section)
    for (const variant of variants) {
      for (const [key, value] of Object.entries(variant.properties)) {
        const known = section.keys.get(key) ?? { node: value, of: [], required: true }
        known.of.push(variant)
        known.required &&= variant.required?.includes(key) ?? false
        section.keys.set(key, known)
      }
    }
    for (const [key, { node: value }] of section.keys) visit(itemOf(schema, value), `${title}.${key}`)
  }
  visit(schema, 'Spec')
  return sections
}

const nameOf = (node) => node.$ref?.split('/').at(-1)
const resolve = (schema, node) =>
  node.$ref ? { ...schema.$defs[nameOf(node)], ...(node.description ? { description: node.description } : {}) } : node

/** What a list is made of, or the value itself. */
function itemOf(schema, node) {
  const target = resolve(schema, node)
  if (target.type === 'array' && typeof target.items === 'object') return itemOf(schema, target.items)
  return node
}

/** Branches of a union that all have sections of their own. */
function namedBranches({ anyOf }) {
  return anyOf?.every((branch) => branch.$ref) ? anyOf : undefined
}

/** The objects that a value may be. */
function variantsOf(schema, node) {
  if (node.properties) return [node]
  return (node.oneOf ?? node.anyOf ?? []).flatMap((branch) => variantsOf(schema, resolve(schema, branch)))
}

/** The variant that this value is of. */
function variantFor(variants, value) {
  const keys = Object.keys(value)
  return variants.find(
    ({ properties, required = [] }) =>
      keys.every((key) => key in properties && (properties[key].const === undefined || properties[key].const === value[key])) &&
      required.every((key) => key in value),
  )
}

/** The first value of each key of each section in the scenes: `Joint.axis` → [0, 1, 0]. */
function collectValues(schema, scenes) {
  const found = new Map()
  const visit = (node, name, value) => {
    if (Array.isArray(value)) {
      const target = resolve(schema, node)
      const items = [target, ...(target.anyOf ?? [])].find((branch) => typeof branch.items === 'object')?.items
      if (items) for (const item of value) visit(items, name, item)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const named = namedBranches(resolve(schema, node))
    if (named) {
      const branch = named.find((one) => variantFor(variantsOf(schema, resolve(schema, one)), value))
      if (branch) visit(branch, name, value)
      return
    }
    const variant = variantFor(variantsOf(schema, resolve(schema, node)), value)
    if (!variant) return
    const title = nameOf(node) ?? name
    for (const [key, inner] of Object.entries(value)) {
      const path = `${title}.${key}`
      if (!found.has(path)) found.set(path, inner)
      visit(variant.properties[key], path, inner)
    }
  }
  for (const scene of Object.values(scenes)) visit(schema, 'Spec', scene)
  return found
}

const anchor = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** Kind of a value, in words. */
function typeOf(schema, node, name) {
  const target = resolve(schema, node)
  const section = nameOf(node) ?? name
  if (target.const !== undefined) return `\`${target.const}\``
  if (target.enum) return target.enum.map((word) => `\`${word}\``).join(', ')
  if (target.type === 'array') {
    if (target.prefixItems) {
      const inner = typeOf(schema, target.prefixItems[0], name)
      return `${target.prefixItems.length} ${inner === 'number' ? 'numbers' : inner === 'text' ? 'texts' : inner}`
    }
    const inner = typeOf(schema, target.items, name)
    return inner === 'number' || inner === 'whole number' ? `list of ${inner}s` : `list of ${inner}`
  }
  const branches = target.oneOf ?? target.anyOf
  if (variantsOf(schema, target).length > 0 && (nameOf(node) || target.properties)) return `[${section}](#${anchor(section)})`
  if (branches) return [...new Set(branches.map((branch) => typeOf(schema, branch, name)))].join(' or ')
  if (target.properties) return `[${section}](#${anchor(section)})`
  return (
    { number: 'number', integer: 'whole number', string: 'text', boolean: 'true or false', object: 'keys and values' }[target.type] ?? 'any'
  )
}

const LONGEST = 70

function example(value) {
  const text = inline(value)
  return `\`${text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text}\``
}

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${inline(inner)}`)
    .join(', ')} }`
}

const WIDTH = 118

/** JSON that breaks only what does not fit a line. */
function format(value, indent = '', lead = 0) {
  const flat = inline(value)
  if (typeof value !== 'object' || value === null || indent.length + lead + flat.length <= WIDTH) return flat
  const more = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => more + format(item, more))
    : Object.entries(value).map(([key, item]) => `${more}${JSON.stringify(key)}: ${format(item, more, key.length + 4)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

/** Keys for which no scene has a value: the page must have an example of each. */
export function missingExamples(schema, scenes) {
  const values = collectValues(schema, scenes)
  return [...listSections(schema).values()].flatMap(({ title, keys }) =>
    [...keys.keys()].map((key) => `${title}.${key}`).filter((path) => !values.has(path)),
  )
}

/** The whole page. */
export function specPage(schema, scenes) {
  const values = collectValues(schema, scenes)
  const lines = [
    '# Every key of a Spec',
    '',
    'A mechanism is plain JSON: the interface `Spec` in a program, the same keys in a scene file. This page lists all keys.',
    'It is made from the schema that readers check files with (`limber schema` prints it) by `node tools/spec-page/write.mjs`.',
    'Its examples are read and built by a test.',
    '',
    'Units: metres, kilograms, seconds, radians. Right-handed, z up. Quaternions w x y z.',
    'Keys in bold are required; unknown keys are refused.',
    '',
    'Scenes that use all of these keys stand [at the end](#scenes).',
  ]
  for (const { title, description, variants, keys } of listSections(schema).values()) {
    lines.push('', `## ${title}`, '')
    if (description) lines.push(`${description}.`.replace(/\.\.$/, '.'), '')
    const only = variants.length > 1
    lines.push(only ? '| key | of | value | meaning | example |' : '| key | value | meaning | example |')
    lines.push(only ? '|---|---|---|---|---|' : '|---|---|---|---|')
    for (const [key, { node, of, required }] of keys) {
      const consts = [...new Set(of.map((variant) => variant.properties[key].const).filter((word) => word !== undefined))]
      const value = consts.length > 0 ? consts.map((word) => `\`${word}\``).join(', ') : typeOf(schema, node, `${title}.${key}`)
      const meaning = consts.length > 0 ? 'Which kind it is' : (resolve(schema, node).description ?? '')
      const cells = [
        required ? `**\`${key}\`**` : `\`${key}\``,
        ...(only ? [of.length === variants.length ? 'all' : of.map(kindOf).join(', ')] : []),
        value,
        meaning,
        values.has(`${title}.${key}`) ? example(values.get(`${title}.${key}`)) : '',
      ]
      lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    }
  }
  lines.push('', '## Scenes')
  for (const [name, scene] of Object.entries(scenes)) lines.push('', `### ${name}`, '', '```json', format(scene), '```')
  return `${lines.join('\n')}\n`
}

/** What tells a variant from the others: its shape or type, else its own first key. */
function kindOf({ properties, required = [] }) {
  const tag = Object.values(properties).find((node) => node.const !== undefined)
  return tag ? String(tag.const) : `with ${required[0]}`
}
