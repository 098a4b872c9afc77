/**
 * Bodies that go where they are told: a free joint of their own, carried weight, and so much inertia that nothing that pushes them shows.
 *
 * A simulation sets their velocity before every step, so that what they touch feels how they move.
 */
import type { Problems } from './problems.js'
import type { PlacedBodySpec as BodySpec, PlacedSpec as Spec } from './spec.js'

/** kg and kg m²: a load of a tonne moves it by a millionth of what it would move a kilogram */
const HEAVY = 1e9

export function expandDriven(spec: Spec, problems: Problems): Spec {
  if (!spec.bodies.some((body) => body.driven)) return spec
  return { ...spec, bodies: spec.bodies.map((body, k) => (body.driven ? expand(body, `bodies/${k}`, problems) : body)) }
}

function expand(body: BodySpec, path: string, problems: Problems): BodySpec {
  const { parent = 'world', joints = [], deformation, domain } = body
  if (parent !== 'world')
    problems.add(`${path}/parent`, `expected a driven body in the world, got parent '${parent}'; leave the parent out`)
  if (joints.length > 0) problems.add(`${path}/joints`, `expected no joints on a driven body, got ${joints.length}; leave them out`)
  if (deformation || domain) problems.add(path, 'expected a driven body that is rigid; put what deforms on a child')
  return { ...body, joints: [{ type: 'free', name: `${body.name}.pose`, armature: HEAVY }], gravityCompensation: 1 }
}
