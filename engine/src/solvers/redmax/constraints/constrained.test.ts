/**
 * Constraints on RedMax steps: loops that stay closed, limits that hold, prescribed motion, boxes that rest and slide.
 */
import { buildModel, createData, createSimulation, energy, forwardKinematics, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const rod = (length: number) => ({
  mass: 1,
  com: [length / 2, 0, 0] as const,
  tensor: [1e-3, length ** 2 / 12, length ** 2 / 12, 0, 0, 0] as const,
})

/** Crank 0.3, coupler 0.8, rocker 0.5, ground 0.7; turning about y; drawn with the crank upright. */
function fourBar(closure: 'planar' | 'ball' = 'planar'): Spec {
  const [a, b, c, g] = [0.3, 0.8, 0.5, 0.7]
  // position of the joint between coupler and rocker: circle of radius b about (0, a), of radius c about (g, 0)
  const d = Math.hypot(g, a)
  const along = (b * b - c * c + d * d) / (2 * d)
  const up = Math.sqrt(b * b - along * along)
  const x = (along * g) / d + (up * a) / d
  const z = a - (along * a) / d + (up * g) / d
  const angle = (dx: number, dz: number): number => -Math.atan2(dz, dx)
  const crank = angle(0, a)
  const coupler = angle(x, z - a)
  const rocker = angle(x - g, z)
  const joint = (initial: number) => [{ type: 'revolute' as const, axis: [0, 1, 0] as const, initial }]
  return {
    bodies: [
      { name: 'crank', inertia: rod(a), joints: joint(crank) },
      { name: 'coupler', parent: 'crank', position: [a, 0, 0], inertia: rod(b), joints: joint(coupler - crank) },
      { name: 'rocker', position: [g, 0, 0], inertia: rod(c), joints: joint(rocker) },
    ],
    constraints: [
      {
        name: 'loop',
        type: 'point',
        a: { body: 'coupler', point: [b, 0, 0] },
        b: { body: 'rocker', point: [c, 0, 0] },
        ...(closure === 'planar'
          ? {
              axes: [
                [1, 0, 0],
                [0, 0, 1],
              ] as const,
            }
          : {}),
      },
    ],
  }
}

/** Distance between the two ends of the loop. */
function opening(spec: Spec, q: Float64Array): number {
  const model = buildModel(spec)
  const data = createData(model)
  forwardKinematics(model, data, q, new Float64Array(model.nv))
  const end = (body: number, x: number): number[] => [0, 1, 2].map((r) => data.X_WB[12 * body + 9 + r] + data.X_WB[12 * body + 3 * r] * x)
  const [a, b] = [end(2, 0.8), end(3, 0.5)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

describe('constraints in redmax', () => {
  it.each([
    ['auto', 'planar'],
    ['second-order', 'planar'],
    ['auto', 'ball'],
  ] as const)('keep a four-bar closed to 1e-6 m for 60 s, scheme %s, %s closure', (scheme, closure) => {
    const spec = fourBar(closure)
    const sim = createSimulation(buildModel(spec), { solver: 'redmax', scheme, timestep: 0.01 })
    let worst = 0
    for (let second = 0; second < 60; second++) {
      expect(sim.advance(1).message).toBe('')
      worst = Math.max(worst, opening(spec, sim.state.q))
    }
    expect(worst).toBeLessThan(1e-6)
  })

  it('end with less energy in a loop after 5 s, and second order is off by less than a tenth of that', () => {
    const model = buildModel(fourBar())
    const data = createData(model)
    const drift = (scheme: string): number => {
      const sim = createSimulation(model, { solver: 'redmax', scheme, timestep: 0.005 })
      const start = energy(model, data, sim.state)
      sim.advance(5)
      const end = energy(model, data, sim.state)
      return end.kinetic + end.potential - start.kinetic - start.potential
    }
    const [first, second] = [drift('auto'), drift('second-order')]
    expect(first).toBeLessThan(0)
    expect(Math.abs(second)).toBeLessThan(Math.abs(first) / 10)
  })

  it('hold a pendulum at its limit', () => {
    const spec: Spec = {
      bodies: [{ name: 'arm', inertia: rod(1), joints: [{ type: 'revolute' as const, axis: [0, 1, 0], limits: [-1, 0.5] }] }],
    }
    const sim = createSimulation(buildModel(spec), { solver: 'redmax', scheme: 'linear', timestep: 0.01 })
    sim.advance(3)
    expect(sim.state.q[0]).toBeCloseTo(0.5, 4)
    expect(Math.abs(sim.state.v[0])).toBeLessThan(1e-6)
  })

  it('move a joint as prescribed', () => {
    const spec: Spec = {
      bodies: [
        { name: 'arm', inertia: rod(1), joints: [{ name: 'drive', type: 'revolute' as const, axis: [0, 1, 0] }] },
        { name: 'tip', parent: 'arm', position: [1, 0, 0], inertia: rod(1), joints: [{ type: 'revolute' as const, axis: [0, 1, 0] }] },
      ],
      constraints: [{ type: 'motion', joint: 'drive', amplitude: 0.5, frequency: 1 }],
    }
    const sim = createSimulation(buildModel(spec), { solver: 'redmax', timestep: 0.005 })
    sim.advance(1.25)
    expect(sim.state.q[0]).toBeCloseTo(0.5 * Math.sin(2 * Math.PI * 1.25), 6)
  })

  /** A box on a plane that is tilted by the angle, as gravity that is. */
  const slope = (angle: number, friction: number): Spec => ({
    gravity: [9.81 * Math.sin(angle), 0, -9.81 * Math.cos(angle)],
    world: { geoms: [{ shape: 'plane', friction }] },
    bodies: [
      {
        name: 'box',
        position: [0, 0, 0.1],
        joints: [{ type: 'free' as const }],
        geoms: [{ shape: 'box', size: [0.4, 0.3, 0.2], density: 500, friction }],
      },
    ],
  })

  it('keep a box at rest on a slope below the friction angle', () => {
    const sim = createSimulation(buildModel(slope(0.4, 0.5)), { solver: 'redmax', scheme: 'linear', timestep: 0.01 })
    expect(sim.advance(3).message).toBe('')
    expect(Math.abs(sim.state.q[0])).toBeLessThan(1e-4)
    expect(Math.abs(sim.state.q[2] - 0.1)).toBeLessThan(1e-3)
  })

  it('let it slide above the friction angle with g (sin − μ cos)', () => {
    const [angle, friction] = [0.6, 0.3]
    const sim = createSimulation(buildModel(slope(angle, friction)), { solver: 'redmax', scheme: 'linear', timestep: 0.005 })
    sim.advance(1)
    const a = 9.81 * (Math.sin(angle) - friction * Math.cos(angle))
    expect(sim.state.q[0] / (0.5 * a)).toBeCloseTo(1, 1)
  })
})

describe('a start that does not close', () => {
  it('is assembled before the first step', () => {
    const spec = fourBar()
    const model = buildModel(spec)
    const sim = createSimulation(model, { solver: 'redmax', timestep: 0.01 })
    const q = sim.state.q.slice()
    q[2] += 0.05
    sim.reset({ q })
    expect(opening(spec, sim.state.q)).toBeLessThan(1e-10)
  })

  it('is refused by name where nothing can close it', () => {
    const spec: Spec = {
      ...fourBar(),
      constraints: [{ name: 'too far', type: 'point', a: { body: 'coupler', point: [0.8, 0, 0] }, b: { body: 'world', point: [5, 0, 0] } }],
    }
    const sim = createSimulation(buildModel(spec), { solver: 'redmax', timestep: 0.01 })
    const report = sim.step()
    expect(report.status).not.toBe('ok')
    expect(report.message).toContain('too far')
  })
})
