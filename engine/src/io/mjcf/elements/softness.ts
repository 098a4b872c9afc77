/**
 * `solref` and `solimp` of geoms, pairs, limits, dry friction and equalities, with MuJoCo's own values where a file gives none.
 */
import type { SoftnessSpec } from '../../../build/spec.js'
import { readNumbers, type XmlElement } from '../../xml.js'
import type { Scope } from '../syntax/context.js'

/** Writes the values over the first entries. */
export function overlay(into: number[], values: readonly number[] | undefined): void {
  values?.forEach((value, k) => {
    into[k] = value
  })
}

const SOLIMP: readonly number[] = [0.9, 0.95, 0.001, 0.5, 2]

export interface RawSoftness {
  readonly solref: number[]
  readonly solimp: number[]
}

export function createRawSoftness(): RawSoftness {
  return { solref: [0.02, 1], solimp: [...SOLIMP] }
}

/** `of`: what the attributes end in, as in `solreflimit`. */
export function applySoftness({ shared: { reader } }: Scope, raw: RawSoftness, e: XmlElement, of = ''): void {
  overlay(raw.solref, readNumbers(reader, e, `solref${of}`, 1, 2))
  overlay(raw.solimp, readNumbers(reader, e, `solimp${of}`, 1, 5))
}

/** Always with its solref: a Spec is hard where it says nothing. */
export function toSoftnessSpec({ solref, solimp }: RawSoftness): SoftnessSpec {
  return {
    solref: [...solref] as unknown as NonNullable<SoftnessSpec['solref']>,
    ...(solimp.some((x, k) => x !== SOLIMP[k]) ? { solimp: [...solimp] as unknown as NonNullable<SoftnessSpec['solimp']> } : {}),
  }
}
