/**
 * `fromto` of capsules, cylinders and boxes in scene files: both ends in place of length and pose.
 */
import * as z from 'zod'
import { isSegment } from '../../build/geometry/segment.js'
import type { FromTo } from '../../build/spec.js'
import { number, option } from './scene-fields.js'

export const fromto = () =>
  option(
    z
      .tuple([number(), number(), number(), number(), number(), number()])
      .describe('Both ends x y z x y z in the enclosing frame, in place of length, position and quaternion, m; z points to the first'),
  )

interface Given {
  readonly shape: string
  readonly length?: number
  readonly size?: readonly number[]
  readonly fromto?: FromTo
  readonly position?: unknown
  readonly quaternion?: unknown
}

/** Exactly one of a length and both ends; no pose beside the ends. */
export function checkSegment({ value, issues }: { readonly value: Given; readonly issues: z.core.$ZodRawIssue[] }): void {
  const add = (key: keyof Given, message: string): void => {
    issues.push({ code: 'custom', input: value[key], path: key in value ? [key] : [], message })
  }
  if (value.fromto === undefined) {
    if (value.shape === 'box' && value.size?.length === 2)
      add('size', 'expected a list of 3 (full edge lengths), got a list of 2; give the third, or fromto')
    if (value.shape !== 'box' && value.length === undefined) add('length', 'expected a length, or fromto with both ends, got neither')
    return
  }
  for (const key of ['position', 'quaternion', 'length'] as const) {
    if (value[key] !== undefined) add(key, `expected either ${key} or fromto, got both; leave one out`)
  }
  if (value.shape === 'box' && value.size?.length !== 2)
    add('size', 'expected a list of 2 (edge lengths across the line of fromto), got a list of 3; leave out the third')
  if (!isSegment(value.fromto)) add('fromto', `expected two different points, got ${value.fromto.join(' ')}; move one`)
}

type Ends = [number, number, number, number, number, number]

/** A shape as the check leaves it: with its length and a pose, or with both ends. */
export type EitherEnds<G> = G extends { shape: 'box' }
  ? (Omit<G, 'size' | 'fromto'> & { size: [number, number, number] }) | (Omit<G, 'size' | Posed> & { size: [number, number] } & Segment)
  : G extends { shape: 'capsule' | 'cylinder' }
    ? (Omit<G, 'length' | 'fromto'> & { length: number }) | (Omit<G, 'length' | Posed> & Segment)
    : G
type Posed = 'fromto' | 'position' | 'quaternion'
type Segment = { fromto: Ends; position?: never; quaternion?: never }
