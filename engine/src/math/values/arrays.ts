/** Values out of arrays, for code that is not hot: their numbers go back by `array.set(value.flat(), …)`. */
import type { Quat } from './rotation.js'
import type { Articulated, Mat3, Motion, Pose, Sym3, Vec3 } from './spatial.js'

type Numbers = ArrayLike<number>

export const vec3From = (x: Numbers, i = 0): Vec3 => [x[i], x[i + 1], x[i + 2]]
export const quatFrom = (x: Numbers, i = 0): Quat => [x[i], x[i + 1], x[i + 2], x[i + 3]]
export const mat3From = (x: Numbers, i = 0): Mat3 => [vec3From(x, i), vec3From(x, i + 3), vec3From(x, i + 6)]
export const poseFrom = (x: Numbers, i = 0): Pose => ({ R: mat3From(x, i), p: vec3From(x, i + 9) })
export const sym3From = (x: Numbers, i = 0): Sym3 => [x[i], x[i + 1], x[i + 2], x[i + 3], x[i + 4], x[i + 5]]
export const motionFrom = (x: Numbers, i = 0): Motion => ({ w: vec3From(x, i), v: vec3From(x, i + 3) })
export const articulatedFrom = (x: Numbers, i = 0): Articulated => ({ A: sym3From(x, i), B: mat3From(x, i + 6), C: sym3From(x, i + 15) })
