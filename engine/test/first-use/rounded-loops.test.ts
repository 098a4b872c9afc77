/** Loops whose numbers were rounded, as files have them, are closed as well as they can be; real contradictions are refused by name. */
import { buildModel, createSimulation, createState, type Model, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

type Vec3 = [number, number, number]

/**
 * A trunk on four legs, each a four-bar linkage in a plane of its own, which stands askew: thigh and rod from the trunk to the shank, whose hinge on the rod is a
 * ball closure. Its row across the plane follows from the axes, but for what `move` does to every number.
 */
function walker(move: (x: number) => number, free = true): Spec {
  const bodies: Spec['bodies'][number][] = [
    {
      name: 'trunk',
      position: [0, 0, 1],
      inertia: { mass: 10, com: [0, 0, 0], tensor: [0.2, 0.3, 0.4, 0, 0, 0] },
      joints: free ? [{ name: 'flight', type: 'free' as const }] : [],
    },
  ]
  const constraints: NonNullable<Spec['constraints']>[number][] = []
  const inertia = { mass: 0.5, com: [0, 0, -0.1], tensor: [0.004, 0.004, 0.0005, 0, 0, 0] } as const
  for (let leg = 0; leg < 4; leg++) {
    const turn = 0.3 + (leg * Math.PI) / 2
    // along the leg's plane, and across it
    const along = (x: number, z: number): Vec3 => [move(x * Math.cos(turn)), move(x * Math.sin(turn)), move(z)]
    const axis: Vec3 = [move(-Math.sin(turn)), move(Math.cos(turn)), 0]
    // springs hold the legs, so that they swing a little
    const hinge = (name: string) => [{ name, type: 'revolute' as const, axis, stiffness: name.startsWith('hip') ? 30 : 0, damping: 0.05 }]
    const [thigh, shank, rod] = ['thigh', 'shank', 'rod'].map((name) => `${name}${leg}`)
    bodies.push(
      { name: thigh, parent: 'trunk', position: along(0.3, 0), inertia, joints: hinge(`hip${leg}`) },
      { name: shank, parent: thigh, position: along(0.06, -0.24), inertia, joints: hinge(`knee${leg}`) },
      { name: rod, parent: 'trunk', position: along(0.42, 0.03), inertia, joints: hinge(`crank${leg}`) },
    )
    constraints.push({
      name: `loop${leg}`,
      type: 'point',
      a: { body: shank, point: along(0.11, 0.02) },
      b: { body: rod, point: along(0.3 + 0.06 + 0.11 - 0.42, -0.24 + 0.02 - 0.03) },
    })
  }
  return { bodies, constraints, gravity: [0, 0, -9.81], timestep: 0.005 }
}

/** the same numbers in every run */
function createNoise(seed: number): () => number {
  let state = seed * 7919 + 1
  return () => {
    state = (state * 16807) % 2147483647
    return (2 * state) / 2147483647 - 1
  }
}

function gaps(model: Model, q: Float64Array): number {
  const simulation = createSimulation(model, { solver: 'redmax' })
  simulation.reset({ q })
  return Math.max(...Array.from(simulation.state.q, (x, k) => Math.abs(x - q[k])))
}

describe('a walker with four loops', () => {
  const misses = [1e-9, 1e-8, 1e-7, 1e-6].flatMap((size) => [1, 2, 3].map((seed) => [size, seed] as const))
  it.each(misses)('that misses them by %f m stands as drawn and is held, seed %i', (size, seed) => {
    const noise = createNoise(seed)
    const model = buildModel(walker((x) => x + size * noise(), false))
    for (const scheme of ['auto', 'second-order']) {
      const simulation = createSimulation(model, { solver: 'redmax', scheme })
      simulation.reset()
      // the start moves by about as much as it misses
      for (const x of simulation.state.q) expect(Math.abs(x)).toBeLessThan(1e4 * size)
      expect(simulation.advance(0.5).message).toBe('')
      const mean = simulation.state.q.slice()
      expect(gaps(model, mean)).toBeLessThan(1e4 * size)
      for (const x of simulation.state.q) expect(Math.abs(x)).toBeLessThan(3)
    }
  })

  it.each([6, 7, 8, 9])('whose numbers have %i digits flies and turns without a word', (digits) => {
    const model = buildModel(walker((x) => Number(x.toPrecision(digits))))
    const simulation = createSimulation(model)
    expect(simulation.solver.name).toBe('redmax')
    const v = createState(model).v
    v.set([0.5, 0.2, -0.3, 1, 0, 2])
    simulation.reset({ v })
    expect(simulation.advance(0.5).message).toBe('')
    expect(simulation.state.q.every((x) => Math.abs(x) < 10)).toBe(true)
  })

  it('that misses one of them by 1 mm across its plane is refused by its name', () => {
    const spec = walker((x) => x, false)
    const constraints = spec.constraints?.map((c) =>
      c.name === 'loop2' && c.type === 'point' ? { ...c, a: { ...c.a, point: shifted(c.a.point as Vec3, 0.001, 2) } } : c,
    )
    const simulation = createSimulation(buildModel({ ...spec, constraints: constraints ?? [] }))
    const { status, message } = simulation.step()
    expect(status).not.toBe('ok')
    expect(message).toContain("'loop2'")
    expect(message).not.toContain("'loop1'")
  })
})

/** a point moved across the plane of a leg */
function shifted([x, y, z]: Vec3, by: number, leg: number): Vec3 {
  const turn = 0.3 + (leg * Math.PI) / 2
  return [x - by * Math.sin(turn), y + by * Math.cos(turn), z]
}
