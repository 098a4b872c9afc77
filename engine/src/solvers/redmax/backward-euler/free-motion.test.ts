/**
 * Bodies that nothing acts on: spin, momentum and energy stay, whatever the step; what is turned by hand or by gravity turns as another
 * solver has it.
 */
import { type BodySpec, buildModel, createData, createSimulation, energy, forwardKinematics, momentum, type Spec } from 'limber'
import { describe, expect, it } from 'vitest'

const wheel: BodySpec = {
  name: 'wheel',
  inertia: { mass: 1, tensor: [0.1, 0.1, 0.2, 0, 0, 0] },
  joints: [{ type: 'revolute', axis: [0, 0, 1] }],
}
const arm = (name: string, x: number): BodySpec => ({
  name,
  parent: 'wheel',
  position: [x, 0, 0],
  inertia: { mass: 0.5, com: [0.1, 0, 0], tensor: [0.01, 0.02, 0.02, 0, 0, 0] },
})
const free = (tensor: readonly [number, number, number, number, number, number]): Spec => ({
  gravity: [0, 0, 0],
  bodies: [{ name: 'top', inertia: { mass: 2, com: [0.1, -0.2, 0.3], tensor }, joints: [{ type: 'free' }] }],
})

function start(spec: Spec, v: readonly number[], timestep: number, options: Record<string, unknown> = {}) {
  const model = buildModel(spec)
  const sim = createSimulation(model, { solver: 'redmax', timestep, ...options })
  sim.state.v.set(v)
  sim.reset(sim.state)
  return { model, sim, data: createData(model) }
}

describe('free motion', () => {
  it.each([0.002, 0.01, 0.03])('a wheel on a hinge spins on, h = %d', (h) => {
    const { sim } = start({ gravity: [0, 0, 0], bodies: [wheel] }, [50], h)
    expect(sim.advance(3).status).toBe('ok')
    expect(sim.state.v[0]).toBeCloseTo(50, 9)
    expect(sim.state.q[0]).toBeCloseTo(150, 6)
  })

  it('a rotor of bodies fixed to its hub does, too', () => {
    const spec: Spec = { bodies: [wheel, arm('left', -0.6), arm('right', 0.4)] }
    const { sim } = start(spec, [40], 0.01)
    expect(sim.advance(2).status).toBe('ok')
    expect(sim.state.v[0]).toBeCloseTo(40, 6)
  })

  it.each([0.002, 0.01, 0.03])('a rotor out of balance on a hinge of the ground does, too, h = %d', (h) => {
    const hinge = { type: 'revolute', axis: [0, 0.6, 0.8] } as const
    const rotor: BodySpec = {
      name: 'rotor',
      inertia: { mass: 1, com: [0.3, 0.1, 0.2], tensor: [0.1, 0.3, 0.25, 0.02, 0, 0] },
      joints: [hinge],
    }
    const frame: BodySpec = { name: 'frame', position: [1, 2, 3], inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] } }
    const place = { parent: 'frame', position: [0.2, 0, 0.1] } as const
    for (const body of [rotor, { ...rotor, ...place }]) {
      const { sim, model, data } = start({ gravity: [0, 0, 0], bodies: [frame, body, { ...arm('weight', 0.5), parent: 'rotor' }] }, [50], h)
      const before = energy(model, data, sim.state).kinetic
      expect(sim.advance(3).status).toBe('ok')
      expect(sim.state.v[0]).toBeCloseTo(50, 8)
      expect(sim.state.q[0]).toBeCloseTo(150, 6)
      expect(energy(model, data, sim.state).kinetic / before).toBeCloseTo(1, 8)
    }
  })

  it('an arm on a hinge swings to the same height again as h falls, and never higher', () => {
    const arm: BodySpec = {
      name: 'arm',
      inertia: { mass: 1, com: [0, 0, -0.5], tensor: [0.08, 0.08, 0.001, 0, 0, 0] },
      joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 2.5 }],
    }
    const losses = [0.004, 0.002].map((h) => {
      const { sim, model, data } = start({ gravity: [0, 0, -9.81], bodies: [arm] }, [0], h)
      const total = (): number => Object.values(energy(model, data, sim.state)).reduce((a, b) => a + b, 0)
      const first = total()
      let most = -1
      for (let k = 0; k < 20; k++) {
        expect(sim.advance(0.1).status).toBe('ok')
        most = Math.max(most, total() - first)
      }
      expect(most).toBeLessThan(0)
      return first - total()
    })
    // with its centre of mass straight on in a step it lost 0.96 J at 2 ms
    expect(losses[1]).toBeLessThan(0.4)
    expect(losses[0] / losses[1]).toBeGreaterThan(1.6)
  })

  it('what turns further than a step can tell is slowed, not blown up', () => {
    const { sim } = start({ gravity: [0, 0, 0], bodies: [wheel] }, [1000], 0.01)
    expect(sim.advance(0.5).status).toBe('ok')
    expect(sim.state.v[0]).toBeGreaterThan(100)
    expect(sim.state.v[0]).toBeLessThanOrEqual(200 * (1 + 1e-9))
  })

  it.each([
    ['about its middle axis', [0.01, 20, 0.5]],
    ['about its long axis', [25, 1, 1]],
    ['about all three', [8, 10, -12]],
  ])('a box that tumbles %s keeps energy and angular momentum', (_, w) => {
    const { model, sim, data } = start(free([0.1, 0.2, 0.25, 0, 0, 0]), [...w, 0.3, -1, 0.2], 0.01, { scheme: 'newton' })
    const at = new Float64Array(6)
    const measure = (): { kinetic: number; spin: Float64Array } => {
      forwardKinematics(model, data, sim.state.q, sim.state.v)
      momentum(model, data, at)
      return { kinetic: energy(model, data, sim.state).kinetic, spin: at.slice() }
    }
    const first = measure()
    const size = Math.hypot(...first.spin.subarray(0, 3))
    for (let k = 0; k < 500; k++) {
      expect(sim.step().status).toBe('ok')
      const { kinetic, spin } = measure()
      expect(Math.abs(kinetic / first.kinetic - 1)).toBeLessThan(1e-3)
      // what is shown is the velocity within the step, so that momentum wobbles with hω/2; it does not drift
      for (let r = 0; r < 3; r++) expect(Math.abs(spin[r] - first.spin[r]) / size).toBeLessThan(0.05)
      for (let r = 3; r < 6; r++) expect(spin[r]).toBeCloseTo(first.spin[r], 4)
    }
  })

  it('a heavy top precesses as ode has it', () => {
    const spec: Spec = {
      bodies: [
        { name: 'top', inertia: { mass: 1, com: [0, 0, 0.2], tensor: [0.01, 0.01, 0.02, 0, 0, 0] }, joints: [{ type: 'spherical' }] },
      ],
    }
    // leaning by 0.4 rad
    const lean = [Math.cos(0.2), Math.sin(0.2), 0, 0]
    const run = (options: Record<string, unknown>): { azimuth: number; height: number } => {
      const model = buildModel(spec)
      const sim = createSimulation(model, options)
      sim.state.q.set(lean)
      sim.state.v.set([0, 0, 80])
      sim.reset(sim.state)
      expect(sim.advance(1).status).toBe('ok')
      const data = createData(model)
      forwardKinematics(model, data, sim.state.q, sim.state.v)
      return { azimuth: Math.atan2(data.X_WB[12 + 5], data.X_WB[12 + 2]), height: data.X_WB[12 + 8] }
    }
    const exact = run({ solver: 'ode', method: 'rk4', timestep: 1e-4 })
    const found = run({ solver: 'redmax', timestep: 0.002 })
    expect(found.height).toBeCloseTo(exact.height, 1)
    expect(Math.abs(found.azimuth - exact.azimuth)).toBeLessThan(0.1)
  })

  it('a reel on a string falls as fast as it should', () => {
    // no slip: a hinge and a slide that a gear couples, so that no contact is in the way
    const spec: Spec = {
      bodies: [
        {
          name: 'axle',
          inertia: { mass: 0.01, tensor: [1e-6, 1e-6, 1e-6, 0, 0, 0] },
          joints: [{ name: 'slide', type: 'prismatic', axis: [0, 0, -1] }],
        },
        {
          name: 'disc',
          parent: 'axle',
          inertia: { mass: 1, tensor: [0.005, 0.01, 0.005, 0, 0, 0] },
          joints: [{ name: 'turn', type: 'revolute', axis: [0, 1, 0] }],
        },
      ],
      constraints: [{ name: 'string', type: 'coupling', joint: 'turn', of: 'slide', polynomial: [0, 10] }],
    }
    const { sim } = start(spec, [0, 0], 0.01)
    expect(sim.advance(1).status).toBe('ok')
    // v = g t m / (m + J/r²), backward Euler is exact for a constant force
    expect(sim.state.v[0]).toBeCloseTo((9.81 * 1.01) / (1.01 + 0.01 * 100), 6)
  })

  it.each([0.005, 1 / 60])('a car rolls on at 20 m/s, h = %d', (h) => {
    const side = [-1, 1] as const
    const wheels = side.flatMap((x) =>
      side.map((y): BodySpec => {
        const lying = [Math.SQRT1_2, Math.SQRT1_2, 0, 0] as const
        return {
          name: `wheel${x}${y}`,
          parent: 'car',
          position: [0.8 * x, 0.6 * y, -0.1],
          joints: [{ type: 'revolute', axis: [0, 1, 0] }],
          geoms: [{ shape: 'cylinder', radius: 0.3, length: 0.2, density: 500, quaternion: lying }],
        }
      }),
    )
    const car: BodySpec = {
      name: 'car',
      position: [0, 0, 0.4],
      joints: [{ type: 'free' }],
      geoms: [{ shape: 'box', size: [2, 1, 0.3], density: 300 }],
    }
    const spin = 20 / 0.3
    const { sim } = start(
      { world: { geoms: [{ shape: 'plane' }] }, bodies: [car, ...wheels] },
      [0, 0, 0, 20, 0, 0, spin, spin, spin, spin],
      h,
    )
    expect(sim.advance(2).status).toBe('ok')
    expect(sim.state.q[0]).toBeCloseTo(40, 2)
    for (const w of sim.state.v.subarray(6)) expect(0.3 * w).toBeCloseTo(20, 2)
  })
})
