/**
 * Armature of tendons in the robust step: a length l with inertia α is one more coordinate that goes on by itself, l + h l̇₀, as transforms do:
 *   gradient  α ((l(q) − l₀)/h − l̇₀)/h along the tendon,  kinetic energy ½ α ((l − l₀)/h)²
 * In Newton's matrix it is the row of the tendon with weight α, which `system` opens.
 */
import { addTendonForce, tendonLength, tendonRate } from '../../../forces/tendons.js'
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'

export interface TendonInertia {
  /** for each tendon with armature: length and rate at the start, and on trial */
  readonly length0: Vec
  readonly rate0: Vec
  readonly length: Vec
  readonly rate: Vec
  readonly force: Vec
}

export function createTendonInertia({ tendons: { armed } }: Model): TendonInertia {
  const [length0, rate0, length, rate] = Array.from({ length: 4 }, () => new Float64Array(armed.length))
  return { length0, rate0, length, rate, force: new Float64Array(1) }
}

/** Reads the pose of q. Writes the lengths there. */
export function measureTendons(m: Model, d: Data, out: Vec, q: Vec): void {
  const { armed } = m.tendons
  for (let r = 0; r < armed.length; r++) tendonLength(out, r, m, d, q, armed[r])
}

/** Reads the kinematics. Writes rates for velocities v, and adds their energy to E[o]. */
export function startTendons(m: Model, d: Data, t: TendonInertia, v: Vec, E: Vec, o: number): void {
  const { armed, armature } = m.tendons
  for (let r = 0; r < armed.length; r++) {
    tendonRate(t.rate0, r, m, d, v, armed[r])
    E[o] += 0.5 * armature[armed[r]] * t.rate0[r] * t.rate0[r]
  }
}

/** Reads the pose of q and the step. Adds what inertia pulls to f and qf of d, energies of the motion to E[kinetic], of the change to E[change]. */
export function pullTendons(m: Model, d: Data, t: TendonInertia, q: Vec, step: Vec, E: Vec, kinetic: number, change: number): void {
  const { armed, armature } = m.tendons
  const h = step[0]
  measureTendons(m, d, t.length, q)
  for (let r = 0; r < armed.length; r++) {
    const a = armature[armed[r]]
    const rate = (t.length[r] - t.length0[r]) / h
    const more = rate - t.rate0[r]
    t.rate[r] = rate
    E[kinetic] += 0.5 * a * rate * rate
    E[change] += 0.5 * a * more * more
    t.force[0] = (-a * more) / h
    addTendonForce(m, d, armed[r], t.force, 0, d.f, d.qf)
  }
}

/** The end of a part, at the pose of q, is the start of the next. */
export function finishTendons(m: Model, d: Data, t: TendonInertia, q: Vec, step: Vec): void {
  measureTendons(m, d, t.length, q)
  for (let r = 0; r < t.length.length; r++) {
    t.rate0[r] = (t.length[r] - t.length0[r]) / step[0]
    t.length0[r] = t.length[r]
  }
}
