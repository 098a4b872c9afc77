/**
 * Velocities of joints next to given rates of transforms: the projection on the motions that the joints allow,
 *   v = M⁻¹ (Jᵀ (Ṫ Mt) + armature · rates of the coordinates)
 */
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { factorImplicit, type ImplicitFactor, solveImplicit } from '../../../tree/implicit-factor.js'
import { inertialPass } from '../../../tree/point-inertia.js'
import { gradientPass, type NewtonWork } from './newton-factor.js'

export interface Projection {
  readonly moments: Vec
  readonly work: NewtonWork
  readonly factor: ImplicitFactor
  /** 0 for every number of a transform; 1; energies that no one asks for */
  readonly nothing: Vec
  readonly unit: Vec
  readonly E: Vec
}

export function createProjection(m: Model, moments: Vec, work: NewtonWork, factor: ImplicitFactor): Projection {
  return { moments, work, factor, nothing: new Float64Array(12 * m.nbody), unit: Float64Array.of(1), E: new Float64Array(2) }
}

/** Reads the poses of d, the rates (12 a body) and armature times the rates of the coordinates. Writes v; W is scratch. */
export function projectRates(m: Model, d: Data, p: Projection, rates: Vec, W: Vec, joint: Vec, v: Vec): void {
  inertialPass(m, p.moments, p.nothing, d.X_WB, rates, p.nothing, p.unit, W, p.E)
  gradientPass(m, d, p.work, W, joint, v)
  factorImplicit(m, d, p.factor, undefined, undefined)
  solveImplicit(m, p.factor, v, 0, v, 0)
}
