/**
 * Softness of contacts, limits, dry friction and constraints: MuJoCo's solref and solimp, as flat arrays; 0 0 for what is hard.
 */
import { ELLIPTIC, NORMAL, TANGENT } from '../model/shapes.js'
import type { Problems } from './problems.js'
import type { SoftFrictionSpec, SoftnessSpec } from './spec.js'

const SOLIMP: NonNullable<SoftnessSpec['solimp']> = [0.9, 0.95, 0.001, 0.5, 2]

/** 2 and 5 numbers each. */
export interface Softness {
  readonly solref: Float64Array
  readonly solimp: Float64Array
}

/** All hard. */
export function createSoftness(n: number): Softness {
  return { solref: new Float64Array(2 * n), solimp: Float64Array.from({ length: 5 * n }, (_, k) => SOLIMP[k % 5]) }
}

/** Writes entries k … k + count − 1. */
export function setSoftness(
  { solref, solimp }: Softness,
  k: number,
  spec: SoftnessSpec | undefined,
  path: string,
  problems: Problems,
  count = 1,
): void {
  if (spec === undefined) return
  const ref = problems.vector(`${path}/solref`, spec.solref, 2, [0, 0])
  const imp = problems.vector(`${path}/solimp`, spec.solimp, 5, SOLIMP)
  for (let e = k; e < k + count; e++) {
    solref.set(ref, 2 * e)
    solimp.set(imp, 5 * e)
  }
}

// of what friction gives without it: the creep that is left. None at all would leave the cost of a contact that sticks without bound on its curvature
const NOSLIP = 1e-4

/** What soft contacts give along normal and tangents, as shares of what their softness says (`Shapes.softFriction`). */
export function buildSoftFriction({ cone, impratio = 1, noslip = false }: SoftFrictionSpec = {}, problems: Problems): Float64Array {
  const ratio = problems.number('softFriction/impratio', impratio, 'positive')
  const out = new Float64Array(3)
  out[ELLIPTIC] = cone === 'elliptic' ? 1 : 0
  // forces along edges of a pyramid are normal and tangent at once
  out[NORMAL] = cone === 'elliptic' ? 1 : 1 / ratio
  out[TANGENT] = (noslip ? NOSLIP : 1) / ratio
  return out
}
