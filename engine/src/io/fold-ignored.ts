/**
 * What a reader does not take over, one line for one cause: a robot of a hundred links says a hundred times over that Gazebo's settings
 * belong to Gazebo, and the line that matters would drown.
 */
import type { Ignored } from '../build/spec.js'

/** up to this many lines that differ by a name alone stand for themselves */
const FEW = 3

/** of what is drawn together, so many names are told */
const NAMES = 8

/** Entries that are equal. */
interface Counted {
  readonly entry: Ignored
  count: number
}

/** Equal entries become one with a count; so do many that differ in quoted names alone, with the names. Order as in the file. */
export function foldIgnored(ignored: readonly Ignored[]): Ignored[] {
  const groups = new Map<string, Counted[]>()
  for (const counted of countEqual(ignored)) {
    // what has no name is of the same kind
    const key = `${counted.entry.what}\n${counted.entry.why}`.replace(NAMED, '')
    const group = groups.get(key)
    if (group) group.push(counted)
    else groups.set(key, [counted])
  }
  return [...groups.values()].flatMap((group) => (group.length > FEW ? [drawTogether(group)] : group.map(told)))
}

const QUOTED = /'[^'\n]*'/g
const NAMED = / ?'[^'\n]*'/g

function drawTogether(group: readonly Counted[]): Ignored {
  const { entry } = group[0]
  const names = new Set(group.flatMap(({ entry: { what } }) => what.match(QUOTED)?.slice(0, 1) ?? []))
  const total = group.reduce((sum, { count }) => sum + count, 0)
  const others = [...names].slice(1)
  const named = others.slice(0, NAMES).join(', ')
  const also = others.length === 0 ? '' : `; also ${named}${others.length > NAMES ? ', …' : ''}`
  return { ...entry, what: `${entry.what} (${total} times, first here${also})` }
}

function told({ entry, count }: Counted): Ignored {
  return count > 1 ? { ...entry, what: `${entry.what} (${count} times, first here)` } : entry
}

function countEqual(entries: readonly Ignored[]): Counted[] {
  const counted: Counted[] = []
  // two levels: joined strings would have to be made for each entry
  const known = new Map<string, Map<string, Counted>>()
  for (const entry of entries) {
    let ofWhy = known.get(entry.why)
    if (!ofWhy) known.set(entry.why, (ofWhy = new Map()))
    const same = ofWhy.get(entry.what)
    if (same) {
      same.count++
      continue
    }
    const first = { entry, count: 1 }
    ofWhy.set(entry.what, first)
    counted.push(first)
  }
  return counted
}
