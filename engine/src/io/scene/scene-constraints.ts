/**
 * Constraints of the scene file format: loop closures, couplings, prescribed motions.
 */
import * as z from 'zod'
import { direction, index, name, nonnegative, number, option, positive, quat, softnessFields, vec3 } from './scene-fields.js'

export const point = z
  .strictObject({
    body: name().describe('Name of a body, or `world`'),
    point: option(vec3().describe('In the frame of the body, m. Default 0 0 0')),
    vertex: option(index().describe('A point of a body that deforms, by number, with which this one moves; `point` counts from there')),
  })
  .meta({ id: 'Point', description: 'A point fixed to a body' })

const axis = z
  .strictObject({ ...point.shape, axis: option(direction().describe('In the frame of the body. Default 0 0 1')) })
  .meta({ id: 'Axis', description: 'A line fixed to a body' })

const constraintFields = {
  name: option(name().describe('Name of the constraint')),
  active: option(z.boolean().describe('false: switched off. Default true')),
  ...softnessFields,
}
const polynomial = () => z.array(number()).min(1).describe('Coefficients, constant first')

export const constraint = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('point'),
      a: point,
      b: point,
      axes: option(z.array(direction()).min(1).max(3).describe('Directions of the world along which they stay together. Default: all')),
      ...constraintFields,
    }),
    z.strictObject({ type: z.literal('hinge'), a: axis, b: axis, ...constraintFields }),
    z.strictObject({
      type: z.literal('planar'),
      a: point,
      b: point,
      normal: option(direction().describe("Of the plane through a that b stays in, in the frame of a's body. Default 0 0 1")),
      ...constraintFields,
    }),
    z.strictObject({
      type: z.literal('weld'),
      a: name().describe('Name of a body, or `world`'),
      b: name().describe('Name of a body, or `world`'),
      position: option(vec3().describe('Of frame b in frame a, m. Default: that of the start')),
      quaternion: option(quat().describe('Of frame b in frame a. Default: that of the start')),
      ...constraintFields,
    }),
    z.strictObject({
      type: z.literal('coupling'),
      joint: name().describe('Name of the joint that follows'),
      of: option(name().describe('Name of the joint that leads; without it the joint is held')),
      polynomial: polynomial(),
      ...constraintFields,
    }),
    z.strictObject({
      type: z.literal('tendon-coupling'),
      tendon: name().describe('Name of the tendon that follows'),
      of: option(name().describe('Name of the tendon that leads; without it the length is held')),
      polynomial: polynomial(),
      ...constraintFields,
    }),
    z.strictObject({
      type: z.literal('distance'),
      a: point,
      b: point,
      distance: option(nonnegative().describe('m. Default: that of the start')),
      ...constraintFields,
    }),
    z.strictObject({
      type: z.literal('motion'),
      joint: option(name().describe('Name of a joint with one degree of freedom, q = f(t); exactly one of joint and body')),
      body: option(name().describe('Name of a body; exactly one of direction and axis comes with it')),
      point: option(vec3().describe('With direction: the point that moves, in the body frame, m. Default 0 0 0')),
      direction: option(vec3().describe('Of the world: the point moves by f(t) along it from where it is at the start')),
      axis: option(vec3().describe('Of the world: the body turns by f(t) about it from how it stands at the start')),
      offset: option(number().describe('f(t) = offset + speed t + amplitude sin(2π frequency t + phase) + rise, rad or m. Default 0')),
      speed: option(number().describe('rad/s or m/s. Default 0')),
      amplitude: option(number().describe('rad or m. Default 0')),
      frequency: option(number().describe('Hz. Default 0')),
      phase: option(number().describe('rad. Default 0')),
      rise: option(
        z
          .strictObject({
            size: number().describe('rad or m'),
            start: option(number().describe('s. Default 0')),
            duration: positive().describe('s; after it the rise is at its size'),
            steepness: option(positive().describe('Default 7')),
          })
          .describe('A logistic rise: size / (1 + exp(−2 steepness ((t − start)/duration − ½)))'),
      ),
      follow: option(z.enum(['position', 'speed']).describe("speed: only f' counts, from whatever the pose is. Default position")),
      ...constraintFields,
    }),
  ])
  .meta({ id: 'Constraint', description: 'A loop closure, a coupling or a prescribed motion' })
