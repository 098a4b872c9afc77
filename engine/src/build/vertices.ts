/**
 * Points of bodies that deform, by number: each becomes a body of its own without mass, fixed to that point (`attach`), so that forces, loops and
 * contact at points know nothing of modes.
 */
import type { Problems } from './problems.js'
import type { PlacedBodySpec as BodySpec, LoadSpec, PointSpec, PlacedSpec as Spec } from './spec.js'

/** The spec with such bodies at the end of its list, named `body#vertex`. */
export function expandVertices(spec: Spec, problems: Problems): Spec {
  const added = new Map<string, BodySpec>()
  const find = (body: string, vertex: number, path: string): string => {
    const count = pointCount(spec, body)
    if (!Number.isInteger(vertex) || vertex < 0 || vertex >= count) {
      const range = count > 0 ? `from 0 to ${count - 1}` : `but '${body}' does not deform`
      problems.add(path, `expected the number of a point of '${body}', ${range}, got ${vertex}; give another one, or \`point\` instead`)
      return body
    }
    const name = `${body}#${vertex}`
    if (!added.has(name)) added.set(name, { name, parent: body, attach: { vertex } })
    return name
  }
  const at = <P extends PointSpec | LoadSpec>(point: P, path: string): P => {
    const { vertex, ...rest } = point
    if (vertex === undefined || point.body === undefined) return point
    return { ...rest, body: find(point.body, vertex, `${path}/vertex`) } as unknown as P
  }
  const ends = <E extends object>(entry: E, path: string): E => {
    const moved = Object.entries(entry).map(([key, value]) => [key, isPoint(value) ? at(value, `${path}/${key}`) : value])
    return Object.fromEntries(moved) as E
  }
  const list = <E extends object>(key: string, entries: readonly E[]): E[] => entries.map((entry, k) => ends(entry, `${key}/${k}`))
  const expanded = {
    ...(spec.springs ? { springs: list('springs', spec.springs) } : {}),
    ...(spec.constraints ? { constraints: list('constraints', spec.constraints) } : {}),
    ...(spec.loads ? { loads: spec.loads.map((load, k) => at(load, `loads/${k}`)) } : {}),
    ...(spec.tendons
      ? {
          tendons: spec.tendons.map((tendon, k) =>
            tendon.path
              ? { ...tendon, path: tendon.path.map((entry, e) => ('body' in entry ? at(entry, `tendons/${k}/path/${e}`) : entry)) }
              : tendon,
          ),
        }
      : {}),
  }
  spec.bodies.forEach(({ name, domain }, k) =>
    domain?.contact?.forEach((vertex, e) => {
      const touching = find(name, vertex, `bodies/${k}/domain/contact/${e}`)
      const body = added.get(touching)
      if (body) added.set(touching, { ...body, geoms: [{ shape: 'sphere', radius: 0 }] })
    }),
  )
  return added.size === 0 ? spec : { ...spec, ...expanded, bodies: [...spec.bodies, ...added.values()] }
}

function isPoint(value: unknown): value is PointSpec {
  return typeof value === 'object' && value !== null && 'body' in value && 'vertex' in value
}

function pointCount(spec: Spec, name: string): number {
  const body = spec.bodies.find((one) => one.name === name)
  const data = spec.domains?.find((domain) => domain.name === body?.domain?.name)?.data
  return data?.masses?.length ?? body?.deformation?.points?.length ?? 0
}
