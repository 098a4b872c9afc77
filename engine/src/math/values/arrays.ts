/** Values out of arrays, for code that is not hot: their numbers go back by `array.set(value.flat(), …)`. */
import type { Mat3, Motion, Pose, Vec3 } from './spatial.js'

type Numbers = ArrayLike<number>

export const vec3From = (x: Numbers, i = 0): Vec3 => [x[i], x[i + 1], x[i + 2]]
export const mat3From = (x: Numbers, i = 0): Mat3 => [vec3From(x, i), vec3From(x, i + 3), vec3From(x, i + 6)]
export const poseFrom = (x: Numbers, i = 0): Pose => ({ R: mat3From(x, i), p: vec3From(x, i + 9) })
export const motionFrom = (x: Numbers, i = 0): Motion => ({ w: vec3From(x, i), v: vec3From(x, i + 3) })
