/**
 * What a shape is called in messages: by its name, or as people would look for it in their file.
 */
import type { Place } from './model-error.js'
import type { Geoms } from './shapes.js'

interface Shape {
  readonly name?: string
  readonly shape: string
}

/**
 * `shape 'foot'`, or `box 2 of body 'crate'` for the second box of a body where it has no name; `the world` in place of a body where `body` is
 * undefined. `place` adds its line.
 */
export function shapeName(geoms: readonly Shape[], k: number, body: string | undefined, place?: Place): string {
  return labelOf(geoms[k], placesByKind(geoms)[k], body, place)
}

/** The names of all shapes of a body, in one pass over them. */
export function shapeNames(
  geoms: readonly Shape[],
  body: string | undefined,
  placeOf: (k: number) => Place | undefined = () => undefined,
): string[] {
  const places = placesByKind(geoms)
  return geoms.map((geom, k) => labelOf(geom, places[k], body, placeOf(k)))
}

/** Of each shape: the how many of its kind it is. */
function placesByKind(geoms: readonly Shape[]): number[] {
  const counts = new Map<string, number>()
  return geoms.map(({ shape }) => {
    const number = (counts.get(shape) ?? 0) + 1
    counts.set(shape, number)
    return number
  })
}

function labelOf({ name, shape }: Shape, number: number, body: string | undefined, place: Place | undefined): string {
  const line = place ? ` (${place.file ? `${place.file}:` : 'line '}${place.line})` : ''
  if (name !== undefined && name !== '') return `shape '${name}'${line}`
  return `${shape} ${number} of ${body === undefined ? 'the world' : `body '${body}'`}${line}`
}

/** The same for a path into a spec such as `bodies/3/geoms/0/radius`; empty where it leads to no shape. */
export function shapeAt(spec: unknown, path: string): string {
  const at = /^(?:world|bodies\/(\d+))\/geoms\/(\d+)/.exec(path)
  if (!at) return ''
  const { world, bodies } = spec as { readonly world?: unknown; readonly bodies?: readonly unknown[] }
  const owner = (at[1] === undefined ? world : bodies?.[Number(at[1])]) as { readonly name?: unknown; readonly geoms?: unknown } | undefined
  const geoms = owner?.geoms
  if (!Array.isArray(geoms) || !isShape(geoms[Number(at[2])])) return ''
  const known = geoms.map((geom): Shape => (isShape(geom) ? geom : { shape: '' }))
  return shapeName(known, Number(at[2]), at[1] === undefined ? undefined : typeof owner?.name === 'string' ? owner.name : '')
}

/** Names of the shapes that touch, by their numbers. Allocates. */
export function touchingNames({ names, touching }: Pick<Geoms, 'names' | 'touching'>): string[] {
  const found: string[] = []
  for (let k = 0; k < touching.length; k++) if (touching[k] >= 0) found[touching[k]] = names[k]
  return found
}

function isShape(x: unknown): x is Shape {
  if (typeof x !== 'object' || x === null) return false
  const { name, shape } = x as { readonly name?: unknown; readonly shape?: unknown }
  return typeof shape === 'string' && shape !== '' && (name === undefined || typeof name === 'string')
}
