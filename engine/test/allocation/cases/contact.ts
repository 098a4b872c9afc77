/** The search for contacts of every shape, and the frames of what it finds. */
import type { ShapeSpec } from '../../../src/build/spec.js'
import { createContacts } from '../../../src/contact/contacts.js'
import { findContacts } from '../../../src/contact/find-contacts.js'
import { tangentBasis } from '../../../src/contact/rows.js'
import { createRandom, freeBodies, posesOf, randomShape, type SolidShape } from '../../contact/bodies.js'
import type { AllocationCase } from '../allocation-case.js'

const TIMES = 200
/** a search that finds less shows little */
const FEWEST = 20

export function contactCases(): AllocationCase[] {
  const random = createRandom(1)
  const field: ShapeSpec = {
    shape: 'heightfield',
    size: [6, 6],
    rows: 20,
    columns: 20,
    heights: Array.from({ length: 400 }, () => random.between(-0.2, 0.2)),
  }
  const corners = Array.from({ length: 30 }, () => random.vec3(0.6)).flat()
  const rock: ShapeSpec = { shape: 'mesh', mesh: 'rock' }
  const solids = (kinds: readonly SolidShape[]): ShapeSpec[] =>
    Array.from({ length: 60 }, (_, k) => randomShape(kinds[k % kinds.length], random))
  const scenes: Record<string, readonly ShapeSpec[]> = {
    spheres: solids(['sphere']),
    capsules: solids(['capsule']),
    boxes: solids(['box']),
    mixed: solids(['sphere', 'capsule', 'ellipsoid', 'cylinder', 'box']),
    hulls: [{ shape: 'plane' }, field, ...solids(['sphere', 'cylinder', 'box']).slice(0, 20), ...Array.from({ length: 20 }, () => rock)],
    plane: [{ shape: 'plane' }, ...solids(['sphere', 'capsule', 'box', 'cylinder', 'ellipsoid'])],
    'spheres on a field': [field, ...solids(['sphere'])],
    'all on a field': [field, ...solids(['sphere', 'capsule', 'box', 'cylinder', 'ellipsoid'])],
  }

  return Object.entries(scenes).map(([name, shapes]) => ({
    name,
    times: TIMES,
    prepare() {
      const g = freeBodies(shapes, [{ name: 'rock', vertices: corners, faces: [] }])
      const c = createContacts(g, 20_000)
      const tangent = new Float64Array(6)
      const poses = Array.from({ length: 7 }, () => posesOf(shapes.map(() => random.pose(2))))
      let n = 0
      return {
        run: () => {
          const X = poses[n++ % poses.length]
          findContacts(c, g, X, 0.05)
          for (let k = 0; k < c.count; k++) tangentBasis(tangent, 0, c.normal, 3 * k)
        },
        check: () => {
          if (c.count < FEWEST) throw new Error(`only ${c.count} contacts`)
        },
      }
    },
  }))
}
