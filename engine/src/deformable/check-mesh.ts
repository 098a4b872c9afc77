/**
 * What makes a mesh unfit for reduction, by the element or vertex at fault: numbers that do not exist, faces of three elements, vertices of none, parts
 * that do not hang together by faces.
 */
import { ModelError, type Problem } from '../model/model-error.js'
import type { Face, Mesh } from './mesh.js'

/** Throws a ModelError with what is wrong before faces can be looked at. */
export function checkElements({ vertices, corners, elements }: Mesh): void {
  const count = vertices.length / 3
  const fail = (path: string, message: string): never => {
    throw new ModelError([{ path, message }])
  }
  if (elements.length === 0) fail('mesh', 'expected elements, got none')
  if (elements.length % corners !== 0) fail('elements', `expected ${corners} vertices an element, got ${elements.length} in all`)
  const used = new Uint8Array(count)
  for (let k = 0; k < elements.length; k++) {
    const v = elements[k]
    const e = Math.floor(k / corners)
    if (!(v >= 0 && v < count)) fail(`element ${e}`, `expected vertex numbers from 0 to ${count - 1}, got ${v}`)
    if (elements.indexOf(v, corners * e) < k) fail(`element ${e}`, `expected ${corners} different vertices, got ${v} twice (degenerate)`)
    used[v] = 1
  }
  for (let i = 0; i < vertices.length; i++) {
    if (!Number.isFinite(vertices[i])) fail(`vertex ${Math.floor(i / 3)}`, `expected numbers as coordinates, got ${vertices[i]}`)
  }
  const unused = used.indexOf(0)
  if (unused >= 0) {
    const more = used.filter((x) => x === 0).length - 1
    fail(
      `vertex ${unused}`,
      `expected an element that uses it, got none${more > 0 ? ` (nor for ${more} more)` : ''}; remove vertices without elements`,
    )
  }
}

/** Throws a ModelError where faces do not bound one volume. */
export function checkFaces({ corners, elements }: Mesh, faces: ReadonlyMap<string, Face>): void {
  const count = elements.length / corners
  const problems: Problem[] = []
  /** an element of the same part, to the first of it in the end */
  const part = Int32Array.from({ length: count }, (_, e) => e)
  const find = (e: number): number => {
    let root = e
    while (part[root] !== root) root = part[root]
    part[e] = root
    return root
  }
  for (const { vertices, elements: sides } of faces.values()) {
    if (sides.length > 2) {
      const message = `expected a face of at most two elements, got vertices ${vertices.join(', ')} in elements ${sides.join(', ')} (non-manifold)`
      problems.push({ path: `element ${sides[2]}`, message: `${message}; remove elements that overlap` })
    }
    for (const e of sides) {
      const [a, b] = [find(sides[0]), find(e)]
      part[Math.max(a, b)] = Math.min(a, b)
    }
  }
  const other = part.findIndex((_, e) => find(e) !== 0)
  if (other >= 0) {
    const parts = part.filter((_, e) => find(e) === e).length
    const message = `expected elements that hang together by faces, got ${parts} parts, one of them with this element (disconnected)`
    problems.push({ path: `element ${other}`, message: `${message}; join them, or reduce each by itself` })
  }
  if (problems.length > 0) throw new ModelError(problems.slice(0, 10))
}
