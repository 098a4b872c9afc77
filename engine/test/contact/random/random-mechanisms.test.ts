/**
 * Random mechanisms that fall on a floor, at two steps: no step fails, nothing becomes infinite, and none gains energy that its servos do not give.
 *
 * 30 of them for 2 s; with LIMBER_MECHANISMS=200 in the environment so many for 10 s, or for LIMBER_SECONDS.
 */
import { buildModel, createData, createSimulation, energy, type Model, type State } from 'limber'
import { describe, expect, it } from 'vitest'
import { contactMechanism, type Servo } from './mechanism.js'

const asked = Number(process.env['LIMBER_MECHANISMS'] ?? 0)
const COUNT = asked > 0 ? asked : 30
const SECONDS = Number(process.env['LIMBER_SECONDS'] ?? (asked > 0 ? 10 : 2))
const STEPS = [0.002, 0.01]
/** of the energy at the start, measured from the floor and from slack springs */
const GAIN = 0.01

/** What a servo with this command holds as energy: ∫ clamp(kp e) de. With dampers inside the clamp its force takes more from the motion, never less. */
function servoEnergy({ kp, most, target }: Servo, q: number): number {
  const e = Math.abs(q - target)
  const bend = most / kp
  return e <= bend ? 0.5 * kp * e * e : 0.5 * kp * bend * bend + most * (e - bend)
}

function totalEnergy(model: Model, servos: readonly Servo[], floor: number): (state: State) => number {
  const data = createData(model)
  const mass = model.bodies.reduce((sum, _, i) => sum + (i === 0 ? 0 : model.inertia[10 * i]), 0)
  const places = servos.map(({ joint }) => model.joints.find(({ name }) => name === joint)?.iq ?? -1)
  return (state) => {
    const { kinetic, potential } = energy(model, data, state)
    const held = servos.reduce((sum, servo, k) => sum + servoEnergy(servo, state.q[places[k]]), 0)
    return kinetic + potential + held - mass * 9.81 * floor
  }
}

describe.each(STEPS)(`${COUNT} random mechanisms on a floor for ${SECONDS} s, h = %s`, (h) => {
  it.each(Array.from({ length: COUNT }, (_, k) => k + 1))('seed %i', (seed) => {
    const { spec, servos, velocity } = contactMechanism(seed)
    const model = buildModel(spec)
    const simulation = createSimulation(model, { solver: 'redmax', timestep: h })
    simulation.reset({ v: velocity(model.nv), control: Float64Array.from(servos, ({ target }) => target) })
    const { state } = simulation
    const floor = spec.world?.geoms?.[0].position?.[2] ?? 0
    const total = totalEnergy(model, servos, floor)
    const first = total(state)
    let least = first
    for (let k = 0; k < SECONDS / h; k++) {
      const { status, message } = simulation.step()
      expect(status, `t = ${state.t}: ${message}`).toBe('ok')
      const now = total(state)
      expect(Number.isFinite(now), `t = ${state.t}`).toBe(true)
      if (now - least > GAIN * first) expect.fail(`t = ${state.t}: ${now - least} J more than before, of ${first} J at the start`)
      least = Math.min(least, now)
    }
  })
})
