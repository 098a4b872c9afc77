/**
 * What a reader does not take over, one line for one cause: a robot of a hundred links says a hundred times over that Gazebo's settings
 * belong to Gazebo, and the line that matters would drown.
 */
import type { Ignored } from '../build/spec.js'

/** up to this many lines that differ by a name alone stand for themselves */
const FEW = 3

/** of what is drawn together, so many names are told */
const NAMES = 8

interface Group {
  readonly first: Ignored
  readonly names: Set<string>
  readonly entries: Ignored[]
}

/** Equal entries become one with a count; so do many that differ in quoted names alone, with the names. Order as in the file. */
export function foldIgnored(ignored: readonly Ignored[]): Ignored[] {
  const groups = new Map<string, Group>()
  for (const entry of ignored) {
    // what has no name is of the same kind
    const key = `${entry.what}\n${entry.why}`.replace(NAMED, '')
    let group = groups.get(key)
    if (!group) {
      group = { first: entry, names: new Set(), entries: [] }
      groups.set(key, group)
    }
    group.entries.push(entry)
    const name = entry.what.match(QUOTED)?.[0]
    if (name !== undefined) group.names.add(name)
  }
  return [...groups.values()].flatMap((group) => (distinct(group.entries) > FEW ? [drawTogether(group)] : countEqual(group.entries)))
}

const QUOTED = /'[^'\n]*'/g
const NAMED = / ?'[^'\n]*'/g

function distinct(entries: readonly Ignored[]): number {
  return new Set(entries.map(({ what, why }) => `${what}\n${why}`)).size
}

function drawTogether({ first, names, entries }: Group): Ignored {
  const others = [...names].slice(1)
  const told = others.slice(0, NAMES).join(', ')
  const also = others.length === 0 ? '' : `; also ${told}${others.length > NAMES ? ', …' : ''}`
  return { ...first, what: `${first.what} (${entries.length} times, first here${also})` }
}

function countEqual(entries: readonly Ignored[]): Ignored[] {
  const counted = new Map<string, { readonly entry: Ignored; count: number }>()
  for (const entry of entries) {
    const key = `${entry.what}\n${entry.why}`
    const known = counted.get(key)
    if (known) known.count++
    else counted.set(key, { entry, count: 1 })
  }
  return [...counted.values()].map(({ entry, count }) =>
    count > 1 ? { ...entry, what: `${entry.what} (${count} times, first here)` } : entry,
  )
}
