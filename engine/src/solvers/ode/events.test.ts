import { describe, expect, it, vi } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { Spec } from '../../build/spec.js'
import { createSimulation } from '../../create-simulation.js'
import type { State } from '../../model/state.js'
import { limitEvents, locate, type OdeEvent } from './events.js'
import { adaptiveMethods } from './methods.js'
import { odeWithEvents } from './ode.js'

/** A weight on a rail under gravity: z = 1 − g t²/2, falls through zero at √(2/g). */
const falling: Spec = {
  gravity: [0, 0, -10],
  bodies: [
    {
      name: 'weight',
      inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
      joints: [{ name: 'rail', type: 'prismatic', axis: [0, 0, 1], initial: 1, limits: [0, 1.1] }],
    },
  ],
}
const ground: OdeEvent = { name: 'ground', value: ({ q }) => q[0] }
const model = buildModel(falling)
const tight = { rtol: 1e-9, atol: 1e-9, timestep: 1 }

describe.each(adaptiveMethods)('method %s', (method) => {
  it('stops where a function of the state changes sign', () => {
    const simulation = createSimulation(model, { solver: odeWithEvents([ground]), method, ...tight })
    const report = simulation.step()
    expect(report.status).toBe('event')
    expect(report.message).toContain("event 'ground' at t = 0.4472")
    expect(simulation.state.t).toBeCloseTo(Math.sqrt(0.2), 8)
    expect(Math.abs(simulation.state.q[0])).toBeLessThan(1e-8)
    expect(simulation.state.v[0]).toBeCloseTo(-Math.sqrt(20), 7)
  })

  it('goes on after an impact: the changed velocity starts it afresh', () => {
    const simulation = createSimulation(model, { solver: odeWithEvents(limitEvents(model)), method, ...tight })
    expect(simulation.step().status).toBe('event')
    simulation.state.v[0] *= -0.5
    const bounce = simulation.state.t
    expect(simulation.step().status).toBe('event')
    // thrown up at half the speed: back after 2 v/g
    expect(simulation.state.t - bounce).toBeCloseTo((2 * 0.5 * Math.sqrt(20)) / 10, 7)
    expect('starts' in simulation.report && simulation.report.starts).toBe(2)
  })
})

describe('events', () => {
  it('that do not stop the step are reported and passed', () => {
    const seen: number[] = []
    const event: OdeEvent = { ...ground, terminal: false, onEvent: (state: Readonly<State>) => seen.push(state.t) }
    const simulation = createSimulation(model, { solver: odeWithEvents([event]), method: 'gear', ...tight })
    expect(simulation.step().status).toBe('ok')
    expect(simulation.state.t).toBe(1)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toBeCloseTo(Math.sqrt(0.2), 8)
  })

  it('in the unwanted direction are not seen', () => {
    const simulation = createSimulation(model, { solver: odeWithEvents([{ ...ground, direction: 1 }]), method: 'gear', ...tight })
    expect(simulation.step().status).toBe('ok')
  })

  it('are found in order, the earliest first', () => {
    const half: OdeEvent = { name: 'half way', value: ({ q }) => q[0] - 0.5 }
    const simulation = createSimulation(model, { solver: odeWithEvents([ground, half]), method: 'rkf45', ...tight })
    expect(simulation.step().message).toContain('half way')
    expect(simulation.step().message).toContain('ground')
  })

  it('of joint limits are one for each end', () => {
    expect(limitEvents(model).map(({ name }) => name)).toEqual(['lower limit of rail', 'upper limit of rail'])
  })

  it('of a spherical joint are met at its largest angle', () => {
    const spherical = buildModel({
      gravity: [0, 0, 0],
      bodies: [
        {
          name: 'ball',
          inertia: { mass: 1, tensor: [1, 1, 1, 0, 0, 0] },
          joints: [{ name: 'socket', type: 'spherical', limits: [0, 0.7] }],
        },
      ],
    })
    const simulation = createSimulation(spherical, { solver: odeWithEvents(limitEvents(spherical)), method: 'gear', ...tight })
    simulation.reset({ v: Float64Array.of(0, 2, 0) })
    expect(simulation.step().message).toContain('largest angle of socket')
    expect(simulation.state.t).toBeCloseTo(0.35, 9)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no such sensor')
      },
      'no such sensor',
    ],
    ['gives NaN', () => Number.NaN, "event 'broken' gave NaN"],
    ['gives NaN later', ({ t }: State) => (t > 0.2 ? Number.NaN : 1), "event 'broken' gave NaN"],
  ] as const)('whose function %s end in a clear error, the state untouched', (_what, value, message) => {
    for (const method of adaptiveMethods) {
      const simulation = createSimulation(model, { solver: odeWithEvents([{ name: 'broken', value }]), method, timestep: 1 })
      simulation.step(0)
      const before = simulation.snapshot()
      const report = simulation.step()
      expect(report.status).toBe('bad-event')
      expect(report.message).toContain(message)
      expect(simulation.snapshot()).toEqual(before)
    }
  })

  it('need a method with error control', () => {
    expect(() => createSimulation(model, { solver: odeWithEvents([ground]), method: 'rk4' })).toThrow(
      'events need a method with error control',
    )
  })
})

describe('locate', () => {
  it('finds a root to the width, on the far side', () => {
    const f = vi.fn((t: number) => Math.cos(t))
    const t = locate(f, 1, Math.cos(1), 2, Math.cos(2), 1e-14)
    expect(t).toBeGreaterThanOrEqual(Math.PI / 2 - 1e-15)
    expect(t - Math.PI / 2).toBeLessThan(2e-14)
    expect(f.mock.calls.length).toBeLessThan(60)
  })

  it('copes with functions that are flat on one side', () => {
    const f = (t: number) => (t < 0.9 ? 1e-9 : -1e9 * (t - 0.9) + 1e-9)
    expect(locate(f, 0, f(0), 1, f(1), 1e-12)).toBeCloseTo(0.9, 11)
  })
})
