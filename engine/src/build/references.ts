/**
 * Names in a Spec → numbers: bodies, and points on them.
 */
import { describeValue } from '../model/remedies.js'
import type { Problems } from './problems.js'
import type { PointSpec } from './spec.js'
import type { BodyTree } from './tree.js'

export function bodyNumber(tree: BodyTree, path: string, name: string, problems: Problems): number {
  const i = tree.index.get(name)
  if (i === undefined)
    problems.add(
      path,
      `expected the name of a body or 'world', got ${describeValue(name)}${typeof name === 'string' ? problems.hintAt(name, tree.index.keys()) : ''}`,
    )
  return i ?? 0
}

export function point(tree: BodyTree, path: string, spec: PointSpec, problems: Problems): { body: number; x: readonly number[] } {
  return {
    body: bodyNumber(tree, `${path}/body`, spec.body, problems),
    x: problems.vector(`${path}/point`, spec.point, 3, [0, 0, 0]),
  }
}
