/**
 * Simulation: clock, progress, reset, snapshots, and what happens when a step fails.
 */
import { describe, expect, it } from 'vitest'
import { buildModel } from './build/build-model.js'
import type { Spec } from './build/spec.js'
import { createSimulation } from './create-simulation.js'
import type { Force } from './model/force.js'
import { ModelError } from './model/model-error.js'
import type { Simulation } from './simulation.js'
import { solvers } from './solvers/index.js'
import { createReport, type Solver } from './solvers/solver.js'

const rod = { mass: 1, com: [0, 0, -0.5], tensor: [0.1, 0.1, 0.01, 0, 0, 0] } as const
const spec: Spec = {
  timestep: 0.01,
  bodies: [
    { name: 'upper', inertia: rod, joints: [{ type: 'spherical', initial: [0.9, 0.1, 0.3, 0.2] }] },
    { name: 'lower', parent: 'upper', position: [0, 0, -1], inertia: rod, joints: [{ type: 'revolute', axis: [0, 1, 0], initial: 0.4 }] },
  ],
  actuators: [{ joint: 'lower' }],
}
const model = buildModel(spec)

function bits({ state }: Simulation): number[] {
  return [state.t, ...state.q, ...state.v]
}

/** A slide of mass one under a force that is NaN while `when` holds, in steps of 0.1 s. */
function breaking(when: (t: number, q: number, v: number) => boolean): Simulation {
  const force: Force = {
    name: 'breaking',
    apply(_m, d, s) {
      d.qf[0] += when(s.t, s.q[0], s.v[0]) ? Number.NaN : 1
    },
  }
  const slide = buildModel({ gravity: [0, 0, 0], bodies: [{ name: 'a', inertia: { mass: 1 }, joints: [{ type: 'prismatic' }] }] })
  return createSimulation(slide, { timestep: 0.1, forces: [force] })
}

describe('clock', () => {
  it('step(n) makes n steps of the timestep', () => {
    const simulation = createSimulation(model, { timestep: 0.125 })
    expect(simulation.step().steps).toBe(1)
    simulation.step(3)
    expect(simulation.state.t).toBe(0.5)
    expect(simulation.report.steps).toBe(4)
    expect(simulation.report.h).toBe(0.125)
  })

  it('takes the timestep of the model unless told otherwise, and a new one at any time', () => {
    const simulation = createSimulation(model)
    expect(simulation.timestep).toBe(0.01)
    simulation.timestep = 0.25
    simulation.step(2)
    expect(simulation.state.t).toBe(0.5)
    expect(() => {
      simulation.timestep = 0
    }).toThrow('timestep: expected a positive number of seconds, got 0')
    expect(() => createSimulation(model, { timestep: Number.NaN })).toThrow(RangeError)
  })

  it.each([
    [1, 0.01, 100],
    [0.3, 0.1, 3],
    [0.7, 0.1, 7],
  ])('advance(%d) at steps of %d makes %i of them, with the bits of step', (seconds, h, n) => {
    const one = createSimulation(model, { timestep: h })
    const two = createSimulation(model, { timestep: h })
    one.advance(seconds)
    two.step(n)
    expect(bits(one)).toEqual(bits(two))
    expect(one.state.t).toBeCloseTo(seconds, 13)
  })

  it.each([0.005, 0.0301, 0.99999, 1.234567])('advance(%d) shortens its last step to end there', (seconds) => {
    const simulation = createSimulation(model, { timestep: 0.01 })
    simulation.advance(seconds)
    expect(Math.abs(simulation.state.t - seconds)).toBeLessThanOrEqual(seconds * Number.EPSILON)
    const before = simulation.state.t
    simulation.advance(0)
    expect(simulation.state.t).toBe(before)
  })

  it.each([
    ['ode', {}, 0.0351, 0.01],
    ['ode', { method: 'gear' }, 0.0777, 0.01],
    ['redmax', {}, 0.7, 0.1],
    ['position', {}, 0.123, 0.05],
  ])('an advance with %s %o over %d s that was left after any step makes the steps it would have made', (solver, options, seconds, h) => {
    const make = () => createSimulation(model, { solver, timestep: h, ...options })
    const whole = make()
    whole.reset({ t: 5 })
    const snapshots = [whole.snapshot()]
    whole.advance(seconds, () => {
      snapshots.push(whole.snapshot())
      return undefined
    })
    for (const [steps, snapshot] of snapshots.entries()) {
      const rest = make()
      rest.restore(snapshot)
      let calls = 0
      rest.advance(seconds, () => void calls++, { t: 5, steps })
      expect(bits(rest)).toEqual(bits(whole))
      expect(calls).toBe(snapshots.length - 1 - steps)
    }
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('advance(%d) is refused', (seconds) => {
    expect(() => createSimulation(model).advance(seconds)).toThrow('advance: expected a number of seconds')
  })
})

describe('progress', () => {
  it('grows from step to step and ends at the whole', () => {
    const simulation = createSimulation(model, { timestep: 0.01 })
    simulation.reset({ t: 5 })
    const seen: number[] = []
    simulation.advance(0.045, (done, total) => {
      expect(total).toBe(0.045)
      seen.push(done)
      return undefined
    })
    expect(seen.length).toBe(5)
    expect([...seen].sort((a, b) => a - b)).toEqual(seen)
    expect(seen[4]).toBeCloseTo(0.045, 13)
  })

  it('can stop the run', () => {
    const simulation = createSimulation(model, { timestep: 0.01 })
    simulation.advance(1, (done) => done < 0.0299)
    expect(simulation.report.steps).toBe(3)
    expect(simulation.report.status).toBe('ok')
  })
})

describe('reset', () => {
  it('returns to the initial state, and runs the same bits again', () => {
    const simulation = createSimulation(model)
    simulation.step(20)
    const first = bits(simulation)
    simulation.reset()
    expect([...simulation.state.q]).toEqual([...model.q0])
    expect([simulation.state.t, simulation.report.steps, simulation.report.evaluations]).toEqual([0, 0, 0])
    simulation.step(20)
    expect(bits(simulation)).toEqual(first)
  })

  it('takes over parts of a state, and leaves what was handed over alone', () => {
    const simulation = createSimulation(model)
    const v = Float64Array.of(1, 2, 3, 4)
    simulation.reset({ t: 2, v, tau: Float64Array.of(0, 0, 0, 1), control: Float64Array.of(0.5) })
    simulation.step(5)
    expect([...v]).toEqual([1, 2, 3, 4])
    expect(simulation.state.t).toBeCloseTo(2.05, 12)
    simulation.reset()
    expect([...simulation.state.tau, ...simulation.state.control]).toEqual([0, 0, 0, 0, 0])
  })

  it('refuses arrays of the wrong length', () => {
    const simulation = createSimulation(model)
    expect(() => simulation.reset({ q: new Float64Array(3) })).toThrow('q: expected 5 numbers, got 3')
    expect(() => simulation.reset({ control: new Float64Array(2) })).toThrow('control: expected 1 numbers, got 2')
  })

  it('lets joint forces and controls act', () => {
    const run = (from: Parameters<Simulation['reset']>[0]): number[] => {
      const simulation = createSimulation(model)
      simulation.reset(from)
      simulation.step(10)
      return bits(simulation)
    }
    const idle = run({})
    const pushed = run({ tau: Float64Array.of(0, 0, 0, 2) })
    expect(pushed).not.toEqual(idle)
    // the actuator is a motor on the same joint
    expect(run({ control: Float64Array.of(2) })).toEqual(pushed)
    expect(run({ control: Float64Array.of(0) })).toEqual(idle)
  })
})

describe('snapshot', () => {
  it('half-way, restored into a fresh simulation, continues with the same bits', () => {
    const whole = createSimulation(model)
    whole.reset({ tau: Float64Array.of(0.1, 0.2, 0.3, 0.4), control: Float64Array.of(0.7) })
    whole.step(25)
    const bytes = whole.snapshot()
    whole.step(25)
    const fresh = createSimulation(model)
    fresh.restore(bytes)
    fresh.step(25)
    expect(bits(fresh)).toEqual(bits(whole))
  })

  it('is not touched by what follows, and may lie anywhere in a buffer', () => {
    const simulation = createSimulation(model)
    simulation.step(3)
    const bytes = simulation.snapshot()
    const copy = bytes.slice()
    simulation.step(3)
    expect(bytes).toEqual(copy)
    const shifted = new Uint8Array(bytes.length + 3)
    shifted.set(bytes, 3)
    const after = bits(simulation)
    simulation.restore(shifted.subarray(3))
    simulation.step(3)
    expect(bits(simulation)).toEqual(after)
  })

  it('is refused by another model, another solver, and when damaged', () => {
    const bytes = createSimulation(model).snapshot()
    const heavier = buildModel({ ...spec, bodies: [{ ...spec.bodies[0], inertia: { ...rod, mass: 1.0000001 } }, spec.bodies[1]] })
    expect(() => createSimulation(heavier).restore(bytes)).toThrow('snapshot: it belongs to another model')
    expect(() => createSimulation(model).restore(bytes.subarray(0, bytes.length - 1))).toThrow('snapshot: it is cut short')
    expect(() => createSimulation(model).restore(new Uint8Array(100))).toThrow('snapshot: expected the bytes of a Limber snapshot')
    const { solver } = createSimulation(model)
    const other = createSimulation(model, { solver: { ...solver, name: 'other' } })
    expect(() => other.restore(bytes)).toThrow('snapshot: it was taken with another solver')
    const newer = bytes.slice()
    newer[4] = 99
    expect(() => createSimulation(model).restore(newer)).toThrow('snapshot: expected version 2, got 99')
  })

  it('that is refused leaves the simulation as it was', () => {
    const simulation = createSimulation(model)
    simulation.step(4)
    const before = bits(simulation)
    expect(() => simulation.restore(new Uint8Array(4))).toThrow(ModelError)
    expect(bits(simulation)).toEqual(before)
  })
})

describe('a step that fails', () => {
  it('stops the run with the state as it was, and says where, when and what to try', () => {
    const simulation = breaking((_t, q) => q > 0.5)
    const report = simulation.step(100)
    expect(report.status).toBe('diverged')
    expect(report.message).toMatch(/step of 0\.1 s at t = [\d.]+ s diverged at joint 'a' of body 'a'.*smaller timestep/)
    const before = bits(simulation)
    expect(before.every(Number.isFinite)).toBe(true)
    // and again: no creeping on in small parts
    simulation.step()
    expect(bits(simulation)).toEqual(before)
  })

  it('can go on after a reset', () => {
    const simulation = breaking((_t, q) => q > 0.5)
    simulation.step(100)
    simulation.reset()
    const report = simulation.step(2)
    expect([report.status, report.message, report.steps]).toEqual(['ok', '', 2])
  })

  it('ends advance and its progress', () => {
    const simulation = breaking((t) => t > 0.25)
    let calls = 0
    const report = simulation.advance(10, () => {
      calls++
      return true
    })
    expect(report.status).toBe('diverged')
    expect(simulation.state.t).toBeLessThan(0.3)
    expect(calls).toBeLessThan(5)
  })
})

describe('solver and options', () => {
  it('unknown names are refused with those that exist', () => {
    expect(() => createSimulation(model, { solver: 'magic' as string })).toThrow(/solver: expected one of auto, .*ode.*, got 'magic'/)
    expect(() => createSimulation(model, { solver: 'toString' as string })).toThrow("got 'toString'")
    expect(() => createSimulation(model, { solver: 'ode' as string, speed: 3 })).toThrow(
      /solver ode has no option 'speed'; its options are method/,
    )
    expect(() => createSimulation(model, { solver: 'ode' as string, constructor: 3 })).toThrow("no option 'constructor'")
    expect(() => createSimulation(model, { solver: 'ode', method: 'rk99' })).toThrow(
      /option method of solver ode: expected one of rk4, .*got 'rk99'/,
    )
  })

  it('auto takes what the model suggests, and else what the engine chooses', () => {
    const suggesting = buildModel({ ...spec, solver: { name: 'ode', options: { method: 'euler' } } })
    expect(createSimulation(suggesting).options.method).toBe('euler')
    expect(createSimulation(suggesting, { method: 'rk4' }).options.method).toBe('rk4')
    const unknown = buildModel({ ...spec, solver: { name: 'not there', options: { method: 'euler' } } })
    expect(createSimulation(unknown).solver.name).toBe('ode')
  })

  it('a solver may be a value of one’s own, and may refuse a model', () => {
    const still: Solver = {
      name: 'still',
      description: 'lets time pass',
      options: { pace: { default: 1, description: 'seconds a second', min: 0, max: 10 }, loud: { default: false, description: '' } },
      order: () => 1,
      refuses: (m) => (m.nv > 4 ? 'too large' : null),
      create(_m, { pace }) {
        const report = createReport()
        return {
          ns: 2,
          report,
          init(state) {
            state.s = new Float64Array(2)
          },
          step(state, h) {
            state.t += Number(pace) * h
            state.s[0]++
            report.steps++
            return report
          },
        }
      },
    }
    const simulation = createSimulation(model, { solver: still, pace: '2', loud: 'true', timestep: 0.5 })
    simulation.step(2)
    expect(simulation.state.t).toBe(2)
    expect(simulation.options).toEqual({ pace: 2, loud: true })
    const copy = createSimulation(model, { solver: still })
    copy.restore(simulation.snapshot())
    expect([...copy.state.s]).toEqual([2, 0])
    expect(() => createSimulation(model, { solver: still, pace: 11 })).toThrow(
      'option pace of solver still: expected a number from 0 to 10, got 11',
    )
    expect(() => createSimulation(model, { solver: still, pace: 'fast' })).toThrow("expected a number, got 'fast'")
    expect(() => createSimulation(model, { solver: still, loud: 'yes' })).toThrow('expected true or false')
    const large = buildModel({ bodies: [{ name: 'a', inertia: { ...rod }, joints: [{ type: 'free' }] }] })
    expect(() => createSimulation(large, { solver: still })).toThrow("solver still cannot run model 'model': too large")
  })
})

describe('close', () => {
  it('closes the stepper once, leaves the state to be read, and refuses further steps', () => {
    let closed = 0
    const solver: Solver = {
      ...solvers.ode,
      create: (m, options, forces) => ({ ...solvers.ode.create(m, options, forces), close: () => void closed++ }),
    }
    const simulation = createSimulation(model, { solver })
    simulation.step()
    const before = bits(simulation)
    simulation.close()
    simulation.close()
    expect(closed).toBe(1)
    expect(bits(simulation)).toEqual(before)
    expect(() => simulation.step()).toThrow('it was closed')
    expect(() => simulation.reset()).toThrow('it was closed')
  })

  it.each(Object.keys(solvers))('is there for %s, which holds nothing', (solver) => {
    const simulation = createSimulation(model, { solver })
    simulation.close()
    expect(() => simulation.close()).not.toThrow()
  })
})
