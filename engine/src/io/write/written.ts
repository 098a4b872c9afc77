/**
 * What every writer gives back, and the list of what the target format could not take.
 */
import type { Ignored, Spec } from '../../build/spec.js'
import { shapeAt } from '../../model/shape-name.js'

export interface WrittenFile {
  /** relative to the document */
  readonly path: string
  readonly text: string
}

export interface Written {
  readonly text: string
  /** meshes the document refers to */
  readonly files: readonly WrittenFile[]
  /** what the format cannot say, or says differently */
  readonly ignored: readonly Ignored[]
}

export interface IgnoredList {
  readonly list: Ignored[]
  add(path: string, what: string, why: string): void
}

/** Paths get the name of a shape, and the line and column of the part, or of the nearest one around it, when the spec knows them. */
export function createIgnored(spec: Spec): IgnoredList {
  const list: Ignored[] = []
  return {
    list,
    add(path, what, why) {
      let key = path
      while (key !== '' && !spec.places?.[key]) key = key.slice(0, Math.max(0, key.lastIndexOf('/')))
      const place = spec.places?.[key]
      const where = [shapeAt(spec, path), place ? `${place.line}:${place.column}` : ''].filter((part) => part !== '')
      list.push({ path: where.length > 0 ? `${path} (${where.join(', ')})` : path, what, why })
    },
  }
}

export const OTHER_ORDER = 'the format numbers them depth first; list every subtree of the spec in one piece to keep the order'
