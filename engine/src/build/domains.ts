/**
 * Domains of the Spec: checked, with the tables that their bodies share.
 */
import { hessianMatrix } from '../deformable/hessian.js'
import { pairCount, quadrupleCount, tripleCount } from '../deformable/monomials.js'
import type { Interface, Reduced } from '../deformable/reduced.js'
import type { BasisSource } from './bases.js'
import type { Problems } from './problems.js'
import type { Spec } from './spec.js'

export interface Domain {
  readonly basis: BasisSource
  readonly interfaces: readonly Interface[]
}

export function readDomains(spec: Spec, problems: Problems): ReadonlyMap<string, Domain> {
  const found = new Map<string, Domain>()
  const used = new Set(spec.bodies.map(({ domain }) => domain?.name))
  spec.domains?.forEach(({ name, data }, k) => {
    const path = `domains/${k}`
    if (typeof name !== 'string' || name === '') problems.add(`${path}/name`, 'expected a name, got none; give every domain a name')
    else if (found.has(name)) problems.add(`${path}/name`, `expected a unique name, got '${name}' again; rename one`)
    else if (checkLengths(data, `${path}/data`, problems)) {
      const { modes, vertices: points, masses, shapes, energy2, energy3, energy4, interfaces } = data
      const hessian = used.has(name) ? hessianMatrix(modes, energy2, energy3, energy4) : new Float64Array(0)
      found.set(name, { interfaces, basis: { name, modes, points, masses, shapes, hessian } })
    }
  })
  return found
}

/** Programs may make such data themselves: lengths that do not fit would read past the end. */
function checkLengths(data: Reduced, path: string, problems: Problems): boolean {
  if (typeof data !== 'object' || data === null || !(data.vertices instanceof Float64Array)) {
    problems.add(
      path,
      `expected a reduced domain, got ${data === null ? 'null' : typeof data}; give what \`readReduced\` or \`reduce\` made`,
    )
    return false
  }
  const { modes: r, vertices, masses, shapes, energy2, energy3, energy4, interfaces } = data
  const points = masses.length
  const expected: readonly (readonly [string, number, number])[] = [
    ['vertices', vertices.length, 3 * points],
    ['shapes', shapes.length, 3 * points * r],
    ['energy2', energy2.length, pairCount(r)],
    ['energy3', energy3.length, tripleCount(r)],
    ['energy4', energy4.length, quadrupleCount(r)],
  ]
  const wrong = expected.filter(([, length, wanted]) => length !== wanted)
  for (const [key, length, wanted] of wrong) {
    problems.add(`${path}/${key}`, `expected ${wanted} numbers for ${points} vertices and ${r} modes, got ${length}; reduce the mesh anew`)
  }
  interfaces.forEach(({ name, vertices: list }) => {
    if (list.every((v) => v >= 0 && v < points)) return
    problems.add(`${path}/interfaces`, `expected vertices from 0 to ${points - 1} in interface '${name}', got others; reduce the mesh anew`)
  })
  return wrong.length === 0
}
