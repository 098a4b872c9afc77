/**
 * Softness of contacts, limits, dry friction and constraints: MuJoCo's solref and solimp, as flat arrays; 0 0 for what is hard.
 */
import type { Problems } from './problems.js'
import type { SoftnessSpec } from './spec.js'

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
