/**
 * Contacts and distances at any pose: beside MuJoCo's `mj_geomDistance`, and without a trace in the steps that follow.
 */
import {
  buildModel,
  createSimulation,
  type Model,
  parseMjcf,
  type ShapeDistance,
  type Simulation,
  type SolverName,
  type Spec,
  type Vec3,
} from 'limber'
import { createSimulationWith, ode } from 'limber/core'
import { loadSimulation } from 'limber/on-demand'
import { describe, expect, it } from 'vitest'
import { compileMjcf, mujoco } from '../io/mujoco.js'
import { createRandom, type Random } from '../random.js'

const SHAPES: Readonly<Record<string, string>> = {
  sphere: 'type="sphere" size=".2"',
  capsule: 'type="capsule" size=".1 .25"',
  ellipsoid: 'type="ellipsoid" size=".1 .2 .3"',
  cylinder: 'type="cylinder" size=".15 .2"',
  box: 'type="box" size=".1 .2 .15"',
  mesh: 'type="mesh" mesh="wedge"',
}
const KINDS = Object.keys(SHAPES)
const PAIRS = [
  ...KINDS.flatMap((a, i) => KINDS.slice(i).map((b) => [a, b] as const)),
  ...KINDS.map((b) => ['plane', b] as const),
  ...KINDS.map((a) => [a, 'plane'] as const),
]

/** Two bodies that float, or one above a plane that is tilted; `given` are further attributes of the shapes. */
function worldOf(a: string, b: string, given = ''): string {
  const body = (kind: string, name: string): string =>
    kind === 'plane'
      ? `<geom name="${name}" type="plane" size="0 0 1" pos="0 0 -.4" euler="10 20 0" ${given}/>`
      : `<body name="${name}"><freejoint/><geom name="${name}" ${SHAPES[kind]} ${given}/></body>`
  return `<mujoco>
    <asset><mesh name="wedge" vertex="-.1 -.1 -.2  .3 0 -.1  0 .3 0  0 0 .3  .2 .2 .2"/></asset>
    <worldbody>${body(a, 'a')}${body(b, 'b')}</worldbody>
  </mujoco>`
}

function randomPose(random: Random, bodies: number): Float64Array {
  return Float64Array.from(Array.from({ length: bodies }, () => [...random.vec3(0.45), ...random.quat()]).flat())
}

/** m: MuJoCo iterates with curved shapes to 1e-6, and keeps meshes in single precision */
const AGREEMENT = 1e-4
/** m: identities of our own numbers */
const ROUNDING = 1e-9

describe.each(PAIRS)('the distance of a %s and a %s', (a, b) => {
  it('is that of mj_geomDistance, apart and overlapping, with points that it separates (seed 1)', async () => {
    const mj = await mujoco()
    const text = worldOf(a, b)
    const theirs = await compileMjcf(text)
    const data = new mj.MjData(theirs)
    const line = new mj.DoubleBuffer(6)
    const model = buildModel(parseMjcf(text))
    const seen = buildModel(parseMjcf(worldOf(a, b, 'contype="0" conaffinity="0"')))
    const [simulation, visual] = [createSimulation(model, { solver: 'ode' }), createSimulation(seen)]
    const random = createRandom(1)
    let [apart, overlapping, exact] = [0, 0, 0]
    try {
      for (let n = 0; n < 40; n++) {
        const q = randomPose(random, model.nq / 7)
        ;(data.qpos as Float64Array).set(q)
        mj.mj_forward(theirs, data)
        const wanted = mj.mj_geomDistance(theirs, data, 0, 1, 10, line)
        const found = simulation.distance('a', 'b', { at: q })
        checkIdentities(found, simulation.distance('b', 'a', { at: q }), visual.distance('a', 'b', { at: q }))
        if (wanted > 0) apart++
        else overlapping++
        if (Math.abs(found.distance - wanted) < AGREEMENT) exact++
        if (wanted > 0) expect(Math.abs(found.distance - wanted), `case ${n}: ${found.distance} for ${wanted}`).toBeLessThan(AGREEMENT)
        else {
          // MuJoCo counts the radius alone where the axis of a capsule is in a box; moved along the normal by the distance, ours just touch
          expect(found.distance, `case ${n}`).toBeLessThan(AGREEMENT)
          const free = b === 'plane' ? -1 : 1
          for (let r = 0; r < 3; r++) q[q.length - 7 + r] -= free * found.distance * found.normal[r]
          expect(Math.abs(simulation.distance('a', 'b', { at: q }).distance), `case ${n}`).toBeLessThan(1e-6)
        }
      }
    } finally {
      line.delete()
      data.delete()
      theirs.delete()
    }
    expect(apart).toBeGreaterThan(3)
    expect(overlapping).toBeGreaterThan(3)
    expect(exact).toBeGreaterThan(30)
  })
})

function checkIdentities(found: ShapeDistance, exchanged: ShapeDistance, visual: ShapeDistance): void {
  expect(Math.hypot(...found.normal)).toBeCloseTo(1, 9)
  for (let r = 0; r < 3; r++) {
    // the points are `distance` apart along the normal
    expect(Math.abs(found.pointB[r] - found.pointA[r] - found.distance * found.normal[r])).toBeLessThan(ROUNDING)
    expect(Math.abs(found.pointA[r] - exchanged.pointB[r])).toBeLessThan(found.distance > 1e-3 ? 1e-3 : 1)
    expect(Math.abs(visual.normal[r] - found.normal[r])).toBeLessThan(1e-6)
  }
  expect(Math.abs(exchanged.distance - found.distance)).toBeLessThan(1e-6)
  expect(Math.abs(visual.distance - found.distance)).toBeLessThan(ROUNDING)
}

/** Rotation of a unit quaternion, row by row. */
function rotationOf([w, x, y, z]: readonly number[]): number[] {
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    ...[2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    ...[2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ]
}

describe('the distance to a height field', () => {
  const [rows, columns] = [3, 4]
  const random = createRandom(2)
  const heights = Array.from({ length: rows * columns }, () => random.between(-0.3, 0.3))
  const size = [1.5, 1.2] as const
  const node = (i: number, j: number): number[] => [
    size[0] * (i / (columns - 1) - 0.5),
    size[1] * (j / (rows - 1) - 0.5),
    heights[j * columns + i],
  ]
  /** points all over the surface, 13 mm apart */
  const surface: number[][] = []
  const steps = 40
  for (let j = 0; j < rows - 1; j++)
    for (let i = 0; i < columns - 1; i++) {
      const [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)]
      for (let u = 0; u <= steps; u++)
        for (let v = 0; v <= steps; v++) {
          const [s, t] = [u / steps, v / steps]
          surface.push(a.map((x, k) => (s >= t ? x + s * (b[k] - x) + t * (c[k] - b[k]) : x + t * (d[k] - x) + s * (c[k] - d[k]))))
        }
    }
  type Solid =
    | { readonly shape: 'sphere'; readonly radius: number }
    | { readonly shape: 'capsule'; readonly radius: number; readonly length: number }
    | { readonly shape: 'cylinder'; readonly radius: number; readonly length: number }
    | { readonly shape: 'box'; readonly size: Vec3 }
  const solids: readonly Solid[] = [
    { shape: 'sphere', radius: 0.15 },
    { shape: 'capsule', radius: 0.1, length: 0.2 },
    { shape: 'cylinder', radius: 0.1, length: 0.3 },
    { shape: 'box', size: [0.2, 0.3, 0.25] },
  ]
  /** From a point in the frame of the shape. */
  const outside = (solid: Solid, [x, y, z]: readonly number[]): number => {
    if (solid.shape === 'sphere') return Math.hypot(x, y, z) - solid.radius
    if (solid.shape === 'capsule') return Math.hypot(x, y, Math.max(0, Math.abs(z) - solid.length / 2)) - solid.radius
    if (solid.shape === 'cylinder')
      return Math.hypot(Math.max(0, Math.hypot(x, y) - solid.radius), Math.max(0, Math.abs(z) - solid.length / 2))
    return Math.hypot(...[x, y, z].map((c, k) => Math.max(0, Math.abs(c) - solid.size[k] / 2)))
  }

  it.each(solids)('is that of brute force, above and beside it: $shape', (solid) => {
    const model = buildModel({
      bodies: [{ name: 'body', joints: [{ type: 'free' }], geoms: [{ ...solid, name: 'solid', mass: 1 }] }],
      world: { geoms: [{ name: 'hills', shape: 'heightfield', size, rows, columns, heights }] },
    })
    const simulation = createSimulation(model)
    for (let n = 0; n < 40; n++) {
      const q = [random.spread(1.3), random.spread(1), random.between(0.4, 1.5), ...random.quat()]
      const found = simulation.distance('solid', 'hills', { at: q })
      const place = q.slice(0, 3)
      const R = rotationOf(q.slice(3))
      const least = surface.reduce((best, p) => {
        const d = p.map((x, k) => x - place[k])
        return Math.min(
          best,
          outside(
            solid,
            [0, 1, 2].map((k) => R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2]),
          ),
        )
      }, Number.POSITIVE_INFINITY)
      if (least < 0.02) continue
      // brute force passes the nearest point by up to 9 mm along the surface
      expect(found.distance, `case ${n}`).toBeLessThan(least + 1e-9)
      expect(least - found.distance, `case ${n}`).toBeLessThan(0.009)
      for (let r = 0; r < 3; r++) expect(found.pointB[r] - found.pointA[r]).toBeCloseTo(found.distance * found.normal[r], 9)
    }
  })

  it('is negative where a shape is below the surface', () => {
    const model = buildModel({
      bodies: [{ name: 'ball', joints: [{ type: 'free' }], geoms: [{ name: 'ball', shape: 'sphere', radius: 0.1, mass: 1 }] }],
      world: { geoms: [{ name: 'hills', shape: 'heightfield', size: [2, 2], rows: 2, columns: 2, heights: [0, 0, 0, 0] }] },
    })
    const at = [0.3, 0.1, -0.2, 1, 0, 0, 0]
    expect(createSimulation(model).distance('hills', 'ball', { at })).toMatchObject({ normal: [0, 0, 1] })
    expect(createSimulation(model).distance('hills', 'ball', { at }).distance).toBeCloseTo(-0.3, 12)
  })
})

const STACK: Spec = {
  bodies: [
    {
      name: 'crate',
      position: [0, 0, 0.1],
      joints: [{ type: 'free' }],
      geoms: [{ name: 'crate', shape: 'box', size: [0.2, 0.2, 0.2], mass: 1 }],
    },
    {
      name: 'ball',
      position: [0.02, 0, 0.295],
      joints: [{ type: 'free' }],
      geoms: [{ name: 'ball', shape: 'sphere', radius: 0.1, mass: 1 }],
    },
  ],
  world: { geoms: [{ name: 'floor', shape: 'plane' }] },
}
const SOLVERS: readonly SolverName[] = ['redmax', 'ode', 'position', 'adaptive']
const pairsOf = (simulation: Simulation, at?: ArrayLike<number>): string[] => [
  ...new Set(simulation.contacts(at ? { at } : {}).map(({ shapeA, shapeB }) => `${shapeA} ${shapeB}`)),
]

describe.each(SOLVERS)('queries with the solver %s', (solver) => {
  it('find contacts before the first step and at any pose', () => {
    const simulation = createSimulation(buildModel(STACK), { solver })
    expect(pairsOf(simulation)).toEqual(['floor crate', 'ball crate'])
    const [first] = simulation.contacts()
    expect(first).toMatchObject({ force: [0, 0, 0], normal: [0, 0, 1] })
    expect(simulation.contacts({ touching: true })).toEqual([])
    const q = simulation.state.q.slice()
    q[9] = 2
    expect(pairsOf(simulation, q)).toEqual(['floor crate'])
    expect(simulation.contacts({ at: q, within: 1.7 }).find(({ shapeA }) => shapeA === 'ball')?.gap).toBeCloseTo(1.7, 12)
    expect(simulation.distance('ball', 'crate').distance).toBeCloseTo(-0.005, 12)
    const { normal, pointB } = simulation.distance('ball', 'crate', { at: q })
    expect(normal).toEqual([0, 0, -1])
    for (const [r, x] of [0.02, 0, 0.2].entries()) expect(pointB[r]).toBeCloseTo(x, 12)
    // a pose that is written counts at once
    simulation.state.q[9] = 2
    expect(pairsOf(simulation)).toEqual(['floor crate'])
    simulation.reset()
    expect(pairsOf(simulation)).toEqual(['floor crate', 'ball crate'])
  })

  it('leave the state, its memory and the bits of the steps that follow as they are', () => {
    const model = buildModel(STACK)
    const [asked, silent] = [createSimulation(model, { solver }), createSimulation(model, { solver })]
    const far = asked.state.q.map((x, k) => (k === 7 ? x + 0.1 : x))
    const ask = (): void => {
      asked.contacts()
      asked.contacts({ at: far })
      asked.distance('ball', 'floor')
      asked.distance('crate', 'ball', { at: far })
      asked.warnings()
    }
    ask()
    for (let n = 0; n < 60; n++) {
      asked.step()
      ask()
      silent.step()
    }
    silent.warnings()
    expect(asked.state).toEqual(silent.state)
    expect(asked.snapshot()).toEqual(silent.snapshot())
    expect(asked.contacts({ touching: true })).toEqual(silent.contacts({ touching: true }))
  })
})

describe('queries', () => {
  const model: Model = buildModel(STACK)

  it('have the forces of the last step, until the pose is another one', () => {
    const simulation = createSimulation(model, { solver: 'redmax' })
    simulation.advance(0.5)
    expect(simulation.contacts({ touching: true }).length).toBeGreaterThan(0)
    simulation.body('crate').setPose([5, 0, 3])
    expect(simulation.contacts({ touching: true })).toEqual([])
  })

  it('refuse what they do not know, with the name that is near', () => {
    const simulation = createSimulation(model)
    expect(() => simulation.distance('bal', 'floor')).toThrow("expected the name of a shape, got 'bal'; did you mean 'ball'?")
    expect(() => simulation.distance('ball', 'ball')).toThrow("distance: expected two shapes, got 'ball' twice")
    expect(() => simulation.distance('ball', 'floor', { at: [1, 2] })).toThrow('at: expected 14 numbers, got 2')
    expect(() => simulation.contacts({ at: new Float64Array(14).fill(Number.NaN) })).toThrow('at: expected finite numbers')
    expect(() => simulation.contacts({ within: -1 })).toThrow('within: expected a distance in metres, got -1')
    const two = buildModel({ bodies: [], world: { geoms: ['a', 'b'].map((name) => ({ name, shape: 'plane' as const })) } })
    expect(() => createSimulation(two).distance('a', 'b')).toThrow('at most one plane or height field')
  })

  it('work in pages that fetch solvers on demand; the core says what it lacks', async () => {
    const fetched = await loadSimulation(model, { solver: 'ode' })
    expect(pairsOf(fetched)).toEqual(['floor crate', 'ball crate'])
    const core = createSimulationWith(model, ode)
    expect(core.contacts()).toEqual([])
    expect(() => core.distance('ball', 'floor')).toThrow("use createSimulation of 'limber'")
  })

  it('name shapes that overlap at the start before the first step', () => {
    const simulation = createSimulation(model)
    const warning =
      /shape 'crate' and shape 'ball' overlap by 5 mm at the start|shape 'ball' and shape 'crate' overlap by 5 mm at the start/
    expect(simulation.warnings().join()).toMatch(warning)
    simulation.step()
    expect(simulation.warnings().filter((text) => warning.test(text))).toHaveLength(1)
  })
})
