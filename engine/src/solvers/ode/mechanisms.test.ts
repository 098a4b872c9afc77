/**
 * Adams and backward differences on mechanisms with known motion: they agree with the reference to their tolerance.
 */
import { describe, expect, it } from 'vitest'
import { buildModel } from '../../build/build-model.js'
import type { BodySpec, Spec } from '../../build/spec.js'
import { createSimulation } from '../../create-simulation.js'
import { difference } from '../../joints/index.js'
import type { Force } from '../../model/force.js'
import type { Model } from '../../model/model.js'
import type { State } from '../../model/state.js'

interface Mechanism {
  readonly name: string
  readonly model: Model
  readonly forces?: readonly Force[]
  readonly start: Partial<Pick<State, 'q' | 'v'>>
  readonly seconds: number
  /** q at the end, where it is known in closed form */
  readonly closed?: Float64Array
  /** largest error, in units of the tolerance */
  readonly factor: number
}

const rod = (name: string, parent: string, length: number, angle: number): BodySpec => ({
  name,
  parent,
  position: [0, 0, parent === 'world' ? 0 : -length],
  inertia: { mass: 1, com: [0, 0, -length / 2], tensor: [length ** 2 / 12, length ** 2 / 12, 1e-3, 0, 0, 0] },
  joints: [{ name: `${name}-joint`, type: 'revolute', axis: [0, 1, 0], initial: angle }],
})

const chainSpec = (links: number, length: number, angle: number): Spec => ({
  bodies: Array.from({ length: links }, (_, k) => rod(`r${k}`, k === 0 ? 'world' : `r${k - 1}`, length, k === 0 ? angle : 0)),
})

/** Two bodies that attract each other with G m₁ m₂ = 1 over the square of their distance. */
const attraction: Force = {
  name: 'attraction',
  apply(_m, d) {
    const X = d.X_WB
    const r = [0, 1, 2].map((k) => X[24 + 9 + k] - X[12 + 9 + k])
    const scale = 1 / Math.hypot(...r) ** 3
    for (const [i, sign] of [
      [1, 1],
      [2, -1],
    ]) {
      // world force into body coordinates
      for (let c = 0; c < 3; c++) {
        let f = 0
        for (let k = 0; k < 3; k++) f += X[12 * i + 3 * k + c] * sign * scale * r[k]
        d.f[6 * i + 3 + c] += f
      }
    }
  },
}

/**
 * Eccentricity one half; an error made near the centre shifts the bodies along the orbit ever after, whence the factor. Relative orbit with period 2π·a^1.5·√μ, both of mass 1: after one period everything is
 * where it was.
 */
function kepler(): Mechanism {
  const ball = (name: string): BodySpec => ({
    name,
    inertia: { mass: 1, tensor: [0.1, 0.2, 0.3, 0, 0, 0] },
    joints: [{ name: `${name}-joint`, type: 'free' }],
  })
  const model = buildModel({ gravity: [0, 0, 0], bodies: [ball('one'), ball('two')] })
  const e = 0.5
  const a = 1
  // reduced mass 1/2: relative acceleration 2/r²
  const mu = 2
  const near = a * (1 - e)
  const speed = Math.sqrt((mu * (1 + e)) / (a * (1 - e)))
  const q = Float64Array.of(-near / 2, 0, 0, 1, 0, 0, 0, near / 2, 0, 0, 1, 0, 0, 0)
  // the second also spins about its own axis, a whole turn in the time: linear velocity is given in body coordinates, which start aligned
  const period = 2 * Math.PI * Math.sqrt(a ** 3 / mu)
  const v = Float64Array.of(0, 0, 0, 0, -speed / 2, 0, 0, 0, (2 * Math.PI) / period, 0, speed / 2, 0)
  return { name: 'kepler as two free bodies', model, forces: [attraction], start: { q, v }, seconds: period, closed: q, factor: 2000 }
}

/** A symmetric top in steady precession: closed form by Euler angles (tilt constant, precession and spin at constant rates). */
function heavyTop(): Mechanism {
  const [mass, l, I, I3, g] = [1, 0.5, 0.35, 0.08, 9.81]
  const model = buildModel({
    gravity: [0, 0, -g],
    bodies: [
      {
        name: 'top',
        inertia: { mass, com: [0, 0, l], tensor: [I - mass * l * l, I - mass * l * l, I3, 0, 0, 0] },
        joints: [{ name: 'ball', type: 'spherical' }],
      },
    ],
  })
  const tilt = 0.6
  const precession = 1.5
  // (I3 − I) Ω² cos + I3 Ω ψ̇ = m g l, with ψ̇ the spin relative to the precessing frame
  const spin = (mass * g * l - (I3 - I) * precession ** 2 * Math.cos(tilt)) / (I3 * precession)
  const seconds = 2
  const at = (t: number): Float64Array => product(turn(2, precession * t), product(turn(0, tilt), turn(2, spin * t)))
  const v = Float64Array.of(0, precession * Math.sin(tilt), precession * Math.cos(tilt) + spin)
  return { name: 'heavy top', model, start: { q: at(0), v }, seconds, closed: at(seconds), factor: 500 }
}

function turn(axis: 0 | 2, angle: number): Float64Array {
  const q = Float64Array.of(Math.cos(angle / 2), 0, 0, 0)
  q[1 + axis] = Math.sin(angle / 2)
  return q
}

function product(a: Float64Array, b: Float64Array): Float64Array {
  const [w, x, y, z] = a
  const [s, i, j, k] = b
  return Float64Array.of(
    w * s - x * i - y * j - z * k,
    w * i + x * s + y * k - z * j,
    w * j - x * k + y * s + z * i,
    w * k + x * j - y * i + z * s,
  )
}

const mechanisms: readonly Mechanism[] = [
  { name: 'double pendulum, regular', model: buildModel(chainSpec(2, 0.5, 0.5)), start: {}, seconds: 5, factor: 30 },
  kepler(),
  heavyTop(),
  { name: 'chain of 12 links', model: buildModel(chainSpec(12, 0.3, 0.5)), start: {}, seconds: 2, factor: 120 },
]

function run({ model, forces = [], start, seconds }: Mechanism, method: string, tolerance: number) {
  const simulation = createSimulation(model, { solver: 'ode', method, rtol: tolerance, atol: tolerance, timestep: seconds / 20, forces })
  simulation.reset(start)
  const report = simulation.step(20)
  return { report, q: simulation.state.q }
}

describe.each(mechanisms)('$name', (mechanism) => {
  const reference = mechanism.closed ?? run(mechanism, 'rkf45', 1e-12).q

  it.each([
    ['gear', 1e-4],
    ['gear', 1e-8],
    ['bdf', 1e-4],
    ['bdf', 1e-8],
  ] as const)('%s agrees with the reference to its tolerance %f', (method, tolerance) => {
    const { report, q } = run(mechanism, method, tolerance)
    expect(report.status).toBe('ok')
    const error = new Float64Array(mechanism.model.nv)
    difference(mechanism.model, error, reference, q)
    expect(Math.hypot(...error)).toBeLessThan(mechanism.factor * tolerance)
  })
})

it('quaternions keep unit length to the last digits while bodies turn many times', () => {
  const top = heavyTop()
  for (const method of ['iec', 'rk3', 'rkg', 'rkf45', 'gear', 'bdf']) {
    const { q } = run({ ...top, seconds: 4 }, method, 1e-5)
    expect(Math.abs(Math.hypot(...q) - 1)).toBeLessThan(1e-15 * 4)
  }
})
