/**
 * Velocities of joints next to given rates of transforms: the projection on the motions that the joints allow,
 *   v = M⁻¹ (Jᵀ (Ṫ Mt) + armature · rates of the coordinates)
 */
import type { Vec } from '../../../math/types.js'
import type { Data } from '../../../model/data.js'
import type { Model } from '../../../model/model.js'
import { roomFor, takeAll } from '../../../model/work-space.js'
import { factorImplicit, type ImplicitFactor, solveImplicit } from '../../../tree/implicit-factor.js'
import { gradientPass, type NewtonWork } from './newton-factor.js'

export interface Projection {
  readonly moments: Vec
  readonly work: NewtonWork
  readonly factor: ImplicitFactor
  /** the rates; 0 for every number of a transform; 1; energies that no one asks for */
  readonly rates: Vec
  readonly nothing: Vec
  readonly unit: Vec
  readonly E: Vec
}

const layout = ({ nbody }: Model) => ({ rates: 12 * nbody, nothing: 12 * nbody, unit: 1, E: 2 })

/** Numbers that a projection takes in the memory of data. */
export const projectionRoom = (m: Model): number => roomFor(layout(m))

/** In the memory of d, where the moments lie too. */
export function createProjection(m: Model, d: Data, moments: Vec, work: NewtonWork, factor: ImplicitFactor): Projection {
  const taken = takeAll(d, layout(m))
  taken.unit[0] = 1
  return { moments, work, factor, ...taken }
}

/** Reads the poses of d, the rates (12 a body) and armature times the rates of the coordinates. Writes v; W, in the memory of d, is scratch. */
export function projectRates(m: Model, d: Data, p: Projection, rates: Vec, W: Vec, joint: Vec, v: Vec): void {
  for (let k = 12; k < p.rates.length; k++) p.rates[k] = rates[k]
  const { byteOffset: zeros } = p.nothing
  const { byteOffset: X } = d.X_WB
  const { byteOffset: A } = p.rates
  d.kernels.pointInertia(m.nbody, p.moments.byteOffset, zeros, X, A, zeros, p.unit.byteOffset, W.byteOffset, p.E.byteOffset)
  gradientPass(m, d, p.work, W, joint, v)
  factorImplicit(m, d, p.factor, undefined, undefined)
  solveImplicit(m, p.factor, v, 0, v, 0)
}
