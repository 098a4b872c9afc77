/**
 * Values that scene files are made of: numbers with ranges, vectors, names, poses.
 */

import * as z from 'zod'
import { norm } from '../../math/own.js'

export const option = z.exactOptional
export const number = () => z.number()
export const text = () => z.string()
export const name = () => z.string().min(1)
export const nonnegative = () => z.number().nonnegative()
export const positive = () => z.number().positive()
export const vec3 = () => z.tuple([number(), number(), number()])
export const size3 = () => z.tuple([nonnegative(), nonnegative(), nonnegative()])
export const quat = () =>
  z.tuple([number(), number(), number(), number()]).refine((q) => norm(q) > 0, 'expected a quaternion w x y z, got all zeros')
export const direction = () => vec3().refine((v) => norm(v) > 0, 'expected a direction x y z, got all zeros')
export const tensor = () => z.tuple([number(), number(), number(), number(), number(), number()])
export const range = () => z.tuple([number(), number()]).refine(([a, b]) => a <= b, { error: (issue) => orderMessage(issue.input) })
export const bits = () => z.int().nonnegative()
export const index = () => z.int().nonnegative()
export const shade = () => z.number().min(0).max(1)
export const perCoordinate = () => z.union([number(), z.array(number())])
export const perFreedom = () => z.union([nonnegative(), z.array(nonnegative())])

export const condim = () => z.union([z.literal(1), z.literal(3), z.literal(4), z.literal(6)])

/** How a contact, limit or constraint gives way. */
export const softnessFields = {
  solref: option(
    z.tuple([number(), number()]).describe("MuJoCo's time constant and damping ratio, or -stiffness and -damping. Default 0 0: hard"),
  ),
  solimp: option(
    z
      .tuple([number(), number(), number(), number(), number()])
      .describe("MuJoCo's impedance: at no depth, at width, width, midpoint, power. Default 0.9 0.95 0.001 0.5 2"),
  ),
}
export const softness = () => z.strictObject(softnessFields).describe('How it gives way; default: not at all')

function orderMessage(input: unknown): string {
  return `expected a lower and an upper bound, got ${JSON.stringify(input)}; swap them?`
}

export const position = () => option(vec3().describe('Position x y z in the enclosing frame, m. Default 0 0 0'))
export const orientation = () => option(quat().describe('Orientation w x y z in the enclosing frame. Default 1 0 0 0'))
