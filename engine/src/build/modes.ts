/**
 * Modes of bodies: domains, or point masses and shapes of the Spec → tables that bodies share, and what each has of its own (`model/modes`).
 * Their coordinates are numbered with the joints'.
 */
import { squared } from '../math/own.js'
import type { Vec } from '../math/types.js'
import type { Modes } from '../model/modes.js'
import { addScaledInertia, type BasisSource, restInertia, runningSums, sumBases } from './bases.js'
import { type Domain, readDomains } from './domains.js'
import { buildFrames } from './frames.js'
import type { Problems } from './problems.js'
import type { BodySpec, Spec } from './spec.js'
import type { BodyTree } from './tree.js'

/** What a body deforms by: its basis, and the interfaces of the domain where it has one. */
export interface Deforming {
  readonly basis: BasisSource
  readonly domain: Domain | undefined
  readonly scale: number
}

// phases of bodies that say none: no two are alike, and neighbours are far apart
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** Adds the point masses to the inertias; writes X_PJ of bodies that stand at a point. `iq` and `iv` are left to `buildJoints`. */
export function buildModes(spec: Spec, tree: BodyTree, inertia: Vec, X_PJ: Vec, problems: Problems): Modes {
  const nbody = tree.bodies.length + 1
  const domains = readDomains(spec, problems)
  const deforming = tree.bodies.map(({ spec: body, at }) => findDeforming(body, `bodies/${at}`, domains, problems))
  const inertias = new Map([...new Set(deforming.flatMap((own) => (own ? [own.basis] : [])))].map((basis) => [basis, restInertia(basis)]))
  tree.bodies.forEach(({ spec: body, at }, k) => {
    const own = deforming[k]
    if (own === undefined) return
    addScaledInertia(inertia, 10 * (k + 1), inertias.get(own.basis) as Vec, own.scale)
    if (body.gravityCompensation) {
      problems.add(
        `bodies/${at}/gravityCompensation`,
        'expected none on a body that deforms: its point masses would still have their weight; leave it out',
      )
    }
  })

  const bodies = Int32Array.from({ length: nbody - 1 }, (_, k) => k + 1).filter((i) => (deforming[i - 1]?.basis.modes ?? 0) > 0)
  const own = Array.from(bodies, (i) => deforming[i - 1] as Deforming)
  const counts = own.map(({ basis }) => basis.modes)
  const row = new Int32Array(nbody).fill(-1)
  bodies.forEach((i, n) => {
    row[i] = n
  })
  const start = runningSums(counts)
  const sources = [...new Set(own.map(({ basis }) => basis))]
  const positive = (n: number, key: 'scale' | 'frequency', x = 1): number =>
    problems.number(`bodies/${tree.bodies[bodies[n] - 1].at}/domain/${key}`, x, 'positive')
  const damping = (n: number, key: 'mass' | 'stiffness'): number => {
    const { spec: body, at } = tree.bodies[bodies[n] - 1]
    return problems.number(`bodies/${at}/domain/damping/${key}`, body.domain?.damping?.[key] ?? 0, 'non-negative')
  }
  return {
    ...{ bodies, start, row, count: start[bodies.length] },
    iq: new Int32Array(start[bodies.length]),
    iv: new Int32Array(start[bodies.length]),
    block: runningSums(counts.map((r) => r * r)),
    basis: Int32Array.from(own, ({ basis }) => sources.indexOf(basis)),
    scale: Float64Array.from(own, (_, n) => positive(n, 'scale', tree.bodies[bodies[n] - 1].spec.domain?.scale)),
    stiffening: Float64Array.from(own, (_, n) => squared(positive(n, 'frequency', tree.bodies[bodies[n] - 1].spec.domain?.frequency))),
    alpha: Float64Array.from(own, (_, n) => damping(n, 'mass')),
    beta: Float64Array.from(own, (_, n) => damping(n, 'stiffness')),
    drag: new Float64Array(3 * bodies.length),
    phase: Float64Array.from(own, (_, n) => {
      const { spec: body, at } = tree.bodies[bodies[n] - 1]
      return problems.number(`bodies/${at}/domain/phase`, body.domain?.phase ?? GOLDEN_ANGLE * n)
    }),
    bases: sumBases(sources),
    ...buildFrames(tree, deforming, bodies, X_PJ, problems),
  }
}

function findDeforming(body: BodySpec, path: string, domains: ReadonlyMap<string, Domain>, problems: Problems): Deforming | undefined {
  if (body.domain === undefined) {
    if (body.deformation === undefined) return undefined
    return { basis: ownBasis(body, `${path}/deformation`, problems), domain: undefined, scale: 1 }
  }
  if (body.deformation !== undefined) {
    problems.add(path, "expected either 'domain' or 'deformation', got both; leave one out")
  }
  const domain = domains.get(body.domain.name)
  if (domain === undefined) {
    problems.add(
      `${path}/domain/name`,
      `expected the name of a domain, got '${body.domain.name}'${problems.hintAt(String(body.domain.name), domains.keys())}; add it to 'domains'`,
    )
    return undefined
  }
  const { scale = 1 } = body.domain
  return { basis: domain.basis, domain, scale: Number.isFinite(scale) ? scale : 1 }
}

export function modesOf(body: BodySpec): NonNullable<BodySpec['deformation']>['modes'] {
  const modes = body.deformation?.modes
  return Array.isArray(modes) ? modes : []
}

/** Points and shapes that stand in the body itself. */
function ownBasis(body: BodySpec, path: string, problems: Problems): BasisSource {
  const points = body.deformation?.points ?? []
  const modes = modesOf(body)
  if (modes.length === 0) {
    problems.add(`${path}/modes`, 'expected at least one mode, got none; leave `deformation` out of a rigid body')
  }
  modes.forEach((mode, l) => {
    if (mode.shape?.length !== points.length)
      problems.add(
        `${path}/modes/${l}/shape`,
        `expected ${points.length} vectors, one for each point, got ${mode.shape?.length ?? 'none'}; give as many as there are points`,
      )
  })
  const zero = [0, 0, 0]
  return {
    name: body.name,
    modes: modes.length,
    points: Float64Array.from(points.flatMap(({ position }, k) => problems.vector(`${path}/points/${k}/position`, position, 3, zero))),
    masses: Float64Array.from(points, ({ mass }, k) => problems.number(`${path}/points/${k}/mass`, mass, 'non-negative')),
    shapes: Float64Array.from(
      modes.flatMap((mode, l) => points.flatMap((_, k) => problems.vector(`${path}/modes/${l}/shape/${k}`, mode.shape?.[k], 3, zero))),
    ),
    hessian: new Float64Array(0),
  }
}
