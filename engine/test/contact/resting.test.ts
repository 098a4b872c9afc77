/**
 * Every shape at rest on every other for ten seconds, with the solver that a model gets by default.
 */
import { buildModel, createSimulation, type GeomSpec, type MeshSpec, type ShapeSpec, type Spec, type Vec3 } from 'limber'
import { describe, expect, it } from 'vitest'

const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [0.3 * x, 0.25 * y, 0.2 * z])))
const meshes: MeshSpec[] = [{ name: 'block', vertices: corners, faces: [] }]
const SHAPES: Record<string, ShapeSpec> = {
  sphere: { shape: 'sphere', radius: 0.2 },
  capsule: { shape: 'capsule', radius: 0.1, length: 0.3 },
  ellipsoid: { shape: 'ellipsoid', radii: [0.3, 0.25, 0.2] },
  cylinder: { shape: 'cylinder', radius: 0.25, length: 0.4 },
  box: { shape: 'box', size: [0.6, 0.5, 0.4] },
  mesh: { shape: 'mesh', mesh: 'block' },
}
const GROUND: Record<string, ShapeSpec> = {
  plane: { shape: 'plane' },
  field: { shape: 'heightfield', size: [4, 4], rows: 3, columns: 3, heights: Array.from({ length: 9 }, () => 0) },
}
/** half heights, all upright but the capsule, which lies */
const TOP: Record<string, number> = { plane: 0, field: 0, sphere: 0.2, capsule: 0.1, ellipsoid: 0.2, cylinder: 0.2, box: 0.2, mesh: 0.2 }
const lying = (name: string): Partial<GeomSpec> => (name === 'capsule' ? { quaternion: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] } : {})
const DURATION = 10
const STEP = 0.005
/** how high it is dropped from, and how far it may be from where it touches in the end: what the solver leaves as penetration */
const DROP = 0.002
const LEFT = 1e-5

function settle(a: string, b: string, joints: NonNullable<Spec['bodies'][0]['joints']>): { q: Float64Array; v: Float64Array } {
  const geom = (name: string): GeomSpec => ({ ...(GROUND[name] ?? SHAPES[name]), ...lying(name) }) as GeomSpec
  const position: Vec3 = [0, 0, TOP[a] + TOP[b] + DROP]
  const model = buildModel({
    meshes,
    world: { geoms: [geom(a)] },
    bodies: [{ name: 'top', position, joints, inertia: { mass: 1, tensor: [0.02, 0.02, 0.02, 0, 0, 0] }, geoms: [geom(b)] }],
  })
  const simulation = createSimulation(model, { timestep: STEP })
  for (let k = 0; k < DURATION / STEP; k++) expect(simulation.step().message).toBe('')
  return simulation.state
}

const NAMES = Object.keys(SHAPES)
const PAIRS = [...Object.keys(GROUND), ...NAMES].flatMap((a, i) =>
  NAMES.filter((b) => a in GROUND || NAMES.indexOf(b) >= i - 2).map((b) => [a, b] as const),
)
/** those that stand by themselves */
const STABLE = ['plane', 'field', 'cylinder', 'box', 'mesh'].flatMap((a) =>
  ['capsule', 'ellipsoid', 'cylinder', 'box', 'mesh'].map((b) => [a, b] as const),
)

describe.each(PAIRS)('on a %s', (a, b) => {
  it(`a ${b} on a slide stays where it touches`, () => {
    const { q, v } = settle(a, b, [{ type: 'prismatic', axis: [0, 0, 1] }])
    expect(Math.abs(q[0] + DROP)).toBeLessThan(LEFT)
    expect(Math.abs(v[0])).toBeLessThan(LEFT)
  })
})

describe.each(STABLE)('on a %s', (a, b) => {
  it(`a free ${b} stays where it was put`, () => {
    const { q, v } = settle(a, b, [{ type: 'free' }])
    expect(Math.hypot(q[0], q[1])).toBeLessThan(1e-3)
    expect(Math.abs(q[2] - TOP[a] - TOP[b])).toBeLessThan(LEFT)
    expect(Math.abs(q[3])).toBeGreaterThan(1 - 1e-5)
    expect(Math.max(...v.map(Math.abs))).toBeLessThan(1e-4)
  })
})
